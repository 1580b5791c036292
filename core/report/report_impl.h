/* What the files of core/report share. Not for other rooms. */
#ifndef QUALM_CORE_REPORT_REPORT_IMPL_H
#define QUALM_CORE_REPORT_REPORT_IMPL_H

#include "core/report/report.h"

/* [n] verdicts of a run under the ctx's lens, or under another layer of it; owned. */
uint8_t *report_verdicts(const struct report_ctx *ctx, int run, const struct lens *lens);
uint32_t report_population(const struct report_ctx *ctx);
/* Appends the words that stand below a table: what the accuracy is of, and what is left out. */
void report_note_left_out(const struct report_ctx *ctx, struct table *t);
/* Doors and explanations for n, right, left out and accuracy (told[4], in this order) of the last
 * row: the run's answers to the samples of a condition ("": all). The share's doors are set here. */
void report_put_share(const struct report_ctx *ctx, struct table *t, int run, const char *condition,
		      const size_t told[4], const struct table_share *share);
const char *report_layer_name(const struct report_ctx *ctx, int layer);

/* The benchmark's own table (benchmark.c), else the plain one: report_accuracy. */
enum status report_benchmark(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_accuracy(const struct report_ctx *ctx, struct table *out, struct err *err);
/* MEMO-Bench: of a dataset with few classes whose runs answer degrees beside them. */
#define REPORT_MEMO_CLASSES 60
bool report_fits_memo(const struct report_ctx *ctx);
enum status report_memo(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_classes(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_groups(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_confusion(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_pairs(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_oop(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_facets(const struct report_ctx *ctx, struct table *out, struct err *err);

#endif
