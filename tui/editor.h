/*
 * editor: a text in the user's own editor ($VISUAL, $EDITOR, else vi), on the terminal as it was
 * before the screen. The text is in a file that only the user can read, and that is gone after it.
 */
#ifndef QUALM_TUI_EDITOR_H
#define QUALM_TUI_EDITOR_H

#include "core/base/err.h"
#include "core/base/str.h"
#include "tui/term/term.h"

#define EDITOR_MAX_TEXT ((size_t)1 << 20)

/* *changed: text is another now. E_IO when the editor could not be started or ended with a failure
 * (text stays), E_LIMIT when the text is too long now, E_FORMAT when it is empty or no UTF-8. */
enum status editor_edit(struct term *term, struct buf *text, bool *changed, struct err *err);

#endif
