/* What the files of core/report share. Not for other rooms. */
#ifndef QUALM_CORE_REPORT_REPORT_IMPL_H
#define QUALM_CORE_REPORT_REPORT_IMPL_H

#include "core/report/report.h"

/* [n] verdicts of a run under the ctx's lens, or under another layer of it; owned. */
uint8_t *report_verdicts(const struct report_ctx *ctx, int run, const struct lens *lens);
uint32_t report_population(const struct report_ctx *ctx);
/* Appends the words that stand below a table: what the accuracy is of, and what is left out. */
void report_note_left_out(const struct report_ctx *ctx, struct table *t);
const char *report_layer_name(const struct report_ctx *ctx, int layer);

enum status report_accuracy(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_classes(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_confusion(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_pairs(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_oop(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_facets(const struct report_ctx *ctx, struct table *out, struct err *err);

#endif
