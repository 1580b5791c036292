/*
 * db/labels: the label map of a dataset: the user's "this text means that class". Imports look into
 * it before the classes' own names (store_classes.c); what was imported before is not touched, but
 * importing its file again maps the answers that no class was found for.
 */
#ifndef QUALM_DB_LABELS_H
#define QUALM_DB_LABELS_H

#include "core/base/arena.h"
#include "db/user.h"

struct label_row {
	struct str text;  /* as it was given */
	struct str name;  /* of the class */
	uint32_t cls;     /* its ordinal */
};

/* Sorted by text; in the arena. */
enum status labels_list(struct conn *c, int64_t dataset, struct label_row **out, size_t *n,
			struct arena *arena, struct err *err);

struct labelling {
	bool drop;             /* the text goes; else it means what follows */
	struct str text;
	struct str which;      /* a class's name, #index or wnid */
};
/* All of them and their journal row in one transaction, to be taken back by user_undo(); label as
 * for user_edit(). Texts that differ in case or blanks around are one. On failure nothing has
 * changed. E_USAGE: there is no such class, or several bear the name; E_NOT_FOUND: the text that is
 * to go is not in the map; E_IO: read-only. done->labels: something has changed. */
enum status labels_edit(struct user *u, const char *label, const struct labelling *changes, size_t n,
			struct user_done *done, struct err *err);

#endif
