#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/explain.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/popup.h"
#include "tui/view/sign.h"

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

/* --- what is said --- */

static void say(struct explain *e, const char *label, enum act act, const char *what, const char *text)
{
	struct line l = {arena_strdup(&e->arena, label), arena_strdup(&e->arena, text),
			 what ? arena_strdup(&e->arena, what) : NULL, act};

	if (*text)
		vec_push(&e->lines, l);
}

void explain_say(struct explain *e, const char *label, const char *text)
{
	if (text)
		say(e, label, ACT_NONE, NULL, text);
}

/* "853  right@v2 cat:S-": the samples themselves are behind it. */
void explain_door(struct explain *e, const char *label, double n, const char *door, const char *more)
{
	char count[28];
	struct buf text = BUF_INIT;

	buf_printf(&text, "%s  %s%s%s", count_text((uint64_t)n, count), *door ? door : "all of them",
		   *more ? ": " : "", more);
	say(e, label, n > 0 ? ACT_OPEN : ACT_NONE, door, buf_cstr(&text));
	buf_release(&text);
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

void explain_population(struct explain *e, const struct scene *s)
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

void explain_tell_command(struct explain *e, const char *label, const char *command)
{
	say(e, label, ACT_COPY, command, command);
}

static bool counted(struct app *app, const char *door, uint64_t **bits, struct err *err)
{
	const struct filter_ctx *ctx = narrow_ctx(app, err);
	struct filter *f = NULL;
	bool good = ctx && filter_parse(str_z(door), ctx, &f, NULL, err) == OK &&
		    narrow_eval(app, f, bits, err) == OK;

	filter_free(f);
	return good;
}

bool explain_opens(struct app *app, const char *door, uint32_t *n)
{
	const struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	uint64_t *bits = NULL;

	if (!counted(app, door, &bits, &err)) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
		return false;
	}
	if (s->shown)
		bits_and(bits, s->shown, s->snap->n);
	if (s->stale)
		bits_and_not(bits, s->stale, s->snap->n);
	*n = (uint32_t)bits_count(bits, s->snap->n);
	free(bits);
	return true;
}

/* --- command lines --- */

void explain_put_quoted(struct buf *out, const char *text)
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

void explain_put_option(struct buf *out, const char *name, const char *value)
{
	buf_printf(out, " --%s ", name);
	explain_put_quoted(out, value);
}

void explain_put_lens(struct buf *out, const struct scene *s)
{
	struct buf text = BUF_INIT;

	lens_format(&s->lens, s->snap, &text);
	if (text.n)
		explain_put_option(out, "lens", buf_cstr(&text));
	buf_release(&text);
}

void explain_put_filter(struct buf *out, const struct scene *s, const char *door)
{
	struct buf text = BUF_INIT, all = BUF_INIT;

	put_filter(s, &text);
	if (*door && text.n)
		buf_printf(&all, "(%s) (%s)", buf_cstr(&text), door);
	else
		buf_z(&all, *door ? door : buf_cstr(&text));
	if (all.n)
		explain_put_option(out, "filter", buf_cstr(&all));
	buf_release(&all);
	buf_release(&text);
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

struct explain *explain_new(const char *title)
{
	struct explain *e = xcalloc(1, sizeof *e);

	e->view.class = &explain_view;
	e->title = arena_strdup(&e->arena, title);
	return e;
}

unsigned explain_show(struct explain *e, struct app *app)
{
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
