/* Commands about the screen itself: views, datasets, leaving, saving. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/cmd_screen.h"
#include "tui/place.h"
#include "tui/view/zoom.h"

static unsigned do_back(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "back", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	return app_pop(app) ? REACT_REDRAW : REACT_QUIT;
}
const struct command cmd_back = {
	.name = "back", .args = "", .group = "Views",
	.help = "back; in the first view: quit", .screen = do_back,
};

static unsigned do_escape(struct app *app, struct str args)
{
	unsigned r = app->top->class->popup ? REACT_UNHANDLED : app_view_command(app, "escape", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	if (app->top->class->popup)
		app_pop(app);
	else if (asking_stop(app))
		;
	else if (find_stop(app))
		app_message(app, STYLE_MESSAGE, "the search was stopped");
	else
		app->scene.anchor = -1;
	return REACT_REDRAW;
}
const struct command cmd_escape = {
	.name = "escape", .args = "", .group = "Views", .help = "close a popup, stop an answer or a search, end a range", .screen = do_escape,
};

static unsigned do_quit(struct app *app, struct str args)
{
	(void)app;
	(void)args;
	return REACT_QUIT;
}
const struct command cmd_quit = {
	.name = "quit", .args = "", .group = "Screen", .help = "leave qualm", .screen = do_quit,
};

static unsigned do_keys(struct app *app, struct str args)
{
	(void)args;
	if (app->top->class != &help_view)
		app_push(app, &help_view);
	return REACT_REDRAW;
}
const struct command cmd_keys = {
	.name = "keys", .args = "", .group = "Screen",
	.help = "the keys and commands valid here", .screen = do_keys,
};

static unsigned do_command(struct app *app, struct str args)
{
	(void)args;
	prompt_open(&app->prompt, ':');
	return REACT_REDRAW;
}
const struct command cmd_command = {
	.name = "command", .args = "", .group = "Screen", .help = "type a command",
	.screen = do_command,
};

/* Switching does not deepen the stack: what was stacked closes. */
static unsigned do_view(struct app *app, struct str args)
{
	const struct view_class *class = view_class_find(args);

	if (!class || !class->digit) {
		app_message(app, STYLE_WARNING, "there is no view \"%.*s\"", STR_ARG(args));
		return REACT_REDRAW;
	}
	while (app_pop(app))
		;
	if (app->top->class != class) {
		struct view *old = app->top;

		app->top = NULL;
		app_push(app, class);
		old->class->close(old);
	}
	return REACT_REDRAW;
}
const struct command cmd_view = {
	.name = "view", .args = "NAME", .group = "Views", .help = "switch to a view by its name",
	.screen = do_view,
};

bool cmd_has_picture(struct app *app, const char *for_what)
{
	const struct sample_row *row = rows_get(app->rows, app->scene.current);

	if (!row || row->media != MEDIA_IMAGE)
		app_message(app, STYLE_MESSAGE, "the sample has no picture to %s", for_what);
	return row && row->media == MEDIA_IMAGE;
}

static unsigned do_zoom(struct app *app, struct str args)
{
	if (app->top->class == &zoom_view)
		return app_view_command(app, "zoom", args);
	if (!app->scene.snap || !scene_shown(&app->scene) || !cmd_has_picture(app, "zoom"))
		return REACT_REDRAW;
	app_push(app, &zoom_view);
	return args.n ? app_view_command(app, "zoom", args) : REACT_REDRAW;
}
const struct command cmd_zoom = {
	.name = "zoom", .args = "[HOW]", .group = "Views",
	.help = "the picture alone", .screen = do_zoom,
};

/* The named dataset, or the one after the present one. */
static const char *choose_dataset(struct app *app, const struct dataset_name *names, size_t n,
				  struct str wanted)
{
	for (size_t i = 0; i < n; i++) {
		if (wanted.n ? str_eqz(wanted, names[i].name)
			     : names[i].id == app->scene.snap->dataset_id)
			return names[wanted.n ? i : (i + 1) % n].name;
	}
	return NULL;
}

static void return_to_place(struct app *app, const char *dataset)
{
	struct err err = ERR_INIT;
	char *name, *key;
	uint32_t ord;

	if (!app->headless && place_load(conn_uuid(app->conn), dataset, &name, &key)) {
		if (fetch_ordinal(app->conn, app->scene.snap->dataset_id, str_z(key), &ord, &err) == OK)
			app_go(app, ord);
		free(name);
		free(key);
	}
}

static unsigned do_dataset(struct app *app, struct str args)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct dataset_name *names = NULL;
	const char *next = NULL;
	size_t n = 0;

	if (!app->scene.snap)
		return REACT_NONE;
	if (fetch_datasets(app->conn, &names, &n, &arena, &err) != OK)
		goto out;
	next = choose_dataset(app, names, n, args);
	if (!next) {
		app_message(app, STYLE_WARNING, "there is no dataset \"%.*s\"", STR_ARG(args));
	} else if (n < 2) {
		app_message(app, STYLE_MESSAGE, "%s is the only dataset here", next);
	} else {
		app_keep_place(app);
		if (app_load(app, next, &err) == OK) {
			return_to_place(app, next);
			app_return_filter(app);
		}
	}
out:
	if (err.code)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	arena_release(&arena);
	return REACT_REDRAW;
}
const struct command cmd_dataset = {
	.name = "dataset", .args = "[NAME]", .group = "Views", .help = "the next dataset, or NAME",
	.screen = do_dataset,
};

static unsigned do_swap(struct app *app, struct str args)
{
	struct scene *s = &app->scene;
	int a = s->a;

	(void)args;
	if (s->b < 0) {
		app_message(app, STYLE_MESSAGE, "there is no second run to swap with");
		return REACT_REDRAW;
	}
	if (s->run == s->a)
		s->run = s->b;
	s->a = s->b;
	s->b = a;
	choice_keep(app);
	return REACT_REDRAW | REACT_RERUN;
}
const struct command cmd_swap = {
	.name = "swap", .args = "", .group = "Runs", .help = "a and b change places",
	.screen = do_swap,
};

static unsigned do_cancel(struct app *app, struct str args)
{
	(void)args;
	if (app->top->class->popup)
		app_pop(app);
	else if (meter_stop(app))
		app->dirty = true;
	else if (narrow_cancel(app))
		app_message(app, STYLE_MESSAGE, "the filter is given up; the list stays as it was");
	else if (pictures_cancel(app->pictures))
		app_message(app, STYLE_MESSAGE, "stopped; Ctrl-l loads the picture");
	else
		app_message(app, STYLE_MESSAGE, "nothing is under way; q leaves");
	return REACT_REDRAW;
}
const struct command cmd_cancel = {
	.name = "cancel", .args = "", .group = "Screen", .help = "stop background work",
	.screen = do_cancel,
};

/* Files may have changed, too; a view may have given up what it works on. */
static unsigned do_redraw(struct app *app, struct str args)
{
	app_view_command(app, "redraw", args);
	term_redraw(app->term);
	pictures_forget(app->pictures);
	sheet_forget(app->sheet);
	app->placed.id = 0;
	return REACT_REDRAW;
}
const struct command cmd_redraw = {
	.name = "redraw", .args = "", .group = "Screen", .help = "paint everything again",
	.screen = do_redraw,
};

static unsigned do_suspend(struct app *app, struct str args)
{
	(void)args;
	if (!app->headless)
		term_suspend(app->term);
	return REACT_REDRAW;
}
const struct command cmd_suspend = {
	.name = "suspend", .args = "", .group = "Screen", .help = "back to the shell; fg returns",
	.screen = do_suspend,
};

static void write_screen(struct app *app, const char *file)
{
	struct buf out = BUF_INIT;
	FILE *f;
	bool good;

	if (path_same(file, conn_path(app->conn))) {
		app_message(app, STYLE_WARNING, "%s is the project: nothing is written over it", file);
		return;
	}
	f = strcmp(file, "-") == 0 ? stdout : fopen(file, "we");
	if (!f) {
		app_message(app, STYLE_WARNING, "%s could not be written: %s", file, strerror(errno));
		return;
	}
	app_draw(app, app_clock());
	cells_dump(&app->grid, &out);
	good = fwrite(out.p, 1, out.n, f) == out.n;
	good = (f == stdout ? fflush(f) : fclose(f)) == 0 && good;
	if (good)
		app_message(app, STYLE_MESSAGE, "the screen is in %s", file);
	else
		app_message(app, STYLE_WARNING, "%s could not be written", file);
	buf_release(&out);
}

static unsigned do_save_screen(struct app *app, struct str args)
{
	char *file = xstrndup(args.p ? args.p : "", args.n);

	if (!*file)
		app_message(app, STYLE_WARNING, "save-screen needs a file name");
	else if (strcmp(file, "-") == 0 && !app->headless)
		app_message(app, STYLE_WARNING, "standard output is the screen itself");
	else
		write_screen(app, file);
	free(file);
	return REACT_REDRAW;
}
const struct command cmd_save_screen = {
	.name = "save-screen", .args = "FILE", .group = "Screen",
	.help = "write the screen as text, with its styles", .screen = do_save_screen,
};
