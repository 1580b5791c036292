/* Rows of SQL as text: on a terminal aligned, cut and harmless; elsewhere as they are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

#include "tui/sql_print.h"

#define N(x)                                                                                       \
	{                                                                                          \
		.type = SQL_INTEGER, .i = (x)                                                      \
	}
#define T(x)                                                                                       \
	{                                                                                          \
		.type = SQL_TEXT, .s = STR(x)                                                      \
	}

static const char *const names[] = {"id", "text", "id"};

/* The output of rows of three; the caller frees. */
static char *printed(const char *format, bool tty, int width, const struct sql_value (*rows)[3],
		     int n)
{
	char *text = NULL;
	size_t size = 0;
	struct sql_print p = {.out = open_memstream(&text, &size), .tty = tty, .width = width};
	struct sql_sink sink = sql_print_sink(&p);
	struct err err = ERR_INIT;

	p.format = sql_format_find(str_z(format));
	assert_non_null(p.format);
	assert_int_equal(sink.begin(sink.ctx, names, 3, &err), OK);
	for (int i = 0; i < n; i++)
		assert_int_equal(sink.row(sink.ctx, rows[i], 3, &err), OK);
	assert_int_equal(sql_print_end(&p, &err), OK);
	assert_int_equal(p.rows, n);
	sql_print_release(&p);
	fclose(p.out);
	return text;
}

static void is(char *got, const char *want)
{
	assert_string_equal(got, want);
	free(got);
}

static const struct sql_value rows[][3] = {
    {N(7), T("plain"), {.type = SQL_REAL, .f = 0.25}},
    {N(-12), T("a\tb|c\\d\n\"e\" \033[31m"), {.type = SQL_NULL, .s = STR("")}},
    {N(5), {.type = SQL_BLOB, .s = STR("\1\2\0\3")}, {.type = SQL_REAL, .f = 1e300 * 1e300}},
};

static void for_files(void **state)
{
	(void)state;
	is(printed("text", false, 0, rows, 3), "id\ttext\tid\n7\tplain\t0.25\n-12\ta\\tb|"
					       "c\\\\d\\n\"e\" \033[31m\t\n5\t(4 bytes)\tInf\n");
	is(printed("csv", false, 0, rows, 2),
	   "id,text,id\r\n7,plain,0.25\r\n-12,\"a\tb|c\\d\n\"\"e\"\" \033[31m\",\r\n");
	is(printed("md", false, 0, rows, 2), "| id | text | id |\n|---|---|---|\n| 7 | plain | "
					     "0.25 |\n| -12 | a\tb\\|c\\\\d \"e\" \033[31m |  |\n");
	is(printed("jsonl", false, 0, rows, 3),
	   "{\"id\":7,\"text\":\"plain\",\"id:1\":0.25}\n"
	   "{\"id\":-12,\"text\":\"a\\tb|c\\\\d\\n\\\"e\\\" \\u001b[31m\",\"id:1\":null}\n"
	   "{\"id\":5,\"text\":\"(4 bytes)\",\"id:1\":null}\n");
	is(printed("json", false, 0, rows, 1),
	   "[\n{\"id\":7,\"text\":\"plain\",\"id:1\":0.25}\n]\n");
	is(printed("json", false, 0, NULL, 0), "[]\n");
	is(printed("text", false, 0, NULL, 0), "id\ttext\tid\n");
}

static void for_a_terminal(void **state)
{
	static const char *const formats[] = {"text", "csv", "md", "json", "jsonl"};
	static const struct sql_value wide[][3] = {
	    {N(1), T("\xe7\x8c\xab\xe7\x8c\xab a long text that must give way"), T("x")},
	    {N(200), T("short"), T("y")},
	};

	(void)state;
	is(printed("text", true, 0, rows, 1), "id  text     id\n"
					      "──  ─────  ────\n"
					      " 7  plain  0.25\n");
	is(printed("text", true, 24, wide, 2), " id  text             id\n"
					       "───  ───────────────  ──\n"
					       "  1  猫猫 a long te…  x\n"
					       "200  short            y\n");
	for (size_t i = 0; i < 5; i++) {
		char *text = printed(formats[i], true, 80, rows, 3);

		assert_null(strchr(text, '\033'));
		free(text);
	}
}

/* More rows than widths are made from. */
static void long_tables(void **state)
{
	struct sql_value(*many)[3] = calloc(1000, sizeof *many);
	char *text;
	size_t lines = 0;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		many[i][0] = (struct sql_value)N(i);
		many[i][1] = (struct sql_value)T("abc");
		many[i][2] = (struct sql_value)N(i % 10);
	}
	many[999][1] = (struct sql_value)T("wider than all the rows before it");
	text = printed("text", true, 0, (const struct sql_value(*)[3])many, 1000);
	for (const char *p = text; *p; p++)
		lines += *p == '\n';
	assert_int_equal(lines, 1002);
	assert_null(strstr(text, "wider"));
	free(text);
	free(many);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(for_files),
	    cmocka_unit_test(for_a_terminal),
	    cmocka_unit_test(long_tables),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
