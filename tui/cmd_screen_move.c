/* Commands that the views carry out: moving, searching, stepping through runs. */
#include "tui/app.h"
#include "tui/cmd_screen.h"

/* The view's own word for the command is the command's name. */
#define VIEW_COMMAND(id, command_name, command_args, command_group, command_help)                  \
	static unsigned do_##id(struct app *app, struct str args)                                  \
	{                                                                                          \
		return app_view_command(app, command_name, args);                                  \
	}                                                                                          \
	const struct command cmd_##id = {.name = command_name,                                     \
					 .args = command_args,                                     \
					 .group = command_group,                                   \
					 .help = command_help,                                     \
					 .screen = do_##id}

VIEW_COMMAND(down, "down", "", "Moving", "the next row");
VIEW_COMMAND(up, "up", "", "Moving", "the row before");
VIEW_COMMAND(left, "left", "", "Moving", "sideways: the run, field or column before");
VIEW_COMMAND(right, "right", "", "Moving", "sideways: the next run, field or column");
VIEW_COMMAND(first, "first", "", "Moving", "the first row");
VIEW_COMMAND(last, "last", "", "Moving", "the last row");
VIEW_COMMAND(half_down, "half-down", "", "Moving", "half a page down");
VIEW_COMMAND(half_up, "half-up", "", "Moving", "half a page up");
VIEW_COMMAND(page_down, "page-down", "", "Moving", "a page down");
VIEW_COMMAND(page_up, "page-up", "", "Moving", "a page up");
VIEW_COMMAND(goto_row, "goto", "N", "Moving", "row N; :N does the same");
VIEW_COMMAND(next_wrong, "next-wrong", "", "Answers", "the next wrong answer of a");
VIEW_COMMAND(previous_wrong, "previous-wrong", "", "Answers", "the wrong answer of a before");
VIEW_COMMAND(next_class, "next-class", "", "Moving", "the first sample of the next class");
VIEW_COMMAND(previous_class, "previous-class", "", "Moving", "back to where a class begins");
VIEW_COMMAND(next_pane, "next-pane", "", "Views", "to the facets, or back to the list");
VIEW_COMMAND(next_run, "next-run", "", "Answers", "the raw text of the next run");
VIEW_COMMAND(previous_run, "previous-run", "", "Answers", "the raw text of the run before");
VIEW_COMMAND(search_next, "search-next", "", "Searching", "the next hit");
VIEW_COMMAND(search_previous, "search-previous", "", "Searching", "the hit before");
VIEW_COMMAND(facet_only, "facet-only", "", "Facets", "choose this value alone; on a name: none");
VIEW_COMMAND(facet_exclude, "facet-exclude", "", "Facets", "leave this value out");
VIEW_COMMAND(facet_order, "facet-order", "", "Facets", "values by count, by name, as in the project");
VIEW_COMMAND(matrix_order, "matrix-order", "[ORDER]", "Matrix",
	     "the next order of the classes, or the one named");
VIEW_COMMAND(matrix_diagonal, "matrix-diagonal", "", "Matrix",
	     "shades without the diagonal, or with it");
VIEW_COMMAND(matrix_share, "matrix-share", "", "Matrix", "counts, % of the row, % of the column");
VIEW_COMMAND(matrix_shade, "matrix-shade", "", "Matrix", "linear shades, or logarithmic ones");
VIEW_COMMAND(matrix_difference, "matrix-difference", "", "Matrix", "a less b, or a alone");
VIEW_COMMAND(matrix_fold, "matrix-fold", "[LEVEL|all]", "Matrix",
	     "a class and all below it as one line");
VIEW_COMMAND(matrix_unfold, "matrix-unfold", "[all]", "Matrix", "the classes of a group again");
VIEW_COMMAND(agreement_measure, "agreement-measure", "[phi|kappa|spearman]", "Agreement",
	     "how alike runs are, by the next measure");
VIEW_COMMAND(agreement_order, "agreement-order", "", "Agreement",
	     "similar runs beside each other, or the panel's order");
VIEW_COMMAND(unfold, "unfold", "", "Tables", "runs that repeat each other one by one, or their mean alone");
VIEW_COMMAND(enter, "enter", "", "Views", "into what the cursor is on");

/* From views that show no single sample it goes to the list. */
static unsigned go_flip(struct app *app, const char *name, struct str args)
{
	unsigned r = app_view_command(app, name, args);

	if (!(r & REACT_UNHANDLED) || !app->scene.snap || !app->scene.snap->n_runs || app->top->class->popup)
		return r;
	app_push(app, &browse_view);
	return app_view_command(app, name, args) | REACT_REDRAW;
}

static unsigned do_next_flip(struct app *app, struct str args)
{
	return go_flip(app, "next-flip", args);
}
const struct command cmd_next_flip = {
	.name = "next-flip", .args = "", .group = "Answers",
	.help = "the next one that a and b judge apart", .screen = do_next_flip,
};

static unsigned do_previous_flip(struct app *app, struct str args)
{
	return go_flip(app, "previous-flip", args);
}
const struct command cmd_previous_flip = {
	.name = "previous-flip", .args = "", .group = "Answers", .help = "the flip before",
	.screen = do_previous_flip,
};

/* Of popups and the facets, which say so in their bottom line. */
static unsigned do_toggle(struct app *app, struct str args)
{
	return app_view_command(app, "toggle", args);
}
const struct command cmd_toggle = {
	.name = "toggle", .args = "", .group = "Views", .help = "in a list of several: in or out",
	.screen = do_toggle, .hidden = true,
};

static unsigned do_search(struct app *app, struct str args)
{
	if (args.n)
		return app_view_command(app, "search", args);
	prompt_open(&app->prompt, '/');
	return REACT_REDRAW;
}
const struct command cmd_search = {
	.name = "search",
	.args = "[TEXT]",
	.group = "Searching",
	.help = "find TEXT or /REGEX/ in texts, answers, notes",
	.screen = do_search,
};
