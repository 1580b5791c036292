/* The Agreement view's panes. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tui/view/agreement_impl.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define NUMBER_W 9
#define SHARE_W  8
#define NAME_MIN 12
#define CELL_MIN 5
#define CELL_MAX 7
#define LABEL_MAX 32

int agreement_foot(int height)
{
	return height < 8 ? 0 : height < 14 ? 1 : 2;
}

uint32_t agreement_lines(const struct agreement_page *p)
{
	return (uint32_t)p->a->n_bars + 1 + (uint32_t)p->a->together.n_runs;
}

bool agreement_is_bar(const struct agreement_page *p, uint32_t line)
{
	return line < p->a->n_bars;
}

int agreement_run(const struct agreement_page *p, uint32_t line)
{
	uint32_t k = line - (uint32_t)p->a->n_bars - 1, seen = 0;

	if (line <= p->a->n_bars)
		return -1;
	for (int at = 0; at < p->n_runs; at++)
		if (p->order[at] < p->a->together.n_runs && seen++ == k)
			return p->order[at];
	return -1;
}

/* Runs are told by their place: 1, 2, … */
static int number_w(const struct agreement_page *p)
{
	return p->n_runs > 99 ? 3 : p->n_runs > 9 ? 2 : 1;
}

static int number_of(const struct agreement_page *p, int run)
{
	return p->place[run] + 1;
}

/* --- who is right together --- */

struct bar_places {
	int dot_w, dots, bar, name; /* columns; 0: no room */
};

static struct bar_places bar_places(const struct agreement_page *p, int w)
{
	struct bar_places b = {.dot_w = p->n_runs <= 12 && w >= 60 ? 2 : 1};
	int rest;

	b.dots = b.dot_w * p->a->together.n_runs;
	if (b.dots > w - 2 - NUMBER_W)
		b.dots = w - 2 - NUMBER_W;
	rest = w - 2 - b.dots - NUMBER_W - SHARE_W - 1;
	b.bar = rest < 6 ? 0 : rest < 2 * NAME_MIN ? rest : rest * 2 / 5;
	b.name = b.bar == rest ? 0 : rest - b.bar - 2;
	return b;
}

int agreement_head(const struct agreement_page *p, int height)
{
	return height < 6 ? 0 : p->n_runs > 9 ? 3 : 2;
}

/* The tens above the units, so that each run has a column of its own. */
static void draw_numbers(const struct agreement_page *p, struct cells *grid, struct rect area,
			 const struct bar_places *b, int rows)
{
	int at = 0;

	for (int k = 0; k < p->n_runs; k++) {
		int x = area.x + 2 + b->dot_w * at;

		if (p->order[k] >= p->a->together.n_runs)
			continue;
		at++;
		if (b->dot_w * at > b->dots)
			break;
		if (rows > 1 && k + 1 > 9)
			cells_printf(grid, area.y, x, 1, STYLE_DIM, "%d", (k + 1) / 10 % 10);
		cells_printf(grid, area.y + rows - 1, x, 1, STYLE_DIM, "%d", (k + 1) % 10);
	}
}

static void put_right(struct cells *grid, int y, int x, int w, enum style style, const char *text)
{
	struct buf cut = BUF_INIT;

	text_cut(str_z(text), w, CUT_END, &cut);
	w -= text_width(buf_view(&cut));
	cells_put(grid, y, x + w, grid->w, style, buf_view(&cut));
	buf_release(&cut);
}

static void draw_dots(const struct agreement_page *p, struct cells *grid, int y, int x,
		      const struct bar_places *b, uint64_t who)
{
	int at = 0;

	for (int k = 0; k < p->n_runs && b->dot_w * (at + 1) <= b->dots; k++) {
		int run = p->order[k];
		bool right;

		if (run >= p->a->together.n_runs)
			continue;
		right = who >> run & 1;
		cells_putz(grid, y, x + b->dot_w * at++, 1, right ? STYLE_RIGHT : STYLE_DIM,
			   sign(right ? SIGN_MARKED : SIGN_DOT));
	}
}

/* The largest share among the bars: a whole bar; what the rest sums up is no bar's measure. */
static double scale_of(const struct agreement_page *p)
{
	size_t share = (size_t)table_find(&p->a->table, STR("share"));
	double most = 0;

	for (size_t i = 0; i < p->a->n_bars - p->a->has_rest; i++) {
		double v = table_look(&p->a->table, i, share)->number;

		most = v > most ? v : most;
	}
	return most;
}

static void name_runs(const struct agreement_page *p, uint64_t who, struct buf *out)
{
	bool any = false;

	for (int k = 0; k < p->n_runs; k++) {
		int run = p->order[k];

		if (run >= p->a->together.n_runs || !(who >> run & 1))
			continue;
		buf_printf(out, "%s%s", any ? " + " : "", p->handle[run]);
		any = true;
	}
}

/* By the numbers that stand above the dots: "1, 4-7". */
static void number_runs(const struct agreement_page *p, uint64_t who, struct buf *out)
{
	int last = -1, first = -1; /* of those that follow each other */

	for (int k = 0; k <= p->n_runs; k++) {
		int run = k < p->n_runs ? p->order[k] : -1;
		bool is = run >= 0 && run < p->a->together.n_runs && who >> run & 1;

		if (is && first < 0) {
			buf_printf(out, "%s%d", last < 0 ? "" : ", ", k + 1);
			first = k;
		}
		if (is)
			last = k;
		if (is || first < 0)
			continue;
		if (last > first)
			buf_printf(out, "%s%d", last > first + 1 ? "-" : ", ", last + 1);
		first = -1;
	}
}

static uint64_t all_of(int n_runs)
{
	return n_runs > 63 ? UINT64_MAX : ((uint64_t)1 << n_runs) - 1;
}

/* Several names that do not fit are numbers: which runs they are is better told than how they begin. */
static void name_bar(const struct agreement_page *p, uint32_t line, int w, struct buf *out)
{
	const struct together *t = &p->a->together;
	uint64_t who = p->a->who[line];
	bool most = __builtin_popcountll(who) * 2 > t->n_runs;

	if (line < 2 || (p->a->has_rest && line + 1 == p->a->n_bars)) {
		buf_z(out, table_look(&p->a->table, line, (size_t)table_find(&p->a->table, STR("run")))->text);
		return;
	}
	if (most)
		who = all_of(t->n_runs) & ~who;
	buf_z(out, most ? "all but " : "");
	name_runs(p, who, out);
	if (text_width(buf_view(out)) <= w || __builtin_popcountll(who) < 2)
		return;
	buf_clear(out);
	buf_z(out, most ? "all but " : "");
	number_runs(p, who, out);
}

static void draw_bar(const struct agreement_page *p, struct cells *grid, int y, struct rect area,
		     uint32_t line, double most)
{
	const struct table *t = &p->a->table;
	struct bar_places b = bar_places(p, area.w);
	double n = table_look(t, line, p->a->n)->number;
	double share = table_look(t, line, (size_t)table_find(t, STR("share")))->number;
	bool here = p->lines.cursor == line, rest = p->a->has_rest && line + 1 == p->a->n_bars;
	int x = area.x + 2 + b.dots;
	char number[28], percent[16];
	struct buf text = BUF_INIT;

	if (here)
		cells_putz(grid, y, area.x, 1, STYLE_BOLD, sign(SIGN_CURSOR));
	if (rest)
		cells_putz(grid, y, area.x + 2, b.dots, STYLE_DIM, b.dots < 8 ? "rest" : "the rest");
	else
		draw_dots(p, grid, y, area.x + 2, &b, p->a->who[line]);
	put_right(grid, y, x, NUMBER_W, here ? STYLE_CURSOR : STYLE_NORMAL, count_text((uint64_t)n, number));
	snprintf(percent, sizeof percent, n > 0 && share < 0.0005 ? "<0.1 %%" : "%.1f %%",
		 isnan(share) ? 0 : share * 100);
	put_right(grid, y, x + NUMBER_W, SHARE_W, STYLE_DIM, percent);
	x += NUMBER_W + SHARE_W + 1;
	if (b.bar && most > 0 && !isnan(share) && !rest)
		bar_text(share / most, b.bar, &text);
	cells_put(grid, y, x, b.bar, STYLE_BAR, buf_view(&text));
	buf_clear(&text);
	if (b.name > 0 && !rest) {
		struct buf cut = BUF_INIT;

		name_bar(p, line, b.name, &text);
		text_cut(buf_view(&text), b.name, CUT_END, &cut);
		cells_put(grid, y, x + b.bar + 2, b.name, here ? STYLE_BOLD : STYLE_NORMAL, buf_view(&cut));
		buf_release(&cut);
	}
	buf_release(&text);
}

/* --- the runs --- */

static int run_name_w(const struct agreement_page *p, int w)
{
	int most = 3;

	for (int k = 0; k < p->n_runs; k++) {
		int want = text_width(str_z(p->handle[k]));

		most = want > most ? want : most;
	}
	w -= 2 + number_w(p) + 1 + 3 * NUMBER_W + SHARE_W;
	return w < 6 ? 6 : most < w ? most : w;
}

static bool has_shares(const struct agreement_page *p, int w)
{
	(void)p;
	return w >= 50;
}

static void draw_run_heading(const struct agreement_page *p, struct cells *grid, int y, struct rect area)
{
	static const char *const word[N_RUN_COLUMNS] = {"right", "only it", "all but"};
	bool shares = has_shares(p, area.w);
	int name = run_name_w(p, shares ? area.w : area.w + SHARE_W);
	int x = area.x + 2 + number_w(p) + 1 + name;

	for (int k = 0; k < N_RUN_COLUMNS; k++) {
		put_right(grid, y, x, NUMBER_W, STYLE_DIM, word[k]);
		x += NUMBER_W + (k == RUN_RIGHT && shares ? SHARE_W : 0);
	}
}

static double run_number(const struct agreement_page *p, int run, int column)
{
	size_t at = column == RUN_RIGHT ? p->a->right : column == RUN_ONLY ? p->a->only : p->a->all_but;

	return table_look(&p->a->table, p->a->first_run + (size_t)run, at)->number;
}

static void draw_run(const struct agreement_page *p, struct cells *grid, int y, struct rect area, uint32_t line)
{
	bool here = p->lines.cursor == line, shares = has_shares(p, area.w);
	int run = agreement_run(p, line), name = run_name_w(p, shares ? area.w : area.w + SHARE_W);
	int x = area.x + 2;
	char text[40];
	struct buf cut = BUF_INIT;

	if (here)
		cells_putz(grid, y, area.x, 1, STYLE_BOLD, sign(SIGN_CURSOR));
	snprintf(text, sizeof text, "%d", number_of(p, run));
	put_right(grid, y, x, number_w(p), STYLE_DIM, text);
	x += number_w(p) + 1;
	text_cut(str_z(p->handle[run]), name, CUT_MIDDLE, &cut);
	cells_put(grid, y, x, name, here ? STYLE_BOLD : STYLE_NORMAL, buf_view(&cut));
	buf_release(&cut);
	x += name;
	for (int k = 0; k < N_RUN_COLUMNS; k++) {
		double n = run_number(p, run, k);

		put_right(grid, y, x, NUMBER_W, here && p->column == k ? STYLE_CURSOR : STYLE_NORMAL,
			  count_text((uint64_t)n, text));
		x += NUMBER_W;
		if (k != RUN_RIGHT || !shares)
			continue;
		snprintf(text, sizeof text, "%.1f %%", p->a->together.n ? n * 100 / p->a->together.n : 0);
		put_right(grid, y, x, SHARE_W, STYLE_DIM, text);
		x += SHARE_W;
	}
}

static void draw_title(const struct agreement_page *p, struct cells *grid, struct rect area)
{
	const struct together *t = &p->a->together;
	struct buf text = BUF_INIT, cut = BUF_INIT;
	char n[28], out[28];

	if (area.w > 60)
		buf_printf(&text, "who is right together %s ", sign(SIGN_DOT));
	buf_printf(&text, "%s samples count for ", count_text(t->n, n));
	if (t->n_runs == 1)
		buf_z(&text, "the one run");
	else
		buf_printf(&text, "%s %d runs", p->n_runs > t->n_runs ? "the first" : "all", t->n_runs);
	if (t->left_out)
		buf_printf(&text, ", %s left out", count_text(t->left_out, out));
	text_cut(buf_view(&text), area.w - 1, CUT_END, &cut);
	cells_put(grid, area.y, area.x, area.w - 1, STYLE_DIM, buf_view(&cut));
	buf_release(&text);
	buf_release(&cut);
}

static void draw_together(const struct agreement_page *p, struct cells *grid, struct rect area)
{
	struct bar_places b = bar_places(p, area.w);
	int head = agreement_head(p, area.h);
	double most = scale_of(p);

	if (head) {
		draw_title(p, grid, area);
		draw_numbers(p, grid, (struct rect){area.y + 1, area.x, head - 1, area.w}, &b, head - 1);
	}
	for (uint32_t k = 0; k < p->lines.height && p->lines.top + k < p->lines.n; k++) {
		uint32_t line = p->lines.top + k;
		int y = area.y + head + (int)k;

		if (agreement_is_bar(p, line))
			draw_bar(p, grid, y, area, line, most);
		else if (agreement_run(p, line) >= 0)
			draw_run(p, grid, y, area, line);
		else
			draw_run_heading(p, grid, y, area);
	}
}

/* --- how alike they are --- */

struct agreement_grid agreement_lay(const struct agreement_page *p, struct rect area)
{
	struct agreement_grid g = {.head = area.h < 5 ? 1 : 2};
	int n = p->n_runs, longest = 0, room;

	for (int k = 0; k < n; k++) {
		int w = text_width(str_z(p->handle[k]));

		longest = w > longest ? w : longest;
	}
	g.label_w = number_w(p) + 2 + longest;
	if (g.label_w > area.w / 3)
		g.label_w = area.w / 3;
	if (g.label_w > LABEL_MAX)
		g.label_w = LABEL_MAX;
	room = area.w - g.label_w - 2;
	g.cell_w = n ? room / n : CELL_MAX;
	g.cell_w = g.cell_w > CELL_MAX ? CELL_MAX : g.cell_w < CELL_MIN ? CELL_MIN : g.cell_w;
	g.columns = room / g.cell_w < n ? room / g.cell_w : n;
	g.columns = g.columns < 1 ? 1 : g.columns;
	g.rows = area.h - g.head - agreement_foot(area.h);
	g.rows = g.rows > n ? n : g.rows < 1 ? 1 : g.rows;
	return g;
}

static double value_of(const struct agreement_page *p, int i, int k)
{
	const struct similar *s = &p->a->similar;
	const double *v = p->measure == AGREE_PHI     ? s->phi
			  : p->measure == AGREE_KAPPA ? s->kappa
						      : s->spearman;

	return v[i * s->n_runs + k];
}

/* "0.43", "-0.02"; in few columns ".43", "-.02", "1". */
static void value_text(double v, int w, char out[16])
{
	const char *dot;

	if (isnan(v)) {
		snprintf(out, 16, "n/a");
		return;
	}
	snprintf(out, 16, "%.2f", fabs(v) < 0.005 ? 0.0 : v);
	if (w > CELL_MIN)
		return;
	dot = strchr(out, '.');
	if (strcmp(out, "1.00") == 0 || strcmp(out, "-1.00") == 0)
		out[dot - out] = '\0';
	else if (dot && dot > out && dot[-1] == '0')
		memmove(out + (dot - out) - 1, dot, strlen(dot) + 1);
}

static enum style shade(double v)
{
	if (isnan(v) || fabs(v) < 0.005)
		return STYLE_DIM;
	if (v < 0)
		return (enum style)(STYLE_LESS_1 + (int)fmin(2, -v * 3));
	return (enum style)(STYLE_HEAT_1 + (int)fmin(4, v * 5));
}

static void draw_value(const struct agreement_page *p, struct cells *grid, int y, int x, int w, int row, int col)
{
	int i = p->order[row], k = p->order[col];
	bool here = row == p->row && col == p->col;
	double v = value_of(p, i, k);
	enum style style = here ? STYLE_CURSOR : row == col ? STYLE_DIM : shade(v);
	char text[16];

	if (row == col)
		snprintf(text, sizeof text, "%s", sign(SIGN_DOT));
	else
		value_text(v, w, text);
	if (style != STYLE_DIM)
		cells_fill(grid, (struct rect){y, x, 1, w}, style);
	put_right(grid, y, x + 1, w - 1, style, text);
	if (here)
		cells_putz(grid, y, x, 1, style, sign(SIGN_CURSOR));
}

static void draw_alike_row(const struct agreement_page *p, struct cells *grid, int y, struct rect area,
			   const struct agreement_grid *g, int row)
{
	struct buf cut = BUF_INIT;
	int run = p->order[row], nw = number_w(p);
	char number[12];

	snprintf(number, sizeof number, "%d", row + 1);
	put_right(grid, y, area.x, nw, STYLE_DIM, number);
	text_cut(str_z(p->handle[run]), g->label_w - nw - 2, CUT_MIDDLE, &cut);
	cells_put(grid, y, area.x + nw + 1, g->label_w - nw - 1, row == p->row ? STYLE_BOLD : STYLE_NORMAL,
		  buf_view(&cut));
	buf_release(&cut);
	for (int c = 0; c < g->columns && p->left + c < p->n_runs; c++)
		draw_value(p, grid, y, area.x + g->label_w + c * g->cell_w, g->cell_w, row, p->left + c);
}

static void draw_alike(const struct agreement_page *p, struct cells *grid, struct rect area)
{
	struct agreement_grid g = agreement_lay(p, area);
	struct buf text = BUF_INIT, cut = BUF_INIT;

	buf_printf(&text, "%s, %s", agreement_title(p->measure),
		   p->as_panel ? "in the panel's order" : "similar runs beside each other");
	text_cut(buf_view(&text), area.w - 1, CUT_END, &cut);
	if (g.head > 1)
		cells_put(grid, area.y, area.x, area.w - 1, STYLE_DIM, buf_view(&cut));
	for (int c = 0; c < g.columns && p->left + c < p->n_runs; c++) {
		char number[12];

		snprintf(number, sizeof number, "%d", p->left + c + 1);
		put_right(grid, area.y + g.head - 1, area.x + g.label_w + c * g.cell_w + 1, g.cell_w - 1,
			  p->left + c == p->col ? STYLE_BOLD : STYLE_DIM, number);
	}
	for (int r = 0; r < g.rows && p->top + r < p->n_runs; r++)
		draw_alike_row(p, grid, area.y + g.head + r, area, &g, p->top + r);
	buf_release(&text);
	buf_release(&cut);
}

/* --- below --- */

static void say_bar(const struct agreement_page *p, uint32_t line, struct buf *out)
{
	struct buf name = BUF_INIT;

	name_bar(p, line, INT_MAX, &name);
	if (p->a->has_rest && line + 1 == p->a->n_bars)
		buf_z(out, "all other combinations of runs, each rarer than those above");
	else if (p->a->who[line] == 0)
		buf_z(out, "no run is right");
	else if (line == 0)
		buf_z(out, "all runs are right");
	else
		buf_printf(out, "right, and nobody else: %s", buf_cstr(&name));
	buf_release(&name);
}

static void say_run(const struct agreement_page *p, int run, bool brief, struct buf *out)
{
	if (p->column == RUN_RIGHT)
		buf_printf(out, "%s is right%s", p->handle[run],
			   brief ? "" : ", of the samples that all runs have a counted answer to");
	else if (p->column == RUN_ONLY)
		buf_printf(out, "%s is right, and nobody else", p->handle[run]);
	else
		buf_printf(out, "%s is wrong, and nobody else", p->handle[run]);
}

static void say_count(struct buf *out, const char *what, uint64_t n)
{
	char text[28];

	buf_printf(out, "%s %s", what, count_text(n, text));
}

static void say_fourfold(const struct fourfold *f, struct buf *out)
{
	say_count(out, "", fourfold_n(f));
	say_count(out, " samples: both right", f->both);
	say_count(out, ", only the first", f->only_a);
	say_count(out, ", only the second", f->only_b);
	say_count(out, ", neither", f->neither);
}

/* brief: runs by their numbers. */
static void say_pair(const struct agreement_page *p, bool brief, struct buf *out)
{
	const struct similar *s = &p->a->similar;
	int i = p->order[p->row], k = p->order[p->col], at = i * s->n_runs + k;

	if (i == k) {
		buf_printf(out, "%s with itself", p->handle[i]);
		return;
	}
	if (brief)
		buf_printf(out, "%d, %d: %s ", p->row + 1, p->col + 1, agreement_word(p->measure));
	else
		buf_printf(out, "%s, %s: %s ", p->handle[i], p->handle[k], agreement_word(p->measure));
	if (isnan(value_of(p, i, k)))
		buf_z(out, "not defined");
	else
		buf_printf(out, "%.3f", value_of(p, i, k));
	buf_printf(out, " %s", sign(SIGN_DOT));
	if (p->measure == AGREE_PHI) {
		say_fourfold(&s->fourfold[at], out);
	} else if (p->measure == AGREE_KAPPA) {
		say_count(out, "", s->answered[at]);
		say_count(out, " samples that both answered,", s->same[at]);
		buf_z(out, " of them alike");
	} else {
		say_count(out, "", s->classes[at]);
		buf_z(out, " classes");
	}
}

static void draw_foot(const struct agreement_page *p, struct cells *grid, struct rect area)
{
	int foot = agreement_foot(area.h);
	struct pen pen = {grid, {area.y + area.h - foot, area.x, foot, area.w - 1}, 0, 0};
	struct buf text = BUF_INIT;

	if (p->pane == PANE_ALIKE)
		say_pair(p, foot < 2, &text);
	else if (agreement_is_bar(p, p->lines.cursor))
		say_bar(p, p->lines.cursor, &text);
	else if (agreement_run(p, p->lines.cursor) >= 0)
		say_run(p, agreement_run(p, p->lines.cursor), foot < 2, &text);
	pen_wrap(&pen, 0, foot, STYLE_DIM, (struct span){0}, buf_view(&text));
	buf_release(&text);
}

void agreement_draw(const struct agreement_page *p, struct cells *grid, struct rect area)
{
	struct rect inside = {area.y, area.x + 1, area.h, area.w - 1};

	if (p->pane == PANE_TOGETHER)
		draw_together(p, grid, inside);
	else
		draw_alike(p, grid, inside);
	draw_foot(p, grid, inside);
}
