/* open: bring a project to the screen, as `qualm FILE.qualm` and `qualm demo` do. */
#ifndef QUALM_TUI_OPEN_H
#define QUALM_TUI_OPEN_H

#include "tui/cmd.h"

/* Reads the configuration, then runs the screen. Returns an enum exit_status. */
int open_project(struct cli *cli, const char *project);

#endif
