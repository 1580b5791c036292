/*
 * app: the living screen. It owns everything that lives as long as a project is open and is
 * touched by one thread only. Keys go in (app_key), become commands, commands give reactions,
 * reactions are settled, and app_draw() makes the frame. The loop that feeds it is loop.h, the
 * one that feeds it from a script is script.h.
 */
#ifndef QUALM_TUI_APP_H
#define QUALM_TUI_APP_H

#include "core/base/job.h"
#include "db/conn.h"
#include "tui/ask_filter.h"
#include "tui/asking.h"
#include "tui/choice.h"
#include "tui/cmd.h"
#include "tui/conditions.h"
#include "tui/edit.h"
#include "tui/find.h"
#include "tui/grow.h"
#include "tui/jump.h"
#include "tui/keymap.h"
#include "tui/meter.h"
#include "tui/narrow.h"
#include "tui/options.h"
#include "tui/partial.h"
#include "tui/picks.h"
#include "tui/prompt.h"
#include "tui/rows.h"
#include "tui/shelf.h"
#include "tui/sieve.h"
#include "tui/term/term.h"
#include "tui/term/theme.h"
#include "tui/view/columns.h"
#include "tui/view/matrix.h"
#include "tui/view/pictures.h"
#include "tui/view/sheet.h"
#include "tui/view/view.h"

struct app {
	const struct cli *cli; /* borrowed */
	struct conn *conn;
	struct scene scene;
	struct rows *rows; /* of the scene's dataset; NULL without one */
	struct option_values options;
	struct theme theme;
	struct term *term;
	struct narrow narrow;
	struct partial partial;
	struct conditions conditions;
	struct picks picks; /* of the popup that is open */
	struct sieve *sieve;
	struct intervals_known *intervals_known; /* owned (core/report/intervals.h) */
	struct find find;
	struct meters meters;
	struct shelf shelf;
	char *cluster; /* owned: the facet whose values Classes' bootstrap draws whole; NULL: samples */
	char *table_by[2]; /* owned: how Runs and Classes group (tables.h); NULL: as is usual there */
	struct columns columns; /* of the list */
	struct matrix_look matrix;
	uint64_t columns_version; /* goes up when they change */
	struct exporting *exporting; /* what is being written; NULL: nothing */
	struct import_state *importing; /* import_screen.h; NULL: nothing was imported yet */
	struct list_column column_moved; /* the cursor of their list goes there; N_COLUMNS: it stays */
	struct grow grow;
	struct asking asking;
	struct labels_look *labels; /* labels_screen.h; NULL: not asked for yet */
	struct pool *pool;
	struct decoder *decoder;
	struct media_cache *cache; /* NULL without a home */
	struct pictures *pictures;
	struct sheet *sheet;
	struct keymap keys;
	struct view *top;
	struct prompt prompt;
	struct ask_filter ask;
	struct edit edit;
	struct choice_due choice_due;
	struct jumps jumps;
	struct buf message; /* until the next key */
	enum style message_style;
	uint32_t pending[KEYMAP_MAX_KEYS]; /* keys typed of a longer one */
	int n_pending;
	unsigned reactions; /* since the last draw */
	bool dirty, quit, headless, been_here; /* been_here: before, in this project */
	bool locked; /* the last frame lacks what another program would not let us read */
	int64_t now; /* of this frame, milliseconds */
	uint32_t rests_on; /* the sample */
	const struct view_class *rests_in;
	int64_t rests_since; /* milliseconds; 0: its place is kept */
	int wake_ms; /* a view wants to be drawn again after so long; -1 = none does */
	struct cells grid;
	struct placed_picture placed; /* what the terminal shows now; its bytes are owned */
	char *placed_bytes;
};

/* `qualm FILE.qualm`: opens, runs the loop or the script, closes. Returns an enum exit_status;
 * messages about what failed before or after the screen go to stderr. */
int app_run(struct cli *cli, const char *project);

/* The same in steps, for scripts and tests. app_close() is due whatever app_open() returns. */
enum status app_open(struct app *app, const struct cli *cli, const char *project, struct err *err);
enum status app_open_term(struct app *app, struct err *err);
void app_close(struct app *app);
void app_key(struct app *app, uint32_t key);
/* Runs "NAME ARGS". False: there is no such command here; a message says so. */
bool app_exec(struct app *app, struct str text);
/* While another program holds the project (a conn_wait_fn; ctx: the app): says so over the frame
 * as it is. */
bool app_waiting(void *ctx, int64_t waited);
/* Updates the views, draws them and shows the frame: what cannot be read just now is left out, a
 * message says so, and wake_ms brings the next try. now: milliseconds of any clock. */
void app_draw(struct app *app, int64_t now);
/* The terminal's size or abilities have changed. */
void app_resize(struct app *app);
void app_caps(struct app *app);
/* An option has another value. When it cannot be used nothing is changed. */
enum status app_use_option(struct app *app, enum option_id id, struct err *err);
int64_t app_clock(void); /* monotonic milliseconds */

/* --- for commands and views --- */

void app_message(struct app *app, enum style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The command goes to the top view and falls through; REACT_UNHANDLED when none wants it. */
unsigned app_view_command(struct app *app, const char *name, struct str args);
void app_push(struct app *app, const struct view_class *class);
void app_push_view(struct app *app, struct view *view); /* takes view */
/* Closes the top view; false when it is the last one. */
bool app_pop(struct app *app);
/* The topmost view that is no popup. */
struct view *app_main_view(const struct app *app);
/* Opens another dataset of the project (by its place in the list of names). */
enum status app_load(struct app *app, const char *dataset, struct err *err);
/* The filter and the base that the present dataset had when it was left. What does not apply any
 * more is left out, and a message says so. */
void app_return_filter(struct app *app);
/* Once a turn of the loop: a place where one rests is remembered. Milliseconds until it wants to
 * be called again, -1 = whenever. */
int app_rest(struct app *app, int64_t now);
/* The same with its snapshot, which it takes. */
void app_take(struct app *app, struct snapshot *snap);
/* Remembers dataset, sample, filter and view for the next start. */
void app_keep_place(struct app *app);
/* The sample of this ordinal becomes the current one; where the list does not show it, the next
 * one that it shows. */
void app_go(struct app *app, uint32_t ord);

#endif
