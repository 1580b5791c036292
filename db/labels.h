/*
 * db/labels: the label map of a dataset: the user's "this text means that class". Imports look into
 * it before the classes' own names (store_classes.c). An edit moves what is in the project already
 * as an import would place it now (relabel.h), in the edit's own transaction.
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
 * to go is not in the map; E_IO: read-only; E_BUSY: the watch says that it is closed. done->labels: something has changed. */
enum status labels_edit(struct user *u, const char *label, const struct labelling *changes, size_t n,
			struct user_done *done, struct err *err);

/* --- texts that mean no class --- */

#define LABELS_TEXTS_MAX 200000		       /* distinct ones that are told apart */
#define LABELS_BYTES_MAX ((size_t)64 << 20)    /* of them together */

struct label_text {
	struct str text; /* as it was met first; without blanks around */
	uint64_t n;	 /* answers */
};

struct label_tally {
	struct label_text *unplaced; /* [n], of the answers without a class: the most frequent first */
	size_t n;
	uint64_t answers; /* all that have a text and no class */
	uint64_t others;  /* of them: texts that are too long for the map, or came when it was full */
	uint64_t *placed; /* [rows of labels_list()]: answers that have their class from the map's row */
	size_t n_rows;
	int64_t generation; /* of the project */
};

/* What the answers of all runs say, under one view of the file; in the arena. watch may be NULL. */
enum status labels_tally(struct conn *c, int64_t dataset, const struct label_watch *watch,
			 struct label_tally *out, struct arena *arena, struct err *err);

/* *file: the last file of the dataset whose labels are not all kept, because the class list did not
 * have them: they come when it is imported again. Empty: there is none. In the arena. */
enum status labels_left_out(struct conn *c, int64_t dataset, struct str *file, struct arena *arena,
			    struct err *err);

#endif
