/*
 * simulate: three models that do not exist. Each answers by dice of its own, loaded with a bias
 * that a user of qualm should be able to find (inside core/demo).
 */
#ifndef QUALM_CORE_DEMO_SIMULATE_H
#define QUALM_CORE_DEMO_SIMULATE_H

#include "core/base/str.h"
#include "core/demo/plan.h"

extern const char *const simulate_names[DEMO_MODELS];

/* One line of pred-NAME.jsonl: what model m says about face i. */
void simulate_answer(struct buf *out, unsigned m, unsigned i, const struct plan_face *f);
/* What model m says about statement k of face i; NUL-terminated, static. */
const char *simulate_judgement(unsigned m, unsigned i, unsigned k, unsigned dimension, bool truth);

#endif
