/*
 * cli: the shell's side of the command table: parsing by the tables, help generated from them,
 * and what every shell command needs to speak to a person.
 */
#ifndef QUALM_TUI_CLI_H
#define QUALM_TUI_CLI_H

#include "core/base/nearest.h"
#include "tui/cmd.h"

#define QUALM_VERSION "0.1.0"

/* The options that may stand anywhere; ends with NULL name. */
extern const struct cmd_option global_options[];

enum cli_wish { CLI_RUN, CLI_HELP, CLI_VERSION };

/* Makes args (and the global part of *cli) from the command line. E_USAGE with a message that
 * names the nearest known word. A first word that is no command means "open". */
enum status cli_parse(int argc, char **argv, struct cli *cli, struct cmd_args *args,
		      enum cli_wish *wish, struct err *err);
void cmd_args_release(struct cmd_args *args);
/* All values of an option that repeats: the k-th, NULL when there are fewer. */
const char *cmd_option_at(const struct cmd_args *args, const char *name, int k);

/* Help of one command, or of the whole program for NULL. */
void help_print(FILE *out, const struct command *command);

/* "qualm: message" on stderr; returns the exit status that goes with the code. */
int cli_fail(const struct err *err);
/* The same for commands whose rows go to standard output: that their reader has gone away is no
 * error, EXIT_OK. */
int cli_rows_fail(const struct err *err);
/* The same for a mistake in the caller's words; points to the command's help. EXIT_USAGE. */
int cli_usage(const struct cmd_args *args, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* For commands that take one project and nothing else: EXIT_OK, or, when a word is missing or too
 * many, which a filter without quotes brings about, says so: EXIT_USAGE. */
int cli_one_project(const struct cli *cli, const struct cmd_args *args);
/* What is said when --filter was refused, err being the reason: with a word about quotes where the
 * shell may have taken a part of it. Returns err->code. */
enum status cli_filter_hint(const struct cli *cli, struct err *err);

/* For commands that have much to lose: while another program holds the project this one waits, says
 * for whom, and can be stopped. */
struct conn;
void cli_wait(const struct cli *cli, struct conn *c);
/* "waiting for qualm sql (process 1234), …", appended. */
void cli_held_text(const char *project, struct buf *out);

/* Signals: SIGINT and SIGTERM ask `cancel` to stop, a second one ends the program at once.
 * SIGPIPE is ignored: a reader that has gone away shows as a write error. NULL: from now on the
 * first one ends it too. */
void cli_signals(struct cancel *cancel);

#endif
