/* What each word is true for. */
#include <stdlib.h>

#include "core/filter/filter_impl.h"
#include "core/text/input.h"

enum status eval_no_memory(struct err *err, size_t n)
{
	return err_set(err, E_MEMORY, "there is no memory to filter %zu samples", n);
}

/* --- the samples --- */

enum status eval_category(struct eval *e, const struct term *t, uint64_t *out)
{
	const uint8_t *category = cache_categories(e->cache, e->err);
	struct column col = {DT_U8, e->n, NULL};

	if (!category)
		return e->err->code;
	col.data = (void *)(uintptr_t)category;
	scan_in(&col, e->n, t->set, t->n_set, out);
	return OK;
}

/* (none): covered by the layer, and without a class. */
static void no_truth(const struct eval *e, const struct truth *truth, uint64_t *out)
{
	for (size_t i = 0; i < e->n; i++)
		if (truth->covered[i] && truth->off[i] == truth->off[i + 1])
			bits_set(out, i);
}

enum status eval_truth(struct eval *e, const struct term *t, uint64_t *out)
{
	bool named = t->whose.kind == WHO_LAYER && t->whose.index >= 0;
	const struct truth *truth = cache_truth(e->cache, named ? t->whose.index : e->ctx->lens->layer);
	struct column val = {DT_U32, e->n ? truth->off[e->n] : 0, (void *)(uintptr_t)truth->val};

	scan_csr_in(truth->off, e->n, e->n, &val, t->set, t->n_set, out);
	for (size_t i = bits_next(out, e->n, 0); i < e->n; i = bits_next(out, e->n, i + 1))
		if (!truth->covered[i])
			out[i / 64] &= ~((uint64_t)1 << (i % 64));
	if (t->none)
		no_truth(e, truth, out);
	return OK;
}

static enum status facet_none(struct eval *e, const struct facet *f, uint64_t *out)
{
	uint64_t *none = bits_new(e->n);

	if (!none)
		return eval_no_memory(e->err, e->n);
	if (f->numeric)
		scan_none(&f->number, e->n, none);
	else if (f->multi)
		scan_csr_empty(f->sets.off.data, csr_n(&f->sets), e->n, none);
	else
		scan_none(&f->value, e->n, none);
	bits_or(out, none, e->n);
	free(none);
	return OK;
}

enum status eval_facet(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct facet *f = &e->snap->facets[t->facet];

	if (f->multi)
		scan_csr_in(f->sets.off.data, csr_n(&f->sets), e->n, &f->sets.val, t->set, t->n_set, out);
	else
		scan_in(&f->value, e->n, t->set, t->n_set, out);
	return t->none ? facet_none(e, f, out) : OK;
}

enum status eval_number_facet(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct facet *f = &e->snap->facets[t->facet];

	if (t->op == OP_IS)
		return facet_none(e, f, out);
	scan_compare(&f->number, e->n, t->op, t->value, out);
	return OK;
}

/* --- answers --- */

enum status answer_in(struct eval *e, int run, const uint32_t *set, uint32_t n_set, uint64_t *out)
{
	const struct run *r = &e->snap->runs[run];
	uint64_t *more = bits_new(e->n);

	if (!more)
		return eval_no_memory(e->err, e->n);
	scan_in(&r->label, e->n, set, n_set, out);
	if (csr_n(&r->labels)) {
		scan_csr_in(r->labels.off.data, csr_n(&r->labels), e->n, &r->labels.val, set, n_set, more);
		bits_or(out, more, e->n);
	}
	answered_bits(e->snap, run, more);
	bits_and(out, more, e->n);
	free(more);
	return OK;
}

/* No class: not mapped, or an outcome under which the class does not count. */
static enum status answer_none(struct eval *e, int run, uint64_t *out)
{
	uint64_t *none = bits_new(e->n), *outcome = bits_new(e->n);
	enum status st = none && outcome ? OK : eval_no_memory(e->err, e->n);

	if (st == OK) {
		scan_none(&e->snap->runs[run].label, e->n, none);
		answered_bits(e->snap, run, outcome);
		bits_not(outcome, e->n);
		bits_or(none, outcome, e->n);
		bits_or(out, none, e->n);
	}
	free(none);
	free(outcome);
	return st;
}

enum status eval_answer_class(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	enum status st = answer_in(e, run, t->set, t->n_set, out);

	return st == OK && t->none ? answer_none(e, run, out) : st;
}

enum status eval_verdict(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	const uint64_t *bits = cache_verdict(e->cache, run, (enum verdict)t->word->code, e->err);

	if (!bits)
		return e->err->code;
	bits_or(out, bits, e->n);
	return OK;
}

/* Of the kinds that are asked for. */
static enum status eval_oop(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	const struct filter_source *s = e->ctx->source;
	const uint8_t *kind = NULL;
	enum status st;

	if (!s || !s->oop_kinds)
		return err_set(e->err, E_UNSUPPORTED, "there are no answers to tell the kinds of");
	st = s->oop_kinds(s->ctx, run, &kind, e->cancel, e->err);
	for (size_t i = 0; st == OK && i < e->n; i++)
		for (uint32_t k = 0; k < t->n_set; k++)
			if (kind[i] == t->set[k])
				bits_set(out, i);
	return st;
}

enum status eval_outcome(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	static const uint32_t there[] = {OUTCOME_ANSWERED, OUTCOME_OOP,	     OUTCOME_REFUSED,
					 OUTCOME_EMPTY,	   OUTCOME_UNPARSED, OUTCOME_ERROR};
	const struct column *col = &e->snap->runs[run].outcome;
	uint32_t want = (uint32_t)t->word->code;

	if (t->op != OP_NONE)
		return eval_oop(e, t, run, out);
	if (want != OUTCOME_MISSING) {
		scan_in(col, e->n, &want, 1, out);
		return OK;
	}
	/* Also what no outcome is, and what is beyond the column's end. */
	scan_in(col, e->n, there, sizeof there / sizeof *there, out);
	bits_not(out, e->n);
	return OK;
}

enum status eval_number(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	const struct filter_source *s = e->ctx->source;
	const struct column *col = NULL;
	enum status st;

	if (!s || !s->number)
		return err_set(e->err, E_UNSUPPORTED, "there is nothing to read '%s' from", t->number);
	st = s->number(s->ctx, run, t->number, &col, e->err);
	if (st == OK && col && col->n)
		scan_compare(col, e->n, t->op, t->value, out);
	return st;
}

enum status eval_flip(struct eval *e, const struct term *t, uint64_t *out)
{
	int code = t->word->code;
	uint64_t *both;

	if (e->ctx->a < 0 || e->ctx->b < 0)
		return err_set(e->err, E_USAGE, "'%s' needs two runs, a and b", t->word->name);
	both = bits_new(e->n);
	if (!both)
		return eval_no_memory(e->err, e->n);
	for (int k = 0; k < 2; k++) {
		int right_run = k ? e->ctx->a : e->ctx->b, wrong_run = k ? e->ctx->b : e->ctx->a;
		const uint64_t *right = cache_verdict(e->cache, right_run, VERDICT_RIGHT, e->err);
		const uint64_t *wrong = cache_verdict(e->cache, wrong_run, VERDICT_WRONG, e->err);

		if (!right || !wrong) {
			free(both);
			return e->err->code;
		}
		if (code != FLIP_BOTH && code != (k ? FLIP_IMPROVED : FLIP_REGRESSED))
			continue;
		memcpy(both, right, bits_words(e->n) * sizeof *both);
		bits_and(both, wrong, e->n);
		bits_or(out, both, e->n);
	}
	free(both);
	return OK;
}

/* --- texts --- */

static enum status search(struct eval *e, const struct term *t, enum filter_scope scope, int run,
			  uint64_t *out)
{
	const struct filter_source *s = e->ctx->source;
	enum status st = OK;

	if (!s || !s->text)
		return err_set(e->err, E_UNSUPPORTED, "there are no texts to look for '%.60s' in",
			       t->values[0].text.p);
	for (uint32_t i = 0; st == OK && i < t->n_values; i++)
		st = watch_search(e, scope, run, t->needles[i], out);
	return st;
}

enum status eval_answer_text(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	return search(e, t, SCOPE_ANSWER, run, out);
}

enum status eval_text(struct eval *e, const struct term *t, uint64_t *out)
{
	enum status st;

	if (t->op == OP_NONE)
		return eval_thing(e, t, out);
	st = search(e, t, (enum filter_scope)t->word->code, -1, out);
	if (st == OK && t->word->code == SCOPE_TEXT)
		st = search(e, t, SCOPE_NOTE, -1, out);
	return st;
}

/* --- keys --- */

#define KEYS_AT_ONCE 1000

struct key_list {
	struct eval *e;
	struct arena arena;
	VEC(struct str) keys;
};

static enum status look_up(struct key_list *l, uint64_t *out)
{
	const struct filter_source *s = l->e->ctx->source;
	enum status st = OK;

	if (!s || !s->keys)
		return err_set(l->e->err, E_UNSUPPORTED, "there are no keys to look for");
	if (l->keys.n)
		st = s->keys(s->ctx, l->keys.v, l->keys.n, out, l->e->cancel, l->e->err);
	vec_clear(&l->keys);
	arena_clear(&l->arena);
	return st;
}

/* A key a line. */
static enum status file_keys(struct key_list *l, const char *path, uint64_t *out)
{
	struct err *err = l->e->err;
	struct input in;
	struct lines lines;
	struct line line;
	bool more = true;
	enum status st = input_open_cancel(&in, path, l->e->cancel, err);

	if (st != OK)
		return st;
	in.cancel = l->e->cancel;
	lines_init(&lines, &in);
	while (st == OK && (st = lines_next(&lines, &line, &more, err)) == OK && more) {
		if (line.text.n)
			vec_push(&l->keys, arena_str(&l->arena, line.text));
		if (l->keys.n == KEYS_AT_ONCE)
			st = look_up(l, out);
	}
	if (st == OK)
		st = look_up(l, out);
	lines_release(&lines);
	input_close(&in);
	return st;
}

enum status eval_keys(struct eval *e, const struct term *t, uint64_t *out)
{
	struct key_list l = {.e = e, .arena = ARENA_INIT};
	enum status st = OK;

	if (t->op == OP_LIKE)
		return search(e, t, SCOPE_KEY, -1, out);
	for (uint32_t i = 0; i < t->n_values; i++)
		if (t->values[i].kind == VALUE_NAME)
			vec_push(&l.keys, t->values[i].text);
	st = look_up(&l, out);
	for (uint32_t i = 0; st == OK && i < t->n_values; i++)
		if (t->values[i].kind == VALUE_FILE)
			st = file_keys(&l, t->values[i].text.p, out);
	vec_release(&l.keys);
	arena_release(&l.arena);
	return st;
}

/* --- the user's things --- */

enum status eval_thing(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct filter_things *things = e->ctx->things;

	if (!things)
		return OK;
	for (size_t i = 0; i < e->n; i++) {
		bool has = false;

		if (t->word->code == THING_MARK)
			has = things->marked && things->marked[i];
		else if (t->word->code == THING_SEEN)
			has = things->seen && things->seen[i];
		else
			has = things->notes && things->notes[i];
		if (has)
			bits_set(out, i);
	}
	return OK;
}

enum status eval_tag(struct eval *e, const struct term *t, uint64_t *out)
{
	const struct filter_things *things = e->ctx->things;

	for (uint32_t k = 0; things && k < t->n_set; k++) {
		const struct filter_tag *tag;

		if (t->set[k] >= things->n_tags)
			return err_set(e->err, E_USAGE, "the tags have changed; the filter must be checked again");
		tag = &things->tags[t->set[k]];
		for (uint32_t i = 0; i < tag->n; i++)
			if (tag->ords[i] < e->n)
				bits_set(out, tag->ords[i]);
	}
	return OK;
}
