#include "core/text/zip_load.h"

#ifdef HAVE_LIBZIP
#include <assert.h>

#include "core/base/library.h"

struct zip_calls zip;

static const char *const names[] = {
#define X(name) "zip_" #name,
    ZIP_CALLS(X)
#undef X
};

/* The name that linking with it would have noted; another one is of another interface. */
static const char *const files[] = {ZIP_FILE, NULL};

enum status zip_load(struct err *err)
{
	static struct library library = {.name = "libzip",
					 .files = files,
					 .calls = names,
					 .n = sizeof names / sizeof *names,
					 .to = &zip,
					 .lock = PTHREAD_MUTEX_INITIALIZER};

	static_assert(sizeof zip == sizeof names, "a pointer for each name");
	return library_need(&library, err);
}
#endif
