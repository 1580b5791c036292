/* home: the first screen of a project. The cursor goes over datasets and runs. */
#include "tui/view/home.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/term/link.h"
#include "tui/choice.h"
#include "tui/import_summary.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define IMPORTS_LOOKED_AT 200
#define IMPORTS_SHOWN     3  /* at least, of those that have something to say */
#define IMPORTS_KEPT      40 /* at most, where the screen has room for them */
/* Lines below which nothing is pinned to the bottom. */
#define PIN_FROM 14

struct home {
	struct view view;
	struct app *app; /* for done() of the surveys, and for close() */
	struct arena arena;
	struct home_pages pages;
	struct home_dataset *datasets;
	struct home_line *lines;
	struct buf pictures;
	struct list list; /* over the lines the cursor can stand on */
	int top, body;    /* first line in sight; how many lines scroll */
	size_t imports_kept, imports_all; /* that have something to say */
	int height;
	bool loaded;
};

/* --- gathering --- */

static void drop_surveys(struct home *h)
{
	for (size_t i = 0; i < h->pages.n_datasets; i++) {
		if (h->app->pool)
			survey_cancel(h->app->pool, h->datasets[i].name.id);
		survey_free(h->datasets[i].survey);
		h->datasets[i].survey = NULL;
	}
}

static bool worth_telling(const struct import_row *r)
{
	return r->skipped || r->unmatched || r->warnings;
}

/* Files of the dataset at hand come first, and of these the ones that look off as a whole. */
static int rank_of(const struct import_row *r, int64_t current)
{
	return (r->dataset == current) * 2 + (r->doubts.n > 0);
}

static void load_imports(struct home *h, struct app *app, struct err *err)
{
	int64_t current = app->scene.snap ? app->scene.snap->dataset_id : 0;
	struct import_row *rows, *shown = arena_zalloc(&h->arena, IMPORTS_KEPT, sizeof *shown);
	size_t n, kept = 0, all = 0;

	if (fetch_imports(app->conn, IMPORTS_LOOKED_AT, &rows, &n, &h->arena, err) != OK)
		return;
	for (int rank = 3; rank >= 0; rank--)
		for (size_t i = 0; i < n; i++) {
			if (!worth_telling(&rows[i]) || rank_of(&rows[i], current) != rank)
				continue;
			if (kept < IMPORTS_KEPT)
				shown[kept++] = rows[i];
			all++;
		}
	h->pages.imports = shown;
	h->imports_kept = kept;
	h->imports_all = all;
	h->pages.n_files = n;
}

static void load_joined(struct home *h, struct app *app, struct err *err)
{
	uint64_t joined[N_MATCHED];
	struct buf text = BUF_INIT;

	h->pages.joined = "";
	if (!app->scene.snap || fetch_joins(app->conn, app->scene.snap->dataset_id, joined, err) != OK)
		return;
	joins_text(joined, &text);
	h->pages.joined = arena_strdup(&h->arena, buf_cstr(&text));
	buf_release(&text);
}

static void load(struct home *h, struct app *app)
{
	struct home_pages *p = &h->pages;
	struct dataset_name *names = NULL;
	struct err err = ERR_INIT;
	size_t n = 0;

	drop_surveys(h);
	arena_clear(&h->arena);
	*p = (struct home_pages){
	    .scene = &app->scene, .shelf = &app->shelf, .current = -1, .cursor = -1};
	fetch_datasets(app->conn, &names, &n, &h->arena, &err);
	h->datasets = arena_zalloc(&h->arena, n + 1, sizeof *h->datasets);
	for (size_t i = 0; i < n && !err.code; i++) {
		struct home_dataset *d = &h->datasets[i];

		d->name = names[i];
		fetch_layers(app->conn, d->name.id, &d->layers, &d->n_layers, &h->arena, &err);
		if (app->scene.snap && d->name.id == app->scene.snap->dataset_id)
			p->current = (int)i;
	}
	p->datasets = h->datasets;
	p->n_datasets = n;
	if (!err.code)
		load_joined(h, app, &err);
	load_imports(h, app, &err);
	if (err.code)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	h->loaded = true;
}

/* Of the panel's runs: the one of the highest accuracy; -1: nothing is counted. */
static int strongest(const struct scene *s, const struct survey *survey)
{
	int best = -1;
	double most = -1;

	for (int p = 0; survey->runs && p < s->n_panel; p++) {
		uint32_t r = (uint32_t)s->panel[p];
		double accuracy = r < survey->n_runs && survey->runs[r].tally.n
				      ? tally_accuracy(&survey->runs[r].tally)
				      : -1;

		if (accuracy > most) {
			most = accuracy;
			best = (int)r;
		}
	}
	return best;
}

static void surveyed(void *owner, struct survey *survey)
{
	struct home *h = owner;
	const struct scene *s = &h->app->scene;

	if (s->snap && s->snap->dataset_id == survey->dataset)
		shelf_strongest(h->app, strongest(s, survey));
	for (size_t i = 0; i < h->pages.n_datasets; i++)
		if (h->datasets[i].name.id == survey->dataset) {
			survey_free(h->datasets[i].survey);
			h->datasets[i].survey = survey;
			survey = NULL;
			break;
		}
	survey_free(survey);
	h->app->dirty = true;
}

/* The loaded dataset under the lens of the screen, the others under their presets. */
static void survey_all(struct home *h, struct app *app)
{
	struct buf lens = BUF_INIT;

	drop_surveys(h);
	if (app->scene.snap)
		lens_format(&app->scene.lens, app->scene.snap, &lens);
	for (size_t i = 0; i < h->pages.n_datasets; i++) {
		const struct home_dataset *d = &h->datasets[i];
		bool here = (int)i == h->pages.current;
		struct survey_wish wish = {conn_path(app->conn), d->name.name,
					   here ? buf_cstr(&lens) : NULL, d->name.id, here,
					   here ? app->scene.snap : NULL};

		if (here && app->scene.snap->partial) /* the whole one is on its way */
			continue;
		survey_start(app->pool, &wish, surveyed, h);
	}
	buf_release(&lens);
}

static struct view *home_open(struct app *app)
{
	struct home *h = xcalloc(1, sizeof *h);

	h->view.class = &home_view;
	h->app = app;
	return &h->view;
}

static void home_close(struct view *self)
{
	struct home *h = (struct home *)self;

	drop_surveys(h);
	free(h->lines);
	buf_release(&h->pictures);
	arena_release(&h->arena);
	free(h);
}

/* --- the cursor --- */

/* The line that the k-th stop of the cursor is on; -1 when there is none. */
static int line_of_stop(const struct home *h, uint32_t k)
{
	for (size_t i = 0; i < h->pages.n_lines; i++)
		if (home_can_stand(&h->lines[i]) && k-- == 0)
			return (int)i;
	return -1;
}

static uint32_t count_stops(const struct home *h)
{
	uint32_t n = 0;

	for (size_t i = 0; i < h->pages.n_lines; i++)
		n += home_can_stand(&h->lines[i]);
	return n;
}

static const struct home_line *under_cursor(const struct home *h)
{
	int at = line_of_stop(h, h->list.cursor); /* keys may come before the next draw */

	return at >= 0 ? &h->lines[at] : NULL;
}

/* Above the first stop and below the last one the rest comes into sight with it. */
static void scroll(struct home *h, int room)
{
	int at = h->pages.cursor < 0 ? 0 : h->pages.cursor;
	bool last = h->list.cursor + 1 >= h->list.n;

	if (at < h->top || h->list.cursor == 0)
		h->top = h->list.cursor == 0 ? 0 : at;
	if (at >= h->top + room)
		h->top = at - room + 1;
	if (last && h->body > h->top + room)
		h->top = h->body - room < at ? h->body - room : at;
	if (h->top > h->body - room)
		h->top = h->body > room ? h->body - room : 0;
}

/* What is said about imports and pictures stays at the bottom where there is room. */
static int pinned_lines(const struct home *h, int height)
{
	int n = (int)h->pages.n_lines, at = n;

	if (height < PIN_FROM)
		return 0;
	while (at > 0 && h->lines[at - 1].kind >= HOME_MINE && h->lines[at - 1].kind <= HOME_PICTURES)
		at--;
	return n - at;
}

static void lay_with(struct home *h, struct rect area, size_t imports)
{
	struct home_pages *p = &h->pages;

	p->n_imports = imports < h->imports_kept ? imports : h->imports_kept;
	p->more_imports = h->imports_all - p->n_imports;
	h->lines = xrealloc(h->lines, (home_max_lines(p) + 1) * sizeof *h->lines);
	p->n_lines = home_lay_lines(p, area.w, h->lines);
	p->lines = h->lines;
}

/* What imports have to say fills the rows that nothing else needs. */
static void lay_lines(struct home *h, struct rect area)
{
	lay_with(h, area, IMPORTS_SHOWN);
	if (area.h > (int)h->pages.n_lines && h->imports_kept > IMPORTS_SHOWN)
		lay_with(h, area, IMPORTS_SHOWN + (size_t)(area.h - (int)h->pages.n_lines));
}

/* Why they are in sixel is said where there is room; why they are not, and what to do, always. */
static void say_pictures(struct home *h, struct app *app, int w)
{
	static const char *const kinds[] = {
	    [GRAPHICS_NONE] = "none",
	    [GRAPHICS_ASCII] = "ASCII",
	    [GRAPHICS_BLOCKS] = "blocks",
	    [GRAPHICS_SIXEL] = "sixel",
	};
	const struct term_caps *caps = term_caps(app->term);
	bool sixel = caps->graphics == GRAPHICS_SIXEL;
	struct buf speed = BUF_INIT;
	char link[24];

	link_text(caps->link, link);
	if (*link)
		buf_printf(&speed, " %s link %s", sign(SIGN_DOT), link);
	buf_clear(&h->pictures);
	buf_z(&h->pictures, kinds[caps->graphics]);
	if (sixel)
		buf_printf(&h->pictures, ", %d%s%d cells", caps->cell_w, sign(SIGN_TIMES),
			   caps->cell_h);
	if (caps->why && (!sixel || text_width(buf_view(&h->pictures)) + 2 +
					    text_width(str_z(caps->why)) +
					    text_width(buf_view(&speed)) <= home_said_width(w)))
		buf_printf(&h->pictures, ": %s", caps->why);
	buf_str(&h->pictures, buf_view(&speed));
	buf_release(&speed);
	h->pages.pictures = buf_cstr(&h->pictures);
}

static void home_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct home *h = (struct home *)self;
	struct home_pages *p = &h->pages;
	bool fresh = !h->loaded || (reactions & (REACT_RELOAD | REACT_GREW));

	if (fresh)
		load(h, app);
	if (fresh || (reactions & REACT_RELENS))
		survey_all(h, app);
	say_pictures(h, app, area.w);
	p->adoptable = app->edit.adoptable;
	shelf_update(app);
	lay_lines(h, area);
	h->height = area.h;
	h->body = (int)p->n_lines - pinned_lines(h, area.h);
	list_fit(&h->list, count_stops(h), (uint32_t)(area.h > 0 ? area.h : 1));
	if (fresh && p->current >= 0 && h->list.cursor == 0)
		list_go(&h->list, (uint32_t)p->current);
	p->cursor = line_of_stop(h, h->list.cursor);
	scroll(h, area.h - ((int)p->n_lines - h->body));
}

/* --- drawing --- */

void view_draw_nothing(struct cells *grid, struct rect area)
{
	struct pen p = {grid, {area.y, area.x + 2, area.h, area.w - 4}, area.h > 6 ? 2 : 0, 0};

	pen_putz(&p, STYLE_NORMAL, "Nothing has been imported into this project yet.");
	pen_line(&p);
	pen_line(&p);
	pen_putz(&p, STYLE_DIM, "qualm import FILE.qualm SAMPLES PREDICTIONS... --images DIR");
	pen_line(&p);
	pen_putz(&p, STYLE_DIM, "qualm import --help tells the formats; q leaves.");
}

void view_draw_none(const struct scene *scene, struct cells *grid, struct rect area)
{
	struct pen p = {grid, {area.y, area.x + 1, area.h, area.w - 2}, area.h > 6 ? 1 : 0, 0};

	pen_wrap(&p, 0, 1, STYLE_NORMAL, (struct span){0}, STR("no sample matches"));
	pen_wrap(&p, 0, area.h > 8 ? 6 : 2, STYLE_BOLD, (struct span){0},
		 str_z(scene->trail ? scene->trail : ""));
	if (scene->hint)
		pen_wrap(&p, 0, 3, STYLE_WARNING, (struct span){0}, str_z(scene->hint));
	pen_wrap(&p, 0, 3, STYLE_DIM, (struct span){0},
		 STR("i changes the filter, Ctrl-t sets it aside, gf takes a condition away"));
}

static void home_draw(const struct view *self, const struct scene *scene, struct cells *grid,
		      struct rect area)
{
	const struct home *h = (const struct home *)self;
	int pinned = (int)h->pages.n_lines - h->body, room = area.h - pinned;

	if (!scene->snap) {
		view_draw_nothing(grid, area);
		return;
	}
	for (int i = 0; i < room && h->top + i < h->body; i++)
		home_draw_line(&h->pages, (size_t)(h->top + i), grid,
			       (struct rect){area.y + i, area.x, 1, area.w});
	for (int i = 0; i < pinned; i++)
		home_draw_line(&h->pages, (size_t)(h->body + i), grid,
			       (struct rect){area.y + room + i, area.x, 1, area.w});
}

/* --- commands --- */

static unsigned open_dataset(struct home *h, struct app *app, int at)
{
	if (at != h->pages.current) {
		char *command = xasprintf("dataset %s", h->datasets[at].name.name);

		app_exec(app, str_z(command));
		free(command);
	}
	if (app->scene.snap && strcmp(app->scene.snap->dataset, h->datasets[at].name.name) == 0)
		app_push(app, &browse_view);
	return REACT_REDRAW;
}

static unsigned enter(struct home *h, struct app *app, const struct home_line *line)
{
	const struct shelf *s = &app->shelf;
	size_t at = (size_t)line->at;

	if (line->kind == HOME_DATASET)
		return open_dataset(h, app, line->at);
	if (line->kind == HOME_SAVED && at < s->n_saved)
		return shelf_apply(app, &s->saved[at]);
	if (line->kind == HOME_SUGGESTED && shelf_suggestion(s, at))
		return shelf_suggest(app, shelf_suggestion(s, at));
	return line->kind == HOME_RUN ? choice_run(app, false, line->at) : REACT_NONE;
}

static unsigned home_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct home *h = (struct home *)self;
	const struct home_line *line = under_cursor(h);

	if (app->top != self) /* what stacks on Home has a cursor of its own */
		return REACT_UNHANDLED;
	if (list_command(&h->list, name, args))
		return REACT_REDRAW;
	if (!line || !app->scene.snap)
		return REACT_UNHANDLED;
	if (strcmp(name, "enter") == 0)
		return enter(h, app, line);
	if (line->kind == HOME_RUN && !args.n && strcmp(name, "run-a") == 0)
		return choice_run(app, false, line->at);
	if (line->kind == HOME_RUN && !args.n && strcmp(name, "run-b") == 0)
		return choice_run(app, true, line->at);
	return REACT_UNHANDLED;
}

static const struct hint home_hints[] = {
    {"enter", "open, or make a"}, {"run-b", "make b"},  {"view browse", "browse"},
    {"view classes", "compare"},  {"keys", "keys"},     {"back", "quit"},
    {"view gallery", "gallery"},
    {NULL, NULL},
};

const struct view_class home_view = {
    .name = "home",
    .digit = '0',
    .help = "what the project holds: datasets, runs, imports",
    .mode = MODE_COMMON,
    .placeless = true,
    .early = true,
    .hints = home_hints,
    .open = home_open,
    .close = home_close,
    .update = home_update,
    .draw = home_draw,
    .command = home_command,
};
