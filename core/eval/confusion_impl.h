/* confusion: what its two ways of counting share: any samples one by one, plain ones a block at a
 * time. */
#ifndef QUALM_CORE_EVAL_CONFUSION_IMPL_H
#define QUALM_CORE_EVAL_CONFUSION_IMPL_H

#include "core/eval/cell_counts.h"

#define LOOK_UP 65536 /* samples between two looks at what asks to stop */

struct counting {
	struct confusion *out;
	const struct confusion_way *way;
	struct cell_counts counts;
};

bool confusion_stopped(const struct confusion_way *way, size_t i, size_t *next);
/* Those of the mask (NULL: all), where placing_is_plain() and no classes are taken together. */
void confusion_count_blocks(struct counting *c, struct placing *p, uint32_t n, const uint64_t *mask);
/* Of samples that were counted so, once the cells are gathered. */
void confusion_add_support(struct counting *c);

#endif
