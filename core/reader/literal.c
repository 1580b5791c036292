#include "core/reader/literal.h"

#include "core/base/utf8.h"
#include "core/text/json.h"

struct scan {
	const char *p, *end;
	struct arena *arena;
};

static void blanks(struct scan *s)
{
	while (s->p < s->end && memchr(" \t\r\n", *s->p, 4))
		s->p++;
}

static bool take(struct scan *s, char c)
{
	blanks(s);
	if (s->p >= s->end || *s->p != c)
		return false;
	s->p++;
	return true;
}

/* \xhh, \uhhhh, \Uhhhhhhhh: s->p is behind the letter. A zero becomes U+FFFD, as in JSON. */
static size_t hex_escape(struct scan *s, int digits, char *out)
{
	uint32_t cp = 0;

	for (int i = 0; i < digits; i++, s->p++) {
		int c = s->p < s->end ? *s->p : 0;

		if (c >= '0' && c <= '9')
			cp = cp * 16 + (uint32_t)(c - '0');
		else if ((c | 32) >= 'a' && (c | 32) <= 'f')
			cp = cp * 16 + (uint32_t)((c | 32) - 'a' + 10);
		else
			break;
	}
	return utf8_encode(cp ? cp : UTF8_BAD, out);
}

static size_t escape(struct scan *s, char *out)
{
	char c = *s->p++;

	switch (c) {
	case 'n':
		*out = '\n';
		return 1;
	case 't':
		*out = '\t';
		return 1;
	case 'r':
		*out = '\r';
		return 1;
	case 'b':
		*out = '\b';
		return 1;
	case 'f':
		*out = '\f';
		return 1;
	case 'x':
		return hex_escape(s, 2, out);
	case 'u':
		return hex_escape(s, 4, out);
	case 'U':
		return hex_escape(s, 8, out);
	default:
		*out = c;
		return 1;
	}
}

/* Of a text's quote: the one that ends it, or the end. */
static const char *closing(const struct scan *s)
{
	const char *p = s->p + 1;

	for (; p < s->end && *p != *s->p; p++)
		if (*p == '\\' && p + 1 < s->end)
			p++;
	return p;
}

static bool quoted(struct scan *s, struct str *out)
{
	const char *close = closing(s);
	char quote = *s->p++;
	/* An escape never decodes to more bytes than twice what it takes. */
	char *text = arena_alloc(s->arena, 2 * (size_t)(close - s->p) + 4);
	size_t n = 0;

	while (s->p < s->end && *s->p != quote) {
		if (*s->p == '\\' && s->p + 1 < s->end) {
			s->p++;
			n += escape(s, text + n);
		} else {
			text[n++] = *s->p++;
		}
	}
	if (s->p >= s->end)
		return false;
	s->p++;
	*out = (struct str){text, n};
	return true;
}

/* false: not a scalar. A None gives a NULL p. */
static bool scalar(struct scan *s, struct str *out)
{
	const char *start;

	blanks(s);
	if (s->p >= s->end)
		return false;
	if (*s->p == '\'' || *s->p == '"')
		return quoted(s, out);
	start = s->p;
	while (s->p < s->end && !memchr(",:]})[{(", *s->p, 8))
		s->p++;
	*out = str_trim((struct str){start, (size_t)(s->p - start)});
	if (str_eqz(*out, "None") || str_eqz(*out, "null"))
		*out = STR_NONE;
	else if (!out->n)
		return false;
	return true;
}

static bool items(struct scan *s, char close, struct literal *out)
{
	struct str item;

	while (!take(s, close)) {
		if (out->items.n >= LITERAL_MAX_ITEMS || !scalar(s, &item))
			return false;
		if (out->dict && (!take(s, ':') || !scalar(s, &item)))
			return false;
		if (item.p)
			vec_push(&out->items, item);
		if (!take(s, ',')) {
			blanks(s);
			if (s->p >= s->end || *s->p != close)
				return false;
		}
	}
	blanks(s);
	return s->p == s->end;
}

bool literal_parse(struct str text, struct arena *arena, struct literal *out)
{
	struct scan s;
	char close;

	*out = (struct literal){.dict = false};
	text = str_trim(text);
	if (text.n < 2)
		return false;
	close = text.p[0] == '[' ? ']' : text.p[0] == '{' ? '}' : text.p[0] == '(' ? ')' : 0;
	if (!close)
		return false;
	out->dict = close == '}';
	s = (struct scan){text.p + 1, text.p + text.n, arena};
	if (items(&s, close, out))
		return true;
	literal_release(out);
	return false;
}

void literal_release(struct literal *l)
{
	vec_release(&l->items);
}

/* --- as JSON --- */

static bool value_json(struct scan *s, struct buf *out, int depth);

static struct str word(struct scan *s)
{
	const char *start = s->p;

	while (s->p < s->end && !memchr(",:]})[{( \t\r\n'\"", *s->p, 15))
		s->p++;
	return (struct str){start, (size_t)(s->p - start)};
}

/* How Python writes a number is how JSON does, but for those that are none. */
static bool put_word(struct str w, struct buf *out)
{
	static const char *const words[][2] = {
	    {"None", "null"}, {"nan", "null"},  {"inf", "null"},  {"-inf", "null"}, {"True", "true"},
	    {"False", "false"}, {"null", "null"}, {"true", "true"}, {"false", "false"}, {"NaN", "null"},
	};
	double number;

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		if (str_eqz(w, words[i][0])) {
			buf_z(out, words[i][1]);
			return true;
		}
	}
	if (!str_num(w, &number))
		return false;
	buf_str(out, w);
	return true;
}

/* "np.float64(0.5)": a number of NumPy 2 where its own print is asked for; s->p is behind '('. */
static bool wrapped(struct scan *s, struct str name, struct buf *out, int depth)
{
	return str_starts(name, STR("np.")) && value_json(s, out, depth) && take(s, ')');
}

static bool scalar_json(struct scan *s, struct buf *out, int depth)
{
	struct str text, w;

	if (*s->p == '\'' || *s->p == '"') {
		if (!quoted(s, &text))
			return false;
		json_quote(out, text);
		return true;
	}
	w = word(s);
	if (take(s, '('))
		return wrapped(s, w, out, depth + 1);
	if (str_starts(w, STR("np."))) /* np.True_ */
		w = (struct str){w.p + 3, w.n - 3 - (w.p[w.n - 1] == '_')};
	return put_word(w, out);
}

/* A number, None, True or False: no other word is a key without quotes. */
static bool is_bare_key(struct str w)
{
	double number;

	return str_num(w, &number) || str_eqz(w, "None") || str_eqz(w, "True") || str_eqz(w, "False");
}

static bool key_json(struct scan *s, struct buf *out)
{
	struct str text;

	blanks(s);
	if (s->p < s->end && (*s->p == '\'' || *s->p == '"')) {
		if (!quoted(s, &text))
			return false;
	} else {
		text = word(s);
		if (!is_bare_key(text))
			return false;
	}
	json_quote(out, text);
	return true;
}

/* An item of what `close` ends; *dict: false from the first one on that shows it to be a set. */
static bool item_json(struct scan *s, char close, bool first, bool *dict, struct buf *out, int depth)
{
	if (close != '}')
		return value_json(s, out, depth);
	if (!key_json(s, out))
		return false;
	if (first)
		*dict = take(s, ':');
	else if (*dict && !take(s, ':'))
		return false;
	if (!*dict)
		return true;
	buf_ch(out, ':');
	return value_json(s, out, depth);
}

/* s->p is behind the bracket. */
static bool items_json(struct scan *s, char close, struct buf *out, int depth)
{
	size_t open = out->n;
	bool dict = close == '}';

	buf_ch(out, '{');
	for (bool first = true; !take(s, close); first = false) {
		if (!first)
			buf_ch(out, ',');
		if (out->n > JSON_MAX_VALUE || out->failed || !item_json(s, close, first, &dict, out, depth))
			return false;
		if (!take(s, ',')) {
			blanks(s);
			if (s->p >= s->end || *s->p != close)
				return false;
		}
	}
	buf_ch(out, dict ? '}' : ']');
	if (!out->failed)
		out->p[open] = dict ? '{' : '[';
	return !out->failed;
}

static bool value_json(struct scan *s, struct buf *out, int depth)
{
	char c;

	blanks(s);
	if (s->p >= s->end || depth > JSON_MAX_DEPTH)
		return false;
	c = *s->p;
	if (c != '{' && c != '[' && c != '(')
		return scalar_json(s, out, depth);
	s->p++;
	return items_json(s, c == '{' ? '}' : c == '[' ? ']' : ')', out, depth + 1);
}

bool literal_json(struct str text, struct arena *arena, struct buf *out)
{
	struct scan s = {text.p, text.p + text.n, arena};

	buf_clear(out);
	if (!text.n || !value_json(&s, out, 0))
		return false;
	blanks(&s);
	return s.p == s.end && !out->failed;
}
