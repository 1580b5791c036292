/* explain: what a number is, of which samples, what was left out, and the command that prints it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/report_print.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/popup.h"
#include "tui/view/sign.h"
#include "tui/view/tables.h"

#define LABEL_W 13
#define LINES_MAX 6 /* of one text, as wrapped */

enum act { ACT_NONE, ACT_OPEN, ACT_COPY };

struct line {
	const char *label, *text, *what; /* what: the condition, or what is copied */
	enum act act;
};

struct explain {
	struct view view;
	struct arena arena;
	const char *title;
	VEC(struct line) lines;
	struct list list; /* over the lines that something can be done with */
	int top;          /* first row of the text in sight */
};

/* --- the command line --- */

static void put_quoted(struct buf *out, const char *text)
{
	bool plain = *text != '\0';

	for (const char *c = text; *c; c++)
		plain &= *c > 0x20 && *c < 0x7f && !strchr("'\"\\$`*?[](){}<>|&;#~!", *c);
	if (plain) {
		buf_z(out, text);
		return;
	}
	buf_ch(out, '\'');
	for (const char *c = text; *c; c++)
		if (*c == '\'')
			buf_z(out, "'\\''");
		else
			buf_ch(out, *c);
	buf_ch(out, '\'');
}

static void put_option(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, " --%s ", name);
	put_quoted(out, value);
}

/* What is shown: base and filter. */
static void put_filter(const struct scene *s, struct buf *out)
{
	const char *filter = s->filter && !s->filter_off ? s->filter : "";

	if (s->base_filter && *filter)
		buf_printf(out, "(%s) (%s)", s->base_filter, filter);
	else
		buf_z(out, s->base_filter ? s->base_filter : filter);
}

static void put_runs(const struct scene *s, struct buf *out)
{
	if (s->a >= 0)
		put_option(out, "run", s->snap->runs[s->a].handle);
	if (s->a >= 0 && s->b >= 0)
		put_option(out, "against", s->snap->runs[s->b].handle);
}

/* Is it the accuracy of a group, a column of its own on the screen? */
static bool is_group(const struct explain_what *w)
{
	return w->kind == TABLES_RUNS && w->column >= w->n_first;
}

/* Of the flat table, in which the groups are rows. */
static void put_columns(const struct explain_what *w, struct buf *out)
{
	const struct table_column *c = &w->table->columns.v[w->column];

	buf_printf(out, " --format csv --columns %sgroup", w->kind == TABLES_RUNS ? "run,layer," : "");
	if (table_find(w->table, STR("generator")) >= 0) /* rows of one run */
		buf_z(out, ",generator");
	if (is_group(w))
		buf_z(out, ",accuracy");
	else if (c->kind != TABLE_TEXT)
		buf_printf(out, ",%s", c->name);
}

void explain_command(struct app *app, const struct explain_what *w, struct buf *out)
{
	const struct scene *s = &app->scene;
	struct buf text = BUF_INIT;

	buf_z(out, "qualm report ");
	put_quoted(out, conn_path(app->conn));
	buf_z(out, w->kind == TABLES_RUNS ? " accuracy" : " groups");
	put_option(out, "dataset", s->snap->dataset);
	if (w->by)
		put_option(out, "by", w->by);
	if (w->kind == TABLES_CLASSES)
		put_runs(s, out);
	lens_format(&s->lens, s->snap, &text);
	if (text.n)
		put_option(out, "lens", buf_cstr(&text));
	buf_clear(&text);
	put_filter(s, &text);
	if (text.n)
		put_option(out, "filter", buf_cstr(&text));
	put_columns(w, out);
	buf_release(&text);
}

/* --- what is said --- */

static void say(struct explain *e, const char *label, enum act act, const char *what, const char *text)
{
	struct line l = {label, arena_strdup(&e->arena, text), what ? arena_strdup(&e->arena, what) : NULL, act};

	if (*text)
		vec_push(&e->lines, l);
}

/* "853  right@v2 cat:S-": the samples themselves are behind it. */
static void say_door(struct explain *e, const char *label, double n, const char *door, const char *more)
{
	char count[28];
	struct buf text = BUF_INIT;

	buf_printf(&text, "%s  %s%s%s", count_text((uint64_t)n, count), *door ? door : "all of them",
		   *more ? ": " : "", more);
	say(e, label, n > 0 ? ACT_OPEN : ACT_NONE, door, buf_cstr(&text));
	buf_release(&text);
}

/* Why the answers behind a condition are not counted, as words. */
static void reasons(struct app *app, const struct table_share *share, struct buf *out)
{
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	struct filter *f = NULL;
	uint64_t *bits = NULL;
	uint32_t count[N_LEFT_OUT];
	const struct filter_ctx *ctx = narrow_ctx(app, &err);

	if (!share->rest || !ctx ||
	    filter_parse(str_z(share->rest_door), ctx, &f, NULL, &err) != OK ||
	    narrow_eval(app, f, &bits, &err) != OK)
		goto out;
	if (s->shown)
		bits_and(bits, s->shown, s->snap->n);
	scene_need(s, share->run);
	eval_left_out(s->snap, &s->lens, share->run, s->verdict[share->run], bits, count);
	for (int why = 0; why < N_LEFT_OUT; why++)
		if (count[why])
			buf_printf(out, "%s%u %s", out->n ? ", " : "", count[why],
				   left_out_word((enum left_out)why));
out:
	filter_free(f);
	free(bits);
}

static void say_number(struct explain *e, const struct explain_what *w)
{
	const struct table_column *c = &w->table->columns.v[w->column];
	const struct table_cell *cell = table_look(w->table, w->row, w->column);
	struct buf text = BUF_INIT;

	report_cell(c, cell, -1, &text);
	if (c->kind == TABLE_SHARE && !isnan(cell->number))
		buf_printf(&text, " %% (%.6f)", cell->number);
	say(e, "number", ACT_NONE, NULL, buf_cstr(&text));
	say(e, "is", ACT_NONE, NULL, c->help);
	if (cell->share && cell->share->formula)
		say(e, "formula", ACT_NONE, NULL, cell->share->formula);
	buf_release(&text);
}

static void say_share(struct explain *e, struct app *app, const struct table_share *share)
{
	struct buf why = BUF_INIT;

	if (!share->why)
		reasons(app, share, &why);
	else if (share->rest > 0)
		buf_z(&why, share->why);
	say_door(e, "right", share->part, share->part_door, "");
	say_door(e, "counted", share->whole, share->whole_door, "");
	say_door(e, "left out", share->rest, share->rest_door, buf_cstr(&why));
	buf_release(&why);
}

static void say_population(struct explain *e, const struct scene *s)
{
	char shown[28], all[28];
	struct buf text = BUF_INIT;

	buf_printf(&text, "%s of %s samples", count_text(scene_shown(s), shown), count_text(s->snap->n, all));
	say(e, "population", ACT_NONE, NULL, buf_cstr(&text));
	buf_clear(&text);
	put_filter(s, &text);
	say(e, "filter", ACT_NONE, NULL, text.n ? buf_cstr(&text) : "none");
	buf_clear(&text);
	lens_format(&s->lens, s->snap, &text);
	say(e, "lens", ACT_NONE, NULL, buf_cstr(&text));
	buf_release(&text);
}

static void say_all(struct explain *e, struct app *app, const struct explain_what *w)
{
	const struct table_cell *cell = table_look(w->table, w->row, w->column);
	struct buf command = BUF_INIT;

	say_number(e, w);
	if (cell->share)
		say_share(e, app, cell->share);
	else if (cell->door && !isnan(cell->number))
		say_door(e, "samples", cell->number, cell->door, "");
	say_population(e, &app->scene);
	explain_command(app, w, &command);
	say(e, "command", ACT_COPY, buf_cstr(&command), buf_cstr(&command));
	buf_release(&command);
}

static void title_of(const struct explain_what *w, struct buf *out)
{
	const struct table *t = w->table;

	for (size_t c = 0; c < t->columns.n; c++) {
		const char *text = table_look(t, w->row, c)->text;

		if (text && *text && !t->columns.v[c].detail)
			buf_printf(out, "%s%s", out->n ? ", " : "", text);
	}
	buf_printf(out, ": %s%s%s", is_group(w) ? t->columns.v[w->column].title : "",
		   is_group(w) ? " " : "", is_group(w) ? "accuracy" : t->columns.v[w->column].title);
}

/* --- the popup --- */

static uint32_t n_stops(const struct explain *e)
{
	uint32_t n = 0;

	for (size_t i = 0; i < e->lines.n; i++)
		n += e->lines.v[i].act != ACT_NONE;
	return n;
}

static const struct line *under_cursor(const struct explain *e)
{
	uint32_t k = e->list.cursor;

	for (size_t i = 0; i < e->lines.n; i++)
		if (e->lines.v[i].act != ACT_NONE && k-- == 0)
			return &e->lines.v[i];
	return NULL;
}

unsigned explain_open(struct app *app, const struct explain_what *w)
{
	struct explain *e = xcalloc(1, sizeof *e);
	struct buf title = BUF_INIT;

	e->view.class = &explain_view;
	title_of(w, &title);
	e->title = arena_strdup(&e->arena, buf_cstr(&title));
	buf_release(&title);
	say_all(e, app, w);
	list_fit(&e->list, n_stops(e), 1000);
	app_push_view(app, &e->view);
	return REACT_REDRAW;
}

static void explain_close(struct view *self)
{
	struct explain *e = (struct explain *)self;

	vec_release(&e->lines);
	arena_release(&e->arena);
	free(e);
}

/* Without a grid the lines are only counted. Where the cursor's text begins and ends: from, to. */
static int write_lines(const struct explain *e, struct cells *grid, struct rect inside, int *from, int *to)
{
	struct pen p = {grid, {inside.y, inside.x + 1, inside.h, inside.w - 2}, -e->top, 0};
	int label_w = inside.w < 50 ? 3 : LABEL_W;

	for (size_t i = 0; i < e->lines.n; i++) {
		const struct line *l = &e->lines.v[i];
		bool here = l == under_cursor(e);

		if (here && from)
			*from = p.y + e->top;
		pen_putz(&p, here ? STYLE_CURSOR : STYLE_POPUP, here ? sign(SIGN_CURSOR) : " ");
		pen_putz(&p, STYLE_POPUP, " ");
		pen_putz(&p, STYLE_DIM, l->label);
		if (label_w < LABEL_W)
			pen_line(&p);
		pen_wrap(&p, label_w, LINES_MAX, here ? STYLE_BOLD : STYLE_POPUP, (struct span){0},
			 str_z(l->text));
		if (here && to)
			*to = p.y + e->top;
	}
	return p.y + e->top;
}

static struct rect box_of(const struct explain *e, struct rect area)
{
	struct rect wide = popup_box(area, 84, area.h);
	int lines = write_lines(e, NULL, popup_inside(wide), NULL, NULL);

	return popup_box(area, 84, lines + 2);
}

static void explain_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct explain *e = (struct explain *)self;
	struct rect inside = popup_inside(box_of(e, area));
	int from = 0, to = 0, lines = write_lines(e, NULL, inside, &from, &to);

	(void)app;
	(void)reactions;
	if (e->list.cursor == 0)
		from = 0;
	if (to > e->top + inside.h)
		e->top = to - inside.h;
	if (from < e->top)
		e->top = from;
	if (e->top > lines - inside.h)
		e->top = lines > inside.h ? lines - inside.h : 0;
}

static void explain_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			 struct rect area)
{
	const struct explain *e = (const struct explain *)self;
	struct rect box = box_of(e, area), inside = popup_inside(box);

	(void)scene;
	popup_draw(grid, box, e->title,
		   e->top + inside.h < write_lines(e, NULL, inside, NULL, NULL));
	write_lines(e, grid, inside, NULL, NULL);
}

/* The popup is gone when the view below it gets the command. */
static unsigned act(struct explain *e, struct app *app)
{
	const struct line *l = under_cursor(e);
	char *what;
	unsigned r = REACT_REDRAW;

	if (!l)
		return REACT_NONE;
	what = xstrdup(l->what);
	if (l->act == ACT_COPY) {
		term_copy(app->term, str_z(what));
		app_message(app, STYLE_MESSAGE, "copied the command line");
	} else {
		app_pop(app);
		r = app_view_command(app, "open-door", str_z(what));
	}
	free(what);
	return r & ~(unsigned)REACT_UNHANDLED;
}

static unsigned explain_do(struct view *self, struct app *app, const char *name, struct str args)
{
	struct explain *e = (struct explain *)self;

	if (strcmp(name, "explain") == 0) {
		app_pop(app);
		return REACT_REDRAW;
	}
	if (list_command(&e->list, name, args))
		return REACT_REDRAW;
	return strcmp(name, "enter") == 0 ? act(e, app) : REACT_UNHANDLED;
}

static const struct hint explain_hints[] = {
    {"enter", "open, or copy the command"}, {"down", "down"}, {"escape", "close"}, {NULL, NULL},
};

const struct view_class explain_view = {
    .name = "explain",
    .help = "what a number is",
    .mode = MODE_TABLE,
    .popup = true,
    .placeless = true,
    .hints = explain_hints,
    .close = explain_close,
    .update = explain_update,
    .draw = explain_draw,
    .command = explain_do,
};
