/*
 * choice: which runs are a and b, which are in the panel, and how the list is sorted: changed
 * here, and kept with the project (the panel in its table, the rest as a setting), so that it is
 * the same at the next start. A disk takes its time: it is asked when the keys have come to rest, not
 * before the frame that they ask for.
 */
#ifndef QUALM_TUI_CHOICE_H
#define QUALM_TUI_CHOICE_H

#include <stddef.h>
#include <stdint.h>

#include "core/base/err.h"
#include "tui/view/order.h"

struct app;
struct look;

/* What was chosen for the dataset just loaded; what is not there any more is passed over. */
void choice_load(struct app *app);
/* The a and b that choice_load() will come to, of a snapshot whose runs need not be loaded yet;
 * -1 = none. */
void choice_runs(struct app *app, const struct snapshot *snap, int *a, int *b);
/* The run becomes a, or b; the other one takes its old place when it is the same run. Returns
 * reaction bits. */
unsigned choice_run(struct app *app, bool b, int run);
/* What is to be kept, as it was chosen; all NULL: nothing. */
struct choice_due {
	char *key, *text;	 /* the setting */
	char *dataset, **panel; /* handles */
	size_t n_panel;
	int64_t since; /* milliseconds of app_clock() */
};

/* a and b as they are now will be kept. */
void choice_keep(struct app *app);
/* Keeps what is due when it has been for a while; milliseconds until then, or -1. */
int choice_tick(struct app *app, int64_t now);
/* Keeps it now. */
void choice_settle(struct app *app);
/* In or out of the panel, which never becomes empty. Returns reaction bits. */
unsigned choice_panel(struct app *app, int run);
/* The list in this order; the current sample stays. Returns reaction bits. */
unsigned choice_sort(struct app *app, struct sort sort);
/* a, b, panel and order all at once, and kept; the reaction is REACT_RERUN. */
void choice_set(struct app *app, const struct look *look);
/* a, b or the panel changed (verdicts too: under another lens): sorts again where it matters. */
void choice_resort(struct app *app);

#endif
