#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "tui/cli.h"
#include "tui/doctor.h"
#include "tui/print.h"
#include "tui/term/text.h"

#define ABOUT_W 12
#define TEXT_X  (6 + ABOUT_W)
#define TEXT_W  (80 - TEXT_X)

/* The text wrapped, its further lines under the first. */
static void put_text(FILE *out, struct str s)
{
	const char *indent = "";

	while (s.n) {
		size_t skip, n = text_wrap(s, TEXT_W, &skip);

		fputs(indent, out);
		print_clean(out, (struct str){s.p, n});
		fputc('\n', out);
		indent = "                  ";
		s.p += n + skip;
		s.n -= n + skip;
	}
}

void doctor_say(struct doctor *d, enum finding f, const char *about, const char *fmt, ...)
{
	static const char *const words[] = {"ok", "note", "fix"};
	char text[ERR_MESSAGE_MAX + 256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	d->n_notes += f == FINDING_NOTE;
	d->n_fixes += f == FINDING_FIX;
	fprintf(d->out, "%-5s %-*s", words[f], ABOUT_W, about);
	put_text(d->out, str_z(text));
}

void doctor_type(struct doctor *d, const char *line)
{
	fprintf(d->out, "%*s    %s\n", TEXT_X, "", line);
}

static void ask(struct doctor *d, const struct cli *cli)
{
	struct theme theme;
	struct answers a;
	struct err err = ERR_INIT;

	if (theme_load(NULL, &theme, &err) != OK)
		return;
	if (!cli->stdout_tty || !isatty(STDIN_FILENO)) {
		doctor_say(d, FINDING_NOTE, "asking",
			   "input or output is no terminal, so nothing was asked of it: what it "
			   "draws pictures with, the size of its cells, how wide it draws, how fast "
			   "the line is");
		return;
	}
	fflush(d->out);
	term_ask(&theme, cli->cancel, &a);
	doctor_terminal(d, &a);
}

static void sum_up(const struct doctor *d)
{
	if (d->n_fixes)
		fprintf(d->out, "\n%d to fix, %d note%s\n", d->n_fixes, d->n_notes,
			d->n_notes == 1 ? "" : "s");
	else
		fprintf(d->out, "\nnothing to fix, %d note%s\n", d->n_notes,
			d->n_notes == 1 ? "" : "s");
}

static int doctor_shell(struct cli *cli, const struct cmd_args *args)
{
	struct doctor d = {.out = stdout};
	const char *endpoint = cmd_option(args, "endpoint");

	if (args->n_words > (endpoint ? 0 : 1))
		return cli_usage(args, "one project or one endpoint at a time can be looked at, not "
				 "%d words", args->n_words);
	if (endpoint) {
		puts("Endpoint");
		doctor_endpoint(&d, cli, endpoint);
		sum_up(&d);
		return d.n_fixes ? EXIT_DATA : EXIT_OK;
	}
	puts("Terminal");
	doctor_environment(&d);
	ask(&d, cli);
	puts("\nFiles");
	doctor_files(&d, cli);
	if (args->n_words)
		doctor_project(&d, args->words[0]);
	sum_up(&d);
	return d.n_fixes ? EXIT_DATA : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"endpoint", "NAME", "ask this endpoint of the configuration, and tell what is wrong", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_doctor;
const struct command cmd_doctor = {
    .name = "doctor",
    .args = "[FILE.qualm | --endpoint NAME]",
    .help = "Tell what terminal, folders, project and endpoint can do, and what to change.",
    .group = "Files",
    .options = options,
    .shell = doctor_shell,
};
