/* Commands that walk through the places where one was. */
#include "tui/app.h"
#include "tui/cmd_screen.h"

static bool walk(struct app *app, int by)
{
	while (app->top->class->popup && app_pop(app))
		;
	return jump_walk(app, by);
}

static unsigned do_older(struct app *app, struct str args)
{
	(void)args;
	if (!walk(app, -1))
		app_message(app, STYLE_MESSAGE, "there is no older place");
	return REACT_REDRAW;
}
const struct command cmd_older_place = {
	.name = "older-place", .args = "", .group = "Moving",
	.help = "back to where one was before the last jump", .screen = do_older,
};

static unsigned do_newer(struct app *app, struct str args)
{
	(void)args;
	if (!walk(app, 1))
		app_message(app, STYLE_MESSAGE, "there is no newer place");
	return REACT_REDRAW;
}
const struct command cmd_newer_place = {
	.name = "newer-place", .args = "", .group = "Moving", .help = "forward again",
	.screen = do_newer,
};
