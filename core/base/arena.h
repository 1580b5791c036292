/* An arena: many small allocations that die together. Never returns NULL. */
#ifndef QUALM_CORE_BASE_ARENA_H
#define QUALM_CORE_BASE_ARENA_H

#include <stddef.h>

#include "core/base/str.h"

struct arena_block {
	struct arena_block *next;
	size_t cap;
	_Alignas(16) char data[];
};

struct arena {
	struct arena_block *head;
	size_t used, cap; /* of the head block */
	size_t total;     /* bytes held by all blocks */
};

#define ARENA_INIT  {NULL, 0, 0, 0}
#define ARENA_ALIGN ((size_t)16)

void *arena_more(struct arena *a, size_t n); /* arena_alloc() from a new block */

/* Aligned as ARENA_ALIGN says, not zeroed. */
static inline void *arena_alloc(struct arena *a, size_t n)
{
	size_t used = (a->used + ARENA_ALIGN - 1) & ~(ARENA_ALIGN - 1);

	if (!a->head || used > a->cap || n > a->cap - used)
		return arena_more(a, n);
	a->used = used + n;
	return a->head->data + used;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size);
char *arena_strndup(struct arena *a, const char *s, size_t n); /* NUL-terminated */
char *arena_strdup(struct arena *a, const char *s);
struct str arena_str(struct arena *a, struct str s); /* copy; NUL-terminated behind */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_clear(struct arena *a); /* keeps one block for reuse */
void arena_release(struct arena *a);

#endif
