/*
 * edit: what the user says about samples, from the screen: which samples a command is about, the
 * prompt and the question before it, the words after it. What is kept and how is db/user.h.
 */
#ifndef QUALM_TUI_EDIT_H
#define QUALM_TUI_EDIT_H

#include "core/base/err.h"
#include "core/base/str.h"
#include "db/user_saved.h"
#include "tui/view/scene.h"

struct app;

/* Signs of the prompts (prompt.h). */
#define PROMPT_NOTE 'c'
#define PROMPT_TAG  't'

#define EDIT_ASK_ABOVE 1000 /* samples: more are changed only after a y */

enum targets_from { FROM_CURSOR, FROM_RANGE, FROM_MARKS, FROM_SHOWN };

/* The samples that a command is about. */
struct targets {
	uint32_t *ords; /* owned: n, ascending */
	size_t n;
	enum targets_from from;
};
/* The range when there is one; after `;` all marked that are shown, or else all shown; else the
 * current sample. The list must show one (edit_ready()).
 * The range and the `;` are used up. Owned by the caller. */
struct targets targets_take(struct app *app);
/* How many marked samples the list shows. */
uint32_t targets_marked(const struct scene *s);
void targets_release(struct targets *t);
/* "face_001", "12 samples". */
void targets_name(struct app *app, const struct targets *t, struct buf *out);

enum wish_kind { WISH_NONE, WISH_NOTE, WISH_TAG, WISH_UNTAG, WISH_MARK, WISH_UNMARK };

/* An edit that is being typed, asked about or carried out. */
struct wish {
	enum wish_kind kind;
	struct targets to;
	char *text;   /* owned: the note; the tags, blanks between */
	int64_t note; /* the one to change; 0 = a new one */
};

struct edit {
	struct user *user; /* owned; NULL without a dataset, or when it could not be read */
	bool all;          /* `;` was typed: the next command takes all */
	bool all_now;      /* by the command that runs now */
	struct wish wish;
	struct buf question; /* asked now; empty: none */
	size_t adoptable; /* from when the project was read-only */
	unsigned (*asked)(struct app *app, bool yes); /* takes the answer; NULL: it is about wish */
	uint32_t stood_on;
	int64_t stood_since, kept_at, looked_at; /* milliseconds; 0 = not yet */
	bool due; /* something was written since, or the last look found somebody writing */
};

/* The user's things of the dataset that was just loaded. What fails becomes a message. */
void edit_load(struct app *app);
void edit_release(struct app *app);
/* Another snapshot of the same dataset: what is typed and asked stays. */
void edit_renew(struct app *app);
/* Once a turn of the loop: what was stood on for a second was seen; another program's edits come
 * to light. Milliseconds until it wants to be called again, -1 = whenever. */
int edit_tick(struct app *app, int64_t now);

/* Takes `wish` and does it, or asks first when it is about many. Reactions. */
unsigned edit_do(struct app *app, struct wish wish);
/* Opens the prompt for it; text: what stands there at first. */
unsigned edit_prompt(struct app *app, char sign, struct wish wish, struct str text);
/* The prompt was closed with Enter: false when it must stay open, and a message says why. */
bool edit_accept(struct app *app, struct str text);
void edit_cancel(struct app *app);
unsigned edit_answer(struct app *app, bool yes);
/* Asks in the bottom line; then(): y or n. It returns reaction bits. */
void edit_ask(struct app *app, unsigned (*then)(struct app *app, bool yes), const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* An edit of saved filters; false when it has failed or changed nothing, and a message says so. */
bool edit_saved(struct app *app, const char *label, const struct user_saving *list, size_t n);
/* In the prompt for tags: the tags that begin like the last word, in the line above; Tab. */
void edit_typing(struct app *app);
void edit_complete(struct app *app);
/* Is there anything to edit? A message says no. */
bool edit_ready(struct app *app);
/* After every command, also one that another one runs: a `;` is for one command only. */
void edit_after(struct app *app);
/* Runs fn, one of user_undo and user_redo. */
unsigned edit_turn(struct app *app, const char *word,
		   enum status (*fn)(struct user *, struct user_done *, struct err *));

#endif
