/* Commands about the user's own things: notes, tags, marks, and back again. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/view/sign.h"

/* The latest note of one's own, to be changed. */
static char *own_note(struct app *app, uint32_t ord, int64_t *id)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct user_note *notes;
	char *text = NULL;
	size_t n = 0;

	if (user_notes(app->edit.user, ord, &notes, &n, &arena, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	for (size_t i = n; i > 0 && !text; i--) {
		const struct user_note *note = &notes[i - 1];

		if (note->fixed || !str_eqz(note->author, user_author(app->edit.user)))
			continue;
		*id = note->id;
		text = xstrndup(note->text.p, note->text.n);
	}
	arena_release(&arena);
	return text;
}

static unsigned do_note(struct app *app, struct str args)
{
	struct wish w = {.kind = WISH_NOTE};
	char *text = NULL;
	unsigned reactions;

	if (!edit_ready(app))
		return REACT_REDRAW;
	w.to = targets_take(app);
	if (args.n) {
		w.text = xstrndup(args.p, args.n);
		return edit_do(app, w);
	}
	if (w.to.n == 1)
		text = own_note(app, w.to.ords[0], &w.note);
	if (text && strlen(text) > PROMPT_MAX_BYTES) {
		app_message(app, STYLE_WARNING, "the note is too long to be changed here");
		free(text);
		targets_release(&w.to);
		return REACT_REDRAW;
	}
	reactions = edit_prompt(app, PROMPT_NOTE, w, str_z(text ? text : ""));
	free(text);
	return reactions;
}
const struct command cmd_note = {
	.name = "note", .args = "[TEXT]", .group = "Notes",
	.help = "write a note, or change your own; empty: erase", .screen = do_note,
};

static unsigned tag(struct app *app, enum wish_kind kind, struct str args)
{
	struct wish w = {.kind = kind};

	if (!edit_ready(app))
		return REACT_REDRAW;
	if (!args.n && kind == WISH_UNTAG) {
		app_message(app, STYLE_WARNING, "untag needs the names of tags");
		return REACT_REDRAW;
	}
	w.to = targets_take(app);
	if (!args.n) {
		unsigned reactions = edit_prompt(app, PROMPT_TAG, w, STR(""));

		edit_typing(app);
		return reactions;
	}
	w.text = xstrndup(args.p, args.n);
	return edit_do(app, w);
}

static unsigned do_tag(struct app *app, struct str args)
{
	return tag(app, WISH_TAG, args);
}
const struct command cmd_tag = {
	.name = "tag", .args = "[NAME...]", .group = "Notes",
	.help = "give tags; -NAME takes one away", .screen = do_tag,
};

static unsigned do_untag(struct app *app, struct str args)
{
	return tag(app, WISH_UNTAG, args);
}
const struct command cmd_untag = {
	.name = "untag", .args = "NAME...", .group = "Notes", .help = "take tags away",
	.screen = do_untag,
};

static bool all_marked(const struct user_things *mine, const struct targets *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (!mine->marked[t->ords[i]])
			return false;
	return t->n > 0;
}

/* Marks, or takes the marks away where all had one. From the cursor it goes on to the next row. */
static unsigned do_mark(struct app *app, struct str args)
{
	struct wish w = {0};
	uint64_t version;
	bool one;

	(void)args;
	if (!edit_ready(app))
		return REACT_REDRAW;
	w.to = targets_take(app);
	one = w.to.from == FROM_CURSOR;
	w.kind = all_marked(app->scene.mine, &w.to) ? WISH_UNMARK : WISH_MARK;
	version = app->scene.mine->version;
	edit_do(app, w);
	if (one && app->scene.mine->version != version)
		app_view_command(app, "down", STR_NONE);
	return REACT_REDRAW;
}
const struct command cmd_mark = {
	.name = "mark", .args = "", .group = "Notes",
	.help = "mark this sample or the range, or unmark it", .screen = do_mark,
};

static unsigned do_unmark_all(struct app *app, struct str args)
{
	(void)args;
	if (!edit_ready(app))
		return REACT_REDRAW;
	app->scene.anchor = -1;
	app->edit.all = true;
	if (app->scene.mine->n_marked)
		return edit_do(app, (struct wish){.kind = WISH_UNMARK, .to = targets_take(app)});
	app->edit.all = false;
	app_message(app, STYLE_MESSAGE, "no sample is marked");
	return REACT_REDRAW;
}
const struct command cmd_unmark_all = {
	.name = "unmark-all", .args = "", .group = "Notes", .help = "take all marks away",
	.screen = do_unmark_all,
};

static unsigned do_range(struct app *app, struct str args)
{
	struct scene *s = &app->scene;

	(void)args;
	if (edit_ready(app))
		s->anchor = s->anchor >= 0 ? -1 : (int64_t)s->current;
	return REACT_REDRAW;
}
const struct command cmd_range = {
	.name = "range", .args = "", .group = "Notes",
	.help = "begin a range for the next command, or end it",
	.screen = do_range,
};

static unsigned do_all(struct app *app, struct str args)
{
	struct scene *s = &app->scene;
	uint32_t marked;
	char n[28], hidden[28];

	(void)args;
	if (!edit_ready(app))
		return REACT_REDRAW;
	s->anchor = -1; /* all, not a range of them */
	app->edit.all = app->edit.all_now = true;
	marked = targets_marked(s);
	count_text(s->mine->n_marked - marked, hidden);
	if (marked && marked == s->mine->n_marked)
		app_message(app, STYLE_MESSAGE, "the next command takes all %s marked",
			    count_text(marked, n));
	else if (marked)
		app_message(app, STYLE_MESSAGE,
			    "the next command takes the %s marked that are shown, not the %s hidden",
			    count_text(marked, n), hidden);
	else
		app_message(app, STYLE_MESSAGE, "nothing %sis marked: the next command takes all %s shown",
			    s->mine->n_marked ? "that is shown " : "", count_text(scene_shown(s), n));
	return REACT_REDRAW;
}
const struct command cmd_all = {
	.name = "all", .args = "", .group = "Notes",
	.help = "the next command takes all marked or all shown", .screen = do_all,
};

static unsigned do_adopt(struct app *app, struct str args)
{
	struct err err = ERR_INIT;
	unsigned reactions = edit_turn(app, "done", user_adopt);

	(void)args;
	if (app->edit.user)
		user_adoptable(app->edit.user, &app->edit.adoptable, &err);
	return reactions;
}
const struct command cmd_adopt = {
	.name = "adopt", .args = "", .group = "Notes",
	.help = "take over what you wrote while the project was read-only", .screen = do_adopt,
};

static unsigned do_undo(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "undo", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	return edit_turn(app, "undone", user_undo);
}
const struct command cmd_undo = {
	.name = "undo", .args = "", .group = "Notes",
	.help = "take the last edit back, also after a restart", .screen = do_undo,
};

static unsigned do_redo(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "redo", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	return edit_turn(app, "done again", user_redo);
}
const struct command cmd_redo = {
	.name = "redo", .args = "", .group = "Notes", .help = "do again what was undone",
	.screen = do_redo,
};

/* --- the question --- */

/* In the bottom line, else of a popup. */
static unsigned answer(struct app *app, bool yes)
{
	unsigned r = app->edit.question.n ? REACT_UNHANDLED
		     : app_view_command(app, yes ? "answer-yes" : "answer-no", STR(""));

	return r & REACT_UNHANDLED ? edit_answer(app, yes) : r;
}

static unsigned do_yes(struct app *app, struct str args)
{
	(void)args;
	return answer(app, true);
}
const struct command cmd_answer_yes = {
	.name = "answer-yes", .args = "", .group = "Prompt", .help = "yes", .screen = do_yes,
	.hidden = true,
};

static unsigned do_no(struct app *app, struct str args)
{
	(void)args;
	return answer(app, false);
}
const struct command cmd_answer_no = {
	.name = "answer-no", .args = "", .group = "Prompt", .help = "no", .screen = do_no,
	.hidden = true,
};
