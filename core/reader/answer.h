/*
 * answer: stored values into class references, and what a model said into an outcome.
 */
#ifndef QUALM_CORE_READER_ANSWER_H
#define QUALM_CORE_READER_ANSWER_H

#include "core/reader/rows.h"

struct refs {
	struct class_ref *v; /* in the arena */
	size_t n;
	double *votes; /* by ref, or NULL */
	bool known;    /* false: nothing was said at all (absent, null, a blank text) */
};

/* One text: digits alone are an index ("187"; its text stays as a made-up name), n01440764 a
 * wnid, the rest a name, blanks at the ends cut off. A negative index means nothing. */
bool ref_from_text(struct str text, struct class_ref *out);
/* A cell: a number is an index; a list is all of its items; {"joy": 3, "fear": 1} are votes;
 * {"label": …, "index": …} is one. In a text, [7, 9] or ['a', 'b'] and 7,9 are lists. */
struct refs refs_from_cell(struct arena *arena, const struct cell *c);
/* Gives refs[0] the index, keeping its text; an index that is absent or negative changes
 * nothing. Lists of equal length are matched one by one. */
void refs_set_index(struct arena *arena, struct refs *refs, const struct cell *index);

/* What the row has about one answer; NULL = no such field in the row. */
struct answer {
	const struct cell *prediction, *index, *raw, *error, *refusal;
};

/* Sets raw, extracted, outcome, refs, error of out. false: the row has nothing about an answer. */
bool answer_read(struct arena *arena, const struct answer *a, struct rec_prediction *out);

/* ESJ (MVEI, cal_metrics.py): "incorrect" anywhere, else "correct" anywhere, else no verdict:
 * refused; "" = empty. *extracted borrows the word inside raw. Classes: see reader_mvei.c. */
enum outcome answer_esj(struct str raw, struct str *extracted, int64_t *index);

/* ImageNet's validation images go by their number, whatever folder or extension a file writes:
 * ReaL and the devkit name them by position alone. Other keys are as they are. Borrows key. */
struct str imagenet_key(struct str key);

/* "\" to "/" in a path of a file written on Windows; the copy lives in the arena. */
struct str path_with_slashes(struct arena *arena, struct str path);

#endif
