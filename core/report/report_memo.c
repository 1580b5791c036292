/*
 * MEMO-Bench (benchmarks.md §4): how well models understand emotions, by emotion, and how well the
 * degree that they answer follows the one that people see; and how well generators made the
 * emotion that they were asked for, by generator.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/eval/stats.h"
#include "core/eval/truth.h"
#include "core/report/repeats.h"
#include "core/report/report_impl.h"

#define CLASSES_IN_A_DOOR 24 /* "of any class" is written out */
#define GENERATORS_MAX 64     /* more are no generators, and only all of them have a row */

enum family { UNDERSTANDING, GENERATION }; /* accuracies of one kind are compared */

struct memo {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping classes, generators; /* classes: of the lens's layer */
	bool has_generators;
	int prompt, seen, shown; /* layers; the run that stands for `seen`; -1: there is none */
	int degree;              /* facet: the degree's mean opinion score; -1: there is none */
	size_t name, run, protocol, generator, group, layer, n, right, excluded, accuracy, lo, hi, rank;
	size_t srcc, plcc, krcc, rmse, n_fine, repeats;
	struct repeats folded; /* the rows of the runs, which are the first ones */
};

struct counts {
	uint64_t n, right, excluded;
};

static const char formula_understood[] =
    "UACC_k = P(answer = k | most annotators see k); MEMO-Bench §5.1, as its formula (3)";
static const char formula_generated[] =
    "GACC_k = P(most annotators see k | the prompt asks for k), failures left out; MEMO-Bench formula (3)";

static const char formula_mos[] =
    "mean opinion scores of raw ratings are z scores by rater, without the raters that ITU-R BT.500 rejects, "
    "as 5 (z + 3) / 6 clipped to 0 … 5 and averaged; else they are as the file has them";

/* --- columns --- */

static void fine_columns(struct memo *m)
{
	struct table *t = m->t;

	m->srcc = table_column(t, "srcc", "SRCC", TABLE_NUMBER, BEST_HIGH,
			       "Spearman's rank correlation of answered degree and mean opinion score, on the "
			       "samples whose emotion is right (MEMO-Bench §5.1)");
	m->plcc = table_column(t, "plcc", "PLCC", TABLE_NUMBER, BEST_HIGH,
			       "Pearson's correlation of answered degree and mean opinion score, on the samples "
			       "whose emotion is right (MEMO-Bench §5.1)");
	m->krcc = table_column(t, "krcc", "KRCC", TABLE_NUMBER, BEST_HIGH,
			       "Kendall's tau-b of answered degree and mean opinion score, on the samples whose "
			       "emotion is right (MEMO-Bench §5.1)");
	m->rmse = table_column(t, "rmse", "RMSE", TABLE_NUMBER, BEST_LOW,
			       "root of the mean squared difference of answered degree and mean opinion score, "
			       "0 to 5, on the samples whose emotion is right (MEMO-Bench §5.1)");
	m->n_fine = table_column(t, "n_fine", "n fine", TABLE_COUNT, BEST_NONE,
				 "samples whose emotion is right, with an answered degree and a mean opinion score");
}

static void make_columns(struct memo *m)
{
	struct table *t = m->t;

	m->name = table_column(t, "name", m->has_generators ? "run, generator" : "run", TABLE_TEXT, BEST_NONE,
			       "the run's handle, or who made the pictures");
	m->run = table_detail(t, table_column(t, "run", "run", TABLE_TEXT, BEST_NONE,
					      "the run's handle; what annotators see, as a run, for generators"));
	m->protocol = table_detail(t, table_column(t, "protocol", "protocol", TABLE_TEXT, BEST_NONE, "how it was asked"));
	if (m->has_generators)
		m->generator = table_detail(t, table_column(t, "generator", "generator", TABLE_TEXT, BEST_NONE,
							    "\"all\" or who made the pictures"));
	m->group = table_column(t, "group", "emotion", TABLE_TEXT, BEST_NONE, "\"all\" or one emotion");
	m->layer = table_column(t, "layer", "layer", TABLE_TEXT, BEST_NONE,
				"the truth it is judged by; prompt: what generators were asked for");
	m->n = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "counted answers");
	m->right = table_detail(t, table_column(t, "right", "right", TABLE_COUNT, BEST_NONE, "right answers"));
	m->excluded = table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
				   "answers that are not counted; n and these are the population");
	m->accuracy = table_column(t, "accuracy", "accuracy", TABLE_SHARE, BEST_HIGH,
				   "right / n: UACC of runs, GACC of generators");
	m->lo = table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	m->hi = table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	m->rank = table_column(t, "rank", "rank", TABLE_COUNT, BEST_NONE,
			       "by accuracy, among runs, or generators, of the same n");
	fine_columns(m);
	m->repeats = table_detail(t, table_column(t, "repeats", "repeats", TABLE_COUNT, BEST_NONE,
						  "runs whose mean this is; the interval is then Student's t"));
	report_reference_column(m->ctx, t);
	t->pivot_group = m->group;
	t->pivot_value = m->accuracy;
}

/* --- a row --- */

struct place { /* of a row */
	const char *name, *run, *protocol, *generator, *group;
	int layer;
	enum family family;
};

static void put_row(struct memo *m, const struct place *p, const struct counts *c)
{
	struct table *t = m->t;
	double lo, hi;

	table_row(t);
	table_text(t, m->name, p->name);
	table_text(t, m->run, p->run);
	table_text(t, m->protocol, p->protocol);
	if (m->has_generators)
		table_text(t, m->generator, p->generator);
	table_text(t, m->group, p->group);
	table_text(t, m->layer, report_layer_name(m->ctx, p->layer));
	table_number(t, m->n, (double)c->n);
	table_number(t, m->right, (double)c->right);
	table_number(t, m->excluded, (double)c->excluded);
	if (c->n) {
		stats_wilson(c->right, c->n, &lo, &hi);
		table_number(t, m->accuracy, (double)c->right / (double)c->n);
		table_number(t, m->lo, lo);
		table_number(t, m->hi, hi);
	}
	table_at(t, table_rows(t) - 1, m->accuracy)->family = (unsigned char)p->family;
}

/* --- understanding --- */

static void count_verdict(struct counts *c, uint8_t verdict)
{
	c->n += verdict != VERDICT_UNCOUNTED;
	c->right += verdict == VERDICT_RIGHT;
	c->excluded += verdict == VERDICT_UNCOUNTED;
}

/* [classes.n + 1]; the last one is of all samples. */
static struct counts *count_run(const struct memo *m, const uint8_t *verdict)
{
	const struct grouping *g = &m->classes;
	struct counts *c = xcalloc((size_t)g->n + 1, sizeof *c);

	for (uint32_t i = 0; i < m->ctx->snap->n; i++) {
		if (m->ctx->mask && !bits_get(m->ctx->mask, i))
			continue;
		count_verdict(&c[g->n], verdict[i]);
		for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++)
			count_verdict(&c[g->val[k]], verdict[i]);
	}
	return c;
}

static void put_understood(struct memo *m, int run, const char *group, const char *condition,
			   const struct counts *c)
{
	const struct run *r = &m->ctx->snap->runs[run];
	const size_t told[] = {m->n, m->right, m->excluded, m->accuracy};

	put_row(m, &(struct place){r->handle, r->handle, r->protocol, "all", group, m->ctx->lens->layer,
				   UNDERSTANDING}, c);
	report_put_share(m->ctx, m->t, run, condition, told,
			 &(struct table_share){.part = (double)c->right, .whole = (double)c->n,
					       .rest = (double)c->excluded, .formula = formula_understood});
	table_door(m->t, m->group, condition);
}

/* Answered degrees and mean opinion scores of the samples whose emotion is right. */
struct fine {
	double *answered, *mos, least; /* least: of the answered ones */
	size_t n;
};

static enum status collect_fine(const struct memo *m, int run, const uint8_t *verdict, struct fine *f,
				struct err *err)
{
	const struct report_ctx *ctx = m->ctx;
	const struct column *degree = NULL;
	enum status st = OK;

	*f = (struct fine){.least = INFINITY};
	if (m->degree >= 0 && run < (int)ctx->snap->n_runs && ctx->source && ctx->source->number)
		st = ctx->source->number(ctx->source->ctx, run, "degree", &degree, err);
	if (st != OK || !degree || !degree->n)
		return st;
	f->answered = xcalloc((size_t)ctx->snap->n + 1, sizeof *f->answered);
	f->mos = xcalloc((size_t)ctx->snap->n + 1, sizeof *f->mos);
	for (uint32_t i = 0; i < ctx->snap->n; i++) {
		double answered = column_f(degree, i), mos = column_f(&ctx->snap->facets[m->degree].number, i);

		if ((ctx->mask && !bits_get(ctx->mask, i)) || verdict[i] != VERDICT_RIGHT ||
		    !isfinite(answered) || !isfinite(mos))
			continue;
		f->answered[f->n] = answered;
		f->mos[f->n++] = mos;
		f->least = answered < f->least ? answered : f->least;
	}
	return OK;
}

/* in: the samples that are in it; out: those whose emotion is right all the same. */
static void fine_doors(const struct memo *m, int run, const struct fine *f, struct buf *in, struct buf *out)
{
	const char *handle = m->ctx->snap->runs[run].handle;
	struct buf both = BUF_INIT;

	buf_z(&both, "degree");
	filter_put_who(&both, handle);
	buf_printf(&both, ">=%.17g -", f->least);
	filter_put_facet(&both, m->ctx->snap->facets[m->degree].name);
	buf_z(&both, "(none)");
	for (int k = 0; k < 2; k++) {
		buf_z(k ? out : in, "right");
		filter_put_who(k ? out : in, handle);
		buf_printf(k ? out : in, k ? " -(%s)" : " %s", buf_cstr(&both));
	}
	buf_release(&both);
}

/* The answers whose emotion is right, and of them those that the figures are made of. */
static void put_fine_share(struct memo *m, int run, const struct fine *f)
{
	const size_t columns[] = {m->srcc, m->plcc, m->krcc, m->rmse, m->n_fine};
	const size_t n = sizeof columns / sizeof *columns;
	struct buf in = BUF_INIT, out = BUF_INIT;
	struct table_share share = {.part = (double)f->n, .whole = (double)f->n, .run = run,
				    .rest = table_look(m->t, table_rows(m->t) - 1, m->right)->number - (double)f->n,
				    .formula = formula_mos,
				    .why = "no degree is answered, or there is no mean opinion score"};

	fine_doors(m, run, f, &in, &out);
	share.part_door = share.whole_door = buf_cstr(&in);
	share.rest_door = buf_cstr(&out);
	table_share(m->t, columns, n, &share);
	for (size_t k = 0; k < n; k++)
		table_door(m->t, columns[k], buf_cstr(&in));
	buf_release(&in);
	buf_release(&out);
}

/* Into the row of all emotions, the last one. */
static enum status put_fine(struct memo *m, int run, const uint8_t *verdict, struct err *err)
{
	struct fine f;
	enum status st = collect_fine(m, run, verdict, &f, err);

	if (st == OK && f.answered) {
		table_number(m->t, m->srcc, stats_spearman(f.answered, f.mos, f.n));
		table_number(m->t, m->plcc, stats_pearson(f.answered, f.mos, f.n));
		table_number(m->t, m->krcc, stats_kendall(f.answered, f.mos, f.n));
		table_number(m->t, m->rmse, stats_rmse(f.answered, f.mos, f.n));
		table_number(m->t, m->n_fine, (double)f.n);
	}
	if (st == OK && f.n)
		put_fine_share(m, run, &f);
	free(f.answered);
	free(f.mos);
	return st;
}

static enum status put_run(struct memo *m, int run, struct err *err)
{
	const struct grouping *g = &m->classes;
	uint8_t *verdict = report_verdicts(m->ctx, run, m->ctx->lens);
	struct counts *c = count_run(m, verdict);
	enum status st;

	put_understood(m, run, "all", "", &c[g->n]);
	st = put_fine(m, run, verdict, err);
	for (uint32_t k = 0; k < g->n && st == OK; k++)
		put_understood(m, run, g->name[k], g->condition[k], &c[k]);
	free(c);
	free(verdict);
	return st != OK ? st : cancel_check(m->ctx->cancel, err);
}

/* --- generation --- */

struct generated { /* by generator, all last; by class, all last */
	const struct memo *m;
	struct truth asked, seen;
	struct counts *c;
	uint64_t no_prompt, failed; /* why samples are left out */
};

static struct counts *of(const struct generated *g, size_t generator, size_t class)
{
	return &g->c[generator * ((size_t)g->m->ctx->snap->n_classes + 1) + class];
}

static bool says(const struct truth *t, uint32_t i)
{
	return t->covered[i] && t->off[i + 1] > t->off[i];
}

static void add(struct counts *c, bool counted, bool right)
{
	c->n += counted;
	c->right += counted && right;
	c->excluded += !counted;
}

/* The sample, into the counts of one generator. */
static void count_generated(const struct generated *g, size_t generator, uint32_t i)
{
	const struct truth *asked = &g->asked, *seen = &g->seen;
	bool ok = says(asked, i) && says(seen, i), any = false;

	for (uint32_t k = asked->off[i]; asked->covered[i] && k < asked->off[i + 1]; k++) {
		uint32_t class = asked->val[k];
		bool right = ok && set_has(seen->val + seen->off[i], seen->off[i + 1] - seen->off[i], class);

		add(of(g, generator, class), ok, right);
		any |= right;
	}
	add(of(g, generator, g->m->ctx->snap->n_classes), ok, any);
}

static void count_all(struct generated *g)
{
	const struct report_ctx *ctx = g->m->ctx;
	const struct grouping *by = &g->m->generators;

	for (uint32_t i = 0; i < ctx->snap->n; i++) {
		if (ctx->mask && !bits_get(ctx->mask, i))
			continue;
		count_generated(g, by->n, i);
		for (uint32_t k = by->off[i]; k < by->off[i + 1]; k++)
			count_generated(g, by->val[k], i);
		g->no_prompt += !says(&g->asked, i);
		g->failed += says(&g->asked, i) && !says(&g->seen, i);
	}
}

/* "answered@layer:prompt": whatever the lens is, the layer says something. */
static void put_says(const struct memo *m, struct buf *out, int layer)
{
	buf_z(out, "answered");
	filter_put_who(out, m->ctx->snap->runs[m->ctx->snap->n_runs + (uint32_t)layer].handle);
}

static void put_class(const struct memo *m, struct buf *out, int layer, size_t class)
{
	buf_z(out, "gt@");
	filter_put_value(out, str_z(m->ctx->snap->layers[layer].name));
	/* The grouping's own "gt:CLASS", of this layer. */
	buf_printf(out, ":%s", m->classes.condition[class] + strlen("gt:"));
}

static void put_met(const struct memo *m, struct buf *out, size_t class)
{
	put_class(m, out, m->prompt, class);
	buf_ch(out, ' ');
	put_class(m, out, m->seen, class);
}

static void put_any_met(const struct memo *m, struct buf *out)
{
	uint32_t n = m->ctx->snap->n_classes;

	buf_ch(out, '(');
	for (uint32_t k = 0; k < n; k++) {
		buf_z(out, k ? " or (" : "(");
		put_met(m, out, k);
		buf_ch(out, ')');
	}
	buf_ch(out, ')');
}

/* What opens a row's samples, whatever the lens is. */
static void doors(const struct memo *m, const char *generator, size_t class, struct buf door[3])
{
	bool all = class == m->ctx->snap->n_classes;

	for (int k = 0; k < 3; k++)
		buf_printf(&door[k], "%s%s", generator, *generator ? " " : "");
	if (all) {
		put_any_met(m, &door[0]);
		put_says(m, &door[1], m->prompt);
		buf_ch(&door[1], ' ');
		put_says(m, &door[1], m->seen);
		buf_z(&door[2], "-(");
		put_says(m, &door[2], m->prompt);
		buf_ch(&door[2], ' ');
		put_says(m, &door[2], m->seen);
		buf_ch(&door[2], ')');
		return;
	}
	put_met(m, &door[0], class);
	put_class(m, &door[1], m->prompt, class);
	buf_ch(&door[1], ' ');
	put_says(m, &door[1], m->seen);
	put_class(m, &door[2], m->prompt, class);
	buf_z(&door[2], " -");
	put_says(m, &door[2], m->seen);
}

static void put_generated_share(struct memo *m, const char *generator, size_t class, const struct counts *c)
{
	const size_t told[] = {m->n, m->right, m->excluded, m->accuracy};
	struct buf door[3] = {BUF_INIT, BUF_INIT, BUF_INIT};
	struct table_share share = {.part = (double)c->right, .whole = (double)c->n, .rest = (double)c->excluded,
				    .run = m->shown, .formula = formula_generated,
				    .why = "generation failed, or the prompt's emotion is not known"};

	if (m->ctx->snap->n_classes > CLASSES_IN_A_DOOR && class == m->ctx->snap->n_classes)
		return;
	doors(m, generator, class, door);
	share.part_door = buf_cstr(&door[0]);
	share.whole_door = buf_cstr(&door[1]);
	share.rest_door = buf_cstr(&door[2]);
	table_share(m->t, told, sizeof told / sizeof *told, &share);
	table_door(m->t, m->n, share.whole_door);
	table_door(m->t, m->right, share.part_door);
	table_door(m->t, m->excluded, share.rest_door);
	table_door(m->t, m->accuracy, share.part_door);
	for (int k = 0; k < 3; k++)
		buf_release(&door[k]);
}

static void put_generator(struct memo *m, const struct generated *g, size_t generator)
{
	uint32_t n = m->ctx->snap->n_classes;
	bool all = generator == m->generators.n;
	const char *condition = all ? "" : m->generators.condition[generator];
	struct place p = {.run = m->ctx->snap->runs[m->shown].handle, .protocol = "",
			  .generator = all ? "all" : m->generators.name[generator],
			  .name = all ? "all generators" : m->generators.name[generator],
			  .layer = m->prompt, .family = GENERATION};

	for (uint32_t i = 0; i <= n; i++) {
		uint32_t k = i ? i - 1 : n; /* of all emotions first */

		p.group = k == n ? "all" : m->classes.name[k];
		put_row(m, &p, of(g, generator, k));
		if (!all)
			table_door(m->t, m->name, condition);
		put_generated_share(m, condition, k, of(g, generator, k));
	}
}

static enum status put_generators(struct memo *m, struct err *err)
{
	struct generated g = {.m = m};
	size_t rows = (size_t)m->generators.n + 1;

	g.c = xcalloc(rows * ((size_t)m->ctx->snap->n_classes + 1), sizeof *g.c);
	truth_init(&g.asked, m->ctx->snap, m->prompt);
	truth_init(&g.seen, m->ctx->snap, m->seen);
	count_all(&g);
	put_generator(m, &g, m->generators.n);
	for (uint32_t k = 0; k < m->generators.n && m->has_generators; k++)
		put_generator(m, &g, k);
	table_note(m->t, "generators: %s judged by what the prompt asked for; confusion --run %s --lens layer=%s has "
			 "the errors", m->ctx->snap->runs[m->shown].handle, m->ctx->snap->runs[m->shown].handle,
		   report_layer_name(m->ctx, m->prompt));
	if (g.failed || g.no_prompt)
		table_note(m->t, "left out of %s: %llu without a label, as where generation failed, %llu whose prompt's "
				 "emotion is not known", m->ctx->snap->runs[m->shown].handle,
			   (unsigned long long)g.failed, (unsigned long long)g.no_prompt);
	truth_release(&g.asked);
	truth_release(&g.seen);
	free(g.c);
	return cancel_check(m->ctx->cancel, err);
}

/* --- all together --- */

/* Has it part in a mean, which has the rank? */
static bool is_member(const struct memo *m, size_t row)
{
	size_t block = row / ((size_t)m->classes.n + 1);

	return block < m->folded.n_blocks && m->folded.member[block];
}

static bool same_rank_list(const struct memo *m, size_t a, size_t b)
{
	const struct table *t = m->t;
	bool generators = table_look(t, a, m->accuracy)->family == GENERATION;

	if (table_look(t, a, m->accuracy)->family != table_look(t, b, m->accuracy)->family ||
	    table_look(t, a, m->n)->number != table_look(t, b, m->n)->number ||
	    strcmp(table_look(t, a, m->group)->text, table_look(t, b, m->group)->text) != 0)
		return false;
	return !generators || !m->has_generators ||
	       (strcmp(table_look(t, a, m->generator)->text, "all") != 0) ==
		   (strcmp(table_look(t, b, m->generator)->text, "all") != 0);
}

/* The best is 1, equals share; one alone has no rank. */
static void rank_rows(const struct memo *m)
{
	for (size_t i = 0; i < table_rows(m->t); i++) {
		double mine = table_look(m->t, i, m->accuracy)->number, rank = 1;
		bool others = false;

		for (size_t k = 0; k < table_rows(m->t) && !is_member(m, i); k++)
			if (k != i && !is_member(m, k) && same_rank_list(m, i, k)) {
				others = true;
				rank += table_look(m->t, k, m->accuracy)->number > mine;
			}
		if (others && !isnan(mine))
			table_at(m->t, i, m->rank)->number = rank;
	}
}

/* Generators are shown with all runs, or when what stands for them is asked for. */
static bool wants_generators(const struct memo *m)
{
	const struct report_ctx *ctx = m->ctx;
	uint32_t shown = 0;
	int n = 0;

	if (m->shown < 0 || m->prompt < 0)
		return false;
	for (uint32_t r = 0; r < ctx->snap->n_runs; r++)
		shown += !ctx->snap->runs[r].scratch;
	for (int r = 0; r < ctx->n_runs; r++) {
		if (ctx->runs[r] == m->shown)
			return true;
		n += ctx->runs[r] < (int)ctx->snap->n_runs;
	}
	return n == (int)shown;
}

static enum status put_runs(struct memo *m, bool generators, struct err *err)
{
	struct report_ctx ctx = *m->ctx;
	int *runs = xcalloc((size_t)ctx.n_runs + 1, sizeof *runs);
	enum status st = OK;

	/* The annotators' label as a run says nothing under itself: it stands for the generators. */
	ctx.n_runs = 0;
	for (int r = 0; r < m->ctx->n_runs; r++)
		if (!generators || m->ctx->runs[r] != m->shown)
			runs[ctx.n_runs++] = m->ctx->runs[r];
	ctx.runs = runs;
	steps_expect(ctx.steps, (size_t)ctx.n_runs);
	for (int r = 0; r < ctx.n_runs && st == OK; r++) {
		st = put_run(m, runs[r], err);
		steps_take(ctx.steps);
	}
	if (st == OK)
		repeats_fold(&ctx, m->t, ctx.unfold, &m->folded);
	free(runs);
	return st;
}

static enum status make_rows(struct memo *m, struct err *err)
{
	bool generators = wants_generators(m);
	enum status st;

	m->folded = (struct repeats){.run = m->run, .name = m->name, .accuracy = m->accuracy, .lo = m->lo,
				     .hi = m->hi, .repeats = m->repeats};
	st = put_runs(m, generators, err);
	if (st == OK && generators)
		st = put_generators(m, err);
	return st;
}

static enum status make_groupings(struct memo *m, struct err *err)
{
	const struct snapshot *snap = m->ctx->snap;
	int facet = snapshot_facet(snap, STR("generator"));
	enum status st = grouping_make(snap, m->ctx->lens, STR("class"), &m->classes, err);

	m->has_generators = facet >= 0 && !snap->facets[facet].numeric &&
			    snap->facets[facet].n_values <= GENERATORS_MAX;
	if (st == OK)
		st = grouping_make(snap, m->ctx->lens, m->has_generators ? STR("generator") : STR("none"),
				   &m->generators, err);
	if (st != OK)
		grouping_release(&m->classes);
	return st;
}

enum status report_memo(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct memo m = {.ctx = ctx, .t = out, .prompt = snapshot_layer(ctx->snap, STR("prompt")),
			 .seen = snapshot_layer(ctx->snap, STR("original")), .shown = -1,
			 .degree = snapshot_facet(ctx->snap, STR("degree"))};
	enum status st = make_groupings(&m, err);

	if (st != OK)
		return st;
	if (m.seen >= 0 && (uint32_t)m.seen < ctx->snap->n_layer_runs)
		m.shown = (int)ctx->snap->n_runs + m.seen;
	if (m.degree >= 0 && !ctx->snap->facets[m.degree].numeric)
		m.degree = -1;
	table_init(out, "accuracy");
	make_columns(&m);
	st = make_rows(&m, err);
	if (st == OK) {
		rank_rows(&m);
		report_put_references(ctx, out);
		report_note_left_out(ctx, out);
	} else {
		table_release(out);
	}
	free(m.folded.member);
	grouping_release(&m.classes);
	grouping_release(&m.generators);
	return st;
}

static bool has_degrees(const struct report_ctx *ctx)
{
	for (size_t k = 0; ctx->source && k < ctx->source->n_numbers; k++)
		if (strcmp(ctx->source->numbers[k], "degree") == 0)
			return true;
	return false;
}

bool report_fits_memo(const struct report_ctx *ctx)
{
	int degree = snapshot_facet(ctx->snap, STR("degree"));

	if (!ctx->snap->n_classes || ctx->snap->n_classes > REPORT_MEMO_CLASSES)
		return false;
	return strcmp(ctx->snap->preset, "memo") == 0 ||
	       (degree >= 0 && ctx->snap->facets[degree].numeric && has_degrees(ctx));
}
