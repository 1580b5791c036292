/* Two runs side by side in each group: the first of the ctx's runs is a, the second b. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/eval/paired.h"
#include "core/report/report_impl.h"

#define INTERVALS_MAX 60 /* groups that get a bootstrap interval, of which each takes its time */

struct side { /* of one of the two runs */
	size_t column[4]; /* n, right, left out, accuracy */
	int run;
	uint8_t *verdict;
};

struct groups {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping g;
	int n_sides;
	struct side side[2];
	size_t group, delta, lo, hi, p, regressed, improved, precision, recall, f1;
	struct class_scores scores; /* of a; where the groups are the classes themselves */
	bool by_class;
};

/* --- columns --- */

static void accuracy_columns(struct groups *g, int k)
{
	static const struct {
		const char *name, *title, *help;
	} column[2][4] = {
	    {{"n", "n", "counted answers of a"},
	     {"right", "right", "right answers of a"},
	     {"excluded", "left out", "answers of a that are not counted"},
	     {"accuracy", "a", "accuracy of a: right / n"}},
	    {{"n_b", "n of b", "counted answers of b"},
	     {"right_b", "right of b", "right answers of b"},
	     {"excluded_b", "left out of b", "answers of b that are not counted"},
	     {"accuracy_b", "b", "accuracy of b: its right answers / those that are counted"}},
	};
	static const enum table_kind kind[] = {TABLE_COUNT, TABLE_COUNT, TABLE_COUNT, TABLE_SHARE};

	for (int c = 0; c < 4; c++) {
		size_t at = table_column(g->t, column[k][c].name, column[k][c].title, kind[c],
					 c == 3 ? BEST_HIGH : BEST_NONE, column[k][c].help);

		g->side[k].column[c] = at;
		if (c == 1 || (k == 1 && c < 3))
			table_detail(g->t, at);
	}
}

static void paired_columns(struct groups *g)
{
	struct table *t = g->t;

	g->delta = table_column(t, "delta", "a - b", TABLE_SHARE, BEST_NONE,
				"accuracy of a minus that of b, on what is counted for both: "
				"(improved - regressed) / n of both");
	g->lo = table_detail(t, table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE,
					     "95 % interval of the difference, paired bootstrap"));
	g->hi = table_detail(t, table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE,
					     "95 % interval of the difference, paired bootstrap"));
	g->regressed = table_column(t, "regressed", "regressed", TABLE_COUNT, BEST_NONE,
				    "b right and a wrong");
	g->improved = table_column(t, "improved", "improved", TABLE_COUNT, BEST_NONE,
				   "a right and b wrong");
	g->p = table_column(t, "p", "p", TABLE_P, BEST_NONE,
			    "exact McNemar test of the two; many groups make small ones by chance");
}

static void class_columns(struct groups *g)
{
	struct table *t = g->t;

	g->precision = table_column(t, "precision", "precision", TABLE_SHARE, BEST_HIGH,
				    "of a: hits / answers of the class; a hit is a right answer, counted "
				    "at the truth that it met; of all: the classes' mean");
	g->recall = table_column(t, "recall", "recall", TABLE_SHARE, BEST_HIGH,
				 "of a: hits / the class's row of the matrix; of all: the classes' mean");
	g->f1 = table_detail(t, table_column(t, "f1", "F1", TABLE_SHARE, BEST_HIGH,
					     "of a: harmonic mean of precision and recall"));
}

static void make_columns(struct groups *g)
{
	g->group = table_column(g->t, "group", report_group_head(&g->g), TABLE_TEXT, BEST_NONE,
				"\"all\" or one group of the grouping");
	for (int k = 0; k < g->n_sides; k++)
		accuracy_columns(g, k);
	if (g->n_sides == 2)
		paired_columns(g);
	if (g->by_class)
		class_columns(g);
}

/* --- counting --- */

struct group_count {
	uint64_t right[2], n[2], excluded[2];
	struct fourfold both;
};

static void count_sample(const struct groups *g, uint32_t i, struct group_count *c)
{
	uint8_t v[2] = {VERDICT_UNCOUNTED, VERDICT_UNCOUNTED};

	for (int k = 0; k < g->n_sides; k++) {
		v[k] = g->side[k].verdict[i];
		c->right[k] += v[k] == VERDICT_RIGHT;
		c->n[k] += v[k] != VERDICT_UNCOUNTED;
		c->excluded[k] += v[k] == VERDICT_UNCOUNTED;
	}
	if (v[0] == VERDICT_UNCOUNTED || v[1] == VERDICT_UNCOUNTED)
		return;
	c->both.both += v[0] == VERDICT_RIGHT && v[1] == VERDICT_RIGHT;
	c->both.only_a += v[0] == VERDICT_RIGHT && v[1] != VERDICT_RIGHT;
	c->both.only_b += v[0] != VERDICT_RIGHT && v[1] == VERDICT_RIGHT;
	c->both.neither += v[0] != VERDICT_RIGHT && v[1] != VERDICT_RIGHT;
}

/* [g.n + 1]; the last one is of all samples. */
static struct group_count *count(const struct groups *g)
{
	struct group_count *c = xcalloc((size_t)g->g.n + 1, sizeof *c);

	for (uint32_t i = 0; i < g->ctx->snap->n; i++) {
		if (g->ctx->mask && !bits_get(g->ctx->mask, i))
			continue;
		count_sample(g, i, &c[g->g.n]);
		for (uint32_t k = g->g.off[i]; k < g->g.off[i + 1]; k++)
			count_sample(g, i, &c[g->g.val[k]]);
	}
	return c;
}

/* --- rows --- */

/* Of a and b written out, so that it opens the same whatever a and b are then. */
static void put_flip_door(const struct groups *g, size_t column, int right, const char *condition)
{
	const struct run *runs = g->ctx->snap->runs;
	struct buf door = BUF_INIT;

	buf_z(&door, "right");
	filter_put_who(&door, runs[g->side[right].run].handle);
	buf_z(&door, " wrong");
	filter_put_who(&door, runs[g->side[!right].run].handle);
	buf_printf(&door, "%s%s", *condition ? " " : "", condition);
	table_door(g->t, column, buf_cstr(&door));
	buf_release(&door);
}

static void put_paired(const struct groups *g, const struct group_count *c, const char *condition)
{
	const struct fourfold *f = &c->both;
	double lo, hi;

	table_number(g->t, g->delta, paired_delta(f));
	table_number(g->t, g->regressed, (double)f->only_b);
	table_number(g->t, g->improved, (double)f->only_a);
	put_flip_door(g, g->regressed, 1, condition);
	put_flip_door(g, g->improved, 0, condition);
	report_door_paired(g->ctx, g->t, g->side[0].run, g->side[1].run, condition,
			   (const size_t[]){g->delta, g->lo, g->hi, g->p}, 4, f);
	if (!fourfold_n(f))
		return;
	table_number(g->t, g->p, paired_mcnemar(f->only_b, f->only_a, 0));
	if (g->g.n > INTERVALS_MAX)
		return;
	paired_bootstrap(f, PAIRED_DRAWS, PAIRED_SEED, &lo, &hi);
	table_number(g->t, g->lo, lo);
	table_number(g->t, g->hi, hi);
}

static void put_scores(const struct groups *g, uint32_t k)
{
	const struct class_score *s = &g->scores.class[k];

	table_number(g->t, g->precision, s->precision);
	table_number(g->t, g->recall, s->recall);
	table_number(g->t, g->f1, s->f1);
	report_door_scores(g->ctx, g->t, g->side[0].run, g->g.condition[k] + strlen("gt:"),
			   (const size_t[]){g->precision, g->recall, g->f1}, s);
}

static void put_row(const struct groups *g, const char *name, const char *condition,
		    const struct group_count *c)
{
	table_row(g->t);
	table_text(g->t, g->group, name);
	table_door(g->t, g->group, condition);
	for (int k = 0; k < g->n_sides; k++) {
		const size_t *column = g->side[k].column;

		table_number(g->t, column[0], (double)c->n[k]);
		table_number(g->t, column[1], (double)c->right[k]);
		table_number(g->t, column[2], (double)c->excluded[k]);
		if (c->n[k])
			table_number(g->t, column[3], (double)c->right[k] / (double)c->n[k]);
		report_put_share(g->ctx, g->t, g->side[k].run, condition, column,
				 &(struct table_share){.part = (double)c->right[k], .whole = (double)c->n[k],
						       .rest = (double)c->excluded[k]});
	}
	if (g->n_sides == 2)
		put_paired(g, c, condition);
}

static enum status put_rows(const struct groups *g, struct err *err)
{
	struct group_count *c = count(g);
	enum status st = cancel_check(g->ctx->cancel, err);

	put_row(g, "all", "", &c[g->g.n]);
	if (g->by_class)
		report_put_macro(g->t, (const size_t[]){g->precision, g->recall, g->f1}, &g->scores);
	for (uint32_t k = 0; k < g->g.n && st == OK; k++) {
		if (g->g.n == 1 && strcmp(g->g.name[k], "all") == 0)
			break;
		put_row(g, g->g.name[k], g->g.condition[k], &c[k]);
		if (g->by_class && k < g->scores.n)
			put_scores(g, k);
		st = cancel_check(g->ctx->cancel, err);
	}
	free(c);
	return st;
}

static void note_sides(const struct groups *g)
{
	const struct run *runs = g->ctx->snap->runs;

	if (g->n_sides == 2)
		table_note(g->t, "a %s, b %s", runs[g->side[0].run].handle, runs[g->side[1].run].handle);
	report_note_left_out(g->ctx, g->t);
}

enum status report_groups(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct groups g = {.ctx = ctx, .t = out};
	struct str by = ctx->by;
	enum status st;

	if (!by.n)
		by = ctx->snap->n_classes ? STR("class")
					  : str_z(report_first_grouping(ctx->snap, ctx->lens));
	if (ctx->n_runs > 2)
		return err_set(err, E_USAGE, "groups is a table of one run or of two: --run A --against B");
	g.n_sides = ctx->n_runs;
	st = grouping_make(ctx->snap, ctx->lens, by, &g.g, err);
	if (st != OK)
		return st;
	g.by_class = g.n_sides && strcmp(g.g.by, "class") == 0;
	for (int k = 0; k < g.n_sides; k++) {
		g.side[k].run = ctx->runs[k];
		g.side[k].verdict = report_verdicts(ctx, ctx->runs[k], ctx->lens);
	}
	table_init(out, "groups");
	if (g.by_class)
		class_scores_make(ctx->snap, ctx->lens, ctx->runs[0], g.side[0].verdict, ctx->mask, &g.scores);
	make_columns(&g);
	st = put_rows(&g, err);
	if (st == OK)
		note_sides(&g);
	else
		table_release(out);
	for (int k = 0; k < g.n_sides; k++)
		free(g.side[k].verdict);
	class_scores_release(&g.scores);
	grouping_release(&g.g);
	return st;
}
