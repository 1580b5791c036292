/*
 * saying: what a server's reply says, in words for a person: its own message, sanitised and short,
 * behind what its status means. Pure.
 */
#ifndef QUALM_CORE_NET_SAYING_H
#define QUALM_CORE_NET_SAYING_H

#include <cjson/cJSON.h>

#include "core/net/endpoint.h"
#include "core/net/net.h"
#include "core/net/secrets.h"

#define SAYING_MAX_BYTES 300 /* of a server's message */

/* Append s on one line: what is invalid, a control character or bidirectional formatting becomes a
 * blank, blanks are squeezed, what is beyond max bytes becomes "…". Secrets are hidden. */
void saying_clean(const struct secrets *secrets, struct str s, size_t max, struct buf *out);

/* Append the message that an error's body has: {"error":{"message"}}, {"error":"…"}, {"message"},
 * {"detail"}, the same in an array; of HTML its title; of other text its beginning. Nothing when
 * there is none. */
void saying_of(const struct secrets *secrets, struct str body, struct buf *out);
/* The same of JSON that was parsed already. */
void saying_of_json(const struct secrets *secrets, const cJSON *tree, struct buf *out);

/* What a status other than 2xx means. message: as saying_of() gave it; wait: seconds that the
 * server asks for, -1. Sets err and returns the kind. */
enum net_fail saying_status(const struct endpoint *e, const char *model, int status,
			    struct str message, double wait, struct err *err);

/* "0.5 s", "20 s", "5 min", "3 h" */
void saying_seconds(double s, struct buf *out);

#endif
