#include "tui/narrow.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"

#define NARROW_KEY 0x6e6172726f770000 /* of the sieve's question */

/* Above so many answers the panel's votes are counted by a worker. */
#define VOTES_AT_ONCE ((uint64_t)4 << 20)

/* --- what a filter is evaluated in --- */

static void drop_things(struct narrow *w)
{
	search_things_release(&w->things);
	w->things_version = 0;
}

void narrow_drop(struct app *app)
{
	struct narrow *w = &app->narrow;

	if (app->pool)
		pool_cancel(app->pool, NARROW_KEY);
	partial_end(app);
	conditions_drop(app);
	filter_free(w->filter);
	filter_free(w->waiting);
	filter_cache_free(w->cache);
	search_free(w->search);
	drop_things(w);
	*w = (struct narrow){0};
	meter_close(app, NARROW_KEY);
	app->scene.narrowing = false;
}

const struct filter_ctx *narrow_ctx(struct app *app, struct err *err)
{
	struct narrow *w = &app->narrow;
	const struct scene *s = &app->scene;

	if (!grow_whole(app)) {
		err_set(err, E_DB, "%s", buf_cstr(&app->message));
		return NULL;
	}
	if (!w->search && search_new(&w->search, app->conn, s->snap, err) != OK)
		return NULL;
	if (w->cache && !lens_eq(&w->lens, &s->lens)) {
		filter_cache_free(w->cache);
		w->cache = NULL;
	}
	w->lens = s->lens;
	if (!w->cache)
		w->cache = filter_cache_new(s->snap, &w->lens);
	if (s->mine && w->things_version != s->mine->version + 1) {
		drop_things(w);
		search_things(s->mine, &w->things);
		w->things_version = s->mine->version + 1;
	}
	w->ctx = (struct filter_ctx){.snap = s->snap,
				     .lens = &w->lens,
				     .a = s->a,
				     .b = s->b,
				     .panel = s->panel,
				     .n_panel = s->n_panel,
				     .source = search_source(w->search),
				     .things = s->mine ? &w->things : NULL,
				     .cache = w->cache};
	return &w->ctx;
}

/* --- the list --- */

static char *text_of(const struct filter *f, const struct filter_ctx *ctx)
{
	struct buf text = BUF_INIT;

	filter_format(f, ctx, &text);
	return buf_take(&text);
}

void narrow_stay_near(struct app *app)
{
	const struct scene *s = &app->scene;
	uint32_t n = s->snap->n, at = s->current, near = UINT32_MAX;

	if (!scene_shown(s) || scene_place(s, s->current) != SCENE_NOWHERE)
		return;
	for (uint32_t i = 0; s->sorted && i < n; i++)
		if (s->sorted[i] == s->current)
			at = i;
	for (uint32_t i = at; i < n && near == UINT32_MAX; i++)
		if (bits_get(s->shown, s->sorted ? s->sorted[i] : i))
			near = s->sorted ? s->sorted[i] : i;
	app_go(app, near != UINT32_MAX ? near : scene_at(s, scene_shown(s) - 1));
}

/* Takes bits: what the filter is true for; NULL: for all. The base holds them in. */
static void show(struct app *app, uint64_t *bits)
{
	struct scene *s = &app->scene;
	size_t n = s->snap->n;

	if (s->base && bits) {
		bits_and(bits, s->base, n);
	} else if (s->base) {
		bits = bits_new(n);
		if (bits)
			memcpy(bits, s->base, bits_words(n) * sizeof *bits);
	}
	scene_show(s, bits);
	s->anchor = -1;
	narrow_stay_near(app);
	app->reactions |= REACT_REFILTER;
	app->dirty = true;
}

/* Takes f and bits. */
static void apply(struct app *app, struct filter *f, uint64_t *bits)
{
	struct narrow *w = &app->narrow;
	struct scene *s = &app->scene;

	filter_free(w->filter);
	w->filter = f;
	free(s->filter);
	s->filter = f ? text_of(f, &w->ctx) : NULL;
	s->filter_off = false;
	s->narrowing = false;
	show(app, bits);
}

/* Ctrl-c: the list as it was. */
static void stopped(struct app *app)
{
	narrow_stop(app);
	app_message(app, STYLE_MESSAGE, "the filter was stopped; the list is as it was");
}

void narrow_stop(struct app *app)
{
	struct narrow *w = &app->narrow;

	if (app->pool)
		pool_cancel(app->pool, NARROW_KEY);
	meter_close(app, NARROW_KEY);
	partial_end(app);
	filter_free(w->waiting);
	w->waiting = NULL;
	app->scene.narrowing = false;
}

static void come_on(struct app *app, struct sieve_progress *progress)
{
	meter_move(app, NARROW_KEY, progress->done, progress->all);
	if (!progress->bits || !app->narrow.waiting)
		return;
	meter_found(app, NARROW_KEY, progress->n);
	partial_show(app, app->narrow.waiting, progress->bits);
}

static void arrived(struct app *app, struct sieve_answer *answer)
{
	struct narrow *w = &app->narrow;
	struct filter *f = w->waiting;
	struct err err = ERR_INIT;

	w->waiting = NULL;
	app->scene.narrowing = false;
	app->dirty = true;
	meter_close(app, NARROW_KEY);
	partial_end(app);
	if (answer->st == OK && f && narrow_ctx(app, &err)) {
		conditions_learn(app, f, answer->bits);
		apply(app, f, answer->bits);
		answer->bits = NULL;
		return;
	}
	filter_free(f);
	app_message(app, STYLE_WARNING, "%s", answer->st != OK ? answer->err.msg : err.msg);
}

static bool takes_time(const struct app *app, const struct filter *f)
{
	const struct scene *s = &app->scene;
	unsigned uses = filter_uses(f);

	return app->pool && ((uses & FILTER_USES_TEXT) ||
			     ((uses & FILTER_USES_PANEL) &&
			      (uint64_t)s->snap->n * (uint64_t)s->n_panel > VOTES_AT_ONCE));
}

/* Takes f. */
static void ask_sieve(struct app *app, struct filter *f)
{
	struct buf text = BUF_INIT;
	struct sieve_question q = {.key = NARROW_KEY, .urgency = 1, .within = app->scene.base,
				    .progress = come_on, .done = arrived};

	filter_free(app->narrow.waiting);
	app->narrow.waiting = f;
	app->scene.narrowing = true;
	filter_format(f, NULL, &text);
	q.text = buf_view(&text);
	meter_open(app, (struct meter){.key = NARROW_KEY, .what = "searching", .stop = stopped});
	sieve_ask(app, &q);
	buf_release(&text);
}

/* Takes f, a checked filter. */
static enum status evaluate(struct app *app, struct filter *f, const struct filter_ctx *ctx,
			    struct err *err)
{
	uint64_t *bits;
	enum status st;

	if (takes_time(app, f)) {
		bits = conditions_all(app, f);
		if (bits)
			apply(app, f, bits);
		else
			ask_sieve(app, f);
		return OK;
	}
	bits = bits_new(app->scene.snap->n);
	st = bits ? filter_eval(f, ctx, bits, NULL, err)
		  : err_set(err, E_MEMORY, "there is no memory to filter %u samples", app->scene.snap->n);
	if (st == OK) {
		apply(app, f, bits);
		return OK;
	}
	free(bits);
	filter_free(f);
	return st;
}

enum status narrow_set(struct app *app, struct str text, struct filter_fault *fault, struct err *err)
{
	const struct filter_ctx *ctx;
	struct filter *f;
	enum status st;

	if (!app->scene.snap)
		return err_set(err, E_USAGE, "there are no samples to filter");
	narrow_stop(app);
	if (!(ctx = narrow_ctx(app, err)))
		return err->code;
	st = filter_parse(text, ctx, &f, fault, err);
	if (st != OK)
		return st;
	if (!filter_is_empty(f))
		return evaluate(app, f, ctx, err);
	filter_free(f);
	apply(app, NULL, NULL);
	return OK;
}

enum status narrow_and(struct app *app, struct str condition, bool exclude, struct err *err)
{
	const struct filter *f = app->narrow.waiting ? app->narrow.waiting : app->narrow.filter;
	struct buf text = BUF_INIT;
	enum status st;

	if (f) {
		buf_ch(&text, '(');
		filter_format(f, NULL, &text);
		buf_z(&text, ") ");
	}
	buf_z(&text, exclude ? "-(" : "(");
	buf_put(&text, condition.p, condition.n);
	buf_ch(&text, ')');
	st = narrow_set(app, buf_view(&text), NULL, err);
	buf_release(&text);
	return st;
}

enum status narrow_without(struct app *app, size_t k, struct err *err)
{
	struct buf text = BUF_INIT;
	enum status st;

	if (app->narrow.filter)
		filter_format_without(app->narrow.filter, k, &text);
	st = narrow_set(app, buf_view(&text), NULL, err);
	buf_release(&text);
	return st;
}

/* The same filter once more. */
static void again(struct app *app)
{
	struct err err = ERR_INIT;
	char *text = text_of(app->narrow.filter, NULL);

	if (narrow_set(app, str_z(text), NULL, &err) != OK)
		app_message(app, STYLE_WARNING, "the filter does not apply any more: %s", err.msg);
	free(text);
}

bool narrow_toggle(struct app *app)
{
	if (!app->narrow.filter)
		return false;
	if (app->scene.filter_off) {
		again(app);
	} else {
		app->scene.filter_off = true;
		show(app, NULL);
	}
	return true;
}

/* --- the base --- */

void narrow_base(struct app *app)
{
	struct scene *s = &app->scene;
	struct buf text = BUF_INIT;
	bool has = s->filter && !s->filter_off;

	if (has && s->base_filter)
		buf_printf(&text, "(%s) (%s)", s->base_filter, s->filter);
	else if (has)
		buf_z(&text, s->filter);
	free(s->base);
	free(s->base_filter);
	s->base_filter = has ? buf_take(&text) : NULL;
	s->base = has ? bits_new(s->snap->n) : NULL;
	if (s->base)
		memcpy(s->base, s->shown, bits_words(s->snap->n) * sizeof *s->base);
	s->n_base = s->base ? s->n_shown : s->snap->n;
	apply(app, NULL, NULL);
	buf_release(&text);
}

void narrow_settle(struct app *app, unsigned changed)
{
	const struct narrow *w = &app->narrow;

	if (w->filter && !app->scene.filter_off && (filter_uses(w->filter) & changed))
		again(app);
}
