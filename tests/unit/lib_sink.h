/* A sink that writes down what it gets, one line a record, and helpers to run a reader into it. */
#ifndef QUALM_TESTS_UNIT_LIB_SINK_H
#define QUALM_TESTS_UNIT_LIB_SINK_H

#include "core/base/map.h"
#include "core/reader/table.h"

struct sink_log {
	struct sink sink;
	bool quiet;      /* count only */
	struct buf text; /* the lines */
	struct buf task; /* that was told; no line */
	uint64_t classes, pairs, trees, samples, runs, predictions, references;
	uint64_t outcomes[N_OUTCOMES];
	struct intern keys;    /* of samples and of predictions' samples */
	struct intern handles; /* of runs; the model where there is none */
	VEC(uint64_t) of_run;  /* predictions by run */
	struct intern preset;
};

void sink_log_init(struct sink_log *s);
void sink_log_release(struct sink_log *s);

/* Reads the file through whatever reader takes it (or opt->as). `used` may be NULL. */
enum status read_path(const char *path, const struct read_options *opt, struct sink *sink,
		      struct report *report, const struct reader **used, struct err *err);
/* The same with these bytes in a new file of this name, gone afterwards. */
enum status read_bytes(const char *name, struct str bytes, const struct read_options *opt,
		       struct sink *sink, struct report *report, const struct reader **used,
		       struct err *err);
/* Problems of the report as lines "kind line:byte text". */
void report_lines(const struct report *r, struct buf *out);

#endif
