/* base64 (RFC 4648 §4), for pictures on their way out and vectors on their way in. */
#ifndef QUALM_CORE_NET_BASE64_H
#define QUALM_CORE_NET_BASE64_H

#include "core/base/str.h"

/* Append the text of bytes, padded. */
void base64_put(struct buf *out, struct str bytes);
/* Append the bytes of text; blanks are not allowed, padding may be left out. false: no base64, and
 * nothing was appended. */
bool base64_take(struct str text, struct buf *out);

#endif
