/*
 * export_screen: the list on the screen, written into a file by a worker: the samples that are
 * shown, in their order, with their columns. One at a time; a meter tells how far it is.
 */
#ifndef QUALM_TUI_EXPORT_SCREEN_H
#define QUALM_TUI_EXPORT_SCREEN_H

#include "tui/export.h"

struct app;

#define PROMPT_FILE 'x' /* the prompt's sign */

/* Opens the prompt for the file's name. Reaction bits. */
unsigned export_ask(struct app *app, const struct export_format *format);
/* Into this file, as if it had been typed. Reaction bits. */
unsigned export_file_named(struct app *app, const struct export_format *format, struct str file);
/* The prompt was closed with Enter; a file that is there is asked about. Reaction bits. */
unsigned export_named(struct app *app, struct str text);
/* Tab in that prompt: as far as all files that begin like this agree. */
void export_complete(struct app *app);
/* Writes the list into the file ("~" is the home folder) in the background. */
unsigned export_start(struct app *app, const struct export_format *format, struct str file);
void export_release(struct app *app); /* after the pool is gone */

#endif
