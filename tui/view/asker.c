#include "tui/view/asker.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tui/app.h"
#include "tui/view/list.h"
#include "tui/view/pen.h"
#include "tui/view/preview.h"
#include "tui/view/sign.h"
#include "tui/view/walk.h"

#define SPLIT_AT 70 /* columns, from which on the sample stands beside it */
#define TICK_MS	 1000

struct asker {
	struct view view;
	struct preview preview;
	struct asker_text text;
	struct arena arena; /* of the answers */
	bool fetched;
	uint32_t ord;
	int64_t generation;
	struct rect left, rule, right;
	int lines;
	bool followed; /* an answer is coming, and its end was kept in sight */
	bool held;     /* the user has scrolled away from it */
};

static struct view *asker_open(struct app *app)
{
	struct asker *a = xcalloc(1, sizeof *a);

	(void)app;
	a->view.class = &query_view;
	return &a->view;
}

static void asker_close(struct view *self)
{
	struct asker *a = (struct asker *)self;

	preview_release(&a->preview);
	arena_release(&a->arena);
	free(a);
}

/* --- answers that are there --- */

/* "near options by glove-100d, both labels". */
static void put_options(const cJSON *o, struct str options, struct buf *out)
{
	struct str by = json_text(json_get(o, str_eqz(options, "near") ? "encoder" : "reference"));
	struct str truth = json_text(json_get(o, "truth"));

	buf_printf(out, "%s%.*s options", out->n ? "; " : "", STR_ARG(options));
	if (by.n)
		buf_printf(out, " by %.*s", STR_ARG(by));
	if (truth.n && !str_eqz(truth, "original"))
		buf_printf(out, ", %.*s label%s", STR_ARG(truth), str_eqz(truth, "both") ? "s" : "");
}

/* What was particular: a crop, another prompt, drawn options, JSON. */
static struct str how_of(struct asker *a, const struct run *run, const struct run_asking *was)
{
	const struct protocol *p = protocol_find(str_z(run->protocol));
	cJSON *o = NULL;
	const cJSON *crop;
	struct err ignored = ERR_INIT;
	struct buf out = BUF_INIT;
	struct str how, form, options;
	double c[4];

	if (was->settings.n)
		json_parse(was->settings, &o, &ignored);
	crop = json_get(o, "crop");
	if (crop && cJSON_GetArraySize(crop) == 4) {
		for (int i = 0; i < 4; i++)
			json_number(cJSON_GetArrayItem(crop, i), &c[i]);
		buf_printf(&out, "%.0f %% %s %.0f %% of the picture, from %.0f %%, %.0f %%", 100 * c[2],
			   sign(SIGN_TIMES), 100 * c[3], 100 * c[0], 100 * c[1]);
	}
	form = json_text(json_get(o, "form"));
	options = json_text(json_get(o, "options"));
	if (str_eqz(form, "json"))
		buf_printf(&out, "%sJSON", out.n ? "; " : "");
	if (options.n && !str_eqz(options, "stored"))
		put_options(o, options, &out);
	if (p && was->prompt.n &&
	    !str_eqz(was->prompt, protocol_prompt(p, str_eqz(form, "json") ? ASK_JSON : ASK_LIST)))
		buf_printf(&out, "%sprompt: %.*s", out.n ? "; " : "",
			   (int)(was->prompt.n > 200 ? 200 : was->prompt.n), was->prompt.p);
	how = arena_str(&a->arena, buf_view(&out));
	buf_release(&out);
	cJSON_Delete(o);
	return how;
}

static bool fetch_one(struct asker *a, struct app *app, int r, struct asked *out)
{
	const struct run *run = &app->scene.snap->runs[r];
	struct run_asking was = {0};
	struct err err = ERR_INIT;

	*out = (struct asked){.run = r};
	if (fetch_text(app->conn, run->id, FIELD_RAW, a->ord, &out->raw, &a->arena, &err) != OK ||
	    fetch_text(app->conn, run->id, FIELD_EXTRACTED, a->ord, &out->extracted, &a->arena, &err) != OK ||
	    fetch_text(app->conn, run->id, FIELD_ERROR, a->ord, &out->error, &a->arena, &err) != OK ||
	    fetch_run_asking(app->conn, run->id, &was, &a->arena, &err) != OK)
		return false;
	out->how = how_of(a, run, &was);
	return true;
}

/* The live one is told apart. */
static bool is_shown_live(const struct app *app, const struct run *run, uint32_t ord)
{
	const struct asking_live *l = &app->asking.live;

	return l->state != ASKING_NOTHING && l->ord == ord && l->handle && strcmp(run->handle, l->handle) == 0;
}

static void fetch_asked(struct asker *a, struct app *app)
{
	const struct snapshot *snap = app->scene.snap;
	struct asker_text *t = &a->text;
	struct asked live;

	arena_clear(&a->arena);
	a->ord = app->scene.current;
	t->n_asked = t->n_more = 0;
	t->live_how = STR_NONE;
	for (uint32_t k = snap->n_runs; k-- > 0;) {
		const struct run *run = &snap->runs[k];

		if (!run->scratch || run->later || column_u(&run->outcome, a->ord) == OUTCOME_MISSING)
			continue;
		if (is_shown_live(app, run, a->ord))
			t->live_how = fetch_one(a, app, (int)k, &live) ? live.how : STR_NONE;
		else if (t->n_asked == ASKED_MAX)
			t->n_more++;
		else if (fetch_one(a, app, (int)k, &t->asked[t->n_asked]))
			t->n_asked++;
	}
	a->generation = snap->generation;
	a->fetched = true;
}

/* --- what is drawn --- */

static void lay_out(struct asker *a, struct rect area)
{
	int left = area.w >= SPLIT_AT ? area.w * 2 / 5 : 0;

	a->left = (struct rect){area.y, area.x + 1, area.h, left ? left - 2 : 0};
	a->rule = (struct rect){area.y, area.x + left, area.h, left ? 1 : 0};
	a->right = (struct rect){area.y, area.x + left + (left ? 2 : 1), area.h, area.w - left - (left ? 3 : 2)};
}

static void name_keys(struct asker *a, const struct keymap *keys)
{
	static const char *const commands_of[N_ASKER_ROWS] = {"endpoint", "protocol", "offer",
							       "edit-prompt", "crop", "repeats"};

	for (int i = 0; i < N_ASKER_ROWS; i++) {
		struct buf name = BUF_INIT;

		keymap_keys(keys, MODE_QUERY, commands_of[i], 1, &name);
		snprintf(a->text.keys[i], sizeof a->text.keys[i], "%s", buf_cstr(&name));
		buf_release(&name);
	}
}

/* The end of an answer stays in sight while it comes; when it is there, what it is worth does. */
static void follow(struct asker *a)
{
	struct asker_text *t = &a->text;
	int end = asker_text_coming(t, a->right) - a->right.h;

	if (end > 0) {
		a->held &= t->skip < end;
		if (!a->held)
			t->skip = end;
		a->followed = true;
	} else if (a->followed) {
		t->skip = a->held ? t->skip : 0;
		a->followed = a->held = false;
	}
}

static void update_text(struct asker *a, struct app *app)
{
	struct asker_text *t = &a->text;
	const struct sample_row *row = rows_get(app->rows, app->scene.current);

	if (!a->fetched || a->ord != app->scene.current || a->generation != app->scene.snap->generation)
		fetch_asked(a, app);
	t->scene = &app->scene;
	t->asking = &app->asking;
	t->key = row ? arena_str(&a->arena, row->key) : STR_NONE;
	t->stored = a->left.w == 0;
	t->now = app->now;
	name_keys(a, &app->keys);
	follow(a);
	a->lines = asker_text_draw(t, NULL, a->right) ;
	if (t->skip > a->lines - a->right.h)
		t->skip = a->lines > a->right.h ? a->lines - a->right.h : 0;
}

static bool is_something(const struct app *app)
{
	return app->scene.snap && scene_shown(&app->scene);
}

static void asker_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct asker *a = (struct asker *)self;

	if (reactions & (REACT_RELOAD | REACT_GREW))
		a->preview.valid = a->fetched = false;
	if (!is_something(app)) {
		a->preview.valid = false;
		return;
	}
	asking_ready(app);
	asking_look(app);
	lay_out(a, area);
	if (a->ord != app->scene.current)
		a->text.skip = 0;
	update_text(a, app);
	a->preview.crop = asking_crop(&app->asking, app->scene.current);
	if (a->left.w)
		preview_update(&a->preview, app, a->left, false);
	else
		a->preview.valid = false;
	if (app->asking.one && (app->wake_ms < 0 || app->wake_ms > TICK_MS))
		app->wake_ms = TICK_MS;
}

static void asker_draw(const struct view *self, const struct scene *scene, struct cells *grid, struct rect area)
{
	const struct asker *a = (const struct asker *)self;

	if (!scene->snap) {
		view_draw_nothing(grid, area);
		return;
	}
	if (!scene_shown(scene)) {
		view_draw_none(scene, grid, area);
		return;
	}
	for (int y = 0; y < a->rule.h && a->rule.w; y++)
		cells_putz(grid, a->rule.y + y, a->rule.x, 1, STYLE_RULE, sign(SIGN_RULE));
	if (a->left.w)
		preview_draw(&a->preview, grid);
	asker_text_draw(&a->text, grid, a->right);
}

static const struct picture *asker_picture(const struct view *self, struct rect *box)
{
	const struct asker *a = (const struct asker *)self;

	*box = a->preview.box;
	return a->left.w && a->preview.valid && a->preview.path ? &a->preview.picture : NULL;
}

/* --- commands --- */

static bool scroll(struct asker *a, const char *name)
{
	int page = a->right.h > 2 ? a->right.h - 1 : 1, half = (page + 1) / 2;
	int by = strcmp(name, "half-down") == 0	  ? half
		 : strcmp(name, "half-up") == 0	  ? -half
		 : strcmp(name, "page-down") == 0 ? page
		 : strcmp(name, "page-up") == 0	  ? -page
						  : 0;

	if (!by)
		return false;
	a->text.skip += by;
	if (a->text.skip < 0)
		a->text.skip = 0;
	a->held = a->followed;
	return true;
}

static unsigned asker_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct asker *a = (struct asker *)self;
	struct list list;

	if (!is_something(app))
		return REACT_UNHANDLED;
	if (scroll(a, name))
		return REACT_REDRAW;
	list = (struct list){scene_shown(&app->scene), scene_place(&app->scene, app->scene.current), 0, 1};
	if (list_command(&list, name, args)) {
		walk_to(app, list.cursor);
		return REACT_REDRAW;
	}
	if (strcmp(name, "enter") == 0) {
		asking_ready(app);
		a->text.skip = 0;
		a->fetched = false;
		return asking_send(app);
	}
	if (strcmp(name, "escape") == 0)
		return asking_stop(app) ? REACT_REDRAW : REACT_UNHANDLED;
	if (strcmp(name, "right") == 0)
		return walk_command(app, "next-run", args);
	if (strcmp(name, "left") == 0)
		return walk_command(app, "previous-run", args);
	return walk_command(app, name, args);
}

static const struct hint asker_hints[] = {
    {"enter", "ask"},	   {"endpoint", "model"}, {"protocol", "protocol"}, {"edit-prompt", "prompt"},
    {"offer", "offer"},	   {"crop", "crop"},	  {"keys", "keys"},	    {"repeats", "how often"},
    {"half-down", "scroll"}, {"down", "next"},	  {"back", "quit"},	    {NULL, NULL},
};

const struct view_class query_view = {
    .name = "query",
    .digit = '7',
    .help = "ask a model about this sample",
    .mode = MODE_QUERY,
    .hints = asker_hints,
    .open = asker_open,
    .close = asker_close,
    .update = asker_update,
    .draw = asker_draw,
    .command = asker_command,
    .picture = asker_picture,
};
