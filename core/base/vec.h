/*
 * A growing array as a plain struct: `VEC(int) v = {0}; vec_push(&v, 3); v.v[0]; vec_release(&v)`.
 * Growth is geometric and never fails (see xmalloc.h).
 */
#ifndef QUALM_CORE_BASE_VEC_H
#define QUALM_CORE_BASE_VEC_H

#include <stdlib.h>

#include "core/base/xmalloc.h"

#define VEC(T)                                                                                     \
	struct {                                                                                   \
		T *v;                                                                              \
		size_t n, cap;                                                                     \
	}

void *vec_grown(void *p, size_t size, size_t n, size_t *cap);

#define vec_reserve(V, N)                                                                          \
	((V)->n + (N) > (V)->cap                                                                   \
	     ? (void)((V)->v = vec_grown((V)->v, sizeof *(V)->v, (V)->n + (N), &(V)->cap))         \
	     : (void)0)
#define vec_push(V, X) (vec_reserve(V, 1), (void)((V)->v[(V)->n++] = (X)))
#define vec_clear(V)   ((void)((V)->n = 0))
#define vec_release(V) (free((V)->v), (void)((V)->v = NULL, (V)->n = (V)->cap = 0))

#endif
