/*
 * search_everywhere: what `/` looks through: whatever the screen shows of a sample in words. Sample
 * after sample from where one stands, so that the next hit is known long before the last one; before
 * that, those that are near in a list of another order.
 */
#ifndef QUALM_DB_SEARCH_EVERYWHERE_H
#define QUALM_DB_SEARCH_EVERYWHERE_H

#include "db/search.h"

struct search_everywhere {
	const struct needle *needle;
	int run;        /* whose answers' texts are searched; -1 = nobody's */
	const int *runs; /* n_runs: whose classes' names are */
	int n_runs;
	const uint32_t *first; /* n_first ordinals that are looked at before anything else */
	uint32_t n_first;
	uint32_t from; /* the ordinal to begin with; after the last one it goes on with 0 */
	const struct cancel *cancel;
	/* Now and then: of the samples from `from` on, round the end, the first `covered` are done:
	 * their bits are final, and those of `first`. Others may have theirs already. */
	void (*tell)(void *ctx, uint32_t covered, const uint64_t *bits);
	void (*tick)(void *ctx); /* more often: time to look at a clock; may be NULL */
	void *ctx;
};

/* Sets bits[bits_words(n)] of the samples that have it in their key, question or statement, in the
 * text of the run's answer, in a note, in the name of a class that is true in any layer or that
 * one of the runs has answered. E_CANCELLED. */
enum status search_everywhere(struct search *s, const struct search_everywhere *what, uint64_t *bits,
			      struct err *err);

#endif
