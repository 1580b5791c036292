/*
 * wording: what one text says in other words than another, word by word. Pure.
 */
#ifndef QUALM_CORE_TEXT_WORDING_H
#define QUALM_CORE_TEXT_WORDING_H

#include "core/base/str.h"
#include "core/base/vec.h"

enum wording_in { WORDING_BOTH, WORDING_OLD, WORDING_NEW };

struct wording_part {
	enum wording_in in;
	struct str text; /* of `now`, or of `old` for WORDING_OLD: from its first word to its last */
};

struct wording {
	VEC(struct wording_part) parts; /* as the texts go; in one place old words before new ones */
};

/* A word is a run of letters, digits and bytes beyond ASCII; any other character but blanks is one by
 * itself. Parts borrow the texts. As many words as can be are in common; where what is between the
 * first difference and the last has more than WORDING_CELLS pairs of words, it is all old and new. */
#define WORDING_CELLS 1000000
void wording_compare(struct str old, struct str now, struct wording *out);
void wording_release(struct wording *w);

#endif
