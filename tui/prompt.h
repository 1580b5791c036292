/* prompt: one line being typed at the bottom, after `:` or `/` or a word; with a history for each. */
#ifndef QUALM_TUI_PROMPT_H
#define QUALM_TUI_PROMPT_H

#include "core/base/str.h"
#include "core/base/vec.h"
#include "tui/term/cells.h"

#define PROMPT_MAX_BYTES 4096
#define PROMPT_KINDS     7 /* signs ':' '/', 'c' note, 't' tags, 'i' filter, '@' name, 'x' file */
#define PROMPT_FILTER    'i'

struct prompt {
	char sign; /* 0: closed */
	struct buf text;
	size_t at; /* byte offset of the cursor, at the beginning of a cluster */
	VEC(char *) history[PROMPT_KINDS];
	size_t older;     /* how far back in the history */
	struct buf draft; /* what stood there before one went back */
	size_t fault_at, fault_n; /* bytes that are underlined; n = 0: none */
};

void prompt_open(struct prompt *p, char sign);
void prompt_close(struct prompt *p, bool remember);
void prompt_release(struct prompt *p);
void prompt_insert(struct prompt *p, uint32_t cp);
void prompt_set(struct prompt *p, struct str text);
/* Bytes [from, to) give way to `with`; the cursor comes after it. False: no room. */
bool prompt_splice(struct prompt *p, size_t from, size_t to, struct str with);
/* The next `text` to be recalled by prompt-older; equal ones before it are forgotten. */
void prompt_remember(struct prompt *p, char sign, struct str text);
/* The column, from the line's left edge, where the byte `at` stands when the prompt is drawn in
 * `w` columns. */
int prompt_column(const struct prompt *p, int w, size_t at);
/* "prompt-erase", "prompt-left" …; false when it is none of the editing commands. */
bool prompt_command(struct prompt *p, const char *name);
void prompt_draw(const struct prompt *p, struct cells *grid, struct rect line);

#endif
