#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "core/filter/filter_impl.h"

struct parser {
	struct lexer lx;
	struct filter *f;
	int depth;
	uint32_t terms;
};

static enum status either(struct parser *p, struct node **out);

static char here(const struct parser *p)
{
	return lex_end(&p->lx) ? '\0' : p->lx.text.p[p->lx.at];
}

static struct node *node_new(struct parser *p, enum node_kind kind, struct node *kids)
{
	struct node *n = arena_zalloc(&p->f->arena, 1, sizeof *n);

	n->kind = kind;
	n->kids = kids;
	return n;
}

static enum status too_deep(struct parser *p)
{
	fault_at(p->lx.faults, p->lx.at, 1, "", "more than %d parentheses and negations inside each other",
		 FILTER_DEPTH_MAX);
	return p->lx.faults->err->code = E_LIMIT;
}

static enum status term(struct parser *p, struct node **out)
{
	struct term *t = arena_zalloc(&p->f->arena, 1, sizeof *t);

	if (++p->terms > FILTER_TERMS_MAX) {
		fault_at(p->lx.faults, p->lx.at, 1, "", "more than %d conditions", FILTER_TERMS_MAX);
		return p->lx.faults->err->code = E_LIMIT;
	}
	*out = node_new(p, NODE_TERM, NULL);
	(*out)->term = t;
	return lex_term(&p->lx, t);
}

static enum status group(struct parser *p, struct node **out)
{
	size_t open = p->lx.at++;
	enum status st = either(p, out);

	if (st != OK)
		return st;
	if (here(p) != ')')
		return fault_at(p->lx.faults, open, 1, "", "there is no ) for the (");
	p->lx.at++;
	return OK;
}

static bool at_end(const struct parser *p)
{
	return lex_end(&p->lx) || here(p) == ')' || here(p) == '|';
}

static enum status single(struct parser *p, struct node **out);

/* After "-" or "not", which began at `from`. */
static enum status negation(struct parser *p, struct node **out, size_t from, bool minus)
{
	struct node *kid = NULL;
	size_t at = p->lx.at;
	enum status st;

	lex_blanks(&p->lx);
	if (at_end(p) || (minus && p->lx.at > at))
		return fault_at(p->lx.faults, from, at - from, "", "expected a condition %s",
				minus ? "right after the -" : "after the not");
	st = single(p, &kid);
	*out = node_new(p, NODE_NOT, kid);
	return st;
}

/* A term, a group, or the negation of one. */
static enum status single(struct parser *p, struct node **out)
{
	size_t from = p->lx.at;
	enum status st;

	if (p->depth >= FILTER_DEPTH_MAX)
		return too_deep(p);
	p->depth++;
	if (here(p) == '(') {
		st = group(p, out);
	} else if (here(p) == '-') {
		p->lx.at++;
		st = negation(p, out, from, true);
	} else if (lex_keyword(&p->lx, "not")) {
		st = negation(p, out, from, false);
	} else if (lex_keyword(&p->lx, "or")) {
		st = fault_at(p->lx.faults, from, 2, "", "expected a condition before the or");
	} else {
		st = term(p, out);
	}
	p->depth--;
	return st;
}

/* Joins kids; those of the same kind give theirs, so that a tree has one form. */
struct joint {
	enum node_kind kind;
	struct node *first, **end;
	size_t n;
};

static void join(struct joint *j, struct node *kid)
{
	struct node *list = kid;

	if (kid->kind == j->kind)
		list = kid->kids;
	*j->end = list;
	for (; list; list = list->next) {
		j->n++;
		j->end = &list->next;
	}
}

static struct node *joined(struct parser *p, struct joint *j)
{
	return j->n == 1 ? j->first : node_new(p, j->kind, j->first);
}

static bool is_or(struct parser *p)
{
	if (here(p) == '|') {
		p->lx.at++;
		return true;
	}
	return lex_keyword(&p->lx, "or");
}

/* Terms side by side, up to an "or". *or: it was taken. */
static enum status all_of(struct parser *p, struct node **out, bool *or)
{
	struct joint j = {NODE_AND, NULL, &j.first, 0};
	struct node *kid = NULL;
	enum status st;

	for (lex_blanks(&p->lx); !lex_end(&p->lx) && here(p) != ')'; lex_blanks(&p->lx)) {
		size_t at = p->lx.at;

		*or = is_or(p);
		if (*or && !j.n)
			return fault_at(p->lx.faults, at, p->lx.at - at, "", "expected a condition before the %s",
					p->lx.at - at == 1 ? "|" : "or");
		if (*or)
			break;
		st = single(p, &kid);
		if (st != OK)
			return st;
		join(&j, kid);
	}
	if (!j.n)
		return fault_at(p->lx.faults, p->lx.at, 1, "", "expected a condition");
	*out = joined(p, &j);
	return OK;
}

static enum status either(struct parser *p, struct node **out)
{
	struct joint j = {NODE_OR, NULL, &j.first, 0};
	bool more = true;

	while (more) {
		struct node *kid = NULL;
		enum status st;

		more = false;
		st = all_of(p, &kid, &more);
		if (st != OK)
			return st;
		join(&j, kid);
	}
	*out = joined(p, &j);
	return OK;
}

/* Bytes that no filter holds, before anything else looks at them. */
static enum status check_bytes(const struct faults *f)
{
	size_t bad = utf8_valid_prefix(f->text);

	if (f->text.n > FILTER_TEXT_MAX)
		return err_set(f->err, E_LIMIT, "a filter has at most %d bytes", FILTER_TEXT_MAX);
	if (bad < f->text.n)
		return fault_at(f, bad, 1, "", "the filter is not UTF-8");
	for (size_t i = 0; i < f->text.n; i++) {
		unsigned char c = (unsigned char)f->text.p[i];

		if ((c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
			return fault_at(f, i, 1, "", "there is a control character");
	}
	return OK;
}

static enum status parse(struct filter *f, const struct faults *faults)
{
	struct parser p = {.f = f,
			   .lx = {.text = faults->text, .arena = &f->arena, .faults = faults}};
	enum status st = check_bytes(faults);

	if (st != OK)
		return st;
	lex_blanks(&p.lx);
	if (lex_end(&p.lx))
		return OK;
	st = either(&p, &f->root);
	if (st == OK && !lex_end(&p.lx))
		st = fault_at(faults, p.lx.at, 1, "", "there is no ( for the )");
	return st;
}

enum status filter_parse(struct str text, const struct filter_ctx *ctx, struct filter **out,
			 struct filter_fault *fault, struct err *err)
{
	struct filter *f = xcalloc(1, sizeof *f);
	struct filter_fault none = {0, 0};
	struct faults faults = {text.n ? text : STR(""), fault, err};
	enum status st;

	if (fault)
		*fault = none;
	st = parse(f, &faults);
	if (st == OK) {
		f->text = arena_str(&f->arena, faults.text);
		st = ctx ? filter_check(f, ctx, fault, err) : OK;
	}
	if (st == OK)
		*out = f;
	else
		filter_free(f);
	return st;
}

static void drop_needles(struct filter *f)
{
	for (size_t i = 0; i < f->needles.n; i++)
		needle_free(f->needles.v[i]);
	vec_release(&f->needles);
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	drop_needles(f);
	arena_release(&f->resolved);
	arena_release(&f->arena);
	free(f);
}

bool filter_is_empty(const struct filter *f)
{
	return !f->root;
}

/* --- equality --- */

static bool value_eq(const struct value *a, const struct value *b)
{
	return a->kind == b->kind && str_eq(a->text, b->text) && a->quoted == b->quoted &&
	       a->tree == b->tree;
}

static bool term_eq(const struct term *a, const struct term *b)
{
	if (a->dotted != b->dotted || !str_eq(a->name, b->name) || !a->who.p != !b->who.p ||
	    !str_eq(a->who, b->who) || a->who_quoted != b->who_quoted || a->op != b->op ||
	    a->n_values != b->n_values)
		return false;
	for (uint32_t i = 0; i < a->n_values; i++)
		if (!value_eq(&a->values[i], &b->values[i]))
			return false;
	return true;
}

static bool node_eq(const struct node *a, const struct node *b)
{
	if (!a || !b)
		return a == b;
	if (a->kind != b->kind)
		return false;
	if (a->kind == NODE_TERM)
		return term_eq(a->term, b->term);
	for (a = a->kids, b = b->kids; a && b; a = a->next, b = b->next)
		if (!node_eq(a, b))
			return false;
	return !a && !b;
}

bool filter_eq(const struct filter *a, const struct filter *b)
{
	return node_eq(a->root, b->root);
}
