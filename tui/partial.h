/*
 * partial: the list while its filter is still being worked out: the samples that are certain, more
 * with each look. The cursor stays on its sample where that is among them; the list as it was
 * comes back when the answer has come (to be replaced at once) or the work was stopped.
 */
#ifndef QUALM_TUI_PARTIAL_H
#define QUALM_TUI_PARTIAL_H

#include <stdbool.h>
#include <stdint.h>

struct app;
struct filter;

/* What is put back; of the scene. */
struct partial {
	bool on, off;
	char *filter, *trail;     /* owned */
	uint64_t *shown, *stale;  /* owned */
	uint32_t wanted, put; /* the sample that the cursor is meant to be on, and the one it is on */
};

/* bits: what the waiting filter is true for so far; copied. */
void partial_show(struct app *app, const struct filter *waiting, const uint64_t *bits);
/* The list as it was; nothing when it still is that. */
void partial_end(struct app *app);

#endif
