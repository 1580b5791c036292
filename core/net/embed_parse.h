/* embed_parse: the answer of /embeddings into rows of floats. Pure. */
#ifndef QUALM_CORE_NET_EMBED_PARSE_H
#define QUALM_CORE_NET_EMBED_PARSE_H

#include "core/net/embed.h"
#include "core/net/secrets.h"

/* The vectors of n texts, in their order whatever the order of the answer: *v[n × *dim], owned by
 * the caller. *dim: in: what is wanted, 0 when not known yet. tokens: -1 when not told. On failure
 * *fail says of which kind. */
enum status embed_parse(const struct secrets *secrets, struct str body, size_t n, float **v,
			uint32_t *dim, int64_t *tokens, char model[256], enum net_fail *fail,
			struct err *err);

#endif
