/*
 * zip_load: libzip, loaded when the first archive is opened. Only for archive.c.
 *
 * Its functions are pointers of the kinds that <zip.h> declares: zip.fread() is zip_fread().
 */
#ifndef QUALM_CORE_TEXT_ZIP_LOAD_H
#define QUALM_CORE_TEXT_ZIP_LOAD_H

#include "core/base/err.h"

#ifdef HAVE_LIBZIP
#include <zip.h>

#define ZIP_CALLS(X)                                                                               \
	X(libzip_version) X(fdopen) X(discard)                                                     \
	X(get_num_entries) X(get_name) X(name_locate) X(stat_init) X(stat_index)                   \
	X(fopen_index) X(fread) X(fclose)                                                          \
	X(get_error) X(file_get_error)                                                             \
	X(error_init) X(error_init_with_code) X(error_strerror) X(error_fini)

struct zip_calls {
#define X(name) __typeof__(zip_##name) *name;
	ZIP_CALLS(X)
#undef X
};

/* To be used once zip_load() has returned OK, and never written to elsewhere. */
extern struct zip_calls zip;

/* Any thread. Loads libzip, unless that was done. E_UNSUPPORTED: it is not there. */
enum status zip_load(struct err *err);
#endif

#endif
