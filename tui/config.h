/*
 * config: the user's settings, `$XDG_CONFIG_HOME/qualm/config` or `--config FILE`; an ini file
 * whose section [screen] gives defaults for options of the command line. An option that was given
 * there wins.
 */
#ifndef QUALM_TUI_CONFIG_H
#define QUALM_TUI_CONFIG_H

#include "tui/cmd.h"

struct config {
	char *theme; /* owned; NULL = not set */
};

/* path NULL: the user's file, which need not exist. A named one must. E_FORMAT says which line;
 * E_USAGE for a section or name that is not known. */
enum status config_load(struct config *config, const char *path, struct err *err);
void config_release(struct config *config);
/* Fills in what the command line left open; borrows from config. */
void config_apply(const struct config *config, struct cli *cli);

#endif
