/* The label map: shown, added to and taken from, on the command line and on the screen. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "db/labels.h"
#include "tui/app.h"
#include "tui/cli.h"
#include "tui/labels_screen.h"
#include "tui/print.h"
#include "tui/progress.h"

/* --- the command line --- */

static enum status find_dataset(struct conn *c, const char *name, struct arena *arena,
				const struct dataset_name **out, struct err *err)
{
	struct dataset_name *names;
	size_t n = 0;
	enum status rc = fetch_datasets(c, &names, &n, arena, err);

	*out = NULL;
	for (size_t i = 0; rc == OK && i < n; i++)
		if (name ? strcmp(names[i].name, name) == 0 : n == 1)
			*out = &names[i];
	if (rc == OK && !*out)
		rc = err_set(err, E_USAGE, name ? "there is no dataset %s" : "%s",
			     name ? name : n ? "there are several datasets: --dataset NAME chooses one"
					     : "the project holds no dataset");
	return rc;
}

typedef VEC(struct labelling) labellings;

static enum status gather_words(const struct cmd_args *args, labellings *out, struct err *err)
{
	const char *gone;

	for (int i = 1; i < args->n_words; i++) {
		struct labelling l = {0};

		if (!labels_split(str_z(args->words[i]), &l.text, &l.which))
			return err_set(err, E_USAGE, "labels wants TEXT=CLASS; \"%s\" is not", args->words[i]);
		vec_push(out, l);
	}
	for (int k = 0; (gone = cmd_option_at(args, "remove", k)); k++)
		vec_push(out, ((struct labelling){.drop = true, .text = str_z(gone)}));
	return OK;
}

/* --- looking at answers --- */

struct labels_talk {
	struct progress progress;
	struct label_watch watch;
};

static bool on_passed(void *ctx, uint64_t done, uint64_t all)
{
	struct labels_talk *talk = ctx;

	progress_show(&talk->progress, "looking at answers", done, all);
	return true;
}

static void talk_init(struct labels_talk *talk, const struct cli *cli)
{
	*talk = (struct labels_talk){
	    .watch = {.ctx = talk, .passed = on_passed, .cancel = cli->cancel}};
	progress_init(&talk->progress, cli->stderr_tty);
	talk->progress.unit = "answers";
}

/* What the edit moved, and why more may be left to do. */
static enum status tell(struct conn *c, int64_t dataset, const struct user_done *done, struct err *err)
{
	struct buf moved = BUF_INIT;
	struct arena arena = ARENA_INIT;
	struct str file;
	enum status rc = labels_left_out(c, dataset, &file, &arena, err);

	labels_moved(&done->moves, &moved);
	fprintf(stderr, "%s\n", buf_cstr(&moved));
	if (rc == OK && file.n) {
		fputs("labels that no class had were not kept; they come when this is imported again: ",
		      stderr);
		print_clean(stderr, file);
		fputc('\n', stderr);
	}
	arena_release(&arena);
	buf_release(&moved);
	return rc;
}

static enum status change(struct cli *cli, struct conn *c, const struct dataset_name *d,
			  const struct cmd_args *args, struct err *err)
{
	struct labels_talk talk;
	struct user *user = NULL;
	struct user_done done = {0};
	struct buf label = BUF_INIT;
	labellings list = {0};
	enum status rc = gather_words(args, &list, err);

	if (rc == OK && list.n)
		rc = user_open(&user, c, d->id, d->name, d->n_samples, err);
	if (rc == OK && list.n) {
		talk_init(&talk, cli);
		user_watch(user, &talk.watch);
		rc = labels_edit(user, labels_edit_name(list.v, list.n, &label), list.v, list.n, &done,
				 err);
		progress_clear(&talk.progress);
	}
	user_close(user);
	if (rc == OK && done.labels)
		rc = tell(c, d->id, &done, err);
	vec_release(&list);
	buf_release(&label);
	return rc;
}

/* --- printing --- */

static enum status print_map(struct conn *c, int64_t dataset, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct label_row *rows;
	size_t n;
	enum status rc = labels_list(c, dataset, &rows, &n, &arena, err);

	for (size_t i = 0; rc == OK && i < n; i++) {
		print_clean(stdout, rows[i].text);
		fputc('=', stdout);
		print_clean(stdout, rows[i].name);
		fputc('\n', stdout);
	}
	arena_release(&arena);
	return rc;
}

/* A line each: how many answers, a tab, the text. */
static enum status print_unplaced(struct cli *cli, struct conn *c, int64_t dataset, struct err *err)
{
	struct labels_talk talk;
	struct arena arena = ARENA_INIT;
	struct label_tally tally;
	char n[32];
	enum status rc;

	talk_init(&talk, cli);
	rc = labels_tally(c, dataset, &talk.watch, &tally, &arena, err);
	progress_clear(&talk.progress);
	for (size_t i = 0; rc == OK && i < tally.n; i++) {
		printf("%llu\t", (unsigned long long)tally.unplaced[i].n);
		print_clean(stdout, tally.unplaced[i].text);
		fputc('\n', stdout);
	}
	if (rc == OK && tally.others)
		fprintf(stderr, "and %s more answers, of texts that are too long or too many\n",
			print_count(n, tally.others));
	arena_release(&arena);
	return rc;
}

static int labels_shell(struct cli *cli, const struct cmd_args *args)
{
	bool changes = args->n_words > 1 || cmd_option(args, "remove");
	const struct dataset_name *dataset = NULL;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status rc;

	if (args->n_words < 1)
		return cli_usage(args, "labels wants a project: qualm labels FILE.qualm [TEXT=CLASS ...]");
	rc = conn_open(&c, args->words[0], changes ? CONN_WRITE : CONN_READ, &err);
	if (rc == OK)
		cli_wait(cli, c);
	if (rc == OK)
		rc = find_dataset(c, cli->dataset, &arena, &dataset, &err);
	if (rc == OK)
		rc = change(cli, c, dataset, args, &err);
	if (rc == OK)
		rc = cmd_option(args, "unplaced") ? print_unplaced(cli, c, dataset->id, &err)
						  : print_map(c, dataset->id, &err);
	conn_close(c);
	arena_release(&arena);
	return rc == OK ? EXIT_OK : cli_rows_fail(&err);
}

static const struct cmd_option options[] = {
    {"remove", "TEXT", "take this text out of the map", true},
    {"unplaced", NULL, "list the texts of answers that mean no class, the most frequent first", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_labels;
const struct command cmd_labels = {
    .name = "labels",
    .args = "FILE.qualm [TEXT=CLASS ...]",
    .help = "Show the label map, which texts mean which classes; add to it, or take from it: what the "
	    "project has follows at once; undo takes it back.",
    .group = "Files",
    .options = options,
    .shell = labels_shell,
    .screen = labels_screen,
};
