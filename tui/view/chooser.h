/*
 * chooser: a popup with a list to choose from, searchable with `/`. What is in the list and what
 * choosing does is a struct of functions.
 */
#ifndef QUALM_TUI_VIEW_CHOOSER_H
#define QUALM_TUI_VIEW_CHOOSER_H

#include "tui/view/view.h"

struct chooser;

/* One line: a sign of at most two columns, a name, more about it (dim), a value at the right. */
struct choice {
	const char *sign, *name, *detail, *value;
};

struct chooser_spec {
	const char *title;
	const char *nothing; /* said instead of opening when the list is empty */
	/* Fills the list by chooser_add(); again after every toggle. */
	void (*gather)(struct app *app, struct chooser *c);
	/* Enter; the popup is closed already. Reaction bits. NULL: the lines are there to be taken
	 * away, by Enter, d or Backspace, which is toggle(). */
	unsigned (*accept)(struct app *app, uint32_t at);
	/* Space: one more, or one less. NULL: only one can be chosen. Reaction bits. */
	unsigned (*toggle)(struct app *app, uint32_t at);
	/* Its keys and hints, one of the classes in view.h; NULL: what all lists have. */
	const struct view_class *class;
	/* A command on a line; at: UINT32_MAX when there is none. REACT_UNHANDLED when it is not its
	 * own. With it an empty list opens as well. NULL: none. */
	unsigned (*command)(struct app *app, const char *name, struct str args, uint32_t at);
	bool words; /* names are words: cut at the end; else handles: cut at the beginning */
	/* A line is no line without its detail: a long name gives way to it, and the value too. */
	bool pairs;
	/* The list is gathered again whenever this gives another number. NULL: it stays. */
	uint64_t (*version)(struct app *app);
};

/* Reaction bits. spec: borrowed, for as long as the popup is open. */
unsigned chooser_open(struct app *app, const struct chooser_spec *spec);
void chooser_add(struct chooser *c, const struct choice *choice); /* copies the texts */
/* The list of the chooser that is on top, when one is, is made again: its values have changed. */
void chooser_refresh(struct app *app);
/* The line the cursor begins on. */
void chooser_start(struct chooser *c, uint32_t at);
/* From within gather(): the cursor goes to this line now. */
void chooser_follow(struct chooser *c, uint32_t at);

#endif
