/* The files of the picture cache: whole reads and writes, and the ceiling of the folder. */
#ifndef QUALM_CORE_MEDIA_MEDIA_CACHE_FOLDER_H
#define QUALM_CORE_MEDIA_MEDIA_CACHE_FOLDER_H

#include "core/base/str.h"

#define CACHE_SUFFIX ".sixel"
#define CACHE_TEMP   "new-" /* what is being written; never read */

/* All of a plain file of ours, up to the buffer's ceiling. */
bool media_cache_read_file(const char *path, struct buf *out);
/* A new file at path or in place of it, whole or not at all; 0 or an errno. temp: how the name
 * begins under which it is written, and that no other writer gets, of whatever process or host. */
int media_cache_write_file(const char *temp, const char *path, struct str head, struct str body);
/* Removes what is left of interrupted writing, and the oldest entries when all together are over
 * `max` bytes, until a fifth is free. Returns what is left. */
uint64_t media_cache_trim(const char *dir, uint64_t max);

#endif
