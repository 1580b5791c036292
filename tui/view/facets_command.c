#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/view/facets.h"

/* --- what the cursor is on --- */

static struct facet_line *line_at_cursor(struct facets *f)
{
	return f->list.cursor < f->lines.n ? &f->lines.v[f->list.cursor] : NULL;
}

static void go_line(struct facets *f, uint32_t to)
{
	list_go(&f->list, to);
	if (f->list.cursor < f->list.height)
		f->list.top = 0; /* the first group's name comes into sight with its values */
}

/* To the head of the group before or after; to this group's own, going back from inside. */
static void go_group(struct facets *f, bool forward)
{
	uint32_t n = (uint32_t)f->lines.n;

	for (uint32_t i = forward ? f->list.cursor + 1 : f->list.cursor - 1; i < n;
	     i += forward ? 1 : UINT32_MAX)
		if (f->lines.v[i].kind == FACET_HEAD) {
			go_line(f, i);
			return;
		}
}

/* --- acts --- */

/* A filter with a name in it that is gone is not replaced: setting it again says what is wrong. */
static enum status apply(struct facets *f, struct app *app, const struct facet_line *line,
			 enum group_act act, struct err *err)
{
	struct buf text = BUF_INIT;
	enum status st;

	if (f->broken && app->narrow.filter)
		filter_format(app->narrow.filter, NULL, &text);
	else
		groups_write(f->groups, f->ctx, line->group, line->value, act, f->filter, &text);
	st = narrow_set(app, buf_view(&text), NULL, err);
	buf_release(&text);
	return st;
}

static unsigned act_on(struct facets *f, struct app *app, const struct facet_line *line,
		       enum group_act act)
{
	bool own = f->groups->v[line->group].own && act != GROUP_CLEAR;
	struct err err = ERR_INIT;

	if (apply(f, app, line, act, &err) != OK)
		app_message(app, STYLE_WARNING, "%s", err.msg);
	else if (own)
		app_message(app, STYLE_MESSAGE,
			    "the filter has another condition on this group; both count");
	return REACT_REDRAW;
}

static unsigned relist(struct facets *f, struct app *app)
{
	facets_lines(f, app);
	return REACT_REDRAW;
}

static unsigned fold(struct facets *f, struct app *app, const struct facet_line *line, bool closed)
{
	f->looks.v[line->group].closed = closed;
	return relist(f, app);
}

/* Enter on a name folds, on a value chooses. */
static unsigned enter(struct facets *f, struct app *app, struct facet_line *line)
{
	struct facet_look *look = &f->looks.v[line->group];

	switch (line->kind) {
	case FACET_HEAD:
		return fold(f, app, line, !look->closed);
	case FACET_MORE:
		look->all = true;
		return relist(f, app);
	case FACET_VALUE:
		return act_on(f, app, line, GROUP_TOGGLE);
	default:
		return REACT_NONE;
	}
}

/* "," on a name takes the whole group again; "-" means nothing there. */
static unsigned choose(struct facets *f, struct app *app, const struct facet_line *line,
		       enum group_act act)
{
	if (line->kind == FACET_VALUE)
		return act_on(f, app, line, act);
	if (line->kind == FACET_HEAD && act == GROUP_ONLY)
		return act_on(f, app, line, GROUP_CLEAR);
	app_message(app, STYLE_MESSAGE, "choose a value to leave out");
	return REACT_REDRAW;
}

/* --- sideways --- */

static bool can_open(const struct facets *f, const struct facet_line *line)
{
	const struct group *g = &f->groups->v[line->group];

	return line->kind == FACET_VALUE && line->value < g->n &&
	       group_below(g, line->value) != UINT32_MAX;
}

static unsigned right(struct facets *f, struct app *app, struct facet_line *line)
{
	struct facet_look *look = &f->looks.v[line->group];

	if (line->kind == FACET_HEAD && look->closed)
		return fold(f, app, line, false);
	if (can_open(f, line) && !look->open[line->value]) {
		look->open[line->value] = 1;
		return relist(f, app);
	}
	if (line->kind != FACET_HEAD && !can_open(f, line))
		return REACT_UNHANDLED; /* on to the list */
	go_line(f, f->list.cursor + 1);
	return REACT_REDRAW;
}

/* Folds what is open here, or goes up to what it hangs below. */
static unsigned left(struct facets *f, struct app *app, struct facet_line *line)
{
	struct facet_look *look = &f->looks.v[line->group];
	uint32_t at = f->list.cursor;

	if (can_open(f, line) && look->open[line->value]) {
		look->open[line->value] = 0;
		return relist(f, app);
	}
	if (line->kind == FACET_HEAD)
		return fold(f, app, line, true);
	while (at > 0 && f->lines.v[at].kind != FACET_HEAD &&
	       (f->lines.v[at].depth >= line->depth || !line->depth))
		at--;
	go_line(f, at);
	return REACT_REDRAW;
}

/* --- searching --- */

static unsigned search(struct facets *f, struct app *app, struct str text, bool typing)
{
	const struct facet_line *line = line_at_cursor(f);

	if (line && !f->needle.n)
		f->search_group = line->group;
	if (f->search_group >= f->looks.n)
		return REACT_NONE;
	buf_clear(&f->needle);
	buf_str(&f->needle, text);
	if (text.n)
		f->looks.v[f->search_group].closed = false;
	relist(f, app);
	for (uint32_t i = 0; text.n && i < f->lines.n; i++)
		if (f->lines.v[i].group == f->search_group && f->lines.v[i].kind != FACET_REMARK) {
			bool hit = i + 1 < f->lines.n && f->lines.v[i + 1].group == f->search_group;

			go_line(f, hit ? i + 1 : i);
			if (!hit && !typing)
				app_message(app, STYLE_MESSAGE, "no value of %s has \"%.*s\" in it",
					    f->looks.v[f->search_group].title, STR_ARG(text));
			break;
		}
	return REACT_REDRAW;
}

/* Among the values that were found. */
static unsigned search_on(struct facets *f, struct app *app, bool forward)
{
	uint32_t n = (uint32_t)f->lines.n;

	if (!f->needle.n) {
		app_message(app, STYLE_MESSAGE, "nothing has been searched here yet: /");
		return REACT_REDRAW;
	}
	for (uint32_t k = 1; k <= n; k++) {
		uint32_t at = (f->list.cursor + (forward ? k : n - k)) % n;

		if (f->lines.v[at].group == f->search_group && f->lines.v[at].kind == FACET_VALUE) {
			go_line(f, at);
			break;
		}
	}
	return REACT_REDRAW;
}

static unsigned escape(struct facets *f, struct app *app)
{
	if (!f->needle.n)
		return REACT_UNHANDLED;
	buf_clear(&f->needle);
	return relist(f, app);
}

/* --- order --- */

static unsigned turn_order(struct facets *f, struct app *app, const struct facet_line *line)
{
	static const char *const words[] = {"by count", "by name", "as in the project"};
	struct facet_look *look = &f->looks.v[line->group];
	enum group_kind kind = f->groups->v[line->group].kind;

	if (kind != GROUP_FACET && kind != GROUP_TRUTH && kind != GROUP_ANSWER &&
	    kind != GROUP_TAGS) {
		app_message(app, STYLE_MESSAGE, "these stand in an order of their own");
		return REACT_REDRAW;
	}
	look->order = (enum facet_order)((look->order + 1) % 3);
	app_message(app, STYLE_MESSAGE, "%s: %s", look->title, words[look->order]);
	return relist(f, app);
}

unsigned facets_command(struct facets *f, struct app *app, const char *name, struct str args)
{
	struct facet_line *line;

	/* Several keys may come before the next draw. */
	if (!facets_update(f, app, app->reactions, (int)f->list.height) ||
	    !(line = line_at_cursor(f)))
		return list_command(&(struct list){0}, name, args) ? REACT_NONE : REACT_UNHANDLED;
	if (list_command(&f->list, name, args)) {
		go_line(f, f->list.cursor);
		return REACT_REDRAW;
	}
	if (strcmp(name, "next-class") == 0 || strcmp(name, "previous-class") == 0) {
		go_group(f, name[0] == 'n');
		return REACT_REDRAW;
	}
	if (strcmp(name, "enter") == 0 || strcmp(name, "toggle") == 0)
		return enter(f, app, line);
	if (strcmp(name, "facet-only") == 0 || strcmp(name, "facet-exclude") == 0)
		return choose(f, app, line, name[6] == 'o' ? GROUP_ONLY : GROUP_EXCLUDE);
	if (strcmp(name, "right") == 0)
		return right(f, app, line);
	if (strcmp(name, "left") == 0)
		return left(f, app, line);
	if (strcmp(name, "search") == 0 || strcmp(name, "search-typing") == 0)
		return search(f, app, args, name[6] != '\0');
	if (strcmp(name, "search-next") == 0 || strcmp(name, "search-previous") == 0)
		return search_on(f, app, name[7] == 'n');
	if (strcmp(name, "escape") == 0)
		return escape(f, app);
	return strcmp(name, "facet-order") == 0 ? turn_order(f, app, line) : REACT_UNHANDLED;
}
