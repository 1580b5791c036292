/*
 * embed: vectors of texts from an OpenAI-compatible /embeddings, in batches.
 */
#ifndef QUALM_CORE_NET_EMBED_H
#define QUALM_CORE_NET_EMBED_H

#include "core/base/cancel.h"
#include "core/net/endpoint.h"
#include "core/net/net.h"

#define EMBED_MAX_DIM   65536u
#define EMBED_MAX_BATCH 2048u
#define EMBED_MAX_REPLY ((size_t)256 << 20) /* bytes of one batch's answer */

struct embed_options {
	const char *model; /* NULL: the endpoint's */
	uint32_t batch;    /* texts in one request; 0: 64 */
	uint32_t dimensions; /* asked for; 0: not sent, what the model gives */
	bool base64;       /* ask for encoding_format base64 */
	/* On the thread of embed_texts(), after each batch, in the order of ending: texts first ..
	 * first + n - 1 have their vectors; v[n × dim]. For a cache and for progress: what was handed
	 * over stays good when a later batch fails. A batch of empty texts alone is not told.
	 * May be NULL. */
	void (*got)(void *ctx, size_t first, size_t n, const float *v, uint32_t dim);
	void (*wait)(void *ctx, double seconds, const struct err *why); /* as in chat_watch */
	void *ctx;
};

struct embed_result {
	float *v; /* [n × dim], by text, then by dimension; NULL when all texts are empty */
	size_t n;
	uint32_t dim;
	int64_t tokens; /* -1: not told */
	char model[256]; /* as the server names it */
	enum net_fail fail;
};

/* texts[n], UTF-8. An empty text is not sent: its vector is zero. Batches go `concurrency` at a
 * time. The vectors are as the server gives them, not normalised. All have one dimension, or
 * E_FORMAT; so have numbers that are not finite. E_CANCELLED within 100 ms. options may be NULL.
 * On failure *out holds nothing but out->fail. */
enum status embed_texts(struct net *net, const struct endpoint *e, const struct str *texts,
			size_t n, const struct embed_options *options, struct cancel *cancel,
			struct embed_result *out, struct err *err);
void embed_result_release(struct embed_result *r);

#endif
