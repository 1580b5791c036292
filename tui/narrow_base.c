/* The base that shares are of, coming back to an earlier filter, rows that match no more. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/narrow_impl.h"

/* --- the base --- */

/* Takes f and bits (NULL: all samples); text is copied. The filter's own samples follow. */
static void set_base(struct app *app, struct filter *f, uint64_t *bits, const char *text)
{
	struct scene *s = &app->scene;
	char *own = text ? xstrdup(text) : NULL;

	if (f != app->narrow.base)
		filter_free(app->narrow.base);
	app->narrow.base = f;
	free(s->base);
	free(s->base_filter);
	s->base = bits;
	s->base_filter = own;
	s->n_base = bits ? (uint32_t)bits_count(bits, s->snap->n) : s->snap->n;
	app->reactions |= REACT_REFILTER;
}

/* The list in the base as it is now. */
static void follow_base(struct app *app)
{
	if (app->narrow.waiting || (app->narrow.filter && !app->scene.filter_off))
		narrow_again(app);
	else
		narrow_show(app, NULL);
}

static void base_arrived(struct app *app, struct sieve_answer *answer)
{
	struct narrow *w = &app->narrow;
	struct filter *f = w->waiting_base;
	struct buf text = BUF_INIT;

	w->waiting_base = NULL;
	app->scene.narrowing = w->waiting != NULL;
	app->dirty = true;
	if (answer->st == OK && f) {
		filter_format(f, NULL, &text);
		set_base(app, f, answer->bits, buf_cstr(&text));
		answer->bits = NULL;
		follow_base(app);
	} else {
		filter_free(f);
		app_message(app, STYLE_WARNING, "the base does not apply any more: %s", answer->err.msg);
	}
	buf_release(&text);
}

/* NULL or "": all samples. The list does not follow yet. */
static enum status base_of(struct app *app, const char *text, struct err *err)
{
	struct narrow *w = &app->narrow;
	struct filter *f = NULL;
	uint64_t *bits = NULL;
	const struct filter_ctx *ctx = narrow_ctx(app, err);
	enum status st = ctx ? OK : err->code;

	if (app->pool)
		pool_cancel(app->pool, BASE_KEY);
	filter_free(w->waiting_base);
	w->waiting_base = NULL;
	if (!text || !*text) {
		set_base(app, NULL, NULL, NULL);
		return OK;
	}
	if (st == OK)
		st = filter_parse(str_z(text), ctx, &f, NULL, err);
	if (st == OK && narrow_takes_time(app, f)) {
		w->waiting_base = f;
		app->scene.narrowing = true;
		narrow_ask(app, BASE_KEY, f, NULL, base_arrived);
		return OK;
	}
	if (st == OK)
		st = narrow_eval(app, f, &bits, err);
	if (st == OK)
		set_base(app, f, bits, text);
	else
		filter_free(f);
	return st;
}

void narrow_base(struct app *app)
{
	struct scene *s = &app->scene;
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);
	struct filter *f = NULL;
	uint64_t *bits;

	if (!s->filter || s->filter_off || !ctx) {
		narrow_base_all(app);
		return;
	}
	if (s->base_filter)
		buf_printf(&text, "(%s) (%s)", s->base_filter, s->filter);
	else
		buf_z(&text, s->filter);
	if (!narrow_any(app)) {
		buf_release(&text);
		return;
	}
	bits = bits_new(s->snap->n);
	if (bits && filter_parse(buf_view(&text), ctx, &f, NULL, &err) == OK) {
		memcpy(bits, s->shown, bits_words(s->snap->n) * sizeof *bits);
		buf_clear(&text);
		filter_format(f, NULL, &text);
		set_base(app, f, bits, buf_cstr(&text));
		narrow_set(app, STR(""), NULL, &err);
	} else {
		free(bits);
		app_message(app, STYLE_WARNING, "%s", err.code ? err.msg : "there is no memory for a base");
	}
	buf_release(&text);
}

void narrow_base_all(struct app *app)
{
	struct err err = ERR_INIT;

	base_of(app, NULL, &err);
	follow_base(app);
}

/* --- places --- */

static char *copy_text(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

static struct narrow_place copy_place(const struct narrow_place *p)
{
	return (struct narrow_place){copy_text(p->filter), copy_text(p->base), p->off};
}

void narrow_mark(const struct app *app, struct narrow_place *out)
{
	const struct narrow *w = &app->narrow;
	const struct filter *base = w->waiting_base ? w->waiting_base : w->base;
	struct buf text = BUF_INIT, base_text = BUF_INIT;

	if (w->later.filter || w->later.base) {
		*out = copy_place(&w->later);
		return;
	}
	narrow_text(app, &text);
	if (base)
		filter_format(base, NULL, &base_text);
	*out = (struct narrow_place){text.n ? buf_take(&text) : NULL,
				     base_text.n ? buf_take(&base_text) : NULL,
				     app->scene.filter_off && !w->waiting};
	buf_release(&text);
	buf_release(&base_text);
}

static bool same_text(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "") == 0;
}

bool narrow_place_eq(const struct narrow_place *a, const struct narrow_place *b)
{
	return same_text(a->filter, b->filter) && same_text(a->base, b->base) && a->off == b->off;
}

void narrow_place_release(struct narrow_place *p)
{
	free(p->filter);
	free(p->base);
	*p = (struct narrow_place){0};
}

static void return_filter(struct app *app, const struct narrow_place *place, enum status *st,
			  struct err *err)
{
	struct err why = ERR_INIT;

	if (narrow_set(app, str_z(place->filter ? place->filter : ""), NULL, &why) == OK) {
		if (place->off && !app->scene.filter_off)
			narrow_toggle(app);
		return;
	}
	narrow_set(app, STR(""), NULL, &(struct err){0});
	if (*st == OK)
		*st = err_set(err, why.code, "%s", why.msg);
}

enum status narrow_return(struct app *app, const struct narrow_place *place, struct err *err)
{
	struct narrow_place now;
	enum status st = OK;

	narrow_place_release(&app->narrow.later);
	if (app->scene.snap->partial && app->pool && (place->filter || place->base)) {
		app->narrow.later = copy_place(place);
		app->scene.narrowing = true;
		return OK;
	}
	narrow_mark(app, &now);
	if (!same_text(now.base, place->base)) {
		st = base_of(app, place->base, err);
		if (st != OK)
			base_of(app, NULL, &(struct err){0});
	}
	if (!narrow_place_eq(&now, place))
		return_filter(app, place, &st, err);
	narrow_place_release(&now);
	return st;
}

/* --- what changes --- */

void narrow_settle(struct app *app, unsigned changed)
{
	const struct narrow *w = &app->narrow;
	const struct filter *f = w->waiting ? w->waiting : w->filter;
	bool off = app->scene.filter_off && !w->waiting;
	struct err err = ERR_INIT;
	bool base = w->base && (filter_uses(w->base) & changed);

	if (base) {
		char *text = xstrdup(app->scene.base_filter);

		if (base_of(app, text, &err) != OK)
			app_message(app, STYLE_WARNING, "the base does not apply any more: %s", err.msg);
		free(text);
	}
	if (base || (f && !off && (filter_uses(f) & changed)))
		follow_base(app);
	else if (w->filter && narrow_ctx(app, &err))
		narrow_name(app);
}

uint64_t narrow_stamp(const struct scene *s)
{
	return s->mine ? (s->mine->version << 32) + s->mine->n_seen : 0;
}

/* Takes bits, what the filter is true for now. */
static void take_stale(struct app *app, uint64_t *bits)
{
	struct scene *s = &app->scene;

	free(s->stale);
	s->stale = NULL;
	if (s->shown && bits) {
		size_t n = s->snap->n;
		uint64_t *stale = bits_new(n);

		if (stale) {
			memcpy(stale, s->shown, bits_words(n) * sizeof *stale);
			bits_and_not(stale, bits, n);
		}
		if (stale && bits_any(stale, n))
			s->stale = stale;
		else
			free(stale);
	}
	free(bits);
	app->dirty = true;
}

static void stale_arrived(struct app *app, struct sieve_answer *answer)
{
	if (answer->st != OK)
		return;
	take_stale(app, answer->bits);
	answer->bits = NULL;
}

void narrow_watch(struct app *app)
{
	struct narrow *w = &app->narrow;
	const struct scene *s = &app->scene;
	const struct filter_ctx *ctx;
	struct err err = ERR_INIT;
	uint64_t *bits;

	if (!s->mine || s->partial || narrow_stamp(s) == w->watched)
		return;
	w->watched = narrow_stamp(s);
	if (!w->filter || s->filter_off || !(filter_uses(w->filter) & FILTER_USES_THINGS))
		return;
	if (!(ctx = narrow_ctx(app, &err)) || filter_check(w->filter, ctx, NULL, &err) != OK)
		return;
	if (narrow_takes_time(app, w->filter))
		narrow_ask(app, STALE_KEY, w->filter, NULL, stale_arrived);
	else if (narrow_eval(app, w->filter, &bits, &err) == OK)
		take_stale(app, bits);
}
