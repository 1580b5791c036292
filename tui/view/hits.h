/*
 * hits: where what was searched stands in the texts that are shown. `/` has one needle for all of
 * them; the list's filter has those of its conditions about texts, each for its own kind of text.
 * Pure; the needles are borrowed.
 */
#ifndef QUALM_TUI_VIEW_HITS_H
#define QUALM_TUI_VIEW_HITS_H

#include "core/filter/filter.h"
#include "tui/view/pen.h"

enum hit_in { HIT_KEY = 1, HIT_QUESTION = 2, HIT_STATEMENT = 4, HIT_ANSWER = 8, HIT_NOTE = 16,
	      HIT_PATH = 32, HIT_NAME = 64 /* of a class */ };
/* What `/` searches. */
#define HIT_SEARCHED (HIT_KEY | HIT_QUESTION | HIT_STATEMENT | HIT_ANSWER | HIT_NOTE | HIT_NAME)

#define HITS_MAX      32  /* needles */
#define HIT_SPANS_MAX 256 /* spans of one text; further ones are not marked */

struct hit_needle {
	const struct needle *needle;
	unsigned in; /* enum hit_in */
	int run;     /* whose answers; -1 = any run's */
};

struct hits {
	struct hit_needle v[HITS_MAX];
	int n;
};

/* One more; too many are left out. */
void hits_add(struct hits *h, const struct needle *needle, unsigned in, int run);
/* All that the checked filter looks for and does not exclude, under its a and b. */
void hits_add_filter(struct hits *h, const struct filter *f, int a, int b);

/* The parts of a text that were searched for, in order, apart from each other. span[max]; returns
 * how many. run: whose answer it is, else -1. */
size_t hits_find(const struct hits *h, enum hit_in in, int run, struct str text, enum style style,
		 struct span *span, size_t max);
/* Of names with ", " between: no hit reaches from one into the next. names[n]: where each ends. */
size_t hits_find_names(const struct hits *h, struct str text, const size_t *names, size_t n,
		       enum style style, struct span *span, size_t max);

#endif
