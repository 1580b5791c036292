#include "core/base/map.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/random.h>

#include "core/base/fold.h"

static _Atomic uint64_t the_seed; /* 0 = none yet */

static void make_seed(void)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof seed, 0) != (ssize_t)sizeof seed || !seed)
		seed = 0x9e3779b97f4a7c15u;
	atomic_store_explicit(&the_seed, seed, memory_order_relaxed);
}

/* Asked for every key: nothing but a load once there is one. */
static inline uint64_t get_seed(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint64_t seed = atomic_load_explicit(&the_seed, memory_order_relaxed);

	if (!seed) {
		pthread_once(&once, make_seed);
		seed = atomic_load_explicit(&the_seed, memory_order_relaxed);
	}
	return seed;
}

static inline uint32_t hash(const void *data, size_t n)
{
	const unsigned char *p = data;
	uint64_t h = get_seed() ^ fold64(n, 0xa0761d6478bd642fu), w;

	for (; n > 8; p += 8, n -= 8) {
		memcpy(&w, p, 8);
		h = fold64(h ^ w, 0xe7037ed1a0b428dbu);
	}
	h = fold64(h ^ fold_few(p, n), 0x8ebc6af09c88c6e3u);
	return (uint32_t)(h ^ (h >> 32));
}

uint32_t hash_bytes(const void *data, size_t n)
{
	return hash(data, n);
}

static inline size_t probe(const struct intern *t, struct str key, uint32_t h)
{
	size_t mask = t->n_slots - 1, i = h & mask;

	while (t->slots[i].next_id) {
		if (t->slots[i].hash == h && str_eq(t->keys.v[t->slots[i].next_id - 1], key))
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
	return t->slots[probe(t, key, hash(key.p, key.n))].next_id - 1;
}

void intern_expect(const struct intern *t, struct str key)
{
	if (t->n_slots)
		__builtin_prefetch(&t->slots[hash(key.p, key.n) & (t->n_slots - 1)]);
}

/* A look goes from the slot to the key's place to its bytes, each of them far from the last. */
void intern_find_many(const struct intern *t, const struct str *keys, size_t n, uint32_t *ids)
{
	uint32_t h[INTERN_MANY], mask = (uint32_t)t->n_slots - 1;

	for (size_t i = 0; i < n; i++) {
		ids[i] = INTERN_NONE;
		h[i] = hash(keys[i].p, keys[i].n);
		if (t->n_slots)
			__builtin_prefetch(&t->slots[h[i] & mask]);
	}
	if (!t->n_slots)
		return;
	for (size_t i = 0; i < n; i++)
		if (t->slots[h[i] & mask].next_id)
			__builtin_prefetch(&t->keys.v[t->slots[h[i] & mask].next_id - 1]);
	for (size_t i = 0; i < n; i++)
		if (t->slots[h[i] & mask].next_id)
			__builtin_prefetch(t->keys.v[t->slots[h[i] & mask].next_id - 1].p);
	for (size_t i = 0; i < n; i++)
		ids[i] = t->slots[probe(t, keys[i], h[i])].next_id - 1;
}

uint32_t intern_add(struct intern *t, struct str key)
{
	bool added;

	return intern_put(t, key, &added);
}

uint32_t intern_append(struct intern *t, struct str key)
{
	vec_push(&t->keys, arena_str(&t->arena, key));
	return (uint32_t)(t->keys.n - 1);
}

void intern_index(struct intern *t)
{
	size_t n_slots = t->n_slots ? t->n_slots : 64;

	while (n_slots * 3 < t->keys.n * 4)
		n_slots *= 2;
	if (n_slots != t->n_slots)
		rehash(t, n_slots);
	for (; t->n_indexed < t->keys.n; t->n_indexed++) {
		struct str key = t->keys.v[t->n_indexed];
		uint32_t h = hash(key.p, key.n);
		size_t i = probe(t, key, h);

		if (!t->slots[i].next_id)
			t->slots[i] = (struct intern_slot){(uint32_t)t->n_indexed + 1, h};
	}
}

uint32_t intern_put(struct intern *t, struct str key, bool *added)
{
	uint32_t h = hash(key.p, key.n), id;
	size_t i;

	if (t->n_indexed < t->keys.n)
		intern_index(t);
	if ((t->keys.n + 1) * 4 > t->n_slots * 3)
		rehash(t, t->n_slots ? t->n_slots * 2 : 64);
	i = probe(t, key, h);
	*added = !t->slots[i].next_id;
	if (!*added)
		return t->slots[i].next_id - 1;
	id = intern_append(t, key);
	t->n_indexed++;
	t->slots[i] = (struct intern_slot){id + 1, h};
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
