/* complete_file: names of files as they are typed. */
#ifndef QUALM_TUI_COMPLETE_FILE_H
#define QUALM_TUI_COMPLETE_FILE_H

#include <stdbool.h>

#include "core/base/str.h"

/* "~" and "~/…" are the home folder; all else is as it is. Owned by the caller. */
char *file_expand(struct str typed);
/* Appends what was typed, as far as all files that begin like it agree; a folder gets its "/".
 * False: no file does. Hidden files only after a dot. */
bool file_complete(struct str typed, struct buf *out);

#endif
