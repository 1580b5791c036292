/* What the groups_*.c share. Not for others. */
#ifndef QUALM_CORE_FILTER_GROUPS_IMPL_H
#define QUALM_CORE_FILTER_GROUPS_IMPL_H

#include "core/filter/filter_impl.h"
#include "core/filter/groups.h"

#define NO_VALUE   UINT32_MAX
#define RANGES_MAX 12
#define EDGE_TEXT  32

struct ranges {
	bool f32;   /* compared in that width, as the filter does */
	bool whole; /* one whole number each */
	double hi;  /* of the data */
	/* Bin k holds edge[k] <= x < edge[k + 1]; the last also holds hi. */
	double edge[RANGES_MAX + 1];
	char text[RANGES_MAX + 1][EDGE_TEXT];
};

struct group_data {
	unsigned uses; /* enum filter_use */
	bool based;
	uint32_t bits_max; /* values that are counted by bits; each takes a bit a sample */
	uint32_t *first, *next; /* of a tree: [n + 1], the roots hang below n; [n] */
	uint32_t *same, *parent; /* what the group's own point to, if not into the snapshot */
	uint8_t *twin;          /* classes: [n] 1: another one bears the same name */
	uint32_t *total;        /* [n + 1] of all samples */
	uint64_t **bits;        /* [n + 1]; NULL: counted by rows */
	uint32_t *wide;         /* values of rows in 32 bits, if the snapshot's are others */
	uint64_t *answered;     /* ANSWER: rows whose classes count */
	struct ranges ranges;
};

struct groups_data {
	uint32_t bits_max;
	size_t n_samples;
	uint64_t *base; /* a copy of what base counts are of; NULL: all */
	bool has_base;
	VEC(int) cond;  /* by condition of the filter: the group whose selection it is part of; -1 */
};

/* A selection: in[n + 1], 1 for each value. */
struct choice_set {
	uint8_t *in, *out;
};

#define BITS_MAX 32

/* groups.c */
/* With another bits_max, for tests: at most BITS_MAX. */
struct groups *groups_new_with(const struct filter_ctx *ctx, uint32_t bits_max);
bool group_is_line(const struct group *g, uint32_t value); /* shown by a name of its own */
bool group_is_ranges(const struct group *g);
/* set[v] = to, for all that the line of `value` stands for. */
void group_mean(const struct group *g, uint32_t value, uint8_t *set, uint8_t to);
/* What evaluates one value, or the values in[n + 1], of a group that is not one of ranges. The
 * set is allocated: free(t->set). */
void group_term(const struct group *g, const uint8_t *in, struct term *t);

/* groups_ranges.c */
void ranges_make(struct group *g, const struct column *c, size_t n);
/* code[n]: the bin of each row; 255 for none. */
void ranges_code(const struct group *g, const struct column *c, size_t n, uint8_t *code);
/* Is the condition about this group true for all or none of each bin? */
bool ranges_meet(const struct group *g, const struct node *n);
/* in[v] &= is it true for the bin? */
void ranges_apply(const struct group *g, const struct node *n, uint8_t *in);
/* The conditions that choose just these; nothing when they are all there is. */
void ranges_put(const struct group *g, const struct filter_ctx *ctx, const uint8_t *in,
		struct buf *out);

/* groups_select.c */
/* The group that every term of the condition is about; -1: none or several. */
int groups_of(const struct groups *g, const struct filter_ctx *ctx, const struct node *n);
void groups_choice(const struct groups *g, size_t k, const struct filter *f, struct choice_set *out);
void choice_init(struct choice_set *c, uint32_t n);
void choice_release(struct choice_set *c);

/* groups_write.c: "emotion", "score": what stands before the operator. */
void group_put_name(const struct group *g, const struct filter_ctx *ctx, struct buf *out);

/* groups_rows.c: counts of groups without bits. count[n + 1] is overwritten. mask NULL: all. */
enum status rows_prepare(struct group *g, struct eval *e);
enum status rows_count(const struct group *g, struct eval *e, const uint64_t *mask, uint32_t *count);

/* format.c */
/* The name of a facet. exact: quoted, for names that "_" would change. */
void filter_put_name(struct buf *out, const char *facet, bool exact);
void filter_put_node(struct buf *out, const struct node *n, bool nested);

#endif
