/* open: bring a project to the screen, as `qualm FILE.qualm` and `qualm demo` do. */
#ifndef QUALM_TUI_OPEN_H
#define QUALM_TUI_OPEN_H

#include "tui/cmd.h"

/* Reads the configuration, then runs the screen. Returns an enum exit_status. */
int open_project(struct cli *cli, const char *project);
/* The same; the project is made when missing, and the screen begins with the command line, an
 * import; when nothing came in, a new project is taken away again. */
int open_and_import(struct cli *cli, const char *project, const char *line);

#endif
