/*
 * together: who is right together: each sample as a row of marks over several runs, and how often
 * each row occurs (UpSet: Lex et al., IEEE TVCG 20 (2014)). Pure.
 */
#ifndef QUALM_CORE_EVAL_TOGETHER_H
#define QUALM_CORE_EVAL_TOGETHER_H

#include "core/base/bits.h"
#include "core/base/cancel.h"
#include "core/base/steps.h"
#include "core/eval/eval.h"

#define TOGETHER_RUNS_MAX 64 /* a row is one word */

/* What several runs made of the same samples: sets of n samples each, all within the mask. */
struct marks {
	int n_runs;
	uint32_t n;
	uint64_t **right, **counted; /* [n_runs][bits_words(n)]; owned; right is within counted */
	uint64_t *within;            /* the mask, owned; NULL: all samples */
};

/* Judges runs [n_runs] under the lens, a step each; mask[bits_words(n)], NULL: all. out: owned by the
 * caller; on failure (E_CANCELLED, E_MEMORY) there is nothing to release. */
enum status marks_make(const struct snapshot *snap, const struct lens *lens, const int *runs, int n_runs,
		       const uint64_t *mask, const struct cancel *cancel, struct steps *steps,
		       struct marks *out, struct err *err);
void marks_release(struct marks *m);

struct together_row {
	uint64_t who; /* bit k: the k-th run is right; the others are wrong */
	uint32_t n;   /* samples */
};

struct together {
	int n_runs;
	uint32_t n, left_out;     /* samples that all runs have a counted answer to; those that not */
	struct together_row *row; /* [n_rows] each occurs; the most frequent first, then by who */
	uint32_t n_rows;
	uint32_t right[TOGETHER_RUNS_MAX]; /* of these n: the run is right, */
	uint32_t only[TOGETHER_RUNS_MAX];  /* … and no other is, */
	uint32_t all_but[TOGETHER_RUNS_MAX]; /* the run is wrong, and no other is */
};

/* Of the first TOGETHER_RUNS_MAX runs. A run alone has only = right, all_but = its wrong ones.
 * out: owned by the caller; E_MEMORY, E_CANCELLED. */
enum status together_make(const struct marks *m, const struct cancel *cancel, struct together *out,
			  struct err *err);
void together_release(struct together *t);
/* How many samples have this row; 0: none. */
uint32_t together_count(const struct together *t, uint64_t who);
/* The row of all runs being right. */
static inline uint64_t together_everybody(const struct together *t)
{
	return t->n_runs == 64 ? UINT64_MAX : ((uint64_t)1 << t->n_runs) - 1;
}

#endif
