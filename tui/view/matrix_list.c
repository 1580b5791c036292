/* The ranked confusions, and the lines below that tell of the cursor and the settings. */
#include <stdio.h>
#include <stdlib.h>

#include "tui/view/matrix_impl.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

/* --- the list --- */

#define SHORT_BELOW 34

static enum style tone(bool here, enum style style)
{
	if (!here)
		return style;
	return style == STYLE_DIM ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

static uint32_t in_b(const struct matrix_counts *c, const struct confused_pair *pair)
{
	return confusion_at(&c->b.m, pair->truth, pair->answer);
}

/* "truth → answer" in w columns, of which the longer name gives way first. */
static void put_names(struct pen *pen, int w, bool here, struct str truth, struct str answer)
{
	int tw = text_width(truth), aw = text_width(answer), room = w - 3;

	if (tw + aw > room && tw > room / 2)
		tw = aw < room / 2 ? room - aw : room / 2;
	pen_cut(pen, tw, tone(here, STYLE_TRUTH), CUT_END, truth);
	pen_printf(pen, tone(here, STYLE_DIM), " %s ", sign(SIGN_ARROW));
	pen_cut(pen, room - tw, tone(here, STYLE_NORMAL), CUT_END, answer);
}

/* Room for the largest count and for what stands above it. */
static int count_width(const struct matrix_counts *c)
{
	int w = 3;

	for (uint32_t n = c->n_pairs ? c->pair[0].count : 0; n >= 1000; n /= 10)
		w++;
	return w;
}

/* Too narrow for more than counts and names: the line below has the rest of the one pair. */
static bool is_short(const struct matrix_page *p)
{
	return p->grid->list.w < SHORT_BELOW;
}

static void share_text(double share, char out[16])
{
	double percent = share * 100;

	if (percent < 0.1)
		snprintf(out, 16, "<0.1%%");
	else
		snprintf(out, 16, percent < 99.95 ? "%.1f%%" : "%.0f%%", percent);
}

static void draw_pair(const struct matrix_page *p, struct pen *pen, uint32_t k)
{
	const struct confused_pair *pair = &p->counts->pair[k];
	bool here = k == p->look->pair && p->look->in_list, b = p->look->difference;
	uint32_t back = b ? in_b(p->counts, pair) : pair->back;
	int w = count_width(p->counts);
	char share[16];

	if (here && pen_seen(pen))
		cells_fill(pen->grid, (struct rect){pen->area.y + pen->y, pen->area.x, 1, pen->area.w},
			   STYLE_CURSOR);
	share_text(pair->share, share);
	pen_printf(pen, tone(here, STYLE_NORMAL), "%s%*u", here ? sign(SIGN_CURSOR) : " ", w, pair->count);
	if (is_short(p))
		pen_printf(pen, tone(here, STYLE_DIM), "  ");
	else if (back || pair->answer < p->counts->a.m.n_classes)
		pen_printf(pen, tone(here, STYLE_DIM), " %5s %*u  ", share, w + 1, back);
	else
		pen_printf(pen, tone(here, STYLE_DIM), " %5s %*s  ", share, w + 1, "");
	put_names(pen, pen->area.w - pen->x - 1, here, str_z(matrix_row_name(p->names, pair->truth)),
		  str_z(matrix_column_name(p->names, pair->answer)));
	pen_line(pen);
}

void matrix_draw_list(const struct matrix_page *p, struct cells *grid)
{
	struct pen pen = {grid, p->grid->list, 0, 0};
	const struct matrix_counts *c = p->counts;
	int w = count_width(c);

	if (p->grid->list.h < 1)
		return;
	if (is_short(p))
		pen_printf(&pen, STYLE_DIM, " %*s  confused", w, "n");
	else
		pen_printf(&pen, STYLE_DIM, " %*s share %*s  confused", w, "n", w + 1,
		   p->look->difference ? "in b" : "back");
	pen_line(&pen);
	if (!c->n_pairs)
		pen_putz(&pen, STYLE_DIM, "  nothing is confused");
	for (uint32_t k = p->look->pair_top; k < c->n_pairs && pen.y < pen.area.h; k++)
		draw_pair(p, &pen, k);
}

/* --- below --- */

static void put_share(struct buf *out, uint32_t n, uint32_t of, const char *what)
{
	char text[28];

	if (of)
		buf_printf(out, " %s %.1f %% of its %s (%s)", sign(SIGN_DOT), 100.0 * n / of, what,
			   count_text(of, text));
}

static bool is_group(const struct matrix_page *p, uint32_t class)
{
	return p->look->folded && class < p->counts->a.m.n_classes && p->look->folded[class];
}

static void tell_row(const struct matrix_page *p, const struct matrix_number *n, struct buf *out)
{
	const struct confusion *m = &p->counts->a.m;
	uint32_t row = p->look->row;
	char a[28];

	buf_printf(out, "%s: %s in its row", matrix_row_name(p->names, row), count_text(n->a, a));
	if (row >= MATRIX_OTHER || p->look->difference)
		return;
	if (m->support[row] != n->a)
		buf_printf(out, ", %s have the class", count_text(m->support[row], a));
	if (row < m->n_classes && n->a)
		buf_printf(out, " %s %s %s (%.1f %%)", sign(SIGN_DOT),
			   count_text(confusion_at(m, row, row), a),
			   is_group(p, row) ? "inside of it" : "right",
			   100.0 * confusion_at(m, row, row) / n->a);
}

/* What became of answers that are of no class. */
static void tell_outcome(const struct matrix_page *p, struct buf *out)
{
	uint32_t column = p->look->column, n = p->counts->a.m.n_classes;

	if (column >= n && column < MATRIX_OTHER)
		buf_printf(out, " %s %s", sign(SIGN_DOT), confusion_extra_help((enum confusion_extra)(column - n)));
}

static void tell_cell(const struct matrix_page *p, const struct matrix_number *n, struct buf *out)
{
	const struct confusion *m = &p->counts->a.m;
	uint32_t row = p->look->row, column = p->look->column;
	char text[28];

	buf_printf(out, "%s %s %s: %s", matrix_row_name(p->names, row), sign(SIGN_ARROW),
		   matrix_column_name(p->names, column), count_text(n->a, text));
	if (p->look->difference)
		return;
	put_share(out, n->a, n->row_a, "row");
	put_share(out, n->a, n->column_a, "column");
	if (row < m->n_classes && column < m->n_classes && row != column)
		buf_printf(out, " %s other way %s", sign(SIGN_DOT),
			   count_text(confusion_at(m, column, row), text));
	tell_outcome(p, out);
}

static void tell_column(const struct matrix_page *p, const struct matrix_number *n, struct buf *out)
{
	char text[28];

	buf_printf(out, "answer %s: %s samples", matrix_column_name(p->names, p->look->column),
		   count_text(n->a, text));
	if (!p->look->difference)
		tell_outcome(p, out);
}

static void tell_cursor(const struct matrix_page *p, struct buf *out)
{
	struct matrix_number n = matrix_number_of(p, p->look->row, p->look->column);
	char text[28];

	if (p->look->row == MATRIX_ALL && p->look->column == MATRIX_ALL)
		buf_printf(out, "%s samples are in the matrix", count_text(n.a, text));
	else if (p->look->column == MATRIX_ALL)
		tell_row(p, &n, out);
	else if (p->look->row == MATRIX_ALL)
		tell_column(p, &n, out);
	else
		tell_cell(p, &n, out);
	if (p->look->difference)
		buf_printf(out, " in a, %s in b: %s%lld %s Enter opens what moved", count_text(n.b, text),
			   n.a > n.b ? "+" : "", (long long)n.a - n.b, sign(SIGN_DOT));
}

static void tell_pair(const struct matrix_page *p, struct buf *out)
{
	const struct confused_pair *pair = &p->counts->pair[p->look->pair];
	char text[28];

	buf_printf(out, "%s %s %s: %s", matrix_row_name(p->names, pair->truth), sign(SIGN_ARROW),
		   matrix_column_name(p->names, pair->answer), count_text(pair->count, text));
	put_share(out, pair->count, p->counts->a.m.row[pair->truth], "row");
	buf_printf(out, " %s %.1f %% of the errors", sign(SIGN_DOT), 100 * pair->share);
	if (pair->answer < p->counts->a.m.n_classes)
		buf_printf(out, " %s other way %s", sign(SIGN_DOT), count_text(pair->back, text));
}

static void tell_settings(const struct matrix_page *p, struct buf *out)
{
	static const char *const shares[N_MATRIX_SHARES] = {"count", "row %", "column %"};
	const struct matrix_counts *c = p->counts;
	const struct matrix_look *look = p->look;
	const char *dot = sign(SIGN_DOT);
	char a[28], b[28];

	buf_printf(out, "%s error%s in %s pair%s %s %s %s %s %s order: %s", count_text(c->errors, a),
		   c->errors == 1 ? "" : "s", count_text(c->all_pairs, b),
		   c->all_pairs == 1 ? "" : "s", dot, shares[look->share], dot,
		   look->logarithmic ? "log" : "linear", dot, class_order_word(look->order));
	if (look->difference)
		buf_printf(out, " %s a %s b", dot, sign(SIGN_EXCLUDED));
	if (look->diagonal_off)
		buf_printf(out, " %s diagonal off", dot);
	if (p->waits)
		buf_printf(out, " %s counting", dot);
	if (p->grid->row.classes < c->n_order)
		buf_printf(out, " %s rows %u-%u of %s", dot, p->grid->row.top + 1,
			   p->grid->row.top + p->grid->row.classes, count_text(c->n_order, a));
}

void matrix_draw_foot(const struct matrix_page *p, struct cells *grid, struct rect foot)
{
	struct rect inside = {foot.y, foot.x + 1, foot.h, foot.w - 2};
	struct pen pen = {grid, inside, 0, 0};
	struct buf text = BUF_INIT;

	if (foot.h < 1)
		return;
	if (p->look->in_list && p->look->pair < p->counts->n_pairs)
		tell_pair(p, &text);
	else
		tell_cursor(p, &text);
	pen_cut(&pen, inside.w, STYLE_NORMAL, CUT_END, buf_view(&text));
	pen_line(&pen);
	buf_clear(&text);
	tell_settings(p, &text);
	pen_cut(&pen, inside.w, STYLE_DIM, CUT_END, buf_view(&text));
	buf_release(&text);
}
