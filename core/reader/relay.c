#include "core/reader/relay.h"

/* Every copy is this one: small things, one bump of the arena each. */
static void *keep(struct arena *a, const void *p, size_t count, size_t size)
{
	size_t bytes = count * size; /* of what lies in memory already */
	void *copy;

	if (!count)
		return NULL;
	copy = arena_alloc(a, bytes);
	memcpy(copy, p, bytes);
	return copy;
}

static void keep_text(struct arena *a, struct str *s)
{
	if (s->n)
		s->p = keep(a, s->p, s->n, 1);
	else if (s->p)
		s->p = "";
}

static struct str *keep_texts(struct arena *a, const struct str *texts, size_t n)
{
	struct str *copy = keep(a, texts, n, sizeof *texts);

	for (size_t i = 0; i < n; i++)
		keep_text(a, &copy[i]);
	return copy;
}

static struct class_ref *keep_refs(struct arena *a, const struct class_ref *refs, size_t n)
{
	struct class_ref *copy = keep(a, refs, n, sizeof *refs);

	for (size_t i = 0; i < n; i++) {
		keep_text(a, &copy[i].text);
		keep_text(a, &copy[i].scheme);
	}
	return copy;
}

static struct rec_truth *keep_truths(struct arena *a, const struct rec_truth *truths, size_t n)
{
	struct rec_truth *copy = keep(a, truths, n, sizeof *truths);

	for (size_t i = 0; i < n; i++) {
		keep_text(a, &copy[i].layer);
		copy[i].refs = keep_refs(a, truths[i].refs, truths[i].n_refs);
		if (truths[i].votes)
			copy[i].votes = keep(a, truths[i].votes, truths[i].n_refs,
					     sizeof *truths[i].votes);
	}
	return copy;
}

static struct rec_sample *keep_sample(struct arena *a, const struct rec_sample *rec)
{
	struct rec_sample *s = keep(a, rec, 1, sizeof *rec);
	struct rec_facet *facets = keep(a, rec->facets, rec->n_facets, sizeof *facets);

	keep_text(a, &s->key);
	keep_text(a, &s->text);
	keep_text(a, &s->extra);
	s->paths = keep_texts(a, rec->paths, rec->n_paths);
	s->options = keep_texts(a, rec->options, rec->n_options);
	for (size_t i = 0; i < rec->n_facets; i++) {
		keep_text(a, &facets[i].name);
		keep_text(a, &facets[i].value);
	}
	s->facets = facets;
	s->truths = keep_truths(a, rec->truths, rec->n_truths);
	return s;
}

static enum status add_class(struct sink *sink, const struct rec_class *rec, struct err *err)
{
	struct relay *r = (struct relay *)sink;
	struct rec_class *c = keep(&r->arena, rec, 1, sizeof *rec);
	struct str(*codes)[2] = keep(&r->arena, rec->codes, rec->n_codes, sizeof *codes);

	(void)err;
	for (size_t i = 0; i < rec->n_codes; i++)
		for (int k = 0; k < 2; k++)
			keep_text(&r->arena, &codes[i][k]);
	keep_text(&r->arena, &c->wnid);
	keep_text(&r->arena, &c->name);
	keep_text(&r->arena, &c->parent);
	c->aliases = keep_texts(&r->arena, rec->aliases, rec->n_aliases);
	c->codes = (const struct str(*)[2])codes;
	vec_push(&r->list, ((struct relay_entry){RELAY_CLASS, {.class = c}}));
	return OK;
}

static enum status add_sample(struct sink *sink, const struct rec_sample *rec, struct err *err)
{
	struct relay *r = (struct relay *)sink;
	struct rec_sample *s = keep_sample(&r->arena, rec);

	(void)err;
	vec_push(&r->list, ((struct relay_entry){RELAY_SAMPLE, {.sample = s}}));
	return OK;
}

static enum status add_run(struct sink *sink, const struct rec_run *rec, uint32_t *run,
			   struct err *err)
{
	struct relay *r = (struct relay *)sink;
	struct arena *a = &r->run_arena;
	struct relay_run kept = {*rec, UINT32_MAX};
	struct str *texts[] = {&kept.rec.model,  &kept.rec.protocol, &kept.rec.handle,
			       &kept.rec.title,  &kept.rec.prompt,   &kept.rec.response_format,
			       &kept.rec.encoder, &kept.rec.source,  &kept.rec.settings};

	(void)err;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		keep_text(a, texts[i]);
	*run = (uint32_t)r->runs.n;
	vec_push(&r->runs, kept);
	return OK;
}

static enum status add_prediction(struct sink *sink, const struct rec_prediction *rec,
				  struct err *err)
{
	struct relay *r = (struct relay *)sink;
	struct arena *a = &r->arena;
	struct rec_prediction *p = keep(a, rec, 1, sizeof *rec);
	struct rec_number *numbers = keep(a, rec->numbers, rec->n_numbers, sizeof *numbers);
	struct str *texts[] = {&p->key,   &p->raw,   &p->extracted, &p->steps,
			       &p->marks, &p->error, &p->details};

	(void)err;
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		keep_text(a, texts[i]);
	for (size_t i = 0; i < rec->n_numbers; i++)
		keep_text(a, &numbers[i].name);
	p->numbers = numbers;
	p->refs = keep_refs(a, rec->refs, rec->n_refs);
	p->sample = rec->sample ? keep_sample(a, rec->sample) : NULL;
	vec_push(&r->list, ((struct relay_entry){RELAY_PREDICTION, {.prediction = p}}));
	return OK;
}

/* The generic reader makes no other calls. */
static const struct sink_ops ops = {
    .add_class = add_class,
    .add_sample = add_sample,
    .add_run = add_run,
    .add_prediction = add_prediction,
};

void relay_init(struct relay *r)
{
	*r = (struct relay){.sink = {&ops}};
}

void relay_clear(struct relay *r)
{
	arena_clear(&r->arena);
	vec_clear(&r->list);
}

void relay_release(struct relay *r)
{
	arena_release(&r->arena);
	arena_release(&r->run_arena);
	vec_release(&r->list);
	vec_release(&r->runs);
}
