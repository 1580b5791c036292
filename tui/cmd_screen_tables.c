/* Commands of views that are tables of numbers. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/group/cluster.h"
#include "core/group/grouping.h"
#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/view/chooser.h"

/* --- grouping --- */

/* Numbers of the answers, where the table is of runs. */
static const char *number_at(struct app *app, size_t at)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = app_main_view(app)->class == &runs_view ? narrow_names(app, &err) : NULL;
	const char *name = ctx && ctx->source && at < ctx->source->n_numbers ? ctx->source->numbers[at] : NULL;

	return !name ? NULL
	       : strcmp(name, "batch_size") == 0 ? "batch"
	       : strcmp(name, "batch_pos") == 0	 ? "position"
						 : name;
}

/* What can be chosen, and "none", the whole alone. */
static const char *choice_at(struct app *app, struct arena *arena, uint32_t at)
{
	const char **names, *number;
	size_t n;

	grouping_choices(app->scene.snap, arena, &names, &n);
	if (at <= n)
		return at < n ? names[at] : "none";
	number = number_at(app, at - n - 1);
	return number ? arena_strdup(arena, number) : NULL;
}

static void gather_groupings(struct app *app, struct chooser *c)
{
	struct arena arena = ARENA_INIT;
	const char *name;
	bool answers = false; /* behind "none" */

	for (uint32_t k = 0; (name = choice_at(app, &arena, k)); k++) {
		const char *tail = strlen(name) > 2 ? name + strlen(name) - 2 : name;
		const char *detail = answers ? "of the answers"
				     : strcmp(name, "category") == 0 ? "of the labels, under the lens"
				     : strcmp(name, "class") == 0  ? "of the truth"
				     : strcmp(name, "none") == 0   ? "all samples together"
				     : strcmp(tail, "/1") == 0	   ? "the roots of the tree"
				     : tail[0] == '/'		   ? "a level of the tree"
								   : "";

		chooser_add(c, &(struct choice){"", name, detail, ""});
		answers |= strcmp(name, "none") == 0;
	}
	arena_release(&arena);
}

static unsigned accept_grouping(struct app *app, uint32_t at)
{
	struct arena arena = ARENA_INIT;
	const char *name = choice_at(app, &arena, at);
	unsigned r = name ? app_view_command(app, "group-by", str_z(name)) : REACT_NONE;

	arena_release(&arena);
	return r & ~(unsigned)REACT_UNHANDLED;
}

static unsigned do_group_by(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "group the samples by",
						 .nothing = "there is nothing to group by",
						 .gather = gather_groupings,
						 .accept = accept_grouping,
						 .words = true};
	unsigned r = app_view_command(app, "group-by", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	if (!args.n && app->scene.snap && app_main_view(app)->class->mode == MODE_TABLE)
		return chooser_open(app, &spec);
	app_message(app, STYLE_MESSAGE, "there is nothing to group in this view");
	return REACT_REDRAW;
}
const struct command cmd_group_by = {
	.name = "group-by", .args = "[GROUPING]", .group = "Tables",
	.help = "group the table by a facet, class or category", .screen = do_group_by,
};

/* Of the number under the cursor, where there is one, else of the list. */
static unsigned do_contact_sheet(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "contact-sheet", args);

	if (!(r & REACT_UNHANDLED))
		return r;
	if (!app->scene.snap || app->top->class->popup || app_main_view(app)->class == &home_view)
		app_message(app, STYLE_MESSAGE, "there are no samples in this view");
	else if (narrow_any(app))
		app_push(app, &contact_view);
	return REACT_REDRAW;
}
const struct command cmd_contact_sheet = {
	.name = "contact-sheet", .args = "", .group = "Pictures",
	.help = "the samples under the cursor, or in the list, in one picture", .screen = do_contact_sheet,
};

/* --- clusters --- */

static unsigned do_cluster(struct app *app, struct str args)
{
	struct clustering_of clusters;
	struct err err = ERR_INIT;
	bool none = str_eqz(args, "none");

	if (!args.n) {
		app_message(app, STYLE_MESSAGE, "the bootstrap in Classes draws %s%s", app->cluster ? app->cluster : "samples",
			    app->cluster ? " whole" : "");
		return REACT_REDRAW;
	}
	if (!app->scene.snap || (!none && cluster_make(app->scene.snap, args, &clusters, &err) != OK)) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
		return REACT_REDRAW;
	}
	if (!none)
		cluster_release(&clusters);
	free(app->cluster);
	app->cluster = none ? NULL : xstrndup(args.p, args.n);
	return REACT_REDRAW;
}
const struct command cmd_cluster = {
	.name = "cluster", .args = "[FACET|none]", .group = "Tables",
	.help = "what the bootstrap in Classes draws whole: samples with one value of a facet", .screen = do_cluster,
};

static unsigned do_explain(struct app *app, struct str args)
{
	unsigned r = app_view_command(app, "explain", args);

	if (r & REACT_UNHANDLED)
		app_message(app, STYLE_MESSAGE, "there is no number to explain in this view");
	return r & REACT_UNHANDLED ? REACT_REDRAW : r;
}
const struct command cmd_explain = {
	.name = "explain", .args = "", .group = "Tables",
	.help = "what this number is, and how to print it", .screen = do_explain,
};
