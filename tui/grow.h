/*
 * grow: how the screen's snapshot comes and goes. A snapshot never changes (snapshot.h); another
 * one takes its place, on the screen's thread, between two frames.
 *
 * The first one holds all of a small dataset, but of a large one only what the first screen
 * shows: samples, layers, facets, and the runs a and b. It is painted at once, a worker loads the
 * whole one meanwhile, and the runs that are not there yet are shown as a sign of waiting.
 * Moving is all that can be done so long: every other command, every filter and every view that
 * is not `early` loads the rest there and then (grow_whole()), so that nothing is ever counted
 * over what is missing.
 *
 * When another process has imported something, the project's generation is another: a worker
 * loads the new snapshot, a message tells what is new, and the cursor, a, b, the panel, sort,
 * filter, base and marks stay. While one types or chooses from a list it waits.
 *
 * The generation is looked at when something was written to the file (watch.h), so that nothing
 * ticks while nothing happens, and with a key when the last look is LOOK_MS ago, for file systems
 * that tell nothing. A look reads 16 bytes of the file as long as nobody has written.
 */
#ifndef QUALM_TUI_GROW_H
#define QUALM_TUI_GROW_H

#include "core/base/watch.h"
#include "core/model/snapshot.h"
#include "db/column.h"

struct app;

struct grow {
	struct watch watch;
	struct snapshot *next; /* owned: it waits until nothing is typed or chosen; NULL: none */
	size_t n_datasets;     /* as of the last look */
	size_t next_datasets;
	bool loading, due;     /* due: something was written */
	int64_t looked_at;     /* milliseconds */
	int64_t refused;       /* the generation that could not be loaded; 0 = none */
	int64_t hold_until;    /* milliseconds: what we write ourselves is not looked at sooner */
	bool quiet;            /* it was we who wrote: nobody needs to be told */
};

/* For snapshot_load_part(): the runs of the first screen. */
struct snapshot_part grow_first(struct app *app);
/* The screen is open: from now on growth is looked for. */
void grow_start(struct app *app);
/* A dataset's first snapshot is there: its rest is loaded, and what was being loaded before is for
 * nothing. */
void grow_begin(struct app *app);
void grow_release(struct app *app);
/* Once a turn of the loop. Milliseconds until it wants to be called again, -1 = whenever. */
int grow_tick(struct app *app, int64_t now);
/* The next tick looks, however little time has passed. */
void grow_look(struct app *app);
/* To poll for reading beside the others; -1: none, or not now. */
int grow_fd(const struct app *app);
/* Loads here what is missing of the snapshot. False: it could not, and a message says why. */
bool grow_whole(struct app *app);
/* Can the command run over a partial snapshot? */
bool grow_is_early(const char *command);

#endif
