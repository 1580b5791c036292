#include "core/report/report_impl.h"

/* A benchmark whose own table is more than accuracy by groups has a row here and a file. */
static const struct {
	bool (*fits)(const struct report_ctx *ctx);
	enum status (*make)(const struct report_ctx *ctx, struct table *out, struct err *err);
	bool by_any; /* also by another grouping than its own */
} own_tables[] = {
    {report_fits_memo, report_memo, false},
    {report_fits_mme, report_mme, true},
    {report_fits_votes, report_votes, true},
    {report_fits_circular, report_circular, true},
    {NULL, NULL, false},
};

enum status report_benchmark(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	for (int i = 0; own_tables[i].fits; i++)
		if ((own_tables[i].by_any || !ctx->by.n) && own_tables[i].fits(ctx))
			return own_tables[i].make(ctx, out, err);
	return report_accuracy(ctx, out, err);
}
