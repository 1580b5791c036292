#include "core/base/job.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/base/thread.h"
#include "core/base/xmalloc.h"

struct pool {
	pthread_mutex_t lock;
	pthread_cond_t work;
	struct job *queued, *running, *ended; /* singly linked; ended in order of ending */
	int n_threads, n_started;
	bool stopping;
	int wake[2];
	pthread_t threads[];
};

/* --- lists; the lock is held --- */

static void list_append(struct job **list, struct job *job)
{
	while (*list)
		list = &(*list)->next;
	job->next = NULL;
	*list = job;
}

static void list_remove(struct job **list, struct job *job)
{
	while (*list != job)
		list = &(*list)->next;
	*list = job->next;
}

static struct job *take_most_urgent(struct pool *pool)
{
	struct job *best = pool->queued;

	for (struct job *j = best; j; j = j->next)
		if (j->urgency > best->urgency)
			best = j;
	if (best)
		list_remove(&pool->queued, best);
	return best;
}

static void wake_owner(struct pool *pool)
{
	if (write(pool->wake[1], "", 1) < 0)
		return; /* full: readable already */
}

static void end_job(struct pool *pool, struct job *job)
{
	list_append(&pool->ended, job);
	wake_owner(pool);
}

static void *worker(void *arg)
{
	struct pool *pool = arg;
	int number;

	pthread_mutex_lock(&pool->lock);
	number = pool->n_started++;
	for (;;) {
		struct job *job = take_most_urgent(pool);

		if (!job) {
			if (pool->stopping)
				break;
			pthread_cond_wait(&pool->work, &pool->lock);
			continue;
		}
		list_append(&pool->running, job);
		job->worker = number;
		pthread_mutex_unlock(&pool->lock);
		job->run(job);
		pthread_mutex_lock(&pool->lock);
		list_remove(&pool->running, job);
		end_job(pool, job);
	}
	pthread_mutex_unlock(&pool->lock);
	return NULL;
}

struct pool *pool_new(int n_threads, struct err *err)
{
	struct pool *pool;

	n_threads = n_threads < 1 ? 1 : n_threads;
	pool = xcalloc(1, sizeof *pool + (size_t)n_threads * sizeof(pthread_t));
	if (pipe2(pool->wake, O_CLOEXEC | O_NONBLOCK) != 0) {
		err_errno(err, errno, "cannot make a pipe for background work");
		free(pool);
		return NULL;
	}
	pthread_mutex_init(&pool->lock, NULL);
	pthread_cond_init(&pool->work, NULL);
	for (int i = 0; i < n_threads; i++) {
		int rc = thread_start(&pool->threads[i], worker, pool);

		if (rc) {
			err_errno(err, rc, "cannot start a thread for background work");
			pool_free(pool);
			return NULL;
		}
		pool->n_threads++;
	}
	return pool;
}

int pool_fd(const struct pool *pool)
{
	return pool->wake[0];
}

/* Queued jobs of the key end unrun; running ones are told to stop. */
static void make_stale(struct pool *pool, uint64_t key)
{
	struct job *next;

	for (struct job *j = pool->queued; j; j = next) {
		next = j->next;
		if (j->key == key) {
			list_remove(&pool->queued, j);
			j->stale = true;
			end_job(pool, j);
		}
	}
	for (struct job *j = pool->running; j; j = j->next)
		if (j->key == key) {
			j->stale = true;
			cancel_now(&j->cancel);
		}
	for (struct job *j = pool->ended; j; j = j->next)
		if (j->key == key)
			j->stale = true;
}

void pool_submit(struct pool *pool, struct job *job)
{
	cancel_init(&job->cancel);
	if (job->waits_in_poll)
		cancel_fd(&job->cancel);
	job->stale = job->told = false;
	job->pool = pool;
	pthread_mutex_lock(&pool->lock);
	if (job->key)
		make_stale(pool, job->key);
	list_append(&pool->queued, job);
	pthread_cond_signal(&pool->work);
	pthread_mutex_unlock(&pool->lock);
}

void pool_cancel(struct pool *pool, uint64_t key)
{
	pthread_mutex_lock(&pool->lock);
	make_stale(pool, key);
	pthread_mutex_unlock(&pool->lock);
}

void job_tell(struct job *job)
{
	pthread_mutex_lock(&job->pool->lock);
	job->told = true;
	wake_owner(job->pool);
	pthread_mutex_unlock(&job->pool->lock);
}

/* Of a job that has ended done() tells all. It may end meanwhile, but is freed here alone. */
static struct job *take_told(struct pool *pool)
{
	struct job *job;

	pthread_mutex_lock(&pool->lock);
	for (job = pool->running; job && !(job->told && !job->stale && job->news); job = job->next)
		;
	if (job)
		job->told = false;
	pthread_mutex_unlock(&pool->lock);
	return job;
}

static struct job *take_ended(struct pool *pool)
{
	struct job *job;

	pthread_mutex_lock(&pool->lock);
	job = pool->ended;
	if (job)
		pool->ended = job->next;
	pthread_mutex_unlock(&pool->lock);
	return job;
}

void pool_reap(struct pool *pool)
{
	char drain[64];
	struct job *job;

	while (read(pool->wake[0], drain, sizeof drain) > 0)
		;
	while ((job = take_told(pool)))
		job->news(job);
	while ((job = take_ended(pool))) {
		if (!job->stale && job->done)
			job->done(job);
		cancel_release(&job->cancel);
		job->free_job(job);
	}
}

bool pool_busy(struct pool *pool)
{
	bool busy;

	pthread_mutex_lock(&pool->lock);
	busy = pool->queued || pool->running || pool->ended;
	pthread_mutex_unlock(&pool->lock);
	return busy;
}

void pool_settle(struct pool *pool)
{
	while (pool_busy(pool)) {
		struct pollfd p = {pool->wake[0], POLLIN, 0};

		poll(&p, 1, 1000);
		pool_reap(pool);
	}
}

void pool_free(struct pool *pool)
{
	struct job *next;

	if (!pool)
		return;
	pthread_mutex_lock(&pool->lock);
	pool->stopping = true;
	for (struct job *j = pool->queued; j; j = next) {
		next = j->next;
		list_remove(&pool->queued, j);
		j->stale = true;
		end_job(pool, j);
	}
	for (struct job *j = pool->running; j; j = j->next) {
		j->stale = true;
		cancel_now(&j->cancel);
	}
	pthread_cond_broadcast(&pool->work);
	pthread_mutex_unlock(&pool->lock);
	for (int i = 0; i < pool->n_threads; i++)
		pthread_join(pool->threads[i], NULL);
	for (struct job *j = pool->ended; j; j = j->next)
		j->stale = true;
	pool_reap(pool);
	close(pool->wake[0]);
	close(pool->wake[1]);
	pthread_cond_destroy(&pool->work);
	pthread_mutex_destroy(&pool->lock);
	free(pool);
}
