/* Tables that count: values of facets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/report/report_impl.h"

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
