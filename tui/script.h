/*
 * script: the screen played from a text (`--script`): one step a line, key names separated by
 * blanks as in default.keys, or a `:command`; `#` comments. Pictures are waited for before each
 * step, so the same script gives the same screens.
 */
#ifndef QUALM_TUI_SCRIPT_H
#define QUALM_TUI_SCRIPT_H

#include "tui/app.h"

/* file: a path, or "-" for standard input. E_USAGE, with the line, for a step that is neither
 * keys nor a command. */
enum status script_run(struct app *app, const char *file, struct err *err);
enum status script_step(struct app *app, struct str line, struct err *err);

#endif
