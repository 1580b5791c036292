/*
 * scene: what all views share and none owns: the snapshot, the lens, a and b, the panel, the
 * current sample, and what follows from them (verdicts, categories). Plain arrays, by sample
 * ordinal; views read it, commands change it, scene_ready() fills in what is missing.
 *
 * The snapshot may be partial (snapshot.h): then the views that are drawn first show SIGN_WAIT
 * for a run that is `later`, and everything else waits for the whole one (grow.h).
 */
#ifndef QUALM_TUI_VIEW_SCENE_H
#define QUALM_TUI_VIEW_SCENE_H

#include "core/base/bits.h"
#include "core/eval/eval.h"
#include "core/model/snapshot.h"
#include "db/user.h"
#include "tui/view/hits.h"
#include "tui/view/order.h"

struct scene {
	struct snapshot *snap;    /* owned; NULL: the project has no dataset */
	struct lens lens, preset; /* preset: the dataset's own, to compare with */
	int a, b;                 /* indices into snap->runs; -1 = none */
	int run;                  /* the run whose raw text is shown; -1 = none */
	int *panel;               /* owned: n_panel run indices in order of import */
	int n_panel;
	uint32_t current;         /* ordinal of the current sample */
	struct sort sort;         /* how the list is sorted */
	bool sort_due, sorting;   /* it is not sorted so yet; a worker is at it (sorter.h) */
	uint32_t *sorted;         /* owned: [n] all ordinals in the sort's order; NULL: as imported */
	char *filter;             /* owned: of the list, as it is shown; NULL: none (narrow.h) */
	const char *hint;         /* static: what the filter asks for in vain, or NULL */
	char *trail;              /* owned: base and conditions one by one, as the top line has them;
				     NULL: none */
	bool filter_off;          /* it is set aside */
	bool narrowing;           /* another one is being worked out */
	uint64_t *shown;          /* owned: bits of the samples in the list; NULL: all */
	uint64_t *stale;          /* owned: those of them that an edit has made match no more; NULL:
				     none */
	uint32_t n_shown;
	char *base_filter;        /* owned: of the population that shares are of; NULL: all samples */
	uint64_t *base;           /* owned: its bits; NULL: all */
	uint32_t n_base;
	uint32_t *order, *place;  /* owned: [n_shown] ordinals in list order, and the inverse [n];
				     NULL: all, as imported */
	uint8_t **verdict;        /* owned: [answerers][n], NULL until computed: ask scene_need() */
	struct lens judged;       /* what the verdicts and categories are by; good while there are any */
	struct judging *judging;  /* owned: for the verdicts of single samples; NULL until needed */
	uint8_t *category;        /* owned: [n], NULL until computed */
	bool partial;             /* the list is not whole yet: its filter is still being worked out */
	struct hits hits;         /* to be marked in this frame; borrows its needles (find_mark()) */
	bool read_only;           /* the project; the user's things are kept beside it */
	bool has_media;           /* any sample has a picture or a video */
	const struct user_things *mine; /* borrowed: notes, tags, marks; NULL = none could be read */
	int64_t anchor;           /* the sample where a range began; -1 = there is none */
};

/* Takes snap (may be NULL), sets lens, a, b and panel to their first values (product.md §2). */
void scene_take(struct scene *s, struct snapshot *snap);
void scene_release(struct scene *s);
/* a and b at first: the two runs imported last that are not scratch; -1 = there is none. */
void scene_first_runs(const struct snapshot *snap, int *a, int *b);
/* Is the panel one run for each model and protocol, as at first? */
bool scene_panel_is_first(const struct scene *s);
/* Takes snap in place of the present one, of the same dataset, whose ordinals are its own: the
 * choices stay, runs by their handle, layer and facet by their name. A panel that was never
 * changed stays the first one, new runs included. New samples are in no filter and no base yet;
 * sorting is due again. */
void scene_replace(struct scene *s, struct snapshot *snap);
/* Drops what was computed under a lens. */
void scene_relens(struct scene *s);
/* The lens changed: drops what was computed under another one. */
void scene_follow_lens(struct scene *s);
/* The verdicts of a run as they are now, [n], or NULL when they were not needed yet; the caller's. */
uint8_t *scene_take_verdicts(struct scene *s, int run);
/* Computes what is missing: the verdicts of a and b. */
void scene_ready(struct scene *s);

/* Computes the verdicts of one more run, or of the panel's. */
void scene_need(struct scene *s, int run);
void scene_need_panel(struct scene *s);
/* Is the run not loaded yet? */
bool scene_waits(const struct scene *s, int run);

/* How many samples the list shows, the ordinal of its i-th, and where in it a sample stands. */
uint32_t scene_shown(const struct scene *s);
uint32_t scene_at(const struct scene *s, uint32_t i);
/* First and last row of the range from the anchor to the current sample. Needs an anchor. */
void scene_range(const struct scene *s, uint32_t *from, uint32_t *to);
uint32_t scene_place(const struct scene *s, uint32_t ord);
/* The sample itself when the list shows it, or else the next one in the list's order, or else the
 * last; the sample where the list shows none. */
uint32_t scene_nearest(const struct scene *s, uint32_t ord);
/* Does the list keep it although the filter is not true for it any more? */
bool scene_is_stale(const struct scene *s, uint32_t ord);
#define SCENE_NOWHERE UINT32_MAX /* the place of a sample that is not shown */
/* Takes sorted ([n] a permutation of the ordinals); NULL: as imported. */
void scene_reorder(struct scene *s, uint32_t *sorted);
/* Takes shown ([bits_words(n)] the samples in the list); NULL: all. */
void scene_show(struct scene *s, uint64_t *shown);

enum verdict scene_verdict(const struct scene *s, int run, uint32_t ord);
enum mark scene_mark(const struct scene *s, int run, uint32_t ord);
/* How many runs of the panel are right about the sample; -1 while some are not loaded. */
int scene_panel_right(const struct scene *s, uint32_t ord);
/* What share of the panel's counted answers is right (qualm-filter(7), difficulty); NaN: none is
 * counted, or some runs are not loaded. */
double scene_difficulty(const struct scene *s, uint32_t ord);
/* How many of the runs that repeat this one are right; *of: how many there are. -1: not loaded. */
int scene_repeats_right(const struct scene *s, int run, uint32_t ord, int *of);
/* The first true class of the sample in the lens's layer; SCENE_NO_CLASS for an empty set,
 * SCENE_UNLABELLED where the layer says nothing. */
#define SCENE_NO_CLASS   (UINT32_MAX - 1)
#define SCENE_UNLABELLED UINT32_MAX
uint32_t scene_class(const struct scene *s, uint32_t ord);
uint32_t scene_class_in(const struct scene *s, int layer, uint32_t ord); /* in another layer */
/* Append the layer's classes, ", " between; "(none)" for a covered sample without one; nothing
 * where the layer does not cover the sample. Returns whether it does. */
bool scene_truth(const struct scene *s, int layer, uint32_t ord, struct buf *out);
/* Where in what scene_truth() and scene_answer() append each name of a class ends; how many there
 * are, at most max. */
size_t scene_truth_ends(const struct scene *s, int layer, uint32_t ord, size_t *ends, size_t max);
size_t scene_answer_ends(const struct scene *s, int run, uint32_t ord, size_t *ends, size_t max);
/* Append the run's mapped classes, or the outcome's word in parentheses where there are none. */
void scene_answer(const struct scene *s, int run, uint32_t ord, struct buf *out);

#endif
