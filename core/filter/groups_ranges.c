/* Numbers as ranges with round bounds, which the data of all samples decide and no filter moves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

#define WHOLE_MAX 1e15 /* numbers below are held to the last digit */

/* --- bounds --- */

static void trim_zeros(char *text)
{
	size_t n = strlen(text);

	while (text[n - 1] == '0')
		text[--n] = '\0';
	if (text[n - 1] == '.')
		text[n - 1] = '\0';
}

/* mantissa × 10^exponent as it stands in a filter: "0.25", "-3", "2e+20". */
static double edge_text(double mantissa, int exponent, char out[EDGE_TEXT])
{
	double v = 0;

	if (exponent >= 0 && fabs(mantissa) * pow(10, exponent) < WHOLE_MAX)
		snprintf(out, EDGE_TEXT, "%.0f", mantissa * pow(10, exponent));
	else if (exponent < 0 && exponent >= -12)
		snprintf(out, EDGE_TEXT, "%.*f", -exponent, mantissa / pow(10, -exponent));
	else
		snprintf(out, EDGE_TEXT, "%.0fe%d", mantissa, exponent);
	if (strchr(out, '.') && !strchr(out, 'e'))
		trim_zeros(out);
	if (strcmp(out, "-0") == 0)
		memcpy(out, "0", 2);
	str_num(str_z(out), &v);
	return v;
}

static double narrow(const struct ranges *r, double v)
{
	return r->f32 ? (double)(float)v : v;
}

/* Edges from k × step on; how many bins hold lo … hi. 0: more than there is room for. */
static uint32_t lay_edges(struct ranges *r, double lo, double hi, int digit, int exponent)
{
	double step = digit * pow(10, exponent), k = floor(lo / step);
	uint32_t n = 0;

	if (!(fabs(k) < WHOLE_MAX / 10) || !(fabs(hi / step) < WHOLE_MAX / 10))
		return 0;
	while (edge_text(k * digit, exponent, r->text[0]) > lo)
		k--;
	while (edge_text((k + 1) * digit, exponent, r->text[0]) <= lo)
		k++;
	for (;; n++) {
		r->edge[n] = narrow(r, edge_text((k + n) * digit, exponent, r->text[n]));
		if (n && (r->whole ? r->edge[n] > hi : r->edge[n] >= hi))
			return n;
		if (n && r->edge[n] <= r->edge[n - 1])
			return 0;
		if (n == RANGES_MAX)
			return 0;
	}
}

/* As few digits as mean this number. */
static void plain_text(const struct ranges *r, double v, char out[EDGE_TEXT])
{
	double back;

	for (int digits = 6; digits <= 17; digits++) {
		snprintf(out, EDGE_TEXT, "%.*g", digits, v);
		if (str_num(str_z(out), &back) && narrow(r, back) == v)
			return;
	}
}

/* One bin for all: the numbers are alike, or too large for round bounds. */
static uint32_t one_bin(struct ranges *r, double lo, double hi)
{
	plain_text(r, lo, r->text[0]);
	plain_text(r, hi, r->text[1]);
	r->edge[0] = lo;
	r->edge[1] = hi;
	r->whole = lo == hi;
	return 1;
}

static uint32_t choose_edges(struct ranges *r, double lo, double hi, bool whole)
{
	static const int digits[] = {1, 2, 5};
	double least = (hi - lo) / (RANGES_MAX - 2);
	int exponent;
	uint32_t n = 0;

	if (lo == hi || !isfinite(hi - lo))
		return one_bin(r, lo, hi);
	if (whole && hi - lo < RANGES_MAX && fabs(lo) < WHOLE_MAX && fabs(hi) < WHOLE_MAX) {
		r->whole = true;
		return lay_edges(r, lo, hi, 1, 0);
	}
	exponent = (int)floor(log10(least)) - 1;
	if (whole && exponent < 0)
		exponent = 0;
	for (int e = exponent; e < exponent + 4 && !n; e++)
		for (int k = 0; k < 3 && !n; k++)
			if (digits[k] * pow(10, e) >= least * 0.999)
				n = lay_edges(r, lo, hi, digits[k], e);
	return n ? n : one_bin(r, lo, hi);
}

/* What numbers there are. Infinite ones lie in no range. */
static bool span(const struct column *c, size_t n, double *lo, double *hi, bool *whole)
{
	bool all = true, finite = true;

	*lo = INFINITY;
	*hi = -INFINITY;
	for (size_t i = 0; i < n && i < c->n; i++) {
		double v = c->dtype == DT_F64 ? ((const double *)c->data)[i] : column_f(c, i);

		if (isnan(v))
			continue;
		finite = finite && isfinite(v);
		all = all && v == floor(v);
		*lo = v < *lo ? v : *lo;
		*hi = v > *hi ? v : *hi;
	}
	*whole = all;
	return finite && *lo <= *hi;
}

void ranges_make(struct group *g, const struct column *c, size_t n)
{
	struct ranges *r = &g->data->ranges;
	double lo, hi;
	bool whole;

	*r = (struct ranges){.f32 = c->dtype == DT_F32};
	g->there = span(c, n, &lo, &hi, &whole);
	g->n = g->there ? choose_edges(r, lo, hi, whole) : 0;
	r->hi = hi;
}

void ranges_code(const struct group *g, const struct column *c, size_t n, uint8_t *code)
{
	const double *edge = g->data->ranges.edge;

	memset(code, 0xff, n);
	for (size_t i = 0; i < n && i < c->n; i++) {
		double v = c->dtype == DT_F64 ? ((const double *)c->data)[i] : column_f(c, i);
		uint8_t bin = 0;

		if (isnan(v))
			continue;
		for (uint32_t k = 1; k < g->n; k++)
			bin += v >= edge[k];
		code[i] = bin;
	}
}

/* --- conditions --- */

static bool term_meets(const struct group *g, const struct term *t)
{
	const struct ranges *r = &g->data->ranges;
	double x = narrow(r, t->value);

	if (t->op == OP_IS || r->whole)
		return true;
	if (t->op != OP_GE && t->op != OP_LT)
		return false;
	if (x <= r->edge[0] || x > r->hi)
		return true;
	for (uint32_t k = 1; k < g->n; k++)
		if (x == r->edge[k])
			return true;
	return false;
}

bool ranges_meet(const struct group *g, const struct node *n)
{
	if (!g->there)
		return false;
	if (n->kind == NODE_TERM)
		return term_meets(g, n->term);
	for (const struct node *k = n->kids; k; k = k->next)
		if (!ranges_meet(g, k))
			return false;
	return true;
}

static bool compares(enum op op, double a, double b)
{
	switch (op) {
	case OP_LT:
		return a < b;
	case OP_LE:
		return a <= b;
	case OP_GT:
		return a > b;
	case OP_GE:
		return a >= b;
	case OP_EQ:
		return a == b;
	default:
		return a != b;
	}
}

/* As all of a bin is alike to a condition that meets the bounds, its lower one answers. */
static bool is_true(const struct group *g, const struct node *n, uint32_t v)
{
	const struct ranges *r = &g->data->ranges;

	switch (n->kind) {
	case NODE_TERM:
		if (n->term->op == OP_IS || v == g->n)
			return n->term->op == OP_IS && v == g->n;
		return compares(n->term->op, r->edge[v], narrow(r, n->term->value));
	case NODE_NOT:
		return !is_true(g, n->kids, v);
	default:
		for (const struct node *k = n->kids; k; k = k->next)
			if (is_true(g, k, v) == (n->kind == NODE_OR))
				return n->kind == NODE_OR;
		return n->kind == NODE_AND;
	}
}

void ranges_apply(const struct group *g, const struct node *n, uint8_t *in)
{
	for (uint32_t v = 0; v <= g->n; v++)
		in[v] = in[v] && is_true(g, n, v);
}

/* --- as text --- */

static void put_number(const struct group *g, const struct filter_ctx *ctx, const char *op,
		       const char *value, struct buf *out)
{
	group_put_name(g, ctx, out);
	buf_printf(out, "%s%s", op, value);
}

/* Bins from … to. The last is open above, so that what lies on its upper bound is in it. */
static uint32_t put_run(const struct group *g, const struct filter_ctx *ctx, uint32_t from,
			uint32_t to, bool first, struct buf *out)
{
	const struct ranges *r = &g->data->ranges;
	bool high = to + 1 < g->n, low = from > 0 || !high;

	buf_z(out, first ? "" : " or ");
	if (r->whole && from == to) {
		put_number(g, ctx, "=", r->text[from], out);
		return 1;
	}
	if (low)
		put_number(g, ctx, ">=", r->text[from], out);
	if (low && high)
		buf_ch(out, ' ');
	if (high)
		put_number(g, ctx, "<", r->text[to + 1], out);
	return low && high ? 2 : 1;
}

/* Runs of bins where in[v] == is. In parentheses where what stands there would be torn apart. */
static void put_runs(const struct group *g, const struct filter_ctx *ctx, const uint8_t *in,
		     uint8_t is, bool negated, struct buf *out)
{
	struct buf text = BUF_INIT;
	uint32_t runs = 0, parts = 0;

	for (uint32_t v = 0; v < g->n; v++) {
		uint32_t to = v;

		if (in[v] != is)
			continue;
		while (to + 1 < g->n && in[to + 1] == is)
			to++;
		parts = put_run(g, ctx, v, to, runs++ == 0, &text);
		v = to;
	}
	if (runs > 1 || (negated && parts > 1))
		buf_printf(out, "(%s)", buf_cstr(&text));
	else
		buf_str(out, buf_view(&text));
	buf_release(&text);
}

/* What has no number is not in any bin: chosen beside bins, the others are what is not wanted. */
void ranges_put(const struct group *g, const struct filter_ctx *ctx, const uint8_t *in,
		struct buf *out)
{
	uint32_t n_in = 0;
	bool none = in[g->n];

	for (uint32_t v = 0; v < g->n; v++)
		n_in += in[v] != 0;
	if ((none && n_in == g->n) || (!none && !n_in))
		return;
	if (none && !n_in && g->none) {
		put_number(g, ctx, ":", "(none)", out);
	} else if (none) {
		buf_ch(out, '-');
		put_runs(g, ctx, in, 0, true, out);
	} else {
		put_runs(g, ctx, in, 1, false, out);
	}
}
