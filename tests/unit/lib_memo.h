/*
 * memo: a project in the shape of MEMO-Bench, from files made by a seed and read in: 240 samples of
 * four generators, six emotions, some without a label, a prompt's emotion or a score; two runs, "a"
 * and "b/x y", whose answers are sometimes blank, missing or none of the six, and their degrees.
 */
#ifndef QUALM_TESTS_UNIT_LIB_MEMO_H
#define QUALM_TESTS_UNIT_LIB_MEMO_H

#include <stdint.h>

/* Makes folder/p.qualm, dataset "memo"; its path, which the caller frees. What fails is a failed
 * assertion. */
char *memo_project(const char *folder, uint32_t seed);

#endif
