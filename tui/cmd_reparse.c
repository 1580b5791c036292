#include <stdio.h>
#include <stdlib.h>

#include "core/base/nearest.h"
#include "db/column.h"
#include "tui/cli.h"
#include "tui/cmd_screen.h"
#include "tui/print.h"
#include "tui/query/query_parse.h"

static void tell(void *ctx, size_t done, size_t n)
{
	const struct cli *cli = ctx;

	if (cli->stderr_tty)
		fprintf(stderr, "\r%zu of %zu answers\033[K%s", done, n, done == n ? "\r\033[K" : "");
}

static enum status find_protocol(const char *name, const struct protocol **out, struct err *err)
{
	struct nearest near = {.word = str_z(name)};

	*out = protocol_find(near.word);
	if (*out)
		return OK;
	for (const struct protocol *p = protocols; p->name; p++)
		nearest_offer(&near, p->name);
	return near.best ? err_set(err, E_USAGE, "there is no protocol %s; is %s meant?", name, near.best)
			 : err_set(err, E_USAGE, "there is no protocol %s", name);
}

static enum status parse_with(struct cli *cli, const struct cmd_args *args, struct conn *c, struct snapshot *snap,
			      struct err *err)
{
	const char *protocol = cmd_option(args, "protocol"), *form = cmd_option(args, "form");
	struct parse_job job = {.conn = c, .snap = snap, .cancel = cli->cancel, .progress = tell, .ctx = cli,
				.form = form && strcmp(form, "json") == 0 ? ASK_JSON : ASK_LIST,
				.ids = cmd_option(args, "ids") != NULL};
	struct parse_result r;
	char a[32], b[32];

	job.run = snapshot_run(snap, str_z(cli->run));
	if (job.run < 0 || (uint32_t)job.run >= snap->n_runs)
		return err_set(err, E_USAGE, job.run == -2 ? "several runs begin like %s" : "there is no run %s",
			       cli->run);
	if (find_protocol(protocol, &job.protocol, err) != OK)
		return err->code;
	if (conn_read_only(c))
		return err_set(err, E_IO, "%s cannot be written: the new run would be lost", conn_path(c));
	if (parse_run(&job, &r, err) != OK)
		return err->code;
	printf("%s\n", r.handle);
	fprintf(stderr, "%s of %s answers are read otherwise than before\n", print_count(a, r.others),
		print_count(b, r.answers));
	return OK;
}

static enum status run(struct cli *cli, const struct cmd_args *args, struct err *err)
{
	struct conn *c = NULL;
	struct snapshot *snap = NULL;
	enum status st = conn_open(&c, args->words[0], CONN_WRITE, err);

	if (st == OK)
		cli_wait(cli, c);
	if (st == OK)
		st = snapshot_load(c, cli->dataset, &snap, err);
	if (st == OK)
		st = parse_with(cli, args, c, snap, err);
	snapshot_free(snap);
	conn_close(c);
	return st;
}

static int reparse_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *form = cmd_option(args, "form");
	struct err err = ERR_INIT;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (!cli->run)
		return cli_usage(args, "whose answers? --run R");
	if (!cmd_option(args, "protocol"))
		return cli_usage(args, "by whose rule? --protocol P");
	if (form && strcmp(form, "list") != 0 && strcmp(form, "json") != 0)
		return cli_usage(args, "--form %s is not known; expected list or json", form);
	if (cli->filter)
		return cli_usage(args, "reparse takes all answers of a run; it has no --filter");
	return run(cli, args, &err) == OK ? EXIT_OK : cli_fail(&err);
}

static const struct cmd_option options[] = {
    {"protocol", "P", "take the answers apart as this protocol does: ow, cw, mc, esj, …", false},
    {"form", "list|json", "whether an answer is bare or a JSON object (default list)", false},
    {"ids", NULL, "classes are answered by wnid or index", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_reparse;
const struct command cmd_reparse = {
    .name = "reparse",
    .args = "FILE.qualm",
    .help = "Take the stored raw answers of a run apart anew, as a new run.",
    .group = "Files",
    .options = options,
    .shell = reparse_shell,
    .screen = reparse_screen,
};
