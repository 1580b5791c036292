/* help: the keys valid in the view below, made from the keymap and the table of commands. */
#include <stdlib.h>

#include "core/base/arena.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/term/text.h"
#include "tui/view/list.h"
#include "tui/view/popup.h"
#include "tui/view/sign.h"

#define KEYS_W 15

struct entry {
	struct str group, keys, command, help; /* command: empty, it only tells */
};

struct help {
	struct view view;
	struct arena arena;
	VEC(struct entry) entries;
	VEC(size_t) shown; /* those that the search leaves */
	struct buf needle;
	struct list list;
};

/* --- gathering --- */

static struct str command_name(const char *text)
{
	struct str name;

	str_cut(str_z(text), ' ', &name);
	return name;
}

static bool listed(const struct help *h, const char *text)
{
	for (size_t i = 0; i < h->entries.n; i++)
		if (str_eqz(h->entries.v[i].command, text))
			return true;
	return false;
}

/* Commands that do one thing by each of their words. */
static const struct {
	const char *text, *help;
} words_help[] = {
    {"zoom left", "over the picture to the left"},
    {"zoom right", "over the picture to the right"},
    {"zoom up", "over the picture upwards"},
    {"zoom down", "over the picture downwards"},
    {"zoom in", "larger"},
    {"zoom out", "smaller"},
    {"zoom original", "a pixel for each of its own, or all of it again"},
    {"zoom whole", "all of it"},
    {"crop left", "the part that is sent moves to the left"},
    {"crop right", "the part that is sent moves to the right"},
    {"crop up", "the part that is sent moves upwards"},
    {"crop down", "the part that is sent moves downwards"},
    {"crop narrower", "send a narrower part"},
    {"crop wider", "send a wider part"},
    {"crop shorter", "send a part that is less high"},
    {"crop taller", "send a part that is higher"},
    {"crop larger", "send a larger part"},
    {"crop smaller", "send a smaller part"},
    {"crop whole", "send all of the picture"},
    {"edit-prompt own", "the protocol's own prompt again"},
};

static const char *word_help(const char *text)
{
	for (size_t i = 0; i < sizeof words_help / sizeof *words_help; i++)
		if (strcmp(words_help[i].text, text) == 0)
			return words_help[i].help;
	return NULL;
}

/* What "view NAME" does is in the table of views, and what a switch of the lens does beside it. */
static struct str help_of(const struct command *c, const char *text)
{
	struct str rest = str_cut(str_z(text), ' ', &(struct str){0});
	const struct view_class *class = c == &cmd_view ? view_class_find(rest) : NULL;
	const char *lens = c == &cmd_lens ? lens_switch_help(rest) : NULL;
	const char *word = word_help(text);

	return str_z(class ? class->help : lens ? lens : word ? word : c->help);
}

/* Bindings of the command; own: those of the mode itself, else the others. */
static void add_bound(struct help *h, const struct keymap *km, enum mode mode, const struct command *c, bool own)
{
	for (size_t i = 0; i < km->bindings.n; i++) {
		const struct binding *b = &km->bindings.v[i];
		struct buf keys = BUF_INIT;
		struct entry e = {str_z(c->group), STR_NONE, str_z(b->command),
				  help_of(c, b->command)};

		if (!str_eqz(command_name(b->command), c->name) || listed(h, b->command) ||
		    (own && b->mode != mode) || !keymap_keys(km, mode, b->command, 3, &keys)) {
			buf_release(&keys);
			continue;
		}
		e.keys = arena_str(&h->arena, buf_view(&keys));
		vec_push(&h->entries, e);
		buf_release(&keys);
	}
}

static bool any_listed(const struct help *h, const struct command *c)
{
	for (size_t i = 0; i < h->entries.n; i++) {
		struct str name;

		str_cut(h->entries.v[i].command, ' ', &name);
		if (str_eqz(name, c->name))
			return true;
	}
	return false;
}

static void add_unbound(struct help *h, const struct command *c)
{
	struct entry e = {STR("Typed"), STR_NONE, str_z(c->name), str_z(c->help)};

	if (any_listed(h, c))
		return;
	e.keys = str_z(arena_printf(&h->arena, ":%s", c->name));
	vec_push(&h->entries, e);
}

/* What stands for the answers of runs, in lists and captions. */
static void add_signs(struct help *h)
{
	static const struct {
		enum mark mark;
		const char *help;
	} signs[] = {
	    {MARK_RIGHT, "right under the lens"},
	    {MARK_WRONG, "wrong: a class, or an oop answer mapped to one, that is none of the truths"},
	    {MARK_OOP, "oop, out of the class list: a name that no class has, mapped to none"},
	    {MARK_REFUSED, "refused: the model, or its service, would not answer"},
	    {MARK_EMPTY, "empty: an answer without a word"},
	    {MARK_UNPARSED, "unparsed: no class could be found in the answer"},
	    {MARK_ERROR, "error: the request failed; not counted"},
	    {MARK_MISSING, "missing: the run says nothing of the sample; not counted"},
	    {MARK_N, "no truth, category N: right, wrong or left out, as the lens says"},
	    {MARK_UNCOUNTED, "not counted: unlabelled, or not mapped yet"},
	};

	for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
		vec_push(&h->entries, ((struct entry){STR("Signs"), str_z(mark_glyph(signs[i].mark)), STR(""),
						      str_z(signs[i].help)}));
}

/* The view's own keys, then what is common, then signs, then what has no key. */
static void gather(struct help *h, const struct keymap *km, enum mode mode)
{
	for (int own = 1; own >= 0; own--)
		for (size_t i = 0; commands[i]; i++)
			if (commands[i]->screen && !commands[i]->hidden)
				add_bound(h, km, mode, commands[i], own);
	add_signs(h);
	for (size_t i = 0; commands[i]; i++)
		if (commands[i]->screen && !commands[i]->hidden)
			add_unbound(h, commands[i]);
}

static bool has(const struct entry *e, struct str needle)
{
	return str_find_nocase(e->keys, needle) != SIZE_MAX ||
	       str_find_nocase(e->command, needle) != SIZE_MAX ||
	       str_find_nocase(e->help, needle) != SIZE_MAX ||
	       str_find_nocase(e->group, needle) != SIZE_MAX;
}

static void sift(struct help *h, struct str needle)
{
	buf_clear(&h->needle);
	buf_str(&h->needle, needle);
	vec_clear(&h->shown);
	for (size_t i = 0; i < h->entries.n; i++)
		if (has(&h->entries.v[i], needle))
			vec_push(&h->shown, i);
	list_go(&h->list, 0);
}

static struct view *help_open(struct app *app)
{
	struct help *h = xcalloc(1, sizeof *h);

	h->view.class = &help_view;
	gather(h, &app->keys, app_main_view(app)->class->mode);
	sift(h, STR_NONE);
	return &h->view;
}

static void help_close(struct view *self)
{
	struct help *h = (struct help *)self;

	vec_release(&h->entries);
	vec_release(&h->shown);
	buf_release(&h->needle);
	arena_release(&h->arena);
	free(h);
}

/* --- drawing --- */

/* As high as all entries need, whatever the search leaves: the box stays while one types. */
static struct rect box_of(const struct help *h, struct rect area)
{
	return popup_box(area, 84, (int)h->entries.n + 2);
}

static void help_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct help *h = (struct help *)self;
	struct rect box = box_of(h, area);

	(void)app;
	(void)reactions;
	list_fit(&h->list, (uint32_t)h->shown.n, (uint32_t)popup_inside(box).h);
}

static void draw_entry(const struct help *h, struct cells *grid, struct rect line, uint32_t at)
{
	const struct entry *e = &h->entries.v[h->shown.v[at]];
	bool cursor = at == h->list.cursor;
	enum style text = cursor ? STYLE_CURSOR : STYLE_POPUP;
	int x = line.x + 1, end = line.x + line.w;
	struct buf help = BUF_INIT;

	cells_fill(grid, line, text);
	if (line.w >= 60) {
		bool first = at == h->list.top ||
			     !str_eq(e->group, h->entries.v[h->shown.v[at - 1]].group);

		if (first)
			cells_put(grid, line.y, x, 10, cursor ? STYLE_CURSOR_DIM : STYLE_DIM,
				  e->group);
		x += 11;
	}
	cells_put(grid, line.y, x, end - x, cursor ? STYLE_CURSOR : STYLE_BOLD, e->keys);
	x += 1 + (text_width(e->keys) > KEYS_W - 1 ? text_width(e->keys) : KEYS_W - 1);
	text_cut(e->help, end - x, CUT_END, &help);
	cells_put(grid, line.y, x, end - x, text, buf_view(&help));
	buf_release(&help);
}

static void help_draw(const struct view *self, const struct scene *scene, struct cells *grid,
		      struct rect area)
{
	const struct help *h = (const struct help *)self;
	struct rect box = box_of(h, area);
	struct rect inside = popup_inside(box);
	struct buf title = BUF_INIT;

	(void)scene;
	buf_z(&title, "keys");
	if (h->needle.n)
		buf_printf(&title, ": %s", buf_cstr(&h->needle));
	popup_draw(grid, box, buf_cstr(&title), h->list.top + (uint32_t)inside.h < h->list.n);
	buf_release(&title);
	for (int i = 0; i < inside.h && h->list.top + (uint32_t)i < h->list.n; i++)
		draw_entry(h, grid, (struct rect){inside.y + i, inside.x, 1, inside.w},
			   h->list.top + (uint32_t)i);
	if (!h->list.n)
		cells_putz(grid, inside.y, inside.x + 1, inside.w - 2, STYLE_POPUP,
			   "no key or command has that in it");
}

/* --- commands --- */

/* The popup closes before its command runs, so that the command meets the view it was listed for. */
static unsigned run_entry(struct help *h, struct app *app)
{
	char *command;

	if (!h->shown.n || !h->entries.v[h->shown.v[h->list.cursor]].command.n)
		return REACT_NONE;
	command = xstrndup(h->entries.v[h->shown.v[h->list.cursor]].command.p,
			   h->entries.v[h->shown.v[h->list.cursor]].command.n);
	app_pop(app);
	app_exec(app, str_z(command));
	free(command);
	return REACT_REDRAW;
}

static unsigned help_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct help *h = (struct help *)self;

	if (list_command(&h->list, name, args))
		return REACT_REDRAW;
	if (strcmp(name, "search") == 0 || strcmp(name, "search-typing") == 0) {
		sift(h, args);
		return REACT_REDRAW;
	}
	return strcmp(name, "enter") == 0 ? run_entry(h, app) : REACT_UNHANDLED;
}

static const struct hint help_hints[] = {
    {"enter", "run"}, {"search", "search"}, {"escape", "close"}, {"down", "down"}, {NULL, NULL},
};

const struct view_class help_view = {
    .name = "help",
    .help = "the keys that are valid here",
    .mode = MODE_HELP,
    .popup = true,
    .hints = help_hints,
    .open = help_open,
    .close = help_close,
    .update = help_update,
    .draw = help_draw,
    .command = help_command,
};
