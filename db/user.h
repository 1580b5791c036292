/*
 * user: the user's own things: settings, so far. They live in the project; those of a read-only
 * project live in an overlay, $XDG_DATA_HOME/qualm/<project uuid>.qualm, which is a project file
 * without datasets, so that it climbs the same ladder of versions.
 */
#ifndef QUALM_DB_USER_H
#define QUALM_DB_USER_H

#include "core/base/str.h"
#include "db/conn.h"

/* Where the user's things of this project are written: c itself, or its overlay, opened (and
 * made) now and closed with c. */
enum status user_conn(struct conn *c, struct conn **out, struct err *err);

/* *value: owned by the caller. E_NOT_FOUND when it was never set. In a read-only project the
 * overlay's word counts before the project's. */
enum status user_setting_get(struct conn *c, const char *key, char **value, struct err *err);
enum status user_setting_set(struct conn *c, const char *key, struct str value, struct err *err);

#endif
