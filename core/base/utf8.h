/* UTF-8: decoding, validity. Widths and clusters are the screen's business (tui/term/text.h). */
#ifndef QUALM_CORE_BASE_UTF8_H
#define QUALM_CORE_BASE_UTF8_H

#include "core/base/str.h"

#define UTF8_BAD 0xFFFDu

/* Decode the code point at p[0..n), n > 0. Sets *len >= 1 bytes consumed. An invalid sequence
 * gives UTF8_BAD and consumes one byte. Rejects overlong forms, surrogates, > U+10FFFF. */
uint32_t utf8_decode(const char *p, size_t n, size_t *len);
/* Encode; returns bytes written (1..4). An invalid code point is written as U+FFFD. */
size_t utf8_encode(uint32_t cp, char out[4]);
/* Offset of the first byte that is not valid UTF-8, or s.n when all is valid. */
size_t utf8_valid_prefix(struct str s);
/* Why s is no text that can be kept: "is not UTF-8", "has a zero byte in it" (names are read up to
 * it); NULL: it can. *at: the byte. */
const char *utf8_fault(struct str s, size_t *at);
/* Append s with every invalid byte replaced by U+FFFD. */
void utf8_repair(struct str s, struct buf *out);
/* Is cp a control, escape, or bidirectional formatting character, never to be sent to a terminal? */
bool utf8_is_unsafe(uint32_t cp);

#endif
