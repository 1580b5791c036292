/* Commands that ask models, and that derive runs from their answers. */
#include <stdlib.h>

#include "tui/app.h"
#include "tui/cmd_screen.h"
#include "tui/edit.h"
#include "tui/view/zoom.h"

static bool ready(struct app *app)
{
	if (!app->scene.snap || !scene_shown(&app->scene)) {
		app_message(app, STYLE_MESSAGE, "there are no samples to ask about");
		return false;
	}
	asking_ready(app);
	return true;
}

/* A number or a `;` means many; else it is about the sample under the cursor, in its own view. */
unsigned query_screen(struct app *app, struct str args)
{
	int64_t cap = ASKING_CAP;
	struct targets t;

	if (!ready(app))
		return REACT_REDRAW;
	if (str_eqz(args, "again"))
		return asking_again(app);
	if (args.n && (!str_int(args, &cap) || cap < 1)) {
		app_message(app, STYLE_WARNING, "query takes how many samples at most, or again");
		return REACT_REDRAW;
	}
	if (!args.n && !app->edit.all && app->scene.anchor < 0)
		return cmd_view.screen(app, STR("query"));
	if (!edit_ready(app))
		return REACT_REDRAW;
	if (args.n && app->scene.anchor < 0)
		app->edit.all = true;
	t = targets_take(app);
	return asking_send_many(app, &t, (size_t)cap);
}

unsigned map_screen(struct app *app, struct str args)
{
	return ready(app) ? asking_map(app, args) : REACT_REDRAW;
}

unsigned reparse_screen(struct app *app, struct str args)
{
	return ready(app) ? asking_reparse(app, args) : REACT_REDRAW;
}

static unsigned do_endpoint(struct app *app, struct str args)
{
	if (!ready(app))
		return REACT_REDRAW;
	if (!args.n)
		return asking_choose_endpoint(app);
	asking_use_endpoint(app, args);
	return REACT_REDRAW;
}
const struct command cmd_endpoint = {
	.name = "endpoint", .args = "[NAME]", .group = "Asking",
	.help = "choose which model is asked, of those in the configuration", .screen = do_endpoint,
};

static unsigned do_protocol(struct app *app, struct str args)
{
	if (!ready(app))
		return REACT_REDRAW;
	if (!args.n)
		return asking_choose_protocol(app);
	asking_use_protocol(app, args);
	return REACT_REDRAW;
}
const struct command cmd_protocol = {
	.name = "protocol", .args = "[NAME]", .group = "Asking", .help = "choose how it is asked",
	.screen = do_protocol,
};

static unsigned do_offer(struct app *app, struct str args)
{
	if (!ready(app))
		return REACT_REDRAW;
	if (!args.n)
		return asking_choose_offer(app);
	asking_use_offer(app, args);
	return REACT_REDRAW;
}
const struct command cmd_offer = {
	.name = "offer", .args = "[HOW]", .group = "Asking",
	.help = "choose how classes or options are offered to it", .screen = do_offer,
};

static unsigned do_edit_prompt(struct app *app, struct str args)
{
	return ready(app) ? asking_edit_prompt(app, str_eqz(args, "own")) : REACT_REDRAW;
}
const struct command cmd_edit_prompt = {
	.name = "edit-prompt", .args = "[own]", .group = "Asking",
	.help = "change the prompt in $EDITOR; own: the protocol's own again", .screen = do_edit_prompt,
};

static unsigned do_repeats(struct app *app, struct str args)
{
	if (!ready(app))
		return REACT_REDRAW;
	if (!args.n)
		return asking_choose_repeats(app);
	asking_use_repeats(app, args);
	return REACT_REDRAW;
}
const struct command cmd_repeats = {
	.name = "repeats", .args = "[K]", .group = "Asking", .help = "ask K times, each in a run of its own",
	.screen = do_repeats,
};

/* What one has zoomed in on is where the crop begins. */
static unsigned do_crop(struct app *app, struct str args)
{
	struct send_crop shown;

	if (app->top->class == &crop_view)
		return app_view_command(app, "crop", args);
	if (!ready(app) || !cmd_has_picture(app, "crop"))
		return REACT_REDRAW;
	if (zoom_shown(app->top, &shown))
		asking_set_crop(app, app->scene.current, shown);
	if (app_main_view(app)->class != &query_view)
		cmd_view.screen(app, STR("query"));
	app_push(app, &crop_view);
	return args.n ? app_view_command(app, "crop", args) : REACT_REDRAW;
}
const struct command cmd_crop = {
	.name = "crop", .args = "[HOW]", .group = "Asking",
	.help = "send a part of the picture", .screen = do_crop,
};

static unsigned do_failures(struct app *app, struct str args)
{
	(void)args;
	return asking_failures(app);
}
const struct command cmd_failures = {
	.name = "failures", .args = "", .group = "Asking",
	.help = "the samples that a model did not answer about, and why", .screen = do_failures,
};
