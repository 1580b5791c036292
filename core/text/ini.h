/*
 * ini: configuration and themes, by inih. `[section]`, `name = value` or `name: value`; a line
 * that begins with `#` or `;` is a comment, ` ;` begins one inside a line; an indented line
 * continues the value above it: the entry is given again with the same name.
 */
#ifndef QUALM_CORE_TEXT_INI_H
#define QUALM_CORE_TEXT_INI_H

#include "core/base/err.h"
#include "core/base/str.h"

#define INI_MAX_TEXT       ((size_t)1 << 20)
#define INI_MAX_LINE_BYTES 196 /* what inih reads in one piece everywhere */
#define INI_MAX_NAME_BYTES 48  /* of a section or a name */

/* section is "" before the first one. The texts live for the length of the call. A status
 * other than OK ends the reading and is passed on, with "line N: " in front of the message. */
typedef enum status ini_entry(void *ctx, const char *section, const char *name, const char *value,
			      unsigned line, struct err *err);

/* E_FORMAT (with the line) for what is no entry, E_LIMIT for what is over a ceiling. Entries on
 * other lines may have been given. */
enum status ini_read(struct str text, ini_entry *entry, void *ctx, struct err *err);

#endif
