/* Commands about saved filters: the list of them, and what is done with one. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

/* --- the list: the saved ones, then the suggestions --- */

static const struct shelf_item *item_at(const struct shelf *s, uint32_t at)
{
	if (at < s->n_saved)
		return &s->saved[at];
	return at == UINT32_MAX ? NULL : shelf_suggestion(s, at - s->n_saved);
}

static bool is_saved(const struct shelf *s, uint32_t at)
{
	return at < s->n_saved;
}

static void add(struct chooser *c, const struct shelf_item *item, const char *sign_text)
{
	char n[28];
	struct choice choice = {sign_text, item->name, item->filter, shelf_count_text(item, n)};

	if (item->state_of_count == SHELF_BROKEN && item->problem)
		choice.detail = item->problem;
	else if (!*item->filter)
		choice.detail = "all samples";
	chooser_add(c, &choice);
}

static void gather(struct app *app, struct chooser *c)
{
	const struct shelf *s = &app->shelf;

	shelf_update(app);
	for (size_t i = 0; i < s->n_saved; i++)
		add(c, &s->saved[i], sign(SIGN_MARKED));
	for (size_t k = 0; k < shelf_n_suggested(s); k++)
		add(c, shelf_suggestion(s, k), "");
}

/* The sample's notes and tags may be what a filter is about. */
static uint64_t version(struct app *app)
{
	shelf_update(app);
	return app->shelf.version;
}

static unsigned accept(struct app *app, uint32_t at)
{
	const struct shelf_item *item = item_at(&app->shelf, at);

	if (!item)
		return REACT_REDRAW;
	return is_saved(&app->shelf, at) ? shelf_apply(app, item) : shelf_suggest(app, item);
}

static unsigned on_line(struct app *app, const char *name, struct str args, uint32_t at)
{
	const struct shelf *s = &app->shelf;
	bool erase = strcmp(name, "erase-filter") == 0;

	(void)args;
	if (!erase && strcmp(name, "rename-filter") != 0)
		return REACT_UNHANDLED;
	if (!is_saved(s, at)) {
		app_message(app, STYLE_MESSAGE, "a suggestion has no name of yours: s saves what is shown");
		return REACT_REDRAW;
	}
	return erase ? shelf_erase(app, str_z(s->saved[at].name))
		     : shelf_ask_name(app, str_z(s->saved[at].name));
}

static unsigned do_filters(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "saved filters",
						 .nothing = "none yet: s saves what is shown",
						 .gather = gather,
						 .accept = accept,
						 .class = &chooser_saved_view,
						 .words = true,
						 .command = on_line,
						 .version = version};
	const struct shelf_item *item;

	if (!app->scene.snap)
		return REACT_NONE;
	if (!args.n)
		return chooser_open(app, &spec);
	shelf_update(app);
	item = shelf_find(&app->shelf, args);
	if (item)
		return shelf_apply(app, item);
	app_message(app, STYLE_WARNING, "there is no saved filter \"%.*s\"; @ lists them", STR_ARG(args));
	return REACT_REDRAW;
}
const struct command cmd_filters = {
	.name = "filters", .args = "[NAME]", .group = "Saved",
	.help = "the saved filters, or the one of this name", .screen = do_filters,
};

static unsigned do_save(struct app *app, struct str args)
{
	return args.n ? shelf_save(app, args) : shelf_ask_name(app, STR_NONE);
}
const struct command cmd_save = {
	.name = "save", .args = "[NAME]", .group = "Saved",
	.help = "save filter, lens, runs, panel, view and order under a name", .screen = do_save,
};

static unsigned do_rename(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "rename-filter", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	if (args.n)
		return shelf_ask_name(app, args);
	app_message(app, STYLE_MESSAGE, "which one? @ lists the saved filters");
	return REACT_REDRAW;
}
const struct command cmd_rename_filter = {
	.name = "rename-filter", .args = "[NAME]", .group = "Saved",
	.help = "give a saved filter another name", .screen = do_rename,
};

static unsigned do_erase(struct app *app, struct str args)
{
	unsigned r;

	if (args.n)
		return shelf_erase(app, args);
	r = app_view_command(app, "erase-filter", args);
	if (!(r & REACT_UNHANDLED))
		return r;
	app_message(app, STYLE_MESSAGE, "which one? @ lists the saved filters");
	return REACT_REDRAW;
}
const struct command cmd_erase_filter = {
	.name = "erase-filter", .args = "[NAME]", .group = "Saved",
	.help = "erase a saved filter; undo brings it back", .screen = do_erase,
};
