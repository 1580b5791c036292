/* Rows of delimited text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "core/text/csv.h"
#include "tests/unit/lib_text.h"

#define BYTES(lit)                                                                                 \
	{                                                                                          \
		(lit), sizeof(lit) - 1                                                             \
	}

static const struct {
	struct str text;
	char delimiter;
	const char *shown; /* "line@byte:field~field|", errors as "!message|" */
} tables[] = {
    {BYTES(""), ',', ""},
    {BYTES("\n\r\n\n"), ',', ""},
    {BYTES("a,b\n1,2\n"), ',', "1@0:a~b|2@4:1~2|"},
    {BYTES("a,b\r\n1,2"), ',', "1@0:a~b|2@5:1~2|"},
    {BYTES("a,b\r1,2\r"), ',', "1@0:a~b|2@4:1~2|"},
    {BYTES("\xef\xbb\xbf"
	   "a\n"),
     ',', "1@3:a|"},
    {BYTES("a\tb c\t\"d\te\"\n"), '\t', "1@0:a~b c~d\te|"},
    {BYTES("a;b|c\n"), ';', "1@0:a~b|c|"},
    {BYTES("\"a,b\",\"c\nd\",\"e\"\"f\"\nx,y,z\n"), ',', "1@0:a,b~c\nd~e\"f|3@19:x~y~z|"},
    {BYTES("\"a\r\nb\",c\r\nd,e"), ',', "1@0:a\r\nb~c|3@10:d~e|"},
    {BYTES("\"a\nb\",c\rd,e\r"), ',', "1@0:a\nb~c|2@8:d~e|"},
    {BYTES(",\n,,\n"), ',', "1@0:~|2@2:~~|"},
    {BYTES("a,"), ',', "1@0:a~|"},
    {BYTES("\"\"\n\"\"\"\"\n"), ',', "1@0:|2@3:\"|"},
    {BYTES("\"a\""), ',', "1@0:a|"},
    {BYTES("\"a\"\r"), ',', "1@0:a|"},
    {BYTES("\"a\",b\r\n"), ',', "1@0:a~b|"},
    {BYTES("a \"quoted\" word,b\n"), ',', "1@0:a \"quoted\" word~b|"},
    {BYTES("a\rb,c\nd\n"), ',', "1@0:a\rb~c|2@6:d|"},
    {BYTES("\n\n a\n\n\nb\n"), ',', "3@2: a|6@7:b|"},
    {BYTES("a\n\"b\"x,1\nc\n"), ',', "1@0:a|!line 2, byte 2: text behind a closing quote|3@9:c|"},
    {BYTES("a\n\"b,1\nc,2\nd,3"), ',',
     "1@0:a|!line 2, byte 2: a quote that is never closed|3@7:c~2|4@11:d~3|"},
    {BYTES("a\n\"b"), ',', "1@0:a|!line 2, byte 2: a quote that is never closed|"},
    {BYTES("\"a\"\rb\n"), ',', "!line 1, byte 0: text behind a closing quote|"},
};

static void show_rows(struct csv *c, struct buf *out)
{
	struct csv_row row;
	bool more;

	for (;;) {
		struct err err = ERR_INIT;
		enum status st = csv_next(c, &row, &more, &err);

		if (st != OK) {
			assert_int_equal(st, E_FORMAT);
			buf_printf(out, "!%s|", err.msg);
			continue;
		}
		if (!more)
			return;
		buf_printf(out, "%llu@%llu:", (unsigned long long)row.line,
			   (unsigned long long)row.byte);
		for (size_t i = 0; i < row.n; i++) {
			if (i)
				buf_ch(out, '~');
			buf_str(out, row.field[i]);
		}
		buf_ch(out, '|');
	}
}

static void tables_of_every_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
		for (size_t block = 0; block < 12; block++) {
			struct buf out = BUF_INIT;
			struct input in;
			struct csv *c;

			open_text(&in, tables[i].text, block);
			c = csv_new(&in, tables[i].delimiter);
			show_rows(c, &out);
			if (strcmp(buf_cstr(&out), tables[i].shown) != 0)
				fail_msg("%s, block %zu: %s", tables[i].text.p, block,
					 buf_cstr(&out));
			csv_free(c);
			input_close(&in);
			buf_release(&out);
		}
}

static void too_many_fields(void **state)
{
	struct buf b = BUF_INIT, out = BUF_INIT;
	struct input in;
	struct csv *c;

	(void)state;
	for (int i = 0; i < CSV_MAX_FIELDS; i++)
		buf_z(&b, i ? ",x" : "x");
	buf_z(&b, ",\nok\n");
	open_text(&in, buf_view(&b), 100);
	c = csv_new(&in, ',');
	show_rows(c, &out);
	assert_string_equal(buf_cstr(&out),
			    "!line 1, byte 0: the row has too many fields|2@8193:ok|");
	csv_free(c);
	input_close(&in);
	buf_release(&b);
	buf_release(&out);
}

static void too_long_rows(void **state)
{
	static const struct {
		struct str text;
		const char *shown;
	} t[] = {
	    {BYTES("abcdefghijkl\nok\n"), "!line 1, byte 0: the row is too long|2@13:ok|"},
	    {BYTES("\"bcdefg\nhi\njklmnopq\nok\n"),
	     "!line 1, byte 0: the row is too long, or a quote is never "
	     "closed|2@8:hi|3@11:jklmnopq|4@20:ok|"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++) {
		struct buf out = BUF_INIT;
		struct input in;
		struct csv *c;

		open_text(&in, t[i].text, 4);
		c = csv_new(&in, ',');
		csv_set_max(c, 10);
		show_rows(c, &out);
		assert_string_equal(buf_cstr(&out), t[i].shown);
		csv_free(c);
		input_close(&in);
		buf_release(&out);
	}
}

/* Every line opens a quote for all that follow it: must not take the square of the length. */
static void hostile_quotes_take_linear_time(void **state)
{
	struct buf b = BUF_INIT;
	struct err err = ERR_INIT;
	struct csv_row row;
	struct input in;
	struct csv *c;
	bool more = true;
	size_t errors = 0;
	clock_t begin = clock();

	(void)state;
	for (int i = 0; i < 400000; i++)
		buf_z(&b, "x\",\"\n");
	open_text(&in, buf_view(&b), 0);
	c = csv_new(&in, ',');
	for (;;) {
		enum status st = csv_next(c, &row, &more, &err);

		assert_true(st == OK || st == E_FORMAT);
		errors += st != OK;
		if (st == OK && !more)
			break;
	}
	assert_true(errors > 0);
	assert_true((double)(clock() - begin) / CLOCKS_PER_SEC < 10);
	csv_free(c);
	input_close(&in);
	buf_release(&b);
}

static void guesses(void **state)
{
	static const struct {
		struct str head;
		char delimiter;
	} t[] = {
	    {BYTES("a,b,c\n1,2,3\n"), ','},
	    {BYTES("a\tb\n1,5\t2\n2\t3,5\n"), '\t'},
	    {BYTES("a;b;c\n1,5;2;3\n"), ';'},
	    {BYTES("a|b\nx, y|z\n"), '|'},
	    {BYTES("id,text\n1,\"a;b;c, d\"\n2,\"x\ny\"\n"), ','},
	    {BYTES("id,text\n1,\"a \"\"b\"\", c\"\n"), ','},
	    {BYTES("a,b\r1,2\r"), ','},
	    {BYTES("one\ntwo\nthree\n"), '\0'},
	    {BYTES("a, b\nc\nd, e, f\n"), '\0'},
	    {BYTES(""), '\0'},
	    {BYTES("a,b"), ','},
	    {BYTES("a,b\n1,2\n3"), ','},
	};

	(void)state;
	for (size_t i = 0; i < sizeof t / sizeof *t; i++)
		if (csv_guess_delimiter(t[i].head) != t[i].delimiter)
			fail_msg("%s", t[i].head.p);
}

static void quoting(void **state)
{
	struct buf b = BUF_INIT;

	(void)state;
	csv_quote(&b, STR("plain"), ',');
	buf_ch(&b, '|');
	csv_quote(&b, STR("a,b"), ',');
	buf_ch(&b, '|');
	csv_quote(&b, STR("a,b"), '\t');
	buf_ch(&b, '|');
	csv_quote(&b, STR("say \"hi\"\n"), ',');
	buf_ch(&b, '|');
	csv_quote(&b, STR_NONE, ',');
	assert_string_equal(buf_cstr(&b), "plain|\"a,b\"|a,b|\"say \"\"hi\"\"\n\"|");
	buf_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(tables_of_every_kind),
	    cmocka_unit_test(too_many_fields),
	    cmocka_unit_test(too_long_rows),
	    cmocka_unit_test(hostile_quotes_take_linear_time),
	    cmocka_unit_test(guesses),
	    cmocka_unit_test(quoting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
