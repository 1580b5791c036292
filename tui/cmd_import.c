#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/vec.h"
#include "core/reader/reader.h"
#include "db/plan.h"
#include "db/store.h"
#include "tui/cli.h"
#include "tui/import_screen.h"
#include "tui/import_summary.h"
#include "tui/import_words.h"
#include "tui/open.h"
#include "tui/print.h"
#include "tui/progress.h"

#define WORTH_A_WORD_MS 1000

struct import_talk { /* ctx of the callbacks */
	struct progress progress, looking;
	struct import_totals totals;
	struct paper paper; /* empty between two calls */
	struct buf what;
	char held[160]; /* who is waited for */
	const char *project;
	bool dry_run;
};

static void print_paper(struct paper *paper)
{
	paper_print(paper, stderr);
	paper_release(paper);
	*paper = (struct paper){0};
}

/* "3/12 results/gpt-4o.jsonl": of several files, and the numbers are of all. */
static void on_progress(void *ctx, const struct import_progress *now)
{
	struct import_talk *talk = ctx;

	if (now->n_files == 1) {
		progress_show(&talk->progress, now->path, now->file_done, now->file_size);
		return;
	}
	buf_clear(&talk->what);
	buf_printf(&talk->what, "%zu/%zu %s", now->file + 1, now->n_files, now->path);
	talk->progress.whole = true;
	progress_show(&talk->progress, buf_cstr(&talk->what), now->done, now->all);
}

static void on_look(void *ctx, size_t n, size_t all)
{
	struct import_talk *talk = ctx;

	progress_show(&talk->looking, "looking at the files", n, all);
	if (n == all)
		progress_clear(&talk->looking);
}

static bool on_plan(void *ctx, const struct import_plan *plan)
{
	struct import_talk *talk = ctx;

	progress_clear(&talk->looking);
	import_totals_begin(&talk->totals, plan);
	if (plan->has_folders || talk->dry_run)
		import_plan_say(plan, talk->project, &talk->paper);
	print_paper(&talk->paper);
	return true;
}

static void on_waiting(void *ctx, int64_t waited)
{
	struct import_talk *talk = ctx;
	struct buf text = BUF_INIT;

	if (waited < WORTH_A_WORD_MS)
		return;
	cli_held_text(talk->project, &text);
	snprintf(talk->held, sizeof talk->held, "%s", buf_cstr(&text));
	buf_release(&text);
	progress_say(&talk->progress, talk->held);
}

static void on_file(void *ctx, const struct report *report, enum status st, const struct err *err)
{
	struct import_talk *talk = ctx;

	progress_clear(&talk->progress);
	if (st == OK) {
		import_file_say(&talk->totals, report, &talk->paper);
		print_paper(&talk->paper);
		return;
	}
	talk->totals.failed++;
	if (st == E_CANCELLED) {
		talk->totals.stopped = true;
		fputs("stopped; ", stderr);
		print_clean(stderr, str_z(talk->project));
		fputs(" is as it was before ", stderr);
		print_clean(stderr, str_z(report->file));
		fputc('\n', stderr);
		return;
	}
	cli_fail(err);
}

static FILE *open_errors(const char *path, const struct import_job *job, struct err *err)
{
	FILE *f;

	if (strcmp(path, "-") == 0)
		return stdout;
	for (size_t i = 0; i < job->n_paths; i++)
		if (path_same(path, job->paths[i])) {
			err_set(err, E_USAGE, "%s is to be read: --errors would empty it first", path);
			return NULL;
		}
	if (path_same(path, job->project)) {
		err_set(err, E_USAGE, "%s is the project: nothing is written over it", path);
		return NULL;
	}
	f = fopen(path, "we");
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
	talk->looking = talk->progress;
	talk->looking.unit = "files";
	st = import_run(job, &problems, &err);
	progress_clear(&talk->progress);
	if (talk->totals.files)
		import_totals_say(&talk->totals, job->project, job->options.dry_run, &talk->paper);
	print_paper(&talk->paper);
	buf_release(&talk->what);
	if (st == OK)
		return problems || talk->totals.failed ? EXIT_DATA : EXIT_OK;
	if (talk->totals.failed) /* it was said with its file */
		return st == E_USAGE ? EXIT_USAGE : EXIT_DATA;
	return cli_fail(&err);
}

static int import_files(struct cli *cli, const struct cmd_args *args, struct import_job *job)
{
	const char *errors = cmd_option(args, "errors");
	struct import_talk talk = {.project = job->project, .dry_run = job->options.dry_run};
	struct err err = ERR_INIT;
	int status, closed;

	job->cancel = cli->cancel;
	job->ctx = &talk;
	job->overall = on_progress;
	job->waiting = on_waiting;
	job->looked = on_look;
	job->planned = on_plan;
	job->file_done = on_file;
	if (errors && !(job->errors = open_errors(errors, job, &err)))
		return cli_fail(&err);
	status = run(cli, job, &talk);
	import_totals_release(&talk.totals);
	closed = close_errors(job->errors, errors);
	return status ? status : closed;
}

/* Somebody is there who can be asked what the columns of a table are. */
static bool can_ask(const struct cli *cli, const struct cmd_args *args)
{
	if (cmd_option(args, "errors") || cmd_option(args, "dry-run"))
		return false;
	return cli->headless || (isatty(STDIN_FILENO) && cli->stdout_tty && cli->stderr_tty);
}

static bool has_unknown(const struct import_job *job)
{
	for (size_t i = 0; i < job->n_paths; i++)
		if (plan_is_unknown(job, job->paths[i]))
			return true;
	return false;
}

static int import_on_screen(struct cli *cli, const struct cmd_args *args)
{
	struct buf line = BUF_INIT;
	int status;

	import_line(args, cli->dataset, &line);
	status = open_and_import(cli, args->words[0], buf_cstr(&line));
	buf_release(&line);
	return status;
}

static int import_shell(struct cli *cli, const struct cmd_args *args)
{
	struct import_words words = {0};
	struct import_job job = {0};
	struct err err = ERR_INIT;
	int status;

	if (args->n_words < 2)
		return cli_usage(args, "import wants a project and the files or folders to read: "
				       "qualm import FILE.qualm PATH...");
	if (import_words_read(args, cli->dataset, &words, &job, &err) != OK)
		status = err.code == E_USAGE ? cli_usage(args, "%s", err.msg) : cli_fail(&err);
	else if (can_ask(cli, args) && (words.ask || has_unknown(&job)))
		status = import_on_screen(cli, args);
	else if (words.ask && !has_unknown(&job)) /* of an unknown one more is said */
		status = cli_usage(args, "--map without FIELD=COLUMN asks on a terminal, and there is none");
	else
		status = import_files(cli, args, &job);
	import_words_release(&words);
	return status;
}

extern const struct command cmd_import;
const struct command cmd_import = {
    .name = "import",
    .args = "FILE.qualm PATH...",
    .help = "Read samples, truths and answers, of files or whole folders, into a project, which is "
	    "made when missing.",
    .group = "Files",
    .options = import_options,
    .shell = import_shell,
    .screen = import_command,
};
