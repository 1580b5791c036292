/*
 * reply: the bytes a terminal sends, into events: keys on one side, answers to our questions on
 * the other. A pure state machine: any bytes, split anywhere; no answer, whole, late or cut off,
 * ever comes out as a key, and keys typed between answers survive.
 *
 * Waiting is the caller's: when reply_wait_ms() is not -1 and nothing came for that long, call
 * reply_timeout(), which decides that a lone ESC was the key.
 */
#ifndef QUALM_TUI_TERM_REPLY_H
#define QUALM_TUI_TERM_REPLY_H

#include "core/base/str.h"

enum event_kind {
	EVENT_KEY,       /* key */
	EVENT_PASTE,     /* text */
	EVENT_DA1,       /* arg[0..n): primary device attributes as sent */
	EVENT_NAME,      /* text: XTVERSION */
	EVENT_CELL,      /* arg: height, width of a cell in pixels */
	EVENT_REGISTERS, /* arg: colour registers for sixel */
	EVENT_MAX_SIZE,  /* arg: width, height of the largest sixel */
	EVENT_MODE,      /* arg: private mode, state (0 unknown, 1 set, 2 reset, 3, 4 fixed) */
	EVENT_CURSOR,    /* arg: row, column */
	EVENT_BACKGROUND /* arg: red, green, blue of the terminal's background, 0 to 255 */
};

#define EVENT_MAX_ARGS 24

struct event {
	enum event_kind kind;
	uint32_t key;
	int n, arg[EVENT_MAX_ARGS];
	struct str text; /* valid during the call */
};

/* A key's bytes as the terminal's description has them; they start with ESC. */
struct key_bytes {
	char bytes[14];
	unsigned char n;
	uint32_t key;
};

#define REPLY_SEQ_MAX   96
#define REPLY_PASTE_MAX ((size_t)1 << 20) /* the rest of a longer paste is dropped */

struct reply_parser {
	void (*on_event)(void *user, const struct event *e);
	void *user;
	const struct key_bytes *extra; /* borrowed */
	size_t n_extra;
	unsigned char erase; /* the tty's erase character, beside DEL */
	bool expecting;      /* answers are outstanding: be patient with half of one */
	/* internal */
	int state;
	bool ghost; /* ESC was given out as a key while answers were outstanding */
	bool alt;
	unsigned char need;
	size_t n;
	char seq[REPLY_SEQ_MAX];
	struct buf paste;
};

void reply_init(struct reply_parser *p, void (*on_event)(void *, const struct event *), void *user);
void reply_release(struct reply_parser *p);
void reply_feed(struct reply_parser *p, struct str bytes);
int reply_wait_ms(const struct reply_parser *p);
void reply_timeout(struct reply_parser *p);

/* keys.c: what bytes mean which key. KEY_NONE_ when none. */
uint32_t key_of_letter(char final);  /* CSI … final */
uint32_t key_of_tilde(int number);   /* CSI number ~ */
uint32_t key_of_ss3(char final);     /* ESC O final */
uint32_t key_of_byte(unsigned char b, unsigned char erase);
uint32_t key_with_modifier(uint32_t key, int modifier); /* xterm's 1 + shift 1, alt 2, ctrl 4 */

#endif
