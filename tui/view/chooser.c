#include "tui/view/chooser.h"

#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/term/text.h"
#include "tui/view/list.h"
#include "tui/view/popup.h"
#include "tui/view/sign.h"

#define DETAIL_GAP 2
#define PAIR_MIN   30 /* columns of name and detail; with less the value goes */

struct chooser {
	struct view view;
	const struct chooser_spec *spec;
	struct arena arena;
	VEC(struct choice) choices;
	VEC(uint32_t) shown; /* those that the search leaves */
	struct buf needle;
	struct list list;
	uint32_t start, follow; /* follow: where the cursor goes after gathering; UINT32_MAX: it stays */
	uint64_t version;
	int name_w, detail_w, value_w; /* of the widest */
};

/* --- the list --- */

static const char *copy(struct chooser *c, const char *text)
{
	return arena_strdup(&c->arena, text ? text : "");
}

static int wider(int w, const char *text)
{
	int n = text_width(str_z(text));

	return n > w ? n : w;
}

void chooser_add(struct chooser *c, const struct choice *choice)
{
	struct choice own = {copy(c, choice->sign), copy(c, choice->name), copy(c, choice->detail),
			     copy(c, choice->value)};

	c->name_w = wider(c->name_w, own.name);
	c->detail_w = wider(c->detail_w, own.detail);
	c->value_w = wider(c->value_w, own.value);
	vec_push(&c->choices, own);
}

void chooser_start(struct chooser *c, uint32_t at)
{
	c->start = at;
}

void chooser_follow(struct chooser *c, uint32_t at)
{
	c->follow = at;
}

static bool has(const struct choice *choice, struct str needle)
{
	return str_find_nocase(str_z(choice->name), needle) != SIZE_MAX ||
	       str_find_nocase(str_z(choice->detail), needle) != SIZE_MAX;
}

static void sift(struct chooser *c)
{
	vec_clear(&c->shown);
	for (uint32_t i = 0; i < c->choices.n; i++)
		if (has(&c->choices.v[i], buf_view(&c->needle)))
			vec_push(&c->shown, i);
	c->list.n = (uint32_t)c->shown.n;
	list_go(&c->list, c->list.cursor);
}

static void gather(struct chooser *c, struct app *app)
{
	vec_clear(&c->choices);
	arena_clear(&c->arena);
	c->name_w = c->detail_w = c->value_w = 0;
	c->follow = UINT32_MAX;
	/* First: asking may bring the list further. */
	c->version = c->spec->version ? c->spec->version(app) : 0;
	c->spec->gather(app, c);
	sift(c);
	for (uint32_t i = 0; i < c->shown.n; i++)
		if (c->shown.v[i] == c->follow)
			list_go(&c->list, i);
}

unsigned chooser_open(struct app *app, const struct chooser_spec *spec)
{
	struct chooser *c = xcalloc(1, sizeof *c);

	c->view.class = spec->class     ? spec->class
			: !spec->accept ? &chooser_trail_view
			: spec->toggle  ? &chooser_many_view
					: &chooser_view;
	c->spec = spec;
	gather(c, app);
	if (!c->choices.n && !spec->command) {
		c->view.class->close(&c->view);
		app_message(app, STYLE_MESSAGE, "%s", spec->nothing);
		return REACT_REDRAW;
	}
	list_go(&c->list, c->start);
	app_push_view(app, &c->view);
	return REACT_REDRAW;
}

static void chooser_close(struct view *self);

void chooser_refresh(struct app *app)
{
	if (app->top->class->close == chooser_close)
		gather((struct chooser *)app->top, app);
}

static void chooser_close(struct view *self)
{
	struct chooser *c = (struct chooser *)self;

	vec_release(&c->choices);
	vec_release(&c->shown);
	buf_release(&c->needle);
	arena_release(&c->arena);
	free(c);
}

/* --- drawing --- */

static struct rect box_of(const struct chooser *c, struct rect area)
{
	int w = 2 + 4 + c->name_w + 1 + (c->detail_w ? DETAIL_GAP + c->detail_w : 0) +
		(c->value_w ? 2 + c->value_w : 0);
	int title = text_width(str_z(c->spec->title)) + 24; /* and what is searched */

	int nothing = c->choices.n ? 0 : text_width(str_z(c->spec->nothing)) + 4;

	w = w > title ? w : title;
	return popup_box(area, w > nothing ? w : nothing, (int)(c->choices.n ? c->choices.n : 1) + 2);
}

static void chooser_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct chooser *c = (struct chooser *)self;

	if ((reactions & (REACT_RELOAD | REACT_GREW)) ||
	    (c->spec->version && c->spec->version(app) != c->version))
		gather(c, app);
	list_fit(&c->list, (uint32_t)c->shown.n, (uint32_t)popup_inside(box_of(c, area)).h);
}

static int value_room(const struct chooser *c, int width)
{
	int least = c->spec->pairs ? PAIR_MIN + 7 : 16;

	return c->value_w && width >= c->value_w + least ? c->value_w + 2 : 0;
}

static int name_room(const struct chooser *c, int room)
{
	int most = room - DETAIL_GAP - c->detail_w;

	if (!c->spec->pairs || !c->detail_w)
		most = room;
	else if (most < room * 2 / 5)
		most = room * 2 / 5;
	return c->name_w < most ? c->name_w : most;
}

/* The value keeps its room; the name takes what it needs of the rest, the detail what is left. */
static void draw_choice(const struct chooser *c, struct cells *grid, struct rect line, uint32_t at)
{
	const struct choice *choice = &c->choices.v[c->shown.v[at]];
	bool cursor = at == c->list.cursor;
	enum style text = cursor ? STYLE_CURSOR : STYLE_POPUP;
	enum style dim = cursor ? STYLE_CURSOR_DIM : STYLE_DIM;
	int value = value_room(c, line.w), room = line.w - 5 - value, name = name_room(c, room);
	struct buf cut = BUF_INIT;

	cells_fill(grid, line, text);
	cells_putz(grid, line.y, line.x + 1, 2, text, choice->sign);
	text_cut(str_z(choice->name), name, c->spec->words ? CUT_END : CUT_START, &cut);
	cells_put(grid, line.y, line.x + 4, name, text, buf_view(&cut));
	if (c->detail_w && room - name - DETAIL_GAP > 3) {
		buf_clear(&cut);
		text_cut(str_z(choice->detail), room - name - DETAIL_GAP, CUT_END, &cut);
		cells_put(grid, line.y, line.x + 4 + name + DETAIL_GAP, room - name - DETAIL_GAP, dim,
			  buf_view(&cut));
	}
	if (value) {
		int w = text_width(str_z(choice->value));

		cells_putz(grid, line.y, line.x + line.w - 1 - w, w, text, choice->value);
	}
	buf_release(&cut);
}

static void chooser_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			 struct rect area)
{
	const struct chooser *c = (const struct chooser *)self;
	struct rect box = box_of(c, area), inside = popup_inside(box);
	struct buf title = BUF_INIT;

	(void)scene;
	buf_z(&title, c->spec->title);
	if (c->needle.n)
		buf_printf(&title, ": %s", buf_cstr(&c->needle));
	popup_draw(grid, box, buf_cstr(&title), c->list.top + (uint32_t)inside.h < c->list.n);
	buf_release(&title);
	for (int i = 0; i < inside.h && c->list.top + (uint32_t)i < c->list.n; i++)
		draw_choice(c, grid, (struct rect){inside.y + i, inside.x, 1, inside.w},
			    c->list.top + (uint32_t)i);
	if (!c->list.n)
		cells_putz(grid, inside.y, inside.x + 1, inside.w - 2, STYLE_POPUP,
			   c->choices.n ? "none has that in it" : c->spec->nothing);
}

/* --- commands --- */

static unsigned own_command(struct chooser *c, struct app *app, const char *name, struct str args)
{
	unsigned r = REACT_UNHANDLED;

	if (c->spec->command && app->top == &c->view)
		r = c->spec->command(app, name, args,
				     c->list.n ? c->shown.v[c->list.cursor] : UINT32_MAX);
	if (!(r & REACT_UNHANDLED) && app->top == &c->view)
		gather(c, app);
	return r;
}

/* When nothing is left there is nothing to show. */
static unsigned toggle(struct chooser *c, struct app *app, uint32_t at)
{
	unsigned r = c->spec->toggle(app, at);

	gather(c, app);
	if (!c->choices.n)
		app_pop(app); /* and with it goes c */
	return r;
}

static unsigned chooser_command(struct view *self, struct app *app, const char *name,
				struct str args)
{
	struct chooser *c = (struct chooser *)self;
	const struct chooser_spec *spec = c->spec;
	uint32_t at;

	if (list_command(&c->list, name, args))
		return REACT_REDRAW;
	if (strcmp(name, "search") == 0 || strcmp(name, "search-typing") == 0) {
		buf_clear(&c->needle);
		buf_str(&c->needle, args);
		sift(c);
		return REACT_REDRAW;
	}
	if (strcmp(name, "enter") != 0 && strcmp(name, "toggle") != 0)
		return own_command(c, app, name, args);
	if (!c->list.n)
		return REACT_NONE;
	at = c->shown.v[c->list.cursor];
	if (spec->toggle && (strcmp(name, "toggle") == 0 || !spec->accept))
		return toggle(c, app, at);
	app_pop(app); /* and with it goes c */
	return spec->accept(app, at);
}

static const struct hint one_hints[] = {
    {"enter", "choose"}, {"search", "search"}, {"escape", "close"}, {NULL, NULL},
};

static const struct hint columns_hints[] = {
    {"toggle", "in or out"},	{"column-earlier", "to the left"}, {"column-later", "to the right"},
    {"column-wider", "wider"},	{"column-narrower", "narrower"},   {"column-auto", "auto"},
    {"columns usual", "usual"}, {"escape", "close"},		   {NULL, NULL},
};

static const struct hint saved_hints[] = {
    {"enter", "apply"},	      {"save", "save this screen"}, {"rename-filter", "rename"},
    {"erase-filter", "erase"}, {"search", "search"},	    {"escape", "close"},
    {NULL, NULL},
};

static const struct hint many_hints[] = {
    {"toggle", "in or out"}, {"search", "search"}, {"escape", "close"}, {NULL, NULL},
};

static const struct hint trail_hints[] = {
    {"toggle", "take away"}, {"search", "search"}, {"escape", "close"}, {NULL, NULL},
};

static const struct hint labels_hints[] = {
    {"toggle", "class, or away"}, {"search", "search"}, {"escape", "close"}, {NULL, NULL},
};

#define CHOOSER_CLASS(id, its_mode, its_hints)                                                     \
	const struct view_class id = {.name = "chooser",                                           \
				      .help = "a list to choose from",                             \
				      .mode = its_mode,                                            \
				      .popup = true,                                               \
				      .hints = its_hints,                                          \
				      .close = chooser_close,                                      \
				      .update = chooser_update,                                    \
				      .draw = chooser_draw,                                        \
				      .command = chooser_command}

CHOOSER_CLASS(chooser_view, MODE_CHOOSER, one_hints);
CHOOSER_CLASS(chooser_many_view, MODE_CHOOSER, many_hints);
CHOOSER_CLASS(chooser_columns_view, MODE_COLUMNS, columns_hints);
CHOOSER_CLASS(chooser_saved_view, MODE_SAVED, saved_hints);
CHOOSER_CLASS(chooser_trail_view, MODE_TRAIL, trail_hints);
CHOOSER_CLASS(chooser_labels_view, MODE_TRAIL, labels_hints);
