#include <stdio.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "db/verify.h"
#include "tui/cli.h"
#include "tui/print.h"
#include "tui/progress.h"

struct check_talk { /* ctx of the callbacks */
	struct progress progress;
	const struct cli *cli;
	bool repair;
};

/* Findings go to standard output; the line of progress must not stand in between. */
static void say(struct check_talk *talk, const char *text)
{
	struct str rest = str_z(text), line;
	struct buf one = BUF_INIT;

	progress_clear(&talk->progress);
	while (rest.p) { /* one line a finding, whatever is in a name */
		rest = str_cut(rest, '\n', &line);
		buf_str(&one, line);
		if (rest.p)
			buf_ch(&one, ' ');
	}
	print_clean(stdout, buf_view(&one));
	fputc('\n', stdout);
	fflush(stdout);
	buf_release(&one);
}

static void on_found(void *ctx, const struct verify_finding *f)
{
	struct check_talk *talk = ctx;
	struct buf b = BUF_INIT;
	char n[32];

	buf_printf(&b, "%s: %s", f->where, f->what);
	if (f->n > 1 || f->examples[0])
		buf_printf(&b, " (%s%s%s%s)", print_count(n, f->n), f->examples[0] ? ": " : "",
			   f->examples, f->n > 3 && f->examples[0] ? ", ..." : "");
	if (!f->fix)
		buf_z(&b, "; this cannot be repaired");
	else
		buf_printf(&b, "; %s%s", talk->repair ? "repaired: " : "--repair: ", f->fix);
	say(talk, buf_cstr(&b));
	buf_release(&b);
}

static void on_told(void *ctx, const char *where, const char *what)
{
	char *text = xasprintf("%s: %s", where, what);

	say(ctx, text);
	free(text);
}

static void on_progress(void *ctx, const char *what, uint64_t done, uint64_t total)
{
	struct check_talk *talk = ctx;

	(void)what; /* one clock for all of it */
	progress_show(&talk->progress, "checking", done, total);
}

static void tell_sizes(const struct verify_counts *c)
{
	const struct {
		uint64_t n;
		const char *one;
	} sizes[] = {{c->datasets, "dataset"}, {c->samples, "sample"}, {c->layers, "layer"},
		     {c->facets, "facet"},     {c->runs, "run"},       {c->answers, "answer"},
		     {c->columns, "column"},   {c->texts, "text"}};
	char n[32];

	fputs("looked at ", stderr);
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
		fprintf(stderr, "%s%s %s%s", i ? ", " : "", print_count(n, sizes[i].n), sizes[i].one,
			sizes[i].n == 1 ? "" : "s");
	fputc('\n', stderr);
}

static int sum_up(const char *project, const struct verify_counts *c,
		  const struct verify_counts *left, bool repair)
{
	char n[32], m[32];

	tell_sizes(repair && c->findings ? left : c);
	print_clean(stderr, str_z(project));
	if (!c->findings) {
		fputs(" is sound\n", stderr);
		return EXIT_OK;
	}
	fprintf(stderr, ": %s %s", print_count(n, c->findings),
		c->findings == 1 ? "finding" : "findings");
	if (repair && !left->findings) {
		fputs(", repaired\n", stderr);
		return EXIT_OK;
	}
	if (repair)
		fprintf(stderr, "; after the repair %s %s left\n", print_count(m, left->findings),
			left->findings == 1 ? "is" : "are");
	else if (c->fixable)
		fprintf(stderr, "; --repair can do something about %s (keep a copy)\n",
			print_count(m, c->fixable));
	else
		fputc('\n', stderr);
	return EXIT_DATA;
}

static int check_shell(struct cli *cli, const struct cmd_args *args)
{
	struct check_talk talk = {.cli = cli, .repair = cmd_option(args, "repair") != NULL};
	struct verify_job job = {.repair = talk.repair,
				 .cancel = cli->cancel,
				 .ctx = &talk,
				 .found = on_found,
				 .told = on_told,
				 .progress = on_progress};
	struct verify_counts counts = {0}, left = {0};
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status st;

	if (args->n_words != 1)
		return cli_usage(args, "check wants one project: qualm check FILE.qualm");
	progress_init(&talk.progress, cli->stderr_tty);
	st = conn_open(&c, args->words[0], talk.repair ? CONN_WRITE : CONN_READ, &err);
	if (st == OK)
		st = verify_run(c, &job, &counts, &left, &err);
	progress_clear(&talk.progress);
	conn_close(c);
	if (st != OK && talk.repair && counts.findings)
		fputs("nothing was changed\n", stderr);
	return st == OK ? sum_up(args->words[0], &counts, &left, talk.repair) : cli_fail(&err);
}

static const struct cmd_option options[] = {
    {"repair", NULL, "rebuild what can be rebuilt, drop what cannot, and say what is lost", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_check;
const struct command cmd_check = {
    .name = "check",
    .args = "FILE.qualm",
    .help =
	"Compare all that a project holds twice: rows, columns, texts, counts; repair on demand.",
    .group = "Files",
    .options = options,
    .shell = check_shell,
};
