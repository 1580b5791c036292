/*
 * intern: strings to dense numbers 0, 1, 2 … in order of first appearance, and back.
 * The hash is seeded per process, so that hostile keys cannot be prepared; the numbers do not
 * depend on the seed. Keys are copied and live as long as the table.
 */
#ifndef QUALM_CORE_BASE_MAP_H
#define QUALM_CORE_BASE_MAP_H

#include <stdint.h>

#include "core/base/arena.h"
#include "core/base/vec.h"

#define INTERN_NONE UINT32_MAX

struct intern {
	struct arena arena;
	VEC(struct str) keys; /* keys.v[id]; NUL behind each */
	struct intern_slot *slots;
	size_t n_slots;
	size_t n_indexed; /* the first keys: those that are in slots */
};

struct intern_slot {
	uint32_t next_id; /* id + 1, 0 = free */
	uint32_t hash;
};

#define INTERN_INIT {ARENA_INIT, {NULL, 0, 0}, NULL, 0, 0}

uint32_t intern_add(struct intern *t, struct str key); /* finds or adds */
uint32_t intern_put(struct intern *t, struct str key, bool *added); /* the same, and says so */
uint32_t intern_find(const struct intern *t, struct str key); /* INTERN_NONE if absent */
/* Adds a key without looking for it: of equal ones the first is found. It is in no index until one is
 * needed, by intern_index() or by an addition that looks. */
uint32_t intern_append(struct intern *t, struct str key);
void intern_index(struct intern *t); /* before intern_find(), where keys have been appended */
/* The key will soon be asked for: what that looks at first is fetched meanwhile. */
void intern_expect(const struct intern *t, struct str key);
/* intern_find() of n <= INTERN_MANY keys, all on their way into the cache together. */
#define INTERN_MANY 16
void intern_find_many(const struct intern *t, const struct str *keys, size_t n, uint32_t *ids);
struct str intern_key(const struct intern *t, uint32_t id);
void intern_release(struct intern *t);

uint32_t hash_bytes(const void *p, size_t n);

#endif
