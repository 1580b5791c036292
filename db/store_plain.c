/*
 * Plain predictions, which most files consist of, by the shortest way: what store_prediction_add()
 * would make of the same record, to the bit.
 */
#include "db/store_internal.h"

static uint32_t set_of(struct store *s, const struct rec_plain *p)
{
	if (!*p->memo)
		*p->memo = store_set_add(s, OUTCOME_ANSWERED, p->name, 1, NULL, false) + 1;
	return *p->memo;
}

/* Files go through the samples in order. */
static inline enum status find_sample(struct store *s, const struct rec_plain *p, uint32_t *ord,
				      struct err *err)
{
	struct samples *sm = &s->samples;

	if (sm->next >= sm->keys.keys.n || !str_eq(sm->keys.keys.v[sm->next], p->key))
		return store_sample_known(s, p->src, p->key, ord, err);
	*ord = sm->next++;
	return OK;
}

/* One that does not fit is none, as everywhere. */
static inline void pack_number(const struct run_in *r, size_t which, bool fits, double v, struct packed *out)
{
	const struct number_in *n = &r->numbers.v[which];

	if (!fits)
		return;
	out->number[which] = store_number_bits(n->dtype, v);
	out->hash ^= store_number_mix(n->salt, n->dtype, v);
}

static inline struct packed pack(struct store *s, const struct run_in *r, const struct rec_plain *p,
			  struct str extracted)
{
	struct packed out = {.set = set_of(s, p),
			     .number = {UINT32_MAX, UINT32_MAX, UINT32_MAX}};

	out.hash = store_text_mix(FIELD_RAW, p->raw) ^ store_text_mix(FIELD_EXTRACTED, extracted);
	pack_number(r, NUMBER_SCORE, isfinite(p->score), p->score, &out);
	pack_number(r, NUMBER_LATENCY, isfinite(p->latency_ms), p->latency_ms, &out);
	pack_number(r, NUMBER_TOKENS, p->tokens >= 0 && p->tokens < UINT32_MAX, (double)p->tokens,
		    &out);
	return out;
}

static inline enum status keep(struct store *s, struct run_in *r, uint32_t ord, struct packed *now,
			const struct rec_plain *p, struct str extracted, struct err *err)
{
	if (p->raw.n && store_packed_text(s, r, FIELD_RAW, ord, p->raw, now, err) != OK)
		return err->code;
	if (extracted.n && store_packed_text(s, r, FIELD_EXTRACTED, ord, extracted, now, err) != OK)
		return err->code;
	for (size_t k = 0; k < PACKED_NUMBERS; k++)
		r->has_number[k] |= now->number[k] != UINT32_MAX;
	r->n++;
	return OK;
}

enum status store_plain_add(struct store *s, const struct rec_plain *p, struct err *err)
{
	bool same = !p->extracted.p || str_eq(p->extracted, p->raw);
	struct str extracted = same ? STR_NONE : p->extracted;
	struct packed *packed = NULL, now;
	struct run_in *r;
	uint32_t ord;

	if (p->run >= s->runs.n)
		return err_set(err, E_FORMAT, "an answer belongs to no run");
	if (find_sample(s, p, &ord, err) != OK)
		return err->code;
	if (ord == INTERN_NONE)
		return OK;
	r = &s->runs.v[p->run];
	if (store_packed_at(s, r, ord, &packed, err) != OK)
		return err->code;
	now = pack(s, r, p, extracted);
	if (packed->set) {
		store_repeated(s, r, packed, &now, p->src, p->key);
		return OK;
	}
	if (keep(s, r, ord, &now, p, extracted, err) != OK)
		return err->code;
	*packed = now;
	return OK;
}
