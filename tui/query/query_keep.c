#include "tui/query/query_keep.h"

#include <stdlib.h>

#include "core/base/vec.h"
#include "core/text/json.h"
#include "db/store.h"

#define TRIES_MAX 5 /* another program wrote meanwhile */
#define PATIENCE_MS 12000 /* of each: answers cost money */
#define LEAVING_MS  5000 /* when the program is to end */

struct batch {
	struct arena arena; /* of all that the records point to */
	VEC(struct rec_prediction) v;
};

struct keep_job;

struct query_keep {
	const struct query_plan *plan;
	struct pool *pool;
	void *ctx;
	void (*kept)(void *ctx, size_t n);
	void (*failed)(void *ctx, const struct err *err);
	struct batch open, stuck; /* stuck: could not be written and goes first */
	struct keep_job *under_way;
	struct store_memory *memory; /* of the job under way */
	char *settings;
};

struct keep_job {
	struct job job;
	struct query_keep *keep;
	const char *project;
	struct str dataset;
	struct rec_run run; /* texts are the plan's */
	struct batch batch;
	enum status st;
	struct err err;
};

static void batch_release(struct batch *b)
{
	arena_release(&b->arena);
	vec_release(&b->v);
}

struct query_keep *query_keep_new(const struct query_plan *plan, struct pool *pool, void *ctx,
				  void (*kept)(void *ctx, size_t n),
				  void (*failed)(void *ctx, const struct err *err))
{
	struct query_keep *k = xcalloc(1, sizeof *k);
	struct buf settings = BUF_INIT;

	*k = (struct query_keep){.plan = plan, .pool = pool, .ctx = ctx, .kept = kept, .failed = failed};
	k->memory = store_memory_new();
	query_spec_settings(&plan->spec, plan->snap, &settings);
	k->settings = xstrdup(buf_cstr(&settings));
	buf_release(&settings);
	return k;
}

void query_keep_free(struct query_keep *k)
{
	if (!k)
		return;
	batch_release(&k->open);
	batch_release(&k->stuck);
	store_memory_free(k->memory);
	free(k->settings);
	free(k);
}

size_t query_keep_open(const struct query_keep *k)
{
	return k->open.v.n + k->stuck.v.n + (k->under_way ? k->under_way->batch.v.n : 0);
}

/* --- one answer as a record --- */

static void put_options(const struct ask_sample *s, cJSON *o)
{
	cJSON *list = cJSON_AddArrayToObject(o, "options");

	for (size_t i = 0; i < s->n_options; i++) {
		char *text = xstrndup(s->options[i].text.p, s->options[i].text.n);

		cJSON_AddItemToArray(list, cJSON_CreateString(text));
		free(text);
	}
}

/* What there is no column for. */
static struct str details(struct arena *arena, const struct query_request *r, size_t i,
			  const struct query_answer *a)
{
	cJSON *o = cJSON_CreateObject();
	struct buf text = BUF_INIT;
	struct str out;
	char *printed;

	cJSON_AddStringToObject(o, "rule", a->x.rule);
	if (a->x.flag)
		cJSON_AddStringToObject(o, "flag", a->x.flag);
	cJSON_AddStringToObject(o, "status", net_fail_word(a->reply->fail));
	if (a->reply->finish[0])
		cJSON_AddStringToObject(o, "finish", a->reply->finish);
	if (a->reply->model[0])
		cJSON_AddStringToObject(o, "server_model", a->reply->model);
	if (a->reply->tries > 1)
		cJSON_AddNumberToObject(o, "tries", a->reply->tries);
	for (size_t k = i; k < r->n_pictures && (k == i || r->ask.n_samples == 1); k++) {
		buf_z(&text, k > i ? "; " : ""); /* several of the one sample */
		send_picture_say(&r->pictures[k], &text);
	}
	if (text.n)
		cJSON_AddStringToObject(o, "picture", buf_cstr(&text));
	if (a->reply->reasoning.n)
		cJSON_AddStringToObject(o, "reasoning", buf_cstr(&a->reply->reasoning));
	if (r->samples[i].n_options)
		put_options(&r->samples[i], o);
	printed = cJSON_PrintUnformatted(o);
	out = arena_str(arena, str_z(printed ? printed : ""));
	cJSON_free(printed);
	cJSON_Delete(o);
	buf_release(&text);
	return out;
}

static const struct class_ref *copy_refs(struct arena *arena, const struct extraction *x)
{
	struct class_ref *refs = arena_alloc(arena, (x->n_refs + 1) * sizeof *refs);

	for (size_t i = 0; i < x->n_refs; i++) {
		refs[i] = x->refs[i];
		refs[i].text = arena_str(arena, refs[i].text);
	}
	return refs;
}

static void copy_answer(struct arena *arena, const struct query_answer *a, struct rec_prediction *p)
{
	p->outcome = a->x.outcome;
	p->raw = arena_str(arena, a->raw);
	p->extracted = a->x.span.p ? arena_str(arena, a->x.span) : STR_NONE;
	p->refs = copy_refs(arena, &a->x);
	p->n_refs = a->x.n_refs;
	p->latency_ms = a->reply->latency_ms >= 0 ? a->reply->latency_ms : NAN;
	p->tokens = a->reply->tokens_out;
	if (!isnan(a->x.degree)) {
		struct rec_number *degree = arena_alloc(arena, sizeof *degree);

		*degree = (struct rec_number){STR("degree"), a->x.degree};
		p->numbers = degree;
		p->n_numbers = 1;
	}
}

void query_keep_add(struct query_keep *k, const struct query_request *r, size_t i,
		    const struct query_answer *a)
{
	struct arena *arena = &k->open.arena;
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.key = arena_str(arena, r->rows[i].key);
	p.details = details(arena, r, i, a);
	if (r->ask.n_samples > 1) {
		p.batch_size = (int64_t)r->ask.n_samples;
		p.batch_pos = (int64_t)i + 1;
	}
	if (a->why) {
		p.outcome = OUTCOME_ERROR;
		p.error = arena_str(arena, str_z(a->why->msg));
	} else {
		copy_answer(arena, a, &p);
	}
	vec_push(&k->open.v, p);
}

/* --- committing --- */

static enum status feed(struct keep_job *j, struct store *s, struct err *err)
{
	enum status st = sink_run(store_sink(s), &j->run, &(uint32_t){0}, err);

	for (size_t i = 0; i < j->batch.v.n && st == OK; i++)
		st = sink_prediction(store_sink(s), &j->batch.v.v[i], err);
	return st;
}

static enum status commit_once(struct keep_job *j, struct conn *c, struct err *err)
{
	struct read_options options = {0};
	struct report report;
	struct store *s = NULL;
	enum status st;

	report_init(&report, NULL, NULL);
	st = store_begin(&s, c, j->dataset, &options, &report, NULL, err);
	if (st == OK) {
		store_remember(s, j->keep->memory);
		st = feed(j, s, err);
		if (st == OK)
			st = store_commit(s, err);
		else
			store_abort(s);
	}
	if (st == OK && report.runs_new.n && strcmp(report.runs_new.v[0], j->run.handle.p) != 0)
		st = err_set(err, E_BUSY, "another program has made the run %s meanwhile", j->run.handle.p);
	report_release(&report);
	return st;
}

static bool is_patient(void *ctx, int64_t waited)
{
	const struct keep_job *j = ctx;

	return waited < LEAVING_MS || !cancel_is(&j->job.cancel);
}

static void run_job(struct job *job)
{
	struct keep_job *j = (struct keep_job *)job;
	struct conn *c = NULL;

	j->st = conn_open(&c, j->project, CONN_WRITE, &j->err);
	if (j->st == OK) {
		conn_set_patience(c, PATIENCE_MS);
		conn_set_wait(c, is_patient, j);
	}
	for (int i = 0; j->st == OK && i < TRIES_MAX; i++) {
		struct err why = ERR_INIT;

		j->st = commit_once(j, c, &why);
		j->err = why;
		if (j->st != E_BUSY)
			break;
		j->st = i + 1 < TRIES_MAX ? OK : E_BUSY;
	}
	conn_close(c);
}

static void job_done(struct job *job)
{
	struct keep_job *j = (struct keep_job *)job;
	struct query_keep *k = j->keep;

	k->under_way = NULL;
	if (j->st == OK) {
		k->kept(k->ctx, j->batch.v.n);
		return;
	}
	k->stuck = j->batch;
	j->batch = (struct batch){.arena = ARENA_INIT};
	k->failed(k->ctx, &j->err);
}

static void free_job(struct job *job)
{
	struct keep_job *j = (struct keep_job *)job;

	batch_release(&j->batch);
	free(j);
}

static struct rec_run run_of(const struct query_keep *k)
{
	const struct query_spec *s = &k->plan->spec;

	return (struct rec_run){.model = str_z(s->endpoint.model), .protocol = str_z(s->protocol->name),
				.handle = str_z(k->plan->handle), .prompt = str_z(s->prompt),
				.response_format = s->form == ASK_JSON ? STR("json") : STR(""),
				.source = str_z(s->endpoint.name), .list_rule = s->protocol->list_rule,
				.open_world = s->protocol->open_world, .settings = str_z(k->settings),
				.scratch = true};
}

void query_keep_flush(struct query_keep *k)
{
	struct batch *from = k->stuck.v.n ? &k->stuck : &k->open;
	struct keep_job *j;

	if (k->under_way || !from->v.n)
		return;
	j = xcalloc(1, sizeof *j);
	j->job = (struct job){.run = run_job, .done = job_done, .free_job = free_job, .urgency = 5};
	j->keep = k;
	j->project = k->plan->project;
	j->dataset = str_z(k->plan->snap->dataset);
	j->run = run_of(k);
	j->batch = *from;
	j->err = (struct err)ERR_INIT;
	*from = (struct batch){.arena = ARENA_INIT};
	k->under_way = j;
	pool_submit(k->pool, &j->job);
}
