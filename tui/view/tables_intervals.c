/* The bootstrap intervals of a table that is shown already, made by a worker (tables.h). */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/report/intervals.h"
#include "tui/app.h"
#include "tui/view/tables.h"

#define INTERVALS_KEY 0x696e7465727661
#define TELL_MS       100
#define AT_ONCE       150000 /* random numbers that take no longer than a frame */

struct intervals_job {
	struct job job;
	struct intervals *s;
	atomic_size_t made; /* by the worker; those before it are its no more */
	size_t put;         /* into the table */
	struct table *table;
	struct app *app;
	void (*done)(void *owner);
};

static void run(struct job *job)
{
	struct intervals_job *j = (struct intervals_job *)job;
	int64_t told = app_clock();

	for (size_t k = j->put; k < j->s->v.n && !cancel_is(&job->cancel); k++) {
		intervals_make(j->s, k);
		atomic_store_explicit(&j->made, k + 1, memory_order_release);
		if (app_clock() - told < TELL_MS)
			continue;
		told = app_clock();
		job_tell(job);
	}
}

static void put_made(struct intervals_job *j)
{
	size_t made = atomic_load_explicit(&j->made, memory_order_acquire);

	for (; j->put < made; j->put++) {
		intervals_remember(j->app->intervals_known, j->s, j->put);
		intervals_put(j->s, j->put, j->table);
	}
	meter_move(j->app, INTERVALS_KEY, made, j->s->v.n);
	j->app->dirty = true;
}

static void news(struct job *job)
{
	put_made((struct intervals_job *)job);
}

static void done(struct job *job)
{
	struct intervals_job *j = (struct intervals_job *)job;

	put_made(j);
	meter_close(j->app, INTERVALS_KEY);
	j->done(job->owner);
}

static void free_job(struct job *job)
{
	struct intervals_job *j = (struct intervals_job *)job;

	intervals_free(j->s);
	free(j);
}

static void stop(struct app *app)
{
	tables_intervals_cancel(app);
	app_view_command(app, "intervals-stopped", STR_NONE);
}

void tables_intervals_cancel(struct app *app)
{
	if (app->pool)
		pool_cancel(app->pool, INTERVALS_KEY);
	meter_close(app, INTERVALS_KEY);
}

/* Is there so little to do that a worker is not worth its while? */
static bool few(const struct intervals *s)
{
	uint64_t cost = 0;

	for (size_t k = 1; k < s->v.n && cost < AT_ONCE; k++)
		cost += intervals_cost(s, k);
	return cost < AT_ONCE;
}

static bool is_made(const struct intervals *s, size_t k, const struct table *t)
{
	const struct table_cell *cell = table_look(t, s->v.v[k].row, s->lo);

	return !cell->later && !isnan(cell->number);
}

/* The row of all samples, the first, has its own. */
void tables_intervals_recall(struct app *app, struct intervals *s, struct table *t)
{
	size_t kept = s->v.n ? 1 : 0, all = s->v.n;

	if (kept && is_made(s, 0, t))
		intervals_remember(app->intervals_known, s, 0);
	for (size_t k = 1; k < all; k++)
		if (intervals_recall(app->intervals_known, s, k))
			intervals_put(s, k, t);
		else
			s->v.v[kept++] = s->v.v[k];
	s->v.n = kept;
}

void tables_intervals_start(struct app *app, struct intervals *s, struct table *t, void (*on_done)(void *owner),
			    void *owner)
{
	struct intervals_job *j;
	size_t k = few(s) ? s->v.n : 1;

	for (size_t i = 1; i < k; i++) {
		intervals_make(s, i);
		intervals_remember(app->intervals_known, s, i);
		intervals_put(s, i, t);
	}
	if (k >= s->v.n) {
		on_done(owner);
		intervals_free(s);
		return;
	}
	j = xcalloc(1, sizeof *j);
	j->s = s;
	j->put = k;
	atomic_init(&j->made, k);
	j->table = t;
	j->app = app;
	j->done = on_done;
	j->job = (struct job){.key = INTERVALS_KEY, .urgency = 0, .run = run, .news = news, .done = done,
			      .free_job = free_job, .owner = owner};
	meter_open(app, (struct meter){.key = INTERVALS_KEY, .what = "intervals", .unit = "groups",
				       .all = s->v.n, .stop = stop});
	pool_submit(app->pool, &j->job);
}
