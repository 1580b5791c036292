/* Terms out of text. The characters that need no quotes are product-wide: see qualm-filter(7). */
#include <stdarg.h>
#include <stdio.h>
#include <utf8proc.h>

#include "core/base/utf8.h"
#include "core/eval/confusion.h"
#include "core/filter/filter_impl.h"

const char *const op_text[N_OPS] = {"", ":", "~", "<", "<=", ">", ">=", "=", "!="};

/* --- messages --- */

static size_t character_of(struct str text, size_t at)
{
	size_t n = 1;

	for (size_t i = 0; i < at && i < text.n; i++)
		n += ((unsigned char)text.p[i] & 0xc0) != 0x80;
	if (at > 0 && at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80)
		n--;
	return n;
}

enum status fault_at(const struct faults *f, size_t at, size_t n, const char *hint, const char *fmt,
		     ...)
{
	char what[ERR_MESSAGE_MAX / 2];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	if (f->fault)
		*f->fault = (struct filter_fault){at, n};
	return err_set(f->err, E_USAGE, "%s at %zu%s", what, character_of(f->text, at), hint);
}

const char *clip(struct str s, char out[CLIP])
{
	size_t n = s.n;

	if (n > CLIP - 4) {
		n = CLIP - 8;
		while (n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
			n--;
	}
	if (n)
		memcpy(out, s.p, n);
	memcpy(out + n, n < s.n ? "..." : "", n < s.n ? 4 : 1);
	return out;
}

/* --- characters --- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Length of the character at p when it is a letter, a digit or one of _ . - +, else 0. */
static size_t bare_len(struct str s, size_t at, bool who)
{
	unsigned char c = (unsigned char)s.p[at];
	size_t len;

	if (c < 0x80)
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
		       (c && strchr(who ? "_.-+/#" : "_.-+", c));
	switch (utf8proc_category((utf8proc_int32_t)utf8_decode(s.p + at, s.n - at, &len))) {
	case UTF8PROC_CATEGORY_LU:
	case UTF8PROC_CATEGORY_LL:
	case UTF8PROC_CATEGORY_LT:
	case UTF8PROC_CATEGORY_LM:
	case UTF8PROC_CATEGORY_LO:
	case UTF8PROC_CATEGORY_MN:
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_ND:
	case UTF8PROC_CATEGORY_NL:
	case UTF8PROC_CATEGORY_NO:
		return len;
	default:
		return 0;
	}
}

bool lex_is_bare(struct str s, bool who)
{
	size_t i = 0, len;

	while (i < s.n && (len = bare_len(s, i, who)))
		i += len;
	return s.n && i == s.n;
}

static char peek(const struct lexer *lx, size_t ahead)
{
	return lx->at + ahead < lx->text.n ? lx->text.p[lx->at + ahead] : '\0';
}

bool lex_end(const struct lexer *lx)
{
	return lx->at >= lx->text.n;
}

void lex_blanks(struct lexer *lx)
{
	while (!lex_end(lx) && is_blank(lx->text.p[lx->at]))
		lx->at++;
}

static struct str bare(struct lexer *lx, bool who)
{
	size_t from = lx->at, len;

	while (!lex_end(lx) && (len = bare_len(lx->text, lx->at, who)))
		lx->at += len;
	return (struct str){lx->text.p + from, lx->at - from};
}

bool lex_keyword(struct lexer *lx, const char *word)
{
	size_t before = lx->at;
	struct str s = bare(lx, false);
	char next = peek(lx, 0);

	if (str_eq_nocase(s, str_z(word)) &&
	    (lex_end(lx) || is_blank(next) || next == '(' || next == ')' || next == '|'))
		return true;
	lx->at = before;
	return false;
}

/* The character there, whole, for a message. */
static struct str one_character(const struct lexer *lx)
{
	size_t len;

	if (lex_end(lx))
		return STR("");
	utf8_decode(lx->text.p + lx->at, lx->text.n - lx->at, &len);
	return (struct str){lx->text.p + lx->at, len};
}

/* --- the parts of a term --- */

static enum status quoted(struct lexer *lx, struct str *out)
{
	struct buf b = BUF_INIT;
	size_t from = lx->at++;

	for (; !lex_end(lx) && peek(lx, 0) != '"'; lx->at++) {
		char c = peek(lx, 0);

		if (c == '\\') {
			c = peek(lx, 1);
			if (c != '"' && c != '\\') {
				buf_release(&b);
				return fault_at(lx->faults, lx->at, 1, "; it takes \\\" and \\\\",
						"unknown escape in a quoted text");
			}
			lx->at++;
		}
		buf_ch(&b, c);
	}
	if (lex_end(lx)) {
		buf_release(&b);
		return fault_at(lx->faults, from, lx->at - from, "", "there is no closing quote for the one");
	}
	lx->at++;
	*out = arena_str(lx->arena, b.n ? buf_view(&b) : STR(""));
	buf_release(&b);
	return OK;
}

/* A sign that belongs to a word, "score < 0.5" and "gt:mink , fox". */
static bool is_torn_off(const struct lexer *lx)
{
	return lx->at > 0 && is_blank(lx->text.p[lx->at - 1]) && peek(lx, 0) && strchr(":~<>=!,@", peek(lx, 0));
}

static enum status name(struct lexer *lx, struct term *t)
{
	char shown[CLIP];

	lx->part = PART_NAME;
	lx->part_at = t->at = lx->at;
	if (peek(lx, 0) == '.') {
		t->dotted = true;
		lx->at++;
	}
	if (peek(lx, 0) == '"') {
		t->dotted = true;
		if (quoted(lx, &t->name) != OK)
			return lx->faults->err->code;
	} else {
		t->name = arena_str(lx->arena, bare(lx, false));
	}
	t->n = lx->at - t->at;
	if (t->name.n)
		return OK;
	if (t->dotted)
		return fault_at(lx->faults, t->at, t->n ? t->n : 1, "", "expected a facet's name after the dot");
	return fault_at(lx->faults, lx->at, one_character(lx).n,
			is_torn_off(lx) ? "; no blank stands before it"
					: "; what is no letter, digit or one of _ . - + stands in double "
					  "quotes, and the whole filter in single quotes in a shell",
			"'%s' is not expected", clip(one_character(lx), shown));
}

static enum status who(struct lexer *lx, struct term *t)
{
	if (peek(lx, 0) != '@')
		return OK;
	lx->part = PART_WHO;
	lx->part_at = t->who_at = ++lx->at;
	if (peek(lx, 0) == '"') {
		t->who_quoted = true;
		return quoted(lx, &t->who);
	}
	t->who = arena_str(lx->arena, bare(lx, true));
	if (!t->who.n)
		return fault_at(lx->faults, lx->at, 1, "", "expected a run or a layer after @");
	return OK;
}

static enum op operator(struct lexer *lx)
{
	static const enum op longest_first[] = {OP_LE, OP_GE, OP_NE, OP_IS, OP_LIKE, OP_LT, OP_GT, OP_EQ};
	struct str rest = {lx->text.p + lx->at, lx->text.n - lx->at};

	for (size_t i = 0; i < sizeof longest_first / sizeof *longest_first; i++) {
		struct str text = str_z(op_text[longest_first[i]]);

		if (!str_starts(rest, text))
			continue;
		lx->at += text.n;
		return longest_first[i];
	}
	return OP_NONE;
}

static enum status in_parentheses(struct lexer *lx, struct value *v)
{
	static const struct {
		struct str text;
		enum value_kind kind;
	} known[] = {{{"(none)", 6}, VALUE_NONE}, {{"(unplaced)", 10}, VALUE_UNPLACED}};
	struct str rest = {lx->text.p + lx->at, lx->text.n - lx->at};

	for (int k = 0; k < N_EXTRAS; k++) {
		struct str word = str_z(confusion_extra_word((enum confusion_extra)k));

		if (!str_starts(rest, word))
			continue;
		v->kind = VALUE_OUTCOME;
		v->text = word;
		lx->at += word.n;
		return OK;
	}
	for (size_t i = 0; i < 2; i++) {
		if (!str_starts(rest, known[i].text))
			continue;
		v->kind = known[i].kind;
		v->text = STR("");
		lx->at += known[i].text.n;
		return OK;
	}
	return fault_at(lx->faults, lx->at, 1, "; a value with parentheses stands in double quotes",
			"expected (none) or (unplaced)");
}

static enum status file(struct lexer *lx, struct value *v)
{
	size_t from = ++lx->at;

	v->kind = VALUE_FILE;
	if (peek(lx, 0) == '"')
		return quoted(lx, &v->text);
	while (!lex_end(lx) && !is_blank(peek(lx, 0)))
		lx->at++;
	v->text = arena_str(lx->arena, (struct str){lx->text.p + from, lx->at - from});
	if (!v->text.n)
		return fault_at(lx->faults, from, 1, "", "expected a file's name after <");
	return OK;
}

static enum status regex(struct lexer *lx, struct value *v)
{
	struct buf b = BUF_INIT;
	size_t from = lx->at++;

	v->kind = VALUE_REGEX;
	for (; !lex_end(lx) && peek(lx, 0) != '/'; lx->at++) {
		if (peek(lx, 0) == '\\' && lx->at + 1 < lx->text.n) {
			if (peek(lx, 1) != '/')
				buf_ch(&b, '\\');
			lx->at++;
		}
		buf_ch(&b, peek(lx, 0));
	}
	v->text = arena_str(lx->arena, b.n ? buf_view(&b) : STR(""));
	buf_release(&b);
	if (lex_end(lx))
		return fault_at(lx->faults, from, lx->at - from, "; / inside it is written \\/",
				"there is no closing / for the one");
	lx->at++;
	return OK;
}

static enum status class_index(struct lexer *lx, struct value *v)
{
	size_t from = lx->at++;

	v->kind = VALUE_INDEX;
	v->text = arena_str(lx->arena, bare(lx, false));
	if (!v->text.n)
		return fault_at(lx->faults, from, 1, "", "expected a class's number after #");
	return OK;
}

static enum status plain(struct lexer *lx, struct value *v)
{
	char shown[CLIP];
	struct str s = bare(lx, false);

	v->kind = VALUE_NAME;
	v->text = arena_str(lx->arena, s);
	if (!s.n && (lex_end(lx) || is_blank(peek(lx, 0)) || peek(lx, 0) == ','))
		return fault_at(lx->faults, lx->at, 1, "", "expected a value");
	if (!s.n)
		return fault_at(lx->faults, lx->at, one_character(lx).n,
				"; other values than letters, digits and _ . - + stand in double quotes",
				"'%s' is not expected", clip(one_character(lx), shown));
	return OK;
}

/* The slash and the star never stand inside the quotes. */
static void tree_mark(struct lexer *lx, struct value *v)
{
	if ((v->kind == VALUE_NAME || v->kind == VALUE_INDEX) && peek(lx, 0) == '/' && peek(lx, 1) == '*') {
		v->tree = true;
		lx->at += 2;
	}
}

static enum status value(struct lexer *lx, enum op op, struct value *v)
{
	enum status st;
	char c = peek(lx, 0);

	*v = (struct value){.at = lx->at};
	lx->part = PART_VALUE;
	lx->part_at = lx->at;
	if (c == '"') {
		v->quoted = true;
		st = quoted(lx, &v->text);
	} else if (c == '(' && op == OP_IS) {
		st = in_parentheses(lx, v);
	} else if (c == '<' && op == OP_IS) {
		st = file(lx, v);
	} else if (c == '/' && op == OP_LIKE) {
		st = regex(lx, v);
	} else if (c == '#' && op == OP_IS) {
		st = class_index(lx, v);
	} else {
		st = plain(lx, v);
	}
	if (st == OK)
		tree_mark(lx, v);
	v->n = lx->at - v->at;
	return st;
}

static enum status value_list(struct lexer *lx, struct term *t)
{
	VEC(struct value) all = {0};
	enum status st;

	do {
		struct value v;

		if (all.n)
			lx->at++;
		st = value(lx, t->op, &v);
		vec_push(&all, v);
	} while (st == OK && peek(lx, 0) == ',' && (t->op == OP_IS || t->op == OP_LIKE));
	t->n_values = (uint32_t)all.n;
	t->values = arena_alloc(lx->arena, all.n * sizeof *all.v);
	memcpy(t->values, all.v, all.n * sizeof *all.v);
	vec_release(&all);
	return st;
}

enum status lex_term(struct lexer *lx, struct term *t)
{
	char shown[CLIP], next;

	*t = (struct term){.name = STR("")};
	if (name(lx, t) != OK || who(lx, t) != OK)
		return lx->faults->err->code;
	t->op_at = lx->at;
	t->op = operator(lx);
	if (t->op != OP_NONE && value_list(lx, t) != OK)
		return lx->faults->err->code;
	next = peek(lx, 0);
	if (lex_end(lx) || is_blank(next) || next == ')' || next == '|')
		return OK;
	return fault_at(lx->faults, lx->at, one_character(lx).n,
			"; what is no letter, digit or one of _ . - + stands in double quotes",
			"'%s' is not expected", clip(one_character(lx), shown));
}

bool who_is_special(struct str text, struct who *out)
{
	static const struct {
		const char *text;
		enum who_kind kind;
	} known[] = {{"a", WHO_A}, {"b", WHO_B}, {"all", WHO_ALL}, {"any", WHO_ANY}};
	int64_t n;

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (str_eqz(text, known[i].text)) {
			*out = (struct who){known[i].kind, -1, 0};
			return true;
		}
	if (text.n < 2 || text.n > 9 || text.p[text.n - 1] != '+' || text.p[0] < '0' || text.p[0] > '9' ||
	    !str_int((struct str){text.p, text.n - 1}, &n))
		return false;
	*out = (struct who){WHO_LEAST, -1, (unsigned)n};
	return true;
}
