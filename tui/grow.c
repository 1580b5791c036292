#include "tui/grow.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/column_choice.h"
#include "tui/view/sign.h"

#define GROW_KEY     0x67726f7700000000
#define LOOK_MS      2000
#define WRITTEN_MS   250     /* between looks while something is written */
#define ALL_AT_ONCE  2000000 /* answers that are loaded in no time */

/* --- what is loaded first --- */

static void pick(void *ctx, const struct snapshot *snap, bool *want)
{
	struct app *app = ctx;
	const struct cli *cli = app->cli;
	int run[4] = {-1, -1, -1, -1};

	choice_runs(app, snap, &run[0], &run[1]);
	run[2] = cli->run ? snapshot_run(snap, str_z(cli->run)) : -1;
	run[3] = cli->against ? snapshot_run(snap, str_z(cli->against)) : -1;
	for (int i = 0; i < 4; i++)
		if (run[i] >= 0)
			want[run[i]] = true;
}

struct snapshot_part grow_first(struct app *app)
{
	return (struct snapshot_part){.at_once = app->cli->at_once ? app->cli->at_once : ALL_AT_ONCE,
				      .pick = pick,
				      .ctx = app};
}

bool grow_is_early(const char *command)
{
	static const char *const early[] = {"down", "up", "half-down", "half-up", "page-down",
					    "page-up", "first", "last", "goto", "quit", "redraw",
					    "save-screen", NULL};

	for (int i = 0; early[i]; i++)
		if (strcmp(command, early[i]) == 0)
			return true;
	return false;
}

/* --- what is new --- */

static void put_more(struct buf *out, uint64_t now, uint64_t before, const char *one,
		     const char *many)
{
	char n[28];

	if (now > before)
		buf_printf(out, "%s%s %s", out->n ? ", " : "", count_text(now - before, n),
			   now - before == 1 ? one : many);
}

static uint64_t n_predictions(const struct snapshot *s)
{
	uint64_t n = 0;

	for (uint32_t r = 0; r < s->n_runs; r++)
		n += s->runs[r].n_predictions;
	return n;
}

/* "2 runs, 456 predictions more"; empty when nothing is more. */
static void whats_new(const struct snapshot *old, const struct snapshot *snap, size_t datasets,
		      size_t old_datasets, struct buf *out)
{
	put_more(out, datasets, old_datasets, "dataset", "datasets");
	put_more(out, snap->n, old->n, "sample", "samples");
	put_more(out, snap->n_classes, old->n_classes, "class", "classes");
	put_more(out, snap->n_layers, old->n_layers, "layer", "layers");
	put_more(out, snap->n_facets, old->n_facets, "facet", "facets");
	put_more(out, snap->n_runs, old->n_runs, "run", "runs");
	if (!old->partial)
		put_more(out, n_predictions(snap), n_predictions(old), "prediction", "predictions");
	if (out->n)
		buf_z(out, " more");
}

/* --- one takes the place of the other --- */

/* Something is typed, asked or chosen from a list, whose lines are of the old snapshot; those of the
 * label map are of the file. */
static bool is_occupied(const struct app *app)
{
	const struct view *top = app->top;

	return app->prompt.sign || app->edit.question.n ||
	       (top && top->class->popup && top->class != &chooser_labels_view);
}

/* Samples that are new, or other now, are sifted again. */
static void narrow_like(struct app *app, const struct narrow_place *place)
{
	struct err err = ERR_INIT;

	if (narrow_return(app, place, &err) != OK)
		app_message(app, STYLE_WARNING, "the filter does not apply any more: %s", err.msg);
}

/* key: NULL: of no sample. */
static void return_to(struct app *app, const char *key)
{
	struct err err = ERR_INIT;
	uint32_t ord;

	if (key && fetch_ordinal(app->conn, app->scene.snap->dataset_id, str_z(key), &ord, &err) == OK)
		app_go(app, ord);
}

/* Takes snap. */
static void replace(struct app *app, struct snapshot *snap)
{
	struct scene *s = &app->scene;
	const struct sample_row *row = rows_get(app->rows, s->current);
	char *key = row ? xstrndup(row->key.p, row->key.n) : NULL;
	char *columns = column_choice_text(app);
	struct narrow_place place;

	narrow_mark(app, &place);
	picks_clear(app);
	narrow_drop(app);
	find_forget(app);
	shelf_drop(app);
	scene_replace(s, snap);
	column_choice_read(app, columns);
	rows_free(app->rows);
	app->rows = rows_new(app->conn, snap->dataset_id, snap->n);
	edit_renew(app);
	return_to(app, key);
	choice_resort(app);
	narrow_like(app, &place);
	app->reactions |= REACT_GREW | REACT_RERUN;
	app->dirty = true;
	narrow_place_release(&place);
	free(columns);
	free(key);
}

/* Takes snap: of another dataset, or the first one. */
static void take(struct app *app, struct snapshot *snap)
{
	app_take(app, snap);
	if (app->importing)
		app_message(app, STYLE_MESSAGE, "%s is imported: :import tells", snap->dataset);
	else
		app_message(app, STYLE_MESSAGE, "another program has imported %s", snap->dataset);
}

static void install(struct app *app)
{
	struct grow *g = &app->grow;
	struct snapshot *old = app->scene.snap, *snap = g->next;
	struct buf news = BUF_INIT;
	bool grew;

	g->next = NULL;
	if (!old || old->dataset_id != snap->dataset_id) {
		take(app, snap);
		g->n_datasets = g->next_datasets;
		return;
	}
	grew = old->generation != snap->generation;
	if (grew)
		whats_new(old, snap, g->next_datasets, g->n_datasets, &news);
	g->n_datasets = g->next_datasets;
	if (grew && !g->quiet)
		buf_clear(&app->message);
	replace(app, snap);
	if (grew && !app->message.n && !g->quiet)
		app_message(app, STYLE_MESSAGE, "new in the project: %s",
			    news.n ? buf_cstr(&news) : "what was there is another now");
	g->quiet = g->quiet && !grew;
	buf_release(&news);
}

/* --- on a worker --- */

struct grow_job {
	struct job job;
	char *project, *dataset; /* dataset NULL: the first one */
	struct snapshot *part;   /* shared: the one to complete; NULL: none */
	int64_t generation;      /* that was seen */
	struct snapshot *snap;
	size_t n_datasets;
	enum status st;
	struct err err;
};

static enum status load(struct grow_job *j, struct conn *c, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct dataset_name *names;
	size_t n = 0;
	enum status st = fetch_datasets(c, &names, &n, &arena, err);

	j->n_datasets = n;
	if (st == OK && j->part)
		st = snapshot_load_rest(c, j->part, &j->snap, err);
	else if (st == OK && (j->dataset || n))
		st = snapshot_load(c, j->dataset ? j->dataset : names[0].name, &j->snap, err);
	arena_release(&arena);
	return st;
}

static void run(struct job *job)
{
	struct grow_job *j = (struct grow_job *)job;
	struct conn *c = NULL;

	j->st = conn_open(&c, j->project, CONN_READ, &j->err);
	if (j->st == OK) {
		conn_set_cancel(c, &job->cancel);
		j->st = load(j, c, &j->err);
	}
	conn_close(c);
}

static void done(struct job *job)
{
	struct grow_job *j = (struct grow_job *)job;
	struct app *app = job->owner;
	struct grow *g = &app->grow;

	g->loading = false;
	if (j->st == E_BUSY || j->st == E_CANCELLED) {
		g->due = true;
		return;
	}
	if (j->st != OK) {
		g->refused = j->generation;
		app_message(app, STYLE_WARNING, "the project has changed and cannot be loaded: %s",
			    j->err.msg);
		return;
	}
	if (!j->snap) {
		g->refused = j->generation;
		return;
	}
	snapshot_free(g->next);
	g->next = j->snap;
	g->next_datasets = j->n_datasets;
	j->snap = NULL;
	if (!is_occupied(app))
		install(app);
}

static void free_job(struct job *job)
{
	struct grow_job *j = (struct grow_job *)job;

	snapshot_free(j->snap);
	snapshot_free(j->part);
	free(j->project);
	free(j->dataset);
	free(j);
}

static void start(struct app *app, int64_t generation)
{
	struct grow_job *j = xcalloc(1, sizeof *j);
	struct snapshot *snap = app->scene.snap;

	j->job = (struct job){.key = GROW_KEY, .urgency = 2, .run = run, .done = done,
			      .free_job = free_job, .owner = app};
	j->project = xstrdup(conn_path(app->conn));
	j->dataset = snap ? xstrdup(snap->dataset) : NULL;
	j->part = snap && snap->partial ? snapshot_share(snap) : NULL;
	j->generation = generation;
	app->grow.loading = true;
	pool_submit(app->pool, &j->job);
}

/* --- on the screen's thread --- */

static void stop(struct app *app)
{
	struct grow *g = &app->grow;

	if (app->pool)
		pool_cancel(app->pool, GROW_KEY);
	g->loading = false;
	snapshot_free(g->next);
	g->next = NULL;
}

void grow_begin(struct app *app)
{
	const struct snapshot *snap = app->scene.snap;

	stop(app);
	if (app->pool && snap && snap->partial)
		start(app, snap->generation);
}

void grow_start(struct app *app)
{
	watch_init(&app->grow.watch, conn_path(app->conn));
	app->grow.looked_at = app_clock();
}

void grow_release(struct app *app)
{
	watch_release(&app->grow.watch);
	snapshot_free(app->grow.next);
	app->grow.next = NULL;
}

void grow_look(struct app *app)
{
	app->grow.due = true;
	app->grow.looked_at = 0;
}

int grow_fd(const struct app *app)
{
	return app->grow.due ? -1 : app->grow.watch.fd;
}

/* False: somebody is writing just now. */
static bool look(struct app *app)
{
	struct grow *g = &app->grow;
	const struct snapshot *snap = g->next ? g->next : app->scene.snap;
	struct err err = ERR_INIT;
	int64_t generation;
	enum status st;

	conn_hurry(app->conn, true);
	st = conn_generation(app->conn, &generation, &err);
	conn_hurry(app->conn, false);
	if (st == OK && generation != (snap ? snap->generation : 0) && generation != g->refused)
		start(app, generation);
	return st != E_BUSY;
}

int grow_tick(struct app *app, int64_t now)
{
	struct grow *g = &app->grow;
	int64_t since = now - g->looked_at;

	if (g->next && !is_occupied(app))
		install(app);
	if (watch_drain(&g->watch)) {
		g->due = true;
		app->edit.due = true;
	}
	if (g->loading || (!g->due && since < LOOK_MS))
		return -1;
	if (now < g->hold_until)
		return (int)(g->hold_until - now);
	if (since >= 0 && since < WRITTEN_MS)
		return (int)(WRITTEN_MS - since);
	g->looked_at = now;
	g->due = !look(app);
	return g->due ? WRITTEN_MS : -1;
}

bool grow_whole(struct app *app)
{
	struct grow *g = &app->grow;
	struct snapshot *old = app->scene.snap, *snap;
	struct err err = ERR_INIT;

	if (!old || !old->partial)
		return true;
	stop(app);
	if (snapshot_load_rest(app->conn, old, &snap, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
		return false;
	}
	g->next = snap;
	g->next_datasets = g->n_datasets;
	install(app);
	return true;
}
