/* Names of a filter looked up in the dataset: words, facets, runs, layers. */
#include <stdio.h>
#include <stdlib.h>
#include <utf8proc.h>

#include "core/base/nearest.h"
#include "core/base/utf8.h"
#include "core/filter/filter_impl.h"

/* --- names --- */

static uint32_t folded(struct str s, size_t at, size_t *len)
{
	uint32_t cp = utf8_decode(s.p + at, s.n - at, len);

	if (cp == '_')
		return ' ';
	if (cp < 0x80)
		return cp >= 'A' && cp <= 'Z' ? cp | 0x20 : cp;
	return (uint32_t)utf8proc_tolower((utf8proc_int32_t)cp);
}

bool name_eq(struct str a, struct str b)
{
	size_t i = 0, k = 0, n_a, n_b;

	while (i < a.n && k < b.n) {
		if (folded(a, i, &n_a) != folded(b, k, &n_b))
			return false;
		i += n_a;
		k += n_b;
	}
	return i == a.n && k == b.n;
}

static const char *number_find(const struct filter_source *s, struct str name)
{
	for (size_t i = 0; s && i < s->n_numbers; i++)
		if (name_eq(str_z(s->numbers[i]), name))
			return s->numbers[i];
	return NULL;
}

/* A name as it is typed, a facet's with _ for a blank. */
static void put_nearest(const struct check *c, const char *best, char *shown)
{
	const struct snapshot *snap = c->ctx->snap;
	struct buf out = BUF_INIT;

	for (uint32_t i = 0; i < snap->n_facets && out.n == 0; i++)
		if (best == snap->facets[i].name) {
			filter_put_facet(&out, best);
			out.n--;
		}
	if (out.n == 0)
		buf_z(&out, best);
	clip(buf_view(&out), shown);
	buf_release(&out);
}

static enum status unknown_word(struct check *c, const struct term *t)
{
	const struct snapshot *snap = c->ctx->snap;
	const struct filter_source *s = c->ctx->source;
	struct nearest near = {.word = t->name};
	char shown[CLIP], best[CLIP], hint[3 * CLIP];

	for (const struct word *w = filter_words; !t->dotted && w->name; w++)
		nearest_offer(&near, w->name);
	for (uint32_t i = 0; i < snap->n_facets; i++)
		nearest_offer(&near, snap->facets[i].name);
	for (size_t i = 0; s && i < s->n_numbers; i++)
		nearest_offer(&near, s->numbers[i]);
	if (truth_is_emotion(snap))
		nearest_offer(&near, "emotion");
	if (!t->dotted && str_eq_nocase(t->name, STR("and")))
		snprintf(hint, sizeof hint, "; conditions side by side are joined by and");
	else if (near.best) {
		put_nearest(c, near.best, best);
		snprintf(hint, sizeof hint, "; did you mean %s?", best);
	} else if (!t->dotted && t->op == OP_NONE && t->at > 0)
		snprintf(hint, sizeof hint, "; a text with blanks stands in double quotes, and the "
			 "whole filter in single quotes in a shell");
	else
		snprintf(hint, sizeof hint, "; there is no word and no facet of that name");
	return fault_at(c->faults, t->at, t->n, hint, "unknown %s '%s'", t->dotted ? "facet" : "word",
			clip(t->name, shown));
}

bool word_resolve(const struct filter_ctx *ctx, struct term *t)
{
	const struct snapshot *snap = ctx->snap;

	t->facet = -1;
	t->number = NULL;
	t->word = t->dotted ? NULL : word_find(t->name);
	if (t->word)
		return true;
	t->facet = snapshot_facet(snap, t->name);
	t->number = t->facet < 0 ? number_find(ctx->source, t->name) : NULL;
	if (t->facet >= 0)
		t->word = snap->facets[t->facet].numeric ? &number_facet_word : &facet_word;
	else if (t->number)
		t->word = &number_word;
	else if (str_eq_nocase(t->name, STR("emotion")) && truth_is_emotion(snap))
		t->word = &emotion_word;
	return t->word != NULL;
}

/* --- what stands behind the name --- */

static unsigned form_of(enum op op)
{
	switch (op) {
	case OP_NONE:
		return FORM_BARE;
	case OP_IS:
		return FORM_LIST;
	case OP_LIKE:
		return FORM_LIKE;
	case OP_EQ:
	case OP_NE:
		return FORM_COMPARE | FORM_RUN;
	default:
		return FORM_COMPARE;
	}
}

static const char *expected(unsigned forms)
{
	if (forms == FORM_BARE)
		return "takes no value";
	if (forms & FORM_LIST)
		return forms & FORM_COMPARE ? "needs : or a comparison" : "needs : and a value";
	if (forms & FORM_COMPARE)
		return "needs a comparison with a number";
	if (forms & FORM_RUN)
		return "needs = or != and a run";
	return "needs ~ and a text";
}

static enum status check_form(struct check *c, const struct term *t)
{
	const struct word *w = t->word;
	char shown[CLIP], facet[CLIP], hint[4 * CLIP];
	bool hidden = !t->dotted && w->name && snapshot_facet(c->ctx->snap, t->name) >= 0;

	if (w->forms & form_of(t->op))
		return OK;
	if (hidden)
		snprintf(hint, sizeof hint, ", such as %.60s; the facet is .%.60s", w->example,
			 clip(t->name, facet));
	else
		snprintf(hint, sizeof hint, ", such as %.60s", w->example);
	return fault_at(c->faults, t->op_at, t->op == OP_NONE ? 0 : 1, hint, "'%s' %s",
			clip(t->name, shown), expected(w->forms));
}

/* --- runs and layers --- */

static void list_runs(const struct snapshot *snap, struct str who, struct buf *out)
{
	char shown[CLIP];
	int n = 0;

	for (uint32_t r = 0; r < snap->n_runs; r++) {
		if (!snapshot_run_may_be(&snap->runs[r], who) || ++n > 7)
			continue;
		buf_printf(out, "%s%s", n > 1 ? ", " : "",
			   n == 7 ? "..." : clip(str_z(snap->runs[r].handle), shown));
	}
	buf_z(out, n ? "" : "none");
}

static enum status no_run(struct check *c, struct str who, bool several, size_t at)
{
	const struct snapshot *snap = c->ctx->snap;
	struct nearest near = {.word = who};
	struct buf hint = BUF_INIT;
	char shown[CLIP], best[CLIP];

	for (uint32_t r = 0; r < snap->n_runs; r++)
		nearest_offer(&near, snap->runs[r].handle);
	if (several) {
		buf_z(&hint, ": ");
		list_runs(snap, who, &hint);
	} else if (near.best) {
		buf_printf(&hint, "; did you mean %s?", clip(str_z(near.best), best));
	} else {
		buf_z(&hint, "; there is ");
		list_runs(snap, STR(""), &hint);
	}
	fault_at(c->faults, at, who.n, buf_cstr(&hint),
		 several ? "several runs may be meant by '%s'" : "there is no run '%s'", clip(who, shown));
	buf_release(&hint);
	return c->faults->err->code;
}

static enum status find_layer(struct check *c, struct term *t)
{
	const struct snapshot *snap = c->ctx->snap;
	struct nearest near = {.word = t->who};
	char shown[CLIP], best[CLIP], hint[2 * CLIP] = "";

	t->whose = (struct who){WHO_LAYER, snapshot_layer(snap, t->who), 0};
	if (t->whose.index >= 0)
		return OK;
	for (uint32_t i = 0; i < snap->n_layers; i++)
		nearest_offer(&near, snap->layers[i].name);
	if (near.best)
		snprintf(hint, sizeof hint, "; did you mean %s?", clip(str_z(near.best), best));
	return fault_at(c->faults, t->who_at, t->who.n, hint, "there is no layer '%s'",
			clip(t->who, shown));
}

static enum status needs_run(struct check *c, const struct term *t, const char *which)
{
	char shown[CLIP], hint[3 * CLIP];

	if (!c->ctx->snap->n_runs)
		snprintf(hint, sizeof hint, ", and the dataset has none");
	else if (!t->who.p && t->word->of == OF_RUN)
		snprintf(hint, sizeof hint, ": name one, '%s@%s', or choose one with --%s",
			 clip(t->name, shown), clip(str_z(c->ctx->snap->runs[0].handle), (char[CLIP]){0}),
			 which);
	else
		snprintf(hint, sizeof hint, ": choose one with --%s", which);
	return fault_at(c->faults, t->at, t->n, hint, "'%s' needs a run", clip(t->name, shown));
}

/* The kinds that need something of the context. */
static enum status check_special(struct check *c, const struct term *t, const struct who *who)
{
	switch (who->kind) {
	case WHO_A:
		return c->ctx->a >= 0 ? OK : needs_run(c, t, "run");
	case WHO_B:
		return c->ctx->b >= 0 ? OK : needs_run(c, t, "against");
	case WHO_LEAST:
		if (who->least < 1)
			return fault_at(c->faults, t->who_at, t->who.n, "", "expected 1+ or more");
		break;
	default:
		break;
	}
	return c->ctx->n_panel ? OK : needs_run(c, t, "run");
}

enum status who_resolve(struct check *c, struct term *t, struct str who, bool quoted, size_t at)
{
	int r;

	if (!quoted && who_is_special(who, &t->whose))
		return check_special(c, t, &t->whose);
	r = snapshot_run(c->ctx->snap, who);
	if (r < 0)
		return no_run(c, who, r == -2, at);
	t->whose = (struct who){WHO_RUN, r, 0};
	return OK;
}

static enum status check_who(struct check *c, struct term *t)
{
	char shown[CLIP], hint[2 * CLIP];

	t->whose = (struct who){WHO_A, -1, 0};
	if (t->word->of == OF_NOBODY) {
		if (!t->who.p)
			return OK;
		snprintf(hint, sizeof hint, ", such as %.60s", t->word->example);
		return fault_at(c->faults, t->who_at - 1, 1, hint, "'%s' takes no @",
				clip(t->name, shown));
	}
	if (t->word->of == OF_LAYER) {
		if (t->who.p)
			return find_layer(c, t);
		t->whose = (struct who){WHO_LAYER, -1, 0}; /* the lens's */
		return OK;
	}
	if (t->who.p)
		return who_resolve(c, t, t->who, t->who_quoted, t->who_at);
	return check_special(c, t, &t->whose);
}

static enum status check_flip(struct check *c, const struct term *t)
{
	if (!(t->word->uses & FILTER_USES_B))
		return OK;
	if (c->ctx->a < 0)
		return needs_run(c, t, "run");
	return c->ctx->b < 0 ? needs_run(c, t, "against") : OK;
}

static enum status check_term(struct check *c, struct term *t)
{
	enum status st;

	t->set = NULL;
	t->n_set = 0;
	t->none = false;
	t->needles = NULL;
	st = word_resolve(c->ctx, t) ? check_form(c, t) : unknown_word(c, t);
	if (st == OK)
		st = check_who(c, t);
	if (st == OK)
		st = check_flip(c, t);
	if (st == OK && t->op != OP_NONE)
		st = t->word->check(c, t, t->word);
	return st;
}

static enum status check_node(struct check *c, struct node *n)
{
	enum status st = n->kind == NODE_TERM ? check_term(c, n->term) : OK;

	for (struct node *k = n->kids; st == OK && k; k = k->next)
		st = check_node(c, k);
	return st;
}

enum status filter_check(struct filter *f, const struct filter_ctx *ctx, struct filter_fault *fault,
			 struct err *err)
{
	struct filter_fault none = {0, 0};
	struct faults faults = {f->text, fault, err};
	struct check c = {ctx, f, &faults};
	enum status st = OK;

	if (fault)
		*fault = none;
	for (size_t i = 0; i < f->needles.n; i++)
		needle_free(f->needles.v[i]);
	vec_clear(&f->needles);
	arena_clear(&f->resolved);
	if (f->root)
		st = check_node(&c, f->root);
	f->checked = st == OK;
	return st;
}

/* --- what it depends on --- */

static unsigned term_uses(const struct term *t)
{
	unsigned uses = t->word->uses;

	if (t->op == OP_LIKE || (t->word->arg == ARG_OOP && t->op != OP_NONE))
		uses |= FILTER_USES_TEXT;
	if (t->word->of == OF_LAYER && t->whose.index >= 0)
		uses &= ~(unsigned)FILTER_USES_LENS;
	if (t->word->arg == ARG_VOTE && t->vote != VOTE_RUN)
		return uses;
	if (t->word->arg == ARG_RUN)
		uses |= t->other.kind == WHO_A ? FILTER_USES_A : t->other.kind == WHO_B ? FILTER_USES_B : 0u;
	if (t->word->of != OF_RUN && !(t->word->forms & FORM_RUN))
		return uses;
	if (t->whose.kind == WHO_A)
		uses |= FILTER_USES_A;
	if (t->whose.kind == WHO_B)
		uses |= FILTER_USES_B;
	if (t->whose.kind == WHO_ALL || t->whose.kind == WHO_ANY || t->whose.kind == WHO_LEAST)
		uses |= FILTER_USES_PANEL;
	return uses;
}

static unsigned node_uses(const struct node *n)
{
	unsigned uses = n->kind == NODE_TERM ? term_uses(n->term) : 0;

	for (const struct node *k = n->kids; k; k = k->next)
		uses |= node_uses(k);
	return uses;
}

unsigned filter_uses(const struct filter *f)
{
	return f->checked && f->root ? node_uses(f->root) : 0;
}

const char *filter_hint(const struct filter *f, const struct filter_ctx *ctx)
{
	if (!(filter_uses(f) & FILTER_USES_CATEGORY) || eval_category_layer(ctx->snap, ctx->lens) >= 0)
		return NULL;
	for (uint32_t i = 0; i < ctx->snap->n_facets; i++)
		if (name_eq(str_z(ctx->snap->facets[i].name), STR("category")))
			return "cat: compares the original labels with other ones, which this lens does not "
			       "have; category: is a facet here";
	return "cat: compares the original labels with other ones, which this lens does not have";
}

unsigned filter_condition_uses(const struct filter *f, size_t k)
{
	const struct node *n = f->checked ? condition_at(f, k) : NULL;

	return n ? node_uses(n) : 0;
}
