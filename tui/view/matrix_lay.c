/* Which rows and columns the screen has room for, and how wide they are. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/view/matrix_impl.h"

#define ONE_PANE_BELOW 64 /* columns of the screen */
#define LABEL_MAX      24
#define NAME_MAX_W     12 /* of a cell for the sake of its name */
#define WINDOW_CELL    7  /* where not all classes fit */
#define WIDE_CELL      10 /* and there is room */
#define WIDE_FROM      90

static int least(int a, int b)
{
	return a < b ? a : b;
}

static int most(int a, int b)
{
	return a > b ? a : b;
}

static int digits(uint64_t n)
{
	int d = 1;

	for (; n >= 10; n /= 10)
		d++;
	return d;
}

int matrix_foot(int height)
{
	return height >= 8 ? 2 : height >= 4;
}

/* --- widths --- */

static uint32_t largest_cell(const struct crosstab *t)
{
	uint32_t max = 0;

	for (uint32_t k = 0; k < t->m.off[t->m.n_rows]; k++)
		if (t->m.cell[k].count > max)
			max = t->m.cell[k].count;
	return max;
}

/* Columns that a number needs, and one between. */
static int number_width(const struct matrix_counts *c, const struct matrix_look *look)
{
	int w = 3;

	if (look->share == MATRIX_COUNT) {
		w = digits(largest_cell(&c->a));
		if (look->difference && c->has_b)
			w = most(w, digits(largest_cell(&c->b)));
	}
	return most(3, w + 1 + (look->difference && c->has_b));
}

static bool has_column(const struct matrix_counts *c, uint32_t column)
{
	return c->a.in_column[column] || (c->has_b && c->b.in_column[column]);
}

static bool has_none(const struct matrix_counts *c)
{
	uint32_t none = c->a.m.n_classes;

	return c->a.m.row[none] || (c->has_b && c->b.m.row[none]);
}

static uint32_t extras_of(const struct matrix_counts *c, uint32_t *extra, int *widest)
{
	uint32_t n = 0;

	*widest = 0;
	for (int k = 0; k < N_EXTRAS; k++) {
		uint32_t column = c->a.m.n_classes + (uint32_t)k;

		if (!has_column(c, column))
			continue;
		extra[n++] = column;
		*widest = most(*widest, (int)strlen(confusion_extra_word((enum confusion_extra)k)));
	}
	return n;
}

struct plan { /* of the columns */
	uint32_t extra[N_EXTRAS], n_extra, classes;
	bool other;
};

struct widths {
	int need, wish; /* of a class: for its numbers, for its name too */
	int room, widest;
};

/* Room is shared between outcomes and classes in ever smaller measures, until all fit. */
static bool share_room(const struct matrix_counts *c, const struct widths *w, struct matrix_grid *g,
		       const struct plan *p)
{
	const int extra[] = {w->widest + 1, 7, 6, 5}, class[] = {w->wish, 7, 5, w->need};

	for (int k = 0; k < 4; k++) {
		g->extra_w = most(w->need, least(extra[k], w->widest + 1));
		g->cell_w = most(w->need, least(class[k], w->wish));
		if ((int)p->n_extra * g->extra_w + (int)c->n_order * g->cell_w <= w->room)
			return true;
	}
	return false;
}

/* Not all fit: the first classes, and outcomes on half of the room; the rest is together. */
static void plan_window(const struct matrix_counts *c, const struct widths *w, struct matrix_grid *g,
			struct plan *p)
{
	int room = w->room;

	g->extra_w = most(w->need, 6);
	while (p->n_extra && g->extra_w * (int)p->n_extra > most(room / 2, g->extra_w))
		p->n_extra--;
	room -= (int)p->n_extra * g->extra_w;
	g->cell_w = most(w->need, least(w->wish, room >= WIDE_FROM ? WIDE_CELL : WINDOW_CELL));
	p->other = true;
	p->classes = (uint32_t)most(1, (room - most(g->cell_w, 8)) / g->cell_w);
	if (p->classes > c->n_order)
		p->classes = c->n_order;
}

static void plan_columns(const struct matrix_counts *c, const struct matrix_look *look, int width,
			 struct matrix_grid *g, struct plan *p)
{
	struct widths w = {.need = number_width(c, look)};

	*p = (struct plan){.classes = c->n_order};
	p->n_extra = extras_of(c, p->extra, &w.widest);
	g->label_w = least(least((int)c->longest + 2, LABEL_MAX), most(9, width * 3 / 10));
	g->all_w = most(5, digits(c->a.m.samples) + 2);
	w.wish = most(w.need, least((int)c->longest + 1, NAME_MAX_W));
	w.room = width - g->label_w - g->all_w;
	g->leads = c->n_order && (w.room - (int)p->n_extra * 5) / (int)c->n_order < 3;
	if (!share_room(c, &w, g, p))
		plan_window(c, &w, g, p);
}

int matrix_column_width(const struct matrix_grid *g, uint32_t n_classes, uint32_t column)
{
	if (column == MATRIX_ALL)
		return g->all_w;
	if (column == MATRIX_OTHER)
		return most(g->cell_w, 8);
	return column < n_classes ? g->cell_w : g->extra_w;
}

/* --- axes --- */

static void put(struct matrix_axis *axis, uint32_t id, uint32_t at)
{
	axis->id[axis->n] = id;
	axis->at[axis->n++] = at;
}

/* So that the class under the cursor is among those shown. */
static uint32_t follow(const struct matrix_counts *c, uint32_t id, uint32_t top, uint32_t shown)
{
	uint32_t last = c->n_order > shown ? c->n_order - shown : 0;

	top = top < last ? top : last;
	for (uint32_t k = 0; id < c->a.m.n_classes && k < c->n_order; k++) {
		if (c->order[k] != id)
			continue;
		if (k < top)
			return k;
		return k >= top + shown ? k - shown + 1 : top;
	}
	return top;
}

/* Classes, (other), what is no class, all. */
static void make_axis(const struct matrix_counts *c, struct matrix_axis *axis, const uint32_t *more,
		      uint32_t n_more, bool other)
{
	uint32_t window = axis->classes + n_more;

	axis->id = xcalloc((size_t)window + 3, sizeof *axis->id);
	axis->at = xcalloc((size_t)window + 3, sizeof *axis->at);
	for (uint32_t k = 0; k < axis->classes; k++)
		put(axis, c->order[axis->top + k], k);
	if (other)
		put(axis, MATRIX_OTHER, window);
	for (uint32_t k = 0; k < n_more; k++)
		put(axis, more[k], axis->classes + k);
	put(axis, MATRIX_ALL, window + 1);
}

static uint32_t *shown_of(const struct matrix_axis *axis, uint32_t n)
{
	uint32_t *out = xcalloc((size_t)n + 1, sizeof *out);

	for (uint32_t k = 0; k < axis->n; k++)
		if (axis->id[k] < MATRIX_OTHER)
			out[axis->at[k]] = axis->id[k];
	return out;
}

static void keep_cursor(const struct matrix_axis *axis, uint32_t *id)
{
	for (uint32_t k = 0; k < axis->n; k++)
		if (axis->id[k] == *id)
			return;
	*id = axis->id[0];
}

static void fill(const struct matrix_counts *c, struct matrix_grid *g, uint32_t n_rows,
		 uint32_t n_columns)
{
	size_t cells = ((size_t)n_rows + 2) * ((size_t)n_columns + 2);

	g->window = (struct crosstab_window){shown_of(&g->row, n_rows), shown_of(&g->column, n_columns),
					     n_rows, n_columns};
	g->cell = xcalloc(cells, sizeof *g->cell);
	crosstab_cells(&c->a, &g->window, g->cell);
	if (!c->has_b)
		return;
	g->cell_b = xcalloc(cells, sizeof *g->cell_b);
	crosstab_cells(&c->b, &g->window, g->cell_b);
}

static void lay_axes(const struct matrix_counts *c, struct matrix_look *look, int height,
		     const struct plan *p, struct matrix_grid *g)
{
	uint32_t none = c->a.m.n_classes, n_none = has_none(c);
	int room = height - 2 - (int)n_none; /* the names, all */
	bool other = (int)c->n_order > room;

	g->row.classes = other ? (uint32_t)most(1, room - 1) : c->n_order;
	if (g->row.classes > c->n_order)
		g->row.classes = c->n_order;
	g->column.classes = p->classes;
	g->row.top = look->top_row = follow(c, look->row, look->top_row, g->row.classes);
	g->column.top = look->top_column =
	    follow(c, look->column, look->top_column, g->column.classes);
	make_axis(c, &g->row, &none, n_none, g->row.classes < c->n_order);
	make_axis(c, &g->column, p->extra, p->n_extra,
		  g->column.classes < c->n_order || p->other);
	keep_cursor(&g->row, &look->row);
	keep_cursor(&g->column, &look->column);
	fill(c, g, g->row.classes + n_none, g->column.classes + p->n_extra);
}

/* --- panes --- */

static int width_of(const struct matrix_counts *c, const struct matrix_grid *g, const struct plan *p)
{
	int w = g->label_w + g->all_w + (int)p->n_extra * g->extra_w + (int)p->classes * g->cell_w;

	if (p->classes < c->n_order || p->other)
		w += most(g->cell_w, 8);
	return w;
}

static void lay_panes(const struct matrix_counts *c, const struct matrix_look *look,
		      struct rect body, struct matrix_grid *g, struct plan *p)
{
	int list_w = least(most(24, body.w * 3 / 10), 64);

	g->box = g->list = body;
	g->narrow = body.w < ONE_PANE_BELOW;
	plan_columns(c, look, g->narrow ? body.w : body.w - list_w - 1, g, p);
	if (g->narrow)
		return;
	if (g->leads) {
		bool leads = true;

		list_w = least(most(38, body.w * 4 / 10), 80);
		plan_columns(c, look, body.w - list_w - 1, g, p);
		g->leads = leads;
	}
	g->box.w = least(body.w - list_w - 1, most(width_of(c, g, p), 20));
	g->list.x = body.x + g->box.w + 1;
	g->list.w = least(body.w - g->box.w - 1, 90);
}

void matrix_lay(const struct matrix_counts *c, struct matrix_look *look, struct rect area,
		struct matrix_grid *out)
{
	struct rect body = {area.y, area.x, area.h - matrix_foot(area.h), area.w};
	struct plan plan;

	*out = (struct matrix_grid){.leads = false};
	lay_panes(c, look, body, out, &plan);
	if (!look->pane_chosen)
		look->in_list = out->leads && c->n_pairs;
	lay_axes(c, look, body.h, &plan, out);
	if (out->narrow && look->in_list)
		out->box.h = 0;
	else if (out->narrow)
		out->list.h = 0;
}

void matrix_grid_release(struct matrix_grid *g)
{
	free(g->row.id);
	free(g->row.at);
	free(g->column.id);
	free(g->column.at);
	free((void *)(uintptr_t)g->window.row);
	free((void *)(uintptr_t)g->window.column);
	free(g->cell);
	free(g->cell_b);
	*g = (struct matrix_grid){.leads = false};
}

/* --- numbers --- */

static uint32_t at(const struct matrix_grid *g, const uint32_t *cell, uint32_t row, uint32_t column)
{
	return cell ? cell[(size_t)row * (g->window.n_columns + 2) + column] : 0;
}

struct matrix_number matrix_number(const struct matrix_grid *g, uint32_t row, uint32_t column)
{
	uint32_t r = g->row.at[row], k = g->column.at[column];
	uint32_t all_r = g->window.n_rows + 1, all_k = g->window.n_columns + 1;

	return (struct matrix_number){
	    at(g, g->cell, r, k),     at(g, g->cell_b, r, k),     at(g, g->cell, r, all_k),
	    at(g, g->cell_b, r, all_k), at(g, g->cell, all_r, k), at(g, g->cell_b, all_r, k)};
}

static uint32_t find_id(const struct matrix_axis *axis, uint32_t id)
{
	uint32_t k = 0;

	while (k < axis->n && axis->id[k] != id)
		k++;
	return k;
}

/* A pair of the list may be of classes that have no line on the screen. */
static struct matrix_number number_beyond(const struct matrix_counts *c, uint32_t row, uint32_t column)
{
	struct matrix_number n = {0};

	if (row >= c->a.m.n_rows || column >= c->a.m.n_columns)
		return n;
	n = (struct matrix_number){.a = confusion_at(&c->a.m, row, column),
				   .row_a = c->a.m.row[row],
				   .column_a = c->a.in_column[column]};
	if (c->has_b) {
		n.b = confusion_at(&c->b.m, row, column);
		n.row_b = c->b.m.row[row];
		n.column_b = c->b.in_column[column];
	}
	return n;
}

struct matrix_number matrix_number_of(const struct matrix_page *p, uint32_t row, uint32_t column)
{
	uint32_t r = find_id(&p->grid->row, row), k = find_id(&p->grid->column, column);

	if (r < p->grid->row.n && k < p->grid->column.n)
		return matrix_number(p->grid, r, k);
	return number_beyond(p->counts, row, column);
}

static double share(uint32_t n, uint32_t of)
{
	return of ? (double)n / of : 0;
}

double matrix_value(const struct matrix_look *look, const struct matrix_number *n)
{
	double a = n->a, b = n->b;

	if (look->share == MATRIX_OF_ROW) {
		a = share(n->a, n->row_a);
		b = share(n->b, n->row_b);
	} else if (look->share == MATRIX_OF_COLUMN) {
		a = share(n->a, n->column_a);
		b = share(n->b, n->column_b);
	}
	return look->difference ? a - b : a;
}

bool matrix_is_diagonal(const struct matrix_grid *g, uint32_t n_classes, uint32_t row,
			uint32_t column)
{
	return g->row.id[row] < n_classes && g->row.id[row] == g->column.id[column];
}
