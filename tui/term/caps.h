/*
 * caps: from the environment and the terminal's answers so far to what is drawn. Pure.
 */
#ifndef QUALM_TUI_TERM_CAPS_H
#define QUALM_TUI_TERM_CAPS_H

#include "tui/term/reply.h"
#include "tui/term/term.h"

/* Borrowed strings, NULL when not set. */
struct caps_env {
	const char *term;     /* TERM */
	const char *tmux;     /* TMUX */
	const char *screen;   /* STY */
	const char *graphics; /* QUALM_GRAPHICS: auto sixel blocks ascii none */
	const char *cell;     /* QUALM_CELL: WxH */
	bool unicode;         /* the locale carries it */
	bool mono;            /* the theme uses no colours */
	int colors;           /* of text: 2, 8, 16, 256, 1<<24 */
	int cols, rows, px_w, px_h; /* of the tty; 0 = unknown */
	struct media_rgb background;
};

struct replies {
	bool da1, sixel;             /* from the terminal we talk to */
	bool outer_da1, outer_sixel; /* from the one around tmux, asked through it */
	bool outer_asked;
	bool sync;
	bool has_background;
	struct media_rgb background; /* of the terminal */
	int cell_w, cell_h, registers, max_w, max_h; /* 0 = not said */
	char name[64];
};

/* Takes an answer in; true when it said something new. */
bool caps_reply(struct replies *r, const struct event *e);
/* Does this terminal understand questions at all? */
bool caps_may_ask(const struct caps_env *env);
void caps_decide(const struct caps_env *env, const struct replies *r, struct term_caps *out);
/* "10x20" → 10, 20; false when it is no cell size. */
bool caps_parse_cell(const char *s, int *w, int *h);
/* Does dark text stand on it better than light text? */
bool caps_light(struct media_rgb background);
/* Is the sixel wrapped for the terminal around tmux? */
bool caps_passthrough(const struct caps_env *env, const struct replies *r);

#endif
