/* plan_impl: what plan*.c share. */
#ifndef QUALM_DB_PLAN_IMPL_H
#define QUALM_DB_PLAN_IMPL_H

#include "db/plan.h"

void plan_leave_out(struct import_plan *plan, const char *path, const char *why, bool unreadable);
bool plan_is_folder(const char *path);

#endif
