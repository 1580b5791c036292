#include "tui/script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

#define STEP_MAX_KEYS 256

#define ROUNDS 5

/* A frame finds out what is wanted (a picture, what Home counts), the next one shows it, and may
 * want more: what has grown meanwhile, the picture of a hit that was found. */
static void settle(struct app *app)
{
	bool busy = true;

	grow_look(app);
	grow_tick(app, app_clock());
	app_draw(app, app_clock());
	for (int i = 0; i < ROUNDS && busy; i++) {
		pictures_tick(app->pictures, app_clock());
		ask_filter_tick(app, INT64_MAX);
		grow_tick(app, app_clock());
		busy = pool_busy(app->pool);
		pool_settle(app->pool);
		app_draw(app, app_clock());
	}
}

enum status script_step(struct app *app, struct str line, struct err *err)
{
	uint32_t key[STEP_MAX_KEYS];
	struct str bad;
	int n;

	line = str_trim(line);
	if (!line.n || line.p[0] == '#')
		return OK;
	if (line.p[0] == ':' && line.n > 1 && line.p[1] != ' ') {
		if (!str_starts(line, STR(":save-screen"))) /* a message is part of the screen */
			buf_clear(&app->message);
		if (!app_exec(app, (struct str){line.p + 1, line.n - 1}))
			return err_set(err, E_USAGE, "%s", buf_cstr(&app->message));
	} else {
		if (!keymap_parse_keys(line, key, STEP_MAX_KEYS, &n, &bad))
			return err_set(err, E_USAGE, "\"%.*s\" is no key", STR_ARG(bad));
		for (int i = 0; i < n && !app->quit; i++)
			app_key(app, key[i]);
	}
	settle(app);
	return OK;
}

static enum status play(struct app *app, FILE *f, const char *file, struct err *err)
{
	char *line = NULL;
	size_t cap = 0;
	ssize_t n;
	enum status st = OK;

	settle(app);
	for (int number = 1; st == OK && !app->quit && (n = getline(&line, &cap, f)) >= 0; number++) {
		st = script_step(app, (struct str){line, (size_t)n}, err);
		if (st != OK)
			err_prefix(err, "%s:%d", file, number);
	}
	free(line);
	return st;
}

enum status script_run(struct app *app, const char *file, struct err *err)
{
	bool standard = strcmp(file, "-") == 0;
	FILE *f = standard ? stdin : fopen(file, "re");
	enum status st;

	if (!f)
		return err_errno(err, errno, "cannot read the script %s", file);
	st = play(app, f, standard ? "standard input" : file, err);
	if (!standard)
		fclose(f);
	return st;
}
