/*
 * decimal: digits with a point at most, which most numbers of a file are, read while they are passed
 * (inside core/text only).
 */
#ifndef QUALM_CORE_TEXT_DECIMAL_H
#define QUALM_CORE_TEXT_DECIMAL_H

#include <string.h>

#include "core/text/json.h"

#define DECIMAL_LONGEST 16 /* bytes */

/* The digits at p, seven at most, in a few steps for all of them: how often a loop goes round would
 * be guessed wrong again and again. Those that are there move to the top, with zeros before them. */
static inline const char *decimal_few_digits(const char *p, uint64_t *value)
{
	static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
	uint64_t w, other;
	unsigned n;

	memcpy(&w, p, 8);
	w ^= 0x3030303030303030u; /* a digit is 0 to 9 now */
	other = ((w & 0x7f7f7f7f7f7f7f7fu) + 0x7676767676767676u) | w;
	other &= 0x8080808080808080u;
	n = other ? (unsigned)__builtin_ctzll(other) / 8 : 7;
	w = n ? w << (64 - 8 * n) : 0;
	w = (w & 0x0f0f0f0f0f0f0f0fu) * 2561 >> 8;
	w = (w & 0x00ff00ff00ff00ffu) * 6553601 >> 16;
	w = (w & 0x0000ffff0000ffffu) * 42949672960001u >> 32;
	*value = *value * tens[n] + w;
	return p + n;
}

static inline const char *decimal_digits(const char *p, const char *end, uint64_t *value)
{
	/* With one or none the loop is as good. */
	if (end - p >= 8 && p[0] >= '0' && p[0] <= '9' && p[1] >= '0' && p[1] <= '9')
		p = decimal_few_digits(p, value);
	for (; p < end && *p >= '0' && *p <= '9'; p++)
		*value = *value * 10 + (uint64_t)(*p - '0');
	return p;
}

/* Digits with a point at most, which are read on the way. NULL: something else, or too long. */
static inline const char *decimal_pass(const char *p, const char *end, struct flat_field *f)
{
	const char *from = p, *point = NULL;
	uint64_t digits = 0;

	p = decimal_digits(p, end, &digits);
	if (p - from > 1 && *from == '0')
		return NULL;
	if (p < end && *p == '.') {
		point = p;
		p = decimal_digits(p + 1, end, &digits);
	}
	if (p - from > DECIMAL_LONGEST || p - 1 == point || (p < end && (*p | 0x20) == 'e'))
		return NULL;
	f->decimal = true;
	f->digits = digits;
	f->places = (uint8_t)(point ? p - 1 - point : 0);
	return p;
}

#endif
