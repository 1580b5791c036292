#include "core/reader/literal.h"

#include "core/base/utf8.h"

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

/* \xhh, \uhhhh: s->p is behind the letter. */
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
	return utf8_encode(cp, out);
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
	case 'x':
		return hex_escape(s, 2, out);
	case 'u':
		return hex_escape(s, 4, out);
	default:
		*out = c;
		return 1;
	}
}

static bool quoted(struct scan *s, struct str *out)
{
	char quote = *s->p++;
	/* An escape never decodes to more bytes than twice what it takes. */
	char *text = arena_alloc(s->arena, 2 * (size_t)(s->end - s->p) + 4);
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
