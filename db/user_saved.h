/*
 * user_saved: filters that were given a name, with all that belongs to them: lens, runs, panel,
 * view, order of the list. What `state` says is the screen's own affair (JSON); here it is a text.
 * They live where the user's things live, and their changes are edits like any other: in the
 * journal, undone and redone by user_undo() and user_redo().
 */
#ifndef QUALM_DB_USER_SAVED_H
#define QUALM_DB_USER_SAVED_H

#include "db/user.h"

#define USER_SAVED_NAME_MAX  128   /* bytes */
#define USER_SAVED_STATE_MAX 65536 /* bytes */
#define USER_SAVED_MAX       1000  /* filters of one dataset; more are not listed */

struct user_saved {
	struct str name, filter, state, created;
	bool fixed; /* the read-only project's: cannot be changed */
};

/* Oldest first; all texts in the arena. In a read-only project those of the overlay stand before
 * those of the project that have the same name. */
enum status user_saved_list(struct conn *c, const char *dataset, struct user_saved **out, size_t *n,
			    struct arena *arena, struct err *err);
/* OK when `name` can be a name: valid UTF-8, visible, no blanks around it; else E_USAGE. */
enum status user_saved_name(struct str name, struct err *err);

struct user_saving {
	bool drop; /* the filter of this name goes; else it is what follows */
	struct str name, filter, state;
	struct str created; /* n = 0: now */
};
/* All of them and their journal row in one transaction; label as for user_edit(). On failure
 * nothing has changed. done->saved: something has. */
enum status user_saved_edit(struct user *u, const char *label, const struct user_saving *changes,
			    size_t n_changes, struct user_done *done, struct err *err);

#endif
