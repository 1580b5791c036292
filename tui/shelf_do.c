/* Saved filters at work: applied, saved, renamed, erased. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/view/sign.h"

/* --- applying --- */

/* The conditions of the filter that still mean something, joined again; what the others lack goes
 * to lost. */
static void what_works(struct str text, const struct filter_ctx *ctx, struct buf *out,
		       struct buf *lost)
{
	struct filter *f = NULL, *one = NULL;
	struct err err = ERR_INIT;
	struct buf condition = BUF_INIT;

	if (filter_parse(text, NULL, &f, NULL, &err) != OK) {
		buf_printf(lost, "%s%s", lost->n ? ", " : "", err.msg);
		return;
	}
	for (size_t k = 0; k < filter_n_conditions(f); k++) {
		struct err why = ERR_INIT;

		buf_clear(&condition);
		filter_format_condition(f, k, NULL, &condition);
		if (filter_parse(buf_view(&condition), ctx, &one, NULL, &why) == OK) {
			buf_printf(out, "%s(%s)", out->n ? " " : "", buf_cstr(&condition));
			filter_free(one);
		} else {
			buf_printf(lost, "%s%s", lost->n ? ", " : "", why.msg);
		}
	}
	buf_release(&condition);
	filter_free(f);
}

/* Everything that narrows the list goes, then the filter comes: as much of it as there is. */
static void narrow_to(struct app *app, const char *text, struct buf *lost)
{
	struct err err = ERR_INIT, why = ERR_INIT;
	const struct filter_ctx *ctx;
	struct buf rest = BUF_INIT;

	if (narrow_set(app, STR(""), NULL, &err) == OK)
		narrow_base_all(app);
	if (narrow_set(app, str_z(text), NULL, &why) == OK)
		return;
	if (why.code == E_USAGE && (ctx = narrow_ctx(app, &err))) {
		what_works(str_z(text), ctx, &rest, lost);
		narrow_set(app, buf_view(&rest), NULL, &err);
	} else {
		buf_printf(lost, "%s%s", lost->n ? ", " : "", why.msg);
	}
	buf_release(&rest);
}

/* On top of Home, so that one comes back there; else in the place of what is there. */
static void go_view(struct app *app, const struct view_class *class)
{
	const struct view *now = app_main_view(app);
	char *command;

	if (!class && now->class == &home_view)
		class = &browse_view;
	if (!class || now->class->digit == class->digit)
		return;
	if (now->class == &home_view) {
		app_push(app, class);
		return;
	}
	command = xasprintf("view %s", class->name);
	app_exec(app, str_z(command));
	free(command);
}

static void say(struct app *app, const char *name, const struct buf *lost)
{
	char n[28];

	if (lost->n)
		app_message(app, STYLE_WARNING, "%s: the rest is applied, but not %s", name,
			    buf_cstr(lost));
	else if (app->scene.narrowing)
		app_message(app, STYLE_MESSAGE, "%s", name);
	else
		app_message(app, STYLE_MESSAGE, "%s: %s samples", name,
			    count_text(scene_shown(&app->scene), n));
}

unsigned shelf_apply(struct app *app, const struct shelf_item *item)
{
	struct scene *s = &app->scene;
	char *name = xstrdup(item->name), *filter = xstrdup(item->filter);
	struct look look;

	look_read(str_z(item->state), app, &look);
	s->lens = look.lens;
	scene_relens(s);
	choice_set(app, &look);
	narrow_to(app, filter, &look.lost);
	go_view(app, look.view);
	say(app, name, &look.lost);
	look_release(&look);
	free(filter);
	free(name);
	return REACT_REDRAW | REACT_RELENS;
}

unsigned shelf_suggest(struct app *app, const struct shelf_item *item)
{
	char *name = xstrdup(item->name), *filter = xstrdup(item->filter);
	struct buf lost = BUF_INIT;

	narrow_to(app, filter, &lost);
	go_view(app, NULL);
	say(app, name, &lost);
	buf_release(&lost);
	free(filter);
	free(name);
	return REACT_REDRAW;
}

/* --- saving --- */

char *shelf_written_out(struct app *app, const char *filter)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);
	struct filter *f = NULL;
	struct buf text = BUF_INIT;

	if (ctx && filter_parse(str_z(filter), ctx, &f, NULL, &err) == OK)
		filter_format(f, ctx, &text);
	else
		buf_z(&text, filter);
	filter_free(f);
	return buf_take(&text);
}

/* What the list shows, as one filter: a base is part of it. */
static char *filter_now(struct app *app)
{
	const struct scene *s = &app->scene;
	const char *filter = s->filter && !s->filter_off ? s->filter : NULL;
	char *text, *out;

	if (filter && s->base_filter)
		text = xasprintf("(%s) (%s)", s->base_filter, filter);
	else
		text = xstrdup(filter ? filter : s->base_filter ? s->base_filter : "");
	out = shelf_written_out(app, text);
	free(text);
	return out;
}

static void keep(struct app *app, struct str name, const struct shelf_item *old)
{
	struct buf state = BUF_INIT;
	char *filter = filter_now(app);
	char *label = xasprintf("%s filter %.*s", old ? "replace" : "save", STR_ARG(name));
	struct user_saving change = {.name = name, .filter = str_z(filter)};
	struct look now;
	char n[28];

	look_now(app, &now);
	look_write(&now, app->scene.snap, &state);
	change.state = buf_view(&state);
	if (old)
		change.created = str_z(old->created);
	if (edit_saved(app, label, &change, 1))
		app_message(app, STYLE_MESSAGE, "saved %.*s: %s samples; @ lists it", STR_ARG(name),
			    count_text(scene_shown(&app->scene), n));
	look_release(&now);
	buf_release(&state);
	free(label);
	free(filter);
}

static unsigned replace(struct app *app, bool yes)
{
	char *name = app->shelf.pending;

	app->shelf.pending = NULL;
	if (yes && name)
		keep(app, str_z(name), shelf_find(&app->shelf, str_z(name)));
	else
		app_message(app, STYLE_MESSAGE, "nothing is changed");
	free(name);
	return REACT_REDRAW;
}

/* An empty list can be saved as well. */
static bool ready(struct app *app)
{
	return app->edit.user || edit_ready(app);
}

static bool good_name(struct app *app, struct str name)
{
	struct err err = ERR_INIT;

	if (!ready(app))
		return false;
	shelf_update(app);
	if (user_saved_name(name, &err) == OK)
		return true;
	app_message(app, STYLE_WARNING, "%s", err.msg);
	return false;
}

unsigned shelf_save(struct app *app, struct str name)
{
	struct shelf *s = &app->shelf;

	if (!good_name(app, name))
		return REACT_REDRAW;
	if (!shelf_find(s, name)) {
		keep(app, name, NULL);
		return REACT_REDRAW;
	}
	free(s->pending);
	s->pending = xstrndup(name.p, name.n);
	edit_ask(app, replace, "there is a filter %.*s: replace it? y/n", STR_ARG(name));
	return REACT_REDRAW;
}

/* --- other names, no names --- */

static const struct shelf_item *own(struct app *app, struct str name)
{
	const struct shelf_item *item = NULL;

	if (!ready(app))
		return NULL;
	shelf_update(app);
	item = shelf_find(&app->shelf, name);
	if (!item)
		app_message(app, STYLE_WARNING, "there is no saved filter \"%.*s\"", STR_ARG(name));
	else if (item->fixed)
		app_message(app, STYLE_WARNING, "%s is the read-only project's: it stays", item->name);
	return item && !item->fixed ? item : NULL;
}

unsigned shelf_rename(struct app *app, struct str from, struct str to)
{
	const struct shelf_item *item = own(app, from);
	char *label;

	if (!item || str_eq(from, to) || !good_name(app, to))
		return REACT_REDRAW;
	if (shelf_find(&app->shelf, to)) {
		app_message(app, STYLE_WARNING, "there is a filter %.*s already", STR_ARG(to));
		return REACT_REDRAW;
	}
	item = shelf_find(&app->shelf, from);
	label = xasprintf("rename filter %s to %.*s", item->name, STR_ARG(to));
	edit_saved(app, label,
		   (struct user_saving[]){{.drop = true, .name = from},
					  {.name = to,
					   .filter = str_z(item->filter),
					   .state = str_z(item->state),
					   .created = str_z(item->created)}},
		   2);
	free(label);
	return REACT_REDRAW;
}

unsigned shelf_erase(struct app *app, struct str name)
{
	char *copy = xstrndup(name.p, name.n); /* it may be the list's, which is read again */
	char *label = xasprintf("erase filter %s", copy);
	struct user_saving change = {.drop = true, .name = str_z(copy)};

	if (own(app, str_z(copy)) && edit_saved(app, label, &change, 1))
		app_message(app, STYLE_MESSAGE, "%s; u brings it back", label);
	free(label);
	free(copy);
	return REACT_REDRAW;
}

/* --- typing a name --- */

unsigned shelf_ask_name(struct app *app, struct str renaming)
{
	struct shelf *s = &app->shelf;

	if (!ready(app))
		return REACT_REDRAW;
	free(s->renaming);
	s->renaming = renaming.n ? xstrndup(renaming.p, renaming.n) : NULL;
	prompt_open(&app->prompt, PROMPT_NAME);
	prompt_set(&app->prompt, renaming.n ? renaming : STR(""));
	return REACT_REDRAW;
}

unsigned shelf_named(struct app *app, struct str text)
{
	char *from = app->shelf.renaming;
	struct str name = str_trim(text);
	unsigned reactions = REACT_REDRAW;

	app->shelf.renaming = NULL;
	if (name.n)
		reactions = from ? shelf_rename(app, str_z(from), name) : shelf_save(app, name);
	free(from);
	return reactions;
}
