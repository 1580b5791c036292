#include "db/sharers.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

#define DIGIT_BITS 16
#define DIGITS	   ((size_t)1 << DIGIT_BITS)

static size_t digit_at(const struct column *place, uint32_t ord, int digit)
{
	return column_u(place, ord) >> (digit * DIGIT_BITS) & (DIGITS - 1);
}

/* Samples of the same digit stay in the order that they have. */
static void sort_by(const struct column *place, int digit, const uint32_t *in, uint32_t *out,
		    size_t n, uint32_t *at)
{
	uint32_t before = 0;

	memset(at, 0, DIGITS * sizeof *at);
	for (size_t i = 0; i < n; i++)
		at[digit_at(place, in[i], digit)]++;
	for (size_t d = 0; d < DIGITS; d++) {
		uint32_t here = at[d];

		at[d] = before;
		before += here;
	}
	for (size_t i = 0; i < n; i++)
		out[at[digit_at(place, in[i], digit)]++] = in[i];
}

/* Those that have a place, ascending; returns the highest place. */
static uint64_t gather(struct sharers *s)
{
	uint64_t max = 0;

	for (size_t i = 0; i < s->place->n; i++) {
		uint64_t place = column_u(s->place, i);

		if (place == COLUMN_NONE)
			continue;
		s->ords[s->n++] = (uint32_t)i;
		max = place > max ? place : max;
	}
	return max;
}

enum status sharers_init(struct sharers *s, const struct column *place, struct err *err)
{
	size_t bytes = (place->n + 1) * sizeof *s->ords; /* n: of a column, below 2^30 */
	uint32_t *other = mem_try(bytes), *at = mem_try(DIGITS * sizeof *at);
	uint64_t max;

	*s = (struct sharers){place, mem_try(bytes), 0};
	if (!s->ords || !other || !at) {
		sharers_release(s);
		free(other);
		free(at);
		return err_set(err, E_MEMORY, "there is no memory to look whose %zu texts are",
			       place->n);
	}
	max = gather(s);
	for (int digit = 0; digit * DIGIT_BITS < 64 && max >> (digit * DIGIT_BITS); digit++) {
		uint32_t *sorted = other;

		sort_by(place, digit, s->ords, sorted, s->n, at);
		other = s->ords;
		s->ords = sorted;
	}
	free(other);
	free(at);
	return OK;
}

void sharers_release(struct sharers *s)
{
	free(s->ords);
	*s = (struct sharers){NULL, NULL, 0};
}

size_t sharers_from(const struct sharers *s, uint64_t place)
{
	size_t lo = 0, hi = s->n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (column_u(s->place, s->ords[mid]) < place)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

size_t sharers_at(const struct sharers *s, uint64_t place, size_t *next, const uint32_t **ords)
{
	size_t i = *next, from;

	while (i < s->n && column_u(s->place, s->ords[i]) < place)
		i++;
	from = i;
	while (i < s->n && column_u(s->place, s->ords[i]) == place)
		i++;
	*ords = s->ords + from;
	*next = i;
	return i - from;
}
