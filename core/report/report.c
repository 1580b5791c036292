#include "core/report/report_impl.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

const struct report reports[] = {
    {"accuracy", "accuracy of each run, by the groups that the benchmark reports", report_benchmark},
    {"classes", "precision, recall, F1 and support of each class", report_classes},
    {"groups", "each class, or group: accuracy of two runs, their difference and what changed", report_groups},
    {"compare", "two runs on what is counted for both: the difference, what flipped, and whether it is noise",
     report_compare},
    {"confusion", "truth by answer, each cell that is not empty", report_confusion},
    {"pairs", "the most frequent confusions, with their share of the errors", report_pairs},
    {"oop", "answers outside of the class list and their kinds, by the same groups", report_oop},
    {"protocols", "the runs of each model side by side, by how they were asked", report_protocols},
    {"mc", "multiple choice by kind of distractor and by which label is among the options", report_mc},
    {"agreement", "who is right together, and how alike the runs are, pair by pair", report_agreement},
    {"judge", "a judge's marks of the steps against people's", report_judge},
    {"facets", "every facet's values with their samples", report_facets},
    {NULL, NULL, NULL},
};

const struct report *report_find(struct str name)
{
	for (const struct report *r = reports; r->name; r++)
		if (str_eqz(name, r->name))
			return r;
	return NULL;
}

/* Facets by which publications report, in this order. */
const char *report_first_grouping(const struct snapshot *snap, const struct lens *lens)
{
	static const char *const usual[] = {"dimension", "mme_task", "face_type"};

	if (eval_category_layer(snap, lens) >= 0 && lens->original != lens->layer)
		return "category";
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (snapshot_facet(snap, str_z(usual[i])) >= 0)
			return usual[i];
	return snap->n_classes && snap->n_classes <= 12 ? "class" : "none";
}

const char *report_group_head(const struct grouping *g)
{
	return strcmp(g->by, "none") == 0 ? "samples" : g->by;
}

uint8_t *report_verdicts(const struct report_ctx *ctx, int run, const struct lens *lens)
{
	uint8_t *verdict = xmalloc((size_t)ctx->snap->n + 1);

	if (ctx->verdict && ctx->verdict[run] && lens == ctx->lens) {
		memcpy(verdict, ctx->verdict[run], ctx->snap->n);
		return verdict;
	}
	eval_verdicts(ctx->snap, lens, run, verdict);
	return verdict;
}

const uint8_t *report_verdicts_of(const struct report_ctx *ctx, int run, uint8_t **own)
{
	*own = NULL;
	if (ctx->verdict && ctx->verdict[run])
		return ctx->verdict[run];
	return *own = report_verdicts(ctx, run, ctx->lens);
}

struct tally *report_tallies(const struct report_ctx *ctx, struct grouping *g, int run, const struct lens *lens)
{
	struct tally *t = xcalloc((size_t)g->n + 1, sizeof *t);
	uint8_t *verdict = report_verdicts(ctx, run, lens);

	grouping_tally(g, ctx->snap, run, verdict, ctx->mask, t);
	t[g->n] = eval_tally_within(verdict, ctx->snap->n, ctx->mask);
	free(verdict);
	return t;
}

uint32_t report_population(const struct report_ctx *ctx)
{
	return ctx->mask ? (uint32_t)bits_count(ctx->mask, ctx->snap->n) : ctx->snap->n;
}

enum status report_grouping(const struct report_ctx *ctx, struct str by, struct grouping *out,
			    struct err *err)
{
	return grouping_make_with(ctx->snap, ctx->lens, ctx->source, ctx->runs, ctx->n_runs, by, out, err);
}

const char *report_layer_name(const struct report_ctx *ctx, int layer)
{
	return layer >= 0 && (uint32_t)layer < ctx->snap->n_layers ? ctx->snap->layers[layer].name : "";
}

void report_put_door(const struct report_ctx *ctx, struct buf *out, const char *word, int run,
		     const char *values, const char *condition)
{
	buf_z(out, word);
	filter_put_who(out, ctx->snap->runs[run].handle);
	buf_printf(out, "%s%s%s", values, *condition ? " " : "", condition);
}

enum status report_number(const struct report_ctx *ctx, int run, const char *name, struct column *out,
			  struct err *err)
{
	const struct column *col = NULL;
	enum status st;

	*out = (struct column){.n = 0};
	if (!ctx->source || !ctx->source->number)
		return OK;
	st = ctx->source->number(ctx->source->ctx, run, name, &col, err);
	if (st != OK || !col || !col->n)
		return st;
	*out = column_new(col->dtype, col->n);
	if (!out->n)
		return err_set(err, E_MEMORY, "there is no memory for the numbers of a run");
	memcpy(out->data, col->data, col->n * dtype_size(col->dtype));
	return OK;
}

void report_put_share(const struct report_ctx *ctx, struct table *t, int run, const char *condition,
		      const size_t told[4], const struct table_share *share)
{
	struct buf right = BUF_INIT, counted = BUF_INIT, rest = BUF_INIT;
	struct table_share s = *share;

	report_put_door(ctx, &right, "right", run, "", condition);
	report_put_door(ctx, &counted, "-uncounted", run, "", condition);
	report_put_door(ctx, &rest, "uncounted", run, "", condition);
	s.run = run;
	s.part_door = buf_cstr(&right);
	s.whole_door = buf_cstr(&counted);
	s.rest_door = buf_cstr(&rest);
	table_share(t, told, 4, &s);
	table_door(t, told[0], s.whole_door);
	table_door(t, told[1], s.part_door);
	table_door(t, told[2], s.rest_door);
	table_door(t, told[3], s.part_door);
	buf_release(&right);
	buf_release(&counted);
	buf_release(&rest);
}

static void note_run(const struct report_ctx *ctx, struct table *t, int run)
{
	uint32_t count[N_LEFT_OUT];
	struct buf text = BUF_INIT;
	uint8_t *own;
	const uint8_t *verdict = report_verdicts_of(ctx, run, &own);

	eval_left_out(ctx->snap, ctx->lens, run, verdict, ctx->mask, count);
	for (int why = 0; why < N_LEFT_OUT; why++)
		if (count[why])
			buf_printf(&text, "%s%u %s", text.n ? ", " : "", count[why],
				   left_out_word((enum left_out)why));
	if (text.n)
		table_note(t, "left out of %s: %s", ctx->snap->runs[run].handle, buf_cstr(&text));
	buf_release(&text);
	free(own);
}

void report_note_left_out(const struct report_ctx *ctx, struct table *t)
{
	struct buf lens = BUF_INIT;

	lens_format(ctx->lens, ctx->snap, &lens);
	table_note(t, "population %u of %u samples; lens %s", report_population(ctx), ctx->snap->n,
		   buf_cstr(&lens));
	for (int r = 0; r < ctx->n_runs; r++)
		note_run(ctx, t, ctx->runs[r]);
	buf_release(&lens);
}
