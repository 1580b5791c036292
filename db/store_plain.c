/*
 * Plain predictions, which most files consist of, by the shortest way: what store_prediction_add()
 * would make of the same record, to the bit.
 */
#include "db/store_internal.h"

#define AT_ONCE 16 /* so many are on their way into the cache together */

static uint32_t set_of(struct store *s, const struct rec_plain *p)
{
	if (!*p->memo)
		*p->memo = store_set_add(s, OUTCOME_ANSWERED, p->name, 1, NULL, false) + 1;
	return *p->memo;
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

/* ord: of its sample, INTERN_NONE when no key is this one to the byte. */
static enum status add(struct store *s, const struct rec_plain *p, uint32_t ord, struct err *err)
{
	bool same = !p->extracted.p || str_eq(p->extracted, p->raw);
	struct str extracted = same ? STR_NONE : p->extracted;
	struct packed *packed = NULL, now;
	struct run_in *r;

	if (p->run >= s->runs.n)
		return err_set(err, E_FORMAT, "an answer belongs to no run");
	if (ord != INTERN_NONE)
		store_count_exact(s);
	else if (store_sample_known(s, &s->runs.v[p->run], p->src, p->key, &ord, err) != OK)
		return err->code;
	if (ord == INTERN_NONE)
		return OK;
	r = &s->runs.v[p->run];
	if (store_packed_at(s, r, ord, &packed, err) != OK)
		return err->code;
	now = pack(s, r, p, extracted);
	if (packed->set) {
		store_repeated(s, r, ord, &now, p->src, p->key);
		return OK;
	}
	if (keep(s, r, ord, &now, p, extracted, err) != OK)
		return err->code;
	*packed = now;
	return OK;
}

/* Where the answer goes, and its texts, which lie where another core left them. */
static inline void fetch(const struct store *s, const struct rec_plain *p, uint32_t ord)
{
	__builtin_prefetch(p->extracted.p);
	__builtin_prefetch(p->raw.p);
	__builtin_prefetch(p->raw.p + 64);
	if (p->run < s->runs.n && ord < s->runs.v[p->run].packed.n)
		__builtin_prefetch(
		    &dense_at(&s->runs.v[p->run].packed, const struct packed, ord), 1);
}

static enum status add_few(struct store *s, const struct rec_plain *const *v, size_t n,
			   struct err *err)
{
	bool by_place = store_joins_by_place(s);
	uint32_t ord[AT_ONCE];
	enum status st = OK;

	for (size_t i = 0; s->samples.astray && i < n; i++)
		intern_expect(&s->samples.keys, v[i]->key);
	for (size_t i = 0; i < n; i++) {
		ord[i] = by_place ? INTERN_NONE : store_sample_find(s, v[i]->key);
		fetch(s, v[i], ord[i]);
	}
	for (size_t i = 0; i < n && st == OK; i++)
		st = add(s, v[i], ord[i], err);
	return st;
}

enum status store_plains_add(struct store *s, const struct rec_plain *const *v, size_t n,
			     struct err *err)
{
	enum status st = store_samples_load(s, err);

	for (size_t i = 0; i < n && st == OK; i += AT_ONCE)
		st = add_few(s, v + i, n - i < AT_ONCE ? n - i : AT_ONCE, err);
	return st;
}
