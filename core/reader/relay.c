#include "core/reader/relay.h"

#define NAMES_MAX      ((size_t)UINT16_MAX)
#define NAME_MAX_BYTES 256
#define NO_NAME	       UINT32_MAX

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

/* The same, but what lies in the source stays there. */
static inline void keep_far_text(struct relay *r, struct str *s)
{
	if (s->p && (uintptr_t)s->p - (uintptr_t)r->source.p > r->source.n)
		keep_text(&r->arena, s);
}

/* Names of layers and facets, which are the columns'. Where threads scan these outlast the relay. */
static inline void keep_lasting_text(struct relay *r, struct str *s)
{
	if (!r->names)
		keep_far_text(r, s);
}

/* For copies of a few small records, which are made one by one: there are too few to call for. */
static inline void *room_for(struct relay *r, size_t n, size_t size)
{
	return n ? arena_alloc(&r->arena, n * size) : NULL;
}

static struct str *keep_texts(struct relay *r, const struct str *texts, size_t n)
{
	struct str *copy = room_for(r, n, sizeof *copy);

	for (size_t i = 0; i < n; i++) {
		copy[i] = texts[i];
		keep_far_text(r, &copy[i]);
	}
	return copy;
}

static struct class_ref *keep_refs(struct relay *r, const struct class_ref *refs, size_t n)
{
	struct class_ref *copy = room_for(r, n, sizeof *copy);

	for (size_t i = 0; i < n; i++) {
		copy[i] = refs[i];
		keep_far_text(r, &copy[i].text);
		keep_far_text(r, &copy[i].scheme);
	}
	return copy;
}

static struct rec_truth *keep_truths(struct relay *r, const struct rec_truth *truths, size_t n)
{
	struct rec_truth *copy = room_for(r, n, sizeof *copy);

	for (size_t i = 0; i < n; i++) {
		copy[i] = truths[i];
		keep_lasting_text(r, &copy[i].layer);
		copy[i].refs = keep_refs(r, truths[i].refs, truths[i].n_refs);
		if (truths[i].votes)
			copy[i].votes = keep(&r->arena, truths[i].votes, truths[i].n_refs,
					     sizeof *truths[i].votes);
	}
	return copy;
}

static struct rec_facet *keep_facets(struct relay *r, const struct rec_facet *facets, size_t n)
{
	struct rec_facet *copy = room_for(r, n, sizeof *copy);

	for (size_t i = 0; i < n; i++) {
		copy[i] = facets[i];
		keep_lasting_text(r, &copy[i].name);
		keep_far_text(r, &copy[i].value);
	}
	return copy;
}

static struct rec_sample *keep_sample(struct relay *r, const struct rec_sample *rec)
{
	struct rec_sample *s = room_for(r, 1, sizeof *s);

	*s = *rec;
	keep_far_text(r, &s->key);
	keep_far_text(r, &s->text);
	keep_far_text(r, &s->extra);
	s->paths = keep_texts(r, rec->paths, rec->n_paths);
	s->options = keep_texts(r, rec->options, rec->n_options);
	s->facets = keep_facets(r, rec->facets, rec->n_facets);
	s->truths = keep_truths(r, rec->truths, rec->n_truths);
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
	c->aliases = keep_texts(r, rec->aliases, rec->n_aliases);
	c->codes = (const struct str(*)[2])codes;
	vec_push(&r->list, ((struct relay_entry){RELAY_CLASS, {.class = c}}));
	return OK;
}

static enum status add_sample(struct sink *sink, const struct rec_sample *rec, struct err *err)
{
	struct relay *r = (struct relay *)sink;
	struct rec_sample *s = keep_sample(r, rec);

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

/* Texts of a prediction and of its refs, copied one behind the other. */
struct copying {
	char *at;
};

static void copy_text(struct copying *c, struct str *s)
{
	if (s->n)
		memcpy(c->at, s->p, s->n);
	if (s->p)
		s->p = c->at;
	c->at += s->n;
}

static size_t ref_bytes(const struct rec_prediction *p)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n_refs; i++)
		n += p->refs[i].text.n + p->refs[i].scheme.n;
	return n;
}

/* --- names that are answered over and over --- */

/* NO_NAME: there is no room. */
static uint32_t new_name(struct relay_names *t, struct str name)
{
	struct class_ref *ref;
	uint32_t id = t->names.keys.n < NAMES_MAX ? intern_add(&t->names, name)
						  : intern_find(&t->names, name);

	if (id == INTERN_NONE)
		return NO_NAME;
	if (id == t->refs.n) {
		ref = arena_alloc(&t->arena, sizeof *ref);
		*ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = intern_key(&t->names, id)};
		vec_push(&t->refs, ref);
	}
	return id;
}

/* Does not look at what the entry points to unless the name is long. */
static inline bool is_name(const struct relay_names *t, const struct relay_known *k,
			   const struct relay_known *want, const char *text)
{
	return k->head == want->head && k->tail == want->tail && k->n == want->n &&
	       (k->n <= 16 || memcmp(t->refs.v[k->next_name - 1]->text.p, text, k->n) == 0);
}

/* A name of NAME_MAX_BYTES at most; NO_NAME: there is no room. */
static uint32_t find_name(struct relay_names *t, struct str name)
{
	struct relay_known want = {.n = (uint32_t)name.n}, *k = NULL;
	uint64_t hash;

	if (name.n >= 8) {
		memcpy(&want.head, name.p, 8);
		memcpy(&want.tail, name.p + name.n - 8, 8);
	} else if (name.n) {
		memcpy(&want.head, name.p, name.n);
	}
	if (!t->known) {
		t->known = xcalloc(RELAY_PLACES, sizeof *t->known);
		t->memos = xcalloc(NAMES_MAX, sizeof *t->memos);
	}
	hash = (want.head ^ want.tail * 0x9e3779b97f4a7c15u ^ name.n) * 0xa0761d6478bd642fu;
	hash >>= 48; /* all bits meet at the top */
	for (uint64_t i = 0; i < 4; i++) {
		k = &t->known[(hash + i) % RELAY_PLACES];
		if (!k->next_name)
			break;
		if (is_name(t, k, &want, name.p))
			return k->next_name - 1;
	}
	want.next_name = new_name(t, name) + 1; /* NO_NAME + 1 = 0: the place is free */
	*k = want;
	return want.next_name - 1;
}

/* NO_NAME also for another kind of answer. */
static uint32_t name_of(struct relay *r, const struct rec_prediction *p)
{
	if (p->outcome != OUTCOME_ANSWERED || p->n_refs != 1 || p->refs->kind != CLASS_BY_NAME ||
	    p->refs->scheme.n || p->refs->text.n > NAME_MAX_BYTES)
		return NO_NAME;
	return find_name(r->names, p->refs->text);
}

/* --- predictions --- */

/* There are millions of these: one bump of the arena each. */
static enum status add_prediction(struct sink *sink, const struct rec_prediction *rec,
				  struct err *err)
{
	struct relay *r = (struct relay *)sink;
	uint32_t name = name_of(r, rec);
	bool known = name != NO_NAME;
	size_t n_refs = known ? 0 : rec->n_refs;
	size_t texts = rec->key.n + rec->raw.n + rec->extracted.n + rec->steps.n + rec->marks.n +
		       rec->error.n + rec->details.n + rec->people.n + (known ? 0 : ref_bytes(rec));
	struct rec_prediction *p =
	    arena_alloc(&r->arena, sizeof *p + n_refs * sizeof *rec->refs + texts);
	struct class_ref *refs = (struct class_ref *)(p + 1);
	struct copying c = {(char *)(refs + n_refs)};
	struct rec_number *numbers = keep(&r->arena, rec->numbers, rec->n_numbers, sizeof *numbers);

	(void)err;
	*p = *rec;
	copy_text(&c, &p->key);
	copy_text(&c, &p->raw);
	copy_text(&c, &p->extracted);
	copy_text(&c, &p->steps);
	copy_text(&c, &p->marks);
	copy_text(&c, &p->error);
	copy_text(&c, &p->details);
	copy_text(&c, &p->people);
	for (size_t i = 0; i < n_refs; i++) {
		refs[i] = rec->refs[i];
		copy_text(&c, &refs[i].text);
		copy_text(&c, &refs[i].scheme);
	}
	for (size_t i = 0; i < rec->n_numbers; i++)
		keep_text(&r->arena, &numbers[i].name);
	p->refs = known ? r->names->refs.v[name] : refs;
	p->memo = known ? &r->names->memos[name] : NULL;
	p->numbers = numbers;
	p->sample = rec->sample ? keep_sample(r, rec->sample) : NULL;
	vec_push(&r->list, ((struct relay_entry){RELAY_PREDICTION, {.prediction = p}}));
	return OK;
}

static struct rec_plain *plain_room(struct sink *sink)
{
	struct relay *r = (struct relay *)sink;

	vec_reserve(&r->plains, PLAINS_AT_ONCE);
	return r->plains.v + r->plains.n;
}

/* false: its name cannot be kept. */
static inline bool keep_plain(struct relay *r, struct rec_plain *p)
{
	struct str text = p->name->text;
	uint32_t name = text.n <= NAME_MAX_BYTES ? find_name(r->names, text) : NO_NAME;

	if (name == NO_NAME)
		return false;
	keep_far_text(r, &p->key);
	keep_far_text(r, &p->raw);
	keep_far_text(r, &p->extracted);
	p->name = r->names->refs.v[name];
	p->memo = &r->names->memos[name];
	return true;
}

static void put_plains(struct relay *r, size_t from, size_t n)
{
	struct relay_entry *last = r->list.n ? &r->list.v[r->list.n - 1] : NULL;
	struct relay_entry e = {.kind = RELAY_PLAIN};

	if (!n)
		return;
	if (last && !r->parted && last->kind == RELAY_PLAIN &&
	    last->rec.plain.from + last->rec.plain.n == from) {
		last->rec.plain.n += (uint32_t)n;
		return;
	}
	e.rec.plain.from = (uint32_t)from;
	e.rec.plain.n = (uint32_t)n;
	vec_push(&r->list, e);
	r->parted = false;
}

/* There are tens of millions of these. What was made in the room stays there. */
static enum status add_plains(struct sink *sink, const struct rec_plain *v, size_t n,
			      struct err *err)
{
	struct relay *r = (struct relay *)sink;
	size_t from = r->plains.n, at = from;
	struct rec_prediction whole;

	vec_reserve(&r->plains, n);
	if (v != r->plains.v + from)
		memcpy(r->plains.v + from, v, n * sizeof *v);
	r->plains.n += n;
	for (; at < r->plains.n; at++) {
		if (keep_plain(r, &r->plains.v[at]))
			continue;
		put_plains(r, from, at - from);
		rec_prediction_of_plain(&r->plains.v[at], &whole);
		add_prediction(sink, &whole, err);
		from = at + 1;
	}
	put_plains(r, from, at - from);
	return OK;
}

static bool wants_samples(const struct sink *sink)
{
	return ((const struct relay *)sink)->wants_samples;
}

/* The generic reader makes no other calls. */
static const struct sink_ops ops = {
    .add_class = add_class,
    .add_sample = add_sample,
    .add_run = add_run,
    .add_prediction = add_prediction,
    .wants_samples = wants_samples,
    .add_plains = add_plains,
    .plain_room = plain_room,
};

void relay_init(struct relay *r)
{
	*r = (struct relay){.sink = {&ops}};
}

void relay_clear(struct relay *r)
{
	arena_clear(&r->arena);
	vec_clear(&r->list);
	vec_clear(&r->plains);
}

void relay_part(struct relay *r)
{
	r->parted = true;
}

void relay_release(struct relay *r)
{
	arena_release(&r->arena);
	arena_release(&r->run_arena);
	vec_release(&r->list);
	vec_release(&r->plains);
	vec_release(&r->runs);
}

void relay_names_release(struct relay_names *t)
{
	intern_release(&t->names);
	vec_release(&t->refs);
	arena_release(&t->arena);
	free(t->known);
	free(t->memos);
}
