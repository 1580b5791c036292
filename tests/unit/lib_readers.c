#include "tests/unit/lib_readers.h"

void run_reader_case(const struct reader_case *c)
{
	struct read_options opt = {.as = str_z(c->as), .model = str_z(c->model),
				   .layer = str_z(c->layer), .map = c->map};
	const struct reader *used = NULL;
	struct buf problems = BUF_INIT;
	struct sink_log log;
	struct report report;
	struct err err = ERR_INIT;
	enum status st;

	while (opt.n_map < CASE_MAX_MAP && c->map[opt.n_map].name.n)
		opt.n_map++;
	sink_log_init(&log);
	report_init(&report, c->file, NULL);
	st = read_bytes(c->file, c->bytes, &opt, &log.sink, &report, &used, &err);
	report_lines(&report, &problems);
	if (c->error) {
		if (!st || !strstr(err.msg, c->error))
			fail_msg("%s: expected \"%s\", got \"%s\"", c->name, c->error, err.msg);
	} else if (st) {
		fail_msg("%s: %s", c->name, err.msg);
	}
	if (c->reader)
		assert_string_equal(used ? used->name : "none", c->reader);
	if (c->task)
		assert_string_equal(buf_cstr(&log.task), c->task);
	if (c->want) {
		const char *got = buf_cstr(&log.text);

		if (c->skip_to) {
			got = strstr(got, c->skip_to);
			assert_non_null(got);
			got += strlen(c->skip_to);
		}
		assert_string_equal(got, c->want);
	}
	if (c->problems)
		assert_string_equal(buf_cstr(&problems), c->problems);
	else
		assert_int_equal(report.examples.n, c->n_problems);
	buf_release(&problems);
	report_release(&report);
	sink_log_release(&log);
}

size_t add_reader_cases(struct CMUnitTest *tests, size_t n, CMUnitTestFunction run,
			const struct reader_case *cases, size_t n_cases)
{
	for (size_t i = 0; i < n_cases; i++)
		tests[n++] = (struct CMUnitTest){cases[i].name, run, NULL, NULL,
						 (void *)(uintptr_t)&cases[i]};
	return n;
}
