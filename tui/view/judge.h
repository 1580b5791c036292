/* judge: the marks that a judge gave to the steps of an answer (MME-Emotion): "Step 1: 1/1, Step
 * 2: 0/1 …", inside <score> or not, or a JSON list of numbers. Pure. */
#ifndef QUALM_TUI_VIEW_JUDGE_H
#define QUALM_TUI_VIEW_JUDGE_H

#include "core/base/str.h"

#define JUDGE_STEPS_MAX 64

/* points of most; most is 1 but for a last step with several truths. */
struct judge_mark {
	int points, most;
};

/* Returns how many there are, at most JUDGE_STEPS_MAX; 0 when the text holds no marks. */
int judge_parse(struct str marks, struct judge_mark out[JUDGE_STEPS_MAX]);
/* The part of the text between <score> and </score>, else all of it. */
struct str judge_scored(struct str marks);

#endif
