/*
 * steps: how far work is, for whoever shows it from another thread. Who works says how many steps
 * there will be, and takes them; they should be about as long as each other. NULL: nobody looks.
 */
#ifndef QUALM_CORE_BASE_STEPS_H
#define QUALM_CORE_BASE_STEPS_H

#include <stdatomic.h>
#include <stddef.h>

struct steps {
	atomic_size_t done, all;
	void (*taken)(void *ctx); /* on the thread that works, after each step; NULL: nobody is told */
	void *ctx;
};

/* So many more. */
static inline void steps_expect(struct steps *s, size_t n)
{
	if (s)
		atomic_fetch_add_explicit(&s->all, n, memory_order_relaxed);
}

static inline void steps_take(struct steps *s)
{
	if (!s)
		return;
	atomic_fetch_add_explicit(&s->done, 1, memory_order_relaxed);
	if (s->taken)
		s->taken(s->ctx);
}

#endif
