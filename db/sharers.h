/*
 * sharers: which samples share a text. Texts that repeat stand once in the stream of a run's field
 * (CODEC_SHARED), and whose one is says the column of places alone: it is turned round here. Not
 * for other rooms.
 */
#ifndef QUALM_DB_SHARERS_H
#define QUALM_DB_SHARERS_H

#include "core/base/err.h"
#include "core/model/column.h"

/* chunk.codec. Append only. */
enum codec {
	CODEC_OWN,    /* a text for each entry of ords */
	CODEC_SHARED, /* ords is empty: a text is that of all samples whose place it is at */
	N_CODECS
};

/* Is it a codec that is known, and do the lists of a chunk have as many bytes as it takes? */
static inline bool codec_fits(int64_t codec, size_t ords, size_t lens)
{
	return lens % sizeof(uint32_t) == 0 &&
	       ((codec == CODEC_OWN && ords == lens) || (codec == CODEC_SHARED && !ords));
}

struct sharers {
	const struct column *place; /* borrowed */
	uint32_t *ords;		    /* of samples that have a place: by place, then ascending */
	size_t n;
};

/* place: unsigned. E_MEMORY. */
enum status sharers_init(struct sharers *s, const struct column *place, struct err *err);
void sharers_release(struct sharers *s);
/* The first whose place is this one or a later one. */
size_t sharers_from(const struct sharers *s, uint64_t place);
/* How many have their text at `place`; *ords: these, borrowed. *next is where to look on, for
 * places that ascend; at first as sharers_from() has it. */
size_t sharers_at(const struct sharers *s, uint64_t place, size_t *next, const uint32_t **ords);

#endif
