#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/sieve.h"
#include "tui/view/tables.h"

#define TABLES_KEY 0x7461626c65730000

/* --- groupings --- */

void shared_grouping_release(struct shared_grouping *g)
{
	if (!g || --g->sharers)
		return;
	grouping_release(&g->g);
	free(g);
}

static struct shared_grouping *grouping_for(const struct table_wish *w, struct err *err)
{
	struct shared_grouping *g = xcalloc(1, sizeof *g);

	*g = (struct shared_grouping){.sharers = 1, .generation = w->snap->generation,
				      .dataset = w->snap->dataset_id, .lens = w->lens};
	if (grouping_make(w->snap, &w->lens, str_z(w->by), &g->g, err) == OK)
		return g;
	free(g);
	return NULL;
}

void table_wish_share(struct table_wish *w, struct shared_grouping *g)
{
	if (!g || !w->by || w->kind != TABLES_CLASSES || strcmp(g->g.by, w->by) != 0 ||
	    g->generation != w->snap->generation || g->dataset != w->snap->dataset_id ||
	    !lens_eq(&g->lens, &w->lens))
		return;
	w->grouping = g;
	g->sharers++;
}

/* --- what is wished for --- */

struct report_judging tables_judging(const struct app *app)
{
	return (struct report_judging){
	    .alpha = option_number(&app->options, OPTION_ALPHA) / 100.0,
	    .unparsed_zero = strcmp(option_get(&app->options, OPTION_UNPARSED), "zero") == 0,
	};
}

struct comparing_as tables_as(const struct app *app)
{
	return (struct comparing_as){.cluster = app->cluster,
				     .mid_p = strcmp(option_get(&app->options, OPTION_MID_P), "yes") == 0,
				     .seed = (uint64_t)option_number(&app->options, OPTION_SEED)};
}

static void choose_runs(struct table_wish *w, const struct scene *s)
{
	w->runs = xcalloc((size_t)s->snap->n_runs + 2, sizeof *w->runs);
	if (w->kind == TABLES_CLASSES) {
		if (s->a >= 0)
			w->runs[w->n_runs++] = s->a;
		if (s->a >= 0 && s->b >= 0)
			w->runs[w->n_runs++] = s->b;
		return;
	}
	for (uint32_t r = 0; r < s->snap->n_runs; r++)
		if (!s->snap->runs[r].scratch)
			w->runs[w->n_runs++] = (int)r;
}

static void copy_verdicts(struct table_wish *w)
{
	for (int k = 0; k < 2 && !w->own_verdicts; k++) {
		uint8_t *copy = w->verdict[k] ? xmalloc((size_t)w->snap->n + 1) : NULL;

		if (copy)
			memcpy(copy, w->verdict[k], w->snap->n);
		w->verdict[k] = copy;
	}
	w->own_verdicts = true;
}

void table_wish_make(struct table_wish *w, const struct scene *s, enum tables_kind kind, const char *by)
{
	uint32_t n = s->snap->n;

	*w = (struct table_wish){.kind = kind, .snap = snapshot_share(s->snap), .lens = s->lens,
				 .judging = {.alpha = 0.5}};
	if (s->shown) {
		w->mask = xcalloc(bits_words(n) + 1, sizeof *w->mask);
		memcpy(w->mask, s->shown, bits_words(n) * sizeof *w->mask);
	}
	if (w->mask && s->stale)
		bits_and_not(w->mask, s->stale, n);
	if (!by && kind == TABLES_CLASSES)
		by = s->snap->n_classes ? "class" : report_first_grouping(s->snap, &s->lens);
	w->by = by ? xstrdup(by) : NULL;
	w->as.seed = PAIRED_SEED;
	choose_runs(w, s);
	for (int k = 0; k < w->n_runs && kind == TABLES_CLASSES && s->verdict; k++)
		w->verdict[k] = s->verdict[w->runs[k]];
}

void table_wish_release(struct table_wish *w)
{
	snapshot_free(w->snap);
	free(w->mask);
	free(w->runs);
	free(w->by);
	free(w->as.cluster);
	for (int k = 0; k < 2 && w->own_verdicts; k++)
		free((void *)(uintptr_t)w->verdict[k]);
	shared_grouping_release(w->grouping);
	*w = (struct table_wish){0};
}

uint64_t table_wish_cost(const struct table_wish *w)
{
	return (uint64_t)w->snap->n * (uint64_t)(w->n_runs + 1);
}

/* --- making it --- */

static bool is_pair(const struct table_wish *w)
{
	return w->kind == TABLES_CLASSES && w->n_runs == 2;
}

static enum status make(const struct table_wish *w, const struct filter_source *source,
			const struct cancel *cancel, struct intervals **intervals, struct table *out,
			struct err *err)
{
	const uint8_t **verdict = xcalloc((size_t)snapshot_answerers(w->snap) + 1, sizeof *verdict);
	struct report_pairing pairing = {.cluster = str_z(w->as.cluster ? w->as.cluster : ""),
					 .mid_p = w->as.mid_p, .seed = w->as.seed, .intervals = intervals,
					 .known = w->known};
	struct report_ctx ctx = {.snap = w->snap, .lens = &w->lens, .mask = w->mask, .runs = w->runs,
				 .n_runs = w->n_runs, .by = str_z(w->by ? w->by : ""), .unfold = w->unfold,
				 .cancel = cancel, .steps = w->steps,
				 .grouping = w->grouping ? &w->grouping->g : NULL, .verdict = verdict,
				 .pairing = &pairing, .source = source,
				 .judging = &w->judging};
	struct str name = w->kind == TABLES_RUNS ? STR("accuracy") : is_pair(w) ? STR("compare") : STR("groups");
	enum status st;

	memcpy(pairing.batch, w->batch, sizeof pairing.batch);
	for (int k = 0; k < 2 && k < w->n_runs && w->kind == TABLES_CLASSES; k++)
		verdict[w->runs[k]] = w->verdict[k];
	st = report_find(name)->make(&ctx, out, err);
	free(verdict);
	return st;
}

enum status table_wish_begin(struct table_wish *w, const struct cancel *cancel, struct table *out,
			     size_t *n_first, struct intervals **intervals, struct err *err)
{
	const struct filter_source *source = NULL;
	struct desk *desk = NULL;
	struct table flat;
	enum status st = OK;

	if (is_pair(w) && !w->grouping && !(w->grouping = grouping_for(w, err)))
		return err->code;
	if (w->sieve && w->kind == TABLES_RUNS)
		st = sieve_sit(w->sieve, w->snap, &desk, &source, err);
	if (st == OK)
		st = make(w, source, cancel, intervals, &flat, err);
	if (desk)
		sieve_rise(w->sieve, desk);
	if (st != OK)
		return st;
	if (w->kind == TABLES_CLASSES) {
		*n_first = flat.columns.n;
		*out = flat;
		return OK;
	}
	*n_first = flat.columns.n - 2;
	table_pivot(&flat, out);
	table_release(&flat);
	return OK;
}

enum status table_wish_fulfil(struct table_wish *w, const struct cancel *cancel, struct table *out,
			      size_t *n_first, struct err *err)
{
	return table_wish_begin(w, cancel, out, n_first, NULL, err);
}

struct tables_job {
	struct job job;
	struct table_wish wish;
	struct meter_steps steps;
	struct app *app;
	struct table_answer answer;
	void (*done)(void *owner, struct table_answer *answer);
};

static void run(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	j->wish.steps = &j->steps.steps;
	j->answer.made = table_wish_begin(&j->wish, &job->cancel, &j->answer.table, &j->answer.n_first,
					  &j->answer.intervals, &j->answer.err) == OK;
}

static uint64_t key_of(enum tables_kind kind)
{
	return TABLES_KEY | (uint64_t)kind;
}

static void news(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	meter_steps_move(j->app, key_of(j->wish.kind), &j->steps);
}

static void done(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	meter_close(j->app, key_of(j->wish.kind));
	j->answer.grouping = j->wish.grouping;
	j->done(job->owner, &j->answer);
}

static void free_job(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	if (j->answer.made)
		table_release(&j->answer.table);
	intervals_free(j->answer.intervals);
	table_wish_release(&j->wish);
	free(j);
}

/* Ctrl-c: the meter's line knows the app alone. The one on top is the one that is waited for. */
static void stop(struct app *app)
{
	for (int kind = 0; kind < N_TABLES_KINDS; kind++)
		tables_cancel(app, (enum tables_kind)kind);
	app_view_command(app, "table-stopped", STR_NONE);
}

void tables_start(struct app *app, struct table_wish *w,
		  void (*on_done)(void *owner, struct table_answer *answer), void *owner)
{
	struct tables_job *j = xcalloc(1, sizeof *j);

	copy_verdicts(w);
	w->known = NULL;
	j->wish = *w;
	*w = (struct table_wish){0};
	j->app = app;
	j->done = on_done;
	j->job = (struct job){.key = key_of(j->wish.kind), .urgency = 2, .run = run, .news = news, .done = done,
			      .free_job = free_job, .owner = owner};
	meter_steps_begin(&j->steps, &j->job);
	meter_open(app, (struct meter){.key = j->job.key, .what = "counting", .unit = "runs", .stop = stop});
	pool_submit(app->pool, &j->job);
}

void tables_cancel(struct app *app, enum tables_kind kind)
{
	if (app->pool)
		pool_cancel(app->pool, key_of(kind));
	meter_close(app, key_of(kind));
}

/* --- columns --- */

/* Empty ones, and texts that say the same everywhere, tell nothing. */
static bool tells(const struct table *t, size_t column)
{
	bool text = t->columns.v[column].kind == TABLE_TEXT, any = false;
	const char *first = table_rows(t) ? table_look(t, 0, column)->text : NULL;

	for (size_t r = 0; r < table_rows(t) && !any; r++) {
		const struct table_cell *c = table_look(t, r, column);

		any = text ? strcmp(c->text ? c->text : "", first ? first : "") != 0
			   : !isnan(c->number) || c->text;
	}
	return any;
}


struct choosing {
	const struct table *t;
	size_t *out, n;
	size_t *taken; /* [columns] 1: it is in out */
};

static void take(struct choosing *c, size_t column)
{
	if (c->taken[column] || c->t->columns.v[column].detail || (c->n && !tells(c->t, column)))
		return;
	c->taken[column] = 1;
	c->out[c->n++] = column;
}

/* Of a comparison those that tell where and whether; what they are made of follows. */
static size_t compare_columns(const struct table *t, size_t *out)
{
	static const char *const names[] = {"group", "n", "accuracy_run", "accuracy_against", "delta", "lo", "hi",
					    "p_mcnemar", "only_against", "only_run", "q", "mde", "flips", "excluded"};
	struct choosing c = {.t = t, .out = out};

	for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
		size_t column = (size_t)table_find(t, str_z(names[k]));
		bool always = k < 11; /* though it is empty as yet */

		if (always || tells(t, column))
			c.out[c.n++] = column;
	}
	return c.n;
}

size_t tables_columns(enum tables_kind kind, const struct table *t, size_t n_first, size_t *out)
{
	static const char *const usual[] = {"lo", "hi", "rank", "n", "excluded", "delta", NULL};
	static const char *const scores[] = {"rec", "rea", "judged", "unparsed", "steps", NULL};
	bool judged = t->pivot_name && strcmp(t->pivot_name, "cot") == 0;
	const char *const *first = judged ? scores : usual;
	struct choosing c = {.t = t, .out = out};
	size_t groups = kind == TABLES_RUNS ? n_first : t->columns.n;

	if (kind == TABLES_CLASSES && strcmp(t->title, "compare") == 0)
		return compare_columns(t, out);
	c.taken = xcalloc(t->columns.n + 1, sizeof *c.taken);
	for (size_t k = 0; k < groups; k++)
		if (t->columns.v[k].kind == TABLE_TEXT)
			take(&c, k);
	if (groups < t->columns.n)
		take(&c, groups); /* "all" */
	for (; *first && kind == TABLES_RUNS; first++) {
		int at = table_find(t, str_z(*first));

		if (at >= 0 && (size_t)at < groups)
			take(&c, (size_t)at);
	}
	for (size_t k = groups; k < t->columns.n; k++)
		take(&c, k);
	for (size_t k = 0; k < groups; k++)
		take(&c, k);
	free(c.taken);
	return c.n;
}
