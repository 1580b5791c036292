/*
 * crosstab: the confusion matrix as a screen shows it: some rows and columns one by one, the rest
 * together, and margins. Every number is one of samples, each counted once, also where samples
 * stand in several rows (they have several truths), so that each is what its filter opens:
 * `row:` and `column:` of the filter language, and "not in the rows shown" for the rest.
 */
#ifndef QUALM_CORE_EVAL_CROSSTAB_H
#define QUALM_CORE_EVAL_CROSSTAB_H

#include "core/eval/confusion.h"

struct crosstab {
	struct confusion m;
	uint32_t *in_column; /* [m.n_columns] samples; m.column counts one in each of its rows */
	/* Those that stand in several rows: n_many, the rows of the k-th many_row[many_off[k] ..
	 * many_off[k + 1]). */
	uint32_t n_many, *many_off, *many_row, *many_column;
};

/* As confusion_make(). out is owned by the caller. */
void crosstab_make(const struct snapshot *snap, const struct lens *lens, int run,
		   const uint8_t *verdict, const uint64_t *mask, struct crosstab *out);
/* And as confusion_make_by(). */
void crosstab_make_by(const struct snapshot *snap, const struct lens *lens, int run,
		      const uint8_t *verdict, const uint64_t *mask, const struct confusion_way *way,
		      struct crosstab *out);
void crosstab_release(struct crosstab *t);

/* Rows and columns of the matrix that are shown, each once; borrowed. */
struct crosstab_window {
	const uint32_t *row, *column;
	uint32_t n_rows, n_columns;
};
/* cell[(n_rows + 2) * (n_columns + 2)], row-major: after the rows that are shown one for the
 * samples that are in none of them, and one for all; columns likewise. */
void crosstab_cells(const struct crosstab *t, const struct crosstab_window *w, uint32_t *cell);

/* --- orders of the classes --- */

/* X(CONSTANT, word, help). */
#define CLASS_ORDERS(X)                                                                            \
	X(INDEX, "index", "as the benchmark numbers them")                                         \
	X(NAME, "name", "by name")                                                                 \
	X(SUPPORT, "support", "most samples first")                                                \
	X(CONFUSED, "most confused", "most errors in row and column first")                        \
	X(CLUSTER, "cluster", "classes that are confused side by side")

enum class_order {
#define X(id, word, help) ORDER_##id,
	CLASS_ORDERS(X)
#undef X
	    N_CLASS_ORDERS
};
const char *class_order_word(enum class_order o);

/* out[m->n_classes]: all classes in this order; ties as in the snapshot. Cluster: pairs of classes
 * are joined from the most confused one down (both ways summed) as paths, end to end where they
 * can be; paths by their errors. O(E log E) in the cells E that are not 0. */
void class_order_make(const struct snapshot *snap, const struct confusion *m, enum class_order o,
		      uint32_t *out);

#endif
