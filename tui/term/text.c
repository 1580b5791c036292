#include "tui/term/text.h"

#include <langinfo.h>
#include <limits.h>
#include <wchar.h>

#include <utf8proc.h>

#include "core/base/utf8.h"

#define CLUSTER_MAX_POINTS 5 /* what a curses cell holds */
#define ZERO_WIDTH_JOINER  0x200d

/* In an ASCII locale the glyphs of the screens keep their meaning; all else is a "?". */
static const struct {
	uint32_t cp;
	char ascii;
} ascii_glyphs[] = {
    {0x00b1, '~'}, {0x00b7, '.'}, {0x00d7, 'x'}, {0x2013, '-'}, {0x2014, '-'}, {0x2018, '\''},
    {0x2019, '\''}, {0x201c, '"'}, {0x201d, '"'}, {0x2022, '*'}, {0x2026, '~'}, {0x2190, '<'},
    {0x2191, '^'}, {0x2192, '>'}, {0x2193, 'v'}, {0x2194, '='}, {0x22ef, '~'}, {0x2264, '<'},
    {0x2265, '>'}, {0x25b2, '^'}, {0x25b6, '>'}, {0x25b8, '>'}, {0x25bc, 'v'}, {0x25be, 'v'},
    {0x25c2, '<'}, {0x25cf, '*'}, {0x25cb, 'o'}, {0x2571, '/'}, {0x2572, '\\'}, {0x2573, 'x'},
    {0x2713, '+'}, {0x2717, 'x'}, {0x2718, 'x'}, {0x2605, '*'},
};

bool text_unicode(void)
{
	return strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
}

static char ascii_for(uint32_t cp)
{
	if (cp == 0x2500 || cp == 0x2501 || cp == 0x2550)
		return '-';
	if (cp == 0x2502 || cp == 0x2503 || cp == 0x2551)
		return '|';
	if (cp >= 0x2504 && cp <= 0x257f && !(cp >= 0x2571 && cp <= 0x2573))
		return '+';
	if (cp >= 0x2580 && cp <= 0x259f) /* blocks; the thin ones of a bar are less */
		return cp >= 0x258c && cp <= 0x258f ? '-' : '#';
	if (cp == 0x00a0 || (cp >= 0x2000 && cp <= 0x200a) || cp == 0x202f)
		return ' ';
	for (size_t i = 0; i < sizeof ascii_glyphs / sizeof *ascii_glyphs; i++)
		if (ascii_glyphs[i].cp == cp)
			return ascii_glyphs[i].ascii;
	return '?';
}

static void show_point(struct cluster *out, uint32_t cp, int width)
{
	out->show[utf8_encode(cp, out->show)] = '\0';
	out->width = width;
}

/* The mark that stands for a character that must not reach the terminal. */
static void show_unsafe(struct cluster *out, uint32_t cp, bool unicode)
{
	out->unsafe = true;
	if (unicode) {
		show_point(out, cp < 0x20 ? 0x2400 + cp : cp == 0x7f ? 0x2421 : 0x00b7, 1);
		return;
	}
	out->show[0] = cp < 0x20 || cp == 0x7f ? '^' : '?';
	out->show[1] = cp < 0x20 || cp == 0x7f ? (char)(cp ^ 0x40) : '\0';
	out->show[2] = '\0';
	out->width = out->show[1] ? 2 : 1;
}

/* A code point without a width of its own that starts a cluster: a mark gets something to stand
 * on, an invisible one is made visible, what the locale does not know is a replacement. */
static void show_lone(struct cluster *out, uint32_t cp, int width)
{
	utf8proc_category_t cat = utf8proc_category((utf8proc_int32_t)cp);
	size_t n;

	if (width < 0) {
		show_point(out, UTF8_BAD, 1);
	} else if (cat == UTF8PROC_CATEGORY_MN || cat == UTF8PROC_CATEGORY_ME) {
		n = utf8_encode(0x25cc, out->show);
		out->show[n + utf8_encode(cp, out->show + n)] = '\0';
		out->width = 1;
	} else {
		show_unsafe(out, 0x80, true);
	}
}

static bool is_selector(uint32_t cp)
{
	return cp >= 0xfe00 && cp <= 0xfe0f;
}

/* Terminals disagree on how wide joined emoji are, so whatever is joined on is consumed but not
 * shown, nor is a variation selector. A spacing part that is not joined starts its own cluster. */
struct gather {
	uint32_t shown[CLUSTER_MAX_POINTS];
	size_t n_shown, n_points;
};

static bool gather_next(struct gather *g, uint32_t cp, uint32_t before)
{
	int width = wcwidth((wchar_t)cp);
	bool modifier = cp >= 0x1f3fb && cp <= 0x1f3ff;

	if (width > 0 && before != ZERO_WIDTH_JOINER && !modifier)
		return false;
	g->n_points++;
	if (width == 0 && cp != ZERO_WIDTH_JOINER && !is_selector(cp) &&
	    g->n_shown < CLUSTER_MAX_POINTS)
		g->shown[g->n_shown++] = cp;
	return true;
}

static void show_gathered(struct cluster *out, const struct gather *g)
{
	size_t n = g->n_points > CLUSTER_MAX_POINTS ? 1 : g->n_shown, at = 0;

	for (size_t i = 0; i < n; i++)
		at += utf8_encode(g->shown[i], out->show + at);
	out->show[at] = '\0';
}

static void cluster_wide(struct str s, uint32_t base, bool unicode, struct cluster *out)
{
	struct gather g = {{base}, 1, 1};
	uint32_t before = base;
	utf8proc_int32_t state = 0;
	int width = unicode ? wcwidth((wchar_t)base) : 1;

	while (out->bytes < s.n) {
		size_t len;
		uint32_t cp = utf8_decode(s.p + out->bytes, s.n - out->bytes, &len);

		if (len == 1 && cp == UTF8_BAD)
			break;
		if (utf8_is_unsafe(cp) ||
		    utf8proc_grapheme_break_stateful((utf8proc_int32_t)before,
						     (utf8proc_int32_t)cp, &state))
			break;
		if (!gather_next(&g, cp, before))
			break;
		out->bytes += len;
		before = cp;
	}
	if (!unicode) {
		out->show[0] = base < 0x7f ? (char)base : ascii_for(base);
		out->show[1] = '\0';
		out->width = 1;
	} else if (width <= 0) {
		show_lone(out, base, width);
	} else {
		show_gathered(out, &g);
		out->width = width;
	}
}

void text_cluster(struct str s, struct cluster *out)
{
	bool unicode;
	uint32_t cp;
	unsigned char c = (unsigned char)s.p[0];

	out->bytes = 1;
	out->unsafe = false;
	if (c >= 0x20 && c < 0x7f && (s.n == 1 || !((unsigned char)s.p[1] & 0x80))) {
		out->show[0] = (char)c;
		out->show[1] = '\0';
		out->width = 1;
		return;
	}
	unicode = text_unicode();
	cp = utf8_decode(s.p, s.n, &out->bytes);
	if (utf8_is_unsafe(cp))
		show_unsafe(out, cp, unicode);
	else if (cp == UTF8_BAD)
		show_point(out, unicode ? UTF8_BAD : '?', 1);
	else
		cluster_wide(s, cp, unicode, out);
}

int text_width(struct str s)
{
	struct cluster c;
	int w = 0;

	while (s.n && w < INT_MAX - 2) {
		text_cluster(s, &c);
		w += c.width;
		s.p += c.bytes;
		s.n -= c.bytes;
	}
	return w;
}

size_t text_fit(struct str s, int w, int *used)
{
	struct cluster c;
	size_t n = 0;

	*used = 0;
	while (n < s.n) {
		text_cluster((struct str){s.p + n, s.n - n}, &c);
		if (*used + c.width > w)
			break;
		*used += c.width;
		n += c.bytes;
	}
	return n;
}

/* Where the longest suffix of at most w columns starts; all of s is `width` columns wide. */
static size_t suffix_start(struct str s, int width, int w)
{
	struct cluster c;
	size_t n = 0;

	while (n < s.n && width > w) {
		text_cluster((struct str){s.p + n, s.n - n}, &c);
		width -= c.width;
		n += c.bytes;
	}
	return n;
}

void text_cut_places(struct str s, int w, enum text_cut how, size_t *head, size_t *tail)
{
	int used, room = how == CUT_END ? w - 1 : how == CUT_START ? 0 : w / 2;

	*head = *tail = s.n;
	if (w <= 0)
		*head = 0;
	if (w <= 0 || text_fit(s, w, &used) == s.n)
		return;
	*head = text_fit(s, room, &used);
	if (how != CUT_END)
		*tail = suffix_start(s, text_width(s), w - 1 - used);
}

void text_cut(struct str s, int w, enum text_cut how, struct buf *out)
{
	size_t head, tail;

	if (w <= 0)
		return;
	text_cut_places(s, w, how, &head, &tail);
	buf_put(out, s.p, head);
	if (head == tail)
		return;
	buf_z(out, text_unicode() ? "\xe2\x80\xa6" : "~");
	buf_put(out, s.p + tail, s.n - tail);
}

static size_t line_end(struct str s, size_t at)
{
	if (s.p[at] == '\n')
		return 1;
	return s.p[at] == '\r' && at + 1 < s.n && s.p[at + 1] == '\n' ? 2 : 0;
}

/* Blanks at `at`, and the line end after them. */
static size_t blanks_at(struct str s, size_t at)
{
	size_t n = 0;

	while (at + n < s.n && s.p[at + n] == ' ')
		n++;
	return at + n < s.n ? n + line_end(s, at + n) : n;
}

size_t text_wrap(struct str s, int w, size_t *skip)
{
	struct cluster c;
	size_t at = 0, good = 0, comma = 0, end;
	bool word = false, wide_before = false;
	int width = 0;

	*skip = 0;
	while (at < s.n) {
		end = line_end(s, at);
		if (end) {
			*skip = end;
			return at;
		}
		text_cluster((struct str){s.p + at, s.n - at}, &c);
		if (s.p[at] != ' ' && at > 0 && (c.width == 2 || wide_before))
			good = at;
		if (s.p[at] == ' ' && word && s.p[at - 1] != ' ')
			good = at;
		if (width + c.width > w) {
			at = s.p[at] == ' ' && word ? (s.p[at - 1] == ' ' ? good : at)
			     : good		     ? good
			     : comma		     ? comma /* of a word that is longer than the line */
			     : at		     ? at
						     : c.bytes;
			*skip = blanks_at(s, at);
			return at;
		}
		if (s.p[at] == ',')
			comma = at + c.bytes;
		word = word || s.p[at] != ' ';
		wide_before = c.width == 2;
		width += c.width;
		at += c.bytes;
	}
	return at;
}
