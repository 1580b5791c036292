#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/reader/reader.h"
#include "db/store.h"
#include "tui/cli.h"
#include "tui/import_summary.h"
#include "tui/print.h"
#include "tui/progress.h"

#define WORTH_A_WORD_MS 1000

struct import_talk { /* ctx of the callbacks */
	struct progress progress;
	struct import_totals totals;
	const char *project;
};

static void on_progress(void *ctx, const char *file, uint64_t done, uint64_t total)
{
	struct import_talk *talk = ctx;

	progress_show(&talk->progress, file, done, total);
}

static void on_waiting(void *ctx, int64_t waited)
{
	struct import_talk *talk = ctx;

	if (waited >= WORTH_A_WORD_MS)
		progress_say(&talk->progress, "waiting for another program that uses the project");
}

static void on_file(void *ctx, const struct report *report, enum status st, const struct err *err)
{
	struct import_talk *talk = ctx;

	progress_clear(&talk->progress);
	if (st == OK) {
		import_totals_add(&talk->totals, report);
		import_summary_print(report);
		return;
	}
	talk->totals.failed++;
	if (st == E_CANCELLED) {
		fputs("stopped; ", stderr);
		print_clean(stderr, str_z(talk->project));
		fputs(" is as it was before ", stderr);
		print_clean(stderr, str_z(report->file));
		fputc('\n', stderr);
		return;
	}
	cli_fail(err);
}

/* "name=value" into a mapping; borrows the text. */
static bool split_mapping(struct str text, struct mapping *out)
{
	out->value = str_cut(text, '=', &out->name);
	out->name = str_trim(out->name);
	return out->value.p && out->name.n && out->value.n;
}

struct mappings { /* for vec_push() */
	struct mapping *v;
	size_t n, cap;
};

static int read_maps(const struct cmd_args *args, struct mappings *out)
{
	const char *value;

	for (int k = 0; (value = cmd_option_at(args, "map", k)); k++) {
		struct str rest = str_z(value), item;

		while (rest.n) {
			struct mapping m;

			rest = str_cut(rest, ',', &item);
			if (!split_mapping(item, &m))
				return cli_usage(args,
						 "--map wants FIELD=COLUMN,...; \"%.*s\" is not",
						 STR_ARG(item));
			vec_push(out, m);
		}
	}
	return EXIT_OK;
}

static int read_facets(const struct cmd_args *args, struct mappings *out)
{
	const char *value;

	for (int k = 0; (value = cmd_option_at(args, "facet", k)); k++) {
		struct mapping m;

		if (!split_mapping(str_z(value), &m))
			return cli_usage(args, "--facet wants NAME=REGEX; \"%s\" is not", value);
		vec_push(out, m);
	}
	return EXIT_OK;
}

static FILE *open_errors(const char *path, struct err *err)
{
	FILE *f = strcmp(path, "-") == 0 ? stdout : fopen(path, "we");

	if (!f)
		err_errno(err, errno, "%s cannot be written", path);
	return f;
}

/* 0 or an exit status: what was written before a full disk is not all of it. */
static int close_errors(FILE *f, const char *path)
{
	struct err err = ERR_INIT;
	bool bad;

	if (!f || f == stdout)
		return EXIT_OK;
	bad = ferror(f) != 0;
	if (fclose(f) != 0 || bad) {
		err_errno(&err, errno, "%s could not be written", path);
		return cli_fail(&err);
	}
	return EXIT_OK;
}

static int run(struct cli *cli, struct import_job *job, struct import_talk *talk)
{
	struct err err = ERR_INIT;
	uint64_t problems = 0;
	enum status st;

	progress_init(&talk->progress, cli->stderr_tty);
	st = import_run(job, &problems, &err);
	progress_clear(&talk->progress);
	if (talk->totals.files)
		import_totals_print(&talk->totals, job->project, job->options.dry_run);
	if (st == OK)
		return problems || talk->totals.failed ? EXIT_DATA : EXIT_OK;
	if (talk->totals.failed) /* it was said with its file */
		return st == E_USAGE ? EXIT_USAGE : EXIT_DATA;
	return cli_fail(&err);
}

static void fill_options(struct read_options *o, const struct cmd_args *args,
			 const struct mappings *map, const struct mappings *facets)
{
	*o = (struct read_options){
	    .as = str_z(cmd_option(args, "as")),
	    .model = str_z(cmd_option(args, "model")),
	    .run = str_z(cmd_option(args, "run")),
	    .protocol = str_z(cmd_option(args, "protocol")),
	    .layer = str_z(cmd_option(args, "layer")),
	    .images = str_z(cmd_option(args, "images")),
	    .map = map->v,
	    .n_map = map->n,
	    .facets = facets->v,
	    .n_facets = facets->n,
	    .dry_run = cmd_option(args, "dry-run") != NULL,
	};
}

static int import_files(struct cli *cli, const struct cmd_args *args, const struct mappings *map,
			const struct mappings *facets)
{
	const char *errors = cmd_option(args, "errors");
	struct import_talk talk = {.project = args->words[0]};
	struct import_job job = {.project = args->words[0],
				 .dataset = str_z(cli->dataset),
				 .paths = args->words + 1,
				 .n_paths = (size_t)args->n_words - 1,
				 .cancel = cli->cancel,
				 .ctx = &talk,
				 .progress = on_progress,
				 .waiting = on_waiting,
				 .file_done = on_file};
	struct err err = ERR_INIT;
	int status, closed;

	fill_options(&job.options, args, map, facets);
	if (errors && !(job.errors = open_errors(errors, &err)))
		return cli_fail(&err);
	status = run(cli, &job, &talk);
	closed = close_errors(job.errors, errors);
	return status ? status : closed;
}

static int import_shell(struct cli *cli, const struct cmd_args *args)
{
	struct mappings map = {0}, facets = {0};
	int status;

	if (args->n_words < 2)
		return cli_usage(args, "import wants a project and the files to read: "
				       "qualm import FILE.qualm PATH...");
	status = read_maps(args, &map);
	if (!status)
		status = read_facets(args, &facets);
	if (!status)
		status = import_files(cli, args, &map, &facets);
	vec_release(&map);
	vec_release(&facets);
	return status;
}

static const struct cmd_option options[] = {
    {"as", "FORMAT", "read the files as this format instead of recognising them", false},
    {"model", "M", "who answered; else from the file", false},
    {"run", "R", "the run's handle; else MODEL/PROTOCOL", false},
    {"protocol", "P", "how it was asked: OW, CW, CW+, MC, ESJ ...", false},
    {"images", "DIR",
     "where the pictures are: found by path, key, base name, without case, "
     "without extension",
     false},
    {"layer", "L", "the truth goes to this layer; else original, or from the file", false},
    {"map", "FIELD=COLUMN,...", "which column holds what: key, image, label, prediction ...", true},
    {"facet", "NAME=REGEX", "make a facet, or layer:L, from key or path: the first group, else the match", true},
    {"errors", "FILE", "write every row that had a problem there; - is standard output", false},
    {"dry-run", NULL, "read and compare, and write nothing", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_import;
const struct command cmd_import = {
    .name = "import",
    .args = "FILE.qualm PATH...",
    .help = "Read samples, truths and answers into a project, which is made when missing.",
    .group = "Files",
    .options = options,
    .shell = import_shell,
};
