#include "tests/unit/lib_filters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const ops[] = {"<", "<=", ">", ">=", "=", "!="};
static const char *const category_words[] = {"S+", "S-", "M+", "M-", "N"};
static const char *const outcomes[] = {"missing", "answered", "oop", "refused", "empty", "unparsed", "error"};
static const char *const flips[] = {"regressed", "improved", "flip"};
static const char *const verdicts[] = {"uncounted", "wrong", "right"};
static const char *const scopes[] = {"text", "question", "statement", "answer", "note"};
static const char *const needles[] = {"weasel", "WEASEL, not", "\xe6\x82\xb2\xe3\x81\x97", "\xc3\xa9T\xc3\x89",
				      "o", "\xc3\x89t", "absent"};
static const char *const regexes[] = {"we(a|x)sel", "^is", "n.$", "y / s", "w[o0]rds?"};

/* --- random conditions --- */

static bool number_is_there(const struct world *w, const struct expr *e)
{
	if (!naive_is_panel(e->who))
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
	case K_ROW:
		e->what = (int)world_rnd(w, 3);
		break;
	case K_COLUMN:
		e->what = (int)world_rnd(w, 8);
		break;
	case K_OUTCOME:
		e->what = (int)world_rnd(w, N_OUTCOMES);
		break;
	case K_OOP:
		e->set = (uint16_t)(1 + world_rnd(w, 15));
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
	case K_DIFFICULTY:
		e->x = world_rnd(w, 11) / 10.0;
		break;
	case K_AGREE:
		e->op = 4 + (int)world_rnd(w, 2);
		e->what = (int)world_rnd(w, WORLD_RUNS + 2);
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

struct expr *filters_random(struct world *w, struct arena *arena, int depth)
{
	struct expr *e = arena_zalloc(arena, 1, sizeof *e);

	if (depth == 0 || !world_rnd(w, 3)) {
		random_leaf(w, e);
		return e;
	}
	e->kind = (enum kind)world_rnd(w, 3);
	e->left = filters_random(w, arena, depth - 1);
	if (e->kind != K_NOT)
		e->right = filters_random(w, arena, depth - 1);
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

/* what: 1 the word alone, 2 and more what is no class, beside the classes. */
static void put_cell(struct world *w, struct buf *out, const struct expr *e)
{
	static const char *const extras[] = {"(oop)",      "(refused)", "(empty)",
					     "(unparsed)", "(error)",   "(missing)"};

	buf_z(out, e->kind == K_ROW ? "row" : "column");
	put_who(w, out, e);
	if (e->what == 1)
		return;
	buf_ch(out, ':');
	if (e->what >= 2)
		buf_printf(out, "%s,", e->kind == K_ROW ? "(none)" : extras[e->what - 2]);
	put_set(w, out, e, world_class, WORLD_CLASSES);
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
	case K_ROW:
	case K_COLUMN:
		put_cell(w, out, e);
		break;
	case K_VERDICT:
	case K_OUTCOME:
		buf_z(out, e->kind == K_VERDICT ? verdicts[e->what] : outcomes[e->what]);
		put_who(w, out, e);
		break;
	case K_OOP:
		buf_z(out, "oop");
		put_who(w, out, e);
		for (int k = 0, n = 0; k < N_OOP_KINDS; k++)
			if (e->set >> k & 1)
				buf_printf(out, "%s%s", n++ ? "," : ":", oop_kind_word((enum oop_kind)k));
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
	case K_DIFFICULTY:
		buf_printf(out, "difficulty%s%g", ops[e->op], e->x);
		break;
	case K_AGREE:
		buf_z(out, "agree");
		put_who(w, out, e);
		buf_z(out, ops[e->op]);
		if (e->what < WORLD_RUNS)
			put_run(w, out, e->what, false);
		else
			buf_z(out, e->what == WORLD_RUNS ? "a" : "b");
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

void filters_put(struct world *w, struct buf *out, const struct expr *e, int level)
{
	int own = e->kind == K_OR ? 1 : e->kind == K_AND ? 2 : 3;
	bool group = own < level || !world_rnd(w, 8);

	buf_z(out, group ? world_rnd(w, 2) ? "(" : "( " : "");
	if (e->kind == K_NOT) {
		buf_z(out, world_rnd(w, 2) ? "-" : "NOT ");
		filters_put(w, out, e->left, 3);
	} else if (own < 3) {
		filters_put(w, out, e->left, own);
		buf_z(out, own == 2 ? "  " : world_rnd(w, 2) ? " or " : " | ");
		filters_put(w, out, e->right, own);
	} else {
		put_leaf(w, out, e);
	}
	buf_z(out, group ? " )" : "");
}
