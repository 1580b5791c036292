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

static enum status find_dataset(struct conn *c, const char *name, struct arena *arena,
				const struct dataset_name **out, struct err *err)
{
	struct dataset_name *names;
	size_t n = 0;
	enum status rc = fetch_datasets(c, &names, &n, arena, err);

	*out = NULL;
	for (size_t i = 0; rc == OK && i < n; i++)
		if (name ? strcmp(names[i].name, name) == 0 : n == 1)
			*out = &names[i];
	if (rc == OK && !*out)
		rc = err_set(err, E_USAGE, name ? "there is no dataset %s" : "%s",
			     name ? name : n ? "there are several datasets: --dataset NAME chooses one"
					     : "the project holds no dataset");
	return rc;
}

typedef VEC(struct labelling) labellings;

static enum status gather_words(const struct cmd_args *args, labellings *out, struct err *err)
{
	const char *gone;

	for (int i = 1; i < args->n_words; i++) {
		struct labelling l = {0};

		if (!split(str_z(args->words[i]), &l.text, &l.which))
			return err_set(err, E_USAGE, "labels wants TEXT=CLASS; \"%s\" is not", args->words[i]);
		vec_push(out, l);
	}
	for (int k = 0; (gone = cmd_option_at(args, "remove", k)); k++)
		vec_push(out, ((struct labelling){.drop = true, .text = str_z(gone)}));
	return OK;
}

/* What undo will call it. Borrowed from out. */
static const char *name_edit(const struct labelling *l, size_t n, struct buf *out)
{
	buf_printf(out, "label map: \"%.*s\" ", (int)(l->text.n > 60 ? 60 : l->text.n), l->text.p);
	if (l->drop)
		buf_z(out, "taken out");
	else
		buf_printf(out, "means %.*s", (int)(l->which.n > 60 ? 60 : l->which.n), l->which.p);
	if (n > 1)
		buf_printf(out, ", and %zu more", n - 1);
	return buf_cstr(out);
}

static enum status change(struct conn *c, const struct dataset_name *d, const struct cmd_args *args,
			  struct err *err)
{
	struct user *user = NULL;
	struct user_done done;
	struct buf label = BUF_INIT;
	labellings list = {0};
	enum status rc = gather_words(args, &list, err);

	if (rc == OK && list.n)
		rc = user_open(&user, c, d->id, d->name, d->n_samples, err);
	if (rc == OK && list.n)
		rc = labels_edit(user, name_edit(list.v, list.n, &label), list.v, list.n, &done, err);
	user_close(user);
	vec_release(&list);
	buf_release(&label);
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
	const struct dataset_name *dataset = NULL;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status rc;

	if (args->n_words < 1)
		return cli_usage(args, "labels wants a project: qualm labels FILE.qualm [TEXT=CLASS ...]");
	rc = conn_open(&c, args->words[0], changes ? CONN_WRITE : CONN_READ, &err);
	if (rc == OK)
		cli_wait(cli, c);
	if (rc == OK)
		rc = find_dataset(c, cli->dataset, &arena, &dataset, &err);
	if (rc == OK)
		rc = change(c, dataset, args, &err);
	if (rc == OK)
		rc = print(c, dataset->id, &err);
	conn_close(c);
	arena_release(&arena);
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

/* From the next import on; what was imported stays as it is. */
static unsigned change_one(struct app *app, const struct labelling *l)
{
	struct buf label = BUF_INIT;
	struct user_done done = {0};
	struct err err = ERR_INIT;

	if (labels_edit(app->edit.user, name_edit(l, 1, &label), l, 1, &done, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else if (!done.labels)
		app_message(app, STYLE_MESSAGE, "nothing to change: it is so already");
	else
		app_message(app, STYLE_MESSAGE, "%s, from the next import on, also of known files; u takes it back", done.label);
	buf_release(&label);
	return REACT_REDRAW;
}

static unsigned take_away(struct app *app, uint32_t at)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct label_row *rows;
	size_t n = 0;

	if (labels_list(app->conn, app->scene.snap->dataset_id, &rows, &n, &arena, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	if (at < n)
		change_one(app, &(struct labelling){.drop = true, .text = rows[at].text});
	arena_release(&arena);
	return REACT_REDRAW;
}

/* Undo and redo change the list as well. */
static uint64_t version(struct app *app)
{
	return app->edit.user ? user_things(app->edit.user)->version : 0;
}

static unsigned labels_screen(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {
	    .title = "label map; :labels TEXT=CLASS",
	    .nothing = "the label map is empty: :labels TEXT=CLASS says that a text means a class",
	    .gather = gather,
	    .toggle = take_away,
	    .words = true,
	    .version = version,
	};
	struct labelling l = {0};

	if (!app->scene.snap || !app->edit.user) {
		app_message(app, STYLE_MESSAGE, "there is no dataset yet");
		return REACT_REDRAW;
	}
	if (!str_trim(args).n)
		return chooser_open(app, &spec);
	if (split(args, &l.text, &l.which))
		return change_one(app, &l);
	app_message(app, STYLE_WARNING, "labels wants TEXT=CLASS");
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
    .help = "Show the label map, which texts mean which classes; add to it, or take from it; undo "
	    "takes it back.",
    .group = "Files",
    .options = options,
    .shell = labels_shell,
    .screen = labels_screen,
};
