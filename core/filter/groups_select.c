/* Which conditions of a filter choose among the values of a group, and what they choose. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/filter/groups_impl.h"

void choice_init(struct choice_set *c, uint32_t n)
{
	c->in = xcalloc((size_t)n + 1, 1);
	c->out = xcalloc((size_t)n + 1, 1);
}

void choice_release(struct choice_set *c)
{
	free(c->in);
	free(c->out);
}

/* --- what a condition is about --- */

static bool of_a(const struct filter_ctx *ctx, const struct term *t)
{
	return t->whose.kind == WHO_A ||
	       (t->whose.kind == WHO_RUN && ctx->a >= 0 && t->whose.index == ctx->a);
}

static int find_kind(const struct groups *g, enum group_kind kind)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].kind == kind)
			return g->v[i].there ? (int)i : -1;
	return -1;
}

static int find_facet(const struct groups *g, int facet)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].facet == facet)
			return g->v[i].there ? (int)i : -1;
	return -1;
}

static int find_scores(const struct groups *g, const char *number)
{
	for (size_t i = 0; i < g->n; i++)
		if (g->v[i].kind == GROUP_SCORES && strcmp(g->v[i].number, number) == 0)
			return g->v[i].there ? (int)i : -1;
	return -1;
}

static int group_of(const struct groups *g, const struct filter_ctx *ctx, const struct term *t)
{
	const struct word *w = t->word;

	if (w->eval_run && !of_a(ctx, t))
		return -1;
	if (w->eval_run == eval_verdict)
		return find_kind(g, GROUP_VERDICT);
	if (w->eval_run == eval_outcome && t->op == OP_NONE)
		return find_kind(g, GROUP_OUTCOME);
	if (w->eval_run == eval_answer_class)
		return find_kind(g, GROUP_ANSWER);
	if (w->eval_run == eval_number)
		return find_scores(g, t->number);
	if (w->eval == eval_difficulty)
		return find_kind(g, GROUP_DIFFICULTY);
	if (w->eval == eval_category)
		return find_kind(g, GROUP_CATEGORY);
	if (w->eval == eval_truth)
		return t->whose.kind != WHO_LAYER || t->whose.index < 0 ||
			       t->whose.index == ctx->lens->layer
			   ? find_kind(g, GROUP_TRUTH)
			   : -1;
	if (w->eval == eval_facet || w->eval == eval_number_facet)
		return find_facet(g, t->facet);
	if (w->eval == eval_tag)
		return find_kind(g, GROUP_TAGS);
	if (w->eval == eval_thing || (w->eval == eval_text && t->op == OP_NONE))
		return find_kind(g, GROUP_MINE);
	return -1;
}

int groups_of(const struct groups *g, const struct filter_ctx *ctx, const struct node *n)
{
	int all;

	if (n->kind == NODE_TERM)
		return group_of(g, ctx, n->term);
	all = groups_of(g, ctx, n->kids);
	for (const struct node *k = n->kids->next; k && all >= 0; k = k->next)
		if (groups_of(g, ctx, k) != all)
			all = -1;
	return all;
}

/* --- what it chooses --- */

static void take_term(const struct group *g, const struct term *t, uint8_t *set)
{
	set[g->n] |= t->none;
	if (g->kind == GROUP_VERDICT)
		set[VERDICT_RIGHT - t->word->code] = 1;
	else if (g->kind == GROUP_OUTCOME)
		set[(t->word->code + N_OUTCOMES - 1) % N_OUTCOMES] = 1;
	else if (g->kind == GROUP_MINE)
		set[t->word->eval == eval_text ? 1 : t->word->code == THING_MARK ? 0 : 2] = 1;
	else
		for (uint32_t k = 0; k < t->n_set; k++)
			if (t->set[k] < g->n)
				set[t->set[k]] = 1;
}

/* "x", "x or y", as values of the group: all that they mean, and nothing that has no line. */
static bool take_values(const struct group *g, const struct node *n, uint8_t *set)
{
	if (n->kind == NODE_TERM) {
		take_term(g, n->term, set);
	} else if (n->kind == NODE_OR) {
		for (const struct node *k = n->kids; k; k = k->next)
			if (k->kind != NODE_TERM)
				return false;
		for (const struct node *k = n->kids; k; k = k->next)
			take_term(g, k->term, set);
	} else {
		return false;
	}
	for (uint32_t v = 0; g->same && v < g->n; v++)
		if (set[v] != set[g->same[v]])
			return false;
	return true;
}

/* set[n + 1], zeroed. *out: they are not wanted. */
static bool take_condition(const struct group *g, const struct node *n, uint8_t *set, bool *out)
{
	*out = n->kind == NODE_NOT;
	return take_values(g, *out ? n->kids : n, set);
}

void groups_choice(const struct groups *g, size_t k, const struct filter *f, struct choice_set *out)
{
	const struct group *group = &g->v[k];
	uint8_t *set;

	choice_init(out, group->n);
	if (group_is_ranges(group))
		memset(out->in, 1, (size_t)group->n + 1);
	for (size_t c = 0; f && c < g->data->cond.n; c++) {
		bool not_wanted;

		if (g->data->cond.v[c] != (int)k)
			continue;
		if (group_is_ranges(group)) {
			ranges_apply(group, condition_at(f, c), out->in);
			continue;
		}
		set = xcalloc((size_t)group->n + 1, 1);
		take_condition(group, condition_at(f, c), set, &not_wanted);
		for (uint32_t v = 0; v <= group->n; v++)
			(not_wanted ? out->out : out->in)[v] |= set[v];
		free(set);
	}
}

/* --- all of them --- */

static bool is_selection(const struct group *g, const struct node *n, bool *has_in)
{
	uint8_t *set;
	bool out, fits;

	if (group_is_ranges(g))
		return g->ready && ranges_meet(g, n);
	set = xcalloc((size_t)g->n + 1, 1);
	fits = take_condition(g, n, set, &out);
	free(set);
	/* a second condition by which values are wanted is no "or" */
	if (!fits || (!out && *has_in))
		return false;
	*has_in |= !out;
	return true;
}

static void assign(struct groups *g, const struct filter_ctx *ctx, const struct filter *f)
{
	bool *has_in = xcalloc(g->n + 1, sizeof *has_in);
	size_t n = f ? filter_n_conditions(f) : 0;

	vec_clear(&g->data->cond);
	for (size_t c = 0; c < n; c++) {
		const struct node *node = condition_at(f, c);
		int k = groups_of(g, ctx, node);
		bool is = k >= 0 && is_selection(&g->v[k], node, &has_in[k]);

		if (is)
			g->v[k].chosen = true;
		else if (k >= 0)
			g->v[k].own = true;
		vec_push(&g->data->cond, is ? k : -1);
	}
	free(has_in);
}

static enum group_state state_of(uint32_t all, uint32_t in, uint32_t out)
{
	if (in == all)
		return GROUP_IN;
	return out == all ? GROUP_OUT : in || out ? GROUP_PART : GROUP_FREE;
}

/* A node stands for itself and all below: how many of these are chosen? */
static void set_tree_states(struct group *g, const struct choice_set *c)
{
	struct below {
		uint32_t all, in, out;
	} *below = xcalloc((size_t)g->n + 1, sizeof *below);

	for (uint32_t v = 0; v < g->n; v++)
		for (uint32_t up = v; up < g->n; up = g->parent[up]) {
			below[up].all++;
			below[up].in += c->in[v];
			below[up].out += c->out[v];
		}
	for (uint32_t v = 0; v < g->n; v++)
		g->state[v] = (uint8_t)state_of(below[v].all, below[v].in, below[v].out);
	g->state[g->n] = (uint8_t)state_of(1, c->in[g->n], c->out[g->n]);
	free(below);
}

/* Values of one name are chosen together. */
static void set_value_states(struct group *g, const struct choice_set *c)
{
	for (uint32_t v = 0; v <= g->n; v++)
		g->state[v] = (uint8_t)state_of(1, c->in[v], c->out[v]);
}

/* Bins chosen out of all, or bins that are not wanted. */
static void set_range_states(struct group *g, const struct choice_set *c)
{
	bool out = c->in[g->n] && g->n && memchr(c->in, 1, g->n);

	for (uint32_t v = 0; v <= g->n; v++)
		g->state[v] = out == (c->in[v] != 0) ? GROUP_FREE : out ? GROUP_OUT : GROUP_IN;
}

static void set_states(struct groups *g, size_t k, const struct filter *f)
{
	struct group *group = &g->v[k];
	struct choice_set c;

	groups_choice(g, k, f, &c);
	if (group_is_ranges(group))
		set_range_states(group, &c);
	else if (group->parent)
		set_tree_states(group, &c);
	else
		set_value_states(group, &c);
	choice_release(&c);
}

void groups_select(struct groups *g, const struct filter_ctx *ctx, const struct filter *f)
{
	for (size_t k = 0; k < g->n; k++) {
		g->v[k].chosen = g->v[k].own = false;
		if (g->v[k].state)
			memset(g->v[k].state, GROUP_FREE, (size_t)g->v[k].n + 1);
	}
	assign(g, ctx, f);
	for (size_t k = 0; k < g->n; k++)
		if (g->v[k].chosen)
			set_states(g, k, f);
}
