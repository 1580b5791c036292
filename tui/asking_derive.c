/* Runs derived from others in the background: mapped to the nearest class, or taken apart anew. */
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
	bool maps; /* else it takes apart */
	struct encoder encoder;
	char *file, *templates; /* what the encoder borrows */
	bool all;
	const struct protocol *protocol;
	enum ask_form form;
	bool ids;
	/* results */
	atomic_size_t done, n;
	struct map_result mapped;
	struct parse_result parsed;
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
					.form = j->form, .ids = j->ids, .cancel = &j->job.cancel,
					.progress = progress, .ctx = j};

	return j->maps ? map_run(&map, &j->mapped, err) : parse_run(&parse, &j->parsed, err);
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
		app_message(app, STYLE_MESSAGE, "stopped; no run was made");
	else if (j->st != OK)
		app_message(app, STYLE_WARNING, "%s", j->err.msg);
	else if (j->maps)
		app_message(app, STYLE_MESSAGE, "%s of %s answers are mapped in %s",
			    print_count(a, j->mapped.mapped), print_count(b, j->mapped.answers), j->mapped.handle);
	else
		app_message(app, STYLE_MESSAGE, "%s of %s answers are read otherwise in %s",
			    print_count(a, j->parsed.others), print_count(b, j->parsed.answers), j->parsed.handle);
}

static void done(struct job *job)
{
	struct derive_job *j = (struct derive_job *)job;
	struct app *app = job->owner;

	app->asking.deriving = NULL;
	meter_close(app, METER_DERIVE);
	if (j->st == OK)
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
		app_message(app, STYLE_MESSAGE, "a run is being derived already; Ctrl-c stops that");
	else if (!s->snap || s->a < 0 || (uint32_t)s->a >= s->snap->n_runs)
		app_message(app, STYLE_MESSAGE, "there is no run to derive from: it is taken from a");
	else if (conn_read_only(app->conn))
		app_message(app, STYLE_WARNING, "the project is read-only: the new run would be lost");
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

static unsigned start(struct app *app, struct derive_job *j)
{
	j->project = xstrdup(conn_path(app->conn));
	j->snap = snapshot_share(app->scene.snap);
	app->asking.deriving = &j->job;
	meter_open(app, (struct meter){.key = METER_DERIVE, .unit = j->maps ? "texts" : "answers",
				       .what = j->maps ? "mapping" : "taking answers apart", .stop = stop});
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
	struct derive_job *j = new_job(app);
	struct err err = ERR_INIT;
	struct str word, rest = str_trim(str_cut(args, ' ', &word));

	if (!j)
		return REACT_REDRAW;
	j->maps = true;
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

/* PROTOCOL [json] [ids] */
unsigned asking_reparse(struct app *app, struct str args)
{
	struct derive_job *j = new_job(app);
	struct err err = ERR_INIT;
	struct str word, rest = str_cut(args, ' ', &word);

	if (!j)
		return REACT_REDRAW;
	j->protocol = protocol_find(word.n ? word : str_z(app->scene.snap->runs[app->scene.a].protocol));
	if (!j->protocol) {
		err_set(&err, E_USAGE, "by which protocol? ow, cw, mc, esj, memo, mme, … (man qualm)");
		return give_up(app, j, &err);
	}
	while (rest.n) {
		rest = str_cut(str_trim(rest), ' ', &word);
		j->form = str_eqz(word, "json") ? ASK_JSON : j->form;
		j->ids |= str_eqz(word, "ids");
		if (!str_eqz(word, "json") && !str_eqz(word, "ids") && word.n) {
			err_set(&err, E_USAGE, "behind the protocol stand json or ids, not %.*s",
				(int)(word.n > 60 ? 60 : word.n), word.p);
			return give_up(app, j, &err);
		}
	}
	return start(app, j);
}
