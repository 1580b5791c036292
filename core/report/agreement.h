/*
 * agreement: who is right together and how alike runs are, as the table "agreement" (flat rows) and
 * as the numbers behind it, for the screen. Doors are conditions of the filter language; those that
 * are about all runs at once say "@all", "@3+", "@any", which is exact where the runs are the panel.
 */
#ifndef QUALM_CORE_REPORT_AGREEMENT_H
#define QUALM_CORE_REPORT_AGREEMENT_H

#include "core/eval/similar.h"
#include "core/report/report.h"

#define AGREEMENT_TOP 10 /* rows of their own beside everybody and nobody */

enum agreement_measure { AGREE_PHI, AGREE_KAPPA, AGREE_SPEARMAN, N_AGREEMENT_MEASURES };
const char *agreement_word(enum agreement_measure m);  /* "phi": also the column of the table */
const char *agreement_title(enum agreement_measure m); /* "kappa of the answers" */

/* The rows of the table: n_bars bars (everybody, nobody, the most frequent others, the rest where
 * there is one), then a row a run from first_run on, then the pairs from first_pair on: of the k-th
 * run with the next ones, then of the (k + 1)-th … */
struct agreement {
	struct table table;
	struct together together;
	struct similar similar;
	size_t n_bars, first_run, first_pair;
	uint64_t who[AGREEMENT_TOP + 3]; /* of each bar */
	bool has_rest;                   /* the last bar is the rest */
	int *order[N_AGREEMENT_MEASURES]; /* [n_runs] similar ones beside each other */
	size_t n, right, only, all_but;  /* columns of the table: samples; of runs */
	size_t measure[N_AGREEMENT_MEASURES];
};

/* by: empty, or "together", "runs", "pairs": these rows alone. Runs beyond TOGETHER_RUNS_MAX have no
 * part in the bars; a note says so. out: owned by the caller. E_USAGE, E_MEMORY, E_CANCELLED. */
enum status agreement_make(const struct report_ctx *ctx, struct agreement *out, struct err *err);
void agreement_release(struct agreement *a);
/* The row of the pair i, k (not the same run), whichever comes first. */
size_t agreement_pair(const struct agreement *a, int i, int k);

#endif
