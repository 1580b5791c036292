/* All runs of the file into the project: laid out by other threads, written by this one. */
#include "db/store_merge.h"

/* Columns of the file's runs, laid out ahead; those of a run that is compared never are. */
struct laying {
	struct store *s;
	struct laid *laid; /* by run */
	bool *compared;
};

static void lay(void *ctx, size_t i)
{
	const struct laying *l = ctx;

	if (l->s->runs.v[i].n && !l->compared[i])
		store_answers_lay(l->s, &l->s->runs.v[i], &l->laid[i]);
}

static enum status write_each(struct store *s, struct laying *l, struct ahead *ahead, struct err *err)
{
	for (size_t i = 0; i < s->runs.n; i++) {
		struct run_in *r = &s->runs.v[i];
		enum status rc = cancel_check(s->cancel, err);

		store_ahead_wait(ahead, i);
		if (rc == OK && r->n)
			rc = store_run_write(s, r, &l->laid[i], err);
		store_laid_release(&l->laid[i]);
		store_run_release(r);
		if (rc != OK)
			return rc;
	}
	return OK;
}

enum status store_runs_write(struct store *s, struct err *err)
{
	size_t n = s->runs.n;
	struct laying l = {s, xcalloc(n + 1, sizeof *l.laid), xcalloc(n + 1, sizeof *l.compared)};
	struct ahead *ahead = store_ahead_new(s, n, lay, &l);
	enum status rc = OK;

	for (size_t i = 0; i < n && rc == OK; i++)
		if (s->runs.v[i].n)
			rc = store_run_compared(s, &s->runs.v[i], &l.compared[i], err);
	if (rc == OK)
		rc = write_each(s, &l, ahead, err);
	store_ahead_free(ahead);
	for (size_t i = 0; i < n; i++)
		store_laid_release(&l.laid[i]);
	free(l.laid);
	free(l.compared);
	return rc;
}
