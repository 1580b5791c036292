/*
 * through: what sinks that stand in front of another one have in common (locate, derive, respell,
 * apart): what such a sink does not change goes on to the next as it is.
 */
#ifndef QUALM_CORE_READER_THROUGH_H
#define QUALM_CORE_READER_THROUGH_H

#include "core/reader/sink.h"

struct through {
	struct sink sink; /* first */
	struct sink *next; /* borrowed */
};

static inline struct sink *through_next(const struct sink *s)
{
	return ((const struct through *)s)->next;
}

enum status through_class(struct sink *s, const struct rec_class *r, struct err *err);
enum status through_pair(struct sink *s, const struct rec_pair *r, struct err *err);
enum status through_tree(struct sink *s, const struct rec_tree *r, struct err *err);
enum status through_run(struct sink *s, const struct rec_run *r, uint32_t *run, struct err *err);
enum status through_preset(struct sink *s, struct str preset, struct err *err);
bool through_wants_samples(const struct sink *s);
enum status through_plains(struct sink *s, const struct rec_plain *v, size_t n, struct err *err);
enum status through_reference(struct sink *s, const struct rec_reference *r, struct err *err);
void through_expect(struct sink *s, struct str key);

/* To begin a table of operations with; samples and predictions are what each has its own way with. */
#define THROUGH_OPS                                                                                \
	.add_class = through_class, .add_pair = through_pair, .add_tree = through_tree,            \
	.add_run = through_run, .wants_samples = through_wants_samples,                            \
	.add_reference = through_reference

#endif
