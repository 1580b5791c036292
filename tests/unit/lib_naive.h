/*
 * naive: conditions of the filter language as plain trees, and whether one is true for one
 * sample of a world. It walks sets and strings, and shares no code with core/filter.
 */
#ifndef QUALM_TESTS_UNIT_LIB_NAIVE_H
#define QUALM_TESTS_UNIT_LIB_NAIVE_H

#include "tests/unit/lib_world.h"

enum kind {
	K_AND, K_OR, K_NOT, /* inner */
	K_CATEGORY, K_TRUTH, K_TRUTH_NONE, K_PRED, K_PRED_NONE, K_ROW, K_COLUMN, K_VERDICT, K_OUTCOME, K_OOP, K_FLIP, K_VOTE_SIZE,
	K_VOTE_CLASS, K_VOTE_VERDICT, K_VOTE_RUN, K_NUMBER, K_FACET, K_FACET_NONE, K_UNPLACED, K_SIZE,
	K_SIZE_NONE, K_TEXT, K_TAG, K_MARK, K_SEEN, K_NOTE, K_ID, K_ID_PART,
	K_DIFFICULTY, K_AGREE /* what: the other run; WORLD_RUNS: a; one more: b */, N_KINDS
};

enum { W_NONE, W_A, W_B, W_ALL, W_ANY, W_LEAST, W_RUN, N_WHO };

struct expr { /* a condition */
	enum kind kind;
	struct expr *left, *right;
	int who, run, least; /* whose answer */
	int op;              /* < <= > >= = != */
	int what;            /* layer, facet, outcome, scope, number …: by kind */
	uint16_t set;        /* classes, values, categories */
	bool tree, regex;
	double x;
	const char *text;
};

bool naive_says(const struct world *w, const struct expr *e, int i);
bool naive_is_panel(int who);

#endif
