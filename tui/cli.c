#include "tui/cli.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/log.h"
#include "core/base/xmalloc.h"
#include "tui/print.h"

static int exit_status_of(enum status code)
{
	return code == OK ? EXIT_OK : code == E_USAGE ? EXIT_USAGE : EXIT_DATA;
}

int cli_fail(const struct err *err)
{
	fputs("qualm: ", stderr);
	print_clean(stderr, str_z(err->msg));
	fputc('\n', stderr);
	return exit_status_of(err->code);
}

static bool reader_is_gone(void)
{
	struct pollfd p = {.fd = STDOUT_FILENO};

	return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int cli_rows_fail(const struct err *err)
{
	return err->code == E_IO && reader_is_gone() ? EXIT_OK : cli_fail(err);
}

int cli_usage(const struct cmd_args *args, const char *fmt, ...)
{
	struct err err = ERR_INIT;
	va_list ap;

	err.code = E_USAGE;
	va_start(ap, fmt);
	vsnprintf(err.msg, sizeof err.msg, fmt, ap);
	va_end(ap);
	cli_fail(&err);
	fprintf(stderr, "try: qualm %s --help\n", args->command->name);
	return EXIT_USAGE;
}

/* Where this program is, so that it can start itself as a helper. */
static char *self_path(const char *argv0)
{
	char path[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", path, sizeof path);

	return n > 0 && (size_t)n < sizeof path ? xstrndup(path, (size_t)n) : xstrdup(argv0);
}

/* A full disk must not look like success; a reader that went away (`| head`) needs no words. */
static int finish_output(int status)
{
	struct err err = ERR_INIT;
	bool failed = ferror(stdout);

	if (fflush(stdout) != 0) {
		failed = true;
		err_errno(&err, errno, "the output could not be written");
	}
	if (!failed || reader_is_gone())
		return status;
	if (err.code == OK)
		err_set(&err, E_IO, "the output could not be written");
	return cli_fail(&err);
}

static int dispatch(struct cli *cli, const struct cmd_args *args, enum cli_wish wish)
{
	if (wish == CLI_VERSION) {
		puts("qualm " QUALM_VERSION);
		return EXIT_OK;
	}
	if (wish == CLI_HELP) {
		help_print(stdout, args->command);
		return EXIT_OK;
	}
	return args->command->shell(cli, args);
}

int cli_main(int argc, char **argv)
{
	struct err err = ERR_INIT;
	struct cancel cancel;
	struct cli cli = {.cancel = &cancel,
			  .stdout_tty = isatty(STDOUT_FILENO),
			  .stderr_tty = isatty(STDERR_FILENO)};
	struct cmd_args args = {0};
	enum cli_wish wish = CLI_RUN;
	char *self = self_path(argc > 0 ? argv[0] : "qualm");
	int status;

	cancel_init(&cancel);
	cli.self = self;
	cli.name = argc > 0 ? argv[0] : "qualm";
	cli_signals(&cancel);
	if (getenv("QUALM_LOG"))
		log_open(getenv("QUALM_LOG"));
	if (cli_parse(argc, argv, &cli, &args, &wish, &err) != OK)
		status = cli_fail(&err);
	else
		status = finish_output(dispatch(&cli, &args, wish));
	cmd_args_release(&args);
	cli_signals(NULL);
	cancel_release(&cancel);
	log_close();
	free(self);
	return status;
}
