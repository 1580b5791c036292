#include "tui/app.h"

#include <stdarg.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "tui/choice.h"
#include "tui/term/text.h"
#include "tui/view/bar.h"
#include "tui/view/sign.h"

#define WAIT_SHOWN_MS 300
#define LOCKED_MS     100 /* between tries to read what another program is writing */

int64_t app_clock(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

void app_message(struct app *app, enum style style, const char *fmt, ...)
{
	char text[ERR_MESSAGE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_clear(&app->message);
	buf_z(&app->message, text);
	app->message_style = style;
	app->dirty = true;
}

/* --- views --- */

void app_push_view(struct app *app, struct view *view)
{
	view->below = app->top;
	app->top = view;
	app->dirty = true;
}

void app_push(struct app *app, const struct view_class *class)
{
	app_push_view(app, class->open(app));
}

bool app_pop(struct app *app)
{
	struct view *v = app->top;

	if (!v || !v->below)
		return false;
	app->top = v->below;
	v->class->close(v);
	app->dirty = true;
	return true;
}

struct view *app_main_view(const struct app *app)
{
	struct view *v = app->top;

	while (v->class->popup && v->below)
		v = v->below;
	return v;
}

unsigned app_view_command(struct app *app, const char *name, struct str args)
{
	for (struct view *v = app->top; v; v = v->below) {
		unsigned r = v->class->command(v, app, name, args);

		if (!(r & REACT_UNHANDLED))
			return r;
		if (v->class->popup) /* what is under a popup must not move unseen */
			break;
	}
	return REACT_UNHANDLED;
}

void app_go(struct app *app, uint32_t ord)
{
	if (app->scene.snap && ord >= app->scene.snap->n)
		ord = 0; /* of a damaged project */
	app->scene.current = app->scene.snap ? scene_nearest(&app->scene, ord) : ord;
	app->dirty = true;
}

/* --- commands --- */

static void settle(struct app *app, unsigned reactions)
{
	if (reactions & REACT_RELENS) {
		scene_follow_lens(&app->scene);
		reactions |= REACT_RERUN;
	}
	if (reactions & REACT_RERUN) {
		choice_resort(app);
		narrow_settle(app, FILTER_USES_A | FILTER_USES_B | FILTER_USES_PANEL |
				       (reactions & REACT_RELENS ? FILTER_USES_LENS : 0u));
	}
	app->reactions |= reactions;
	if (reactions & REACT_QUIT)
		app->quit = true;
	if (reactions)
		app->dirty = true;
}

static struct str alias(struct str name)
{
	if (str_eqz(name, "q") || str_eqz(name, "q!") || str_eqz(name, "qa"))
		return STR("quit");
	if (str_eqz(name, "help") || str_eqz(name, "h"))
		return STR("keys");
	return name;
}

bool app_exec(struct app *app, struct str text)
{
	struct str name, args;
	const struct command *c;
	struct jump before;
	unsigned reactions;
	int64_t row;

	args = str_trim(str_cut(str_trim(text), ' ', &name));
	if (!name.n)
		return true;
	if (str_int(name, &row)) {
		args = name;
		name = STR("goto");
	}
	c = command_find(alias(name));
	if (!c || !c->screen) {
		app_message(app, STYLE_WARNING, "there is no command %.*s here; ? lists them",
			    STR_ARG(name));
		return false;
	}
	if (!grow_is_early(c->name) && !grow_whole(app))
		return true;
	before = jump_begin(app);
	reactions = c->screen(app, args);
	settle(app, reactions & ~(unsigned)REACT_UNHANDLED);
	jump_end(app, before, c->name);
	edit_after(app);
	return true;
}

/* --- keys --- */

static enum mode mode_of(const struct app *app)
{
	if (app->edit.question.n)
		return MODE_ASK;
	return app->prompt.sign ? MODE_PROMPT : app->top->class->mode;
}

static bool is_text(uint32_t key)
{
	return key >= 0x20 && key <= 0x10ffff && key != 0x7f;
}

/* What is typed after "/" is also told to views that narrow down while one types. */
static void typed(struct app *app)
{
	if (app->prompt.sign == PROMPT_TAG)
		edit_typing(app);
	if (app->prompt.sign == PROMPT_FILTER)
		ask_filter_look(app);
	if (app->prompt.sign == '/')
		settle(app, app_view_command(app, "search-typing", buf_view(&app->prompt.text)) &
				~(unsigned)REACT_UNHANDLED);
}

static void unbound(struct app *app)
{
	struct buf name = BUF_INIT;

	keymap_name(app->pending, app->n_pending, &name);
	if (app->prompt.sign && app->n_pending == 1 && is_text(app->pending[0])) {
		prompt_insert(&app->prompt, app->pending[0]);
		typed(app);
	} else if (!app->prompt.sign && !app->edit.question.n) {
		app_message(app, STYLE_MESSAGE, "%s does nothing here; ? lists the keys",
			    buf_cstr(&name));
	}
	buf_release(&name);
}

/* Line ends and other controls of what is pasted become blanks: nothing is run by pasting. */
static void paste(struct app *app)
{
	struct str s = term_pasted(app->term);
	size_t len;

	if (!app->prompt.sign) {
		app_message(app, STYLE_MESSAGE, "pasting goes into a prompt: / or :");
		return;
	}
	if (s.n > PROMPT_MAX_BYTES)
		s.n = PROMPT_MAX_BYTES;
	for (; s.n; s.p += len, s.n -= len) {
		uint32_t cp = utf8_decode(s.p, s.n, &len);

		prompt_insert(&app->prompt, cp < 0x20 ? ' ' : cp);
	}
	typed(app);
}

void app_key(struct app *app, uint32_t key)
{
	const char *command = NULL;
	enum keymap_match match;

	app->dirty = true;
	if (key == KEYC_RESIZE) {
		app_resize(app);
		return;
	}
	if (key == KEYC_FOCUS_IN || key == KEYC_FOCUS_OUT)
		return;
	buf_clear(&app->message);
	if (key == KEYC_PASTE) {
		paste(app);
		return;
	}
	if (key == KEYC_ESC && app->n_pending) {
		app->n_pending = 0;
		return;
	}
	app->pending[app->n_pending++] = key;
	match = keymap_find(&app->keys, mode_of(app), app->pending, app->n_pending, &command);
	if (match == KEYMAP_PREFIX && app->n_pending < KEYMAP_MAX_KEYS)
		return;
	if (match == KEYMAP_FOUND) {
		char *text = xstrdup(command); /* the command may change the keymap */

		app->n_pending = 0;
		app_exec(app, str_z(text));
		free(text);
		if (app->prompt.sign == PROMPT_FILTER || (app->prompt.sign && !app->message.n))
			typed(app);
	} else if (key & KEYC_ALT) {
		/* Esc and the next key come as one where the line brings them together. */
		app->n_pending = 0;
		app_key(app, KEYC_ESC);
		app_key(app, key & ~(uint32_t)KEYC_ALT);
	} else {
		unbound(app);
		app->n_pending = 0;
	}
}

/* --- drawing --- */

static struct rect middle(const struct app *app)
{
	int h = app->grid.h - 2;

	return (struct rect){1, 0, h > 0 ? h : 0, app->grid.w};
}

/* While something is typed a message stands in the line above. */
static void draw_above(struct app *app)
{
	struct rect line = {app->grid.h - 2, 0, 1, app->grid.w};

	if (!app->message.n || line.y < 1)
		return;
	cells_fill(&app->grid, line, STYLE_NORMAL);
	cells_put(&app->grid, line.y, 1, line.w - 2, app->message_style, buf_view(&app->message));
}

/* How far a range has come, where nothing else is said. */
static void say_range(struct app *app, struct bar_bottom *bar, char *text, size_t size)
{
	uint32_t from, to;
	char n[28];

	if (app->scene.anchor < 0 || app->message.n)
		return;
	scene_range(&app->scene, &from, &to);
	snprintf(text, size, "a range of %s: mark, tag, note or copy it; Esc ends it",
		 count_text((uint64_t)to - from + 1, n));
	bar->message = str_z(text);
	bar->message_style = STYLE_MESSAGE;
}

/* Work in the background: instead of hints, or shortly beside a message. */
static void say_meter(struct app *app, struct bar_bottom *bar, struct buf *text)
{
	const struct meter *m = meter_shown(&app->meters, app->now);
	int room = app->grid.w - 4;

	if (!m)
		return;
	meter_text(m, app->now, bar->message.n ? room / 4 : room - text_width(bar->place), text);
	if (bar->message.n) {
		bar->place = buf_view(text);
	} else {
		bar->message = buf_view(text);
		bar->message_style = STYLE_MESSAGE;
	}
}

/* "17 of 145 · 14.5 % of 1,000". */
static void say_place(const struct scene *s, char *out, size_t size)
{
	char at[28], shown[28], all[28];

	snprintf(out, size, "%s of %s%s", count_text(scene_place(s, s->current) + 1, at),
		 count_text(scene_shown(s), shown), s->partial ? "+" : "");
	if (scene_shown(s) != s->n_base && !s->partial)
		snprintf(out + strlen(out), size - strlen(out), " %s %.1f %% of %s", sign(SIGN_DOT),
			 100.0 * scene_shown(s) / s->n_base, count_text(s->n_base, all));
}

/* Returns what of the middle a prompt covers. */
static struct rect draw_bottom(struct app *app)
{
	struct rect line = {app->grid.h - 1, 0, 1, app->grid.w};
	const struct scene *s = &app->scene;
	struct bar_bottom bar = {&app->keys, mode_of(app), view_hints(app->top),
				 buf_view(&app->message), app->message_style, STR_NONE};
	char place[128], range[96];
	struct buf meter = BUF_INIT;

	if (app->edit.question.n) {
		cells_fill(&app->grid, line, STYLE_PROMPT);
		cells_put(&app->grid, line.y, 1, line.w - 2, STYLE_PROMPT, buf_view(&app->edit.question));
		return (struct rect){0};
	}
	if (app->prompt.sign == PROMPT_FILTER)
		return ask_filter_draw(app, &app->grid);
	if (app->prompt.sign) {
		draw_above(app);
		prompt_draw(&app->prompt, &app->grid, line);
		return (struct rect){0};
	}
	if (app->n_pending) {
		bar_pending(&app->grid, line, &app->keys, mode_of(app), app->pending, app->n_pending);
		return (struct rect){0};
	}
	if (scene_shown(s) && !app->top->class->placeless) {
		say_place(s, place, sizeof place);
		bar.place = str_z(place);
	}
	say_range(app, &bar, range, sizeof range);
	say_meter(app, &bar, &meter);
	bar_bottom(&app->grid, line, &bar);
	buf_release(&meter);
	return (struct rect){0};
}

static const char writing[] = "another program is writing to the project";

bool app_waiting(void *ctx, int64_t waited)
{
	struct app *app = ctx;
	struct rect line = {app->grid.h - 1, 0, 1, app->grid.w};

	if (waited < WAIT_SHOWN_MS || !app->term || app->grid.h < 1)
		return true;
	cells_fill(&app->grid, line, STYLE_NORMAL);
	cells_printf(&app->grid, line.y, 1, line.w - 2, STYLE_MESSAGE,
		     "%s; waiting, %.1f s", writing, (double)waited / 1000);
	term_show(app->term, &app->grid, app->placed.id ? &app->placed : NULL);
	return true;
}

static void say_locked(struct app *app)
{
	bool said = str_starts(buf_view(&app->message), str_z(writing));

	if (!app->locked && said)
		buf_clear(&app->message);
	if (!app->locked)
		return;
	if (!app->message.n)
		app_message(app, STYLE_MESSAGE, "%s %s", writing, sign(SIGN_WAIT));
	app->wake_ms = app->wake_ms >= 0 && app->wake_ms < LOCKED_MS ? app->wake_ms : LOCKED_MS;
	app->dirty = false;
}

/* A frame waits for nobody. What it lacks is fetched again. */
static void update_views(struct app *app, struct view *const *stack, int n)
{
	unsigned reactions = app->reactions | (app->locked ? REACT_GREW : 0u);

	app->reactions = 0;
	conn_was_busy(app->conn);
	conn_hurry(app->conn, true);
	while (n--)
		stack[n]->class->update(stack[n], app, middle(app), reactions);
	conn_hurry(app->conn, false);
	app->locked = conn_was_busy(app->conn);
	say_locked(app);
}

static void draw_views(struct app *app)
{
	struct view *stack[16];
	int n = 0;

	for (struct view *v = app->top; v && n < 16; v = v->below) {
		stack[n++] = v;
		if (!v->class->popup)
			break;
	}
	update_views(app, stack, n);
	for (n = 0; n < 15 && stack[n]->class->popup; n++)
		;
	for (; n >= 0; n--)
		stack[n]->class->draw(stack[n], &app->scene, &app->grid, middle(app));
}

/* A picture that was broken off, or never sent, is not worth keeping. */
static bool on_glass(const struct app *app)
{
	struct placed_picture shown;

	term_shown(app->term, &shown);
	return shown.id == app->placed.id;
}

/* The terminal gets a new picture only when it has taken the last one; until then, and for a
 * moment while the next is being made, the last one stays. */
static void place_picture(struct app *app)
{
	struct rect box = {0};
	const struct view *v = app->top;
	const struct picture *pic = v->class->picture ? v->class->picture(v, &box) : NULL;
	struct placed_picture *now = &app->placed;

	if (pic && pic->state == PICTURE_READY && pic->sixel.n) {
		struct rect place = picture_rect(pic, box);

		if (now->id == pic->id && memcmp(&now->rect, &place, sizeof place) == 0)
			return;
		if (now->id && term_busy(app->term))
			goto keep;
		free(app->placed_bytes);
		app->placed_bytes = xstrndup(pic->sixel.p, pic->sixel.n);
		*now = (struct placed_picture){
		    .id = pic->id, .rect = place, .sixel = {app->placed_bytes, pic->sixel.n}};
		return;
	}
	if (!pic || pic->state != PICTURE_NONE || box.h <= 0) {
		now->id = 0;
		return;
	}
keep:
	if (now->id && !on_glass(app))
		now->id = 0;
	if (now->id)
		cells_fill(&app->grid, now->rect, STYLE_PICTURE);
}

static bool meet(struct rect a, struct rect b)
{
	return a.h > 0 && b.h > 0 && a.y < b.y + b.h && b.y < a.y + a.h && a.x < b.x + b.w &&
	       b.x < a.x + a.w;
}

/* What the terminal is to show of pictures, in front of which a prompt's list may stand. */
static const struct placed_picture *place(struct app *app)
{
	if (app->top->class->placed) {
		app->placed.id = 0;
		return app->top->class->placed(app->top);
	}
	place_picture(app);
	return app->placed.id ? &app->placed : NULL;
}

/* Do all views in sight know what a partial snapshot is? */
static bool draws_early(const struct app *app)
{
	const struct view *v = app->top;

	while (v->class->popup && v->below)
		v = v->below;
	return v->class->early;
}

void app_draw(struct app *app, int64_t now)
{
	char digit = app->top->class->digit;
	const struct placed_picture *placed;
	struct rect covered;

	app->now = now;
	app->dirty = false;
	app->wake_ms = -1;
	if (app->grid.h < 1 || app->grid.w < 1)
		return;
	if (!draws_early(app))
		grow_whole(app);
	scene_ready(&app->scene);
	narrow_watch(app);
	if (app->reactions & REACT_REFILTER) {
		app_keep_place(app);
		picks_follow(app);
	}
	find_mark(app);
	cells_fill(&app->grid, (struct rect){0, 0, app->grid.h, app->grid.w}, STYLE_NORMAL);
	draw_views(app);
	if (app->grid.h > 1)
		bar_top(&app->grid, (struct rect){0, 0, 1, app->grid.w}, &app->scene, digit);
	placed = place(app);
	covered = draw_bottom(app);
	if (placed && meet(placed->rect, covered)) {
		app->placed.id = 0;
		placed = NULL;
	}
	term_show(app->term, &app->grid, placed);
}

void app_resize(struct app *app)
{
	int h, w;

	term_size(app->term, &h, &w);
	cells_resize(&app->grid, h, w);
	app->placed.id = 0;
	app_caps(app);
}

/* Cells of 10 × 20 where the terminal does not say: a shape, at least. */
void app_caps(struct app *app)
{
	const struct term_caps *c = term_caps(app->term);
	struct picture_setup s = {
	    .cell_w = c->cell_w > 0 ? c->cell_w : 10,
	    .cell_h = c->cell_h > 0 ? c->cell_h : 20,
	    .max_w = c->max_w,
	    .max_h = c->max_h,
	    .colors = option_number(&app->options, OPTION_COLORS),
	    .first_is_background = c->tmux_first_background,
	    .background = c->background,
	    .unicode = text_unicode() && c->colors >= 16,
	    .decoder = app->decoder,
	    .cache = app->cache,
	};

	if (c->color_registers >= 2 && c->color_registers < s.colors)
		s.colors = c->color_registers;
	s.kind = app->headless                      ? PICTURE_MARK
		 : c->graphics == GRAPHICS_SIXEL    ? PICTURE_SIXEL
		 : c->graphics == GRAPHICS_BLOCKS   ? PICTURE_BLOCKS
		 : c->graphics == GRAPHICS_ASCII    ? PICTURE_ASCII
						    : PICTURE_OFF;
	pictures_setup(app->pictures, &s);
	sheet_setup(app->sheet, &s, c->single);
	app->dirty = true;
}

enum status app_use_option(struct app *app, enum option_id id, struct err *err)
{
	struct theme theme;

	switch (id) {
	case OPTION_THEME:
		if (theme_load(option_unless_auto(&app->options, id), &theme, err) != OK)
			return err->code;
		app->theme = theme;
		term_theme(app->term, &theme);
		break;
	case OPTION_PICTURES:
	case OPTION_CELL:
		term_wish(app->term, option_unless_auto(&app->options, OPTION_PICTURES),
			  option_unless_auto(&app->options, OPTION_CELL));
		break;
	case OPTION_REST:
		pictures_rest(app->pictures, option_number(&app->options, OPTION_REST));
		break;
	case OPTION_WHEEL:
		term_wheel(app->term, strcmp(option_get(&app->options, id), "yes") == 0);
		break;
	case OPTION_ALPHA:
	case OPTION_UNPARSED:
		app->reactions |= REACT_REFILTER;
		break;
	case OPTION_COLORS:
	case OPTION_MID_P:
	case OPTION_SEED:
	case N_OPTIONS:
		break;
	}
	app_caps(app);
	return OK;
}
