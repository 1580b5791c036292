/* Selections as conditions of the filter. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

/* --- names --- */

/* Does "face_type" lead to another facet than the one meant? */
static bool needs_exact(const struct group *g, const struct filter_ctx *ctx)
{
	struct buf name = BUF_INIT;
	bool other;

	if (g->facet < 0)
		return false;
	for (const char *c = ctx->snap->facets[g->facet].name; *c; c++)
		buf_ch(&name, *c == ' ' ? '_' : *c);
	other = snapshot_facet(ctx->snap, buf_view(&name)) != g->facet;
	buf_release(&name);
	return other;
}

void group_put_name(const struct group *g, const struct filter_ctx *ctx, struct buf *out)
{
	const struct word *w = g->kind == GROUP_SCORES ? word_find(str_z(g->number)) : NULL;

	if (g->facet >= 0)
		filter_put_name(out, ctx->snap->facets[g->facet].name, needs_exact(g, ctx));
	else if (w && w->eval_run == eval_number)
		buf_z(out, w->name);
	else if (g->kind == GROUP_SCORES)
		filter_put_name(out, g->number, false);
	else
		buf_z(out, g->kind == GROUP_CATEGORY ? "cat"
			   : g->kind == GROUP_TRUTH  ? "gt"
			   : g->kind == GROUP_ANSWER ? "pred"
			   : g->kind == GROUP_DIFFICULTY ? "difficulty"
							 : "tag");
}

/* A class whose name is not its own goes by its number. */
static void put_value(const struct group *g, const struct filter_ctx *ctx, uint32_t v,
		      struct buf *out)
{
	struct buf name = BUF_INIT;

	group_value(g, ctx, v, &name);
	if (v == g->n)
		buf_z(out, "(none)");
	else if (g->data->twin && g->data->twin[v])
		buf_printf(out, "#%lld", (long long)ctx->snap->classes[v].index);
	else
		filter_put_value(out, buf_view(&name));
	buf_release(&name);
}

/* --- trees --- */

static const char *plain_name(const struct group *g, const struct filter_ctx *ctx, uint32_t v)
{
	return g->kind == GROUP_FACET ? ctx->snap->facets[g->facet].values[v]
				      : ctx->snap->classes[v].name;
}

/* Can the value be written as NAME/ and a star? Only without quotes, and when no other goes by it.
 */
static bool tree_name(const struct group *g, const struct filter_ctx *ctx, uint32_t v,
		      struct buf *name)
{
	buf_clear(name);
	for (const char *c = plain_name(g, ctx, v); *c; c++)
		buf_ch(name, *c == ' ' ? '_' : *c);
	if (!lex_is_bare(buf_view(name), false))
		return false;
	for (uint32_t u = 0; u < g->n; u++)
		if (u != v && name_eq(str_z(plain_name(g, ctx, u)), buf_view(name)))
			return false;
	return true;
}

struct list { /* of values, being written */
	const struct group *g;
	const struct filter_ctx *ctx;
	uint8_t *in; /* what is yet to be written */
	struct buf *out;
	bool any;
};

static void put_one(struct list *l, uint32_t v)
{
	buf_z(l->out, l->any ? "," : "");
	put_value(l->g, l->ctx, v, l->out);
	l->any = true;
}

/* All of a node and below, in one word. */
static bool put_tree(struct list *l, uint32_t v)
{
	uint8_t *means = xcalloc((size_t)l->g->n + 1, 1);
	struct buf name = BUF_INIT;
	bool all = true;

	group_mean(l->g, v, means, 1);
	for (uint32_t u = 0; u < l->g->n && all; u++)
		all = !means[u] || l->in[u];
	all = all && tree_name(l->g, l->ctx, v, &name);
	if (all) {
		buf_printf(l->out, "%s%s/*", l->any ? "," : "", buf_cstr(&name));
		l->any = true;
		group_mean(l->g, v, l->in, 0);
	}
	buf_release(&name);
	free(means);
	return all;
}

/* From the roots down: what is whole is said at once. */
static void put_trees(struct list *l)
{
	const struct group *g = l->g;
	uint32_t v = group_below(g, g->n);

	while (v != NO_VALUE) {
		uint32_t to = group_below(g, v);

		if (to != NO_VALUE && l->in[v] && put_tree(l, v))
			to = NO_VALUE;
		while (to == NO_VALUE && v != NO_VALUE) {
			to = group_beside(g, v);
			if (to == NO_VALUE)
				v = g->parent[v] < g->n ? g->parent[v] : NO_VALUE;
		}
		v = to;
	}
}

/* --- conditions --- */

static void put_list(const struct group *g, const struct filter_ctx *ctx, const uint8_t *in,
		     struct buf *out)
{
	struct list l = {g, ctx, xcalloc((size_t)g->n + 1, 1), out, false};

	memcpy(l.in, in, (size_t)g->n + 1);
	group_put_name(g, ctx, out);
	buf_ch(out, ':');
	if (g->parent)
		put_trees(&l);
	for (uint32_t v = 0; v <= g->n; v++)
		if (l.in[v] && group_is_line(g, v))
			put_one(&l, v);
	free(l.in);
}

static void put_words(const struct group *g, const uint8_t *in, struct buf *out)
{
	uint32_t n = 0, at = 0;
	uint8_t one[16] = {0};

	for (uint32_t v = 0; v < g->n; v++)
		n += in[v];
	buf_z(out, n > 1 ? "(" : "");
	for (uint32_t v = 0; v < g->n; v++) {
		struct term t;

		if (!in[v])
			continue;
		one[v] = 1;
		group_term(g, one, &t);
		one[v] = 0;
		buf_printf(out, "%s%s", at++ ? " or " : "", t.word->name);
		free(t.set);
	}
	buf_z(out, n > 1 ? ")" : "");
}

static void put_values(const struct group *g, const struct filter_ctx *ctx, const uint8_t *in,
		       struct buf *out)
{
	if (g->kind == GROUP_VERDICT || g->kind == GROUP_OUTCOME || g->kind == GROUP_MINE)
		put_words(g, in, out);
	else
		put_list(g, ctx, in, out);
}

static void put_choice(const struct group *g, const struct filter_ctx *ctx,
		       const struct choice_set *c, struct buf *out)
{
	bool in = memchr(c->in, 1, (size_t)g->n + 1), not_in = memchr(c->out, 1, (size_t)g->n + 1);

	if (group_is_ranges(g)) {
		ranges_put(g, ctx, c->in, out);
		return;
	}
	if (in)
		put_values(g, ctx, c->in, out);
	if (not_in) {
		buf_z(out, in ? " -" : "-");
		put_values(g, ctx, c->out, out);
	}
}

void group_put(const struct group *g, const struct filter_ctx *ctx, uint32_t value, struct buf *out)
{
	struct choice_set c;

	choice_init(&c, g->n);
	group_mean(g, value, c.in, 1);
	put_choice(g, ctx, &c, out);
	choice_release(&c);
}

/* --- acts --- */

static bool all_in(const struct group *g, uint32_t value, const uint8_t *set)
{
	uint8_t *means = xcalloc((size_t)g->n + 1, 1);
	bool all = true;

	group_mean(g, value, means, 1);
	for (uint32_t v = 0; v <= g->n && all; v++)
		all = !means[v] || set[v];
	free(means);
	return all;
}

/* Ranges know but one set. Where it holds what has no number, beside bins, it tells what is not
 * wanted: nothing at all when it holds everything. */
static void act_ranges(const struct group *g, uint32_t value, enum group_act act,
		       struct choice_set *c)
{
	bool by_out = c->in[g->n] && memchr(c->in, 1, g->n);
	bool alone = act == GROUP_ONLY || (act == GROUP_TOGGLE && by_out && c->in[value]);

	if (act == GROUP_CLEAR || alone)
		memset(c->in, act == GROUP_CLEAR, (size_t)g->n + 1);
	if (act == GROUP_CLEAR)
		return;
	c->in[value] = alone || (act == GROUP_EXCLUDE && !by_out ? false : !c->in[value]);
}

static void act_values(const struct group *g, uint32_t value, enum group_act act,
		       struct choice_set *c)
{
	uint8_t *set = act == GROUP_EXCLUDE ? c->out : c->in,
		*other = act == GROUP_EXCLUDE ? c->in : c->out;
	bool was = act != GROUP_CLEAR && all_in(g, value, set) &&
		   (act != GROUP_EXCLUDE || !all_in(g, value, c->in));

	if (act == GROUP_ONLY || act == GROUP_CLEAR) {
		memset(c->in, 0, (size_t)g->n + 1);
		memset(c->out, 0, (size_t)g->n + 1);
		was = false;
	}
	if (act == GROUP_CLEAR)
		return;
	group_mean(g, value, set, !was);
	if (!was)
		group_mean(g, value, other, 0);
}

static void put_condition(const struct node *n, struct buf *out)
{
	bool group = n->kind == NODE_OR;

	buf_z(out, out->n ? " " : "");
	buf_z(out, group ? "(" : "");
	filter_put_node(out, n, false);
	buf_z(out, group ? ")" : "");
}

void groups_write(const struct groups *g, const struct filter_ctx *ctx, size_t k, uint32_t value,
		  enum group_act act, const struct filter *f, struct buf *out)
{
	const struct group *group = &g->v[k];
	struct buf choice = BUF_INIT, text = BUF_INIT;
	struct choice_set c;
	bool put = false;

	groups_choice(g, k, f, &c);
	if (group_is_ranges(group))
		act_ranges(group, value, act, &c);
	else
		act_values(group, value, act, &c);
	put_choice(group, ctx, &c, &choice);
	choice_release(&c);
	for (size_t at = 0; at <= g->data->cond.n; at++) {
		bool end = at == g->data->cond.n, here = end || g->data->cond.v[at] == (int)k;

		if (here && !put && choice.n)
			buf_printf(&text, "%s%s", text.n ? " " : "", buf_cstr(&choice));
		put |= here;
		if (!here)
			put_condition(condition_at(f, at), &text);
	}
	buf_str(out, buf_view(&text));
	buf_release(&text);
	buf_release(&choice);
}
