#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/view/tables.h"

#define TABLES_KEY 0x7461626c65730000

/* --- what is wished for --- */

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

void table_wish_make(struct table_wish *w, const struct scene *s, enum tables_kind kind, const char *by)
{
	uint32_t n = s->snap->n;

	*w = (struct table_wish){.kind = kind, .snap = snapshot_share(s->snap), .lens = s->lens};
	if (s->shown) {
		w->mask = xcalloc(bits_words(n) + 1, sizeof *w->mask);
		memcpy(w->mask, s->shown, bits_words(n) * sizeof *w->mask);
	}
	if (w->mask && s->stale)
		bits_and_not(w->mask, s->stale, n);
	w->by = by ? xstrdup(by) : NULL;
	choose_runs(w, s);
}

void table_wish_release(struct table_wish *w)
{
	snapshot_free(w->snap);
	free(w->mask);
	free(w->runs);
	free(w->by);
	table_numbers_free(w->numbers);
	*w = (struct table_wish){0};
}

uint64_t table_wish_cost(const struct table_wish *w)
{
	return (uint64_t)w->snap->n * (uint64_t)(w->n_runs + 1);
}

/* --- making it --- */

enum status table_wish_fulfil(const struct table_wish *w, const struct cancel *cancel, struct table *out,
			      size_t *n_first, struct err *err)
{
	struct report_ctx ctx = {.snap = w->snap, .lens = &w->lens, .mask = w->mask, .runs = w->runs,
				 .n_runs = w->n_runs, .by = str_z(w->by ? w->by : ""), .cancel = cancel,
				 .source = table_numbers_source(w->numbers)};
	struct str name = w->kind == TABLES_RUNS ? STR("accuracy") : STR("groups");
	struct table flat;
	enum status st = report_find(name)->make(&ctx, &flat, err);

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

struct tables_job {
	struct job job;
	struct table_wish wish;
	struct table_answer answer;
	void (*done)(void *owner, struct table_answer *answer);
};

static void run(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	j->answer.made = table_wish_fulfil(&j->wish, &job->cancel, &j->answer.table, &j->answer.n_first,
					   &j->answer.err) == OK;
}

static void done(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	j->done(job->owner, &j->answer);
}

static void free_job(struct job *job)
{
	struct tables_job *j = (struct tables_job *)job;

	if (j->answer.made)
		table_release(&j->answer.table);
	table_wish_release(&j->wish);
	free(j);
}

void tables_start(struct pool *pool, struct table_wish *w,
		  void (*on_done)(void *owner, struct table_answer *answer), void *owner)
{
	struct tables_job *j = xcalloc(1, sizeof *j);

	j->wish = *w;
	*w = (struct table_wish){0};
	j->done = on_done;
	j->job = (struct job){.key = TABLES_KEY | (uint64_t)j->wish.kind, .urgency = 2, .run = run,
			      .done = done, .free_job = free_job, .owner = owner};
	pool_submit(pool, &j->job);
}

void tables_cancel(struct pool *pool, enum tables_kind kind)
{
	pool_cancel(pool, TABLES_KEY | (uint64_t)kind);
}

/* --- columns --- */

/* Empty ones, and texts that say the same everywhere, tell nothing. */
static bool tells(const struct table *t, size_t column)
{
	bool text = t->columns.v[column].kind == TABLE_TEXT, any = false;
	const char *first = table_rows(t) ? table_look(t, 0, column)->text : NULL;

	for (size_t r = 0; r < table_rows(t) && !any; r++) {
		const struct table_cell *c = table_look(t, r, column);

		any = text ? strcmp(c->text ? c->text : "", first ? first : "") != 0 : !isnan(c->number);
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

size_t tables_columns(enum tables_kind kind, const struct table *t, size_t n_first, size_t *out)
{
	static const char *const first[] = {"lo", "hi", "rank", "n", "excluded", "delta"};
	struct choosing c = {.t = t, .out = out};
	size_t groups = kind == TABLES_RUNS ? n_first : t->columns.n;

	c.taken = xcalloc(t->columns.n + 1, sizeof *c.taken);
	for (size_t k = 0; k < groups; k++)
		if (t->columns.v[k].kind == TABLE_TEXT)
			take(&c, k);
	if (groups < t->columns.n)
		take(&c, groups); /* "all" */
	for (size_t k = 0; k < sizeof first / sizeof *first && kind == TABLES_RUNS; k++) {
		int at = table_find(t, str_z(first[k]));

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
