/* Which values of the groups have a line, and in which order. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/facets.h"

#define FEW         8 /* values of a group that are shown at first */
#define FEW_CLASSES 5 /* and of truth and answers, which have the most */

struct lister {
	struct facets *f;
	const struct filter_ctx *ctx;
	uint32_t group;
};

struct entry {
	uint32_t value, count, base;
	const char *name; /* NULL unless they are sorted by it */
	bool chosen;
};

static const struct group *group_of(const struct lister *l)
{
	return &l->f->groups->v[l->group];
}

static const struct facet_look *look_of(const struct lister *l)
{
	return &l->f->looks.v[l->group];
}

static bool is_searched(const struct lister *l)
{
	return l->f->needle.n && l->f->search_group == l->group;
}

/* --- sorting --- */

static int by_count(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	if (x->count != y->count)
		return x->count < y->count ? 1 : -1;
	if (x->base != y->base)
		return x->base < y->base ? 1 : -1;
	return (x->value > y->value) - (x->value < y->value);
}

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->value > y->value) - (x->value < y->value);
}

static bool has_order(const struct group *g)
{
	return g->kind == GROUP_FACET || g->kind == GROUP_TRUTH || g->kind == GROUP_ANSWER ||
	       g->kind == GROUP_TAGS;
}

/* Names are made for the sort alone. */
static void sort_entries(const struct lister *l, struct entry *e, size_t n)
{
	struct arena names = ARENA_INIT;
	struct buf name = BUF_INIT;

	if (n < 2 || !has_order(group_of(l)) || look_of(l)->order == FACET_BY_INDEX)
		return;
	if (look_of(l)->order == FACET_BY_COUNT) {
		qsort(e, n, sizeof *e, by_count);
		return;
	}
	for (size_t i = 0; i < n; i++) {
		buf_clear(&name);
		group_value(group_of(l), l->ctx, e[i].value, &name);
		e[i].name = arena_strdup(&names, buf_cstr(&name));
	}
	qsort(e, n, sizeof *e, by_name);
	arena_release(&names);
	buf_release(&name);
}

/* --- entries --- */

static struct entry entry_of(const struct group *g, uint32_t v)
{
	return (struct entry){.value = v,
			      .base = g->base[v],
			      .chosen = g->state[v] != GROUP_FREE,
			      .count = g->counted ? g->count[v] : g->base[v]};
}

static bool is_worth_it(const struct group *g, uint32_t v)
{
	return (!g->same || g->same[v] == v) && (g->base[v] || g->state[v] != GROUP_FREE);
}

static bool matches(const struct lister *l, uint32_t v, struct buf *name)
{
	buf_clear(name);
	facets_value(group_of(l), l->ctx, v, name);
	return str_find_nocase(buf_view(name), buf_view(&l->f->needle)) != SIZE_MAX;
}

static struct facet_line line_of(const struct lister *l, enum facet_line_kind kind, uint32_t value,
				 uint32_t depth)
{
	return (struct facet_line){.kind = kind, .group = l->group, .value = value, .depth = depth};
}

static void put_line(struct lister *l, uint32_t value, uint32_t depth)
{
	const struct group *g = group_of(l);

	vec_push(&l->f->lines, line_of(l, FACET_VALUE, value, depth));
	if (g->counted && g->count[value] > l->f->most)
		l->f->most = g->count[value];
}

static bool is_open(const struct lister *l, uint32_t v)
{
	return v < look_of(l)->n_open && look_of(l)->open[v] && !is_searched(l);
}

/* --- trees --- */

/* What is below `up`, and below those of it that are open: as deep as the user has opened. */
static void put_below(struct lister *l, uint32_t up, uint32_t depth)
{
	const struct group *g = group_of(l);
	VEC(struct entry) e = {0};

	for (uint32_t v = group_below(g, up); v != UINT32_MAX; v = group_beside(g, v))
		if (is_worth_it(g, v))
			vec_push(&e, entry_of(g, v));
	sort_entries(l, e.v, e.n);
	for (size_t i = 0; i < e.n; i++) {
		put_line(l, e.v[i].value, depth);
		if (is_open(l, e.v[i].value))
			put_below(l, e.v[i].value, depth + 1);
	}
	vec_release(&e);
}

/* --- groups --- */

static size_t limit_of(const struct lister *l)
{
	const struct group *g = group_of(l);

	if (look_of(l)->all || is_searched(l) || !has_order(g))
		return SIZE_MAX;
	return g->kind == GROUP_TRUTH || g->kind == GROUP_ANSWER ? FEW_CLASSES : FEW;
}

/* The first ones, and those that are chosen; one that would be left out alone is not. */
static void put_entries(struct lister *l, const struct entry *e, size_t n)
{
	size_t limit = limit_of(l), hidden = 0;
	struct facet_line more = line_of(l, FACET_MORE, UINT32_MAX, 0);

	if (limit != SIZE_MAX && n <= limit + 1)
		limit = n;
	for (size_t i = 0; i < n; i++) {
		if (i >= limit && !e[i].chosen) {
			hidden++;
			continue;
		}
		put_line(l, e[i].value, 0);
		if (is_open(l, e[i].value))
			put_below(l, e[i].value, 1);
	}
	more.hidden = (uint32_t)hidden;
	if (hidden)
		vec_push(&l->f->lines, more);
}

static void put_values(struct lister *l)
{
	const struct group *g = group_of(l);
	VEC(struct entry) e = {0};
	struct buf name = BUF_INIT;

	if (is_searched(l)) {
		for (uint32_t v = 0; v < g->n; v++)
			if ((!g->same || g->same[v] == v) && matches(l, v, &name))
				vec_push(&e, entry_of(g, v));
	} else if (g->parent) {
		for (uint32_t v = group_below(g, g->n); v != UINT32_MAX; v = group_beside(g, v))
			if (is_worth_it(g, v))
				vec_push(&e, entry_of(g, v));
	} else {
		bool all = g->kind != GROUP_OUTCOME && g->kind != GROUP_MINE && !has_order(g);

		for (uint32_t v = 0; v < g->n; v++)
			if (all || is_worth_it(g, v))
				vec_push(&e, entry_of(g, v));
	}
	sort_entries(l, e.v, e.n);
	put_entries(l, e.v, e.n);
	if (g->none && (g->base[g->n] || g->state[g->n] != GROUP_FREE) && !is_searched(l))
		put_line(l, g->n, 0);
	buf_release(&name);
	vec_release(&e);
}

static bool is_shown(const struct group *g)
{
	bool any = g->chosen || g->own || !g->ready;

	for (uint32_t v = 0; v < g->n && !any && g->there; v++)
		any = g->base[v] > 0;
	return g->there && any;
}

static void put_group(struct lister *l)
{
	vec_push(&l->f->lines, line_of(l, FACET_HEAD, UINT32_MAX, 0));
	if (look_of(l)->closed)
		return;
	if (group_of(l)->own)
		vec_push(&l->f->lines, line_of(l, FACET_REMARK, UINT32_MAX, 0));
	if (group_of(l)->ready)
		put_values(l);
	else
		vec_push(&l->f->lines, line_of(l, FACET_WAIT, UINT32_MAX, 0));
}

/* --- the cursor --- */

static bool same_line(const struct facet_line *a, const struct facet_line *b)
{
	return a->group == b->group && a->kind == b->kind && a->value == b->value;
}

/* On the same value and, as far as can be, in the same line of the screen. */
static void keep_cursor(struct facets *f, const struct facet_line *was)
{
	uint32_t row = f->list.cursor - f->list.top, to = f->list.cursor;

	for (size_t i = 0; i < f->lines.n; i++)
		if (same_line(&f->lines.v[i], was)) {
			to = (uint32_t)i;
			break;
		}
	f->list.n = (uint32_t)f->lines.n;
	f->list.top = to > row ? to - row : 0;
	list_go(&f->list, to);
}

void facets_lines(struct facets *f, const struct app *app)
{
	struct facet_line was = {.group = UINT32_MAX};
	struct lister l = {f, &app->narrow.ctx, 0};

	if (f->list.cursor < f->lines.n)
		was = f->lines.v[f->list.cursor];
	vec_clear(&f->lines);
	f->most = 0;
	for (; l.group < f->groups->n; l.group++)
		if (is_shown(group_of(&l)))
			put_group(&l);
	keep_cursor(f, &was);
}
