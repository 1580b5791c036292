/*
 * vectors: embeddings of texts, kept in the project by encoder, so that a text is sent once.
 * An encoder's name says all that its vectors depend on (model, templates).
 */
#ifndef QUALM_DB_VECTORS_H
#define QUALM_DB_VECTORS_H

#include "core/base/arena.h"
#include "core/base/str.h"
#include "db/conn.h"

/* v[n × dim] of texts[n], row-major: those that are kept are copied into it, known[i] says which.
 * dim 0 on entry: it becomes that of the first kept one, and v is made; the caller frees *v. A kept
 * vector of another dimension counts as not kept. */
enum status vectors_get(struct conn *c, struct str encoder, const struct str *texts, size_t n, uint32_t *dim,
			float **v, bool *known, struct err *err);
/* One transaction. Others of the same texts are replaced. */
enum status vectors_put(struct conn *c, struct str encoder, const struct str *texts, size_t n, uint32_t dim,
			const float *v, struct err *err);

/* The names of encoders whose vectors are kept, in the arena, in order; at most max of them. */
enum status vectors_encoders(struct conn *c, size_t max, struct str *out, size_t *n, struct arena *arena,
			     struct err *err);

#endif
