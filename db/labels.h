/*
 * db/labels: the label map of a dataset: the user's "this text means that class". Imports look into
 * it before the classes' own names (store_classes.c); what was imported before is not touched, but
 * importing its file again maps the answers that no class was found for.
 */
#ifndef QUALM_DB_LABELS_H
#define QUALM_DB_LABELS_H

#include "core/base/arena.h"
#include "db/conn.h"

struct label_row {
	struct str text;  /* as it was given */
	struct str name;  /* of the class */
};

/* Sorted by text; in the arena. */
enum status labels_list(struct conn *c, int64_t dataset, struct label_row **out, size_t *n,
			struct arena *arena, struct err *err);
/* which: a class's name, #index or wnid. Texts that differ in case or blanks around are one. E_USAGE:
 * there is no such class, or several bear the name; E_IO: read-only. */
enum status labels_put(struct conn *c, int64_t dataset, struct str text, struct str which,
		       struct err *err);
/* E_NOT_FOUND: it is not in the map. */
enum status labels_drop(struct conn *c, int64_t dataset, struct str text, struct err *err);

#endif
