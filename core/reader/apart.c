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
	facets[out.n_facets++] = (struct rec_facet){STR("task"), a->task, NAN, false};
	out.facets = facets;
	out.key = key_of(a, s->key);
	return out;
}

static enum status pass_class(struct sink *s, const struct rec_class *r, struct err *err)
{
	return sink_class(self(s)->next, r, err);
}

static enum status pass_pair(struct sink *s, const struct rec_pair *r, struct err *err)
{
	return sink_pair(self(s)->next, r, err);
}

static enum status pass_tree(struct sink *s, const struct rec_tree *r, struct err *err)
{
	return sink_tree(self(s)->next, r, err);
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct rec_sample copy = moved(self(s), r);
	enum status st = sink_sample(self(s)->next, &copy, err);

	arena_clear(&self(s)->arena);
	return st;
}

static enum status pass_run(struct sink *s, const struct rec_run *r, uint32_t *run, struct err *err)
{
	return sink_run(self(s)->next, r, run, err);
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
	st = sink_prediction(self(s)->next, &copy, err);
	arena_clear(&self(s)->arena);
	return st;
}

static enum status add_plains(struct sink *s, const struct rec_plain *const *v, size_t n, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < n && st == OK; i++) {
		struct rec_plain copy = *v[i];

		copy.key = key_of(self(s), copy.key);
		st = sink_plain(self(s)->next, &copy, err);
		arena_clear(&self(s)->arena);
	}
	return st;
}

static enum status pass_preset(struct sink *s, struct str preset, struct err *err)
{
	return sink_preset(self(s)->next, preset, err);
}

static enum status pass_reference(struct sink *s, const struct rec_reference *r, struct err *err)
{
	return sink_reference(self(s)->next, r, err);
}

static bool wants_samples(const struct sink *s)
{
	return sink_wants_samples(((const struct apart *)s)->next);
}

static const struct sink_ops ops = {
    .add_class = pass_class,
    .add_pair = pass_pair,
    .add_tree = pass_tree,
    .add_sample = add_sample,
    .add_run = pass_run,
    .add_prediction = add_prediction,
    .set_preset = pass_preset,
    .wants_samples = wants_samples,
    .add_plains = add_plains,
    .add_reference = pass_reference,
};

struct sink *apart_init(struct apart *a, struct str task, struct sink *next)
{
	*a = (struct apart){.sink = {&ops}, .task = task, .next = next};
	return &a->sink;
}

void apart_release(struct apart *a)
{
	arena_release(&a->arena);
}
