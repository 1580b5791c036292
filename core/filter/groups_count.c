/* How many samples each value has: by bits where a group has few values, else by rows. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

/* --- what counting needs --- */

static bool by_rows(const struct group *g)
{
	bool may_be_many =
	    g->kind == GROUP_FACET || g->kind == GROUP_TRUTH || g->kind == GROUP_ANSWER;

	return g->kind == GROUP_TAGS || (may_be_many && g->n >= g->data->bits_max);
}

static enum status value_bits(struct group *g, struct eval *e, uint32_t v)
{
	uint8_t in[BITS_MAX + 1] = {0};
	enum status st;
	struct term t;

	g->data->bits[v] = bits_new(e->n);
	if (!g->data->bits[v])
		return eval_no_memory(e->err, e->n);
	group_mean(g, v, in, 1);
	group_term(g, in, &t);
	st = t.word->eval_run ? t.word->eval_run(e, &t, e->ctx->a, g->data->bits[v])
			      : t.word->eval(e, &t, g->data->bits[v]);
	free(t.set);
	return st;
}

static enum status all_bits(struct group *g, struct eval *e)
{
	enum status st = OK;

	g->data->bits = xcalloc((size_t)g->n + 1, sizeof *g->data->bits);
	for (uint32_t v = 0; st == OK && v <= g->n; v++)
		if (group_is_line(g, v))
			st = value_bits(g, e, v);
	return st;
}

/* A run's numbers are borrowed until the next are read, so the ranges are laid at once. */
static enum status numbers_of(const struct group *g, struct eval *e, const struct column **c)
{
	static const struct column nothing = {DT_U8, 0, NULL};
	enum status st = OK;

	*c = g->kind == GROUP_RANGES ? &e->snap->facets[g->facet].number : NULL;
	if (g->kind == GROUP_SCORES)
		st = e->ctx->source->number(e->ctx->source->ctx, e->ctx->a, g->number, c, e->err);
	if (g->kind == GROUP_DIFFICULTY) {
		const struct difficulty *d = cache_difficulty(e->cache, e->ctx->panel, e->ctx->n_panel, e->err);

		st = d ? OK : e->err->code;
		*c = d ? &d->share : NULL;
	}
	if (!*c)
		*c = &nothing;
	return st;
}

static enum status range_bits(struct group *g, struct eval *e)
{
	const struct column *c;
	uint8_t *code = NULL;
	enum status st = numbers_of(g, e, &c);

	if (st != OK)
		return st;
	ranges_make(g, c, e->n);
	g->data->bits = xcalloc((size_t)g->n + 1, sizeof *g->data->bits);
	code = mem_try(e->n + 1);
	if (!code)
		return eval_no_memory(e->err, e->n);
	ranges_code(g, c, e->n, code);
	for (uint32_t v = 0; st == OK && v <= g->n; v++) {
		g->data->bits[v] = bits_new(e->n);
		if (g->data->bits[v])
			bits_of_bytes(g->data->bits[v], code, e->n, v < g->n ? (uint8_t)v : 0xff);
		else
			st = eval_no_memory(e->err, e->n);
	}
	free(code);
	return st;
}

static enum status count_under(const struct group *g, struct eval *e, const uint64_t *mask,
			       uint32_t *count);

static enum status prepare(struct group *g, struct eval *e)
{
	enum status st;

	if (g->ready)
		return OK;
	if (group_is_ranges(g))
		st = range_bits(g, e);
	else if (by_rows(g))
		st = rows_prepare(g, e);
	else
		st = all_bits(g, e);
	if (st == OK)
		st = count_under(g, e, NULL, g->data->total);
	g->ready = st == OK;
	return st;
}

/* --- counting --- */

static enum status few_of_many(const struct group *g, struct eval *e, const uint64_t *mask,
			       uint32_t *count)
{
	uint64_t *others = bits_new(e->n);
	enum status st;

	if (!others)
		return eval_no_memory(e->err, e->n);
	bits_fill(others, e->n, true);
	bits_and_not(others, mask, e->n);
	st = rows_count(g, e, others, count);
	for (uint32_t v = 0; v <= g->n; v++)
		count[v] = g->data->total[v] - count[v];
	free(others);
	return st;
}

/* mask NULL: all samples. */
static enum status count_under(const struct group *g, struct eval *e, const uint64_t *mask,
			       uint32_t *count)
{
	if (g->ready && !mask) {
		memcpy(count, g->data->total, ((size_t)g->n + 1) * sizeof *count);
		return OK;
	}
	if (by_rows(g))
		return g->ready && bits_count(mask, e->n) > e->n / 2
			   ? few_of_many(g, e, mask, count)
			   : rows_count(g, e, mask, count);
	for (uint32_t v = 0; v <= g->n; v++)
		count[v] = !g->data->bits[v] ? 0
			   : mask ? (uint32_t)bits_count_and(g->data->bits[v], mask, e->n)
				  : (uint32_t)bits_count(g->data->bits[v], e->n);
	return OK;
}

/* --- masks --- */

/* *mask: what the group is counted among; NULL with *known: all samples. own: room for one. */
static bool mask_of(const struct groups *g, size_t k, const struct groups_within *w, uint64_t *own,
		    const uint64_t **mask)
{
	size_t n = g->data->n_samples;

	*mask = w->shown;
	if (!g->v[k].chosen || !w->condition)
		return true;
	if (w->base)
		memcpy(own, w->base, bits_words(n) * sizeof *own);
	else
		bits_fill(own, n, true);
	for (size_t c = 0; c < g->data->cond.n; c++) {
		const uint64_t *bits = g->data->cond.v[c] == (int)k ? NULL : w->condition(w->of, c);

		if (bits)
			bits_and(own, bits, n);
		else if (g->data->cond.v[c] != (int)k)
			return false;
	}
	*mask = own;
	return true;
}

static bool same_base(const struct groups_data *d, const uint64_t *base)
{
	size_t size = bits_words(d->n_samples) * sizeof *base;

	return d->has_base == (base != NULL) && (!base || memcmp(d->base, base, size) == 0);
}

static enum status take_base(struct groups *g, const uint64_t *base, struct err *err)
{
	struct groups_data *d = g->data;

	if (same_base(d, base))
		return OK;
	for (size_t k = 0; k < g->n; k++)
		g->v[k].data->based = false;
	d->has_base = false;
	if (base && !d->base && !(d->base = bits_new(d->n_samples)))
		return eval_no_memory(err, d->n_samples);
	if (base)
		memcpy(d->base, base, bits_words(d->n_samples) * sizeof *base);
	d->has_base = base != NULL;
	return OK;
}

/* Numbers of runs are read from the project, difficulty asks for all verdicts: only what somebody
 * looks at. */
static bool is_needed(const struct group *g)
{
	return g->there && (!group_is_costly(g) || g->wanted || g->ready);
}

static enum status count_group(struct groups *g, size_t k, struct eval *e,
			       const struct groups_within *w, uint64_t *own)
{
	struct group *group = &g->v[k];
	const uint64_t *mask;
	enum status st = OK;

	if (!group->data->based)
		st = count_under(group, e, w->base, group->base);
	group->data->based = st == OK;
	group->counted = st == OK && mask_of(g, k, w, own, &mask);
	if (group->counted)
		st = count_under(group, e, mask, group->count);
	return st;
}

static void want_numbers(struct groups *g, const struct filter_ctx *ctx, const struct node *n)
{
	bool costly = n->kind == NODE_TERM && (n->term->number || n->term->word->eval == eval_difficulty);
	int k = costly ? groups_of(g, ctx, n) : -1;

	if (k >= 0)
		g->v[k].wanted = true;
	for (n = n->kids; n; n = n->next)
		want_numbers(g, ctx, n);
}

enum status groups_prepare_one(struct groups *g, const struct filter_ctx *ctx,
			       const struct filter *f, bool *more, struct err *err)
{
	struct eval e = {
	    .ctx = ctx, .snap = ctx->snap, .n = ctx->snap->n, .cache = ctx->cache, .err = err};
	enum status st = OK;
	bool done = false;

	*more = false;
	if (f && f->root)
		want_numbers(g, ctx, f->root);
	for (size_t k = 0; st == OK && k < g->n; k++) {
		if (g->v[k].ready || !is_needed(&g->v[k]))
			continue;
		if (done) {
			*more = true;
			break;
		}
		st = prepare(&g->v[k], &e);
		done = true;
	}
	return st;
}

enum status groups_prepare(struct groups *g, const struct filter_ctx *ctx, const struct filter *f,
			   struct err *err)
{
	bool more = true;
	enum status st = OK;

	while (st == OK && more)
		st = groups_prepare_one(g, ctx, f, &more, err);
	return st;
}

enum status groups_count(struct groups *g, const struct filter_ctx *ctx,
			 const struct groups_within *within, struct err *err)
{
	struct eval e = {
	    .ctx = ctx, .snap = ctx->snap, .n = ctx->snap->n, .cache = ctx->cache, .err = err};
	uint64_t *own = bits_new(ctx->snap->n);
	enum status st = own ? take_base(g, within->base, err) : eval_no_memory(err, ctx->snap->n);

	for (size_t k = 0; st == OK && k < g->n; k++) {
		g->v[k].counted = false;
		if (g->v[k].there && g->v[k].ready)
			st = count_group(g, k, &e, within, own);
	}
	free(own);
	return st;
}

/* --- one sample --- */

static bool is_below(const struct group *g, uint32_t v, uint32_t value)
{
	v = g->same && v < g->n ? g->same[v] : v;
	while (v < g->n && v != value)
		v = g->parent ? g->parent[v] : NO_VALUE;
	return v == value;
}

static bool csr_has(const struct group *g, const struct csr *c, uint32_t value, uint32_t ord,
		    bool *any)
{
	size_t from, n = csr_row(c, ord, &from);

	*any |= n > 0;
	for (size_t k = 0; k < n; k++)
		if (is_below(g, (uint32_t)column_u(&c->val, from + k), value))
			return true;
	return false;
}

static bool rows_have(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		      uint32_t ord)
{
	const struct facet *f = g->facet >= 0 ? &ctx->snap->facets[g->facet] : NULL;
	const struct run *run = g->kind == GROUP_ANSWER ? &ctx->snap->runs[ctx->a] : NULL;
	bool any = false, has;
	uint64_t one = f && !f->multi ? column_u(&f->value, ord)
		       : run          ? column_u(&run->label, ord)
				      : COLUMN_NONE;

	if (run && !bits_get(g->data->answered, ord))
		return value == g->n;
	any = one != COLUMN_NONE;
	has = any && is_below(g, (uint32_t)one, value);
	if (f && f->multi)
		has |= csr_has(g, &f->sets, value, ord, &any);
	if (run)
		has |= csr_has(g, &run->labels, value, ord, &(bool){false});
	return value == g->n ? !any : has;
}

static bool truth_has(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		      uint32_t ord)
{
	const struct truth *t = cache_truth(ctx->cache, ctx->lens->layer);
	bool has = value == g->n && t->off[ord] == t->off[ord + 1];

	for (uint32_t k = t->off[ord]; k < t->off[ord + 1]; k++)
		has |= is_below(g, t->val[k], value);
	return has && t->covered[ord];
}

static bool tag_has(const struct filter_tag *tag, uint32_t ord)
{
	uint32_t lo = 0, hi = tag->n;

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (tag->ords[mid] < ord)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < tag->n && tag->ords[lo] == ord;
}

bool group_has(const struct group *g, const struct filter_ctx *ctx, uint32_t value, uint32_t ord)
{
	if (!g->ready || value > g->n || ord >= ctx->snap->n)
		return false;
	if (g->data->bits)
		return g->data->bits[value] && bits_get(g->data->bits[value], ord);
	if (g->kind == GROUP_TAGS)
		return ctx->things && value < ctx->things->n_tags &&
		       tag_has(&ctx->things->tags[value], ord);
	if (g->kind == GROUP_TRUTH)
		return truth_has(g, ctx, value, ord);
	return rows_have(g, ctx, value, ord);
}
