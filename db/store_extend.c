/* Texts of the file behind those of a stored run, and where each sample's then is. */
#include "db/store_merge.h"

/* The file's place, else the project's, unless that was a failure's. */
static uint64_t place_at(const struct merge *m, const struct dense *place, const struct column *old,
			 uint32_t i)
{
	uint64_t at = i < place->n ? dense_at(place, const uint64_t, i) : COLUMN_NONE;

	return at == COLUMN_NONE && old->n && !(m->state && m->state[i] == STATE_AGAIN)
		   ? column_u(old, i)
		   : at;
}

enum status store_places_write(struct store *s, const struct merge *m, enum text_field field,
			       const struct dense *place, struct err *err)
{
	const struct column *old = &m->old.place[field];
	uint32_t n = store_n_samples(s);
	uint64_t max = 0;
	struct column col;
	enum status rc;
	bool any = false;

	if (!place->n && !old->n)
		return OK;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = place_at(m, place, old, i);

		max = at != COLUMN_NONE && at > max ? at : max;
		any |= at != COLUMN_NONE;
	}
	if (!any && !m->count[STATE_AGAIN])
		return OK;
	if (store_column(&col, dtype_for(max), n, err) != OK)
		return err->code;
	for (uint32_t i = 0; i < n; i++) {
		uint64_t at = place_at(m, place, old, i);

		if (at != COLUMN_NONE)
			column_set_u(&col, i, at);
	}
	rc = column_store(s->c, OWNER_RUN, m->id, store_field_column[field], &col, err);
	column_release(&col);
	return rc;
}

struct moving { /* entries of samples that are new to a stored run */
	struct store *s;
	const struct merge *m;
	enum text_field field;
	struct text_out out;
	struct dense place;
	struct said_places said; /* of a shared field: what the run's stream has */
};

static enum status move_text(struct moving *mv, uint32_t ord, const struct text_entry *e,
			     struct err *err)
{
	uint64_t *place;

	if (ord >= store_n_samples(mv->s) || !store_adds(mv->m, ord) ||
	    (mv->m->stage && !store_stage_takes(mv->m, mv->field, ord)))
		return OK;
	if (store_dense_reach(&mv->place, ord, store_n_samples(mv->s), err) != OK)
		return err->code;
	place = &dense_at(&mv->place, uint64_t, ord);
	if (store_field_shared(mv->field))
		return store_said_share(mv->s, mv->m->id, &mv->out, &mv->said, e->text, place, err);
	return store_text_put(mv->s, false, mv->m->id, mv->field, &mv->out, ord, e->text, place,
			      err);
}

static enum status move_entry(void *ctx, const struct text_entry *e, struct err *err)
{
	for (size_t i = 0; i < e->n; i++)
		if (move_text(ctx, e->ords[i], e, err) != OK)
			return err->code;
	return OK;
}

/* What the run has said before, to be shared by those that come. */
static enum status learn_entry(void *ctx, const struct text_entry *e, struct err *err)
{
	struct moving *mv = ctx;
	uint32_t said;

	if (!e->shared)
		return OK;
	said = store_said_find(mv->s, SAID_NONE, e->text);
	return store_said_learn(mv->s, &mv->said, said, e->place, err);
}

static enum status learn_stored(struct moving *mv, struct err *err)
{
	const struct text_stream from = {false, mv->m->old.id, mv->field, NULL};
	const struct text_visit visit = {mv, learn_entry};

	return store_field_shared(mv->field) && mv->m->old.id
		   ? store_text_each(mv->s, &from, &visit, err)
		   : OK;
}

enum status store_text_extend(struct store *s, const struct merge *m, enum text_field field,
			      struct err *err)
{
	struct moving mv = {.s = s, .m = m, .field = field, .place = DENSE(uint64_t, 0xff),
			    .said = SAID_PLACES};
	struct text_visit visit = {&mv, move_entry};
	struct column place = store_places_column(&m->in->place[field]);
	struct text_stream from = {!s->direct, m->in->id, field, &place};
	enum status rc = learn_stored(&mv, err);

	mv.out.start = m->old.end[field];
	if (rc == OK)
		rc = store_text_each(s, &from, &visit, err);
	if (rc == OK)
		rc = store_text_flush(s, false, m->id, field, &mv.out, err);
	if (rc == OK && (mv.place.n || m->count[STATE_AGAIN]))
		rc = store_places_write(s, m, field, &mv.place, err);
	store_text_release(&mv.out);
	store_dense_release(&mv.place);
	store_dense_release(&mv.said.at);
	return rc;
}
