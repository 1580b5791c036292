/*
 * backend: inside tui/term. What a terminal is made of, and what the curses and the null backend
 * do differently.
 */
#ifndef QUALM_TUI_TERM_BACKEND_H
#define QUALM_TUI_TERM_BACKEND_H

#include <termios.h>

#include "core/base/vec.h"
#include "tui/term/caps.h"
#include "tui/term/reply.h"
#include "tui/term/send.h"
#include "tui/term/term.h"
#include "tui/term/theme.h"

struct term;
struct screen; /* curses.c */

#define OUTER_DA1 "\033Ptmux;\033\033[c\033\\" /* asked through tmux */

struct backend {
	void (*show)(struct term *t, const struct cells *grid, const struct placed_picture *pic);
	void (*resized)(struct term *t); /* reread h, w and the pixels in env */
	void (*suspend)(struct term *t);
	void (*outside)(struct term *t, void (*fn)(void *ctx), void *ctx);
	void (*close)(struct term *t);
	void (*restyle)(struct term *t); /* the theme is another; NULL: it does not matter */
};

struct keys_queue {
	VEC(uint32_t) keys;
	size_t next;
};

/* What is on the glass beyond curses' knowledge. */
struct shown_picture {
	uint64_t id; /* 0 = nothing */
	struct rect rect;
	int n; /* where the sixels are */
	struct rect part[PICTURE_PARTS_MAX];
};

struct term {
	const struct backend *backend;
	int fd; /* -1 for null */
	int h, w;
	struct theme theme;
	struct caps_env env;
	char *env_copy[5]; /* what env borrows from */
	char *wish[2]; /* so does it: graphics, cell */
	bool wheel;
	struct replies replies;
	struct term_caps caps;
	struct reply_parser parser;
	struct keys_queue queue;
	VEC(struct buf) pastes; /* one for each KEYC_PASTE in the queue */
	struct buf pasted;
	bool redraw;          /* the next show repaints everything */
	bool caps_changed;
	int64_t last_byte_ms; /* when the parser last got something */
	int64_t asked_ms;     /* when questions went out; 0 = none are open */
	struct shown_picture shown;
	int64_t ask_again_ms; /* when the terminal around tmux is asked once more; 0 = never */
	struct sender send;
	bool away;            /* focus is elsewhere and tmux does not know the picture */
	struct cells last;    /* the grid as shown */
	struct screen *screen;
};

struct term *term_new(const struct backend *backend, const struct theme *theme);
void term_free(struct term *t);
void term_decide(struct term *t);
int64_t term_now_ms(void);
/* Answers that are outstanding are read, for half a second at most. */
void term_hear_out(struct term *t);

/* tty.c: the plain terminal device. */
/* Everything, also when the line is slow; false when it cannot be written. */
bool tty_write(int fd, const char *p, size_t n);
/* The modes in which every key comes as it is typed, made from those before. */
void tty_raw(const struct termios *before, struct termios *out);
void tty_size(int fd, int *h, int *w, int *px_h, int *px_w); /* untouched when unknown */
/* What term_restore() does: the bytes are copied (at most 255) and written, then the modes set. */
void tty_set_restore(int fd, const struct termios *modes, const char *bytes, size_t n);
void tty_clear_restore(void);

/* picture.c: bytes for the terminal. */
/* Width and height in pixels out of the raster attributes; false when the sixel has none. */
bool picture_size(struct str sixel, int *w, int *h);
/* May it be sent: on the grid, above the last row, not larger than its cells or the limit? */
bool picture_fits(const struct term_caps *caps, int h, int w, const struct placed_picture *pic);
/* The cursor to its place; through tmux this must be answered before the bytes follow. */
void picture_place(const struct placed_picture *pic, bool passthrough, struct buf *out);
/* Sixel, a question whose answer is the receipt, the cursor back at (cy, cx). Returns the length
 * of the sixel as it stands there. */
size_t picture_bytes(const struct placed_picture *pic, bool passthrough, int cy, int cx,
		     struct buf *out);
/* Does something else than the picture stand in its cells? */
bool picture_covered(const struct cells *grid, const struct placed_picture *pic);
/* The k-th sixel, k < picture_parts(). */
int picture_parts(const struct placed_picture *pic);
struct placed_part picture_part(const struct placed_picture *pic, int k);
/* What is on the glass once it has been sent. */
struct shown_picture picture_shown(const struct placed_picture *pic);

#endif
