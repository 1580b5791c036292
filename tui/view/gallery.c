/* gallery: the samples as thumbnails, each with a caption: verdict, truth and answer, or the
 * statement. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/term/text.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"
#include "tui/view/walk.h"

struct gallery_item {
	uint32_t ord;
	struct str key, text; /* in the arena */
	enum text_kind kind;
	char *path; /* owned */
};

struct gallery {
	struct view view;
	struct arena arena;
	const struct sheet *sheet; /* borrowed; NULL before the first update */
	struct sheet_grid grid;
	struct list rows; /* of slots */
	uint32_t n;       /* samples in the list */
	struct gallery_item item[SHEET_SLOTS_MAX];
	int n_items;
	char *soon[SHEET_SLOTS_MAX]; /* owned */
	int n_soon;
	uint32_t first; /* place of the first item in the list */
	uint32_t cursor;
	bool loaded;
};

static struct view *gallery_open(struct app *app)
{
	struct gallery *g = xcalloc(1, sizeof *g);

	(void)app;
	g->view.class = &gallery_view;
	return &g->view;
}

static void drop_items(struct gallery *g)
{
	for (int i = 0; i < g->n_items; i++)
		free(g->item[i].path);
	for (int i = 0; i < g->n_soon; i++)
		free(g->soon[i]);
	g->n_items = g->n_soon = 0;
	arena_clear(&g->arena);
}

static void gallery_close(struct view *self)
{
	struct gallery *g = (struct gallery *)self;

	drop_items(g);
	arena_release(&g->arena);
	free(g);
}

/* --- update --- */

static char *path_of(struct app *app, const struct sample_row *row)
{
	if (!row || row->media == MEDIA_NONE)
		return NULL;
	return fetch_picture_paths(app->conn, app->scene.snap, row);
}

static void take_items(struct gallery *g, struct app *app, uint32_t first, int n)
{
	drop_items(g);
	for (int i = 0; i < n; i++) {
		uint32_t ord = scene_at(&app->scene, first + (uint32_t)i);
		const struct sample_row *row = rows_get(app->rows, ord);
		struct gallery_item *it = &g->item[g->n_items++];

		*it = (struct gallery_item){.ord = ord, .key = STR("?"), .path = path_of(app, row)};
		if (!row)
			continue;
		it->kind = row->text_kind;
		it->key = arena_str(&g->arena, row->key);
		it->text = row->text.n ? arena_str(&g->arena, row->text) : STR("");
	}
	g->first = first;
	g->loaded = true;
	if (rows_error(app->rows) && !rows_busy(app->rows))
		app_message(app, STYLE_WARNING, "%s", rows_error(app->rows));
}

/* The page below, and the row above. */
static void take_soon(struct gallery *g, struct app *app, int page)
{
	uint32_t from = g->first + (uint32_t)g->n_items, cols = (uint32_t)g->grid.cols;

	for (int i = 0; i < page && from + (uint32_t)i < g->n && g->n_soon < SHEET_SLOTS_MAX; i++) {
		char *path = path_of(app, rows_get(app->rows, scene_at(&app->scene, from + (uint32_t)i)));

		if (path)
			g->soon[g->n_soon++] = path;
	}
	for (uint32_t i = 1; i <= cols && i <= g->first && g->n_soon < SHEET_SLOTS_MAX; i++) {
		char *path = path_of(app, rows_get(app->rows, scene_at(&app->scene, g->first - i)));

		if (path)
			g->soon[g->n_soon++] = path;
	}
}

static void want_pictures(struct gallery *g, struct app *app)
{
	struct sheet_slot slot[SHEET_SLOTS_MAX];
	int wait;

	sheet_whole(app->sheet, false);
	for (int i = 0; i < g->n_items; i++)
		slot[i] = (struct sheet_slot){sheet_thumb(&g->grid, i), g->item[i].path, 0};
	sheet_want(app->sheet, slot, g->n_items, (const char *const *)g->soon, g->n_soon, app->now);
	wait = sheet_tick(app->sheet, app->now, term_busy(app->term), term_picture_bytes(app->term),
			  app->headless);
	if (wait >= 0 && (app->wake_ms < 0 || wait < app->wake_ms))
		app->wake_ms = wait;
}

static void lay(struct gallery *g, const struct app *app, struct rect area)
{
	const struct term_caps *c = term_caps(app->term);
	uint32_t cols;

	sheet_layout(area, c->cell_w > 0 ? c->cell_w : 10, c->cell_h > 0 ? c->cell_h : 20, &g->grid);
	g->n = scene_shown(&app->scene);
	g->cursor = scene_place(&app->scene, app->scene.current);
	cols = (uint32_t)g->grid.cols;
	g->rows.cursor = g->cursor / cols;
	list_fit(&g->rows, (g->n + cols - 1) / cols, (uint32_t)g->grid.rows);
}

static void gallery_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct gallery *g = (struct gallery *)self;
	uint32_t first;
	int page, n;

	if (!app->scene.snap || !app->scene.snap->n || area.h < 1 || area.w < 1)
		return;
	g->sheet = app->sheet;
	lay(g, app, area);
	page = g->grid.cols * g->grid.rows;
	first = g->rows.top * (uint32_t)g->grid.cols;
	n = g->n - first < (uint32_t)page ? (int)(g->n - first) : page;
	if (!g->loaded || first != g->first ||
	    (reactions & (REACT_RELOAD | REACT_GREW | REACT_RERUN | REACT_REFILTER)) ||
	    n != g->n_items) {
		take_items(g, app, first, n);
		take_soon(g, app, page);
	}
	want_pictures(g, app);
}

/* --- draw --- */

struct caption {
	struct cells *grid;
	struct rect at;
	bool cursor, stale;
};

static enum style tone(const struct caption *c, enum style style)
{
	if (!c->cursor)
		return c->stale ? STYLE_DIM : style;
	return style == STYLE_DIM ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

static void put(const struct caption *c, int y, int x, int w, enum style style, struct str s)
{
	struct buf cut = BUF_INIT;

	if (w <= 0 || y >= c->at.h)
		return;
	text_cut(s, w, CUT_END, &cut);
	cells_put(c->grid, c->at.y + y, c->at.x + x, w, tone(c, style), buf_view(&cut));
	buf_release(&cut);
}

static void put_answer(const struct caption *c, int y, int x, bool right, struct str answer)
{
	put(c, y, x, 1, STYLE_DIM, str_z(sign(SIGN_ARROW)));
	put(c, y, x + 2, c->at.w - x - 2, right ? STYLE_DIM : STYLE_NORMAL, answer);
}

/* "truth → answer", on two lines when it is too long for one; an answer that says what the truth
 * says is not said twice. Returns the lines it took. */
static int put_pair(const struct caption *c, int x, const struct scene *s,
		     const struct gallery_item *it)
{
	struct buf truth = BUF_INIT, answer = BUF_INIT;
	bool right = scene_verdict(s, s->a, it->ord) == VERDICT_RIGHT;
	int room = c->at.w - x, tw, lines = 1;

	if (!scene_truth(s, s->lens.layer, it->ord, &truth) && s->a < 0)
		buf_str(&truth, it->key);
	if (s->a >= 0)
		scene_answer(s, s->a, it->ord, &answer);
	if (right && str_eq(buf_view(&truth), buf_view(&answer)))
		buf_clear(&answer);
	tw = text_width(buf_view(&truth));
	if (!answer.n) {
		put(c, 0, x, room, STYLE_NORMAL, buf_view(&truth));
	} else if (tw + 3 + text_width(buf_view(&answer)) <= room || c->at.h < 2) {
		int w = tw < room / 2 ? tw : room / 2;

		put(c, 0, x, w, STYLE_NORMAL, buf_view(&truth));
		put_answer(c, 0, x + w + (w > 0), right, buf_view(&answer));
	} else {
		put(c, 0, x, room, STYLE_NORMAL, buf_view(&truth));
		put_answer(c, tw > 0, x, right, buf_view(&answer));
		lines += tw > 0;
	}
	buf_release(&truth);
	buf_release(&answer);
	return lines;
}

static void put_text(const struct caption *c, int x, struct str text)
{
	struct pen p = {c->grid, {c->at.y, c->at.x + x, c->at.h, c->at.w - x}, 0, 0};

	pen_wrap(&p, 0, c->at.h, tone(c, STYLE_NORMAL), (struct span){0}, text);
}

static void draw_caption(const struct gallery *g, const struct scene *s, struct cells *grid, int i)
{
	const struct gallery_item *it = &g->item[i];
	struct caption c = {grid, sheet_caption(&g->grid, i), g->first + (uint32_t)i == g->cursor,
			    scene_is_stale(s, it->ord)};
	int x = 0;

	if (c.cursor)
		cells_fill(grid, (struct rect){c.at.y, c.at.x - 1, c.at.h, c.at.w + 1}, STYLE_CURSOR);
	if (c.cursor)
		cells_putz(grid, c.at.y, c.at.x - 1, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
	if (s->a >= 0) {
		enum mark m = scene_mark(s, s->a, it->ord);

		put(&c, 0, 0, 1, mark_style(m), str_z(mark_glyph(m)));
		x = 2;
	}
	if (it->kind == TEXT_STATEMENT && it->text.n)
		put_text(&c, x, it->text);
	else if (put_pair(&c, x, s, it) < 2 && c.cursor)
		put(&c, 1, x, c.at.w - x, STYLE_DIM, it->key);
}

/* What a sample without a picture shows in its place: its text, or its key. */
static void draw_words(const struct gallery *g, struct cells *grid, int i)
{
	const struct gallery_item *it = &g->item[i];
	struct rect box = sheet_thumb(&g->grid, i);
	struct str words = it->path || !it->text.n ? it->key : it->text;
	struct pen p = {grid, box, 0, 0};

	if (box.h > 0)
		pen_wrap(&p, 0, box.h, STYLE_DIM, (struct span){0}, words);
}

static void gallery_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			 struct rect area)
{
	const struct gallery *g = (const struct gallery *)self;

	if (!scene->snap || !scene->snap->n || !g->sheet) {
		view_draw_nothing(grid, area);
		return;
	}
	if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
		return;
	}
	for (int i = 0; i < g->n_items; i++) {
		if (sheet_state(g->sheet, i) == PICTURE_NONE)
			draw_words(g, grid, i);
		draw_caption(g, scene, grid, i);
	}
	sheet_draw(g->sheet, grid);
}

static const struct placed_picture *gallery_placed(const struct view *self)
{
	const struct sheet *sheet = ((const struct gallery *)self)->sheet;

	return sheet ? sheet_placed(sheet) : NULL;
}

/* --- commands --- */

/* By rows of slots; the column stays, as far as the last row has one. */
static unsigned move_rows(struct gallery *g, struct app *app, const char *name, struct str args)
{
	uint32_t cols = (uint32_t)g->grid.cols, column = g->cursor % cols, to;

	g->rows.n = (g->n + cols - 1) / cols;
	g->rows.cursor = g->cursor / cols;
	if (!list_command(&g->rows, name, args))
		return REACT_UNHANDLED;
	to = g->rows.cursor * cols + column;
	walk_to(app, to < g->n || !g->n ? to : g->n - 1);
	return REACT_REDRAW;
}

static unsigned move_by(struct gallery *g, struct app *app, bool forward)
{
	if (forward ? g->cursor + 1 < g->n : g->cursor > 0)
		walk_to(app, forward ? g->cursor + 1 : g->cursor - 1);
	return REACT_REDRAW;
}

static unsigned move_to(struct gallery *g, struct app *app, const char *name, struct str args)
{
	struct list one = {g->n, g->cursor, 0, 1};

	if (!list_command(&one, name, args))
		return REACT_UNHANDLED;
	walk_to(app, one.cursor);
	return REACT_REDRAW;
}

static unsigned gallery_command(struct view *self, struct app *app, const char *name,
				struct str args)
{
	struct gallery *g = (struct gallery *)self;
	bool single = app->top != self; /* what stacks on it shows one sample */
	unsigned r;

	if (!app->scene.snap || !app->scene.snap->n)
		return REACT_UNHANDLED;
	g->n = scene_shown(&app->scene);
	g->cursor = scene_place(&app->scene, app->scene.current);
	if (!g->grid.cols)
		g->grid.cols = 1; /* keys may come before the first draw */
	if (strcmp(name, "right") == 0 || strcmp(name, "left") == 0)
		return move_by(g, app, *name == 'r');
	if (strcmp(name, "enter") == 0) {
		if (narrow_any(app))
			app_push(app, &sample_view);
		return REACT_REDRAW;
	}
	if (strcmp(name, "next-pane") == 0)
		name = "next-run";
	r = single || strcmp(name, "goto") == 0 || strcmp(name, "first") == 0 ||
			    strcmp(name, "last") == 0
		    ? move_to(g, app, name, args)
		    : move_rows(g, app, name, args);
	return r & REACT_UNHANDLED ? walk_command(app, name, args) : r;
}

static const struct hint gallery_hints[] = {
    {"enter", "open"},      {"next-wrong", "next wrong"}, {"filter-edit", "filter"}, {"run-a", "run"},
    {"sort", "sort"},       {"keys", "keys"},             {"view browse", "browse"},
    {"search", "search"},   {"back", "quit"},             {NULL, NULL},
};

const struct view_class gallery_view = {
    .name = "gallery",
    .digit = '2',
    .early = true,
    .help = "the samples as thumbnails",
    .mode = MODE_GALLERY,
    .hints = gallery_hints,
    .open = gallery_open,
    .close = gallery_close,
    .update = gallery_update,
    .draw = gallery_draw,
    .command = gallery_command,
    .placed = gallery_placed,
};
