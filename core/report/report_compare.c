/* Two runs on the samples that are counted for both: the first of the ctx's runs is a (--run), the
 * second b (--against). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/group/cluster.h"
#include "core/report/intervals.h"
#include "core/report/report_impl.h"

#define Q_MARK       0.05
#define CLUSTERS_FEW 30

enum door { DOOR_N, DOOR_A, DOOR_B, DOOR_BOTH, DOOR_ONLY_A, DOOR_ONLY_B, DOOR_NEITHER, DOOR_FLIPS, DOOR_LEFT_OUT,
	    N_DOORS };

struct comparing {
	const struct report_ctx *ctx;
	const struct report_pairing *pairing;
	struct table *t;
	const struct grouping *g;
	struct grouping own; /* g, where it is not the ctx's */
	uint8_t *compared;
	struct compare_count *count; /* [g->n + 1] */
	struct compare_coverage coverage;
	struct intervals *intervals;
	uint32_t n_clusters;
	char *door[N_DOORS]; /* conditions, the group's to follow */
	double *p, *q;       /* [g->n] */
	size_t group, n, both, only_run, only_against, neither, accuracy_run, accuracy_against, delta, lo, hi,
	    p_mcnemar, q_value, mde, flips, excluded, kappa, phi, seed;
};

/* --- columns --- */

static void count_columns(struct comparing *c)
{
	struct table *t = c->t;

	c->group = table_column(t, "group", report_group_head(c->g), TABLE_TEXT, BEST_NONE,
				"\"all\" or one group of the grouping");
	c->n = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "samples that are counted for a and for b");
	c->both = table_detail(t, table_column(t, "both", "both right", TABLE_COUNT, BEST_NONE,
					       "a and b right"));
	c->only_run = table_column(t, "only_run", "improved", TABLE_COUNT, BEST_NONE, "a right and b wrong");
	c->only_against = table_column(t, "only_against", "regressed", TABLE_COUNT, BEST_NONE,
				       "b right and a wrong");
	c->neither = table_detail(t, table_column(t, "neither", "neither", TABLE_COUNT, BEST_NONE,
						  "a and b wrong"));
	c->accuracy_run = table_column(t, "accuracy_run", "a", TABLE_SHARE, BEST_HIGH,
				       "accuracy of a on what is counted for both: (both right + improved) / n");
	c->accuracy_against =
	    table_column(t, "accuracy_against", "b", TABLE_SHARE, BEST_HIGH,
			 "accuracy of b on what is counted for both: (both right + regressed) / n");
}

static void test_columns(struct comparing *c)
{
	struct table *t = c->t;

	c->delta = table_column(t, "delta", "a - b", TABLE_SHARE, BEST_NONE,
				"accuracy of a minus that of b: (improved - regressed) / n");
	c->lo = table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE,
			     "95 % interval of a - b, by the paired bootstrap");
	c->hi = table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE,
			     "95 % interval of a - b, by the paired bootstrap");
	c->p_mcnemar = table_column(t, "p_mcnemar", "p", TABLE_P, BEST_NONE,
				    c->pairing->mid_p ? "McNemar's test of regressed against improved, by mid-p: less half of the "
						    "probability of just these two numbers"
						  : "McNemar's exact test of regressed against improved");
	c->q_value = table_column(t, "q", "q", TABLE_P, BEST_NONE,
				  "p for one of many groups: Benjamini and Hochberg over all groups with "
				  "samples; among those with q below 0.05 one in twenty is expected to be noise");
	c->mde = table_column(t, "mde", "finds", TABLE_SHARE, BEST_NONE,
			      "the smallest difference that the test would find here with 80 % power, by the "
			      "group's n and its share of flips (of all samples where it has none); none: not "
			      "even if all flips went one way");
}

static void detail_columns(struct comparing *c)
{
	struct table *t = c->t;

	c->flips = table_detail(t, table_column(t, "flips", "flips", TABLE_COUNT, BEST_NONE,
						"regressed + improved"));
	c->excluded = table_detail(t, table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
						   "samples that are not counted for a, for b or for both"));
	c->kappa = table_detail(t, table_column(t, "kappa", "kappa", TABLE_NUMBER, BEST_NONE,
						"Cohen's kappa between a being right and b being right"));
	c->phi = table_detail(t, table_column(t, "phi", "phi", TABLE_NUMBER, BEST_NONE,
					      "phi between a being right and b being right"));
	c->seed = table_detail(t, table_column(t, "seed", "seed", TABLE_COUNT, BEST_NONE,
					       "of the bootstrap's random numbers"));
}

/* --- doors: of a and b written out, so that they open the same whatever a and b are then --- */

static void put_words(struct buf *out, const struct run *a, const struct run *b, const char *words)
{
	for (; *words; words++)
		if (*words == 'A')
			filter_put_who(out, a->handle);
		else if (*words == 'B')
			filter_put_who(out, b->handle);
		else
			buf_ch(out, *words);
}

static void make_doors(struct comparing *c)
{
	static const char *const words[N_DOORS] = {
	    [DOOR_N] = "-uncountedA -uncountedB",   [DOOR_A] = "rightA -uncountedB",
	    [DOOR_B] = "-uncountedA rightB",        [DOOR_BOTH] = "rightA rightB",
	    [DOOR_ONLY_A] = "rightA wrongB",        [DOOR_ONLY_B] = "wrongA rightB",
	    [DOOR_NEITHER] = "wrongA wrongB",       [DOOR_FLIPS] = "(rightA wrongB or wrongA rightB)",
	    [DOOR_LEFT_OUT] = "(uncountedA or uncountedB)"};
	const struct run *runs = c->ctx->snap->runs;

	for (int k = 0; k < N_DOORS; k++) {
		struct buf out = BUF_INIT;

		put_words(&out, &runs[c->ctx->runs[0]], &runs[c->ctx->runs[1]], words[k]);
		c->door[k] = xstrdup(buf_cstr(&out));
		buf_release(&out);
	}
}

static const char *join(struct arena *arena, const char *door, const char *condition)
{
	size_t n = strlen(door), more = strlen(condition);
	char *out = arena_alloc(arena, n + 1 + more + 1);

	memcpy(out, door, n);
	memcpy(out + n + 1, condition, more + 1);
	out[n] = more ? ' ' : '\0';
	return out;
}

/* Of the accuracy of a (k = 0) or b: what it is made of. */
static void tell_share(const struct comparing *c, size_t row, int k, const char *const door[N_DOORS])
{
	struct table_share *s = arena_zalloc(&c->t->arena, 1, sizeof *s);
	size_t only = k ? c->only_against : c->only_run;

	*s = (struct table_share){.part = table_look(c->t, row, c->both)->number + table_look(c->t, row, only)->number,
				  .whole = table_look(c->t, row, c->n)->number,
				  .rest = table_look(c->t, row, c->excluded)->number,
				  .part_door = door[k ? DOOR_B : DOOR_A], .whole_door = door[DOOR_N],
				  .rest_door = door[DOOR_LEFT_OUT], .run = c->ctx->runs[k]};
	table_at(c->t, row, k ? c->accuracy_against : c->accuracy_run)->share = s;
}

/* The row has each door once; cells share it. */
static void open_row(const struct comparing *c, const char *condition)
{
	const struct {
		size_t column;
		enum door door;
	} of[] = {{c->n, DOOR_N},           {c->both, DOOR_BOTH},       {c->only_run, DOOR_ONLY_A},
		  {c->neither, DOOR_NEITHER}, {c->only_against, DOOR_ONLY_B}, {c->accuracy_run, DOOR_A},
		  {c->accuracy_against, DOOR_B}, {c->excluded, DOOR_LEFT_OUT}, {c->group, DOOR_FLIPS},
		  {c->flips, DOOR_FLIPS},   {c->delta, DOOR_FLIPS},     {c->lo, DOOR_FLIPS},
		  {c->hi, DOOR_FLIPS},      {c->p_mcnemar, DOOR_FLIPS}, {c->q_value, DOOR_FLIPS},
		  {c->mde, DOOR_FLIPS},     {c->kappa, DOOR_FLIPS},     {c->phi, DOOR_FLIPS}};
	const char *door[N_DOORS];
	size_t row = table_rows(c->t) - 1;

	for (int k = 0; k < N_DOORS; k++)
		door[k] = join(&c->t->arena, c->door[k], condition);
	for (size_t k = 0; k < sizeof of / sizeof *of; k++)
		table_at(c->t, row, of[k].column)->door = door[of[k].door];
	tell_share(c, row, 0, door);
	tell_share(c, row, 1, door);
}

/* --- rows --- */

static double share_of_flips(const struct fourfold *f)
{
	return (double)(f->only_a + f->only_b) / (double)fourfold_n(f);
}

static double smallest_found(const struct comparing *c, const struct fourfold *f)
{
	const struct fourfold *all = &c->count[c->g->n].f;
	double s = share_of_flips(f);

	return paired_mde(fourfold_n(f), s > 0 ? s : share_of_flips(all));
}

static void put_counts(const struct comparing *c, const struct compare_count *k)
{
	const struct fourfold *f = &k->f;
	struct table *t = c->t;

	table_number(t, c->n, (double)fourfold_n(f));
	table_number(t, c->both, (double)f->both);
	table_number(t, c->only_run, (double)f->only_a);
	table_number(t, c->only_against, (double)f->only_b);
	table_number(t, c->neither, (double)f->neither);
	table_number(t, c->flips, (double)(f->only_a + f->only_b));
	table_number(t, c->excluded, (double)k->left_out);
	table_number(t, c->seed, (double)c->pairing->seed);
	table_why(t, c->seed, "what the draws of the bootstrap begin with");
}

static void put_tests(const struct comparing *c, const struct fourfold *f, double p, double q)
{
	double n = (double)fourfold_n(f), mde;
	struct table *t = c->t;

	if (n == 0)
		return;
	table_number(t, c->accuracy_run, (double)(f->both + f->only_a) / n);
	table_number(t, c->accuracy_against, (double)(f->both + f->only_b) / n);
	table_number(t, c->delta, paired_delta(f));
	table_number(t, c->kappa, paired_kappa(f));
	table_number(t, c->phi, paired_phi(f));
	table_number(t, c->p_mcnemar, p);
	table_number(t, c->q_value, q);
	mde = smallest_found(c, f);
	if (isinf(mde)) /* programs get nothing there: JSON has no word for it */
		table_text(t, c->mde, "none");
	else
		table_number(t, c->mde, mde);
}

static double test(const struct comparing *c, const struct fourfold *f)
{
	return fourfold_n(f) ? paired_mcnemar(f->only_b, f->only_a, c->pairing->mid_p) : NAN;
}

static void add_interval(const struct comparing *c, size_t row, uint32_t group)
{
	const struct fourfold *f = &c->count[group].f;
	struct interval v = {.row = row, .f = *f, .group = group, .lo = NAN, .hi = NAN};

	if (fourfold_n(f))
		vec_push(&c->intervals->v, v);
}

static void put_row(const struct comparing *c, const char *name, const char *condition, uint32_t group,
		    double p, double q)
{
	size_t row = table_row(c->t);

	table_text(c->t, c->group, name);
	put_counts(c, &c->count[group]);
	put_tests(c, &c->count[group].f, p, q);
	open_row(c, condition);
	add_interval(c, row, group);
}

static bool is_one(const struct grouping *g)
{
	return g->n == 1 && strcmp(g->name[0], "all") == 0;
}

static enum status put_rows(struct comparing *c, struct err *err)
{
	uint32_t n = is_one(c->g) ? 0 : c->g->n;
	enum status st = OK;

	c->p = xcalloc((size_t)n + 1, sizeof *c->p);
	c->q = xcalloc((size_t)n + 1, sizeof *c->q);
	for (uint32_t k = 0; k < n; k++)
		c->p[k] = test(c, &c->count[k].f);
	paired_bh(c->p, n, c->q);
	table_expect(c->t, (size_t)n + 1);
	put_row(c, "all", "", c->g->n, test(c, &c->count[c->g->n].f), NAN);
	for (uint32_t k = 0; k < n && st == OK; k++) {
		put_row(c, c->g->name[k], c->g->condition[k], k, c->p[k], c->q[k]);
		st = cancel_check(c->ctx->cancel, err);
	}
	return st;
}

/* All samples' interval is there at once; the others, too, unless the caller wants them later. */
static enum status put_intervals(struct comparing *c, struct err *err)
{
	struct intervals *s = c->intervals;
	bool later = c->pairing->intervals != NULL;
	enum status st = OK;

	for (size_t k = 0; k < s->v.n && st == OK; k++) {
		if (later && s->v.v[k].row) {
			intervals_await(s, k, c->t);
			continue;
		}
		if (!intervals_recall(c->pairing->known, s, k))
			intervals_make(s, k);
		intervals_put(s, k, c->t);
		st = cancel_check(c->ctx->cancel, err);
	}
	return st;
}

/* --- what is said of it --- */

static void put_measure(struct buf *out, const char *name, double v)
{
	if (isnan(v))
		buf_printf(out, " %s -", name);
	else
		buf_printf(out, " %s %.3f", name, v);
}

static void note_all(const struct comparing *c)
{
	struct buf measures = BUF_INIT;
	const struct fourfold *f = &c->count[c->g->n].f;
	const struct run *runs = c->ctx->snap->runs;

	table_note(c->t, "a %s, b %s", runs[c->ctx->runs[0]].handle, runs[c->ctx->runs[1]].handle);
	put_measure(&measures, "kappa", paired_kappa(f));
	put_measure(&measures, "phi", paired_phi(f));
	table_note(c->t, "%llu samples counted for both: both right %llu, regressed %llu, improved %llu, neither "
		   "%llu; between being right:%s", (unsigned long long)fourfold_n(f),
		   (unsigned long long)f->both, (unsigned long long)f->only_b, (unsigned long long)f->only_a,
		   (unsigned long long)f->neither, buf_cstr(&measures));
	buf_release(&measures);
}

static void note_method(const struct comparing *c)
{
	unsigned long long seed = c->pairing->seed;
	struct str cluster = c->pairing->cluster;
	unsigned tests = 0, marked = 0;

	if (cluster.n)
		table_note(c->t, "intervals: paired bootstrap, %u draws of whole clusters, %.*s: %u of them; seed %llu",
			   PAIRED_DRAWS, (int)(cluster.n < 100 ? cluster.n : 100), cluster.p, c->n_clusters, seed);
	else
		table_note(c->t, "intervals: paired bootstrap, %u draws of samples; seed %llu", PAIRED_DRAWS, seed);
	if (cluster.n)
		table_note(c->t, "p takes samples as independent, which those of one %.*s are not",
			   (int)(cluster.n < 100 ? cluster.n : 100), cluster.p);
	if (c->pairing->mid_p)
		table_note(c->t, "p: McNemar's test by mid-p");
	for (uint32_t k = 0; k < c->g->n && !is_one(c->g); k++) {
		tests += !isnan(c->q[k]);
		marked += c->q[k] < Q_MARK;
	}
	if (tests)
		table_note(c->t, "%u of %u groups with q below %.2f (Benjamini-Hochberg)", marked, tests, Q_MARK);
}

/* --- making it --- */

static enum status take_grouping(struct comparing *c, struct err *err)
{
	const struct report_ctx *ctx = c->ctx;
	struct str by = ctx->by;
	enum status st;

	c->g = ctx->grouping;
	if (c->g)
		return OK;
	if (!by.n)
		by = str_z(report_first_grouping(ctx->snap, ctx->lens));
	st = grouping_make(ctx->snap, ctx->lens, by, &c->own, err);
	if (st == OK)
		c->g = &c->own;
	return st;
}

static void count(struct comparing *c)
{
	const struct report_ctx *ctx = c->ctx;
	uint8_t *own[2];
	const uint8_t *a = report_verdicts_of(ctx, ctx->runs[0], &own[0]);
	const uint8_t *b = report_verdicts_of(ctx, ctx->runs[1], &own[1]);
	uint32_t n = ctx->snap->n;

	c->compared = xmalloc((size_t)n + 1);
	c->count = xcalloc((size_t)c->g->n + 1, sizeof *c->count);
	compare_samples(a, b, n, ctx->mask, c->compared);
	compare_groups(c->compared, n, c->g->off, c->g->val, c->g->n, c->count);
	c->coverage.both = (uint32_t)fourfold_n(&c->count[c->g->n].f);
	c->coverage.only_a = compare_alone(c->compared, a, n);
	c->coverage.only_b = compare_alone(c->compared, b, n);
	free(own[0]);
	free(own[1]);
}

static enum status take_clusters(struct comparing *c, struct err *err)
{
	struct clustering_of cluster;
	enum status st;

	c->intervals = xcalloc(1, sizeof *c->intervals);
	c->intervals->seed = c->pairing->seed;
	if (!c->pairing->cluster.n)
		return OK;
	st = cluster_make(c->ctx->snap, c->pairing->cluster, &cluster, err);
	if (st != OK)
		return st;
	compare_clusters(c->compared, c->ctx->snap->n, c->g->off, c->g->val, c->g->n, cluster.of, cluster.n,
			 &c->intervals->clusters);
	c->n_clusters = (uint32_t)(c->intervals->clusters.from[c->g->n + 1] - c->intervals->clusters.from[c->g->n]);
	cluster_release(&cluster);
	return OK;
}

static enum status fill(struct comparing *c, struct err *err)
{
	enum status st;

	count_columns(c);
	test_columns(c);
	detail_columns(c);
	make_doors(c);
	c->intervals->lo = c->lo;
	c->intervals->hi = c->hi;
	report_warn_runs(c->ctx, c->t);
	report_warn_coverage(&c->coverage, c->t);
	if (c->pairing->cluster.n && c->n_clusters < CLUSTERS_FEW)
		table_warn(c->t, "only %u clusters are drawn: intervals of so few are too narrow", c->n_clusters);
	st = put_rows(c, err);
	if (st == OK)
		st = put_intervals(c, err);
	if (st != OK)
		return st;
	note_all(c);
	note_method(c);
	report_note_left_out(c->ctx, c->t);
	return OK;
}

static void release(struct comparing *c)
{
	grouping_release(&c->own);
	intervals_free(c->intervals);
	free(c->compared);
	free(c->count);
	free(c->p);
	free(c->q);
	for (int k = 0; k < N_DOORS; k++)
		free(c->door[k]);
}

enum status report_compare(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	static const struct report_pairing usual = {.seed = PAIRED_SEED};
	struct comparing c = {.ctx = ctx, .t = out, .pairing = ctx->pairing ? ctx->pairing : &usual};
	enum status st;

	if (ctx->n_runs != 2)
		return err_set(err, E_USAGE, "compare is a table of two runs: --run A --against B");
	st = take_grouping(&c, err);
	if (st != OK)
		return st;
	count(&c);
	st = take_clusters(&c, err);
	if (st == OK) {
		table_init(out, "compare");
		st = fill(&c, err);
		if (st != OK)
			table_release(out);
	}
	if (st == OK && c.pairing->intervals) {
		*c.pairing->intervals = c.intervals;
		c.intervals = NULL;
	}
	release(&c);
	return st;
}
