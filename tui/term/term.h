/*
 * term: one open terminal, or none (the null backend). The caller's loop polls term_fd(), feeds
 * term_input(), takes keys, and calls term_show() with the finished grid and at most one picture.
 *
 * Capability replies arrive whenever they like: they are parsed in the key stream for the whole
 * life of the program and are never taken for keys; `caps` changes then, and term_input() says so.
 */
#ifndef QUALM_TUI_TERM_TERM_H
#define QUALM_TUI_TERM_TERM_H

#include "core/base/err.h"
#include "core/media/media.h"
#include "tui/term/cells.h"

/* Keys: a Unicode code point, or one of these above all code points; modifiers are folded in as
 * separate codes where a terminal tells them. key_text()/key_parse(): "j", "Enter", "Ctrl-d",
 * "PgDn", "Space", "F1" … as in default.keys. */
enum key_code {
	KEY_NONE_ = 0,
	KEYC_CTRL = 0x01000000, /* | letter */
	KEYC_ALT = 0x02000000,  /* | code point */
	KEYC_SPECIAL = 0x04000000,
	KEYC_UP, KEYC_DOWN, KEYC_LEFT, KEYC_RIGHT, KEYC_HOME, KEYC_END, KEYC_PGUP, KEYC_PGDN,
	KEYC_INSERT, KEYC_DELETE, KEYC_ENTER, KEYC_TAB, KEYC_BACKTAB, KEYC_BACKSPACE, KEYC_ESC,
	KEYC_F1, /* … F12 */
	KEYC_F12 = KEYC_F1 + 11,
	KEYC_RESIZE, KEYC_PASTE, KEYC_FOCUS_IN, KEYC_FOCUS_OUT
};
size_t key_text(uint32_t key, char out[32]); /* the name; not key_name(), which is curses's */
uint32_t key_parse(struct str name); /* KEY_NONE_ when it is no key */

enum graphics { GRAPHICS_NONE, GRAPHICS_ASCII, GRAPHICS_BLOCKS, GRAPHICS_SIXEL };

struct term_caps {
	enum graphics graphics;
	const char *why;      /* one sentence for Home and doctor: why pictures are drawn so */
	int cell_w, cell_h;   /* pixels; 10×20 when unknown */
	int max_w, max_h;     /* largest sixel the terminal shows */
	int color_registers;
	int colors;           /* 2, 8, 16, 256, 1<<24 for text */
	bool sync;            /* mode 2026 */
	bool konsole, tmux, tmux_first_background;
	bool single;          /* pictures of several parts cannot be placed (they go through tmux) */
	bool probed;          /* DA1 has arrived */
	struct media_rgb background; /* of the theme, for compositing */
	char name[64];        /* XTVERSION */
	double link;          /* bytes a second to the glass, measured; 0 = not known (link.h) */
};

struct theme;
struct term;

/* A picture placed on the grid: sixel bytes covering rect (whole cells). `id` tells pictures
 * apart: the same id at the same place is not sent again. */
struct placed_picture {
	uint64_t id; /* 0 = none */
	struct rect rect;
	struct str sixel;
	/* Instead of one sixel, several in places of their own inside rect, with text between them.
	 * All are written in one go. */
	const struct placed_part *part;
	int n_parts; /* at most PICTURE_PARTS_MAX; 0 = one sixel */
};
#define PICTURE_PARTS_MAX 32
struct placed_part {
	struct rect rect;
	struct str sixel;
};

struct term *term_open(const struct theme *theme, struct err *err); /* curses on /dev/tty */
struct term *term_open_null(int h, int w, const struct theme *theme); /* headless */
void term_close(struct term *t); /* restores the terminal; NULL is fine */
int term_fd(const struct term *t);     /* -1 for null */
/* What to poll term_fd() for: POLLIN, and POLLOUT while a picture is being written. Call
 * term_input() for either. */
short term_events(const struct term *t);
void term_size(const struct term *t, int *h, int *w);
const struct term_caps *term_caps(const struct term *t);
/* Read what there is. *caps_changed when a reply changed what the terminal can do, or when a
 * picture that was not sent because the terminal was busy can be shown now: draw again. */
enum status term_input(struct term *t, bool *caps_changed, struct err *err);
uint32_t term_key(struct term *t); /* the next key, KEY_NONE_ when none */
/* The text of the KEYC_PASTE that term_key() gave last; raw, at most 1 MiB, until the next one. */
struct str term_pasted(const struct term *t);
/* For the poll timeout: milliseconds until term_input() must be called though nothing came (a lone
 * ESC is then taken for the key, for one); -1 = none. */
int term_timeout(const struct term *t);
/* A picture is shown where its cells are blank and of the styles PICTURE or NORMAL, above the last
 * row; when something else is drawn in them (a popup), it is taken away, and comes back later. */
void term_show(struct term *t, const struct cells *grid, const struct placed_picture *picture);
void term_redraw(struct term *t);   /* next show repaints everything */
void term_resized(struct term *t);  /* SIGWINCH: reads the size; KEYC_RESIZE comes as a key */
void term_suspend(struct term *t);  /* Ctrl-Z: restore, stop, come back, repaint */
/* fn() with the terminal as it was before the screen, for another program; then the screen again. */
void term_outside(struct term *t, void (*fn)(void *ctx), void *ctx);
bool term_busy(const struct term *t); /* a picture is being written or not yet acknowledged */
/* How many bytes a picture may have to be through in a moment; 0 = any. Follows the line. */
size_t term_picture_bytes(const struct term *t);
/* Another theme from the next show on. */
void term_theme(struct term *t, const struct theme *theme);
/* How pictures are drawn (a word as in QUALM_GRAPHICS) and the size of a cell ("10x20"), instead
 * of what was found out; NULL = as it was found out, or as the environment says. */
void term_wish(struct term *t, const char *graphics, const char *cell);
/* The mouse's wheel comes as the keys Up and Down, or not at all. */
void term_wheel(struct term *t, bool on);
void term_copy(struct term *t, struct str text); /* OSC 52; over 75 000 bytes are not copied */
/* After a crash, from signal handlers and hooks: puts the terminal back. Async-signal-safe. */
void term_restore(void);
/* The grid as shown last, and the picture that is on it (id 0 = none). For tests and dumps. */
const struct cells *term_shown(const struct term *t, struct placed_picture *picture);
/* null backend: rows of text, "--", rows of style letters, legend (see --script). */
void cells_dump(const struct cells *c, struct buf *out);

#endif
