/* In the background: runs derived from others, mapped to the nearest class or taken apart anew, and
 * vectors of class names. */
#include <stdatomic.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/complete_file.h"
#include "tui/map/map.h"
#include "tui/print.h"
#include "tui/query/query_parse.h"

#define METER_DERIVE ((uint64_t)0x64657269 << 32)

struct derive_job {
	struct job job;
	/* inputs */
	char *project;
	struct snapshot *snap; /* a share */
	int run;
	enum { DERIVE_MAPPED, DERIVE_PARSED, DERIVE_VECTORS } what;
	const struct endpoint_list *endpoints; /* borrowed of the configuration */
	struct encoder encoder;
	char *file, *templates; /* what the encoder borrows */
	bool all;
	const struct protocol *protocol;
	const struct extract_rule *rule;
	enum ask_form form;
	bool ids;
	/* results */
	atomic_size_t done, n;
	struct map_result mapped;
	struct parse_result parsed;
	char *key; /* of the vectors */
	enum status st;
	struct err err;
};

/* --- on the worker --- */

static void progress(void *ctx, size_t done, size_t n)
{
	struct derive_job *j = ctx;

	atomic_store(&j->n, n);
	atomic_store(&j->done, done);
	job_tell(&j->job);
}

static enum status derive(struct derive_job *j, struct conn *c, struct err *err)
{
	const struct map_job map = {.conn = c, .snap = j->snap, .run = j->run, .encoder = &j->encoder,
				    .all = j->all, .cancel = &j->job.cancel, .progress = progress, .ctx = j};
	const struct parse_job parse = {.conn = c, .snap = j->snap, .run = j->run, .protocol = j->protocol,
					.rule = j->rule, .form = j->form, .ids = j->ids, .cancel = &j->job.cancel,
					.progress = progress, .ctx = j};

	const struct class_vectors vectors = {.conn = c, .snap = j->snap, .encoder = j->file,
					      .endpoints = j->endpoints, .cancel = &j->job.cancel,
					      .progress = progress, .ctx = j};

	return j->what == DERIVE_MAPPED	  ? map_run(&map, &j->mapped, err)
	       : j->what == DERIVE_PARSED ? parse_run(&parse, &j->parsed, err)
					  : class_vectors_keep(&vectors, &j->key, err);
}

static void run(struct job *job)
{
	struct derive_job *j = (struct derive_job *)job;
	struct conn *c = NULL;

	j->st = conn_open(&c, j->project, CONN_WRITE, &j->err);
	if (j->st == OK)
		j->st = derive(j, c, &j->err);
	conn_close(c);
}

/* --- on the screen's thread --- */

static void news(struct job *job)
{
	struct derive_job *j = (struct derive_job *)job;

	meter_move(job->owner, METER_DERIVE, atomic_load(&j->done), atomic_load(&j->n));
}

static void sum_up(struct app *app, const struct derive_job *j)
{
	char a[32], b[32];

	if (j->st == E_CANCELLED)
		app_message(app, STYLE_MESSAGE, j->what == DERIVE_VECTORS ? "stopped" : "stopped; no run was made");
	else if (j->st != OK)
		app_message(app, STYLE_WARNING, "%s", j->err.msg);
	else if (j->what == DERIVE_VECTORS)
		app_message(app, STYLE_MESSAGE, "options are near by %s", j->key);
	else if (j->what == DERIVE_MAPPED)
		app_message(app, STYLE_MESSAGE, "%s of %s answers are mapped in %s",
			    print_count(a, j->mapped.mapped), print_count(b, j->mapped.answers), j->mapped.handle);
	else
		app_message(app, STYLE_MESSAGE, "%s of %s answers are read otherwise in %s",
			    print_count(a, j->parsed.others), print_count(b, j->parsed.answers), j->parsed.handle);
}

static void use_vectors(struct app *app, const struct derive_job *j)
{
	struct asking *a = &app->asking;

	if (a->dataset != j->snap->dataset_id)
		return;
	free(a->encoder);
	a->encoder = xstrdup(j->key);
	a->options = QUERY_OPTIONS_NEAR;
	asking_changed(app);
}

static void done(struct job *job)
{
	struct derive_job *j = (struct derive_job *)job;
	struct app *app = job->owner;

	app->asking.deriving = NULL;
	meter_close(app, METER_DERIVE);
	if (j->st == OK && j->what == DERIVE_VECTORS)
		use_vectors(app, j);
	else if (j->st == OK)
		asking_grew(app, 0);
	sum_up(app, j);
}

static void free_job(struct job *job)
{
	struct derive_job *j = (struct derive_job *)job;

	encoder_release(&j->encoder);
	snapshot_free(j->snap);
	free(j->project);
	free(j->file);
	free(j->key);
	free(j->templates);
	free(j);
}

static void stop(struct app *app)
{
	asking_stop_deriving(app);
}

bool asking_stop_deriving(struct app *app)
{
	if (!app->asking.deriving)
		return false;
	cancel_now(&app->asking.deriving->cancel);
	return true;
}

/* NULL with a message: it cannot be done now. */
static struct derive_job *new_job(struct app *app)
{
	const struct scene *s = &app->scene;
	struct derive_job *j;

	if (app->asking.deriving)
		app_message(app, STYLE_MESSAGE, "something is being derived already; Ctrl-c stops that");
	else if (conn_read_only(app->conn))
		app_message(app, STYLE_WARNING, "the project is read-only: what is derived would be lost");
	else {
		j = xcalloc(1, sizeof *j);
		j->job = (struct job){.run = run, .news = news, .done = done, .free_job = free_job,
				      .owner = app, .urgency = 4, .waits_in_poll = true};
		j->run = s->a;
		j->err = (struct err)ERR_INIT;
		return j;
	}
	return NULL;
}

/* The same for what comes of a's answers. */
static struct derive_job *new_run_job(struct app *app)
{
	const struct scene *s = &app->scene;

	if (s->snap && s->a >= 0 && (uint32_t)s->a < s->snap->n_runs)
		return new_job(app);
	app_message(app, STYLE_MESSAGE, "there is no run to derive from: it is taken from a");
	return NULL;
}

static unsigned start(struct app *app, struct derive_job *j)
{
	static const char *const what[] = {"mapping", "taking answers apart", "embedding class names"},
				*const unit[] = {"texts", "answers", "names"};

	j->project = xstrdup(conn_path(app->conn));
	j->snap = snapshot_share(app->scene.snap);
	app->asking.deriving = &j->job;
	meter_open(app, (struct meter){.key = METER_DERIVE, .unit = unit[j->what], .what = what[j->what],
				       .stop = stop});
	pool_submit(app->pool, &j->job);
	return REACT_REDRAW;
}

static unsigned give_up(struct app *app, struct derive_job *j, const struct err *err)
{
	app_message(app, STYLE_WARNING, "%s", err->msg);
	free_job(&j->job);
	return REACT_REDRAW;
}

/* ENCODER [all] [TEMPLATES] */
unsigned asking_map(struct app *app, struct str args)
{
	struct derive_job *j = new_run_job(app);
	struct err err = ERR_INIT;
	struct str word, rest = str_trim(str_cut(args, ' ', &word));

	if (!j)
		return REACT_REDRAW;
	j->what = DERIVE_MAPPED;
	j->file = file_expand(word);
	if (!*j->file) {
		err_set(&err, E_USAGE, "by which vectors? an endpoint of the configuration, or a file");
		return give_up(app, j, &err);
	}
	if (encoder_find(&j->encoder, j->file, app->cli->endpoints, &err) != OK)
		return give_up(app, j, &err);
	if (str_eqz(rest, "all") || str_starts(rest, STR("all "))) {
		j->all = true;
		rest = str_trim((struct str){rest.p + 3, rest.n - 3});
	}
	j->templates = rest.n ? file_expand(rest) : NULL;
	if (j->templates && encoder_templates(&j->encoder, j->templates, &err) != OK)
		return give_up(app, j, &err);
	return start(app, j);
}

/* Words are protocols, rules, and how answers are written. */
static enum status take_word(struct derive_job *j, struct str word, struct err *err)
{
	const struct extract_rule *rule = NULL;

	if (str_eqz(word, "json"))
		j->form = ASK_JSON;
	else if (str_eqz(word, "ids"))
		j->ids = true;
	else if (parse_named(word, &rule, &j->protocol, err) != OK)
		return err->code;
	j->rule = rule ? rule : j->rule;
	return OK;
}

/* [RULE] [PROTOCOL] [json] [ids] */
unsigned asking_reparse(struct app *app, struct str args)
{
	struct derive_job *j = new_run_job(app);
	struct err err = ERR_INIT;
	struct str word, rest = str_trim(args);

	if (!j)
		return REACT_REDRAW;
	j->what = DERIVE_PARSED;
	j->protocol = parse_protocol_of(&app->scene.snap->runs[app->scene.a]);
	while (rest.n) {
		rest = str_trim(str_cut(rest, ' ', &word));
		if (take_word(j, word, &err) != OK)
			return give_up(app, j, &err);
	}
	return start(app, j);
}

unsigned asking_embed(struct app *app, struct str encoder)
{
	struct derive_job *j = new_job(app);

	if (!j)
		return REACT_REDRAW;
	j->what = DERIVE_VECTORS;
	j->file = file_expand(encoder);
	j->endpoints = app->cli->endpoints;
	return start(app, j);
}
