/*
 * confusion: truth by answer, of one run under a lens. Rows are the classes of the truth and, last,
 * (none) for samples whose truth set is empty; columns are the classes answered and, after them,
 * what became of an answer without a class. Samples that the lens's layer does not cover are in no
 * row.
 *
 * A right answer counts once, on the diagonal of the truth that it met: the first of its classes
 * that is a truth, else the first truth that one of them is equivalent to. Any other answer counts
 * in the row of each truth, in the column of its first class. Under the rule all-hit a right answer
 * counts at its sample's first truth, and a wrong one in the rows of the truths that it missed, in
 * the column of its first class that is no truth, if there is one. So a cell off the diagonal is
 * never right, one on it always is, and a row can sum to less than the class's support.
 */
#ifndef QUALM_CORE_EVAL_CONFUSION_H
#define QUALM_CORE_EVAL_CONFUSION_H

#include "core/base/cancel.h"
#include "core/eval/eval.h"
#include "core/eval/truth.h"

/* Columns after the classes: (oop) (refused) (empty) (unparsed) (error) (missing). */
enum confusion_extra { EXTRA_OOP, EXTRA_REFUSED, EXTRA_EMPTY, EXTRA_UNPARSED, EXTRA_ERROR,
		       EXTRA_MISSING, N_EXTRAS };
const char *confusion_extra_word(enum confusion_extra e); /* "(oop)" */
const char *confusion_extra_help(enum confusion_extra e); /* what it means, in a few words */
#define CONFUSION_NONE_WORD "(none)"

/* Where samples belong: all that it needs, laid out for a pass over them. */
struct placing {
	struct truth truth;
	struct partners partners;
	const struct run *run;
	const uint8_t *verdict; /* borrowed */
	uint32_t n_classes, *many_val;
	bool all_hit;
};

/* verdict[n]: of this run under this lens (eval_verdicts()); borrowed until released. */
void placing_init(struct placing *p, const struct snapshot *snap, const struct lens *lens, int run,
		  const uint8_t *verdict);
void placing_release(struct placing *p);
/* Without truth.val for now (truth_begin()). */
void placing_begin(struct placing *p, const struct snapshot *snap, const struct lens *lens, int run,
		   const uint8_t *verdict);
/* The rows that sample i counts in: row[0 .. returned), at most `max` written, and its column. */
uint32_t placing_of(const struct placing *p, uint32_t i, uint32_t *row, uint32_t max,
		    uint32_t *column);
/* The same with classes taken together: group[n_classes] is the class that stands for each one
 * (itself where it stands alone); every row is named once. NULL: each stands alone. */
uint32_t placing_grouped(const struct placing *p, const uint32_t *group, uint32_t i, uint32_t *row,
			 uint32_t max, uint32_t *column);

/* Has every answer one class at most, and is any truth enough? Then a block at a time: */
bool placing_is_plain(const struct placing *p);
/* The columns of samples [from, from + n), as placing_of() has them for answers that are not right. */
void placing_columns(const struct placing *p, uint32_t from, uint32_t n, uint32_t *column);
/* The truth that a right answer of this class met: its row and its column. */
uint32_t placing_met(const struct placing *p, const uint32_t *truth, size_t n, uint32_t label);

struct confusion_cell {
	uint32_t column, count; /* count > 0 */
};

struct confusion {
	uint32_t n_classes;
	uint32_t n_rows, n_columns; /* n_classes + 1, n_classes + N_EXTRAS */
	uint32_t *off;              /* [n_rows + 1] */
	struct confusion_cell *cell; /* of row r: off[r] .. off[r + 1], by column */
	uint32_t *row, *column;     /* sums: [n_rows], [n_columns] */
	uint32_t *support;          /* [n_rows] samples that have the class among their truths */
	uint32_t samples;           /* labelled ones in the mask */
	uint32_t diagonal;          /* right answers of rows that have a class */
};

/* mask[bits_words(n)]: the samples that count; NULL = all. out is owned by the caller. */
void confusion_make(const struct snapshot *snap, const struct lens *lens, int run,
		    const uint8_t *verdict, const uint64_t *mask, struct confusion *out);

/* How it is counted, beside the above. All may be NULL; borrowed. */
struct confusion_way {
	/* [n_classes]: classes taken together, as placing_grouped() has it. Numbers stay the classes';
	 * the group's are those of the class that stands for it, and 0 for the others in it. A sample
	 * counts once in a group's row and once in its support, and what is confused inside of a group
	 * stands on its diagonal; `diagonal` counts right answers as ever. */
	const uint32_t *group;
	const struct cancel *cancel; /* once set, what is counted so far is what there is */
	void (*tell)(void *ctx, uint32_t done); /* now and then: samples looked at */
	void *ctx;
	/* For each sample that counts in several rows. */
	void (*several)(void *ctx, const uint32_t *row, uint32_t n, uint32_t column);
	void *several_ctx;
};
void confusion_make_by(const struct snapshot *snap, const struct lens *lens, int run,
		       const uint8_t *verdict, const uint64_t *mask, const struct confusion_way *way,
		       struct confusion *out);
void confusion_release(struct confusion *c);
uint32_t confusion_at(const struct confusion *c, uint32_t row, uint32_t column);

/* A confusion off the diagonal. */
struct confused_pair {
	uint32_t truth, answer; /* row, column */
	uint32_t count, back;   /* back: answer taken for truth */
	double share;           /* of all that is off the diagonal in rows with a class */
};
/* The pairs by count, then by row and column: at most max into out. Extras take part when asked.
 * Returns how many there are. */
size_t confusion_pairs(const struct confusion *c, bool extras, size_t max, struct confused_pair *out);

/* --- classes --- */

struct class_score {
	uint32_t support;          /* samples that have the class, counted */
	uint32_t hit, missed; /* on the diagonal; rest of the row */
	uint32_t false_hit;   /* wrong answers of the class: samples, however many truths they have */
	double precision, recall, f1; /* NaN where there is nothing to divide by */
};
struct class_scores {
	uint32_t n;                /* classes */
	struct class_score *class; /* [n] */
	uint32_t present;          /* classes with support: what macro and balanced are over */
	double macro_precision, macro_recall, macro_f1; /* undefined precision and F1 count as 0 */
	double micro_precision, micro_recall, micro_f1;
	double balanced;           /* mean recall */
};
/* Over the counted samples of the mask. Answers about samples without a truth count against
 * precision under N policy wrong alone. out is owned by the caller. */
void class_scores_make(const struct snapshot *snap, const struct lens *lens, int run,
		       const uint8_t *verdict, const uint64_t *mask, struct class_scores *out);
void class_scores_release(struct class_scores *s);

#endif
