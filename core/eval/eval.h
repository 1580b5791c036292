/*
 * core/eval: what answers are worth. Pure functions over a snapshot's columns; no strings, no
 * files. Arrays are by sample ordinal, n = snap->n elements.
 *
 * category: S+ S- M+ M- N by comparing the lens's original layer g with its layer L
 *   (benchmarks.md §2.1; ReGT §2). Only samples that both layers cover have one.
 *   rule regt: N |L| = 0, S |L| = 1, M |L| > 1; "+" when g ∈ L.
 *   rule reimagenet: equivalence-aware (formats.md §3.4): S also when all labels are equivalent;
 *   "+" also when g is equivalent to a label. (-1 "unsure" labels never reach a snapshot.)
 * verdict: in the order of benchmarks.md §1; L* of §2.2 when the lens's equivalence is on.
 */
#ifndef QUALM_CORE_EVAL_EVAL_H
#define QUALM_CORE_EVAL_EVAL_H

#include "core/model/snapshot.h"

enum category { CAT_S_PLUS, CAT_S_MINUS, CAT_M_PLUS, CAT_M_MINUS, CAT_N, N_CATEGORIES, CAT_NONE = 255 };
const char *category_word(enum category c); /* "S+" … "N"; "" for CAT_NONE */

/* The layer that gives L_i, beside lens->original for g_i: "reannotated" whatever layer the lens
 * judges by, as a category tells of the labels (benchmarks.md §2.1); without one, or when it is
 * the original itself, the lens's layer. -1: there are no two layers. */
int eval_category_layer(const struct snapshot *snap, const struct lens *lens);
/* out[n]: enum category of every sample, CAT_NONE where a layer does not cover it or the two
 * layers are the same one or missing. When g holds several classes, "+" means any of them. */
void eval_categories(const struct snapshot *snap, const struct lens *lens, uint8_t *out);
void eval_category_counts(const uint8_t *category, uint32_t n, uint32_t count[N_CATEGORIES]);

/* out[n]: enum verdict of run r (index into snap->runs) under the lens. */
void eval_verdicts(const struct snapshot *snap, const struct lens *lens, int r, uint8_t *out);

/* What all runs are judged by, prepared once for a snapshot and a lens; borrows the snapshot,
 * copies the lens. judging_one() is for the few samples that a screen shows. */
struct judging;
struct judging *judging_new(const struct snapshot *snap, const struct lens *lens);
void judging_free(struct judging *j); /* NULL is fine */
void judging_all(const struct judging *j, int r, uint8_t *out); /* as eval_verdicts() */
enum verdict judging_one(const struct judging *j, int r, uint32_t i);

struct tally {
	uint32_t right, n, excluded; /* n = counted; n + excluded = population */
	uint32_t outcomes[N_OUTCOMES];
};
/* Over the samples with mask[i] != 0 (NULL = all). outcomes counts the run's outcomes there. */
struct tally eval_tally(const struct snapshot *snap, int r, const uint8_t *verdict,
			const uint8_t *mask);
/* Why answers are not counted: the first of these that is true (benchmarks.md §1). */
enum left_out { LEFT_OUT_ERROR, LEFT_OUT_MISSING, LEFT_OUT_UNLABELLED, LEFT_OUT_UNMAPPED, LEFT_OUT_N, LEFT_OUT_ABSTAIN,
		N_LEFT_OUT };
const char *left_out_word(enum left_out why); /* "error", "N images" … */
/* count[N_LEFT_OUT]: over the uncounted samples of mask[bits_words(n)] (NULL = all); they sum to
 * tally.excluded. */
void eval_left_out(const struct snapshot *snap, const struct lens *lens, int r, const uint8_t *verdict,
		   const uint64_t *mask, uint32_t count[N_LEFT_OUT]);

/* Over the samples of a set (NULL = all of n), for what is counted with every key: outcomes stay 0. */
struct tally eval_tally_within(const uint8_t *verdict, uint32_t n, const uint64_t *within);
/* right / n; NaN when nothing is counted. */
double tally_accuracy(const struct tally *t);
/* Wilson 95 % interval of right / n (z = 1.959963984540054); 0..1 when n = 0. */
void tally_wilson(const struct tally *t, double *lo, double *hi);

/* One glyph per answer (product.md §3): what to show for sample i. Returned as a small code so
 * that the screen chooses the sign and the style. */
enum mark {
	MARK_MISSING, MARK_ERROR, MARK_UNCOUNTED, MARK_N, MARK_RIGHT, MARK_WRONG,
	MARK_OOP, MARK_REFUSED, MARK_EMPTY, MARK_UNPARSED,
	MARK_LATER /* the run is not loaded yet */
};
enum mark eval_mark(const struct snapshot *snap, const struct lens *lens, int r, uint32_t i,
		    enum verdict verdict);

/* Is class c admissible for sample i in layer l (with equivalence when asked)? */
bool eval_admissible(const struct snapshot *snap, int layer, bool equiv, uint32_t i, uint32_t c);

#endif
