#include "tui/view/browse.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/column_choice.h"
#include "tui/term/text.h"
#include "tui/view/facets.h"
#include "tui/view/sign.h"
#include "tui/view/walk.h"

struct browse {
	struct view view;
	struct browse_list list;
	struct browse_panes panes;
	struct preview preview;
	struct facets facets;
	bool in_facets; /* the keys move there */
	struct buf summary;
	int64_t dataset; /* that the widths were taken from */
	int counted_w; /* of the list, when the summary was made; 0 = never */
	uint64_t columns_version; /* of the app's, when the numbers were measured */
};

static struct view *browse_open(struct app *app)
{
	struct browse *b = xcalloc(1, sizeof *b);

	(void)app;
	b->view.class = &browse_view;
	b->dataset = -1;
	return &b->view;
}

static void browse_close(struct view *self)
{
	struct browse *b = (struct browse *)self;

	preview_release(&b->preview);
	facets_release(&b->facets);
	buf_release(&b->summary);
	free(b->list.row);
	free(b->list.number);
	free(b);
}

/* --- update --- */

/* The widest of the first keys fixes the column, so that it never moves while scrolling. */
static void measure(struct browse *b, struct app *app)
{
	const struct snapshot *snap = app->scene.snap;
	int widest = 6;

	b->list.widths.texts = false;
	for (uint32_t i = 0; i < snap->n && i < 64; i++) {
		const struct sample_row *row = rows_get(app->rows, i);
		int w = row ? text_width(row->key) : 0;

		widest = w > widest ? w : widest;
		b->list.widths.texts |= row && row->text.n > 0;
	}
	b->list.widths.key = widest;
	b->dataset = snap->dataset_id;
	b->counted_w = 0;
}

enum detail { SHARE, WITH_N, WITH_INTERVAL };

/* Of what is listed. */
static void put_accuracy(const struct scene *s, const char *letter, int run, enum detail detail,
			 struct buf *out)
{
	struct tally t;
	double lo, hi;
	char n[28];

	if (run < 0 || !s->verdict || !s->verdict[run])
		return;
	t = eval_tally_within(s->verdict[run], s->snap->n, s->shown);
	if (out->n)
		buf_z(out, "  ");
	if (!t.n) {
		buf_printf(out, "%s none counted", letter);
		return;
	}
	tally_wilson(&t, &lo, &hi);
	buf_printf(out, "%s %.1f %%", letter, 100 * tally_accuracy(&t));
	if (detail == WITH_INTERVAL)
		buf_printf(out, " [%.1f, %.1f]", 100 * lo, 100 * hi);
	if (detail != SHARE)
		buf_printf(out, " of %s", count_text(t.n, n));
}

/* As much about a and b as fits into a line of the list. */
static void count(struct browse *b, const struct scene *s)
{
	int detail = WITH_INTERVAL;

	do {
		buf_clear(&b->summary);
		put_accuracy(s, "a", s->a, (enum detail)detail, &b->summary);
		put_accuracy(s, "b", s->b, (enum detail)detail, &b->summary);
	} while (text_width(buf_view(&b->summary)) > b->panes.list.w - 3 && detail-- > SHARE);
	b->counted_w = b->panes.list.w;
}

static void take_columns(struct browse *b, struct app *app, unsigned reactions)
{
	struct browse_list *l = &b->list;

	if (b->columns_version != app->columns_version || (reactions & (REACT_RELOAD | REACT_GREW | REACT_RERUN)))
		column_choice_forms(app, &app->columns, l->widths.form);
	b->columns_version = app->columns_version;
	l->columns = app->columns;
	columns_place(b->panes.list.w, &app->scene, &l->columns, &l->widths, l->place);
}

/* Of the lines in sight. */
static void take_numbers(struct browse *b, struct app *app)
{
	struct browse_list *l = &b->list;
	const struct scene *s = &app->scene;
	size_t n = (size_t)l->n_rows * (size_t)l->columns.n;

	l->number = xrealloc(l->number, (n + 1) * sizeof *l->number);
	for (int k = 0; k < l->columns.n; k++) {
		const struct list_column *c = &l->columns.v[k];
		int run = column_run(s, c);

		for (int i = 0; i < l->n_rows && column_is_number(c->id); i++)
			l->number[i * l->columns.n + k] =
			    run >= 0 && l->place[k].w
				? fetch_number(app->conn, s->snap->runs[run].id, column_name(c->id),
					       scene_at(s, l->list.top + (uint32_t)i))
				: NAN;
	}
}

static void take_rows(struct browse *b, struct app *app)
{
	struct browse_list *l = &b->list;
	uint32_t left = l->list.n - l->list.top;

	l->n_rows = (int)(left < l->list.height ? left : l->list.height);
	l->row = xrealloc(l->row, ((size_t)l->n_rows + 1) * sizeof *l->row);
	for (int i = 0; i < l->n_rows; i++)
		l->row[i] = rows_get(app->rows, scene_at(&app->scene, l->list.top + (uint32_t)i));
	l->busy = rows_busy(app->rows);
	if (rows_error(app->rows) && !l->busy)
		app_message(app, STYLE_WARNING, "%s", rows_error(app->rows));
	take_numbers(b, app);
}

static const struct view_class facets_class;

/* The pane of the facets has keys and hints of its own; all else is the same view. */
static void enter_facets(struct browse *b, bool enter)
{
	b->in_facets = enter;
	b->view.class = enter ? &facets_class : &browse_view;
}

/* They are counted while they are in sight. Their width is known only then. */
static void lay_out(struct browse *b, struct app *app, struct rect area, unsigned reactions)
{
	browse_layout(area, facets_width(&b->facets), b->in_facets, &b->panes);
	if (!b->panes.facets.w)
		return;
	if (!facets_update(&b->facets, app, reactions, b->panes.facets.h))
		enter_facets(b, false);
	browse_layout(area, facets_width(&b->facets), b->in_facets, &b->panes);
}

static void browse_update(struct view *self, struct app *app, struct rect area, unsigned reactions)
{
	struct browse *b = (struct browse *)self;

	if (!app->scene.snap)
		return;
	if (b->dataset != app->scene.snap->dataset_id || (reactions & REACT_RELOAD)) {
		measure(b, app);
		b->preview.valid = false;
		b->list.list = (struct list){0};
	}
	if (reactions & REACT_GREW) { /* nothing moves */
		measure(b, app);
		b->preview.valid = false;
	}
	lay_out(b, app, area, reactions);
	if (b->counted_w != b->panes.list.w || (reactions & (REACT_RERUN | REACT_REFILTER)))
		count(b, &app->scene);
	b->list.scene = &app->scene;
	b->list.summary = buf_cstr(&b->summary);
	take_columns(b, app, reactions);
	b->list.list.cursor = scene_place(&app->scene, app->scene.current);
	list_fit(&b->list.list, scene_shown(&app->scene),
		 (uint32_t)browse_list_lines(b->panes.list.h));
	take_rows(b, app);
	if (!scene_shown(&app->scene))
		b->preview.valid = false;
	else if (b->panes.preview.w)
		preview_update(&b->preview, app, b->panes.preview, false);
}

int browse_column_width(const struct view *self, int k)
{
	return ((const struct browse *)self)->list.place[k].w;
}

/* --- draw --- */

static void draw_rule(struct cells *grid, struct rect r)
{
	for (int y = 0; y < r.h; y++)
		for (int x = 0; x < r.w; x++)
			cells_putz(grid, r.y + y, r.x + x, 1, STYLE_RULE,
				   sign(r.w == 1 ? SIGN_RULE : SIGN_LINE));
}

static void browse_draw(const struct view *self, const struct scene *scene, struct cells *grid,
			struct rect area)
{
	const struct browse *b = (const struct browse *)self;

	if (!scene->snap) {
		view_draw_nothing(grid, area);
		return;
	}
	if (b->panes.list.w && scene_shown(scene))
		browse_list_draw(&b->list, grid, b->panes.list);
	else if (b->panes.list.w)
		view_draw_none(scene, grid, b->panes.list);
	if (b->panes.facets.w) {
		facets_draw(&b->facets, b->in_facets, grid, b->panes.facets);
		draw_rule(grid, b->panes.facets_rule);
	}
	if (b->panes.preview.w) {
		draw_rule(grid, b->panes.rule);
		if (scene_shown(scene))
			preview_draw(&b->preview, grid);
	}
}

static const struct picture *browse_picture(const struct view *self, struct rect *box)
{
	const struct browse *b = (const struct browse *)self;

	*box = b->preview.box;
	return b->panes.preview.w && b->preview.valid && b->preview.path ? &b->preview.picture : NULL;
}

/* --- commands --- */

/* What the pane does not want: out of it, or a command of the list. */
static unsigned in_facets(struct browse *b, struct app *app, const char *name, struct str args)
{
	unsigned r = facets_command(&b->facets, app, name, args);

	if (!(r & REACT_UNHANDLED))
		return r;
	if (strcmp(name, "next-pane") == 0 || strcmp(name, "right") == 0 || strcmp(name, "back") == 0 ||
	    (strcmp(name, "escape") == 0 && !b->panes.list.w)) {
		enter_facets(b, false);
		return REACT_REDRAW;
	}
	return REACT_UNHANDLED;
}

static unsigned browse_command(struct view *self, struct app *app, const char *name, struct str args)
{
	struct browse *b = (struct browse *)self;

	if (!app->scene.snap || !app->scene.snap->n)
		return REACT_UNHANDLED;
	if (b->in_facets && app->top == self) {
		unsigned r = in_facets(b, app, name, args);

		if (!(r & REACT_UNHANDLED))
			return r;
	}
	/* Keys may come before the first draw. */
	b->list.list.n = scene_shown(&app->scene);
	b->list.list.cursor = scene_place(&app->scene, app->scene.current);
	if (list_command(&b->list.list, name, args)) {
		walk_to(app, b->list.list.cursor);
		return REACT_REDRAW;
	}
	if (strcmp(name, "right") == 0)
		return walk_command(app, "next-run", args);
	if (strcmp(name, "left") == 0)
		return walk_command(app, "previous-run", args);
	if (strcmp(name, "enter") == 0) {
		if (narrow_any(app))
			app_push(app, &sample_view);
		return REACT_REDRAW;
	}
	if (strcmp(name, "next-pane") == 0) {
		enter_facets(b, true);
		return REACT_REDRAW;
	}
	return walk_command(app, name, args);
}

static const struct hint browse_hints[] = {
    {"enter", "open"},	 {"next-wrong", "next wrong"}, {"filter-edit", "filter"},
    {"next-pane", "facets"}, {"note", "note"}, {"tag", "tag"},
    {"keys", "keys"},	 {"search", "search"},
    {"next-run", "next run"}, {"back", "quit"},		   {NULL, NULL},
};

static const struct hint facets_hints[] = {
    {"enter", "choose"}, {"next-pane", "list"}, {"facet-only", "this alone"},
    {"facet-exclude", "without"}, {"search", "search"}, {"facet-order", "order"}, {"keys", "keys"},
    {NULL, NULL},
};

#define BROWSE_CLASS(its_mode, its_hints)                                                          \
	{                                                                                          \
		.name = "browse", .digit = '1',                                                    \
		.help = "the samples as a list, with a preview of the one under the cursor",       \
		.mode = its_mode, .early = true, .hints = its_hints, .open = browse_open,          \
		.close = browse_close, .update = browse_update, .draw = browse_draw,               \
		.command = browse_command, .picture = browse_picture                               \
	}

const struct view_class browse_view = BROWSE_CLASS(MODE_BROWSE, browse_hints);
static const struct view_class facets_class = BROWSE_CLASS(MODE_FACETS, facets_hints);
