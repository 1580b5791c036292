/* dice: small random numbers, the same on every machine. Seeded by what they decide about, so
 * that one decision more does not change all the others. */
#ifndef QUALM_CORE_BASE_DICE_H
#define QUALM_CORE_BASE_DICE_H

#include <stdbool.h>
#include <stdint.h>

struct dice {
	uint64_t state;
};

static inline uint32_t dice_next(struct dice *d) /* splitmix64 */
{
	uint64_t z = d->state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return (uint32_t)((z ^ z >> 31) >> 32);
}

static inline struct dice dice_for(unsigned what, unsigned a, unsigned b)
{
	struct dice d = {(uint64_t)what << 48 | (uint64_t)a << 24 | b};

	dice_next(&d);
	return d;
}

/* 0 … n - 1 */
static inline unsigned dice_below(struct dice *d, unsigned n)
{
	return (unsigned)((uint64_t)dice_next(d) * n >> 32);
}

static inline bool dice_percent(struct dice *d, unsigned percent)
{
	return dice_below(d, 100) < percent;
}

#endif
