/*
 * Plain predictions, which most files consist of, by the shortest way: what store_prediction_add()
 * would make of the same record, to the bit.
 */
#include "db/store_packed.h"

#define AT_ONCE INTERN_MANY /* so many are on their way into the cache together */

static uint32_t set_of(struct store *s, const struct rec_plain *p)
{
	if (!*p->memo)
		*p->memo = store_set_add(s, OUTCOME_ANSWERED, p->name, 1, NULL, false) + 1;
	return *p->memo;
}

/* Into its place, and the number's part of the hash; one that does not fit is none, as everywhere. */
static inline uint64_t pack_number(struct run_in *r, size_t which, bool fits, double v,
				   struct packed *out)
{
	const struct number_in *n = &r->numbers.v[which];

	out->number[which] = fits ? store_number_bits(n->dtype, v) : UINT32_MAX;
	return fits ? store_number_mix(n->salt, n->dtype, v) : 0;
}

/* All but the places of its texts; not a byte of it is written and read again on the way. *said:
 * the number of what was extracted. */
static inline void pack(struct store *s, struct run_in *r, const struct rec_plain *p,
			struct str extracted, struct packed *out, uint32_t *said)
{
	uint32_t set = set_of(s, p);
	uint64_t hash = store_text_mix(FIELD_RAW, p->raw);
	bool counted = p->tokens >= 0 && p->tokens < UINT32_MAX;

	*said = extracted.n ? store_said(s, set - 1, extracted) : SAID_NONE;
	hash ^= *said != SAID_NONE ? s->said.mix.v[*said]
				   : store_text_mix(FIELD_EXTRACTED, extracted);
	hash ^= pack_number(r, NUMBER_SCORE, isfinite(p->score), p->score, out);
	hash ^= pack_number(r, NUMBER_LATENCY, isfinite(p->latency_ms), p->latency_ms, out);
	hash ^= pack_number(r, NUMBER_TOKENS, counted, (double)p->tokens, out);
	out->hash = hash;
	out->set = set;
}

static inline enum status keep(struct store *s, struct run_in *r, uint32_t ord, struct packed *now,
			const struct rec_plain *p, struct str extracted, uint32_t said,
			struct err *err)
{
	if (p->raw.n && store_packed_raw(s, r, ord, p->raw, now, err) != OK)
		return err->code;
	if (extracted.n && store_packed_extracted(s, r, ord, said, extracted, now, err) != OK)
		return err->code;
	r->has_number[NUMBER_SCORE] |= isfinite(p->score);
	r->has_number[NUMBER_LATENCY] |= isfinite(p->latency_ms);
	r->has_number[NUMBER_TOKENS] |= p->tokens >= 0 && p->tokens < UINT32_MAX;
	r->n++;
	return OK;
}

static void again(struct store *s, struct run_in *r, uint32_t ord, const struct rec_plain *p,
		  struct str extracted)
{
	struct packed now = {0};
	uint32_t said;

	pack(s, r, p, extracted, &now, &said);
	store_repeated(s, r, ord, &now, p->src, p->key);
}

/* ord: of its sample, INTERN_NONE when no key is this one to the byte. */
static enum status add(struct store *s, const struct rec_plain *p, uint32_t ord, struct err *err)
{
	bool same = !p->extracted.p || str_eq(p->extracted, p->raw);
	struct str extracted = same ? STR_NONE : p->extracted;
	struct packed *packed = NULL;
	struct run_in *r;
	uint32_t said;

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
	if (packed->set) {
		again(s, r, ord, p, extracted);
		return OK;
	}
	pack(s, r, p, extracted, packed, &said);
	return keep(s, r, ord, packed, p, extracted, said, err);
}

/* Where the answer goes, and its texts, which lie where another core left them. */
static inline void fetch(const struct store *s, const struct rec_plain *p, uint32_t ord)
{
	__builtin_prefetch(p->extracted.p);
	__builtin_prefetch(p->raw.p);
	__builtin_prefetch(p->raw.p + 64);
	if (p->run < s->runs.n && ord < s->runs.v[p->run].packed.n) {
		const struct packed *to = &dense_at(&s->runs.v[p->run].packed, const struct packed, ord);

		__builtin_prefetch(to, 1);
		__builtin_prefetch((const char *)(to + 1) - 1, 1); /* it may begin in one line and end in the next */
	}
}

/* What store_sample_find() finds where samples come in no order. */
static void find_astray(struct store *s, const struct rec_plain *v, size_t n, uint32_t *ord)
{
	struct samples *sm = &s->samples;
	struct str keys[AT_ONCE];

	for (size_t i = 0; i < n; i++)
		keys[i] = v[i].key;
	intern_index(&sm->keys);
	intern_find_many(&sm->keys, keys, n, ord);
	sm->astray = n < 2 || ord[n - 1] != ord[n - 2] + 1;
	if (ord[n - 1] != INTERN_NONE)
		sm->next = ord[n - 1] + 1;
}

static enum status add_few(struct store *s, const struct rec_plain *v, size_t n,
			   struct err *err)
{
	bool by_place = store_joins_by_place(s);
	uint32_t ord[AT_ONCE];
	enum status st = OK;

	if (s->samples.astray && !by_place)
		find_astray(s, v, n, ord);
	else
		for (size_t i = 0; i < n; i++)
			ord[i] = by_place ? INTERN_NONE : store_sample_find(s, v[i].key);
	for (size_t i = 0; i < n; i++)
		fetch(s, &v[i], ord[i]);
	for (size_t i = 0; i < n && st == OK; i++)
		st = add(s, &v[i], ord[i], err);
	return st;
}

enum status store_plains_add(struct store *s, const struct rec_plain *v, size_t n,
			     struct err *err)
{
	enum status st = store_samples_load(s, err);

	for (size_t i = 0; i < n && st == OK; i += AT_ONCE)
		st = add_few(s, v + i, n - i < AT_ONCE ? n - i : AT_ONCE, err);
	return st;
}
