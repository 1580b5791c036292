/* Commands about the list's filter: typing it, conditions more and less, aside, the base. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/picks.h"
#include "tui/view/sign.h"

/* A filter is about the list, not about a popup that is open. */
static bool begin(struct app *app)
{
	while (app->top->class->popup && app_pop(app))
		;
	if (app->scene.snap && app->scene.snap->n)
		return true;
	app_message(app, STYLE_MESSAGE, "there are no samples to filter");
	return false;
}

static unsigned filtered(struct app *app, enum status st, const struct err *err)
{
	if (st == OK)
		return REACT_REDRAW | REACT_REFILTER;
	app_message(app, STYLE_WARNING, "%s", err->msg);
	return REACT_REDRAW;
}

static unsigned do_edit(struct app *app, struct str args)
{
	(void)args;
	return begin(app) ? ask_filter_open(app) : REACT_REDRAW;
}
const struct command cmd_filter_edit = {
	.name = "filter-edit", .args = "", .group = "Filter",
	.help = "type which samples are listed", .screen = do_edit,
};

static unsigned do_filter(struct app *app, struct str args)
{
	struct err err = ERR_INIT;

	if (!begin(app))
		return REACT_REDRAW;
	return filtered(app, narrow_set(app, args.n ? args : STR(""), NULL, &err), &err);
}
const struct command cmd_filter = {
	.name = "filter", .args = "[FILTER]", .group = "Filter",
	.help = "list what FILTER is true for; without it: all samples", .screen = do_filter,
};

static unsigned do_toggle(struct app *app, struct str args)
{
	(void)args;
	if (!begin(app))
		return REACT_REDRAW;
	if (!narrow_toggle(app)) {
		app_message(app, STYLE_MESSAGE, "there is no filter: i asks for one");
		return REACT_REDRAW;
	}
	return REACT_REDRAW | REACT_REFILTER;
}
const struct command cmd_filter_toggle = {
	.name = "filter-toggle", .args = "", .group = "Filter",
	.help = "set the filter aside, or apply it again", .screen = do_toggle,
};

/* --- by what is under the cursor --- */

static void gather(struct app *app, struct chooser *c, bool out)
{
	uint32_t shown = scene_shown(&app->scene);
	char n[28];

	for (size_t k = 0; k < app->picks.list.n; k++) {
		const struct pick *p = &app->picks.list.v[k];
		const char *value = picks_value(app, k, n);

		if (out && p->state == PICK_COUNTED)
			value = picks_number(app, shown - p->n, n);
		chooser_add(c, &(struct choice){"", p->text, p->detail, value});
	}
}

static void gather_in(struct app *app, struct chooser *c)
{
	gather(app, c, false);
}

static void gather_out(struct app *app, struct chooser *c)
{
	gather(app, c, true);
}

static unsigned narrow_by(struct app *app, const char *text, bool out)
{
	struct err err = ERR_INIT;

	return filtered(app, narrow_and(app, str_z(text), out, &err), &err);
}

static unsigned accept_in(struct app *app, uint32_t at)
{
	return narrow_by(app, app->picks.list.v[at].text, false);
}

static unsigned accept_out(struct app *app, uint32_t at)
{
	return narrow_by(app, app->picks.list.v[at].text, true);
}

static const struct chooser_spec by_spec = {.title = "only samples with",
					    .nothing = "the sample has no values",
					    .gather = gather_in,
					    .accept = accept_in};
static const struct chooser_spec out_spec = {.title = "without samples with",
					     .nothing = "the sample has no values",
					     .gather = gather_out,
					     .accept = accept_out};

/* The view may know what is under its cursor; else it is the current sample, of whose values one is
 * chosen. */
static unsigned do_by_or_out(struct app *app, struct str args, bool out)
{
	unsigned r;

	if (!app->scene.snap)
		return REACT_REDRAW;
	if (args.n) {
		char *text = xstrndup(args.p, args.n);

		r = narrow_by(app, text, out);
		free(text);
		return r;
	}
	r = app_view_command(app, out ? "filter-out" : "filter-by", args);
	if (!(r & REACT_UNHANDLED))
		return r;
	if (app_main_view(app)->class->placeless) {
		app_message(app, STYLE_MESSAGE, "there is no sample under the cursor here");
		return REACT_REDRAW;
	}
	if (!begin(app) || !narrow_any(app))
		return REACT_REDRAW;
	picks_clear(app);
	picks_of_sample(app, app->scene.current);
	picks_count_listed(app);
	return chooser_open(app, out ? &out_spec : &by_spec);
}

static unsigned do_by(struct app *app, struct str args)
{
	return do_by_or_out(app, args, false);
}
const struct command cmd_filter_by = {
	.name = "filter-by", .args = "[CONDITION]", .group = "Filter",
	.help = "only samples that have what is under the cursor", .screen = do_by,
};

static unsigned do_out(struct app *app, struct str args)
{
	return do_by_or_out(app, args, true);
}
const struct command cmd_filter_out = {
	.name = "filter-out", .args = "[CONDITION]", .group = "Filter",
	.help = "without samples that have what is under the cursor", .screen = do_out,
};

/* --- the trail --- */

static const struct filter *wanted(const struct app *app)
{
	return app->narrow.waiting ? app->narrow.waiting : app->narrow.filter;
}

/* Two picks a condition: itself, and the filter without it. */
static void pick_conditions(struct app *app)
{
	const struct filter *f = wanted(app);
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(app, &err);
	struct buf text = BUF_INIT;

	picks_clear(app);
	for (size_t k = 0; f && k < filter_n_conditions(f); k++) {
		buf_clear(&text);
		filter_format_condition(f, k, ctx, &text);
		picks_add(app, buf_cstr(&text), "");
		buf_clear(&text);
		filter_format_without(f, k, &text);
		picks_add(app, buf_cstr(&text), "");
	}
	picks_count(app, app->scene.base);
	buf_release(&text);
}

static void gather_trail(struct app *app, struct chooser *c)
{
	const struct scene *s = &app->scene;
	char n[28], rest[28], value[80];

	if (s->base_filter)
		chooser_add(c, &(struct choice){"", s->base_filter, "the base", count_text(s->n_base, n)});
	for (size_t k = 0; k + 1 < app->picks.list.n; k += 2) {
		snprintf(value, sizeof value, "%s  without it %6s", picks_value(app, k, n),
			 picks_value(app, k + 1, rest));
		chooser_add(c, &(struct choice){s->base_filter ? sign(SIGN_CURSOR) : "",
						app->picks.list.v[k].text, "", value});
	}
}

static unsigned remove_condition(struct app *app, uint32_t at)
{
	bool base = app->scene.base_filter != NULL;
	struct err err = ERR_INIT;
	enum status st = OK;

	if (base && at == 0)
		narrow_base_all(app);
	else
		st = narrow_without(app, at - base, &err);
	pick_conditions(app);
	return filtered(app, st, &err);
}

static unsigned do_conditions(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "the filter's conditions",
						 .nothing = "there is no filter: i asks for one",
						 .gather = gather_trail,
						 .toggle = remove_condition};

	(void)args;
	if (!begin(app))
		return REACT_REDRAW;
	pick_conditions(app);
	return chooser_open(app, &spec);
}
const struct command cmd_conditions = {
	.name = "conditions", .args = "", .group = "Filter",
	.help = "the filter's conditions one by one, to take them away", .screen = do_conditions,
};

/* --- the base --- */

static unsigned do_base(struct app *app, struct str args)
{
	if (args.n && !str_eqz(args, "all")) {
		app_message(app, STYLE_WARNING, "base takes all, or nothing: then the filter is the base");
		return REACT_REDRAW;
	}
	if (!begin(app))
		return REACT_REDRAW;
	if (args.n || app->scene.base_filter || (app->scene.filter && !app->scene.filter_off)) {
		if (args.n)
			narrow_base_all(app);
		else
			narrow_base(app);
	} else {
		app_message(app, STYLE_MESSAGE, "no filter applies that could be the base: i asks for one");
	}
	return REACT_REDRAW | REACT_REFILTER;
}
const struct command cmd_base = {
	.name = "base", .args = "[all]", .group = "Filter",
	.help = "shares are of what is listed now; all: of all samples", .screen = do_base,
};
