/*
 * naming: who answered, by the paths of files that do not say it themselves. Of one file: its
 * stem, else its folder (reader_model_from_path()). Of several: the first part of the path that
 * differs and names something is the model; a part that is a protocol's name, or ends in one
 * ("gpt-4o_cw"), is the protocol, and so is "ow-siglip2" in "gpt-4o-ow-siglip2"; else what differs
 * between the files of one model is. Dates, numbers, shards ("part-3") and words like "results" name nothing.
 */
#ifndef QUALM_CORE_READER_NAMING_H
#define QUALM_CORE_READER_NAMING_H

#include "core/base/arena.h"
#include "core/reader/reader.h"

struct naming {
	struct str path;	    /* borrowed */
	bool judged; /* of a tool whose judges put words behind the file's name (naming_without_judge()) */
	struct str model, protocol; /* borrow the path or the arena; the protocol may be empty */
};

/* Fills model and protocol of files[n], which are seen together. */
void naming_by_paths(struct naming *files, size_t n, struct arena *arena);
/* The same of the files of one dataset, whose name, empty or not, names nobody: "gpt-4o_emoset" is
 * gpt-4o in emoset. */
void naming_in_dataset(struct naming *files, size_t n, struct str dataset, struct arena *arena);

/* Fills the protocols of files[n] that name their models themselves: of the parts in which the paths
 * of one model's files differ, a protocol's name, else the first that names something, without the
 * model's and the dataset's name. */
void naming_protocols(struct naming *files, size_t n, struct str dataset, struct arena *arena);

/* "MMBench_DEV_EN_gpt-4-0125_result", as VLMEvalKit calls what a judge made of MMBench_DEV_EN. */
struct str naming_without_judge(struct str s);
/* Files called MODEL_TASK, where either may hold a '_': task[i] is that of stems[i], empty where no
 * cut has both another model with the same task and, when there is another task at all, another
 * task of the same model. Borrows the stems. */
void naming_tasks(const struct str *stems, size_t n, struct str *tasks);
/* The same where it is known, too, which files ask the same: asks[i] is the same number for these and
 * another one for others. Files that ask different things are never one task. Where the names alone
 * do not tell, a benchmark's known name does, or what files that ask the same end in, or what is left
 * of a name without the beginning that it shares with one that asks something else. */
void naming_tasks_asked(const struct str *stems, const uint32_t *asks, size_t n, struct str *tasks);

#endif
