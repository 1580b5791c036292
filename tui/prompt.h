/* prompt: one line being typed at the bottom, after `:` or `/` or a word; with a history for each. */
#ifndef QUALM_TUI_PROMPT_H
#define QUALM_TUI_PROMPT_H

#include "core/base/str.h"
#include "core/base/vec.h"
#include "tui/term/cells.h"

#define PROMPT_MAX_BYTES 4096
#define PROMPT_KINDS     6 /* signs ':' '/', 'c' for a note, 't' for tags, '@' a name, 'x' a file */

struct prompt {
	char sign; /* 0: closed */
	struct buf text;
	size_t at; /* byte offset of the cursor, at the beginning of a cluster */
	VEC(char *) history[PROMPT_KINDS];
	size_t older; /* how far back in the history */
};

void prompt_open(struct prompt *p, char sign);
void prompt_close(struct prompt *p, bool remember);
void prompt_release(struct prompt *p);
void prompt_insert(struct prompt *p, uint32_t cp);
void prompt_set(struct prompt *p, struct str text);
/* "prompt-erase", "prompt-left" …; false when it is none of the editing commands. */
bool prompt_command(struct prompt *p, const char *name);
void prompt_draw(const struct prompt *p, struct cells *grid, struct rect line);

#endif
