/*
 * secrets: the key and the header values of an endpoint for the length of one call, and their
 * taking out of text. What comes from a server may hold them: some echo a wrong key.
 */
#ifndef QUALM_CORE_NET_SECRETS_H
#define QUALM_CORE_NET_SECRETS_H

#include "core/net/endpoint.h"

#define SECRET_MAX_BYTES 4096
/* A shorter one ("none", "EMPTY" of local servers) is no secret, and a word of many texts. */
#define SECRET_HIDE_FROM 6

struct secret {
	char *value; /* NULL: none */
	size_t n;
};

struct secrets {
	struct secret key;
	struct secret header[ENDPOINT_MAX_HEADERS]; /* as endpoint->header */
	size_t n_headers;
};

/* E_NOT_FOUND: a variable is not set; E_USAGE: a file that others can read, bytes that no key has.
 * No message repeats a value. *out is to be released also on failure. */
enum status secrets_fetch(const struct endpoint *e, struct secrets *out, struct err *err);
void secrets_release(struct secrets *s); /* overwrites them first */

/* Append text with each secret replaced by "[key]". secrets may be NULL. */
void secrets_hide(const struct secrets *s, struct str text, struct buf *out);

/* The same for a text that comes in pieces: what may be the beginning of a secret is held back. */
struct hider {
	const struct secrets *secrets;
	struct buf held;
};
void hider_feed(struct hider *h, struct str piece, struct buf *out);
void hider_end(struct hider *h, struct buf *out);
void hider_release(struct hider *h);

#endif
