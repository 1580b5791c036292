#include "core/group/grouping.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/nearest.h"
#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/eval/truth.h"
#include "core/filter/filter.h"

#define NO_GROUP UINT32_MAX

/* --- making --- */

struct maker {
	const struct snapshot *snap;
	const struct lens *lens;
	struct grouping *g;
	uint32_t none; /* the group "(none)"; NO_GROUP until a sample needs it */
	VEC(const char *) names;
	VEC(const char *) conditions;
	VEC(uint32_t) val;
};

static uint32_t add_group(struct maker *m, const char *name, struct buf *condition)
{
	vec_push(&m->names, arena_strdup(&m->g->arena, name));
	vec_push(&m->conditions, arena_strdup(&m->g->arena, buf_cstr(condition)));
	buf_clear(condition);
	return (uint32_t)m->names.n - 1;
}

/* The sample in hand is in this group; once is enough. */
static void put(struct maker *m, uint32_t i, uint32_t group)
{
	for (size_t k = m->g->off[i]; k < m->val.n; k++)
		if (m->val.v[k] == group)
			return;
	vec_push(&m->val, group);
}

/* It is in none of them. what: the facet's part of the condition. */
static void put_none(struct maker *m, uint32_t i, const char *what)
{
	if (m->none == NO_GROUP) {
		struct buf condition = BUF_INIT;

		buf_printf(&condition, "%s(none)", what);
		m->none = add_group(m, "(none)", &condition);
		buf_release(&condition);
	}
	put(m, i, m->none);
}

static void close_sample(struct maker *m, uint32_t i)
{
	m->g->off[i + 1] = (uint32_t)m->val.n;
}

/* --- one group, categories --- */

static void make_all(struct maker *m)
{
	struct buf empty = BUF_INIT;

	add_group(m, "all", &empty);
	buf_release(&empty);
	for (uint32_t i = 0; i < m->snap->n; i++) {
		put(m, i, 0);
		close_sample(m, i);
	}
}

/* S and M beside their halves, as the tables of publications have them. */
static void make_categories(struct maker *m)
{
	static const struct {
		const char *name;
		uint8_t first, last; /* enum category */
	} groups[] = {{"S", CAT_S_PLUS, CAT_S_MINUS},   {"S+", CAT_S_PLUS, CAT_S_PLUS},
		      {"S-", CAT_S_MINUS, CAT_S_MINUS}, {"M", CAT_M_PLUS, CAT_M_MINUS},
		      {"M+", CAT_M_PLUS, CAT_M_PLUS},   {"M-", CAT_M_MINUS, CAT_M_MINUS},
		      {"N", CAT_N, CAT_N}};
	enum { N_GROUPS = sizeof groups / sizeof *groups };
	uint8_t *category = xcalloc((size_t)m->snap->n + 1, 1);
	struct buf condition = BUF_INIT;

	for (size_t g = 0; g < N_GROUPS; g++) {
		buf_printf(&condition, "cat:%s", groups[g].name);
		add_group(m, groups[g].name, &condition);
	}
	eval_categories(m->snap, m->lens, category);
	for (uint32_t i = 0; i < m->snap->n; i++) {
		for (uint32_t g = 0; g < N_GROUPS; g++)
			if (category[i] >= groups[g].first && category[i] <= groups[g].last)
				put(m, i, g);
		close_sample(m, i);
	}
	buf_release(&condition);
	free(category);
}

/* --- trees --- */

/* parent[n]: UINT32_MAX = root. 1 = a root. */
static uint32_t depth_of(const uint32_t *parent, uint32_t n, uint32_t k)
{
	uint32_t depth = 1;

	for (; parent[k] < n && depth <= n; depth++)
		k = parent[k];
	return depth;
}

/* The node of `level` at or above k, or k itself when it is nearer to the root; level 0: k. */
static uint32_t at_level(const uint32_t *parent, uint32_t n, uint32_t k, uint32_t level)
{
	for (uint32_t depth = level ? depth_of(parent, n, k) : 0; depth > level && parent[k] < n; depth--)
		k = parent[k];
	return k;
}

/* group[n]: of each node of the tree. name and put_value tell how a node is called. */
struct nodes {
	uint32_t n;
	const uint32_t *parent; /* NULL: no tree */
	const char *prefix;     /* "emotion:", "gt:" */
	const char *(*name)(const struct snapshot *snap, const void *ctx, uint32_t k);
	void (*value)(const struct snapshot *snap, const void *ctx, uint32_t k, struct buf *out);
	const void *ctx;
};

static bool has_kid(const struct nodes *t, uint32_t k)
{
	for (uint32_t i = 0; t->parent && i < t->n; i++)
		if (t->parent[i] == k)
			return true;
	return false;
}

static uint32_t *make_nodes(struct maker *m, const struct nodes *t, uint32_t level)
{
	uint32_t *group = xcalloc((size_t)t->n + 1, sizeof *group);
	struct buf condition = BUF_INIT;

	memset(group, 0xff, ((size_t)t->n + 1) * sizeof *group);
	for (uint32_t k = 0; k < t->n; k++) {
		uint32_t node = t->parent ? at_level(t->parent, t->n, k, level) : k;

		if (group[node] == NO_GROUP) {
			buf_z(&condition, t->prefix);
			t->value(m->snap, t->ctx, node, &condition);
			if (has_kid(t, node) && depth_of(t->parent, t->n, node) == level)
				buf_z(&condition, "/*");
			group[node] = add_group(m, t->name(m->snap, t->ctx, node), &condition);
		}
		group[k] = group[node];
	}
	buf_release(&condition);
	return group;
}

/* --- classes --- */

static int by_name(const void *a, const void *b)
{
	const struct class_info *p = *(const struct class_info *const *)a;
	const struct class_info *q = *(const struct class_info *const *)b;
	int order = strcmp(p->name, q->name);

	return order ? order : (p > q) - (p < q);
}

/* Names that several classes bear get the index or wnid behind them. */
static const char **unique_names(struct maker *m)
{
	const struct snapshot *snap = m->snap;
	uint32_t n = snap->n_classes;
	const char **name = arena_zalloc(&m->g->arena, (size_t)n + 1, sizeof *name);
	const struct class_info **c = xcalloc((size_t)n + 1, sizeof *c);

	for (uint32_t k = 0; k < n; k++)
		c[k] = &snap->classes[k];
	qsort(c, n, sizeof *c, by_name);
	for (uint32_t k = 0; k < n; k++) {
		bool twin = (k > 0 && strcmp(c[k - 1]->name, c[k]->name) == 0) ||
			    (k + 1 < n && strcmp(c[k + 1]->name, c[k]->name) == 0);
		const char **to = &name[c[k] - snap->classes];

		if (twin && c[k]->index >= 0)
			*to = arena_printf(&m->g->arena, "%s #%lld", c[k]->name, (long long)c[k]->index);
		else
			*to = twin ? arena_printf(&m->g->arena, "%s %s", c[k]->name, c[k]->wnid) : c[k]->name;
	}
	free(c);
	return name;
}

static const char *class_name(const struct snapshot *snap, const void *ctx, uint32_t k)
{
	(void)snap;
	return ((const char *const *)ctx)[k];
}

/* As its index or wnid: a name may be borne by several. */
static void class_value(const struct snapshot *snap, const void *ctx, uint32_t k, struct buf *out)
{
	const struct class_info *c = &snap->classes[k];

	(void)ctx;
	if (c->index >= 0)
		buf_printf(out, "#%lld", (long long)c->index);
	else
		filter_put_value(out, str_z(c->wnid[0] ? c->wnid : c->name));
}

static bool classes_are_tree(const struct snapshot *snap)
{
	for (uint32_t c = 0; c < snap->n_classes; c++)
		if (snap->classes[c].parent != UINT32_MAX)
			return true;
	return false;
}

static void make_classes(struct maker *m, uint32_t level)
{
	uint32_t n = m->snap->n_classes, *parent = xcalloc((size_t)n + 1, sizeof *parent), *group;
	struct nodes nodes = {n, parent, "gt:", class_name, class_value,
			      unique_names(m)};
	struct truth truth;

	for (uint32_t c = 0; c < n; c++)
		parent[c] = m->snap->classes[c].parent;
	group = make_nodes(m, &nodes, level);
	truth_init(&truth, m->snap, m->lens->layer);
	for (uint32_t i = 0; i < m->snap->n; i++) {
		for (uint32_t k = truth.off[i]; k < truth.off[i + 1] && truth.covered[i]; k++)
			put(m, i, group[truth.val[k]]);
		if (truth.covered[i] && truth.off[i] == truth.off[i + 1])
			put_none(m, i, "gt:");
		close_sample(m, i);
	}
	truth_release(&truth);
	free(group);
	free(parent);
}

/* --- facets of values --- */

static const char *facet_name(const struct snapshot *snap, const void *ctx, uint32_t k)
{
	(void)snap;
	return ((const struct facet *)ctx)->values[k];
}

static void facet_value(const struct snapshot *snap, const void *ctx, uint32_t k, struct buf *out)
{
	filter_put_value(out, str_z(facet_name(snap, ctx, k)));
}

static bool values_are_tree(const struct facet *f)
{
	for (uint32_t v = 0; f->parents && v < f->n_values; v++)
		if (f->parents[v] != UINT32_MAX)
			return true;
	return false;
}

static void put_values(struct maker *m, const struct facet *f, const uint32_t *group, uint32_t i,
		       const char *prefix)
{
	size_t from, n = f->multi ? csr_row(&f->sets, i, &from) : 0;
	uint64_t one = f->multi ? COLUMN_NONE : column_u(&f->value, i);

	for (size_t k = 0; k < n; k++)
		put(m, i, group[column_u(&f->sets.val, from + k)]);
	if (one < f->n_values)
		put(m, i, group[one]);
	else if (!n)
		put_none(m, i, prefix);
	close_sample(m, i);
}

static void make_values(struct maker *m, const struct facet *f, uint32_t level)
{
	struct buf prefix = BUF_INIT;
	struct nodes nodes = {f->n_values, values_are_tree(f) ? f->parents : NULL, NULL, facet_name,
			      facet_value, f};
	uint32_t *group;

	filter_put_facet(&prefix, f->name);
	nodes.prefix = buf_cstr(&prefix);
	group = make_nodes(m, &nodes, level);
	for (uint32_t i = 0; i < m->snap->n; i++)
		put_values(m, f, group, i, nodes.prefix);
	free(group);
	buf_release(&prefix);
}

/* --- facets of numbers --- */

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* The distinct numbers, ascending. */
static double *distinct(const struct snapshot *snap, const struct facet *f, size_t *n)
{
	double *v = xcalloc((size_t)snap->n + 1, sizeof *v);
	size_t all = 0;

	for (uint32_t i = 0; i < snap->n; i++) {
		double x = column_f(&f->number, i);

		if (isfinite(x))
			v[all++] = x;
	}
	qsort(v, all, sizeof *v, ascending);
	*n = 0;
	for (size_t i = 0; i < all; i++)
		if (!*n || v[*n - 1] != v[i])
			v[(*n)++] = v[i];
	return v;
}

/* The facet's name as it stands before a comparison: without the colon. */
static void put_bare(struct buf *out, const char *prefix)
{
	buf_put(out, prefix, strlen(prefix) - 1);
}

static void add_numbers(struct maker *m, const double *v, size_t n, const char *prefix)
{
	struct buf condition = BUF_INIT;
	char name[32];

	for (size_t k = 0; k < n; k++) {
		snprintf(name, sizeof name, "%.15g", v[k]);
		put_bare(&condition, prefix);
		buf_printf(&condition, "=%s", name);
		add_group(m, name, &condition);
	}
	buf_release(&condition);
}

static double edge(double lo, double hi, int k)
{
	return k == GROUPING_BINS ? hi : lo + (hi - lo) / GROUPING_BINS * k;
}

static void add_ranges(struct maker *m, double lo, double hi, const char *prefix)
{
	struct buf condition = BUF_INIT;
	char name[80];

	for (int k = 0; k < GROUPING_BINS; k++) {
		bool last = k == GROUPING_BINS - 1;

		snprintf(name, sizeof name, "%.6g–%.6g", edge(lo, hi, k), edge(lo, hi, k + 1));
		put_bare(&condition, prefix);
		buf_printf(&condition, ">=%.17g ", edge(lo, hi, k));
		put_bare(&condition, prefix);
		buf_printf(&condition, "%s%.17g", last ? "<=" : "<", edge(lo, hi, k + 1));
		add_group(m, name, &condition);
	}
	buf_release(&condition);
}

static uint32_t bin_of(double lo, double hi, double x)
{
	uint32_t k = GROUPING_BINS - 1;

	while (k && x < edge(lo, hi, (int)k))
		k--;
	return k;
}

static uint32_t number_of(const double *v, size_t n, double x)
{
	size_t lo = 0, hi = n;

	while (hi - lo > 1) {
		size_t mid = lo + (hi - lo) / 2;

		if (v[mid] <= x)
			lo = mid;
		else
			hi = mid;
	}
	return (uint32_t)lo;
}

static void make_numbers(struct maker *m, const struct facet *f)
{
	size_t n;
	double *v = distinct(m->snap, f, &n);
	bool each = n <= GROUPING_VALUES_MAX;
	struct buf prefix = BUF_INIT;

	filter_put_facet(&prefix, f->name);
	if (each)
		add_numbers(m, v, n, buf_cstr(&prefix));
	else
		add_ranges(m, v[0], v[n - 1], buf_cstr(&prefix));
	for (uint32_t i = 0; i < m->snap->n; i++) {
		double x = column_f(&f->number, i);

		if (!isfinite(x))
			put_none(m, i, buf_cstr(&prefix));
		else
			put(m, i, each ? number_of(v, n, x) : bin_of(v[0], v[n - 1], x));
		close_sample(m, i);
	}
	free(v);
	buf_release(&prefix);
}

/* --- by name --- */

#define LEVELS_CHOICE 6 /* of a tree: deeper ones are for who names them */

/* The levels of a tree above its deepest one. */
static uint32_t levels_above(const uint32_t *parent, uint32_t n)
{
	uint32_t deepest = 1;

	for (uint32_t k = 0; parent && k < n && deepest <= LEVELS_CHOICE; k++) {
		uint32_t d = depth_of(parent, n, k);

		deepest = d > deepest ? d : deepest;
	}
	return deepest - 1 < LEVELS_CHOICE ? deepest - 1 : LEVELS_CHOICE;
}

static uint32_t class_levels(const struct snapshot *snap)
{
	uint32_t *parent = xcalloc((size_t)snap->n_classes + 1, sizeof *parent), n;

	for (uint32_t c = 0; c < snap->n_classes; c++)
		parent[c] = snap->classes[c].parent;
	n = levels_above(parent, snap->n_classes);
	free(parent);
	return n;
}

static void put_levels(struct arena *arena, const char *name, uint32_t levels, const char **out, size_t *n)
{
	out[(*n)++] = name;
	for (uint32_t k = 1; k <= levels; k++)
		out[(*n)++] = arena_printf(arena, "%s/%u", name, k);
}

void grouping_choices(const struct snapshot *snap, struct arena *arena, const char ***names, size_t *n)
{
	const char **out = arena_zalloc(arena, ((size_t)snap->n_facets + 1) * (1 + LEVELS_CHOICE) + 2, sizeof *out);

	*n = 0;
	if (snap->n_layers > 1)
		out[(*n)++] = "category";
	if (snap->n_classes)
		put_levels(arena, "class", class_levels(snap), out, n);
	for (uint32_t f = 0; f < snap->n_facets; f++)
		put_levels(arena, snap->facets[f].name,
			   levels_above(snap->facets[f].parents, snap->facets[f].n_values), out, n);
	*names = out;
}

static enum status no_such(const struct snapshot *snap, struct str by, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct nearest near = {.word = by};
	struct buf list = BUF_INIT;
	const char **names;
	size_t n;

	grouping_choices(snap, &arena, &names, &n);
	for (size_t i = 0; i < n; i++) {
		nearest_offer(&near, names[i]);
		buf_printf(&list, "%s%.60s", i ? ", " : "", names[i]);
	}
	if (near.best)
		err_set(err, E_USAGE, "nothing is called \"%.*s\" here; did you mean %.100s?",
			(int)(by.n < 100 ? by.n : 100), by.p, near.best);
	else
		err_set(err, E_USAGE, "nothing is called \"%.*s\" here; there is %.600s",
			(int)(by.n < 100 ? by.n : 100), by.p, buf_cstr(&list));
	buf_release(&list);
	arena_release(&arena);
	return err->code;
}

/* "emotion/2" → "emotion", 2. */
static struct str cut_level(struct str by, uint32_t *level)
{
	int64_t n;

	*level = 0;
	for (size_t i = by.n; i-- > 1;)
		if (by.p[i] == '/') {
			if (!str_int((struct str){by.p + i + 1, by.n - i - 1}, &n) || n < 1 || n > 64)
				return by;
			*level = (uint32_t)n;
			return (struct str){by.p, i};
		}
	return by;
}

static enum status make(struct maker *m, struct str by, struct err *err)
{
	const struct snapshot *snap = m->snap;
	uint32_t level;
	struct str name = cut_level(by, &level);
	int f = snapshot_facet(snap, by);

	if (f < 0)
		f = snapshot_facet(snap, name);
	else
		level = 0;
	if (str_eqz(by, "none"))
		make_all(m);
	else if (str_eqz(by, "category") && snap->n_layers > 1)
		make_categories(m);
	else if (str_eqz(name, "class") && snap->n_classes && (!level || classes_are_tree(snap)))
		make_classes(m, level);
	else if (f >= 0 && snap->facets[f].numeric && !level)
		make_numbers(m, &snap->facets[f]);
	else if (f >= 0 && !snap->facets[f].numeric && (!level || values_are_tree(&snap->facets[f])))
		make_values(m, &snap->facets[f], level);
	else
		return no_such(snap, by, err);
	return OK;
}

enum status grouping_make(const struct snapshot *snap, const struct lens *lens, struct str by,
			  struct grouping *out, struct err *err)
{
	struct maker m = {.snap = snap, .lens = lens, .g = out, .none = NO_GROUP};
	enum status st;

	*out = (struct grouping){.arena = ARENA_INIT};
	out->off = xcalloc((size_t)snap->n + 2, sizeof *out->off);
	st = make(&m, by, err);
	if (st == OK) {
		out->by = arena_strndup(&out->arena, by.p, by.n);
		out->n = (uint32_t)m.names.n;
		out->name = arena_zalloc(&out->arena, out->n + 1, sizeof *out->name);
		out->condition = arena_zalloc(&out->arena, out->n + 1, sizeof *out->condition);
		for (uint32_t k = 0; k < out->n; k++) {
			out->name[k] = m.names.v[k];
			out->condition[k] = m.conditions.v[k];
		}
		out->val = m.val.v;
	} else {
		vec_release(&m.val);
		grouping_release(out);
	}
	vec_release(&m.names);
	vec_release(&m.conditions);
	return st;
}

void grouping_release(struct grouping *g)
{
	free(g->off);
	free(g->val);
	free(g->edge);
	arena_release(&g->arena);
	*g = (struct grouping){.arena = ARENA_INIT};
}

/* --- counting --- */

void grouping_tally(const struct grouping *g, const struct snapshot *snap, int run,
		    const uint8_t *verdict, const uint64_t *mask, struct tally *out)
{
	const struct column *outcome = &snap->runs[run].outcome;

	memset(out, 0, g->n * sizeof *out);
	for (size_t i = mask ? bits_next(mask, snap->n, 0) : 0; i < snap->n;
	     i = mask ? bits_next(mask, snap->n, i + 1) : i + 1) {
		uint64_t o = column_u(outcome, i);

		o = o < N_OUTCOMES ? o : OUTCOME_MISSING;
		for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++) {
			struct tally *t = &out[g->val[k]];

			t->right += verdict[i] == VERDICT_RIGHT;
			t->n += verdict[i] != VERDICT_UNCOUNTED;
			t->excluded += verdict[i] == VERDICT_UNCOUNTED;
			t->outcomes[o]++;
		}
	}
}
