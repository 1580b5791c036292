/* What belongs to a filter: taken from the screen, written, read back. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tui/app.h"

void look_release(struct look *l)
{
	free(l->panel);
	buf_release(&l->lost);
	*l = (struct look){0};
}

static int *copy_runs(const int *runs, int n)
{
	int *to = xcalloc((size_t)n + 1, sizeof *to);

	if (n)
		memcpy(to, runs, (size_t)n * sizeof *to);
	return to;
}

/* Home has no list of its own to come back to. */
static const struct view_class *base_view(const struct app *app)
{
	const struct view *v = app->top;

	while (v && v->below)
		v = v->below;
	return v && v->class->digit && v->class != &home_view ? v->class : NULL;
}

void look_now(const struct app *app, struct look *out)
{
	const struct scene *s = &app->scene;

	*out = (struct look){.lens = s->lens,
			     .a = s->a,
			     .b = s->b,
			     .panel = copy_runs(s->panel, s->n_panel),
			     .n_panel = s->n_panel,
			     .sort = s->sort,
			     .view = base_view(app)};
}

/* --- writing --- */

static void put_field(struct buf *out, const char *key, struct str value)
{
	buf_printf(out, "%s\"%s\":", out->n && out->p[out->n - 1] != '{' ? "," : "", key);
	json_quote(out, value);
}

static void put_run(struct buf *out, const char *key, const struct snapshot *snap, int run)
{
	if (run >= 0)
		put_field(out, key, str_z(snap->runs[run].handle));
}

void look_write(const struct look *l, const struct snapshot *snap, struct buf *out)
{
	struct buf text = BUF_INIT;

	buf_ch(out, '{');
	lens_format(&l->lens, snap, &text);
	put_field(out, "lens", buf_view(&text));
	put_run(out, "a", snap, l->a);
	put_run(out, "b", snap, l->b);
	buf_z(out, ",\"panel\":[");
	for (int p = 0; p < l->n_panel; p++) {
		buf_z(out, p ? "," : "");
		json_quote(out, str_z(snap->runs[l->panel[p]].handle));
	}
	buf_ch(out, ']');
	put_field(out, "view", str_z(l->view ? l->view->name : "browse"));
	buf_clear(&text);
	sort_format(&l->sort, snap, &text);
	put_field(out, "sort", buf_view(&text));
	buf_ch(out, '}');
	buf_release(&text);
}

/* --- reading --- */

static void lose(struct look *l, const char *what, struct str name)
{
	buf_printf(&l->lost, "%s%s ", l->lost.n ? ", " : "", what);
	buf_put(&l->lost, name.p, name.n < 100 ? name.n : 100);
}

/* The exact handle; a prefix that fits now may have meant another run then. */
static int run_of(const struct snapshot *snap, struct str handle)
{
	for (uint32_t r = 0; r < snapshot_answerers(snap); r++)
		if (str_eqz(handle, snap->runs[r].handle))
			return (int)r;
	return -1;
}

/* Saved without a run: then there is none. Saved with one that is gone: as it is now. */
static void read_run(struct look *l, const struct snapshot *snap, const cJSON *json, const char *key,
		     int *run)
{
	struct str handle = json_text(json_get(json, key));
	int found;

	if (!handle.n) {
		*run = -1;
		return;
	}
	found = run_of(snap, handle);
	if (found >= 0)
		*run = found;
	else
		lose(l, "run", handle);
}

static void read_panel(struct look *l, const struct snapshot *snap, const cJSON *list)
{
	int *panel = xcalloc((size_t)snap->n_runs + 1, sizeof *panel), n = 0;
	bool *in = xcalloc((size_t)snap->n_runs + 1, sizeof *in);
	const cJSON *item;

	if (cJSON_IsArray(list))
		cJSON_ArrayForEach(item, list)
		{
			int run = run_of(snap, json_text(item));

			if (run >= 0)
				in[run] = true;
			else
				lose(l, "panel run", json_text(item));
		}
	for (uint32_t r = 0; r < snap->n_runs; r++)
		if (in[r])
			panel[n++] = (int)r;
	free(in);
	if (!n) {
		free(panel);
		return;
	}
	free(l->panel);
	l->panel = panel;
	l->n_panel = n;
}

static void read_words(struct look *l, const struct snapshot *snap, const cJSON *json)
{
	struct str lens = json_text(json_get(json, "lens")), sort = json_text(json_get(json, "sort")),
		   view = json_text(json_get(json, "view"));
	struct err err = ERR_INIT;

	if (lens.n && lens_parse(&l->lens, snap, lens, &err) != OK)
		lose(l, "lens", lens);
	if (sort.n && !sort_parse(sort, snap, &l->sort))
		lose(l, "order", sort);
	if (view.n)
		l->view = view_class_find(view);
}

void look_read(struct str text, const struct app *app, struct look *out)
{
	const struct snapshot *snap = app->scene.snap;
	struct err err = ERR_INIT;
	cJSON *json = NULL;

	look_now(app, out);
	if (!text.n || json_parse(text, &json, &err) != OK || !cJSON_IsObject(json))
		goto out;
	read_words(out, snap, json);
	read_run(out, snap, json, "a", &out->a);
	read_run(out, snap, json, "b", &out->b);
	if (out->a < 0 && out->b >= 0) {
		out->a = out->b;
		out->b = -1;
	}
	if (out->a == out->b)
		out->b = -1;
	read_panel(out, snap, json_get(json, "panel"));
out:
	cJSON_Delete(json);
}
