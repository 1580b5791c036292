#include "core/base/map.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/random.h>

#include "core/base/fold.h"

static uint64_t the_seed;

static void make_seed(void)
{
	if (getrandom(&the_seed, sizeof the_seed, 0) != (ssize_t)sizeof the_seed)
		the_seed = 0x9e3779b97f4a7c15u;
}

static uint64_t seed(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, make_seed);
	return the_seed;
}

uint32_t hash_bytes(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t h = seed() ^ fold64(n, 0xa0761d6478bd642fu), w;

	for (; n > 8; p += 8, n -= 8) {
		memcpy(&w, p, 8);
		h = fold64(h ^ w, 0xe7037ed1a0b428dbu);
	}
	h = fold64(h ^ fold_few(p, n), 0x8ebc6af09c88c6e3u);
	return (uint32_t)(h ^ (h >> 32));
}

static size_t probe(const struct intern *t, struct str key, uint32_t hash)
{
	size_t mask = t->n_slots - 1, i = hash & mask;

	while (t->slots[i].next_id) {
		if (t->slots[i].hash == hash && str_eq(t->keys.v[t->slots[i].next_id - 1], key))
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static void rehash(struct intern *t, size_t n_slots)
{
	struct intern_slot *old = t->slots;
	size_t n_old = t->n_slots;

	t->slots = xcalloc(n_slots, sizeof *t->slots);
	t->n_slots = n_slots;
	for (size_t k = 0; k < n_old; k++) {
		size_t i = old[k].hash & (n_slots - 1);

		if (!old[k].next_id)
			continue;
		while (t->slots[i].next_id)
			i = (i + 1) & (n_slots - 1);
		t->slots[i] = old[k];
	}
	free(old);
}

uint32_t intern_find(const struct intern *t, struct str key)
{
	if (!t->n_slots)
		return INTERN_NONE;
	/* 0 - 1 = INTERN_NONE */
	return t->slots[probe(t, key, hash_bytes(key.p, key.n))].next_id - 1;
}

void intern_expect(const struct intern *t, struct str key)
{
	if (t->n_slots)
		__builtin_prefetch(&t->slots[hash_bytes(key.p, key.n) & (t->n_slots - 1)]);
}

uint32_t intern_add(struct intern *t, struct str key)
{
	bool added;

	return intern_put(t, key, &added);
}

uint32_t intern_put(struct intern *t, struct str key, bool *added)
{
	uint32_t hash = hash_bytes(key.p, key.n), id;
	size_t i;

	if ((t->keys.n + 1) * 4 > t->n_slots * 3)
		rehash(t, t->n_slots ? t->n_slots * 2 : 64);
	i = probe(t, key, hash);
	*added = !t->slots[i].next_id;
	if (!*added)
		return t->slots[i].next_id - 1;
	id = (uint32_t)t->keys.n;
	vec_push(&t->keys, arena_str(&t->arena, key));
	t->slots[i] = (struct intern_slot){id + 1, hash};
	return id;
}

struct str intern_key(const struct intern *t, uint32_t id)
{
	return id < t->keys.n ? t->keys.v[id] : STR_NONE;
}

void intern_release(struct intern *t)
{
	arena_release(&t->arena);
	vec_release(&t->keys);
	free(t->slots);
	*t = (struct intern)INTERN_INIT;
}
