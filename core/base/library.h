/*
 * library: a shared library that is loaded when it is first needed, and all that it needs in turn,
 * instead of at every start.
 *
 * Whoever calls one has a file with a list of the functions that are used (core/net/curl_load.h),
 * which are pointers there, of the kinds that the library's header declares. Before they are used
 * library_need() must have returned OK.
 */
#ifndef QUALM_CORE_BASE_LIBRARY_H
#define QUALM_CORE_BASE_LIBRARY_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "core/base/err.h"

/* What is known of one library in this process: one static object, as the library is there once
 * and is never unloaded. */
struct library {
	const char *name;         /* for messages: "libcurl" */
	const char *const *files; /* what the system is asked for, in this order; NULL ends them */
	const char *const *calls; /* the functions' names; n of them */
	size_t n;
	void *to; /* n pointers to functions, in that order; to be filled */
	enum status (*begin)(struct err *err); /* called once, when they are; may be NULL */
	pthread_mutex_t lock;                  /* PTHREAD_MUTEX_INITIALIZER; guards `loaded` */
	bool loaded;
};

/* Loads it, unless that was done; from any thread. E_UNSUPPORTED: it is not there, or a function is
 * missing in it; or what begin() failed with. The next call tries again. */
enum status library_need(struct library *l, struct err *err);

#endif
