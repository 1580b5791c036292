/* Which groups there are, their trees and names. */
#include "core/filter/groups.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

bool group_is_ranges(const struct group *g)
{
	return g->kind == GROUP_RANGES || g->kind == GROUP_SCORES || g->kind == GROUP_DIFFICULTY;
}

bool group_is_costly(const struct group *g)
{
	return g->kind == GROUP_SCORES || g->kind == GROUP_DIFFICULTY;
}

bool group_is_line(const struct group *g, uint32_t value)
{
	if (value == g->n)
		return g->none;
	return !g->same || g->same[value] == value;
}

/* --- trees --- */

static bool has_parents(const uint32_t *parent, uint32_t n)
{
	for (uint32_t v = 0; parent && v < n; v++)
		if (parent[v] < n)
			return true;
	return false;
}

/* From the last to the first, so that each list ascends. */
static void make_tree(struct group *g, const uint32_t *parent)
{
	struct group_data *d = g->data;

	g->parent = parent;
	d->first = xcalloc((size_t)g->n + 1, sizeof *d->first);
	d->next = xcalloc((size_t)g->n + 1, sizeof *d->next);
	memset(d->first, 0xff, ((size_t)g->n + 1) * sizeof *d->first);
	for (uint32_t v = g->n; v-- > 0;) {
		uint32_t up = parent[v] < g->n ? parent[v] : g->n;

		d->next[v] = d->first[up];
		d->first[up] = v;
	}
}

uint32_t group_below(const struct group *g, uint32_t value)
{
	if (!g->parent)
		return NO_VALUE;
	return g->data->first[value < g->n ? value : g->n];
}

uint32_t group_beside(const struct group *g, uint32_t value)
{
	return g->parent && value < g->n ? g->data->next[value] : NO_VALUE;
}

static void mean_below(const struct group *g, uint32_t value, uint8_t *set, uint8_t to)
{
	uint32_t v = group_below(g, value);

	/* A tree's depth is not bounded: down, beside, and up again by the parents. */
	while (v != NO_VALUE) {
		uint32_t to_go = group_below(g, v);

		set[v] = to;
		while (to_go == NO_VALUE && v != value) {
			to_go = group_beside(g, v);
			v = to_go == NO_VALUE ? g->parent[v] : v;
		}
		v = to_go;
	}
}

void group_mean(const struct group *g, uint32_t value, uint8_t *set, uint8_t to)
{
	set[value] = to;
	if (value == g->n)
		return;
	for (uint32_t v = 0; g->same && v < g->n; v++)
		if (g->same[v] == value)
			set[v] = to;
	mean_below(g, value, set, to);
}

/* --- values of one name --- */

static const char *name_of(const struct filter_ctx *ctx, const struct group *g, uint32_t v)
{
	switch (g->kind) {
	case GROUP_FACET:
		return ctx->snap->facets[g->facet].values[v];
	case GROUP_TAGS:
		return ctx->things->tags[v].name;
	default:
		return ctx->snap->classes[v].name;
	}
}

struct named {
	const char *name;
	uint32_t v;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : (x->v > y->v) - (x->v < y->v);
}

static int by_index(const void *a, const void *b)
{
	int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return (x > y) - (x < y);
}

/* Does every class have a number, each its own? Then names that repeat tell nothing apart. */
static bool numbered(const struct snapshot *snap)
{
	uint32_t n = snap->n_classes;
	int64_t *index = xcalloc((size_t)n + 1, sizeof *index);
	bool all = true;

	for (uint32_t c = 0; c < n; c++)
		index[c] = snap->classes[c].index;
	qsort(index, n, sizeof *index, by_index);
	for (uint32_t c = 0; c < n && all; c++)
		all = index[c] >= 0 && (c == 0 || index[c] != index[c - 1]);
	free(index);
	return all;
}

/* Values that no word tells apart go together. */
static bool find_same(struct group *g, const struct filter_ctx *ctx)
{
	struct group_data *d = g->data;
	struct named *all = xcalloc((size_t)g->n + 1, sizeof *all);
	bool any = false;

	d->same = xcalloc((size_t)g->n + 1, sizeof *d->same);
	for (uint32_t v = 0; v < g->n; v++)
		all[v] = (struct named){name_of(ctx, g, v), v};
	qsort(all, g->n, sizeof *all, by_name);
	for (uint32_t k = 0; k < g->n; k++) {
		bool again = k && strcmp(all[k].name, all[k - 1].name) == 0;

		d->same[all[k].v] = again ? d->same[all[k - 1].v] : all[k].v;
		any |= again;
	}
	free(all);
	return any;
}

/* --- making groups --- */

static void clear_group(struct group *g)
{
	struct group_data *d = g->data;

	for (uint32_t v = 0; d->bits && v <= g->n; v++)
		free(d->bits[v]);
	free(d->bits);
	free(d->first);
	free(d->next);
	free(d->same);
	free(d->parent);
	free(d->twin);
	free(d->total);
	free(d->wide);
	free(d->answered);
	free(g->count);
	free(g->base);
	free(g->state);
	*d = (struct group_data){.uses = d->uses, .bits_max = d->bits_max};
	g->count = g->base = NULL;
	g->state = NULL;
	g->parent = g->same = NULL;
	g->there = g->ready = g->counted = g->chosen = g->own = false;
	g->n = 0;
}

static void size_group(struct group *g, uint32_t n, bool none)
{
	g->n = n;
	g->none = none;
	g->there = n > 0;
	g->count = xcalloc((size_t)n + 1, sizeof *g->count);
	g->base = xcalloc((size_t)n + 1, sizeof *g->base);
	g->state = xcalloc((size_t)n + 1, 1);
	g->data->total = xcalloc((size_t)n + 1, sizeof *g->data->total);
}

static void fill_classes(struct group *g, const struct filter_ctx *ctx)
{
	const struct snapshot *snap = ctx->snap;

	size_group(g, snap->n_classes, true);
	if (find_same(g, ctx) && !numbered(snap))
		g->same = g->data->same;
	if (g->same)
		return;
	g->data->twin = xcalloc((size_t)g->n + 1, 1);
	for (uint32_t c = 0; c < g->n; c++)
		if (g->data->same[c] != c)
			g->data->twin[c] = g->data->twin[g->data->same[c]] = 1;
	g->data->parent = xcalloc((size_t)g->n + 1, sizeof *g->data->parent);
	for (uint32_t c = 0; c < g->n; c++)
		g->data->parent[c] = snap->classes[c].parent;
	if (has_parents(g->data->parent, g->n))
		make_tree(g, g->data->parent);
}

static void fill_facet(struct group *g, const struct filter_ctx *ctx)
{
	const struct facet *f = &ctx->snap->facets[g->facet];

	size_group(g, f->n_values, true);
	if (find_same(g, ctx))
		g->same = g->data->same;
	else if (has_parents(f->parents, f->n_values))
		make_tree(g, f->parents);
}

static void fill(struct group *g, const struct filter_ctx *ctx)
{
	bool run = ctx->a >= 0 && (uint32_t)ctx->a < ctx->snap->n_runs;

	clear_group(g);
	switch (g->kind) {
	case GROUP_CATEGORY:
		size_group(g, N_CATEGORIES, false);
		break;
	case GROUP_VERDICT:
		size_group(g, 3, false);
		break;
	case GROUP_OUTCOME:
		size_group(g, N_OUTCOMES, false);
		break;
	case GROUP_TRUTH:
	case GROUP_ANSWER:
		fill_classes(g, ctx);
		break;
	case GROUP_FACET:
		fill_facet(g, ctx);
		break;
	case GROUP_RANGES:
		size_group(g, RANGES_MAX, true);
		break;
	case GROUP_SCORES:
		size_group(g, RANGES_MAX, false);
		break;
	case GROUP_DIFFICULTY:
		size_group(g, ctx->n_panel > 1 ? RANGES_MAX : 0, false);
		break;
	case GROUP_TAGS:
		size_group(g, ctx->things ? ctx->things->n_tags : 0, false);
		break;
	case GROUP_MINE:
		size_group(g, ctx->things ? 3 : 0, false);
		break;
	}
	if (g->data->uses & FILTER_USES_A)
		g->there = g->there && run;
	if (g->kind == GROUP_TRUTH)
		g->there = g->there && ctx->lens->layer >= 0;
}

static void add(struct groups *g, const struct filter_ctx *ctx, struct group group, unsigned uses)
{
	struct group *out;

	g->v = xrealloc(g->v, (g->n + 1) * sizeof *g->v);
	out = &g->v[g->n++];
	*out = group;
	out->data = xcalloc(1, sizeof *out->data);
	out->data->uses = uses;
	out->data->bits_max = g->data->bits_max;
	fill(out, ctx);
}

/* A number that the language cannot name, as a facet has its name, is not offered. */
static void add_numbers(struct groups *g, const struct filter_ctx *ctx)
{
	const struct filter_source *s = ctx->source;

	for (size_t i = 0; s && s->number && i < s->n_numbers; i++) {
		const struct word *w = word_find(str_z(s->numbers[i]));

		if (!(w && w->eval_run == eval_number) &&
		    snapshot_facet(ctx->snap, str_z(s->numbers[i])) >= 0)
			continue;
		add(g, ctx,
		    (struct group){.kind = GROUP_SCORES, .facet = -1, .number = s->numbers[i]},
		    FILTER_USES_A);
	}
}

struct groups *groups_new_with(const struct filter_ctx *ctx, uint32_t bits_max)
{
	static const struct {
		enum group_kind kind;
		unsigned uses;
	} before[] = {{GROUP_CATEGORY, FILTER_USES_LENS},
		      {GROUP_VERDICT, FILTER_USES_A | FILTER_USES_LENS},
		      {GROUP_OUTCOME, FILTER_USES_A}},
	  after[] = {{GROUP_TRUTH, FILTER_USES_LENS},
		     {GROUP_ANSWER, FILTER_USES_A},
		     {GROUP_TAGS, FILTER_USES_THINGS},
		     {GROUP_MINE, FILTER_USES_THINGS},
		     {GROUP_DIFFICULTY, FILTER_USES_PANEL | FILTER_USES_LENS}};
	struct groups *g = xcalloc(1, sizeof *g);

	g->data = xcalloc(1, sizeof *g->data);
	g->data->n_samples = ctx->snap->n;
	g->data->bits_max = bits_max;
	for (size_t i = 0; i < sizeof before / sizeof *before; i++)
		add(g, ctx, (struct group){.kind = before[i].kind, .facet = -1}, before[i].uses);
	for (int f = 0; f < (int)ctx->snap->n_facets; f++)
		add(g, ctx,
		    (struct group){.kind =
				       ctx->snap->facets[f].numeric ? GROUP_RANGES : GROUP_FACET,
				   .facet = f},
		    0);
	for (size_t i = 0; i < sizeof after / sizeof *after; i++)
		add(g, ctx, (struct group){.kind = after[i].kind, .facet = -1}, after[i].uses);
	add_numbers(g, ctx);
	return g;
}

struct groups *groups_new(const struct filter_ctx *ctx)
{
	return groups_new_with(ctx, BITS_MAX);
}

void groups_free(struct groups *g)
{
	if (!g)
		return;
	for (size_t i = 0; i < g->n; i++) {
		clear_group(&g->v[i]);
		free(g->v[i].data);
	}
	vec_release(&g->data->cond);
	free(g->data->base);
	free(g->data);
	free(g->v);
	free(g);
}

void groups_renew(struct groups *g, const struct filter_ctx *ctx, unsigned changed)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].data->uses & changed)
			fill(&g->v[i], ctx);
}

/* --- names --- */

void group_title(const struct group *g, const struct filter_ctx *ctx, struct buf *out)
{
	static const char *const fixed[] = {[GROUP_CATEGORY] = "category",
					    [GROUP_VERDICT] = "verdict of a",
					    [GROUP_OUTCOME] = "outcome of a",
					    [GROUP_TRUTH] = "truth",
					    [GROUP_ANSWER] = "answer of a",
					    [GROUP_TAGS] = "tags",
					    [GROUP_MINE] = "yours",
					    [GROUP_DIFFICULTY] = "difficulty"};

	if (g->facet >= 0)
		buf_z(out, ctx->snap->facets[g->facet].name);
	else if (g->kind == GROUP_SCORES)
		buf_printf(out, "%s of a", g->number);
	else
		buf_z(out, fixed[g->kind]);
}

static enum outcome outcome_at(uint32_t v) /* what is missing comes last */
{
	return (enum outcome)((v + 1) % N_OUTCOMES);
}

static enum verdict verdict_at(uint32_t v)
{
	return (enum verdict)(VERDICT_RIGHT - (int)v);
}

static void put_class(const struct group *g, const struct snapshot *snap, uint32_t v,
		      struct buf *out)
{
	buf_z(out, snap->classes[v].name);
	if (g->data->twin && g->data->twin[v])
		buf_printf(out, " #%lld", (long long)snap->classes[v].index);
}

static void put_range(const struct group *g, uint32_t v, struct buf *out)
{
	const struct ranges *r = &g->data->ranges;

	buf_z(out, r->text[v]);
	if (!r->whole)
		buf_printf(out, " to %s", r->text[v + 1]);
}

void group_value(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		 struct buf *out)
{
	static const char *const mine[] = {"marked", "with a note", "seen"};

	if (value >= g->n)
		buf_z(out, "(none)");
	else if (g->kind == GROUP_CATEGORY)
		buf_z(out, category_word((enum category)value));
	else if (g->kind == GROUP_VERDICT)
		buf_z(out, verdict_word(verdict_at(value)));
	else if (g->kind == GROUP_OUTCOME)
		buf_z(out, outcome_word(outcome_at(value)));
	else if (g->kind == GROUP_MINE)
		buf_z(out, mine[value]);
	else if (group_is_ranges(g))
		put_range(g, value, out);
	else if (g->kind == GROUP_TRUTH || g->kind == GROUP_ANSWER)
		put_class(g, ctx->snap, value, out);
	else
		buf_z(out, name_of(ctx, g, value));
}

/* --- as terms --- */

static const struct word *word_of(const struct group *g, uint32_t value)
{
	static const char *const mine[] = {"mark", "note", "seen"};

	switch (g->kind) {
	case GROUP_CATEGORY:
		return word_find(STR("cat"));
	case GROUP_VERDICT:
		return word_find(str_z(verdict_word(verdict_at(value))));
	case GROUP_OUTCOME:
		return word_find(str_z(outcome_word(outcome_at(value))));
	case GROUP_TRUTH:
		return word_find(STR("gt"));
	case GROUP_ANSWER:
		return word_find(STR("pred"));
	case GROUP_TAGS:
		return word_find(STR("tag"));
	case GROUP_MINE:
		return word_find(str_z(mine[value]));
	default:
		return &facet_word;
	}
}

void group_term(const struct group *g, const uint8_t *in, struct term *t)
{
	uint32_t first = 0;

	while (first < g->n && !in[first])
		first++;
	*t = (struct term){.facet = g->facet,
			   .whose = {g->kind == GROUP_TRUTH ? WHO_LAYER : WHO_A, -1, 0},
			   .word = word_of(g, first < g->n ? first : 0),
			   .none = in[g->n]};
	t->set = xcalloc((size_t)g->n + 1, sizeof *t->set);
	for (uint32_t v = 0; v < g->n; v++)
		if (in[v])
			t->set[t->n_set++] = v;
}
