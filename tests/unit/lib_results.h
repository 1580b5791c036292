/* Folders of results as four evaluation tools write them, three models and two tasks each, with
 * rows that every task numbers from 0 (VLMEvalKit's own from 1, by threes). */
#ifndef QUALM_TESTS_UNIT_LIB_RESULTS_H
#define QUALM_TESTS_UNIT_LIB_RESULTS_H

#include "core/base/str.h"

enum { RESULTS_TASKS = 8, RESULTS_MODELS = 3, RESULTS_ROWS = 12 };

/* One task and model: what a count of the rows gives. */
struct result {
	const char *task, *handle;
	uint32_t right, n;
};

/* Makes them below root; fills out[RESULTS_TASKS × RESULTS_MODELS]. */
void results_make(const char *root, struct result *out);
/* All that is in root/results, into a project; dataset: may be NULL. */
void results_import(const char *root, const char *project, const char *dataset);
/* One file, with the folders that it is in. */
void results_put(const char *root, const char *name, struct str bytes);

#endif
