#include <stdlib.h>
#include <string.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/text/input.h"
#include "db/column.h"
#include "tui/cli.h"
#include "tui/config.h"
#include "tui/map/map.h"
#include "tui/print.h"

#define TEMPLATES_MAX ((size_t)1 << 20)

/* An endpoint of that name, else a file. */
static enum status find_encoder(const char *name, const struct endpoint_list *endpoints, struct encoder *e,
				struct err *err)
{
	struct err why = ERR_INIT;
	struct input in;

	if (endpoint_find(endpoints, name, &e->endpoint, &why) == OK) {
		if (!e->endpoint->model)
			return err_set(err, E_USAGE, "the endpoint %s names no model", name);
		e->name = xstrdup(e->endpoint->model);
		return OK;
	}
	if (input_open(&in, name, err) != OK) {
		*err = why;
		return err->code = E_USAGE;
	}
	input_close(&in);
	e->file = name;
	e->name = xstrndup(path_base(str_z(name)).p, path_base(str_z(name)).n);
	return OK;
}

static enum status read_templates(const char *path, struct encoder *e, struct err *err)
{
	struct input in;
	enum status st;

	if (!path)
		return OK;
	if (e->file)
		return err_set(err, E_USAGE, "vectors of a file are used as they are: it takes no --templates");
	st = input_open(&in, path, err);
	if (st != OK)
		return st;
	st = input_all(&in, TEMPLATES_MAX, &e->template_text, err);
	input_close(&in);
	if (st == OK)
		st = mapping_templates(buf_view(&e->template_text), &e->templates, err);
	return st == OK ? OK : err_prefix(err, "%s", path);
}

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
		fprintf(stderr, "; %s have no vector and stay outside of the classes\n", print_count(a, r->zero));
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
		st = find_encoder(cmd_option(args, "encoder"), &config.endpoints, &e, err);
	if (st == OK)
		st = read_templates(cmd_option(args, "templates"), &e, err);
	if (st == OK)
		st = conn_open(&c, args->words[0], CONN_WRITE, err);
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
};
