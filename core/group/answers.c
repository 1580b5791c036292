/* A run's answers by a number that came with them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/group/grouping.h"

struct numbers {
	VEC(double) v; /* after sort_out(): distinct, ascending */
	bool none;     /* an answer has none */
};

/* "batch" is kept as batch_size, "position" as batch_pos; NULL: no run has such a number. */
static const char *column_of(const struct filter_source *source, struct str by)
{
	struct str name = str_eqz(by, "batch") ? STR("batch_size") : str_eqz(by, "position") ? STR("batch_pos") : by;

	for (size_t i = 0; source && source->number && i < source->n_numbers; i++)
		if (str_eqz(name, source->numbers[i]))
			return source->numbers[i];
	return NULL;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void sort_out(struct numbers *n)
{
	size_t kept = 0;

	if (n->v.n)
		qsort(n->v.v, n->v.n, sizeof *n->v.v, ascending);
	for (size_t i = 0; i < n->v.n; i++)
		if (!kept || n->v.v[kept - 1] != n->v.v[i])
			n->v.v[kept++] = n->v.v[i];
	n->v.n = kept;
}

static enum status collect(struct numbers *n, const struct snapshot *snap,
			   const struct filter_source *source, const char *number, int run, struct err *err)
{
	const struct column *col = NULL;
	enum status st = source->number(source->ctx, run, number, &col, err);

	for (uint32_t i = 0; st == OK && i < snap->n; i++) {
		double x = col ? column_f(col, i) : NAN;

		if (isfinite(x))
			vec_push(&n->v, x);
		else
			n->none = true;
	}
	sort_out(n);
	return st;
}

/* --- groups --- */

static void make_edges(struct grouping *g, const struct numbers *n)
{
	size_t count = n->v.n;

	g->ranges = count > GROUPING_VALUES_MAX;
	if (g->ranges)
		count = GROUPING_BINS + 1;
	g->edge = xcalloc(count + 1, sizeof *g->edge);
	for (size_t k = 0; k < count; k++)
		g->edge[k] = g->ranges ? n->v.v[0] + (n->v.v[n->v.n - 1] - n->v.v[0]) / GROUPING_BINS * (double)k
				       : n->v.v[k];
	if (g->ranges)
		g->edge[GROUPING_BINS] = n->v.v[n->v.n - 1];
	g->n = (uint32_t)(g->ranges ? GROUPING_BINS : count) + n->none;
}

/* Groups that are numbers; behind them there may be "(none)". */
static uint32_t n_numbers(const struct grouping *g)
{
	return g->n && strcmp(g->name[g->n - 1], "(none)") == 0 ? g->n - 1 : g->n;
}

static void name_groups(struct grouping *g, bool none)
{
	g->name = arena_zalloc(&g->arena, (size_t)g->n + 1, sizeof *g->name);
	g->condition = arena_zalloc(&g->arena, (size_t)g->n + 1, sizeof *g->condition);
	for (uint32_t k = 0; k < g->n; k++)
		g->name[k] = none && k == g->n - 1 ? "(none)"
			     : g->ranges ? arena_printf(&g->arena, "%.6g–%.6g", g->edge[k], g->edge[k + 1])
					 : arena_printf(&g->arena, "%.15g", g->edge[k]);
}

/* --- as they are for a run --- */

static uint32_t group_of(const struct grouping *g, double x)
{
	uint32_t lo = 0, hi = n_numbers(g);

	if (!isfinite(x))
		return hi;
	while (hi - lo > 1) {
		uint32_t mid = lo + (hi - lo) / 2;

		*(g->edge[mid] <= x ? &lo : &hi) = mid;
	}
	return lo;
}

static void put_word(struct buf *out, const struct grouping *g, const char *handle)
{
	filter_put_number(out, g->number);
	filter_put_who(out, handle);
}

/* there: the run has such numbers at all; the language does not ask the others for them. */
static void put_condition(struct buf *out, const struct grouping *g, const char *handle, bool there,
			  uint32_t k)
{
	bool last = k + 1 == GROUPING_BINS;

	if (!there) {
		if (k == n_numbers(g))
			return; /* all samples */
		buf_z(out, "missing");
		filter_put_who(out, handle);
		buf_z(out, " -missing");
		filter_put_who(out, handle);
		return;
	}
	if (k == n_numbers(g)) { /* neither below nor above any number */
		buf_z(out, "-(");
		put_word(out, g, handle);
		buf_z(out, "<0 or ");
		put_word(out, g, handle);
		buf_z(out, ">=0)");
		return;
	}
	put_word(out, g, handle);
	if (!g->ranges) {
		buf_printf(out, "=%.17g", g->edge[k]);
		return;
	}
	buf_printf(out, ">=%.17g ", g->edge[k]);
	put_word(out, g, handle);
	buf_printf(out, "%s%.17g", last ? "<=" : "<", g->edge[k + 1]);
}

enum status grouping_turn(struct grouping *g, const struct snapshot *snap,
			  const struct filter_source *source, int run, struct err *err)
{
	struct buf condition = BUF_INIT;
	const struct column *col = NULL;
	enum status st;

	if (!g->number)
		return OK;
	st = source->number(source->ctx, run, g->number, &col, err);
	if (st != OK)
		return st;
	for (uint32_t i = 0; i < snap->n; i++) {
		g->off[i] = i;
		g->val[i] = group_of(g, col ? column_f(col, i) : NAN);
	}
	g->off[snap->n] = snap->n;
	for (uint32_t k = 0; k < g->n; k++) {
		buf_clear(&condition);
		put_condition(&condition, g, snap->runs[run].handle, col && col->n, k);
		g->condition[k] = arena_strdup(&g->arena, buf_cstr(&condition));
	}
	buf_release(&condition);
	return OK;
}

/* --- making --- */

static bool can_be_named(const char *number)
{
	struct buf word = BUF_INIT;
	bool can = filter_put_number(&word, number);

	buf_release(&word);
	return can;
}

enum status grouping_make_with(const struct snapshot *snap, const struct lens *lens,
			       const struct filter_source *source, const int *runs, int n_runs,
			       struct str by, struct grouping *out, struct err *err)
{
	const char *number = column_of(source, by);
	struct numbers n = {.none = false};
	enum status st = OK;

	if (!number || snapshot_facet(snap, by) >= 0 || !n_runs || !can_be_named(number))
		return grouping_make(snap, lens, by, out, err);
	for (int r = 0; r < n_runs && st == OK; r++)
		st = collect(&n, snap, source, number, runs[r], err);
	if (st == OK && !n.v.n)
		st = err_set(err, E_USAGE, "none of these runs has a %.100s", number);
	*out = (struct grouping){.arena = ARENA_INIT};
	if (st == OK) {
		out->number = arena_strdup(&out->arena, number);
		out->by = arena_strndup(&out->arena, by.p, by.n);
		make_edges(out, &n);
		name_groups(out, n.none);
		out->off = xcalloc((size_t)snap->n + 2, sizeof *out->off);
		out->val = xcalloc((size_t)snap->n + 1, sizeof *out->val);
		st = grouping_turn(out, snap, source, runs[0], err);
	}
	if (st != OK)
		grouping_release(out);
	vec_release(&n.v);
	return st;
}
