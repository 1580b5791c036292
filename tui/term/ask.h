/*
 * ask: one conversation with the terminal without taking the screen, for doctor: what it answers,
 * how wide it draws some glyphs, how fast the line is. What is printed on the way is wiped again.
 * A terminal that answers nothing costs ASK_MS.
 */
#ifndef QUALM_TUI_TERM_ASK_H
#define QUALM_TUI_TERM_ASK_H

#include "core/base/cancel.h"
#include "tui/term/caps.h"
#include "tui/term/link.h"
#include "tui/term/reply.h"
#include "tui/term/theme.h"

#define ASK_MS     2000
#define ASK_GLYPHS 6

enum ask_state {
	ASK_DONE,      /* asked; caps.probed says whether anything came */
	ASK_NO_TTY,    /* there is no terminal */
	ASK_BEHIND,    /* this program is not in the foreground */
	ASK_POINTLESS  /* TERM says that it would print the questions */
};

enum cell_source { CELL_DEFAULT, CELL_ENV, CELL_REPLY, CELL_SIZE };

struct glyph_width {
	const char *glyph;
	int counted, drawn; /* columns; drawn -1 = not known */
};

struct answers {
	enum ask_state state;
	bool described;        /* TERM has a description here */
	int rows, cols, px_w, px_h; /* of the tty; 0 = not known */
	struct replies replies;
	struct term_caps caps; /* as the screen would decide */
	enum cell_source cell;
	int n_da1, da1[EVENT_MAX_ARGS]; /* of the terminal we talk to */
	int64_t answer_us;     /* the first answer after the question; 0 = none */
	struct link link;
	int n_glyphs;
	struct glyph_width glyph[ASK_GLYPHS];
};

void term_ask(const struct theme *theme, const struct cancel *cancel, struct answers *out);
/* The library's name and version. */
const char *term_library(void);

#endif
