/*
 * bits: sets of samples. Bit i of a set of n is bit i % 64 of word i / 64; a set has
 * bits_words(n) words, and the bits from n on in its last word are 0. All functions keep that.
 */
#ifndef QUALM_CORE_BASE_BITS_H
#define QUALM_CORE_BASE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline size_t bits_words(size_t n)
{
	return (n + 63) / 64;
}

static inline bool bits_get(const uint64_t *b, size_t i)
{
	return b[i / 64] >> (i % 64) & 1;
}

static inline void bits_set(uint64_t *b, size_t i)
{
	b[i / 64] |= (uint64_t)1 << (i % 64);
}

/* Zeroed, for n bits. NULL: no memory. free() it. */
uint64_t *bits_new(size_t n);
void bits_fill(uint64_t *b, size_t n, bool value);
void bits_not(uint64_t *b, size_t n);
void bits_and(uint64_t *b, const uint64_t *other, size_t n);
void bits_or(uint64_t *b, const uint64_t *other, size_t n);
void bits_and_not(uint64_t *b, const uint64_t *other, size_t n);
size_t bits_count(const uint64_t *b, size_t n);
size_t bits_count_and(const uint64_t *a, const uint64_t *b, size_t n);
bool bits_any(const uint64_t *b, size_t n);
/* The first set bit at or after `from`; n when there is none. */
size_t bits_next(const uint64_t *b, size_t n, size_t from);
/* 64 bytes, each 0 or 1, as one word. */
uint64_t bits_pack(const uint8_t bytes[64]);
/* out: 1 where v[i] == x. */
void bits_of_bytes(uint64_t *out, const uint8_t *v, size_t n, uint8_t x);
/* out[n]: 0 or 1. */
void bits_to_bytes(const uint64_t *b, size_t n, uint8_t *out);

#endif
