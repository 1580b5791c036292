/*
 * labels_screen: the label map on the screen, above it the texts that mean no class yet, the most
 * frequent first; how far an edit of it is, and what it has moved.
 */
#ifndef QUALM_TUI_LABELS_SCREEN_H
#define QUALM_TUI_LABELS_SCREEN_H

#include "db/labels.h"

struct app;
struct labels_look;

/* "TEXT=CLASS": at the last "=", as a text may have one. Borrowed from word. */
bool labels_split(struct str word, struct str *text, struct str *which);
/* What undo will call n of them. Borrowed from out, which is empty. */
const char *labels_edit_name(const struct labelling *l, size_t n, struct buf *out);
/* "12,345 answers of 3 runs placed, 2 labels moved"; appended. */
void labels_moved(const struct label_moves *m, struct buf *out);

/* :labels [TEXT=CLASS]. Reactions. */
unsigned labels_screen(struct app *app, struct str args);
/* Tab behind ":labels TEXT=": the class becomes as much as all that begin like it agree on. False:
 * this is not typed. */
bool labels_complete(struct app *app);
/* Edits by app's user tell how far they are, and stop for Esc and Ctrl-c. */
void labels_watch(struct app *app);
/* After an edit, an undo or a redo that was about labels: what is counted is counted anew. */
void labels_changed(struct app *app);
void labels_release(struct app *app);

#endif
