/* agreement: who is right together, and how alike the panel's runs are. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/view/agreement_impl.h"
#include "tui/view/door.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"
#include "tui/view/tables.h"

#define AGREEMENT_KEY 0x6167726565000000
#define AT_ONCE       400000 /* samples times runs that are counted within a frame or two */

struct agreement_view {
	struct view view;
	struct app *app; /* for the worker's answer, and for close() */
	struct agreement a;
	struct snapshot *snap; /* owned: the numbers' own; its strings are the handles */
	int *runs;             /* [page.n_runs] indices into it */
	bool made, asked, waits, stopped;
	struct agreement_page page;
	struct door door;
};

static struct view *agreement_open(struct app *app)
{
	struct agreement_view *v = xcalloc(1, sizeof *v);

	v->view.class = &agreement_view;
	v->app = app;
	v->page.col = 1;
	return &v->view;
}

static void drop(struct agreement_view *v)
{
	if (v->made)
		agreement_release(&v->a);
	snapshot_free(v->snap);
	free(v->runs);
	free(v->page.handle);
	free(v->page.place);
	v->snap = NULL;
	v->runs = NULL;
	v->page.handle = NULL;
	v->page.place = NULL;
	v->made = false;
}

static void agreement_close(struct view *self)
{
	struct agreement_view *v = (struct agreement_view *)self;

	if (v->app->pool)
		pool_cancel(v->app->pool, AGREEMENT_KEY);
	meter_close(v->app, AGREEMENT_KEY);
	drop(v);
	door_release(&v->door);
	free(v);
}

/* --- counting --- */

struct agreement_job {
	struct job job;
	struct snapshot *snap; /* owned, as all here */
	struct lens lens;
	uint64_t *mask;
	int *runs, n_runs;
	struct meter_steps steps;
	struct agreement a;
	bool made;
	struct err err;
};

static struct agreement_job *wish(const struct scene *s)
{
	struct agreement_job *j = xcalloc(1, sizeof *j);

	j->snap = snapshot_share(s->snap);
	j->lens = s->lens;
	if (s->shown) {
		j->mask = xcalloc(bits_words(s->snap->n) + 1, sizeof *j->mask);
		memcpy(j->mask, s->shown, bits_words(s->snap->n) * sizeof *j->mask);
		if (s->stale)
			bits_and_not(j->mask, s->stale, s->snap->n);
	}
	j->n_runs = s->n_panel;
	j->runs = xcalloc((size_t)s->n_panel + 1, sizeof *j->runs);
	memcpy(j->runs, s->panel, (size_t)s->n_panel * sizeof *j->runs);
	return j;
}

static void run_job(struct job *job)
{
	struct agreement_job *j = (struct agreement_job *)job;
	struct report_ctx ctx = {.snap = j->snap, .lens = &j->lens, .mask = j->mask, .runs = j->runs,
				 .n_runs = j->n_runs, .by = STR(""), .cancel = &job->cancel,
				 .steps = &j->steps.steps};

	j->made = agreement_make(&ctx, &j->a, &j->err) == OK;
}

static void free_job(struct job *job)
{
	struct agreement_job *j = (struct agreement_job *)job;

	if (j->made)
		agreement_release(&j->a);
	snapshot_free(j->snap);
	free(j->mask);
	free(j->runs);
	free(j);
}

static void name_runs(struct agreement_view *v)
{
	struct agreement_page *p = &v->page;

	p->handle = xcalloc((size_t)p->n_runs + 1, sizeof *p->handle);
	p->place = xcalloc((size_t)p->n_runs + 1, sizeof *p->place);
	for (int k = 0; k < p->n_runs; k++)
		p->handle[k] = v->snap->runs[v->runs[k]].handle;
}

static void take(struct agreement_view *v, struct agreement_job *j)
{
	v->waits = false;
	meter_close(v->app, AGREEMENT_KEY);
	if (!j->made) {
		app_message(v->app, STYLE_WARNING, "%s", j->err.msg);
		v->stopped = true;
		return;
	}
	drop(v);
	v->a = j->a;
	v->snap = j->snap;
	v->runs = j->runs;
	v->page.n_runs = j->n_runs;
	j->snap = NULL;
	j->runs = NULL;
	j->made = false;
	v->made = true;
	name_runs(v);
}

static void done(struct job *job)
{
	struct agreement_view *v = job->owner;

	take(v, (struct agreement_job *)job);
	v->app->dirty = true;
}

static void news(struct job *job)
{
	struct agreement_view *v = job->owner;

	meter_steps_move(v->app, AGREEMENT_KEY, &((struct agreement_job *)job)->steps);
}

/* Ctrl-c: the meter's line knows the app alone. */
static void stop(struct app *app)
{
	pool_cancel(app->pool, AGREEMENT_KEY);
	meter_close(app, AGREEMENT_KEY);
	for (struct view *v = app->top; v; v = v->below)
		if (v->class == &agreement_view) {
			struct agreement_view *mine = (struct agreement_view *)v;

			drop(mine); /* those are of another filter, lens or panel */
			mine->waits = false;
			mine->stopped = true;
		}
	app_message(app, STYLE_MESSAGE, "stopped; Ctrl-l counts again");
}

static void ask(struct agreement_view *v)
{
	struct app *app = v->app;
	struct agreement_job *j = wish(&app->scene);
	uint64_t cost = (uint64_t)j->snap->n * (uint64_t)j->n_runs;

	v->asked = true;
	v->stopped = false;
	if (app->pool)
		pool_cancel(app->pool, AGREEMENT_KEY);
	if (!app->pool || cost <= (app->cli->at_once ? app->cli->at_once : AT_ONCE)) {
		run_job(&j->job);
		take(v, j);
		free_job(&j->job);
		return;
	}
	j->job = (struct job){.key = AGREEMENT_KEY, .urgency = 2, .run = run_job, .news = news, .done = done,
			      .free_job = free_job, .owner = v};
	meter_steps_begin(&j->steps, &j->job);
	v->waits = true;
	meter_open(app, (struct meter){.key = AGREEMENT_KEY, .what = "comparing runs", .unit = "steps",
				       .stop = stop});
	pool_submit(app->pool, &j->job);
}

/* --- before a draw --- */

static void order_runs(struct agreement_view *v)
{
	struct agreement_page *p = &v->page;
	enum agreement_measure by = p->pane == PANE_ALIKE ? p->measure : AGREE_PHI;

	p->a = &v->a;
	p->order = v->a.order[by];
	if (p->as_panel) { /* their own order: what place says where nothing is sorted */
		for (int k = 0; k < p->n_runs; k++)
			p->place[k] = k;
		p->order = p->place;
		return;
	}
	for (int k = 0; k < p->n_runs; k++)
		p->place[p->order[k]] = k;
}

static int clamp(int v, int n)
{
	return v >= n ? n - 1 : v < 0 ? 0 : v;
}

static int scroll(int top, int at, int seen, int n)
{
	if (at < top)
		top = at;
	if (at >= top + seen)
		top = at - seen + 1;
	return top + seen > n ? (n > seen ? n - seen : 0) : top;
}

static void fit(struct agreement_page *p, struct rect area)
{
	struct rect inside = {area.y, area.x + 1, area.h, area.w - 1};
	struct agreement_grid g = agreement_lay(p, inside);
	int h = area.h - agreement_head(p, area.h) - agreement_foot(area.h);

	list_fit(&p->lines, agreement_lines(p), h > 0 ? (uint32_t)h : 1);
	if (p->lines.cursor == p->a->n_bars)
		list_go(&p->lines, p->lines.cursor - 1);
	p->row = clamp(p->row, p->n_runs);
	p->col = clamp(p->col, p->n_runs);
	p->top = scroll(p->top, p->row, g.rows, p->n_runs);
	p->left = scroll(p->left, p->col, g.columns, p->n_runs);
}

static void agreement_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct agreement_view *v = (struct agreement_view *)self;
	unsigned what = REACT_RELOAD | REACT_RELENS | REACT_GREW | REACT_REFILTER | REACT_RERUN;

	if (!app->scene.snap || !app->scene.n_panel)
		return;
	if (reactions & REACT_RELOAD)
		v->door.away = false;
	if (!v->asked || (reactions & what))
		ask(v);
	if (!v->made)
		return;
	order_runs(v);
	fit(&v->page, area);
}

static void agreement_draw_view(const struct view *self, const struct scene *scene, struct cells *grid,
				struct rect area)
{
	const struct agreement_view *v = (const struct agreement_view *)self;

	if (!scene->snap)
		view_draw_nothing(grid, area);
	else if (!scene->n_panel)
		cells_putz(grid, area.y, area.x + 1, area.w - 2, STYLE_DIM,
			   "no answers yet: qualm import FILE.qualm PREDICTIONS");
	else if (!scene_shown(scene))
		view_draw_none(scene, grid, area);
	else if (!v->made)
		cells_printf(grid, area.y, area.x + 1, area.w - 2, STYLE_DIM, "%s %s",
			     v->stopped ? "not counted: Ctrl-l counts" : "comparing runs",
			     v->stopped ? "" : sign(SIGN_WAIT));
	else
		agreement_draw(&v->page, grid, area);
	if (v->made && v->waits)
		cells_putz(grid, area.y, area.x + area.w - 4, 3, STYLE_DIM, sign(SIGN_WAIT));
}

/* --- what the cursor is on --- */

/* Row and column of the table. False: a run with itself. */
static bool target(const struct agreement_view *v, size_t *row, size_t *column)
{
	const struct agreement_page *p = &v->page;
	int run;

	if (p->pane == PANE_ALIKE) {
		if (p->row == p->col)
			return false;
		*row = agreement_pair(&v->a, p->order[p->row], p->order[p->col]);
		*column = v->a.measure[p->measure];
		return true;
	}
	*column = v->a.n;
	*row = p->lines.cursor;
	run = agreement_run(p, p->lines.cursor);
	if (run < 0)
		return agreement_is_bar(p, p->lines.cursor);
	*row = v->a.first_run + (size_t)run;
	*column = p->column == RUN_RIGHT ? v->a.right : p->column == RUN_ONLY ? v->a.only : v->a.all_but;
	return true;
}

static bool is(const char *name, const char *what)
{
	return strcmp(name, what) == 0;
}

/* The samples behind the number under the cursor: opened, or asked for by the filter from now on. */
static unsigned use_door(struct agreement_view *v, struct app *app, const char *command)
{
	const struct table_cell *cell;
	size_t row, column;

	if (v->waits)
		return REACT_NONE;
	if (!target(v, &row, &column)) {
		app_message(app, STYLE_MESSAGE, "a run with itself: there is nothing to open");
		return REACT_REDRAW;
	}
	cell = table_look(&v->a.table, row, column);
	if (!cell->door) {
		app_message(app, STYLE_MESSAGE, "this is no number of samples; = tells what it is");
		return REACT_REDRAW;
	}
	if (is(command, "enter"))
		return door_open(&v->door, app, &v->view, str_z(cell->door));
	return door_narrow(app, str_z(cell->door), is(command, "filter-out"));
}

static unsigned explain(struct agreement_view *v, struct app *app)
{
	size_t row, column;

	if (v->waits || !target(v, &row, &column))
		return REACT_NONE;
	return explain_open(app, &(struct explain_what){.kind = TABLES_CLASSES, .report = "agreement",
							.table = &v->a.table, .row = row, .column = column});
}

/* The run of the line becomes a or b; of a cell, its row's and its column's. */
static unsigned become(struct agreement_view *v, struct app *app, bool b)
{
	const struct agreement_page *p = &v->page;
	int run = p->pane == PANE_ALIKE ? p->order[b ? p->col : p->row] : agreement_run(p, p->lines.cursor);

	return run < 0 || v->snap != app->scene.snap ? REACT_UNHANDLED : choice_run(app, b, v->runs[run]);
}

/* --- moving --- */

static unsigned move_lines(struct agreement_page *p, const char *name, struct str args)
{
	uint32_t before = p->lines.cursor;

	if (strcmp(name, "right") == 0 || strcmp(name, "left") == 0) {
		p->column = clamp(p->column + (*name == 'r' ? 1 : -1), N_RUN_COLUMNS);
		return REACT_REDRAW;
	}
	if (!list_command(&p->lines, name, args))
		return REACT_UNHANDLED;
	if (p->lines.cursor == p->a->n_bars) /* the heading */
		list_go(&p->lines, p->lines.cursor > before ? p->lines.cursor + 1 : p->lines.cursor - 1);
	return REACT_REDRAW;
}

static unsigned move_cell(struct agreement_page *p, const char *name, struct str args)
{
	struct list rows = {(uint32_t)p->n_runs, (uint32_t)p->row, (uint32_t)p->top, 10};

	if (strcmp(name, "right") == 0 || strcmp(name, "left") == 0) {
		p->col = clamp(p->col + (*name == 'r' ? 1 : -1), p->n_runs);
		return REACT_REDRAW;
	}
	if (!list_command(&rows, name, args))
		return REACT_UNHANDLED;
	p->row = (int)rows.cursor;
	return REACT_REDRAW;
}

static unsigned set_measure(struct agreement_view *v, struct app *app, struct str args)
{
	struct agreement_page *p = &v->page;

	if (!args.n) {
		p->measure = p->pane == PANE_ALIKE ? (p->measure + 1) % N_AGREEMENT_MEASURES : p->measure;
		p->pane = PANE_ALIKE;
		return REACT_REDRAW;
	}
	for (int k = 0; k < N_AGREEMENT_MEASURES; k++)
		if (str_eqz(args, agreement_word((enum agreement_measure)k))) {
			p->measure = (enum agreement_measure)k;
			p->pane = PANE_ALIKE;
			return REACT_REDRAW;
		}
	app_message(app, STYLE_WARNING, "runs are compared by phi, kappa or spearman");
	return REACT_REDRAW;
}

static unsigned do_here(struct agreement_view *v, struct app *app, const char *name, struct str args)
{
	struct agreement_page *p = &v->page;

	if (is(name, "next-pane")) {
		p->pane = p->pane == PANE_TOGETHER ? PANE_ALIKE : PANE_TOGETHER;
		return REACT_REDRAW;
	}
	if (is(name, "agreement-measure"))
		return set_measure(v, app, args);
	if (is(name, "agreement-order")) {
		p->as_panel = !p->as_panel;
		return REACT_REDRAW;
	}
	if (is(name, "enter") || is(name, "filter-by") || is(name, "filter-out"))
		return use_door(v, app, name);
	if (is(name, "open-door"))
		return door_open(&v->door, app, &v->view, args);
	if (is(name, "explain"))
		return explain(v, app);
	if (!args.n && (is(name, "run-a") || is(name, "run-b")))
		return become(v, app, is(name, "run-b"));
	return p->pane == PANE_ALIKE ? move_cell(p, name, args) : move_lines(p, name, args);
}

static unsigned agreement_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct agreement_view *v = (struct agreement_view *)self;

	if (app->top != self)
		return is(name, "back") ? door_back(&v->door, app, self) : REACT_UNHANDLED;
	if (is(name, "redraw") && v->stopped)
		v->asked = false;
	if (!app->scene.snap || !v->made || !v->page.a)
		return REACT_UNHANDLED;
	return do_here(v, app, name, args);
}

static const struct hint agreement_hints[] = {
    {"enter", "open"},  {"next-pane", "bars/pairs"}, {"agreement-measure", "measure"},
    {"explain", "explain"}, {"agreement-order", "order"}, {"run-a", "make a"}, {"run-b", "make b"},
    {"panel", "panel"}, {"keys", "keys"}, {"filter-edit", "filter"}, {"back", "back"}, {NULL, NULL},
};

const struct view_class agreement_view = {
    .name = "agreement",
    .digit = '6',
    .help = "who is right together, and how alike the panel's runs are",
    .mode = MODE_AGREEMENT,
    .placeless = true,
    .hints = agreement_hints,
    .open = agreement_open,
    .close = agreement_close,
    .update = agreement_update,
    .draw = agreement_draw_view,
    .command = agreement_command,
};
