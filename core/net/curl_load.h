/*
 * curl_load: libcurl, loaded when the network is first used. Only for http*.c.
 *
 * Its functions are pointers of the kinds that <curl/curl.h> declares, whichever version's it is:
 * curl.multi_init() is curl_multi_init(). Only curl_easy_setopt() and curl_easy_getinfo() are called
 * by their own names, since the header's macros that check their arguments do so.
 */
#ifndef QUALM_CORE_NET_CURL_LOAD_H
#define QUALM_CORE_NET_CURL_LOAD_H

#include "core/base/err.h"

#ifdef HAVE_CURL
#include <curl/curl.h>

#define CURL_CALLS(X)                                                                              \
	X(global_init) X(version)                                                                  \
	X(easy_init) X(easy_setopt) X(easy_getinfo) X(easy_strerror) X(easy_cleanup)               \
	X(multi_init) X(multi_add_handle) X(multi_remove_handle) X(multi_perform) X(multi_poll)    \
	X(multi_info_read) X(multi_cleanup)                                                        \
	X(slist_append) X(slist_free_all)                                                          \
	X(url) X(url_set) X(url_get) X(url_cleanup) X(free)

struct curl_calls {
#define X(name) __typeof__(curl_##name) *name;
	CURL_CALLS(X)
#undef X
};

/* To be used once curl_load() has returned OK, and never written to elsewhere. */
extern struct curl_calls curl;

/* Any thread. Loads and begins libcurl, unless that was done. E_UNSUPPORTED: it is not there. */
enum status curl_load(struct err *err);
#endif

#endif
