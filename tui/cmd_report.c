#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "core/report/report.h"
#include "tui/cli.h"
#include "tui/population.h"
#include "tui/report_print.h"

/* --run and --against alone when they are given; else all but scratch runs. */
static int *choose_runs(const struct population *p, int *n)
{
	int *runs = xcalloc((size_t)p->snap->n_runs + 2, sizeof *runs);

	*n = 0;
	if (p->a >= 0)
		runs[(*n)++] = p->a;
	if (p->b >= 0)
		runs[(*n)++] = p->b;
	for (uint32_t r = 0; r < p->snap->n_runs && p->a < 0 && p->b < 0; r++)
		if (!p->snap->runs[r].scratch)
			runs[(*n)++] = (int)r;
	return runs;
}

struct wish {
	const struct report *report;
	const struct report_format *format;
	struct report_style style;
	const char *by;
};

/* The benchmark's own table may read numbers of runs, a filter or not. */
static enum status find_numbers(struct population *p, struct err *err)
{
	return p->search || !report_numbers(p->snap)[0] ? OK
							 : search_new(&p->search, p->conn, p->snap, err);
}

static enum status make(struct cli *cli, struct population *p, const struct wish *w, struct err *err)
{
	enum status st = find_numbers(p, err);
	struct report_ctx ctx = {.snap = p->snap,
				 .lens = &p->lens,
				 .mask = cli->filter ? p->bits : NULL,
				 .by = str_z(w->by ? w->by : ""),
				 .source = p->search ? search_source(p->search) : NULL,
				 .cancel = cli->cancel};
	struct table t;
	int *runs = choose_runs(p, &ctx.n_runs);

	ctx.runs = runs;
	if (st == OK)
		st = w->report->make(&ctx, &t, err);
	if (st == OK) {
		st = report_print(&t, w->format, &w->style, stdout, err);
		table_release(&t);
	}
	free(runs);
	return st;
}

static enum status run(struct cli *cli, const char *project, const struct wish *w, struct err *err)
{
	struct population p;
	struct conn *c = NULL;
	enum status st = conn_open(&c, project, population_mode(cli), err);

	if (st != OK)
		return st;
	conn_set_cancel(c, cli->cancel);
	st = population_open(&p, cli, c, cli->dataset, err);
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

static int report_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *format = cmd_option(args, "format"), *digits = cmd_option(args, "digits");
	struct wish w = {.by = cmd_option(args, "by"),
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
	return run(cli, args->words[0], &w, &err) ? cli_rows_fail(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"by", "GROUPING", "the groups: a facet, category, class, FACET/LEVEL of a tree; or two, with a "
     "comma between", false},
    {"format", "text|md|csv|json|latex", "for people (text, the default, md, latex) or for programs: "
     "flat rows, nothing rounded", false},
    {"columns", "LIST", "these columns in this order, commas between", false},
    {"digits", "N", "digits after the point, for people", false},
    {"mark-best", NULL, "mark the best value of each column, for people", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_report;
const struct command cmd_report = {
    .name = "report",
    .args = "FILE.qualm TABLE",
    .help = "Print a table: accuracy, classes, confusion, pairs, oop, facets.",
    .group = "Files",
    .options = options,
    .shell = report_shell,
};
