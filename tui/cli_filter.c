/* What the shell does to filters that are not quoted, told to the person who typed them. */
#include <string.h>
#include <unistd.h>

#include "tui/cli.h"

#define QUOTES "a filter of several words, or with < > ( ) | & in it, stands in single quotes"

int cli_one_project(const struct cli *cli, const struct cmd_args *args)
{
	const char *name = args->command->name;

	if (args->n_words == 1)
		return EXIT_OK;
	if (!args->n_words)
		return cli_usage(args, "%s wants a project: qualm %s FILE.qualm", name, name);
	if (!cli->filter)
		return cli_usage(args, "%s wants one project, and \"%s\" is another word; a filter "
				       "stands behind --filter, in single quotes", name, args->words[1]);
	if (strchr(cli->filter, ' '))
		return cli_usage(args, "%s wants one project, and \"%s\" is another word; if it belongs to "
				       "the filter: " QUOTES, name, args->words[1]);
	return cli_usage(args, "%s wants one project, and \"%s\" is another word; " QUOTES
			       ": --filter '%s %s'", name, args->words[1], cli->filter, args->words[1]);
}

/* The shell may have taken the rest: the text stops where more is expected, and holds nothing that
 * only a quoted one can hold. */
static bool is_cut_short(const char *filter, const char *message)
{
	return !strpbrk(filter, " <>()|&;\"") &&
	       (strstr(message, "expected") || strstr(message, "needs a comparison"));
}

enum status cli_filter_hint(const struct cli *cli, struct err *err)
{
	struct str filter = str_z(cli->filter);
	const struct err said = *err;

	if (err->code != E_USAGE || !is_cut_short(cli->filter, said.msg))
		return err_prefix(err, "--filter");
	if (str_ends(filter, STR("id:")) && !isatty(STDIN_FILENO))
		return err_set(err, E_USAGE, "--filter: %.800s; was it id:<FILE? The shell takes < for "
					     "itself: --filter 'id:<FILE'", said.msg);
	return err_set(err, E_USAGE, "--filter: %.800s; " QUOTES, said.msg);
}
