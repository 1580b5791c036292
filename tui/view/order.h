/*
 * order: the samples sorted by one column. Ties keep the order of import, and what has no value
 * in the column comes last whichever way it is sorted. Pure.
 */
#ifndef QUALM_TUI_VIEW_ORDER_H
#define QUALM_TUI_VIEW_ORDER_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"

/* X(CONSTANT, name in `:sort NAME`, title, what the first rows are then). Those from SCORE to
 * STEPS are numbers of a run, by their names in the project. */
#define SORTS(X)                                                                                   \
	X(IMPORT, "import", "order of import", "as the files had them")                            \
	X(KEY, "key", "key", "by bytes")                                                           \
	X(TRUTH, "truth", "truth", "by the name of its first class")                               \
	X(ANSWER, "answer", "answer of a", "by the name of its first class")                       \
	X(VERDICT, "verdict", "verdict of a", "wrong ones first")                                  \
	X(PANEL, "panel", "panel runs that are right", "fewest first")                             \
	X(DIFFICULTY, "difficulty", "difficulty", "the hardest first")                             \
	X(SCORE, "score", "score of a", "lowest first")                                            \
	X(LATENCY, "latency", "latency of a", "shortest first")                                    \
	X(TOKENS, "tokens", "tokens of a", "fewest first")                                         \
	X(DEGREE, "degree", "degree that a answered", "lowest first")                              \
	X(REC, "rec", "recognition score of a", "lowest first")                                    \
	X(REA, "rea", "reasoning score of a", "lowest first")                                      \
	X(STEPS, "steps", "reasoning steps of a", "fewest first")                                  \
	X(CATEGORY, "category", "label category", "S+ first")                                      \
	X(TEXT, "text", "question or statement", "by bytes")                                       \
	X(NOTES, "notes", "your notes", "most first")                                              \
	X(FACET, "facet", "facet", "")

enum sort_by {
#define X(id, name, title, help) SORT_##id,
	SORTS(X)
#undef X
	    N_SORTS
};

struct sort {
	enum sort_by by;
	int facet; /* FACET: index into snap->facets; else -1 */
	bool down; /* backwards */
	/* 0: of a, in the lens's layer; else 1 + the run's index (ANSWER, VERDICT, numbers) or the
	 * layer's (TRUTH). */
	uint32_t of;
};

struct scene;
struct snapshot;

const char *sort_name(enum sort_by by);
const char *sort_title(enum sort_by by);
const char *sort_help(enum sort_by by);
/* "verdict", "verdict down", "score@RUN", "truth@LAYER", "emotion", ".score" (the facet of that
 * name); false when it is neither a column nor a facet. */
bool sort_parse(struct str text, const struct snapshot *snap, struct sort *out);
void sort_format(const struct sort *sort, const struct snapshot *snap, struct buf *out);
/* Do verdicts, runs or the panel matter to it? */
bool sort_is_judged(const struct sort *sort);

/* Is it by the verdicts of the panel? */
bool sort_is_of_panel(enum sort_by by);
/* A number of a run? */
bool sort_is_number(enum sort_by by);
/* Takes "@WHO": of another run or layer than the usual one? */
bool sort_takes_run(enum sort_by by);
/* The run that it is about; -1: none. */
int sort_run(const struct scene *s, const struct sort *sort);

/* out[n]: the ordinals in the sort's order. rank[n]: of each sample's key or text, for SORT_KEY and
 * SORT_TEXT alone; score[n]: for numbers alone, NaN = none. Verdicts must be there: scene_ready(),
 * scene_need() of sort_run(), for sort_is_of_panel() scene_need_panel(). */
void order_make(const struct scene *s, const struct sort *sort, const uint32_t *rank,
		const double *score, uint32_t *out);
/* Stable: indices 0 … n - 1 by ascending key. */
void order_by_keys(const uint64_t *key, uint32_t n, uint32_t *out);
/* A number as a key: smaller numbers, smaller keys; NaN the largest of all. */
uint64_t order_key(double v);

#endif
