/* The language against a naive evaluator, which walks samples one by one over another shape of
 * the same data (lib_world.h), on random filters that are made as trees, not parsed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit/lib_world.h"

/* --- conditions --- */

enum kind {
	K_AND, K_OR, K_NOT, /* inner */
	K_CATEGORY, K_TRUTH, K_TRUTH_NONE, K_PRED, K_PRED_NONE, K_VERDICT, K_OUTCOME, K_FLIP, K_VOTE_SIZE,
	K_VOTE_CLASS, K_VOTE_VERDICT, K_VOTE_RUN, K_NUMBER, K_FACET, K_FACET_NONE, K_UNPLACED, K_SIZE,
	K_SIZE_NONE, K_TEXT, K_TAG, K_MARK, K_SEEN, K_NOTE, K_ID, K_ID_PART, N_KINDS
};

enum { W_NONE, W_A, W_B, W_ALL, W_ANY, W_LEAST, W_RUN, N_WHO };

struct expr {
	enum kind kind;
	struct expr *left, *right;
	int who, run, least; /* whose answer */
	int op;              /* < <= > >= = != */
	int what;            /* layer, facet, outcome, scope, number …: by kind */
	uint16_t set;        /* classes, values, categories */
	bool tree, regex;
	double x;
	const char *text;
};

static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};
static const char *const category_words[] = {"S+", "S-", "M+", "M-", "N"};
static const char *const outcomes[] = {"missing", "answered", "oop", "refused", "empty", "unparsed", "error"};
static const char *const flips[] = {"regressed", "improved", "flip"};
static const char *const verdicts[] = {"uncounted", "wrong", "right"};
static const char *const scopes[] = {"text", "question", "statement", "answer", "note"};
static const char *const needles[] = {"weasel", "WEASEL, not", "\xe6\x82\xb2\xe3\x81\x97", "\xc3\xa9T\xc3\x89",
				      "o", "\xc3\x89t", "absent"};
static const char *const regexes[] = {"we(a|x)sel", "^is", "n.$", "y / s", "w[o0]rds?"};

/* --- what a condition says of one sample --- */

static bool is_panel(int who)
{
	return who == W_ALL || who == W_ANY || who == W_LEAST;
}

static uint16_t widened(const struct world *w, uint16_t set)
{
	uint16_t out = set;

	for (int c = 0; c < WORLD_CLASSES; c++)
		if (set >> c & 1)
			out |= w->equiv[c];
	return out;
}

static uint16_t mapped(const struct world *w, int run, int i)
{
	uint8_t o = w->outcome[run][i];

	return o == OUTCOME_ANSWERED || o == OUTCOME_OOP ? w->label[run][i] : 0;
}

static enum verdict verdict_of(const struct world *w, int run, int i)
{
	static const enum verdict by_n[] = {VERDICT_RIGHT, VERDICT_UNCOUNTED, VERDICT_WRONG};
	const struct run *r = &w->snap->runs[run]; /* its rules alone */
	uint16_t truth = w->truth[w->lens.layer][i], label = mapped(w, run, i);
	uint8_t o = w->outcome[run][i];

	if (o == OUTCOME_ERROR || o == OUTCOME_MISSING || !w->covered[w->lens.layer][i])
		return VERDICT_UNCOUNTED;
	if (o == OUTCOME_OOP && r->open_world && !label)
		return VERDICT_UNCOUNTED;
	if (!truth)
		return by_n[w->lens.n];
	if (o == OUTCOME_REFUSED || o == OUTCOME_EMPTY)
		return w->lens.abstain == ABSTAIN_WRONG ? VERDICT_WRONG : VERDICT_UNCOUNTED;
	if (!label)
		return VERDICT_WRONG;
	if (r->list_rule == LIST_ANY_HIT)
		return (w->lens.equiv ? widened(w, truth) : truth) & label ? VERDICT_RIGHT : VERDICT_WRONG;
	return truth & ~(w->lens.equiv ? widened(w, label) : label) ? VERDICT_WRONG : VERDICT_RIGHT;
}

static int category_of(const struct world *w, int i)
{
	int layer = w->lens.layer == 0 ? 1 : w->lens.layer;
	uint16_t g = w->truth[0][i], l = w->truth[layer][i];

	if (!w->covered[0][i] || !w->covered[layer][i])
		return -1;
	if (!l)
		return 4;
	return (__builtin_popcount(l) > 1 ? 2 : 0) + !(g & l);
}

static bool compares(double v, int op, double x)
{
	if (isnan(v))
		return false;
	switch (op) {
	case 0:
		return v < x;
	case 1:
		return v <= x;
	case 2:
		return v > x;
	case 3:
		return v >= x;
	case 4:
		return v == x;
	default:
		return v != x;
	}
}

/* All values that are in `set`, or below one of it. */
static uint16_t below(const int *parent, int n, uint16_t set)
{
	for (int round = 0; round < n; round++)
		for (int k = 0; k < n; k++)
			if (parent[k] >= 0 && set >> parent[k] & 1)
				set |= (uint16_t)(1u << k);
	return set;
}

static uint16_t meant(const struct world *w, const struct expr *e)
{
	const struct world_facet *f = &w->facet[e->kind == K_FACET ? e->what : 0];

	if (!e->tree)
		return e->set;
	return e->kind == K_FACET ? below(f->parent, f->n, e->set)
				  : below(w->class_parent, WORLD_CLASSES, e->set);
}

/* The panel's largest group: its classes, its size, its first run; 0 = nobody. */
static int vote_of(const struct world *w, int i, uint16_t *label, int *first)
{
	int best = 0;
	bool best_right = false;

	for (int p = 0; p < w->n_panel; p++) {
		uint16_t l = mapped(w, w->panel[p], i);
		int n = 0;
		bool right, seen = false;

		for (int q = 0; q < w->n_panel; q++)
			if (mapped(w, w->panel[q], i) == l) {
				seen |= q < p;
				n++;
			}
		right = verdict_of(w, w->panel[p], i) == VERDICT_RIGHT;
		if (!l || seen || n < best)
			continue;
		if (n == best && (best_right > right ||
				  (best_right == right && __builtin_ctz(l) >= __builtin_ctz(*label))))
			continue;
		best = n;
		best_right = right;
		*label = l;
		*first = w->panel[p];
	}
	return best;
}

static void fold(const char *s, char *out)
{
	size_t n = strlen(s);

	for (size_t i = 0; i <= n; i++) {
		out[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
		if (i && (unsigned char)s[i - 1] == 0xc3 && (unsigned char)s[i] == 0x89)
			out[i] = (char)0xa9;
	}
}

static bool contains(const struct expr *e, const char *hay)
{
	char a[200], b[200];
	regex_t re;
	bool hit;

	if (!e->regex) {
		fold(hay, a);
		fold(e->text, b);
		return strstr(a, b) != NULL;
	}
	assert_int_equal(regcomp(&re, e->text, REG_EXTENDED | REG_ICASE | REG_NOSUB), 0);
	hit = regexec(&re, hay, 0, NULL, 0) == 0;
	regfree(&re);
	return hit;
}

static bool says_of_run(const struct world *w, const struct expr *e, int run, int i)
{
	switch (e->kind) {
	case K_PRED:
		return mapped(w, run, i) & meant(w, e);
	case K_PRED_NONE:
		return !mapped(w, run, i);
	case K_VERDICT:
		return verdict_of(w, run, i) == (enum verdict)e->what;
	case K_OUTCOME:
		return w->outcome[run][i] == e->what;
	case K_NUMBER:
		return w->has_number[run][e->what] && compares(w->number[run][e->what][i], e->op, e->x);
	default:
		return contains(e, w->answer[run][i]);
	}
}

static bool whose(const struct world *w, const struct expr *e, int i)
{
	int n = 0;

	if (!is_panel(e->who))
		return says_of_run(w, e, e->who == W_RUN ? e->run : e->who == W_B ? w->b : w->a, i);
	for (int p = 0; p < w->n_panel; p++)
		n += says_of_run(w, e, w->panel[p], i);
	return n >= (e->who == W_ALL ? w->n_panel : e->who == W_ANY ? 1 : e->least);
}

static bool in_texts(const struct world *w, const struct expr *e, int i)
{
	switch (e->what) {
	case 0:
		return contains(e, w->text[i]) || contains(e, w->note[i]) || whose(w, e, i);
	case 1:
		return w->text_kind[i] == TEXT_QUESTION && contains(e, w->text[i]);
	case 2:
		return w->text_kind[i] == TEXT_STATEMENT && contains(e, w->text[i]);
	case 3:
		return whose(w, e, i);
	default:
		return contains(e, w->note[i]);
	}
}

static bool vote_says(const struct world *w, const struct expr *e, int i)
{
	uint16_t label = 0;
	int first = -1, n = vote_of(w, i, &label, &first);
	int run = e->who == W_RUN ? e->run : e->who == W_B ? w->b : w->a;

	switch (e->kind) {
	case K_VOTE_SIZE:
		return compares(n, e->op, e->x);
	case K_VOTE_CLASS:
		return label & meant(w, e);
	case K_VOTE_VERDICT:
		return n && verdict_of(w, first, i) == (enum verdict)e->what;
	default:
		return n && (mapped(w, run, i) == label) == (e->op == 4);
	}
}

static bool flip_says(const struct world *w, const struct expr *e, int i)
{
	enum verdict a = verdict_of(w, w->a, i), b = verdict_of(w, w->b, i);
	bool regressed = a == VERDICT_WRONG && b == VERDICT_RIGHT;
	bool improved = a == VERDICT_RIGHT && b == VERDICT_WRONG;

	return e->what == 0 ? regressed : e->what == 1 ? improved : regressed || improved;
}

static bool says(const struct world *w, const struct expr *e, int i)
{
	int layer = e->what < 0 ? w->lens.layer : e->what, c;

	switch (e->kind) {
	case K_AND:
		return says(w, e->left, i) && says(w, e->right, i);
	case K_OR:
		return says(w, e->left, i) || says(w, e->right, i);
	case K_NOT:
		return !says(w, e->left, i);
	case K_CATEGORY:
		c = category_of(w, i);
		return c >= 0 && e->set >> c & 1;
	case K_TRUTH:
		return w->covered[layer][i] && w->truth[layer][i] & meant(w, e);
	case K_TRUTH_NONE:
		return w->covered[layer][i] && !w->truth[layer][i];
	case K_FLIP:
		return flip_says(w, e, i);
	case K_VOTE_SIZE:
	case K_VOTE_CLASS:
	case K_VOTE_VERDICT:
	case K_VOTE_RUN:
		return vote_says(w, e, i);
	case K_FACET:
		return w->facet[e->what].of[i] & meant(w, e);
	case K_FACET_NONE:
		return !w->facet[e->what].of[i];
	case K_UNPLACED:
		return w->facet[0].of[i] >> 5 & 1;
	case K_SIZE:
		return compares(w->size[i], e->op, e->x);
	case K_SIZE_NONE:
		return isnan(w->size[i]);
	case K_TEXT:
		return in_texts(w, e, i);
	case K_TAG:
		return w->tagged[e->what][i];
	case K_MARK:
		return w->marked[i];
	case K_SEEN:
		return w->seen[i];
	case K_NOTE:
		return w->notes[i];
	case K_ID:
		return strcmp(w->key[i], e->text) == 0;
	case K_ID_PART:
		return contains(e, w->key[i]);
	default:
		return whose(w, e, i);
	}
}

/* --- random conditions --- */

static bool number_is_there(const struct world *w, const struct expr *e)
{
	if (!is_panel(e->who))
		return w->has_number[e->who == W_RUN ? e->run : e->who == W_B ? w->b : w->a][e->what];
	for (int p = 0; p < w->n_panel; p++)
		if (w->has_number[w->panel[p]][e->what])
			return true;
	return false;
}

static uint16_t some_classes(struct world *w)
{
	uint16_t set = (uint16_t)(1u << world_rnd(w, WORLD_CLASSES));

	if (!world_rnd(w, 2))
		set |= (uint16_t)(1u << world_rnd(w, WORLD_CLASSES));
	for (uint32_t more = world_rnd(w, 8) ? 0 : 8; more; more--)
		set |= (uint16_t)(1u << world_rnd(w, WORLD_CLASSES));
	return set & 0x30 ? set | 0x30 : set; /* "crane" means both */
}

static void random_leaf(struct world *w, struct expr *e)
{
	*e = (struct expr){.kind = (enum kind)(K_CATEGORY + world_rnd(w, N_KINDS - K_CATEGORY))};
	e->who = (int)world_rnd(w, N_WHO);
	e->run = (int)world_rnd(w, WORLD_RUNS);
	e->least = 1 + (int)world_rnd(w, 4);
	e->op = (int)world_rnd(w, 6);
	e->x = world_rnd(w, 9) / 2.0 - 1;
	e->set = some_classes(w);
	e->tree = !world_rnd(w, 3);
	switch (e->kind) {
	case K_CATEGORY:
		e->set = (uint16_t)(1 + world_rnd(w, 31));
		break;
	case K_TRUTH:
	case K_TRUTH_NONE:
		e->what = (int)world_rnd(w, WORLD_LAYERS + 1) - 1;
		break;
	case K_VERDICT:
	case K_FLIP:
	case K_NUMBER:
		e->what = (int)world_rnd(w, 3);
		break;
	case K_OUTCOME:
		e->what = (int)world_rnd(w, N_OUTCOMES);
		break;
	case K_VOTE_VERDICT:
		e->what = 1 + (int)world_rnd(w, 2);
		break;
	case K_VOTE_SIZE:
		e->x = world_rnd(w, 5);
		break;
	case K_VOTE_RUN:
		e->op = 4 + (int)world_rnd(w, 2);
		e->who = (int[]){W_A, W_B, W_RUN}[world_rnd(w, 3)];
		break;
	case K_FACET:
	case K_FACET_NONE:
		e->what = (int)world_rnd(w, WORLD_FACETS);
		e->set = (uint16_t)(1 + world_rnd(w, (1u << w->facet[e->what].n) - 1));
		break;
	case K_TEXT:
		e->what = (int)world_rnd(w, 5);
		e->regex = !world_rnd(w, 3);
		e->text = e->regex ? regexes[world_rnd(w, 5)] : needles[world_rnd(w, 7)];
		break;
	case K_TAG:
		e->what = (int)world_rnd(w, WORLD_TAGS);
		break;
	case K_ID:
		e->text = w->key[world_rnd(w, (uint32_t)w->n)];
		break;
	case K_ID_PART:
		e->text = (const char *const[]){"1", "K0", "/"}[world_rnd(w, 3)];
		break;
	default:
		break;
	}
	if (e->kind == K_FACET && e->what == 1)
		e->tree = false;
	else if (e->kind != K_FACET && e->tree) /* what needs quotes is no node of a tree */
		e->set = e->set & ~0x80 ? e->set & (uint16_t)~0x80 : 1;
	if (e->kind == K_NUMBER && !number_is_there(w, e))
		e->kind = K_MARK;
}

static struct expr *random_expr(struct world *w, struct arena *arena, int depth)
{
	struct expr *e = arena_zalloc(arena, 1, sizeof *e);

	if (depth == 0 || !world_rnd(w, 3)) {
		random_leaf(w, e);
		return e;
	}
	e->kind = (enum kind)world_rnd(w, 3);
	e->left = random_expr(w, arena, depth - 1);
	if (e->kind != K_NOT)
		e->right = random_expr(w, arena, depth - 1);
	return e;
}

/* --- as text, in one of the ways it may be written --- */

static void put_value(struct world *w, struct buf *out, const char *s)
{
	bool bare = *s != 0;

	for (const char *c = s; *c; c++)
		bare = bare && ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
				(*c >= '0' && *c <= '9') || (unsigned char)*c >= 0xc3 || strchr("_.-+", *c) ||
				((unsigned char)*c >= 0x80 && (unsigned char)c[-1] >= 0xc3));
	if (strstr(s, "\xe2\x80\xaf") || !bare || !world_rnd(w, 4)) {
		buf_ch(out, '"');
		for (const char *c = s; *c; c++)
			buf_printf(out, "%s%c", strchr("\"\\", *c) ? "\\" : "", *c);
		buf_ch(out, '"');
	} else {
		buf_z(out, s);
	}
}

/* Without blanks, and in capitals where case does not matter. */
static void put_loose(struct world *w, struct buf *out, const char *s)
{
	bool plain = true;

	for (const char *c = s; *c; c++)
		plain = plain && ((*c >= 'a' && *c <= 'z') || *c == ' ');
	if (!plain || world_rnd(w, 2)) {
		put_value(w, out, s);
		return;
	}
	for (const char *c = s; *c; c++)
		buf_ch(out, *c == ' ' ? '_' : world_rnd(w, 2) ? *c : (char)(*c - 32));
}

static void put_run(struct world *w, struct buf *out, int run, bool after_at)
{
	uint32_t how = world_rnd(w, 3);
	bool risky = run == 3 || (!after_at && run == 4) || (!after_at && run < 2);

	if (how == 0 || risky)
		buf_printf(out, "\"%s\"", world_handle[run]);
	else if (how == 1 && run == 2)
		buf_z(out, "alp");
	else
		buf_z(out, world_handle[run]);
}

static void put_who(struct world *w, struct buf *out, const struct expr *e)
{
	static const char *const fixed[N_WHO] = {"", "@a", "@b", "@all", "@any"};

	if (e->who == W_LEAST) {
		buf_printf(out, "@%d+", e->least);
	} else if (e->who == W_RUN) {
		buf_ch(out, '@');
		put_run(w, out, e->run, true);
	} else {
		buf_z(out, fixed[e->who]);
	}
}

/* A tree's node stands without quotes. */
static void put_node(struct world *w, struct buf *out, const char *name, bool tree)
{
	if (!tree) {
		put_value(w, out, name);
		return;
	}
	for (const char *c = name; *c; c++)
		buf_ch(out, *c == ' ' ? '_' : *c);
	buf_z(out, "/*");
}

static void put_set(struct world *w, struct buf *out, const struct expr *e, const char *const *names,
		    int n)
{
	const char *sep = "";

	for (int k = 0; k < n; k++) {
		uint32_t how = names == world_class && !e->tree ? world_rnd(w, 6) : 5;

		if (!(e->set >> k & 1))
			continue;
		buf_z(out, sep);
		sep = ",";
		if (how == 0)
			buf_printf(out, "#%d", 100 + k);
		else if (how == 1)
			buf_printf(out, "n%04d", k);
		else if (e->kind == K_VOTE_CLASS && k == 9) /* without quotes it may be the word */
			buf_z(out, e->tree ? "wrong/*" : "\"wrong\"");
		else
			put_node(w, out, names[k], e->tree);
	}
}

static void put_leaf(struct world *w, struct buf *out, const struct expr *e)
{
	const struct world_facet *f = &w->facet[e->what >= 0 && e->what < WORLD_FACETS ? e->what : 0];

	switch (e->kind) {
	case K_CATEGORY:
		buf_z(out, "cat:");
		if ((e->set & 3) == 3 && world_rnd(w, 2))
			buf_z(out, "s,");
		put_set(w, out, &(struct expr){.set = e->set}, category_words, 5);
		break;
	case K_TRUTH:
	case K_TRUTH_NONE:
		buf_printf(out, e->what < 0 ? "gt:" : "gt@%s:", e->what < 0 ? "" : world_layer[e->what]);
		if (e->kind == K_TRUTH_NONE)
			buf_z(out, "(none)");
		else
			put_set(w, out, e, world_class, WORLD_CLASSES);
		break;
	case K_PRED:
	case K_PRED_NONE:
		buf_z(out, "pred");
		put_who(w, out, e);
		buf_ch(out, ':');
		if (e->kind == K_PRED_NONE)
			buf_z(out, "(none)");
		else
			put_set(w, out, e, world_class, WORLD_CLASSES);
		break;
	case K_VERDICT:
	case K_OUTCOME:
		buf_z(out, e->kind == K_VERDICT ? verdicts[e->what] : outcomes[e->what]);
		put_who(w, out, e);
		break;
	case K_FLIP:
		buf_z(out, flips[e->what]);
		break;
	case K_VOTE_SIZE:
		buf_printf(out, "vote%s%g", ops[e->op], e->x);
		break;
	case K_VOTE_CLASS:
		buf_z(out, "vote:");
		put_set(w, out, e, world_class, WORLD_CLASSES);
		break;
	case K_VOTE_VERDICT:
		buf_printf(out, "vote:%s", verdicts[e->what]);
		break;
	case K_VOTE_RUN:
		buf_printf(out, "vote%s", ops[e->op]);
		if (e->who == W_RUN)
			put_run(w, out, e->run, false);
		else
			buf_z(out, e->who == W_A ? "a" : "b");
		break;
	case K_NUMBER:
		buf_z(out, world_number[e->what]);
		put_who(w, out, e);
		buf_printf(out, "%s%g", ops[e->op], e->x);
		break;
	case K_FACET:
	case K_FACET_NONE:
		if (e->what == 0)
			buf_z(out, world_rnd(w, 2) ? "Face_Type:" : ".\"face type\":");
		else
			buf_printf(out, "%s%s:", e->what == 2 || world_rnd(w, 2) ? "." : "", f->name);
		if (e->kind == K_FACET_NONE)
			buf_z(out, "(none)");
		else
			put_set(w, out, e, f->values, f->n);
		break;
	case K_UNPLACED:
		buf_z(out, "face_type:(unplaced)");
		break;
	case K_SIZE:
		buf_printf(out, "SIZE%s%g", ops[e->op], e->x);
		break;
	case K_SIZE_NONE:
		buf_z(out, "size:(none)");
		break;
	case K_TEXT:
		buf_z(out, scopes[e->what]);
		if (e->what == 0 || e->what == 3)
			put_who(w, out, e);
		buf_ch(out, '~');
		if (!e->regex) {
			put_value(w, out, e->text);
			break;
		}
		buf_ch(out, '/');
		for (const char *c = e->text; *c; c++)
			buf_printf(out, "%s%c", *c == '/' ? "\\" : "", *c);
		buf_ch(out, '/');
		break;
	case K_TAG:
		buf_z(out, "tag:");
		put_loose(w, out, world_tag[e->what]);
		break;
	case K_ID:
	case K_ID_PART:
		buf_z(out, e->kind == K_ID ? "id:" : "id~");
		put_value(w, out, e->text);
		break;
	default:
		buf_z(out, e->kind == K_MARK ? "mark" : e->kind == K_SEEN ? "seen" : "note");
	}
}

/* level: 0 inside nothing or parentheses, 1 in an or, 2 in an and, 3 after a not */
static void put_expr(struct world *w, struct buf *out, const struct expr *e, int level)
{
	int own = e->kind == K_OR ? 1 : e->kind == K_AND ? 2 : 3;
	bool group = own < level || !world_rnd(w, 8);

	buf_z(out, group ? world_rnd(w, 2) ? "(" : "( " : "");
	if (e->kind == K_NOT) {
		buf_z(out, world_rnd(w, 2) ? "-" : "NOT ");
		put_expr(w, out, e->left, 3);
	} else if (own < 3) {
		put_expr(w, out, e->left, own);
		buf_z(out, own == 2 ? "  " : world_rnd(w, 2) ? " or " : " | ");
		put_expr(w, out, e->right, own);
	} else {
		put_leaf(w, out, e);
	}
	buf_z(out, group ? " )" : "");
}

/* --- the comparison --- */

static void expect(const struct world *w, const struct filter *f, const struct filter_ctx *ctx,
		   const struct expr *e, const char *text)
{
	static uint64_t bits[WORLD_MAX / 64 + 2];
	struct err err = ERR_INIT;

	bits[bits_words((size_t)w->n)] = 42;
	if (filter_eval(f, ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	assert_int_equal(bits[bits_words((size_t)w->n)], 42);
	for (int i = 0; i < w->n; i++)
		if (bits_get(bits, (size_t)i) != says(w, e, i))
			fail_msg("seed %u, sample %d of %d: %s is %d", w->seed, i, w->n, text,
				 bits_get(bits, (size_t)i));
	for (size_t i = (size_t)w->n; i < bits_words((size_t)w->n) * 64; i++)
		assert_false(bits_get(bits, i));
}

static struct filter *must_parse(const char *text, const struct filter_ctx *ctx)
{
	struct filter *f = NULL;
	struct err err = ERR_INIT;

	if (filter_parse(str_z(text), ctx, &f, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	return f;
}

/* As it is written; as it is formatted; with a and b written out, where there is neither. */
static void check(struct world *w, const struct expr *e, struct filter_cache *cache)
{
	struct buf text = BUF_INIT, again = BUF_INIT, shown = BUF_INIT;
	struct filter_ctx ctx = w->ctx, no_runs = w->ctx;
	struct filter *f, *g;

	put_expr(w, &text, e, 0);
	ctx.cache = world_rnd(w, 4) ? cache : NULL;
	f = must_parse(buf_cstr(&text), &ctx);
	expect(w, f, &ctx, e, buf_cstr(&text));
	filter_format(f, NULL, &again);
	g = must_parse(buf_cstr(&again), &ctx);
	if (!filter_eq(f, g))
		fail_msg("%s became %s", buf_cstr(&text), buf_cstr(&again));
	expect(w, g, &ctx, e, buf_cstr(&again));
	filter_free(g);
	filter_format(f, &ctx, &shown);
	no_runs.a = no_runs.b = -1;
	g = must_parse(buf_cstr(&shown), &no_runs);
	expect(w, g, &no_runs, e, buf_cstr(&shown));
	filter_free(g);
	filter_free(f);
	buf_release(&text);
	buf_release(&again);
	buf_release(&shown);
}

static void random_filters(void **state)
{
	static struct world w;
	unsigned long kinds[N_KINDS] = {0};

	(void)state;
	for (uint32_t seed = 1; seed <= 60; seed++) {
		struct filter_cache *cache;
		struct arena arena = ARENA_INIT;

		world_make(&w, seed * 7919, (int[]){333, 64, 1, 65, 400, 128}[seed % 6]);
		cache = filter_cache_new(w.snap, &w.lens);
		for (int k = 0; k < 80; k++) {
			struct expr *e = random_expr(&w, &arena, k % 5);

			kinds[e->kind]++;
			check(&w, e, cache);
			arena_clear(&arena);
		}
		arena_release(&arena);
		filter_cache_free(cache);
		world_free(&w);
	}
	for (int k = 0; k < N_KINDS; k++)
		if (!kinds[k])
			fail_msg("condition %d was never tried", k);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(random_filters)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
