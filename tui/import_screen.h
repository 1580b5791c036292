/*
 * import_screen: `:import PATH...`. A worker makes the plan, a popup shows it, Enter agrees, and
 * a worker imports while one browses on; what comes in is shown as it comes (grow.h). One at a
 * time; Ctrl-c breaks it off, and the files that were read before stay.
 */
#ifndef QUALM_TUI_IMPORT_SCREEN_H
#define QUALM_TUI_IMPORT_SCREEN_H

#include <stdbool.h>

#include "core/base/str.h"

struct app;
struct cmd_args;

/* The words of the command, as a shell would cut them: quotes and back-slashes; "~" is the home
 * folder. Without any: what the last import said. Reaction bits. */
unsigned import_command(struct app *app, struct str args);
/* Tab behind ":import ": the last word becomes as much as all files agree on, an option likewise. */
void import_complete(struct app *app);
/* The words of a command line's import, whose project is left out, as `:import` takes them. */
void import_line(const struct cmd_args *args, const char *dataset, struct buf *out);
/* Is one under way? What it has read rests on the label map as it was. */
bool import_running(const struct app *app);
void import_release(struct app *app); /* after the pool is gone */

#endif
