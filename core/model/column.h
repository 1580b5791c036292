/*
 * column: one packed array of fixed-width numbers, as stored in a project and as held in memory.
 * "None" is the largest value of an unsigned width (COLUMN_NONE) and NaN of a float.
 */
#ifndef QUALM_CORE_MODEL_COLUMN_H
#define QUALM_CORE_MODEL_COLUMN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum dtype { DT_U8, DT_U16, DT_U32, DT_U64, DT_F32, DT_F64, N_DTYPES }; /* stored: append only */

#define COLUMN_NONE UINT64_MAX /* what column_u returns for "none" of any width */

struct column {
	enum dtype dtype;
	size_t n; /* elements */
	void *data; /* owned; little-endian, as in the file */
};

size_t dtype_size(enum dtype d);
const char *dtype_word(enum dtype d);
/* The narrowest unsigned type that holds 0..max and a "none" beside it. */
enum dtype dtype_for(uint64_t max);

/* Element i of an unsigned column; COLUMN_NONE beyond its end and for "none". */
static inline uint64_t column_u(const struct column *c, size_t i)
{
	if (i >= c->n)
		return COLUMN_NONE;
	switch (c->dtype) {
	case DT_U8:
		return ((const uint8_t *)c->data)[i] == UINT8_MAX ? COLUMN_NONE
								   : ((const uint8_t *)c->data)[i];
	case DT_U16:
		return ((const uint16_t *)c->data)[i] == UINT16_MAX ? COLUMN_NONE
								     : ((const uint16_t *)c->data)[i];
	case DT_U32:
		return ((const uint32_t *)c->data)[i] == UINT32_MAX ? COLUMN_NONE
								     : ((const uint32_t *)c->data)[i];
	case DT_U64:
		return ((const uint64_t *)c->data)[i];
	default:
		return COLUMN_NONE;
	}
}

/* Element i of any column as a number; NaN for none and beyond its end. */
double column_f(const struct column *c, size_t i);
/* Set element i < n. COLUMN_NONE, and what the width cannot hold, stores "none". */
void column_set_u(struct column *c, size_t i, uint64_t v);
void column_set_f(struct column *c, size_t i, double v);
/* Elements at, at + 1 … of an unsigned column, as column_set_u() would. */
void column_set_many(struct column *c, size_t at, const uint64_t *v, size_t n);
/* n elements of "none" (all bytes 0xff for unsigned, NaN for floats). data is NULL and n 0 when
 * there is no memory for them. */
struct column column_new(enum dtype d, size_t n);
void column_release(struct column *c);

/* csr: a set of numbers per row: row i is val[off[i] .. off[i+1]). off has n + 1 elements.
 * Rows beyond n are empty. */
struct csr {
	struct column off; /* DT_U32 */
	struct column val;
};

static inline size_t csr_n(const struct csr *c)
{
	return c->off.n ? c->off.n - 1 : 0;
}

static inline size_t csr_row(const struct csr *c, size_t i, size_t *from)
{
	const uint32_t *off = c->off.data;

	if (i >= csr_n(c)) {
		*from = 0;
		return 0;
	}
	*from = off[i];
	return off[i + 1] - off[i];
}

void csr_release(struct csr *c);

/* Is every offset ascending and within val, and every value below limit? Data from a file is
 * checked once, at loading. */
bool csr_valid(const struct csr *c, uint64_t limit);

#endif
