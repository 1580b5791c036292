/* Intervals that were made before (intervals.h). */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/report/intervals.h"

struct kept {
	uint64_t seed, only_a, only_b, rest; /* rest 0 and the others, too: nothing is kept here */
	double lo, hi;
};

struct intervals_known {
	struct kept kept[INTERVALS_KNOWN];
};

struct intervals_known *intervals_known_new(void)
{
	return xcalloc(1, sizeof(struct intervals_known));
}

void intervals_known_free(struct intervals_known *known)
{
	free(known);
}

static struct kept key_of(const struct intervals *s, size_t k)
{
	const struct fourfold *f = &s->v.v[k].f;

	return (struct kept){.seed = s->seed, .only_a = f->only_a, .only_b = f->only_b,
			     .rest = f->both + f->neither};
}

static size_t place_of(const struct kept *key)
{
	uint64_t h = key->seed;

	h = (h ^ key->only_a) * 0x9e3779b97f4a7c15u;
	h = (h ^ h >> 29 ^ key->only_b) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 32 ^ key->rest) * 0x94d049bb133111ebu;
	return (size_t)(h >> 32) % INTERVALS_KNOWN;
}

static bool is_same(const struct kept *x, const struct kept *y)
{
	return x->seed == y->seed && x->only_a == y->only_a && x->only_b == y->only_b && x->rest == y->rest;
}

static bool is_kind(const struct intervals *s, const struct kept *key)
{
	return !s->clusters.from && key->only_a + key->only_b + key->rest > 0;
}

bool intervals_recall(const struct intervals_known *known, struct intervals *s, size_t k)
{
	struct kept key = key_of(s, k);
	const struct kept *at = known ? &known->kept[place_of(&key)] : NULL;

	if (!at || !is_kind(s, &key) || !is_same(at, &key))
		return false;
	s->v.v[k].lo = at->lo;
	s->v.v[k].hi = at->hi;
	return true;
}

void intervals_remember(struct intervals_known *known, const struct intervals *s, size_t k)
{
	struct kept key = key_of(s, k);

	if (!known || !is_kind(s, &key))
		return;
	key.lo = s->v.v[k].lo;
	key.hi = s->v.v[k].hi;
	known->kept[place_of(&key)] = key;
}
