/* Folders of pictures as files of a plan (plan.h). */
#ifndef QUALM_DB_PLAN_TREE_H
#define QUALM_DB_PLAN_TREE_H

#include "db/plan.h"
#include "db/store.h"

/* Keeps the list of a folder's pictures (folder.h), which is empty then. */
void plan_keep_tree(struct import_plan *plan, const char *path, struct buf *pictures);
/* The kept lists become files of the plan, unless another file tells of samples. To be called when all
 * paths have been looked at. E_LIMIT, E_MEMORY. */
enum status plan_add_trees(struct import_plan *plan, const struct import_job *job, struct err *err);
void plan_release_trees(struct import_plan *plan);

#endif
