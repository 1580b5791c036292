#include "tui/ask_filter.h"

#include <stdio.h>

#include "tui/app.h"
#include "tui/view/pen.h"
#include "tui/view/popup.h"
#include "tui/view/sign.h"

#define LIST_MAX 12 /* offers in sight */
#define WAIT_MS  100

/* --- the line --- */

/* "145 of 1,000", or what stands for it. */
static void count_of(const struct app *app, bool narrow, char *out, size_t size)
{
	const struct ask_filter *a = &app->ask;
	char n[28], all[28];

	*out = '\0';
	if (a->state == ASK_WAITING && app->now - a->asked >= WAIT_MS)
		snprintf(out, size, "%s", sign(SIGN_WAIT));
	if (a->state != ASK_COUNTED)
		return;
	count_text(a->n, n);
	if (narrow)
		snprintf(out, size, "%s", n);
	else
		snprintf(out, size, "%s of %s", n, count_text(app->scene.n_base, all));
}

static int draw_line(const struct app *app, struct cells *grid, struct rect line)
{
	char count[80];
	int w;

	count_of(app, line.w < 60, count, sizeof count);
	/* The line keeps its room for the count, so that it does not jump when the count comes. */
	w = line.w < 60 ? 12 : 26;
	w = line.w > 3 * w ? w : 0;
	prompt_draw(&app->prompt, grid, (struct rect){line.y, line.x, 1, line.w - w});
	if (w) {
		int used = text_width(str_z(count));

		cells_fill(grid, (struct rect){line.y, line.x + line.w - w, 1, w}, STYLE_PROMPT);
		cells_putz(grid, line.y, line.x + line.w - 1 - used, used,
			   app->ask.state == ASK_COUNTED ? STYLE_BOLD : STYLE_DIM, count);
	}
	return line.w - w;
}

/* --- above it --- */

static void put_offer(struct pen *p, const struct filter_item *it, bool first)
{
	char n[28];
	int w = text_width(it->label) + (first ? 0 : 3) +
		(it->count == FILTER_NO_COUNT ? 0 : 1 + text_width(str_z(count_text(it->count, n))));

	if (p->x + w > p->area.w - 1) {
		p->x = p->area.w; /* no further one either */
		return;
	}
	p->x += first ? 0 : 3;
	pen_put(p, STYLE_NORMAL, it->label);
	if (it->count != FILTER_NO_COUNT)
		pen_printf(p, STYLE_DIM, " %s", count_text(it->count, n));
}

/* The word is there as a whole, and nothing else begins like it. */
static bool is_whole(const struct app *app)
{
	const struct ask_filter *a = &app->ask;
	const struct prompt *p = &app->prompt;

	return a->offers.items.n == 1 && a->offers.from <= p->at &&
	       str_eq(a->offers.items.v[0].insert,
		      (struct str){p->text.p + a->offers.from, p->at - a->offers.from});
}

static const char *help_at(const struct ask_filter *a)
{
	const char *help = a->listed && a->taken >= 0 ? a->offers.items.v[a->taken].help : "";

	return help ? help : "";
}

/* What is wrong; else what may stand here; else what is missing. */
static bool draw_said(const struct app *app, struct cells *grid, struct rect line)
{
	const struct ask_filter *a = &app->ask;
	struct pen p = {grid, line, 0, 1};
	bool whole = is_whole(app);

	cells_fill(grid, line, STYLE_NORMAL);
	if (app->message.n) {
		pen_cut(&p, line.w - 2, app->message_style, CUT_END, buf_view(&app->message));
	} else if (a->state == ASK_WRONG) {
		pen_cut(&p, line.w - 2, STYLE_WARNING, CUT_END, buf_view(&a->problem));
	} else if (*help_at(a)) {
		pen_cut(&p, line.w - 2, STYLE_DIM, CUT_END, str_z(help_at(a)));
	} else if (a->listed) {
		pen_cut(&p, line.w - 2, STYLE_DIM, CUT_END,
			STR("Tab and arrows walk, Enter filters, Esc goes back to what was typed"));
	} else if (whole && *a->offers.items.v[0].help) {
		pen_cut(&p, line.w - 2, STYLE_DIM, CUT_END, str_z(a->offers.items.v[0].help));
	} else if (a->offers.items.n && !whole) {
		for (size_t i = 0; i < a->offers.items.n && p.x < line.w; i++)
			put_offer(&p, &a->offers.items.v[i], i == 0);
		if (a->offers.items.n == 1 && a->offers.items.v[0].help)
			pen_printf(&p, STYLE_DIM, "  %s", a->offers.items.v[0].help);
	} else if (a->state == ASK_UNFINISHED) {
		pen_cut(&p, line.w - 2, STYLE_DIM, CUT_END, buf_view(&a->problem));
	} else {
		return false;
	}
	return true;
}

/* --- the list --- */

struct widths {
	int label, count;
};

static struct widths measure(const struct ask_filter *a)
{
	struct widths w = {8, 0};
	char n[28];

	for (size_t i = 0; i < a->offers.items.n && i < 2000; i++) {
		const struct filter_item *it = &a->offers.items.v[i];
		int label = text_width(it->label), count = 0;

		if (it->count != FILTER_NO_COUNT)
			count = text_width(str_z(count_text(it->count, n))) + 2;
		w.label = label > w.label ? label : w.label;
		w.count = count > w.count ? count : w.count;
	}
	return w;
}

static void draw_row(const struct ask_filter *a, struct cells *grid, struct rect line, int label,
		     uint32_t k)
{
	const struct filter_item *it = &a->offers.items.v[k];
	bool cursor = (int64_t)k == a->taken;
	enum style text = cursor ? STYLE_CURSOR : STYLE_POPUP, dim = cursor ? STYLE_CURSOR_DIM : STYLE_DIM;
	struct buf cut = BUF_INIT;
	char n[28];

	cells_fill(grid, line, text);
	text_cut(it->label, label, CUT_MIDDLE, &cut);
	cells_put(grid, line.y, line.x + 1, label, text, buf_view(&cut));
	if (it->count != FILTER_NO_COUNT) {
		int w = text_width(str_z(count_text(it->count, n)));

		cells_putz(grid, line.y, line.x + line.w - 1 - w, w, dim, n);
	}
	buf_release(&cut);
}

static struct rect draw_list(struct app *app, struct cells *grid, int column)
{
	struct ask_filter *a = &app->ask;
	struct widths w = measure(a);
	int room = grid->h - 3, h = (int)(a->offers.items.n < LIST_MAX ? a->offers.items.n : LIST_MAX) + 2;
	int label = w.label < grid->w - 6 - w.count ? w.label : grid->w - 6 - w.count;
	struct rect box = {0, 0, h < room ? h : room, label + w.count + 4}, in;

	if (box.h < 3 || label < 4)
		return (struct rect){0};
	box.y = grid->h - 2 - box.h;
	box.x = column - 2 > 0 ? column - 2 : 0;
	box.x = box.x + box.w > grid->w ? grid->w - box.w : box.x;
	in = popup_inside(box);
	list_fit(&a->list, (uint32_t)a->offers.items.n, (uint32_t)in.h);
	popup_draw(grid, box, "", a->list.top + (uint32_t)in.h < a->list.n);
	for (int i = 0; i < in.h && a->list.top + (uint32_t)i < a->list.n; i++)
		draw_row(a, grid, (struct rect){in.y + i, in.x, 1, in.w}, label, a->list.top + (uint32_t)i);
	return box;
}

struct rect ask_filter_draw(struct app *app, struct cells *grid)
{
	const struct ask_filter *a = &app->ask;
	struct rect line = {grid->h - 1, 0, 1, grid->w}, above = {grid->h - 2, 0, 1, grid->w}, box = {0};
	int w = draw_line(app, grid, line);
	bool said = above.y > 0 && draw_said(app, grid, above);

	if (a->listed)
		box = draw_list(app, grid, prompt_column(&app->prompt, w, a->offers.from));
	if (!said)
		return box;
	return box.h ? (struct rect){box.y, box.x, box.h + 1, box.w} : above;
}
