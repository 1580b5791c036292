/* What the files that keep the user's things share. Not for other rooms. */
#ifndef QUALM_DB_USER_IMPL_H
#define QUALM_DB_USER_IMPL_H

#include "core/base/vec.h"
#include "db/conn_impl.h"
#include "db/labels.h"
#include "db/user_saved.h"

struct user {
	struct conn *c; /* the project: it knows the samples' keys */
	int64_t dataset;
	char *name, *author;
	struct user_things things;
	VEC(uint32_t) unkept; /* seen, not yet in the file */
	/* PRAGMA data_version of project and overlay as of the last look; -1 = load again */
	int64_t version, own_version;
	bool seen_off; /* what was seen cannot be kept here */
	const struct label_watch *watch; /* may be NULL */
	struct label_moves moves; /* by the steps that ran last */
};

/*
 * step: one change to the file, as it is run, as it lies in the journal (step_json.c) and as it
 * is shown in memory. Of n samples: a bulk edit is one step.
 */
struct step {
	enum user_what what;
	VEC(uint32_t) ords;           /* ascending */
	struct str name;              /* of a tag, of a saved filter; what a label says */
	struct str at;                /* USER_TAG: created */
	int64_t id;                   /* notes: of the first sample's; the k-th sample's has id + k;
					 USER_LABEL: the class's ordinal */
	struct str text, author, created, changed; /* USER_NOTE; USER_SAVE: text is the filter */
	struct str state;             /* USER_SAVE */
};

struct steps {
	struct arena arena; /* of the texts */
	VEC(struct step) list;
};

struct step *steps_add(struct steps *s, const struct step *like); /* texts copied, no samples */
void steps_release(struct steps *s);

/* Runs `in` on `where`, inside a transaction. Appends to done what really changed (a sample that
 * had the tag already is left out), and to undo what takes it back, to be run from the last to
 * the first. */
enum status steps_run(struct user *u, struct conn *where, const struct steps *in,
		      struct steps *done, struct steps *undo, struct err *err);
void steps_json(const struct steps *s, bool reversed, struct buf *out);
/* E_FORMAT: it is no list of steps over n samples. */
enum status steps_parse(struct str json, uint32_t n, struct steps *out, struct err *err);
/* Brings memory up to date with steps that were committed. */
void things_show(struct user *u, const struct steps *steps);

void user_now(char out[32]); /* ISO 8601, UTC */
int user_by_number(const void *a, const void *b); /* for qsort, of uint32_t */

/* Saved filters and labels are about no samples: steps of their own kind. */
static inline bool step_is_saved(const struct step *s)
{
	return s->what == USER_SAVE || s->what == USER_UNSAVE;
}
static inline bool step_is_label(const struct step *s)
{
	return s->what == USER_LABEL || s->what == USER_UNLABEL;
}
enum status saved_check(const struct user_saving *v, struct err *err);
/* Appends to undo what takes the step back, unless it changes nothing. */
enum status saved_run(struct user *u, struct conn *where, const struct step *step,
		      struct steps *undo, bool *changed, struct err *err);
/* The same of a step about the label map. E_FORMAT: its class is not there. */
enum status label_run(struct user *u, struct conn *where, const struct step *step,
		      struct steps *undo, bool *changed, struct err *err);

/* What those of `done` that are about labels do to answers and truths (relabel.h); u->moves tells
 * what was moved. */
enum status relabel(struct user *u, struct conn *where, const struct steps *done, struct err *err);

/* --- an edit: its steps, those that changed something, and those that take it back --- */

struct edit_steps {
	struct user *u;
	struct conn *where;
	struct steps in, done, undo;
};

void edit_steps_release(struct edit_steps *e);
/* e->in and the journal's row in one transaction. label: what undo will say. */
enum status edit_steps_run(struct edit_steps *e, const char *label, const char *now,
			   struct user_done *done, struct err *err);

enum status things_load(struct user *u, struct err *err);
void things_release(struct user_things *t);

/* fn for each sample of ords that the project has, with its key; k: its place in ords. */
typedef enum status (*sample_fn)(void *ctx, size_t k, struct str key, struct err *err);
enum status user_each_key(struct user *u, const uint32_t *ords, size_t n, sample_fn fn, void *ctx,
			  struct err *err);

#endif
