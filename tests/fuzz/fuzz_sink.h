/* A sink that reads every byte it is given and keeps nothing. */
#ifndef QUALM_TESTS_FUZZ_FUZZ_SINK_H
#define QUALM_TESTS_FUZZ_FUZZ_SINK_H

#include "core/reader/table.h"
#include "tests/fuzz/fuzz.h"

struct fuzz_sink {
	struct sink sink;
	uint32_t runs;
	volatile unsigned sum; /* so that reading is not optimized away */
};

static inline struct fuzz_sink *fuzz_self(struct sink *s)
{
	return (struct fuzz_sink *)s;
}

static inline void fuzz_touch(struct sink *s, struct str text)
{
	FUZZ_CHECK(text.p || !text.n);
	for (size_t i = 0; i < text.n; i++)
		fuzz_self(s)->sum += (unsigned char)text.p[i];
}

static inline void fuzz_refs(struct sink *s, const struct class_ref *refs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		FUZZ_CHECK(refs[i].kind != CLASS_BY_INDEX || refs[i].index >= 0);
		fuzz_touch(s, refs[i].text);
		fuzz_touch(s, refs[i].scheme);
	}
}

static inline enum status fuzz_class(struct sink *s, const struct rec_class *r, struct err *err)
{
	(void)err;
	FUZZ_CHECK(r->index >= -1);
	FUZZ_CHECK(r->name.n || r->wnid.n || (r->index >= 0 && r->parent.n));
	FUZZ_CHECK(!r->group || r->index == -1);
	fuzz_touch(s, r->wnid);
	fuzz_touch(s, r->name);
	fuzz_touch(s, r->parent);
	for (size_t i = 0; i < r->n_aliases; i++)
		fuzz_touch(s, r->aliases[i]);
	for (size_t i = 0; i < r->n_codes; i++)
		fuzz_touch(s, r->codes[i][1]);
	return OK;
}

static inline enum status fuzz_pair(struct sink *s, const struct rec_pair *r, struct err *err)
{
	(void)err;
	fuzz_refs(s, &r->a, 1);
	fuzz_refs(s, &r->b, 1);
	return OK;
}

static inline enum status fuzz_tree(struct sink *s, const struct rec_tree *r, struct err *err)
{
	(void)err;
	FUZZ_CHECK(r->value.n && !str_eq(r->value, r->parent));
	fuzz_touch(s, r->facet);
	fuzz_touch(s, r->value);
	fuzz_touch(s, r->parent);
	return OK;
}

static inline enum status fuzz_sample(struct sink *s, const struct rec_sample *r, struct err *err)
{
	(void)err;
	FUZZ_CHECK(r->key.n);
	fuzz_touch(s, r->key);
	fuzz_touch(s, r->text);
	fuzz_touch(s, r->extra);
	for (size_t i = 0; i < r->n_paths; i++)
		fuzz_touch(s, r->paths[i]);
	for (size_t i = 0; i < r->n_options; i++)
		fuzz_touch(s, r->options[i]);
	for (size_t i = 0; i < r->n_facets; i++) {
		FUZZ_CHECK(r->facets[i].name.n);
		fuzz_touch(s, r->facets[i].name);
		fuzz_touch(s, r->facets[i].value);
	}
	for (size_t i = 0; i < r->n_truths; i++) {
		fuzz_touch(s, r->truths[i].layer);
		fuzz_refs(s, r->truths[i].refs, r->truths[i].n_refs);
		for (size_t k = 0; r->truths[i].votes && k < r->truths[i].n_refs; k++)
			fuzz_self(s)->sum += r->truths[i].votes[k] > 0;
	}
	return OK;
}

static inline enum status fuzz_run(struct sink *s, const struct rec_run *r, uint32_t *run,
				   struct err *err)
{
	(void)err;
	FUZZ_CHECK(r->model.n);
	fuzz_touch(s, r->model);
	fuzz_touch(s, r->protocol);
	fuzz_touch(s, r->handle);
	*run = fuzz_self(s)->runs++;
	return OK;
}

static inline enum status fuzz_prediction(struct sink *s, const struct rec_prediction *r,
					  struct err *err)
{
	FUZZ_CHECK(r->run < fuzz_self(s)->runs);
	FUZZ_CHECK((r->outcome == OUTCOME_ANSWERED) == (r->n_refs > 0));
	FUZZ_CHECK(r->key.n);
	fuzz_touch(s, r->key);
	fuzz_touch(s, r->raw);
	fuzz_touch(s, r->extracted);
	fuzz_touch(s, r->error);
	fuzz_touch(s, r->details);
	fuzz_touch(s, r->people);
	fuzz_touch(s, r->steps);
	fuzz_touch(s, r->marks);
	fuzz_refs(s, r->refs, r->n_refs);
	for (size_t i = 0; i < r->n_numbers; i++)
		fuzz_touch(s, r->numbers[i].name);
	return r->sample ? fuzz_sample(s, r->sample, err) : OK;
}

static inline enum status fuzz_preset(struct sink *s, struct str preset, struct err *err)
{
	(void)err;
	fuzz_touch(s, preset);
	return OK;
}

static inline enum status fuzz_reference(struct sink *s, const struct rec_reference *r, struct err *err)
{
	(void)err;
	FUZZ_CHECK(r->name.n && r->metric.n && isfinite(r->value));
	fuzz_touch(s, r->name);
	fuzz_touch(s, r->group);
	fuzz_touch(s, r->metric);
	return OK;
}

/* Reads bytes through one reader. */
static inline void fuzz_reader(const struct reader *reader, struct str bytes, size_t block_size)
{
	static const struct sink_ops ops = {fuzz_class, fuzz_pair, fuzz_tree, fuzz_sample,
					    fuzz_run, fuzz_prediction, fuzz_preset, NULL, NULL,
					    NULL, fuzz_reference, NULL, NULL};
	struct fuzz_sink sink = {.sink.ops = &ops};
	struct read_options opt = {0};
	struct err err = ERR_INIT;
	struct report report;
	struct input in;
	struct read_ctx ctx = {&in, &opt, &sink.sink, &report};
	enum status st;

	if (!fuzz_input(&in, bytes, block_size))
		return;
	report_init(&report, "fuzz", NULL);
	reader->probe(STR("fuzz"), buf_view(&in.head));
	reader->rank(STR("fuzz"), buf_view(&in.head));
	st = reader->read(&ctx, &err);
	FUZZ_CHECK(!st == !*err.msg);
	report_release(&report);
	input_close(&in);
}

#endif
