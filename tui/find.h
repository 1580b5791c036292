/*
 * find: `/`, n and N. All that is shown of the samples in words (db/search_everywhere.h) is looked
 * through from the cursor on: some milliseconds at once, the rest by a worker. A step goes to the
 * next hit of the list as soon as no nearer one can come; in a list that is sorted otherwise than the
 * samples were imported its next lines are looked at first. The run whose text is shown, the panel,
 * the columns and notes are part of it: when they change the next step searches again.
 */
#ifndef QUALM_TUI_FIND_H
#define QUALM_TUI_FIND_H

#include "core/base/str.h"
#include "core/text/needle.h"

struct app;

struct find {
	char *text;              /* owned: as typed; NULL: nothing was searched yet */
	struct needle *needle;   /* owned */
	uint64_t *bits;          /* owned: [n] hits so far; NULL: none are known */
	uint32_t from, covered;  /* of so many samples from `from` on, round the end, all are known */
	uint64_t *near;          /* owned: [n] those near in a sorted list, looked at first; or NULL */
	bool near_known;
	bool working;            /* the worker is not done */
	int run;                 /* as it was searched, and the rest in short */
	uint64_t things, named;
	int step;                /* 1, -1: waits for hits, from `origin`; 0: none does */
	int more;                /* steps to be made after it; below 0: back */
	bool here;               /* the origin itself would do */
	uint32_t origin;
	bool around;             /* the last step went round the end */
};

/* To the first hit at or after the cursor; text "/…/" is a regular expression. Reactions. */
unsigned find_search(struct app *app, struct str text);
/* To the next hit (by = 1) or the one before (-1), round the end of the list. */
unsigned find_step(struct app *app, int by);
/* False when nothing was being searched. */
bool find_stop(struct app *app);
/* The snapshot was replaced: what was found is about another one. The text stays. */
void find_forget(struct app *app);
void find_release(struct app *app);
/* Before a frame: what is to be marked in it, into scene.hits. */
void find_mark(struct app *app);

#endif
