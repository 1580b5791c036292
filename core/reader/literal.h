/*
 * literal: lists and dicts that Python printed into a text field: ['a', "it's"], [7, 9],
 * {'A': 'No.', 'B': 'Yes.'}. JSON lists are a special case.
 */
#ifndef QUALM_CORE_READER_LITERAL_H
#define QUALM_CORE_READER_LITERAL_H

#include "core/base/arena.h"
#include "core/base/vec.h"

#define LITERAL_MAX_ITEMS 10000

struct literal {
	VEC(struct str) items; /* texts decoded, other tokens as written; None is left out */
	bool dict;             /* items are the values */
};

/* false: text is not one flat literal; out is empty then. Texts live in arena or borrow text. */
bool literal_parse(struct str text, struct arena *arena, struct literal *out);
void literal_release(struct literal *l);

#endif
