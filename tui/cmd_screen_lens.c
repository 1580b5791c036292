/* The lens: `L` and a letter turn one switch to its next value, `:lens` takes it as --lens does. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/truth.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/cmd_screen.h"
#include "tui/view/sign.h"

/* --- which switches mean something here --- */

static bool two_layers(const struct scene *s)
{
	return s->snap->n_layers > 1;
}

static bool has_pairs(const struct scene *s)
{
	return s->snap->n_pairs > 0;
}

static bool has_empty_truth(const struct scene *s)
{
	for (uint32_t i = 0; i < s->snap->n; i++)
		if (truth_covers(s->snap, s->lens.layer, i) && truth_is_empty(s->snap, s->lens.layer, i))
			return true;
	return false;
}

static bool has_abstention(const struct scene *s)
{
	for (uint32_t r = 0; r < s->snap->n_runs; r++)
		for (uint32_t i = 0; i < s->snap->n; i++) {
			uint64_t o = column_u(&s->snap->runs[r].outcome, i);

			if (o == OUTCOME_REFUSED || o == OUTCOME_EMPTY)
				return true;
		}
	return false;
}

static bool has_categories_and_pairs(const struct scene *s)
{
	return has_pairs(s) && eval_category_layer(s->snap, &s->lens) >= 0;
}

static int next_layer(const struct scene *s, int layer)
{
	return (layer + 1) % (int)s->snap->n_layers;
}

static void turn_layer(const struct scene *s, struct lens *l)
{
	l->layer = next_layer(s, l->layer);
}

static void turn_original(const struct scene *s, struct lens *l)
{
	l->original = next_layer(s, l->original);
}

static void turn_equiv(const struct scene *s, struct lens *l)
{
	(void)s;
	l->equiv = !l->equiv;
}

static void turn_n(const struct scene *s, struct lens *l)
{
	(void)s;
	l->n = l->n == N_RIGHT ? N_EXCLUDE : l->n == N_EXCLUDE ? N_WRONG : N_RIGHT;
}

static void turn_abstain(const struct scene *s, struct lens *l)
{
	(void)s;
	l->abstain = l->abstain == ABSTAIN_WRONG ? ABSTAIN_EXCLUDE : ABSTAIN_WRONG;
}

static void turn_rule(const struct scene *s, struct lens *l)
{
	(void)s;
	l->rule = l->rule == RULE_REGT ? RULE_REIMAGENET : RULE_REGT;
}

struct lens_switch {
	const char *name, *help, *useless; /* useless: why it cannot be turned */
	bool (*useful)(const struct scene *s);
	void (*turn)(const struct scene *s, struct lens *l);
};

static const struct lens_switch switches[] = {
    {"layer", "judge by the next layer of truth",
     "there is one layer of truth, and no other to judge by", two_layers, turn_layer},
    {"original", "compare labels with the next layer: categories",
     "there is one layer of truth, and no other to compare with", two_layers,
     turn_original},
    {"equiv", "equivalent classes count as right, or not",
     "the dataset has no equivalent classes", has_pairs, turn_equiv},
    {"n", "samples of an empty truth: right, left out, wrong",
     "no sample has an empty truth: the N policy changes nothing", has_empty_truth, turn_n},
    {"abstain", "refused and empty answers: wrong, or left out",
     "no run has a refused or empty answer: the abstain policy changes nothing",
     has_abstention, turn_abstain},
    {"rule", "the rule of the label categories: regt, reimagenet",
     "the rules of categories differ only where there are two layers and equivalent classes",
     has_categories_and_pairs, turn_rule},
};

const char *lens_switch_help(struct str name)
{
	for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
		if (str_eqz(name, switches[k].name))
			return switches[k].help;
	return str_eqz(name, "preset") ? "back to the dataset's own lens" : NULL;
}

/* --- turning --- */

static uint32_t count_changed(const uint8_t *before, const uint8_t *after, uint32_t n)
{
	uint32_t changed = 0;

	for (uint32_t i = 0; i < n; i++)
		changed += before[i] != after[i];
	return changed;
}

/* Those of a under the lens of before: as they were shown, else made now. Owned by the caller. */
static uint8_t *verdicts_before(struct scene *s, const struct lens *before)
{
	uint8_t *old = lens_eq(&s->judged, before) ? scene_take_verdicts(s, s->a) : NULL;

	if (!old) {
		old = xcalloc((size_t)s->snap->n + 1, 1);
		eval_verdicts(s->snap, before, s->a, old);
	}
	return old;
}

/* "lens layer=… · 412 of 50,000 verdicts of a changed" */
static void say_changed(struct app *app, const struct lens *before)
{
	struct scene *s = &app->scene;
	struct buf text = BUF_INIT;
	uint8_t *old;
	char n[28], all[28];

	lens_format(&s->lens, s->snap, &text);
	if (s->a < 0 || scene_waits(s, s->a)) {
		app_message(app, STYLE_MESSAGE, "lens %s", buf_cstr(&text));
	} else {
		old = verdicts_before(s, before);
		scene_follow_lens(s);
		scene_need(s, s->a);
		app_message(app, STYLE_MESSAGE, "%s of %s verdicts of a changed · %s",
			    count_text(count_changed(old, s->verdict[s->a], s->snap->n), n),
			    count_text(s->snap->n, all), buf_cstr(&text));
		free(old);
	}
	buf_release(&text);
}

static unsigned put(struct app *app, struct lens lens)
{
	struct scene *s = &app->scene;
	struct lens before = s->lens;

	if (lens_eq(&before, &lens)) {
		app_message(app, STYLE_MESSAGE, "the lens is this one already");
		return REACT_REDRAW;
	}
	s->lens = lens;
	choice_keep(app);
	say_changed(app, &before);
	return REACT_REDRAW | REACT_RELENS;
}

static unsigned tell(struct app *app)
{
	struct buf text = BUF_INIT;

	lens_format(&app->scene.lens, app->scene.snap, &text);
	app_message(app, STYLE_MESSAGE, "lens %s", buf_cstr(&text));
	buf_release(&text);
	return REACT_REDRAW;
}

static unsigned do_lens(struct app *app, struct str args)
{
	struct scene *s = &app->scene;
	struct lens lens = s->lens;
	struct err err = ERR_INIT;

	if (!s->snap)
		return REACT_NONE;
	if (!args.n)
		return tell(app);
	for (size_t k = 0; k < sizeof switches / sizeof *switches; k++)
		if (str_eqz(args, switches[k].name)) {
			if (!switches[k].useful(s)) {
				app_message(app, STYLE_MESSAGE, "%s", switches[k].useless);
				return REACT_REDRAW;
			}
			switches[k].turn(s, &lens);
			return put(app, lens);
		}
	if (str_eqz(args, "preset"))
		return put(app, s->preset);
	if (lens_parse(&lens, s->snap, args, &err) != OK) {
		app_message(app, STYLE_WARNING, "%s", err.msg);
		return REACT_REDRAW;
	}
	return put(app, lens);
}
const struct command cmd_lens = {
	.name = "lens", .args = "[SWITCH|KEY=VALUE,...|preset]", .group = "Runs",
	.help = "turn a switch of the lens (layer, original, equiv, n, abstain, rule), or set it",
	.screen = do_lens,
};
