/* Arrays of NumPy: types, byte orders, versions, and what is none. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "core/text/npy.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

/* A file of this version, type, shape and data. Caller releases. */
static struct buf make(int version, const char *type, const char *shape, struct str data)
{
	struct buf header = BUF_INIT, out = BUF_INIT;

	buf_printf(&header, "{'descr': '%s', 'fortran_order': False, 'shape': %s, }\n", type, shape);
	buf_z(&out, "\x93NUMPY");
	buf_ch(&out, (char)version);
	buf_ch(&out, 0);
	for (int i = 0; i < (version == 1 ? 2 : 4); i++)
		buf_ch(&out, (char)(header.n >> 8 * i));
	buf_str(&out, buf_view(&header));
	buf_str(&out, data);
	buf_release(&header);
	return out;
}

struct array {
	const char *type, *shape;
	struct str data;
	size_t n;
	double want[3]; /* NaN: no number */
};

static const struct array arrays[] = {
    {"<i8", "()", BYTES("\xfe\xff\xff\xff\xff\xff\xff\xff"), 1, {-2}},
    {">i4", "(1,)", BYTES("\x00\x00\x01\x02"), 1, {258}},
    {"<u2", "(3,)", BYTES("\x01\x00\xff\xff\x00\x00"), 3, {1, 65535, 0}},
    {"|i1", "(2,)", BYTES("\x80\x7f"), 2, {-128, 127}},
    {"|b1", "(1, 2)", BYTES("\x01\x00"), 2, {1, 0}},
    {"<f4", "(2,)", BYTES("\x00\x00\x80\xbf\x00\x00\x00\x3f"), 2, {-1, 0.5}},
    {">f8", "()", BYTES("\x3f\xd0\x00\x00\x00\x00\x00\x00"), 1, {0.25}},
    {"<U2", "()", BYTES("7\0\0\0\0\0\0\0"), 1, {7}},
    {">U4", "()", BYTES("\0\0\0-\0\0\0.\0\0\0" "5\0\0\0\0"), 1, {-0.5}},
    {"|S5", "(2,)", BYTES("0.125happy"), 2, {0.125, NAN}},
    {"<f8", "(0, 4)", BYTES(""), 0, {0}},
};

static void elements(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
		for (int version = 1; version <= 3; version++) {
			const struct array *a = &arrays[k];
			struct buf file = make(version, a->type, a->shape, a->data);
			struct err err = ERR_INIT;
			struct npy npy;

			if (npy_parse(buf_view(&file), &npy, &err) != OK)
				fail_msg("%s %s: %s", a->type, a->shape, err.msg);
			assert_int_equal(npy.n, a->n);
			for (size_t i = 0; i < a->n; i++) {
				double v = NAN;
				bool is = npy_number(&npy, i, &v);

				assert_int_equal(is, !isnan(a->want[i]));
				assert_true(!is || v == a->want[i]);
			}
			buf_release(&file);
		}
}

static void refused(void **state)
{
	static const struct { const char *type, *shape; struct str data; enum status want; } bad[] = {
	    {"<f8", "(2,)", BYTES("12345678"), E_FORMAT},  {"<f8", "(4294967296, 4294967296, 2)", BYTES(""), E_FORMAT},
	    {"<f2", "()", BYTES("12"), E_LIMIT},	   {"|O", "()", BYTES("12345678"), E_LIMIT},
	    {"<i3", "()", BYTES("123"), E_LIMIT},	   {"<f8", "(x,)", BYTES("12345678"), E_FORMAT},
	    {"<f8", "(-1,)", BYTES("12345678"), E_FORMAT}, {"<c16", "()", BYTES("1234567812345678"), E_LIMIT},
	    {"<f8", "8", BYTES("12345678"), E_FORMAT},	   {"<U99999999999", "()", BYTES(""), E_LIMIT},
	};
	struct err err = ERR_INIT;
	struct npy npy;

	(void)state;
	for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
		struct buf file = make(1, bad[k].type, bad[k].shape, bad[k].data);

		err = (struct err)ERR_INIT;
		if (npy_parse(buf_view(&file), &npy, &err) != bad[k].want)
			fail_msg("%s %s: %d", bad[k].type, bad[k].shape, err.code);
		buf_release(&file);
	}
	assert_int_equal(npy_parse(STR(""), &npy, &err), E_FORMAT);
	assert_int_equal(npy_parse(STR("\x93NUMPY"), &npy, &err), E_FORMAT);
	assert_int_equal(npy_parse(STR("\x93NUMPY\x01\x00\xff\xff{"), &npy, &err), E_FORMAT);
	assert_int_equal(npy_parse(STR("\x93NUMPY\x04\x00\x00\x00"), &npy, &err), E_FORMAT);
	assert_false(npy_begins(STR("\x93NUMP")));
}

static void described(void **state)
{
	static const struct { const char *type, *shape, *want; } list[] = {
	    {"<f4", "(3, 4)", "<f4 and shape (3, 4)"}, {"|O", "()", "|O and shape ()"},
	    {"<U6", "(2,)", "<U6 and shape (2,)"},     {"<f4", "7", "an unknown type and shape"},
	    {"\x01\xff", "(1,)", "?? and shape (1,)"},
	};
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
		struct buf file = make(1, list[k].type, list[k].shape, STR_NONE);

		buf_clear(&out);
		npy_describe(buf_view(&file), &out);
		assert_string_equal(buf_cstr(&out), list[k].want);
		buf_release(&file);
	}
	buf_clear(&out);
	npy_describe((struct str)BYTES("\x93NUMPY\x01\x00\x2f\x00{'descr': [('a', '<i4')], 'shape': (2,), }      \n"), &out);
	assert_string_equal(buf_cstr(&out), "several fields");
	buf_clear(&out);
	npy_describe(STR("\x93NUMPY\x01"), &out);
	assert_string_equal(buf_cstr(&out), "an unknown type and shape");
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(elements),
	    cmocka_unit_test(refused),
	    cmocka_unit_test(described),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
