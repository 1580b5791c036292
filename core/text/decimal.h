/*
 * decimal: digits with a point at most, which most numbers of a file are, read while they are passed
 * (inside core/text only).
 */
#ifndef QUALM_CORE_TEXT_DECIMAL_H
#define QUALM_CORE_TEXT_DECIMAL_H

#include <stdint.h>
#include <string.h>

#define DECIMAL_LONGEST 16 /* bytes */

#define DECIMAL_ONES 0x0101010101010101u

/* Eight digits of one byte each, the first one lowest. */
static inline uint64_t decimal_of_eight(uint64_t w)
{
	w = (w & DECIMAL_ONES * 0x0f) * 2561 >> 8;
	w = (w & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
	return (w & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
}

/* What ends within the next eight bytes, which are there, in a few steps for all of it: how often a
 * loop goes round would be guessed wrong again and again. The digits move to the top, with zeros
 * before them and the point taken out. NULL: it is not that short, or not of that kind. */
static inline const char *decimal_short(const char *p, uint64_t *value, uint8_t *places)
{
	uint64_t w, other, before;
	unsigned n, point;

	memcpy(&w, p, 8);
	w ^= DECIMAL_ONES * '0'; /* a digit is 0 to 9 now */
	other = ((w & DECIMAL_ONES * 0x7f) + DECIMAL_ONES * 0x76) | w;
	other &= DECIMAL_ONES * 0x80;
	if (!other)
		return NULL;
	point = n = (unsigned)__builtin_ctzll(other) / 8;
	*places = 0;
	if (p[n] == '.') {
		other &= other - 1;
		if (!other)
			return NULL;
		before = ((uint64_t)1 << 8 * point) - 1;
		w = (w & before) | (w >> 8 & ~before);
		n = (unsigned)__builtin_ctzll(other) / 8;
		*places = (uint8_t)(n - point - 1);
		if (!*places)
			return NULL;
	}
	if (!point || (point > 1 && *p == '0') || (p[n] | 0x20) == 'e')
		return NULL;
	*value = decimal_of_eight(w << (64 - 8 * (point + *places)));
	return p + n;
}

static inline const char *decimal_digits(const char *p, const char *end, uint64_t *value)
{
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		*value = *value * 10 + (uint64_t)(*p - '0');
	return p;
}

/* Digits with a point at most, read on the way: *value / 10^*places. NULL: something else, or too
 * long. */
static inline __attribute__((always_inline)) const char *
decimal_pass(const char *p, const char *end, uint64_t *value, uint8_t *places)
{
	const char *from = p, *point = NULL;
	uint64_t digits = 0;

	if (end - p >= 8 && (p = decimal_short(p, value, places)))
		return p;
	p = decimal_digits(from, end, &digits);
	if (p - from > 1 && *from == '0')
		return NULL;
	if (p < end && *p == '.') {
		point = p;
		p = decimal_digits(p + 1, end, &digits);
	}
	if (p - from > DECIMAL_LONGEST || p - 1 == point || (p < end && (*p | 0x20) == 'e'))
		return NULL;
	*value = digits;
	*places = (uint8_t)(point ? p - 1 - point : 0);
	return p;
}

#endif
