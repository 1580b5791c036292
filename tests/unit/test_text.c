/* input, lines, ini. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/text/ini.h"
#include "tests/unit/lib_text.h"

#define BYTES(lit)                                                                                 \
	{                                                                                          \
		(lit), sizeof(lit) - 1                                                             \
	}

/* --- lines --- */

static const struct {
	const char *name;
	struct str bytes;
	const char *shown; /* "number@byte:text|" of every line */
} files[] = {
    {"nothing", BYTES(""), ""},
    {"one line", BYTES("a\n"), "1@0:a|"},
    {"no final newline", BYTES("a\nbc"), "1@0:a|2@2:bc|"},
    {"blank lines", BYTES("\n\nx\n"), "1@0:|2@1:|3@2:x|"},
    {"CRLF", BYTES("a\r\nb\r\n\r\nc"), "1@0:a|2@3:b|3@6:|4@8:c|"},
    {"CR only", BYTES("a\rbc\rd"), "1@0:a|2@2:bc|3@5:d|"},
    {"CR only with an end", BYTES("a\rb\r"), "1@0:a|2@2:b|"},
    {"CR inside a line stays", BYTES("a\rb\nc\n"), "1@0:a\rb|2@4:c|"},
    {"mixed LF and CRLF", BYTES("a\nb\r\nc"), "1@0:a|2@2:b|3@5:c|"},
    {"byte order mark",
     BYTES("\xef\xbb\xbf"
	   "a\nb"),
     "1@3:a|2@5:b|"},
    {"only a byte order mark", BYTES("\xef\xbb\xbf"), ""},
    {"a last CR", BYTES("a\nb\r"), "1@0:a|2@2:b|"},
};

static void show_lines(struct input *in, size_t max, struct buf *out)
{
	struct err err = ERR_INIT;
	struct lines l;
	struct line line;
	bool more;

	lines_init(&l, in);
	if (max)
		l.max = max;
	for (;;) {
		assert_int_equal(lines_next(&l, &line, &more, &err), OK);
		if (!more)
			break;
		buf_printf(out, "%llu@%llu%s:", (unsigned long long)line.number,
			   (unsigned long long)line.byte, line.too_long ? "!" : "");
		buf_str(out, line.text);
		buf_ch(out, '|');
	}
	assert_int_equal(lines_next(&l, &line, &more, &err), OK);
	assert_false(more);
	lines_release(&l);
}

static void lines_of_every_kind(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof files / sizeof *files; i++)
		for (size_t block = 0; block < 9; block++) {
			struct buf out = BUF_INIT;
			struct input in;

			open_text(&in, files[i].bytes, block);
			show_lines(&in, 0, &out);
			if (strcmp(buf_cstr(&out), files[i].shown) != 0)
				fail_msg("%s, block %zu: %s", files[i].name, block, buf_cstr(&out));
			buf_release(&out);
			input_close(&in);
		}
}

static void a_long_line_is_cut_and_passed(void **state)
{
	struct buf text = BUF_INIT, out = BUF_INIT, want = BUF_INIT;
	struct input in;

	(void)state;
	buf_z(&text, "a\n");
	for (int i = 0; i < 3000; i++)
		buf_ch(&text, 'x');
	buf_z(&text, "\nb\n");
	buf_z(&want, "1@0:a|2@2!:");
	for (int i = 0; i < 1024; i++)
		buf_ch(&want, 'x');
	buf_z(&want, "|3@3003:b|");
	for (size_t block = 0; block < 2000; block += 333) {
		buf_clear(&out);
		open_text(&in, buf_view(&text), block);
		show_lines(&in, 2999, &out);
		assert_string_equal(buf_cstr(&out), buf_cstr(&want));
		input_close(&in);
	}
	buf_clear(&out);
	open_text(&in, buf_view(&text), 0);
	show_lines(&in, 3000, &out); /* just not too long */
	assert_int_equal(out.n, want.n - 1 - 1024 + 3000);
	input_close(&in);
	buf_release(&text);
	buf_release(&out);
	buf_release(&want);
}

/* A file larger than head and block: what comes out is what went in. */
static void many_blocks(void **state)
{
	struct buf text = BUF_INIT, out = BUF_INIT;
	struct err err = ERR_INIT;
	struct input in;
	struct lines l;
	struct line line;
	bool more = true;

	(void)state;
	for (int i = 0; i < 200000; i++)
		buf_printf(&text, "line %d\n", i);
	open_text(&in, buf_view(&text), 0);
	assert_int_equal(in.head.n, INPUT_HEAD);
	assert_int_equal(in.size, text.n);
	lines_init(&l, &in);
	while (lines_next(&l, &line, &more, &err) == OK && more) {
		assert_int_equal(line.byte, out.n);
		buf_str(&out, line.text);
		buf_ch(&out, '\n');
	}
	assert_true(str_eq(buf_view(&text), buf_view(&out)));
	assert_int_equal(in.consumed, text.n);
	assert_int_equal(line.number, 200000);
	lines_release(&l);
	input_close(&in);
	buf_release(&text);
	buf_release(&out);
}

/* --- input --- */

static void utf16_is_refused(void **state)
{
	static const struct str texts[] = {BYTES("\xff\xfe"
						 "a\0"),
					   BYTES("\xfe\xff\0a"), BYTES("{\0\"\0a\0"),
					   BYTES("\0{\0\"")};

	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char *path = temp_file(texts[i]);
		struct err err = ERR_INIT;
		struct input in;

		assert_int_equal(input_open(&in, path, &err), E_FORMAT);
		assert_non_null(strstr(err.msg, "UTF-16"));
		assert_int_equal(in.fd, -1);
		unlink(path);
		free(path);
	}
}

static void open_says_why_not(void **state)
{
	struct err err = ERR_INIT;
	struct input in;

	(void)state;
	assert_int_equal(input_open(&in, "/nonexistent/file", &err), E_IO);
	assert_string_equal(err.msg, "/nonexistent/file: No such file or directory");
	assert_int_equal(input_open(&in, "/", &err), E_IO);
	assert_string_equal(err.msg, "/: this is a folder, not a file");
}

static void with_stdin(struct str bytes, void (*body)(struct input *in))
{
	int saved = dup(STDIN_FILENO), p[2];
	struct err err = ERR_INIT;
	struct input in;

	assert_int_equal(pipe(p), 0);
	assert_int_equal(write(p[1], bytes.p, bytes.n), bytes.n);
	close(p[1]);
	dup2(p[0], STDIN_FILENO);
	close(p[0]);
	assert_int_equal(input_open(&in, "-", &err), OK);
	body(&in);
	input_close(&in);
	assert_int_equal(fcntl(STDIN_FILENO, F_GETFD) == -1, false); /* still open */
	dup2(saved, STDIN_FILENO);
	close(saved);
}

static void expect_two_lines(struct input *in)
{
	struct buf out = BUF_INIT;

	assert_int_equal(in->size, 0);
	show_lines(in, 0, &out);
	assert_string_equal(buf_cstr(&out), "1@0:a|2@2:b|");
	buf_release(&out);
}

static void dash_is_standard_input(void **state)
{
	(void)state;
	with_stdin(STR("a\nb\n"), expect_two_lines);
}

static void a_changed_file_is_noticed(void **state)
{
	struct err err = ERR_INIT;
	struct str block;
	struct input in;
	char *path = temp_file(STR("a\nb\n"));
	FILE *f;

	(void)state;
	assert_int_equal(input_open(&in, path, &err), OK);
	f = fopen(path, "a");
	assert_non_null(f);
	fputs("more\n", f);
	fclose(f);
	assert_int_equal(input_block(&in, &block, &err), OK);
	assert_int_equal(block.n, 4);
	assert_int_equal(input_block(&in, &block, &err), E_IO);
	assert_non_null(strstr(err.msg, "changed while it was read"));
	input_close(&in);
	unlink(path);
	free(path);
}

static void cancel_stops_the_next_block(void **state)
{
	struct err err = ERR_INIT;
	struct cancel cancel;
	struct str block;
	struct input in;

	(void)state;
	cancel_init(&cancel);
	open_text(&in, STR("abcdef"), 2);
	in.cancel = &cancel;
	assert_int_equal(input_block(&in, &block, &err), OK);
	cancel_now(&cancel);
	assert_int_equal(input_block(&in, &block, &err), E_CANCELLED);
	input_close(&in);
	cancel_release(&cancel);
}

/* A pipe that says nothing must not hold up a cancelled import. */
static void cancel_ends_waiting_for_a_pipe(void **state)
{
	struct err err = ERR_INIT;
	struct cancel cancel;
	struct input in;
	char path[40];
	int p[2];

	(void)state;
	cancel_init(&cancel);
	assert_true(cancel_fd(&cancel) >= 0);
	assert_int_equal(pipe(p), 0);
	snprintf(path, sizeof path, "/dev/fd/%d", p[0]);
	cancel_now(&cancel);
	assert_int_equal(input_open_cancel(&in, path, &cancel, &err), E_CANCELLED);
	close(p[0]);
	close(p[1]);
	cancel_release(&cancel);
}

struct told {
	int calls;
	uint64_t done, total;
};

static void note_progress(void *ctx, uint64_t done, uint64_t total)
{
	struct told *t = ctx;

	assert_true(done >= t->done);
	*t = (struct told){t->calls + 1, done, total};
}

static void progress_is_rare_and_complete(void **state)
{
	struct told told = {0, 0, 0};
	struct err err = ERR_INIT;
	struct str block;
	struct input in;

	(void)state;
	open_text(&in, STR("abcdefghijklmnopqrstuvwxyz"), 1);
	in.progress = note_progress;
	in.progress_ctx = &told;
	do
		assert_int_equal(input_block(&in, &block, &err), OK);
	while (block.n);
	assert_int_equal(told.done, 26);
	assert_int_equal(told.total, 26);
	assert_in_range(told.calls, 1, 10);
	input_close(&in);
}

static void all_has_a_ceiling(void **state)
{
	struct err err = ERR_INIT;
	struct buf all = BUF_INIT;
	struct input in;

	(void)state;
	open_text(&in, STR("abcdef"), 4);
	assert_int_equal(input_all(&in, 6, &all, &err), OK);
	assert_string_equal(buf_cstr(&all), "abcdef");
	input_close(&in);
	buf_release(&all);
	open_text(&in, STR("abcdef"), 4);
	in.size = 0; /* as of a pipe */
	assert_int_equal(input_all(&in, 5, &all, &err), E_LIMIT);
	assert_non_null(strstr(err.msg, "over the ceiling of 5"));
	input_close(&in);
	buf_release(&all);
	open_text(&in, STR("abcdef"), 4);
	assert_int_equal(input_all(&in, 5, &all, &err), E_LIMIT);
	input_close(&in);
	buf_release(&all);
}

/* --- ini --- */

static enum status show_entry(void *ctx, const char *section, const char *name, const char *value,
			      unsigned line, struct err *err)
{
	if (strcmp(value, "refuse") == 0)
		return err_set(err, E_USAGE, "%s: no such thing", name);
	buf_printf(ctx, "%u %s.%s=%s|", line, section, name, value);
	return OK;
}

static const struct {
	struct str text;
	enum status status;
	const char *shown, *message;
} inis[] = {
    {BYTES(""), OK, "", ""},
    {BYTES("a = 1\n[s]\nb: two words ; why\n# no\nc=#fff"), OK,
     "1 .a=1|3 s.b=two words|5 s.c=#fff|", ""},
    {BYTES("\xef\xbb\xbf[s]\r\na=1\r\n\r\nb=2"), OK, "2 s.a=1|4 s.b=2|", ""},
    {BYTES("a=1\rb=2\r"), OK, "1 .a=1|2 .b=2|", ""},
    {BYTES("a = 1\n  2\n"), OK, "1 .a=1|2 .a=2|", ""},
    {BYTES("a=1\nnonsense\nb=2\n"), E_FORMAT, "1 .a=1|3 .b=2|", "line 2: expected"},
    {BYTES("[open\n"), E_FORMAT, "", "line 1: expected"},
    {BYTES("a=1\nb=refuse\nc=1\n"), E_USAGE, "1 .a=1|", "line 2: b: no such thing"},
    {BYTES("a=x\0y\n"), E_FORMAT, "", "line 1: a NUL byte"},
};

static void ini_texts(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof inis / sizeof *inis; i++) {
		struct err err = ERR_INIT;
		struct buf out = BUF_INIT;

		assert_int_equal(ini_read(inis[i].text, show_entry, &out, &err), inis[i].status);
		assert_string_equal(buf_cstr(&out), inis[i].shown);
		if (strncmp(err.msg, inis[i].message, strlen(inis[i].message)) != 0)
			fail_msg("%zu: %s", i, err.msg);
		buf_release(&out);
	}
}

static void ini_ceilings(void **state)
{
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT, out = BUF_INIT;

	(void)state;
	buf_z(&text, "a=");
	for (int i = 0; i < INI_MAX_LINE_BYTES - 2; i++)
		buf_ch(&text, 'x');
	assert_int_equal(ini_read(buf_view(&text), show_entry, &out, &err), OK);
	assert_int_equal(out.n, strlen("1 .a=|") + INI_MAX_LINE_BYTES - 2);
	buf_ch(&text, 'x');
	assert_int_equal(ini_read(buf_view(&text), show_entry, &out, &err), E_LIMIT);
	buf_clear(&text);
	buf_z(&text, "\n");
	for (int i = 0; i < 60; i++)
		buf_ch(&text, 'n');
	buf_z(&text, "=1");
	assert_int_equal(ini_read(buf_view(&text), show_entry, &out, &err), E_LIMIT);
	assert_string_equal(err.msg, "line 2: a name longer than 48 bytes");
	buf_release(&text);
	buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lines_of_every_kind),
	    cmocka_unit_test(a_long_line_is_cut_and_passed),
	    cmocka_unit_test(many_blocks),
	    cmocka_unit_test(utf16_is_refused),
	    cmocka_unit_test(open_says_why_not),
	    cmocka_unit_test(dash_is_standard_input),
	    cmocka_unit_test(a_changed_file_is_noticed),
	    cmocka_unit_test(cancel_stops_the_next_block),
	    cmocka_unit_test(cancel_ends_waiting_for_a_pipe),
	    cmocka_unit_test(progress_is_rare_and_complete),
	    cmocka_unit_test(all_has_a_ceiling),
	    cmocka_unit_test(ini_texts),
	    cmocka_unit_test(ini_ceilings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
