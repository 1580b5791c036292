#include <stdio.h>
#include <stdlib.h>

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

/* --rule alone reads as the run's own protocol does. */
static enum status find_rules(const struct cmd_args *args, const struct run *run, struct parse_job *job, struct err *err)
{
	const char *protocol = cmd_option(args, "protocol"), *name = cmd_option(args, "rule");
	const struct extract_rule *rule = NULL;

	job->protocol = parse_protocol_of(run);
	if (protocol && (parse_named(str_z(protocol), &rule, &job->protocol, err) != OK || rule))
		return rule ? err_set(err, E_USAGE, "%s is a rule: --rule %s", protocol, protocol) : err->code;
	if (!name)
		return OK;
	job->rule = extract_rule_find(str_z(name));
	if (job->rule)
		return OK;
	return parse_named(str_z(name), &rule, &job->protocol, err) == OK
		       ? err_set(err, E_USAGE, "%s is a protocol: --protocol %s", name, name)
		       : err->code;
}

static enum status parse_with(struct cli *cli, const struct cmd_args *args, struct conn *c, struct snapshot *snap,
			      struct err *err)
{
	const char *form = cmd_option(args, "form");
	struct parse_job job = {.conn = c, .snap = snap, .cancel = cli->cancel, .progress = tell, .ctx = cli,
				.form = form && strcmp(form, "json") == 0 ? ASK_JSON : ASK_LIST,
				.ids = cmd_option(args, "ids") != NULL};
	struct parse_result r;
	char a[32], b[32];

	job.run = snapshot_run(snap, str_z(cli->run));
	if (job.run < 0 || (uint32_t)job.run >= snap->n_runs)
		return err_set(err, E_USAGE, job.run == -2 ? "several runs begin like %s" : "there is no run %s",
			       cli->run);
	if (find_rules(args, &snap->runs[job.run], &job, err) != OK)
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
	if (!cmd_option(args, "protocol") && !cmd_option(args, "rule"))
		return cli_usage(args, "by what? --rule NAME, or all rules of --protocol P");
	if (form && strcmp(form, "list") != 0 && strcmp(form, "json") != 0)
		return cli_usage(args, "--form %s is not known; expected list or json", form);
	if (cli->filter)
		return cli_usage(args, "reparse takes all answers of a run; it has no --filter");
	return run(cli, args, &err) == OK ? EXIT_OK : cli_fail(&err);
}

static const struct cmd_option options[] = {
    {"protocol", "P", "take the answers apart as this protocol does: ow, cw, mc, esj, …", false},
    {"rule", "NAME", "by this rule alone: whole, after-thought, answer-tag, fence, marker, json-key, json-list, "
     "letter, option-text, letter-within, judgement, only-label, list", false},
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
