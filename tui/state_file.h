/*
 * state_file: small texts in $XDG_STATE_HOME/qualm that outlive the program. Losing one loses
 * nothing of worth, so no failure is reported.
 */
#ifndef QUALM_TUI_STATE_FILE_H
#define QUALM_TUI_STATE_FILE_H

#include "core/base/str.h"

#define STATE_FILE_MAX ((size_t)1 << 20) /* bytes */

/* Appends the file FOLDER/NAME; false when there is none that can be read. */
bool state_file_read(const char *folder, const char *name, struct buf *out);
/* Replaces it, by a new file and a rename, so that a crash leaves the old one. */
void state_file_write(const char *folder, const char *name, struct str text);

#endif
