#include "tui/edit.h"

#include <stdarg.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/labels_screen.h"
#include "tui/view/sign.h"

#define SEEN_MS       1000
#define KEEP_MS       10000
#define LOOK_MS       2000
#define WRITTEN_MS    250 /* between looks while another program writes */

static void wish_release(struct wish *w)
{
	targets_release(&w->to);
	free(w->text);
	*w = (struct wish){0};
}

/* --- with the project --- */

static void open_user(struct app *app)
{
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;

	if (user_open(&app->edit.user, app->conn, s->snap->dataset_id, s->snap->dataset, s->snap->n,
		      &err) == OK) {
		s->mine = user_things(app->edit.user);
		user_adoptable(app->edit.user, &app->edit.adoptable, &err);
	} else {
		app_message(app, STYLE_WARNING, "your notes and tags cannot be read: %s", err.msg);
	}
}

static void close_user(struct app *app)
{
	struct edit *e = &app->edit;
	struct err err = ERR_INIT;

	if (e->user)
		user_keep_seen(e->user, &err); /* worth no waiting and no word */
	user_close(e->user);
	e->user = NULL;
	app->scene.mine = NULL;
}

void edit_load(struct app *app)
{
	edit_release(app);
	app->scene.anchor = -1;
	if (app->scene.snap)
		open_user(app);
}

void edit_renew(struct app *app)
{
	close_user(app);
	open_user(app);
}

void edit_release(struct app *app)
{
	struct edit *e = &app->edit;

	close_user(app);
	wish_release(&e->wish);
	buf_release(&e->question);
	*e = (struct edit){0};
}

bool edit_ready(struct app *app)
{
	if (app->top && app->top->class->popup) { /* what is under it is not seen */
		app_message(app, STYLE_MESSAGE, "samples are marked, tagged and noted when the popup is closed: Esc");
		return false;
	}
	if (app->scene.snap && app->scene.snap->n && !app->edit.user)
		edit_load(app);
	else if (!app->edit.user)
		app_message(app, STYLE_MESSAGE, "there is no sample");
	return app->edit.user && app->scene.snap->n && narrow_any(app);
}

static int until(int64_t due, int64_t now)
{
	return due > now ? (int)(due - now) : 0;
}

static int sooner(int a, int b)
{
	return a < 0 ? b : b < 0 || a < b ? a : b;
}

static int look_at_sample(struct app *app, int64_t now)
{
	struct edit *e = &app->edit;
	uint32_t ord = app->scene.current;

	if (e->stood_on != ord || !e->stood_since) {
		e->stood_on = ord;
		e->stood_since = now;
	}
	if (ord >= app->scene.mine->n || app->scene.mine->seen[ord] || !scene_shown(&app->scene))
		return -1;
	if (now - e->stood_since < SEEN_MS)
		return until(e->stood_since + SEEN_MS, now);
	user_see(e->user, ord);
	if (!e->kept_at)
		e->kept_at = now;
	return -1;
}

static int keep_seen(struct edit *e, int64_t now)
{
	struct err err = ERR_INIT;

	if (!e->kept_at)
		return -1;
	if (now - e->kept_at < KEEP_MS)
		return until(e->kept_at + KEEP_MS, now);
	e->kept_at = user_keep_seen(e->user, &err) == E_BUSY ? now : 0;
	return e->kept_at ? KEEP_MS : -1;
}

/* What another program does is told while it still holds the file: then the look is due again. */
static int look_at_others(struct app *app, int64_t now)
{
	struct edit *e = &app->edit;
	struct err err = ERR_INIT;
	bool changed = false;

	if (now - e->looked_at < (e->due ? WRITTEN_MS : LOOK_MS))
		return e->due ? until(e->looked_at + WRITTEN_MS, now) : -1;
	e->looked_at = now;
	e->due = user_refresh(e->user, &changed, &err) == E_BUSY;
	app->dirty |= changed;
	return e->due ? WRITTEN_MS : -1;
}

int edit_tick(struct app *app, int64_t now)
{
	struct edit *e = &app->edit;
	int wait;

	if (!e->user)
		return -1;
	wait = look_at_others(app, now);
	wait = sooner(wait, look_at_sample(app, now));
	return sooner(wait, keep_seen(e, now));
}

/* --- doing --- */

typedef VEC(struct user_change) changes;

static void add_change(changes *list, enum user_what what, const struct targets *t, struct str text)
{
	struct user_change c = {.what = what, .ords = t->ords, .n = t->n, .text = text};

	vec_push(list, c);
}

/* "blurry -dark #pose": tags to give and, with a minus, to take. */
static void add_tags(changes *list, const struct wish *w)
{
	struct str rest = str_z(w->text), word;

	while (rest.p) {
		bool take = w->kind == WISH_UNTAG;

		rest = str_cut(rest, ' ', &word);
		if (word.n && word.p[0] == '-') {
			take = !take;
			word.p++, word.n--;
		}
		if (word.n > 1 && word.p[0] == '#')
			word.p++, word.n--;
		if (word.n)
			add_change(list, take ? USER_UNTAG : USER_TAG, &w->to, word);
	}
}

static void add_changes(changes *list, const struct wish *w)
{
	switch (w->kind) {
	case WISH_NOTE:
		add_change(list, *w->text ? USER_NOTE : USER_UNNOTE, &w->to, str_z(w->text));
		list->v[list->n - 1].note = w->note;
		break;
	case WISH_TAG:
	case WISH_UNTAG:
		add_tags(list, w);
		break;
	case WISH_MARK:
	case WISH_UNMARK:
		add_change(list, w->kind == WISH_MARK ? USER_MARK : USER_UNMARK, &w->to, STR_NONE);
		break;
	case WISH_NONE:
		break;
	}
	/* What was marked for this is done with. */
	if (w->to.from == FROM_MARKS && w->kind <= WISH_UNTAG && list->n)
		add_change(list, USER_UNMARK, &w->to, STR_NONE);
}

static void label(struct app *app, const struct wish *w, struct buf *out)
{
	static const char *const verbs[] = {
	    [WISH_NONE] = "",        [WISH_NOTE] = "note on ", [WISH_TAG] = "tag ",
	    [WISH_UNTAG] = "untag ", [WISH_MARK] = "mark ",    [WISH_UNMARK] = "unmark ",
	};

	if (w->kind == WISH_NOTE && w->note)
		buf_z(out, *w->text ? "change " : "erase ");
	buf_z(out, verbs[w->kind]);
	targets_name(app, &w->to, out);
	if (w->kind == WISH_TAG || w->kind == WISH_UNTAG)
		buf_printf(out, ": %s", w->text);
}

static void say_done(struct app *app, const struct wish *w, const struct user_done *done)
{
	if (!done->n)
		app_message(app, STYLE_MESSAGE, "nothing to change: %s",
			    app->edit.user && conn_read_only(app->conn)
				? "what the read-only project has stays"
				: "it is so already");
	else if (w->to.from != FROM_CURSOR || (w->kind != WISH_MARK && w->kind != WISH_UNMARK))
		app_message(app, STYLE_MESSAGE, "%s", done->label);
}

/* The project's path before the reason would push it off the line, and is known. */
static void say_failed(struct app *app, const struct err *err)
{
	struct str msg = str_z(err->msg), path = str_z(conn_path(app->conn));

	if (str_starts(msg, path) && str_starts((struct str){msg.p + path.n, msg.n - path.n}, STR(": ")))
		msg.p += path.n + 2;
	app_message(app, STYLE_WARNING, "not kept: %s", msg.p);
}

static bool carry_out(struct app *app, const struct wish *w)
{
	changes list = {0};
	struct buf what = BUF_INIT;
	struct user_done done = {0};
	struct err err = ERR_INIT;
	enum status st;

	add_changes(&list, w);
	label(app, w, &what);
	conn_set_wait(app->conn, app_waiting, app);
	st = user_edit(app->edit.user, buf_cstr(&what), list.v, list.n, &done, &err);
	if (st == OK)
		say_done(app, w, &done);
	else
		say_failed(app, &err);
	app->dirty = true;
	vec_release(&list);
	buf_release(&what);
	return st == OK;
}

static void ask(struct app *app)
{
	struct buf *q = &app->edit.question;

	buf_clear(q);
	label(app, &app->edit.wish, q);
	buf_z(q, "? y/n");
}

/* A wish that failed goes back where it was typed, so that nothing typed is lost. */
static void type_again(struct app *app, char sign)
{
	if (app->prompt.sign)
		return;
	prompt_open(&app->prompt, sign);
	prompt_set(&app->prompt, str_z(app->edit.wish.text));
}

/* Does what is in edit.wish; false when it has failed and waits there for another try. */
static bool do_wish(struct app *app)
{
	struct wish *w = &app->edit.wish;

	if (carry_out(app, w)) {
		wish_release(w);
		return true;
	}
	if (w->kind == WISH_NOTE || w->kind == WISH_TAG)
		type_again(app, w->kind == WISH_NOTE ? PROMPT_NOTE : PROMPT_TAG);
	else
		wish_release(w);
	return false;
}

unsigned edit_do(struct app *app, struct wish wish)
{
	wish_release(&app->edit.wish);
	app->edit.wish = wish;
	if (wish.to.n > EDIT_ASK_ABOVE)
		ask(app);
	else
		do_wish(app);
	return REACT_REDRAW;
}

void edit_ask(struct app *app, unsigned (*then)(struct app *app, bool yes), const char *fmt, ...)
{
	char text[ERR_MESSAGE_MAX];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	buf_clear(&app->edit.question);
	buf_z(&app->edit.question, text);
	app->edit.asked = then;
}

unsigned edit_answer(struct app *app, bool yes)
{
	unsigned (*asked)(struct app *, bool) = app->edit.asked;

	buf_clear(&app->edit.question);
	app->edit.asked = NULL;
	if (asked)
		return asked(app, yes);
	if (yes && app->edit.wish.kind) {
		do_wish(app);
	} else {
		wish_release(&app->edit.wish);
		app_message(app, STYLE_MESSAGE, "nothing is changed");
	}
	return REACT_REDRAW;
}

bool edit_saved(struct app *app, const char *label, const struct user_saving *list, size_t n)
{
	struct user_done done = {0};
	struct err err = ERR_INIT;
	enum status st;

	st = user_saved_edit(app->edit.user, label, list, n, &done, &err);
	app->dirty = true;
	if (st != OK)
		say_failed(app, &err);
	else if (!done.saved)
		app_message(app, STYLE_MESSAGE, "nothing to change: it is so already");
	else
		app_message(app, STYLE_MESSAGE, "%s", done.label);
	return st == OK && done.saved;
}

static void say_labels(struct app *app, const char *word, const struct user_done *done)
{
	struct buf moved = BUF_INIT;

	labels_moved(&done->moves, &moved);
	app_message(app, STYLE_MESSAGE, "%s: %s: %s", word, done->label, buf_cstr(&moved));
	labels_changed(app);
	buf_release(&moved);
}

unsigned edit_turn(struct app *app, const char *word,
		   enum status (*fn)(struct user *, struct user_done *, struct err *))
{
	struct user_done done = {0};
	struct err err = ERR_INIT;
	enum status st;

	if (!app->edit.user && !edit_ready(app))
		return REACT_REDRAW;
	conn_set_wait(app->conn, app_waiting, app);
	labels_watch(app);
	st = fn(app->edit.user, &done, &err);
	if (st == OK && done.labels) {
		say_labels(app, word, &done);
	} else if (st == OK) {
		bool hidden = done.n == 1 && scene_place(&app->scene, done.first) == SCENE_NOWHERE;

		if (done.n == 1 && !hidden)
			app_go(app, done.first);
		app_message(app, STYLE_MESSAGE, "%s: %s%s", word, done.label,
			    hidden ? " (the filter does not show it)" : "");
	} else if (st == E_NOT_FOUND) {
		app_message(app, STYLE_MESSAGE, "%s", err.msg);
	} else {
		say_failed(app, &err);
	}
	return REACT_REDRAW;
}

/* It waits while the command is typed after a `:`. */
void edit_after(struct app *app)
{
	if (app->jumps.depth > 0)
		return;
	if (!app->edit.all_now && app->prompt.sign != ':')
		app->edit.all = false;
	app->edit.all_now = false;
}

/* --- typing --- */

unsigned edit_prompt(struct app *app, char sign, struct wish wish, struct str text)
{
	wish_release(&app->edit.wish);
	app->edit.wish = wish;
	prompt_open(&app->prompt, sign);
	prompt_set(&app->prompt, text);
	return REACT_REDRAW;
}

bool edit_accept(struct app *app, struct str text)
{
	struct wish *w = &app->edit.wish;

	text = str_trim(text);
	if (w->kind == WISH_NONE || (!text.n && !w->note)) {
		wish_release(w);
		return true;
	}
	free(w->text);
	w->text = xstrndup(text.p, text.n);
	if (w->to.n > EDIT_ASK_ABOVE) {
		ask(app);
		return true;
	}
	return do_wish(app);
}

void edit_cancel(struct app *app)
{
	wish_release(&app->edit.wish);
}

/* The word at the end of what is typed, without the signs before a tag's name. */
static struct str last_word(const struct prompt *p)
{
	struct str typed = buf_view(&p->text), word = typed;

	for (size_t i = 0; i < typed.n; i++)
		if (typed.p[i] == ' ')
			word = (struct str){typed.p + i + 1, typed.n - i - 1};
	while (word.n && (word.p[0] == '-' || word.p[0] == '#'))
		word.p++, word.n--;
	return word;
}

void edit_typing(struct app *app)
{
	const struct user_things *t = app->scene.mine;
	struct str word = last_word(&app->prompt);
	struct buf names = BUF_INIT;
	char n[28];

	for (uint32_t i = 0; t && i < t->n_tags && names.n < 400; i++)
		if (str_starts(str_z(t->tags[i].name), word))
			buf_printf(&names, "%s%s %s", names.n ? "  " : "", t->tags[i].name,
				   count_text(t->tags[i].n, n));
	if (names.n)
		app_message(app, STYLE_MESSAGE, "%s", buf_cstr(&names));
	buf_release(&names);
}

void edit_complete(struct app *app)
{
	const struct user_things *t = app->scene.mine;
	struct str word = last_word(&app->prompt), common = STR_NONE;
	struct buf text = BUF_INIT;
	unsigned found = 0;

	for (uint32_t i = 0; t && i < t->n_tags; i++) {
		struct str name = str_z(t->tags[i].name);

		if (!str_starts(name, word))
			continue;
		if (!found++)
			common = name;
		for (size_t k = 0; k < common.n; k++)
			if (k == name.n || name.p[k] != common.p[k])
				common.n = k;
	}
	if (!found)
		return;
	while (common.n && utf8_valid_prefix(common) < common.n)
		common.n--; /* names may part in the middle of a character */
	buf_put(&text, app->prompt.text.p, app->prompt.text.n - word.n);
	buf_str(&text, common);
	if (found == 1)
		buf_ch(&text, ' ');
	prompt_set(&app->prompt, buf_view(&text));
	buf_release(&text);
}
