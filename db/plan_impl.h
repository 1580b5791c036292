/* plan_impl: what plan*.c share. */
#ifndef QUALM_DB_PLAN_IMPL_H
#define QUALM_DB_PLAN_IMPL_H

#include "core/reader/recipe.h"
#include "db/plan.h"

void plan_leave_out(struct import_plan *plan, const char *path, const char *why, bool unreadable);
bool plan_is_folder(const char *path);
/* A table of which no reader but the generic one, by its shape alone, wants to know. */
bool plan_unknown(const struct import_job *job, const struct input *in, const struct reader *reader,
		  int score);
/* Its columns, and the command that would read it. */
void plan_say_unknown(const struct import_job *job, const char *path, struct err *err);
/* Tasks of files whose format and path do not say which task they are of, but their name. */
void plan_find_tasks(struct import_plan *plan);
/* What a file of VLMEvalKit's benchmarks is called after. */
struct str plan_benchmark(struct str path);
/* Is it of a format that holds the benchmark's own questions? */
bool plan_knows_questions(const struct plan_file *f);
/* Does the dataset have samples with the file's keys that ask other things? Of these formats alone. */
bool plan_asks_other(struct conn *c, int64_t dataset, const struct plan_file *f);
/* Fills model and protocol of the files, which stand dataset by dataset, as far as only their paths
 * tell them. */
void plan_name_runs(struct import_plan *plan, const struct read_options *opt);

#endif
