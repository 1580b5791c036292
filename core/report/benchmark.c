#include "core/report/report_impl.h"

/* A benchmark whose own table is more than accuracy by groups has a row here and a file. */
static const struct {
	bool (*fits)(const struct report_ctx *ctx);
	enum status (*make)(const struct report_ctx *ctx, struct table *out, struct err *err);
} own_tables[] = {
    {report_fits_memo, report_memo},
    {NULL, NULL},
};

const char *const *report_numbers(const struct snapshot *snap)
{
	static const char *const none[] = {NULL}, *const memo[] = {"degree", NULL};

	return snapshot_facet(snap, STR("degree")) >= 0 ? memo : none;
}

enum status report_benchmark(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	for (int i = 0; own_tables[i].fits && !ctx->by.n; i++)
		if (own_tables[i].fits(ctx))
			return own_tables[i].make(ctx, out, err);
	return report_accuracy(ctx, out, err);
}
