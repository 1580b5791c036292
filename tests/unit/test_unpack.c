/* Packed files: gzip of stored blocks and Zstandard of raw and run-length blocks, made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <unistd.h>

#include "core/text/input.h"
#include "tests/unit/lib_project.h"
#include "tests/unit/lib_readers.h"
#include "tests/unit/lib_sink.h"

/* --- packing --- */

static uint32_t crc_of(struct str s)
{
	uint32_t crc = UINT32_MAX;

	for (size_t i = 0; i < s.n; i++) {
		crc ^= (unsigned char)s.p[i];
		for (int k = 0; k < 8; k++)
			crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
	}
	return ~crc;
}

static void put_le(struct buf *out, uint32_t v, int bytes)
{
	for (int i = 0; i < bytes; i++)
		buf_ch(out, (char)(v >> 8 * i & 255));
}

/* One member of stored blocks of `piece` bytes. */
static void gzip(struct str s, size_t piece, struct buf *out)
{
	struct str rest = s;

	buf_put(out, "\x1f\x8b\x08\0\0\0\0\0\0\x03", 10);
	do {
		uint32_t n = (uint32_t)(rest.n < piece ? rest.n : piece);

		buf_ch(out, rest.n == n);
		put_le(out, n, 2);
		put_le(out, ~n, 2);
		buf_put(out, rest.p, n);
		rest.p += n;
		rest.n -= n;
	} while (rest.n);
	put_le(out, crc_of(s), 4);
	put_le(out, (uint32_t)s.n, 4);
}

/* A frame without a size of raw blocks, then `runs` blocks of 128 KiB of one byte. */
static void zstd(struct str s, size_t piece, unsigned runs, struct buf *out)
{
	buf_put(out, "\x28\xb5\x2f\xfd\0\x58", 6); /* window of 2 MiB */
	while (s.n) {
		uint32_t n = (uint32_t)(s.n < piece ? s.n : piece);

		put_le(out, n << 3 | (s.n == n && !runs), 3);
		buf_put(out, s.p, n);
		s.p += n;
		s.n -= n;
	}
	for (unsigned i = 0; i < runs; i++) {
		put_le(out, 131072u << 3 | 1 << 1 | (i + 1 == runs), 3);
		buf_ch(out, 'x');
	}
}

static char *put_file(char *folder, const char *name, struct str bytes)
{
	char *path = project_file(folder, name);
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
	assert_int_equal(fclose(f), 0);
	return path;
}

static enum status read_all(const char *path, size_t max, struct buf *out, struct err *err)
{
	struct input in;
	enum status st = input_open(&in, path, err);

	out->n = 0;
	if (st == OK) {
		st = input_all(&in, max, out, err);
		input_close(&in);
	}
	return st;
}

/* --- tests --- */

static void both_ways(void **state)
{
	static const size_t sizes[] = {1, 10, 65535, 65536, 200000};
	char *folder = project_folder();
	struct err err = ERR_INIT;

	(void)state;
	for (size_t k = 0; k < 5; k++) {
		for (int how = PACKING_GZIP; how <= PACKING_ZSTD; how++) {
			struct buf text = BUF_INIT, packed = BUF_INIT, got = BUF_INIT;
			char *path;

			if (!unpack_can((enum packing)how))
				continue;
			for (size_t i = 0; i < sizes[k]; i++)
				buf_ch(&text, (char)('a' + i * 7 % 26));
			if (how == PACKING_GZIP)
				gzip(buf_view(&text), 60000, &packed);
			else
				zstd(buf_view(&text), 60000, 0, &packed);
			path = put_file(folder, "x", buf_view(&packed));
			if (read_all(path, 1 << 20, &got, &err) != OK)
				fail_msg("%s", err.msg);
			assert_true(str_eq(buf_view(&got), buf_view(&text)));
			/* Cut off anywhere it is an error, never half a file. */
			packed.n -= 1 + packed.n / 3;
			free(path);
			path = put_file(folder, "x", buf_view(&packed));
			assert_int_equal(read_all(path, 1 << 20, &got, &err), E_FORMAT);
			assert_non_null(strstr(err.msg, "ends too early"));
			free(path);
			buf_release(&text);
			buf_release(&packed);
			buf_release(&got);
		}
	}
	project_remove(folder);
}

/* Several members follow each other; zeros behind them are nothing; a byte order mark goes. */
static void members(void **state)
{
	char *folder = project_folder(), *path;
	struct buf packed = BUF_INIT, got = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	if (!unpack_can(PACKING_GZIP))
		skip();
	gzip(STR("\xef\xbb\xbf"
		 "ab"), 9, &packed);
	gzip(STR("cd"), 9, &packed);
	buf_put(&packed, "\0\0\0\0", 4);
	path = put_file(folder, "x.gz", buf_view(&packed));
	assert_int_equal(read_all(path, 100, &got, &err), OK);
	assert_string_equal(buf_cstr(&got), "abcd");
	free(path);
	packed.p[15] ^= 1; /* of the text: the sum does not fit any more */
	path = put_file(folder, "x.gz", buf_view(&packed));
	assert_int_equal(read_all(path, 100, &got, &err), E_FORMAT);
	assert_non_null(strstr(err.msg, "damaged"));
	assert_non_null(strstr(err.msg, "x.gz"));
	free(path);
	buf_release(&packed);
	buf_release(&got);
	project_remove(folder);
}

static void ceilings(void **state)
{
	char *folder = project_folder(), *path;
	struct buf packed = BUF_INIT, got = BUF_INIT;
	struct err err = ERR_INIT;
	struct input in;
	struct str block;
	enum status st = OK;

	(void)state;
	if (!unpack_can(PACKING_ZSTD))
		skip();
	zstd(STR("{\"a\":"), 9, 100, &packed); /* 13 MB in 400 bytes */
	path = put_file(folder, "bomb.zst", buf_view(&packed));
	assert_int_equal(read_all(path, 1 << 20, &got, &err), E_LIMIT);
	assert_non_null(strstr(err.msg, "over the ceiling of 1048576 bytes"));
	for (int k = 0; k < 2; k++) {
		assert_int_equal(input_open(&in, path, &err), OK);
		unpack_limit(in.unpack, k ? 1 << 20 : UNPACK_BYTES_MAX, k ? UNPACK_BYTES_MAX : 1 << 20);
		while ((st = input_block(&in, &block, &err)) == OK && block.n)
			;
		assert_int_equal(st, E_LIMIT);
		assert_non_null(strstr(err.msg, k ? "ceiling of 1048576" : "times its size"));
		input_close(&in);
	}
	free(path);
	buf_release(&packed);
	buf_release(&got);
	project_remove(folder);
}

/* Progress is told in bytes of the file, and never more than it has. */
static void told(void *ctx, uint64_t done, uint64_t total)
{
	uint64_t *last = ctx;

	assert_true(done <= total);
	*last = done;
}

static void progress(void **state)
{
	char *folder = project_folder(), *path;
	struct buf text = BUF_INIT, packed = BUF_INIT;
	struct err err = ERR_INIT;
	struct input in;
	struct str block;
	uint64_t last = 0;

	(void)state;
	if (!unpack_can(PACKING_GZIP))
		skip();
	for (int i = 0; i < 300000; i++)
		buf_ch(&text, 'a');
	gzip(buf_view(&text), 1000, &packed);
	path = put_file(folder, "x", buf_view(&packed));
	assert_int_equal(input_open(&in, path, &err), OK);
	in.progress = told;
	in.progress_ctx = &last;
	while (input_block(&in, &block, &err) == OK && block.n)
		;
	assert_int_equal(last, packed.n);
	assert_int_equal(in.consumed, text.n);
	input_close(&in);
	free(path);
	buf_release(&text);
	buf_release(&packed);
	project_remove(folder);
}

/* A reader sees what is in it, and the model's name is without both endings. */
static void readers_read_it(void **state)
{
	struct buf packed = BUF_INIT;
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;

	(void)state;
	if (!unpack_can(PACKING_GZIP))
		skip();
	gzip(STR("{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\"fear\"}\n"), 7, &packed);
	sink_log_init(&log);
	report_init(&report, "gpt-4o.jsonl.gz", NULL);
	if (read_bytes("gpt-4o.jsonl.gz", buf_view(&packed), &(struct read_options){0}, &log.sink,
		       &report, NULL, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(log.predictions, 2);
	assert_true(str_eqz(intern_key(&log.handles, 0), "gpt-4o"));
	report_release(&report);
	sink_log_release(&log);
	buf_release(&packed);
}

/* A line of 100 MB is over the ceiling of lines: told as one row, and the others go on. */
static void a_huge_line(void **state)
{
	struct buf packed = BUF_INIT;
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;

	(void)state;
	if (!unpack_can(PACKING_ZSTD))
		skip();
	zstd(STR("{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\""), 99, 800, &packed);
	zstd(STR("\"}\n{\"id\":\"c\",\"prediction\":\"fear\"}\n"), 99, 0, &packed);
	sink_log_init(&log);
	report_init(&report, "m.jsonl.zst", NULL);
	if (read_bytes("m.jsonl.zst", buf_view(&packed), &(struct read_options){0}, &log.sink, &report,
		       NULL, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(log.predictions, 2);
	assert_int_equal(report.problems[PROBLEM_SKIPPED], 1);
	assert_int_equal(report.examples.v[0].src.line, 2);
	report_release(&report);
	sink_log_release(&log);
	buf_release(&packed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(both_ways), cmocka_unit_test(members),	    cmocka_unit_test(ceilings),
	    cmocka_unit_test(progress),	 cmocka_unit_test(readers_read_it),
	    cmocka_unit_test(a_huge_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
