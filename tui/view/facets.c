#include "tui/view/facets.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/term/text.h"
#include "tui/view/sign.h"

#define NAME_MIN 9
#define NAME_MAX 22
#define BAR_W    5
#define MANY     400 /* values whose names are measured */
#define FRAME_MS 8   /* for groups that are new */

/* --- names --- */

void facets_value(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		  struct buf *out)
{
	if (g->kind == GROUP_CATEGORY && value < g->n)
		buf_z(out, category_sign((enum category)value));
	else
		group_value(g, ctx, value, out);
}

void facets_name(const struct facets *f, const struct facet_line *line, struct buf *out)
{
	const struct group *g = &f->groups->v[line->group];

	group_title(g, f->ctx, out);
	if (line->kind != FACET_VALUE)
		return;
	buf_ch(out, ' ');
	facets_value(g, f->ctx, line->value, out);
}

/* --- looks --- */

static void free_look(struct facet_look *l)
{
	free(l->title);
	free(l->open);
}

static struct facet_look new_look(const struct group *g, const char *title)
{
	struct facet_look look = {.title = xstrdup(title), .kind = g->kind};

	look.closed = group_is_costly(g);
	look.n_open = g->n;
	look.open = xcalloc((size_t)g->n + 1, 1);
	return look;
}

/* What was there under the same name keeps its look. */
static void make_looks(struct facets *f, const struct filter_ctx *ctx)
{
	struct facet_look *old = f->looks.v;
	size_t n_old = f->looks.n;

	f->looks.v = NULL;
	f->looks.n = f->looks.cap = 0;
	for (size_t k = 0; k < f->groups->n; k++) {
		const struct group *g = &f->groups->v[k];
		struct buf title = BUF_INIT;
		struct facet_look look;

		group_title(g, ctx, &title);
		look = new_look(g, buf_cstr(&title));
		for (size_t i = 0; i < n_old; i++)
			if (old[i].kind == g->kind && strcmp(old[i].title, look.title) == 0) {
				look.closed = old[i].closed;
				look.all = old[i].all;
				look.order = old[i].order;
				memcpy(look.open, old[i].open,
				       old[i].n_open < look.n_open ? old[i].n_open : look.n_open);
			}
		vec_push(&f->looks, look);
		buf_release(&title);
	}
	for (size_t i = 0; i < n_old; i++)
		free_look(&old[i]);
	free(old);
}

static void measure(struct facets *f, const struct filter_ctx *ctx)
{
	struct buf name = BUF_INIT;

	f->name_w = NAME_MIN;
	for (size_t k = 0; k < f->groups->n; k++) {
		const struct group *g = &f->groups->v[k];

		for (uint32_t v = 0; v < g->n && v < MANY && g->there && !group_is_costly(g); v++) {
			int w;

			buf_clear(&name);
			facets_value(g, ctx, v, &name);
			w = text_width(buf_view(&name));
			f->name_w = w > f->name_w ? w : f->name_w;
		}
	}
	f->name_w = f->name_w > NAME_MAX ? NAME_MAX : f->name_w;
	buf_release(&name);
}

void facets_release(struct facets *f)
{
	groups_free(f->groups);
	f->groups = NULL;
	for (size_t i = 0; i < f->looks.n; i++)
		free_look(&f->looks.v[i]);
	vec_release(&f->looks);
	vec_release(&f->lines);
	buf_release(&f->needle);
	filter_free(f->filter);
	f->filter = NULL;
	free(f->situation);
	f->situation = NULL;
	snapshot_free(f->snap);
	f->snap = NULL;
}

int facets_width(const struct facets *f)
{
	return 3 + f->name_w + 1 + 2 * f->count_w + 1 + 1 + BAR_W + 1;
}

/* --- counting --- */

/* Another number whenever something of the user's is different. The filter's context may know tags
 * that are no more. */
static uint64_t things_stamp(const struct scene *s, const struct filter_ctx *ctx)
{
	const struct user_things *mine = s->mine;

	if (!mine)
		return 0;
	return ((mine->version + 1) << 40) + ((uint64_t)mine->n_seen << 16) + ctx->things->n_tags;
}

/* Another number for another panel. */
static uint64_t panel_stamp(const struct scene *s)
{
	return ((uint64_t)s->n_panel << 32) | hash_bytes(s->panel, (size_t)s->n_panel * sizeof *s->panel);
}

/* The groups of this snapshot, lens, run and things; true: some are to be counted again. */
static bool take_groups(struct facets *f, const struct app *app, const struct filter_ctx *ctx,
			bool reload)
{
	const struct scene *s = &app->scene;
	uint64_t things = things_stamp(s, ctx), panel = panel_stamp(s);
	unsigned changed = 0;

	if (!f->groups || f->snap != s->snap || reload) {
		groups_free(f->groups);
		snapshot_free(f->snap);
		f->snap = snapshot_share(s->snap);
		f->groups = groups_new(ctx);
		make_looks(f, ctx);
		changed = ~0u;
	} else {
		changed |= lens_eq(&f->lens, &s->lens) ? 0u : FILTER_USES_LENS;
		changed |= f->a == s->a ? 0u : FILTER_USES_A;
		changed |= f->things == things ? 0u : FILTER_USES_THINGS;
		changed |= f->panel == panel ? 0u : FILTER_USES_PANEL;
		if (changed)
			groups_renew(f->groups, ctx, changed);
	}
	f->lens = s->lens;
	f->a = s->a;
	f->things = things;
	f->panel = panel;
	if (changed == ~0u)
		measure(f, ctx);
	return changed != 0;
}

struct known { /* for groups_count() */
	struct app *app;
	const struct filter *filter;
};

static const uint64_t *condition(void *of, size_t k)
{
	const struct known *known = of;

	return conditions_get(known->app, known->filter, k);
}

/* The list keeps what an edit has made match no more; counts are of what matches. */
static uint64_t *matching(struct app *app, const struct filter *f)
{
	const struct scene *s = &app->scene;
	uint64_t *bits = NULL;

	if (f && !s->filter_off && (filter_uses(f) & FILTER_USES_THINGS))
		bits = conditions_all(app, f);
	if (bits && s->base)
		bits_and(bits, s->base, s->snap->n);
	return bits;
}

/* As many groups as there is time for in one frame; the others in those that follow. A script
 * has all the time. */
static enum status prepare(struct facets *f, struct app *app, const struct filter_ctx *ctx,
			   const struct filter *filter, struct err *err)
{
	int64_t began = app_clock();
	enum status st;

	do {
		st = groups_prepare_one(f->groups, ctx, filter, &f->unready, err);
	} while (st == OK && f->unready && (app->headless || app_clock() - began < FRAME_MS));
	f->unready = f->unready && st == OK;
	return st;
}

/* The list's filter once more: since it was applied tags may have come and gone. */
static void take_filter(struct facets *f, const struct filter *list, const struct filter_ctx *ctx)
{
	struct buf text = BUF_INIT;
	struct err err = ERR_INIT;

	filter_free(f->filter);
	f->filter = NULL;
	if (list)
		filter_format(list, NULL, &text);
	f->broken = list && filter_parse(buf_view(&text), ctx, &f->filter, NULL, &err) != OK;
	buf_release(&text);
}

static enum status count(struct facets *f, struct app *app, const struct filter_ctx *ctx,
			 struct err *err)
{
	const struct scene *s = &app->scene;
	const struct filter *filter = f->filter;
	bool unknown = f->broken || app->narrow.waiting;
	struct known known = {app, filter};
	uint64_t *fresh = matching(app, filter);
	struct groups_within within = {fresh ? fresh : s->shown, s->base, NULL, &known};
	enum status st = prepare(f, app, ctx, filter, err);

	if (unknown) /* the base's counts alone are kept: they tell which values there are */
		within.shown = NULL;
	else if (filter && !s->filter_off)
		within.condition = condition;
	groups_select(f->groups, ctx, filter);
	if (st == OK)
		st = groups_count(f->groups, ctx, &within, err);
	for (size_t k = 0; k < f->groups->n; k++)
		if (st != OK || unknown)
			f->groups->v[k].counted = false;
	free(fresh);
	return st;
}

/* Groups of a run's numbers are read when they are opened. */
static bool want_open(struct facets *f)
{
	bool more = false;

	for (size_t k = 0; k < f->groups->n; k++) {
		more |= !f->looks.v[k].closed && !f->groups->v[k].wanted;
		f->groups->v[k].wanted |= !f->looks.v[k].closed;
	}
	return more;
}

/* What is shown, in words: what happens while the pane is out of sight is not told to it. */
static void put_situation(const struct app *app, const struct filter *filter, struct buf *out)
{
	const struct scene *s = &app->scene;

	buf_printf(out, "%u %s\n", s->n_base, s->base_filter ? s->base_filter : "");
	if (filter)
		filter_format(filter, &app->narrow.ctx, out);
	for (int p = 0; p < s->n_panel; p++)
		buf_printf(out, "%c%d", p ? ' ' : '\n', s->panel[p]);
}

/* Is what was counted still what is shown? */
static bool is_current(const struct facets *f, const struct app *app, const char *situation)
{
	return f->situation && strcmp(f->situation, situation) == 0 &&
	       f->off == app->scene.filter_off && f->waiting == (app->narrow.waiting != NULL) &&
	       f->conditions == app->conditions.version;
}

static void remember(struct facets *f, const struct app *app, struct buf *situation)
{
	char n[28];

	free(f->situation);
	f->situation = buf_take(situation);
	f->off = app->scene.filter_off;
	f->waiting = app->narrow.waiting != NULL;
	f->conditions = app->conditions.version;
	f->count_w = text_width(str_z(count_text(app->scene.n_base, n)));
	f->narrowed = app->scene.n_shown != app->scene.n_base || f->waiting ||
		      (app->narrow.filter && !app->scene.filter_off);
}

static void show_nothing(struct facets *f)
{
	groups_free(f->groups);
	f->groups = NULL;
	f->ctx = NULL;
	vec_clear(&f->lines);
}

/* Once: a message has the screen drawn again, and it would be said again. */
static void say(struct facets *f, struct app *app, const struct err *err)
{
	if (!f->failed)
		app_message(app, STYLE_WARNING, "%s", err->msg);
	f->failed = true;
}

/* Everything anew that the situation asks for. */
static void recount(struct facets *f, struct app *app, const struct filter *filter,
		    struct buf *situation)
{
	struct err err = ERR_INIT;

	take_filter(f, filter, f->ctx);
	if (count(f, app, f->ctx, &err) == OK)
		f->failed = false;
	else
		say(f, app, &err);
	remember(f, app, situation);
	facets_lines(f, app);
}

bool facets_update(struct facets *f, struct app *app, unsigned reactions, int height)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx;
	const struct filter *filter =
	    app->narrow.waiting ? app->narrow.waiting : app->narrow.filter;
	bool again = reactions & (REACT_RELOAD | REACT_RELENS | REACT_RERUN | REACT_REFILTER);
	struct buf text = BUF_INIT;

	if (app->scene.snap->partial) { /* the whole one comes at once, and is counted then */
		show_nothing(f);
		return true;
	}
	ctx = narrow_ctx(app, &err);
	if (!ctx) {
		show_nothing(f);
		say(f, app, &err);
		return false;
	}
	f->ctx = ctx;
	put_situation(app, filter, &text);
	again |= take_groups(f, app, ctx, reactions & REACT_RELOAD);
	again |= want_open(f) | f->unready;
	f->list.height = (uint32_t)height;
	if (again || !is_current(f, app, buf_cstr(&text)))
		recount(f, app, filter, &text);
	for (size_t i = 0; i < f->lines.n; i++)
		f->lines.v[i].here = f->lines.v[i].kind == FACET_VALUE &&
				     group_has(&f->groups->v[f->lines.v[i].group], ctx,
					       f->lines.v[i].value, app->scene.current);
	list_fit(&f->list, (uint32_t)f->lines.n, (uint32_t)height);
	if (f->unready)
		app->wake_ms = 1;
	buf_release(&text);
	return true;
}
