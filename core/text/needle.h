/*
 * needle: a text, or a regular expression, that is looked for in many other texts without regard
 * to case. Letters beyond ASCII match their upper and lower case too. Made once, then used from
 * any number of threads.
 */
#ifndef QUALM_CORE_TEXT_NEEDLE_H
#define QUALM_CORE_TEXT_NEEDLE_H

#include "core/base/err.h"
#include "core/base/str.h"

#define NEEDLE_MAX        4096 /* bytes of a text */
#define NEEDLE_REGEX_MAX  1024 /* bytes of a regular expression */
#define NEEDLE_REPEAT_MAX 1000 /* what its counted repetitions may multiply to */

struct needle;

/* E_USAGE: empty, too long, not UTF-8, or no POSIX extended regular expression; what could take
 * memory or time without bound (big repetitions, back-references, deep nesting) is refused. */
enum status needle_new(struct needle **out, struct str text, bool regex, struct err *err);
void needle_free(struct needle *nd); /* NULL is fine */
/* Texts can be scanned in one go for a needle that is no regular expression. */
bool needle_is_regex(const struct needle *nd);
/* A needle that is a text and in every match; itself when it is one. NULL: none is known, and each
 * text must be tried, by one thread at a time: the library has a lock. Borrowed. */
const struct needle *needle_literal(const struct needle *nd);
/* The first match that begins at or after from, which is at most hay.n: its place and length. A
 * match is never empty. */
bool needle_find(const struct needle *nd, struct str hay, size_t from, size_t *at, size_t *len);
bool needle_is_in(const struct needle *nd, struct str hay);

#endif
