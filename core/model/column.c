#include "core/model/column.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

/* Columns are used as they lie in the file. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "a big-endian host must swap at loading");

static const struct {
	size_t size;
	const char *word;
} dtypes[N_DTYPES] = {
    [DT_U8] = {1, "u8"},   [DT_U16] = {2, "u16"}, [DT_U32] = {4, "u32"},
    [DT_U64] = {8, "u64"}, [DT_F32] = {4, "f32"}, [DT_F64] = {8, "f64"},
};

size_t dtype_size(enum dtype d)
{
	return (unsigned)d < N_DTYPES ? dtypes[d].size : 0;
}

const char *dtype_word(enum dtype d)
{
	return (unsigned)d < N_DTYPES ? dtypes[d].word : "?";
}

enum dtype dtype_for(uint64_t max)
{
	if (max < UINT8_MAX)
		return DT_U8;
	if (max < UINT16_MAX)
		return DT_U16;
	return max < UINT32_MAX ? DT_U32 : DT_U64;
}

double column_f(const struct column *c, size_t i)
{
	uint64_t u;

	if (i >= c->n)
		return NAN;
	if (c->dtype == DT_F32)
		return (double)((const float *)c->data)[i];
	if (c->dtype == DT_F64)
		return ((const double *)c->data)[i];
	u = column_u(c, i);
	return u == COLUMN_NONE ? NAN : (double)u;
}

void column_set_u(struct column *c, size_t i, uint64_t v)
{
	switch (c->dtype) {
	case DT_U8:
		((uint8_t *)c->data)[i] = (uint8_t)(v < UINT8_MAX ? v : UINT8_MAX);
		break;
	case DT_U16:
		((uint16_t *)c->data)[i] = (uint16_t)(v < UINT16_MAX ? v : UINT16_MAX);
		break;
	case DT_U32:
		((uint32_t *)c->data)[i] = (uint32_t)(v < UINT32_MAX ? v : UINT32_MAX);
		break;
	case DT_U64:
		((uint64_t *)c->data)[i] = v;
		break;
	default:
		column_set_f(c, i, v == COLUMN_NONE ? NAN : (double)v);
	}
}

void column_set_many(struct column *c, size_t at, const uint64_t *v, size_t n)
{
	uint8_t *u8 = (uint8_t *)c->data + at;
	uint16_t *u16 = (uint16_t *)c->data + at;
	uint32_t *u32 = (uint32_t *)c->data + at;

	switch (c->dtype) {
	case DT_U8:
		for (size_t i = 0; i < n; i++)
			u8[i] = (uint8_t)(v[i] < UINT8_MAX ? v[i] : UINT8_MAX);
		break;
	case DT_U16:
		for (size_t i = 0; i < n; i++)
			u16[i] = (uint16_t)(v[i] < UINT16_MAX ? v[i] : UINT16_MAX);
		break;
	case DT_U32:
		for (size_t i = 0; i < n; i++)
			u32[i] = (uint32_t)(v[i] < UINT32_MAX ? v[i] : UINT32_MAX);
		break;
	default:
		for (size_t i = 0; i < n; i++)
			column_set_u(c, at + i, v[i]);
	}
}

void column_set_f(struct column *c, size_t i, double v)
{
	if (c->dtype == DT_F32)
		((float *)c->data)[i] = (float)v;
	else if (c->dtype == DT_F64)
		((double *)c->data)[i] = v;
	else
		column_set_u(c, i, v >= 0 && v < 0x1p64 ? (uint64_t)v : COLUMN_NONE);
}

struct column column_new(enum dtype d, size_t n)
{
	struct column c = {d, 0, NULL};
	size_t bytes;

	if (!mem_mul(n, dtype_size(d), &bytes))
		return c;
	c.data = mem_try(bytes ? bytes : 1);
	if (!c.data)
		return c;
	c.n = n;
	if (d != DT_F32 && d != DT_F64)
		memset(c.data, 0xff, bytes);
	else
		for (size_t i = 0; i < n; i++)
			column_set_f(&c, i, NAN);
	return c;
}

void column_release(struct column *c)
{
	free(c->data);
	*c = (struct column){DT_U8, 0, NULL};
}

void csr_release(struct csr *c)
{
	column_release(&c->off);
	column_release(&c->val);
}

bool csr_valid(const struct csr *c, uint64_t limit)
{
	const uint32_t *off = c->off.data;

	if (c->off.n == 0)
		return c->val.n == 0;
	if (c->off.dtype != DT_U32 || c->val.dtype > DT_U64 || off[0] != 0 ||
	    off[c->off.n - 1] != c->val.n)
		return false;
	for (size_t i = 1; i < c->off.n; i++)
		if (off[i] < off[i - 1])
			return false;
	for (size_t i = 0; i < c->val.n; i++)
		if (column_u(&c->val, i) >= limit)
			return false;
	return true;
}
