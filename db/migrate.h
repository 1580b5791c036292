/*
 * migrate: the versions of the project file. A new file gets schema.sql at once; an older one
 * climbs by migrate-N.sql (from version N - 1 to N), all in one transaction. Every path must
 * end in the same schema.
 */
#ifndef QUALM_DB_MIGRATE_H
#define QUALM_DB_MIGRATE_H

#include "db/conn.h"

#define PROJECT_VERSION 2

struct embedded {
	const char *name, *text;
};

struct ladder {
	int version;                  /* the newest */
	const char *schema;           /* makes it from nothing */
	const struct embedded *steps; /* named "migrate-N"; ends with a NULL name */
	int readable; /* the oldest version that can be read as it is; 0: the newest alone */
};

extern const struct ladder project_ladder;

/* READABLE: old, but as it is it can be read. */
enum file_state { FILE_BLANK, FILE_OLD, FILE_READABLE, FILE_CURRENT };

/* What kind of file this is. E_FORMAT: not a project; E_NEWER: from a newer qualm. */
enum status migrate_look(struct conn *c, const struct ladder *ladder, enum file_state *state,
			 struct err *err);
/* Brings a blank or old file to the newest version; *made tells whether it was blank. Another
 * process may have done it first: that is fine. On failure the file is as before. */
enum status migrate_up(struct conn *c, const struct ladder *ladder, bool *made, struct err *err);

#endif
