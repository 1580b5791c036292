#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/arrange.h"
#include "tui/cli.h"
#include "tui/export.h"
#include "tui/population.h"
#include "tui/print.h"

struct request { /* what the command line asks for */
	const struct export_format *format;
	const char *path, *columns, *sort; /* NULL: not given */
};

static void tell(const struct export_what *w, uint32_t rows)
{
	char n[32], all[32];

	fprintf(stderr, "%s of %s samples", print_count(n, rows), print_count(all, w->snap->n));
	if (w->filter) {
		fputs(", filter: ", stderr);
		print_clean(stderr, str_z(w->filter));
	}
	fputc('\n', stderr);
}

/* The filter's samples in the order of --sort. */
static uint32_t *order_of(const struct population *p, struct scene *s, const struct sort *sort,
			  struct err *err)
{
	uint32_t *sorted, *order, n = 0;

	if (arrange(p->conn, s, sort, &sorted, err) != OK)
		return NULL;
	order = xcalloc((size_t)p->shown + 1, sizeof *order);
	for (uint32_t i = 0; i < p->snap->n; i++) {
		uint32_t ord = sorted ? sorted[i] : i;

		if (bits_get(p->bits, ord))
			order[n++] = ord;
	}
	free(sorted);
	return order;
}

static enum status read_request(struct population *p, const struct request *r, struct scene *s,
				struct columns *columns, struct sort *sort, struct err *err)
{
	enum status st = OK;

	*sort = (struct sort){.by = SORT_IMPORT, .facet = -1};
	if (r->sort && !sort_parse(str_z(r->sort), p->snap, sort))
		return err_set(err, E_USAGE, "--sort: there is no column or facet \"%.200s\"", r->sort);
	if (r->columns || sort->by == SORT_NOTES)
		st = population_things(p, err);
	if (st == OK && r->columns) {
		st = columns_parse(str_z(r->columns), s, columns, err);
		if (st != OK)
			err_prefix(err, "--columns");
	}
	s->mine = p->user ? user_things(p->user) : NULL;
	return st;
}

static enum status export_from(const struct cli *cli, struct population *p, const struct request *r,
			       struct err *err)
{
	struct scene s = {.snap = snapshot_share(p->snap), .lens = p->lens, .a = p->a, .b = p->b,
			  .run = -1, .n_panel = p->n_panel};
	struct buf filter = BUF_INIT;
	struct columns columns;
	uint32_t rows = 0, *order = NULL;
	struct export_what w = {.conn = p->conn, .snap = p->snap, .lens = p->lens, .a = p->a, .b = p->b,
				.panel = p->panel, .n_panel = p->n_panel, .n = p->shown};
	enum status st;

	s.panel = xcalloc((size_t)p->n_panel + 1, sizeof *s.panel);
	if (p->n_panel)
		memcpy(s.panel, p->panel, (size_t)p->n_panel * sizeof *s.panel);
	population_filter(p, &filter);
	w.filter = p->filter ? buf_cstr(&filter) : NULL;
	st = read_request(p, r, &s, &columns, &w.sort, err);
	if (st == OK && !(order = order_of(p, &s, &w.sort, err)))
		st = err->code;
	if (st == OK) {
		w.order = order;
		w.columns = r->columns ? &columns : NULL;
		w.mine = s.mine;
		st = export_file(&w, r->format, r->path, cli->cancel, cli->stdout_tty, &rows, err);
	}
	if (st == OK)
		tell(&w, rows);
	free(order);
	scene_release(&s);
	buf_release(&filter);
	return st;
}

static enum status run(struct cli *cli, const char *project, const struct request *r, struct err *err)
{
	struct population p;
	struct conn *c = NULL;
	enum status st = conn_open(&c, project, r->columns || r->sort ? CONN_WRITE : population_mode(cli),
				   err);

	if (st != OK)
		return st;
	conn_set_cancel(c, cli->cancel);
	st = population_open(&p, cli, c, cli->dataset, err);
	if (st == OK) {
		st = export_from(cli, &p, r, err);
		population_close(&p);
	} else if (st == E_NOT_FOUND && cli->dataset) {
		err->code = st = E_USAGE; /* a word of the command line names nothing */
	}
	conn_close(c);
	return st;
}

static int export_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *name = cmd_option(args, "format");
	struct request r = {export_format_find(str_z(name ? name : "jsonl")), cmd_option(args, "o"),
			    cmd_option(args, "columns"), cmd_option(args, "sort")};
	struct err err = ERR_INIT;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (!r.format)
		return cli_usage(args, "--format %s is not known; expected jsonl, csv, md or ids", name);
	if (r.columns && !r.format->columns)
		return cli_usage(args, "--columns is for csv and md; %s has none to choose", r.format->name);
	if (r.path && strcmp(r.path, "-") == 0)
		r.path = NULL;
	return run(cli, args->words[0], &r, &err) ? cli_rows_fail(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"format", "jsonl|csv|md|ids", "how the rows are written (default jsonl); ids: a key a line", false},
    {"o", "OUT", "write to OUT, and what was exported to OUT.meta.json; - is standard output", false},
    {"columns", "LIST", "the columns of csv and md: key,truth,answer@b,score,FACET (default all)", false},
    {"sort", "COLUMN", "order of the rows: a column or a facet; 'score down': backwards", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_export;
const struct command cmd_export = {
    .name = "export",
    .args = "FILE.qualm",
    .help = "Write the samples, or those that a filter is true for, with labels and answers.",
    .group = "Files",
    .options = options,
    .shell = export_shell,
};
