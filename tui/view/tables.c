/* runs, classes: tables whose numbers open their samples. */
#include "tui/view/tables.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/term/text.h"
#include "tui/view/chooser.h"
#include "tui/view/compare_head.h"
#include "tui/view/door.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"
#include "tui/view/table_pane.h"

#define AT_ONCE   400000 /* samples times runs that are counted within a frame or two */
#define FOOT_FROM 8      /* lines below which the table has them all */

struct tables {
	struct view view;
	struct app *app; /* for the worker's answer, and for close() */
	enum tables_kind kind;
	struct table table;
	size_t n_first;
	bool made, asked; /* there is a table; it was worked out, or is */
	bool stopped;     /* by Ctrl-c: what is shown, if any, is of before */
	bool unfold;      /* Runs: those that repeat each other, one by one */
	struct table_pane pane;
	struct compare_head head;         /* of Classes with a and b */
	int head_lines;
	struct shared_grouping *grouping; /* a share of what the table was made by; NULL: none */
	struct comparing_as as;           /* the last table was asked for so */
	struct buf foot;
	struct door door;
	int64_t dataset; /* of the table: another one is looked at from its beginning */
};

static struct view *open_kind(struct app *app, enum tables_kind kind, const struct view_class *class)
{
	struct tables *t = xcalloc(1, sizeof *t);

	t->view.class = class;
	t->app = app;
	t->kind = kind;
	t->pane.sorted = -1;
	return &t->view;
}

static void tables_close(struct view *self)
{
	struct tables *t = (struct tables *)self;

	tables_cancel(t->app, t->kind);
	if (t->kind == TABLES_CLASSES)
		tables_intervals_cancel(t->app);
	shared_grouping_release(t->grouping);
	free(t->as.cluster);
	table_pane_release(&t->pane);
	if (t->made)
		table_release(&t->table);
	buf_release(&t->foot);
	door_release(&t->door);
	free(t);
}

/* --- making the table --- */

/* The columns' own order; Classes has the worst on top: the least accurate, or where b was better. */
static void arrange_table(struct tables *t, bool first)
{
	const char *worst = compare_head_fits(&t->table) ? "delta" : "accuracy";
	size_t *columns = xcalloc(t->table.columns.n + 1, sizeof *columns);
	size_t n = tables_columns(t->kind, &t->table, t->n_first, columns);
	bool classes = t->kind == TABLES_CLASSES;

	table_pane_take(&t->pane, &t->table, columns, n, classes);
	if (first && classes)
		table_pane_sort(&t->pane, table_find(&t->table, str_z(worst)), false);
	if (first)
		list_go(&t->pane.list, 0);
	t->head.table = classes && compare_head_fits(&t->table) ? &t->table : NULL;
	t->head.in &= t->head.table != NULL;
	t->pane.plain = t->head.table != NULL;
	if (first && t->head.table) { /* Enter opens what flipped */
		t->pane.at = 0;
		first = false;
	}
	for (size_t k = 0; k < n && first && !t->pane.at; k++) /* the first share: the accuracy */
		t->pane.at = t->table.columns.v[columns[k]].kind == TABLE_SHARE ? k : 0;
	free(columns);
}

static void begin(struct table_pane *pane)
{
	pane->table = NULL;
	pane->list = (struct list){0};
	pane->at = pane->left = 0;
	pane->sorted = -1;
	vec_clear(&pane->rows);
}

/* A grouping, or clusters, that this dataset does not have gives way to its own. */
static void refused(struct tables *t, const struct err *err)
{
	char **by = t->as.cluster ? &t->app->cluster : &t->app->table_by[t->kind];

	app_message(t->app, STYLE_WARNING, "%s", err->msg);
	t->asked = *by == NULL;
	free(*by);
	*by = NULL;
}

/* Columns of intervals may want to be wider, and what they sort is sorted. */
static void are_there(void *owner)
{
	arrange_table(owner, false);
}

/* Takes the table when there is one. The cursor goes by what it was on in the old one. */
static void take(struct tables *t, struct table_answer *answer)
{
	struct table old = t->table;
	int64_t dataset = t->app->scene.snap->dataset_id;
	bool had = t->made, first = !had || dataset != t->dataset;

	t->pane.waits = false;
	if (!answer->made) {
		refused(t, &answer->err);
		return;
	}
	t->table = answer->table;
	answer->made = false;
	t->made = true;
	t->n_first = answer->n_first;
	t->dataset = dataset;
	if (first)
		begin(&t->pane);
	else
		t->pane.table = &old;
	if (answer->grouping && answer->grouping != t->grouping) {
		shared_grouping_release(t->grouping);
		t->grouping = answer->grouping;
		t->grouping->sharers++;
	}
	if (answer->intervals)
		tables_intervals_recall(t->app, answer->intervals, &t->table);
	arrange_table(t, first);
	if (had)
		table_release(&old);
	if (answer->intervals && t->app->pool) {
		intervals_order(answer->intervals, t->pane.rows.v, t->pane.rows.n);
		tables_intervals_start(t->app, answer->intervals, &t->table, are_there, t);
		answer->intervals = NULL;
	}
}

static void answered(void *owner, struct table_answer *answer)
{
	struct tables *t = owner;

	take(t, answer);
	t->app->dirty = true;
}

static bool same_text(const char *x, const char *y)
{
	return strcmp(x ? x : "", y ? y : "") == 0;
}

static bool other_as(const struct tables *t)
{
	struct comparing_as now = tables_as(t->app);

	return t->kind == TABLES_CLASSES && (!same_text(now.cluster, t->as.cluster) ||
					     now.mid_p != t->as.mid_p || now.seed != t->as.seed);
}

/* How Classes compares, and what is at hand already. */
static void ask_as(struct tables *t, struct table_wish *w)
{
	struct app *app = t->app;
	const struct filter_ctx *ctx;
	struct err err = ERR_INIT;

	if (t->kind != TABLES_CLASSES)
		return;
	free(t->as.cluster);
	t->as = tables_as(app);
	w->as = t->as;
	w->known = app->intervals_known;
	t->as.cluster = t->as.cluster ? xstrdup(t->as.cluster) : NULL;
	w->as.cluster = w->as.cluster ? xstrdup(w->as.cluster) : NULL;
	table_wish_share(w, t->grouping);
	ctx = w->n_runs == 2 ? narrow_ctx(app, &err) : NULL;
	for (int k = 0; k < w->n_runs && ctx; k++)
		report_batch(ctx->source, w->runs[k], w->batch[k]);
}

/* Of a comparison by what is at hand only the counting is left. */
static bool is_quick(const struct tables *t, const struct table_wish *w)
{
	uint64_t at_once = t->app->cli->at_once, cost = table_wish_cost(w);

	if (at_once)
		return cost <= at_once;
	return cost <= AT_ONCE || (w->grouping && w->verdict[0] && w->verdict[1] && w->snap->n <= AT_ONCE * 4);
}

static void ask(struct tables *t)
{
	struct app *app = t->app;
	struct table_wish w;

	if (t->kind == TABLES_CLASSES) {
		scene_ready(&app->scene);
		tables_intervals_cancel(app);
	}
	table_wish_make(&w, &app->scene, t->kind, app->table_by[t->kind]);
	ask_as(t, &w);
	w.unfold = t->unfold;
	w.judging = tables_judging(app);
	w.sieve = app->sieve;
	t->asked = true;
	t->stopped = false;
	tables_cancel(app, t->kind);
	if (app->pool && !is_quick(t, &w)) {
		t->pane.waits = t->made;
		tables_start(app, &w, answered, t);
	} else {
		struct table_answer a = {.err = ERR_INIT};

		a.made = table_wish_begin(&w, NULL, &a.table, &a.n_first, app->pool ? &a.intervals : NULL,
					  &a.err) == OK;
		a.grouping = w.grouping;
		take(t, &a);
		table_wish_release(&w);
	}
}

static bool must_ask(const struct tables *t, unsigned reactions)
{
	unsigned what = REACT_RELOAD | REACT_RELENS | REACT_GREW | REACT_REFILTER;

	if (t->kind == TABLES_CLASSES)
		what |= REACT_RERUN;
	return !t->asked || (reactions & what) || other_as(t);
}

/* --- before a draw --- */

/* The run of a row; -1: the row is of no single run. */
static int run_of(const struct tables *t, const struct snapshot *snap, size_t row)
{
	int column = t->made ? table_find(&t->table, STR("run")) : -1;
	const char *handle = column >= 0 ? table_look(&t->table, row, (size_t)column)->text : NULL;

	for (uint32_t r = 0; handle && r < snap->n_runs; r++)
		if (strcmp(snap->runs[r].handle, handle) == 0)
			return (int)r;
	return -1;
}

static bool in_panel(const struct scene *s, int run)
{
	for (int p = 0; p < s->n_panel; p++)
		if (s->panel[p] == run)
			return true;
	return false;
}

static void take_signs(struct tables *t, const struct scene *s)
{
	size_t q = t->head.table ? compare_head_q(&t->table) : 0;

	vec_clear(&t->pane.signs);
	for (size_t r = 0; t->head.table && r < table_rows(&t->table); r++)
		vec_push(&t->pane.signs, compare_head_marks(&t->table, q, r) ? "*" : "");
	for (size_t r = 0; t->made && t->kind == TABLES_RUNS && r < table_rows(&t->table); r++) {
		int run = run_of(t, s->snap, r);

		vec_push(&t->pane.signs, run < 0	     ? ""
					 : run == s->a	     ? "a"
					 : run == s->b	     ? "b"
					 : in_panel(s, run) ? sign(SIGN_MARKED)
							     : "");
	}
}

/* Population and lens stand in the top line already; what is said of a run comes with its row. */
static bool worth_saying(const struct tables *t, const char *note, const char *run)
{
	struct str s = str_z(note);
	struct buf head = BUF_INIT;
	bool worth;

	if (t->kind == TABLES_CLASSES)
		return str_starts(s, STR("left out of "));
	if (!run)
		return false;
	buf_printf(&head, "left out of %s:", run);
	worth = str_starts(s, buf_view(&head));
	buf_clear(&head);
	buf_printf(&head, "%s says ", run);
	worth |= str_starts(s, buf_view(&head));
	buf_release(&head);
	return worth;
}

/* As the row says it: also what stands for a layer. */
static const char *handle_of(const struct tables *t, size_t row)
{
	int column = table_find(&t->table, STR("run"));

	return column >= 0 ? table_look(&t->table, row, (size_t)column)->text : NULL;
}

static void take_foot(struct tables *t)
{
	const char *by = t->app->table_by[t->kind];
	size_t row, column;
	const char *run = NULL;

	buf_clear(&t->foot);
	if (!t->made)
		return;
	if (table_pane_cursor(&t->pane, &row, &column))
		run = handle_of(t, row);
	if (by)
		buf_printf(&t->foot, "by %s", by);
	for (size_t i = 0; i < t->table.notes.n; i++)
		if (worth_saying(t, t->table.notes.v[i], run))
			buf_printf(&t->foot, "%s%s", t->foot.n ? "; " : "", t->table.notes.v[i]);
}

static struct rect table_area(const struct tables *t, struct rect area)
{
	int head = t->head_lines, foot = area.h < FOOT_FROM + 2 * head ? 0 : area.h < 20 ? 1 : 2;

	return (struct rect){area.y + head, area.x, area.h - foot - head, area.w};
}

static void tables_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct tables *t = (struct tables *)self;

	if (!app->scene.snap)
		return;
	if (reactions & REACT_RELOAD)
		t->door.away = false;
	for (int tries = 0; tries < 2 && (must_ask(t, reactions) || !t->asked); tries++) {
		ask(t);
		reactions = 0;
	}
	t->head.cluster = t->as.cluster;
	t->head.waits = t->pane.waits;
	t->pane.away = t->head.in;
	t->head_lines = compare_head_fit(&t->head, area);
	take_signs(t, &app->scene);
	table_pane_fit(&t->pane, table_area(t, area));
	take_foot(t);
}

static void tables_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	const struct tables *t = (const struct tables *)self;
	struct rect table = table_area(t, area);
	struct pen p = {grid, {area.y, area.x + 1, area.h, area.w - 2}, table.y - area.y + table.h, 0};

	if (!scene->snap) {
		view_draw_nothing(grid, area);
		return;
	}
	if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
		return;
	}
	if (!t->made) {
		cells_printf(grid, area.y, area.x + 1, area.w - 2, STYLE_DIM, "%s %s",
			     t->stopped ? "not counted: Ctrl-l counts" : "counting",
			     t->stopped ? "" : sign(SIGN_WAIT));
		return;
	}
	if (!scene->snap->n_runs && (!table_rows(&t->table) || t->table.columns.n < 2)) {
		cells_putz(grid, area.y, area.x + 1, area.w - 2, STYLE_DIM,
			   "no answers yet: qualm import FILE.qualm PREDICTIONS");
		return;
	}
	compare_head_draw(&t->head, grid, (struct rect){area.y, area.x, table.y - area.y, area.w});
	table_pane_draw(&t->pane, grid, table);
	pen_wrap(&p, 0, area.h - p.y, STYLE_DIM, (struct span){0}, buf_view(&t->foot));
}

/* --- commands --- */

/* Does a number made of others open none of them? */
static bool opens_nothing(const struct table_cell *cell)
{
	for (size_t k = 0; k < cell->n_parts; k++)
		if (cell->door && strcmp(cell->parts[k].door, cell->door) == 0)
			return cell->parts[k].n == 0;
	return false;
}

/* What the cursor is on, in the head or in the table. */
static bool here(const struct tables *t, size_t *row, size_t *column)
{
	if (!t->head.in)
		return table_pane_cursor(&t->pane, row, column);
	*row = 0;
	*column = compare_head_column(&t->head);
	return true;
}

/* Of a comparison: would it open flips where there are none? */
static bool no_flips(const struct tables *t, size_t row, size_t column)
{
	int flips = t->head.table ? table_find(&t->table, STR("flips")) : -1;

	return flips >= 0 && table_look(&t->table, row, (size_t)flips)->number == 0 &&
	       t->table.columns.v[column].kind != TABLE_COUNT && table_look(&t->table, row, column)->door &&
	       table_look(&t->table, row, column)->door == table_look(&t->table, row, (size_t)flips)->door;
}

/* A name opens its group, or all, of a comparison what flipped there; a number the samples that it
 * counts, and one made of others the errors or the flips behind it. NULL: nothing is opened. */
static const char *door_here(const struct tables *t, struct app *app)
{
	const struct table_cell *cell;
	size_t row, column;

	if (!here(t, &row, &column) || t->pane.waits)
		return NULL;
	cell = table_look(&t->table, row, column);
	if (cell->reference)
		app_message(app, STYLE_MESSAGE, "a published figure: there are no samples behind it");
	else if (no_flips(t, row, column))
		app_message(app, STYLE_MESSAGE, "nothing flipped there; n opens all of it");
	else if (cell->door && opens_nothing(cell))
		app_message(app, STYLE_MESSAGE, "there is no sample behind it; = tells what it is made of");
	else if (cell->door || cell->text)
		return cell->door ? cell->door : "";
	else
		app_message(app, STYLE_MESSAGE, "%s", cell->why ? cell->why
								: "this is no number of samples; = tells what it is");
	return NULL;
}

static unsigned enter(struct tables *t, struct app *app, const struct view_class *class)
{
	const char *door = door_here(t, app);

	return door ? door_open_in(&t->door, app, &t->view, str_z(door), class) : REACT_REDRAW;
}

static unsigned narrow(const struct tables *t, struct app *app, bool out)
{
	const char *door = door_here(t, app);

	return door ? door_narrow(app, str_z(door), out) : REACT_REDRAW;
}

static unsigned group_by(struct tables *t, struct app *app, struct str by)
{
	char **now = &app->table_by[t->kind];

	free(*now);
	*now = by.n ? xstrndup(by.p, by.n) : NULL;
	t->asked = false;
	return REACT_REDRAW;
}

static unsigned search(struct tables *t, struct app *app, const char *name, struct str args)
{
	bool next = name[6] == '\0' || name[7] == 'n';

	if (name[6] == '\0') {
		free(t->pane.needle);
		t->pane.needle = xstrndup(args.p, args.n);
	}
	if (!t->pane.needle)
		app_message(app, STYLE_MESSAGE, "nothing has been searched here yet: /");
	else if (!table_pane_search(&t->pane, next, name[6] == '\0'))
		app_message(app, STYLE_MESSAGE, "no row's name has \"%s\" in it", t->pane.needle);
	return REACT_REDRAW;
}

static unsigned sort(struct tables *t, struct app *app, struct str args)
{
	struct str down, name;
	int column;

	if (!args.n) {
		table_pane_sort_here(&t->pane);
		return REACT_REDRAW;
	}
	down = str_trim(str_cut(args, ' ', &name));
	column = t->made ? table_find(&t->table, name) : -1;
	if (column < 0)
		app_message(app, STYLE_WARNING, "there is no column \"%.*s\" here", STR_ARG(name));
	else
		table_pane_sort(&t->pane, column, str_eqz(down, "down"));
	return REACT_REDRAW;
}

static unsigned become(struct tables *t, struct app *app, bool b)
{
	size_t row, column;
	int run = table_pane_cursor(&t->pane, &row, &column) ? run_of(t, app->scene.snap, row) : -1;

	return run < 0 ? REACT_UNHANDLED : choice_run(app, b, run);
}

static unsigned explain(struct tables *t, struct app *app)
{
	size_t row, column;

	if (!here(t, &row, &column) || t->pane.waits)
		return REACT_NONE;
	return explain_open(app, &(struct explain_what){t->kind, app->table_by[t->kind], &t->table,
							t->n_first, row, column, NULL});
}

/* Runs that repeat each other: their mean alone, or each of them below it. */
static unsigned unfold(struct tables *t, struct app *app)
{
	const struct snapshot *snap = app->scene.snap;
	bool any = false;

	for (uint32_t r = 0; r < snap->n_runs; r++)
		any |= snapshot_n_repeats(snap, (int)r) > 1;
	if (!any) {
		app_message(app, STYLE_MESSAGE, "no runs repeat each other here");
		return REACT_REDRAW;
	}
	t->unfold = !t->unfold;
	t->asked = false;
	return REACT_REDRAW;
}

static bool is(const char *name, const char *what)
{
	return strcmp(name, what) == 0;
}

/* Between head and table: by the key for panes, and over the table's upper edge. */
static bool move_pane(struct tables *t, const char *name)
{
	bool was = t->head.in;

	if (!t->head.table)
		return false;
	if (is(name, "next-pane"))
		t->head.in = !was;
	else if (was && (is(name, "down") || is(name, "escape")))
		t->head.in = false;
	else if (!was && is(name, "up") && t->pane.list.cursor == 0)
		t->head.in = true;
	else
		return was && compare_head_command(&t->head, name);
	return true;
}

static unsigned tables_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct tables *t = (struct tables *)self;

	if (is(name, "intervals-stopped") && t->made && t->kind == TABLES_CLASSES) {
		table_give_up(&t->table);
		app_message(app, STYLE_MESSAGE, "stopped: the rows without an interval have everything else");
		return REACT_REDRAW;
	}
	if (is(name, "table-stopped")) {
		t->stopped = true;
		app_message(app, STYLE_MESSAGE, "stopped; Ctrl-l counts again");
		return REACT_REDRAW;
	}
	if (is(name, "redraw") && (t->stopped || t->pane.waits || !t->made))
		t->asked = false;
	if (app->top != self)
		return is(name, "back") ? door_back(&t->door, app, self) : REACT_UNHANDLED;
	if (!app->scene.snap || !t->made)
		return REACT_UNHANDLED;
	if (move_pane(t, name))
		return REACT_REDRAW;
	if (table_pane_command(&t->pane, name, args)) {
		t->head.in = false;
		return REACT_REDRAW;
	}
	if (is(name, "enter") || is(name, "contact-sheet"))
		return enter(t, app, is(name, "enter") ? &browse_view : &contact_view);
	if (is(name, "filter-by") || is(name, "filter-out"))
		return narrow(t, app, is(name, "filter-out"));
	if (is(name, "open-door"))
		return door_open(&t->door, app, self, args);
	if (is(name, "explain"))
		return explain(t, app);
	if (is(name, "sort"))
		return sort(t, app, args);
	if (is(name, "unfold") && t->kind == TABLES_RUNS)
		return unfold(t, app);
	if (is(name, "group-by"))
		return args.n ? group_by(t, app, args) : REACT_UNHANDLED;
	if (is(name, "search") || is(name, "search-next") || is(name, "search-previous"))
		return search(t, app, name, args);
	if (!args.n && (is(name, "run-a") || is(name, "run-b")))
		return become(t, app, is(name, "run-b"));
	return REACT_UNHANDLED;
}

/* --- the two of them --- */

static struct view *runs_open(struct app *app)
{
	return open_kind(app, TABLES_RUNS, &runs_view);
}

static struct view *classes_open(struct app *app)
{
	return open_kind(app, TABLES_CLASSES, &classes_view);
}

static const struct hint runs_hints[] = {
    {"enter", "open"}, {"explain", "explain"}, {"group-by", "by"}, {"sort", "sort"}, {"run-a", "make a"},
    {"run-b", "make b"}, {"keys", "keys"}, {"search", "search"}, {"unfold", "repeats"}, {"back", "quit"}, {NULL, NULL},
};

static const struct hint classes_hints[] = {
    {"enter", "open"}, {"explain", "explain"}, {"group-by", "by"}, {"sort", "sort"},
    {"search", "search"}, {"swap", "swap"}, {"next-pane", "head"}, {"keys", "keys"}, {"back", "quit"}, {NULL, NULL},
};

static const struct hint one_run_hints[] = { /* there is no head */
    {"enter", "open"}, {"explain", "explain"}, {"group-by", "by"}, {"sort", "sort"},
    {"search", "search"}, {"run-b", "compare with"}, {"keys", "keys"}, {"back", "quit"}, {NULL, NULL},
};

static const struct hint *classes_hints_now(const struct view *self)
{
	const struct tables *t = (const struct tables *)self;

	return t->head.table ? classes_hints : one_run_hints;
}

#define TABLES_CLASS(its_name, its_digit, its_help, its_hints, its_hints_now, its_open)            \
	{                                                                                          \
		.name = its_name, .digit = its_digit, .help = its_help, .mode = MODE_TABLE,        \
		.placeless = true, .hints = its_hints, .hints_now = its_hints_now,                 \
		.open = its_open, .close = tables_close, .update = tables_update,                  \
		.draw = tables_draw, .command = tables_command                                     \
	}

const struct view_class runs_view = TABLES_CLASS(
    "runs", '5', "the benchmark's own table: a row for each run", runs_hints, NULL, runs_open);
const struct view_class classes_view =
    TABLES_CLASS("classes", '4', "a row for each class or group: a, b, and what changed", classes_hints,
		 classes_hints_now, classes_open);
