#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/demo/demo.h"
#include "db/fetch.h"
#include "db/store.h"
#include "tui/cli.h"
#include "tui/info.h"
#include "tui/open.h"
#include "tui/print.h"
#include "tui/progress.h"

#define DEMO_DIR "qualm-demo"

static const char *const demo_datasets[] = {"faces", "statements"};
#define N_DEMO_DATASETS (sizeof demo_datasets / sizeof *demo_datasets)

/* The files of each dataset, as shell patterns inside the folder. */
static const char *const demo_files[N_DEMO_DATASETS][4] = {
	{"classes.tsv", "faces.jsonl", "pred-sim-*.jsonl", NULL},
	{"statements.json", "sim-*/MVEI_predict.json", NULL},
};

struct demo {
	struct cli *cli;
	const char *dir;
	char *project;
	struct progress progress;
};

static void on_written(void *ctx, uint64_t done, uint64_t total)
{
	struct demo *d = ctx;

	d->progress.unit = "files";
	progress_show(&d->progress, "drawing the demo", done, total);
}

static void on_read(void *ctx, const char *file, uint64_t done, uint64_t total)
{
	struct demo *d = ctx;

	d->progress.unit = NULL;
	progress_show(&d->progress, file, done, total);
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
			for (size_t k = 0; k < N_DEMO_DATASETS; k++)
				found += strcmp(names[i].name, demo_datasets[k]) == 0;
	conn_close(c);
	arena_release(&arena);
	return found == N_DEMO_DATASETS;
}

static enum status find_files(const struct demo *d, size_t dataset, glob_t *found, struct err *err)
{
	int flags = GLOB_ERR;

	*found = (glob_t){0};
	for (const char *const *p = demo_files[dataset]; *p; p++) {
		char *pattern = path_join(d->dir, str_z(*p));
		int rc = glob(pattern, flags, NULL, found);

		if (rc)
			err_set(err, E_IO, "%s was not written", pattern);
		free(pattern);
		if (rc)
			return err->code;
		flags |= GLOB_APPEND;
	}
	return OK;
}

static enum status import_dataset(struct demo *d, size_t dataset, struct err *err)
{
	char *images = path_join(d->dir, STR("images"));
	struct import_job job = {.project = d->project,
				 .dataset = str_z(demo_datasets[dataset]),
				 .options = {.images = str_z(images)},
				 .cancel = d->cli->cancel,
				 .ctx = d,
				 .progress = on_read};
	uint64_t problems = 0;
	glob_t files;
	enum status st = find_files(d, dataset, &files, err);

	job.paths = (const char *const *)files.gl_pathv;
	job.n_paths = files.gl_pathc;
	if (!st)
		st = import_run(&job, &problems, err);
	if (!st && problems)
		st = err_set(err, E_FORMAT, "the demo's own files had %llu problems",
			     (unsigned long long)problems);
	globfree(&files);
	free(images);
	return st;
}

static enum status make_demo(struct demo *d, struct err *err)
{
	enum status st = path_mkdirs(d->dir, err);

	if (!st)
		st = demo_write(d->dir, on_written, d, d->cli->cancel, err);
	for (size_t k = 0; !st && k < N_DEMO_DATASETS; k++)
		st = import_dataset(d, k, err);
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
		st = info_print(stdout, c, NULL, NULL, false, &err);
	conn_close(c);
	if (st)
		return cli_fail(&err);
	fputs("\nrun this in a terminal:\n", stdout);
	for (size_t k = 0; k < N_DEMO_DATASETS; k++) {
		fputs("  qualm ", stdout);
		print_clean(stdout, str_z(d->project));
		printf(" --dataset %s\n", demo_datasets[k]);
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
