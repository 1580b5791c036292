/* Answers outside of the class list: how many, of which kinds, and what mapping made of them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/report/report_impl.h"

/* --- counting --- */

enum status report_oop_kinds(const struct report_ctx *ctx, int run, const uint8_t **kind, struct err *err)
{
	const struct filter_source *s = ctx->source;

	*kind = NULL;
	if (!s || !s->oop_kinds)
		return OK;
	return s->oop_kinds(s->ctx, run, kind, ctx->cancel, err);
}

void report_oop_add(const struct run *run, const uint8_t *kind, const uint8_t *verdict, uint32_t i,
		    struct oop_count *c)
{
	uint64_t o = column_u(&run->outcome, i);

	if (o >= N_OUTCOMES || o == OUTCOME_MISSING || o == OUTCOME_ERROR) {
		c->silent++;
		return;
	}
	c->n++;
	if (o != OUTCOME_OOP)
		return;
	c->oop++;
	c->unmapped += column_u(&run->label, i) == COLUMN_NONE;
	c->right += verdict[i] == VERDICT_RIGHT;
	if (kind && kind[i] < N_OOP_KINDS)
		c->kind[kind[i]]++;
}

/* --- shares, in any table --- */

struct oop_columns report_oop_columns(struct table *t)
{
	static const char *const help[N_OOP_KINDS] = {
	    "of oop: the words are among those of a class's name",
	    "of oop: a name of a second list",
	    "of oop: says that it does not know",
	    "of oop: none of the other kinds",
	};
	struct oop_columns c;

	c.rate = table_column(t, "oop", "oop", TABLE_SHARE, BEST_LOW,
			      "answers outside of the class list, of all but errors");
	for (int k = 0; k < N_OOP_KINDS; k++) {
		const char *word = oop_kind_word((enum oop_kind)k);
		struct buf name = BUF_INIT;

		buf_printf(&name, "oop_%s", word);
		c.kind[k] = table_column(t, buf_cstr(&name), word, TABLE_SHARE, BEST_NONE, help[k]);
		buf_release(&name);
	}
	return c;
}

/* What opens: "oop", of a kind where one is named, and `more` of the same run. */
static void write_door(struct buf *door, const char *handle, const char *kind, const char *more,
		       const char *condition)
{
	buf_clear(door);
	buf_z(door, "oop");
	filter_put_who(door, handle);
	if (kind)
		buf_printf(door, ":%s", kind);
	if (more) {
		buf_printf(door, " %s", more);
		filter_put_who(door, handle);
	}
	buf_printf(door, "%s%s", *condition ? " " : "", condition);
}

static void put_door(struct table *t, size_t column, const char *handle, const char *kind,
		     const char *more, const char *condition)
{
	struct buf door = BUF_INIT;

	write_door(&door, handle, kind, more, condition);
	table_door(t, column, buf_cstr(&door));
	buf_release(&door);
}

/* "WORD@RUN" and the same of a second word, by `join`. */
static void put_two(struct buf *out, const char *handle, const char *first, const char *join, const char *second)
{
	buf_z(out, first);
	filter_put_who(out, handle);
	buf_z(out, join);
	buf_z(out, second);
	filter_put_who(out, handle);
}

static void put_rate(struct table *t, size_t column, const struct oop_count *c, int run, const char *handle,
		     const char *condition)
{
	struct buf part = BUF_INIT, whole = BUF_INIT, rest = BUF_INIT;
	const char *blank = *condition ? " " : "";

	write_door(&part, handle, NULL, NULL, condition);
	put_two(&whole, handle, "-error", " -", "missing");
	buf_printf(&whole, "%s%s", blank, condition);
	buf_ch(&rest, '(');
	put_two(&rest, handle, "error", " or ", "missing");
	buf_printf(&rest, ")%s%s", blank, condition);
	table_number(t, column, (double)c->oop / c->n);
	table_door(t, column, buf_cstr(&part));
	table_share(t, &column, 1,
		    &(struct table_share){.part = c->oop, .whole = c->n, .rest = c->silent,
					  .part_door = buf_cstr(&part), .whole_door = buf_cstr(&whole),
					  .rest_door = buf_cstr(&rest), .run = run,
					  .words = {"oop", "answers", "no answer"},
					  .formula = "oop / answers (ReGT, Table 5)"});
	buf_release(&part);
	buf_release(&whole);
	buf_release(&rest);
}

static void put_kind(struct table *t, size_t column, const struct oop_count *c, int k, int run,
		     const char *handle, const char *condition)
{
	struct buf part = BUF_INIT, whole = BUF_INIT, rest = BUF_INIT;
	const char *word = oop_kind_word((enum oop_kind)k);

	write_door(&part, handle, word, NULL, condition);
	write_door(&whole, handle, NULL, NULL, condition);
	write_door(&rest, handle, NULL, "-oop", "");
	buf_printf(&rest, ":%s%s%s", word, *condition ? " " : "", condition);
	table_number(t, column, (double)c->kind[k] / c->oop);
	table_door(t, column, buf_cstr(&part));
	table_share(t, &column, 1,
		    &(struct table_share){.part = c->kind[k], .whole = c->oop, .rest = c->oop - c->kind[k],
					  .part_door = buf_cstr(&part), .whole_door = buf_cstr(&whole),
					  .rest_door = buf_cstr(&rest), .run = run,
					  .words = {word, "oop", "other oop"},
					  .formula = "answers of the kind / oop (ReGT, Table 15)"});
	buf_release(&part);
	buf_release(&whole);
	buf_release(&rest);
}

void report_put_oop(const struct report_ctx *ctx, struct table *t, const struct oop_columns *columns,
		    const struct oop_count *c, int run, const char *condition, bool kinds)
{
	const char *handle = ctx->snap->runs[run].handle;

	if (c->n)
		put_rate(t, columns->rate, c, run, handle, condition);
	for (int k = 0; k < N_OOP_KINDS && kinds && c->oop; k++)
		put_kind(t, columns->kind[k], c, k, run, handle, condition);
}

/* --- the table --- */

struct oop_table {
	const struct report_ctx *ctx;
	struct table *t;
	struct grouping g;
	size_t run, group, n, oop, unmapped, right, counts[N_OOP_KINDS];
	struct oop_columns share;
};

static void make_columns(struct oop_table *o)
{
	struct table *t = o->t;

	o->run = table_column(t, "run", "run", TABLE_TEXT, BEST_NONE, "the run's handle");
	o->group = table_column(t, "group", o->g.by, TABLE_TEXT, BEST_NONE, "\"all\" or one group of the grouping");
	o->n = table_column(t, "n", "answers", TABLE_COUNT, BEST_NONE, "predictions but errors");
	o->oop = table_column(t, "count", "count", TABLE_COUNT, BEST_NONE,
			      "of them, outside of the class list as they were given");
	o->unmapped = table_column(t, "unmapped", "unmapped", TABLE_COUNT, BEST_NONE, "of oop, without a class");
	o->right = table_column(t, "right", "right", TABLE_COUNT, BEST_NONE,
				"of oop, right all the same: by the class that it was mapped to, or "
				"because nothing is true there");
	for (int k = 0; k < N_OOP_KINDS; k++)
		o->counts[k] = table_detail(t, table_column(t, oop_kind_word((enum oop_kind)k),
							    oop_kind_word((enum oop_kind)k), TABLE_COUNT,
							    BEST_NONE, "of oop, answers of this kind"));
	o->share = report_oop_columns(t);
	t->pivot_group = o->group;
	t->pivot_value = o->share.rate;
}

static void put_row(const struct oop_table *o, int run, const char *group, const char *condition,
		    const struct oop_count *c, bool kinds)
{
	const char *handle = o->ctx->snap->runs[run].handle;
	struct table *t = o->t;

	table_row(t);
	table_text(t, o->run, handle);
	table_text(t, o->group, group);
	table_number(t, o->n, c->n);
	table_number(t, o->oop, c->oop);
	put_door(t, o->oop, handle, NULL, NULL, condition);
	table_number(t, o->unmapped, c->unmapped);
	table_number(t, o->right, c->right);
	put_door(t, o->right, handle, NULL, "right", condition);
	for (int k = 0; k < N_OOP_KINDS && kinds; k++) {
		table_number(t, o->counts[k], c->kind[k]);
		put_door(t, o->counts[k], handle, oop_kind_word((enum oop_kind)k), NULL, condition);
	}
	report_put_oop(o->ctx, t, &o->share, c, run, condition, kinds);
}

/* [g.n + 1]; the last one is of all samples. */
static struct oop_count *count(const struct oop_table *o, int run, const uint8_t *kind)
{
	const struct grouping *g = &o->g;
	const struct run *answers = &o->ctx->snap->runs[run];
	struct oop_count *c = xcalloc((size_t)g->n + 1, sizeof *c);
	uint8_t *verdict = report_verdicts(o->ctx, run, o->ctx->lens);

	for (uint32_t i = 0; i < o->ctx->snap->n; i++) {
		if (o->ctx->mask && !bits_get(o->ctx->mask, i))
			continue;
		report_oop_add(answers, kind, verdict, i, &c[g->n]);
		for (uint32_t k = g->off[i]; k < g->off[i + 1]; k++)
			report_oop_add(answers, kind, verdict, i, &c[g->val[k]]);
	}
	free(verdict);
	return c;
}

static enum status put_run(struct oop_table *o, int run, struct err *err)
{
	const uint8_t *kind = NULL;
	struct oop_count *c;

	if (grouping_turn(&o->g, o->ctx->snap, o->ctx->source, run, err) != OK ||
	    report_oop_kinds(o->ctx, run, &kind, err) != OK)
		return err->code;
	c = count(o, run, kind);
	put_row(o, run, "all", "", &c[o->g.n], kind != NULL);
	for (uint32_t k = 0; k < o->g.n; k++)
		if (strcmp(o->g.name[k], "all") != 0)
			put_row(o, run, o->g.name[k], o->g.condition[k], &c[k], kind != NULL);
	free(c);
	return cancel_check(o->ctx->cancel, err);
}

enum status report_oop(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	struct str by = ctx->by.n ? ctx->by : str_z(report_first_grouping(ctx->snap, ctx->lens));
	struct oop_table o = {.ctx = ctx, .t = out};
	enum status st = report_grouping(ctx, by, &o.g, err);

	if (st != OK)
		return st;
	table_init(out, "oop");
	make_columns(&o);
	for (int r = 0; r < ctx->n_runs && st == OK; r++)
		st = put_run(&o, ctx->runs[r], err);
	if (st == OK)
		table_note(out, "kinds, in this order: partial (the words are among those of a class's name), alias "
				"(a name of a second list), abstain (says that it does not know), wrong");
	else
		table_release(out);
	grouping_release(&o.g);
	return st;
}
