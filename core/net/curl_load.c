#include "core/net/curl_load.h"

#ifdef HAVE_CURL
#include <assert.h>
#include <stdarg.h>

#include "core/base/library.h"

struct curl_calls curl;

static const char *const names[] = {
#define X(name) "curl_" #name,
    CURL_CALLS(X)
#undef X
};

/* CURL_FILE: the name that linking with it would have noted. Debian has two of one interface. */
static const char *const files[] = {CURL_FILE, "libcurl.so.4", "libcurl-gnutls.so.4", NULL};

static enum status begin(struct err *err)
{
	CURLcode code = curl.global_init(CURL_GLOBAL_DEFAULT);

	if (code)
		return err_set(err, E_MEMORY, "libcurl cannot be started: %s",
			       curl.easy_strerror(code));
	return OK;
}

enum status curl_load(struct err *err)
{
	static struct library library = {.name = "libcurl",
					 .files = files,
					 .calls = names,
					 .n = sizeof names / sizeof *names,
					 .to = &curl,
					 .begin = begin,
					 .lock = PTHREAD_MUTEX_INITIALIZER};

	static_assert(sizeof curl == sizeof names, "a pointer for each name");
	return library_need(&library, err);
}

/* What comes after the option is of the kind that the option's number says. */
CURLcode(curl_easy_setopt)(CURL *e, CURLoption option, ...)
{
	CURLcode code;
	va_list args;

	va_start(args, option);
	switch (option / 10000 * 10000) {
	case CURLOPTTYPE_LONG:
		code = curl.easy_setopt(e, option, va_arg(args, long));
		break;
	case CURLOPTTYPE_OFF_T:
		code = curl.easy_setopt(e, option, va_arg(args, curl_off_t));
		break;
	default: /* pointers of all kinds, and POSIX has functions among them */
		code = curl.easy_setopt(e, option, va_arg(args, void *));
	}
	va_end(args);
	return code;
}

CURLcode(curl_easy_getinfo)(CURL *e, CURLINFO info, ...)
{
	CURLcode code;
	va_list args;

	va_start(args, info);
	code = curl.easy_getinfo(e, info, va_arg(args, void *));
	va_end(args);
	return code;
}
#endif
