/* What two runs do not have in common, said before their numbers (report_compare.c). */
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/report/report_impl.h"

/* --- samples --- */

struct answers {
	uint32_t all, only_a, only_b; /* answered by one of them at all; by one alone */
};

static uint64_t *answered(const struct report_ctx *ctx, const struct run *r)
{
	uint32_t n = ctx->snap->n;
	uint64_t *bits = xcalloc(bits_words(n) + 1, sizeof *bits);
	size_t have = r->outcome.n < n ? r->outcome.n : n;

	if (r->outcome.dtype == DT_U8 && have) {
		bits_of_bytes(bits, r->outcome.data, have, OUTCOME_MISSING);
		bits_not(bits, have);
	}
	if (ctx->mask)
		bits_and(bits, ctx->mask, n);
	return bits;
}

static struct answers count_answers(const struct report_ctx *ctx)
{
	uint64_t *a = answered(ctx, &ctx->snap->runs[ctx->runs[0]]);
	uint64_t *b = answered(ctx, &ctx->snap->runs[ctx->runs[1]]);
	uint32_t n = ctx->snap->n, both = (uint32_t)bits_count_and(a, b, n);
	struct answers out = {.only_a = (uint32_t)bits_count(a, n) - both, .only_b = (uint32_t)bits_count(b, n) - both};

	out.all = both + out.only_a + out.only_b;
	free(a);
	free(b);
	return out;
}

static void warn_samples(const struct report_ctx *ctx, struct table *t)
{
	struct answers n = count_answers(ctx);

	if (n.only_a || n.only_b)
		table_warn(t, "sample sets differ: of %u samples that one of the two was asked, %u were put to "
			   "a alone and %u to b alone", n.all, n.only_a, n.only_b);
}

void report_warn_coverage(const struct compare_coverage *c, struct table *t)
{
	if (c->only_a || c->only_b)
		table_warn(t, "coverage differs: a counts %u and b %u; compared on the %u that both count, "
			   "without %u of a and %u of b", c->both + c->only_a, c->both + c->only_b, c->both,
			   c->only_a, c->only_b);
}

/* --- protocols --- */

static const char *told(const char *text)
{
	return text && *text ? text : "(not told)";
}

static bool differ(const char *x, const char *y)
{
	return strcmp(x ? x : "", y ? y : "") != 0;
}

static void put_word(struct buf *out, const char *what, const char *x, const char *y)
{
	if (differ(x, y))
		buf_printf(out, "%s%s a %.100s, b %.100s", out->n ? "; " : "", what, told(x), told(y));
}

/* A prompt is too long to be shown: how long, and where the two part. */
static void put_prompt(struct buf *out, const char *x, const char *y)
{
	size_t same = 0;

	x = x ? x : "";
	y = y ? y : "";
	if (strcmp(x, y) == 0)
		return;
	while (x[same] && x[same] == y[same])
		same++;
	buf_printf(out, "%sprompt a %zu bytes, b %zu, the first %zu the same", out->n ? "; " : "", strlen(x),
		   strlen(y), same);
}

void report_batch(const struct filter_source *source, int run, uint32_t out[2])
{
	const struct column *c = NULL;
	struct err err = ERR_INIT;

	out[0] = out[1] = 0;
	if (!source || !source->number || source->number(source->ctx, run, "batch_size", &c, &err) != OK)
		return;
	for (size_t i = 0; i < c->n; i++) {
		uint64_t v = column_u(c, i);

		if (v == COLUMN_NONE || v == 0 || v > UINT32_MAX)
			continue;
		out[0] = !out[0] || v < out[0] ? (uint32_t)v : out[0];
		out[1] = v > out[1] ? (uint32_t)v : out[1];
	}
}

static void put_range(struct buf *out, const uint32_t range[2])
{
	if (!range[1])
		buf_z(out, "(not told)");
	else if (range[0] == range[1])
		buf_printf(out, "%u", range[0]);
	else
		buf_printf(out, "%u to %u", range[0], range[1]);
}

static void put_batch(struct buf *out, const uint32_t batch[2][2])
{
	if (memcmp(batch[0], batch[1], sizeof batch[0]) == 0)
		return;
	buf_printf(out, "%sbatch a ", out->n ? "; " : "");
	put_range(out, batch[0]);
	buf_z(out, ", b ");
	put_range(out, batch[1]);
}

static void warn_protocols(const struct report_ctx *ctx, struct table *t)
{
	const struct run *a = &ctx->snap->runs[ctx->runs[0]], *b = &ctx->snap->runs[ctx->runs[1]];
	struct buf out = BUF_INIT;

	put_word(&out, "protocol", a->protocol, b->protocol);
	put_prompt(&out, a->prompt, b->prompt);
	put_word(&out, "response format", a->response_format, b->response_format);
	put_word(&out, "encoder", a->encoder, b->encoder);
	if (a->list_rule != b->list_rule)
		put_word(&out, "lists", list_rule_word(a->list_rule), list_rule_word(b->list_rule));
	if (a->open_world != b->open_world)
		put_word(&out, "unmapped answers", a->open_world ? "left out" : "wrong",
			 b->open_world ? "left out" : "wrong");
	if (ctx->pairing)
		put_batch(&out, ctx->pairing->batch);
	if (out.n)
		table_warn(t, "protocols differ: %.900s", buf_cstr(&out));
	buf_release(&out);
}

void report_warn_runs(const struct report_ctx *ctx, struct table *t)
{
	if (ctx->runs[0] == ctx->runs[1])
		table_warn(t, "a and b are one and the same run");
	warn_samples(ctx, t);
	warn_protocols(ctx, t);
}
