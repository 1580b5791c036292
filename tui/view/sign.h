/*
 * sign: the few characters that are not letters, in Unicode or ASCII as the locale allows, and
 * the one glyph per answer (product.md §3), with the style it always has.
 */
#ifndef QUALM_TUI_VIEW_SIGN_H
#define QUALM_TUI_VIEW_SIGN_H

#include "core/base/str.h"
#include "core/eval/eval.h"
#include "tui/term/style.h"

/* X(CONSTANT, Unicode, ASCII). */
#define SIGNS(X)                                                                                   \
	X(CURSOR, "▸", ">")                                                                        \
	X(RULE, "│", "|")                                                                          \
	X(ARROW, "→", ">")                                                                         \
	X(TIMES, "×", "x")                                                                         \
	X(DOT, "·", "-")                                                                           \
	X(WAIT, "⋯", "...")                                                                        \
	X(LINE, "─", "-")                                                                          \
	X(THICK, "━", "#")                                                                          \
	X(TOP_LEFT, "┌", "+")                                                                      \
	X(TOP_RIGHT, "┐", "+")                                                                     \
	X(BOTTOM_LEFT, "└", "+")                                                                   \
	X(BOTTOM_RIGHT, "┘", "+")                                                                  \
	X(MORE, "↓", "v")                                                                          \
	X(UP, "↑", "^")                                                                            \
	X(MARKED, "•", "*")                                                                        \
	X(NOTED, "¶", "%")                                                                         \
	X(RANGE, "┃", "]")                                                                         \
	X(OPEN, "▾", "v")                                                                          \
	X(FOLDED, "▹", "+")                                                                        \
	X(CHOSEN, "✓", "*")                                                                        \
	X(EXCLUDED, "−", "-")

enum sign {
#define X(id, unicode, ascii) SIGN_##id,
	SIGNS(X)
#undef X
	    N_SIGNS
};

const char *sign(enum sign s);
const char *mark_glyph(enum mark m); /* one column wide */
enum style mark_style(enum mark m);
const char *mark_word(enum mark m); /* "right", "wrong", "uncounted" … */

/* "S−" on screens that have the sign, "S-" elsewhere; "" for CAT_NONE. */
const char *category_sign(enum category c);

/* 12345 → "12,345". out holds at least 28 bytes; returned. */
char *count_text(uint64_t n, char out[28]);
/* Appends a bar of share (0 … 1) of w columns, by eighths of one; '#' in ASCII. What is more than
 * nothing is seen. */
void bar_text(double share, int w, struct buf *out);
/* Appends one column of a histogram, as high as share (0 … 1). */
void column_bar_text(double share, struct buf *out);
/* 13926 → "13.6 KB". */
char *bytes_text(uint64_t n, char out[28]);

#endif
