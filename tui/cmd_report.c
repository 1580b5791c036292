#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "core/eval/paired.h"
#include "core/report/report.h"
#include "tui/cli.h"
#include "tui/population.h"
#include "tui/print.h"
#include "tui/report_print.h"
#include "tui/view/scene.h"

/* "A,B,C": each once, in this order. */
static enum status name_runs(const struct snapshot *snap, struct str list, int *runs, int *n, struct err *err)
{
	while (list.n) {
		struct str name, rest = str_cut(list, ',', &name);
		int r = snapshot_run(snap, str_trim(name)), k = 0;

		if (r < 0)
			return err_set(err, E_USAGE, "--runs: %s \"%.*s\"",
				       r == -2 ? "several runs begin with" : "there is no run",
				       (int)(name.n < 200 ? name.n : 200), name.p);
		while (k < *n && runs[k] != r)
			k++;
		if (k == *n)
			runs[(*n)++] = r;
		list = rest;
	}
	return OK;
}

/* --runs, else --run and --against alone when they are given, else all but scratch runs. */
static int *choose_runs(const struct population *p, bool scratch, int *n)
{
	int *runs = xcalloc((size_t)snapshot_answerers(p->snap) + 2, sizeof *runs);

	*n = 0;
	if (p->a >= 0)
		runs[(*n)++] = p->a;
	if (p->b >= 0)
		runs[(*n)++] = p->b;
	for (uint32_t r = 0; r < p->snap->n_runs && p->a < 0 && p->b < 0; r++)
		if (scratch || !p->snap->runs[r].scratch)
			runs[(*n)++] = (int)r;
	return runs;
}

#define SEED_MAX INT64_C(9007199254740991) /* 2^53 - 1: as a number of JSON it stays what it is */

struct wish {
	const struct report *report;
	const struct report_format *format;
	struct report_style style;
	const char *by, *runs;
	bool unfold;
	struct report_pairing pairing;
	struct report_judging judging;
};

static bool is_compare(const struct wish *w)
{
	return strcmp(w->report->name, "compare") == 0;
}

static bool takes_pair(const struct wish *w)
{
	return is_compare(w) || strcmp(w->report->name, "groups") == 0;
}

/* Two runs that are not named are the last two, as on the screen. */
static void choose_pair(struct population *p)
{
	if (p->a < 0 && p->b < 0)
		scene_first_runs(p->snap, &p->a, &p->b);
}

/* Rows for programs have no place for what must be known first. */
static void tell_warnings(const struct table *t)
{
	for (size_t i = 0; i < t->warnings.n; i++) {
		fputs("qualm: ", stderr);
		print_clean(stderr, str_z(t->warnings.v[i]));
		fputc('\n', stderr);
	}
}

static enum status make(struct cli *cli, struct population *p, struct wish *w, struct err *err)
{
	struct report_ctx ctx = {.snap = p->snap,
				 .lens = &p->lens,
				 .mask = cli->filter ? p->bits : NULL,
				 .by = str_z(w->by ? w->by : ""),
				 .unfold = w->unfold,
				 .cancel = cli->cancel,
				 .pairing = &w->pairing,
				 .judging = &w->judging};
	struct table t;
	/* Options are drawn where models are asked: by qualm itself. */
	int *runs = choose_runs(p, strcmp(w->report->name, "mc") == 0, &ctx.n_runs);
	enum status st = population_source(p, &ctx.source, err);

	if (w->runs)
		ctx.n_runs = 0;
	ctx.runs = runs;
	if (w->runs && st == OK)
		st = name_runs(p->snap, str_z(w->runs), runs, &ctx.n_runs, err);
	for (int k = 0; k < 2 && k < ctx.n_runs && is_compare(w) && st == OK; k++)
		report_batch(ctx.source, runs[k], w->pairing.batch[k]);
	if (st == OK)
		st = w->report->make(&ctx, &t, err);
	if (st == OK) {
		if (!w->format->people)
			tell_warnings(&t);
		st = report_print(&t, w->format, &w->style, stdout, err);
		table_release(&t);
	}
	free(runs);
	return st;
}

static enum status run(struct cli *cli, const char *project, struct wish *w, struct err *err)
{
	struct population p;
	struct conn *c = NULL;
	enum status st = conn_open(&c, project, population_mode(cli), err);

	if (st != OK)
		return st;
	conn_set_cancel(c, cli->cancel);
	st = population_open(&p, cli, c, cli->dataset, err);
	if (st == OK && takes_pair(w))
		choose_pair(&p);
	if (st == OK) {
		st = make(cli, &p, w, err);
		population_close(&p);
	} else if (st == E_NOT_FOUND && cli->dataset) {
		err->code = st = E_USAGE; /* a word of the command line names nothing */
	}
	conn_close(c);
	return st;
}

static int unknown_table(const struct cmd_args *args, const char *name)
{
	struct nearest near = {.word = str_z(name)};
	struct buf all = BUF_INIT;
	int status;

	for (const struct report *r = reports; r->name; r++) {
		nearest_offer(&near, r->name);
		buf_printf(&all, "%s%s", all.n ? ", " : "", r->name);
	}
	status = cli_usage(args, "there is no table \"%s\"%s%s; there is %s", name,
			   near.best ? "; did you mean " : "", near.best ? near.best : "", buf_cstr(&all));
	buf_release(&all);
	return status;
}

/* False: it was told what is wrong. */
static bool take_pairing(const struct cmd_args *args, struct wish *w)
{
	const char *seed = cmd_option(args, "seed"), *cluster = cmd_option(args, "cluster");
	bool mid_p = cmd_option(args, "mid-p") != NULL;
	int64_t n = PAIRED_SEED;

	if (!is_compare(w) && (seed || cluster || mid_p)) {
		cli_usage(args, "--cluster, --mid-p and --seed are of the table compare");
		return false;
	}
	if (seed && (!str_int(str_z(seed), &n) || n < 0 || n > SEED_MAX)) {
		cli_usage(args, "--seed takes a whole number from 0 to %" PRId64 ", not %s", SEED_MAX, seed);
		return false;
	}
	w->pairing = (struct report_pairing){.cluster = str_z(cluster ? cluster : ""), .mid_p = mid_p,
					     .seed = (uint64_t)n};
	return true;
}

/* Likewise. */
static bool take_judging(const struct cmd_args *args, struct wish *w)
{
	const char *alpha = cmd_option(args, "alpha"), *unparsed = cmd_option(args, "unparsed-marks");
	struct report_judging j = {.alpha = 0.5};

	if (alpha && (!str_num(str_z(alpha), &j.alpha) || j.alpha < 0 || j.alpha > 1)) {
		cli_usage(args, "--alpha takes a number from 0 to 1, not %s", alpha);
		return false;
	}
	if (unparsed && strcmp(unparsed, "skip") != 0 && strcmp(unparsed, "zero") != 0) {
		cli_usage(args, "--unparsed-marks takes skip or zero, not %s", unparsed);
		return false;
	}
	j.unparsed_zero = unparsed && strcmp(unparsed, "zero") == 0;
	w->judging = j;
	return true;
}

static int report_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *format = cmd_option(args, "format"), *digits = cmd_option(args, "digits");
	struct wish w = {.by = cmd_option(args, "by"), .runs = cmd_option(args, "runs"),
			 .unfold = cmd_option(args, "unfold") != NULL,
			 .style = {.columns = cmd_option(args, "columns"), .digits = -1,
				   .mark_best = cmd_option(args, "mark-best") != NULL,
				   .tty = cli->stdout_tty}};
	struct err err = ERR_INIT;
	int64_t n;

	if (args->n_words > 2)
		return cli_usage(args, "report wants a project and a table, and \"%s\" is another word; a "
				       "filter of several words stands in single quotes", args->words[2]);
	if (args->n_words != 2)
		return cli_usage(args, "report wants a project and a table: qualm report FILE.qualm accuracy");
	w.report = report_find(str_z(args->words[1]));
	w.format = report_format_find(str_z(format ? format : "text"));
	if (!w.report)
		return unknown_table(args, args->words[1]);
	if (!w.format)
		return cli_usage(args, "--format %s is not known; expected text, md, csv, json or latex",
				 format);
	if (digits && (!str_int(str_z(digits), &n) || n < 0 || n > 15))
		return cli_usage(args, "--digits takes a number from 0 to 15, not %s", digits);
	if (digits)
		w.style.digits = (int)n;
	if (!take_pairing(args, &w) || !take_judging(args, &w))
		return EXIT_USAGE;
	return run(cli, args->words[0], &w, &err) ? cli_rows_fail(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"by", "GROUPING", "the groups: a facet, category, class, FACET/LEVEL of a tree; or two, with a "
     "comma between", false},
    {"runs", "LIST", "these runs, commas between, in this order", false},
    {"unfold", NULL, "runs that repeat each other one by one, below their mean", false},
    {"format", "text|md|csv|json|latex", "for people (text, the default, md, latex) or for programs: "
     "flat rows, nothing rounded", false},
    {"columns", "LIST", "these columns in this order, commas between", false},
    {"digits", "N", "digits after the point, for people", false},
    {"cluster", "FACET", "of compare: the bootstrap draws samples with one value of it together", false},
    {"mid-p", NULL, "of compare: McNemar's test by mid-p", false},
    {"seed", "N", "of compare: of the bootstrap's random numbers", false},
    {"mark-best", NULL, "mark the best value of each column, for people", false},
    {"alpha", "A", "MME-Emotion: the weight of Rec-S in CoT-S, 0 to 1; 0.5 by default", false},
    {"unparsed-marks", "skip|zero", "MME-Emotion: answers whose marks cannot be read have no score (the "
     "default, as published), or 0", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_report;
const struct command cmd_report = {
    .name = "report",
    .args = "FILE.qualm TABLE",
    .help = "Print a table: accuracy, compare, agreement, groups, classes, confusion, pairs, oop, protocols, mc, judge, facets.",
    .group = "Files",
    .options = options,
    .shell = report_shell,
};
