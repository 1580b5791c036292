/* The label map: shown, added to and taken from, on the command line and on the screen. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "db/labels.h"
#include "tui/app.h"
#include "tui/cli.h"
#include "tui/print.h"
#include "tui/view/chooser.h"

/* "TEXT=CLASS": at the last "=", as a text may have one. */
static bool split(struct str word, struct str *text, struct str *which)
{
	for (size_t i = word.n; i > 0; i--) {
		if (word.p[i - 1] != '=')
			continue;
		*text = str_trim((struct str){word.p, i - 1});
		*which = str_trim((struct str){word.p + i, word.n - i});
		return text->n && which->n;
	}
	return false;
}

/* --- the command line --- */

static enum status find_dataset(struct conn *c, const char *name, int64_t *id, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct dataset_name *names;
	size_t n = 0;
	enum status rc = fetch_datasets(c, &names, &n, &arena, err);

	*id = 0;
	for (size_t i = 0; rc == OK && i < n; i++)
		if (name ? strcmp(names[i].name, name) == 0 : n == 1)
			*id = names[i].id;
	if (rc == OK && !*id)
		rc = err_set(err, E_USAGE, name ? "there is no dataset %s" : "%s",
			     name ? name : n ? "there are several datasets: --dataset NAME chooses one"
					     : "the project holds no dataset");
	arena_release(&arena);
	return rc;
}

static enum status change(struct conn *c, int64_t dataset, const struct cmd_args *args,
			  struct err *err)
{
	enum status rc = OK;
	const char *gone;

	for (int i = 1; i < args->n_words && rc == OK; i++) {
		struct str text, which;

		if (!split(str_z(args->words[i]), &text, &which))
			return err_set(err, E_USAGE, "labels wants TEXT=CLASS; \"%s\" is not", args->words[i]);
		rc = labels_put(c, dataset, text, which, err);
	}
	for (int k = 0; rc == OK && (gone = cmd_option_at(args, "remove", k)); k++)
		rc = labels_drop(c, dataset, str_z(gone), err);
	return rc;
}

static enum status print(struct conn *c, int64_t dataset, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct label_row *rows;
	size_t n;
	enum status rc = labels_list(c, dataset, &rows, &n, &arena, err);

	for (size_t i = 0; rc == OK && i < n; i++) {
		print_clean(stdout, rows[i].text);
		fputc('=', stdout);
		print_clean(stdout, rows[i].name);
		fputc('\n', stdout);
	}
	arena_release(&arena);
	return rc;
}

static int labels_shell(struct cli *cli, const struct cmd_args *args)
{
	bool changes = args->n_words > 1 || cmd_option(args, "remove");
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	int64_t dataset;
	enum status rc;

	if (args->n_words < 1)
		return cli_usage(args, "labels wants a project: qualm labels FILE.qualm [TEXT=CLASS ...]");
	rc = conn_open(&c, args->words[0], changes ? CONN_WRITE : CONN_READ, &err);
	if (rc == OK)
		cli_wait(cli, c);
	if (rc == OK)
		rc = find_dataset(c, cli->dataset, &dataset, &err);
	if (rc == OK)
		rc = change(c, dataset, args, &err);
	if (rc == OK)
		rc = print(c, dataset, &err);
	conn_close(c);
	return rc == OK ? EXIT_OK : cli_rows_fail(&err);
}

/* --- the screen --- */

static void gather(struct app *app, struct chooser *c)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct label_row *rows;
	size_t n = 0;

	if (labels_list(app->conn, app->scene.snap->dataset_id, &rows, &n, &arena, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	for (size_t i = 0; i < n; i++)
		chooser_add(c, &(struct choice){"", rows[i].text.p, "means", rows[i].name.p});
	arena_release(&arena);
}

static unsigned take_away(struct app *app, uint32_t at)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct label_row *rows;
	size_t n = 0;
	int64_t dataset = app->scene.snap->dataset_id;
	enum status rc = labels_list(app->conn, dataset, &rows, &n, &arena, &err);

	if (rc == OK && at < n)
		rc = labels_drop(app->conn, dataset, rows[at].text, &err);
	if (rc != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	arena_release(&arena);
	return REACT_REDRAW;
}

static unsigned labels_screen(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {
	    .title = "label map: Enter takes one away",
	    .nothing = "the label map is empty: :labels TEXT=CLASS says that a text means a class",
	    .gather = gather,
	    .toggle = take_away,
	    .words = true,
	};
	struct str text, which;
	struct err err = ERR_INIT;

	if (!app->scene.snap) {
		app_message(app, STYLE_MESSAGE, "there is no dataset yet");
		return REACT_REDRAW;
	}
	if (!str_trim(args).n)
		return chooser_open(app, &spec);
	if (!split(args, &text, &which))
		err_set(&err, E_USAGE, "labels wants TEXT=CLASS");
	else if (labels_put(app->conn, app->scene.snap->dataset_id, text, which, &err) == OK)
		app_message(app, STYLE_MESSAGE, "from the next import on \"%.*s\" means %.*s",
			    (int)(text.n > 60 ? 60 : text.n), text.p,
			    (int)(which.n > 60 ? 60 : which.n), which.p);
	if (err.code != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	return REACT_REDRAW;
}

static const struct cmd_option options[] = {
    {"remove", "TEXT", "take this text out of the map", true},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_labels;
const struct command cmd_labels = {
    .name = "labels",
    .args = "FILE.qualm [TEXT=CLASS ...]",
    .help = "Show the label map, which texts mean which classes; add to it, or take from it.",
    .group = "Files",
    .options = options,
    .shell = labels_shell,
    .screen = labels_screen,
};
