/*
 * ask_filter: the prompt for the list's filter, while it is typed: where it is wrong, how many
 * samples it is true for, what completes the word under the cursor. The line itself is prompt.h;
 * what is said about it here follows after every key (ask_filter_look()).
 *
 * A quick filter is counted at once. Others go to the sieve when no key has come for a moment; a
 * new key takes the question back. Keys never wait.
 */
#ifndef QUALM_TUI_ASK_FILTER_H
#define QUALM_TUI_ASK_FILTER_H

#include "core/filter/filter.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"

struct app;

enum ask_state {
	ASK_UNFINISHED, /* as one types: what is there may still become right */
	ASK_WRONG,
	ASK_WAITING,    /* for the count */
	ASK_COUNTED
};

struct ask_filter {
	char *text; /* owned: what all the rest is about; NULL: nothing yet */
	size_t at;  /* and where the cursor stood in it */
	enum ask_state state;
	struct buf problem; /* what is wrong, or missing */
	uint32_t n;         /* samples, of the base */
	uint64_t *bits;     /* owned: those that the text is true for, of all; NULL: not known */
	uint64_t stamp;     /* of the user's things when they were counted */
	int64_t asked, due; /* milliseconds: when it was typed; when the sieve is asked, 0 = it was */
	struct filter_completion offers; /* for the word at the cursor */
	bool offered;                    /* offers are there */
	bool listed;       /* they are shown as a list to walk in */
	int64_t taken;     /* which of them stands in the prompt; -1: none */
	struct buf typed;  /* what stood there before */
	size_t typed_at;
	struct list list;
	bool remembered;   /* the history was read */
};

/* Opens the prompt with the filter as it is. Reaction bits. */
unsigned ask_filter_open(struct app *app);
/* The prompt's text or cursor may have changed. */
void ask_filter_look(struct app *app);
/* Tab (+1), BackTab (-1): as far as all offers agree, then through the list of them. */
void ask_filter_complete(struct app *app, int by);
/* Up and down: false when there is no list to walk in. */
bool ask_filter_walk(struct app *app, int by);
/* Esc: closes the list and puts back what was typed; false when there is none. */
bool ask_filter_unlist(struct app *app);
/* Enter: false when the text is no filter; a message says why, and the prompt stays. */
bool ask_filter_accept(struct app *app);
/* The prompt was closed without. */
void ask_filter_cancel(struct app *app);
/* Asks the sieve when it is time; milliseconds until it wants to be called again, -1 = whenever.
 * INT64_MAX: it is time. */
int ask_filter_tick(struct app *app, int64_t now);
/* The prompt, what is said above it and the list of offers. Returns what of the views' middle they
 * cover; h = 0: nothing. */
struct rect ask_filter_draw(struct app *app, struct cells *grid);
void ask_filter_release(struct ask_filter *a);

#endif
