/* The matrix itself: names, numbers, shades. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/term/text.h"
#include "tui/view/matrix_impl.h"
#include "tui/view/sign.h"

static bool is_margin(uint32_t id)
{
	return id >= MATRIX_OTHER;
}

/* --- shades --- */

/* The largest of what is shaded. */
static double scale_of(const struct matrix_page *p)
{
	const struct matrix_grid *g = p->grid;
	uint32_t n_classes = p->counts->a.m.n_classes;
	double max = 0;

	for (uint32_t r = 0; r < g->row.n; r++)
		for (uint32_t k = 0; k < g->column.n; k++) {
			struct matrix_number n = matrix_number(g, r, k);

			if (is_margin(g->row.id[r]) || is_margin(g->column.id[k]) ||
			    (p->look->diagonal_off && matrix_is_diagonal(g, n_classes, r, k)))
				continue;
			max = fmax(max, fabs(matrix_value(p->look, &n)));
		}
	return max;
}

static enum style shade(const struct matrix_page *p, double v, double max)
{
	double unit = p->look->share == MATRIX_COUNT ? 1 : 1000, part = max > 0 ? fabs(v) / max : 0;

	if (part <= 0)
		return STYLE_DIM;
	if (p->look->logarithmic)
		part = log1p(fabs(v) * unit) / log1p(max * unit);
	if (v < 0)
		return (enum style)(STYLE_LESS_1 + (int)fmin(2, part * 3));
	if (p->look->difference)
		return (enum style)(STYLE_HEAT_1 + 2 * (int)fmin(2, part * 3));
	return (enum style)(STYLE_HEAT_1 + (int)fmin(4, part * 5));
}

/* --- numbers --- */

/* In at most w columns: thousands and millions as k and M where all digits have no room. */
static void put_count(long long n, bool sign_too, int w, char out[32])
{
	static const char unit[] = "kMG";
	int u = 0;

	snprintf(out, 32, sign_too ? "%+lld" : "%lld", n);
	for (; (int)strlen(out) > w && u < 3; u++) {
		n /= 1000;
		snprintf(out, 32, sign_too ? "%+lld%c" : "%lld%c", n, unit[u]);
	}
}

static void put_percent(double v, bool sign_too, char out[32])
{
	double percent = fabs(v) * 100;
	const char *side = !sign_too ? "" : v < 0 ? "-" : "+";

	if (percent < 0.5 && !sign_too)
		snprintf(out, 32, "<1");
	else
		snprintf(out, 32, "%s%.0f", side, percent < 100 ? fmin(99, percent) : percent);
}

static const char *nothing(void)
{
	return text_unicode() ? sign(SIGN_DOT) : "."; /* a dash would be read as less than 0 */
}

static void number_text(const struct matrix_page *p, uint32_t r, uint32_t k, int w, char out[32])
{
	const struct matrix_look *look = p->look;
	struct matrix_number n = matrix_number(p->grid, r, k);
	bool margin = p->grid->row.id[r] == MATRIX_ALL || p->grid->column.id[k] == MATRIX_ALL;

	if (p->waits)
		snprintf(out, 32, "%s", sign(SIGN_WAIT));
	else if (!n.a && (!look->difference || !n.b))
		snprintf(out, 32, "%s", nothing());
	else if (look->difference && n.a == n.b && (margin || look->share == MATRIX_COUNT))
		snprintf(out, 32, "%s", nothing());
	else if (look->share == MATRIX_COUNT || margin)
		put_count(look->difference ? (long long)n.a - n.b : n.a, look->difference, w, out);
	else
		put_percent(matrix_value(look, &n), look->difference, out);
}

/* --- cells --- */

/* Appends a column's name in w columns; by its end where its beginning is that of a neighbour. */
static void cut_name(const struct matrix_page *p, uint32_t k, int w, struct buf *out)
{
	const struct matrix_axis *axis = &p->grid->column;
	struct str name = str_z(matrix_column_name(p->names, axis->id[k]));
	bool twin = false;
	int used;

	for (uint32_t other = k ? k - 1 : 1; other <= k + 1 && other < axis->n; other += 2) {
		struct str beside = str_z(matrix_column_name(p->names, axis->id[other]));
		size_t n = text_fit(name, w - 1, &used);

		twin |= n < name.n && text_fit(beside, w - 1, &used) == n &&
			memcmp(name.p, beside.p, n) == 0;
	}
	text_cut(name, w, twin ? CUT_START : CUT_END, out);
}

/* In few columns a sign that something was cut would leave no letters. */
static void put_right(struct cells *grid, int y, int x, int w, enum style style, struct str s)
{
	struct buf cut = BUF_INIT;
	int used;

	if (w <= 4)
		s.n = text_fit(s, w, &used);
	text_cut(s, w, CUT_END, &cut);
	w -= text_width(buf_view(&cut));
	cells_put(grid, y, x + (w > 0 ? w : 0), grid->w, style, buf_view(&cut));
	buf_release(&cut);
}

struct place {
	int y, x, w;
	uint32_t r, k;
	bool row, column; /* of the cursor */
	double max;
};

/* Beside the number, so that it is not taken for the neighbour's. */
static int sign_place(const struct place *at, const char *text)
{
	int x = at->x + at->w - text_width(str_z(text)) - 1;

	return x > at->x ? x : at->x;
}

static void draw_number(const struct matrix_page *p, struct cells *grid, const struct place *at)
{
	const struct matrix_grid *g = p->grid;
	bool margin = is_margin(g->row.id[at->r]) || is_margin(g->column.id[at->k]), here;
	bool diagonal = matrix_is_diagonal(g, p->counts->a.m.n_classes, at->r, at->k);
	struct matrix_number n = matrix_number(g, at->r, at->k);
	enum style style = shade(p, matrix_value(p->look, &n), at->max);
	char text[32];

	here = at->row && at->column && !p->look->in_list;
	number_text(p, at->r, at->k, at->w - 1, text);
	if (p->waits)
		style = STYLE_DIM;
	else if (margin)
		style = n.a || n.b ? STYLE_NORMAL : STYLE_DIM;
	else if (diagonal && p->look->diagonal_off)
		style = STYLE_DIM;
	if (here)
		style = STYLE_CURSOR;
	if (style != STYLE_NORMAL && style != STYLE_DIM)
		cells_fill(grid, (struct rect){at->y, at->x, 1, at->w}, style);
	put_right(grid, at->y, at->x + 1, at->w - 1, style, str_z(text));
	if (here)
		cells_putz(grid, at->y, sign_place(at, text), 1, style, sign(SIGN_CURSOR));
}

static void draw_row(const struct matrix_page *p, struct cells *grid, int y, uint32_t r, double max)
{
	const struct matrix_grid *g = p->grid;
	struct place at = {.y = y, .x = g->box.x + g->label_w, .r = r, .max = max};
	struct buf name = BUF_INIT;

	at.row = g->row.id[r] == p->look->row;
	text_cut(str_z(matrix_row_name(p->names, g->row.id[r])), g->label_w - 2, CUT_END, &name);
	cells_put(grid, y, g->box.x + 1, g->label_w - 2,
		  at.row && !p->look->in_list  ? STYLE_BOLD
		  : is_margin(g->row.id[r]) ? STYLE_DIM
					    : STYLE_TRUTH,
		  buf_view(&name));
	buf_release(&name);
	for (uint32_t k = 0; k < g->column.n; k++, at.x += at.w) {
		at.w = matrix_column_width(g, p->counts->a.m.n_classes, g->column.id[k]);
		at.k = k;
		at.column = g->column.id[k] == p->look->column;
		if (at.x + at.w <= g->box.x + g->box.w)
			draw_number(p, grid, &at);
	}
}

static void draw_names(const struct matrix_page *p, struct cells *grid)
{
	const struct matrix_grid *g = p->grid;
	int x = g->box.x + g->label_w, w;
	struct buf corner = BUF_INIT;

	buf_printf(&corner, g->label_w >= 17 ? "truth %s answer" : "truth", sign(SIGN_ARROW));
	cells_put(grid, g->box.y, g->box.x + 1, g->label_w - 2, STYLE_DIM, buf_view(&corner));
	buf_release(&corner);
	for (uint32_t k = 0; k < g->column.n; k++, x += w) {
		uint32_t id = g->column.id[k];
		bool here = id == p->look->column && !p->look->in_list;
		struct buf name = BUF_INIT;

		w = matrix_column_width(g, p->counts->a.m.n_classes, id);
		if (w > 5)
			cut_name(p, k, w - 1, &name);
		else
			buf_z(&name, matrix_column_name(p->names, id));
		if (x + w <= g->box.x + g->box.w)
			put_right(grid, g->box.y, x + 1, w - 1,
				  here            ? STYLE_BOLD
				  : is_margin(id) ? STYLE_DIM
						  : STYLE_NORMAL,
				  buf_view(&name));
		buf_release(&name);
	}
}

void matrix_draw_cells(const struct matrix_page *p, struct cells *grid)
{
	const struct matrix_grid *g = p->grid;
	double max = scale_of(p);

	if (g->box.h < 1)
		return;
	draw_names(p, grid);
	for (uint32_t r = 0; r < g->row.n && (int)r + 1 < g->box.h; r++)
		draw_row(p, grid, g->box.y + 1 + (int)r, r, max);
	for (int y = 0; g->list.h && y < g->box.h; y++)
		cells_putz(grid, g->box.y + y, g->box.x + g->box.w, 1, STYLE_RULE, sign(SIGN_RULE));
}
