#include "tui/view/walk.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"

void walk_to(struct app *app, uint32_t place)
{
	if (place < scene_shown(&app->scene))
		app_go(app, scene_at(&app->scene, place));
}

/* --- wrong answers and flips --- */

static bool is_wrong(const struct scene *s, uint32_t ord)
{
	return scene_verdict(s, s->a, ord) == VERDICT_WRONG;
}

/* One of a and b right, the other wrong. */
static bool is_flip(const struct scene *s, uint32_t ord)
{
	enum verdict a = scene_verdict(s, s->a, ord), b = scene_verdict(s, s->b, ord);

	return a != b && a != VERDICT_UNCOUNTED && b != VERDICT_UNCOUNTED;
}

struct target {
	const char *next, *previous, *what;
	bool (*is)(const struct scene *s, uint32_t ord);
	bool both; /* needs b as well */
};

static const struct target targets[] = {
    {"next-wrong", "previous-wrong", "wrong answer of a", is_wrong, false},
    {"next-flip", "previous-flip", "flip between a and b", is_flip, true},
};

static unsigned go_target(struct app *app, const struct target *t, bool forward)
{
	struct scene *s = &app->scene;
	int64_t n = scene_shown(s), at = scene_place(s, s->current), step = forward ? 1 : -1;

	if (s->a < 0 || (t->both && s->b < 0)) {
		app_message(app, STYLE_MESSAGE, "there is no %srun",
			    t->both && s->a >= 0 ? "second " : "");
		return REACT_REDRAW;
	}
	if (!narrow_any(app))
		return REACT_REDRAW;
	scene_ready(s);
	for (at += step; at >= 0 && at < n; at += step)
		if (t->is(s, scene_at(s, (uint32_t)at))) {
			walk_to(app, (uint32_t)at);
			return REACT_REDRAW;
		}
	app_message(app, STYLE_MESSAGE, "no %s %s this one", t->what, forward ? "after" : "before");
	return REACT_REDRAW;
}

/* --- classes --- */

/* Forward: to the first sample of another class. Back: to the first one of this class in the row
 * of them, and from there to that of the class before. */
static unsigned go_class(struct app *app, bool forward)
{
	const struct scene *s = &app->scene;
	uint32_t n = scene_shown(s), at = scene_place(s, s->current), from = at;

	if (!narrow_any(app))
		return REACT_REDRAW;
	if (forward) {
		while (at < n && scene_class(s, scene_at(s, at)) == scene_class(s, s->current))
			at++;
	} else if (at > 0) {
		uint32_t class = scene_class(s, scene_at(s, --at));

		while (at > 0 && scene_class(s, scene_at(s, at - 1)) == class)
			at--;
	}
	if (at >= n || at == from)
		app_message(app, STYLE_MESSAGE, "no other class %s this one",
			    forward ? "after" : "before");
	else
		walk_to(app, at);
	return REACT_REDRAW;
}

/* --- runs --- */

static unsigned step_run(struct app *app, int by)
{
	struct scene *s = &app->scene;
	int at = 0;

	if (!s->n_panel)
		return REACT_NONE;
	while (at < s->n_panel && s->panel[at] != s->run)
		at++;
	at = at == s->n_panel ? 0 : (at + by + s->n_panel) % s->n_panel;
	s->run = s->panel[at];
	return REACT_REDRAW;
}

unsigned walk_command(struct app *app, const char *name, struct str args)
{
	for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
		if (strcmp(name, targets[i].next) == 0)
			return go_target(app, &targets[i], true);
		if (strcmp(name, targets[i].previous) == 0)
			return go_target(app, &targets[i], false);
	}
	if (strcmp(name, "next-class") == 0)
		return go_class(app, true);
	if (strcmp(name, "previous-class") == 0)
		return go_class(app, false);
	if (strcmp(name, "next-run") == 0)
		return step_run(app, 1);
	if (strcmp(name, "previous-run") == 0)
		return step_run(app, -1);
	if (strcmp(name, "search") == 0)
		return find_search(app, args);
	if (strcmp(name, "search-next") == 0)
		return find_step(app, 1);
	if (strcmp(name, "search-previous") == 0)
		return find_step(app, -1);
	return REACT_UNHANDLED;
}
