/*
 * regex: POSIX regular expressions over UTF-8. The C library reads texts by the characters of the
 * locale; where that has none (LC_ALL=C, or a locale that is not installed) an é would be two of
 * them. Made and used under a locale of UTF-8 then, which is this thread's alone meanwhile.
 */
#ifndef QUALM_CORE_TEXT_REGEX_H
#define QUALM_CORE_TEXT_REGEX_H

#include <regex.h>
#include <stddef.h>

/* As regcomp() and regexec(). */
int regex_make(regex_t *re, const char *pattern, int flags);
int regex_match(const regex_t *re, const char *text, size_t n, regmatch_t m[], int flags);

#endif
