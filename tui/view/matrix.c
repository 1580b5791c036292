/* matrix: the confusion of run a beside its ranked confusions. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/matrix_impl.h"
#include "tui/view/pen.h"

#define NOWHERE (MATRIX_OTHER - 1) /* no row and no column: the cursor goes to the first */

struct matrix {
	struct view view;
	struct matrix_names names;
	struct matrix_counts counts;
	struct matrix_grid grid;
	struct matrix_look look; /* as of the last update */
	bool counted;
	size_t n_stale;          /* samples of the list that were left out */
	char *needle;            /* owned: what was searched last; NULL = nothing */
	bool opened;             /* something was opened from here, under another filter */
	struct narrow_place before; /* owned: the filter to come back to */
};

static struct view *matrix_open(struct app *app)
{
	struct matrix *m = xcalloc(1, sizeof *m);

	(void)app;
	m->view.class = &matrix_view;
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
	if (!m->counted)
		return;
	crosstab_release(&m->counts.a);
	if (m->counts.has_b)
		crosstab_release(&m->counts.b);
	free(m->counts.order);
	free(m->counts.pair);
	matrix_names_release(&m->names);
	m->counts = (struct matrix_counts){0};
	m->counted = false;
}

static void matrix_close(struct view *self)
{
	struct matrix *m = (struct matrix *)self;

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

/* Without what the filter is not true for any more: no door would open it. NULL: all samples.
 * Owned by the caller. */
static uint64_t *mask_of(const struct scene *s)
{
	uint64_t *mask = s->shown || s->stale ? bits_new(s->snap->n) : NULL;

	if (!mask)
		return NULL;
	if (s->shown)
		memcpy(mask, s->shown, bits_words(s->snap->n) * sizeof *mask);
	else
		bits_fill(mask, s->snap->n, true);
	if (s->stale)
		bits_and_not(mask, s->stale, s->snap->n);
	return mask;
}

static bool occurs(const struct crosstab *t, uint32_t c)
{
	return t->m.support[c] || t->in_column[c];
}

static void order_classes(const struct scene *s, enum class_order order, struct matrix_counts *c)
{
	uint32_t n = s->snap->n_classes, kept = 0;

	c->order = xcalloc((size_t)n + 1, sizeof *c->order);
	class_order_make(s->snap, &c->a.m, order, c->order);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t class = c->order[k];

		if (n <= MATRIX_ALL_CLASSES || occurs(&c->a, class) ||
		    (c->has_b && occurs(&c->b, class)))
			c->order[kept++] = class;
	}
	c->n_order = kept;
}

static void measure_names(struct matrix *m)
{
	for (uint32_t k = 0; k < m->counts.n_order; k++) {
		int w = text_width(str_z(m->names.name[m->counts.order[k]]));

		if (w > (int)m->counts.longest)
			m->counts.longest = (uint32_t)w;
	}
}

static void rank_pairs(struct matrix_counts *c)
{
	const struct confusion *m = &c->a.m;

	c->pair = xcalloc(MATRIX_PAIRS_MAX, sizeof *c->pair);
	c->all_pairs = confusion_pairs(m, true, MATRIX_PAIRS_MAX, c->pair);
	c->n_pairs = c->all_pairs < MATRIX_PAIRS_MAX ? (uint32_t)c->all_pairs : MATRIX_PAIRS_MAX;
	for (uint32_t r = 0; r < m->n_classes; r++)
		c->errors += m->row[r] - confusion_at(m, r, r);
}

static void count(struct matrix *m, const struct app *app)
{
	const struct scene *s = &app->scene;
	uint64_t *mask = mask_of(s);
	bool b = s->b >= 0 && app->matrix.difference && s->verdict[s->b];

	drop_counts(m);
	matrix_names_make(s->snap, &m->names);
	crosstab_make(s->snap, &s->lens, s->a, s->verdict[s->a], mask, &m->counts.a);
	if (b)
		crosstab_make(s->snap, &s->lens, s->b, s->verdict[s->b], mask, &m->counts.b);
	m->counts.has_b = b;
	order_classes(s, app->matrix.order, &m->counts);
	measure_names(m);
	rank_pairs(&m->counts);
	m->n_stale = stale_of(s);
	m->counted = true;
	free(mask);
}

/* Another dataset, or other classes: numbers of rows mean something else. */
static void begin(struct matrix_look *look, const struct snapshot *snap)
{
	if (look->begun && look->dataset == snap->dataset_id && look->n_classes == snap->n_classes)
		return;
	*look = (struct matrix_look){.order = look->order,
				     .order_chosen = look->order_chosen,
				     .share = look->share,
				     .diagonal_off = look->diagonal_off,
				     .logarithmic = look->logarithmic,
				     .difference = look->difference,
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

	return (struct list){m->counts.n_pairs, look->pair, look->pair_top, h > 0 ? (uint32_t)h : 1};
}

static void matrix_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct matrix *m = (struct matrix *)self;
	struct matrix_look *look = &app->matrix;
	const struct scene *s = &app->scene;
	struct list list;

	forget_before(m);
	if (!s->snap || s->a < 0 || !s->verdict || !s->verdict[s->a]) {
		drop_counts(m);
		return;
	}
	begin(look, s->snap);
	look->difference = look->difference && s->b >= 0;
	if (!m->counted || stale_of(s) != m->n_stale || look->order != m->look.order ||
	    look->difference != m->look.difference ||
	    (reactions & (REACT_RELOAD | REACT_GREW | REACT_RERUN | REACT_RELENS | REACT_REFILTER)))
		count(m, app);
	matrix_grid_release(&m->grid);
	matrix_lay(&m->counts, look, area, &m->grid);
	list = list_of(m, look);
	list_fit(&list, m->counts.n_pairs, list.height);
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

static void matrix_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	const struct matrix *m = (const struct matrix *)self;
	struct matrix_page p = {&m->names, &m->counts, &m->grid, &m->look, NULL, NULL};
	int foot = matrix_foot(area.h);

	if (!scene->snap || !scene->snap->n) {
		view_draw_nothing(grid, area);
	} else if (!m->counted) {
		say(grid, area, "no run is chosen: a chooses one");
	} else if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
	} else if (!m->counts.a.m.samples) {
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
	shift(&m->counts, &m->grid.row, &look->top_row, &look->row, by);
	shift(&m->counts, &m->grid.column, &look->top_column, &look->column, by);
}

static void go_to_class(const struct matrix *m, struct matrix_look *look, int64_t place)
{
	int64_t last = (int64_t)m->counts.n_order - 1;

	if (last < 0)
		return;
	look->row = look->column = m->counts.order[place < 0 ? 0 : place > last ? last : place];
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
	const struct confused_pair *p = &m->counts.pair[k];

	return str_find_nocase(str_z(matrix_row_name(&m->names, p->truth)), needle) != SIZE_MAX ||
	       str_find_nocase(str_z(matrix_column_name(&m->names, p->answer)), needle) != SIZE_MAX;
}

static uint32_t place_of(const struct matrix *m, uint32_t class)
{
	for (uint32_t k = 0; k < m->counts.n_order; k++)
		if (m->counts.order[k] == class)
			return k;
	return m->counts.n_order - 1;
}

/* The next one by `by` whose name has the needle, round the end. */
static bool find(const struct matrix *m, struct matrix_look *look, struct str needle, int by)
{
	uint32_t n = look->in_list ? m->counts.n_pairs : m->counts.n_order, at;

	if (!n)
		return false;
	at = look->in_list ? look->pair : place_of(m, look->row);
	for (uint32_t k = 0; k < n; k++) {
		at = by > 0 ? (at + 1) % n : (at + n - 1) % n;
		if (look->in_list ? !pair_has(m, at, needle)
				  : str_find_nocase(str_z(m->names.name[m->counts.order[at]]), needle) ==
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

static uint32_t number_here(const struct matrix *m, const struct matrix_look *look)
{
	for (uint32_t r = 0; r < m->grid.row.n; r++)
		for (uint32_t k = 0; k < m->grid.column.n; k++)
			if (m->grid.row.id[r] == look->row && m->grid.column.id[k] == look->column)
				return matrix_number(&m->grid, r, k).a;
	return 0;
}

/* Under the cursor: what to open, false when there is nothing. */
static bool target(const struct matrix *m, const struct matrix_look *look, uint32_t *row,
		   uint32_t *column)
{
	*row = look->row;
	*column = look->column;
	if (!look->in_list)
		return number_here(m, look) > 0;
	if (look->pair >= m->counts.n_pairs)
		return false;
	*row = m->counts.pair[look->pair].truth;
	*column = m->counts.pair[look->pair].answer;
	return true;
}

static unsigned open_samples(struct matrix *m, struct app *app, const struct view_class *class)
{
	const struct scene *s = &app->scene;
	struct buf door = BUF_INIT;
	struct err err = ERR_INIT;
	uint32_t row, column;

	if (!target(m, &app->matrix, &row, &column)) {
		app_message(app, STYLE_MESSAGE, "there is no sample");
		return REACT_REDRAW;
	}
	matrix_door(&m->names, &m->grid, row, column, s->snap->runs[s->a].handle, &door);
	forget_before(m);
	narrow_mark(app, &m->before);
	if (narrow_and(app, buf_view(&door), false, &err) == OK) {
		m->opened = true;
		app_push(app, class);
	} else {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	}
	buf_release(&door);
	return REACT_REDRAW;
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
	if (strncmp(name, "matrix-", 7) == 0)
		return set(app, name, args);
	if (!m->counted) /* keys may come before the first draw */
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
	if (strcmp(name, "enter") == 0)
		return open_samples(m, app, &browse_view);
	if (strcmp(name, "contact-sheet") == 0)
		return open_samples(m, app, &gallery_view);
	return look->in_list ? move_in_list(m, look, name, args) : move(m, look, name, args);
}

static const struct hint matrix_hints[] = {
    {"enter", "open"},          {"contact-sheet", "sheet"}, {"next-pane", "list"},
    {"matrix-order", "order"},  {"matrix-diagonal", "diagonal"}, {"matrix-share", "share"},
    {"matrix-difference", "a - b"}, {"matrix-shade", "log"}, {"keys", "keys"},
    {"filter-edit", "filter"},  {"search", "class"},        {"back", "back"},
    {NULL, NULL},
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
