/* Table-driven tests of readers: bytes in, what the sink got and what was reported out. */
#ifndef QUALM_TESTS_UNIT_LIB_READERS_H
#define QUALM_TESTS_UNIT_LIB_READERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/lib_sink.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define CASE_MAX_MAP 4

struct reader_case {
	const char *name, *file;
	struct str bytes;
	struct mapping map[CASE_MAX_MAP]; /* ends with an empty name */
	const char *as, *model, *layer;
	const char *reader;   /* that must have taken it */
	const char *task;     /* that it must have told; NULL: any */
	const char *want;     /* the sink's lines */
	const char *problems; /* report_lines(), NULL: n_problems of them */
	size_t n_problems;
	const char *skip_to; /* `want` begins behind this text */
	const char *error; /* not NULL: the file must fail, and the message hold this */
};

void run_reader_case(const struct reader_case *c);
/* One cmocka test a case; returns the new number of tests. */
size_t add_reader_cases(struct CMUnitTest *tests, size_t n, CMUnitTestFunction run,
			const struct reader_case *cases, size_t n_cases);

#endif
