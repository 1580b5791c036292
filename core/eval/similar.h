/*
 * similar: how alike runs are, pair by pair: in what they are right about, in what they answer, and
 * in which classes they find (ReGT Fig. 9). Pure.
 */
#ifndef QUALM_CORE_EVAL_SIMILAR_H
#define QUALM_CORE_EVAL_SIMILAR_H

#include "core/eval/paired.h"
#include "core/eval/together.h"

/* Tables are square, [n_runs × n_runs], row by row, and the same both ways; NaN: not defined. On the
 * diagonal is what a run has with itself. */
struct similar {
	int n_runs;
	/* Right and wrong, over samples that have a label and a counted answer of both. a is the
	 * row's run, b the column's. */
	struct fourfold *fourfold;
	double *phi;
	/* Cohen's κ of the mapped answers, over samples where both have one; an answer of several
	 * classes is one of its own kind. */
	uint32_t *answered, *same; /* how many those are; how often the two are the same */
	double *kappa;
	/* Spearman's ρ of the recall per class, over S samples; classes with a counted sample of both */
	uint32_t *classes;
	double *spearman;
};

/* marks: of the same runs under the same lens and mask. SIMILAR_STEPS for each run. out is owned by
 * the caller; E_MEMORY, E_CANCELLED. */
#define SIMILAR_STEPS 3
enum status similar_make(const struct snapshot *snap, const struct lens *lens, const int *runs,
			 const struct marks *marks, const struct cancel *cancel, struct steps *steps,
			 struct similar *out, struct err *err);
void similar_release(struct similar *s);

/* The fourfold tables of all pairs alone: out[n_runs × n_runs], over samples of `labelled`
 * (NULL: all) that both have a counted answer to. */
void similar_fourfolds(const struct marks *m, const uint64_t *labelled, struct fourfold *out);

/* Which samples ρ is of: category S+ or S-, where labels have categories; else one true class in
 * the lens's layer. out[bits_words(n)]. */
enum status similar_single(const struct snapshot *snap, const struct lens *lens, uint64_t *out,
			   struct err *err);
/* Samples that have a label: covered by the lens's layer and with a class. out[bits_words(n)]. */
void similar_labelled(const struct snapshot *snap, const struct lens *lens, uint64_t *out);

/* order[n]: similar runs beside each other. Average linkage; of the four ways to put two groups
 * side by side, the one whose neighbours are most alike. likeness: [n × n]; NaN is least. */
void similar_order(const double *likeness, int n, int *order);

#endif
