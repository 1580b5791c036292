#include "core/reader/apart.h"

#include <string.h>

static struct apart *self(struct sink *s)
{
	return (struct apart *)s;
}

/* A row without a key stays one: it is reported as such. */
static struct str key_of(struct apart *a, struct str key)
{
	return key.n ? str_z(arena_printf(&a->arena, "%.*s:%.*s", STR_ARG(a->task), STR_ARG(key)))
		     : key;
}

static struct rec_sample moved(struct apart *a, const struct rec_sample *s)
{
	struct rec_sample out = *s;
	struct rec_facet *facets = arena_alloc(&a->arena, (s->n_facets + 1) * sizeof *facets);

	if (s->n_facets)
		memcpy(facets, s->facets, s->n_facets * sizeof *facets);
	for (size_t i = 0; i < s->n_facets; i++) /* named by one of its questions (vlmeval.h) */
		if (str_eqz(facets[i].name, "g_index") && !facets[i].numeric)
			facets[i].value = key_of(a, facets[i].value);
	facets[out.n_facets++] = (struct rec_facet){STR("task"), a->task, NAN, false};
	out.facets = facets;
	out.key = key_of(a, s->key);
	return out;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct rec_sample copy = moved(self(s), r);
	enum status st = sink_sample(through_next(s), &copy, err);

	arena_clear(&self(s)->arena);
	return st;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	struct rec_prediction copy = *r;
	struct rec_sample sample;
	enum status st;

	copy.key = key_of(self(s), r->key);
	if (r->sample) {
		sample = moved(self(s), r->sample);
		copy.sample = &sample;
	}
	st = sink_prediction(through_next(s), &copy, err);
	arena_clear(&self(s)->arena);
	return st;
}

static enum status add_plains(struct sink *s, const struct rec_plain *v, size_t n, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < n && st == OK; i++) {
		struct rec_plain copy = v[i];

		copy.key = key_of(self(s), copy.key);
		st = sink_plain(through_next(s), &copy, err);
		arena_clear(&self(s)->arena);
	}
	return st;
}

static const struct sink_ops ops = {
    THROUGH_OPS,
    .add_sample = add_sample,
    .add_prediction = add_prediction,
    .set_preset = through_preset,
    .add_plains = add_plains,
};

struct sink *apart_init(struct apart *a, struct str task, struct sink *next)
{
	*a = (struct apart){.through = {{&ops}, next}, .task = task};
	return &a->through.sink;
}

void apart_release(struct apart *a)
{
	arena_release(&a->arena);
}
