/*
 * config: the user's settings, `$XDG_CONFIG_HOME/qualm/config` or `--config FILE`; an ini file
 * whose section [screen] sets the options of options.h, and whose sections [endpoint NAME] say
 * where models can be asked (core/net/endpoint.h). An option of the command line wins.
 */
#ifndef QUALM_TUI_CONFIG_H
#define QUALM_TUI_CONFIG_H

#include "core/net/endpoint.h"
#include "tui/cmd.h"
#include "tui/options.h"

struct config {
	struct option_values options;
	struct endpoint_list endpoints;
};

/* path NULL: the user's file, which need not exist. A named one must. E_FORMAT says which line;
 * E_USAGE, with the nearest name, for a section or name that is not known, or a value out of its
 * range. */
enum status config_load(struct config *config, const char *path, struct err *err);
void config_release(struct config *config);
/* From now on the command line knows the options and endpoints; borrows config. */
void config_apply(const struct config *config, struct cli *cli);

#endif
