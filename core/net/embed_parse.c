#include "core/net/embed_parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/net/base64.h"
#include "core/net/saying.h"
#include "core/text/json.h"

struct rows {
	float *v;
	bool *seen;
	size_t n;
	uint32_t dim; /* 0: not known yet */
};

/* --- one vector --- */

static enum status set_dim(struct rows *r, size_t dim, size_t index, struct err *err)
{
	size_t bytes;

	if (dim == 0 || dim > EMBED_MAX_DIM)
		return err_set(err, E_LIMIT, "vector %zu has %zu numbers; 1 to %u are taken", index,
			       dim, EMBED_MAX_DIM);
	if (r->dim && dim != r->dim)
		return err_set(err, E_FORMAT, "vector %zu has %zu numbers, others have %u", index,
			       dim, r->dim);
	r->dim = (uint32_t)dim;
	if (r->v)
		return OK;
	if (!mem_mul(r->n, dim, &bytes) || !mem_mul(bytes, sizeof *r->v, &bytes) ||
	    !(r->v = mem_try(bytes)))
		return err_set(err, E_MEMORY, "there is no memory for %zu vectors of %zu numbers",
			       r->n, dim);
	return OK;
}

static enum status check_finite(const float *v, uint32_t dim, size_t index, struct err *err)
{
	for (uint32_t i = 0; i < dim; i++)
		if (!isfinite(v[i]))
			return err_set(err, E_FORMAT, "vector %zu has a number that is not finite",
				       index);
	return OK;
}

static enum status from_numbers(struct rows *r, const cJSON *array, size_t index, struct err *err)
{
	size_t dim = (size_t)cJSON_GetArraySize(array);
	const cJSON *item;
	float *to;
	double x;

	if (set_dim(r, dim, index, err))
		return err->code;
	to = r->v + index * dim;
	cJSON_ArrayForEach(item, array)
	{
		if (!json_number(item, &x))
			return err_set(err, E_FORMAT, "vector %zu holds what is no number", index);
		*to++ = (float)x;
	}
	return check_finite(to - dim, r->dim, index, err);
}

/* Little-endian floats of 32 bits. */
static enum status from_base64(struct rows *r, struct str text, size_t index, struct err *err)
{
	struct buf bytes = {.max = (size_t)EMBED_MAX_DIM * 4};
	enum status st = OK;
	float *to;

	if (!base64_take(text, &bytes) || bytes.n % 4)
		st = err_set(err, E_FORMAT, "vector %zu is no base64 of numbers", index);
	if (!st)
		st = set_dim(r, bytes.n / 4, index, err);
	for (size_t i = 0; !st && i < bytes.n / 4; i++) {
		const unsigned char *p = (const unsigned char *)bytes.p + 4 * i;
		uint32_t bits =
		    p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;

		to = r->v + index * r->dim + i;
		memcpy(to, &bits, 4);
	}
	if (!st)
		st = check_finite(r->v + index * r->dim, r->dim, index, err);
	buf_release(&bytes);
	return st;
}

static enum status take_vector(struct rows *r, const cJSON *item, size_t order, struct err *err)
{
	const cJSON *v = json_get(item, "embedding");
	double index = (double)order;

	json_number(json_get(item, "index"), &index);
	if (!(index >= 0 && index < (double)r->n) || index != floor(index))
		return err_set(err, E_FORMAT, "a vector has the index %g of %zu", index, r->n);
	if (r->seen[(size_t)index])
		return err_set(err, E_FORMAT, "vector %.0f is there twice", index);
	r->seen[(size_t)index] = true;
	if (cJSON_IsArray(v))
		return from_numbers(r, v, (size_t)index, err);
	if (cJSON_IsString(v))
		return from_base64(r, json_text(v), (size_t)index, err);
	return err_set(err, E_FORMAT, "vector %.0f is no array and no base64", index);
}

/* --- all --- */

static enum status take_all(struct rows *r, const cJSON *data, struct err *err)
{
	size_t order = 0, n = (size_t)cJSON_GetArraySize(data);
	const cJSON *item;

	if (n != r->n)
		return err_set(err, E_FORMAT, "%zu texts were sent, %zu vectors came back", r->n,
			       n);
	cJSON_ArrayForEach(item, data) if (take_vector(r, item, order++, err)) return err->code;
	return OK;
}

static void take_facts(const struct secrets *secrets, const cJSON *tree, int64_t *tokens,
		       char model[256])
{
	struct buf name = BUF_INIT;
	double n;

	*tokens = json_number(json_get(json_get(tree, "usage"), "prompt_tokens"), &n) && n >= 0 &&
			  n < 1e15
		      ? (int64_t)n
		      : -1;
	saying_clean(secrets, json_text(json_get(tree, "model")), 250, &name);
	memcpy(model, buf_cstr(&name), name.n + 1);
	buf_release(&name);
}

static enum status no_vectors(const struct secrets *secrets, struct str body, struct err *err)
{
	struct buf message = BUF_INIT;

	saying_of(secrets, body, &message);
	err_set(err, E_FORMAT, "the server's answer has no vectors in it: %s",
		message.n ? buf_cstr(&message) : "is base_url right?");
	buf_release(&message);
	return err->code;
}

enum status embed_parse(const struct secrets *secrets, struct str body, size_t n, float **v,
			uint32_t *dim, int64_t *tokens, char model[256], enum net_fail *fail,
			struct err *err)
{
	struct rows r = {.n = n, .dim = *dim};
	struct err bad = ERR_INIT;
	cJSON *tree = NULL;
	enum status st;

	*v = NULL;
	*fail = NET_GARBLED;
	if (json_parse(body, &tree, &bad) != OK || !cJSON_IsArray(json_get(tree, "data"))) {
		cJSON_Delete(tree);
		return no_vectors(secrets, body, err);
	}
	r.seen = xcalloc(n ? n : 1, sizeof *r.seen);
	st = take_all(&r, json_get(tree, "data"), err);
	take_facts(secrets, tree, tokens, model);
	cJSON_Delete(tree);
	free(r.seen);
	if (st) {
		*fail = st == E_FORMAT ? NET_GARBLED : NET_LIMIT;
		free(r.v);
		return st;
	}
	*fail = NET_NONE;
	*v = r.v;
	*dim = r.dim;
	return OK;
}
