/*
 * spool: where curses writes. It knows only how to write to a descriptor and to wait until it has
 * been taken; from the spool the bytes go to the line as it takes them.
 */
#ifndef QUALM_TUI_TERM_SPOOL_H
#define QUALM_TUI_TERM_SPOOL_H

#include <stdio.h>

#include "core/base/str.h"

FILE *spool_open(void); /* NULL: errno says why */
/* Moves what was written since to the end of out. False when the spool could not hold it all. */
bool spool_take(FILE *spool, struct buf *out);

#endif
