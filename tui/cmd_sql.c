#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "core/base/xmalloc.h"
#include "tui/cli.h"
#include "tui/print.h"
#include "tui/spill.h"
#include "tui/sql_print.h"
#include "tui/term/text.h"

#define STATEMENT_MAX 1000000 /* bytes from standard input */

static int terminal_columns(void)
{
	struct winsize w;

	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &w) == 0 && w.ws_col > 0 ? w.ws_col : 80;
}

static enum status read_input(struct buf *out, struct err *err)
{
	for (;;) {
		char *room = buf_reserve(out, 4096);
		ssize_t n = room ? read(STDIN_FILENO, room, 4096) : -1;

		if (!room || out->n > STATEMENT_MAX)
			return err_set(err, E_USAGE, "the statement is longer than 1 MB");
		if (n < 0)
			return err_errno(err, errno, "standard input cannot be read");
		if (n == 0)
			return OK;
		out->n += (size_t)n;
	}
}

/* --- the list of tables, for people --- */

struct listing {
	FILE *out;
	int width, at;
	char *table;
};

static enum status list_begin(void *ctx, const char *const *names, int n, struct err *err)
{
	(void)ctx, (void)names, (void)n, (void)err;
	return OK;
}

static void list_table(struct listing *l, struct str name)
{
	if (l->table)
		fputc('\n', l->out);
	free(l->table);
	l->table = xstrndup(name.p, name.n);
	print_clean(l->out, name);
	l->at = text_width(name);
	do
		fputc(' ', l->out);
	while (++l->at < 14);
}

/* "table  column column …", broken between columns. */
static enum status list_row(void *ctx, const struct sql_value *v, int n, struct err *err)
{
	struct listing *l = ctx;
	int w = text_width(v[1].s);

	(void)n, (void)err;
	if (!l->table || !str_eqz(v[0].s, l->table)) {
		list_table(l, v[0].s);
	} else if (l->at + 1 + w > l->width) {
		fprintf(l->out, "\n%14s", "");
		l->at = 14;
	} else {
		fputc(' ', l->out);
		l->at++;
	}
	print_clean(l->out, v[1].s);
	l->at += w;
	return OK;
}

static enum status list_tables(struct sql *s, const struct cli *cli, struct err *err)
{
	struct listing l = {stdout, cli->stdout_tty ? terminal_columns() : 80, 0, NULL};
	struct sql_sink sink = {&l, list_begin, list_row};
	enum status st = sql_tables(s, &sink, err);

	if (l.table)
		fputc('\n', stdout);
	free(l.table);
	return st;
}

/* --- a statement --- */

static void tell(const struct sql *s, const struct sql_print *p)
{
	struct buf lenses = BUF_INIT;
	struct str rest, line;
	char n[32];

	fprintf(stderr, "%s %s\n", print_count(n, p->rows), p->rows == 1 ? "row" : "rows");
	sql_lenses(s, &lenses);
	rest = buf_view(&lenses);
	while (rest.n) {
		rest = str_cut(rest, '\n', &line);
		fputs("lens of ", stderr);
		print_clean(stderr, line);
		fputc('\n', stderr);
	}
	buf_release(&lenses);
}

/* Rows are printed into the spill. */
struct pouring {
	struct sql_sink printer;
	struct spill spill;
};

static enum status pour_begin(void *ctx, const char *const *names, int n, struct err *err)
{
	struct pouring *p = ctx;

	return p->printer.begin(p->printer.ctx, names, n, err);
}

static enum status pour_row(void *ctx, const struct sql_value *values, int n, struct err *err)
{
	struct pouring *p = ctx;
	enum status st = p->printer.row(p->printer.ctx, values, n, err);

	return st == OK ? spill_move(&p->spill, err) : st;
}

/* The rows that there are are also for whoever reads the message of what stopped the others. */
static enum status pour_end(struct pouring *p, enum status st, struct err *err)
{
	struct err ignored = ERR_INIT;

	if (st == OK)
		st = spill_end(&p->spill, err);
	else if (st != E_IO && st != E_CANCELLED)
		spill_end(&p->spill, &ignored);
	spill_release(&p->spill);
	return st;
}

/* text: NULL lists the tables. */
static enum status run(struct sql *s, const struct cli *cli, const struct sql_format *format,
		       const struct str *text, struct err *err)
{
	struct pouring pouring;
	struct sql_print p = {.tty = cli->stdout_tty,
			      .width = cli->stdout_tty ? terminal_columns() : 0,
			      .format = format};
	struct sql_sink sink = {&pouring, pour_begin, pour_row};
	enum status st;

	spill_open(&pouring.spill, stdout, cli->cancel);
	p.out = pouring.spill.in;
	pouring.printer = sql_print_sink(&p);
	st = text ? sql_run(s, *text, &sink, err) : sql_tables(s, &sink, err);
	if (st == OK)
		st = sql_print_end(&p, err);
	st = pour_end(&pouring, st, err);
	if (st == OK)
		tell(s, &p);
	sql_print_release(&p);
	return st;
}

static enum status open_and_run(const struct cli *cli, const char *project,
				const struct sql_format *format, const char *words, struct err *err)
{
	struct sql_options options = {.dataset = cli->dataset, .lens = cli->lens};
	struct buf input = BUF_INIT;
	struct str text = str_z(words);
	struct conn *c = NULL;
	struct sql *s = NULL;
	enum status st = OK;

	if (words && strcmp(words, "-") == 0) {
		st = read_input(&input, err);
		text = buf_view(&input);
	}
	if (st == OK)
		st = conn_open(&c, project, CONN_READ, err);
	if (st != OK)
		goto out;
	conn_set_cancel(c, cli->cancel);
	st = sql_open(&s, c, &options, err);
	if (st == OK)
		st = words || format ? run(s, cli, format ? format : sql_format_find(STR("text")),
					   words ? &text : NULL, err)
				     : list_tables(s, cli, err);
	sql_close(s);
out:
	conn_close(c);
	buf_release(&input);
	return st;
}

static int sql_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *name = cmd_option(args, "format");
	const struct sql_format *format = name ? sql_format_find(str_z(name)) : NULL;
	struct err err = ERR_INIT;

	if (args->n_words < 1)
		return cli_usage(args, "sql wants a project: qualm sql FILE.qualm 'SELECT ...'");
	if (args->n_words > 2)
		return cli_usage(args,
				 "sql wants one statement, and \"%s\" is another word; a statement "
				 "stands in quotes",
				 args->words[2]);
	if (name && !format)
		return cli_usage(
		    args, "--format %s is not known; expected text, csv, json, jsonl or md", name);
	if (cli->filter)
		return cli_usage(args, "sql takes no --filter; WHERE says which rows are meant");
	return open_and_run(cli, args->words[0], format, args->n_words > 1 ? args->words[1] : NULL,
			    &err)
		   ? cli_rows_fail(&err)
		   : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"format", "text|csv|json|jsonl|md",
     "how rows are written (default text: a table on a terminal, tabs between values in a pipe)",
     false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_sql;
const struct command cmd_sql = {
    .name = "sql",
    .args = "FILE.qualm [STATEMENT]",
    .help = "Read a project by SQL: answers, verdicts and labels are tables beside the others.",
    .group = "Files",
    .options = options,
    .shell = sql_shell,
};
