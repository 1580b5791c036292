/*
 * Columns to bits, 64 rows at a time: a byte for each row, in loops of a known length that
 * compilers make vectors of, then the bytes packed to a word.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/filter/filter_impl.h"

#define FEW 4 /* values that are compared one by one; more are looked up in a table */

/* --- is it one of a few values? --- */

#define SCAN_FEW(T, name)                                                                          \
	static CLONES void name(const void *data, size_t words, const uint32_t *set, uint32_t n,   \
				uint64_t *out)                                                     \
	{                                                                                          \
		const T *v = data;                                                                 \
		uint8_t hit[64];                                                                   \
		for (size_t w = 0; w < words; w++, v += 64) {                                      \
			T x = (T)set[0];                                                           \
			for (int k = 0; k < 64; k++)                                               \
				hit[k] = v[k] == x;                                                \
			for (uint32_t s = 1; s < n; s++) {                                         \
				x = (T)set[s];                                                     \
				for (int k = 0; k < 64; k++)                                       \
					hit[k] |= v[k] == x;                                       \
			}                                                                          \
			out[w] = bits_pack(hit);                                                   \
		}                                                                                  \
	}

SCAN_FEW(uint8_t, few_u8)
SCAN_FEW(uint16_t, few_u16)
SCAN_FEW(uint32_t, few_u32)
SCAN_FEW(uint64_t, few_u64)

typedef void few_fn(const void *data, size_t words, const uint32_t *set, uint32_t n, uint64_t *out);

static few_fn *few_of(enum dtype d)
{
	switch (d) {
	case DT_U8:
		return few_u8;
	case DT_U16:
		return few_u16;
	case DT_U32:
		return few_u32;
	case DT_U64:
		return few_u64;
	default:
		return NULL;
	}
}

static void few(const struct column *c, size_t n, const uint32_t *set, uint32_t n_set, uint64_t *out)
{
	few_fn *fn = few_of(c->dtype);

	if (!fn || !n_set)
		return;
	fn(c->data, n / 64, set, n_set, out);
	for (size_t i = n - n % 64; i < n; i++)
		for (uint32_t s = 0; s < n_set; s++)
			if (column_u(c, i) == set[s])
				bits_set(out, i);
}

/* --- is it one of many? --- */

#define BLOCK 1024

/* table[limit] says which values are meant. */
static void many(const struct column *c, size_t n, const uint8_t *table, uint32_t limit, uint64_t *out)
{
	uint32_t v[BLOCK];

	for (size_t from = 0; from < n; from += BLOCK) {
		size_t have = n - from < BLOCK ? n - from : BLOCK;

		column_widen(c, from, have, v);
		for (size_t i = 0; i < have; i++)
			out[(from + i) / 64] |= (uint64_t)(v[i] < limit && table[v[i]]) << (i % 64);
	}
}

static uint8_t *table_of(const uint32_t *set, uint32_t n_set, uint32_t *limit)
{
	uint8_t *table;

	*limit = 0;
	for (uint32_t s = 0; s < n_set; s++)
		if (set[s] >= *limit)
			*limit = set[s] + 1;
	table = xcalloc((size_t)*limit + 1, 1);
	for (uint32_t s = 0; s < n_set; s++)
		table[set[s]] = 1;
	return table;
}

/* Values that a column of this width cannot hold would be cut to some that it can. */
static uint32_t fitting(enum dtype d, const uint32_t *set, uint32_t n_set, uint32_t out[FEW])
{
	uint64_t none = d == DT_U8 ? UINT8_MAX : d == DT_U16 ? UINT16_MAX : UINT32_MAX;
	uint32_t n = 0;

	for (uint32_t s = 0; s < n_set; s++)
		if (set[s] < none)
			out[n++] = set[s];
	return n;
}

void scan_in(const struct column *c, size_t n, const uint32_t *set, uint32_t n_set, uint64_t *out)
{
	size_t have = c->n < n ? c->n : n;

	bits_fill(out, n, false);
	if (!n_set)
		return;
	if (n_set <= FEW) {
		uint32_t fit[FEW];

		few(c, have, fit, fitting(c->dtype, set, n_set, fit), out);
	} else {
		uint32_t limit;
		uint8_t *table = table_of(set, n_set, &limit);

		many(c, have, table, limit, out);
		free(table);
	}
}

void scan_none(const struct column *c, size_t n, uint64_t *out)
{
	uint32_t v[BLOCK];

	bits_fill(out, n, false);
	for (size_t i = 0; i < n && c->dtype >= DT_F32; i++)
		if (isnan(column_f(c, i)))
			bits_set(out, i);
	for (size_t from = 0; from < n && c->dtype < DT_F32; from += BLOCK) {
		size_t have = n - from < BLOCK ? n - from : BLOCK;

		column_widen(c, from, have, v);
		for (size_t i = 0; i < have; i++)
			out[(from + i) / 64] |= (uint64_t)(v[i] == UINT32_MAX) << (i % 64);
	}
}

/* --- comparisons --- */

#define EACH(T, condition)                                                                         \
	for (size_t w = 0; w < words; w++, v += 64) {                                              \
		for (int k = 0; k < 64; k++) {                                                     \
			T a = v[k];                                                                \
			hit[k] = (condition);                                                      \
		}                                                                                  \
		out[w] = bits_pack(hit);                                                           \
	}                                                                                          \
	break

/* there: is `a` a number at all? N: what it is compared as. */
#define SCAN_COMPARE(T, N, name, there)                                                            \
	static CLONES void name(const void *data, size_t words, enum op op, double number,         \
				uint64_t *out)                                                     \
	{                                                                                          \
		const T *v = data;                                                                 \
		const N x = (N)number;                                                             \
		uint8_t hit[64];                                                                   \
		switch (op) {                                                                      \
		case OP_LT:                                                                        \
			EACH(T, (there) & ((N)a < x));                                             \
		case OP_LE:                                                                        \
			EACH(T, (there) & ((N)a <= x));                                            \
		case OP_GT:                                                                        \
			EACH(T, (there) & ((N)a > x));                                             \
		case OP_GE:                                                                        \
			EACH(T, (there) & ((N)a >= x));                                            \
		case OP_EQ:                                                                        \
			EACH(T, (there) & ((N)a == x));                                            \
		default:                                                                           \
			EACH(T, (there) & ((N)a != x));                                            \
		}                                                                                  \
	}

SCAN_COMPARE(uint8_t, double, compare_u8, a != UINT8_MAX)
SCAN_COMPARE(uint16_t, double, compare_u16, a != UINT16_MAX)
SCAN_COMPARE(uint32_t, double, compare_u32, a != UINT32_MAX)
SCAN_COMPARE(uint64_t, double, compare_u64, a != UINT64_MAX)
SCAN_COMPARE(float, float, compare_f32, a == a)
SCAN_COMPARE(double, double, compare_f64, a == a)

typedef void compare_fn(const void *data, size_t words, enum op op, double x, uint64_t *out);

void scan_compare(const struct column *c, size_t n, enum op op, double x, uint64_t *out)
{
	static compare_fn *const fns[N_DTYPES] = {
	    [DT_U8] = compare_u8,   [DT_U16] = compare_u16, [DT_U32] = compare_u32,
	    [DT_U64] = compare_u64, [DT_F32] = compare_f32, [DT_F64] = compare_f64,
	};
	size_t have = c->n < n ? c->n : n, size = dtype_size(c->dtype), rest = have % 64;
	_Alignas(64) char last[64 * 8];

	bits_fill(out, n, false);
	fns[c->dtype](c->data, have / 64, op, x, out);
	if (!rest)
		return;
	memset(last, 0xff, sizeof last); /* "none", and NaN, of every width */
	memcpy(last, (const char *)c->data + (have - rest) * size, rest * size);
	fns[c->dtype](last, 1, op, x, out + have / 64);
}

/* --- rows of several values --- */

/* The row that value k lies in, at or after `row`: few of many rows are asked for, so the way
 * there is doubled until it is too far, then halved. */
static size_t row_of(const uint32_t *off, size_t rows, size_t row, uint32_t k)
{
	size_t step = 1, lo = row, hi;

	while (lo + step < rows && off[lo + step] <= k) {
		lo += step;
		step *= 2;
	}
	hi = lo + step < rows ? lo + step : rows;
	while (lo + 1 < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (off[mid] <= k)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

void scan_csr_in(const uint32_t *off, size_t rows, size_t n, const struct column *val,
		 const uint32_t *set, uint32_t n_set, uint64_t *out)
{
	uint64_t hits[BLOCK / 64];
	size_t row = 0, end = rows < n ? rows : n, last = end ? off[end] : 0;

	bits_fill(out, n, false);
	for (size_t from = end ? off[0] : 0; from < last; from += BLOCK) {
		size_t have = last - from < BLOCK ? last - from : BLOCK;
		struct column part = {val->dtype, have,
				      (char *)val->data + from * dtype_size(val->dtype)};

		scan_in(&part, have, set, n_set, hits);
		for (size_t k = bits_next(hits, have, 0); k < have; k = bits_next(hits, have, k + 1)) {
			row = row_of(off, end, row, (uint32_t)(from + k));
			bits_set(out, row);
		}
	}
}

void scan_csr_empty(const uint32_t *off, size_t rows, size_t n, uint64_t *out)
{
	bits_fill(out, n, false);
	for (size_t i = 0; i < n; i++)
		if (i >= rows || off[i] == off[i + 1])
			bits_set(out, i);
}
