/*
 * explain: the popup of `=`: what a number is, how it is worked out and by whom, of which samples,
 * what was left out, and the command line that gives the same number. A view says it line by line
 * and shows it; `enter` on a line opens its samples, as "open-door CONDITION" to the view below, or
 * copies the command line.
 */
#ifndef QUALM_TUI_VIEW_EXPLAIN_H
#define QUALM_TUI_VIEW_EXPLAIN_H

#include "tui/view/scene.h"

struct app;
struct explain;

struct explain *explain_new(const char *title); /* copies, as all below do */
/* A line without a door; none when text is NULL or empty. */
void explain_say(struct explain *e, const char *label, const char *text);
/* n samples, and what opens them; more: what else is to be said of them, or "". */
void explain_door(struct explain *e, const char *label, double n, const char *door, const char *more);
/* How many of the samples shown a filter is true for. False: it cannot be told, a message says why. */
bool explain_opens(struct app *app, const char *door, uint32_t *n);
/* Population, filter and lens, as they are. */
void explain_population(struct explain *e, const struct scene *s);
void explain_tell_command(struct explain *e, const char *label, const char *command);
/* Takes e. */
unsigned explain_show(struct explain *e, struct app *app);

/* --- pieces of command lines, each with a blank before it --- */

void explain_put_quoted(struct buf *out, const char *text); /* for a shell; without the blank */
void explain_put_option(struct buf *out, const char *name, const char *value);
void explain_put_lens(struct buf *out, const struct scene *s);
/* What is shown, and of that what the door opens ("": all of it). */
void explain_put_filter(struct buf *out, const struct scene *s, const char *door);

#endif
