/*
 * user: the user's own things: settings, notes, tags, marks, what was seen. They live in the
 * project; those of a read-only project live in an overlay, $XDG_DATA_HOME/qualm/<project
 * uuid>.qualm, which is a project file without datasets, so that it climbs the same ladder of
 * versions.
 *
 * struct user holds them in memory for one dataset. It belongs to one thread, like its conn.
 * Samples are named by ordinal here and by key in the file.
 */
#ifndef QUALM_DB_USER_H
#define QUALM_DB_USER_H

#include "core/base/arena.h"
#include "core/base/str.h"
#include "db/conn.h"

/* Where the user's things of this project are written: c itself, or its overlay, opened (and
 * made) now and closed with c. */
enum status user_conn(struct conn *c, struct conn **out, struct err *err);

/* *value: owned by the caller. E_NOT_FOUND when it was never set. In a read-only project the
 * overlay's word counts before the project's. */
enum status user_setting_get(struct conn *c, const char *key, char **value, struct err *err);
enum status user_setting_set(struct conn *c, const char *key, struct str value, struct err *err);

/* --- what there is --- */

struct user;

struct user_tag {
	char *name;
	uint32_t *ords; /* ascending */
	uint32_t n, cap;
};

struct user_things {
	uint64_t version;       /* goes up with every change */
	uint32_t n;             /* samples of the dataset */
	uint8_t *marked, *seen; /* [n] 0/1 */
	uint16_t *notes;        /* [n] how many */
	uint32_t n_marked, n_noted, n_seen; /* samples */
	struct user_tag *tags;  /* n_tags, by name; none is empty */
	uint32_t n_tags;
};

/* dataset, name, n: of the loaded snapshot. Borrows c. In a read-only project notes and tags are
 * the project's and the overlay's together; marks and seen are the overlay's alone. */
enum status user_open(struct user **out, struct conn *c, int64_t dataset, const char *name,
		      uint32_t n, struct err *err);
void user_close(struct user *u); /* NULL is fine */
const struct user_things *user_things(const struct user *u); /* borrowed; always the latest */
bool user_has_tag(const struct user_tag *tag, uint32_t ord);
/* Looks, without waiting, whether another process has changed the file, and loads again if so. */
enum status user_refresh(struct user *u, bool *changed, struct err *err);

struct user_note {
	int64_t id;
	struct str text, author, created, changed;
	bool fixed; /* the read-only project's: cannot be changed */
};
/* Oldest first. */
enum status user_notes(struct user *u, uint32_t ord, struct user_note **out, size_t *n,
		       struct arena *arena, struct err *err);
/* Who writes: $USER, $LOGNAME or the system's word; may be "". Borrowed from u. */
const char *user_author(const struct user *u);

/* --- edits --- */

/* From USER_SAVE on: steps of the journal alone (user_saved.h, labels.h). */
enum user_what { USER_TAG, USER_UNTAG, USER_MARK, USER_UNMARK, USER_NOTE, USER_UNNOTE, USER_SAVE,
		 USER_UNSAVE, USER_LABEL, USER_UNLABEL };

struct user_change {
	enum user_what what;
	const uint32_t *ords; /* n, ascending; borrowed */
	size_t n;
	struct str text; /* the tag's name, the note's text */
	int64_t note;    /* USER_NOTE: 0 = a new one each, else changes this one of ords[0];
			    USER_UNNOTE: which */
};

#define USER_LABEL_MAX 256
#define USER_UNDO_MAX  1000  /* edits of a dataset that can be taken back */
#define USER_NOTE_MAX  65536 /* bytes of one note */
#define USER_TAG_MAX   128   /* bytes of a tag's name */

/* What an edit of the label map has moved. */
struct label_moves {
	uint64_t placed, freed; /* answers that have got the map's class; that have lost it */
	uint64_t runs;		/* that have such answers */
	uint64_t truths;	/* samples' sets that are others now */
	uint64_t options;	/* sets of options */
};

struct user_done {
	uint32_t n;     /* samples that are different now; 0: nothing was to be done */
	uint32_t first; /* the first of them */
	char label[USER_LABEL_MAX];
	bool saved;     /* saved filters are different now */
	bool labels;    /* the label map is different now */
	struct label_moves moves;
};

/* Edits of the label map, and undo and redo of them, look at answers: at many for a while. */
struct label_watch {
	void *ctx;
	bool (*passed)(void *ctx, uint64_t done, uint64_t all); /* answers; false gives up. May be NULL */
	const struct cancel *cancel; /* may be NULL */
	const char *closed; /* why the map must stay as it is for now; NULL: it need not */
};
/* For all edits from now on; borrowed. E_CANCELLED: given up, and nothing has changed. */
void user_watch(struct user *u, const struct label_watch *watch);

/* All changes and their journal row in one transaction. label: what undo will say, "tag 12
 * samples: blurry". On failure nothing has changed, neither in the file nor in memory. E_USAGE
 * for a text that can be no tag or note. Waits for other writers as the conn does. */
enum status user_edit(struct user *u, const char *label, const struct user_change *changes,
		      size_t n_changes, struct user_done *done, struct err *err);
/* The last edit of this dataset is taken back, or done again; also after a restart. A new edit
 * drops what was undone. E_NOT_FOUND when there is none. E_BUSY: it is one of the label map, which
 * the watch says is closed. */
enum status user_undo(struct user *u, struct user_done *done, struct err *err);
enum status user_redo(struct user *u, struct user_done *done, struct err *err);
/* OK when `name` can be a tag: valid UTF-8 without blanks and control characters that does not
 * begin with "-"; else E_USAGE with the reason. */
enum status user_tag_name(struct str name, struct err *err);

/* Of a project that was read-only and is not any more: how many notes, tags and marks lie in its
 * overlay that it has not, and did not have when they were taken over last. 0 for a read-only one. */
enum status user_adoptable(struct user *u, size_t *n, struct err *err);
/* They become the project's by one edit. E_NOT_FOUND: there are none. */
enum status user_adopt(struct user *u, struct user_done *done, struct err *err);

/* The sample was looked at: at once in memory, in the file by user_keep_seen(), which does not
 * wait for other writers (E_BUSY: later again). Not an edit: there is nothing to undo. */
void user_see(struct user *u, uint32_t ord);
enum status user_keep_seen(struct user *u, struct err *err);

#endif
