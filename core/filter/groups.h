/*
 * groups: what the samples of a dataset are told apart by: label categories, verdict, outcome and
 * answer of a, truth, every facet, ranges of numbers, tags and marks. Each is a group of values;
 * each value stands for a condition of the filter language, and is counted as that condition is.
 *
 * Of a filter, a group's selection is what chooses among its values: the first condition by which
 * some of them are wanted ("emotion:joy,fear"), those by which some are not ("-tag:odd"), and
 * comparisons that meet the bounds of its ranges ("mos>=3 mos<4"). A group is counted among the
 * samples that the filter without its own selection is true for, so that a count is the length of
 * the list once the value is chosen alone. A condition of another shape counts like all the rest.
 *
 * Values have ordinals 0 … n - 1; "(none)", samples without a value, is n.
 */
#ifndef QUALM_CORE_FILTER_GROUPS_H
#define QUALM_CORE_FILTER_GROUPS_H

#include "core/filter/filter.h"

enum group_kind { GROUP_CATEGORY, GROUP_VERDICT, GROUP_OUTCOME, GROUP_FACET, GROUP_RANGES,
		  GROUP_TRUTH, GROUP_ANSWER, GROUP_TAGS, GROUP_MINE, GROUP_SCORES,
		  GROUP_DIFFICULTY /* of the panel: see qualm-filter(7) */ };

/* Of a value under the filter. PART: some of what is below it is chosen. */
enum group_state { GROUP_FREE, GROUP_IN, GROUP_OUT, GROUP_PART };

struct group {
	enum group_kind kind;
	int facet;              /* FACET, RANGES: of snap->facets; else -1 */
	const char *number;     /* SCORES: borrowed of the source */
	uint32_t n;             /* values */
	bool none;              /* "(none)" can be said */
	bool there;             /* false: nothing to tell apart by (no run a, no such numbers) */
	bool wanted;            /* SCORES, DIFFICULTY are made only when this has been set */
	bool ready;             /* it was prepared */
	bool counted;           /* false: a condition that it needs is not known yet */
	bool chosen, own;       /* there is a selection; there are conditions of another shape */
	const uint32_t *parent; /* [n]: UINT32_MAX = a root; NULL: no tree */
	const uint32_t *same;   /* [n]: the value whose name this one bears; NULL: each its own */
	uint32_t *count, *base; /* [n + 1]: under filter and base; of the base. 0: same[v] != v */
	uint8_t *state;         /* [n + 1] enum group_state */
	struct group_data *data;
};

struct groups {
	struct group *v;
	size_t n;
	struct groups_data *data;
};

/*
 * Three steps, each after the one before: groups_prepare() reads what counting needs, where that
 * has not been done; groups_select() finds the selections of a filter; groups_count() counts. The
 * snapshot is always the same one, and ctx->cache is there.
 */

/* What there is in ctx. Borrows the snapshot and the source's names. */
struct groups *groups_new(const struct filter_ctx *ctx);
void groups_free(struct groups *g); /* NULL is fine */
/* changed: bits of enum filter_use. What depends on them must be prepared again. */
void groups_renew(struct groups *g, const struct filter_ctx *ctx, unsigned changed);

/* f: the numbers that it asks for are wanted; checked; NULL: no filter. E_MEMORY, or what the
 * source says. groups_prepare_one() does one group, which takes some milliseconds where there are
 * many samples; *more: there are others. */
enum status groups_prepare(struct groups *g, const struct filter_ctx *ctx, const struct filter *f,
			   struct err *err);
enum status groups_prepare_one(struct groups *g, const struct filter_ctx *ctx,
			       const struct filter *f, bool *more, struct err *err);

/* Finds the selections: sets state, chosen, own. f: checked; NULL: no filter. */
void groups_select(struct groups *g, const struct filter_ctx *ctx, const struct filter *f);

struct groups_within {
	const uint64_t *shown; /* base and filter; NULL: all samples */
	const uint64_t *base;  /* NULL: all samples */
	/* The samples that the k-th condition of the filter is true for; NULL: not known yet. The
	 * function may be NULL: then the filter is set aside, and all is counted among the shown. */
	const uint64_t *(*condition)(void *of, size_t k);
	void *of;
};
/* Counts every group that is ready. E_MEMORY. */
enum status groups_count(struct groups *g, const struct filter_ctx *ctx,
			 const struct groups_within *within, struct err *err);

/* Does the value count this sample? Needs counts. */
bool group_has(const struct group *g, const struct filter_ctx *ctx, uint32_t value, uint32_t ord);
/* Is it made only when somebody wants it? */
bool group_is_costly(const struct group *g);
/* Append "verdict of a", "emotion"; the name of a value. */
void group_title(const struct group *g, const struct filter_ctx *ctx, struct buf *out);
void group_value(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
		 struct buf *out);
/* First value of a tree below `value` (UINT32_MAX: its first root), and the next beside it;
 * UINT32_MAX at the end. */
uint32_t group_below(const struct group *g, uint32_t value);
uint32_t group_beside(const struct group *g, uint32_t value);

enum group_act {
	GROUP_TOGGLE,  /* chosen beside the others, or no longer */
	GROUP_EXCLUDE, /* not wanted, or no longer so */
	GROUP_ONLY,    /* chosen alone */
	GROUP_CLEAR    /* nothing of the group is chosen; value does not matter */
};
/* Appends the filter f (NULL: none) with another selection in the k-th group, after
 * groups_select() for f. */
void groups_write(const struct groups *g, const struct filter_ctx *ctx, size_t k, uint32_t value,
		  enum group_act act, const struct filter *f, struct buf *out);
/* Appends the value as a filter of its own: "cat:S-". */
void group_put(const struct group *g, const struct filter_ctx *ctx, uint32_t value,
	       struct buf *out);

#endif
