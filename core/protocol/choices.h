/*
 * choices: the options of a multiple-choice question (benchmarks.md §2.3; ReGT §2.3, App. C):
 * the original label, the reannotated one, or both, and distractors, shuffled. The same seed, key
 * and repeat give the same options in the same order.
 */
#ifndef QUALM_CORE_PROTOCOL_CHOICES_H
#define QUALM_CORE_PROTOCOL_CHOICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/str.h"

#define CHOICES_MAX 26 /* letters */

enum choices_truth { CHOICES_ORIGINAL, CHOICES_REANNOTATED, CHOICES_BOTH };

struct choices {
	enum choices_truth truth;
	size_t n; /* options in all: 4 in the paper; 2 … CHOICES_MAX */
	uint64_t seed;
	uint32_t repeat;
	uint32_t n_classes;
	/* NULL: random distractors. Else weight[n_classes] to the labels that choices_truths() gives: their
	 * rows of a run's confusion matrix, or how near the names are; the heaviest are taken, equals by
	 * chance. Classes of weight 0 or less (and NaN) come last. */
	const double *weight;
	/* name[n_classes]: classes with equal numbers have one name and are never offered side by side;
	 * NULL: all names differ. */
	const uint32_t *name;
	const uint32_t *barred; /* [n_barred] never distractors: as good as a label */
	size_t n_barred;
};

/* The labels that must be among the options, at most 2, in out; 0 when the sample lacks one. Those
 * that choices_draw() takes. */
size_t choices_truths(const struct choices *c, struct str key, const uint32_t *original, size_t n_original,
		      const uint32_t *reannotated, size_t n_reannotated, uint32_t out[2]);

/* out[c->n] class ordinals in the order of the letters; returns how many: fewer than c->n when there
 * are not enough classes, 0 when the sample lacks the label that is asked for. original[] and
 * reannotated[] are the sample's labels; of several reannotated ones one is drawn. A distractor is
 * never any of them, nor barred, nor called like one. Needs room for n_classes in scratch. */
size_t choices_draw(const struct choices *c, struct str key, const uint32_t *original, size_t n_original,
		    const uint32_t *reannotated, size_t n_reannotated, uint32_t *scratch, uint32_t *out);

#endif
