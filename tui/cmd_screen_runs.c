/* Commands that choose: a, b and the panel. */
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/cmd_screen.h"
#include "tui/view/chooser.h"
#include "tui/view/sign.h"

#define JUDGE_MS       5
#define ACCURACY_WIDTH 31

/* --- runs --- */

/* Runs are judged a few at a time, frame by frame, so that no key waits for all of them. How many
 * are so far. */
static uint64_t judged_runs(struct app *app)
{
	struct scene *s = &app->scene;
	int64_t until = app_clock() + JUDGE_MS;
	uint64_t n = 0;

	for (int r = 0; r < (int)s->snap->n_runs; r++) {
		bool known = s->verdict && s->verdict[r];

		if (!known && !scene_waits(s, r)) {
			if (!app->headless && app_clock() >= until) {
				app->wake_ms = 1;
				break;
			}
			scene_need(s, r);
			known = true;
		}
		n += known;
	}
	return n;
}

static void accuracy_text(struct scene *s, int r, char *out, size_t size)
{
	struct tally t;
	double lo, hi;
	char n[28];

	if (!s->verdict || !s->verdict[r]) {
		snprintf(out, size, "%*s%s", ACCURACY_WIDTH - text_width(str_z(sign(SIGN_WAIT))), "",
			 sign(SIGN_WAIT));
		return;
	}
	t = eval_tally_within(s->verdict[r], s->snap->n, NULL);
	if (!t.n) {
		snprintf(out, size, "none counted");
		return;
	}
	tally_wilson(&t, &lo, &hi);
	snprintf(out, size, "%5.1f %% [%4.1f, %5.1f] %9s", 100 * tally_accuracy(&t), 100 * lo, 100 * hi,
		 count_text(t.n, n));
}

static void add_run(struct chooser *c, struct scene *s, int r, const char *sign_text)
{
	const struct run *run = &s->snap->runs[r];
	char value[64], *detail;

	accuracy_text(s, r, value, sizeof value);
	detail = xasprintf("%s%s", run->protocol, run->scratch ? " scratch" : "");
	chooser_add(c, &(struct choice){sign_text, run->handle, detail, value});
	free(detail);
}

static void gather_runs(struct app *app, struct chooser *c)
{
	struct scene *s = &app->scene;

	for (int r = 0; r < (int)s->snap->n_runs; r++)
		add_run(c, s, r, r == s->a ? "a" : r == s->b ? "b" : "");
}

static void gather_for_a(struct app *app, struct chooser *c)
{
	gather_runs(app, c);
	chooser_start(c, app->scene.a > 0 ? (uint32_t)app->scene.a : 0);
}

static void gather_for_b(struct app *app, struct chooser *c)
{
	gather_runs(app, c);
	chooser_start(c, app->scene.b > 0 ? (uint32_t)app->scene.b : 0);
}

static unsigned accept_a(struct app *app, uint32_t at)
{
	return choice_run(app, false, (int)at);
}

static unsigned accept_b(struct app *app, uint32_t at)
{
	return choice_run(app, true, (int)at);
}

static const struct chooser_spec choose_a = {.title = "a, the run under study",
					     .nothing = "there is no run yet",
					     .gather = gather_for_a,
					     .accept = accept_a,
					     .version = judged_runs};
static const struct chooser_spec choose_b = {.title = "b, the run to compare with",
					     .nothing = "there is no run yet",
					     .gather = gather_for_b,
					     .accept = accept_b,
					     .version = judged_runs};

static unsigned choose(struct app *app, bool b, struct str who)
{
	unsigned r = app_view_command(app, b ? "run-b" : "run-a", who);
	int run;

	if (!(r & REACT_UNHANDLED) || !app->scene.snap)
		return r;
	if (!who.n)
		return chooser_open(app, b ? &choose_b : &choose_a);
	run = snapshot_run(app->scene.snap, who);
	if (run >= 0)
		return choice_run(app, b, run);
	app_message(app, STYLE_WARNING, "%s \"%.*s\"",
		    run == -2 ? "more than one run begins like" : "there is no run", STR_ARG(who));
	return REACT_REDRAW;
}

static unsigned do_run_a(struct app *app, struct str args)
{
	return choose(app, false, args);
}
const struct command cmd_run_a = {
	.name = "run-a", .args = "[RUN]", .group = "Runs", .help = "choose a, the run under study",
	.screen = do_run_a,
};

static unsigned do_run_b(struct app *app, struct str args)
{
	return choose(app, true, args);
}
const struct command cmd_run_b = {
	.name = "run-b", .args = "[RUN]", .group = "Runs",
	.help = "choose b, the run to compare with", .screen = do_run_b,
};

/* --- the panel --- */

static void gather_panel(struct app *app, struct chooser *c)
{
	struct scene *s = &app->scene;

	for (int r = 0; r < (int)s->snap->n_runs; r++) {
		bool in = false;

		for (int p = 0; p < s->n_panel; p++)
			in |= s->panel[p] == r;
		add_run(c, s, r, in ? sign(SIGN_MARKED) : sign(SIGN_DOT));
	}
}

static unsigned toggle_panel(struct app *app, uint32_t at)
{
	return choice_panel(app, (int)at);
}

static unsigned leave_panel(struct app *app, uint32_t at)
{
	(void)app;
	(void)at;
	return REACT_REDRAW;
}

static unsigned do_panel(struct app *app, struct str args)
{
	static const struct chooser_spec spec = {.title = "the panel: runs that are shown and counted",
						 .nothing = "there is no run yet",
						 .gather = gather_panel,
						 .accept = leave_panel,
						 .toggle = toggle_panel,
						 .version = judged_runs};

	(void)args;
	return app->scene.snap ? chooser_open(app, &spec) : REACT_NONE;
}
const struct command cmd_panel = {
	.name = "panel", .args = "", .group = "Runs",
	.help = "choose the runs that are shown and counted", .screen = do_panel,
};
