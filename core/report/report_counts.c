/* Tables that count: answers outside of the class list, values of facets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/report/report_impl.h"

/* --- oop --- */

struct oop_columns {
	size_t run, group, n, oop, rate, unmapped;
};

static struct oop_columns oop_columns(struct table *t, const char *by)
{
	struct oop_columns c = {
	    table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle"),
	    table_column(t, "group", by, TABLE_TEXT, BEST_NONE, "\"all\" or one group of the grouping"),
	    table_column(t, "n", "answers", TABLE_COUNT, BEST_NONE, "predictions but errors"),
	    table_column(t, "oop", "oop", TABLE_COUNT, BEST_NONE,
			 "of them, outside of the class list as they were given"),
	    table_column(t, "rate", "rate", TABLE_SHARE, BEST_LOW, "oop / answers"),
	    table_column(t, "unmapped", "unmapped", TABLE_COUNT, BEST_NONE, "of oop, without a class"),
	};

	t->pivot_group = c.group;
	t->pivot_value = c.rate;
	return c;
}

struct oop_count {
	uint32_t n, oop, unmapped;
};

static void count_oop(const struct run *run, uint32_t i, struct oop_count *c)
{
	uint64_t o = column_u(&run->outcome, i);

	if (o >= N_OUTCOMES || o == OUTCOME_MISSING || o == OUTCOME_ERROR)
		return;
	c->n++;
	c->oop += o == OUTCOME_OOP;
	c->unmapped += o == OUTCOME_OOP && column_u(&run->label, i) == COLUMN_NONE;
}

static void put_oop(struct table *t, const struct oop_columns *c, const char *handle, const char *group,
		    const char *condition, const struct oop_count *count)
{
	struct buf door = BUF_INIT;

	table_row(t);
	table_text(t, c->run, handle);
	table_text(t, c->group, group);
	table_number(t, c->n, count->n);
	table_number(t, c->oop, count->oop);
	table_number(t, c->rate, count->n ? (double)count->oop / count->n : NAN);
	table_number(t, c->unmapped, count->unmapped);
	buf_z(&door, "oop");
	filter_put_who(&door, handle);
	buf_printf(&door, "%s%s", *condition ? " " : "", condition);
	table_door(t, c->oop, buf_cstr(&door));
	buf_release(&door);
}

static void oop_of_run(const struct report_ctx *ctx, const struct grouping *g, int r, struct table *t,
		       const struct oop_columns *c)
{
	const struct run *run = &ctx->snap->runs[r];
	struct oop_count *count = xcalloc((size_t)g->n + 1, sizeof *count);

	for (uint32_t i = 0; i < ctx->snap->n; i++) {
		if (ctx->mask && !bits_get(ctx->mask, i))
			continue;
		count_oop(run, i, &count[g->n]);
		for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++)
			count_oop(run, i, &count[g->val[k]]);
	}
	put_oop(t, c, run->handle, "all", "", &count[g->n]);
	for (uint32_t k = 0; k < g->n; k++)
		if (strcmp(g->name[k], "all") != 0)
			put_oop(t, c, run->handle, g->name[k], g->condition[k], &count[k]);
	free(count);
}

enum status report_oop(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct str by = ctx->by.n ? ctx->by : str_z(report_first_grouping(ctx->snap, ctx->lens));
	struct oop_columns c;
	struct grouping g;
	enum status st = grouping_make(ctx->snap, ctx->lens, by, &g, err);

	if (st != OK)
		return st;
	table_init(out, "oop");
	c = oop_columns(out, g.by);
	for (int r = 0; r < ctx->n_runs && st == OK; r++) {
		oop_of_run(ctx, &g, ctx->runs[r], out, &c);
		st = cancel_check(ctx->cancel, err);
	}
	grouping_release(&g);
	if (st != OK)
		table_release(out);
	return st;
}

/* --- facets --- */

static enum status put_facet(const struct report_ctx *ctx, const char *by, struct table *t,
			     const size_t column[4], struct err *err)
{
	uint32_t population = report_population(ctx), *count;
	struct grouping g;
	enum status st = grouping_make(ctx->snap, ctx->lens, str_z(by), &g, err);

	if (st != OK)
		return st;
	count = xcalloc((size_t)g.n + 1, sizeof *count);
	for (uint32_t i = 0; i < ctx->snap->n; i++)
		for (uint32_t k = g.off[i]; k < g.off[i + 1]; k++)
			count[g.val[k]] += !ctx->mask || bits_get(ctx->mask, i);
	for (uint32_t k = 0; k < g.n; k++) {
		table_row(t);
		table_text(t, column[0], by);
		table_text(t, column[1], g.name[k]);
		table_number(t, column[2], count[k]);
		table_door(t, column[2], g.condition[k]);
		table_number(t, column[3], population ? (double)count[k] / population : NAN);
	}
	free(count);
	grouping_release(&g);
	return OK;
}

enum status report_facets(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct arena arena = ARENA_INIT;
	const char **names;
	size_t column[4], n;
	enum status st = OK;

	table_init(out, "facets");
	column[0] = table_column(out, "facet", "facet", TABLE_TEXT, BEST_NONE, "a grouping of the samples");
	column[1] = table_column(out, "group", "value", TABLE_TEXT, BEST_NONE, "one of its groups");
	column[2] = table_column(out, "n", "samples", TABLE_COUNT, BEST_NONE, "samples in it");
	column[3] = table_column(out, "share", "share", TABLE_SHARE, BEST_NONE, "of the population");
	grouping_choices(ctx->snap, &arena, &names, &n);
	for (size_t k = 0; k < n && st == OK; k++)
		if (!ctx->by.n || str_eqz(ctx->by, names[k]))
			st = put_facet(ctx, names[k], out, column, err);
	arena_release(&arena);
	if (st != OK)
		table_release(out);
	return st;
}
