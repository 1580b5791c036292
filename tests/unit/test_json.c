/* The two gears of JSON, slicing, writing. */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/text/json.h"
#include "tests/unit/lib_text.h"

#define BYTES(lit)                                                                                 \
	{                                                                                          \
		(lit), sizeof(lit) - 1                                                             \
	}

static void show_item(const cJSON *item, struct buf *out)
{
	struct buf scratch = BUF_INIT;

	if (cJSON_IsNull(item))
		buf_z(out, "null");
	else if (cJSON_IsArray(item) || cJSON_IsObject(item))
		buf_ch(out, cJSON_IsArray(item) ? '[' : '{');
	else
		buf_str(out, json_scalar(item, &scratch));
	for (const cJSON *c = item->child; c; c = c->next) {
		if (c->string)
			buf_printf(out, "%s:", c->string);
		show_item(c, out);
		buf_ch(out, ' ');
	}
	buf_release(&scratch);
}

/* What each gear makes of a text: scalars as json_scalar gives them. flat: does the fast gear
 * take it? */
static const struct {
	struct str text;
	enum status status;
	bool flat;
	const char *shown; /* or the start of the message */
} values[] = {
    {BYTES("{}"), OK, true, "{"},
    {BYTES(" {\"a\" : 1 , \"b\":\"x\"} "), OK, true, "{a:1 b:x "},
    {BYTES("{\"a\":true,\"b\":false,\"c\":null}"), OK, true, "{a:true b:false c:null "},
    {BYTES("{\"a\":\"\\u00e4\\n\\\"\\ud83d\\ude00\"}"), OK, true,
     "{a:\xc3\xa4\n\"\xf0\x9f\x98\x80 "},
    {BYTES("{\"a\":\"x\\u0000y\"}"), OK, true, "{a:x\xef\xbf\xbdy "},
    {BYTES("{\"a\":\"\\ud800x\",\"b\":\"\\udc00\"}"), OK, true, "{a:\xef\xbf\xbdx b:\xef\xbf\xbd "},
    {BYTES("{\"a\":\"\\ud800\\ud83d\\ude00\"}"), OK, true, "{a:\xef\xbf\xbd\xf0\x9f\x98\x80 "},
    {BYTES("{\"a\":NaN,\"b\":-Infinity,\"c\":Infinity}"), OK, true, "{a:null b:null c:null "},
    {BYTES("{\"a\":9007199254740993}"), OK, true, "{a:9007199254740993 "},
    {BYTES("{\"a\":-12345678901234567890123}"), OK, true, "{a:-12345678901234567890123 "},
    {BYTES("{\"a\":1.0,\"b\":1e2,\"c\":0.10,\"d\":-0.5e-7}"), OK, true,
     "{a:1 b:100 c:0.10 d:-0.5e-7 "},
    {BYTES("{\"a\":1e999,\"b\":-0}"), OK, true, "{a:1e999 b:-0 "},
    {BYTES("{\"a\":1,\"b\":2,\"a\":3}"), OK, true, "{a:1 b:2 "},
    {BYTES("{\"a\":[1,{\"b\":[]}],\"c\":{}}"), OK, true, "{a:[1 {b:[   c:{ "},
    {BYTES("{\"a\":[NaN,1.50]}"), OK, true, "{a:[null 1.50  "},
    {BYTES("{\"\\u0061\":1}"), OK, false, "{a:1 "},
    {BYTES("[1,\"a\"]"), OK, false, "[1 a "},
    {BYTES("\"x\""), OK, false, "x"},
    {BYTES("{\"\":1}"), OK, true, "{:1 "},
    {BYTES(""), E_FORMAT, false, "byte 0: expected a value"},
    {BYTES("  "), E_FORMAT, false, "byte 2: expected a value"},
    {BYTES("{"), E_FORMAT, false, "byte 1: expected a key"},
    {BYTES("{\"a\""), E_FORMAT, false, "byte 4: expected a colon"},
    {BYTES("{\"a\":}"), E_FORMAT, false, "byte 5: expected a value"},
    {BYTES("{\"a\":1,}"), E_FORMAT, false, "byte 7: expected a key"},
    {BYTES("{\"a\":1"), E_FORMAT, false, "byte 6: expected a comma or }"},
    {BYTES("{\"a\":1} x"), E_FORMAT, false, "byte 8: text after the end"},
    {BYTES("{\"a\":1}{}"), E_FORMAT, false, "byte 7: text after the end"},
    {BYTES("{\"a\":[1,]}"), E_FORMAT, false, "byte 8: expected a value"},
    {BYTES("{\"a\":[1}"), E_FORMAT, false, "byte 7: expected a comma or ]"},
    {BYTES("{\"a\":01}"), E_FORMAT, false, "byte 5: this is no number"},
    {BYTES("{\"a\":1.}"), E_FORMAT, false, "byte 5: a number without digits"},
    {BYTES("{\"a\":1e}"), E_FORMAT, false, "byte 5: a number without digits"},
    {BYTES("{\"a\":+1}"), E_FORMAT, false, "byte 5: expected a value"},
    {BYTES("{\"a\":nul}"), E_FORMAT, false, "byte 5: expected a value"},
    {BYTES("{\"a\":\"x"), E_FORMAT, false, "byte 7: a string without"},
    {BYTES("{\"a\":\"\\x\"}"), E_FORMAT, false, "byte 6: this is no JSON escape"},
    {BYTES("{\"a\":\"\\u12g4\"}"), E_FORMAT, false, "byte 6: this is no JSON escape"},
    {BYTES("{\"a\":\"a\nb\"}"), E_FORMAT, false, "byte 7: a control character"},
    {BYTES("{\"a\":\"a\0b\"}"), E_FORMAT, false, "byte 7: a control character"},
    {BYTES("{\"a\":\"abc\xff\"}"), E_FORMAT, false, "byte 9: invalid UTF-8"},
    {BYTES("{\"a\":\"\xc0\xaf\"}"), E_FORMAT, false, "byte 6: invalid UTF-8"},
    {BYTES("{\"a\":\"\xed\xa0\x80\"}"), E_FORMAT, false, "byte 6: invalid UTF-8"},
    {BYTES("{'a':1}"), E_FORMAT, false, "byte 1: expected a key"},
    {BYTES("{\"a\":1}\0"), E_FORMAT, false, "byte 7: text after the end"},
};

static void both_gears(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		struct buf out = BUF_INIT;
		struct err err = ERR_INIT;
		struct flat flat;
		cJSON *tree;

		assert_int_equal(json_parse(values[i].text, &tree, &err), values[i].status);
		if (tree)
			show_item(tree, &out);
		else
			buf_z(&out, err.msg);
		if (strncmp(buf_cstr(&out), values[i].shown,
			    strlen(values[i].shown) + (tree ? 1 : 0)) != 0)
			fail_msg("%s: %s", values[i].text.p, buf_cstr(&out));
		if (flat_scan(values[i].text, &flat) != values[i].flat)
			fail_msg("flat_scan: %s", values[i].text.p);
		cJSON_Delete(tree);
		buf_release(&out);
	}
}

static void flat_fields(void **state)
{
	struct str line = STR("{\"id\":\"a\\tb\",\"n\":12345678901234567890,\"x\":2.0,\"t\":[1, 2],"
			      "\"u\":\"\xc3\xa4\",\"id\":\"again\",\"ok\":true}");
	struct buf scratch = BUF_INIT;
	struct flat f;

	(void)state;
	assert_true(flat_scan(line, &f));
	assert_int_equal(f.n, 6);
	assert_true(str_eq(flat_text(flat_get(&f, STR("id")), &scratch), STR("a\tb")));
	assert_true(
	    str_eq(flat_text(flat_get(&f, STR("n")), &scratch), STR("12345678901234567890")));
	assert_true(str_eq(flat_text(flat_get(&f, STR("x")), &scratch), STR("2")));
	assert_true(str_eq(flat_get(&f, STR("x"))->raw, STR("2.0")));
	assert_int_equal(flat_get(&f, STR("t"))->type, FLAT_ARRAY);
	assert_true(str_eq(flat_get(&f, STR("t"))->raw, STR("[1, 2]")));
	assert_true(str_eq(flat_text(flat_get(&f, STR("u")), &scratch), STR("\xc3\xa4")));
	assert_null(flat_get(&f, STR("i")));
	assert_int_equal(f.field[5].type, FLAT_BOOL);
	buf_release(&scratch);
}

static void same_fields(const struct flat *a, const struct flat *b)
{
	assert_int_equal(a->n, b->n);
	for (size_t i = 0; i < a->n; i++) {
		const struct flat_field *x = &a->field[i], *y = &b->field[i];

		assert_true(str_eq(x->key, y->key) && str_eq(x->raw, y->raw));
		assert_int_equal(x->type, y->type);
		assert_int_equal(x->usual, y->usual);
		assert_int_equal(x->escaped, y->escaped);
		if (x->type != FLAT_NUMBER)
			continue;
		assert_int_equal(x->decimal, y->decimal);
		assert_true(!x->decimal || (x->digits == y->digits && x->places == y->places));
	}
}

/* A line of the shape in a block, with another one behind it: the same values, or it is not of it. */
static void same_values(struct str line, const struct flat_shape *shape, const struct flat *f, bool ok)
{
	struct flat_value v[FLAT_SHAPE_FIELDS];
	struct str items[FLAT_SHAPE_ITEMS];
	struct buf block = BUF_INIT;
	size_t n;

	buf_str(&block, line);
	buf_z(&block, "\n{\"id\": \"next\"}\n");
	n = flat_shaped_line(buf_view(&block), shape, v, items);
	if (n) {
		assert_true(ok);
		assert_int_equal(n, line.n + 1);
		assert_int_equal(f->n, shape->n);
	}
	for (size_t i = 0; n && i < f->n; i++) {
		assert_int_equal(v[i].text.n, f->field[i].raw.n);
		assert_memory_equal(v[i].text.p, f->field[i].raw.p, v[i].text.n);
		assert_int_equal(v[i].escaped, f->field[i].escaped);
		assert_true(f->field[i].type != FLAT_NUMBER || (v[i].digits == f->field[i].digits &&
								v[i].places == f->field[i].places));
	}
	assert_int_equal(flat_shaped_line((struct str){block.p, n ? n - 1 : 0}, shape, v, items),
			 0);
	buf_release(&block);
}

/* Whatever comes after a line whose shape was learned is read as if it had not been. */
static void flat_shapes(void **state)
{
	static const char *const lines[] = {
	    "{\"id\": \"a1\", \"score\": 0.25, \"tokens\": 12, \"text\": \"one\"}",
	    "{\"id\": \"b22\", \"score\": 1234567.5, \"tokens\": 123456789, \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": 12345678.12345678, \"tokens\": 0, \"text\": \"long enough\"}",
	    "{\"id\": \"b\", \"score\": 01, \"tokens\": 0, \"text\": \"a leading zero\"}",
	    "{\"id\": \"b\", \"score\": 1., \"tokens\": 0, \"text\": \"no digit\"}",
	    "{\"id\": \"b\", \"score\": -1, \"tokens\": 1e3, \"text\": \"other numbers\"}",
	    "{\"id\": \"b\", \"score\": null, \"tokens\": \"7\", \"text\": \"other types\"}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"\\u00e4 escaped \\\"\"}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"\xc3\xa4 \xe6\x97\xa5\"}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"not UTF-8 \xc3\"}",
	    "{\"id\": \"\\ud83d\", \"score\": 0.5e, \"tokens\": 7, \"text\": \"half a pair\"}",
	    "{\"id\": \"\\ud83d\", \"score\": 0.5, \"tokens\": 1234567, \"text\": \"half a pair\"}",
	    "{\"id\": \"b\", \"score\": 123456.7, \"tokens\": 12345678, \"text\": \"eight\"}",
	    "{\"id\": \"b\", \"score\": 1.234567, \"tokens\": 00, \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": 1.2.3, \"tokens\": 0, \"text\": \"\"}",
	    "{\"id\":\"b\",\"score\":1,\"tokens\":7,\"text\":\"no blanks\"}",
	    "{\"id\": \"b\", \"tokens\": 7, \"text\": \"one less\"}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"one more\", \"x\": 1}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"twice\", \"id\": \"c\"}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"blanks behind\"}  ",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"something behind\"}}",
	    "{\"id\": \"b\", \"score\": 1, \"tokens\": 7, \"text\": \"cut off",
	    "{\"id\": \"b\", \"score\": 1",
	    "{\"id\": \"b\", \"score\": [\"cat\", \"dog\"], \"tokens\": [], \"text\": \"x\"}",
	    "{\"id\": \"b\", \"score\": [], \"tokens\": [\"\xe6\x97\xa5\" ,\"\"], \"text\": \"x\"}",
	    "{\"id\": \"b\", \"score\": [ \"a\"], \"tokens\": [ ], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\"\t,\"b\"], \"tokens\": [\"c\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\",], \"tokens\": [\"c\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\" \"b\"], \"tokens\": [\"c\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [1], \"tokens\": [\"c\", 2], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\"], \"tokens\": [\"\\\"\", \"\\u00e4\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\"], \"tokens\": [\"\xc3\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\"], \"tokens\": [[\"b\"]], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": 3, \"tokens\": [\"b\"], \"text\": \"\"}",
	    "{\"id\": \"b\", \"score\": [\"a\", \"b",
	    "{\"id\": \"b\", \"score\": [\"a\"",
	    "{\"id\": \"b\", \"score\": [",
	    "",
	};
	struct flat_usual keys[4];
	struct flat a, b;

	(void)state;
	assert_true(flat_scan(str_z(lines[0]), &a));
	for (size_t i = 0; i < 4; i++)
		keys[i] = flat_usual(a.field[i].key);
	for (size_t before = 0; before < sizeof lines / sizeof *lines; before++)
		for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
			struct flat_shape shape = {.n = 0};
			bool ok = flat_scan_usual(str_z(lines[i]), &a, keys, 4);

			flat_scan_shaped(str_z(lines[before]), &b, &shape, keys, 4);
			same_values(str_z(lines[i]), &shape, &a, ok);
			assert_int_equal(flat_scan_shaped(str_z(lines[i]), &b, &shape, keys, 4), ok);
			if (ok)
				same_fields(&a, &b);
		}
}

/* Names that are those of the line before are seen at once, and make no difference. */
static void flat_repeats(void **state)
{
#define LINE(model, id) "{\"model\": \"" model "\", \"protocol\": \"CW\", \"id\": \"" id "\", \"n\": 7}\n"
	static const char *const lines[] = {
	    LINE("gpt-4", "a"),	 LINE("gpt-4", "b"),   LINE("gpt-4", "longer"),	 LINE("gpt-4o", "d"),
	    LINE("gpt-4o", "e"), LINE("gpt-4", "f"),   LINE("gpt-\\u0034", "g"), LINE("gpt-\\u0034", "h"),
	    LINE("gpt\xc3", "i"), LINE("gpt-4", "\\n"), LINE("gpt-4", "k"),
	    LINE("a name that is much too long to be looked at as one with the rest", "l"),
	    LINE("a name that is much too long to be looked at as one with the rest", "m"),
	    LINE("", "n"),	 LINE("", "o")};
#undef LINE
	static const bool again[] = {false, true, true, false, true, false, false, false,
				     false, false, true, false, false, false, true};
	struct flat_repeat repeat = {.from = 0, .n = 2};
	struct flat_value v[FLAT_SHAPE_FIELDS], w[FLAT_SHAPE_FIELDS];
	struct flat_shape shape = {.n = 0};
	struct flat_usual keys[4];
	struct buf block = BUF_INIT;
	struct flat f;

	(void)state;
	assert_true(flat_scan(str_trim(str_z(lines[0])), &f));
	for (size_t i = 0; i < 4; i++)
		keys[i] = flat_usual(f.field[i].key);
	flat_scan_shaped(str_trim(str_z(lines[0])), &f, &shape, keys, 4);
	assert_int_equal(shape.n, 4);
	for (size_t k = 0; k < sizeof lines / sizeof *lines; k++) {
		size_t n;

		buf_clear(&block);
		buf_z(&block, lines[k]);
		buf_z(&block, "what comes behind, as it does but for the last line of a file");
		n = flat_shaped_line(buf_view(&block), &shape, v, NULL);
		assert_int_equal(flat_repeating_line(buf_view(&block), &shape, &repeat, w), n);
		assert_int_equal(repeat.again, again[k]);
		assert_int_equal(n != 0, strstr(lines[k], "\xc3") == NULL);
		for (size_t i = 0; n && i < 4; i++) {
			assert_int_equal(v[i].text.n, w[i].text.n);
			assert_memory_equal(v[i].text.p, w[i].text.p, v[i].text.n);
			assert_int_equal(v[i].escaped, w[i].escaped);
		}
	}
	buf_release(&block);
}

/* Lines that come in two shapes by turns are read by the usual way after a while. */
static void flat_shapes_by_turns(void **state)
{
	struct flat_usual keys[] = {flat_usual(STR("a")), flat_usual(STR("b"))};
	struct str lines[] = {STR("{\"a\": 1, \"b\": 2}"), STR("{\"b\": 3}")};
	struct flat_shape shape = {.n = 0};
	struct flat f;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		assert_true(flat_scan_shaped(lines[i % 2], &f, &shape, keys, 2));
		assert_int_equal(f.n, i % 2 ? 1 : 2);
		assert_int_equal(f.field[0].digits, i % 2 ? 3 : 1);
	}
}

static void list_of_texts(void **state)
{
	static const struct {
		const char *raw, *again; /* NULL: another kind of list */
	} lists[] = {
	    {"[]", "[]"},
	    {"[ ]", "[]"},
	    {"[\"a\"]", "[\"a\"]"},
	    {"[ \"a, b\" , \"\xc3\xa4\", \"\" ]", "[\"a, b\",\"\xc3\xa4\",\"\"]"},
	    {"[\"a\", 1]", NULL},
	    {"[\"\\n\"]", NULL},
	    {"[[\"a\"]]", NULL},
	    {"[null]", NULL},
	};
	struct arena arena = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		cJSON *tree = NULL;
		bool ok = json_list_of_texts(&arena, str_z(lists[i].raw), &tree);
		char *text;

		assert_int_equal(ok, lists[i].again != NULL);
		if (!ok)
			continue;
		text = cJSON_PrintUnformatted(tree);
		assert_string_equal(text, lists[i].again);
		assert_true(!tree->child || !tree->child->prev->next);
		cJSON_free(text);
	}
	arena_release(&arena);
}

static void flat_has_at_most_64_fields(void **state)
{
	(void)state;
	for (int n = FLAT_MAX_FIELDS; n <= FLAT_MAX_FIELDS + 1; n++) {
		struct buf b = BUF_INIT;
		struct flat f;

		for (int i = 0; i < n; i++)
			buf_printf(&b, "%c\"k%d\":%d", i ? ',' : '{', i, i);
		buf_ch(&b, '}');
		assert_int_equal(flat_scan(buf_view(&b), &f), n == FLAT_MAX_FIELDS);
		buf_release(&b);
	}
}

/* Specials at every offset of a vector and behind its end. */
static void strings_of_every_length(void **state)
{
	static const char *const specials[] = {"\\n", "\xe2\x82\xac", "\xff", "\x01", "\\u0041"};

	(void)state;
	for (size_t s = 0; s < sizeof specials / sizeof *specials; s++)
		for (int before = 0; before < 40; before++) {
			struct buf b = BUF_INIT;
			struct err err = ERR_INIT;
			struct flat f;
			bool bad = specials[s][0] == '\xff' || specials[s][0] == '\x01';
			cJSON *tree;

			buf_z(&b, "{\"k\":\"");
			for (int i = 0; i < before; i++)
				buf_ch(&b, 'x');
			buf_z(&b, specials[s]);
			buf_z(&b, "\"}");
			assert_int_equal(flat_scan(buf_view(&b), &f), !bad);
			assert_int_equal(json_parse(buf_view(&b), &tree, &err),
					 bad ? E_FORMAT : OK);
			cJSON_Delete(tree);
			buf_release(&b);
		}
}

static void nesting_has_a_ceiling(void **state)
{
	(void)state;
	for (int depth = JSON_MAX_DEPTH - 1; depth <= JSON_MAX_DEPTH + 1; depth++) {
		struct buf b = BUF_INIT;
		struct err err = ERR_INIT;
		struct flat f;
		cJSON *tree;
		bool ok = depth <= JSON_MAX_DEPTH;

		buf_z(&b, "{\"a\":");
		for (int i = 1; i < depth; i++)
			buf_ch(&b, '[');
		for (int i = 1; i < depth; i++)
			buf_ch(&b, ']');
		buf_ch(&b, '}');
		assert_int_equal(json_parse(buf_view(&b), &tree, &err), ok ? OK : E_LIMIT);
		assert_int_equal(flat_scan(buf_view(&b), &f), ok);
		if (!ok)
			assert_non_null(strstr(err.msg, "nested too deeply"));
		cJSON_Delete(tree);
		buf_release(&b);
	}
}

static void values_have_a_ceiling(void **state)
{
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	cJSON *tree;

	(void)state;
	buf_ch(&b, '[');
	for (size_t i = 0; i < JSON_MAX_NODES; i++)
		buf_z(&b, "1,");
	buf_z(&b, "1]");
	assert_int_equal(json_parse(buf_view(&b), &tree, &err), E_LIMIT);
	assert_non_null(strstr(err.msg, "too many values"));
	buf_clear(&b);
	while (b.n <= JSON_MAX_VALUE)
		buf_z(&b, "                                                                ");
	assert_int_equal(json_parse(buf_view(&b), &tree, &err), E_LIMIT);
	assert_non_null(strstr(err.msg, "over the ceiling"));
	buf_release(&b);
}

/* Beyond a few keys repeats are found by hashing. */
static void many_repeated_keys(void **state)
{
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	cJSON *tree;
	double v;

	(void)state;
	for (int i = 0; i < 20000; i++)
		buf_printf(&b, "%c\"k%d\":%d", i ? ',' : '{', i % 7000, i);
	buf_ch(&b, '}');
	assert_int_equal(json_parse(buf_view(&b), &tree, &err), OK);
	assert_int_equal(cJSON_GetArraySize(tree), 7000);
	assert_true(json_number(json_get(tree, "k6999"), &v));
	assert_int_equal((int)v, 6999);
	cJSON_Delete(tree);
	buf_release(&b);
}

static void helpers_never_fail(void **state)
{
	struct buf scratch = BUF_INIT;
	struct err err = ERR_INIT;
	cJSON *tree;
	double v = 5;

	(void)state;
	assert_int_equal(
	    json_parse(STR("{\"a\":[1],\"b\":\"x\",\"c\":1e999,\"d\":2.50,\"A\":0}"), &tree, &err),
	    OK);
	assert_null(json_get(NULL, "a"));
	assert_null(json_get(json_get(tree, "b"), "a"));
	assert_null(json_get(tree, "z"));
	assert_true(cJSON_IsArray(json_get(tree, "a")));
	assert_null(json_text(json_get(tree, "a")).p);
	assert_null(json_scalar(json_get(tree, "a"), &scratch).p);
	assert_null(json_scalar(NULL, &scratch).p);
	assert_false(json_number(json_get(tree, "b"), &v));
	assert_false(json_number(json_get(tree, "c"), &v));
	assert_false(json_number(NULL, &v));
	assert_true(v == 5);
	assert_true(json_number(json_get(tree, "d"), &v));
	assert_true(v == 2.5);
	cJSON_Delete(tree);
	buf_release(&scratch);
}

/* --- slices --- */

static const struct {
	struct str text;
	const char *shown; /* "line@byte:[key=]text|", then the end's message or "." */
} slices[] = {
    {BYTES("[]"), "."},
    {BYTES(" [ ] "), "."},
    {BYTES("{}"), "."},
    {BYTES("[1]"), "1@1:1|."},
    {BYTES("[ 1 , \"a,]\\\"b\" ,\n{\"x\":[1,2]} , null ]\n"),
     "1@2:1|1@6:\"a,]\\\"b\"|2@17:{\"x\":[1,2]}|2@31:null|."},
    {BYTES("{\"a\":1,\n \"b\\u00e4\" : [2,\n3]}"), "1@1:a=1|2@9:b\xc3\xa4=[2,\n3]|."},
    {BYTES("{\"\":\"\"}"), "1@1:=\"\"|."},
    {BYTES("\xef\xbb\xbf[1]"), "1@4:1|."},
    {BYTES("[1\r,2]"), "1@1:1|2@4:2|."},
    {BYTES("[1,,2,]"), "1@1:1|1@3:|1@4:2|1@6:|."},
    {BYTES("[\"\\\\\",\"\\\\\\\"\"]"), "1@1:\"\\\\\"|1@6:\"\\\\\\\"\"|."},
    {BYTES(""), "line 1, byte 0: this is no JSON array or object"},
    {BYTES("  x"), "line 1, byte 2: this is no JSON array or object"},
    {BYTES("["), "line 1, byte 1: the file ends before"},
    {BYTES("[1,\n[2"), "1@1:1|line 2, byte 6: the file ends before"},
    {BYTES("[1]\n[2]"), "1@1:1|line 2, byte 4: text after the end"},
    {BYTES("[1}"), "1@1:1|line 1, byte 2: expected a comma or ]"},
    {BYTES("{\"a\" 1}"), "line 1, byte 5: expected a colon"},
    {BYTES("{\"a\":1,}"), "1@1:a=1|line 1, byte 7: expected a key"},
    {BYTES("{\"a"), "line 1, byte 3: the file ends inside a key"},
    {BYTES("{\"a\":"), "line 1, byte 5: the file ends before"},
    {BYTES("{\"\xff\":1}"), "line 1, byte 3: invalid UTF-8"},
};

static void show_slices(struct json_slice *s, struct buf *out)
{
	struct err err = ERR_INIT;
	struct str element;
	bool more;

	while (json_slice_next(s, &element, &more, &err) == OK && more) {
		buf_printf(out, "%llu@%llu:", (unsigned long long)s->line,
			   (unsigned long long)s->byte);
		if (s->object)
			buf_printf(out, "%s=", buf_cstr(&s->key));
		buf_str(out, element);
		buf_ch(out, '|');
	}
	buf_z(out, err.code == OK ? "." : err.msg);
	err_clear(&err);
	assert_int_equal(json_slice_next(s, &element, &more, &err), OK);
	assert_false(more);
}

static void slices_of_every_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof slices / sizeof *slices; i++)
		for (size_t block = 0; block < 12; block++) {
			struct buf out = BUF_INIT;
			struct json_slice s;
			struct input in;

			open_text(&in, slices[i].text, block);
			json_slice_init(&s, &in);
			show_slices(&s, &out);
			if (strncmp(buf_cstr(&out), slices[i].shown, strlen(slices[i].shown)) != 0)
				fail_msg("%s, block %zu: %s", slices[i].text.p, block,
					 buf_cstr(&out));
			json_slice_release(&s);
			input_close(&in);
			buf_release(&out);
		}
}

/* Members named a are entered, and members of theirs named b. */
static const struct {
	struct str text;
	const char *shown;
} entered[] = {
    {BYTES("{\"x\":1,\"a\":[1,{\"a\":2}],\"y\":3}"), "1@1:x=1|1@12:1|1@14:{\"a\":2}|1@23:y=3|."},
    {BYTES("{\"a\":[]}"), "."},
    {BYTES("{\"a\":{},\n\"x\":1}"), "2@9:x=1|."},
    {BYTES("{\"a\":7,\"b\":[8]}"), "1@1:a=7|1@7:b=[8]|."},
    {BYTES("{\"a\":{\"b\":[1,2],\"c\":3},\"b\":[4]}"), "1@11:1|1@13:2|1@16:c=3|1@23:b=[4]|."},
    {BYTES("{\"a\":{\"b\":{\"b\":[5]}}}"), "1@11:b=[5]|."},
    {BYTES("{\"a\":[1],\"a\":[2]}"), "1@6:1|1@14:2|."},
    {BYTES("[{\"a\":[1]}]"), "1@1:{\"a\":[1]}|."},
    {BYTES("{\"a\":[1"), "line 1, byte 7: the file ends before"},
    {BYTES("{\"a\":[1]"), "1@6:1|line 1, byte 8: the file ends before"},
    {BYTES("{\"a\":[1]]"), "1@6:1|line 1, byte 8: expected a comma or }"},
    {BYTES("{\"a\":[1}"), "1@6:1|line 1, byte 7: expected a comma or ]"},
};

static void slices_of_what_is_inside(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof entered / sizeof *entered; i++)
		for (size_t block = 0; block < 9; block++) {
			struct buf out = BUF_INIT;
			struct json_slice s;
			struct input in;

			open_text(&in, entered[i].text, block);
			json_slice_init(&s, &in);
			s.enter[0] = "a";
			s.enter[1] = "b";
			show_slices(&s, &out);
			if (strncmp(buf_cstr(&out), entered[i].shown, strlen(entered[i].shown)) != 0)
				fail_msg("%s, block %zu: %s", entered[i].text.p, block,
					 buf_cstr(&out));
			json_slice_release(&s);
			input_close(&in);
			buf_release(&out);
		}
}

static void a_slice_has_a_ceiling(void **state)
{
	struct err err = ERR_INIT;
	struct json_slice s;
	struct str element;
	struct input in;
	bool more;

	(void)state;
	open_text(&in, STR("[1234,12345]"), 3);
	json_slice_init(&s, &in);
	s.max = 4;
	assert_int_equal(json_slice_next(&s, &element, &more, &err), OK);
	assert_true(more && str_eq(element, STR("1234")));
	assert_int_equal(json_slice_next(&s, &element, &more, &err), E_LIMIT);
	assert_false(more);
	json_slice_release(&s);
	input_close(&in);
}

/* --- writing --- */

static void quoting(void **state)
{
	static const struct {
		struct str s;
		const char *quoted;
	} t[] = {{BYTES(""), "\"\""},
		 {BYTES("a\"b\\c\n\x01\x7f"), "\"a\\\"b\\\\c\\n\\u0001\\u007f\""},
		 {BYTES("\xc3\xa4\xff"
			"b\xe2\x82"),
		  "\"\xc3\xa4\xef\xbf\xbd"
		  "b\xef\xbf\xbd\xef\xbf\xbd\""},
		 {BYTES("\0"), "\"\\u0000\""},
		 {{NULL, 0}, "\"\""}};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct buf b = BUF_INIT;

		json_quote(&b, t[i].s);
		assert_string_equal(buf_cstr(&b), t[i].quoted);
		buf_release(&b);
	}
}

static void numbers_read_back(void **state)
{
	static const double v[] = {0,
				   1,
				   -1,
				   0.1,
				   1.0 / 3,
				   1e300,
				   5e-324,
				   123456789012345678.0,
				   9007199254740992.0,
				   -2.5,
				   0.30000000000000004,
				   DBL_MAX};
	struct buf b = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof v / sizeof *v; i++) {
		buf_clear(&b);
		json_put_number(&b, v[i]);
		assert_true(strtod(buf_cstr(&b), NULL) == v[i]);
	}
	buf_clear(&b);
	json_put_number(&b, 0.1);
	json_put_number(&b, NAN);
	json_put_number(&b, -INFINITY);
	json_put_number(&b, 42);
	assert_string_equal(buf_cstr(&b), "0.1nullnull42");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_gears),
	    cmocka_unit_test(flat_fields),
	    cmocka_unit_test(flat_shapes),
	    cmocka_unit_test(flat_repeats), cmocka_unit_test(flat_shapes_by_turns),
	    cmocka_unit_test(list_of_texts),
	    cmocka_unit_test(flat_has_at_most_64_fields),
	    cmocka_unit_test(strings_of_every_length),
	    cmocka_unit_test(nesting_has_a_ceiling),
	    cmocka_unit_test(values_have_a_ceiling),
	    cmocka_unit_test(many_repeated_keys),
	    cmocka_unit_test(helpers_never_fail),
	    cmocka_unit_test(slices_of_every_kind),
	    cmocka_unit_test(slices_of_what_is_inside),
	    cmocka_unit_test(a_slice_has_a_ceiling),
	    cmocka_unit_test(quoting),
	    cmocka_unit_test(numbers_read_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
