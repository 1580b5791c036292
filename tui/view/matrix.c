/* matrix: the confusion of run a beside its ranked confusions. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/door.h"
#include "tui/view/explain.h"
#include "tui/view/matrix_impl.h"
#include "tui/view/pen.h"

#define NOWHERE (MATRIX_OTHER - 1) /* no row and no column: the cursor goes to the first */

struct matrix {
	struct view view;
	struct app *app;
	struct matrix_answer now;
	struct matrix_grid grid;
	struct matrix_look look; /* as of the last update; of what is counted where that is younger */
	bool waits;              /* a worker counts */
	size_t n_stale;          /* samples of the list that were left out */
	char *needle;            /* owned: what was searched last; NULL = nothing */
	bool opened;             /* something was opened from here, under another filter */
	struct narrow_place before; /* owned: the filter to come back to */
};

static struct view *matrix_open(struct app *app)
{
	struct matrix *m = xcalloc(1, sizeof *m);

	m->view.class = &matrix_view;
	m->app = app;
	return &m->view;
}

static void forget_before(struct matrix *m)
{
	narrow_place_release(&m->before);
	m->before = (struct narrow_place){0};
	m->opened = false;
}

static void drop_counts(struct matrix *m)
{
	matrix_grid_release(&m->grid);
	matrix_answer_release(&m->now);
}

static void matrix_close(struct view *self)
{
	struct matrix *m = (struct matrix *)self;

	matrix_drop(m->app);
	drop_counts(m);
	forget_before(m);
	free(m->needle);
	free(m);
}

/* --- counting --- */

static size_t stale_of(const struct scene *s)
{
	return s->stale ? bits_count(s->stale, s->snap->n) : 0;
}

static void counted_anew(void *owner, struct matrix_answer *answer)
{
	struct matrix *m = owner;

	drop_counts(m);
	m->now = *answer;
	answer->made = false;
	m->waits = false;
}

/* At once, or by a worker; until it has counted there are no numbers. */
static void count(struct matrix *m, struct app *app)
{
	const struct scene *s = &app->scene;
	uint64_t most = app->cli->at_once ? app->cli->at_once : MATRIX_AT_ONCE;
	struct matrix_wish w;

	matrix_drop(app);
	matrix_wish_make(&w, s, &app->matrix);
	m->n_stale = stale_of(s);
	app->matrix.stopped = false;
	m->waits = app->pool && s->snap->n > most;
	if (m->waits) {
		matrix_start(app, &w, counted_anew, m);
		return;
	}
	drop_counts(m);
	matrix_count(&w, (const uint8_t *const[]){s->verdict[s->a], s->b >= 0 ? s->verdict[s->b] : NULL},
		     &(struct confusion_way){.group = NULL}, &m->now);
	matrix_wish_release(&w);
}

/* Another dataset, or other classes: numbers of rows mean something else. */
static void begin(struct matrix_look *look, const struct snapshot *snap)
{
	if (look->begun && look->dataset == snap->dataset_id && look->n_classes == snap->n_classes)
		return;
	matrix_look_release(look);
	*look = (struct matrix_look){.order = look->order,
				     .order_chosen = look->order_chosen,
				     .share = look->share,
				     .diagonal_off = look->diagonal_off,
				     .logarithmic = look->logarithmic,
				     .difference = look->difference,
				     .folds = look->folds + 1,
				     .begun = true,
				     .dataset = snap->dataset_id,
				     .n_classes = snap->n_classes,
				     .row = NOWHERE,
				     .column = NOWHERE};
	if (!look->order_chosen)
		look->order = snap->n_classes > MATRIX_ALL_CLASSES ? ORDER_CONFUSED : ORDER_INDEX;
}

static struct list list_of(const struct matrix *m, const struct matrix_look *look)
{
	int h = m->grid.list.h - 1;

	return (struct list){m->now.counts.n_pairs, look->pair, look->pair_top, h > 0 ? (uint32_t)h : 1};
}

static bool must_count(const struct matrix *m, const struct app *app, unsigned reactions)
{
	const struct matrix_look *look = &app->matrix;
	unsigned what = REACT_RELOAD | REACT_GREW | REACT_RERUN | REACT_RELENS | REACT_REFILTER;

	if (stale_of(&app->scene) != m->n_stale || look->order != m->look.order ||
	    look->folds != m->look.folds || look->difference != m->look.difference || (reactions & what))
		return true;
	return !m->now.made && !m->waits && !look->stopped;
}

static void matrix_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct matrix *m = (struct matrix *)self;
	struct matrix_look *look = &app->matrix;
	const struct scene *s = &app->scene;
	struct list list;

	forget_before(m);
	if (!s->snap || s->a < 0 || !s->verdict || !s->verdict[s->a]) {
		matrix_drop(app);
		m->waits = false;
		drop_counts(m);
		return;
	}
	begin(look, s->snap);
	look->difference = look->difference && s->b >= 0;
	if (reactions & (REACT_RELOAD | REACT_GREW)) /* rows mean something else */
		drop_counts(m);
	if (must_count(m, app, reactions))
		count(m, app);
	m->waits &= !look->stopped;
	m->look = *look;
	if (!m->now.made)
		return;
	matrix_grid_release(&m->grid);
	matrix_lay(&m->now.counts, look, area, &m->grid);
	list = list_of(m, look);
	list_fit(&list, m->now.counts.n_pairs, list.height);
	look->pair = list.cursor;
	look->pair_top = list.top;
	m->look = *look;
}

/* --- drawing --- */

static void say(struct cells *grid, struct rect area, const char *what)
{
	struct pen p = {grid, {area.y, area.x + 1, area.h, area.w - 2}, area.h > 6 ? 1 : 0, 0};

	pen_wrap(&p, 0, 3, STYLE_NORMAL, (struct span){0}, str_z(what));
}

static struct matrix_page page_of(const struct matrix *m, const struct scene *s)
{
	return (struct matrix_page){.names = &m->now.names,
				    .counts = &m->now.counts,
				    .grid = &m->grid,
				    .look = &m->look,
				    .a = s->a >= 0 ? s->snap->runs[s->a].handle : "",
				    .b = s->b >= 0 ? s->snap->runs[s->b].handle : "",
				    .waits = m->waits || m->look.stopped};
}

static void matrix_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	const struct matrix *m = (const struct matrix *)self;
	struct matrix_page p = page_of(m, scene);
	int foot = matrix_foot(area.h);

	if (!scene->snap || !scene->snap->n) {
		view_draw_nothing(grid, area);
	} else if (scene->a < 0) {
		say(grid, area, scene->snap->n_runs ? "no run is chosen: a chooses one"
						    : "no answers yet: qualm import FILE.qualm PREDICTIONS");
	} else if (!m->now.made) {
		say(grid, area, m->look.stopped ? "nothing is counted: Enter begins again" : "counting");
	} else if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
	} else if (!m->now.counts.a.m.samples) {
		say(grid, area, "the lens's layer says nothing about these samples: L l chooses another");
	} else {
		matrix_draw_cells(&p, grid);
		matrix_draw_list(&p, grid);
		matrix_draw_foot(&p, grid, (struct rect){area.y + area.h - foot, area.x, foot, area.w});
	}
}

/* --- moving --- */

static void step(const struct matrix_axis *axis, uint32_t *id, int by)
{
	for (uint32_t k = 0; k < axis->n; k++)
		if (axis->id[k] == *id) {
			if (by > 0 ? k + 1 < axis->n : k > 0)
				*id = axis->id[by > 0 ? k + 1 : k - 1];
			return;
		}
}

/* The window by so many classes, and a cursor on a class with it. */
static void shift(const struct matrix_counts *c, const struct matrix_axis *axis, uint32_t *top,
		  uint32_t *id, int64_t by)
{
	uint32_t last = c->n_order > axis->classes ? c->n_order - axis->classes : 0;
	int64_t to = (int64_t)axis->top + by;

	*top = to < 0 ? 0 : to > last ? last : (uint32_t)to;
	for (uint32_t k = 0; k < axis->classes; k++) {
		int64_t at = *top + (int64_t)k;

		if (axis->id[k] != *id)
			continue;
		if (*top == axis->top) /* it moves no more: the cursor goes to the end */
			at = by < 0 ? 0 : (int64_t)c->n_order - 1;
		*id = c->order[at];
		return;
	}
}

static void shift_both(const struct matrix *m, struct matrix_look *look, int64_t by)
{
	shift(&m->now.counts, &m->grid.row, &look->top_row, &look->row, by);
	shift(&m->now.counts, &m->grid.column, &look->top_column, &look->column, by);
}

static void go_to_class(const struct matrix *m, struct matrix_look *look, int64_t place)
{
	int64_t last = (int64_t)m->now.counts.n_order - 1;

	if (last < 0)
		return;
	look->row = look->column = m->now.counts.order[place < 0 ? 0 : place > last ? last : place];
}

static unsigned move(const struct matrix *m, struct matrix_look *look, const char *name,
		     struct str args)
{
	const struct matrix_grid *g = &m->grid;
	int64_t page = g->row.classes < g->column.classes ? g->row.classes : g->column.classes, row;

	if (strcmp(name, "down") == 0 || strcmp(name, "up") == 0)
		step(&g->row, &look->row, *name == 'd' ? 1 : -1);
	else if (strcmp(name, "right") == 0 || strcmp(name, "left") == 0)
		step(&g->column, &look->column, *name == 'r' ? 1 : -1);
	else if (strcmp(name, "first") == 0)
		go_to_class(m, look, 0);
	else if (strcmp(name, "last") == 0)
		go_to_class(m, look, INT64_MAX);
	else if (strcmp(name, "goto") == 0 && str_int(args, &row))
		go_to_class(m, look, row - 1);
	else if (strcmp(name, "page-down") == 0 || strcmp(name, "page-up") == 0)
		shift_both(m, look, name[5] == 'd' ? page : -page);
	else if (strcmp(name, "half-down") == 0 || strcmp(name, "half-up") == 0)
		shift_both(m, look, name[5] == 'd' ? (page + 1) / 2 : -(page + 1) / 2);
	else
		return REACT_UNHANDLED;
	return REACT_REDRAW;
}

static unsigned move_in_list(const struct matrix *m, struct matrix_look *look, const char *name,
			     struct str args)
{
	struct list list = list_of(m, look);

	if (strcmp(name, "left") == 0 || strcmp(name, "right") == 0)
		return REACT_REDRAW;
	if (!list_command(&list, name, args))
		return REACT_UNHANDLED;
	look->pair = list.cursor;
	look->pair_top = list.top;
	return REACT_REDRAW;
}

/* --- searching --- */

static bool pair_has(const struct matrix *m, uint32_t k, struct str needle)
{
	const struct confused_pair *p = &m->now.counts.pair[k];

	return str_find_nocase(str_z(matrix_row_name(&m->now.names, p->truth)), needle) != SIZE_MAX ||
	       str_find_nocase(str_z(matrix_column_name(&m->now.names, p->answer)), needle) != SIZE_MAX;
}

static uint32_t place_of(const struct matrix *m, uint32_t class)
{
	for (uint32_t k = 0; k < m->now.counts.n_order; k++)
		if (m->now.counts.order[k] == class)
			return k;
	return m->now.counts.n_order - 1;
}

/* The next one by `by` whose name has the needle, round the end. */
static bool find(const struct matrix *m, struct matrix_look *look, struct str needle, int by)
{
	uint32_t n = look->in_list ? m->now.counts.n_pairs : m->now.counts.n_order, at;

	if (!n)
		return false;
	at = look->in_list ? look->pair : place_of(m, look->row);
	for (uint32_t k = 0; k < n; k++) {
		at = by > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (look->in_list ? !pair_has(m, at, needle)
				  : str_find_nocase(str_z(m->now.names.name[m->now.counts.order[at]]), needle) ==
					SIZE_MAX)
			continue;
		if (look->in_list)
			look->pair = at;
		else
			go_to_class(m, look, at);
		return true;
	}
	return false;
}

static unsigned search(struct matrix *m, struct app *app, const char *name, struct str args)
{
	if (strcmp(name, "search") == 0 && args.n) {
		free(m->needle);
		m->needle = xstrndup(args.p, args.n);
	}
	if (!m->needle)
		app_message(app, STYLE_MESSAGE, "nothing was searched yet: / looks for a class");
	else if (!find(m, &app->matrix, str_z(m->needle), strcmp(name, "search-previous") ? 1 : -1))
		app_message(app, STYLE_MESSAGE, "no class here has \"%s\" in its name", m->needle);
	return REACT_REDRAW;
}

/* --- opening --- */

/* Under the cursor: what to open. */
static bool target(const struct matrix *m, const struct matrix_look *look, uint32_t *row,
		   uint32_t *column)
{
	*row = look->row;
	*column = look->column;
	if (!look->in_list)
		return true;
	if (look->pair >= m->now.counts.n_pairs)
		return false;
	*row = m->now.counts.pair[look->pair].truth;
	*column = m->now.counts.pair[look->pair].answer;
	return true;
}

static unsigned open_door(struct matrix *m, struct app *app, struct str door, const struct view_class *class)
{
	struct err err = ERR_INIT;

	forget_before(m);
	narrow_mark(app, &m->before);
	if (narrow_and(app, door, false, &err) == OK) {
		m->opened = true;
		app_push(app, class);
	} else {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	}
	return REACT_REDRAW;
}

/* Of a − b: what moved. */
static void door_here(const struct matrix_page *p, uint32_t row, uint32_t column, struct buf *out)
{
	if (p->look->difference)
		matrix_door_moved(p->names, p->grid, row, column, p->a, p->b, out);
	else
		matrix_door(p->names, p->grid, row, column, p->a, out);
}

static unsigned open_samples(struct matrix *m, struct app *app, const struct view_class *class)
{
	struct matrix_page p = page_of(m, &app->scene);
	struct buf door = BUF_INIT;
	uint32_t row, column, n;

	if (target(m, &app->matrix, &row, &column))
		door_here(&p, row, column, &door);
	if (!door.n) {
		app_message(app, STYLE_MESSAGE, "0: there is no sample to open");
	} else if (explain_opens(app, buf_cstr(&door), &n)) {
		if (n)
			open_door(m, app, buf_view(&door), class);
		else
			app_message(app, STYLE_MESSAGE, p.look->difference
								? "nothing moved here between a and b"
								: "0: there is no sample to open");
	}
	buf_release(&door);
	return REACT_REDRAW;
}

static unsigned narrow(struct matrix *m, struct app *app, bool out)
{
	struct matrix_page p = page_of(m, &app->scene);
	struct buf door = BUF_INIT;
	uint32_t row, column, n = 0;
	unsigned r = REACT_REDRAW;

	if (target(m, &app->matrix, &row, &column))
		door_here(&p, row, column, &door);
	if (door.n && !explain_opens(app, buf_cstr(&door), &n))
		; /* it has said why */
	else if (n)
		r = door_narrow(app, buf_view(&door), out);
	else
		app_message(app, STYLE_MESSAGE, "0: there is no sample here to filter by");
	buf_release(&door);
	return r;
}

static unsigned explain(struct matrix *m, struct app *app)
{
	struct matrix_page p = page_of(m, &app->scene);
	uint32_t row, column;

	return target(m, &app->matrix, &row, &column) ? matrix_explain(app, &p, row, column) : REACT_NONE;
}

/* Back from what was opened here, to the filter of then. */
static unsigned come_back(struct matrix *m, struct app *app)
{
	struct err err = ERR_INIT;

	if (!m->opened || app->top->below != &m->view)
		return REACT_UNHANDLED;
	app_pop(app);
	if (narrow_return(app, &m->before, &err) != OK)
		app_message(app, STYLE_WARNING, "the filter of then does not apply any more: %s", err.msg);
	forget_before(m);
	return REACT_REDRAW;
}

/* --- settings --- */

/* Another order is looked at from its beginning. */
static void order_by(struct matrix_look *look, enum class_order order)
{
	look->order = order;
	look->order_chosen = true;
	look->row = look->column = NOWHERE;
	look->top_row = look->top_column = 0;
}

static unsigned set_order(struct app *app, struct str args)
{
	static const char *const word[N_CLASS_ORDERS] = {"index", "name", "support", "confused",
							 "cluster"};
	struct matrix_look *look = &app->matrix;

	if (!args.n) {
		order_by(look, (enum class_order)((look->order + 1) % N_CLASS_ORDERS));
		return REACT_REDRAW;
	}
	for (int k = 0; k < N_CLASS_ORDERS; k++)
		if (str_eqz(args, word[k])) {
			order_by(look, (enum class_order)k);
			return REACT_REDRAW;
		}
	app_message(app, STYLE_WARNING, "classes stand by index, name, support, confused or cluster");
	return REACT_REDRAW;
}

static unsigned set(struct app *app, const char *name, struct str args)
{
	struct matrix_look *look = &app->matrix;

	if (strcmp(name, "matrix-order") == 0)
		return set_order(app, args);
	if (strcmp(name, "matrix-diagonal") == 0)
		look->diagonal_off = !look->diagonal_off;
	else if (strcmp(name, "matrix-share") == 0)
		look->share = (enum matrix_share)((look->share + 1) % N_MATRIX_SHARES);
	else if (strcmp(name, "matrix-shade") == 0)
		look->logarithmic = !look->logarithmic;
	else if (strcmp(name, "matrix-difference") == 0 && app->scene.b >= 0)
		look->difference = !look->difference;
	else if (strcmp(name, "matrix-difference") == 0)
		app_message(app, STYLE_MESSAGE, "there is no run b to take away: b chooses one");
	else
		return REACT_UNHANDLED;
	return REACT_REDRAW;
}

static unsigned matrix_command(struct view *self, struct app *app, const char *name,
			       struct str args)
{
	struct matrix *m = (struct matrix *)self;
	struct matrix_look *look = &app->matrix;

	if (app->top != self)
		return strcmp(name, "back") == 0 ? come_back(m, app) : REACT_UNHANDLED;
	if (strcmp(name, "matrix-fold") == 0 || strcmp(name, "matrix-unfold") == 0)
		return app->scene.snap ? matrix_fold(app, name[7] == 'u', args) : REACT_NONE;
	if (strncmp(name, "matrix-", 7) == 0)
		return set(app, name, args);
	if (look->stopped && strcmp(name, "enter") == 0) {
		look->stopped = false;
		drop_counts(m);
		return REACT_REDRAW;
	}
	if (!m->now.made) /* keys may come before the first draw */
		return REACT_UNHANDLED;
	if (strcmp(name, "next-pane") == 0) {
		look->in_list = !look->in_list;
		look->pane_chosen = true;
		return REACT_REDRAW;
	}
	if (strcmp(name, "search-typing") == 0)
		return REACT_NONE;
	if (strncmp(name, "search", 6) == 0)
		return search(m, app, name, args);
	if (strcmp(name, "filter-by") == 0 || strcmp(name, "filter-out") == 0)
		return m->waits ? REACT_NONE : narrow(m, app, name[7] == 'o');
	if (m->waits && (strcmp(name, "enter") == 0 || strcmp(name, "contact-sheet") == 0 ||
			 strcmp(name, "explain") == 0))
		return REACT_NONE;
	if (strcmp(name, "enter") == 0)
		return open_samples(m, app, &browse_view);
	if (strcmp(name, "contact-sheet") == 0)
		return open_samples(m, app, &contact_view);
	if (strcmp(name, "explain") == 0)
		return explain(m, app);
	if (strcmp(name, "open-door") == 0)
		return open_door(m, app, args, &browse_view);
	return look->in_list ? move_in_list(m, look, name, args) : move(m, look, name, args);
}

static const struct hint matrix_hints[] = {
    {"enter", "open"},		    {"contact-sheet", "sheet"},	 {"next-pane", "list"},
    {"explain", "explain"},	    {"keys", "keys"},		 {"filter-toggle", "filter"},
    {"matrix-order", "order"},	    {"matrix-share", "share"},	 {"matrix-difference", "a - b"},
    {"matrix-diagonal", "diagonal"}, {"matrix-shade", "log"},	 {"filter-edit", "filter"},
    {"search", "class"},	    {"back", "back"},		 {NULL, NULL},
};

const struct view_class matrix_view = {
    .name = "matrix",
    .digit = '3',
    .help = "truth by answer of a, and what is confused most",
    .mode = MODE_MATRIX,
    .placeless = true,
    .hints = matrix_hints,
    .open = matrix_open,
    .close = matrix_close,
    .update = matrix_update,
    .draw = matrix_draw,
    .command = matrix_command,
};
