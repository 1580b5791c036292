/* What a number of a table is: tables.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/report/formula.h"
#include "tui/app.h"
#include "tui/report_print.h"
#include "tui/view/explain.h"
#include "tui/view/tables.h"

/* --- the command line --- */

static void put_runs(const struct scene *s, struct buf *out)
{
	if (s->a >= 0)
		explain_put_option(out, "run", s->snap->runs[s->a].handle);
	if (s->a >= 0 && s->b >= 0)
		explain_put_option(out, "against", s->snap->runs[s->b].handle);
}

static bool is_compare(const struct explain_what *w)
{
	return strcmp(w->table->title, "compare") == 0;
}

/* Of a comparison all that it was made by is written out. */
static void put_pairing(struct app *app, const struct explain_what *w, struct buf *out)
{
	if (!is_compare(w))
		return;
	explain_put_option(out, "by", w->table->columns.v[0].title);
	if (app->cluster)
		explain_put_option(out, "cluster", app->cluster);
	if (strcmp(option_get(&app->options, OPTION_MID_P), "yes") == 0)
		buf_z(out, " --mid-p");
	if (option_number(&app->options, OPTION_SEED) != (int)PAIRED_SEED)
		explain_put_option(out, "seed", option_get(&app->options, OPTION_SEED));
}

/* The panel, where it is not what the shell takes without being told. */
static void put_panel(const struct scene *s, struct buf *out)
{
	struct buf all = BUF_INIT;
	int n = 0;

	for (uint32_t r = 0; r < s->snap->n_runs; r++)
		n += !s->snap->runs[r].scratch;
	for (int p = 0; p < s->n_panel; p++)
		buf_printf(&all, "%s%s", p ? "," : "", s->snap->runs[s->panel[p]].handle);
	if (n != s->n_panel)
		explain_put_option(out, "runs", buf_cstr(&all));
	buf_release(&all);
}

/* Is it the accuracy of a group, a column of its own on the screen? */
static bool is_group(const struct explain_what *w)
{
	return !w->report && w->kind == TABLES_RUNS && w->column >= w->n_first;
}

static const char *pivot_name(const struct table *t)
{
	return t->pivot_name ? t->pivot_name : "accuracy";
}

static const char *pivot_title(const struct table *t)
{
	return t->pivot_title ? t->pivot_title : "accuracy";
}

/* Of the flat table, in which the groups are rows. */
static void put_columns(const struct explain_what *w, struct buf *out)
{
	const struct table_column *c = &w->table->columns.v[w->column];

	if (w->report) {
		buf_printf(out, " --format csv --columns kind,run,against,%s", c->name);
		return;
	}
	buf_printf(out, " --format csv --columns %sgroup", w->kind == TABLES_RUNS ? "run,layer," : "");
	if (table_find(w->table, STR("generator")) >= 0) /* rows of one run */
		buf_z(out, ",generator");
	if (is_group(w))
		buf_printf(out, ",%s", pivot_name(w->table));
	else if (c->kind != TABLE_TEXT)
		buf_printf(out, ",%s", c->name);
}

/* Where it is not as published. */
static void put_judging(struct app *app, const struct explain_what *w, struct buf *out)
{
	struct report_judging j = tables_judging(app);

	if (table_find(w->table, STR("rec")) < 0)
		return;
	if (j.alpha != 0.5)
		buf_printf(out, " --alpha %g", j.alpha);
	if (j.unparsed_zero)
		buf_z(out, " --unparsed-marks zero");
}

void explain_command(struct app *app, const struct explain_what *w, struct buf *out)
{
	const struct scene *s = &app->scene;

	buf_z(out, "qualm report ");
	explain_put_quoted(out, conn_path(app->conn));
	buf_printf(out, " %s", w->report			? w->report
			       : w->kind == TABLES_RUNS ? "accuracy"
			       : is_compare(w)		? "compare"
							: "groups");
	explain_put_option(out, "dataset", s->snap->dataset);
	put_pairing(app, w, out);
	if (w->by && !is_compare(w))
		explain_put_option(out, "by", w->by);
	if (w->report)
		put_panel(s, out);
	else if (w->kind == TABLES_CLASSES)
		put_runs(s, out);
	explain_put_lens(out, s);
	explain_put_filter(out, s, "");
	put_judging(app, w, out);
	put_columns(w, out);
}

/* --- what is said --- */

/* Why the answers behind a condition are not counted, as words. */
static void reasons(struct app *app, const struct table_share *share, struct buf *out)
{
	struct scene *s = &app->scene;
	struct err err = ERR_INIT;
	struct filter *f = NULL;
	uint64_t *bits = NULL;
	uint32_t count[N_LEFT_OUT];
	const struct filter_ctx *ctx = narrow_ctx(app, &err);

	if (!share->rest || !ctx ||
	    filter_parse(str_z(share->rest_door), ctx, &f, NULL, &err) != OK ||
	    narrow_eval(app, f, &bits, &err) != OK)
		goto out;
	if (s->shown)
		bits_and(bits, s->shown, s->snap->n);
	scene_need(s, share->run);
	eval_left_out(s->snap, &s->lens, share->run, s->verdict[share->run], bits, count);
	for (int why = 0; why < N_LEFT_OUT; why++)
		if (count[why])
			buf_printf(out, "%s%u %s", out->n ? ", " : "", count[why],
				   left_out_word((enum left_out)why));
out:
	filter_free(f);
	free(bits);
}

static const char *name_of(const struct explain_what *w)
{
	return is_group(w) ? pivot_name(w->table) : w->table->columns.v[w->column].name;
}

static void say_number(struct explain *e, const struct explain_what *w)
{
	const struct table_column *c = &w->table->columns.v[w->column];
	const struct table_cell *cell = table_look(w->table, w->row, w->column);
	const struct formula *f = c->kind == TABLE_TEXT || cell->reference ? NULL : formula_find(w->table->title, name_of(w));
	struct buf text = BUF_INIT;

	report_cell(c, cell, -1, &text);
	if (c->kind == TABLE_SHARE && !isnan(cell->number))
		buf_printf(&text, " %% (%.6f)", cell->number);
	explain_say(e, "number", buf_cstr(&text));
	explain_say(e, "is", cell->reference ? "a published figure, not counted here" : c->help);
	if (cell->share && cell->share->formula) {
		explain_say(e, "formula", cell->share->formula);
	} else if (f) {
		explain_say(e, "formula", f->text);
		explain_say(e, "source", f->source);
	}
	buf_release(&text);
}

static void say_share(struct explain *e, struct app *app, const struct table_share *share)
{
	struct buf why = BUF_INIT;
	const char *const *words = share->words;

	if (share->why && share->rest > 0)
		buf_z(&why, share->why);
	else if (!share->why && !words[0])
		reasons(app, share, &why);
	if (strcmp(share->part_door, share->whole_door) != 0)
		explain_door(e, words[0] ? words[0] : "right", share->part, share->part_door, "");
	explain_door(e, words[0] ? words[1] : "counted", share->whole, share->whole_door, "");
	explain_door(e, words[0] ? words[2] : "left out", share->rest, share->rest_door, buf_cstr(&why));
	buf_release(&why);
}

/* A number made of others leaves out what its run or runs have no counted answer to. */
static void say_parts(struct explain *e, const struct explain_what *w, struct app *app)
{
	const struct table_cell *cell = table_look(w->table, w->row, w->column);
	const struct table_cell *first = NULL;
	struct buf why = BUF_INIT;

	for (size_t k = 0; k < cell->n_parts; k++)
		explain_door(e, cell->parts[k].label, cell->parts[k].n, cell->parts[k].door, "");
	for (size_t c = 0; c < w->table->columns.n && !first; c++)
		if (table_look(w->table, w->row, c)->share)
			first = table_look(w->table, w->row, c);
	if (first && cell->n_parts) {
		reasons(app, first->share, &why);
		explain_door(e, "left out", first->share->rest, first->share->rest_door, buf_cstr(&why));
	}
	buf_release(&why);
}

/* The counts beside it in its row, each with its samples. */
static void say_row(struct explain *e, const struct explain_what *w)
{
	for (size_t c = 0; c < w->table->columns.n; c++) {
		const struct table_cell *cell = table_look(w->table, w->row, c);

		if (c != w->column && cell->door && w->table->columns.v[c].kind == TABLE_COUNT &&
		    !isnan(cell->number))
			explain_door(e, w->table->columns.v[c].title, cell->number, cell->door, "");
	}
}

/* Of a number that counts none of them: the samples that it is about. */
static void say_of(struct explain *e, struct app *app, const char *door)
{
	uint32_t n;

	if (explain_opens(app, door, &n))
		explain_door(e, "of", n, door, "");
}

static void say_all(struct explain *e, struct app *app, const struct explain_what *w)
{
	const struct table_cell *cell = table_look(w->table, w->row, w->column);
	struct buf command = BUF_INIT;

	say_number(e, w);
	explain_say(e, "no door", cell->why);
	if (cell->share)
		say_share(e, app, cell->share);
	else if (cell->n_parts)
		say_parts(e, w, app);
	else if (cell->door && !isnan(cell->number) && w->table->columns.v[w->column].kind == TABLE_COUNT)
		explain_door(e, "samples", cell->number, cell->door, "");
	else if (cell->door && !isnan(cell->number) && !w->report)
		say_of(e, app, cell->door);
	if (w->report)
		say_row(e, w);
	explain_population(e, &app->scene);
	explain_command(app, w, &command);
	explain_tell_command(e, "command", buf_cstr(&command));
	buf_release(&command);
}

static void title_of(const struct explain_what *w, struct buf *out)
{
	const struct table *t = w->table;

	for (size_t c = 0; c < t->columns.n; c++) {
		const char *text = table_look(t, w->row, c)->text;

		if (t->columns.v[c].kind == TABLE_TEXT && text && *text && !t->columns.v[c].detail)
			buf_printf(out, "%s%s", out->n ? ", " : "", text);
	}
	buf_printf(out, ": %s%s%s", is_group(w) ? t->columns.v[w->column].title : "",
		   is_group(w) ? " " : "", is_group(w) ? pivot_title(t) : t->columns.v[w->column].title);
}

unsigned explain_open(struct app *app, const struct explain_what *w)
{
	struct buf title = BUF_INIT;
	struct explain *e;

	title_of(w, &title);
	e = explain_new(buf_cstr(&title));
	buf_release(&title);
	say_all(e, app, w);
	return explain_show(e, app);
}
