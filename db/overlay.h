/* overlay: the file beside a read-only project that takes the user's things (user.h). */
#ifndef QUALM_DB_OVERLAY_H
#define QUALM_DB_OVERLAY_H

#include "db/conn.h"

/* create = false: *out is NULL when there is none yet. Owned by c. */
enum status overlay_open(struct conn *c, bool create, struct conn **out, struct err *err);

#endif
