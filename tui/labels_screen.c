#include "tui/labels_screen.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "tui/app.h"
#include "tui/import_screen.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

#define LABELS_KEY  0x6c6162656c730000
#define SHOWN_MAX   500 /* texts without a class */
#define PATIENCE_MS 300
#define TELL_MS	    100

/* What the answers say, as of a generation of the project; counted by a worker. */
struct labels_look {
	struct arena arena;
	struct label_tally tally;
	bool ready, counting;
	int64_t refused; /* the generation that could not be counted; 0 = none */
	int64_t dataset;
	uint64_t version; /* goes up with every count */
	uint32_t n_unplaced, n_rows; /* of the list that is shown */
	/* of the edit that runs */
	struct label_watch watch;
	int64_t began, told;
};

/* --- words --- */

bool labels_split(struct str word, struct str *text, struct str *which)
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

const char *labels_edit_name(const struct labelling *l, size_t n, struct buf *out)
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

static void put_moved(struct buf *out, uint64_t n, const char *what, const char *how)
{
	char text[28];

	if (n)
		buf_printf(out, "%s%s %s%s %s", out->n ? ", " : "", count_text(n, text), what,
			   n == 1 ? "" : "s", how);
}

void labels_moved(const struct label_moves *m, struct buf *out)
{
	struct buf own = BUF_INIT;

	put_moved(&own, m->placed, "answer", "placed");
	put_moved(&own, m->freed, "answer", "taken back");
	put_moved(&own, m->truths, "label", "moved");
	buf_z(out, own.n ? buf_cstr(&own) : "no answer here says so");
	buf_release(&own);
}

/* --- while an edit runs --- */

static struct labels_look *look_of(struct app *app)
{
	if (!app->labels)
		app->labels = xcalloc(1, sizeof *app->labels);
	return app->labels;
}

/* Esc or Ctrl-c. What else was typed is for a screen that is not there any more. */
static bool is_stopped(struct app *app)
{
	struct err ignored = ERR_INIT;
	bool changed = false, stop = false;
	uint32_t key;

	if (term_fd(app->term) < 0 || term_input(app->term, &changed, &ignored) != OK)
		return false;
	while ((key = term_key(app->term)) != KEY_NONE_)
		stop |= key == KEYC_ESC || key == (KEYC_CTRL | 'c');
	return stop;
}

static void tell(struct app *app, uint64_t done, uint64_t all)
{
	struct rect line = {app->grid.h - 1, 0, 1, app->grid.w};
	char a[28], b[28];

	if (app->grid.h < 1)
		return;
	cells_fill(&app->grid, line, STYLE_NORMAL);
	cells_printf(&app->grid, line.y, 1, line.w - 2, STYLE_MESSAGE,
		     "label map: %s of %s answers; Esc gives up", count_text(done, a), count_text(all, b));
	term_show(app->term, &app->grid, app->placed.id ? &app->placed : NULL);
}

static bool passed(void *ctx, uint64_t done, uint64_t all)
{
	struct app *app = ctx;
	struct labels_look *l = look_of(app);
	int64_t now = app_clock();

	if (now < l->told) /* never, or of an edit before */
		l->told = 0;
	if (!l->began || now - l->told > 10 * TELL_MS)
		l->began = now;
	if (l->told && now - l->told < TELL_MS)
		return true;
	l->told = now;
	if (!app->term || now - l->began < PATIENCE_MS)
		return true;
	app->dirty = true;
	tell(app, done, all);
	return !is_stopped(app);
}

void labels_watch(struct app *app)
{
	struct labels_look *l = look_of(app);

	l->watch = (struct label_watch){.ctx = app, .passed = passed};
	/* its files are placed by the map as it was when they began */
	if (import_running(app))
		l->watch.closed = "an import is under way: the label map can be changed when it has "
				  "ended";
	if (app->edit.user)
		user_watch(app->edit.user, &l->watch);
}

/* --- counting --- */

struct count_job {
	struct job job;
	char *project;
	int64_t dataset, generation;
	struct arena arena;
	struct label_tally tally;
	enum status st;
	struct err err;
};

static void run(struct job *job)
{
	struct count_job *j = (struct count_job *)job;
	const struct label_watch watch = {.cancel = &job->cancel};
	struct conn *c = NULL;

	j->st = conn_open(&c, j->project, CONN_READ, &j->err);
	if (j->st == OK) {
		conn_set_cancel(c, &job->cancel);
		j->st = labels_tally(c, j->dataset, &watch, &j->tally, &j->arena, &j->err);
	}
	conn_close(c);
}

static void done(struct job *job)
{
	struct count_job *j = (struct count_job *)job;
	struct app *app = job->owner;
	struct labels_look *l = app->labels;

	l->counting = false;
	app->dirty = true;
	if (j->st == E_CANCELLED)
		return;
	if (j->st != OK)
		app_message(app, STYLE_WARNING, "what the answers say cannot be counted: %s", j->err.msg);
	arena_release(&l->arena);
	l->arena = j->arena;
	l->tally = j->tally;
	l->dataset = j->dataset;
	l->ready = j->st == OK;
	l->refused = j->st == OK ? 0 : j->generation;
	l->version++;
	j->arena = (struct arena)ARENA_INIT;
}

static void free_job(struct job *job)
{
	struct count_job *j = (struct count_job *)job;

	arena_release(&j->arena);
	free(j->project);
	free(j);
}

static void count(struct app *app)
{
	struct count_job *j = xcalloc(1, sizeof *j);
	struct err ignored = ERR_INIT;

	j->job = (struct job){.key = LABELS_KEY, .urgency = 1, .run = run, .done = done,
			      .free_job = free_job, .owner = app};
	j->project = xstrdup(conn_path(app->conn));
	j->dataset = app->scene.snap->dataset_id;
	conn_generation(app->conn, &j->generation, &ignored);
	look_of(app)->counting = true;
	pool_submit(app->pool, &j->job);
}

void labels_changed(struct app *app)
{
	struct labels_look *l = look_of(app);

	asking_grew(app, 0);
	if (l->ready || l->counting)
		count(app);
}

void labels_release(struct app *app)
{
	if (!app->labels)
		return;
	arena_release(&app->labels->arena);
	free(app->labels);
	app->labels = NULL;
}

/* --- the list --- */

/* The last count may be older than the map. */
static bool is_mapped(const struct label_row *rows, size_t n, struct str text)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_nocase(rows[i].text, text))
			return true;
	return false;
}

static void put_answers(uint64_t n, struct buf *out)
{
	char text[28];

	buf_clear(out);
	buf_printf(out, "%s %s", count_text(n, text), n == 1 ? "answer" : "answers");
}

static void gather_unplaced(struct labels_look *l, const struct label_row *rows, size_t n,
			    struct chooser *c)
{
	struct buf value = BUF_INIT;

	for (size_t i = 0; i < l->tally.n && l->n_unplaced < SHOWN_MAX; i++) {
		const struct label_text *t = &l->tally.unplaced[i];

		if (is_mapped(rows, n, t->text))
			continue;
		put_answers(t->n, &value);
		chooser_add(c, &(struct choice){"?", t->text.p, "means no class", buf_cstr(&value)});
		l->n_unplaced++;
	}
	buf_release(&value);
}

static void gather_rows(const struct labels_look *l, const struct label_row *rows, size_t n,
			bool fresh, struct chooser *c)
{
	struct buf means = BUF_INIT, value = BUF_INIT;

	for (size_t i = 0; i < n; i++) {
		buf_clear(&means);
		buf_clear(&value);
		buf_printf(&means, "means %s", rows[i].name.p);
		if (fresh && i < l->tally.n_rows)
			put_answers(l->tally.placed[i], &value);
		chooser_add(c, &(struct choice){"", rows[i].text.p, buf_cstr(&means), buf_cstr(&value)});
	}
	buf_release(&means);
	buf_release(&value);
}

/* A project keeps no label of a class that it does not have: only the file has it. */
static void gather_left_out(struct app *app, struct chooser *c, struct arena *arena)
{
	struct str file = STR("");
	struct err err = ERR_INIT;

	if (labels_left_out(app->conn, app->scene.snap->dataset_id, &file, arena, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else if (file.n)
		chooser_add(c, &(struct choice){"!", "labels without a class were not kept",
						arena_printf(arena, "import %.*s again", STR_ARG(file)),
						""});
}

static void gather(struct app *app, struct chooser *c)
{
	struct labels_look *l = look_of(app);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct label_row *rows;
	int64_t generation = 0;
	bool own = l->dataset == app->scene.snap->dataset_id;
	size_t n = 0;

	if (labels_list(app->conn, app->scene.snap->dataset_id, &rows, &n, &arena, &err) != OK ||
	    conn_generation(app->conn, &generation, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	if (!l->counting && (!l->refused || generation != l->refused) &&
	    (!l->ready || !own || generation != l->tally.generation))
		count(app);
	l->n_unplaced = 0;
	l->n_rows = (uint32_t)n;
	if (l->ready && own)
		gather_unplaced(l, rows, n, c);
	gather_rows(l, rows, n, l->ready && own && !l->counting, c);
	gather_left_out(app, c, &arena);
	if (l->counting)
		chooser_add(c, &(struct choice){sign(SIGN_WAIT), "counting what the answers say", "", ""});
	arena_release(&arena);
}

/* --- editing --- */

static unsigned change_one(struct app *app, const struct labelling *l)
{
	struct buf label = BUF_INIT, moved = BUF_INIT;
	struct user_done done = {0};
	struct err err = ERR_INIT;

	conn_set_wait(app->conn, app_waiting, app);
	labels_watch(app);
	if (labels_edit(app->edit.user, labels_edit_name(l, 1, &label), l, 1, &done, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	} else if (!done.labels) {
		app_message(app, STYLE_MESSAGE, "nothing to change: it is so already");
	} else {
		labels_moved(&done.moves, &moved);
		app_message(app, STYLE_MESSAGE, "%s: %s; u takes it back", done.label, buf_cstr(&moved));
		labels_changed(app);
	}
	buf_release(&label);
	buf_release(&moved);
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

/* The class of the text under the cursor is typed. */
static unsigned ask_class(struct app *app, struct str text)
{
	struct buf line = BUF_INIT;

	buf_printf(&line, "labels %.*s=", STR_ARG(text));
	prompt_open(&app->prompt, ':');
	prompt_set(&app->prompt, buf_view(&line));
	buf_release(&line);
	return REACT_REDRAW;
}

static unsigned toggle(struct app *app, uint32_t at)
{
	struct labels_look *l = look_of(app);
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct label_row *rows;
	size_t n = 0;
	uint32_t left = at;

	if (at >= l->n_unplaced)
		return at - l->n_unplaced < l->n_rows ? take_away(app, at - l->n_unplaced) : REACT_NONE;
	if (labels_list(app->conn, app->scene.snap->dataset_id, &rows, &n, &arena, &err) == OK)
		for (size_t i = 0; i < l->tally.n; i++)
			if (!is_mapped(rows, n, l->tally.unplaced[i].text) && !left--) {
				ask_class(app, l->tally.unplaced[i].text);
				break;
			}
	arena_release(&arena);
	return REACT_REDRAW;
}

/* Undo and redo change the list as well, and so does what was counted. */
static uint64_t version(struct app *app)
{
	uint64_t own = app->edit.user ? user_things(app->edit.user)->version : 0;

	return own + look_of(app)->version;
}

/* The list opens while it is empty: something may come of the count. */
static unsigned no_command(struct app *app, const char *name, struct str args, uint32_t at)
{
	(void)app;
	(void)name;
	(void)args;
	(void)at;
	return REACT_UNHANDLED;
}

/* --- completing --- */

/* As far as both are the same. */
static size_t in_common(struct str a, struct str b)
{
	size_t n = 0;

	while (n < a.n && n < b.n && a.p[n] == b.p[n])
		n++;
	return n;
}

static bool begins(struct str name, struct str word)
{
	return name.n >= word.n && str_eq_nocase((struct str){name.p, word.n}, word);
}

/* Several that go on in different ways are told, as far as there is room. */
static void complete_class(struct app *app, struct str before, struct str word)
{
	const struct snapshot *s = app->scene.snap;
	struct str common = word;
	struct buf line = BUF_INIT, all = BUF_INIT;

	for (uint32_t i = 0; s && i < s->n_classes; i++) {
		struct str name = str_z(s->classes[i].name);

		if (!begins(name, word))
			continue;
		common = all.n ? (struct str){common.p, in_common(common, name)} : name;
		if (all.n < 400)
			buf_printf(&all, "%s%.*s", all.n ? ", " : "", STR_ARG(name));
	}
	buf_printf(&line, "%.*s%.*s", STR_ARG(before), STR_ARG(common));
	if (common.n > word.n)
		prompt_set(&app->prompt, buf_view(&line));
	else if (all.n)
		app_message(app, STYLE_MESSAGE, "%s", buf_cstr(&all));
	buf_release(&line);
	buf_release(&all);
}

bool labels_complete(struct app *app)
{
	struct str typed = buf_view(&app->prompt.text);
	size_t at = typed.n;

	if (app->prompt.sign != ':' || !str_starts(typed, STR("labels ")))
		return false;
	while (at > 0 && typed.p[at - 1] != '=')
		at--;
	if (at)
		complete_class(app, (struct str){typed.p, at}, (struct str){typed.p + at, typed.n - at});
	return true;
}

unsigned labels_screen(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {
	    .title = "label map; :labels TEXT=CLASS",
	    .nothing = "every answer means a class, and the label map is empty",
	    .gather = gather,
	    .toggle = toggle,
	    .class = &chooser_labels_view,
	    .command = no_command,
	    .words = true,
	    .pairs = true,
	    .version = version,
	};
	struct labelling l = {0};

	if (!app->scene.snap || !app->edit.user) {
		app_message(app, STYLE_MESSAGE, "there is no dataset yet");
		return REACT_REDRAW;
	}
	if (!str_trim(args).n) {
		look_of(app)->refused = 0;
		return chooser_open(app, &spec);
	}
	if (labels_split(args, &l.text, &l.which))
		return change_one(app, &l);
	app_message(app, STYLE_WARNING, "labels wants TEXT=CLASS");
	return REACT_REDRAW;
}
