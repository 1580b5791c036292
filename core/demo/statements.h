/* statements: what is said about the faces, right or wrong, in MVEI's four dimensions (inside
 * core/demo). */
#ifndef QUALM_CORE_DEMO_STATEMENTS_H
#define QUALM_CORE_DEMO_STATEMENTS_H

#include "core/base/str.h"
#include "core/demo/plan.h"

#define STATEMENTS_METADATA (-1)

/* The whole file: the metadata, or with what a model answered. */
void statements_file(struct buf *out, const struct plan_face face[DEMO_FACES], int model);

#endif
