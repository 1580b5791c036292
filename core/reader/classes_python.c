/*
 * Class lists as Python writes them: the body of a list, a list with its brackets and a name before
 * it, a dict by index; comments behind '#'. A text ends on the line on which it begins.
 */
#include "core/base/utf8.h"
#include "core/reader/classes.h"
#include "core/reader/inorder.h"
#include "core/reader/literal.h"
#include "core/reader/peek.h"

#define MAX_BYTES ((size_t)64 << 20)

struct scan {
	struct str text;
	size_t at;
	struct src line; /* of the line that `at` is in: its number, and where it begins */
};

enum token { TOKEN_END, TOKEN_TEXT, TOKEN_BROKEN, TOKEN_NUMBER, TOKEN_WORD, TOKEN_MARK };

static bool is_word(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static void skip(struct scan *s)
{
	bool comment = false;

	for (; s->at < s->text.n; s->at++) {
		char c = s->text.p[s->at];

		if (c == '\n' || (c == '\r' && !(s->at + 1 < s->text.n && s->text.p[s->at + 1] == '\n'))) {
			comment = false;
			s->line.line++;
			s->line.byte = s->at + 1;
		} else if (c == '#') {
			comment = true;
		} else if (!comment && c != ' ' && c != '\t' && c != '\r') {
			return;
		}
	}
}

/* Behind the closing quote; the text's end when there is none on the line. */
static bool find_end(const struct scan *s, size_t *end)
{
	char quote = s->text.p[s->at];

	for (*end = s->at + 1; *end < s->text.n; ++*end) {
		char c = s->text.p[*end];

		if (c == '\n' || c == '\r')
			return false;
		if (c == '\\')
			++*end;
		else if (c == quote) {
			++*end;
			return true;
		}
	}
	*end = s->text.n;
	return false;
}

static enum token next(struct scan *s, struct str *out)
{
	enum token kind = TOKEN_MARK;
	size_t end;
	char c;

	skip(s);
	if (s->at >= s->text.n)
		return TOKEN_END;
	c = s->text.p[s->at];
	end = s->at + 1;
	if (c == '\'' || c == '"') {
		kind = find_end(s, &end) ? TOKEN_TEXT : TOKEN_BROKEN;
	} else if (c >= '0' && c <= '9') {
		kind = TOKEN_NUMBER;
		while (end < s->text.n && s->text.p[end] >= '0' && s->text.p[end] <= '9')
			end++;
	} else if (is_word(c)) {
		kind = TOKEN_WORD;
		while (end < s->text.n && is_word(s->text.p[end]))
			end++;
	}
	*out = (struct str){s->text.p + s->at, end - s->at};
	s->at = end;
	return kind;
}

/* NAME =, and the bracket; NAME: one was there. */
static bool skip_opening(struct scan *s)
{
	struct scan before = *s;
	struct str token;
	bool any = false;

	if (next(s, &token) == TOKEN_WORD) {
		if (next(s, &token) != TOKEN_MARK || !str_eqz(token, "="))
			return false;
		before = *s;
		any = next(s, &token) == TOKEN_MARK;
	} else {
		*s = before;
		any = next(s, &token) == TOKEN_MARK;
	}
	if (any && memchr("[({", token.p[0], 3))
		return true;
	*s = before;
	return false;
}

int classes_python_score(struct str head)
{
	struct scan s = {.text = head, .line = {1, 0}};
	bool opened = skip_opening(&s), comma = true;
	enum token kind = TOKEN_END, before;
	size_t texts = 0;
	uint64_t line = 0;
	struct str token;
	struct inorder column;
	bool colon = false;

	if (inorder_look(head, &column))
		return 0;
	for (;;) {
		before = kind;
		kind = next(&s, &token);
		if (kind == TOKEN_END)
			break;
		if (colon && kind != TOKEN_TEXT && kind != TOKEN_BROKEN)
			return 0;
		colon = kind == TOKEN_MARK && str_eqz(token, ":");
		if (colon && before != TOKEN_NUMBER)
			return 0;
		if (kind == TOKEN_WORD)
			return 0;
		if (kind == TOKEN_BROKEN && s.at == head.n)
			break; /* cut off */
		if (kind == TOKEN_TEXT || kind == TOKEN_BROKEN) {
			if (!comma && s.line.line == line)
				return 0;
			texts++;
			line = s.line.line;
			comma = false;
		} else if (kind == TOKEN_NUMBER) {
			if (!opened || (!comma && s.line.line == line))
				return 0;
			comma = true;
		} else if (str_eqz(token, ",") || str_eqz(token, ":")) {
			comma = true;
		} else if (!opened || !memchr("])}", token.p[0], 3)) {
			return 0;
		}
	}
	return texts < 2 && !opened ? 0 : texts ? opened ? 86 : 85 : 0;
}

static bool decode(struct class_list *l, struct str quoted, struct str *out)
{
	struct buf list = BUF_INIT;
	struct literal items;
	bool ok;

	buf_ch(&list, '[');
	buf_str(&list, quoted);
	buf_ch(&list, ']');
	ok = literal_parse(buf_view(&list), &l->arena, &items) && items.items.n == 1;
	if (ok)
		*out = arena_str(&l->arena, items.items.v[0]);
	literal_release(&items);
	buf_release(&list);
	return ok && str_trim(*out).n > 0;
}

static enum status take(struct class_list *l, const struct scan *s, enum token kind, struct str token,
			int64_t index, bool numbered, struct err *err)
{
	struct class_entry e = {.src = s->line, .index = index};
	struct str name;
	const char *fault;
	size_t at;

	e.src.byte += l->ctx->in->skip;
	l->ctx->report->rows++;
	if (kind == TOKEN_BROKEN || !decode(l, token, &name)) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, e.src, "name",
			   kind == TOKEN_BROKEN ? "expected a closing quote" : "expected a name");
		return OK;
	}
	fault = utf8_fault(name, &at);
	if (fault) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, e.src, "name", "%s", fault);
		return OK;
	}
	if (name.n > CLASSES_MAX_NAME) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, e.src, "name",
			   "expected a name, got %zu bytes", name.n);
		return OK;
	}
	if (numbered)
		class_list_synonyms(l, name, &e);
	else
		e.name = name;
	return class_list_add(l, &e, err);
}

/* An item without a number has that of its place among those that could be read. */
static enum status read_items(struct class_list *l, struct scan *s, struct err *err)
{
	int64_t number = -1;
	struct str token;
	enum status st = OK;
	enum token kind;

	while (!st && (kind = next(s, &token)) != TOKEN_END) {
		if (kind == TOKEN_NUMBER) {
			if (!str_int(token, &number))
				number = -1;
			l->numbered |= number >= 0;
		} else if (kind == TOKEN_TEXT || kind == TOKEN_BROKEN) {
			st = take(l, s, kind, token, number >= 0 ? number : (int64_t)l->v.n, number >= 0,
				  err);
			number = -1;
		}
	}
	return st;
}

enum status classes_read_python(struct class_list *l, struct err *err)
{
	struct scan s = {.line = {1, 0}};
	struct buf all = BUF_INIT;
	enum status st = input_all(l->ctx->in, MAX_BYTES, &all, err);

	s.text = buf_view(&all);
	if (!st) {
		skip_opening(&s);
		st = read_items(l, &s, err);
	}
	buf_release(&all);
	class_list_underscores(l);
	return st;
}
