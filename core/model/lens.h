/*
 * lens: under which truth answers are judged (benchmarks.md §1). Global, visible, never hidden
 * in a formula. `layer` and `original` index struct snapshot.layers; -1 = the dataset has none.
 */
#ifndef QUALM_CORE_MODEL_LENS_H
#define QUALM_CORE_MODEL_LENS_H

#include <stdbool.h>

#include "core/base/err.h"
#include "core/base/str.h"

enum n_policy { N_RIGHT, N_EXCLUDE, N_WRONG };
enum abstain_policy { ABSTAIN_WRONG, ABSTAIN_EXCLUDE };
enum category_rule { RULE_REGT, RULE_REIMAGENET };

struct lens {
	int layer, original;
	bool equiv;
	enum n_policy n;
	enum abstain_policy abstain;
	enum category_rule rule;
};

struct snapshot;

/* The default of benchmarks.md §1: layer = reannotated if there is one, else original, else the
 * first; original = original; equiv off; n right; abstain wrong; rule regt. */
struct lens lens_default(const struct snapshot *snap);
/* The dataset's preset (snap->preset) over the default: regt, reimagenet, real, mvei,
 * memo. An unknown or empty name leaves the default. */
struct lens lens_preset(const struct snapshot *snap, const char *name);
/* "layer=reannotated,equiv=on,n=exclude" over *lens. A preset's name alone is also accepted.
 * E_USAGE for an unknown key, value or layer, or equiv=on without pairs; *lens is then unchanged. */
enum status lens_parse(struct lens *lens, const struct snapshot *snap, struct str text,
		       struct err *err);
/* The text form that lens_parse reads back, written out in full. */
void lens_format(const struct lens *lens, const struct snapshot *snap, struct buf *out);
bool lens_eq(const struct lens *a, const struct lens *b);

#endif
