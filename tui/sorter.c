#include "tui/sorter.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/arrange.h"

#define SORTER_KEY 0x736f727465720000
#define AT_ONCE    200000 /* samples that are sorted in no time; runs count for a sample each */

struct sorter_job {
	struct job job;
	char *project;
	struct scene own; /* what sorting needs of the screen's; its snapshot is shared */
	uint32_t *order;
	struct err err;
};

static void run(struct job *job)
{
	struct sorter_job *j = (struct sorter_job *)job;
	struct conn *c = NULL;

	if (!cancel_is(&job->cancel) && conn_open(&c, j->project, CONN_READ, &j->err) == OK) {
		conn_set_cancel(c, &job->cancel);
		arrange(c, &j->own, &j->own.sort, &j->order, &j->err);
	}
	conn_close(c);
}

/* Takes order. */
static void apply(struct app *app, uint32_t *order)
{
	struct scene *s = &app->scene;

	s->sorting = s->sort_due = false;
	scene_reorder(s, order);
	app->reactions |= REACT_REFILTER;
	app->dirty = true;
}

static void done(struct job *job)
{
	struct sorter_job *j = (struct sorter_job *)job;
	struct app *app = job->owner;

	app->scene.sorting = false;
	app->dirty = true;
	if (j->own.snap != app->scene.snap)
		return;
	if (j->err.code) {
		app_message(app, STYLE_WARNING, "not sorted: %s", j->err.msg);
		return;
	}
	apply(app, j->order);
	j->order = NULL;
}

static void free_job(struct job *job)
{
	struct sorter_job *j = (struct sorter_job *)job;

	scene_relens(&j->own);
	free(j->own.panel);
	snapshot_free(j->own.snap);
	free(j->order);
	free(j->project);
	free(j);
}

static void start(struct app *app)
{
	struct sorter_job *j = xcalloc(1, sizeof *j);
	struct scene *s = &app->scene;
	size_t n = (size_t)s->n_panel;

	j->job = (struct job){.key = SORTER_KEY, .urgency = 1, .run = run, .done = done,
			      .free_job = free_job, .owner = app};
	j->project = xstrdup(conn_path(app->conn));
	j->own = (struct scene){.snap = snapshot_share(s->snap), .lens = s->lens, .a = s->a, .b = s->b,
				.run = -1, .sort = s->sort, .n_panel = s->n_panel};
	j->own.panel = xcalloc(n + 1, sizeof *j->own.panel);
	if (n)
		memcpy(j->own.panel, s->panel, n * sizeof *s->panel);
	s->sorting = true;
	s->sort_due = false;
	pool_submit(app->pool, &j->job);
}

static bool takes_time(const struct app *app)
{
	const struct scene *s = &app->scene;
	uint64_t runs = sort_is_of_panel(s->sort.by) ? (uint64_t)s->n_panel : 1;

	if (s->sort.by == SORT_IMPORT || s->sort.by == SORT_NOTES) /* notes are the screen's own */
		return false;
	return s->snap->n * runs > (app->cli->at_once ? app->cli->at_once : AT_ONCE);
}

void sorter_sort(struct app *app)
{
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	uint32_t *order;

	sorter_drop(app);
	s->sort_due = true;
	if (s->snap->partial && sort_is_judged(&s->sort))
		return;
	if (takes_time(app)) {
		if (app->pool)
			start(app);
		return;
	}
	if (arrange(app->conn, s, &s->sort, &order, &err) != OK)
		app_message(app, STYLE_WARNING, "not sorted: %s", err.msg);
	apply(app, order);
}

void sorter_drop(struct app *app)
{
	if (app->pool)
		pool_cancel(app->pool, SORTER_KEY);
	app->scene.sorting = false;
}
