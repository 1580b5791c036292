/* The runs of each model side by side, by how they were asked (ReGT Table 4; benchmarks.md §2.4):
 * accuracy and what it is above or below the model's first baseline, CW where there is one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"
#include "core/report/repeats.h"
#include "core/report/report_impl.h"

struct protocols {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping g;
	struct lens original; /* the lens over the original layer */
	bool layers;          /* it is another one */
	size_t model, protocol, run, rule, group, n, right, excluded, accuracy, lo, hi, delta, baseline;
	size_t before;        /* accuracy under the original layer */
	size_t repeats;
	struct tally **tally, **tally_original; /* [n_runs] of [g.n + 1], the last one of all samples */
	int *order;           /* [n_runs] places in ctx->runs: models together, protocols in order */
};

static void make_columns(struct protocols *p)
{
	struct table *t = p->t;

	p->model = table_column(t, "model", "model", TABLE_TEXT, BEST_NONE, "who answered");
	p->protocol = table_column(t, "protocol", "protocol", TABLE_TEXT, BEST_NONE, "how it was asked");
	p->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle");
	p->rule = table_column(t, "list_rule", "lists", TABLE_TEXT, BEST_NONE,
			       "when an answer of several classes is right: one hit, or all truths hit");
	p->group = table_column(t, "group", p->g.by, TABLE_TEXT, BEST_NONE, "\"all\" or one group of the grouping");
	p->n = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "counted answers");
	p->right = table_detail(t, table_column(t, "right", "right", TABLE_COUNT, BEST_NONE, "right answers"));
	p->excluded = table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
				   "answers that are not counted; n and these are the population");
	if (p->layers)
		p->before = table_column(t, "original", "original", TABLE_SHARE, BEST_HIGH,
					 "accuracy under the original layer");
	p->accuracy = table_column(t, "accuracy", "accuracy", TABLE_SHARE, BEST_HIGH, "right / n");
	p->lo = table_detail(t, table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval"));
	p->hi = table_detail(t, table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval"));
	p->delta = table_column(t, "delta", "Δ baseline", TABLE_SHARE, BEST_NONE,
				"accuracy minus that of the model's baseline, where n is the same");
	p->baseline = table_detail(t, table_column(t, "baseline", "baseline", TABLE_TEXT, BEST_NONE,
						   "the run that Δ is to: the model's CW, else its first one"));
	p->repeats = table_detail(t, table_column(t, "repeats", "repeats", TABLE_COUNT, BEST_NONE,
						  "runs whose mean this is; the interval is then Student's t"));
	t->pivot_group = p->group;
	t->pivot_value = p->accuracy;
}

/* --- order --- */

static int rank_of(const char *protocol)
{
	static const char *const usual[] = {"OW", "CW+", "CW", "MC"};
	enum { N = sizeof usual / sizeof *usual };

	for (int k = 0; k < N; k++)
		if (str_eq_nocase(str_z(protocol), str_z(usual[k])))
			return k;
	return N;
}

static const struct run *run_at(const struct protocols *p, int place)
{
	return &p->ctx->snap->runs[p->ctx->runs[place]];
}

/* Models in the order of their first run. */
static int first_of_model(const struct protocols *p, int place)
{
	for (int k = 0; k < place; k++)
		if (strcmp(run_at(p, k)->model, run_at(p, place)->model) == 0)
			return k;
	return place;
}

static bool comes_before(const struct protocols *p, int a, int b)
{
	int model = first_of_model(p, a) - first_of_model(p, b);
	int protocol = rank_of(run_at(p, a)->protocol) - rank_of(run_at(p, b)->protocol);

	return model ? model < 0 : protocol ? protocol < 0 : a < b;
}

static void put_in_order(struct protocols *p)
{
	p->order = xcalloc((size_t)p->ctx->n_runs + 1, sizeof *p->order);
	for (int k = 0; k < p->ctx->n_runs; k++) {
		int at = k;

		for (; at > 0 && comes_before(p, k, p->order[at - 1]); at--)
			p->order[at] = p->order[at - 1];
		p->order[at] = k;
	}
}

/* The place of the run that a model's others are compared with. */
static int baseline_of(const struct protocols *p, int place)
{
	int first = first_of_model(p, place);

	for (int k = 0; k < p->ctx->n_runs; k++)
		if (first_of_model(p, k) == first && str_eq_nocase(str_z(run_at(p, k)->protocol), STR("CW")))
			return k;
	return first;
}

/* --- counting and rows --- */

static enum status count_all(struct protocols *p, struct err *err)
{
	const struct report_ctx *ctx = p->ctx;
	enum status st = OK;

	p->tally = xcalloc((size_t)ctx->n_runs + 1, sizeof *p->tally);
	p->tally_original = xcalloc((size_t)ctx->n_runs + 1, sizeof *p->tally_original);
	for (int k = 0; k < ctx->n_runs && st == OK; k++) {
		p->tally[k] = report_tallies(ctx, &p->g, ctx->runs[k], ctx->lens);
		if (p->layers)
			p->tally_original[k] = report_tallies(ctx, &p->g, ctx->runs[k], &p->original);
		st = cancel_check(ctx->cancel, err);
	}
	return st;
}

static void put_accuracy(const struct protocols *p, int place, const char *condition, uint32_t g)
{
	const struct tally *c = &p->tally[place][g];
	const size_t told[] = {p->n, p->right, p->excluded, p->accuracy};
	double lo, hi;

	table_number(p->t, p->n, c->n);
	table_number(p->t, p->right, c->right);
	table_number(p->t, p->excluded, c->excluded);
	table_number(p->t, p->accuracy, tally_accuracy(c));
	if (c->n) {
		tally_wilson(c, &lo, &hi);
		table_number(p->t, p->lo, lo);
		table_number(p->t, p->hi, hi);
	}
	report_put_share(p->ctx, p->t, p->ctx->runs[place], condition, told,
			 &(struct table_share){.part = c->right, .whole = c->n, .rest = c->excluded});
}

static void put_row(const struct protocols *p, int place, const char *name, const char *condition, uint32_t g)
{
	const struct run *run = run_at(p, place);
	struct table *t = p->t;

	table_row(t);
	table_text(t, p->model, run->model);
	table_text(t, p->protocol, run->protocol);
	table_text(t, p->run, run->handle);
	table_text(t, p->rule, list_rule_word(run->list_rule));
	table_text(t, p->group, name);
	table_door(t, p->group, condition);
	table_text(t, p->baseline, run_at(p, baseline_of(p, place))->handle);
	put_accuracy(p, place, condition, g);
	if (p->layers)
		table_number(t, p->before, tally_accuracy(&p->tally_original[place][g]));
}

/* The block whose runs, one or a mean, have the run at this place. */
static size_t block_of(const struct report_ctx *ordered, const struct repeats *r, int place)
{
	size_t b = 0;

	while (b + 1 < r->n_blocks &&
	       (r->member[b] ||
		!snapshot_is_repeat(ordered->snap, ordered->runs[r->of[b]], ordered->runs[place])))
		b++;
	return b;
}

/* What repeats is one row by then, also as a baseline. */
static void put_deltas(const struct protocols *p, const struct report_ctx *ordered, const struct repeats *r,
		       const int *at)
{
	size_t each = r->n_blocks ? table_rows(p->t) / r->n_blocks : 0;

	for (size_t b = 0; b < r->n_blocks; b++) {
		size_t base = block_of(ordered, r, at[baseline_of(p, p->order[r->of[b]])]);

		if (base == block_of(ordered, r, r->of[b]))
			continue;
		for (size_t i = 0; i < each; i++) {
			const struct table_cell *mine = table_look(p->t, b * each + i, p->accuracy);
			const struct table_cell *other = table_look(p->t, base * each + i, p->accuracy);

			if (table_look(p->t, b * each + i, p->n)->number ==
			    table_look(p->t, base * each + i, p->n)->number)
				table_at(p->t, b * each + i, p->delta)->number = mine->number - other->number;
		}
	}
}

static void fold_rows(const struct protocols *p)
{
	struct report_ctx ordered = *p->ctx;
	struct repeats r = {.run = p->run, .name = p->run, .accuracy = p->accuracy, .lo = p->lo, .hi = p->hi,
			    .repeats = p->repeats};
	int *runs = xcalloc((size_t)ordered.n_runs + 1, sizeof *runs);
	int *at = xcalloc((size_t)ordered.n_runs + 1, sizeof *at); /* p->order the other way round */

	for (int k = 0; k < ordered.n_runs; k++) {
		runs[k] = p->ctx->runs[p->order[k]];
		at[p->order[k]] = k;
	}
	ordered.runs = runs;
	repeats_fold(&ordered, p->t, ordered.unfold, &r);
	put_deltas(p, &ordered, &r, at);
	repeats_release(&r);
	free(runs);
	free(at);
}

static void put_rows(const struct protocols *p)
{
	for (int k = 0; k < p->ctx->n_runs; k++) {
		put_row(p, p->order[k], "all", "", p->g.n);
		for (uint32_t g = 0; g < p->g.n; g++)
			if (strcmp(p->g.name[g], "all") != 0)
				put_row(p, p->order[k], p->g.name[g], p->g.condition[g], g);
	}
}

enum status report_protocols(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct str by = ctx->by.n ? ctx->by : str_z(report_first_grouping(ctx->snap, ctx->lens));
	struct protocols p = {.ctx = ctx, .t = out, .original = *ctx->lens};
	enum status st = grouping_make(ctx->snap, ctx->lens, by, &p.g, err);

	if (st != OK)
		return st;
	p.original.layer = ctx->lens->original;
	p.layers = ctx->lens->original >= 0 && ctx->lens->original != ctx->lens->layer;
	table_init(out, "protocols");
	make_columns(&p);
	put_in_order(&p);
	st = count_all(&p, err);
	if (st == OK) {
		put_rows(&p);
		fold_rows(&p);
		report_note_left_out(ctx, out);
	} else {
		table_release(out);
	}
	for (int k = 0; k < ctx->n_runs; k++) {
		free(p.tally[k]);
		free(p.tally_original[k]);
	}
	free(p.tally);
	free(p.tally_original);
	free(p.order);
	grouping_release(&p.g);
	return st;
}
