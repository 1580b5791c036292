/* An answer into its packed place: what store_runs.c, store_plain.c and store_said.c share. Not for
 * other files. */
#ifndef QUALM_DB_STORE_PACKED_H
#define QUALM_DB_STORE_PACKED_H

#include "db/store_internal.h"

/* The answer of `ord` in run r, from its packed place on. */
static inline enum status store_packed_at(struct store *s, struct run_in *r, uint32_t ord,
					  struct packed **out, struct err *err)
{
	if (ord >= r->packed.n) {
		r->packed.scattered = s->samples.astray;
		if (store_dense_reach(&r->packed, ord, store_n_samples(s), err) != OK)
			return err->code;
	}
	*out = &dense_at(&r->packed, struct packed, ord);
	return OK;
}

static inline enum status store_packed_place(struct store *s, struct run_in *r, enum text_field f,
					     uint32_t ord, uint64_t place, struct packed *packed,
					     struct err *err)
{
	place++;
	packed->place[f] = (uint32_t)place;
	r->last[f] = place;
	return place <= UINT32_MAX ? OK : store_high_place(s, r, f, ord, place, err);
}

static inline enum status store_packed_raw(struct store *s, struct run_in *r, uint32_t ord,
					   struct str text, struct packed *packed, struct err *err)
{
	struct text_out *out = &r->text[FIELD_RAW];
	uint64_t place;

	if (store_text_fits(out, text.n))
		place = store_text_append(out, ord, text);
	else if (store_text_put(s, !s->direct, r->id, FIELD_RAW, out, ord, text, &place, err) != OK)
		return err->code;
	return store_packed_place(s, r, FIELD_RAW, ord, place, packed, err);
}

/* store_said_find(), where the text is the one that came with the set before, as most are. */
static inline uint32_t store_said(struct store *s, uint32_t set, struct str text)
{
	const struct said *d = &s->said;
	uint32_t said = set < d->usual.n ? d->usual.v[set] - 1 : SAID_NONE;

	return said != SAID_NONE && str_eq(d->texts.keys.v[said], text)
		   ? said
		   : store_said_find(s, set, text);
}

/* The place + 1 of a text that the stream has; 0 = it has not. */
static inline uint32_t store_said_at(const struct store *s, const struct said_places *known,
				     uint32_t said)
{
	return known->epoch == s->said.epoch ? dense_u32(&known->at, said) : 0;
}

static inline enum status store_packed_extracted(struct store *s, struct run_in *r, uint32_t ord,
						 uint32_t said, struct str text,
						 struct packed *packed, struct err *err)
{
	uint64_t place;

	packed->place[FIELD_EXTRACTED] = store_said_at(s, &r->said, said);
	if (packed->place[FIELD_EXTRACTED])
		return OK;
	if (store_said_put(s, !s->direct, r->id, &r->text[FIELD_EXTRACTED], &r->said, said, text,
			   &place, err) != OK)
		return err->code;
	return store_packed_place(s, r, FIELD_EXTRACTED, ord, place, packed, err);
}

#endif
