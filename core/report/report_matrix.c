/* Tables that come from the confusion matrix: classes, confusion, pairs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/eval/stats.h"
#include "core/report/report_impl.h"

#define PAIRS_MAX 1000

struct names { /* of rows and columns, as the grouping "class" has them */
	struct grouping g;
	uint32_t n_classes;
};

static enum status names_init(struct names *n, const struct report_ctx *ctx, struct err *err)
{
	n->n_classes = ctx->snap->n_classes;
	return grouping_make(ctx->snap, ctx->lens, STR("class"), &n->g, err);
}

static const char *row_name(const struct names *n, uint32_t row)
{
	return row < n->n_classes ? n->g.name[row] : CONFUSION_NONE_WORD;
}

static const char *column_name(const struct names *n, uint32_t column)
{
	return column < n->n_classes ? n->g.name[column]
				     : confusion_extra_word((enum confusion_extra)(column - n->n_classes));
}

/* As values of the filter language. */
static const char *row_value(const struct names *n, uint32_t row)
{
	return row < n->n_classes ? n->g.condition[row] + strlen("gt:") : CONFUSION_NONE_WORD;
}

static const char *column_value(const struct names *n, uint32_t column)
{
	return column < n->n_classes ? n->g.condition[column] + strlen("gt:") : column_name(n, column);
}

static void door_of_cell(const struct report_ctx *ctx, struct table *t, size_t at, int run,
			 const char *truth, const char *answer)
{
	struct buf door = BUF_INIT;

	buf_z(&door, "row");
	filter_put_who(&door, ctx->snap->runs[run].handle);
	buf_printf(&door, ":%s column", truth);
	filter_put_who(&door, ctx->snap->runs[run].handle);
	buf_printf(&door, ":%s", answer);
	table_door(t, at, buf_cstr(&door));
	buf_release(&door);
}

/* --- classes --- */

struct class_columns {
	size_t run, class, support, hit, missed, false_hit, precision, recall, f1, lo, hi;
};

static struct class_columns class_columns(struct table *t)
{
	return (struct class_columns){
	    table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle"),
	    table_column(t, "group", "class", TABLE_TEXT, BEST_NONE, "a class, or an average of them"),
	    table_column(t, "n", "support", TABLE_COUNT, BEST_NONE, "counted samples that have the class"),
	    table_column(t, "right", "hits", TABLE_COUNT, BEST_NONE, "of them, met by the answer"),
	    table_column(t, "missed", "missed", TABLE_COUNT, BEST_NONE, "the rest of the class's row"),
	    table_column(t, "false_hits", "false hits", TABLE_COUNT, BEST_NONE,
			 "answers of the class that are wrong"),
	    table_column(t, "precision", "precision", TABLE_SHARE, BEST_HIGH, "hits / answers of the class"),
	    table_column(t, "recall", "recall", TABLE_SHARE, BEST_HIGH, "hits / (hits + missed)"),
	    table_column(t, "f1", "F1", TABLE_SHARE, BEST_HIGH, "harmonic mean of precision and recall"),
	    table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval of the recall"),
	    table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval of the recall"),
	};
}

static void put_class(struct table *t, const struct class_columns *c, const char *run, const char *name,
		      const struct class_score *s)
{
	double lo, hi;

	table_row(t);
	table_text(t, c->run, run);
	table_text(t, c->class, name);
	table_number(t, c->support, s->support);
	table_number(t, c->hit, s->hit);
	table_number(t, c->missed, s->missed);
	table_number(t, c->false_hit, s->false_hit);
	table_number(t, c->precision, s->precision);
	table_number(t, c->recall, s->recall);
	table_number(t, c->f1, s->f1);
	stats_wilson(s->hit, (uint64_t)s->hit + s->missed, &lo, &hi);
	if (s->hit + s->missed) {
		table_number(t, c->lo, lo);
		table_number(t, c->hi, hi);
	}
}

static void put_average(struct table *t, const struct class_columns *c, const char *run,
			const char *name, double precision, double recall, double f1)
{
	table_row(t);
	table_text(t, c->run, run);
	table_text(t, c->class, name);
	table_number(t, c->precision, precision);
	table_number(t, c->recall, recall);
	table_number(t, c->f1, f1);
	for (size_t k = c->precision; k <= c->f1; k++)
		table_why(t, k, "an average over classes: no one set of samples");
}

/* Support is of counted samples. */
static void door_of_support(const struct report_ctx *ctx, struct table *t, size_t column, int run,
			    const char *condition)
{
	struct buf door = BUF_INIT;

	buf_z(&door, "-uncounted");
	filter_put_who(&door, ctx->snap->runs[run].handle);
	buf_printf(&door, " %s", condition);
	table_door(t, column, buf_cstr(&door));
	buf_release(&door);
}

/* Counts open their own samples, what is made of them the errors in it. */
static void door_of_class(const struct report_ctx *ctx, struct table *t, const struct class_columns *c, int run,
			  const char *value, const struct class_score *s)
{
	const size_t column[] = {c->precision, c->recall, c->f1};
	const struct table_part *part;

	report_door_scores(ctx, t, run, value, column, s);
	part = table_look(t, table_rows(t) - 1, c->f1)->parts;
	table_door(t, c->missed, part[0].door);
	table_door(t, c->hit, part[1].door);
	table_door(t, c->false_hit, part[2].door);
	table_same(t, c->recall, c->lo);
	table_same(t, c->recall, c->hi);
}

static void classes_of_run(const struct report_ctx *ctx, const struct names *names, int run,
			   struct table *t, const struct class_columns *c)
{
	uint8_t *verdict = report_verdicts(ctx, run, ctx->lens);
	const char *handle = ctx->snap->runs[run].handle;
	struct class_scores s;

	class_scores_make(ctx->snap, ctx->lens, run, verdict, ctx->mask, &s);
	put_average(t, c, handle, "macro", s.macro_precision, s.macro_recall, s.macro_f1);
	put_average(t, c, handle, "micro", s.micro_precision, s.micro_recall, s.micro_f1);
	put_average(t, c, handle, "balanced", NAN, s.balanced, NAN);
	for (uint32_t k = 0; k < s.n; k++) {
		put_class(t, c, handle, names->g.name[k], &s.class[k]);
		door_of_class(ctx, t, c, run, names->g.condition[k] + strlen("gt:"), &s.class[k]);
		door_of_support(ctx, t, c->support, run, names->g.condition[k]);
	}
	class_scores_release(&s);
	free(verdict);
}

enum status report_classes(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct class_columns c;
	struct names names;
	enum status st = names_init(&names, ctx, err);

	if (st != OK)
		return st;
	table_init(out, "classes");
	c = class_columns(out);
	for (int r = 0; r < ctx->n_runs && st == OK; r++) {
		classes_of_run(ctx, &names, ctx->runs[r], out, &c);
		st = cancel_check(ctx->cancel, err);
	}
	table_note(out, "macro and balanced: mean over the classes with support; precision and F1 that "
			"are not defined count as 0");
	report_note_left_out(ctx, out);
	grouping_release(&names.g);
	if (st != OK)
		table_release(out);
	return st;
}

/* --- confusion, pairs --- */

static struct confusion matrix_of(const struct report_ctx *ctx, int run)
{
	uint8_t *verdict = report_verdicts(ctx, run, ctx->lens);
	struct confusion m;

	confusion_make(ctx->snap, ctx->lens, run, verdict, ctx->mask, &m);
	free(verdict);
	return m;
}

struct cell_columns {
	size_t run, truth, answer, count, row, support;
};

static struct cell_columns cell_columns(struct table *t)
{
	return (struct cell_columns){
	    table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle"),
	    table_column(t, "truth", "truth", TABLE_TEXT, BEST_NONE, "row: a class, or (none)"),
	    table_column(t, "answer", "answer", TABLE_TEXT, BEST_NONE,
			 "column: a class, or what became of the answer"),
	    table_column(t, "count", "samples", TABLE_COUNT, BEST_NONE, "samples in the cell"),
	    table_column(t, "row", "of row", TABLE_SHARE, BEST_NONE, "of the samples of its row"),
	    table_column(t, "support", "support", TABLE_COUNT, BEST_NONE,
			 "samples that have the row's class"),
	};
}

static void door_of_truth(struct table *t, size_t at, const char *value)
{
	struct buf door = BUF_INIT;

	buf_printf(&door, "gt:%s", value);
	table_door(t, at, buf_cstr(&door));
	buf_release(&door);
}

static void cells_of_run(const struct report_ctx *ctx, const struct names *names, int run,
			 struct table *t, const struct cell_columns *c)
{
	struct confusion m = matrix_of(ctx, run);

	for (uint32_t r = 0; r < m.n_rows; r++)
		for (uint32_t k = m.off[r]; k < m.off[r + 1]; k++) {
			table_row(t);
			table_text(t, c->run, ctx->snap->runs[run].handle);
			table_text(t, c->truth, row_name(names, r));
			table_text(t, c->answer, column_name(names, m.cell[k].column));
			table_number(t, c->count, m.cell[k].count);
			table_number(t, c->row, (double)m.cell[k].count / m.row[r]);
			table_number(t, c->support, m.support[r]);
			door_of_cell(ctx, t, c->count, run, row_value(names, r),
				     column_value(names, m.cell[k].column));
			table_same(t, c->count, c->row);
			door_of_truth(t, c->support, row_value(names, r));
		}
	confusion_release(&m);
}

enum status report_confusion(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct cell_columns c;
	struct names names;
	enum status st = names_init(&names, ctx, err);

	if (st != OK)
		return st;
	table_init(out, "confusion");
	c = cell_columns(out);
	for (int r = 0; r < ctx->n_runs && st == OK; r++) {
		cells_of_run(ctx, &names, ctx->runs[r], out, &c);
		st = cancel_check(ctx->cancel, err);
	}
	table_note(out, "a right answer counts once, on the diagonal of the truth it met; a wrong one in "
			"the row of each of its truths");
	grouping_release(&names.g);
	if (st != OK)
		table_release(out);
	return st;
}

struct pair_columns {
	size_t run, truth, answer, count, share, back;
};

static struct pair_columns pair_columns(struct table *t)
{
	return (struct pair_columns){
	    table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle"),
	    table_column(t, "truth", "truth", TABLE_TEXT, BEST_NONE, "the class that was right"),
	    table_column(t, "answer", "answer", TABLE_TEXT, BEST_NONE, "what was answered"),
	    table_column(t, "count", "samples", TABLE_COUNT, BEST_NONE, "how often"),
	    table_column(t, "share", "of errors", TABLE_SHARE, BEST_NONE,
			 "of all cells off the diagonal"),
	    table_column(t, "back", "other way", TABLE_COUNT, BEST_NONE,
			 "how often the answer's class was taken for the truth's"),
	};
}

static void pairs_of_run(const struct report_ctx *ctx, const struct names *names, int run,
			 struct table *t, const struct pair_columns *c)
{
	struct confused_pair *pair = xcalloc(PAIRS_MAX, sizeof *pair);
	struct confusion m = matrix_of(ctx, run);
	size_t n = confusion_pairs(&m, true, PAIRS_MAX, pair);

	for (size_t k = 0; k < n && k < PAIRS_MAX; k++) {
		table_row(t);
		table_text(t, c->run, ctx->snap->runs[run].handle);
		table_text(t, c->truth, row_name(names, pair[k].truth));
		table_text(t, c->answer, column_name(names, pair[k].answer));
		table_number(t, c->count, pair[k].count);
		table_number(t, c->share, pair[k].share);
		door_of_cell(ctx, t, c->count, run, row_value(names, pair[k].truth),
			     column_value(names, pair[k].answer));
		table_same(t, c->count, c->share);
		if (pair[k].answer >= names->n_classes)
			continue;
		table_number(t, c->back, pair[k].back);
		door_of_cell(ctx, t, c->back, run, row_value(names, pair[k].answer),
			     column_value(names, pair[k].truth));
	}
	if (n > PAIRS_MAX)
		table_note(t, "%s: the first %d of %zu pairs", ctx->snap->runs[run].handle, PAIRS_MAX, n);
	confusion_release(&m);
	free(pair);
}

enum status report_pairs(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct pair_columns c;
	struct names names;
	enum status st = names_init(&names, ctx, err);

	if (st != OK)
		return st;
	table_init(out, "pairs");
	c = pair_columns(out);
	for (int r = 0; r < ctx->n_runs && st == OK; r++) {
		pairs_of_run(ctx, &names, ctx->runs[r], out, &c);
		st = cancel_check(ctx->cancel, err);
	}
	grouping_release(&names.g);
	if (st != OK)
		table_release(out);
	return st;
}
