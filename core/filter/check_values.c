/* What values stand for: classes, facet values, categories, numbers, texts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/eval/confusion.h"
#include "core/eval/oop.h"
#include "core/filter/filter_impl.h"

/* --- sets of ordinals --- */

/* Names with ordinals 0 … n - 1. */
struct names {
	const char *(*name)(const void *of, uint32_t i);
	const void *of;
	uint32_t n;
	uint8_t *in; /* [n] 1: meant */
};

static struct names names_new(struct check *c, const void *of, uint32_t n,
			      const char *(*name)(const void *of, uint32_t i))
{
	return (struct names){name, of, n, arena_zalloc(&c->f->resolved, (size_t)n + 1, 1)};
}

/* Marks all that bear the name as it is written or, if none does, without regard to case. */
static bool take_name(struct names *s, struct str text)
{
	bool found = false;

	for (uint32_t i = 0; i < s->n; i++)
		if (str_eqz(text, s->name(s->of, i))) {
			s->in[i] = 1;
			found = true;
		}
	for (uint32_t i = 0; !found && i < s->n; i++)
		if (name_eq(text, str_z(s->name(s->of, i)))) {
			for (; i < s->n; i++)
				s->in[i] |= name_eq(text, str_z(s->name(s->of, i)));
			return true;
		}
	return found;
}

static void finish_set(struct check *c, struct term *t, const struct names *s)
{
	t->set = arena_alloc(&c->f->resolved, ((size_t)s->n + 1) * sizeof *t->set);
	for (uint32_t i = 0; i < s->n; i++)
		if (s->in[i])
			t->set[t->n_set++] = i;
}

static enum status unknown_value(struct check *c, const struct term *t, const struct value *v,
				 const struct names *s, const char *what)
{
	struct nearest near = {.word = v->text};
	char shown[CLIP], name[CLIP], best[CLIP], hint[2 * CLIP] = "";
	struct buf quoted = BUF_INIT;

	for (uint32_t i = 0; i < s->n; i++)
		nearest_offer(&near, s->name(s->of, i));
	if (near.best) {
		filter_put_value(&quoted, str_z(near.best));
		snprintf(hint, sizeof hint, "; did you mean %s?", clip(buf_view(&quoted), best));
	}
	fault_at(c->faults, v->at, v->n, hint, "%s %s has no %s '%s'",
		 t->facet >= 0 ? "facet" : "dataset",
		 clip(str_z(t->facet >= 0 ? c->ctx->snap->facets[t->facet].name : c->ctx->snap->dataset),
		      name),
		 what, clip(v->text, shown));
	buf_release(&quoted);
	return c->faults->err->code;
}

static enum status not_here(struct check *c, const struct value *v, const char *what)
{
	static const char *const shapes[] = {"this value", "# and a number", "(none)", "(unplaced)",
					     "a file", "a regular expression", "an outcome"};
	char hint[2 * CLIP];

	snprintf(hint, sizeof hint, "; %s is", what);
	return fault_at(c->faults, v->at, v->n, hint, "%s is not expected",
			v->tree ? "a tree" : shapes[v->kind]);
}

/* Also everything below: parent(i) leads towards a root, none = UINT32_MAX. */
static void take_below(struct names *s, uint32_t (*parent)(const void *of, uint32_t i))
{
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t at = i;

		for (uint32_t steps = 0; at < s->n && !s->in[at] && steps <= s->n; steps++)
			at = parent(s->of, at);
		s->in[i] = at < s->n && s->in[at];
	}
}

/* --- categories --- */

static bool take_category(struct names *s, struct str text)
{
	char letter = text.n ? (char)(text.p[0] & ~0x20) : 0;

	for (uint32_t i = 0; i < N_CATEGORIES; i++) {
		struct str word = str_z(category_word((enum category)i));

		if (letter == word.p[0] && (text.n == 1 || str_eq_nocase(text, word)))
			s->in[i] = 1;
	}
	return text.n == 1 ? memchr("SMN", letter, 3) != NULL
			   : text.n == 2 && memchr("SM", letter, 2) && memchr("+-", text.p[1], 2);
}

static const char *category_name(const void *of, uint32_t i)
{
	(void)of;
	return category_word((enum category)i);
}

enum status check_categories(struct check *c, struct term *t, const struct word *w)
{
	struct names s = names_new(c, NULL, N_CATEGORIES, category_name);
	char shown[CLIP];

	(void)w;
	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];

		if (v->kind != VALUE_NAME || v->tree)
			return not_here(c, v, "a category");
		if (!take_category(&s, v->text))
			return fault_at(c->faults, v->at, v->n, "; there are S+, S-, M+, M-, N, S and M",
					"unknown category '%s'", clip(v->text, shown));
	}
	finish_set(c, t, &s);
	return OK;
}

/* --- kinds of answers that are out of the class list --- */

static const char *oop_name(const void *of, uint32_t i)
{
	(void)of;
	return oop_kind_word((enum oop_kind)i);
}

enum status check_oop(struct check *c, struct term *t, const struct word *w)
{
	struct names s = names_new(c, NULL, N_OOP_KINDS, oop_name);
	char shown[CLIP];

	(void)w;
	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];

		if (v->kind != VALUE_NAME || v->tree)
			return not_here(c, v, "a kind");
		if (!take_name(&s, v->text))
			return fault_at(c->faults, v->at, v->n, "; there are partial, alias, abstain and wrong",
					"unknown kind '%s'", clip(v->text, shown));
	}
	finish_set(c, t, &s);
	return OK;
}

/* --- classes --- */

static const char *class_name(const void *of, uint32_t i)
{
	return ((const struct snapshot *)of)->classes[i].name;
}

static uint32_t class_parent(const void *of, uint32_t i)
{
	return ((const struct snapshot *)of)->classes[i].parent;
}

static bool take_wnid(struct names *s, const struct snapshot *snap, struct str text)
{
	bool found = false;

	for (uint32_t i = 0; i < s->n; i++)
		if (text.n && str_eqz(text, snap->classes[i].wnid)) {
			s->in[i] = 1;
			found = true;
		}
	return found;
}

static bool take_alias(struct check *c, struct names *s, struct str text)
{
	const struct filter_source *src = c->ctx->source;
	uint32_t hit[64];
	size_t n = src && src->aliases ? src->aliases(src->ctx, text, hit, 64) : 0;

	for (size_t i = 0; i < n && i < 64; i++)
		if (hit[i] < s->n)
			s->in[hit[i]] = 1;
	return n > 0;
}

static enum status take_index(struct check *c, const struct term *t, const struct value *v,
			      struct names *s)
{
	const struct snapshot *snap = c->ctx->snap;
	bool found = false;
	int64_t index = -1;

	if (!str_int(v->text, &index) || index < 0)
		return fault_at(c->faults, v->at, v->n, "", "expected a class's number after #");
	for (uint32_t i = 0; i < s->n; i++)
		if (snap->classes[i].index == index) {
			s->in[i] = 1;
			found = true;
		}
	return found ? OK : unknown_value(c, t, v, &(struct names){.n = 0}, "class number");
}

static enum status take_class(struct check *c, const struct term *t, const struct value *v,
			      struct names *s)
{
	const struct snapshot *snap = c->ctx->snap;

	if (v->kind == VALUE_INDEX)
		return take_index(c, t, v, s);
	if (v->kind != VALUE_NAME)
		return not_here(c, v, "a class");
	if (take_name(s, v->text) || take_wnid(s, snap, v->text) || take_alias(c, s, v->text))
		return OK;
	return unknown_value(c, t, v, s, "class");
}

/* What stands among classes and is none. */
static bool take_no_class(struct term *t, const struct value *v, const struct word *w)
{
	if (v->kind == VALUE_NONE && w->code != CELL_COLUMN) {
		t->none = true;
		return true;
	}
	if (v->kind != VALUE_OUTCOME || w->code != CELL_COLUMN)
		return false;
	for (int k = 0; k < N_EXTRAS; k++)
		if (str_eqz(v->text, confusion_extra_word((enum confusion_extra)k)))
			t->extras |= 1u << k;
	return true;
}

enum status check_classes(struct check *c, struct term *t, const struct word *w)
{
	const struct snapshot *snap = c->ctx->snap;
	struct names all = names_new(c, snap, snap->n_classes, class_name);

	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];
		struct names one = names_new(c, snap, snap->n_classes, class_name);
		enum status st;

		if (take_no_class(t, v, w))
			continue;
		st = take_class(c, t, v, &one);
		if (st != OK)
			return st;
		if (v->tree)
			take_below(&one, class_parent);
		for (uint32_t k = 0; k < one.n; k++)
			all.in[k] |= one.in[k];
	}
	finish_set(c, t, &all);
	return OK;
}

/* --- facets --- */

static const char *facet_value(const void *of, uint32_t i)
{
	return ((const struct facet *)of)->values[i];
}

static uint32_t facet_parent(const void *of, uint32_t i)
{
	const struct facet *f = of;

	return f->parents ? f->parents[i] : UINT32_MAX;
}

/* Values that have neither a parent nor anything below, in a facet where others do. */
static enum status take_unplaced(struct check *c, const struct value *v, struct names *s)
{
	const struct facet *f = s->of;
	uint8_t *placed = arena_zalloc(&c->f->resolved, (size_t)s->n + 1, 1);
	bool tree = false;
	char shown[CLIP];

	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t p = facet_parent(f, i);

		if (p >= s->n)
			continue;
		placed[i] = placed[p] = 1;
		tree = true;
	}
	if (!tree)
		return fault_at(c->faults, v->at, v->n, "; its values have no tree",
				"facet %s has nothing (unplaced)", clip(str_z(f->name), shown));
	for (uint32_t i = 0; i < s->n; i++)
		s->in[i] |= !placed[i];
	return OK;
}

static enum status take_facet_value(struct check *c, struct term *t, const struct value *v,
				    struct names *all)
{
	struct names one = names_new(c, all->of, all->n, facet_value);

	if (v->kind == VALUE_NONE) {
		t->none = true;
		return OK;
	}
	if (v->kind == VALUE_UNPLACED)
		return take_unplaced(c, v, all);
	if (v->kind != VALUE_NAME)
		return not_here(c, v, "a value of the facet");
	if (!take_name(&one, v->text))
		return unknown_value(c, t, v, &one, "value");
	if (v->tree)
		take_below(&one, facet_parent);
	for (uint32_t k = 0; k < one.n; k++)
		all->in[k] |= one.in[k];
	return OK;
}

enum status check_facet(struct check *c, struct term *t, const struct word *w)
{
	const struct facet *f = &c->ctx->snap->facets[t->facet];
	struct names all = names_new(c, f, f->n_values, facet_value);

	(void)w;
	for (uint32_t i = 0; i < t->n_values; i++) {
		enum status st = take_facet_value(c, t, &t->values[i], &all);

		if (st != OK)
			return st;
	}
	finish_set(c, t, &all);
	return OK;
}

/* --- numbers --- */

static enum status take_number(struct check *c, struct term *t)
{
	const struct value *v = &t->values[0];
	char shown[CLIP];

	if (v->kind == VALUE_NAME && !v->tree && str_num(v->text, &t->value))
		return OK;
	return fault_at(c->faults, v->at, v->n, "", "'%s' is no number", clip(v->text, shown));
}

enum status check_has_number(struct check *c, const struct term *t, const char *name, const char *what)
{
	const struct filter_source *s = c->ctx->source;
	int n = c->ctx->n_panel, run = t->whose.index;
	bool one = t->whose.kind == WHO_A || t->whose.kind == WHO_B || t->whose.kind == WHO_RUN;
	char shown[CLIP + 2], part[CLIP], who[CLIP];

	snprintf(shown, sizeof shown, "'%s'", clip(str_z(name), part));
	if (!s || !s->number)
		return OK;
	if (one && t->whose.kind != WHO_RUN)
		run = t->whose.kind == WHO_A ? c->ctx->a : c->ctx->b;
	for (int i = 0; i < (one ? 1 : n); i++) {
		const struct column *col = NULL;
		enum status st = s->number(s->ctx, one ? run : c->ctx->panel[i], name, &col,
					   c->faults->err);

		if (st != OK)
			return st;
		if (col && col->n)
			return OK;
	}
	return fault_at(c->faults, t->at, t->n, "", "%s has %s%s",
			one ? clip(str_z(c->ctx->snap->runs[run].handle), who) : "no run of the panel",
			one ? "no " : "", what ? what : shown);
}

enum status check_number(struct check *c, struct term *t, const struct word *w)
{
	enum status st = OK;

	if (t->op == OP_IS) { /* a facet of numbers */
		for (uint32_t i = 0; st == OK && i < t->n_values; i++)
			if (t->values[i].kind != VALUE_NONE)
				st = not_here(c, &t->values[i], "(none), or a comparison such as =3 instead of :,");
		t->none = true;
		return st;
	}
	st = take_number(c, t);
	if (st == OK && w->of == OF_RUN) {
		t->number = t->number ? t->number : w->column ? w->column : w->name;
		st = check_has_number(c, t, t->number, NULL);
	}
	return st;
}

/* --- the panel, other runs --- */

enum status check_difficulty(struct check *c, struct term *t, const struct word *w)
{
	(void)w;
	if (!c->ctx->n_panel)
		return fault_at(c->faults, t->at, t->n, ", and there is none",
				"'difficulty' needs a panel of runs");
	return take_number(c, t);
}

enum status check_agree(struct check *c, struct term *t, const struct word *w)
{
	const struct value *v = &t->values[0];
	struct who whose = t->whose, special;
	enum status st;

	(void)w;
	if (v->kind != VALUE_NAME || v->tree ||
	    (!v->quoted && who_is_special(v->text, &special) && special.kind != WHO_A &&
	     special.kind != WHO_B))
		return not_here(c, v, "one run");
	st = who_resolve(c, t, v->text, v->quoted, v->at);
	t->other = t->whose;
	t->whose = whose;
	return st;
}

/* --- votes --- */

static bool is_word(const struct value *v, const char *word)
{
	return v->kind == VALUE_NAME && !v->quoted && !v->tree && str_eq_nocase(v->text, str_z(word));
}

enum status check_vote(struct check *c, struct term *t, const struct word *w)
{
	const struct value *v = &t->values[0];
	double n;

	if (!c->ctx->n_panel)
		return fault_at(c->faults, t->at, t->n, ", and there is none", "'vote' needs a panel of runs");
	if (c->ctx->n_panel > VOTES_MAX)
		return fault_at(c->faults, t->at, t->n, "", "'vote' takes a panel of at most %d runs, not this one,",
				VOTES_MAX);
	if (t->op == OP_IS) {
		t->vote = VOTE_CLASS;
		if (t->n_values == 1 && (is_word(v, "wrong") || is_word(v, "right"))) {
			t->vote = is_word(v, "wrong") ? VOTE_WRONG : VOTE_RIGHT;
			return OK;
		}
		return check_classes(c, t, w);
	}
	t->vote = VOTE_SIZE;
	if ((t->op == OP_EQ || t->op == OP_NE) && v->kind == VALUE_NAME && !v->tree &&
	    (v->quoted || !str_num(v->text, &n))) {
		struct who who;

		t->vote = VOTE_RUN;
		if (!v->quoted && who_is_special(v->text, &who) && who.kind != WHO_A && who.kind != WHO_B)
			return not_here(c, v, "one run");
		return who_resolve(c, t, v->text, v->quoted, v->at);
	}
	return take_number(c, t);
}

/* --- texts --- */

static enum status add_needle(struct check *c, struct term *t, uint32_t i)
{
	const struct value *v = &t->values[i];
	struct err why = ERR_INIT;
	enum status st;

	if ((v->kind != VALUE_NAME && v->kind != VALUE_REGEX) || v->tree)
		return not_here(c, v, "a text");
	st = needle_new(&t->needles[i], v->text, v->kind == VALUE_REGEX, &why);
	if (st != OK) {
		char hint[ERR_MESSAGE_MAX / 2];

		snprintf(hint, sizeof hint, ": %.400s", why.msg);
		return fault_at(c->faults, v->at, v->n, hint, "this cannot be looked for");
	}
	vec_push(&c->f->needles, t->needles[i]);
	return OK;
}

enum status check_text(struct check *c, struct term *t, const struct word *w)
{
	enum status st = OK;

	(void)w;
	t->needles = arena_zalloc(&c->f->resolved, t->n_values, sizeof(*t->needles));
	for (uint32_t i = 0; st == OK && i < t->n_values; i++)
		st = add_needle(c, t, i);
	return st;
}

enum status check_keys(struct check *c, struct term *t, const struct word *w)
{
	if (t->op == OP_LIKE)
		return check_text(c, t, w);
	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];

		if ((v->kind != VALUE_NAME && v->kind != VALUE_FILE) || v->tree || !v->text.n)
			return not_here(c, v, "a sample's key, or <FILE");
	}
	return OK;
}

/* --- tags --- */

static const char *tag_name(const void *of, uint32_t i)
{
	return ((const struct filter_things *)of)->tags[i].name;
}

enum status check_tags(struct check *c, struct term *t, const struct word *w)
{
	const struct filter_things *things = c->ctx->things;
	struct names s = names_new(c, things, things ? things->n_tags : 0, tag_name);

	(void)w;
	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];

		if (v->kind != VALUE_NAME || v->tree)
			return not_here(c, v, "a tag");
		if (!take_name(&s, v->text))
			return unknown_value(c, t, v, &s, "tag");
	}
	finish_set(c, t, &s);
	return OK;
}
