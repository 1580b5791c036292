#include "core/eval/oop.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/xmalloc.h"

#define WORDS_MAX   64   /* of one text; names have fewer */
#define ANSWER_MAX  4096 /* bytes of an answer that are looked at: longer ones are no name */

struct oop_names {
	struct intern words;   /* of class names */
	VEC(uint32_t) heads;   /* by word: its first node + 1; 0: none */
	struct { uint32_t name, next; } *nodes; /* the names that have the word, the last one first */
	size_t n_nodes, cap_nodes;
	VEC(uint32_t) seen;    /* by name: how many words of the answer at hand it has */
	struct intern aliases; /* as words with a blank between */
	struct buf folded;     /* of the text at hand: its words, a blank between and around */
};

const char *oop_kind_word(enum oop_kind k)
{
	static const char *const words[N_OOP_KINDS] = {"partial", "alias", "abstain", "wrong"};

	return (unsigned)k < N_OOP_KINDS ? words[k] : "";
}

enum oop_kind oop_kind_find(struct str word)
{
	for (int k = 0; k < N_OOP_KINDS; k++)
		if (str_eq_nocase(word, str_z(oop_kind_word((enum oop_kind)k))))
			return (enum oop_kind)k;
	return OOP_NONE;
}

struct oop_names *oop_names_new(void)
{
	return xcalloc(1, sizeof(struct oop_names));
}

void oop_names_free(struct oop_names *o)
{
	if (!o)
		return;
	intern_release(&o->words);
	intern_release(&o->aliases);
	vec_release(&o->heads);
	vec_release(&o->seen);
	free(o->nodes);
	buf_release(&o->folded);
	free(o);
}

/* --- words --- */

/* U+2019 and U+02BC are written for the apostrophe. */
static size_t apostrophe(struct str s, size_t at)
{
	static const char *const more[] = {"\xe2\x80\x99", "\xca\xbc", "`"};

	if (s.p[at] == '\'')
		return 1;
	for (size_t k = 0; k < sizeof more / sizeof *more; k++)
		if (str_starts((struct str){s.p + at, s.n - at}, str_z(more[k])))
			return strlen(more[k]);
	return 0;
}

static char folded(char c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c | 0x20);
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (unsigned char)c >= 0x80 ? c : ' ';
}

/* " i dont know ": returns the number of words. */
static size_t fold(struct oop_names *o, struct str s)
{
	struct buf *out = &o->folded;
	size_t n = 0;

	buf_clear(out);
	buf_ch(out, ' ');
	for (size_t i = 0; i < s.n && i < ANSWER_MAX;) {
		size_t skip = apostrophe(s, i);
		bool mark = !skip && str_starts((struct str){s.p + i, s.n - i}, str_z("\xe2\x80"));
		char c = mark ? ' ' : folded(s.p[i]); /* U+2000 … are dashes and quotes */

		i += skip ? skip : mark && i + 2 < s.n ? 3 : 1;
		if (skip || (c == ' ' && out->p[out->n - 1] == ' '))
			continue;
		n += c == ' ';
		buf_ch(out, c);
	}
	if (out->p[out->n - 1] != ' ') {
		buf_ch(out, ' ');
		n++;
	}
	return n;
}

/* The next word of what fold() left; from: 1 at first. */
static bool next_word(const struct oop_names *o, size_t *from, struct str *word)
{
	const char *p = o->folded.p + *from, *end = *from < o->folded.n ? strchr(p, ' ') : NULL;

	if (!end)
		return false;
	*word = (struct str){p, (size_t)(end - p)};
	*from += word->n + 1;
	return true;
}

static bool repeats(const struct str *word, size_t n, struct str w)
{
	for (size_t k = 0; k < n; k++)
		if (str_eq(word[k], w))
			return true;
	return false;
}

/* Each word once; 0 when there are none, or too many for a name. */
static size_t distinct(const struct oop_names *o, struct str word[WORDS_MAX])
{
	size_t n = 0, from = 1;
	struct str w;

	while (next_word(o, &from, &w)) {
		if (repeats(word, n, w))
			continue;
		if (n == WORDS_MAX)
			return 0;
		word[n++] = w;
	}
	return n;
}

/* --- names --- */

static void add_node(struct oop_names *o, uint32_t word, uint32_t name)
{
	if (o->n_nodes == o->cap_nodes)
		o->nodes = vec_grown(o->nodes, sizeof *o->nodes, o->n_nodes + 1, &o->cap_nodes);
	o->nodes[o->n_nodes].name = name;
	o->nodes[o->n_nodes].next = o->heads.v[word];
	o->heads.v[word] = (uint32_t)++o->n_nodes;
}

void oop_names_class(struct oop_names *o, struct str name)
{
	struct str word[WORDS_MAX];
	uint32_t id = (uint32_t)o->seen.n;
	size_t n;

	fold(o, name);
	n = distinct(o, word);
	vec_push(&o->seen, 0);
	for (size_t k = 0; k < n; k++) {
		uint32_t w = intern_add(&o->words, word[k]);

		if (w == o->heads.n)
			vec_push(&o->heads, 0);
		add_node(o, w, id);
	}
}

void oop_names_alias(struct oop_names *o, struct str name)
{
	if (fold(o, name))
		intern_add(&o->aliases, buf_view(&o->folded));
}

/* --- kinds --- */

/* Adds n to the counts of the names that have word w; true when one has them all. */
static bool count(struct oop_names *o, uint32_t w, uint32_t all, bool undo)
{
	bool any = false;

	for (uint32_t at = o->heads.v[w]; at; at = o->nodes[at - 1].next) {
		uint32_t *seen = &o->seen.v[o->nodes[at - 1].name];

		*seen = undo ? 0 : *seen + 1;
		any |= *seen == all;
	}
	return any;
}

static bool is_partial(struct oop_names *o)
{
	struct str word[WORDS_MAX];
	uint32_t id[WORDS_MAX];
	size_t n = distinct(o, word);
	bool any = false;

	for (size_t k = 0; k < n; k++) {
		id[k] = intern_find(&o->words, word[k]);
		if (id[k] == INTERN_NONE)
			return false;
	}
	for (size_t k = 0; k < n; k++)
		any |= count(o, id[k], (uint32_t)n, false);
	for (size_t k = 0; k < n; k++)
		count(o, id[k], 0, true);
	return any && n > 0;
}

static bool says(const struct oop_names *o, const char *words)
{
	return str_find(buf_view(&o->folded), str_z(words)) != SIZE_MAX;
}

static bool is_abstain(const struct oop_names *o)
{
	static const char *const anywhere[] = {
	    " dont know ", " do not know ", " not sure ", " unsure ", " no idea ", " cant tell ",
	    " cannot tell ", " can not tell ", " cant determine ", " cannot determine ",
	    " can not determine ", " cant identify ", " cannot identify ", " can not identify ",
	    " cannot be determined ", " cannot be identified ", " not identifiable ", " unidentifiable ",
	    " unable to ", " not able to ", " i cannot ", " i cant ", " none of the ", " not possible to ",
	    " unknown class ", " unknown object ", " not in the list ", " not in list ",
	    " does not match any ", " no match ",
	};
	static const char *const whole[] = {
	    " unknown ", " uncertain ", " unclear ", " none ", " n a ", " not applicable ",
	    " indeterminate ", " undetermined ", " unidentified ", " unrecognizable ", " unrecognisable ",
	    " nothing ", " other ", " no class ", " no answer ", " no label ", " null ", " not clear ",
	};

	for (size_t k = 0; k < sizeof anywhere / sizeof *anywhere; k++)
		if (says(o, anywhere[k]))
			return true;
	for (size_t k = 0; k < sizeof whole / sizeof *whole; k++)
		if (str_eqz(buf_view(&o->folded), whole[k]))
			return true;
	return false;
}

enum oop_kind oop_kind_of(struct oop_names *o, struct str answer)
{
	if (!fold(o, answer))
		return OOP_WRONG;
	if (answer.n <= ANSWER_MAX && is_partial(o))
		return OOP_PARTIAL;
	if (answer.n <= ANSWER_MAX && intern_find(&o->aliases, buf_view(&o->folded)) != INTERN_NONE)
		return OOP_ALIAS;
	return is_abstain(o) ? OOP_ABSTAIN : OOP_WRONG;
}
