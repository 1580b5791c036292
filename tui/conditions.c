#include "tui/conditions.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"

#define CONDITIONS_KEY ((uint64_t)0x636f6e64 << 32) /* of the sieve's question */
#define KNOWN_MAX      24
/* Above so many answers the panel's votes are counted by a worker. */
#define VOTES_AT_ONCE ((uint64_t)4 << 20)

/* --- what is kept --- */

static void forget(struct conditions *c, size_t i)
{
	free(c->known.v[i].text);
	free(c->known.v[i].bits);
	c->known.v[i] = c->known.v[--c->known.n];
}

static void stop_waiting(struct app *app)
{
	if (app->pool)
		pool_cancel(app->pool, CONDITIONS_KEY);
	free(app->conditions.waiting);
	app->conditions.waiting = NULL;
}

void conditions_drop(struct app *app)
{
	struct conditions *c = &app->conditions;

	stop_waiting(app);
	while (c->known.n)
		forget(c, c->known.n - 1);
	vec_release(&c->known);
	free(c->panel);
	*c = (struct conditions){.clock = c->clock, .version = c->version + 1};
}

static bool same_panel(const struct conditions *c, const struct scene *s)
{
	return c->n_panel == s->n_panel &&
	       (!s->n_panel ||
		memcmp(c->panel, s->panel, (size_t)s->n_panel * sizeof *s->panel) == 0);
}

/* What depends on something that is different now goes. a and b stand in the texts. */
static void settle(struct app *app)
{
	struct conditions *c = &app->conditions;
	const struct scene *s = &app->scene;
	uint64_t things = narrow_stamp(s);
	unsigned changed = 0;

	if (!lens_eq(&c->lens, &s->lens))
		changed |= FILTER_USES_LENS;
	if (!same_panel(c, s))
		changed |= FILTER_USES_PANEL;
	if (c->things != things)
		changed |= FILTER_USES_THINGS;
	if (!changed)
		return;
	for (size_t i = c->known.n; i-- > 0;)
		if (c->known.v[i].uses & changed)
			forget(c, i);
	if (c->waiting)
		stop_waiting(app);
	c->lens = s->lens;
	c->things = things;
	c->panel = xrealloc(c->panel, ((size_t)s->n_panel + 1) * sizeof *c->panel);
	if (s->n_panel)
		memcpy(c->panel, s->panel, (size_t)s->n_panel * sizeof *c->panel);
	c->n_panel = s->n_panel;
}

static struct known_condition *find(struct conditions *c, const char *text)
{
	for (size_t i = 0; i < c->known.n; i++)
		if (strcmp(c->known.v[i].text, text) == 0) {
			c->known.v[i].asked = ++c->clock;
			return &c->known.v[i];
		}
	return NULL;
}

/* Takes bits. The one that was asked for longest ago gives way. */
static struct known_condition *keep(struct conditions *c, const char *text, unsigned uses,
				    uint64_t *bits)
{
	size_t oldest = 0;

	for (size_t i = 1; i < c->known.n; i++)
		if (c->known.v[i].asked < c->known.v[oldest].asked)
			oldest = i;
	if (c->known.n >= KNOWN_MAX)
		forget(c, oldest);
	vec_push(&c->known, ((struct known_condition){xstrdup(text), uses, bits, ++c->clock}));
	return &c->known.v[c->known.n - 1];
}

/* --- asking --- */

static bool takes_time(const struct app *app, unsigned uses)
{
	const struct scene *s = &app->scene;

	return app->pool && ((uses & FILTER_USES_TEXT) ||
			     ((uses & FILTER_USES_PANEL) &&
			      (uint64_t)s->snap->n * (uint64_t)s->n_panel > VOTES_AT_ONCE));
}

static void arrived(struct app *app, struct sieve_answer *answer)
{
	struct conditions *c = &app->conditions;
	char *text = c->waiting;

	c->waiting = NULL;
	c->version++;
	app->dirty = true;
	if (answer->st != OK)
		app_message(app, STYLE_WARNING, "%s", answer->err.msg);
	if (text)
		keep(c, text, (unsigned)answer->tag, answer->st == OK ? answer->bits : NULL);
	if (text && answer->st == OK)
		answer->bits = NULL;
	free(text);
}

static void ask(struct app *app, const char *text, unsigned uses)
{
	struct conditions *c = &app->conditions;
	struct sieve_question q = {
	    .key = CONDITIONS_KEY, .text = str_z(text), .tag = (int)uses, .done = arrived};

	if (c->waiting && strcmp(c->waiting, text) == 0)
		return;
	stop_waiting(app);
	c->waiting = xstrdup(text);
	sieve_ask(app, &q);
}

static uint64_t *evaluate(struct app *app, const struct filter *f, size_t k)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);
	uint64_t *bits = ctx ? bits_new(ctx->snap->n) : NULL;

	if (bits && filter_eval_condition(f, k, ctx, bits, NULL, &err) == OK)
		return bits;
	if (err.code)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	free(bits);
	return NULL;
}

/* NULL: not known, and it would take time. */
static struct known_condition *get(struct app *app, const struct filter *f, size_t k, bool may_ask)
{
	struct conditions *c = &app->conditions;
	unsigned uses = filter_condition_uses(f, k);
	struct known_condition *known;
	struct buf text = BUF_INIT;

	settle(app);
	filter_format_condition(f, k, &app->narrow.ctx, &text);
	known = find(c, buf_cstr(&text));
	if (!known && !takes_time(app, uses))
		known = keep(c, buf_cstr(&text), uses, evaluate(app, f, k));
	else if (!known && may_ask)
		ask(app, buf_cstr(&text), uses);
	buf_release(&text);
	return known;
}

const uint64_t *conditions_get(struct app *app, const struct filter *f, size_t k)
{
	const struct known_condition *known = get(app, f, k, true);

	return known ? known->bits : NULL;
}

uint64_t *conditions_all(struct app *app, const struct filter *f)
{
	size_t n = app->scene.snap->n, n_conditions = filter_n_conditions(f);
	uint64_t *bits = bits_new(n);

	if (bits)
		bits_fill(bits, n, true);
	for (size_t k = 0; bits && k < n_conditions; k++) {
		const struct known_condition *known = get(app, f, k, false);

		if (known && known->bits) {
			bits_and(bits, known->bits, n);
			continue;
		}
		free(bits);
		bits = NULL;
	}
	return bits;
}

void conditions_learn(struct app *app, const struct filter *f, const uint64_t *bits)
{
	struct conditions *c = &app->conditions;
	size_t size = bits_words(app->scene.snap->n) * sizeof *bits;
	struct buf text = BUF_INIT;
	uint64_t *own;

	if (filter_n_conditions(f) != 1)
		return;
	settle(app);
	filter_format_condition(f, 0, &app->narrow.ctx, &text);
	own = find(c, buf_cstr(&text)) ? NULL : bits_new(app->scene.snap->n);
	if (own) {
		memcpy(own, bits, size);
		keep(c, buf_cstr(&text), filter_condition_uses(f, 0), own);
	}
	buf_release(&text);
}
