#include "core/base/arena.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

#define ARENA_BLOCK ((size_t)32 * 1024)
#define ARENA_BLOCK_MAX ((size_t)4 * 1024 * 1024)

/* Blocks grow with what the arena holds, so that the one that is kept by clearing is enough for
 * as much again. */
static size_t next_block(const struct arena *a, size_t n)
{
	size_t cap = a->total < ARENA_BLOCK_MAX ? a->total : ARENA_BLOCK_MAX;

	if (cap < ARENA_BLOCK)
		cap = ARENA_BLOCK;
	return n > cap ? n : cap;
}

void *arena_more(struct arena *a, size_t n)
{
	struct arena_block *b;
	size_t cap;

	if (n > SIZE_MAX / 2)
		n = SIZE_MAX / 2; /* no sum past the end: xmalloc ends the program */
	cap = next_block(a, n);
	b = xmalloc(sizeof *b + cap);
	b->next = a->head;
	b->cap = cap;
	a->head = b;
	a->used = n;
	a->cap = cap;
	a->total += cap;
	return b->data;
}

void *arena_zalloc(struct arena *a, size_t count, size_t size)
{
	size_t n = 0;
	void *p;

	if (!mem_mul(count, size, &n))
		n = (size_t)-1 / 2; /* xmalloc ends the program */
	p = arena_alloc(a, n);
	memset(p, 0, n);
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

struct str arena_str(struct arena *a, struct str s)
{
	return (struct str){arena_strndup(a, s.p, s.n), s.n};
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	int n;
	char *p;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	n = n < 0 ? 0 : n;
	p = arena_alloc(a, (size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void arena_clear(struct arena *a)
{
	if (!a->head)
		return;
	while (a->head->next) {
		struct arena_block *next = a->head->next;

		a->head->next = next->next;
		a->total -= next->cap;
		free(next);
	}
	a->used = 0;
}

void arena_release(struct arena *a)
{
	while (a->head) {
		struct arena_block *next = a->head->next;

		free(a->head);
		a->head = next;
	}
	*a = (struct arena)ARENA_INIT;
}
