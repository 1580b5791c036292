#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/truth.h"
#include "core/report/agreement.h"
#include "core/report/report_impl.h"

#define NOT_EMPTY "-gt:(none)"

static const struct {
	const char *word, *title, *help;
} measures[N_AGREEMENT_MEASURES] = {
    [AGREE_PHI] = {"phi", "phi of right and wrong",
		   "correlation of what they are right about, over samples with a label that both count"},
    [AGREE_KAPPA] = {"kappa", "kappa of the answers",
		     "Cohen's κ of the mapped answers, over samples where both have one"},
    [AGREE_SPEARMAN] = {"spearman", "Spearman's rho of the recall per class",
			"Spearman's ρ of the recall per class, over samples with one true class (S)"},
};

const char *agreement_word(enum agreement_measure m)
{
	return measures[m].word;
}

const char *agreement_title(enum agreement_measure m)
{
	return measures[m].title;
}

struct making {
	const struct report_ctx *ctx;
	struct agreement *a;
	struct table *t;
	bool together, runs, pairs; /* which rows are asked for */
	bool has_empty;             /* counted samples may have an empty truth */
	size_t kind, run, who, against, n, share, right, only, all_but, both, only_run, only_against, neither,
	    answered, same, classes;
};

/* --- doors --- */

static void put_word(struct buf *out, const struct making *m, const char *word, int k)
{
	buf_z(out, out->n && out->p[out->n - 1] != '(' ? " " : "");
	buf_z(out, word);
	filter_put_who(out, m->ctx->snap->runs[m->ctx->runs[k]].handle);
}

/* The shorter half by name, of the others how many there are. With more runs than a row holds, all
 * of them by name. */
static void put_who(struct buf *out, const struct making *m, uint64_t who)
{
	const struct together *t = &m->a->together;
	int n = t->n_runs, k = __builtin_popcountll(who);
	bool all = m->ctx->n_runs > n, few = k <= n / 2;

	if (!all && (k == 0 || k == n)) {
		buf_z(out, k ? "right@all" : "wrong@all");
		return;
	}
	for (int r = 0; r < n; r++) {
		bool in = who >> r & 1;

		if (all || in == few)
			put_word(out, m, in ? "right" : "wrong", r);
	}
	if (!all)
		buf_printf(out, few ? " wrong@%d+" : " right@%d+", few ? n - k : k);
}

static void put_counted(struct buf *out, const struct making *m)
{
	if (m->ctx->n_runs <= m->a->together.n_runs) {
		buf_z(out, "-uncounted@any");
		return;
	}
	for (int r = 0; r < m->a->together.n_runs; r++)
		put_word(out, m, "-uncounted", r);
}

static void put_rest(struct buf *out, const struct making *m)
{
	put_counted(out, m);
	for (size_t i = 0; i + 1 < m->a->n_bars; i++) {
		struct buf row = BUF_INIT;

		put_who(&row, m, m->a->who[i]);
		buf_printf(out, " -(%s)", buf_cstr(&row));
		buf_release(&row);
	}
}

/* --- columns --- */

static void make_columns(struct making *m)
{
	struct table *t = m->t;

	m->kind = table_column(t, "kind", "of", TABLE_TEXT, BEST_NONE, "together, run or pair");
	m->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE,
			      "who is right, and nobody else; or the run; or the first run of the pair");
	m->who = table_detail(t, table_column(t, "who", "who", TABLE_TEXT, BEST_NONE,
					      "of bars: 1 for each run that is right and 0 for the others, in the "
					      "order of the runs below"));
	m->against = table_column(t, "against", "with", TABLE_TEXT, BEST_NONE, "the second run of the pair");
	m->n = table_column(t, "n", "samples", TABLE_COUNT, BEST_NONE,
			    "samples; of runs: that all have a counted answer to; of pairs: that both have, and "
			    "that have a label");
	m->share = table_column(t, "share", "share", TABLE_SHARE, BEST_NONE,
				"of the samples that all runs have a counted answer to; of runs: right of them");
	m->right = table_column(t, "right", "right", TABLE_COUNT, BEST_HIGH, "samples that the run is right about");
	m->only = table_column(t, "only", "it alone right", TABLE_COUNT, BEST_NONE,
			       "samples that no other run is right about");
	m->all_but = table_column(t, "all_but", "it alone wrong", TABLE_COUNT, BEST_NONE,
				  "samples that all other runs are right about");
	m->both = table_column(t, "both", "both right", TABLE_COUNT, BEST_NONE, "both are right");
	m->only_run = table_column(t, "only_run", "1st only", TABLE_COUNT, BEST_NONE,
				   "the first is right and the second wrong");
	m->only_against = table_column(t, "only_against", "2nd only", TABLE_COUNT, BEST_NONE,
				       "the second is right and the first wrong");
	m->neither = table_column(t, "neither", "neither", TABLE_COUNT, BEST_NONE, "both are wrong");
	m->answered = table_column(t, "answered", "answers", TABLE_COUNT, BEST_NONE,
				   "samples where both have a mapped answer");
	m->same = table_column(t, "same", "the same", TABLE_COUNT, BEST_NONE, "of them, the same one");
	m->classes = table_column(t, "classes", "classes", TABLE_COUNT, BEST_NONE,
				  "classes with a counted sample of both that has this class alone");
	for (int k = 0; k < N_AGREEMENT_MEASURES; k++)
		m->a->measure[k] = table_column(t, measures[k].word, measures[k].word, TABLE_NUMBER, BEST_NONE,
						measures[k].help);
	m->a->n = m->n;
	m->a->right = m->right;
	m->a->only = m->only;
	m->a->all_but = m->all_but;
}

static const char *handle_of(const struct making *m, int k)
{
	return m->ctx->snap->runs[m->ctx->runs[k]].handle;
}

static void put_count(const struct making *m, size_t column, double n, struct buf *door)
{
	table_number(m->t, column, n);
	if (door->n)
		table_door(m->t, column, buf_cstr(door));
	buf_clear(door);
}

/* --- bars --- */

static void name_bar(const struct making *m, size_t i, struct buf *out)
{
	const struct together *t = &m->a->together;
	uint64_t who = m->a->who[i];

	if (m->a->has_rest && i + 1 == m->a->n_bars) {
		buf_z(out, "the rest");
	} else if (who == 0 || who == together_everybody(t)) {
		buf_z(out, who ? "everybody" : "nobody");
	} else {
		bool most = 2 * __builtin_popcountll(who) > t->n_runs, any = false;

		buf_z(out, most ? "all but " : "");
		for (int r = 0; r < t->n_runs; r++)
			if ((who >> r & 1) != most) {
				buf_printf(out, "%s%s", any ? " + " : "", handle_of(m, r));
				any = true;
			}
	}
}

static uint32_t choose_bars(struct agreement *a)
{
	const struct together *t = &a->together;
	uint64_t everybody = together_everybody(t);
	uint32_t rest = t->n;

	a->who[a->n_bars++] = everybody;
	a->who[a->n_bars++] = 0;
	rest -= together_count(t, everybody) + together_count(t, 0);
	for (uint32_t i = 0; i < t->n_rows && a->n_bars < AGREEMENT_TOP + 2; i++)
		if (t->row[i].who && t->row[i].who != everybody) {
			a->who[a->n_bars++] = t->row[i].who;
			rest -= t->row[i].n;
		}
	a->has_rest = rest > 0;
	a->n_bars += a->has_rest;
	return rest;
}

static void put_bars(struct making *m)
{
	struct agreement *a = m->a;
	uint32_t rest = a->together.n_runs ? choose_bars(a) : 0;
	struct buf text = BUF_INIT;

	for (size_t i = 0; i < a->n_bars && m->together; i++) {
		bool is_rest = a->has_rest && i + 1 == a->n_bars;
		uint32_t n = is_rest ? rest : together_count(&a->together, a->who[i]);

		table_row(m->t);
		table_text(m->t, m->kind, "together");
		name_bar(m, i, &text);
		table_text(m->t, m->run, buf_cstr(&text));
		buf_clear(&text);
		if (is_rest)
			put_rest(&text, m);
		else
			put_who(&text, m, a->who[i]);
		table_door(m->t, m->run, buf_cstr(&text));
		put_count(m, m->n, n, &text);
		for (int r = 0; r < a->together.n_runs && !is_rest; r++)
			buf_ch(&text, a->who[i] >> r & 1 ? '1' : '0');
		table_text(m->t, m->who, buf_cstr(&text));
		buf_clear(&text);
		if (a->together.n)
			table_number(m->t, m->share, (double)n / a->together.n);
	}
	buf_release(&text);
}

/* --- runs --- */

static void put_runs(struct making *m)
{
	const struct together *t = &m->a->together;
	struct buf door = BUF_INIT;

	for (int k = 0; k < t->n_runs && m->runs; k++) {
		uint64_t one = (uint64_t)1 << k;

		table_row(m->t);
		table_text(m->t, m->kind, "run");
		table_text(m->t, m->run, handle_of(m, k));
		put_counted(&door, m);
		put_count(m, m->n, t->n, &door);
		if (t->n)
			table_number(m->t, m->share, (double)t->right[k] / t->n);
		put_counted(&door, m);
		put_word(&door, m, "right", k);
		put_count(m, m->right, t->right[k], &door);
		put_who(&door, m, one);
		put_count(m, m->only, t->only[k], &door);
		put_who(&door, m, together_everybody(t) ^ one);
		put_count(m, m->all_but, t->all_but[k], &door);
	}
	buf_release(&door);
}

/* --- pairs --- */

/* One cell of the fourfold table. */
static void put_cell(const struct making *m, size_t column, int i, int k, bool first, bool second, uint64_t n)
{
	struct buf door = BUF_INIT;

	put_word(&door, m, first ? "right" : "wrong", i);
	put_word(&door, m, second ? "right" : "wrong", k);
	buf_z(&door, m->has_empty ? " " NOT_EMPTY : "");
	put_count(m, column, (double)n, &door);
	buf_release(&door);
}

/* Where one of the two is right and the other is not. */
static void put_differ(const struct making *m, int i, int k, const char *also, struct buf *out)
{
	buf_ch(out, '(');
	put_word(out, m, "right", i);
	put_word(out, m, "wrong", k);
	buf_z(out, " or");
	put_word(out, m, "wrong", i);
	put_word(out, m, "right", k);
	buf_printf(out, ")%s%s", *also ? " " : "", also);
}

static void put_agree(const struct making *m, int i, int k, const char *op, struct buf *out)
{
	put_word(out, m, "agree", i);
	buf_z(out, op);
	filter_put_run(out, handle_of(m, k));
}

static void put_answers(const struct making *m, int i, int k)
{
	const struct similar *s = &m->a->similar;
	int at = i * s->n_runs + k;
	struct buf door = BUF_INIT;

	buf_ch(&door, '(');
	put_agree(m, i, k, "=", &door);
	buf_z(&door, " or");
	put_agree(m, i, k, "!=", &door);
	buf_ch(&door, ')');
	put_count(m, m->answered, s->answered[at], &door);
	put_agree(m, i, k, "=", &door);
	put_count(m, m->same, s->same[at], &door);
	put_agree(m, i, k, "!=", &door);
	put_count(m, m->a->measure[AGREE_KAPPA], s->kappa[at], &door);
	buf_release(&door);
}

static void put_pair(const struct making *m, int i, int k)
{
	const struct similar *s = &m->a->similar;
	int at = i * s->n_runs + k;
	const struct fourfold *f = &s->fourfold[at];
	bool categories = eval_category_layer(m->ctx->snap, m->ctx->lens) >= 0;
	struct buf door = BUF_INIT;

	table_row(m->t);
	table_text(m->t, m->kind, "pair");
	table_text(m->t, m->run, handle_of(m, i));
	table_text(m->t, m->against, handle_of(m, k));
	table_number(m->t, m->n, (double)fourfold_n(f));
	put_cell(m, m->both, i, k, true, true, f->both);
	put_cell(m, m->only_run, i, k, true, false, f->only_a);
	put_cell(m, m->only_against, i, k, false, true, f->only_b);
	put_cell(m, m->neither, i, k, false, false, f->neither);
	put_differ(m, i, k, m->has_empty ? NOT_EMPTY : "", &door);
	put_count(m, m->a->measure[AGREE_PHI], s->phi[at], &door);
	put_answers(m, i, k);
	table_number(m->t, m->classes, s->classes[at]);
	if (categories)
		put_differ(m, i, k, "cat:S", &door);
	put_count(m, m->a->measure[AGREE_SPEARMAN], s->spearman[at], &door);
	buf_release(&door);
}

static void put_pairs(struct making *m)
{
	for (int i = 0; i < m->ctx->n_runs && m->pairs; i++)
		for (int k = i + 1; k < m->ctx->n_runs; k++)
			put_pair(m, i, k);
}

size_t agreement_pair(const struct agreement *a, int i, int k)
{
	size_t n = (size_t)a->similar.n_runs, lo = (size_t)(i < k ? i : k), hi = (size_t)(i < k ? k : i);

	return a->first_pair + lo * (2 * n - lo - 1) / 2 + (hi - lo - 1);
}

/* --- all together --- */

static enum status choose_parts(struct making *m, struct err *err)
{
	struct str by = m->ctx->by;

	m->together = !by.n || str_eqz(by, "together");
	m->runs = !by.n || str_eqz(by, "runs");
	m->pairs = !by.n || str_eqz(by, "pairs");
	if (m->together || m->runs || m->pairs)
		return OK;
	return err_set(err, E_USAGE,
		       "agreement is of groups of runs (--by together), runs or pairs, not by \"%.*s\"",
		       (int)(by.n < 200 ? by.n : 200), by.p);
}

/* Under the policy "exclude" what has an empty truth is not counted anyway. */
static bool has_empty(const struct report_ctx *ctx)
{
	for (uint32_t i = 0; i < ctx->snap->n && ctx->lens->n != N_EXCLUDE; i++)
		if (truth_covers(ctx->snap, ctx->lens->layer, i) &&
		    truth_is_empty(ctx->snap, ctx->lens->layer, i))
			return true;
	return false;
}

static enum status count(struct making *m, struct err *err)
{
	const struct report_ctx *ctx = m->ctx;
	struct marks marks;
	enum status st;

	steps_expect(ctx->steps, (size_t)ctx->n_runs * (1 + (m->pairs ? SIMILAR_STEPS : 0)));
	st = marks_make(ctx->snap, ctx->lens, ctx->runs, ctx->n_runs, ctx->mask, ctx->cancel, ctx->steps,
			&marks, err);

	if (st != OK)
		return st;
	st = together_make(&marks, ctx->cancel, &m->a->together, err);
	if (st == OK && m->pairs)
		st = similar_make(ctx->snap, ctx->lens, ctx->runs, &marks, ctx->cancel, ctx->steps,
				  &m->a->similar, err);
	marks_release(&marks);
	return st;
}

static void order_runs(struct agreement *a)
{
	const double *likeness[N_AGREEMENT_MEASURES] = {a->similar.phi, a->similar.kappa, a->similar.spearman};
	int n = a->similar.n_runs;

	for (int k = 0; k < N_AGREEMENT_MEASURES; k++) {
		a->order[k] = xcalloc((size_t)n + 1, sizeof *a->order[k]);
		similar_order(likeness[k], n, a->order[k]);
	}
}

static void put_notes(const struct making *m)
{
	const struct together *t = &m->a->together;

	if (m->ctx->n_runs > t->n_runs)
		table_note(m->t, "together: the first %d of %d runs", t->n_runs, m->ctx->n_runs);
	if (m->together || m->runs)
		table_note(m->t, "together: %u samples that all runs have a counted answer to; %u left out",
			   t->n, t->left_out);
	if (m->pairs && m->has_empty)
		table_note(m->t, "phi: samples with an empty truth, which no run can miss, are left out");
	report_note_left_out(m->ctx, m->t);
}

enum status agreement_make(const struct report_ctx *ctx, struct agreement *out, struct err *err)
{
	struct making m = {.ctx = ctx, .a = out, .t = &out->table};
	enum status st;

	*out = (struct agreement){.n = 0};
	st = choose_parts(&m, err);
	if (st == OK)
		st = count(&m, err);
	if (st != OK) {
		together_release(&out->together);
		return st;
	}
	m.has_empty = has_empty(ctx);
	table_init(&out->table, "agreement");
	make_columns(&m);
	put_bars(&m);
	out->first_run = table_rows(&out->table);
	put_runs(&m);
	out->first_pair = table_rows(&out->table);
	put_pairs(&m);
	put_notes(&m);
	order_runs(out);
	return OK;
}

void agreement_release(struct agreement *a)
{
	table_release(&a->table);
	together_release(&a->together);
	similar_release(&a->similar);
	for (int k = 0; k < N_AGREEMENT_MEASURES; k++)
		free(a->order[k]);
	*a = (struct agreement){.n = 0};
}

enum status report_agreement(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct agreement a;
	enum status st = agreement_make(ctx, &a, err);

	if (st != OK)
		return st;
	*out = a.table;
	table_init(&a.table, "");
	agreement_release(&a);
	return OK;
}
