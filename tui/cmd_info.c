#include <string.h>

#include "tui/cli.h"
#include "tui/info.h"

static int info_shell(struct cli *cli, const struct cmd_args *args)
{
	const char *format = cmd_option(args, "format");
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	enum status st;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (format && strcmp(format, "text") != 0 && strcmp(format, "json") != 0)
		return cli_usage(args, "--format %s is not known; expected text or json", format);
	st = conn_open(&c, args->words[0], population_mode(cli), &err);
	if (!st) {
		conn_set_cancel(c, cli->cancel);
		st = info_print(stdout, cli, c, format && strcmp(format, "json") == 0, &err);
	}
	conn_close(c);
	return st ? cli_fail(&err) : EXIT_OK;
}

static const struct cmd_option options[] = {
    {"format", "text|json", "as text for people (the default) or as one JSON object", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_info;
const struct command cmd_info = {
    .name = "info",
    .args = "FILE.qualm",
    .help = "Say what a project holds: datasets, layers, categories, runs with their accuracy.",
    .group = "Files",
    .options = options,
    .shell = info_shell,
};
