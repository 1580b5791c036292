/*
 * The judge against people (MME-Emotion §4.2, "human verification"): marks of the same steps, those
 * of the reasoning and those of the answer, and all of them together.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/eval/judge.h"
#include "core/eval/stats.h"
#include "core/report/report_impl.h"

enum group { ALL, REASONING, ANSWER, N_GROUPS };
static const char *const group_names[N_GROUPS] = {"all", "reasoning", "answer"};

struct pairs { /* of marks: the judge's, the people's */
	VEC(double) judge, people;
};

struct judge_table {
	const struct report_ctx *ctx;
	struct table *t;
	size_t run, group, layer, n, right, excluded, accuracy, lo, hi, spearman, kappa, icc, questions;
	/* of a run */
	struct str *judge, *people; /* [n] texts, in the arena */
	struct arena arena;
	struct pairs pairs[N_GROUPS];
	uint64_t n_questions, n_excluded[N_GROUPS]; /* excluded: marks of people without one of the judge */
};

static void make_columns(struct judge_table *j)
{
	struct table *t = j->t;

	j->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle");
	j->group = table_column(t, "group", "steps", TABLE_TEXT, BEST_NONE,
				"\"all\", those of the reasoning, or the last ones, of the answers");
	j->layer = table_detail(t, table_column(t, "layer", "against", TABLE_TEXT, BEST_NONE, "people"));
	j->questions = table_column(t, "questions", "questions", TABLE_COUNT, BEST_NONE,
				    "answers that people marked, and the judge as many steps of them");
	j->n = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "steps that both marked");
	j->right = table_detail(t, table_column(t, "right", "equal", TABLE_COUNT, BEST_NONE, "steps with equal marks"));
	j->excluded = table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
				   "steps that people marked, of answers whose steps the judge counts otherwise, "
				   "or whose marks cannot be read");
	j->accuracy = table_column(t, "accuracy", "equal", TABLE_SHARE, BEST_HIGH, "equal marks / n");
	j->lo = table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	j->hi = table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE, "Wilson's 95 % interval");
	j->spearman = table_column(t, "spearman", "Spearman", TABLE_NUMBER, BEST_HIGH,
				   "Spearman's rank correlation of the marks, ties by average rank");
	j->kappa = table_column(t, "kappa", "kappa", TABLE_NUMBER, BEST_HIGH,
				"Cohen's kappa, each value of a mark a class");
	j->icc = table_column(t, "icc", "ICC(2,1)", TABLE_NUMBER, BEST_HIGH,
			      "intra-class correlation: two-way random effects, absolute agreement, single rater");
}

struct taking {
	struct judge_table *j;
	struct str *to;
};

static void take_text(void *ctx, uint32_t ord, struct str text)
{
	struct taking *t = ctx;

	if (ord < t->j->ctx->snap->n)
		t->to[ord] = arena_str(&t->j->arena, text);
}

static void add_pair(struct judge_table *j, enum group g, double judge, double people)
{
	vec_push(&j->pairs[g].judge, judge);
	vec_push(&j->pairs[g].people, people);
}

static void compare(struct judge_table *j, uint32_t i)
{
	struct judge_mark a[JUDGE_STEPS_MAX], b[JUDGE_STEPS_MAX];
	int n_judge = judge_parse(j->judge[i], a), n = judge_parse(j->people[i], b);

	for (int k = 0; k < n && n != n_judge; k++) {
		j->n_excluded[ALL]++;
		j->n_excluded[k < n - 1 ? REASONING : ANSWER]++;
	}
	if (!n || n != n_judge)
		return;
	j->n_questions++;
	for (int k = 0; k < n; k++) {
		double judge = judge_mark_value(&a[k]), people = judge_mark_value(&b[k]);

		add_pair(j, ALL, judge, people);
		add_pair(j, k < n - 1 ? REASONING : ANSWER, judge, people);
	}
}

static int by_value(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static uint32_t class_of(const double *values, size_t n, double v)
{
	const double *at = bsearch(&v, values, n, sizeof v, by_value);

	return at ? (uint32_t)(at - values) : 0;
}

/* Each value that a mark has is a class. */
static double kappa_of(const struct pairs *p)
{
	size_t n = p->judge.n, k = 0;
	double *values = xcalloc(2 * n + 1, sizeof *values), kappa;
	uint32_t *a = xcalloc(n + 1, sizeof *a), *b = xcalloc(n + 1, sizeof *b);

	for (size_t i = 0; i < n; i++) {
		values[i] = p->judge.v[i];
		values[n + i] = p->people.v[i];
	}
	qsort(values, 2 * n, sizeof *values, by_value);
	for (size_t i = 0; i < 2 * n; i++)
		if (!k || values[i] != values[k - 1])
			values[k++] = values[i];
	for (size_t i = 0; i < n; i++) {
		a[i] = class_of(values, k, p->judge.v[i]);
		b[i] = class_of(values, k, p->people.v[i]);
	}
	kappa = n ? stats_kappa(a, b, n, (uint32_t)k) : NAN;
	free(values);
	free(a);
	free(b);
	return kappa;
}

static double icc_of(const struct pairs *p)
{
	size_t n = p->judge.n;
	double *value = xcalloc(2 * n + 1, sizeof *value), icc;

	for (size_t i = 0; i < n; i++) {
		value[2 * i] = p->judge.v[i];
		value[2 * i + 1] = p->people.v[i];
	}
	icc = stats_icc21(value, n, 2);
	free(value);
	return icc;
}

static void put_group(struct judge_table *j, int run, enum group g)
{
	const struct pairs *p = &j->pairs[g];
	struct table *t = j->t;
	struct buf door = BUF_INIT;
	uint64_t same = 0;
	double lo, hi;

	for (size_t i = 0; i < p->judge.n; i++)
		same += p->judge.v[i] == p->people.v[i];
	table_row(t);
	table_text(t, j->run, j->ctx->snap->runs[run].handle);
	table_text(t, j->group, group_names[g]);
	table_text(t, j->layer, "people");
	table_number(t, j->questions, (double)j->n_questions);
	table_number(t, j->n, (double)p->judge.n);
	table_number(t, j->right, (double)same);
	table_number(t, j->excluded, (double)j->n_excluded[g]);
	if (p->judge.n) {
		stats_wilson(same, p->judge.n, &lo, &hi);
		table_number(t, j->accuracy, (double)same / (double)p->judge.n);
		table_number(t, j->lo, lo);
		table_number(t, j->hi, hi);
	}
	table_number(t, j->spearman, stats_spearman(p->judge.v, p->people.v, p->judge.n));
	table_number(t, j->kappa, kappa_of(p));
	table_number(t, j->icc, icc_of(p));
	report_put_door(j->ctx, &door, "people_marks", run, ">0", "");
	table_door(t, j->group, buf_cstr(&door));
	buf_release(&door);
}

static void clear_run(struct judge_table *j)
{
	for (int g = 0; g < N_GROUPS; g++) {
		vec_release(&j->pairs[g].judge);
		vec_release(&j->pairs[g].people);
		j->n_excluded[g] = 0;
	}
	j->n_questions = 0;
	free(j->judge);
	free(j->people);
	j->judge = j->people = NULL;
	arena_clear(&j->arena);
}

/* Runs that no people marked have no rows. */
static enum status put_run(struct judge_table *j, int run, struct err *err)
{
	const struct report_ctx *ctx = j->ctx;
	const struct filter_source *s = ctx->source;
	uint32_t n = ctx->snap->n;
	bool any = false;
	struct taking judge, people;
	enum status st;

	j->judge = xcalloc((size_t)n + 1, sizeof *j->judge);
	j->people = xcalloc((size_t)n + 1, sizeof *j->people);
	judge = (struct taking){j, j->judge};
	people = (struct taking){j, j->people};
	st = s->marks(s->ctx, run, true, ctx->mask, take_text, &people, err);
	for (uint32_t i = 0; i < n; i++)
		any |= j->people[i].n > 0;
	if (!st && any)
		st = s->marks(s->ctx, run, false, ctx->mask, take_text, &judge, err);
	for (uint32_t i = 0; i < n && !st && any; i++)
		compare(j, i);
	for (int g = 0; g < N_GROUPS && !st && any; g++)
		put_group(j, run, (enum group)g);
	clear_run(j);
	return st ? st : cancel_check(ctx->cancel, err);
}

enum status report_judge(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct judge_table j = {.ctx = ctx, .t = out, .arena = ARENA_INIT};
	enum status st = OK;

	if (!ctx->source || !ctx->source->marks)
		return err_set(err, E_UNSUPPORTED, "there are no marks to read");
	if (ctx->by.n)
		return err_set(err, E_USAGE, "the table judge has groups of its own; there is no --by");
	table_init(out, "judge against people");
	make_columns(&j);
	for (int r = 0; r < ctx->n_runs && !st; r++)
		st = put_run(&j, ctx->runs[r], err);
	arena_release(&j.arena);
	if (!st && !table_rows(out))
		st = err_set(err, E_NOT_FOUND, "no run has marks of people: import a table with video_id and human_score");
	if (st)
		table_release(out);
	else
		table_note(out, "steps of one answer are not independent of each other: the interval is too narrow");
	return st;
}
