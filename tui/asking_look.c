/* What would be sent about the current sample: read, built and compared by a worker. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "db/fetch.h"
#include "tui/app.h"
#include "tui/query/query_cost.h"
#include "tui/view/sign.h"

#define LOOK_KEY ((uint64_t)0x6c6f6f6b << 32)

struct look_job {
	struct job job;
	/* inputs */
	char *project;
	struct snapshot *snap; /* a share */
	struct query_spec spec;
	struct decoder *decoder;
	int stored; /* the run to compare with; -1: there is none */
	/* result */
	struct asking_look look;
};

/* --- on the worker --- */

/* head, what, tail. */
static void put_more(struct buf *out, const char *head, const char *what, const char *tail)
{
	buf_printf(out, "%s%s%s%s", out->n ? "; " : "", head, what, tail);
}

static void compare_prompt(const struct look_job *j, const struct run_asking *was, struct buf *out)
{
	if (!was->prompt.n)
		put_more(out, "its prompt is not stored", "", "");
	else if (!str_eq(str_trim(was->prompt), str_trim(str_z(j->spec.prompt))))
		put_more(out, "its prompt is another one", "", "");
}

/* What the run was asked with; nothing is known of one that was imported without it. */
static void compare_settings(const struct look_job *j, const struct run_asking *was, struct buf *out)
{
	cJSON *o = NULL;
	struct err ignored = ERR_INIT;
	double v;
	char text[64];

	if (was->settings.n)
		json_parse(was->settings, &o, &ignored);
	if (json_number(json_get(o, "temperature"), &v) && j->spec.endpoint.send_temperature &&
	    v != j->spec.endpoint.temperature) {
		snprintf(text, sizeof text, "%g", v);
		put_more(out, "its temperature is ", text, "");
	}
	if (json_number(json_get(o, "image_max_side"), &v) && v != j->spec.endpoint.image_max_side) {
		snprintf(text, sizeof text, "%.0f", v);
		put_more(out, "its pictures had at most ", text, " pixels a side");
	} else if (!o || !json_get(o, "endpoint")) {
		put_more(out, "the size of its pictures is not stored", "", "");
	}
	cJSON_Delete(o);
}

static void compare_batch(double size, double place, struct buf *out)
{
	char text[64];

	if (isnan(size) || size <= 1)
		return;
	snprintf(text, sizeof text, "%.0f of %.0f", place, size);
	put_more(out, "there it was picture ", text, " in its request");
}

static void compare(struct look_job *j, struct conn *c)
{
	const struct run *run = &j->snap->runs[j->stored];
	struct arena arena = ARENA_INIT;
	struct run_asking was = {0};
	struct err ignored = ERR_INIT;
	struct buf out = BUF_INIT, whole = BUF_INIT;

	if (!str_eq_nocase(str_z(run->protocol), str_z(j->spec.protocol->name)))
		put_more(&out, "its protocol is ", *run->protocol ? run->protocol : "not stored", "");
	if (fetch_run_asking(c, run->id, &was, &arena, &ignored) == OK) {
		compare_prompt(j, &was, &out);
		compare_batch(fetch_number(c, run->id, "batch_size", j->look.ord),
			      fetch_number(c, run->id, "batch_pos", j->look.ord), &out);
		compare_settings(j, &was, &out);
	}
	buf_printf(&whole, "%s: %s", run->handle, out.n ? buf_cstr(&out) : "nothing differs");
	j->look.unlike = buf_take(&whole);
	buf_release(&out);
	arena_release(&arena);
}

static const char *format_word(const char *mime)
{
	static const char *const words[][2] = {{"image/jpeg", "JPEG"}, {"image/png", "PNG"},
					       {"image/gif", "GIF"}, {"image/webp", "WebP"}};

	for (size_t i = 0; mime && i < sizeof words / sizeof *words; i++)
		if (strcmp(mime, words[i][0]) == 0)
			return words[i][1];
	return mime ? mime : "";
}

static void say_picture(struct asking_look *l, const struct send_picture *p)
{
	struct buf out = BUF_INIT;
	char n[28];

	buf_printf(&out, "%s ", format_word(p->mime));
	if (p->w)
		buf_printf(&out, "%u %s %u, ", p->w, sign(SIGN_TIMES), p->h);
	buf_z(&out, bytes_text(p->bytes.n, n));
	l->picture = buf_take(&out);
	send_picture_say(p, &out);
	l->change = buf_take(&out);
	l->picture_bytes = p->bytes.n;
}

/* Several of one sample: how many, and what all of them take. */
static void say_pictures(struct asking_look *l, const struct query_request *r)
{
	size_t n = query_request_pictures(r), bytes = 0;
	size_t changed = 0;
	struct buf out = BUF_INIT;
	char text[28];

	if (n == 1) {
		say_picture(l, query_request_picture(r, 0));
		return;
	}
	for (size_t i = 0; i < n; i++) {
		bytes += query_request_picture(r, i)->bytes.n;
		changed += query_request_picture(r, i)->changed != 0;
	}
	buf_printf(&out, "%zu in their order, %s", n, bytes_text(bytes, text));
	l->picture = buf_take(&out);
	buf_z(&out, !changed ? "as they are" : changed < n ? "some of them changed" : "all of them changed");
	l->change = buf_take(&out);
	l->picture_bytes = bytes;
}

static size_t n_offered(const struct look_job *j, const struct query_request *r)
{
	size_t options = query_request_options(r);

	return strcmp(j->spec.protocol->name, "mc") == 0 || j->spec.own_classes ? options
	       : j->spec.candidates						     ? j->spec.n_candidates
										     : j->snap->n_classes;
}

static enum status look(struct look_job *j, struct conn *c, struct err *err)
{
	struct query_plan plan;
	struct query_request *r = NULL;
	struct asking_look *l = &j->look;
	enum status st = query_plan_make(&plan, c, j->snap, &j->spec, &l->ord, 1, false, err);

	if (st == OK && !plan.n) {
		l->known = true;
		query_plan_release(&plan);
		st = query_plan_make(&plan, c, j->snap, &j->spec, &l->ord, 1, true, err);
	}
	if (st == OK)
		st = query_request_make(&plan, c, 0, j->decoder, &j->job.cancel, &r, err);
	if (st == OK) {
		struct str prompt = query_request_prompt(r);
		struct query_cost cost = query_request_cost(r, j->spec.endpoint.model);

		l->handle = xstrdup(plan.handle);
		l->prompt = xstrndup(prompt.p, prompt.n);
		l->text_bytes = prompt.n;
		l->text_tokens = cost.text;
		l->picture_tokens = cost.pictures;
		l->n_classes = n_offered(j, r);
		if (query_request_pictures(r))
			say_pictures(l, r);
		query_request_free(r);
	}
	query_plan_release(&plan);
	return st;
}

static void run(struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct conn *c = NULL;
	struct err err = ERR_INIT;

	if (conn_open(&c, j->project, CONN_READ, &err) == OK && look(j, c, &err) == OK && j->stored >= 0)
		compare(j, c);
	if (err.code)
		j->look.error = xstrdup(err.msg);
	conn_close(c);
}

/* --- on the screen's thread --- */

static void done(struct job *job)
{
	struct look_job *j = (struct look_job *)job;
	struct app *app = job->owner;

	asking_look_release(&app->asking.look);
	app->asking.look = j->look;
	app->asking.look.valid = true;
	j->look = (struct asking_look){0};
	app->dirty = true;
}

static void free_job(struct job *job)
{
	struct look_job *j = (struct look_job *)job;

	asking_look_release(&j->look);
	query_spec_release(&j->spec);
	snapshot_free(j->snap);
	free(j->project);
	free(j);
}

/* The run that was imported of this model and has an answer here; of the same protocol before
 * others, later ones before earlier ones. */
static int stored_run(const struct snapshot *snap, const struct query_spec *spec, uint32_t ord)
{
	int best = -1, score = 0;

	for (uint32_t r = 0; r < snap->n_runs; r++) {
		const struct run *run = &snap->runs[r];
		int s = 1 + str_eq_nocase(str_z(run->protocol), str_z(spec->protocol->name));

		if (run->scratch || run->later || column_u(&run->outcome, ord) == OUTCOME_MISSING ||
		    !asking_same_model(run->model, spec->endpoint.model))
			continue;
		if (s >= score) {
			best = (int)r;
			score = s;
		}
	}
	return best;
}

static bool is_fresh(const struct app *app)
{
	const struct asking_look *l = &app->asking.look;

	return (l->valid || l->waiting) && l->ord == app->scene.current && l->version == app->asking.version &&
	       l->generation == app->scene.snap->generation;
}

void asking_look(struct app *app)
{
	struct asking *a = &app->asking;
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	struct look_job *j;

	if (!s->snap || s->current >= s->snap->n || is_fresh(app))
		return;
	asking_look_release(&a->look);
	a->look = (struct asking_look){.waiting = true, .ord = s->current, .version = a->version,
				       .generation = s->snap->generation};
	j = xcalloc(1, sizeof *j);
	j->job = (struct job){.key = LOOK_KEY, .urgency = 3, .run = run, .done = done, .free_job = free_job,
			      .owner = app};
	j->look = a->look;
	j->look.waiting = false;
	j->decoder = app->decoder;
	if (asking_spec(app, s->current, &j->spec, &err) != OK) {
		a->look.valid = true;
		a->look.waiting = false;
		a->look.error = xstrdup(err.msg);
		free_job(&j->job);
		return;
	}
	j->snap = snapshot_share(s->snap);
	j->project = xstrdup(conn_path(app->conn));
	j->stored = stored_run(s->snap, &j->spec, s->current);
	pool_submit(app->pool, &j->job);
}
