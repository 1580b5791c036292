/*
 * literal: lists and dicts that Python printed into a text field: ['a', "it's"], [7, 9],
 * {'A': 'No.', 'B': 'Yes.'}. JSON lists are a special case. And whole rows that were printed instead
 * of being written as JSON.
 */
#ifndef QUALM_CORE_READER_LITERAL_H
#define QUALM_CORE_READER_LITERAL_H

#include "core/base/arena.h"
#include "core/base/str.h"
#include "core/base/vec.h"

#define LITERAL_MAX_ITEMS 10000

struct literal {
	VEC(struct str) items; /* texts decoded, other tokens as written; None is left out */
	bool dict;             /* items are the values */
};

/* false: text is not one flat literal; out is empty then. Texts live in arena or borrow text. */
bool literal_parse(struct str text, struct arena *arena, struct literal *out);
void literal_release(struct literal *l);
/* The same value in JSON, at any depth: tuples and sets as lists, keys as texts, nan and inf as null,
 * NumPy's np.float64(0.5) as its number. Texts are decoded in arena; out is overwritten. false: text
 * is not one literal as Python prints it. */
bool literal_json(struct str text, struct arena *arena, struct buf *out);

#endif
