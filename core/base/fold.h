/*
 * fold: the two steps that our hashes of bytes are made of. What they give is for memory alone: it
 * may change with the next version.
 */
#ifndef QUALM_CORE_BASE_FOLD_H
#define QUALM_CORE_BASE_FOLD_H

#include <stdint.h>
#include <string.h>

static inline uint64_t fold64(uint64_t a, uint64_t b)
{
	__extension__ unsigned __int128 r = (unsigned __int128)a * b;

	return (uint64_t)r ^ (uint64_t)(r >> 64);
}

/* All of 0 to 8 bytes, without a loop; who knows n as well can tell any two texts apart. */
static inline uint64_t fold_few(const unsigned char *p, size_t n)
{
	uint32_t head, tail;

	if (n >= 4) {
		memcpy(&head, p, 4);
		memcpy(&tail, p + n - 4, 4);
		return (uint64_t)tail << 32 | head;
	}
	return n ? (uint64_t)p[0] | (uint64_t)p[n / 2] << 8 | (uint64_t)p[n - 1] << 16 : 0;
}

#endif
