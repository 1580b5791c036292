#include "tui/sieve.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/job.h"
#include "core/base/xmalloc.h"
#include "db/search.h"
#include "tui/app.h"

struct sieve {
	char *project;
	pthread_mutex_t busy;
	/* under the mutex */
	struct conn *conn;
	struct search *search;
	struct snapshot *snap;
	struct lens lens;
	struct filter_cache *cache;
};

struct question_job {
	struct job job;
	struct sieve *sieve;
	struct snapshot *snap;
	struct lens lens;
	int a, b, *panel, n_panel;
	struct filter_things things; /* a copy of its own */
	uint64_t *within;
	char *text;
	void (*done)(struct app *app, struct sieve_answer *answer);
	struct sieve_answer answer;
};

struct sieve *sieve_new(const char *project)
{
	struct sieve *s = xcalloc(1, sizeof *s);

	s->project = xstrdup(project);
	pthread_mutex_init(&s->busy, NULL);
	return s;
}

/* --- the desk --- */

static void clear_desk(struct sieve *s)
{
	filter_cache_free(s->cache);
	search_free(s->search);
	conn_close(s->conn);
	snapshot_free(s->snap);
	s->cache = NULL;
	s->search = NULL;
	s->conn = NULL;
	s->snap = NULL;
}

static enum status set_desk(struct sieve *s, const struct question_job *q, struct err *err)
{
	if (s->snap != q->snap)
		clear_desk(s);
	if (!s->snap)
		s->snap = snapshot_share(q->snap);
	if (!s->conn && conn_open(&s->conn, s->project, CONN_READ, err) != OK)
		return err->code;
	if (!s->search && search_new(&s->search, s->conn, s->snap, err) != OK)
		return err->code;
	if (s->cache && !lens_eq(&s->lens, &q->lens)) {
		filter_cache_free(s->cache);
		s->cache = NULL;
	}
	if (!s->cache)
		s->cache = filter_cache_new(s->snap, &q->lens);
	s->lens = q->lens;
	return OK;
}

void sieve_free(struct sieve *s)
{
	if (!s)
		return;
	clear_desk(s);
	pthread_mutex_destroy(&s->busy);
	free(s->project);
	free(s);
}

/* --- on a worker --- */

static enum status work(struct question_job *q)
{
	struct sieve *s = q->sieve;
	struct sieve_answer *a = &q->answer;
	struct filter *f = NULL;
	struct filter_ctx ctx = {.snap = q->snap, .lens = &q->lens, .a = q->a, .b = q->b,
				 .panel = q->panel, .n_panel = q->n_panel, .things = &q->things};
	enum status st = set_desk(s, q, &a->err);

	if (st != OK)
		return st;
	ctx.source = search_source(s->search);
	ctx.cache = s->cache;
	st = filter_parse(str_z(q->text), &ctx, &f, &a->fault, &a->err);
	if (st == OK)
		st = filter_eval(f, &ctx, a->bits, &q->job.cancel, &a->err);
	filter_free(f);
	return st;
}

static void run(struct job *job)
{
	struct question_job *q = (struct question_job *)job;
	struct sieve_answer *a = &q->answer;

	pthread_mutex_lock(&q->sieve->busy);
	a->bits = bits_new(q->snap->n);
	if (cancel_is(&job->cancel) || q->snap->partial)
		a->st = E_CANCELLED;
	else
		a->st = a->bits ? work(q) : err_set(&a->err, E_MEMORY, "there is no memory to filter");
	pthread_mutex_unlock(&q->sieve->busy);
	if (a->st == OK && q->within)
		a->n = (uint32_t)bits_count_and(a->bits, q->within, q->snap->n);
	else if (a->st == OK)
		a->n = (uint32_t)bits_count(a->bits, q->snap->n);
}

/* --- on the screen's thread --- */

static void done(struct job *job)
{
	struct question_job *q = (struct question_job *)job;
	struct app *app = job->owner;

	if (q->answer.st == E_CANCELLED || q->snap != app->scene.snap || q->snap->partial)
		return;
	q->answer.text = str_z(q->text);
	q->answer.snap = q->snap;
	q->done(app, &q->answer);
}

static void free_tags(struct filter_things *t)
{
	for (uint32_t i = 0; i < t->n_tags; i++) {
		free((void *)(uintptr_t)t->tags[i].name);
		free((void *)(uintptr_t)t->tags[i].ords);
	}
	free((void *)(uintptr_t)t->tags);
}

static void free_question(struct job *job)
{
	struct question_job *q = (struct question_job *)job;

	free_tags(&q->things);
	free((void *)(uintptr_t)q->things.marked);
	free((void *)(uintptr_t)q->things.seen);
	free((void *)(uintptr_t)q->things.notes);
	snapshot_free(q->snap);
	free(q->answer.bits);
	free(q->within);
	free(q->panel);
	free(q->text);
	free(q);
}

static void *copy(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n + 1, size);

	if (n)
		memcpy(to, from, n * size);
	return to;
}

static void copy_things(const struct filter_things *mine, uint32_t n, struct filter_things *out)
{
	struct filter_tag *tags;

	if (!mine)
		return;
	tags = xcalloc((size_t)mine->n_tags + 1, sizeof *tags);
	for (uint32_t i = 0; i < mine->n_tags; i++) {
		const struct filter_tag *t = &mine->tags[i];

		tags[i] = (struct filter_tag){xstrdup(t->name), copy(t->ords, t->n, sizeof *t->ords), t->n};
	}
	*out = (struct filter_things){copy(mine->marked, n, 1), copy(mine->seen, n, 1),
				      copy(mine->notes, n, sizeof *mine->notes), tags, mine->n_tags};
}

void sieve_ask(struct app *app, const struct sieve_question *question)
{
	const struct scene *s = &app->scene;
	const struct sieve_under screen = {s->lens, s->a, s->b, s->panel, s->n_panel};
	const struct sieve_under *u = question->under ? question->under : &screen;
	struct question_job *q = xcalloc(1, sizeof *q);
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_names(app, &err);

	q->job = (struct job){.key = question->key, .urgency = question->urgency, .run = run,
			      .done = done, .free_job = free_question, .owner = app};
	q->sieve = app->sieve;
	q->snap = snapshot_share(s->snap);
	q->lens = u->lens;
	q->a = u->a;
	q->b = u->b;
	q->panel = copy(u->panel, (size_t)u->n_panel, sizeof *u->panel);
	q->n_panel = u->n_panel;
	if (ctx)
		copy_things(ctx->things, s->snap->n, &q->things);
	if (question->within)
		q->within = copy(question->within, bits_words(s->snap->n), sizeof *q->within);
	q->text = xstrndup(question->text.p ? question->text.p : "", question->text.n);
	q->done = question->done;
	q->answer.tag = question->tag;
	pool_submit(app->pool, &q->job);
}
