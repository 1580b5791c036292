/*
 * archive: the members of a ZIP archive (libzip), each behind a ceiling. Without libzip, which is
 * loaded with the first archive, none is opened.
 */
#ifndef QUALM_CORE_TEXT_ARCHIVE_H
#define QUALM_CORE_TEXT_ARCHIVE_H

#include "core/base/err.h"
#include "core/base/str.h"

#define ARCHIVE_MAX_MEMBERS ((size_t)1 << 20)

struct archive;

/* Can archives be opened? Loads libzip. E_UNSUPPORTED with the reason: built without it, or it is
 * not to be had. */
enum status archive_check(struct err *err);
/* "1.7.3", or NULL: archives cannot be opened. */
const char *archive_library(void);

/* Do these first bytes begin an archive? */
bool archive_is(struct str head);
/* The name of the first member, as those bytes have it; empty when they do not. */
struct str archive_first_name(struct str head);

/* The archive in an open file, which stays the caller's. NULL with err set: E_IO, E_FORMAT for what is no archive, E_LIMIT for too many members,
 * E_UNSUPPORTED as archive_check(). */
struct archive *archive_open(int fd, struct err *err);
size_t archive_n(const struct archive *z);
struct str archive_name(const struct archive *z, size_t i); /* lives as long as z */
/* The member of this name, or SIZE_MAX. */
size_t archive_find(const struct archive *z, const char *name);
/* The whole member, unpacked, into out, which is cleared. E_LIMIT above max bytes; E_FORMAT when it
 * is damaged, encrypted, or packed by a method that libzip has not. */
enum status archive_read(struct archive *z, size_t i, size_t max, struct buf *out,
			  struct err *err);
void archive_close(struct archive *z);

#endif
