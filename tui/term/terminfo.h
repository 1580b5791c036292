/* terminfo: what the description of a terminal says, without opening a screen. */
#ifndef QUALM_TUI_TERM_TERMINFO_H
#define QUALM_TUI_TERM_TERMINFO_H

#include <stdbool.h>

/* Colours of text (2, 8, 16, 256, 1<<24); false when `type` has no description here, or one that
 * cannot place the cursor. */
bool terminfo_colors(const char *type, int *colors);

#endif
