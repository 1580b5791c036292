#include "tui/export_screen.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/complete_file.h"
#include "tui/view/sign.h"

#define EXPORT_KEY  ((uint64_t)0x6578706f << 32)
#define TELL_EVERY  256 /* samples */
#define SLUG_MAX    40
#define TEXTS_TRIED 64 /* samples whose texts decide whether the usual list has that column */

/* What the screen knows of it. */
struct exporting {
	const struct export_format *format; /* of the prompt, of the question */
	char *file;                         /* of the question, of the job */
	struct job_of_export *job;          /* NULL: none is under way */
};

struct job_of_export {
	struct job job;
	/* inputs */
	char *project, *path;
	const struct export_format *format;
	struct export_what what;
	int *panel;
	uint32_t *order;
	struct columns columns;
	struct user_things mine;
	char *filter, *base;
	/* results */
	atomic_uint_fast32_t written;
	uint32_t rows, told; /* told: the worker's */
	enum status st;
	struct err err;
};

static struct exporting *state(struct app *app)
{
	if (!app->exporting)
		app->exporting = xcalloc(1, sizeof *app->exporting);
	return app->exporting;
}

void export_release(struct app *app)
{
	if (app->exporting)
		free(app->exporting->file);
	free(app->exporting);
	app->exporting = NULL;
}

/* --- on a worker --- */

static void count_rows(void *ctx, uint32_t rows)
{
	struct job_of_export *j = ctx;

	atomic_store(&j->written, rows);
	if (rows - j->told >= TELL_EVERY) {
		j->told = rows;
		job_tell(&j->job);
	}
}

static void run(struct job *job)
{
	struct job_of_export *j = (struct job_of_export *)job;
	struct conn *c = NULL;

	j->st = conn_open(&c, j->project, CONN_READ, &j->err);
	if (j->st == OK) {
		conn_set_cancel(c, &job->cancel);
		j->what.conn = c;
		j->st = export_file(&j->what, j->format, j->path, &job->cancel, false, &j->rows, &j->err);
	}
	conn_close(c);
}

/* --- on the screen's thread --- */

static void news(struct job *job)
{
	struct job_of_export *j = (struct job_of_export *)job;

	meter_move(job->owner, EXPORT_KEY, atomic_load(&j->written), j->what.n);
}

static void break_off(struct app *app)
{
	app->exporting->job = NULL;
	pool_cancel(app->pool, EXPORT_KEY);
	app_message(app, STYLE_MESSAGE, "the export is broken off; the file is as it was");
}

static void done(struct job *job)
{
	struct job_of_export *j = (struct job_of_export *)job;
	struct app *app = job->owner;
	char n[28];

	meter_close(app, EXPORT_KEY);
	if (j->st == OK)
		app_message(app, STYLE_MESSAGE, "%s samples are in %s", count_text(j->rows, n), j->path);
	else
		app_message(app, STYLE_WARNING, "nothing is written: %s", j->err.msg);
}

static void free_things(struct user_things *t)
{
	for (uint32_t i = 0; i < t->n_tags; i++) {
		free(t->tags[i].name);
		free(t->tags[i].ords);
	}
	free(t->tags);
	free(t->marked);
	free(t->notes);
}

static void free_export(struct job *job)
{
	struct job_of_export *j = (struct job_of_export *)job;
	struct app *app = job->owner;

	if (app->exporting && app->exporting->job == j)
		app->exporting->job = NULL;
	free_things(&j->mine);
	snapshot_free(j->what.snap);
	free(j->project);
	free(j->path);
	free(j->panel);
	free(j->order);
	free(j->filter);
	free(j->base);
	free(j);
}

static void *copy(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n + 1, size);

	if (n && from)
		memcpy(to, from, n * size);
	return to;
}

static void copy_things(const struct user_things *mine, struct user_things *out)
{
	if (!mine)
		return;
	out->n = mine->n;
	out->n_tags = mine->n_tags;
	out->marked = copy(mine->marked, mine->n, sizeof *mine->marked);
	out->notes = copy(mine->notes, mine->n, sizeof *mine->notes);
	out->tags = xcalloc((size_t)mine->n_tags + 1, sizeof *out->tags);
	for (uint32_t i = 0; i < mine->n_tags; i++) {
		const struct user_tag *t = &mine->tags[i];

		out->tags[i] = (struct user_tag){xstrdup(t->name), copy(t->ords, t->n, sizeof *t->ords),
						 t->n, t->n};
	}
}

static uint32_t *copy_list(const struct scene *s)
{
	uint32_t *order = xcalloc((size_t)scene_shown(s) + 1, sizeof *order);

	for (uint32_t i = 0; i < scene_shown(s); i++)
		order[i] = scene_at(s, i);
	return order;
}

static bool has_texts(struct app *app)
{
	for (uint32_t i = 0; i < app->scene.snap->n && i < TEXTS_TRIED; i++) {
		const struct sample_row *row = rows_get(app->rows, i);

		if (row && row->text.n)
			return true;
	}
	return false;
}

/* The usual list without what it leaves out here. */
static void shown_columns(struct app *app, struct columns *out)
{
	const struct scene *s = &app->scene;
	bool texts = app->columns.chosen || has_texts(app);

	*out = (struct columns){.chosen = true};
	for (int i = 0; i < app->columns.n; i++) {
		const struct list_column *c = &app->columns.v[i];

		if ((c->id == COLUMN_TEXT && !texts) ||
		    (c->id == COLUMN_PANEL && !app->columns.chosen && s->n_panel <= 2))
			continue;
		out->v[out->n++] = *c;
	}
}

static struct job_of_export *new_job(struct app *app, const struct export_format *format,
				     const char *path)
{
	const struct scene *s = &app->scene;
	struct job_of_export *j = xcalloc(1, sizeof *j);

	j->job = (struct job){.key = EXPORT_KEY, .run = run, .news = news, .done = done,
			      .free_job = free_export, .owner = app};
	j->project = xstrdup(conn_path(app->conn));
	j->path = xstrdup(path);
	j->format = format;
	j->panel = copy(s->panel, (size_t)s->n_panel, sizeof *s->panel);
	j->order = copy_list(s);
	j->filter = s->filter && !s->filter_off ? xstrdup(s->filter) : NULL;
	j->base = s->base_filter ? shelf_written_out(app, s->base_filter) : NULL;
	shown_columns(app, &j->columns);
	copy_things(s->mine, &j->mine);
	j->what = (struct export_what){.snap = snapshot_share(s->snap),
				       .lens = s->lens,
				       .a = s->a,
				       .b = s->b,
				       .panel = j->panel,
				       .n_panel = s->n_panel,
				       .mine = s->mine ? &j->mine : NULL,
				       .order = j->order,
				       .n = scene_shown(s),
				       .columns = &j->columns,
				       .filter = j->filter,
				       .base = j->base,
				       .sort = s->sort,
				       .progress = count_rows,
				       .progress_ctx = j};
	return j;
}

unsigned export_start(struct app *app, const struct export_format *format, struct str file)
{
	struct exporting *e = state(app);
	char *path = file_expand(file);

	if (e->job) {
		app_message(app, STYLE_WARNING, "%s is being written: Ctrl-c breaks it off", e->job->path);
	} else if (!app->scene.snap) {
		app_message(app, STYLE_MESSAGE, "there are no samples to write");
	} else if (app->scene.sorting) {
		app_message(app, STYLE_MESSAGE, "the list is being sorted: a moment, please");
	} else {
		e->job = new_job(app, format, path);
		meter_open(app, (struct meter){.key = EXPORT_KEY, .what = "writing", .unit = "samples",
					       .all = e->job->what.n, .stop = break_off});
		pool_submit(app->pool, &e->job->job);
	}
	free(path);
	return REACT_REDRAW;
}

/* --- the file's name --- */

/* "faces-wrong-careful-CW.csv": dataset and filter, in characters that no shell minds. */
static char *usual_name(const struct app *app, const struct export_format *format)
{
	const struct scene *s = &app->scene;
	const char *parts[2] = {s->snap->dataset, s->filter && !s->filter_off ? s->filter : s->base_filter};
	struct buf name = BUF_INIT;
	char *out;

	for (int k = 0; k < 2; k++)
		for (const char *p = parts[k]; p && *p && name.n < SLUG_MAX; p++) {
			bool plain = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
				     (*p >= 'A' && *p <= 'Z') || *p == '_';
			bool first = p == parts[k] && k > 0;

			if (first && name.n && name.p[name.n - 1] != '-')
				buf_ch(&name, '-');
			if (plain)
				buf_ch(&name, *p);
			else if (name.n && name.p[name.n - 1] != '-')
				buf_ch(&name, '-');
		}
	while (name.n && name.p[name.n - 1] == '-')
		name.n--;
	out = xasprintf("%.*s.%s", name.n ? (int)name.n : 7, name.n ? name.p : "samples",
			strcmp(format->name, "ids") == 0 ? "txt" : format->name);
	buf_release(&name);
	return out;
}

unsigned export_ask(struct app *app, const struct export_format *format)
{
	char *name = usual_name(app, format);

	state(app)->format = format;
	prompt_open(&app->prompt, PROMPT_FILE);
	prompt_set(&app->prompt, str_z(name));
	free(name);
	return REACT_REDRAW;
}

static unsigned overwrite(struct app *app, bool yes)
{
	struct exporting *e = state(app);

	if (yes && e->file)
		return export_start(app, e->format, str_z(e->file));
	app_message(app, STYLE_MESSAGE, "nothing is written");
	return REACT_REDRAW;
}

unsigned export_named(struct app *app, struct str text)
{
	struct exporting *e = state(app);
	struct stat st;

	free(e->file);
	e->file = file_expand(str_trim(text));
	if (!*e->file)
		return REACT_REDRAW;
	if (stat(e->file, &st) == 0 && S_ISDIR(st.st_mode))
		app_message(app, STYLE_WARNING, "%s is a folder: a file's name is needed", e->file);
	else if (stat(e->file, &st) == 0 && S_ISREG(st.st_mode))
		edit_ask(app, overwrite, "%s is there already: replace it? y/n", e->file);
	else
		export_start(app, e->format, str_z(e->file));
	return REACT_REDRAW;
}

unsigned export_file_named(struct app *app, const struct export_format *format, struct str file)
{
	state(app)->format = format;
	return export_named(app, file);
}

void export_complete(struct app *app)
{
	struct buf text = BUF_INIT;

	if (file_complete(buf_view(&app->prompt.text), &text))
		prompt_set(&app->prompt, buf_view(&text));
	buf_release(&text);
}
