/*
 * store_hash: hashes of what an answer holds, inside the store only. They are of one process, as
 * fold.h has it: an answer's is over what will be stored, so that it can be computed again.
 */
#ifndef QUALM_DB_STORE_HASH_H
#define QUALM_DB_STORE_HASH_H

#include "core/base/fold.h"
#include "core/base/str.h"
#include "core/model/column.h"
#include "db/fetch.h"

static inline uint64_t store_hash(const void *data, size_t n, uint64_t salt)
{
	const unsigned char *p = data;
	uint64_t h = fold64(salt ^ 0x2d358dccaa6c78a5u, n ^ 0x8bb84b93962eacc9u), w[2];

	for (; n >= 16; p += 16, n -= 16) {
		memcpy(w, p, 16);
		h = fold64(w[0] ^ h, w[1] ^ 0x4b33a62ed433d4a3u);
	}
	w[1] = 0;
	if (n > 8) {
		memcpy(&w[0], p, 8);
		memcpy(&w[1], p + n - 8, 8);
	} else {
		w[0] = fold_few(p, n);
	}
	h = fold64(w[0] ^ h, w[1] ^ 0x4d5a2da51de1aa47u);
	return fold64(h, 0xa0761d6478bd642fu);
}

/* The same for one number. */
static inline uint64_t store_mix(uint64_t salt, uint64_t v)
{
	return fold64(v ^ salt ^ 0x2d358dccaa6c78a5u, salt ^ 0xa0761d6478bd642fu);
}

static inline uint64_t store_text_mix(enum text_field field, struct str text)
{
	return text.n ? store_hash(text.p, text.n, 0x100 + (uint64_t)field) : 0;
}

static inline uint64_t store_number_salt(struct str name)
{
	return store_hash(name.p, name.n, 1);
}

static inline uint32_t store_number_bits(enum dtype dtype, double v)
{
	float f = (float)v;
	uint32_t bits;

	if (dtype == DT_U32)
		return (uint32_t)v;
	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static inline uint64_t store_number_mix(uint64_t salt, enum dtype dtype, double v)
{
	if ((float)v == 0)
		v = 0; /* -0 is 0 */
	return store_mix(salt, store_number_bits(dtype, v));
}

#endif
