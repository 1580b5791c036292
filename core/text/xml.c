#include "core/text/xml.h"

#include "core/base/utf8.h"

void xml_init(struct xml *x, struct str text)
{
	*x = (struct xml){text.p, text.p + text.n};
}

/* Behind the '>' of the tag that begins at p, which quotes may hide; NULL: it is not closed. */
static const char *tag_end(const char *p, const char *end)
{
	char quote = 0;

	for (; p < end; p++) {
		if (quote)
			quote = *p == quote ? 0 : quote;
		else if (*p == '"' || *p == '\'')
			quote = *p;
		else if (*p == '>')
			return p + 1;
	}
	return NULL;
}

static const char *comment_end(const char *p, const char *end)
{
	size_t at = str_find((struct str){p, (size_t)(end - p)}, STR("-->"));

	return at == SIZE_MAX ? NULL : p + at + 3;
}

static bool is_name_end(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '/' || c == '>';
}

/* text: all between '<' and '>'. */
static void take_apart(struct str text, struct xml_tag *out)
{
	size_t n = 0;

	out->close = text.n && text.p[0] == '/';
	if (out->close)
		text = (struct str){text.p + 1, text.n - 1};
	out->empty = text.n && text.p[text.n - 1] == '/';
	if (out->empty)
		text.n--;
	while (n < text.n && !is_name_end(text.p[n]))
		n++;
	out->name = (struct str){text.p, n};
	out->attributes = (struct str){text.p + n, text.n - n};
	for (size_t i = 0; i < n; i++)
		if (text.p[i] == ':')
			out->name = (struct str){text.p + i + 1, n - i - 1};
}

bool xml_next(struct xml *x, struct xml_tag *out)
{
	const char *from = x->p;

	*out = (struct xml_tag){.close = false};
	while (x->p < x->end) {
		const char *open = memchr(x->p, '<', (size_t)(x->end - x->p)), *close;
		struct str rest;

		if (!open)
			break;
		rest = (struct str){open, (size_t)(x->end - open)};
		close = str_starts(rest, STR("<!--")) ? comment_end(open + 4, x->end)
						      : tag_end(open, x->end);
		if (!close)
			break;
		x->p = close;
		if (rest.n > 1 && (rest.p[1] == '!' || rest.p[1] == '?')) {
			from = close;
			continue;
		}
		out->before = (struct str){from, (size_t)(open - from)};
		take_apart((struct str){open + 1, (size_t)(close - open) - 2}, out);
		return true;
	}
	x->p = x->end;
	return false;
}

/* "#65", "#x41"; 0: none, or no character that text may have. */
static uint32_t numbered(struct str name)
{
	uint32_t cp = 0;
	size_t i = 1;
	bool hex = name.n > 2 && (name.p[1] == 'x' || name.p[1] == 'X');

	for (i += hex; i < name.n; i++) {
		unsigned char c = (unsigned char)name.p[i];
		uint32_t digit = c >= '0' && c <= '9' ? c - (uint32_t)'0' : hex ? (c | 32u) - 'a' + 10 : 99;

		if (digit >= (hex ? 16u : 10u) || cp > 0x10ffff)
			return 0;
		cp = cp * (hex ? 16 : 10) + digit;
	}
	return cp > 0x10ffff || (cp >= 0xd800 && cp < 0xe000) ? 0 : cp;
}

/* false: not known. */
static bool entity(struct str name, struct buf *out)
{
	static const struct {
		const char *name;
		char c;
	} known[] = {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}};
	char bytes[4];

	if (name.n > 1 && name.p[0] == '#') {
		uint32_t cp = numbered(name);

		if (cp)
			buf_put(out, bytes, utf8_encode(cp, bytes));
		return cp != 0;
	}
	for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
		if (str_eqz(name, known[i].name)) {
			buf_ch(out, known[i].c);
			return true;
		}
	}
	return false;
}

void xml_text(struct str raw, struct buf *out)
{
	while (raw.n) {
		const char *amp = memchr(raw.p, '&', raw.n), *end;
		size_t before = amp ? (size_t)(amp - raw.p) : raw.n, left = raw.n - before;

		buf_put(out, raw.p, before);
		if (!amp)
			return;
		end = memchr(amp, ';', left < 16 ? left : 16);
		if (end && entity((struct str){amp + 1, (size_t)(end - amp) - 1}, out)) {
			raw = (struct str){end + 1, left - (size_t)(end + 1 - amp)};
		} else {
			buf_ch(out, '&');
			raw = (struct str){amp + 1, left - 1};
		}
	}
}

struct str xml_attribute(const struct xml_tag *tag, const char *name)
{
	struct str rest = str_trim(tag->attributes), key;

	while (rest.n) {
		const char *close;

		rest = str_cut(rest, '=', &key);
		rest = str_trim(rest);
		if (!rest.n || (rest.p[0] != '"' && rest.p[0] != '\''))
			return STR_NONE;
		close = memchr(rest.p + 1, rest.p[0], rest.n - 1);
		if (!close)
			return STR_NONE;
		if (str_eqz(str_trim(key), name))
			return (struct str){rest.p + 1, (size_t)(close - rest.p) - 1};
		rest = str_trim((struct str){close + 1, (size_t)(rest.p + rest.n - close) - 1});
	}
	return STR_NONE;
}
