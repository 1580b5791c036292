/* Multiple choice by kind of distractor and by which label is among the options (ReGT Tables 6 and
 * 18; benchmarks.md §2.4). What a run was asked with says both; a model's closed-world run stands
 * beside them: there all other classes are distractors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/report/repeats.h"
#include "core/report/report_impl.h"
#include "core/text/json.h"

struct asked { /* how a run was; texts are in the table's arena */
	int run;
	const char *options; /* "random", "near", "hard", "stored", "all classes", a protocol's own word */
	const char *by;	     /* the encoder, or the run of the confusions; "" */
	const char *truth;   /* "original", "reannotated", "both", or "" */
	double n_options;    /* NaN: not told */
	const char *same;    /* the settings without seed and repeat */
	size_t order;	     /* of the row */
};

struct mc {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping g;
	struct lens original; /* the lens over the original layer */
	bool layers;	      /* it is another one */
	struct asked *asked;  /* [n] in the order of the rows */
	int n;
	size_t model, distractors, by, label, options, run, group, n_col, right, excluded, before, accuracy, lo, hi,
	    repeats;
};

/* --- how runs were asked --- */

static bool is_word_end(char c)
{
	return !((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
}

/* "mc", "MC", "mc-hard", "mc4-hard". */
static bool is_choice(const struct run *run)
{
	struct str p = str_z(run->protocol);

	return p.n >= 2 && str_eq_nocase((struct str){p.p, 2}, STR("mc")) && (p.n == 2 || is_word_end(p.p[2]));
}

static bool is_closed(const struct run *run)
{
	return str_eq_nocase(str_z(run->protocol), STR("cw"));
}

/* "hard" of "mc4-hard"; "stored" where nothing follows. */
static const char *kind_in_name(const char *protocol)
{
	const char *at = protocol + 2;

	at += strspn(at, "0123456789-_/ ");
	return *at ? at : "stored";
}

static const char *text_of(struct arena *arena, const cJSON *o, const char *name)
{
	struct str text = json_text(json_get(o, name));

	return text.p ? arena_str(arena, text).p : "";
}

static const char *without_seed(struct arena *arena, cJSON *o)
{
	char *text;
	const char *out;

	cJSON_DeleteItemFromObjectCaseSensitive(o, "seed");
	cJSON_DeleteItemFromObjectCaseSensitive(o, "repeat");
	text = o ? cJSON_PrintUnformatted(o) : NULL;
	out = arena_strdup(arena, text ? text : "");
	cJSON_free(text);
	return out;
}

static struct asked look_at(const struct mc *m, int r)
{
	const struct run *run = &m->ctx->snap->runs[r];
	struct arena *arena = &m->t->arena;
	struct asked a = {.run = r, .n_options = NAN};
	struct err ignored = ERR_INIT;
	cJSON *o = NULL;

	if (run->settings && *run->settings)
		json_parse(str_z(run->settings), &o, &ignored);
	a.options = text_of(arena, o, "options");
	a.truth = text_of(arena, o, "truth");
	a.by = text_of(arena, o, strcmp(a.options, "near") == 0 ? "encoder" : "reference");
	json_number(json_get(o, "n_options"), &a.n_options);
	if (is_closed(run)) {
		a.options = "all classes";
		a.truth = a.by = "";
		a.n_options = m->ctx->snap->n_classes;
	} else if (!*a.options) {
		a.options = kind_in_name(run->protocol);
	}
	a.same = without_seed(arena, o);
	cJSON_Delete(o);
	return a;
}

/* --- order: models as they come, then from easy to hard --- */

static size_t place_of(const char *word, const char *const *words, size_t n)
{
	size_t i = 0;

	while (i < n && strcmp(word, words[i]) != 0)
		i++;
	return i;
}

static size_t order_of(const struct mc *m, const struct asked *a)
{
	static const char *const kinds[] = {"random", "near", "hard", "stored"},
				*const truths[] = {"original", "reannotated", "both"};
	const struct run *runs = m->ctx->snap->runs;
	size_t model = 0, kind = strcmp(a->options, "all classes") == 0 ? 5 : place_of(a->options, kinds, 4);

	while (strcmp(runs[m->ctx->runs[model]].model, runs[a->run].model) != 0)
		model++;
	return (model * 8 + kind) * 8 + place_of(a->truth, truths, 3);
}

static bool has_choices(const struct mc *m, const char *model)
{
	for (int k = 0; k < m->ctx->n_runs; k++) {
		const struct run *run = &m->ctx->snap->runs[m->ctx->runs[k]];

		if (is_choice(run) && strcmp(run->model, model) == 0)
			return true;
	}
	return false;
}

static enum status gather(struct mc *m, struct err *err)
{
	m->asked = xcalloc((size_t)m->ctx->n_runs + 1, sizeof *m->asked);
	for (int k = 0; k < m->ctx->n_runs; k++) {
		const struct run *run = &m->ctx->snap->runs[m->ctx->runs[k]];
		struct asked a;
		int at = m->n;

		if (!is_choice(run) && !(is_closed(run) && has_choices(m, run->model)))
			continue;
		a = look_at(m, m->ctx->runs[k]);
		a.order = order_of(m, &a);
		for (; at > 0 && m->asked[at - 1].order > a.order; at--)
			m->asked[at] = m->asked[at - 1];
		m->asked[at] = a;
		m->n++;
	}
	return m->n ? OK : err_set(err, E_USAGE, "no run was asked by multiple choice (its protocol is mc)");
}

/* --- rows --- */

static void make_columns(struct mc *m)
{
	struct table *t = m->t;

	m->model = table_column(t, "model", "model", TABLE_TEXT, BEST_NONE, "who answered");
	m->distractors = table_column(t, "distractors", "distractors", TABLE_TEXT, BEST_NONE,
				      "random classes; those with the nearest names; those that a run confuses "
				      "(hard); the sample's own options (stored)");
	m->by = table_column(t, "by", "by", TABLE_TEXT, BEST_NONE,
			     "near: whose vectors of the names; hard: whose confusions");
	m->label = table_column(t, "label", "label", TABLE_TEXT, BEST_NONE,
				"which label is among the options: original, reannotated, both");
	m->options = table_column(t, "options", "options", TABLE_COUNT, BEST_NONE, "of a question");
	m->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle");
	m->group = table_column(t, "group", m->g.by, TABLE_TEXT, BEST_NONE, "\"all\" or one group of the grouping");
	m->n_col = table_column(t, "n", "n", TABLE_COUNT, BEST_NONE, "counted answers");
	m->right = table_detail(t, table_column(t, "right", "right", TABLE_COUNT, BEST_NONE, "right answers"));
	m->excluded = table_column(t, "excluded", "left out", TABLE_COUNT, BEST_NONE,
				   "answers that are not counted; n and these are the population");
	if (m->layers)
		m->before = table_column(t, "original", "original", TABLE_SHARE, BEST_HIGH,
					 "accuracy under the original layer");
	m->accuracy = table_column(t, "accuracy", "accuracy", TABLE_SHARE, BEST_HIGH, "right / n");
	m->lo = table_column(t, "lo", "from", TABLE_SHARE, BEST_NONE,
			     "95 % interval: Wilson's of a run, Student's t of a mean over repeats");
	m->hi = table_column(t, "hi", "to", TABLE_SHARE, BEST_NONE,
			     "95 % interval: Wilson's of a run, Student's t of a mean over repeats");
	m->repeats = table_detail(t, table_column(t, "repeats", "repeats", TABLE_COUNT, BEST_NONE,
						  "runs whose mean this is; the interval is then Student's t"));
	t->pivot_group = m->group;
	t->pivot_value = m->accuracy;
}

static void put_accuracy(const struct mc *m, int run, const char *condition, const struct tally *c)
{
	const size_t told[] = {m->n_col, m->right, m->excluded, m->accuracy};
	double lo = NAN, hi = NAN;

	table_number(m->t, m->n_col, c->n);
	table_number(m->t, m->right, c->right);
	table_number(m->t, m->excluded, c->excluded);
	table_number(m->t, m->accuracy, tally_accuracy(c));
	if (c->n)
		tally_wilson(c, &lo, &hi);
	table_number(m->t, m->lo, lo);
	table_number(m->t, m->hi, hi);
	report_put_share(m->ctx, m->t, run, condition, told,
			 &(struct table_share){.part = c->right, .whole = c->n, .rest = c->excluded});
	table_same(m->t, m->accuracy, m->lo);
	table_same(m->t, m->accuracy, m->hi);
}

static void put_row(const struct mc *m, const struct asked *a, const char *group, const char *condition,
		    const struct tally *c, const struct tally *before)
{
	const struct run *run = &m->ctx->snap->runs[a->run];
	struct table *t = m->t;

	table_row(t);
	table_text(t, m->model, run->model);
	table_text(t, m->distractors, a->options);
	table_text(t, m->by, a->by);
	table_text(t, m->label, a->truth);
	table_number(t, m->options, a->n_options);
	table_text(t, m->run, run->handle);
	table_text(t, m->group, group);
	table_door(t, m->group, condition);
	put_accuracy(m, a->run, condition, c);
	if (before)
		table_number(t, m->before, tally_accuracy(before));
}

static enum status put_run(struct mc *m, const struct asked *a, struct err *err)
{
	struct tally *c = report_tallies(m->ctx, &m->g, a->run, m->ctx->lens);
	struct tally *before = m->layers ? report_tallies(m->ctx, &m->g, a->run, &m->original) : NULL;
	uint32_t all = m->g.n;

	put_row(m, a, "all", "", &c[all], before ? &before[all] : NULL);
	for (uint32_t k = 0; k < m->g.n; k++)
		if (strcmp(m->g.name[k], "all") != 0)
			put_row(m, a, m->g.name[k], m->g.condition[k], &c[k], before ? &before[k] : NULL);
	free(c);
	free(before);
	return cancel_check(m->ctx->cancel, err);
}

/* --- repeats --- */

static const struct asked *asked_of(const struct mc *m, int run)
{
	int k = 0;

	while (m->asked[k].run != run)
		k++;
	return &m->asked[k];
}

/* Of as many samples: a run that was stopped is no repeat of one that is whole. */
static bool repeats_it(const void *own, int a, int b)
{
	const struct mc *m = own;
	const struct run *x = &m->ctx->snap->runs[a], *y = &m->ctx->snap->runs[b];

	return a == b || (*x->model && strcmp(x->model, y->model) == 0 && strcmp(x->protocol, y->protocol) == 0 &&
			  strcmp(x->prompt, y->prompt) == 0 && strcmp(x->response_format, y->response_format) == 0 &&
			  x->list_rule == y->list_rule && x->n_predictions == y->n_predictions &&
			  strcmp(asked_of(m, a)->same, asked_of(m, b)->same) == 0);
}

static void fold(const struct mc *m)
{
	struct report_ctx ordered = *m->ctx;
	struct repeats r = {.run = m->run, .name = m->run, .accuracy = m->accuracy, .lo = m->lo, .hi = m->hi,
			    .repeats = m->repeats, .same = repeats_it, .own = m};
	int *runs = xcalloc((size_t)m->n + 1, sizeof *runs);

	for (int k = 0; k < m->n; k++)
		runs[k] = m->asked[k].run;
	ordered.runs = runs;
	ordered.n_runs = m->n;
	repeats_fold(&ordered, m->t, ordered.unfold, &r);
	repeats_release(&r);
	free(runs);
}

enum status report_mc(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct str by = ctx->by.n ? ctx->by : str_z(report_first_grouping(ctx->snap, ctx->lens));
	struct mc m = {.ctx = ctx, .t = out, .original = *ctx->lens};
	enum status st = grouping_make(ctx->snap, ctx->lens, by, &m.g, err);

	if (st != OK)
		return st;
	m.original.layer = ctx->lens->original;
	m.layers = ctx->lens->original >= 0 && ctx->lens->original != ctx->lens->layer;
	table_init(out, "mc");
	make_columns(&m);
	st = gather(&m, err);
	for (int k = 0; k < m.n && st == OK; k++)
		st = put_run(&m, &m.asked[k], err);
	if (st == OK) {
		fold(&m);
		report_note_left_out(ctx, out);
	} else {
		table_release(out);
	}
	free(m.asked);
	grouping_release(&m.g);
	return st;
}
