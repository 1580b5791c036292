#include "tui/query/query_stream.h"

#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/xmalloc.h"

struct stream {
	struct job job; /* first: the pool's pointer is ours */
	struct endpoint endpoint;
	struct net_options options;
	struct crowd_plan plan;
	void (*news)(void *ctx, const struct stream_news *news);
	struct chat_reply reply; /* the worker's until it has ended */
	struct err why;
	pthread_mutex_t lock;
	/* below: under the lock */
	struct buf text, thought, failed;
	double wait_until; /* seconds of the clock */
};

static double now_s(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* --- on the worker --- */

static void add(struct stream *s, struct buf *to, struct str piece)
{
	pthread_mutex_lock(&s->lock);
	s->wait_until = 0;
	buf_str(to, piece);
	pthread_mutex_unlock(&s->lock);
	job_tell(&s->job);
}

static void on_text(void *ctx, struct str piece)
{
	struct stream *s = ctx;

	add(s, &s->text, piece);
}

static void on_thought(void *ctx, struct str piece)
{
	struct stream *s = ctx;

	add(s, &s->thought, piece);
}

static void on_wait(void *ctx, double seconds, const struct err *why)
{
	struct stream *s = ctx;

	pthread_mutex_lock(&s->lock);
	s->wait_until = now_s() + seconds;
	buf_clear(&s->failed);
	buf_z(&s->failed, why->msg);
	pthread_mutex_unlock(&s->lock);
	job_tell(&s->job);
}

static void run(struct job *job)
{
	struct stream *s = (struct stream *)job;
	const struct chat_watch watch = {on_text, on_thought, on_wait, s};
	struct chat_request q = {0};
	struct net *net = NULL;

	s->reply.fail = NET_SETUP;
	if (s->plan.make(s->plan.ctx, 0, &q, &s->why) == OK && cancel_check(&job->cancel, &s->why) == OK &&
	    net_new(&s->options, &net, &s->why) == OK) {
		s->reply.fail = NET_NONE;
		chat_ask(net, &s->endpoint, &q, &watch, &job->cancel, &s->reply, &s->why);
	}
	if (s->why.code == E_CANCELLED)
		s->reply.fail = NET_CANCELLED;
	if (s->plan.release)
		s->plan.release(s->plan.ctx, 0);
	net_free(net);
}

/* --- on the owner's thread --- */

static void tell(struct job *job)
{
	struct stream *s = (struct stream *)job;
	double wait;

	if (!s->news)
		return;
	pthread_mutex_lock(&s->lock);
	wait = s->wait_until > 0 ? s->wait_until - now_s() : 0;
	s->news(s->plan.ctx, &(struct stream_news){buf_view(&s->text), buf_view(&s->thought),
						   wait > 0 ? wait : 0, buf_view(&s->failed)});
	pthread_mutex_unlock(&s->lock);
}

static void finish(struct job *job)
{
	struct stream *s = (struct stream *)job;
	const struct err *why = s->why.code ? &s->why : NULL;
	struct crowd_counts counts = {.n = 1, .begun = 1, .answered = !why,
				      .failed = why && s->reply.fail != NET_CANCELLED};

	s->plan.done(s->plan.ctx, 0, &s->reply, why);
	if (s->plan.ended)
		s->plan.ended(s->plan.ctx, &counts,
			      why && (s->reply.fail == NET_CANCELLED || net_fail_is_lasting(s->reply.fail)) ? why
													     : NULL);
}

static void free_job(struct job *job)
{
	struct stream *s = (struct stream *)job;

	if (s->plan.free_ctx)
		s->plan.free_ctx(s->plan.ctx);
	chat_reply_release(&s->reply);
	endpoint_release(&s->endpoint);
	buf_release(&s->text);
	buf_release(&s->thought);
	buf_release(&s->failed);
	pthread_mutex_destroy(&s->lock);
	free(s);
}

struct stream *stream_start(const struct endpoint *e, const struct net_options *options,
			    const struct crowd_plan *plan,
			    void (*news)(void *ctx, const struct stream_news *news),
			    struct pool *pool, int urgency)
{
	struct stream *s = xcalloc(1, sizeof *s);

	endpoint_copy(e, &s->endpoint);
	if (options)
		s->options = *options;
	s->plan = *plan;
	s->news = news;
	s->why = (struct err)ERR_INIT;
	chat_reply_init(&s->reply);
	pthread_mutex_init(&s->lock, NULL);
	s->job = (struct job){.urgency = urgency, .run = run, .news = tell, .done = finish,
			      .free_job = free_job, .waits_in_poll = true};
	pool_submit(pool, &s->job);
	return s;
}

void stream_cancel(struct stream *s)
{
	cancel_now(&s->job.cancel);
}

struct crowd_counts stream_counts(struct stream *s)
{
	struct crowd_counts counts = {.n = 1, .begun = 1};

	pthread_mutex_lock(&s->lock);
	counts.wait_s = s->wait_until > 0 ? s->wait_until - now_s() : 0;
	pthread_mutex_unlock(&s->lock);
	if (counts.wait_s < 0)
		counts.wait_s = 0;
	return counts;
}
