/* models: the names of a server's models, from /models. */
#ifndef QUALM_CORE_NET_MODELS_H
#define QUALM_CORE_NET_MODELS_H

#include "core/base/cancel.h"
#include "core/net/endpoint.h"
#include "core/net/net.h"
#include "core/net/secrets.h"

#define MODELS_MAX	 10000
#define MODELS_MAX_REPLY ((size_t)16 << 20)

struct models {
	char **v; /* owned; sanitised */
	size_t n, cap;
};

/* *fail: of which kind a failure is. Some servers have no such list: NET_PATH. *out is to be
 * released in any case. */
enum status models_list(struct net *net, const struct endpoint *e, struct cancel *cancel,
			struct models *out, enum net_fail *fail, struct err *err);
void models_release(struct models *m);

/* Of the answer's bytes; pure. false: it is no such list. */
bool models_parse(const struct secrets *secrets, struct str body, struct models *out);

#endif
