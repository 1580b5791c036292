#include "tui/view/preview.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/pen.h"
#include "tui/view/preview_text.h"
#include "tui/view/sign.h"

static void forget(struct preview *p)
{
	free(p->path);
	free(p->next);
	free(p->previous);
	p->path = p->next = p->previous = NULL;
	p->options = NULL;
	p->n_options = p->n_paths = 0;
	p->extra = NULL;
	p->n_extra = 0;
	p->problem = NULL;
	p->raw = p->extracted = p->error = p->steps = p->marks = p->said[0] = p->said[1] = STR_NONE;
	p->score = p->latency = p->tokens = p->batch = p->position = NAN;
	p->oop = OOP_NONE;
	p->mapped = false;
	p->notes = NULL;
	p->n_notes = 0;
	p->version = 0;
	arena_clear(&p->arena);
	arena_clear(&p->own);
}

void preview_release(struct preview *p)
{
	forget(p);
	arena_release(&p->arena);
	arena_release(&p->own);
}

/* --- fetching --- */

static char *path_of(struct app *app, uint32_t ord)
{
	const struct sample_row *row = rows_get(app->rows, ord);

	if (!row || row->media == MEDIA_NONE)
		return NULL;
	return fetch_picture_paths(app->conn, app->scene.snap, row);
}

static struct str copy(struct preview *p, struct str s)
{
	return s.n ? arena_str(&p->arena, s) : STR_NONE;
}

/* Of the sample that many places further down the list. */
static char *path_near(struct app *app, uint32_t ord, int by)
{
	const struct scene *s = &app->scene;
	uint32_t at = scene_place(s, ord) + (uint32_t)by;

	return at < scene_shown(s) ? path_of(app, scene_at(s, at)) : NULL;
}

static void fetch_row(struct preview *p, struct app *app, struct err *err)
{
	const struct sample_row *row = rows_get(app->rows, p->ord);

	p->row = (struct sample_row){0};
	if (!row) {
		err_set(err, rows_busy(app->rows) ? E_BUSY : E_DB, "%s",
			rows_error(app->rows) ? rows_error(app->rows) : "the sample is not there");
		return;
	}
	p->row = *row;
	p->row.key = copy(p, row->key);
	p->row.path = copy(p, row->path);
	p->row.text = copy(p, row->text);
	p->row.extra = copy(p, row->extra);
	p->n_extra = preview_extra_read(p->row.extra, &p->arena, &p->extra);
	if (row->option_set)
		fetch_options(app->conn, row->option_set, &p->options, &p->n_options, &p->arena, err);
	if (!err->code && row->media == MEDIA_IMAGES)
		fetch_media(app->conn, app->scene.snap->dataset_id, &p->row, &p->paths, &p->n_paths, &p->arena,
			    err);
	p->path = path_of(app, p->ord);
	p->next = path_near(app, p->ord, 1);
	p->previous = path_near(app, p->ord, -1);
}

/* By the names of classes, which the search of the filter knows. */
static enum oop_kind oop_of(const struct preview *p, struct app *app)
{
	struct err err = ERR_INIT;

	if (column_u(&app->scene.snap->runs[p->run].outcome, p->ord) != OUTCOME_OOP ||
	    !narrow_names(app, &err))
		return OOP_NONE;
	return search_oop_kind(app->narrow.search, p->extracted.n ? p->extracted : p->raw);
}

static void fetch_answer(struct preview *p, struct app *app, struct err *err)
{
	int64_t run;

	if (p->run < 0)
		return;
	run = app->scene.snap->runs[p->run].id;
	if (fetch_text(app->conn, run, FIELD_RAW, p->ord, &p->raw, &p->arena, err) != OK ||
	    fetch_text(app->conn, run, FIELD_EXTRACTED, p->ord, &p->extracted, &p->arena, err) != OK ||
	    fetch_text(app->conn, run, FIELD_STEPS, p->ord, &p->steps, &p->arena, err) != OK ||
	    fetch_text(app->conn, run, FIELD_MARKS, p->ord, &p->marks, &p->arena, err) != OK ||
	    fetch_text(app->conn, run, FIELD_ERROR, p->ord, &p->error, &p->arena, err) != OK)
		return;
	p->score = fetch_number(app->conn, run, "score", p->ord);
	p->latency = fetch_number(app->conn, run, "latency", p->ord);
	p->tokens = fetch_number(app->conn, run, "tokens", p->ord);
	p->batch = fetch_number(app->conn, run, "batch_size", p->ord);
	p->position = fetch_number(app->conn, run, "batch_pos", p->ord);
	p->oop = oop_of(p, app);
	p->mapped = !isnan(fetch_number(app->conn, run, "text_mapped", p->ord));
}

/* What a and b said, to be compared word by word. */
static void fetch_pair(struct preview *p, struct app *app, struct err *err)
{
	for (int k = 0; k < 2 && p->pair[0] >= 0 && p->pair[1] >= 0 && p->pair[0] != p->pair[1]; k++)
		if (p->pair[k] == p->run)
			p->said[k] = p->raw;
		else if (fetch_text(app->conn, app->scene.snap->runs[p->pair[k]].id, FIELD_RAW, p->ord, &p->said[k],
				    &p->arena, err) != OK)
			return;
}

/* Notes alone are fetched again after an edit: text and picture stay where they are. */
static void fetch_notes(struct preview *p, struct app *app)
{
	const struct user_things *mine = app->scene.mine;
	struct err err = ERR_INIT;

	if (!mine || p->version == mine->version)
		return;
	arena_clear(&p->own);
	p->notes = NULL;
	p->n_notes = 0;
	p->version = mine->version;
	p->author = user_author(app->edit.user);
	if (p->ord < mine->n && mine->notes[p->ord] &&
	    user_notes(app->edit.user, p->ord, &p->notes, &p->n_notes, &p->own, &err) != OK)
		p->problem = arena_strdup(&p->arena, err.msg);
}

static void fetch_all(struct preview *p, struct app *app)
{
	struct err err = ERR_INIT;

	forget(p);
	p->ord = app->scene.current;
	p->run = app->scene.run;
	p->pair[0] = app->scene.a;
	p->pair[1] = app->scene.b;
	p->scene = &app->scene;
	p->skip = 0;
	fetch_row(p, app, &err);
	if (!err.code)
		fetch_answer(p, app, &err);
	if (!err.code)
		fetch_pair(p, app, &err);
	if (err.code)
		p->problem = arena_strdup(&p->arena, err.code == E_BUSY ? sign(SIGN_WAIT) : err.msg);
	p->valid = true;
}

/* --- layout --- */

void preview_layout(struct rect area, bool media, bool full, int text_lines, struct rect *box,
		    struct rect *text)
{
	/* A cell is about twice as high as wide: w/2 rows make a square. */
	int square = (area.w + 1) / 2, most = full ? area.h * 2 / 3 : area.h / 2;
	int spare = area.h - 1 - text_lines, h = most;

	/* Beside a list the place is fixed; alone, the text gets what it needs, up to two thirds. */
	if (full)
		h = spare > most ? most : spare < area.h / 3 ? area.h / 3 : spare;
	if (h > square)
		h = square;
	if (!media || area.h < 10 || area.w < 8)
		h = 0;
	*box = (struct rect){area.y + 1, area.x, h, area.w};
	*text = (struct rect){area.y + 1 + h, area.x, area.h - 1 - h, area.w};
	if (text->h < 0)
		text->h = 0;
}

/* While the last picture still stands in for the new one nothing is said about waiting. */
static void want_picture(struct preview *p, struct app *app)
{
	struct picture_wish wish = {p->path, p->next, p->previous, p->box, p->crop, p->zoom};

	pictures_want(app->pictures, &wish, app->now);
	p->picture = pictures_get(app->pictures);
	if (p->picture.state == PICTURE_WAITING && !pictures_overdue(app->pictures, app->now))
		p->picture.state = PICTURE_NONE;
}

void preview_update(struct preview *p, struct app *app, struct rect area, bool full)
{
	int lines = 0;

	if (!app->scene.snap || app->scene.current >= app->scene.snap->n) {
		p->valid = false;
		return;
	}
	if (!p->valid || p->ord != app->scene.current || p->run != app->scene.run ||
	    p->pair[0] != app->scene.a || p->pair[1] != app->scene.b)
		fetch_all(p, app);
	fetch_notes(p, app);
	p->scene = &app->scene;
	if (full)
		lines = preview_text_draw(p, NULL, (struct rect){0, 0, area.h, area.w});
	preview_layout(area, app->scene.has_media, full, lines, &p->box, &p->text);
	want_picture(p, app);
	p->lines = preview_text_draw(p, NULL, p->text);
	p->room = p->text.h;
	if (p->skip > p->lines - p->room)
		p->skip = p->lines > p->room ? p->lines - p->room : 0;
}

void preview_picture(struct preview *p, struct app *app, struct rect box)
{
	if (!app->scene.snap || app->scene.current >= app->scene.snap->n) {
		p->valid = false;
		return;
	}
	if (!p->valid || p->ord != app->scene.current)
		fetch_all(p, app);
	p->box = box;
	want_picture(p, app);
}

bool preview_scroll(struct preview *p, int by)
{
	int last = p->lines > p->room ? p->lines - p->room : 0, to = p->skip + by;

	to = to < 0 ? 0 : to > last ? last : to;
	if (to == p->skip)
		return false;
	p->skip = to;
	return true;
}

/* --- drawing --- */

static void draw_head(const struct preview *p, struct cells *grid)
{
	struct rect line = {p->box.y - 1, p->box.x, 1, p->box.w};
	struct pen pen = {grid, line, 0, 0};
	struct buf right = BUF_INIT;
	enum category c = p->scene->category ? (enum category)p->scene->category[p->ord] : CAT_NONE;
	struct span span[8];
	size_t n;
	int w;

	if (*category_sign(c))
		buf_printf(&right, "%s ", category_sign(c));
	w = line.w - text_width(buf_view(&right)) - 1;
	n = hits_find(&p->scene->hits, HIT_KEY, -1, p->row.key, STYLE_MATCH, span, 8);
	pen_cut_spans(&pen, w > 4 ? w : 4, STYLE_BOLD, CUT_START, p->row.key, span, n);
	pen_right(&pen, STYLE_NORMAL, buf_view(&right));
	buf_release(&right);
}

/* What stands in place of a picture that cannot be shown; NULL: it says so itself. */
static const char *instead(const struct preview *p)
{
	if (p->row.media == MEDIA_VIDEO && (!p->path || p->picture.state == PICTURE_FAILED))
		return "a video: frames are not shown";
	if (p->path)
		return NULL;
	return p->row.media == MEDIA_NONE ? "no picture"
					  : "the picture was not found: import again with --images DIR";
}

static void draw_box(const struct preview *p, struct cells *grid)
{
	struct picture none = {.state = PICTURE_FAILED, .error = instead(p)};

	picture_draw(none.error ? &none : &p->picture, grid, p->box);
}

void preview_draw(const struct preview *p, struct cells *grid)
{
	if (!p->valid)
		return;
	draw_head(p, grid);
	if (p->box.h > 0)
		draw_box(p, grid);
	preview_text_draw(p, grid, p->text);
}
