#include "core/reader/recipe.h"
#include "core/reader/through.h"

struct respell {
	struct through through; /* first */
	const struct recipe *recipe;
	struct intern written; /* lower case; by its number: an entry of recipe->spelling */
	struct buf scratch;
	struct arena arena;
};

static struct respell *self(struct sink *s)
{
	return (struct respell *)s;
}

static struct str folded(struct respell *s, struct str text)
{
	text = str_trim(text);
	buf_clear(&s->scratch);
	for (size_t i = 0; i < text.n; i++)
		buf_ch(&s->scratch, text.p[i] >= 'A' && text.p[i] <= 'Z' ? (char)(text.p[i] + 32)
									   : text.p[i]);
	return buf_view(&s->scratch);
}

/* Digits and WordNet ids may be a way of writing a class too: what names one is written there. */
static bool spelt(struct respell *s, const struct class_ref *in, struct class_ref *out)
{
	uint32_t at = in->text.n ? intern_find(&s->written, folded(s, in->text)) : INTERN_NONE;
	char number[24];

	if (at == INTERN_NONE && in->kind == CLASS_BY_INDEX) {
		snprintf(number, sizeof number, "%lld", (long long)in->index);
		at = intern_find(&s->written, str_z(number));
	}
	*out = *in;
	if (at != INTERN_NONE)
		*out = (struct class_ref){.kind = CLASS_BY_NAME,
					  .text = s->recipe->spelling.v[at].name};
	return at != INTERN_NONE;
}

static const struct class_ref *spell_all(struct respell *s, const struct class_ref *in, size_t n)
{
	struct class_ref *out = arena_alloc(&s->arena, (n + 1) * sizeof *out);

	for (size_t i = 0; i < n; i++)
		spelt(s, &in[i], &out[i]);
	return out;
}

static struct rec_sample spell_sample(struct respell *s, const struct rec_sample *r)
{
	struct rec_sample out = *r;
	struct rec_truth *truths = arena_alloc(&s->arena, (r->n_truths + 1) * sizeof *truths);

	for (size_t i = 0; i < r->n_truths; i++) {
		truths[i] = r->truths[i];
		truths[i].refs = spell_all(s, r->truths[i].refs, r->truths[i].n_refs);
	}
	out.truths = truths;
	return out;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct rec_sample copy = spell_sample(self(s), r);
	enum status st = sink_sample(through_next(s), &copy, err);

	arena_clear(&self(s)->arena);
	return st;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	struct rec_prediction copy = *r;
	struct rec_sample sample;
	enum status st;

	copy.refs = spell_all(self(s), r->refs, r->n_refs);
	if (r->sample) {
		sample = spell_sample(self(s), r->sample);
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
		struct class_ref name;

		spelt(self(s), copy.name, &name);
		copy.name = &name;
		st = sink_plain(through_next(s), &copy, err);
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

struct respell *respell_new(const struct recipe *r)
{
	struct respell *s = xcalloc(1, sizeof *s);

	s->through.sink.ops = &ops;
	s->recipe = r;
	/* Of two entries for one text the first counts; the others keep the numbers in step. */
	for (size_t i = 0; i < r->spelling.n; i++) {
		struct str text = folded(s, r->spelling.v[i].value);

		if (intern_find(&s->written, text) != INTERN_NONE) {
			buf_printf(&s->scratch, "\n%zu", i);
			text = buf_view(&s->scratch);
		}
		intern_add(&s->written, text);
	}
	return s;
}

struct sink *respell_sink(struct respell *s, struct sink *next)
{
	s->through.next = next;
	return &s->through.sink;
}

void respell_free(struct respell *s)
{
	if (!s)
		return;
	intern_release(&s->written);
	buf_release(&s->scratch);
	arena_release(&s->arena);
	free(s);
}
