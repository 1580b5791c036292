/* theme: ini files, role = style. Compiled-in ones come from the folder themes. */
#ifndef QUALM_TUI_TERM_THEME_H
#define QUALM_TUI_TERM_THEME_H

#include "core/base/err.h"
#include "core/media/media.h"
#include "tui/term/style.h"

enum theme_attr { ATTR_BOLD = 1, ATTR_DIM = 2, ATTR_UNDERLINE = 4, ATTR_REVERSE = 8, ATTR_ITALIC = 16 };

struct theme_style {
	int fg, bg;       /* 0..255 palette, -1 = the terminal's default */
	unsigned attr;
};

struct theme {
	char name[32];
	struct theme_style style[N_STYLES];
	struct media_rgb background; /* what pictures are composited on */
	bool mono;
	bool automatic; /* nobody asked for it: "light" where the terminal's background is */
};

/* name: a compiled-in theme or a path. NULL picks "dark", or "mono" under NO_COLOR. */
enum status theme_load(const char *name, struct theme *out, struct err *err);
extern const struct theme_source { const char *name, *text; } theme_sources[]; /* ends with NULL name */

#endif
