/* filters: random conditions as trees (lib_naive.h), and as text in one of the ways they may be
 * written. */
#ifndef QUALM_TESTS_UNIT_LIB_FILTERS_H
#define QUALM_TESTS_UNIT_LIB_FILTERS_H

#include "tests/unit/lib_naive.h"

struct expr *filters_random(struct world *w, struct arena *arena, int depth);
/* level: 0 inside nothing or parentheses, 1 in an or, 2 in an and, 3 after a not */
void filters_put(struct world *w, struct buf *out, const struct expr *e, int level);

#endif
