#include <stdlib.h>
#include <string.h>

#include "db/column.h"
#include "tui/cli.h"
#include "tui/cmd_screen.h"
#include "tui/config.h"
#include "tui/map/map.h"
#include "tui/print.h"

static void tell(void *ctx, size_t done, size_t n)
{
	const struct cli *cli = ctx;

	if (cli->stderr_tty)
		fprintf(stderr, "\r%zu of %zu texts have their vectors\033[K%s", done, n, done == n ? "\r\033[K" : "");
}

static void sum_up(const struct map_result *r, const struct encoder *e)
{
	char a[32], b[32], c[32];

	printf("%s\n", r->handle);
	fprintf(stderr, "%s of %s answers (%s different) are mapped by %s%s", print_count(a, r->mapped),
		print_count(b, r->answers), print_count(c, r->texts), e->name,
		r->zero ? "" : "\n");
	if (r->zero)
		fprintf(stderr, "; %s have no vector and stay as they are\n", print_count(a, r->zero));
}

static enum status map_with(struct cli *cli, const struct cmd_args *args, struct conn *c, struct snapshot *snap,
			    struct encoder *e, struct err *err)
{
	const char *only = cmd_option(args, "only");
	struct map_job job = {.conn = c, .snap = snap, .encoder = e, .cancel = cli->cancel, .progress = tell,
			      .ctx = cli, .all = only && strcmp(only, "all") == 0};
	struct map_result r;
	enum status st;

	job.run = snapshot_run(snap, str_z(cli->run));
	if (job.run < 0 || (uint32_t)job.run >= snap->n_runs)
		return err_set(err, E_USAGE, job.run == -2 ? "several runs begin like %s" : "there is no run %s",
			       cli->run);
	if (conn_read_only(c))
		return err_set(err, E_IO, "%s cannot be written: the new run would be lost", conn_path(c));
	st = map_run(&job, &r, err);
	if (st == OK)
		sum_up(&r, e);
	return st;
}

static enum status run(struct cli *cli, const struct cmd_args *args, struct err *err)
{
	struct config config = {0};
	struct encoder e = {0};
	struct conn *c = NULL;
	struct snapshot *snap = NULL;
	enum status st = config_load(&config, cli->config, err);

	if (st == OK)
		st = encoder_find(&e, cmd_option(args, "encoder"), &config.endpoints, err);
	if (st == OK && cmd_option(args, "templates"))
		st = encoder_templates(&e, cmd_option(args, "templates"), err);
	if (st == OK)
		st = conn_open(&c, args->words[0], CONN_WRITE, err);
	if (st == OK)
		cli_wait(cli, c);
	if (st == OK)
		st = snapshot_load(c, cli->dataset, &snap, err);
	if (st == OK)
		st = map_with(cli, args, c, snap, &e, err);
	snapshot_free(snap);
	conn_close(c);
	encoder_release(&e);
	config_release(&config);
	return st;
}

static int map_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *only = cmd_option(args, "only");
	struct err err = ERR_INIT;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (!cli->run)
		return cli_usage(args, "whose answers? --run R");
	if (!cmd_option(args, "encoder"))
		return cli_usage(args, "by which vectors? --encoder E, an endpoint or a file of them");
	if (only && strcmp(only, "oop") != 0 && strcmp(only, "all") != 0)
		return cli_usage(args, "--only %s is not known; expected oop or all", only);
	if (cli->filter)
		return cli_usage(args, "map takes all answers of a run; it has no --filter");
	return run(cli, args, &err) == OK ? EXIT_OK : cli_fail(&err);
}

static const struct cmd_option options[] = {
    {"encoder", "E", "an endpoint that embeds texts, or a file of vectors", false},
    {"templates", "FILE", "embed each text in these sentences too: \"a photo of a {}.\" a line", false},
    {"only", "oop|all", "which answers: those outside of the classes (default), or every one", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_map;
const struct command cmd_map = {
    .name = "map",
    .args = "FILE.qualm",
    .help = "Map a run's answers to the nearest class names, as a new run.",
    .group = "Files",
    .options = options,
    .shell = map_shell,
    .screen = map_screen,
};
