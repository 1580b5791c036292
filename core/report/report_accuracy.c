/* Accuracy of each run in each group, under the lens's layer and, where labels have categories,
 * under the original one and under both. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/eval/stats.h"
#include "core/report/repeats.h"
#include "core/report/report_impl.h"

enum layer_kind { UNDER_LENS, UNDER_ORIGINAL, UNDER_BOTH, N_LAYER_KINDS };

struct accuracy {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping outer, inner; /* "A,B": A and B; else a single group, and what was asked for */
	bool crossed;
	struct lens lens[2]; /* UNDER_LENS, UNDER_ORIGINAL */
	bool layers;         /* all three kinds */
	size_t run, protocol, outer_column, group, layer, n, right, excluded, accuracy, lo, hi, delta, rank;
	size_t positive, give_up, tpr, tnr, d_prime, criterion, said; /* of yes-or-no tasks */
	size_t repeats;
	int yes;             /* the class that means yes; -1: no such task */
	struct oop_columns oop; /* where there are layers */
	const struct report_more *more; /* NULL: nothing more */
	void *own;
};

/* --- what the columns are --- */

/* The class of "the statement is correct" where there are just two. */
static int class_of_yes(const struct snapshot *snap)
{
	static const char *const words[] = {"correct", "yes", "true", "positive"};

	for (uint32_t c = 0; snap->n_classes == 2 && c < 2; c++)
		for (size_t w = 0; w < sizeof words / sizeof *words; w++)
			if (str_eq_nocase(str_z(snap->classes[c].name), str_z(words[w])))
				return (int)c;
	return -1;
}

static void binary_columns(struct accuracy *a)
{
	struct table *t = a->t;

	a->positive = table_column(t, "positive", "says yes", TABLE_SHARE, BEST_NONE,
				   "answers that are yes, of n");
	a->said = table_column(t, "signal", "truth yes", TABLE_SHARE, BEST_NONE,
			       "samples whose truth is yes, of n");
	a->give_up = table_column(t, "give_up", "give-up", TABLE_SHARE, BEST_LOW,
				  "refused and empty answers, of n");
	a->tpr = table_column(t, "tpr", "TPR", TABLE_SHARE, BEST_HIGH, "yes where it is right to say so");
	a->tnr = table_column(t, "tnr", "TNR", TABLE_SHARE, BEST_HIGH, "no where it is right to say so");
	a->d_prime = table_column(t, "d_prime", "d'", TABLE_NUMBER, BEST_HIGH,
				  "z(hits) - z(false alarms), log-linear correction");
	a->criterion = table_column(t, "criterion", "c", TABLE_NUMBER, BEST_NONE,
				    "-(z(hits) + z(false alarms)) / 2; below 0: leans to yes");
}

static void make_columns(struct accuracy *a)
{
	struct table *t = a->t;

	a->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle");
	a->protocol = table_detail(t, table_column(t, "protocol", "protocol", TABLE_TEXT, BEST_NONE, "how it was asked"));
	if (a->crossed)
		a->outer_column = table_column(t, a->outer.by, a->outer.by, TABLE_TEXT, BEST_NONE,
					       "the first of the two groupings");
	a->group = table_column(t, "group", a->inner.by, TABLE_TEXT, BEST_NONE,
				"\"all\" or one group of the grouping");
	a->layer = table_column(t, "layer", "layer", TABLE_TEXT, BEST_NONE, "the truth it is judged by");
	a->n = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "counted answers");
	a->right = table_detail(t, table_column(t, "right", "right", TABLE_COUNT, BEST_NONE, "right answers"));
	a->excluded = table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
				   "answers that are not counted; n and these are the population");
	a->accuracy = table_column(t, "accuracy", "accuracy", TABLE_SHARE, BEST_HIGH, "right / n");
	a->lo = table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	a->hi = table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	a->rank = table_column(t, "rank", "rank", TABLE_COUNT, BEST_NONE,
			       "by accuracy, among runs of the same n");
	if (a->layers)
		a->delta = table_column(t, "delta", "Δ layers", TABLE_SHARE, BEST_NONE,
					"accuracy under the lens's layer minus that under the original one");
	if (a->layers)
		a->oop = report_oop_columns(t);
	if (a->yes >= 0)
		binary_columns(a);
	a->repeats = table_column(t, "repeats", "repeats", TABLE_COUNT, BEST_NONE,
				  "runs whose mean this is; the interval is then Student's t");
	report_reference_column(a->ctx, t);
	t->pivot_group = a->group;
	t->pivot_value = a->accuracy;
	if (a->more)
		a->more->columns(a->own, t);
}

/* --- rows --- */

struct counts {
	uint64_t n, right, excluded, gave_up;
	struct binary binary;
	struct oop_count oop;
};

/* Of one run under one lens. */
struct seen {
	int run;
	const struct lens *lens;
	const uint8_t *verdict;
	const uint8_t *kind; /* of oop; NULL: unknown */
	bool oop;            /* it is counted */
};

static void count_binary(const struct accuracy *a, int run, const struct lens *lens, uint32_t i,
			 struct counts *c)
{
	uint64_t label = column_u(&a->ctx->snap->runs[run].label, i);
	bool yes = label == (uint64_t)a->yes;
	bool signal = eval_admissible(a->ctx->snap, lens->layer, lens->equiv, i, (uint32_t)a->yes);

	if (label == COLUMN_NONE) {
		c->binary.silent_signal += signal;
		c->binary.silent_noise += !signal;
		return;
	}
	c->binary.hit += yes && signal;
	c->binary.miss += !yes && signal;
	c->binary.false_alarm += yes && !signal;
	c->binary.rejection += !yes && !signal;
}

static void count_sample(const struct accuracy *a, const struct seen *s, uint32_t i, struct counts *c)
{
	const struct run *run = &a->ctx->snap->runs[s->run];
	uint64_t o = column_u(&run->outcome, i);
	uint8_t verdict = s->verdict[i];

	if (s->oop)
		report_oop_add(run, s->kind, s->verdict, i, &c->oop);
	if (verdict == VERDICT_UNCOUNTED) {
		c->excluded++;
		return;
	}
	c->n++;
	c->right += verdict == VERDICT_RIGHT;
	c->gave_up += o == OUTCOME_REFUSED || o == OUTCOME_EMPTY;
	if (a->yes >= 0)
		count_binary(a, s->run, s->lens, i, c);
}

/* Of outer group o and inner group g, -1 for all. */
static size_t place_of(const struct accuracy *a, int o, int g)
{
	return (size_t)(o + 1) * ((size_t)a->inner.n + 1) + (size_t)(g + 1);
}

/* The counts of all pairs of groups, in one pass; owned. */
static struct counts *count(const struct accuracy *a, const struct seen *s)
{
	const struct grouping *out = &a->outer, *in = &a->inner;
	uint32_t n = a->ctx->snap->n;
	const uint64_t *mask = a->ctx->mask;
	struct counts *c = xcalloc(((size_t)out->n + 1) * ((size_t)in->n + 1), sizeof *c);

	for (uint32_t i = 0; i < n; i++) {
		if (mask && !bits_get(mask, i))
			continue;
		for (int64_t o = (int64_t)out->off[i] - 1; o < out->off[i + 1]; o++)
			for (int64_t g = (int64_t)in->off[i] - 1; g < in->off[i + 1]; g++) {
				int from = o < out->off[i] ? -1 : (int)out->val[o];
				int to = g < in->off[i] ? -1 : (int)in->val[g];

				count_sample(a, s, i, &c[place_of(a, from, to)]);
			}
	}
	return c;
}

/* The same walk for the columns that are not ours. */
static void count_more(const struct accuracy *a, const uint8_t *verdict)
{
	const struct grouping *out = &a->outer, *in = &a->inner;
	const uint64_t *mask = a->ctx->mask;

	for (uint32_t i = 0; i < a->ctx->snap->n; i++) {
		if (mask && !bits_get(mask, i))
			continue;
		for (int64_t o = (int64_t)out->off[i] - 1; o < out->off[i + 1]; o++)
			for (int64_t g = (int64_t)in->off[i] - 1; g < in->off[i + 1]; g++)
				a->more->add(a->own,
					     place_of(a, o < out->off[i] ? -1 : (int)out->val[o],
						      g < in->off[i] ? -1 : (int)in->val[g]),
					     i, verdict[i]);
	}
}

static void put_binary(const struct accuracy *a, const struct counts *c)
{
	struct detection d = stats_detection(&c->binary);

	table_number(a->t, a->positive, d.positive);
	table_number(a->t, a->said, d.signal);
	table_number(a->t, a->give_up, c->n ? (double)c->gave_up / (double)c->n : NAN);
	table_number(a->t, a->tpr, d.tpr);
	table_number(a->t, a->tnr, d.tnr);
	table_number(a->t, a->d_prime, d.d_prime);
	table_number(a->t, a->criterion, d.criterion);
}

/* The filter's words for a group of the row. */
static void put_doors(const struct accuracy *a, int run, const char *outer, const char *inner,
		      const struct counts *c)
{
	const size_t told[] = {a->n, a->right, a->excluded, a->accuracy};
	struct buf words = BUF_INIT;

	buf_printf(&words, "%s%s%s", outer, *outer && *inner ? " " : "", inner);
	report_put_share(a->ctx, a->t, run, buf_cstr(&words), told,
			 &(struct table_share){.part = (double)c->right, .whole = (double)c->n,
					       .rest = (double)c->excluded});
	table_same(a->t, a->accuracy, a->lo);
	table_same(a->t, a->accuracy, a->hi);
	if (a->yes >= 0)
		report_door_binary(a->ctx, a->t, run, buf_cstr(&words),
				   &(struct binary_columns){a->positive, a->said, a->give_up, a->tpr, a->tnr,
							    a->d_prime, a->criterion},
				   (uint32_t)a->yes, &c->binary, c->gave_up);
	table_door(a->t, a->group, buf_cstr(&words));
	buf_release(&words);
}

/* The filter language judges by the lens's layer alone. */
static void say_why(const struct accuracy *a)
{
	const size_t columns[] = {a->n, a->right, a->excluded, a->accuracy, a->lo, a->hi};

	for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
		table_why(a->t, columns[k], "this row is judged by another layer than the lens's; L l turns "
					    "the lens to that layer, and its numbers open");
}

static void put_row(const struct accuracy *a, int run, const char *outer, const char *group,
		    const char *layer, const struct counts *c)
{
	struct table *t = a->t;
	double lo, hi;

	table_row(t);
	table_text(t, a->run, a->ctx->snap->runs[run].handle);
	table_text(t, a->protocol, a->ctx->snap->runs[run].protocol);
	if (a->crossed)
		table_text(t, a->outer_column, outer);
	table_text(t, a->group, group);
	table_text(t, a->layer, layer);
	table_number(t, a->n, (double)c->n);
	table_number(t, a->right, (double)c->right);
	table_number(t, a->excluded, (double)c->excluded);
	stats_wilson(c->right, c->n, &lo, &hi);
	if (c->n) {
		table_number(t, a->accuracy, (double)c->right / (double)c->n);
		table_number(t, a->lo, lo);
		table_number(t, a->hi, hi);
	}
	if (a->yes >= 0)
		put_binary(a, c);
}

/* Counted under both layers, right under both. */
static uint8_t *both(const uint8_t *x, const uint8_t *y, uint32_t n)
{
	uint8_t *out = xcalloc((size_t)n + 1, 1);

	for (uint32_t i = 0; i < n; i++)
		out[i] = x[i] == VERDICT_UNCOUNTED || y[i] == VERDICT_UNCOUNTED ? VERDICT_UNCOUNTED
			 : x[i] == VERDICT_RIGHT && y[i] == VERDICT_RIGHT      ? VERDICT_RIGHT
									       : VERDICT_WRONG;
	return out;
}

struct judged { /* one run; what is not asked for is NULL */
	int run;
	const uint8_t *kind;
	struct counts *counts[N_LAYER_KINDS];
};

static void put_group(const struct accuracy *a, const struct judged *j, int outer, int inner)
{
	const struct report_ctx *ctx = a->ctx;
	const char *outer_name = outer < 0 ? "all" : a->outer.name[outer];
	const char *name = inner < 0 ? "all" : a->inner.name[inner];
	const char *layer = report_layer_name(ctx, ctx->lens->layer);
	const char *original = report_layer_name(ctx, ctx->lens->original);
	size_t at = place_of(a, outer, inner);
	const struct counts *c = &j->counts[UNDER_LENS][at], *o;
	struct buf two = BUF_INIT;

	put_row(a, j->run, outer_name, name, layer, c);
	put_doors(a, j->run, outer < 0 ? "" : a->outer.condition[outer],
		  inner < 0 ? "" : a->inner.condition[inner], c);
	if (a->more)
		a->more->put(a->own, at, table_look(a->t, table_rows(a->t) - 1, a->group)->door, a->t);
	if (!a->layers)
		return;
	o = &j->counts[UNDER_ORIGINAL][at];
	buf_printf(&two, "%s%s%s", outer < 0 ? "" : a->outer.condition[outer],
		   outer < 0 || inner < 0 ? "" : " ", inner < 0 ? "" : a->inner.condition[inner]);
	report_put_oop(ctx, a->t, &a->oop, &c->oop, j->run, buf_cstr(&two), j->kind != NULL);
	buf_clear(&two);
	table_why(a->t, a->delta, "a difference between two layers, of which the lens is one; its two sides "
				  "stand in this row and the next");
	if (c->n && o->n)
		table_number(a->t, a->delta, (double)c->right / (double)c->n -
						 (double)o->right / (double)o->n);
	put_row(a, j->run, outer_name, name, original, o);
	say_why(a);
	buf_printf(&two, "%s+%s", original, layer);
	put_row(a, j->run, outer_name, name, buf_cstr(&two), &j->counts[UNDER_BOTH][at]);
	say_why(a);
	buf_release(&two);
}

static void count_layers(const struct accuracy *a, struct judged *j)
{
	uint8_t *lens = report_verdicts(a->ctx, j->run, &a->lens[0]);

	j->counts[UNDER_LENS] = count(a, &(struct seen){j->run, &a->lens[0], lens, j->kind, a->layers});
	if (a->more)
		count_more(a, lens);
	if (a->layers) {
		uint8_t *original = report_verdicts(a->ctx, j->run, &a->lens[1]);
		uint8_t *two = both(lens, original, a->ctx->snap->n);

		j->counts[UNDER_ORIGINAL] = count(a, &(struct seen){j->run, &a->lens[1], original, NULL, false});
		j->counts[UNDER_BOTH] = count(a, &(struct seen){j->run, &a->lens[0], two, NULL, false});
		free(original);
		free(two);
	}
	free(lens);
}

/* The groups, and the kinds of its answers, as they are for a run. */
static enum status turn_to(struct accuracy *a, int run, const uint8_t **kind, struct err *err)
{
	const struct report_ctx *ctx = a->ctx;
	enum status st = grouping_turn(&a->outer, ctx->snap, ctx->source, run, err);

	if (st == OK)
		st = grouping_turn(&a->inner, ctx->snap, ctx->source, run, err);
	return st == OK && a->layers ? report_oop_kinds(ctx, run, kind, err) : st;
}

static enum status put_run(struct accuracy *a, int run, struct err *err)
{
	struct judged j = {.run = run};
	int n_outer = a->crossed ? (int)a->outer.n : 0, n_inner = (int)a->inner.n;
	size_t places = ((size_t)a->outer.n + 1) * ((size_t)a->inner.n + 1);

	if (turn_to(a, run, &j.kind, err) != OK ||
	    (a->more && a->more->begin(a->own, run, places, err) != OK))
		return err->code;
	count_layers(a, &j);
	if (n_inner == 1 && strcmp(a->inner.name[0], "all") == 0)
		n_inner = 0;
	for (int o = -1; o < n_outer; o++)
		for (int g = -1; g < n_inner; g++)
			put_group(a, &j, o, g);
	for (int k = 0; k < N_LAYER_KINDS; k++)
		free(j.counts[k]);
	return cancel_check(a->ctx->cancel, err);
}

/* --- ranks --- */

/* Runs of the same coverage are compared; the best is 1, equals share. All runs have the same
 * rows in the same order. A run that has part in a mean has no rank of its own. */
static void rank_rows(const struct accuracy *a, const struct repeats *r)
{
	struct table *t = a->t;
	size_t rows = table_rows(t), each = r->n_blocks ? rows / r->n_blocks : 0;

	for (size_t i = 0; i < rows; i++) {
		double mine = table_look(t, i, a->accuracy)->number, rank = 1, others = 0;

		for (size_t k = i % each; k < rows && !r->member[i / each]; k += each) {
			if (k == i || r->member[k / each] || table_look(t, k, a->n)->number != table_look(t, i, a->n)->number)
				continue;
			others++;
			rank += table_look(t, k, a->accuracy)->number > mine;
		}
		if (others > 0 && !isnan(mine))
			table_at(t, i, a->rank)->number = rank;
		table_at(t, i, a->rank)->why = "a rank is of runs, not of samples";
	}
}

/* --- all together --- */

static enum status make_groupings(struct accuracy *a, struct err *err)
{
	const struct report_ctx *ctx = a->ctx;
	struct str by = ctx->by, first, second;
	enum status st;

	if (!by.n)
		by = str_z(report_first_grouping(ctx->snap, ctx->lens));
	second = str_cut(by, ',', &first);
	a->crossed = second.n > 0;
	st = report_grouping(ctx, a->crossed ? first : STR("none"), &a->outer, err);
	if (st != OK)
		return st;
	st = report_grouping(ctx, a->crossed ? second : by, &a->inner, err);
	if (st != OK)
		grouping_release(&a->outer);
	return st;
}

static void say_bias(const struct accuracy *a)
{
	for (size_t r = 0; r < table_rows(a->t) && a->yes >= 0; r++) {
		const char *group = table_look(a->t, r, a->group)->text;
		double says = table_look(a->t, r, a->positive)->number;

		if (strcmp(group, "all") == 0 && !isnan(says))
			table_note(a->t, "%s says %s %.0f %%, truth %.0f %%", table_look(a->t, r, a->run)->text,
				   a->ctx->snap->classes[a->yes].name, says * 100,
				   table_look(a->t, r, a->said)->number * 100);
	}
}

enum status report_accuracy(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	return report_accuracy_more(ctx, NULL, NULL, out, err);
}

enum status report_accuracy_more(const struct report_ctx *ctx, const struct report_more *more, void *own,
				 struct table *out, struct err *err)
{
	struct accuracy a = {.ctx = ctx, .t = out, .lens = {*ctx->lens, *ctx->lens}, .more = more, .own = own};
	enum status st = make_groupings(&a, err);

	if (st != OK)
		return st;
	a.yes = class_of_yes(ctx->snap);
	a.lens[1].layer = ctx->lens->original;
	a.layers = ctx->lens->original >= 0 && ctx->lens->original != ctx->lens->layer &&
		   strcmp(a.inner.by, "category") == 0;
	table_init(out, more ? more->title : "accuracy");
	make_columns(&a);
	steps_expect(ctx->steps, (size_t)ctx->n_runs);
	for (int r = 0; r < ctx->n_runs && st == OK; r++) {
		st = put_run(&a, ctx->runs[r], err);
		steps_take(ctx->steps);
	}
	if (st == OK) {
		struct repeats repeats = {.run = a.run, .name = a.run, .accuracy = a.accuracy, .lo = a.lo, .hi = a.hi,
					  .repeats = a.repeats};

		repeats_fold(ctx, out, ctx->unfold, &repeats);
		rank_rows(&a, &repeats);
		free(repeats.member);
		say_bias(&a);
		report_put_references(ctx, out);
		report_note_left_out(ctx, out);
		if (more)
			more->notes(own, out);
	} else {
		table_release(out);
	}
	grouping_release(&a.outer);
	grouping_release(&a.inner);
	return st;
}
