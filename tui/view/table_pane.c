#include "tui/view/table_pane.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/report_print.h"
#include "tui/term/text.h"
#include "tui/view/sign.h"

#define GAP       2
#define HEAD_MAX  14 /* columns of a head that may widen its column */
#define HEAD_TALL 10 /* lines of a pane in which a head may have two */
#define HEAD_LINE 9  /* columns of a line of such a head that need no breaking */
#define NAME_MIN  8
#define NAME_MAX_W 60
#define SIGN_ROOM 4  /* the cursor's sign, and the row's */
#define BAR_MAX   8

/* --- what there is --- */

static const char *text_of(const struct table *t, size_t row, size_t column)
{
	const char *text = table_look(t, row, column)->text;

	return text ? text : "";
}

/* Texts that tell rows apart: all that are shown, one after the other. */
static bool same_row(const struct table_pane *p, size_t row, const char *const *names)
{
	for (size_t k = 0; k < p->columns.n; k++) {
		size_t c = p->columns.v[k].column;

		if (p->table->columns.v[c].kind == TABLE_TEXT &&
		    (!names[c] || strcmp(text_of(p->table, row, c), names[c]) != 0))
			return false;
	}
	return true;
}

bool table_pane_cursor(const struct table_pane *p, size_t *row, size_t *column)
{
	if (!p->table || p->list.cursor >= p->rows.n || p->at >= p->columns.n)
		return false;
	*row = p->rows.v[p->list.cursor];
	*column = p->columns.v[p->at].column;
	return true;
}

void table_pane_name_here(const struct table_pane *p, struct buf *out)
{
	size_t row, column;

	if (table_pane_cursor(p, &row, &column))
		buf_z(out, text_of(p->table, row, p->columns.v[0].column));
}

void table_pane_release(struct table_pane *p)
{
	vec_release(&p->columns);
	vec_release(&p->rows);
	vec_release(&p->signs);
	free(p->needle);
	*p = (struct table_pane){.sorted = -1};
}

/* --- widths that the texts want --- */

static int wider(int w, struct str s, int most)
{
	int n = text_width(s);

	n = n > most ? most : n;
	return n > w ? n : w;
}

static bool is_text(const struct table_pane *p, const struct pane_column *c)
{
	return p->table->columns.v[c->column].kind == TABLE_TEXT;
}

static bool may_break(char c)
{
	return c == ' ' || c == '_' || c == '/' || c == '-' || c == ',';
}

/* A title in two lines, the longer one as short as can be. One that fits into a line, or cannot be
 * broken, is all in the second. */
static void break_title(struct str title, int fits, struct str *first, struct str *second)
{
	int best = text_width(title);

	*first = STR("");
	*second = title;
	for (size_t k = 1; k + 1 < title.n && text_width(title) > fits; k++) {
		struct str a = {title.p, k + 1}, b = {title.p + k + 1, title.n - k - 1};
		int w = text_width(str_trim(a)) > text_width(b) ? text_width(str_trim(a)) : text_width(b);

		if (!may_break(title.p[k]) || w >= best)
			continue;
		best = w;
		*first = str_trim(a);
		*second = b;
	}
}

/* One more for the sign of sorting. */
static void measure_title(struct str title, struct pane_column *c)
{
	struct str first, second;

	break_title(title, HEAD_LINE, &first, &second);
	c->full = wider(0, title, HEAD_MAX) + 1;
	c->tall = wider(wider(0, first, 2 * HEAD_MAX), second, first.n ? 2 * HEAD_MAX : HEAD_MAX) + 1;
}

/* Is it a number, and narrower than one of the same column that was seen? */
static bool is_between(const struct table_column *k, const struct table_cell *cell, double *low, double *high)
{
	if (k->kind == TABLE_TEXT || k->kind == TABLE_P || !isfinite(cell->number) || cell->later)
		return false;
	if (cell->number >= *low && cell->number <= *high)
		return true;
	*low = fmin(*low, cell->number);
	*high = fmax(*high, cell->number);
	return false;
}

static void measure(struct table_pane *p, struct pane_column *c)
{
	const struct table_column *k = &p->table->columns.v[c->column];
	struct buf text = BUF_INIT;
	double low = INFINITY, high = -INFINITY;
	int most = 0;

	measure_title(str_z(k->title), c);
	c->most = 0;
	for (size_t r = 0; r < table_rows(p->table); r++) {
		const struct table_cell *cell = table_look(p->table, r, c->column);

		if (is_between(k, cell, &low, &high))
			continue;
		buf_clear(&text);
		report_cell(k, cell, -1, &text);
		most = wider(most, cell->later ? STR("-100.0") : buf_view(&text), NAME_MAX_W);
		if (cell->number > c->most)
			c->most = cell->number;
	}
	c->full = most > c->full ? most : c->full;
	c->tall = most > c->tall ? most : c->tall;
	buf_release(&text);
}

/* --- another table --- */

/* Where the cursor was, in words, as the old table goes. */
struct was {
	struct arena arena;
	const char **names; /* [columns of the new table] texts of the row; NULL: it has no such column */
	const char *column, *sorted;
	bool any;
};

static void remember(const struct table_pane *p, const struct table *next, struct was *was)
{
	size_t row, column;

	*was = (struct was){.arena = ARENA_INIT};
	was->names = arena_zalloc(&was->arena, next->columns.n + 1, sizeof *was->names);
	was->any = table_pane_cursor(p, &row, &column);
	if (!was->any)
		return;
	was->column = arena_strdup(&was->arena, p->table->columns.v[column].name);
	if (p->sorted >= 0)
		was->sorted = arena_strdup(&was->arena, p->table->columns.v[p->sorted].name);
	for (size_t c = 0; c < p->table->columns.n; c++) {
		int to = table_find(next, str_z(p->table->columns.v[c].name));

		if (to >= 0 && p->table->columns.v[c].kind == TABLE_TEXT)
			was->names[to] = arena_strdup(&was->arena, text_of(p->table, row, c));
	}
}

static void recall(struct table_pane *p, const struct was *was)
{
	int column = was->any ? table_find(p->table, str_z(was->column)) : -1;

	for (size_t k = 0; k < p->columns.n && column >= 0; k++)
		if (p->columns.v[k].column == (size_t)column)
			p->at = k;
	for (size_t r = 0; r < p->rows.n && was->any; r++)
		if (same_row(p, p->rows.v[r], was->names)) {
			list_go(&p->list, (uint32_t)r);
			break;
		}
}

void table_pane_take(struct table_pane *p, const struct table *t, const size_t *columns, size_t n,
		     size_t pinned)
{
	struct was was;

	remember(p, t, &was);
	p->table = t;
	p->pinned = pinned;
	vec_clear(&p->columns);
	vec_clear(&p->rows);
	for (size_t k = 0; k < n; k++)
		vec_push(&p->columns, ((struct pane_column){.column = columns[k]}));
	for (size_t r = 0; r < table_rows(t); r++)
		vec_push(&p->rows, (uint32_t)r);
	for (size_t k = 0; k < n; k++)
		measure(p, &p->columns.v[k]);
	if (p->at >= n)
		p->at = n ? n - 1 : 0;
	p->list.n = (uint32_t)p->rows.n;
	if (was.any)
		table_pane_sort(p, was.sorted ? table_find(t, str_z(was.sorted)) : -1, p->down);
	recall(p, &was);
	arena_release(&was.arena);
}

/* --- sorting --- */

static int compare(const struct table_pane *p, uint32_t a, uint32_t b)
{
	const struct table_cell *x = table_look(p->table, a, (size_t)p->sorted);
	const struct table_cell *y = table_look(p->table, b, (size_t)p->sorted);
	int sign = p->down ? -1 : 1;

	if (p->table->columns.v[p->sorted].kind == TABLE_TEXT)
		return sign * strcmp(x->text ? x->text : "", y->text ? y->text : "");
	if (isnan(x->number) || isnan(y->number))
		return isnan(x->number) - isnan(y->number);
	return x->number < y->number ? -sign : x->number > y->number ? sign : 0;
}

/* By merging, which keeps equals as they were made. */
static void merge_sort(const struct table_pane *p, uint32_t *v, uint32_t *spare, size_t n)
{
	size_t half = n / 2, a = 0, b = half;

	if (n < 2)
		return;
	merge_sort(p, v, spare, half);
	merge_sort(p, v + half, spare, n - half);
	for (size_t k = 0; k < n; k++)
		spare[k] = b >= n || (a < half && compare(p, v[a], v[b]) <= 0) ? v[a++] : v[b++];
	memcpy(v, spare, n * sizeof *v);
}

void table_pane_sort(struct table_pane *p, int column, bool down)
{
	uint32_t under = p->list.cursor < p->rows.n ? p->rows.v[p->list.cursor] : 0;
	size_t pinned = p->pinned < p->rows.n ? p->pinned : p->rows.n, n = p->rows.n;
	uint32_t *spare = xcalloc(n + 1, sizeof *spare);

	p->sorted = column;
	p->down = down;
	for (size_t r = 0; r < n; r++)
		p->rows.v[r] = (uint32_t)r;
	if (column >= 0)
		merge_sort(p, p->rows.v + pinned, spare, n - pinned);
	for (size_t r = 0; r < n; r++)
		if (p->rows.v[r] == under)
			list_go(&p->list, (uint32_t)r);
	free(spare);
}

/* A number is most wanted from its largest, a name from its first. */
void table_pane_sort_here(struct table_pane *p)
{
	size_t row, column;
	bool first;

	if (!table_pane_cursor(p, &row, &column))
		return;
	first = p->table->columns.v[column].kind != TABLE_TEXT;
	if (p->sorted != (int)column)
		table_pane_sort(p, (int)column, first);
	else if (p->down == first)
		table_pane_sort(p, (int)column, !first);
	else
		table_pane_sort(p, -1, false);
}

/* --- moving, searching --- */

bool table_pane_search(struct table_pane *p, bool forward, bool from_here)
{
	uint32_t n = (uint32_t)p->rows.n;

	for (uint32_t k = from_here ? 0 : 1; k < n + !from_here && n; k++) {
		uint32_t r = (p->list.cursor + (forward ? k : n - k % n)) % n;

		if (str_find_nocase(str_z(text_of(p->table, p->rows.v[r], p->columns.v[0].column)),
				    str_z(p->needle ? p->needle : "")) != SIZE_MAX) {
			list_go(&p->list, r);
			return true;
		}
	}
	return false;
}

bool table_pane_command(struct table_pane *p, const char *name, struct str args)
{
	if (strcmp(name, "left") == 0)
		p->at -= p->at > 0;
	else if (strcmp(name, "right") == 0)
		p->at += p->at + 1 < p->columns.n;
	else
		return list_command(&p->list, name, args);
	return true;
}

/* --- widths --- */

static bool has_bar(const struct table_pane *p, const struct pane_column *c)
{
	const struct table_column *k = &p->table->columns.v[c->column];

	return k->kind == TABLE_SHARE && k->best != BEST_NONE;
}

static int total(const struct table_pane *p)
{
	int w = SIGN_ROOM;

	for (size_t k = 0; k < p->columns.n; k++) {
		const struct pane_column *c = &p->columns.v[k];

		w += c->w + (c->bar ? c->bar + 1 : 0) + (k ? GAP : 0);
	}
	return w;
}

/* Gives the first `most` columns that can have one a bar of this width; returns how many got it. */
static int put_bars(struct table_pane *p, int bar, int most)
{
	int given = 0;

	for (size_t k = 0; k < p->columns.n; k++) {
		bool gets = given < most && has_bar(p, &p->columns.v[k]);

		p->columns.v[k].bar = gets ? bar : 0;
		given += gets;
	}
	return given;
}

/* What the table is about: the first share, and the one of the other run. */
static int leading(const struct table_pane *p)
{
	return table_find(p->table, STR("accuracy_b")) >= 0 || table_find(p->table, STR("accuracy_against")) >= 0 ? 2 : 1;
}

/* In all columns, or in the leading ones; small where there is not even room for all numbers. */
static void give_bars(struct table_pane *p, int w)
{
	const int most[] = {INT_MAX, leading(p)};

	for (int k = 0; k < 2; k++)
		for (int bar = BAR_MAX; bar >= BAR_MAX / 2; bar -= BAR_MAX / 2) {
			put_bars(p, bar, most[k]);
			if (total(p) <= w)
				return;
		}
	put_bars(p, BAR_MAX / 2, w >= 50 && !p->plain ? leading(p) : 0);
}

static int room_of(const struct pane_column *c)
{
	return c->w + (c->bar ? c->bar + 1 : 0) + GAP;
}

/* Is the cursor's column whole in sight when `left` is the first? */
static bool in_sight(const struct table_pane *p, size_t left, int w)
{
	int x = SIGN_ROOM + p->columns.v[0].w;

	for (size_t k = left; k <= p->at; k++)
		x += room_of(&p->columns.v[k]);
	return x <= w;
}

/* Back to the left as far as all that follows is in sight, so that no room is left empty. */
static void scroll(struct table_pane *p, int w)
{
	size_t at = p->at ? p->at : 1;

	if (p->left < 1 || p->left > p->columns.n - 1)
		p->left = 1;
	if (at < p->left)
		p->left = at;
	while (p->left < at && !in_sight(p, p->left, w))
		p->left++;
}

/* Names are cut before numbers go out of sight. */
static void narrow_names(struct table_pane *p, int name)
{
	for (size_t k = 0; k < p->columns.n; k++) {
		int most = k ? HEAD_MAX : name;

		if (is_text(p, &p->columns.v[k]) && p->columns.v[k].w > most)
			p->columns.v[k].w = most;
	}
}

static int head_of(const struct table_pane *p, struct rect area)
{
	struct str first, second;

	for (size_t k = 0; k < p->columns.n && area.h >= HEAD_TALL; k++) {
		break_title(str_z(p->table->columns.v[p->columns.v[k].column].title), HEAD_MAX, &first,
			    &second);
		if (first.n)
			return 2;
	}
	return 1;
}

void table_pane_fit(struct table_pane *p, struct rect area)
{
	int name;

	p->head = p->table ? head_of(p, area) : 1;
	list_fit(&p->list, (uint32_t)p->rows.n, (uint32_t)(area.h > p->head ? area.h - p->head : 1));
	if (!p->table || !p->columns.n)
		return;
	for (size_t k = 0; k < p->columns.n; k++)
		p->columns.v[k].w = p->head > 1 ? p->columns.v[k].tall : p->columns.v[k].full;
	name = area.w / 3 > NAME_MIN ? area.w / 3 : NAME_MIN;
	if (total(p) > area.w)
		narrow_names(p, name);
	give_bars(p, area.w);
	if (p->columns.n > 1)
		scroll(p, area.w);
}

/* --- drawing --- */

static void put_right(struct cells *grid, int y, int x, int w, enum style style, struct str s)
{
	struct buf cut = BUF_INIT;

	text_cut(s, w, CUT_END, &cut);
	cells_put(grid, y, x + w - text_width(buf_view(&cut)), w, style, buf_view(&cut));
	buf_release(&cut);
}

static void put_left(struct cells *grid, int y, int x, int w, enum style style, enum text_cut how,
		     struct str s)
{
	struct buf cut = BUF_INIT;

	text_cut(s, w, how, &cut);
	cells_put(grid, y, x, w, style, buf_view(&cut));
	buf_release(&cut);
}

static void put_title(const struct table_pane *p, const struct pane_column *c, struct cells *grid, int y,
		      int x, enum style style, struct str title)
{
	if (is_text(p, c))
		put_left(grid, y, x, c->w, style, CUT_END, title);
	else
		put_right(grid, y, x, c->w, style, title);
}

static void draw_head(const struct table_pane *p, size_t k, struct cells *grid, int y, int x)
{
	const struct pane_column *c = &p->columns.v[k];
	const struct table_column *of = &p->table->columns.v[c->column];
	enum style style = k == p->at ? STYLE_BOLD : STYLE_DIM;
	struct str first = STR(""), second = str_z(of->title);
	struct buf text = BUF_INIT;

	if (p->head > 1)
		break_title(second, HEAD_LINE, &first, &second);
	text_cut(second, c->w - (p->sorted == (int)c->column), CUT_END, &text);
	if (p->sorted == (int)c->column)
		buf_z(&text, sign(p->down ? SIGN_MORE : SIGN_UP));
	if (first.n)
		put_title(p, c, grid, y, x, style, first);
	put_title(p, c, grid, y + p->head - 1, x, style, buf_view(&text));
	buf_release(&text);
}

static void draw_number(const struct table_pane *p, const struct pane_column *c, size_t row,
			struct cells *grid, int y, int x, enum style style)
{
	const struct table_column *k = &p->table->columns.v[c->column];
	const struct table_cell *cell = table_look(p->table, row, c->column);
	struct buf text = BUF_INIT;

	if (p->waits || cell->later)
		buf_z(&text, sign(SIGN_WAIT));
	else
		report_cell(k, cell, -1, &text);
	put_right(grid, y, x, c->w, style, buf_view(&text));
	if (c->bar && !p->waits && c->most > 0) {
		buf_clear(&text);
		bar_text(cell->number / c->most, c->bar, &text);
		cells_put(grid, y, x + c->w + 1, c->bar, STYLE_BAR, buf_view(&text));
	}
	buf_release(&text);
}

static void draw_text(const struct table_pane *p, const struct pane_column *c, const struct table_cell *cell,
		      struct cells *grid, int y, int x, enum style style)
{
	struct buf text = BUF_INIT;

	report_cell(&p->table->columns.v[c->column], cell, -1, &text);
	put_left(grid, y, x, c->w, style, CUT_MIDDLE, buf_view(&text));
	buf_release(&text);
}

static enum style style_of(const struct table_pane *p, uint32_t line, size_t k, const struct table_cell *cell)
{
	bool nothing = cell->number == 0 || (!cell->text && isnan(cell->number)) || p->waits || cell->reference;

	if (line == p->list.cursor && !p->away)
		return k == p->at ? STYLE_BOLD : nothing && k ? STYLE_CURSOR_DIM : STYLE_CURSOR;
	return nothing && (k || cell->reference) ? STYLE_DIM : STYLE_NORMAL;
}

static void draw_cell(const struct table_pane *p, uint32_t line, size_t k, struct cells *grid, int y, int x)
{
	const struct pane_column *c = &p->columns.v[k];
	size_t row = p->rows.v[line];
	const struct table_cell *cell = table_look(p->table, row, c->column);
	enum style style = style_of(p, line, k, cell);

	if (line == p->list.cursor && k == p->at && !p->away)
		cells_fill(grid, (struct rect){y, x - (k > 0), 1, c->w + 1 + (k > 0)}, style);
	if (is_text(p, c))
		draw_text(p, c, cell, grid, y, x, style);
	else
		draw_number(p, c, row, grid, y, x, style);
}

/* The columns in sight: calls draw for each; head: instead of a row. */
static void draw_line(const struct table_pane *p, bool head, uint32_t line, struct cells *grid,
		      struct rect at)
{
	int x = at.x + SIGN_ROOM;

	for (size_t k = 0; k < p->columns.n; k = k ? k + 1 : p->left) {
		const struct pane_column *c = &p->columns.v[k];
		int room = at.x + at.w - x;

		if (k && room < c->w)
			break;
		if (head)
			draw_head(p, k, grid, at.y, x);
		else
			draw_cell(p, line, k, grid, at.y, x);
		x += room_of(c);
		if (p->columns.n < 2)
			break;
	}
}

static void draw_signs(const struct table_pane *p, uint32_t line, struct cells *grid, struct rect at)
{
	bool cursor = line == p->list.cursor && !p->away;
	enum style style = cursor ? STYLE_CURSOR : STYLE_NORMAL;
	size_t row = p->rows.v[line];

	cells_fill(grid, at, style);
	if (cursor)
		cells_putz(grid, at.y, at.x, 1, style, sign(SIGN_CURSOR));
	if (row < p->signs.n)
		cells_putz(grid, at.y, at.x + 2, 1, style, p->signs.v[row]);
}

/* More columns on either side than are in sight. */
static void draw_more(const struct table_pane *p, struct cells *grid, struct rect head)
{
	int x = SIGN_ROOM + p->columns.v[0].w;

	if (p->columns.n < 2)
		return;
	if (p->left > 1)
		cells_putz(grid, head.y, head.x + x, 1, STYLE_DIM, "<");
	for (size_t k = p->left; k < p->columns.n; k++) {
		x += GAP + p->columns.v[k].w;
		if (x > head.w) {
			cells_putz(grid, head.y, head.x + head.w - 1, 1, STYLE_DIM, ">");
			return;
		}
		x += p->columns.v[k].bar ? p->columns.v[k].bar + 1 : 0;
	}
}

void table_pane_draw(const struct table_pane *p, struct cells *grid, struct rect area)
{
	if (!p->table || !p->columns.n || area.h < 1)
		return;
	draw_line(p, true, 0, grid, (struct rect){area.y, area.x, p->head, area.w});
	draw_more(p, grid, (struct rect){area.y + p->head - 1, area.x, 1, area.w});
	for (int i = p->head; i < area.h && p->list.top + (uint32_t)(i - p->head) < p->rows.n; i++) {
		struct rect at = {area.y + i, area.x, 1, area.w};
		uint32_t line = p->list.top + (uint32_t)(i - p->head);

		draw_signs(p, line, grid, at);
		draw_line(p, false, line, grid, at);
	}
}
