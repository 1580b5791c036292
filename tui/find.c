#include "tui/find.h"

#include <pthread.h>
#include <stdlib.h>

#include "core/base/job.h"
#include "core/base/xmalloc.h"
#include "db/search_everywhere.h"
#include "tui/app.h"
#include "tui/view/sign.h"

#define FIND_KEY     0x66696e6400000000
#define FIND_TELL_MS 40 /* between two looks at what was found; the first is at once */
#define AT_ONCE_MS   10 /* of searching before the next frame */
#define NEAR_AFTER   192 /* lines of a sorted list that are looked at first */
#define NEAR_BEFORE  64

struct find_job {
	struct job job;
	char *project;
	struct snapshot *snap;
	struct needle *needle;
	int run, *runs, n_runs;
	uint32_t from, *first, n_first;
	struct err err;
	int64_t told;
	pthread_mutex_t lock;
	/* under the lock */
	uint64_t *bits;
	uint32_t covered;
};

/* --- the needle --- */

/* As in a filter: a slash at both ends makes a regular expression, "\/" in it is a slash. */
static enum status make_needle(struct str text, struct needle **out, struct err *err)
{
	struct buf re = BUF_INIT;
	enum status st;

	if (text.n < 3 || text.p[0] != '/' || text.p[text.n - 1] != '/')
		return needle_new(out, text, false, err);
	for (size_t i = 1; i + 1 < text.n; i++)
		if (text.p[i] != '\\' || text.p[i + 1] != '/' || i + 2 == text.n)
			buf_ch(&re, text.p[i]);
	st = needle_new(out, buf_view(&re), true, err);
	buf_release(&re);
	return st;
}

/* --- on a worker --- */

static void tell(void *ctx, uint32_t covered, const uint64_t *bits)
{
	struct find_job *j = ctx;
	int64_t now = app_clock();

	if (now - j->told < FIND_TELL_MS && covered < j->snap->n)
		return;
	j->told = now;
	pthread_mutex_lock(&j->lock);
	memcpy(j->bits, bits, bits_words(j->snap->n) * sizeof *bits);
	j->covered = covered;
	pthread_mutex_unlock(&j->lock);
	job_tell(&j->job);
}

static enum status search(struct find_job *j, uint64_t *bits)
{
	struct search_everywhere what = {.needle = j->needle, .run = j->run, .runs = j->runs,
					 .n_runs = j->n_runs, .from = j->from,
					 .first = j->first, .n_first = j->n_first,
					 .cancel = &j->job.cancel, .tell = tell, .ctx = j};
	struct conn *c = NULL;
	struct search *s = NULL;
	enum status st = conn_open(&c, j->project, CONN_READ, &j->err);

	if (st == OK)
		st = search_new(&s, c, j->snap, &j->err);
	if (st == OK)
		st = search_everywhere(s, &what, bits, &j->err);
	search_free(s);
	conn_close(c);
	return st;
}

static void run(struct job *job)
{
	struct find_job *j = (struct find_job *)job;
	uint64_t *bits = bits_new(j->snap->n);

	if (!bits || !j->bits)
		err_set(&j->err, E_MEMORY, "there is no memory to search %u samples", j->snap->n);
	else
		search(j, bits);
	free(bits);
}

static void free_find(struct job *job)
{
	struct find_job *j = (struct find_job *)job;

	pthread_mutex_destroy(&j->lock);
	snapshot_free(j->snap);
	needle_free(j->needle);
	free(j->project);
	free(j->runs);
	free(j->first);
	free(j->bits);
	free(j);
}

/* --- steps --- */

static uint32_t list_hits(const struct app *app)
{
	const struct scene *s = &app->scene;

	return (uint32_t)(s->shown ? bits_count_and(app->find.bits, s->shown, s->snap->n)
				   : bits_count(app->find.bits, s->snap->n));
}

/* The place of the nearest hit in the list; SCENE_NOWHERE: there is none yet. */
static uint32_t nearest(const struct app *app)
{
	const struct find *f = &app->find;
	const struct scene *s = &app->scene;
	uint32_t n = scene_shown(s), at = scene_place(s, f->origin);

	at = at == SCENE_NOWHERE ? 0 : at;
	for (uint32_t k = f->here ? 0 : 1; k < n + !f->here; k++) {
		uint32_t place = (f->step > 0 ? at + k : at + n - k % n) % n;

		if (bits_get(f->bits, scene_at(s, place)))
			return place;
	}
	return SCENE_NOWHERE;
}

static bool is_known(const struct find *f, uint32_t n, uint32_t ord)
{
	return (ord + n - f->from) % n < f->covered || (f->near_known && bits_get(f->near, ord));
}

/* Are the samples between the origin and that place known, in the order of the list? */
static bool between_known(const struct app *app, uint32_t place)
{
	const struct find *f = &app->find;
	const struct scene *s = &app->scene;
	uint32_t n = scene_shown(s), at = scene_place(s, f->origin);

	at = at == SCENE_NOWHERE ? 0 : at;
	for (uint32_t k = f->here ? 0 : 1; k <= n; k++) {
		uint32_t next = (f->step > 0 ? at + k : at + n - k % n) % n;

		if (next == place)
			return true;
		if (!is_known(f, s->snap->n, scene_at(s, next)))
			return false;
	}
	return true;
}

/* Can no nearer one come? That is known when all samples between have been searched. */
static bool is_nearest(const struct app *app, uint32_t ord)
{
	const struct find *f = &app->find;
	const struct scene *s = &app->scene;
	uint32_t n = s->snap->n, first, between;

	if (!f->working)
		return true;
	if (s->sorted)
		return between_known(app, scene_place(s, ord));
	first = f->step > 0 ? f->origin : (ord + 1) % n;
	between = f->step > 0 ? (ord + n - f->origin) % n : (f->origin + n - ord) % n;
	if (!between && !f->here)
		between = n;
	return (uint64_t)((first + n - f->from) % n) + between <= f->covered;
}

static void say_none(struct app *app)
{
	const struct find *f = &app->find;
	size_t all = bits_count(f->bits, app->scene.snap->n);
	char n[28];

	if (all)
		app_message(app, STYLE_MESSAGE, "none of the list has \"%s\" in it, but %s of the others",
			    f->text, count_text(all, n));
	else
		app_message(app, STYLE_MESSAGE, "no sample has \"%s\" in it", f->text);
}

/* "hit 3 of 120", once all are known. */
static void say_hit(struct app *app, uint32_t place)
{
	const struct find *f = &app->find;
	const char *how = f->around ? ", from the other end" : "";
	uint32_t at = 0;
	char k[28], n[28];

	if (f->working) {
		app_message(app, STYLE_MESSAGE, "a hit%s; counting them %s", how, sign(SIGN_WAIT));
		return;
	}
	for (uint32_t i = 0; i <= place; i++)
		at += bits_get(f->bits, scene_at(&app->scene, i));
	app_message(app, STYLE_MESSAGE, "hit %s of %s%s", count_text(at, k),
		    count_text(list_hits(app), n), how);
}

/* False: it waits. */
static bool one_step(struct app *app)
{
	struct find *f = &app->find;
	struct scene *s = &app->scene;
	uint32_t place, was = scene_place(s, f->origin);
	struct jump before;

	place = scene_shown(s) ? nearest(app) : SCENE_NOWHERE;
	if (place == SCENE_NOWHERE ? f->working : !is_nearest(app, scene_at(s, place)))
		return false;
	if (place == SCENE_NOWHERE) {
		say_none(app);
		f->more = 0;
	} else {
		f->around = was != SCENE_NOWHERE && (f->step < 0 ? place >= was
						     : f->here   ? place < was
								 : place <= was);
		before = jump_begin(app);
		app_go(app, scene_at(s, place));
		jump_end(app, before, "search");
		say_hit(app, place);
		f->origin = s->current;
	}
	f->step = 0;
	return true;
}

static void try_step(struct app *app)
{
	struct find *f = &app->find;

	while (f->step && f->bits && one_step(app))
		if (f->more) {
			f->step = f->more > 0 ? 1 : -1;
			f->more -= f->step;
			f->here = false;
		}
}

/* --- on the screen's thread --- */

static void take(struct app *app, struct find_job *j)
{
	struct find *f = &app->find;
	uint32_t n = j->snap->n;

	pthread_mutex_lock(&j->lock);
	if (f->bits)
		memcpy(f->bits, j->bits, bits_words(n) * sizeof *f->bits);
	f->covered = j->covered;
	f->near_known = f->near; /* they are looked at before the first word */
	pthread_mutex_unlock(&j->lock);
	/* Who has gone elsewhere meanwhile is not taken away from there. */
	if (app->scene.current != f->origin)
		f->step = f->more = 0;
	meter_move(app, FIND_KEY, f->covered, n);
	if (f->bits)
		meter_found(app, FIND_KEY, list_hits(app));
	app->dirty = true;
}

static void news(struct job *job)
{
	struct find_job *j = (struct find_job *)job;
	struct app *app = job->owner;

	if (j->snap != app->scene.snap)
		return;
	take(app, j);
	try_step(app);
}

static void done(struct job *job)
{
	struct find_job *j = (struct find_job *)job;
	struct app *app = job->owner;
	struct find *f = &app->find;
	bool counting = f->bits && !f->step && app->scene.current == f->origin &&
			bits_get(f->bits, f->origin);

	meter_close(app, FIND_KEY);
	f->working = false;
	if (j->err.code != OK) {
		find_forget(app);
		app_message(app, STYLE_WARNING, "%s", j->err.msg);
	} else if (j->snap == app->scene.snap) {
		take(app, j);
		if (counting && app->message.n)
			say_hit(app, scene_place(&app->scene, f->origin));
		try_step(app);
	}
}

static void stop(struct app *app)
{
	find_stop(app);
	app_message(app, STYLE_MESSAGE, "the search was stopped");
}

/* Whose classes' names are shown: the panel's, in the preview, and those of the list's columns.
 * Owned by the caller. */
static int *named_runs(const struct app *app, int *n)
{
	const struct scene *s = &app->scene;
	const struct columns *c = &app->columns;
	int *runs = xcalloc((size_t)s->n_panel + (size_t)c->n + 1, sizeof *runs);

	*n = 0;
	for (int i = 0; i < s->n_panel; i++)
		runs[(*n)++] = s->panel[i];
	if (s->a >= 0)
		runs[(*n)++] = s->a;
	for (int k = 0; k < c->n; k++)
		if (c->v[k].id == COLUMN_ANSWER && column_run(s, &c->v[k]) >= 0)
			runs[(*n)++] = column_run(s, &c->v[k]);
	return runs;
}

static uint64_t named_sum(const struct app *app)
{
	int n, *runs = named_runs(app, &n);
	uint64_t sum = 0;

	for (int i = 0; i < n; i++)
		sum = (sum ^ (uint64_t)(runs[i] + 1)) * 0x100000001b3u;
	free(runs);
	return sum;
}

/* --- at once --- */

struct near_look {
	struct find *find;
	size_t n;
	int64_t until;
	struct cancel cancel;
};

static void near_tick(void *ctx)
{
	struct near_look *l = ctx;

	if (app_clock() >= l->until)
		cancel_now(&l->cancel);
}

static void near_tell(void *ctx, uint32_t covered, const uint64_t *bits)
{
	struct near_look *l = ctx;

	memcpy(l->find->bits, bits, bits_words(l->n) * sizeof *bits);
	l->find->covered = covered;
	l->find->near_known = l->find->near;
	near_tick(l);
}

/* What is small, or near, is found before the next frame. */
static void look_near(struct app *app, const int *runs, int n_runs, const uint32_t *first,
		      uint32_t n_first)
{
	struct find *f = &app->find;
	uint32_t n = app->scene.snap->n;
	struct near_look l = {.find = f, .n = n, .until = app_clock() + AT_ONCE_MS};
	struct search_everywhere what = {.needle = f->needle, .run = f->run, .runs = runs,
					 .n_runs = n_runs, .from = f->from, .first = first,
					 .n_first = n_first, .cancel = &l.cancel,
					 .tell = near_tell, .tick = near_tick, .ctx = &l};
	uint64_t *bits = bits_new(n);
	struct err err = ERR_INIT; /* the worker will say it again */

	cancel_init(&l.cancel);
	if (bits && f->bits && narrow_ctx(app, &err))
		search_everywhere(app->narrow.search, &what, bits, &err);
	cancel_release(&l.cancel);
	free(bits);
}

/* --- by a worker --- */

/* Takes runs and first. */
static void submit(struct app *app, int *runs, int n_runs, uint32_t *first, uint32_t n_first)
{
	struct find *f = &app->find;
	struct scene *s = &app->scene;
	struct find_job *j = xcalloc(1, sizeof *j);
	struct err none = ERR_INIT;

	j->job = (struct job){.key = FIND_KEY, .urgency = 2, .run = run, .news = news, .done = done,
			      .free_job = free_find, .owner = app};
	j->project = xstrdup(conn_path(app->conn));
	j->snap = snapshot_share(s->snap);
	make_needle(str_z(f->text), &j->needle, &none); /* it was made before */
	j->run = s->run;
	j->runs = runs;
	j->n_runs = n_runs;
	j->first = first;
	j->n_first = n_first;
	j->from = f->from;
	j->bits = bits_new(s->snap->n);
	pthread_mutex_init(&j->lock, NULL);
	meter_open(app, (struct meter){.key = FIND_KEY, .what = "searching", .unit = "samples",
				       .all = s->snap->n, .stop = stop});
	pool_submit(app->pool, &j->job);
}

/* The lines around the cursor, where their order is not that of the samples. Owned by the caller. */
static uint32_t *near_lines(struct app *app, uint32_t *count)
{
	struct find *f = &app->find;
	const struct scene *s = &app->scene;
	uint32_t n = scene_shown(s), at = scene_place(s, s->current), before, all;
	uint32_t *first = xcalloc(NEAR_BEFORE + NEAR_AFTER, sizeof *first);

	free(f->near);
	f->near = s->sorted ? bits_new(s->snap->n) : NULL;
	f->near_known = false;
	*count = 0;
	if (!f->near || !n)
		return first;
	at = at == SCENE_NOWHERE ? 0 : at;
	all = n < NEAR_BEFORE + NEAR_AFTER ? n : NEAR_BEFORE + NEAR_AFTER;
	before = n < NEAR_BEFORE + NEAR_AFTER ? 0 : NEAR_BEFORE;
	for (; *count < all; ++*count) {
		first[*count] = scene_at(s, (at + n - before + *count) % n);
		bits_set(f->near, first[*count]);
	}
	return first;
}

static void begin(struct app *app)
{
	struct find *f = &app->find;
	struct scene *s = &app->scene;
	int n_runs, *runs = named_runs(app, &n_runs);
	uint32_t n_first, *first;

	pool_cancel(app->pool, FIND_KEY);
	f->run = s->run;
	f->named = named_sum(app);
	f->things = s->mine ? s->mine->version : 0;
	f->from = s->current;
	f->covered = 0;
	free(f->bits);
	f->bits = bits_new(s->snap->n);
	first = near_lines(app, &n_first);
	look_near(app, runs, n_runs, first, n_first);
	f->working = f->covered < s->snap->n;
	if (f->working) {
		submit(app, runs, n_runs, first, n_first);
	} else {
		free(runs);
		free(first);
	}
}

static bool is_old(const struct app *app)
{
	const struct find *f = &app->find;
	const struct scene *s = &app->scene;

	return !f->bits || f->run != s->run || f->named != named_sum(app) ||
	       f->things != (s->mine ? s->mine->version : 0);
}

static unsigned start_step(struct app *app, int by, bool here)
{
	struct find *f = &app->find;

	/* Keys typed ahead: one after the other, when the first has come. */
	if (f->step && !here && f->origin == app->scene.current && !is_old(app)) {
		f->more += by;
		return REACT_REDRAW;
	}
	f->step = by;
	f->more = 0;
	f->here = here;
	f->origin = app->scene.current;
	if (is_old(app))
		begin(app);
	try_step(app);
	return REACT_REDRAW;
}

unsigned find_search(struct app *app, struct str text)
{
	struct find *f = &app->find;
	struct needle *needle = NULL;
	struct err err = ERR_INIT;

	if (!narrow_any(app))
		return REACT_REDRAW;
	if (make_needle(text, &needle, &err) != OK) {
		app_message(app, STYLE_WARNING, "this cannot be searched: %s", err.msg);
		return REACT_REDRAW;
	}
	find_forget(app);
	needle_free(f->needle);
	free(f->text);
	f->needle = needle;
	f->text = xstrndup(text.p, text.n);
	return start_step(app, 1, true);
}

unsigned find_step(struct app *app, int by)
{
	if (!app->find.needle) {
		app_message(app, STYLE_MESSAGE, "nothing has been searched yet: /");
		return REACT_REDRAW;
	}
	return narrow_any(app) ? start_step(app, by, false) : REACT_REDRAW;
}

bool find_stop(struct app *app)
{
	bool working = app->find.working;

	if (working)
		find_forget(app);
	return working;
}

void find_forget(struct app *app)
{
	struct find *f = &app->find;

	if (app->pool)
		pool_cancel(app->pool, FIND_KEY);
	meter_close(app, FIND_KEY);
	free(f->bits);
	f->bits = NULL;
	free(f->near);
	f->near = NULL;
	f->near_known = false;
	f->working = false;
	f->step = f->more = 0;
}

void find_release(struct app *app)
{
	find_forget(app);
	needle_free(app->find.needle);
	free(app->find.text);
	app->find = (struct find){0};
}

void find_mark(struct app *app)
{
	struct scene *s = &app->scene;
	const struct narrow *w = &app->narrow;

	s->hits.n = 0;
	if (app->find.needle)
		hits_add(&s->hits, app->find.needle, HIT_SEARCHED, -1);
	if (w->filter && !s->filter_off)
		hits_add_filter(&s->hits, w->filter, s->a, s->b);
	if (w->waiting)
		hits_add_filter(&s->hits, w->waiting, s->a, s->b);
}
