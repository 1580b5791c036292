/*
 * intervals: the bootstrap intervals of a table, which take longer than all the rest of it. They
 * own what they are made of, so that a worker can make them while the table is shown without.
 */
#ifndef QUALM_CORE_REPORT_INTERVALS_H
#define QUALM_CORE_REPORT_INTERVALS_H

#include "core/base/cancel.h"
#include "core/eval/compare.h"
#include "core/report/table.h"

struct interval {
	size_t row;        /* of the table */
	size_t place;      /* where it stands among those that are made one after the other */
	struct fourfold f; /* of all its samples */
	size_t group;      /* of clusters, where they are drawn */
	double lo, hi;
};

struct intervals {
	uint64_t seed;
	size_t lo, hi;           /* columns of the table */
	VEC(struct interval) v;
	struct compare_clusters clusters; /* from is NULL: samples are drawn */
};

void intervals_free(struct intervals *s); /* NULL is fine */
/* About how many random numbers the k-th takes. */
uint64_t intervals_cost(const struct intervals *s, size_t k);
/* In the order of the rows as they are shown: rows[n], of the table. */
void intervals_order(struct intervals *s, const uint32_t *rows, size_t n);
/* The k-th; the same bits whoever makes it, and in whatever order. */
void intervals_make(struct intervals *s, size_t k);
/* Marks its cells of the table as not known yet, or writes it into them. */
void intervals_await(const struct intervals *s, size_t k, struct table *t);
void intervals_put(const struct intervals *s, size_t k, struct table *t);

/* --- what was made before: the same four numbers and the same seed give the same bits --- */

#define INTERVALS_KNOWN 8192 /* that many are kept; a newer one takes an older one's place */
struct intervals_known;
struct intervals_known *intervals_known_new(void);
void intervals_known_free(struct intervals_known *known); /* NULL is fine */
/* Fills in the k-th if it is known; known NULL, or clusters: it is not. */
bool intervals_recall(const struct intervals_known *known, struct intervals *s, size_t k);
/* Keeps the k-th, which is made. known NULL: nothing. */
void intervals_remember(struct intervals_known *known, const struct intervals *s, size_t k);

#endif
