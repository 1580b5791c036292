#include "core/base/path.h"
#include "core/reader/locate.h"
#include "core/reader/through.h"
#include "core/text/regex.h"

#define MAX_SUBJECT 4096

struct rule {
	struct str name; /* of a facet; of a layer when is_layer */
	bool is_layer;
	regex_t regex;
};

struct derive {
	struct through through; /* first */
	bool memo; /* MEMO-Bench: what `prompt` derives is a layer as well */
	struct rule *rules;
	size_t n;
	struct arena arena;
};

static enum status compile(struct rule *rule, const struct mapping *m, struct err *err)
{
	char *pattern = xstrndup(m->value.p, m->value.n), why[256];
	int rc = regex_make(&rule->regex, pattern, REG_EXTENDED);

	free(pattern);
	rule->name = m->name;
	rule->is_layer = str_starts(m->name, STR("layer:")) && m->name.n > 6;
	if (rule->is_layer)
		rule->name = str_trim((struct str){m->name.p + 6, m->name.n - 6});
	if (!rc)
		return OK;
	regerror(rc, &rule->regex, why, sizeof why);
	return err_set(err, E_USAGE, "--facet %.*s=%.*s: %s", STR_ARG(m->name),
		       (int)(m->value.n < 300 ? m->value.n : 300), m->value.p, why);
}

/* The first group that took part, or the whole match. NULL p: no match. */
static struct str match(struct arena *arena, const regex_t *regex, struct str subject)
{
	regmatch_t m[2];
	char *text;
	size_t at;

	if (!subject.n || subject.n > MAX_SUBJECT)
		return STR_NONE;
	text = arena_strndup(arena, subject.p, subject.n);
	if (regex_match(regex, text, 2, m, 0) != 0)
		return STR_NONE;
	at = regex->re_nsub && m[1].rm_so >= 0 ? 1 : 0;
	return str_trim((struct str){text + m[at].rm_so, (size_t)(m[at].rm_eo - m[at].rm_so)});
}

/* By key, else by the file's name, else by the path, in the order of what people mean by "^". */
static struct str derived(struct derive *d, const struct rule *rule, const struct rec_sample *s)
{
	struct str value = match(&d->arena, &rule->regex, s->key);

	for (size_t i = 0; i < s->n_paths && !value.n; i++) {
		value = match(&d->arena, &rule->regex, path_base(s->paths[i]));
		if (!value.n)
			value = match(&d->arena, &rule->regex, s->paths[i]);
	}
	return value;
}

/* The file's own truth of a layer goes before. */
static bool has_layer(const struct rec_sample *s, struct str layer)
{
	for (size_t i = 0; i < s->n_truths; i++)
		if (str_eq(s->truths[i].layer, layer))
			return true;
	return false;
}

static struct rec_truth truth_of(struct derive *d, struct str layer, struct str value)
{
	struct class_ref *ref = arena_zalloc(&d->arena, 1, sizeof *ref);

	*ref = (struct class_ref){.kind = CLASS_BY_NAME, .text = value};
	return (struct rec_truth){.layer = layer, .refs = ref, .n_refs = 1};
}

/* A copy of s with what is derived behind its own facets and truths. */
static struct rec_sample enriched(struct derive *d, const struct rec_sample *s)
{
	struct rec_sample out = *s;
	struct rec_facet *facets = arena_alloc(&d->arena, (s->n_facets + d->n) * sizeof *facets);
	struct rec_truth *truths = arena_alloc(&d->arena, (s->n_truths + d->n) * sizeof *truths);

	if (s->n_facets)
		memcpy(facets, s->facets, s->n_facets * sizeof *facets);
	if (s->n_truths)
		memcpy(truths, s->truths, s->n_truths * sizeof *truths);
	out.facets = facets;
	out.truths = truths;
	for (size_t i = 0; i < d->n; i++) {
		const struct rule *rule = &d->rules[i];
		bool layer = rule->is_layer || (d->memo && str_eqz(rule->name, "prompt"));
		struct str value = derived(d, rule, s);

		if (value.n && !rule->is_layer)
			facets[out.n_facets++] = (struct rec_facet){rule->name, value, NAN, false};
		if (value.n && layer && !has_layer(&out, rule->name))
			truths[out.n_truths++] = truth_of(d, rule->name, value);
	}
	return out;
}

static struct derive *self(struct sink *s)
{
	return (struct derive *)s;
}

static enum status add_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	struct derive *d = self(s);
	struct rec_sample copy = enriched(d, r);
	enum status st = sink_sample(d->through.next, &copy, err);

	arena_clear(&d->arena);
	return st;
}

static enum status add_prediction(struct sink *s, const struct rec_prediction *r, struct err *err)
{
	struct derive *d = self(s);
	struct rec_prediction copy = *r;
	struct rec_sample sample;
	enum status st;

	if (r->sample) {
		sample = enriched(d, r->sample);
		copy.sample = &sample;
	}
	st = sink_prediction(d->through.next, &copy, err);
	arena_clear(&d->arena);
	return st;
}

static enum status set_preset(struct sink *s, struct str preset, struct err *err)
{
	self(s)->memo = str_eqz(preset, "memo");
	return sink_preset(through_next(s), preset, err);
}

static const struct sink_ops ops = {
    THROUGH_OPS,
    .add_sample = add_sample,
    .add_prediction = add_prediction,
    .set_preset = set_preset,
    .add_plains = through_plains,
    .expect = through_expect,
};

struct derive *derive_new(const struct mapping *facets, size_t n, struct err *err)
{
	struct derive *d = xcalloc(1, sizeof *d);

	d->through.sink.ops = &ops;
	d->rules = xcalloc(n + 1, sizeof *d->rules);
	for (; d->n < n; d->n++) {
		if (compile(&d->rules[d->n], &facets[d->n], err)) {
			derive_free(d);
			return NULL;
		}
	}
	return d;
}

struct sink *derive_sink(struct derive *d, struct sink *next)
{
	d->through.next = next;
	return &d->through.sink;
}

void derive_free(struct derive *d)
{
	if (!d)
		return;
	for (size_t i = 0; i < d->n; i++)
		regfree(&d->rules[i].regex);
	free(d->rules);
	arena_release(&d->arena);
	free(d);
}
