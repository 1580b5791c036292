#include "db/store_packed.h"

#define SAID_MOST  65536
#define SAID_BYTES ((size_t)8 << 20)
#define SAID_LONG  STORE_NAME_MAX /* what is longer is no name, and hardly said twice */

static void forget(struct said *d)
{
	intern_release(&d->texts);
	vec_clear(&d->mix);
	vec_clear(&d->usual);
	d->bytes = 0;
	d->epoch++;
}

static uint32_t number_of(struct said *d, struct str text)
{
	bool full = d->texts.keys.n >= SAID_MOST || d->bytes >= SAID_BYTES, added;
	uint32_t said = full ? intern_find(&d->texts, text) : INTERN_NONE;

	if (said != INTERN_NONE)
		return said;
	if (full)
		forget(d);
	said = intern_put(&d->texts, text, &added);
	if (added) {
		vec_push(&d->mix, store_text_mix(FIELD_EXTRACTED, text));
		d->bytes += text.n;
	}
	return said;
}

uint32_t store_said_find(struct store *s, uint32_t set, struct str text)
{
	struct said *d = &s->said;
	uint32_t said;

	if (text.n > SAID_LONG)
		return SAID_NONE;
	said = number_of(d, text);
	if (set == SAID_NONE)
		return said;
	while (d->usual.n <= set)
		vec_push(&d->usual, 0);
	d->usual.v[set] = said + 1;
	return said;
}

enum status store_said_learn(const struct store *s, struct said_places *known, uint32_t said,
			     uint64_t place, struct err *err)
{
	if (known->epoch != s->said.epoch)
		store_dense_release(&known->at);
	known->epoch = s->said.epoch;
	if (said == SAID_NONE || place >= UINT32_MAX)
		return OK;
	if (store_dense_reach(&known->at, said, 0, err) != OK)
		return err->code;
	dense_at(&known->at, uint32_t, said) = (uint32_t)place + 1;
	return OK;
}

enum status store_said_put(struct store *s, bool stage, int64_t run, struct text_out *out,
			   struct said_places *known, uint32_t said, struct str text,
			   uint64_t *place, struct err *err)
{
	if (store_text_put(s, stage, run, FIELD_EXTRACTED, out, 0, text, place, err) != OK)
		return err->code;
	return store_said_learn(s, known, said, *place, err);
}

enum status store_said_share(struct store *s, int64_t run, struct text_out *out,
			     struct said_places *known, struct str text, uint64_t *place,
			     struct err *err)
{
	uint32_t said = store_said_find(s, SAID_NONE, text), at = store_said_at(s, known, said);

	*place = (uint64_t)at - 1;
	return at ? OK : store_said_put(s, false, run, out, known, said, text, place, err);
}

void store_said_release(struct said *d)
{
	intern_release(&d->texts);
	vec_release(&d->mix);
	vec_release(&d->usual);
}
