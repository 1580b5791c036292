/*
 * picks: conditions to choose one of, with the number of samples for each: what the sample under
 * the cursor has, or what the filter consists of. What is quick is counted at once, the rest by the
 * sieve; the list on the screen follows when a count arrives.
 */
#ifndef QUALM_TUI_PICKS_H
#define QUALM_TUI_PICKS_H

#include "core/base/vec.h"
#include "tui/view/chooser.h"

struct pick {
	char *text;   /* owned: in the filter's language */
	char *detail; /* owned: what it is */
	enum pick_state { PICK_WAITING, PICK_COUNTED, PICK_FAILED } state;
	uint32_t n;
};

struct picks {
	VEC(struct pick) list;
	bool listed; /* counted within what is listed, and so again when that changes */
};

void picks_clear(struct app *app);
void picks_release(struct picks *p);
/* Copies the texts. */
void picks_add(struct app *app, const char *text, const char *detail);
/* within: only these samples count; NULL: all. */
void picks_count(struct app *app, const uint64_t *within);
/* The same within what is listed, as long as a popup shows them. */
void picks_count_listed(struct app *app);
void picks_follow(struct app *app); /* the list is another, if only by more samples */
/* "17", or "17+" within a list that still grows. */
const char *picks_number(const struct app *app, uint32_t n, char out[28]);
/* The count of the k-th as a text, or what stands for it. */
const char *picks_value(const struct app *app, size_t k, char out[28]);

/* Appends a condition for all that the sample has: truths, answers, verdicts, category, facets,
 * tags, a pick each. */
void picks_of_sample(struct app *app, uint32_t ord);

#endif
