#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/reader/peek.h"
#include "core/text/input.h"
#include "db/conn.h"
#include "tui/app.h"
#include "tui/cli.h"
#include "tui/config.h"
#include "tui/import_screen.h"
#include "tui/open.h"

/* A first word that is neither a command nor a file: what was meant? */
static int not_there(const struct cmd_args *args, const char *word)
{
	struct nearest near = {.word = str_z(word)};
	struct err err = ERR_INIT;

	for (int i = 0; commands[i]; i++)
		if (commands[i]->shell && !commands[i]->hidden)
			nearest_offer(&near, commands[i]->name);
	if (near.best && !strchr(word, '/') && !str_ends(str_z(word), STR(".qualm")))
		return cli_usage(args, "%s is neither a project nor a command; did you mean %s?",
				 word, near.best);
	err_set(&err, E_NOT_FOUND, "there is no project %s; qualm import %s PATH... makes one",
		word, word);
	return cli_fail(&err);
}

/* Words for what can be said before the screen is taken. */
static int check(const struct cli *cli, const struct cmd_args *args, const char *path)
{
	struct err err = ERR_INIT;
	struct conn *c = NULL;
	struct stat st;

	if (stat(path, &st) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return not_there(args, path);
	if (conn_open(&c, path, CONN_READ, &err) != OK)
		return cli_fail(&err);
	conn_close(c);
	if (!cli->headless && !cli->stdout_tty)
		return cli_usage(args, "%s opens on a terminal; for a pipe there is qualm info %s",
				 path, path);
	return EXIT_OK;
}

int open_project(struct cli *cli, const char *project)
{
	struct err err = ERR_INIT;
	struct config config;
	int status;

	if (config_load(&config, cli->config, &err) != OK)
		return cli_fail(&err);
	config_apply(&config, cli);
	status = app_run(cli, project);
	config_release(&config);
	return status;
}

int open_and_import(struct cli *cli, const char *project, const char *line)
{
	cli->begin = line;
	cli->dataset = NULL; /* it need not be there yet; the line names it */
	return open_project(cli, project);
}

/* Rows of fields, and no project: what is to be imported, not opened. */
static bool is_table(const char *path)
{
	struct err ignored = ERR_INIT;
	struct stat st;
	struct input in;
	struct peek p;
	bool table;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode) || input_open(&in, path, &ignored) != OK)
		return false;
	peek_open(&p, buf_view(&in.head));
	table = p.shape != SHAPE_TEXT && !str_starts(buf_view(&in.head), STR("SQLite format 3"));
	peek_release(&p);
	input_close(&in);
	return table;
}

/* answers.csv goes into answers.qualm, here. */
static int open_table(struct cli *cli, const struct cmd_args *args, const char *path)
{
	struct str stem = path_stem(path_base(str_z(path)));
	char *project = xasprintf("%.*s.qualm", STR_ARG(stem));
	const char *words[] = {project, path};
	struct cmd_args import = {.n_words = 2, .words = words};
	struct buf line = BUF_INIT;
	int status;

	import_line(&import, cli->dataset, &line);
	if (!cli->headless && !cli->stdout_tty)
		status = cli_usage(args, "%s is no project; qualm import %s %s makes one of it", path,
				   project, path);
	else
		status = open_and_import(cli, project, buf_cstr(&line));
	buf_release(&line);
	free(project);
	return status;
}

static int open_shell(struct cli *cli, const struct cmd_args *args)
{
	int status;

	if (cli_one_project(cli, args))
		return EXIT_USAGE;
	if (is_table(args->words[0]))
		return open_table(cli, args, args->words[0]);
	status = check(cli, args, args->words[0]);
	if (status)
		return status;
	cli->at = cmd_option(args, "at");
	cli->view = cmd_option(args, "view");
	return open_project(cli, args->words[0]);
}

static const struct cmd_option options[] = {
    {"at", "SAMPLE", "begin at the sample with this key", false},
    {"view", "VIEW", "begin with this view: its name", false},
    {NULL, NULL, NULL, false},
};

extern const struct command cmd_open;
const struct command cmd_open = {
    .name = "open",
    .args = "FILE.qualm",
    .help = "Look into a project on the screen (the word open may be left out).",
    .group = "Files",
    .options = options,
    .shell = open_shell,
};
