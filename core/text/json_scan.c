#include "core/text/json_scan.h"

#include <math.h>
#include <stdio.h>

#include "core/base/utf8.h"
#include "core/text/json.h"

#define EXACT_INTEGER 9007199254740992.0 /* 2^53 */

static bool fail(struct json_scan *s, const char *at, const char *why)
{
	s->p = at;
	s->why = why;
	s->code = E_FORMAT;
	return false;
}

/* --- strings --- */

static bool hex4(const char *p, uint32_t *out)
{
	uint32_t v = 0;

	for (int i = 0; i < 4; i++) {
		char c = p[i], low = (char)(c | 0x20);

		if (c >= '0' && c <= '9')
			v = v << 4 | (uint32_t)(c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (uint32_t)(low - 'a' + 10);
		else
			return false;
	}
	*out = v;
	return true;
}

static size_t unicode_escape(const char *p, const char *end, uint32_t *cp, bool *replaced)
{
	uint32_t hi, lo;

	if (end - p < 6 || !hex4(p + 2, &hi))
		return 0;
	*cp = hi;
	if (hi >= 0xd800 && hi < 0xdc00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u' &&
	    hex4(p + 8, &lo) && lo >= 0xdc00 && lo < 0xe000) {
		*cp = 0x10000 + ((hi - 0xd800) << 10) + (lo - 0xdc00);
		return 12;
	}
	if (hi == 0 || (hi >= 0xd800 && hi < 0xe000)) {
		*cp = UTF8_BAD;
		*replaced = true;
	}
	return 6;
}

size_t json_escape(const char *p, const char *end, uint32_t *cp, bool *replaced)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *hit;

	if (end - p < 2)
		return 0;
	if (p[1] == 'u')
		return unicode_escape(p, end, cp, replaced);
	hit = memchr(from, p[1], sizeof from - 1);
	if (!hit)
		return 0;
	*cp = (uint32_t)to[hit - from];
	return 2;
}

bool json_scan_string(struct json_scan *s)
{
	const char *p = s->p;

	while ((p = json_pass_plain(p, s->end)) < s->end) {
		bool replaced = false;
		uint32_t cp;
		size_t n = 1;

		if (*p == '"') {
			s->p = p + 1;
			return true;
		}
		if (*p == '\\') {
			n = json_escape(p, s->end, &cp, &replaced);
			if (n == 0)
				return fail(s, p, "this is no JSON escape");
			s->seen |= JSON_SAW_ESCAPE | (replaced ? JSON_SAW_REPLACED : 0u);
		} else if ((unsigned char)*p < 0x20) {
			return fail(s, p, "a control character inside a string");
		} else {
			utf8_decode(p, (size_t)(s->end - p), &n);
			if (n == 1)
				return fail(s, p, "invalid UTF-8");
		}
		p += n;
	}
	return fail(s, p, "a string without its closing quote");
}

void json_unescape(struct str raw, struct buf *out)
{
	const char *p = raw.p, *end = raw.p + raw.n;

	while (p < end) {
		const char *slash = memchr(p, '\\', (size_t)(end - p));
		bool replaced = false;
		uint32_t cp = 0;
		char utf8[4];
		size_t n;

		buf_put(out, p, (size_t)((slash ? slash : end) - p));
		if (!slash)
			break;
		n = json_escape(slash, end, &cp, &replaced);
		if (n == 0)
			break;
		buf_put(out, utf8, utf8_encode(cp, utf8));
		p = slash + n;
	}
}

/* --- numbers and words --- */

static const char *pass_digits(const char *p, const char *end)
{
	while (p < end && *p >= '0' && *p <= '9')
		p++;
	return p;
}

static bool is_word(struct json_scan *s, struct str word)
{
	if (!str_starts((struct str){s->p, (size_t)(s->end - s->p)}, word))
		return fail(s, s->p, "expected a value");
	s->p += word.n;
	return true;
}

bool json_scan_word(struct json_scan *s)
{
	switch (*s->p) {
	case 't':
		return is_word(s, STR("true"));
	case 'f':
		return is_word(s, STR("false"));
	case 'n':
		return is_word(s, STR("null"));
	default:
		s->seen |= JSON_SAW_NAN;
		return is_word(s, *s->p == 'N'   ? STR("NaN")
				  : *s->p == '-' ? STR("-Infinity")
						 : STR("Infinity"));
	}
}

bool json_scan_number(struct json_scan *s)
{
	const char *p = s->p, *from = p, *digits;

	p += *p == '-';
	if (p < s->end && *p == 'I')
		return json_scan_word(s);
	digits = p;
	p = pass_digits(p, s->end);
	if (p == digits || (*digits == '0' && p - digits > 1))
		return fail(s, from, "this is no number");
	if (p < s->end && *p == '.') {
		digits = ++p;
		p = pass_digits(p, s->end);
		if (p == digits)
			return fail(s, from, "a number without digits after its point");
	}
	if (p < s->end && (*p == 'e' || *p == 'E')) {
		p++;
		if (p < s->end && (*p == '-' || *p == '+'))
			p++;
		digits = p;
		p = pass_digits(p, s->end);
		if (p == digits)
			return fail(s, from, "a number without digits in its exponent");
	}
	if (s->look_at_numbers && !json_number_is_simple((struct str){from, (size_t)(p - from)}))
		s->seen |= JSON_SAW_NUMBER;
	s->p = p;
	return true;
}

static bool is_integer(struct str token)
{
	size_t i = token.n && token.p[0] == '-';

	return pass_digits(token.p + i, token.p + token.n) == token.p + token.n;
}

/* Up to 15 digits survive the double; %g writes what is below 0.0001 with an exponent. */
bool json_number_is_simple(struct str token)
{
	const char *p = token.p, *end = p + token.n, *dot;

	if (token.n > 15 || (token.n && *p == '-' && token.p[1] == '0'))
		return false;
	dot = pass_digits(p + (token.n && *p == '-'), end);
	if (dot == end)
		return true;
	if (*dot != '.' || end[-1] == '0' || pass_digits(dot + 1, end) != end)
		return false;
	return *p != '0' || dot + 4 >= end || memcmp(dot + 1, "0000", 4) != 0;
}

struct str json_number_text(struct str token, struct buf *scratch)
{
	double v;

	if (is_integer(token) || !str_num(token, &v) || v != floor(v) || fabs(v) > EXACT_INTEGER)
		return token;
	buf_clear(scratch);
	buf_printf(scratch, "%.0f", v);
	return buf_view(scratch);
}

/* --- values --- */

static bool scan_scalar(struct json_scan *s)
{
	char c = *s->p;

	if (c == '"') {
		s->p++;
		return json_scan_string(s);
	}
	if (c == '-' || (c >= '0' && c <= '9'))
		return json_scan_number(s);
	return json_scan_word(s);
}

static bool at(const struct json_scan *s, char c)
{
	return s->p < s->end && *s->p == c;
}

/* A key and its colon. */
static bool scan_key(struct json_scan *s)
{
	json_skip_blanks(s);
	if (!at(s, '"'))
		return fail(s, s->p, "expected a key in quotes");
	s->p++;
	if (!json_scan_string(s))
		return false;
	json_skip_blanks(s);
	if (!at(s, ':'))
		return fail(s, s->p, "expected a colon after the key");
	s->p++;
	return true;
}

struct nesting {
	size_t base, depth;
	char close[JSON_MAX_DEPTH];
};

/* Behind a value: closes what closes here, up to the comma before the next value. Depth is back
 * at the base when the outermost value has ended. */
static bool scan_after(struct json_scan *s, struct nesting *n)
{
	while (n->depth > n->base) {
		char close = n->close[n->depth - 1];

		json_skip_blanks(s);
		if (at(s, close)) {
			s->p++;
			n->depth--;
			continue;
		}
		if (!at(s, ','))
			return fail(s, s->p,
				    close == '}' ? "expected a comma or }"
						 : "expected a comma or ]");
		s->p++;
		return close != '}' || scan_key(s);
	}
	return true;
}

/* The start of an array or object; *empty when it ends at once. */
static bool scan_open(struct json_scan *s, struct nesting *n, bool *empty)
{
	char close = *s->p == '{' ? '}' : ']';

	if (n->depth >= JSON_MAX_DEPTH) {
		fail(s, s->p, "nested too deeply");
		s->code = E_LIMIT;
		return false;
	}
	n->close[n->depth++] = close;
	s->p++;
	json_skip_blanks(s);
	*empty = at(s, close);
	return *empty || close != '}' || scan_key(s);
}

bool json_scan_value(struct json_scan *s, size_t depth)
{
	struct nesting n;
	bool empty;

	n.base = n.depth = depth;
	do {
		json_skip_blanks(s);
		if (s->p == s->end)
			return fail(s, s->p, "expected a value");
		if (++s->nodes > JSON_MAX_NODES) {
			fail(s, s->p, "too many values");
			s->code = E_LIMIT;
			return false;
		}
		if (*s->p == '{' || *s->p == '[') {
			if (!scan_open(s, &n, &empty))
				return false;
			if (!empty)
				continue;
		} else if (!scan_scalar(s)) {
			return false;
		}
		if (!scan_after(s, &n))
			return false;
	} while (n.depth > n.base);
	return true;
}
