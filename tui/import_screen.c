#include "tui/import_screen.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/plan.h"
#include "db/store.h"
#include "tui/app.h"
#include "tui/cli.h"
#include "tui/complete_file.h"
#include "tui/import_summary.h"
#include "tui/import_words.h"
#include "tui/view/mapping.h"
#include "tui/view/notice.h"
#include "tui/words_cut.h"

#define IMPORT_KEY ((uint64_t)0x696d7074 << 32)

/* One command: its words, and what they mean. */
struct request {
	VEC(char *) words; /* owned; the first is a name for the parser; behind them the dataset */
	struct cli cli;
	struct cmd_args args;
	struct import_words meant;
	struct import_job job;
};

struct importing_job {
	struct job job;
	struct request *request; /* owned */
	bool planning;
	/* results */
	struct draft *draft; /* of a table that the user has to say more about; NULL: there is none */
	struct recipe recipe; /* what was guessed of it, or known */
	const char *path;     /* its name; borrowed from the request */
	char *dataset;
	struct paper paper;
	struct import_totals totals;
	enum status st;
	struct err err;
	/* how far it is: under the lock */
	pthread_mutex_t lock;
	size_t file, n_files;
	uint64_t done, all;
};

/* What the screen knows of it. */
struct import_state {
	struct importing_job *job; /* NULL: none is under way */
	struct request *agreed;	   /* owned: its plan is shown; NULL: none */
	struct paper told;	   /* what the last one said */
	char what[64];		   /* of the meter */
};

static struct import_state *state(struct app *app)
{
	if (!app->importing)
		app->importing = xcalloc(1, sizeof *app->importing);
	return app->importing;
}

bool import_running(const struct app *app)
{
	return app->importing && app->importing->job;
}

/* --- the words --- */

static void request_free(struct request *r)
{
	if (!r)
		return;
	for (size_t i = 0; i < r->words.n; i++)
		free(r->words.v[i]);
	vec_release(&r->words);
	cmd_args_release(&r->args);
	import_words_release(&r->meant);
	free(r);
}

static enum status refuse(const struct request *r, enum cli_wish wish, struct err *err)
{
	if (wish != CLI_RUN || r->args.n_words < 2)
		return err_set(err, E_USAGE, "import what? names of files or folders are missing");
	if (cmd_option(&r->args, "errors"))
		return err_set(err, E_USAGE, "--errors is for the command line: qualm import");
	for (int i = 1; i < r->args.n_words; i++)
		if (strcmp(r->args.words[i], "-") == 0)
			return err_set(err, E_USAGE, "standard input is the keyboard here");
	return OK;
}

static struct request *request_new(struct app *app, struct str args, struct err *err)
{
	struct request *r = xcalloc(1, sizeof *r);
	enum cli_wish wish = CLI_RUN;
	enum status st;
	struct str rest = args;
	char *word;

	vec_push(&r->words, xstrdup("qualm"));
	vec_push(&r->words, xstrdup("import"));
	vec_push(&r->words, xstrdup(conn_path(app->conn)));
	while ((word = word_cut(&rest)) != NULL)
		vec_push(&r->words, word);
	st = cli_parse((int)r->words.n, r->words.v, &r->cli, &r->args, &wish, err);
	if (st == OK)
		st = refuse(r, wish, err);
	if (st == OK)
		st = import_words_read(&r->args, r->cli.dataset, &r->meant, &r->job, err);
	if (st == OK && app->scene.snap)
		vec_push(&r->words, xstrdup(app->scene.snap->dataset));
	if (st == OK && app->scene.snap)
		r->job.here = str_z(r->words.v[r->words.n - 1]);
	if (st == OK)
		return r;
	request_free(r);
	return NULL;
}

/* --- on a worker --- */

static void tell(struct importing_job *j, size_t file, size_t n_files, uint64_t done, uint64_t all)
{
	pthread_mutex_lock(&j->lock);
	j->file = file;
	j->n_files = n_files;
	j->done = done;
	j->all = all;
	pthread_mutex_unlock(&j->lock);
	job_tell(&j->job);
}

static void on_progress(void *ctx, const struct import_progress *p)
{
	tell(ctx, p->file, p->n_files, p->done, p->all);
}

static void on_look(void *ctx, size_t n, size_t all)
{
	tell(ctx, 0, 0, n, all);
}

static bool on_plan(void *ctx, const struct import_plan *plan)
{
	struct importing_job *j = ctx;

	import_totals_begin(&j->totals, plan);
	return true;
}

static void on_file(void *ctx, const struct report *report, enum status st, const struct err *err)
{
	struct importing_job *j = ctx;

	if (st == OK) {
		import_file_say(&j->totals, report, &j->paper);
		return;
	}
	j->totals.failed++;
	paper_say(&j->paper, STYLE_WARNING, 0, "%s", err->msg);
}

/* The file whose columns are to be told: a table that nobody knows, or the first one when asked. */
static const char *to_be_mapped(const struct importing_job *j)
{
	const struct import_job *todo = &j->request->job;

	for (size_t i = 0; i < todo->n_paths; i++)
		if (j->request->meant.ask || plan_is_unknown(todo, todo->paths[i]))
			return todo->paths[i];
	return NULL;
}

/* What is known of its columns: by the command's recipe, by a saved one that is like it, by --map,
 * and then by names and values, which the screen asks. */
static void make_draft(struct importing_job *j)
{
	const struct import_words *words = &j->request->meant;
	struct err why = ERR_INIT;

	if (draft_open(&j->draft, j->path, &j->job.cancel, &why) != OK) {
		j->draft = NULL;
		if (words->ask) {
			j->st = why.code;
			j->err = why;
		}
		return;
	}
	if (words->recipes.n)
		recipe_copy(words->recipes.v[0], &j->recipe);
	else if (!draft_propose(j->draft, &j->recipe))
		draft_find_rows(j->draft, &j->recipe);
	for (size_t i = 0; i < words->map.n; i++)
		recipe_set_field(&j->recipe, words->map.v[i].value, words->map.v[i].name);
}

/* The dataset of the plan; of a file that nobody knows yet what was said, or is shown. Caller frees. */
static char *into(const struct import_plan *plan, const struct import_job *job)
{
	struct str name = plan->sets.n ? plan->sets.v[0].name : job->dataset.n ? job->dataset : job->here;

	return xasprintf("%.*s", STR_ARG(name));
}

static void make_plan(struct importing_job *j)
{
	struct import_plan *plan = NULL;

	j->path = to_be_mapped(j);
	j->st = import_plan(&j->request->job, &plan, &j->err);
	if (j->st == OK) {
		import_plan_say(plan, j->request->job.project, &j->paper);
		j->dataset = into(plan, &j->request->job);
		if (j->path)
			make_draft(j);
	}
	plan_free(plan);
}

static void run(struct job *job)
{
	struct importing_job *j = (struct importing_job *)job;
	struct import_job *todo = &j->request->job;
	uint64_t problems;

	todo->cancel = &job->cancel;
	todo->ctx = j;
	todo->looked = on_look;
	todo->overall = on_progress;
	todo->planned = on_plan;
	todo->file_done = on_file;
	if (j->planning) {
		make_plan(j);
		return;
	}
	j->st = import_run(todo, &problems, &j->err);
	if (j->totals.files)
		import_totals_say(&j->totals, todo->project, todo->options.dry_run, &j->paper);
}

/* --- on the screen's thread --- */

static void free_import(struct job *job)
{
	struct importing_job *j = (struct importing_job *)job;
	struct app *app = job->owner;

	if (app->importing && app->importing->job == j)
		app->importing->job = NULL;
	request_free(j->request);
	paper_release(&j->paper);
	import_totals_release(&j->totals);
	draft_free(j->draft);
	recipe_release(&j->recipe);
	free(j->dataset);
	pthread_mutex_destroy(&j->lock);
	free(j);
}

static void news(struct job *job)
{
	struct importing_job *j = (struct importing_job *)job;
	struct app *app = job->owner;
	struct import_state *s = state(app);

	if (s->job != j)
		return;
	pthread_mutex_lock(&j->lock);
	if (j->n_files > 1)
		snprintf(s->what, sizeof s->what, "importing %zu/%zu", j->file + 1, j->n_files);
	meter_move(app, IMPORT_KEY, j->done, j->all);
	pthread_mutex_unlock(&j->lock);
}

static void stop(struct app *app)
{
	struct import_state *s = state(app);
	bool planning = s->job && s->job->planning;

	s->job = NULL;
	pool_cancel(app->pool, IMPORT_KEY);
	app_message(app, STYLE_MESSAGE,
		    planning ? "nothing is imported"
			     : "the import is broken off: the files before are in, the rest is not");
}

static bool has_trouble(const struct importing_job *j)
{
	const struct import_totals *t = &j->totals;

	return j->st != OK || t->failed || t->problems[PROBLEM_SKIPPED] ||
	       t->problems[PROBLEM_UNMATCHED] || t->problems[PROBLEM_WARNING];
}

static void say_done(struct app *app, const struct importing_job *j)
{
	const struct import_totals *t = &j->totals;
	bool trouble = has_trouble(j);

	if (j->st != OK && !t->files)
		app_message(app, STYLE_WARNING, "nothing is imported: %s", j->err.msg);
	else
		app_message(app, trouble ? STYLE_WARNING : STYLE_MESSAGE,
			    "%u of %u files brought something new%s: :import tells", t->changed,
			    t->files + t->failed, t->failed ? ", some could not be read" :
			    trouble ? ", with warnings" : "");
}

static unsigned start(struct app *app, struct request *request, bool planning);

static unsigned agree(struct app *app)
{
	struct import_state *s = state(app);
	struct request *request = s->agreed;

	s->agreed = NULL;
	return request ? start(app, request, false) : REACT_REDRAW;
}

/* --- columns and fields --- */

/* The request is agreed to by that: what the screen showed is what is read. */
static unsigned mapped(struct app *app, struct recipe *recipe)
{
	struct import_state *s = state(app);
	struct request *r = s->agreed;

	s->agreed = NULL;
	if (!r) {
		recipe_release(recipe);
		return REACT_REDRAW;
	}
	/* Its fields are in the recipe now; it goes before what the command named. */
	vec_clear(&r->meant.map);
	r->job.options.map = NULL;
	r->job.options.n_map = 0;
	import_words_add(&r->meant, &r->job, recipe);
	for (size_t i = r->meant.recipes.n - 1; i > 0; i--) {
		struct recipe *last = r->meant.recipes.v[i];

		r->meant.recipes.v[i] = r->meant.recipes.v[i - 1];
		r->meant.recipes.v[i - 1] = last;
	}
	return start(app, r, false);
}

/* Where the project would be made by this import alone, there is nothing to look at. */
static void not_mapped(struct app *app)
{
	struct import_state *s = app->importing;

	if (!s)
		return;
	request_free(s->agreed);
	s->agreed = NULL;
	app_message(app, STYLE_MESSAGE, "nothing is imported");
	app->quit = app->quit || (conn_is_new(app->conn) && !app->scene.snap);
}

/* Takes the request and the draft. */
static void ask_fields(struct app *app, struct importing_job *j)
{
	struct import_state *s = state(app);
	struct mapping_spec spec = {.draft = j->draft,
				    .recipe = j->recipe,
				    .path = j->path,
				    .project = conn_path(app->conn),
				    .dataset = j->dataset,
				    .accept = mapped,
				    .refuse = not_mapped};

	request_free(s->agreed);
	s->agreed = j->request;
	mapping_open(app, &spec);
	if (j->recipe.name)
		app_message(app, STYLE_MESSAGE, "the columns are those of the recipe %s: i imports by it",
			    j->recipe.name);
	j->draft = NULL;
	j->recipe = (struct recipe){.name = NULL};
	j->request = NULL;
}

static void done(struct job *job)
{
	struct importing_job *j = (struct importing_job *)job;
	struct app *app = job->owner;
	struct import_state *s = state(app);

	meter_close(app, IMPORT_KEY);
	if (!j->planning) {
		paper_release(&s->told);
		s->told = j->paper;
		j->paper = (struct paper){0};
		say_done(app, j);
		app->grow.quiet = has_trouble(j); /* what looks off is the news */
		grow_look(app);
	} else if (j->st != OK) {
		app_message(app, STYLE_WARNING, "%s", j->err.msg);
	} else if (j->draft && !mapping_is_open(app)) {
		ask_fields(app, j);
	} else {
		request_free(s->agreed);
		s->agreed = j->request;
		j->request = NULL;
		notice_open(app, "import this?", &j->paper, agree);
	}
}

/* Takes the request. */
static unsigned start(struct app *app, struct request *request, bool planning)
{
	struct import_state *s = state(app);
	struct importing_job *j = xcalloc(1, sizeof *j);

	j->job = (struct job){.key = IMPORT_KEY, .urgency = 1, .run = run, .news = news, .done = done,
			      .free_job = free_import, .owner = app};
	j->request = request;
	j->planning = planning;
	pthread_mutex_init(&j->lock, NULL);
	s->job = j;
	snprintf(s->what, sizeof s->what, "%s", planning ? "looking at the files" : "importing");
	meter_open(app, (struct meter){.key = IMPORT_KEY, .what = s->what,
				       .unit = planning ? "files" : NULL, .stop = stop});
	pool_submit(app->pool, &j->job);
	return REACT_REDRAW;
}

static void copy_paper(const struct paper *from, struct paper *to)
{
	for (size_t i = 0; i < from->lines.n; i++)
		paper_say(to, from->lines.v[i].style, from->lines.v[i].indent, "%s",
			  from->lines.v[i].text);
}

static unsigned tell_last(struct app *app)
{
	struct paper copy = {0};

	copy_paper(&state(app)->told, &copy);
	if (copy.lines.n)
		return notice_open(app, "the last import", &copy, NULL);
	app_message(app, STYLE_MESSAGE, "nothing was imported from here yet: :import PATH... reads files and folders");
	return REACT_REDRAW;
}

unsigned import_command(struct app *app, struct str args)
{
	struct import_state *s = state(app);
	struct err err = ERR_INIT;
	struct request *request;

	if (!str_trim(args).n)
		return tell_last(app);
	if (s->job) {
		app_message(app, STYLE_WARNING, "an import is under way: Ctrl-c breaks it off");
		return REACT_REDRAW;
	}
	if (conn_read_only(app->conn)) {
		app_message(app, STYLE_WARNING, "the project cannot be written");
		return REACT_REDRAW;
	}
	request = request_new(app, args, &err);
	if (request)
		return start(app, request, true);
	app_message(app, STYLE_WARNING, "%s", err.msg);
	return REACT_REDRAW;
}

static void put_option(const char *name, const char *value, struct buf *out)
{
	buf_printf(out, " --%s", name);
	if (!*value)
		return;
	buf_ch(out, '=');
	word_quote(str_z(value), out);
}

void import_line(const struct cmd_args *args, const char *dataset, struct buf *out)
{
	buf_z(out, "import");
	if (dataset)
		put_option("dataset", dataset, out);
	for (int i = 0; i < args->n_options; i++)
		put_option(args->options[i].option->name, args->options[i].value, out);
	buf_z(out, " --");
	for (int i = 1; i < args->n_words; i++) {
		buf_ch(out, ' ');
		word_quote(str_z(args->words[i]), out);
	}
}

void import_release(struct app *app)
{
	struct import_state *s = app->importing;

	if (s) {
		request_free(s->agreed);
		paper_release(&s->told);
	}
	free(s);
	app->importing = NULL;
}

/* --- completion --- */

static bool complete_option(struct str typed, struct buf *out)
{
	struct str common = STR_NONE;

	for (const struct cmd_option *o = import_options; o->name; o++) {
		struct str name = str_z(o->name);

		if (!str_starts(name, typed) || str_eqz(name, "errors"))
			continue;
		if (!common.p)
			common = name;
		for (size_t k = 0; k < common.n; k++)
			if (k >= name.n || name.p[k] != common.p[k])
				common.n = k;
	}
	buf_z(out, "--");
	buf_str(out, common);
	return common.n > typed.n;
}

static bool complete_path(struct str raw, struct buf *out)
{
	struct str rest = raw;
	char *word = word_cut_raw(&rest);
	struct buf path = BUF_INIT;
	bool found = file_complete(str_z(word ? word : ""), &path);

	if (found)
		word_quote(buf_view(&path), out);
	free(word);
	buf_release(&path);
	return found;
}

void import_complete(struct app *app)
{
	struct str typed = buf_view(&app->prompt.text);
	size_t at = word_last(typed);
	struct str word = {typed.p + at, typed.n - at};
	struct buf text = BUF_INIT, whole = BUF_INIT;
	bool found = str_starts(word, STR("--"))
			 ? complete_option((struct str){word.p + 2, word.n - 2}, &text)
			 : complete_path(word, &text);

	if (found) {
		buf_str(&whole, (struct str){typed.p, at});
		buf_str(&whole, buf_view(&text));
		prompt_set(&app->prompt, buf_view(&whole));
	}
	buf_release(&text);
	buf_release(&whole);
}
