#include "core/report/report_impl.h"

/* A benchmark whose own table is more than accuracy by groups has a row here and a file. */
static const struct {
	bool (*fits)(const struct report_ctx *ctx);
	enum status (*make)(const struct report_ctx *ctx, struct table *out, struct err *err);
} own_tables[] = {
    {NULL, NULL},
};

enum status report_benchmark(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	for (int i = 0; own_tables[i].fits && !ctx->by.n; i++)
		if (own_tables[i].fits(ctx))
			return own_tables[i].make(ctx, out, err);
	return report_accuracy(ctx, out, err);
}
