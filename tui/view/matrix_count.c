/* Counting the matrix, at once or in a worker. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/matrix_impl.h"

/* --- what is wished for --- */

static uint64_t *mask_of(const struct scene *s)
{
	uint64_t *mask = s->shown || s->stale ? bits_new(s->snap->n) : NULL;

	if (!mask)
		return NULL;
	if (s->shown)
		memcpy(mask, s->shown, bits_words(s->snap->n) * sizeof *mask);
	else
		bits_fill(mask, s->snap->n, true);
	if (s->stale)
		bits_and_not(mask, s->stale, s->snap->n);
	return mask;
}

void matrix_wish_make(struct matrix_wish *w, const struct scene *s, const struct matrix_look *look)
{
	*w = (struct matrix_wish){.snap = snapshot_share(s->snap),
				  .lens = s->lens,
				  .a = s->a,
				  .b = look->difference ? s->b : -1,
				  .mask = mask_of(s),
				  .order = look->order};
	if (!look->folded)
		return;
	w->folded = xcalloc((size_t)s->snap->n_classes + 1, 1);
	memcpy(w->folded, look->folded, s->snap->n_classes);
}

void matrix_wish_release(struct matrix_wish *w)
{
	snapshot_free(w->snap);
	free(w->mask);
	free(w->folded);
	*w = (struct matrix_wish){.a = -1, .b = -1};
}

/* --- counting --- */

static bool occurs(const struct crosstab *t, uint32_t c)
{
	return t->m.support[c] || t->in_column[c];
}

/* A class that another one stands for has no line of its own. */
static void order_classes(const struct matrix_wish *w, const uint32_t *group, struct matrix_counts *c)
{
	uint32_t n = w->snap->n_classes, kept = 0;

	c->order = xcalloc((size_t)n + 1, sizeof *c->order);
	class_order_make(w->snap, &c->a.m, w->order, c->order);
	for (uint32_t k = 0; k < n; k++) {
		uint32_t class = c->order[k];

		if (group && group[class] != class)
			continue;
		if (n <= MATRIX_ALL_CLASSES || occurs(&c->a, class) ||
		    (c->has_b && occurs(&c->b, class)))
			c->order[kept++] = class;
	}
	c->n_order = kept;
}

static void measure_names(struct matrix_answer *out)
{
	for (uint32_t k = 0; k < out->counts.n_order; k++) {
		int w = text_width(str_z(out->names.name[out->counts.order[k]]));

		if (w > (int)out->counts.longest)
			out->counts.longest = (uint32_t)w;
	}
}

static void rank_pairs(struct matrix_counts *c)
{
	const struct confusion *m = &c->a.m;

	c->pair = xcalloc(MATRIX_PAIRS_MAX, sizeof *c->pair);
	c->all_pairs = confusion_pairs(m, true, MATRIX_PAIRS_MAX, c->pair);
	c->n_pairs = c->all_pairs < MATRIX_PAIRS_MAX ? (uint32_t)c->all_pairs : MATRIX_PAIRS_MAX;
	for (uint32_t r = 0; r < m->n_classes; r++)
		c->errors += m->row[r] - confusion_at(m, r, r);
}

static void count_run(const struct matrix_wish *w, int run, const uint8_t *known,
		      const struct confusion_way *way, struct crosstab *out)
{
	uint8_t *verdict = known ? NULL : xcalloc((size_t)w->snap->n + 1, 1);

	if (verdict)
		eval_verdicts(w->snap, &w->lens, run, verdict);
	crosstab_make_by(w->snap, &w->lens, run, known ? known : verdict, w->mask, way, out);
	free(verdict);
}

void matrix_count(const struct matrix_wish *w, const uint8_t *const verdict[2],
		  const struct confusion_way *way, struct matrix_answer *out)
{
	uint32_t *group = matrix_groups(w->snap, w->folded);
	struct confusion_way mine = *way;

	*out = (struct matrix_answer){.made = true};
	mine.group = group;
	matrix_names_make(w->snap, w->folded, &out->names);
	count_run(w, w->a, verdict[0], &mine, &out->counts.a);
	out->counts.has_b = w->b >= 0;
	if (out->counts.has_b)
		count_run(w, w->b, verdict[1], &mine, &out->counts.b);
	order_classes(w, group, &out->counts);
	measure_names(out);
	rank_pairs(&out->counts);
	free(group);
}

void matrix_answer_release(struct matrix_answer *a)
{
	if (!a->made)
		return;
	crosstab_release(&a->counts.a);
	if (a->counts.has_b)
		crosstab_release(&a->counts.b);
	free(a->counts.order);
	free(a->counts.pair);
	matrix_names_release(&a->names);
	*a = (struct matrix_answer){.made = false};
}

/* --- in a worker --- */

struct matrix_job {
	struct job job;
	struct app *app;
	struct matrix_wish wish;
	struct matrix_answer answer;
	atomic_uint_least64_t looked; /* samples, of a and then of b */
	uint64_t before, last;        /* of runs that are done; looked at in this one */
	void (*done)(void *owner, struct matrix_answer *answer);
};

static void tell(void *ctx, uint32_t looked)
{
	struct matrix_job *j = ctx;

	if (looked < j->last)
		j->before = j->wish.snap->n;
	j->last = looked;
	atomic_store(&j->looked, j->before + looked);
	job_tell(&j->job);
}

static void run(struct job *job)
{
	struct matrix_job *j = (struct matrix_job *)job;
	const uint8_t *const unknown[2] = {NULL, NULL};
	struct confusion_way way = {.cancel = &job->cancel, .tell = tell, .ctx = j};

	matrix_count(&j->wish, unknown, &way, &j->answer);
}

static uint64_t all_of(const struct matrix_job *j)
{
	return (uint64_t)j->wish.snap->n * (j->wish.b >= 0 ? 2 : 1);
}

static void news(struct job *job)
{
	struct matrix_job *j = (struct matrix_job *)job;

	meter_move(j->app, MATRIX_KEY, atomic_load(&j->looked), all_of(j));
}

static void done(struct job *job)
{
	struct matrix_job *j = (struct matrix_job *)job;

	meter_close(j->app, MATRIX_KEY);
	j->done(job->owner, &j->answer);
	j->app->dirty = true;
}

static void free_job(struct job *job)
{
	struct matrix_job *j = (struct matrix_job *)job;

	matrix_answer_release(&j->answer);
	matrix_wish_release(&j->wish);
	free(j);
}

void matrix_drop(struct app *app)
{
	if (app->pool)
		pool_cancel(app->pool, MATRIX_KEY);
	meter_close(app, MATRIX_KEY);
}

/* By hand: what was counted before is gone. */
static void stop(struct app *app)
{
	matrix_drop(app);
	app->matrix.stopped = true;
	app_message(app, STYLE_MESSAGE, "counting is broken off; Enter begins again");
}

void matrix_start(struct app *app, struct matrix_wish *w,
		  void (*on_done)(void *owner, struct matrix_answer *answer), void *owner)
{
	struct matrix_job *j = xcalloc(1, sizeof *j);

	j->app = app;
	j->wish = *w;
	*w = (struct matrix_wish){.a = -1, .b = -1};
	j->done = on_done;
	j->job = (struct job){.key = MATRIX_KEY, .urgency = 2, .run = run, .news = news, .done = done,
			      .free_job = free_job, .owner = owner};
	meter_open(app, (struct meter){.key = MATRIX_KEY, .what = "counting", .unit = "samples",
				       .all = all_of(j), .stop = stop});
	pool_submit(app->pool, &j->job);
}
