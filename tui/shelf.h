/*
 * shelf: the filters that the user gave a name, and a few that are suggested for what is chosen
 * now. Each stands for a whole look: filter, lens, a, b, panel, view and order of the list; and
 * for a number of samples, which the sieve counts under the filter's own lens and runs.
 *
 * Lists and counts are brought up to date when a view that shows them asks (shelf_update()).
 */
#ifndef QUALM_TUI_SHELF_H
#define QUALM_TUI_SHELF_H

#include "core/base/arena.h"
#include "core/filter/filter.h"
#include "db/user_saved.h"
#include "tui/view/order.h"
#include "tui/view/view.h"

struct app;

/* What belongs to a filter. */
struct look {
	struct lens lens;
	int a, b; /* runs of the snapshot; -1 = none */
	int *panel, n_panel; /* owned */
	struct sort sort;
	const struct view_class *view; /* NULL: as it is */
	struct buf lost; /* what was saved and is not there any more: "run x, layer y" */
};
void look_release(struct look *l);
/* As the screen is now. */
void look_now(const struct app *app, struct look *out);
/* Appends it as JSON; look_read() reads it back. */
void look_write(const struct look *l, const struct snapshot *snap, struct buf *out);
/* What the text does not say, or says of what is gone, is as in `now`. */
void look_read(struct str json, const struct app *app, struct look *out);

enum shelf_count { SHELF_UNKNOWN, SHELF_ASKED, SHELF_COUNTED, SHELF_BROKEN };

struct shelf_item {
	const char *name, *filter; /* in the arena of their list */
	const char *state, *created;
	bool fixed;             /* the read-only project's */
	struct look look;       /* of saved ones; suggestions take the screen's */
	unsigned uses;          /* enum filter_use */
	enum shelf_count state_of_count;
	uint32_t n;             /* COUNTED: samples */
	char *problem;          /* owned; BROKEN: why it cannot be counted */
};

#define SHELF_SUGGESTIONS 10 /* at most */

struct shelf {
	uint64_t version; /* goes up when lists or counts change */
	struct arena arena;
	struct shelf_item *saved;
	size_t n_saved;
	struct arena suggested_arena;
	struct shelf_item suggested[SHELF_SUGGESTIONS];
	size_t n_suggested;
	bool suggested_shown[SHELF_SUGGESTIONS]; /* there are such samples; as of the last full count */
	/* what the lists were made of */
	const struct snapshot *snap;
	uint64_t things_version;
	struct look now;
	uint32_t strongest; /* 1 + the panel run of the highest accuracy; 0: not known yet */
	char *renaming, *pending; /* owned: the names that a prompt, a question is about */
};

void shelf_update(struct app *app);
/* The snapshot was replaced, or goes. */
void shelf_drop(struct app *app);
void shelf_release(struct app *app);

/* The panel's run of the highest accuracy is known now. */
void shelf_strongest(struct app *app, int run);

/* How many suggestions are shown, and the k-th of them. */
size_t shelf_n_suggested(const struct shelf *s);
const struct shelf_item *shelf_suggestion(const struct shelf *s, size_t k);
/* "18", "⋯" until it is counted, "–" when it cannot be. out holds at least 28 bytes; returned. */
const char *shelf_count_text(const struct shelf_item *item, char out[28]);

/* The filter with a and b written out; owned by the caller. */
char *shelf_written_out(struct app *app, const char *filter);

/* --- doing; reaction bits --- */

/* The filter with all that belongs to it; the view becomes the saved one. What is gone is said. */
unsigned shelf_apply(struct app *app, const struct shelf_item *item);
/* A suggestion narrows what there is: a, b, lens, order stay. */
unsigned shelf_suggest(struct app *app, const struct shelf_item *item);
const struct shelf_item *shelf_find(const struct shelf *s, struct str name); /* NULL: none */
/* What is on the screen now gets a name; asks before it replaces another. */
unsigned shelf_save(struct app *app, struct str name);
unsigned shelf_rename(struct app *app, struct str from, struct str to);
unsigned shelf_erase(struct app *app, struct str name);
/* Opens the prompt for a name; renaming: of this one, n = 0: of what is on the screen. */
unsigned shelf_ask_name(struct app *app, struct str renaming);
#define PROMPT_NAME '@' /* the prompt's sign */
unsigned shelf_named(struct app *app, struct str text); /* the prompt was closed with Enter */

#endif
