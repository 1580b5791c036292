/* loop: waits for keys, finished jobs and signals; drains the keys, then draws once. */
#ifndef QUALM_TUI_LOOP_H
#define QUALM_TUI_LOOP_H

#include "tui/app.h"

/* Until the user quits or the terminal goes away. */
enum status loop_run(struct app *app, struct err *err);

#endif
