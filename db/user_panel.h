/* user_panel: the runs that the user shows and counts, by handle. Kept where settings are. */
#ifndef QUALM_DB_USER_PANEL_H
#define QUALM_DB_USER_PANEL_H

#include "core/base/arena.h"
#include "db/conn.h"

/* *handles: in the arena, in their order; n = 0: never chosen. In a read-only project the
 * overlay's panel counts before the project's. */
enum status user_panel_get(struct conn *c, const char *dataset, const char *const **handles,
			   size_t *n, struct arena *arena, struct err *err);
/* In one transaction. n = 0 forgets the choice. */
enum status user_panel_set(struct conn *c, const char *dataset, const char *const *handles,
			   size_t n, struct err *err);

#endif
