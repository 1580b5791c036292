#include "tui/sieve.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/job.h"
#include "core/base/xmalloc.h"
#include "db/search.h"
#include "tui/app.h"

struct desk {
	struct desk *next;
	struct conn *conn;
	struct search *search;
	struct snapshot *snap;
	struct lens lens;
	struct filter_cache *cache;
};

struct sieve {
	char *project;
	pthread_mutex_t lock;
	struct desk *idle; /* under the lock: nobody sits there */
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
	void (*progress)(struct app *app, struct sieve_progress *progress);
	void (*done)(struct app *app, struct sieve_answer *answer);
	struct sieve_answer answer;
	int64_t told; /* when, on the worker */
	pthread_mutex_t lock;
	uint64_t *certain; /* under the lock: for the next progress(); NULL: nothing is */
	uint64_t work, all;
};

struct sieve *sieve_new(const char *project)
{
	struct sieve *s = xcalloc(1, sizeof *s);

	s->project = xstrdup(project);
	pthread_mutex_init(&s->lock, NULL);
	return s;
}

/* --- desks --- */

static void clear_desk(struct desk *d)
{
	filter_cache_free(d->cache);
	search_free(d->search);
	conn_close(d->conn);
	snapshot_free(d->snap);
	*d = (struct desk){.next = d->next};
}

/* One that knows the snapshot, if there is one. What the others know of older ones is forgotten. */
static struct desk *take_desk(struct sieve *s, const struct snapshot *snap)
{
	struct desk *d, **at = NULL;

	pthread_mutex_lock(&s->lock);
	for (struct desk **p = &s->idle; *p; p = &(*p)->next) {
		if ((*p)->snap != snap)
			clear_desk(*p);
		if (!at || (*p)->snap == snap)
			at = p;
	}
	d = at ? *at : NULL;
	if (at)
		*at = d->next;
	pthread_mutex_unlock(&s->lock);
	return d ? d : xcalloc(1, sizeof *d);
}

static void leave_desk(struct sieve *s, struct desk *d)
{
	pthread_mutex_lock(&s->lock);
	d->next = s->idle;
	s->idle = d;
	pthread_mutex_unlock(&s->lock);
}

static enum status lay_out(struct desk *d, const struct sieve *s, struct snapshot *snap, struct err *err)
{
	if (!d->snap)
		d->snap = snapshot_share(snap);
	if (!d->conn && conn_open(&d->conn, s->project, CONN_READ, err) != OK)
		return err->code;
	if (!d->search && search_new(&d->search, d->conn, d->snap, err) != OK)
		return err->code;
	return OK;
}

enum status sieve_sit(struct sieve *s, struct snapshot *snap, struct desk **desk,
		      const struct filter_source **source, struct err *err)
{
	struct desk *d = take_desk(s, snap);
	enum status st = lay_out(d, s, snap, err);

	if (st != OK) {
		leave_desk(s, d);
		return st;
	}
	*desk = d;
	*source = search_source(d->search);
	return OK;
}

void sieve_rise(struct sieve *s, struct desk *desk)
{
	leave_desk(s, desk);
}

static enum status set_desk(struct desk *d, const struct question_job *q, struct err *err)
{
	if (lay_out(d, q->sieve, q->snap, err) != OK)
		return err->code;
	if (d->cache && !lens_eq(&d->lens, &q->lens)) {
		filter_cache_free(d->cache);
		d->cache = NULL;
	}
	if (!d->cache)
		d->cache = filter_cache_new(d->snap, &q->lens);
	d->lens = q->lens;
	return OK;
}

void sieve_free(struct sieve *s)
{
	struct desk *next;

	if (!s)
		return;
	for (struct desk *d = s->idle; d; d = next) {
		next = d->next;
		clear_desk(d);
		free(d);
	}
	pthread_mutex_destroy(&s->lock);
	free(s->project);
	free(s);
}

/* --- on a worker --- */

static void tell(void *ctx, uint64_t done, uint64_t all, const uint64_t *partial)
{
	struct question_job *q = ctx;
	size_t words = bits_words(q->snap->n);
	int64_t now = app_clock();

	if (!q->progress || now - q->told < SIEVE_TELL_MS)
		return;
	q->told = now;
	pthread_mutex_lock(&q->lock);
	if (partial && !q->certain)
		q->certain = bits_new(q->snap->n);
	if (partial && q->certain)
		memcpy(q->certain, partial, words * sizeof *partial);
	q->work = done;
	q->all = all;
	pthread_mutex_unlock(&q->lock);
	job_tell(&q->job);
}

static enum status work(struct question_job *q, struct desk *desk)
{
	struct sieve_answer *a = &q->answer;
	struct filter *f = NULL;
	const struct filter_watch watch = {tell, q};
	struct filter_ctx ctx = {.snap = q->snap, .lens = &q->lens, .a = q->a, .b = q->b,
				 .panel = q->panel, .n_panel = q->n_panel, .things = &q->things,
				 .watch = &watch};
	enum status st = set_desk(desk, q, &a->err);

	if (st != OK)
		return st;
	q->told = app_clock();
	ctx.source = search_source(desk->search);
	ctx.cache = desk->cache;
	st = filter_parse(str_z(q->text), &ctx, &f, &a->fault, &a->err);
	if (st == OK)
		st = filter_eval(f, &ctx, a->bits, &q->job.cancel, &a->err);
	filter_free(f);
	return st;
}

static uint32_t count(const struct question_job *q, const uint64_t *bits)
{
	return (uint32_t)(q->within ? bits_count_and(bits, q->within, q->snap->n)
				    : bits_count(bits, q->snap->n));
}

static void run(struct job *job)
{
	struct question_job *q = (struct question_job *)job;
	struct sieve_answer *a = &q->answer;
	struct desk *desk;

	if (cancel_is(&job->cancel) || q->snap->partial) {
		a->st = E_CANCELLED;
		return;
	}
	desk = take_desk(q->sieve, q->snap);
	a->bits = bits_new(q->snap->n);
	a->st = a->bits ? work(q, desk) : err_set(&a->err, E_MEMORY, "there is no memory to filter");
	leave_desk(q->sieve, desk);
	if (a->st == OK)
		a->n = count(q, a->bits);
}

/* --- on the screen's thread --- */

static void news(struct job *job)
{
	struct question_job *q = (struct question_job *)job;
	struct app *app = job->owner;
	struct sieve_progress p = {.text = str_z(q->text), .tag = q->answer.tag, .snap = q->snap};

	pthread_mutex_lock(&q->lock);
	p.bits = q->certain;
	q->certain = NULL;
	p.done = q->work;
	p.all = q->all;
	pthread_mutex_unlock(&q->lock);
	if (p.bits)
		p.n = count(q, p.bits);
	if (q->snap == app->scene.snap)
		q->progress(app, &p);
	free(p.bits);
}

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
	pthread_mutex_destroy(&q->lock);
	free(q->certain);
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
			      .news = news, .done = done, .free_job = free_question, .owner = app};
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
	pthread_mutex_init(&q->lock, NULL);
	q->progress = question->progress;
	q->done = question->done;
	q->answer.tag = question->tag;
	pool_submit(app->pool, &q->job);
}
