/* nearest: of many names the one that was probably meant. */
#ifndef QUALM_CORE_BASE_NEAREST_H
#define QUALM_CORE_BASE_NEAREST_H

#include "core/base/str.h"

/* The candidate nearest to word, NULL when none is near: edit distance (ASCII caseless) at most
 * one and a quarter of the longer one's length. Set word, offer candidates, read best. */
struct nearest {
	struct str word;
	const char *best; /* borrowed from the caller of nearest_offer */
	int distance;
};
void nearest_offer(struct nearest *n, const char *candidate);

#endif
