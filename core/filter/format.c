/* Filters back to text. What is written parses to an equal filter. */
#include "core/filter/groups_impl.h"

void filter_put_quoted(struct buf *out, struct str s)
{
	buf_ch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"' || s.p[i] == '\\')
			buf_ch(out, '\\');
		buf_ch(out, s.p[i]);
	}
	buf_ch(out, '"');
}

void filter_put_value(struct buf *out, struct str value)
{
	if (lex_is_bare(value, false))
		buf_str(out, value);
	else
		filter_put_quoted(out, value);
}

static void put_name(struct buf *out, struct str name, bool dotted)
{
	if (dotted)
		buf_ch(out, '.');
	filter_put_value(out, name);
}

/* Would the name, as it stands, be read as something else than a facet? */
static bool needs_dot(struct str name)
{
	return word_find(name) || str_eq_nocase(name, STR("or")) || str_eq_nocase(name, STR("not")) ||
	       !lex_is_bare(name, false) || name.p[0] == '.' || name.p[0] == '-';
}

void filter_put_name(struct buf *out, const char *facet, bool exact)
{
	struct buf name = BUF_INIT;

	for (const char *c = facet; *c; c++)
		buf_ch(&name, *c == ' ' ? '_' : *c);
	if (!exact && lex_is_bare(buf_view(&name), false))
		put_name(out, buf_view(&name), needs_dot(buf_view(&name)));
	else
		put_name(out, str_z(facet), true);
	buf_release(&name);
}

void filter_put_facet(struct buf *out, const char *facet)
{
	filter_put_name(out, facet, false);
	buf_ch(out, ':');
}

bool filter_put_number(struct buf *out, const char *number)
{
	for (const struct word *w = filter_words; w->name; w++)
		if (w->eval_run == eval_number && strcmp(w->column ? w->column : w->name, number) == 0) {
			buf_z(out, w->name);
			return true;
		}
	if (needs_dot(str_z(number)))
		return false;
	buf_z(out, number);
	return true;
}

/* Between slashes, where pairs of backslash and character stay as they are. */
static void put_regex(struct buf *out, struct str s)
{
	buf_ch(out, '/');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '/')
			buf_ch(out, '\\');
		buf_ch(out, s.p[i]);
		if (s.p[i] == '\\' && i + 1 < s.n)
			buf_ch(out, s.p[++i]);
	}
	buf_ch(out, '/');
}

static void put_value(struct buf *out, const struct value *v)
{
	switch (v->kind) {
	case VALUE_NAME:
		if (v->quoted)
			filter_put_quoted(out, v->text);
		else
			buf_str(out, v->text);
		buf_z(out, v->tree ? "/*" : "");
		break;
	case VALUE_INDEX:
		buf_ch(out, '#');
		buf_str(out, v->text);
		buf_z(out, v->tree ? "/*" : "");
		break;
	case VALUE_NONE:
		buf_z(out, "(none)");
		break;
	case VALUE_UNPLACED:
		buf_z(out, "(unplaced)");
		break;
	case VALUE_OUTCOME:
		buf_str(out, v->text);
		break;
	case VALUE_FILE: /* quoted: else it would run to the next blank, over a parenthesis too */
		buf_ch(out, '<');
		filter_put_quoted(out, v->text);
		break;
	case VALUE_REGEX:
		put_regex(out, v->text);
		break;
	}
}

static void put_handle(struct buf *out, struct str handle, bool after_at)
{
	struct who who;
	double number;

	if (lex_is_bare(handle, after_at) && !who_is_special(handle, &who) &&
	    (after_at || !str_num(handle, &number)))
		buf_str(out, handle);
	else
		filter_put_quoted(out, handle);
}

/* The handle that a or b stands for; NULL: neither is meant, it is written as it is. */
static const char *handle_of_who(const struct who *who, const struct filter_ctx *ctx)
{
	int run;

	if (!ctx || (who->kind != WHO_A && who->kind != WHO_B))
		return NULL;
	run = who->kind == WHO_A ? ctx->a : ctx->b;
	return run >= 0 && (uint32_t)run < snapshot_answerers(ctx->snap) ? ctx->snap->runs[run].handle : NULL;
}

static const char *handle_of(const struct term *t, const struct filter_ctx *ctx)
{
	return handle_of_who(&t->whose, ctx);
}

/* The handle that stands for the run behind = or !=; NULL: it is written as it is. */
static const char *handle_behind(const struct term *t, const struct filter_ctx *ctx)
{
	if (!t->word || t->op == OP_NONE)
		return NULL;
	if (t->word->arg == ARG_RUN)
		return handle_of_who(&t->other, ctx);
	return t->word->arg == ARG_VOTE && t->vote == VOTE_RUN ? handle_of(t, ctx) : NULL;
}

void filter_put_who(struct buf *out, const char *handle)
{
	buf_ch(out, '@');
	put_handle(out, str_z(handle), true);
}

void filter_put_run(struct buf *out, const char *handle)
{
	put_handle(out, str_z(handle), false);
}

static void put_who(struct buf *out, const struct term *t, const struct filter_ctx *ctx)
{
	const char *handle = t->word && t->word->of == OF_RUN ? handle_of(t, ctx) : NULL;

	if (!handle && !t->who.p)
		return;
	buf_ch(out, '@');
	if (handle)
		put_handle(out, str_z(handle), true);
	else if (t->who_quoted)
		filter_put_quoted(out, t->who);
	else
		buf_str(out, t->who);
}

/* regressed, improved, flip: there is no "@" for two runs, so the runs' verdicts are named. */
static bool put_flip(struct buf *out, const struct term *t, const struct filter_ctx *ctx, bool nested)
{
	struct term of = {.whose = {WHO_A, -1, 0}};
	const char *a, *b;

	if (!ctx || !t->word || t->word->eval != eval_flip)
		return false;
	a = handle_of(&of, ctx);
	of.whose.kind = WHO_B;
	b = handle_of(&of, ctx);
	if (!a || !b)
		return false;
	nested = nested || t->word->code == FLIP_BOTH;
	buf_z(out, nested ? "(" : "");
	for (int k = 0; k < 2; k++) {
		const char *right = k ? a : b, *wrong = k ? b : a;

		if (t->word->code != FLIP_BOTH && t->word->code != (k ? FLIP_IMPROVED : FLIP_REGRESSED))
			continue;
		buf_z(out, k && t->word->code == FLIP_BOTH ? " or right@" : "right@");
		put_handle(out, str_z(right), true);
		buf_z(out, " wrong@");
		put_handle(out, str_z(wrong), true);
	}
	buf_z(out, nested ? ")" : "");
	return true;
}

/* nested: it must stay one condition where it stands. */
static void put_term(struct buf *out, const struct term *t, const struct filter_ctx *ctx, bool nested)
{
	const char *run = handle_behind(t, ctx);

	if (put_flip(out, t, ctx, nested))
		return;
	put_name(out, t->name, t->dotted);
	put_who(out, t, ctx);
	buf_z(out, op_text[t->op]);
	if (run) {
		put_handle(out, str_z(run), false);
		return;
	}
	for (uint32_t i = 0; i < t->n_values; i++) {
		buf_z(out, i ? "," : "");
		put_value(out, &t->values[i]);
	}
}

static void put_node(struct buf *out, const struct node *n, const struct filter_ctx *ctx, bool nested);

static void put_kids(struct buf *out, const struct node *n, const struct filter_ctx *ctx)
{
	for (const struct node *k = n->kids; k; k = k->next) {
		if (k != n->kids)
			buf_z(out, n->kind == NODE_OR ? " or " : " ");
		/* "and" binds closer than "or" */
		put_node(out, k, ctx, n->kind == NODE_AND);
	}
}

static void put_node(struct buf *out, const struct node *n, const struct filter_ctx *ctx, bool nested)
{
	bool group = nested && (n->kind == NODE_AND || n->kind == NODE_OR);

	switch (n->kind) {
	case NODE_TERM:
		put_term(out, n->term, ctx, nested);
		break;
	case NODE_NOT:
		buf_ch(out, '-');
		put_node(out, n->kids, ctx, true);
		break;
	default:
		buf_z(out, group ? "(" : "");
		put_kids(out, n, ctx);
		buf_z(out, group ? ")" : "");
	}
}

void filter_put_node(struct buf *out, const struct node *n, bool nested)
{
	put_node(out, n, NULL, nested);
}

void filter_format(const struct filter *f, const struct filter_ctx *ctx, struct buf *out)
{
	if (f->root)
		put_node(out, f->root, ctx, false);
}

/* --- conditions --- */

size_t filter_n_conditions(const struct filter *f)
{
	size_t n = 0;

	if (!f->root || f->root->kind != NODE_AND)
		return f->root != NULL;
	for (const struct node *k = f->root->kids; k; k = k->next)
		n++;
	return n;
}

const struct node *condition_at(const struct filter *f, size_t k)
{
	const struct node *n = f->root;

	if (n && n->kind == NODE_AND)
		for (n = n->kids; n && k; n = n->next)
			k--;
	return k ? NULL : n;
}

void filter_format_condition(const struct filter *f, size_t k, const struct filter_ctx *ctx,
			     struct buf *out)
{
	const struct node *n = condition_at(f, k);

	if (n)
		put_node(out, n, ctx, false);
}

void filter_format_without(const struct filter *f, size_t k, struct buf *out)
{
	const struct node *n = f->root;
	size_t left = filter_n_conditions(f);
	bool first = true;

	if (!n || n->kind != NODE_AND)
		return;
	left -= k < left;
	for (n = n->kids; n; n = n->next) {
		if (k-- == 0)
			continue;
		buf_z(out, first ? "" : " ");
		put_node(out, n, NULL, left > 1);
		first = false;
	}
}
