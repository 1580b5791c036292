/*
 * fields: values in the formats that tables are written in, and how what was written leaves.
 */
#ifndef QUALM_TUI_FIELDS_H
#define QUALM_TUI_FIELDS_H

#include <stdio.h>

#include "core/base/err.h"
#include "core/base/str.h"

void field_csv(struct buf *out, struct str s); /* RFC 4180 */
void field_md(struct buf *out, struct str s);  /* " s |" */
/* Tabs, line ends and backslashes become \t, \n, \r and \\. */
void field_tsv(struct buf *out, struct str s);

/* Writes b, whole lines, and empties it. tty: what files hold must not steer the terminal. E_MEMORY
 * when b had no room for a row. */
enum status fields_put(struct buf *b, FILE *out, bool tty, struct err *err);

#endif
