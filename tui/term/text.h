/*
 * Widths, clusters, cutting and wrapping of text for cells. Cluster bounds by utf8proc; a code
 * point's width by wcwidth(), as curses lays out by it (so LC_CTYPE must be set; in an ASCII
 * locale the glyphs of the screens become look-alikes, all else outside ASCII "?"). A cluster of
 * more than five code points shows its base only.
 */
#ifndef QUALM_TUI_TERM_TEXT_H
#define QUALM_TUI_TERM_TEXT_H

#include "core/base/str.h"

/* The next cluster of s (n > 0): bytes consumed, what to show (in out, NUL-terminated, safe), its
 * width, whether it stands for something unsafe. */
struct cluster {
	size_t bytes;
	int width;
	bool unsafe;
	char show[21];
};
void text_cluster(struct str s, struct cluster *out);
int text_width(struct str s);
/* Bytes of the longest prefix that fits into w columns; *used its width. */
size_t text_fit(struct str s, int w, int *used);
/* s cut to w columns with "…" ("~" in ASCII) at the end, in the middle, or at the start; appended
 * to out. */
enum text_cut { CUT_END, CUT_MIDDLE, CUT_START };
void text_cut(struct str s, int w, enum text_cut how, struct buf *out);
/* What of s it keeps: bytes [0, *head) and [*tail, s.n); *head = *tail when it fits as it is. */
void text_cut_places(struct str s, int w, enum text_cut how, size_t *head, size_t *tail);
/* Word wrap: the bytes of s that make the next line of at most w columns; *skip further bytes
 * (the blank or line end) to pass over. A word longer than a line is broken behind a comma, if it
 * has one. n = 0 for an empty line (skip > 0)
 * and for empty s. */
size_t text_wrap(struct str s, int w, size_t *skip);
/* Does the locale carry Unicode? */
bool text_unicode(void);

#endif
