#include "tui/narrow.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/narrow_impl.h"
#include "tui/view/sign.h"

/* Above so many answers the panel's votes are counted by a worker. */
#define VOTES_AT_ONCE ((uint64_t)4 << 20)

/* --- what a filter is evaluated in --- */

static void drop_things(struct narrow *w)
{
	search_things_release(&w->things);
	w->things_version = 0;
}

static bool has_tag(const struct filter_things *t, const char *name)
{
	for (uint32_t i = 0; i < t->n_tags; i++)
		if (strcmp(t->tags[i].name, name) == 0)
			return true;
	return false;
}

static bool remembers(const struct narrow *w, const char *name)
{
	for (size_t i = 0; i < w->tags.n; i++)
		if (strcmp(w->tags.v[i], name) == 0)
			return true;
	return false;
}

/* Perhaps by another word of the same letters: then it is known for nothing. */
static bool mentions(const char *filter, const char *tag)
{
	return filter && strstr(filter, "tag:") && strstr(filter, tag);
}

/* A filter that names a tag goes on to mean something when the last sample loses it. */
static void take_things(struct narrow *w, const struct scene *s)
{
	const struct user_things *mine = s->mine;
	struct filter_things *t = &w->things;
	struct filter_tag *tags;

	drop_things(w);
	search_things(mine, t);
	for (uint32_t i = 0; i < t->n_tags; i++)
		if (!remembers(w, t->tags[i].name))
			vec_push(&w->tags, xstrdup(t->tags[i].name));
	tags = (void *)(uintptr_t)t->tags;
	tags = xrealloc(tags, (t->n_tags + w->tags.n + 1) * sizeof *tags);
	t->tags = tags;
	for (size_t i = 0; i < w->tags.n; i++)
		if (!has_tag(t, w->tags.v[i]) &&
		    (mentions(s->filter, w->tags.v[i]) || mentions(s->base_filter, w->tags.v[i])))
			tags[t->n_tags++] = (struct filter_tag){w->tags.v[i], NULL, 0};
	w->things_version = mine->version + 1;
}

void narrow_drop(struct app *app)
{
	struct narrow *w = &app->narrow;

	for (uint64_t key = NARROW_KEY; app->pool && key <= STALE_KEY; key++)
		pool_cancel(app->pool, key);
	conditions_drop(app);
	meter_close(app, NARROW_KEY);
	partial_end(app);
	filter_free(w->filter);
	filter_free(w->waiting);
	filter_free(w->base);
	filter_free(w->waiting_base);
	filter_cache_free(w->cache);
	search_free(w->search);
	drop_things(w);
	for (size_t i = 0; i < w->tags.n; i++)
		free(w->tags.v[i]);
	vec_release(&w->tags);
	narrow_place_release(&w->later);
	*w = (struct narrow){0};
	app->scene.narrowing = false;
}

const struct filter_ctx *narrow_ctx(struct app *app, struct err *err)
{
	if (grow_whole(app))
		return narrow_names(app, err);
	err_set(err, E_DB, "%s", buf_cstr(&app->message));
	return NULL;
}

/* What the scene has computed for its own need is not computed once more. */
static void lend(struct filter_cache *cache, const struct scene *s)
{
	if (!lens_eq(&s->judged, &s->lens))
		return;
	for (uint32_t r = 0; s->verdict && r < snapshot_answerers(s->snap); r++)
		if (s->verdict[r])
			filter_cache_know(cache, (int)r, s->verdict[r]);
	if (s->category)
		filter_cache_know_categories(cache, s->category);
}

const struct filter_ctx *narrow_names(struct app *app, struct err *err)
{
	struct narrow *w = &app->narrow;
	const struct scene *s = &app->scene;

	if (!w->search && search_new(&w->search, app->conn, s->snap, err) != OK)
		return NULL;
	if (w->cache && !lens_eq(&w->lens, &s->lens)) {
		filter_cache_free(w->cache);
		w->cache = NULL;
	}
	w->lens = s->lens;
	if (!w->cache) {
		w->cache = filter_cache_new(s->snap, &w->lens);
		lend(w->cache, s);
	}
	if (s->mine && w->things_version != s->mine->version + 1)
		take_things(w, s);
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

bool narrow_takes_time(const struct app *app, const struct filter *f)
{
	const struct scene *s = &app->scene;
	unsigned uses = filter_uses(f);

	return app->pool && ((uses & FILTER_USES_TEXT) ||
			     ((uses & FILTER_USES_PANEL) &&
			      (uint64_t)s->snap->n * (uint64_t)s->n_panel > VOTES_AT_ONCE));
}

void narrow_ask(struct app *app, uint64_t key, const struct filter *f,
		void (*progress)(struct app *app, struct sieve_progress *progress),
		void (*done)(struct app *app, struct sieve_answer *answer))
{
	struct buf text = BUF_INIT;
	struct sieve_question q = {.key = key, .urgency = 1, .within = app->scene.base,
				   .progress = progress, .done = done};

	filter_format(f, NULL, &text);
	q.text = buf_view(&text);
	sieve_ask(app, &q);
	buf_release(&text);
}

enum status narrow_eval(struct app *app, const struct filter *f, uint64_t **bits, struct err *err)
{
	const struct filter_ctx *ctx = narrow_ctx(app, err);
	uint32_t n = app->scene.snap->n;
	enum status st;

	*bits = NULL;
	if (!ctx)
		return err->code;
	*bits = bits_new(n);
	if (!*bits)
		return err_set(err, E_MEMORY, "there is no memory to filter %u samples", n);
	st = filter_eval(f, ctx, *bits, NULL, err);
	if (st != OK) {
		free(*bits);
		*bits = NULL;
	}
	return st;
}

/* --- the list --- */

static char *text_of(const struct filter *f, const struct filter_ctx *ctx)
{
	struct buf text = BUF_INIT;

	filter_format(f, ctx, &text);
	return buf_take(&text);
}

void narrow_text(const struct app *app, struct buf *out)
{
	const struct narrow *w = &app->narrow;
	const struct filter *f = w->waiting ? w->waiting : w->filter;

	if (f)
		filter_format(f, NULL, out);
}

void narrow_name(struct app *app)
{
	narrow_name_of(app, app->narrow.filter);
}

void narrow_name_of(struct app *app, const struct filter *f)
{
	const struct narrow *w = &app->narrow;
	struct scene *s = &app->scene;
	size_t n = f ? filter_n_conditions(f) : 0;
	struct buf out = BUF_INIT;

	if (s->base_filter)
		buf_printf(&out, "base %s", s->base_filter);
	for (size_t k = 0; k < n; k++) {
		if (out.n)
			buf_printf(&out, " %s ", sign(SIGN_CURSOR));
		filter_format_condition(f, k, &w->ctx, &out);
	}
	free(s->filter);
	free(s->trail);
	s->filter = f ? text_of(f, &w->ctx) : NULL;
	s->hint = f ? filter_hint(f, &w->ctx) : NULL;
	s->trail = out.n ? buf_take(&out) : NULL;
	buf_release(&out);
}

void narrow_show(struct app *app, uint64_t *bits)
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
	narrow_name(app);
	app->narrow.watched = narrow_stamp(s);
	if (app->pool)
		pool_cancel(app->pool, STALE_KEY);
	s->anchor = -1;
	app_go(app, s->current);
	app->reactions |= REACT_REFILTER;
	app->dirty = true;
}

/* Takes f and bits. */
static void apply(struct app *app, struct filter *f, uint64_t *bits)
{
	struct narrow *w = &app->narrow;
	struct scene *s = &app->scene;

	if (f != w->filter)
		filter_free(w->filter);
	w->filter = f;
	s->filter_off = false;
	s->narrowing = w->waiting_base != NULL;
	narrow_show(app, bits);
	if (s->mine && w->things.n_tags > s->mine->n_tags)
		w->things_version = 0; /* the filter that knew one of them has gone, perhaps */
}

/* Ctrl-c. */
static void give_up(struct app *app)
{
	if (narrow_cancel(app))
		app_message(app, STYLE_MESSAGE, "the filter is given up; the list is as it was");
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
	app->scene.narrowing = w->waiting_base != NULL;
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

static void stop_waiting(struct app *app)
{
	struct narrow *w = &app->narrow;

	if (app->pool)
		pool_cancel(app->pool, NARROW_KEY);
	meter_close(app, NARROW_KEY);
	partial_end(app);
	filter_free(w->waiting);
	w->waiting = NULL;
	app->scene.narrowing = w->waiting_base != NULL;
}

/* Takes f, a checked filter. */
static enum status evaluate(struct app *app, struct filter *f, struct err *err)
{
	uint64_t *bits;
	enum status st;

	if (narrow_takes_time(app, f)) {
		if ((bits = conditions_all(app, f))) {
			apply(app, f, bits);
			return OK;
		}
		app->narrow.waiting = f;
		app->scene.narrowing = true;
		app->dirty = true;
		meter_open(app, (struct meter){.key = NARROW_KEY, .what = "searching", .stop = give_up});
		narrow_ask(app, NARROW_KEY, f, come_on, arrived);
		return OK;
	}
	st = narrow_eval(app, f, &bits, err);
	if (st == OK)
		apply(app, f, bits);
	else
		filter_free(f);
	return st;
}

/* *out: NULL for the empty filter, else owned by the caller. */
static enum status parse(struct app *app, struct str text, struct filter **out,
			 struct filter_fault *fault, struct err *err)
{
	const struct filter_ctx *ctx;
	enum status st;

	*out = NULL;
	if (!app->scene.snap)
		return err_set(err, E_USAGE, "there are no samples to filter");
	if (!(ctx = narrow_ctx(app, err)))
		return err->code;
	st = filter_parse(text, ctx, out, fault, err);
	if (st == OK && filter_is_empty(*out)) {
		filter_free(*out);
		*out = NULL;
	}
	return st;
}

enum status narrow_set(struct app *app, struct str text, struct filter_fault *fault, struct err *err)
{
	struct filter *f;
	enum status st = parse(app, text, &f, fault, err);

	if (st != OK)
		return st;
	stop_waiting(app);
	if (f)
		return evaluate(app, f, err);
	apply(app, NULL, NULL);
	return OK;
}

enum status narrow_take(struct app *app, struct str text, uint64_t *bits, struct err *err)
{
	struct filter *f;
	enum status st = parse(app, text, &f, NULL, err);

	if (st != OK) {
		free(bits);
		return st;
	}
	stop_waiting(app);
	apply(app, f, bits);
	return OK;
}

enum status narrow_and(struct app *app, struct str condition, bool exclude, struct err *err)
{
	struct buf text = BUF_INIT;
	enum status st;

	if (!app->scene.filter_off)
		narrow_text(app, &text);
	if (text.n) {
		struct buf all = BUF_INIT;

		buf_printf(&all, "(%s) ", buf_cstr(&text));
		buf_release(&text);
		text = all;
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
	const struct narrow *w = &app->narrow;
	const struct filter *f = w->waiting ? w->waiting : w->filter;
	struct buf text = BUF_INIT;
	enum status st;

	if (f)
		filter_format_without(f, k, &text);
	st = narrow_set(app, buf_view(&text), NULL, err);
	buf_release(&text);
	return st;
}

void narrow_again(struct app *app)
{
	struct err err = ERR_INIT;
	const struct narrow *w = &app->narrow;
	char *text = text_of(w->waiting ? w->waiting : w->filter, NULL);

	if (narrow_set(app, str_z(text), NULL, &err) != OK)
		app_message(app, STYLE_WARNING, "the filter does not apply any more: %s", err.msg);
	free(text);
}

/* Takes f: it is the filter, and counts for nothing until Ctrl-t. */
static void set_aside(struct app *app, struct filter *f)
{
	apply(app, f, NULL);
	app->scene.filter_off = true;
}

bool narrow_toggle(struct app *app)
{
	struct narrow *w = &app->narrow;
	struct filter *waiting = w->waiting;
	struct err err = ERR_INIT;

	if (!w->filter && !waiting)
		return false;
	if (app->scene.filter_off && !waiting) {
		narrow_again(app);
	} else if (narrow_ctx(app, &err)) {
		w->waiting = NULL;
		stop_waiting(app);
		set_aside(app, waiting ? waiting : w->filter);
	}
	return true;
}

bool narrow_any(struct app *app)
{
	if (app->scene.snap && scene_shown(&app->scene))
		return true;
	app_message(app, STYLE_MESSAGE, "%s",
		    app->scene.filter ? "no sample matches the filter: i changes it, Ctrl-t sets it aside"
				      : "there is no sample");
	return false;
}

bool narrow_cancel(struct app *app)
{
	struct narrow *w = &app->narrow;
	bool works = w->waiting || w->waiting_base;

	if (app->pool)
		pool_cancel(app->pool, BASE_KEY);
	filter_free(w->waiting_base);
	w->waiting_base = NULL;
	stop_waiting(app);
	app->dirty = true;
	return works;
}
