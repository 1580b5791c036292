/* Text to tree to text; what is wrong, where, and what was meant; completion; the table of words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_world.h"

static struct world *the_world(void **state)
{
	return *state;
}

static int setup(void **state)
{
	struct world *w = xcalloc(1, sizeof *w);

	world_make(w, 42, 130);
	w->a = w->ctx.a = 2;
	w->b = w->ctx.b = 0;
	for (int r = 0; r < WORLD_RUNS; r++)
		w->panel[r] = r;
	w->ctx.n_panel = w->n_panel = WORLD_RUNS;
	*state = w;
	return 0;
}

static int teardown(void **state)
{
	world_free(*state);
	free(*state);
	return 0;
}

static struct filter *must_parse(const char *text, const struct filter_ctx *ctx)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	if (filter_parse(str_z(text), ctx, &f, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return f;
}

/* --- text to tree to text --- */

static void test_format(void **state)
{
	static const char *const cases[][2] = {
	    {"", ""},
	    {"  \t\n ", ""},
	    {"cat:S-,M-", "cat:S-,M-"},
	    {" a  b ", "a b"},
	    {"a | b or c", "a or b or c"},
	    {"a|b", "a or b"},
	    {"a OR NOT b", "a or -b"},
	    {"not not a", "--a"},
	    {"-(a)", "-a"},
	    {"((a b) c)", "a b c"},
	    {"(a or b) or c", "a or b or c"},
	    {"(a or b) c", "(a or b) c"},
	    {"a or b c", "a or b c"},
	    {"-(a b) not c", "-(a b) -c"},
	    {"-(a or -b)", "-(a or -b)"},
	    {"not a b", "-a b"},
	    {"order:1 nota:2", "order:1 nota:2"},
	    {".or:x .\"a b\":y .cat:z \"q\":1", ".or:x .\"a b\":y .cat:z .q:1"},
	    {"wrong@gpt-4o/cw+#2:x", "wrong@gpt-4o/cw+#2:x"},
	    {"wrong@\"layer:original\"", "wrong@\"layer:original\""},
	    {"gt:#657,n03773504,(none)", "gt:#657,n03773504,(none)"},
	    {"e:fear/*,\"a/*\",(unplaced)", "e:fear/*,\"a/*\",(unplaced)"},
	    {"s<0.5 s<=-1e3 s>1 s>=+2 s=3 s!=4", "s<0.5 s<=-1e3 s>1 s>=+2 s=3 s!=4"},
	    {"t~\"a \\\"q\\\" \\\\\"", "t~\"a \\\"q\\\" \\\\\""},
	    {"t~/a\\/b\\.c\\\\/,x", "t~/a\\/b\\.c\\\\/,x"},
	    {"id:<file,with)odd id:<\"a b\"", "id:<\"file,with)odd\" id:<\"a b\""},
	    {"e:\xe6\x82\xb2\xe3\x81\x97\xe3\x81\x84,w\xc3\xa9", "e:\xe6\x82\xb2\xe3\x81\x97\xe3\x81\x84,w\xc3\xa9"},
	    {"a_b.c-d+e:f_g.h-i+j", "a_b.c-d+e:f_g.h-i+j"},
	    {"x:\"\"", "x:\"\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *f = must_parse(cases[i][0], NULL), *g;
		struct buf out = BUF_INIT;

		filter_format(f, NULL, &out);
		assert_string_equal(buf_cstr(&out), cases[i][1]);
		g = must_parse(buf_cstr(&out), NULL);
		assert_true(filter_eq(f, g));
		filter_free(g);
		filter_free(f);
		buf_release(&out);
	}
}

/* Texts that mean the same, and texts that do not. */
static void test_equal(void **state)
{
	static const struct {
		const char *a, *b;
		bool eq;
	} cases[] = {
	    {"a b", "(a) (b)", true},	{"a b", "b a", false},	       {"a b", "a or b", false},
	    {"-a", "not a", true},	{"x:\"y\"", "x:y", false},     {"x:y", "x:y,z", false},
	    {"x@a:y", "x:y", false},	{"x@a:y", "x@\"a\":y", false}, {".x:y", "x:y", false},
	    {"x:y/*", "x:y", false},	{"x<1", "x<=1", false},	       {"", "a", false},
	    {"", " ", true},		{"a b c", "a (b c)", true},    {"a b", "a b c", false},
	    {"x:\"#1\"", "x:#1", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *a = must_parse(cases[i].a, NULL), *b = must_parse(cases[i].b, NULL);

		if (filter_eq(a, b) != cases[i].eq)
			fail_msg("%s, %s", cases[i].a, cases[i].b);
		filter_free(a);
		filter_free(b);
	}
}

/* a and b, also where they are only meant, become handles. */
static void test_written_out(void **state)
{
	static const char *const cases[][2] = {
	    {"wrong", "wrong@alpha"},
	    {"-right@b", "-right@m1/cw"},
	    {"wrong@any pred@3+:cat", "wrong@any pred@3+:cat"},
	    {"wrong@\"a\"", "wrong@\"a\""},
	    {"gt:cat", "gt:cat"},
	    {"regressed", "right@m1/cw wrong@alpha"},
	    {"-regressed", "-(right@m1/cw wrong@alpha)"},
	    {"improved or mark", "right@alpha wrong@m1/cw or mark"},
	    {"mark flip", "mark (right@m1/cw wrong@alpha or right@alpha wrong@m1/cw)"},
	    {"vote!=a vote=b vote>=2 vote:cat", "vote!=alpha vote=\"m1/cw\" vote>=2 vote:cat"},
	    {"text~x answer~y note~z", "text@alpha~x answer@alpha~y note~z"},
	    {"oop seen", "oop@alpha seen"},
	};
	struct world *w = the_world(state);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *f = must_parse(cases[i][0], &w->ctx);
		struct buf out = BUF_INIT;

		filter_format(f, &w->ctx, &out);
		assert_string_equal(buf_cstr(&out), cases[i][1]);
		filter_free(f);
		buf_release(&out);
	}
}

static void test_conditions(void **state)
{
	static const struct {
		const char *text, *conditions[4], *without[4];
	} cases[] = {
	    {"", {NULL}, {NULL}},
	    {"mark", {"mark"}, {""}},
	    {"mark or seen", {"mark or seen"}, {""}},
	    {"mark -seen (note or mark)",
	     {"mark", "-seen", "note or mark"},
	     {"-seen (note or mark)", "mark (note or mark)", "mark -seen"}},
	    {"mark (note or seen)", {"mark", "note or seen"}, {"note or seen", "mark"}},
	};
	struct world *w = the_world(state);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *f = must_parse(cases[i].text, &w->ctx);
		struct buf out = BUF_INIT;
		size_t n = filter_n_conditions(f);

		assert_int_equal(filter_is_empty(f), n == 0);
		assert_true(n == 4 || cases[i].conditions[n] == NULL);
		for (size_t k = 0; k < n; k++) {
			buf_clear(&out);
			filter_format_condition(f, k, NULL, &out);
			assert_string_equal(buf_cstr(&out), cases[i].conditions[k]);
			buf_clear(&out);
			filter_format_without(f, k, &out);
			assert_string_equal(buf_cstr(&out), cases[i].without[k]);
		}
		filter_free(f);
		buf_release(&out);
	}
}

static void test_put(void **state)
{
	static const struct {
		const char *value, *out;
	} values[] = {{"weasel", "weasel"},	    {"sea lion", "\"sea lion\""}, {"(none)", "\"(none)\""},
		      {"", "\"\""},		    {"a\"b\\", "\"a\\\"b\\\\\""},  {"fear/*", "\"fear/*\""},
		      {"S-", "S-"}};
	static const struct {
		const char *facet, *out;
	} facets[] = {{"emotion", "emotion:"},	 {"face type", "face_type:"}, {"text", ".text:"},
		      {"or", ".or:"},		 {"-x", ".-x:"},	      {".x", "..x:"},
		      {"a/b c", ".\"a/b c\":"}};
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
		buf_clear(&out);
		filter_put_value(&out, str_z(values[i].value));
		assert_string_equal(buf_cstr(&out), values[i].out);
	}
	for (size_t i = 0; i < sizeof facets / sizeof *facets; i++) {
		buf_clear(&out);
		filter_put_facet(&out, facets[i].facet);
		assert_string_equal(buf_cstr(&out), facets[i].out);
	}
	buf_release(&out);
}

/* --- what is wrong --- */

static void test_errors(void **state)
{
	static const struct {
		const char *text, *message; /* the message begins so, or has it behind "..." */
		size_t at, n;
	} cases[] = {
	    {"mark emotoin:x", "unknown word 'emotoin' at 6", 5, 7},
	    {"mrak", "unknown word 'mrak' at 1; did you mean mark?", 0, 4},
	    {"\xc3\xa9: x", "expected a value at 3", 3, 1},
	    {"w\xc3\xa9 x", "unknown word 'w\xc3\xa9' at 1", 0, 3},
	    {"face_tpye:joy", "...did you mean face_type?", 0, 9},
	    {"mark and wrong", "unknown word 'and' at 6; conditions side by side are joined by and", 5, 3},
	    {"text~two words", "unknown word 'words' at 10; a text with blanks stands in double quotes", 9, 5},
	    {".cat:x", "unknown facet 'cat' at 1", 0, 4},
	    {"face_type:jyo", "facet face type has no value 'jyo' at 11; did you mean joy?", 10, 3},
	    {"face_type:odd", "...did you mean \"odd one\"?", 10, 3},
	    {"gt:minkk", "dataset world has no class 'minkk' at 4; did you mean Mink?", 3, 5},
	    {"gt:#7", "dataset world has no class number '7' at 4", 3, 2},
	    {"gt:#x", "expected a class's number after # at 4", 3, 2},
	    {"gt@orignal:cat", "there is no layer 'orignal' at 4; did you mean original?", 3, 7},
	    {"gt:(unplaced)", "(unplaced) is not expected at 4; a class is", 3, 10},
	    {"gt:<x", "a file is not expected at 4; a class is", 3, 2},
	    {"tags:(unplaced)", "facet tags has nothing (unplaced) at 6; its values have no tree", 5, 10},
	    {"cat:X", "unknown category 'X' at 5; there are S+, S-, M+, M-, N, S and M", 4, 1},
	    {"cat:N+", "unknown category 'N+' at 5", 4, 2},
	    {"cat:S/*", "a tree is not expected at 5; a category is", 4, 3},
	    {"wrong@m1", "several runs may be meant by 'm1' at 7: m1/cw, m1/ow", 6, 2},
	    {"wrong@alhpa", "there is no run 'alhpa' at 7; did you mean alpha?", 6, 5},
	    {"wrong@zzzzzz", "there is no run 'zzzzzz' at 7; there is m1/cw, m1/ow, alpha, a, 12", 6, 6},
	    {"wrong@0+", "expected 1+ or more at 7", 6, 2},
	    {"wrong@", "expected a run or a layer after @ at 7", 6, 1},
	    {"wrong:x", "'wrong' takes no value at 6, such as wrong@any", 5, 1},
	    {"cat", "'cat' needs : and a value at 4, such as cat:S-,M-", 3, 0},
	    {"text:long", "'text' needs ~ and a text at 5, such as text~blurry; the facet is .text", 4, 1},
	    {"size", "'size' needs : or a comparison at 5", 4, 0},
	    {"size:3", "this value is not expected at 6; (none), or a comparison such as =3 instead of :, is", 5, 1},
	    {"score", "'score' needs a comparison with a number at 6, such as score<0.5", 5, 0},
	    {"size<x", "'x' is no number at 6", 5, 1},
	    {"cat@a:S", "'cat' takes no @ at 4, such as cat:S-,M-", 3, 1},
	    {"latency>1", "alpha has no 'latency' at 1", 0, 7},
	    {"step:wrong", "alpha has no marks of a judge at 1", 0, 4},
	    {"latency@any>1", "no run of the panel has 'latency' at 1", 0, 7},
	    {"vote=all", "this value is not expected at 6; one run is", 5, 3},
	    {"vote=zz", "there is no run 'zz' at 6", 5, 2},
	    {"vote>", "expected a value at 6", 5, 1},
	    {"text~/(/", "this cannot be looked for at 6: ", 5, 3},
	    {"text~\"\"", "this cannot be looked for at 6: there is nothing to look for", 5, 2},
	    {"tag:ambigous", "dataset world has no tag 'ambigous' at 5; did you mean ambiguous?", 4, 8},
	    {"id:(none)", "(none) is not expected at 4; a sample's key, or <FILE is", 3, 6},
	    {"(mark", "there is no ) for the ( at 1", 0, 1},
	    {"mark)", "there is no ( for the ) at 5", 4, 1},
	    {"()", "expected a condition at 2", 1, 1},
	    {"mark or", "expected a condition at 8", 7, 1},
	    {"or mark", "expected a condition before the or at 1", 0, 2},
	    {"mark | | seen", "expected a condition before the | at 8", 7, 1},
	    {"not", "expected a condition after the not at 1", 0, 3},
	    {"- mark", "expected a condition right after the - at 1", 0, 1},
	    {"-", "expected a condition right after the - at 1", 0, 1},
	    {"not or", "expected a condition before the or at 5", 4, 2},
	    {"gt:a/b", "'/' is not expected at 5", 4, 1},
	    {"gt:,", "expected a value at 4", 3, 1},
	    {"gt:cat, fox", "expected a value at 8", 7, 1},
	    {"gt:cat\"x\"", "'\"' is not expected at 7", 6, 1},
	    {"mark(seen)", "'(' is not expected at 5", 4, 1},
	    {"#657", "'#' is not expected at 1; what is no letter", 0, 1},
	    {"size < 3", "'<' is not expected at 6; no blank stands before it", 5, 1},
	    {"gt:cat , fox", "',' is not expected at 8; no blank stands before it", 7, 1},
	    {"< 3", "'<' is not expected at 1; what is no letter", 0, 1},
	    {"gt:(nothing)", "expected (none) or (unplaced) at 4", 3, 1},
	    {"gt:\"x", "there is no closing quote for the one at 4", 3, 2},
	    {"gt:\"a\\n\"", "unknown escape in a quoted text at 6; it takes \\\" and \\\\", 5, 1},
	    {"text~/x", "there is no closing / for the one at 6; / inside it is written \\/", 5, 2},
	    {"id:<", "expected a file's name after < at 5", 4, 1},
	    {". x", "expected a facet's name after the dot at 1", 0, 1},
	    {"a\x01", "there is a control character at 2", 1, 1},
	    {"a\xff", "the filter is not UTF-8 at 2", 1, 1},
	    {"mark and seen", "...; conditions side by side are joined by and", 5, 3}, /* beside "land" */
	};
	struct world *w = the_world(state);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *f = NULL;
		struct filter_fault fault;
		struct err err = ERR_INIT;
		const char *want = cases[i].message;
		bool hit;

		if (i + 1 == sizeof cases / sizeof *cases)
			w->snap->facets[0].name = "land";
		if (filter_parse(str_z(cases[i].text), &w->ctx, &f, &fault, &err) != E_USAGE)
			fail_msg("%s was taken: %s", cases[i].text, err.msg);
		hit = strncmp(want, "...", 3) == 0 ? strstr(err.msg, want + 3) != NULL
						   : strncmp(err.msg, want, strlen(want)) == 0;
		if (!hit || fault.at != cases[i].at || fault.n != cases[i].n)
			fail_msg("%s\n  %s\n  %s (%zu, %zu)", cases[i].text, want, err.msg, fault.at, fault.n);
	}
}

static void test_no_runs(void **state)
{
	struct world *w = the_world(state);
	struct filter_ctx ctx = w->ctx;
	static const char *const need[] = {"wrong", "right@b", "flip", "text~x", "vote=a", "score<1", "wrong@any",
					   "vote>=2"};

	ctx.a = ctx.b = -1;
	ctx.n_panel = 0;
	for (size_t i = 0; i < sizeof need / sizeof *need; i++) {
		struct filter *f = NULL;
		struct err err = ERR_INIT;
		uint64_t bits[8];

		if (filter_parse(str_z(need[i]), &ctx, &f, NULL, &err) != E_USAGE)
			fail_msg("%s was taken", need[i]);
		assert_non_null(strstr(err.msg, "needs a"));
		/* checked with runs, evaluated without: a message, not a crash */
		if (i == 5)
			continue;
		f = must_parse(need[i], &w->ctx);
		assert_int_equal(filter_eval(f, &ctx, bits, NULL, &err), E_USAGE);
		filter_free(f);
	}
}

static void test_limits(void **state)
{
	struct buf b = BUF_INIT;
	struct filter *f;
	struct err err = ERR_INIT;

	(void)state;
	for (int i = 0; i < FILTER_DEPTH_MAX + 1; i++)
		buf_ch(&b, '-');
	buf_z(&b, "mark");
	assert_int_equal(filter_parse(buf_view(&b), NULL, &f, NULL, &err), E_LIMIT);
	b.p[0] = b.p[1] = ' ';
	f = must_parse(buf_cstr(&b), NULL);
	filter_free(f);
	buf_clear(&b);
	for (int i = 0; i < FILTER_TERMS_MAX; i++)
		buf_z(&b, "a ");
	f = must_parse(buf_cstr(&b), NULL);
	filter_free(f);
	buf_z(&b, "a");
	assert_int_equal(filter_parse(buf_view(&b), NULL, &f, NULL, &err), E_LIMIT);
	buf_clear(&b);
	while (b.n <= FILTER_TEXT_MAX)
		buf_ch(&b, 'a');
	assert_int_equal(filter_parse(buf_view(&b), NULL, &f, NULL, &err), E_LIMIT);
	buf_release(&b);
}

/* --- evaluation, where the random filters do not go --- */

static size_t count_of(struct world *w, const char *text)
{
	struct filter *f = must_parse(text, &w->ctx);
	struct err err = ERR_INIT;
	uint64_t bits[8];

	if (filter_eval(f, &w->ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	filter_free(f);
	return bits_count(bits, (size_t)w->n);
}

static void test_id_file(void **state)
{
	struct world *w = the_world(state);
	char path[] = "/tmp/qualm-keys-XXXXXX", text[100];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");

	fprintf(file, "%s\r\n\n%s\nnobody\n%s", w->key[3], w->key[77], w->key[3]);
	fclose(file);
	snprintf(text, sizeof text, "id:<%s", path);
	assert_int_equal(count_of(w, text), 2);
	snprintf(text, sizeof text, "id:\"%s\",<\"%s\",\"%s\"", w->key[0], path, w->key[77]);
	assert_int_equal(count_of(w, text), 3);
	unlink(path);
	{
		struct filter *f = must_parse(text, &w->ctx);
		struct err err = ERR_INIT;
		uint64_t bits[8];

		assert_int_equal(filter_eval(f, &w->ctx, bits, NULL, &err), E_IO);
		filter_free(f);
	}
	assert_int_equal(count_of(w, "id:\"nobody\""), 0);
}

/* Categories need two layers: with one, cat: is not wrong but in vain, which is told. */
static void test_hint(void **state)
{
	struct world *w = the_world(state);
	struct filter *cat = must_parse("right or -cat:S-", &w->ctx), *other = must_parse("right", &w->ctx);
	struct snapshot one = *w->ctx.snap;
	struct lens lens = *w->ctx.lens;
	struct filter_ctx ctx = w->ctx;

	assert_null(filter_hint(cat, &ctx));
	one.n_layers = 1;
	lens.layer = lens.original = 0;
	ctx.snap = &one;
	ctx.lens = &lens;
	assert_true(str_starts(str_z(filter_hint(cat, &ctx)), STR("cat: compares")));
	assert_null(filter_hint(other, &ctx));
	filter_free(cat);
	filter_free(other);
}

static void test_eval_failures(void **state)
{
	struct world *w = the_world(state);
	struct filter *f;
	struct err err = ERR_INIT;
	struct cancel cancel;
	struct filter_ctx bare = w->ctx;
	uint64_t bits[8];
	static const char *const need_source[] = {"text~x", "id:x", "score<1", "note~x"};

	cancel_init(&cancel);
	f = must_parse("mark wrong@2+", &w->ctx);
	cancel_now(&cancel);
	assert_int_equal(filter_eval(f, &w->ctx, bits, &cancel, &err), E_CANCELLED);
	filter_free(f);
	cancel_release(&cancel);
	bare.source = NULL;
	bare.things = NULL;
	for (size_t i = 0; i < 4; i++) {
		if (i == 2)
			w->has_number[2][0] = true;
		f = must_parse(need_source[i], &w->ctx);
		assert_int_equal(filter_eval(f, &bare, bits, NULL, &err), E_UNSUPPORTED);
		filter_free(f);
	}
	f = must_parse("mark or seen or note or tag:ambiguous", &w->ctx);
	assert_int_equal(filter_eval(f, &bare, bits, NULL, &err), OK);
	assert_false(bits_any(bits, (size_t)w->n));
	filter_free(f);
	f = must_parse("mark", NULL);
	assert_int_equal(filter_eval(f, &w->ctx, bits, NULL, &err), E_USAGE);
	filter_free(f);
}

static void test_titles_and_aliases(void **state)
{
	struct world *w = the_world(state);

	assert_int_equal(count_of(w, "wrong@\"Model One\""), count_of(w, "wrong@m1/cw"));
	assert_int_equal(count_of(w, "wrong@\"A \\\"quoted\\\"\""), count_of(w, "wrong@\"a\""));
	assert_int_equal(count_of(w, "wrong@al"), count_of(w, "wrong"));
	assert_int_equal(count_of(w, ""), (size_t)w->n);
	assert_int_equal(count_of(w, "GT:cat"), count_of(w, "gt:CAT"));
	assert_int_equal(count_of(w, "gt:crane"), count_of(w, "gt:#104,#105"));
	assert_int_equal(count_of(w, "gt:SEA_LION"), count_of(w, "gt:\"sea lion\""));
	assert_int_equal(count_of(w, "gt:W\xc3\x89SEL"), count_of(w, "gt:w\xc3\xa9sel"));
	assert_int_equal(count_of(w, "vote:\"wrong\""), count_of(w, "vote:#109"));
}

static void test_uses(void **state)
{
	static const struct {
		const char *text;
		unsigned uses;
	} cases[] = {
	    {"face_type:joy size<1", 0},
	    {"gt:cat cat:S", FILTER_USES_LENS | FILTER_USES_CATEGORY},
	    {"gt@original:cat", 0},
	    {"oop", FILTER_USES_A},
	    {"pred@b:cat", FILTER_USES_B},
	    {"wrong@alpha", FILTER_USES_LENS},
	    {"oop@2+", FILTER_USES_PANEL},
	    {"mark", FILTER_USES_THINGS},
	    {"question~x", FILTER_USES_TEXT},
	    {"-(mark or id:x)", FILTER_USES_THINGS | FILTER_USES_TEXT},
	    {"flip", FILTER_USES_A | FILTER_USES_B | FILTER_USES_LENS},
	    {"vote!=a", FILTER_USES_A | FILTER_USES_PANEL | FILTER_USES_LENS},
	    {"vote>=2", FILTER_USES_PANEL | FILTER_USES_LENS},
	};
	struct world *w = the_world(state);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct filter *f = must_parse(cases[i].text, &w->ctx);

		if (filter_uses(f) != cases[i].uses)
			fail_msg("%s uses %u", cases[i].text, filter_uses(f));
		filter_free(f);
	}
}

/* Classes that are emotions are the facet "emotion". */
static void test_emotion(void **state)
{
	static struct class_info classes[] = {{0, "", "Anger", UINT32_MAX}, {1, "", "joy", UINT32_MAX},
					      {2, "", "neutrality", UINT32_MAX}};
	struct world *w = the_world(state);
	struct class_info *before = w->snap->classes;
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(filter_parse(STR("emotion:cat"), &w->ctx, &f, NULL, &err), E_USAGE);
	w->snap->classes = classes;
	w->snap->n_classes = 3;
	assert_int_equal(count_of(w, "emotion:anger"), count_of(w, "gt:#0"));
	assert_int_equal(filter_parse(STR("emotoin:joy"), &w->ctx, &f, NULL, &err), E_USAGE);
	assert_non_null(strstr(err.msg, "did you mean emotion?"));
	w->snap->classes = before;
	w->snap->n_classes = WORLD_CLASSES;
}

/* --- completion --- */

static void test_complete(void **state)
{
	static const struct {
		const char *text; /* | is the cursor */
		size_t from, to;
		const char *first; /* what is inserted first; NULL: nothing is offered */
		size_t least;      /* items */
	} cases[] = {
	    {"|", 0, 0, "cat:", 30},
	    {"wr|", 0, 2, "wrong", 1},
	    {"mark (wr|ong)", 6, 11, "wrong", 1},
	    {"-un|", 1, 3, "uncounted", 2},
	    {"face|", 0, 4, "face_type:", 1},
	    {"E_TY|", 0, 4, "face_type:", 1}, /* inside a name */
	    {".te|", 0, 3, ".text:", 1},
	    {"siz|", 0, 3, "size", 1},
	    {"agr|", 0, 3, "agree=", 1},
	    {"batch|", 0, 5, "batch", 1},
	    {"oop:|", 4, 4, "partial", 4},
	    {"oop:al|", 4, 6, "alias", 1},
	    {"wrong@al|", 6, 8, "alpha", 1},
	    {"wrong@|", 6, 6, "m1/cw", 9},
	    {"wrong@\"|", 6, 7, "m1/cw", 9},
	    {"gt@|", 3, 3, "original", 3},
	    {"gt@rea|:cat", 3, 6, "reannotated", 1},
	    {"cat:|", 4, 4, NULL, 7},
	    {"cat:S-,M|", 7, 8, NULL, 3},
	    {"face_type:|", 10, 10, NULL, 7},
	    {"face_type:de|", 10, 12, "Delight", 1},
	    {"face_type:\"odd o|ne\"", 10, 19, "\"odd one\"", 1},
	    {"face_type:joy,fea|", 14, 17, "fear", 1},
	    {"gt:sea|", 3, 6, "\"sea lion\"", 1},
	    {"pred@alpha:ca|", 11, 13, "cat", 1},
	    {"vote:wr|", 5, 7, "wrong", 2},
	    {"vote=|", 5, 5, "\"m1/cw\"", 7},
	    {"tag:am|", 4, 6, "ambiguous", 1},
	    {"nothing:x|", 8, 9, NULL, 0},
	    {"score<|", 6, 6, NULL, 0},
	    {"gt:cat or |", 10, 10, "cat:", 30},
	    {"x:(|", 2, 3, NULL, 0},
	};
	struct world *w = the_world(state);

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		const char *bar = strchr(cases[i].text, '|');
		size_t cursor = (size_t)(bar - cases[i].text);
		struct filter_completion c;
		struct buf text = BUF_INIT;

		buf_put(&text, cases[i].text, cursor);
		buf_z(&text, bar + 1);
		filter_complete(buf_view(&text), cursor, &w->ctx, NULL, &c);
		if (c.from != cases[i].from || c.to != cases[i].to || c.items.n < cases[i].least ||
		    (cases[i].least == 0 && c.items.n) ||
		    (cases[i].first && strcmp(c.items.v[0].insert.p, cases[i].first) != 0))
			fail_msg("%s: %zu to %zu, %zu items, %s", cases[i].text, c.from, c.to, c.items.n,
				 c.items.n ? c.items.v[0].insert.p : "");
		filter_completion_release(&c);
		buf_release(&text);
	}
}

/* A count is what the value gives as a filter, here and among some samples. */
static void test_complete_counts(void **state)
{
	static const char *const heads[] = {"cat:", "gt:", "gt@original:", "pred:", "pred@m1/ow:", "face_type:",
					    "tags:", "tag:"};
	struct world *w = the_world(state);
	struct err err = ERR_INIT;
	uint64_t within[8], bits[8];

	bits_fill(within, (size_t)w->n, true);
	for (size_t h = 0; h < 2 * sizeof heads / sizeof *heads; h++) {
		struct filter_completion c;
		struct str head = str_z(heads[h / 2]);
		size_t counted = 0;

		for (int i = 0; h % 2 && i < w->n; i += 3)
			within[i / 64] &= ~((uint64_t)1 << (i % 64));
		filter_complete(head, head.n, &w->ctx, h % 2 ? within : NULL, &c);
		for (size_t k = 0; k < c.items.n; k++) {
			char *text = xasprintf("%s%s", head.p, c.items.v[k].insert.p);
			struct filter *f = must_parse(text, &w->ctx);

			assert_int_equal(filter_eval(f, &w->ctx, bits, NULL, &err), OK);
			if (h % 2)
				bits_and(bits, within, (size_t)w->n);
			/* two classes are named crane: each has its own count */
			if (c.items.v[k].count != FILTER_NO_COUNT && !strstr(text, "crane")) {
				counted++;
				assert_int_equal(c.items.v[k].count, bits_count(bits, (size_t)w->n));
			}
			filter_free(f);
			free(text);
		}
		assert_true(counted > 0);
		filter_completion_release(&c);
	}
}

/* --- the table of words --- */

static void test_words(void **state)
{
	struct world *w = the_world(state);
	FILE *file = fopen("man/qualm-filter.7", "r");
	struct buf man = BUF_INIT;
	struct filter_word_info info, other;
	char line[1000];

	assert_non_null(file);
	while (fgets(line, sizeof line, file))
		buf_z(&man, line);
	fclose(file);
	for (size_t k = 0; filter_word_info(k, &info); k++) {
		struct filter *f = NULL;
		char row[1000];

		assert_true(info.help[0] && info.synopsis[0]);
		assert_int_equal(strncmp(info.synopsis, info.name, strlen(info.name)), 0);
		for (size_t i = 0; i < k; i++) {
			assert_true(filter_word_info(i, &other));
			assert_string_not_equal(info.name, other.name);
		}
		f = must_parse(info.example, NULL);
		filter_free(f);
		/* the manual's list is the table: word for word */
		snprintf(row, sizeof row, ".It Li \"%s\"\n", info.synopsis);
		for (char *q = strchr(row, '"') + 1; (q = strchr(q, '"')) && q[1] != '\n'; q += 2)
			memmove(q + 1, q, strlen(q) + 1);
		if (!strstr(buf_cstr(&man), row))
			fail_msg("the manual has no line %s", row);
		if (!strstr(buf_cstr(&man), info.help))
			fail_msg("the manual does not say of %s: %s", info.name, info.help);
	}
	buf_release(&man);
	(void)w;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_format),
	    cmocka_unit_test(test_equal),
	    cmocka_unit_test_setup_teardown(test_written_out, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_conditions, setup, teardown),
	    cmocka_unit_test(test_put),
	    cmocka_unit_test_setup_teardown(test_errors, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_no_runs, setup, teardown),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test_setup_teardown(test_id_file, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_eval_failures, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_titles_and_aliases, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_uses, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_hint, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_emotion, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_complete, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_complete_counts, setup, teardown),
	    cmocka_unit_test_setup_teardown(test_words, setup, teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
