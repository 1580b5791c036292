#include "core/text/npy.h"

#include <string.h>

#define MAGIC	"\x93NUMPY"
#define MAGIC_N ((size_t)6)
#define TEXT_N	64 /* characters of a number at most */

bool npy_begins(struct str bytes)
{
	return bytes.n >= MAGIC_N && memcmp(bytes.p, MAGIC, MAGIC_N) == 0;
}

/* --- the header: a Python dictionary, {'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), } --- */

/* What stands behind 'key':, up to the end of the header. */
static struct str value_of(struct str header, struct str key)
{
	size_t at = str_find(header, key);
	struct str rest = STR_NONE;

	if (at == SIZE_MAX)
		return rest;
	rest = str_trim((struct str){header.p + at + key.n, header.n - at - key.n});
	if (!rest.n || rest.p[0] != ':')
		return STR_NONE;
	return str_trim((struct str){rest.p + 1, rest.n - 1});
}

static bool read_type(struct str header, struct npy *out)
{
	struct str v = value_of(header, STR("'descr'")), type;
	int64_t size;

	if (v.n < 2 || v.p[0] != '\'')
		return false;
	str_cut((struct str){v.p + 1, v.n - 1}, '\'', &type);
	if (type.n < 3 || !memchr("<>|=", type.p[0], 4) || !str_int((struct str){type.p + 2, type.n - 2}, &size))
		return false;
	out->kind = type.p[1];
	out->big_endian = type.p[0] == '>';
	if (size < 1 || size > TEXT_N * 16)
		return false;
	out->size = (size_t)size;
	switch (out->kind) {
	case 'b':
		return size == 1;
	case 'i':
	case 'u':
		return size == 1 || size == 2 || size == 4 || size == 8;
	case 'f':
		return size == 4 || size == 8;
	case 'U':
		out->size *= 4; /* characters */
		return true;
	default:
		return out->kind == 'S';
	}
}

static bool read_shape(struct str header, uint64_t *n)
{
	struct str v = value_of(header, STR("'shape'")), inside, part;

	if (!v.n || v.p[0] != '(' || !memchr(v.p, ')', v.n))
		return false;
	str_cut((struct str){v.p + 1, v.n - 1}, ')', &inside);
	*n = 1;
	while (inside.n) {
		int64_t side;

		inside = str_cut(inside, ',', &part);
		part = str_trim(part);
		if (!part.n && !str_trim(inside).n)
			break; /* (3,) */
		if (!str_int(part, &side) || side < 0 || (side && *n > UINT64_MAX / (uint64_t)side))
			return false;
		*n *= (uint64_t)side;
	}
	return true;
}

static uint64_t whole(const char *p, size_t size, bool big_endian)
{
	uint64_t v = 0;

	for (size_t i = 0; i < size; i++)
		v |= (uint64_t)(unsigned char)p[i] << 8 * (big_endian ? size - 1 - i : i);
	return v;
}

/* The dictionary, and the data behind it. */
static bool split(struct str bytes, struct str *header, struct str *data)
{
	size_t at = MAGIC_N + 2, width, n;

	if (!npy_begins(bytes) || bytes.n < at)
		return false;
	width = bytes.p[MAGIC_N] == 1 ? 2 : 4;
	if (bytes.p[MAGIC_N] < 1 || bytes.p[MAGIC_N] > 3 || bytes.n < at + width)
		return false;
	n = (size_t)whole(bytes.p + at, width, false);
	at += width;
	if (n > bytes.n - at)
		return false;
	*header = (struct str){bytes.p + at, n};
	*data = (struct str){bytes.p + at + n, bytes.n - at - n};
	return true;
}

enum status npy_parse(struct str bytes, struct npy *out, struct err *err)
{
	struct str header;

	*out = (struct npy){0};
	if (!split(bytes, &header, &out->data))
		return err_set(err, E_FORMAT, "it is no array of NumPy");
	if (!read_type(header, out))
		return err_set(err, E_LIMIT, "an array of numbers or texts is expected, not one of another type");
	if (!read_shape(header, &out->n))
		return err_set(err, E_FORMAT, "the array does not say its shape");
	if (out->n > out->data.n / out->size)
		return err_set(err, E_FORMAT, "the array ends too early");
	out->data.n = (size_t)out->n * out->size;
	return OK;
}

/* The printable beginning of a text in the header, which may hold anything. */
static void put_words(struct buf *out, struct str text)
{
	for (size_t i = 0; i < text.n && i < TEXT_N; i++)
		buf_ch(out, text.p[i] >= ' ' && text.p[i] <= '~' ? text.p[i] : '?');
	if (text.n > TEXT_N)
		buf_z(out, "...");
}

void npy_describe(struct str bytes, struct buf *out)
{
	struct str header = STR_NONE, data, type = STR_NONE, shape;

	if (split(bytes, &header, &data)) {
		type = value_of(header, STR("'descr'"));
		shape = value_of(header, STR("'shape'"));
		if (type.n > 1 && type.p[0] == '\'' && shape.n && shape.p[0] == '(' &&
		    memchr(shape.p, ')', shape.n)) {
			str_cut((struct str){type.p + 1, type.n - 1}, '\'', &type);
			str_cut((struct str){shape.p + 1, shape.n - 1}, ')', &shape);
			put_words(out, type);
			buf_z(out, " and shape (");
			put_words(out, shape);
			buf_ch(out, ')');
			return;
		}
	}
	buf_z(out, type.n && type.p[0] == '[' ? "several fields" : "an unknown type and shape");
}

/* --- elements --- */

static bool text_number(const struct npy *a, const char *p, double *out)
{
	size_t step = a->kind == 'U' ? 4 : 1, n = a->size / step;
	char text[TEXT_N + 1];
	struct str s = {text, 0};

	for (size_t i = 0; i < n; i++) {
		uint64_t c = whole(p + i * step, step, a->big_endian);

		if (!c)
			break;
		if (c > 127 || s.n == TEXT_N)
			return false;
		text[s.n++] = (char)c;
	}
	return str_num(str_trim(s), out);
}

static double float_of(uint64_t bits, size_t size)
{
	uint32_t half = (uint32_t)bits;
	double d;
	float f;

	if (size == 4) {
		memcpy(&f, &half, sizeof f);
		return (double)f;
	}
	memcpy(&d, &bits, sizeof d);
	return d;
}

bool npy_number(const struct npy *a, uint64_t i, double *out)
{
	const char *p = a->data.p + (size_t)i * a->size;
	uint64_t v;

	if (a->kind == 'U' || a->kind == 'S')
		return text_number(a, p, out);
	v = whole(p, a->size, a->big_endian);
	if (a->kind == 'f') {
		*out = float_of(v, a->size);
	} else if (a->kind == 'i' && v >> (8 * a->size - 1)) {
		/* all ones above the sign, then as two's complement */
		v = ~(v | (a->size < 8 ? UINT64_MAX << 8 * a->size : 0)) + 1;
		*out = -(double)v;
	} else {
		*out = (double)v;
	}
	return true;
}
