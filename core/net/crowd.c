#include "core/net/crowd.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/net/chat_impl.h"

struct asked {
	struct crowd *crowd;
	struct asked *next;
	size_t k;
	struct chat_reply reply;
	struct err why;
};

struct crowd {
	struct job job; /* first: the pool's pointer is ours */
	struct endpoint endpoint;
	struct net_options options;
	struct crowd_plan plan;
	struct chat_watch watch;
	struct secrets secrets; /* while it runs */
	pthread_mutex_t lock;
	/* below: under the lock */
	struct asked *first, **last; /* ended, not handed over yet */
	struct crowd_counts counts;
	double began, wait_until;
	struct err stopped; /* why no further one is begun */
};

/* --- on the worker --- */

static void free_asked(struct asked *a)
{
	chat_reply_release(&a->reply);
	free(a);
}

static void stop_for(struct crowd *c, const struct err *why)
{
	if (!c->stopped.code)
		c->stopped = *why;
}

static void on_ended(void *ctx, const struct err *why)
{
	struct asked *a = ctx;
	struct crowd *c = a->crowd;

	a->why = *why;
	pthread_mutex_lock(&c->lock);
	*c->last = a;
	c->last = &a->next;
	if (!why->code)
		c->counts.answered++;
	else if (a->reply.fail != NET_CANCELLED)
		c->counts.failed++;
	if (net_fail_is_lasting(a->reply.fail) &&
	    !(a->reply.http == 403 && c->counts.answered > 0))
		stop_for(c, why);
	pthread_mutex_unlock(&c->lock);
	job_tell(&c->job);
}

static void on_wait(void *ctx, double seconds, const struct err *why)
{
	struct crowd *c = ctx;
	double until = http_clock() + seconds;

	(void)why;
	pthread_mutex_lock(&c->lock);
	if (until > c->wait_until)
		c->wait_until = until;
	pthread_mutex_unlock(&c->lock);
	job_tell(&c->job);
}

/* The number of the next request, false when there is none to begin. */
static bool take_number(struct crowd *c, size_t *k)
{
	bool any;

	pthread_mutex_lock(&c->lock);
	any = !c->stopped.code && !cancel_is(&c->job.cancel) && c->counts.begun < c->counts.n;
	if (any)
		*k = c->counts.begun++;
	pthread_mutex_unlock(&c->lock);
	return any;
}

static struct http_task *next_task(void *ctx)
{
	struct crowd *c = ctx;
	size_t k;

	while (take_number(c, &k)) {
		struct asked *a = xcalloc(1, sizeof *a);
		struct chat_request q = {0};
		struct http_task *task = NULL;
		struct err err = ERR_INIT;

		a->crowd = c;
		a->k = k;
		chat_reply_init(&a->reply);
		if (c->plan.make(c->plan.ctx, k, &q, &err) == OK)
			chat_task_new(&c->endpoint, &c->secrets, &q, &c->watch, &a->reply, on_ended,
				      a, &task, &err);
		if (c->plan.release)
			c->plan.release(c->plan.ctx, k);
		if (task)
			return task;
		a->reply.fail = NET_SETUP;
		on_ended(a, &err);
	}
	return NULL;
}

static void ask_all(struct crowd *c, struct net *net, struct err *err)
{
	struct http_source source = {
	    next_task, c, c->plan.concurrency > 0 ? c->plan.concurrency : c->endpoint.concurrency};

	http_run(net, &source, &c->job.cancel, err);
}

static void run(struct job *job)
{
	struct crowd *c = (struct crowd *)job;
	struct err err = ERR_INIT;
	struct net *net = NULL;

	pthread_mutex_lock(&c->lock);
	c->began = http_clock();
	pthread_mutex_unlock(&c->lock);
	if (secrets_fetch(&c->endpoint, &c->secrets, &err))
		err_prefix(&err, "endpoint %s", c->endpoint.name);
	else if (net_new(&c->options, &net, &err) == OK)
		ask_all(c, net, &err);
	if (err.code == OK)
		cancel_check(&job->cancel, &err);
	net_free(net);
	secrets_release(&c->secrets);
	pthread_mutex_lock(&c->lock);
	if (err.code && (c->counts.begun < c->counts.n || err.code != E_CANCELLED))
		stop_for(c, &err);
	pthread_mutex_unlock(&c->lock);
}

/* --- on the owner's thread --- */

static struct asked *take_ended(struct crowd *c)
{
	struct asked *a;

	pthread_mutex_lock(&c->lock);
	a = c->first;
	c->first = NULL;
	c->last = &c->first;
	pthread_mutex_unlock(&c->lock);
	return a;
}

static void hand_over(struct job *job)
{
	struct crowd *c = (struct crowd *)job;
	struct asked *a = take_ended(c), *next;

	for (; a; a = next) {
		next = a->next;
		c->plan.done(c->plan.ctx, a->k, &a->reply, a->why.code ? &a->why : NULL);
		free_asked(a);
	}
}

static void finish(struct job *job)
{
	struct crowd *c = (struct crowd *)job;
	struct crowd_counts counts;

	hand_over(job);
	counts = crowd_counts(c);
	if (c->plan.ended)
		c->plan.ended(c->plan.ctx, &counts, c->stopped.code ? &c->stopped : NULL);
}

void crowd_free(struct crowd *c)
{
	struct asked *a, *next;

	if (!c)
		return;
	for (a = take_ended(c); a; a = next) {
		next = a->next;
		free_asked(a);
	}
	if (c->plan.free_ctx)
		c->plan.free_ctx(c->plan.ctx);
	endpoint_release(&c->endpoint);
	pthread_mutex_destroy(&c->lock);
	free(c);
}

static void free_job(struct job *job)
{
	crowd_free((struct crowd *)job);
}

struct crowd *crowd_new(const struct endpoint *e, const struct net_options *options,
			const struct crowd_plan *plan)
{
	struct crowd *c = xcalloc(1, sizeof *c);

	endpoint_copy(e, &c->endpoint);
	if (options)
		c->options = *options;
	c->plan = *plan;
	c->watch = (struct chat_watch){.wait = on_wait, .ctx = c};
	c->counts.n = plan->n;
	c->last = &c->first;
	pthread_mutex_init(&c->lock, NULL);
	return c;
}

void crowd_submit(struct crowd *c, struct pool *pool, uint64_t key, int urgency)
{
	c->job.key = key;
	c->job.urgency = urgency;
	c->job.waits_in_poll = true;
	c->job.run = run;
	c->job.news = hand_over;
	c->job.done = finish;
	c->job.free_job = free_job;
	pool_submit(pool, &c->job);
}

void crowd_cancel(struct crowd *c)
{
	cancel_now(&c->job.cancel);
}

struct crowd_counts crowd_counts(struct crowd *c)
{
	double now = http_clock();
	struct crowd_counts counts;

	pthread_mutex_lock(&c->lock);
	counts = c->counts;
	counts.wait_s = c->wait_until > now ? c->wait_until - now : 0;
	if (c->began > 0 && now > c->began)
		counts.rate = (double)(counts.answered + counts.failed) / (now - c->began);
	pthread_mutex_unlock(&c->lock);
	return counts;
}
