/*
 * core/base: the plain tools everything else stands on. No domain words live here.
 *
 * err: how failure travels. A function that can fail returns an enum status and takes a
 * `struct err *` as its last argument, which must not be NULL and which it leaves untouched
 * on success. The message is a full sentence for the user without a final full stop; callers
 * put context in front of it on the way up. Only the command line and the screen print it.
 */
#ifndef QUALM_CORE_BASE_ERR_H
#define QUALM_CORE_BASE_ERR_H

#include <stdarg.h>

enum status {
	OK = 0,
	E_MEMORY,      /* a large allocation failed */
	E_IO,          /* the operating system said no */
	E_FORMAT,      /* input that is not what it claims to be */
	E_LIMIT,       /* input beyond a ceiling */
	E_CANCELLED,   /* the user asked to stop */
	E_DB,          /* SQLite said no */
	E_BUSY,        /* somebody else holds the project */
	E_NEWER,       /* written by a newer qualm */
	E_NOT_FOUND,
	E_USAGE,       /* the caller's words are wrong: exit status 2 */
	E_UNSUPPORTED, /* understood, but this build or terminal cannot */
};

#define ERR_MESSAGE_MAX 1024

struct err {
	enum status code;
	char msg[ERR_MESSAGE_MAX];
};

#define ERR_INIT {OK, ""}

/* Set code and message; returns code, so that `return err_set(...)` reads well. */
enum status err_set(struct err *err, enum status code, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Like err_set, with strerror(errno_value) appended after ": ". The code is E_IO. */
enum status err_errno(struct err *err, int errno_value, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Put "context: " in front of the message that is there; returns err->code. */
enum status err_prefix(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void err_clear(struct err *err);

#endif
