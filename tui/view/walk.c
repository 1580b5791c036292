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

/* --- searching --- */

static const struct cancel *canceller(const struct app *app)
{
	return app->cli ? app->cli->cancel : NULL;
}

/* In an order of its own the list needs all hits, which are kept until another search. */
static enum status find_in_order(struct app *app, bool forward, uint32_t *found, struct err *err)
{
	struct scene *s = &app->scene;
	uint32_t n = scene_shown(s), at = scene_place(s, s->current);

	if (!s->hits) {
		uint8_t *hits = xcalloc((size_t)s->snap->n + 1, 1);
		enum status st = fetch_search_all(app->conn, s->snap->dataset_id, s->snap->n,
						  str_z(s->needle), hits, canceller(app), err);

		if (st != OK) {
			free(hits);
			return st;
		}
		s->hits = hits;
	}
	for (uint32_t k = 1; k <= n; k++) {
		*found = scene_at(s, (forward ? at + k : at + n - k) % n);
		if (s->hits[*found])
			return OK;
	}
	return err_set(err, E_NOT_FOUND, "no sample contains it");
}

static unsigned search_from(struct app *app, bool forward)
{
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	uint32_t n = scene_shown(s), found = 0, from;
	enum status st;

	if (!s->needle || !*s->needle) {
		app_message(app, STYLE_MESSAGE, "nothing has been searched yet: /");
		return REACT_REDRAW;
	}
	if (!narrow_any(app))
		return REACT_REDRAW;
	n = s->snap->n;
	from = forward ? (s->current + 1) % n : (s->current + n - 1) % n;
	st = s->order ? find_in_order(app, forward, &found, &err)
		      : fetch_search(app->conn, s->snap->dataset_id, s->snap->n, str_z(s->needle), from,
				     forward, &found, canceller(app), &err);
	if (st == E_NOT_FOUND) {
		app_message(app, STYLE_MESSAGE, "no key or text has \"%s\" in it", s->needle);
	} else if (st != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
	} else {
		uint32_t to = scene_place(s, found), at = scene_place(s, s->current);

		if (forward ? to <= at : to >= at)
			app_message(app, STYLE_MESSAGE, "the search went on from the other end");
		app_go(app, found);
	}
	return REACT_REDRAW;
}

static unsigned search_for(struct app *app, struct str needle)
{
	struct scene *s = &app->scene;

	free(s->needle);
	free(s->hits);
	s->hits = NULL;
	s->needle = xstrndup(needle.p ? needle.p : "", needle.n);
	return search_from(app, true);
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
		return search_for(app, args);
	if (strcmp(name, "search-next") == 0)
		return search_from(app, true);
	if (strcmp(name, "search-previous") == 0)
		return search_from(app, false);
	return REACT_UNHANDLED;
}
