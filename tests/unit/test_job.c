/* The pool: replacing, cancelling, urgency, settling. For ThreadSanitizer too. */
#include <poll.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/job.h"
#include "core/base/xmalloc.h"

struct watch {
	sem_t started, go;
	int order[64], n_done, n_freed; /* the owner's */
	atomic_int n_run;
	atomic_bool saw_cancel;
};

struct work {
	struct job job;
	struct watch *watch;
	int number;
	bool waits; /* for `go` */
	int result; /* written on the worker, read by done() */
};

static void run(struct job *job)
{
	struct work *w = (struct work *)job;

	atomic_fetch_add(&w->watch->n_run, 1);
	if (w->waits) {
		sem_post(&w->watch->started);
		sem_wait(&w->watch->go);
	}
	if (cancel_is(&job->cancel))
		atomic_store(&w->watch->saw_cancel, true);
	w->result = w->number * 2;
}

static void done(struct job *job)
{
	struct work *w = (struct work *)job;

	assert_int_equal(w->result, w->number * 2);
	w->watch->order[w->watch->n_done++] = w->number;
}

static void free_work(struct job *job)
{
	struct work *w = (struct work *)job;

	w->watch->n_freed++;
	free(w);
}

static void submit(struct pool *pool, struct watch *watch, int number, uint64_t key, int urgency,
		   bool waits)
{
	struct work *w = xcalloc(1, sizeof *w);

	w->job = (struct job){
	    .key = key, .urgency = urgency, .run = run, .done = done, .free_job = free_work};
	w->watch = watch;
	w->number = number;
	w->waits = waits;
	pool_submit(pool, &w->job);
}

static struct pool *begin(struct watch *w, int threads)
{
	struct err err = ERR_INIT;
	struct pool *pool = pool_new(threads, &err);

	*w = (struct watch){.n_done = 0};
	sem_init(&w->started, 0, 0);
	sem_init(&w->go, 0, 0);
	assert_non_null(pool);
	assert_false(pool_busy(pool));
	return pool;
}

static void end(struct pool *pool, struct watch *w)
{
	pool_free(pool);
	sem_destroy(&w->started);
	sem_destroy(&w->go);
}

static void all_jobs_are_done_once(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 3);
	bool seen[50] = {false};

	(void)state;
	for (int i = 0; i < 50; i++)
		submit(pool, &w, i, 0, 0, false);
	pool_settle(pool);
	assert_false(pool_busy(pool));
	assert_int_equal(w.n_done, 50);
	assert_int_equal(w.n_freed, 50);
	for (int i = 0; i < 50; i++)
		seen[w.order[i]] = true;
	for (int i = 0; i < 50; i++)
		assert_true(seen[i]);
	end(pool, &w);
}

static void the_descriptor_tells(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);
	struct pollfd p = {pool_fd(pool), POLLIN, 0};

	(void)state;
	assert_int_equal(poll(&p, 1, 0), 0);
	submit(pool, &w, 1, 0, 0, false);
	assert_int_equal(poll(&p, 1, 10000), 1);
	assert_int_equal(w.n_done, 0); /* not before the owner reaps */
	assert_true(pool_busy(pool));
	pool_reap(pool);
	assert_int_equal(w.n_done, 1);
	assert_int_equal(poll(&p, 1, 0), 0);
	end(pool, &w);
}

static void urgent_ones_first(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);

	(void)state;
	submit(pool, &w, 1, 0, 0, true);
	sem_wait(&w.started);
	submit(pool, &w, 2, 0, 0, false);
	submit(pool, &w, 3, 0, 5, false);
	submit(pool, &w, 4, 0, 5, false);
	submit(pool, &w, 5, 0, 9, false);
	sem_post(&w.go);
	pool_settle(pool);
	assert_memory_equal(w.order, ((int[]){1, 5, 3, 4, 2}), 5 * sizeof(int));
	end(pool, &w);
}

static void a_key_replaces_the_queued(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);

	(void)state;
	submit(pool, &w, 1, 0, 0, true);
	sem_wait(&w.started);
	submit(pool, &w, 2, 7, 0, false);
	submit(pool, &w, 3, 8, 0, false);
	submit(pool, &w, 4, 7, 0, false);
	sem_post(&w.go);
	pool_settle(pool);
	assert_int_equal(w.n_done, 3);
	assert_memory_equal(w.order, ((int[]){1, 3, 4}), 3 * sizeof(int));
	assert_int_equal(w.n_freed, 4);
	assert_int_equal(atomic_load(&w.n_run), 3); /* the replaced one never ran */
	end(pool, &w);
}

static void a_key_cancels_the_running(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 2);

	(void)state;
	submit(pool, &w, 1, 7, 0, true);
	sem_wait(&w.started);
	submit(pool, &w, 2, 7, 0, false);
	sem_post(&w.go);
	pool_settle(pool);
	assert_true(atomic_load(&w.saw_cancel));
	assert_int_equal(w.n_done, 1);
	assert_int_equal(w.order[0], 2);
	assert_int_equal(w.n_freed, 2);
	end(pool, &w);
}

/* Ended, not reaped yet: a newer one of the same key makes it stale all the same. */
static void a_stale_result_never_arrives(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);
	struct pollfd p = {pool_fd(pool), POLLIN, 0};

	(void)state;
	submit(pool, &w, 1, 7, 0, false);
	assert_int_equal(poll(&p, 1, 10000), 1);
	submit(pool, &w, 2, 7, 0, false);
	pool_settle(pool);
	assert_int_equal(w.n_done, 1);
	assert_int_equal(w.order[0], 2);
	submit(pool, &w, 3, 7, 0, false);
	assert_int_equal(poll(&p, 1, 10000), 1);
	pool_cancel(pool, 7);
	pool_settle(pool);
	assert_int_equal(w.n_done, 1);
	assert_int_equal(w.n_freed, 3);
	end(pool, &w);
}

static void cancelling_by_key(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);

	(void)state;
	submit(pool, &w, 1, 7, 0, true);
	sem_wait(&w.started);
	submit(pool, &w, 2, 7, 0, false);
	submit(pool, &w, 3, 9, 0, false);
	pool_cancel(pool, 7);
	sem_post(&w.go);
	pool_settle(pool);
	assert_true(atomic_load(&w.saw_cancel));
	assert_int_equal(w.n_done, 1);
	assert_int_equal(w.order[0], 3);
	assert_int_equal(w.n_freed, 3);
	end(pool, &w);
}

static void freeing_with_work_left(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 1);

	(void)state;
	submit(pool, &w, 1, 0, 0, true);
	sem_wait(&w.started);
	submit(pool, &w, 2, 0, 0, false);
	sem_post(&w.go);
	pool_free(pool);
	assert_int_equal(w.n_freed, 2);
	assert_int_equal(w.n_done, 0);
	pool_free(NULL);
	sem_destroy(&w.started);
	sem_destroy(&w.go);
}

/* Many keys over and over, as a moving cursor makes them: the last of each key arrives, once. */
static void a_storm_of_replacements(void **state)
{
	struct watch w;
	struct pool *pool = begin(&w, 3);
	int last[4] = {-1, -1, -1, -1};

	(void)state;
	for (int i = 0; i < 2000; i++) {
		submit(pool, &w, i, 1 + (uint64_t)i % 4, i % 3, false);
		last[i % 4] = i;
		if (i % 50 == 49) {
			pool_settle(pool);
			assert_true(w.n_done >= 1 && w.n_done <= 50);
			for (int k = 0; k < 4; k++) {
				bool found = false;

				for (int j = 0; j < w.n_done; j++)
					found = found || w.order[j] == last[k];
				assert_true(found || i < 4);
			}
			w.n_done = 0;
		} else if (i % 7 == 0) {
			pool_reap(pool);
		}
	}
	assert_int_equal(w.n_freed, 2000);
	end(pool, &w);
}

static void cancel_wakes_a_waiter(void **state)
{
	struct cancel c;
	struct err err = ERR_INIT;
	struct pollfd p;

	(void)state;
	cancel_init(&c);
	assert_int_equal(cancel_check(&c, &err), OK);
	assert_int_equal(cancel_check(NULL, &err), OK);
	p = (struct pollfd){cancel_fd(&c), POLLIN, 0};
	assert_int_equal(poll(&p, 1, 0), 0);
	cancel_now(&c);
	cancel_now(&c);
	assert_int_equal(poll(&p, 1, 0), 1);
	assert_int_equal(cancel_check(&c, &err), E_CANCELLED);
	cancel_release(&c);
	cancel_release(&c);
}

/* --- news --- */

struct teller {
	struct job job;
	sem_t told, go;
	atomic_int value; /* the latest */
	int n_news, seen, n_done, n_freed;
};

static void run_teller(struct job *job)
{
	struct teller *t = (struct teller *)job;

	for (int i = 1; i <= 3; i++) {
		atomic_store(&t->value, i);
		job_tell(job);
		sem_post(&t->told);
		sem_wait(&t->go);
	}
	job_tell(job); /* nobody looks before it ends */
}

static void take_news(struct job *job)
{
	struct teller *t = (struct teller *)job;

	assert_int_equal(t->n_done, 0);
	t->n_news++;
	t->seen = atomic_load(&t->value);
}

static void teller_done(struct job *job)
{
	((struct teller *)job)->n_done++;
}

static void keep_teller(struct job *job)
{
	((struct teller *)job)->n_freed++;
}

static bool wait_for(struct pool *pool)
{
	struct pollfd p = {pool_fd(pool), POLLIN, 0};

	return poll(&p, 1, 5000) == 1;
}

static void news_come_before_the_end(void **state)
{
	struct err err = ERR_INIT;
	struct pool *pool = pool_new(2, &err);

	(void)state;
	for (int cancelled = 0; cancelled < 2; cancelled++) {
		struct teller t = {.job = {.key = 7, .run = run_teller, .news = take_news,
					   .done = teller_done, .free_job = keep_teller}};

		sem_init(&t.told, 0, 0);
		sem_init(&t.go, 0, 0);
		pool_submit(pool, &t.job);
		sem_wait(&t.told);
		assert_true(wait_for(pool));
		pool_reap(pool);
		assert_int_equal(t.n_news, 1);
		assert_int_equal(t.seen, 1);
		pool_reap(pool); /* told once, shown once */
		assert_int_equal(t.n_news, 1);
		if (cancelled)
			pool_cancel(pool, 7);
		sem_post(&t.go);
		sem_wait(&t.told);
		pool_reap(pool);
		assert_int_equal(t.n_news, cancelled ? 1 : 2);
		sem_post(&t.go);
		sem_wait(&t.told);
		sem_post(&t.go);
		pool_settle(pool);
		assert_int_equal(t.n_done, !cancelled);
		assert_int_equal(t.n_freed, 1);
		sem_destroy(&t.told);
		sem_destroy(&t.go);
	}
	pool_free(pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(all_jobs_are_done_once),
	    cmocka_unit_test(the_descriptor_tells),
	    cmocka_unit_test(urgent_ones_first),
	    cmocka_unit_test(a_key_replaces_the_queued),
	    cmocka_unit_test(a_key_cancels_the_running),
	    cmocka_unit_test(a_stale_result_never_arrives),
	    cmocka_unit_test(cancelling_by_key),
	    cmocka_unit_test(freeing_with_work_left),
	    cmocka_unit_test(a_storm_of_replacements),
	    cmocka_unit_test(cancel_wakes_a_waiter),
	    cmocka_unit_test(news_come_before_the_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
