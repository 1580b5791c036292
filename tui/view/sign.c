#include "tui/view/sign.h"

#include <inttypes.h>
#include <stdio.h>

#include "tui/term/text.h"

const char *sign(enum sign s)
{
	static const char *const table[N_SIGNS][2] = {
#define X(id, unicode, ascii) {ascii, unicode},
	    SIGNS(X)
#undef X
	};

	return table[s][text_unicode()];
}

struct mark_look {
	const char *ascii, *unicode, *word;
	enum style style;
};

static const struct mark_look looks[] = {
    [MARK_MISSING] = {".", "·", "missing", STYLE_DIM},
    [MARK_ERROR] = {"!", "!", "error", STYLE_WARNING},
    [MARK_UNCOUNTED] = {"-", "–", "uncounted", STYLE_UNCOUNTED},
    [MARK_N] = {"n", "n", "no label", STYLE_UNCOUNTED},
    [MARK_RIGHT] = {"+", "✓", "right", STYLE_RIGHT},
    [MARK_WRONG] = {"x", "✗", "wrong", STYLE_WRONG},
    [MARK_OOP] = {"o", "o", "oop", STYLE_WRONG},
    [MARK_REFUSED] = {"r", "r", "refused", STYLE_WRONG},
    [MARK_EMPTY] = {"e", "e", "empty", STYLE_WRONG},
    [MARK_UNPARSED] = {"u", "u", "unparsed", STYLE_WRONG},
    [MARK_LATER] = {"~", "⋯", "not loaded yet", STYLE_DIM},
};
_Static_assert(sizeof looks / sizeof *looks == MARK_LATER + 1, "one look a mark");

const char *mark_glyph(enum mark m)
{
	return text_unicode() ? looks[m].unicode : looks[m].ascii;
}

enum style mark_style(enum mark m)
{
	return looks[m].style;
}

const char *mark_word(enum mark m)
{
	return looks[m].word;
}

const char *category_sign(enum category c)
{
	if (text_unicode() && c == CAT_S_MINUS)
		return "S−";
	if (text_unicode() && c == CAT_M_MINUS)
		return "M−";
	return category_word(c);
}

char *count_text(uint64_t n, char out[28])
{
	char plain[24];
	int len = snprintf(plain, sizeof plain, "%" PRIu64, n), at = 0;

	for (int i = 0; i < len; i++) {
		if (i && (len - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = plain[i];
	}
	out[at] = '\0';
	return out;
}

char *bytes_text(uint64_t n, char out[28])
{
	static const char *const unit[] = {"KB", "MB", "GB", "TB"};
	double v = (double)n / 1024;
	int u = 0;

	if (n < 1024) {
		snprintf(out, 28, "%d bytes", (int)n);
		return out;
	}
	for (; v >= 999.95 && u < 3; u++)
		v /= 1024;
	snprintf(out, 28, "%.1f %s", v, unit[u]);
	return out;
}

void bar_text(double share, int w, struct buf *out)
{
	static const char *const part[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
	int eighths = (int)(share * w * 8 + 0.5);

	if (!(share > 0))
		return;
	eighths = eighths < 1 ? 1 : eighths > w * 8 ? w * 8 : eighths;
	if (!text_unicode()) {
		for (int i = 0; i < (eighths + 7) / 8; i++)
			buf_ch(out, '#');
		return;
	}
	for (int i = 0; i < eighths / 8; i++)
		buf_z(out, "█");
	buf_z(out, part[eighths % 8]);
}

void column_bar_text(double share, struct buf *out)
{
	static const char *const high[][2] = {{" ", " "}, {".", "▁"}, {".", "▂"}, {":", "▃"}, {":", "▄"},
					      {"+", "▅"}, {"+", "▆"}, {"#", "▇"}, {"#", "█"}};
	int k = !(share > 0) ? 0 : (int)(share * 8 + 0.5);

	k = share > 0 && k < 1 ? 1 : k > 8 ? 8 : k;
	buf_z(out, high[k][text_unicode()]);
}
