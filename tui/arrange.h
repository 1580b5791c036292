/*
 * arrange: a sort's order made from the project: keys, texts and numbers are fetched where the sort
 * is by them, all else is in the snapshot. For the screen and for exports alike.
 */
#ifndef QUALM_TUI_ARRANGE_H
#define QUALM_TUI_ARRANGE_H

#include "db/conn.h"
#include "tui/view/scene.h"

/* *order: [n] all ordinals in the sort's order, owned by the caller; NULL: as imported. Computes
 * what verdicts the sort needs. */
enum status arrange(struct conn *c, struct scene *s, const struct sort *sort, uint32_t **order,
		    struct err *err);

#endif
