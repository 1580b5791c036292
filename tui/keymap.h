/*
 * keymap: keys to commands. A binding is text, `key names… command`, one a line, under a heading
 * `[mode]`; tui/default.keys is compiled in and the user's file has the same form. Modes form a
 * tree: a key that the mode does not know is looked for in its parent. In one mode, and along
 * the way up, no key may be the beginning of another one; the command `none` takes a key away.
 */
#ifndef QUALM_TUI_KEYMAP_H
#define QUALM_TUI_KEYMAP_H

#include <stdint.h>

#include "core/base/str.h"
#include "core/base/vec.h"

#define KEYMAP_MAX_KEYS 4

/* X(CONSTANT, name, parent). Parents come before their children. */
#define MODES(X)                                                                                   \
	X(COMMON, "common", -1)                                                                    \
	X(BROWSE, "browse", MODE_COMMON)                                                           \
	X(FACETS, "facets", MODE_BROWSE)                                                           \
	X(GALLERY, "gallery", MODE_BROWSE)                                                         \
	X(MATRIX, "matrix", MODE_COMMON)                                                           \
	X(AGREEMENT, "agreement", MODE_COMMON)                                                     \
	X(SAMPLE, "sample", MODE_BROWSE)                                                           \
	X(QUERY, "query", MODE_BROWSE)                                                             \
	X(CROP, "crop", -1)                                                                        \
	X(ZOOM, "zoom", -1)                                                                        \
	X(TABLE, "table", MODE_COMMON)                                                             \
	X(HELP, "help", MODE_COMMON)                                                               \
	X(CHOOSER, "chooser", MODE_COMMON)                                                         \
	X(SAVED, "saved", MODE_CHOOSER)                                                            \
	X(COLUMNS, "columns", MODE_CHOOSER)                                                        \
	X(TRAIL, "trail", MODE_CHOOSER)                                                            \
	X(MAPPING, "mapping", -1)                                                                  \
	X(NOTICE, "notice", -1)                                                                    \
	X(PROMPT, "prompt", -1)                                                                    \
	X(ASK, "ask", -1)

enum mode {
#define X(id, name, parent) MODE_##id,
	MODES(X)
#undef X
	    N_MODES
};

struct binding {
	enum mode mode;
	int n;
	uint32_t key[KEYMAP_MAX_KEYS];
	char *command; /* owned: name and arguments */
	bool user;
};

struct keymap {
	VEC(struct binding) bindings;
};

extern const char default_keys[]; /* tui/default.keys */

/* Adds the bindings of a text. user: they replace those of the default on the same keys. Each
 * problem is appended to `problems` as a line "FILE:LINE: words"; the other lines count. */
void keymap_load(struct keymap *km, const char *text, const char *file, bool user,
		 struct buf *problems);
/* Appends a line for each key that is the beginning of another. */
void keymap_check(const struct keymap *km, struct buf *problems);
void keymap_release(struct keymap *km);

enum keymap_match { KEYMAP_NONE, KEYMAP_PREFIX, KEYMAP_FOUND };
enum keymap_match keymap_find(const struct keymap *km, enum mode mode, const uint32_t *key, int n,
			      const char **command);
/* Append the names of the keys that run this command (its whole text) in this mode, "j Down". At
 * most `max` of them. False if there is none. */
bool keymap_keys(const struct keymap *km, enum mode mode, const char *command, int max,
		 struct buf *out);
/* Is the binding what its keys run in `mode` (not hidden by a nearer one, not taken away)? */
bool keymap_valid(const struct keymap *km, enum mode mode, const struct binding *b);
void keymap_name(const uint32_t *key, int n, struct buf *out); /* "gd", "Ctrl-d", "g Enter" */
/* Key names separated by blanks; false at the first word that is no key (*bad). */
bool keymap_parse_keys(struct str text, uint32_t *key, int max, int *n, struct str *bad);

#endif
