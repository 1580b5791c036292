/*
 * tui: the screen and the command line. cmd: the one table of commands that shell, key bindings
 * and the `:` prompt share. To add a command: one file cmd_NAME.c with a `const struct command`,
 * one row in cmd_table.c. Help, the manual's list and completion come from the same row.
 *
 * A command may be valid on the shell (`qualm NAME …`), on the screen (key or prompt), or both.
 */
#ifndef QUALM_TUI_CMD_H
#define QUALM_TUI_CMD_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/base/cancel.h"
#include "core/base/err.h"
#include "core/base/str.h"

enum exit_status { EXIT_OK = 0, EXIT_DATA = 1, EXIT_USAGE = 2 };

struct option_values;
struct endpoint_list;

/* Global options of the command line, parsed before the command's own (product.md §6). They may
 * stand anywhere before "--". NULL = not given. */
struct cli {
	const char *self; /* path of this binary, for helper processes */
	const char *name; /* as it was called, for words that tell what to run */
	const char *dataset, *run, *against, *lens, *filter, *config, *cache_dir;
	const char *headless, *script, *at, *view, *theme;
	const char *begin; /* a command that the screen begins with; the project is made when missing */
	const struct option_values *options; /* of the configuration; NULL = none */
	const struct endpoint_list *endpoints; /* likewise */
	uint64_t at_once; /* answers loaded before the first frame (grow.h); 0: as many as is quick */
	struct cancel *cancel; /* set by SIGINT, SIGTERM */
	bool stdout_tty, stderr_tty;
};

/* One option of a command: "--NAME VALUE", or a switch when value is NULL. */
struct cmd_option {
	const char *name;  /* without the dashes; a single letter is "-o" */
	const char *value; /* placeholder, NULL = switch. "[NAME=...]": may be left out, and is taken from
			      the next word only if that has a '=' in it */
	const char *help;
	bool repeats;
};

struct cmd_args { /* what the parser made of the command line */
	const struct command *command;
	int n_words;
	const char **words; /* positional */
	int n_options;
	struct { const struct cmd_option *option; const char *value; } *options;
};
/* The (last) value of an option; "" for a switch that was given; NULL when absent. */
const char *cmd_option(const struct cmd_args *args, const char *name);

struct app;

/* What the loop must do after a screen command. */
enum reaction {
	REACT_UNHANDLED = 1, /* not mine: fall through */
	REACT_NONE = 0,
	REACT_REDRAW = 2,
	REACT_RELENS = 4,  /* verdicts changed */
	REACT_RELOAD = 8,  /* another dataset was loaded */
	REACT_QUIT = 16,
	REACT_RERUN = 32,  /* a, b, the panel or the order changed; RELENS brings it along */
	REACT_REFILTER = 64, /* what the list shows changed */
	REACT_GREW = 128   /* another snapshot of the same dataset took the place of the last one */
};

struct command {
	const char *name;  /* "import", "next-page" */
	const char *args;  /* "FILE.qualm PATH..." as in a synopsis */
	const char *help;  /* one sentence */
	const char *group; /* heading in help: "Files", "Moving", "Pictures" … */
	const struct cmd_option *options; /* ends with NULL name; may be NULL; shell only */
	/* Shell: returns an enum exit_status; prints rows on stdout, the rest on stderr. */
	int (*shell)(struct cli *cli, const struct cmd_args *args);
	/* Screen: returns reaction bits. args: the rest of the `:` line or of the binding. */
	unsigned (*screen)(struct app *app, struct str args);
	bool hidden; /* not in help: helper processes */
};

extern const struct command *const commands[]; /* ends with NULL */
const struct command *command_find(struct str name); /* NULL if none */

/* Run the command line; returns the exit status. */
int cli_main(int argc, char **argv);

#endif
