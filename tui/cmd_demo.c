#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/vec.h"
#include "core/demo/demo.h"
#include "db/fetch.h"
#include "db/store.h"
#include "tui/cli.h"
#include "tui/info.h"
#include "tui/open.h"
#include "tui/print.h"
#include "tui/progress.h"

#define DEMO_DIR "qualm-demo"

struct demo {
	struct cli *cli;
	const char *dir;
	char *project;
	struct progress progress;
	char problem[ERR_MESSAGE_MAX]; /* the first complaint of an import */
};

static void on_written(void *ctx, unsigned done, unsigned total)
{
	struct demo *d = ctx;

	d->progress.unit = "pictures";
	progress_show(&d->progress, "drawing the demo", done, total);
}

static void on_read(void *ctx, const char *file, uint64_t done, uint64_t total)
{
	struct demo *d = ctx;

	d->progress.unit = NULL;
	progress_show(&d->progress, file, done, total);
}

static void on_file(void *ctx, const struct report *report, enum status st, const struct err *err)
{
	struct demo *d = ctx;

	if (d->problem[0])
		return;
	if (st != OK)
		snprintf(d->problem, sizeof d->problem, "%s", err->msg);
	else if (report->examples.n)
		snprintf(d->problem, sizeof d->problem, "%.300s: %.600s", report->file,
			 report->examples.v[0].text);
}

/* Is the project there, with everything in it? An interrupted one is made again. */
static bool is_complete(const char *project)
{
	struct err err = ERR_INIT;
	struct arena arena = ARENA_INIT;
	struct conn *c = NULL;
	struct dataset_name *names = NULL;
	size_t n = 0, found = 0;

	if (conn_open(&c, project, CONN_READ, &err) == OK &&
	    fetch_datasets(c, &names, &n, &arena, &err) == OK)
		for (size_t i = 0; i < n; i++)
			for (int k = 0; k < N_DEMO_PARTS; k++)
				found +=
				    strcmp(names[i].name, demo_dataset((enum demo_part)k)) == 0;
	conn_close(c);
	arena_release(&arena);
	return found == N_DEMO_PARTS;
}

static enum status import_part(struct demo *d, enum demo_part part, struct err *err)
{
	char *images = path_join(d->dir, STR("images"));
	struct import_job job = {.project = d->project,
				 .dataset = str_z(demo_dataset(part)),
				 .options = {.images = str_z(images)},
				 .cancel = d->cli->cancel,
				 .ctx = d,
				 .progress = on_read,
				 .file_done = on_file};
	VEC(char *) paths = {0};
	uint64_t problems = 0;
	enum status st;

	for (const char *const *f = demo_files(part); *f; f++)
		vec_push(&paths, path_join(d->dir, str_z(*f)));
	job.paths = (const char *const *)paths.v;
	job.n_paths = paths.n;
	st = import_run(&job, &problems, err);
	if (!st && problems)
		st = err_set(err, E_FORMAT, "the demo's own files had problems: %s",
			     d->problem[0] ? d->problem : "a file could not be read");
	for (size_t i = 0; i < paths.n; i++)
		free(paths.v[i]);
	vec_release(&paths);
	free(images);
	return st;
}

static enum status make_demo(struct demo *d, struct err *err)
{
	enum status st = path_mkdirs(d->dir, err);

	if (!st)
		st = demo_write(d->dir, on_written, d, d->cli->cancel, err);
	for (int k = 0; !st && k < N_DEMO_PARTS; k++)
		st = import_part(d, (enum demo_part)k, err);
	progress_clear(&d->progress);
	return st;
}

/* For a pipe: what the project holds and what to run. */
static int tell(const struct demo *d)
{
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status st = conn_open(&c, d->project, CONN_READ, &err);

	if (!st)
		st = info_print(stdout, &(struct cli){0}, c, false, &err);
	conn_close(c);
	if (st)
		return cli_fail(&err);
	fputs("\nrun this in a terminal:\n", stdout);
	for (int k = 0; k < N_DEMO_PARTS; k++) {
		fputs("  ", stdout);
		print_clean(stdout, str_z(d->cli->name));
		fputc(' ', stdout);
		print_clean(stdout, str_z(d->project));
		printf(" --dataset %s\n", demo_dataset((enum demo_part)k));
	}
	return EXIT_OK;
}

static int demo_shell(struct cli *cli, const struct cmd_args *args)
{
	struct demo d = {.cli = cli, .dir = args->n_words ? args->words[0] : DEMO_DIR};
	struct err err = ERR_INIT;
	int status = EXIT_OK;

	if (args->n_words > 1)
		return cli_usage(args, "demo takes one folder at most");
	d.project = path_join(d.dir, STR("demo.qualm"));
	progress_init(&d.progress, cli->stderr_tty);
	if (!is_complete(d.project) && make_demo(&d, &err) != OK)
		status = cli_fail(&err);
	else if (cli->headless || (cli->stdout_tty && isatty(STDIN_FILENO)))
		status = open_project(cli, d.project);
	else
		status = tell(&d);
	free(d.project);
	return status;
}

extern const struct command cmd_demo;
const struct command cmd_demo = {
    .name = "demo",
    .args = "[DIR]",
    .help = "Draw a small project of faces and statements, with simulated models, and open it.",
    .group = "Files",
    .shell = demo_shell,
};
