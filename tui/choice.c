#include "tui/choice.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/user.h"
#include "db/user_panel.h"
#include "tui/app.h"
#include "tui/sorter.h"

#define KEEP_MS 400

/* --- keeping --- */

static char *key_of(const struct snapshot *snap)
{
	return xasprintf("choice/%s", snap->dataset);
}

static void forget_setting(struct choice_due *d)
{
	free(d->key);
	free(d->text);
	d->key = d->text = NULL;
}

static void forget_panel(struct choice_due *d)
{
	for (size_t i = 0; i < d->n_panel; i++)
		free(d->panel[i]);
	free(d->panel);
	free(d->dataset);
	d->panel = NULL;
	d->dataset = NULL;
	d->n_panel = 0;
}

/* "a HANDLE", "b HANDLE", "lens KEY=VALUE,...", "sort COLUMN", a line each. */
void choice_keep(struct app *app)
{
	const struct scene *s = &app->scene;
	struct choice_due *d = &app->choice_due;
	struct buf text = BUF_INIT;

	if (s->a >= 0)
		buf_printf(&text, "a %s\n", s->snap->runs[s->a].handle);
	if (s->b >= 0)
		buf_printf(&text, "b %s\n", s->snap->runs[s->b].handle);
	if (!lens_eq(&s->lens, &s->preset)) {
		buf_z(&text, "lens ");
		lens_format(&s->lens, s->snap, &text);
		buf_ch(&text, '\n');
	}
	buf_z(&text, "sort ");
	sort_format(&s->sort, s->snap, &text);
	buf_ch(&text, '\n');
	forget_setting(d);
	d->key = key_of(s->snap);
	d->text = buf_take(&text);
	d->since = app_clock();
}

/* The first panel is kept as none, so that runs to come are in it. */
static void keep_panel(struct app *app)
{
	const struct scene *s = &app->scene;
	struct choice_due *d = &app->choice_due;
	int n = scene_panel_is_first(s) ? 0 : s->n_panel;

	forget_panel(d);
	d->dataset = xstrdup(s->snap->dataset);
	d->panel = xcalloc((size_t)s->n_panel + 1, sizeof *d->panel);
	for (int p = 0; p < n; p++)
		d->panel[d->n_panel++] = xstrdup(s->snap->runs[s->panel[p]].handle);
	d->since = app_clock();
}

/* Is it written, or given up with a message? False: another program is at it, and `patient` is not
 * asked for. */
static bool write_due(struct app *app, bool patient)
{
	struct choice_due *d = &app->choice_due;
	struct err err = ERR_INIT;
	enum status st = OK;

	conn_hurry(app->conn, !patient);
	if (d->key)
		st = user_setting_set(app->conn, d->key, str_z(d->text), &err);
	if (st == OK)
		forget_setting(d);
	if (st == OK && d->dataset)
		st = user_panel_set(app->conn, d->dataset, (const char *const *)d->panel, d->n_panel,
				    &err);
	conn_hurry(app->conn, false);
	if (st == E_BUSY && !patient)
		return false;
	if (st != OK)
		app_message(app, STYLE_WARNING, "the choice could not be kept: %s", err.msg);
	forget_setting(d);
	forget_panel(d);
	return true;
}

int choice_tick(struct app *app, int64_t now)
{
	struct choice_due *d = &app->choice_due;

	if (!d->key && !d->dataset)
		return -1;
	if (now - d->since >= KEEP_MS) {
		if (write_due(app, false))
			return -1;
		d->since = now;
	}
	return (int)(d->since + KEEP_MS - now);
}

void choice_settle(struct app *app)
{
	if (app->choice_due.key || app->choice_due.dataset)
		write_due(app, true);
}

/* --- loading --- */

static int run_named(const struct snapshot *snap, struct str handle)
{
	for (uint32_t r = 0; r < snap->n_runs; r++)
		if (str_eqz(handle, snap->runs[r].handle))
			return (int)r;
	return -1;
}

static void load_panel(struct app *app)
{
	struct scene *s = &app->scene;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	const char *const *handles;
	size_t n;
	int *panel = xcalloc((size_t)s->snap->n_runs + 1, sizeof *panel), n_panel = 0;

	if (user_panel_get(app->conn, s->snap->dataset, &handles, &n, &arena, &err) != OK)
		n = 0;
	for (uint32_t r = 0; r < s->snap->n_runs; r++)
		for (size_t i = 0; i < n; i++)
			if (strcmp(handles[i], s->snap->runs[r].handle) == 0) {
				panel[n_panel++] = (int)r;
				break;
			}
	if (n_panel) {
		free(s->panel);
		s->panel = panel;
		s->n_panel = n_panel;
	} else {
		free(panel);
	}
	arena_release(&arena);
}

struct chosen {
	int a, b;
	struct lens lens;
	struct sort sort;
};

static void read_line(const struct snapshot *snap, struct str word, struct str rest, struct chosen *c)
{
	struct err none = ERR_INIT; /* what does not fit any more is passed over */
	int run = run_named(snap, rest);
	struct sort sort;

	if (str_eqz(word, "a") && run >= 0)
		c->a = run;
	else if (str_eqz(word, "b") && run >= 0)
		c->b = run;
	else if (str_eqz(word, "lens"))
		lens_parse(&c->lens, snap, rest, &none);
	else if (str_eqz(word, "sort") && sort_parse(rest, snap, &sort))
		c->sort = sort;
}

/* What was kept; what was not, or is gone, stays as it is. */
static void read_choice(struct app *app, const struct snapshot *snap, struct chosen *c)
{
	struct err err = ERR_INIT;
	char *key = key_of(snap), *text = NULL;
	struct str rest = STR_NONE, line, word;
	int was_a = c->a, was_b = c->b;

	if (user_setting_get(app->conn, key, &text, &err) == OK)
		rest = str_z(text);
	while (rest.p && rest.n) {
		rest = str_cut(rest, '\n', &line);
		line = str_cut(line, ' ', &word);
		read_line(snap, word, line, c);
	}
	if (c->a == c->b) {
		c->a = was_a;
		c->b = was_b;
	}
	free(text);
	free(key);
}

void choice_runs(struct app *app, const struct snapshot *snap, int *a, int *b)
{
	struct chosen c = {.a = -1, .b = -1};

	choice_settle(app);
	scene_first_runs(snap, &c.a, &c.b);
	read_choice(app, snap, &c);
	*a = c.a;
	*b = c.b;
}

void choice_load(struct app *app)
{
	struct scene *s = &app->scene;
	struct chosen c = {s->a, s->b, s->lens, s->sort};

	choice_settle(app);
	load_panel(app);
	read_choice(app, s->snap, &c);
	s->a = s->run = c.a;
	s->b = c.b;
	s->lens = c.lens;
	s->sort = c.sort;
	choice_resort(app);
}

/* --- a, b and the panel --- */

unsigned choice_run(struct app *app, bool b, int run)
{
	struct scene *s = &app->scene;
	int *mine = b ? &s->b : &s->a, *other = b ? &s->a : &s->b, old = *mine;

	if (*other == run)
		*other = old;
	*mine = run;
	if (s->run == old || s->run < 0)
		s->run = run;
	if (s->a < 0) { /* b alone is no comparison */
		s->a = s->b;
		s->b = -1;
	}
	choice_keep(app);
	return REACT_REDRAW | REACT_RERUN;
}

unsigned choice_panel(struct app *app, int run)
{
	struct scene *s = &app->scene;
	int *panel = xcalloc((size_t)s->snap->n_runs + 1, sizeof *panel), n = 0;
	bool in = false;

	for (int p = 0; p < s->n_panel; p++)
		in |= s->panel[p] == run;
	for (int r = 0; r < (int)s->snap->n_runs; r++) {
		bool was = false;

		for (int p = 0; p < s->n_panel; p++)
			was |= s->panel[p] == r;
		if (r == run ? !in : was)
			panel[n++] = r;
	}
	if (!n) {
		free(panel);
		app_message(app, STYLE_MESSAGE, "the panel keeps one run at least");
		return REACT_REDRAW;
	}
	free(s->panel);
	s->panel = panel;
	s->n_panel = n;
	keep_panel(app);
	return REACT_REDRAW | REACT_RERUN;
}

void choice_set(struct app *app, const struct look *look)
{
	struct scene *s = &app->scene;
	int *panel = xcalloc((size_t)look->n_panel + 1, sizeof *panel);

	if (look->n_panel)
		memcpy(panel, look->panel, (size_t)look->n_panel * sizeof *panel);
	free(s->panel);
	s->panel = panel;
	s->n_panel = look->n_panel;
	s->a = s->run = look->a;
	s->b = look->b;
	s->sort = look->sort;
	s->sort_due = true; /* the reaction sees to it */
	keep_panel(app);
	choice_keep(app);
}

/* --- the order of the list --- */

unsigned choice_sort(struct app *app, struct sort sort)
{
	app->scene.sort = sort;
	app->scene.sort_due = true; /* the reaction sees to it */
	choice_keep(app);
	return REACT_REDRAW | REACT_RERUN;
}

void choice_resort(struct app *app)
{
	const struct scene *s = &app->scene;

	if (s->snap && (sort_is_judged(&s->sort) || s->sort_due || !s->sorted))
		sorter_sort(app);
}
