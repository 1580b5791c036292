#include "core/base/vec.h"

#include <stdint.h>

void *vec_grown(void *p, size_t size, size_t n, size_t *cap)
{
	size_t want = *cap ? *cap + *cap / 2 + 1 : 16, bytes = 0;

	if (want < n)
		want = n;
	if (!mem_mul(want, size, &bytes))
		bytes = SIZE_MAX / 2;
	p = xrealloc(p, bytes);
	*cap = want;
	return p;
}
