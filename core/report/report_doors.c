/* Which samples are behind numbers that are made of several counts. */
#include <stdio.h>

#include "core/eval/confusion.h"
#include "core/eval/paired.h"
#include "core/eval/stats.h"
#include "core/report/report_impl.h"

#define PARTS_MAX 5

/* --- conditions, written one after the other into one text --- */

struct writing {
	const struct report_ctx *ctx;
	struct table *t;
	const char *condition; /* of the group */
	struct table_part part[PARTS_MAX];
	size_t n;
};

/* Words with "%" for "@HANDLE": of the first run, and "&" for that of the second. */
static const char *door(struct writing *w, const char *words, const char *value, int a, int b)
{
	struct buf out = BUF_INIT;
	const char *text;

	for (const char *c = words; *c; c++)
		if (*c == '%' || *c == '&')
			filter_put_who(&out, w->ctx->snap->runs[*c == '%' ? a : b].handle);
		else if (*c == '$')
			buf_z(&out, value);
		else
			buf_ch(&out, *c);
	if (*w->condition)
		buf_printf(&out, " %s", w->condition);
	text = arena_strdup(&w->t->arena, buf_cstr(&out));
	buf_release(&out);
	return text;
}

static void put_part(struct writing *w, const char *label, double n, const char *opens)
{
	w->part[w->n++] = (struct table_part){label, n, opens};
}

static void put_at(struct writing *w, size_t column, size_t from, size_t to, const char *opens)
{
	table_parts(w->t, &column, 1, w->part + from, to - from);
	table_door(w->t, column, opens);
}

/* --- classes --- */

/* Answers about samples without a truth are errors under one policy alone (confusion.h). */
static const char *without_truth(const struct report_ctx *ctx, const char *yes, const char *no)
{
	return ctx->lens->n == N_WRONG ? yes : no;
}

void report_door_scores(const struct report_ctx *ctx, struct table *t, int run, const char *value,
			const size_t column[3], const struct class_score *s)
{
	struct writing w = {.ctx = ctx, .t = t, .condition = ""};
	const char *missed = door(&w, "row%:$ -column%:$ -uncounted%", value, run, run);
	const char *hits = door(&w, "row%:$ column%:$", value, run, run);
	const char *wrong =
	    door(&w, without_truth(ctx, "column%:$ -row%:$ -uncounted%",
				   "column%:$ -row%:$,(none) -uncounted%"), value, run, run);
	const char *both =
	    door(&w, without_truth(ctx, "(row%:$ -column%:$ | column%:$ -row%:$) -uncounted%",
				   "(row%:$ -column%:$ | column%:$ -row%:$,(none)) -uncounted%"),
		 value, run, run);

	put_part(&w, "missed", s->missed, missed);
	put_part(&w, "hits", s->hit, hits);
	put_part(&w, "false hits", s->false_hit, wrong);
	put_at(&w, column[0], 1, 3, wrong);
	put_at(&w, column[1], 0, 2, missed);
	put_part(&w, "errors", (double)s->missed + s->false_hit, both);
	put_at(&w, column[2], 0, 4, both);
}

void report_put_macro(struct table *t, const size_t column[3], const struct class_scores *s)
{
	const double value[3] = {s->macro_precision, s->macro_recall, s->macro_f1};
	char why[80];

	snprintf(why, sizeof why, "a mean over %u classes with support: no one set of samples", s->present);
	for (int k = 0; k < 3; k++) {
		table_number(t, column[k], value[k]);
		table_why(t, column[k], why);
	}
}

/* --- two runs --- */

void report_door_paired(const struct report_ctx *ctx, struct table *t, int a, int b, const char *condition,
			const size_t *columns, size_t n, const struct fourfold *f)
{
	struct writing w = {.ctx = ctx, .t = t, .condition = condition};
	const char *flips = door(&w, "(right% wrong& | wrong% right&)", "", a, b);

	put_part(&w, "improved", (double)f->only_a, door(&w, "right% wrong&", "", a, b));
	put_part(&w, "regressed", (double)f->only_b, door(&w, "wrong% right&", "", a, b));
	put_part(&w, "both right", (double)f->both, door(&w, "right% right&", "", a, b));
	put_part(&w, "both wrong", (double)f->neither, door(&w, "wrong% wrong&", "", a, b));
	for (size_t k = 0; k < n; k++)
		put_at(&w, columns[k], 0, w.n, flips);
}

/* --- yes or no --- */

static const char *class_text(const struct report_ctx *ctx, struct table *t, uint32_t class)
{
	const struct class_info *c = &ctx->snap->classes[class];
	struct buf out = BUF_INIT;
	const char *text;

	if (c->index >= 0)
		buf_printf(&out, "#%lld", (long long)c->index);
	else
		filter_put_value(&out, str_z(c->name));
	text = arena_strdup(&t->arena, buf_cstr(&out));
	buf_release(&out);
	return text;
}

struct yes_or_no {
	const char *hits, *alarms, *rejections, *signal, *noise, *says, *gave, *all;
};

static struct yes_or_no answers(struct writing *w, int run, const char *yes, const char *no)
{
	const char *quiet = door(w, "-uncounted% -gt:$", yes, run, run);
	struct writing of_noise = {.ctx = w->ctx, .t = w->t, .condition = quiet};

	return (struct yes_or_no){.hits = door(w, "column%:$ gt:$ -uncounted%", yes, run, run),
				  .alarms = door(w, "column%:$ -gt:$ -uncounted%", yes, run, run),
				  .rejections = door(&of_noise, "column%:$", no, run, run),
				  .signal = door(w, "gt:$ -uncounted%", yes, run, run),
				  .noise = quiet,
				  .says = door(w, "column%:$ -uncounted%", yes, run, run),
				  .gave = door(w, "(refused% | empty%) -uncounted%", "", run, run),
				  .all = door(w, "-uncounted%", "", run, run)};
}

/* Not where classes are equivalent, or an answer is a list: then the words say something else. */
void report_door_binary(const struct report_ctx *ctx, struct table *t, int run, const char *condition,
			const struct binary_columns *c, uint32_t yes, const struct binary *b,
			uint64_t gave_up)
{
	struct writing w = {.ctx = ctx, .t = t, .condition = condition};
	double signal = (double)(b->hit + b->miss + b->silent_signal);
	double noise = (double)(b->false_alarm + b->rejection + b->silent_noise);
	struct yes_or_no d;

	if (ctx->lens->equiv || csr_n(&ctx->snap->runs[run].labels))
		return;
	d = answers(&w, run, class_text(ctx, t, yes), class_text(ctx, t, !yes));
	put_part(&w, "yes, rightly", (double)b->hit, d.hits);
	put_part(&w, "truth yes", signal, d.signal);
	put_part(&w, "yes, wrongly", (double)b->false_alarm, d.alarms);
	put_part(&w, "truth no", noise, d.noise);
	put_at(&w, c->tpr, 0, 2, d.hits);
	put_at(&w, c->d_prime, 0, 4, d.says);
	put_at(&w, c->criterion, 0, 4, d.says);
	w.n = 0;
	put_part(&w, "no, rightly", (double)b->rejection, d.rejections);
	put_part(&w, "truth no", noise, d.noise);
	put_at(&w, c->tnr, 0, 2, d.rejections);
	w.n = 0;
	put_part(&w, "says yes", (double)(b->hit + b->false_alarm), d.says);
	put_part(&w, "counted", signal + noise, d.all);
	put_part(&w, "truth yes", signal, d.signal);
	put_part(&w, "gave up", (double)gave_up, d.gave);
	put_at(&w, c->positive, 0, 2, d.says);
	put_at(&w, c->signal, 1, 3, d.signal);
	put_at(&w, c->give_up, 3, 4, d.gave);
}
