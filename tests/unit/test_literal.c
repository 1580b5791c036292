/* What Python prints: into JSON, to the byte, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/reader/literal.h"
#include "core/reader/peek.h"
#include "core/text/json.h"

struct literal_case {
	const char *text, *json; /* NULL: refused */
};

static const struct literal_case cases[] = {
    {"{'id': 1, 'answer': None, 'ok': True, 'no': False}",
     "{\"id\":1,\"answer\":null,\"ok\":true,\"no\":false}"},
    {"{\"it's\": 'say \"x\"'}", "{\"it's\":\"say \\\"x\\\"\"}"},
    {"{'a': \"b 'c' \\\"d\\\"\"}", "{\"a\":\"b 'c' \\\"d\\\"\"}"},
    {"{'a': 'l\\n\\t\\\\ \\x41\\xe9\\u20ac\\U0001f600'}", "{\"a\":\"l\\n\\t\\\\ A\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"}"},
    {"{'a': [1, -2.5, 1e-07, []], 'b': (1,), 'c': {}}", "{\"a\":[1,-2.5,1e-07,[]],\"b\":[1],\"c\":{}}"},
    {"{0: 'a', None: 'b', 1.5: 'c'}", "{\"0\":\"a\",\"None\":\"b\",\"1.5\":\"c\"}"},
    {"{'a': nan, 'b': inf, 'c': -inf}", "{\"a\":null,\"b\":null,\"c\":null}"},
    {"{'a': {'joy', 'fear'}}", "{\"a\":[\"joy\",\"fear\"]}"},
    {"{'a': np.float64(0.5), 'b': np.str_('x'), 'c': np.True_, 'd': np.int64(-3)}",
     "{\"a\":0.5,\"b\":\"x\",\"c\":true,\"d\":-3}"},
    {" {'a' : 1 ,} ", "{\"a\":1}"},
    {"[{'a': 1}, 'b']", "[{\"a\":1},\"b\"]"},
    {"{'': ''}", "{\"\":\"\"}"},
    {"{'{': '}', ']': '['}", "{\"{\":\"}\",\"]\":\"[\"}"},
    {"{\"a\": null, \"b\": true}", "{\"a\":null,\"b\":true}"},
    {"", NULL},
    {"{'a': 1", NULL},
    {"{'a': 1}}", NULL},
    {"{'a': 1} {'b': 2}", NULL},
    {"{'a' 1}", NULL},
    {"{'a': }", NULL},
    {"{'a': 'b}", NULL},
    {"{'a': 'b\\", NULL},
    {"{'a': 1, 'b'}", NULL},
    {"{,}", NULL},
    {"{a: 1}", NULL}, /* as a script of another language has it */
    {"{'a': object()}", NULL},
    {"{'a': <object at 0x7f>}", NULL},
    {"{'a': os.system('x')}", NULL},
    {"{'a': b'x'}", NULL},
    {"{'a': 1 2}", NULL},
    {"[1, 2)", NULL},
    {"np.float64(1", NULL},
    {"np.", NULL},
};

static void into_json(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct arena arena = ARENA_INIT;
		struct buf out = BUF_INIT;
		bool ok = literal_json(str_z(cases[i].text), &arena, &out);

		if (ok != (cases[i].json != NULL))
			fail_msg("%s: %s", cases[i].text, ok ? "taken" : "refused");
		if (ok && !str_eqz(buf_view(&out), cases[i].json))
			fail_msg("%s: %s", cases[i].text, buf_cstr(&out));
		buf_release(&out);
		arena_release(&arena);
	}
}

static bool nested(size_t depth)
{
	struct arena arena = ARENA_INIT;
	struct buf text = BUF_INIT, out = BUF_INIT;
	bool ok;

	for (size_t i = 0; i < depth; i++)
		buf_ch(&text, '[');
	for (size_t i = 0; i < depth; i++)
		buf_ch(&text, ']');
	ok = literal_json(buf_view(&text), &arena, &out);
	buf_release(&text);
	buf_release(&out);
	arena_release(&arena);
	return ok;
}

static void depth(void **state)
{
	(void)state;
	assert_true(nested(JSON_MAX_DEPTH));
	assert_false(nested(JSON_MAX_DEPTH + 2));
	assert_false(nested(1000000));
}

/* Many texts in a long line cost what the line is long, not what it is long each. */
static void memory(void **state)
{
	struct arena arena = ARENA_INIT;
	struct buf text = BUF_INIT, out = BUF_INIT;

	(void)state;
	buf_ch(&text, '[');
	for (int i = 0; i < 100000; i++)
		buf_z(&text, "'joy',");
	buf_ch(&text, ']');
	assert_true(literal_json(buf_view(&text), &arena, &out));
	assert_true(arena.total < 64 * text.n);
	assert_int_equal(out.n, text.n - 1); /* without the last comma */
	buf_release(&text);
	buf_release(&out);
	arena_release(&arena);
}

static void shapes(void **state)
{
	static const struct {
		const char *head;
		enum shape shape;
		const char *name;
	} heads[] = {
	    {"{'id': 1, 'label': 'joy'}\n{'id': 2, 'label': 'fear'}\n", SHAPE_JSONL, "label"},
	    {"\n{'id': 1, 'label': 'joy'}", SHAPE_JSONL, "label"},
	    {"{'id': 1, 'label': \"it's\"}\r\n{'id': 2, 'lab", SHAPE_JSONL, "label"},
	    {"{'id': 1, 'x': None}\n{'id': 2, 'later': None}\n", SHAPE_JSONL, "later"},
	    {"{'a': {'label': 'joy'}, 'b': {'label': 'fear'}}", SHAPE_OBJECT, NULL}, /* not a line of many */
	    {"{'id': object()}\n", SHAPE_JSONL, NULL},
	};

	(void)state;
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
		struct peek p;

		peek_open(&p, str_z(heads[i].head));
		if (heads[i].name && (p.shape != heads[i].shape || !peek_has(&p, heads[i].name)))
			fail_msg("%s: shape %d", heads[i].head, p.shape);
		if (!heads[i].name)
			assert_false(peek_has(&p, "label") || peek_has(&p, "id"));
		peek_release(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(into_json), cmocka_unit_test(depth), cmocka_unit_test(memory),
	    cmocka_unit_test(shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
