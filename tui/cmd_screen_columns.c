/* Commands about the columns of the list: which, in what order, how wide; and by which it is
 * sorted. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/cmd_screen.h"
#include "tui/column_choice.h"
#include "tui/view/browse.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

typedef VEC(struct list_column) column_list;

static bool same(const struct list_column *a, const struct list_column *b)
{
	return a->id == b->id && a->of == b->of;
}

static int place_in(const struct columns *columns, const struct list_column *c)
{
	for (int i = 0; i < columns->n; i++)
		if (same(&columns->v[i], c))
			return i;
	return -1;
}

/* --- what there is to choose from --- */

/* Does any run have numbers of this name? When that cannot be read, it may. */
static bool has_number(struct app *app, enum column_id id)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);

	for (size_t i = 0; ctx && i < ctx->source->n_numbers; i++)
		if (strcmp(ctx->source->numbers[i], column_name(id)) == 0)
			return true;
	return !ctx;
}

static void offer(const struct app *app, struct list_column c, column_list *out)
{
	if (column_there(&app->scene, &c) && place_in(&app->columns, &c) < 0)
		vec_push(out, c);
}

static void offer_kind(struct app *app, enum column_id id, column_list *out)
{
	const struct snapshot *snap = app->scene.snap;

	offer(app, (struct list_column){.id = id, .of = id == COLUMN_VERDICT ? COLUMN_OF_AB : -1}, out);
	if (column_of(id) == OF_A_RUN)
		offer(app, (struct list_column){.id = id, .of = COLUMN_OF_B}, out);
	for (uint32_t l = 0; column_of(id) == OF_A_LAYER && l < snap->n_layers; l++)
		offer(app, (struct list_column){.id = id, .of = (int)l}, out);
}

/* The list as it is, then all else. */
static void all_columns(struct app *app, column_list *out)
{
	const struct snapshot *snap = app->scene.snap;
	bool has[N_COLUMNS];

	for (int i = 0; i < app->columns.n; i++)
		vec_push(out, app->columns.v[i]);
	for (int id = 0; id < COLUMN_FACET; id++) {
		has[id] = !column_is_number((enum column_id)id) || has_number(app, (enum column_id)id);
		if (has[id])
			offer_kind(app, (enum column_id)id, out);
	}
	for (uint32_t f = 0; f < snap->n_facets; f++)
		offer(app, (struct list_column){.id = COLUMN_FACET, .of = (int)f}, out);
	for (uint32_t r = 0; r < snap->n_runs; r++)
		for (int id = 0; id < COLUMN_FACET; id++)
			if (has[id] && (column_of((enum column_id)id) == OF_A_RUN ||
					column_of((enum column_id)id) == OF_BOTH_RUNS))
				offer(app, (struct list_column){.id = (enum column_id)id, .of = (int)r},
				      out);
}

static void gather(struct app *app, struct chooser *c)
{
	column_list all = {0};

	all_columns(app, &all);
	for (size_t i = 0; i < all.n; i++) {
		struct list_column column = all.v[i];
		bool in = i < (size_t)app->columns.n;
		struct buf name = BUF_INIT;
		char width[16] = "";

		if (in && column.width)
			snprintf(width, sizeof width, "%d wide", column.width);
		column.width = 0;
		column_format(&app->scene, &column, false, &name);
		chooser_add(c, &(struct choice){sign(in ? SIGN_MARKED : SIGN_DOT), buf_cstr(&name),
						column_help(column.id), width});
		if (app->column_moved.id < N_COLUMNS && same(&column, &app->column_moved))
			chooser_follow(c, (uint32_t)i);
		buf_release(&name);
	}
	app->column_moved.id = N_COLUMNS;
	vec_release(&all);
}

/* --- changing the list --- */

/* The usual list, too, once it is changed: then nothing is left out any more. */
static struct columns to_change(const struct app *app)
{
	struct columns columns = app->columns;

	columns.chosen = true;
	for (int i = 0; i < columns.n; i++)
		columns.v[i].least = columns.v[i].from = 0;
	return columns;
}

static unsigned toggle(struct app *app, uint32_t at)
{
	struct columns columns = to_change(app);
	column_list all = {0};
	struct list_column c;

	all_columns(app, &all);
	c = all.v[at];
	vec_release(&all);
	if (at >= (uint32_t)columns.n && columns.n == COLUMNS_MAX) {
		app_message(app, STYLE_MESSAGE, "a list has %d columns at most", COLUMNS_MAX);
		return REACT_REDRAW;
	}
	if (at >= (uint32_t)columns.n) {
		columns.v[columns.n++] = c;
	} else if (columns.n == 1) {
		app_message(app, STYLE_MESSAGE, "the list keeps one column at least");
		return REACT_REDRAW;
	} else {
		columns.n--;
		memmove(columns.v + at, columns.v + at + 1,
			(size_t)(columns.n - (int)at) * sizeof *columns.v);
	}
	app->column_moved = c;
	return column_choice_set(app, &columns);
}

static unsigned leave(struct app *app, uint32_t at)
{
	(void)app;
	(void)at;
	return REACT_REDRAW;
}

static unsigned move(struct app *app, int at, int by)
{
	struct columns columns = to_change(app);
	struct list_column c = columns.v[at];
	int to = at + by;

	if (to < 0 || to >= columns.n)
		return REACT_NONE;
	columns.v[at] = columns.v[to];
	columns.v[to] = c;
	app->column_moved = c;
	return column_choice_set(app, &columns);
}

static int width_now(struct app *app, int at)
{
	const struct view *v = app_main_view(app);
	struct column_widths widths = {.key = 12, .texts = true};
	struct column_place place[COLUMNS_MAX];

	if (app->columns.v[at].width)
		return app->columns.v[at].width;
	if (v->class->digit == browse_view.digit)
		return browse_column_width(v, at);
	column_choice_forms(app, &app->columns, widths.form);
	columns_place(app->grid.w, &app->scene, &app->columns, &widths, place);
	return place[at].w;
}

static unsigned widen(struct app *app, int at, int by)
{
	struct columns columns = to_change(app);
	int w = by ? width_now(app, at) + by : 0;

	if (by && (w < 1 || w > 500))
		return REACT_NONE;
	columns.v[at].width = w;
	return column_choice_set(app, &columns);
}

static const struct {
	const char *command;
	int move, widen; /* widen 0 and move 0: as is needed */
} changes[] = {
    {"column-earlier", -1, 0}, {"column-later", 1, 0}, {"column-wider", 0, 1},
    {"column-narrower", 0, -1}, {"column-auto", 0, 0},
};
enum { N_CHANGES = sizeof changes / sizeof *changes };

static unsigned on_line(struct app *app, const char *name, struct str args, uint32_t at)
{
	(void)args;
	for (int k = 0; k < N_CHANGES; k++) {
		if (strcmp(name, changes[k].command) != 0)
			continue;
		if (at >= (uint32_t)app->columns.n) {
			app_message(app, STYLE_MESSAGE, "the column is not in the list: Space takes it in");
			return REACT_REDRAW;
		}
		return changes[k].move ? move(app, (int)at, changes[k].move)
				       : widen(app, (int)at, changes[k].widen);
	}
	return REACT_UNHANDLED;
}

static uint64_t version(struct app *app)
{
	return app->columns_version;
}

static unsigned do_columns(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "columns of the list",
						 .nothing = "there is nothing to show",
						 .gather = gather,
						 .accept = leave,
						 .toggle = toggle,
						 .class = &chooser_columns_view,
						 .command = on_line,
						 .version = version};
	struct columns columns;
	struct err err = ERR_INIT;

	if (!app->scene.snap)
		return REACT_NONE;
	app->column_moved.id = N_COLUMNS;
	if (!args.n)
		return app->top->class == spec.class ? REACT_NONE : chooser_open(app, &spec);
	if (str_eqz(args, "usual")) {
		columns_usual(&columns);
		return column_choice_set(app, &columns);
	}
	if (columns_parse(args, &app->scene, &columns, &err) == OK)
		return column_choice_set(app, &columns);
	app_message(app, STYLE_WARNING, "%s", err.msg);
	return REACT_REDRAW;
}
const struct command cmd_columns = {
	.name = "columns", .args = "[NAME,... | usual]", .group = "Columns",
	.help = "choose the columns of the list, their order and width", .screen = do_columns,
};

static unsigned in_list(struct app *app, const char *name)
{
	unsigned r = app_view_command(app, name, STR_NONE);

	if (r & REACT_UNHANDLED) {
		app_message(app, STYLE_MESSAGE, "which column? C lists them");
		return REACT_REDRAW;
	}
	return r;
}

#define COLUMN_COMMAND(id, command_name, command_help)                                             \
	static unsigned do_##id(struct app *app, struct str args)                                  \
	{                                                                                          \
		(void)args;                                                                        \
		return in_list(app, command_name);                                                 \
	}                                                                                          \
	const struct command cmd_##id = {.name = command_name,                                     \
					 .args = "",                                               \
					 .group = "Columns",                                       \
					 .help = command_help,                                     \
					 .screen = do_##id}

COLUMN_COMMAND(column_earlier, "column-earlier", "the column goes a place to the left");
COLUMN_COMMAND(column_later, "column-later", "the column goes a place to the right");
COLUMN_COMMAND(column_wider, "column-wider", "the column becomes wider");
COLUMN_COMMAND(column_narrower, "column-narrower", "the column becomes narrower");
COLUMN_COMMAND(column_auto, "column-auto", "the column is as wide as is needed");

/* --- order --- */

typedef VEC(struct sort) sort_list;

static bool same_sort(const struct sort *a, const struct sort *b)
{
	return a->by == b->by && a->facet == b->facet && a->of == b->of;
}

static void offer_sort(struct sort sort, sort_list *out)
{
	for (size_t i = 0; i < out->n; i++)
		if (same_sort(&out->v[i], &sort))
			return;
	vec_push(out, sort);
}

/* The table, the facets, and what columns there are of other runs and layers. */
static void all_sorts(struct app *app, sort_list *out)
{
	const struct scene *s = &app->scene;

	for (int k = 0; k < SORT_FACET; k++)
		if (!sort_is_number((enum sort_by)k) ||
		    has_number(app, (enum column_id)(COLUMN_SCORE + (k - SORT_SCORE))))
			offer_sort((struct sort){.by = (enum sort_by)k, .facet = -1}, out);
	for (uint32_t f = 0; f < s->snap->n_facets; f++)
		offer_sort((struct sort){.by = SORT_FACET, .facet = (int)f}, out);
	for (int i = 0; i < app->columns.n; i++)
		offer_sort(column_sort(s, &app->columns.v[i]), out);
	offer_sort((struct sort){.by = s->sort.by, .facet = s->sort.facet, .of = s->sort.of}, out);
}

static void add_sort(const struct app *app, struct chooser *c, const struct sort *sort, bool now)
{
	const struct snapshot *snap = app->scene.snap;
	struct choice choice = {"", sort_title(sort->by), sort_help(sort->by), ""};
	struct buf name = BUF_INIT;

	if (sort->by == SORT_FACET) {
		choice.name = snap->facets[sort->facet].name;
		choice.detail = snap->facets[sort->facet].numeric ? "smallest first" : "by name";
	} else if (sort->of) {
		struct sort forward = *sort;

		forward.down = false;
		sort_format(&forward, snap, &name);
		choice.name = buf_cstr(&name);
	}
	if (now)
		choice.sign = sign(app->scene.sort.down ? SIGN_UP : SIGN_MORE);
	chooser_add(c, &choice);
	buf_release(&name);
}

static void gather_sorts(struct app *app, struct chooser *c)
{
	sort_list all = {0};

	all_sorts(app, &all);
	for (size_t i = 0; i < all.n; i++) {
		bool now = same_sort(&all.v[i], &app->scene.sort);

		if (now)
			chooser_start(c, (uint32_t)i);
		add_sort(app, c, &all.v[i], now);
	}
	vec_release(&all);
}

/* The column that is sorted by already turns round. */
static unsigned accept_sort(struct app *app, uint32_t at)
{
	sort_list all = {0};
	struct sort sort;

	all_sorts(app, &all);
	sort = all.v[at];
	vec_release(&all);
	if (same_sort(&sort, &app->scene.sort))
		sort.down = !app->scene.sort.down;
	return choice_sort(app, sort);
}

static unsigned do_sort(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "sort by; the same again: backwards",
						 .nothing = "there is nothing to sort by",
						 .gather = gather_sorts,
						 .accept = accept_sort};
	unsigned r = app_view_command(app, "sort", args); /* tables sort themselves */
	struct sort sort;

	if (!(r & REACT_UNHANDLED))
		return r;
	if (!app->scene.snap)
		return REACT_NONE;
	if (!args.n)
		return chooser_open(app, &spec);
	if (sort_parse(args, app->scene.snap, &sort))
		return choice_sort(app, sort);
	app_message(app, STYLE_WARNING, "there is no column or facet \"%.*s\" to sort by",
		    STR_ARG(args));
	return REACT_REDRAW;
}
const struct command cmd_sort = {
	.name = "sort", .args = "[COLUMN [down]]", .group = "Runs",
	.help = "sort the list by a column or a facet; a table by the cursor's column",
	.screen = do_sort,
};

_Static_assert((int)COLUMN_STEPS - (int)COLUMN_SCORE == (int)SORT_STEPS - (int)SORT_SCORE,
	       "columns of numbers and sorts by them are in the same order");
