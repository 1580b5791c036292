/* column_choice: which columns the list shows, chosen by the user and kept with the project. */
#ifndef QUALM_TUI_COLUMN_CHOICE_H
#define QUALM_TUI_COLUMN_CHOICE_H

#include "tui/view/columns.h"

struct app;

/* What was chosen for the dataset just loaded, or the usual list; what is gone is passed over. */
void column_choice_load(struct app *app);
/* The columns as text, owned by the caller, and back: over another snapshot of the same dataset. */
char *column_choice_text(const struct app *app);
void column_choice_read(struct app *app, const char *text);
/* These from now on. Reaction bits. */
unsigned column_choice_set(struct app *app, const struct columns *columns);
/* The form of each column of numbers. */
void column_choice_forms(struct app *app, const struct columns *columns,
			 struct number_form form[COLUMNS_MAX]);

#endif
