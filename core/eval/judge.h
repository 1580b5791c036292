/*
 * judge: the marks that a judge gave to the steps of an answer, and what they amount to
 * (MME-Emotion §3.3; benchmarks.md §5): "<score>Step 1: 1/1, Step 2: 0/1</score>". The last step
 * is the predicted label, of several truths "hits/truths"; the steps before it are the reasoning.
 *
 * Marks are read as the published script reads them: between <score> and the next </score> of the
 * same line, each ": POINTS/MOST". A JSON list of points, [1, 0, 1], is taken too. Anything else
 * has no marks. Pure.
 */
#ifndef QUALM_CORE_EVAL_JUDGE_H
#define QUALM_CORE_EVAL_JUDGE_H

#include "core/base/str.h"

#define JUDGE_STEPS_MAX 64

/* points of most; most is 1 but for a last step with several truths. */
struct judge_mark {
	int points, most;
};

/* 0 … 1 (above, where a judge gave more points than there are); most 0: 0. */
double judge_mark_value(const struct judge_mark *m);
/* Returns how many there are, at most JUDGE_STEPS_MAX; 0 when the text holds no marks. */
int judge_parse(struct str marks, struct judge_mark out[JUDGE_STEPS_MAX]);

struct judge_scores {
	int n;      /* marks */
	int wrong;  /* steps of the reasoning that did not get all points */
	double rec; /* the last mark: Rec-S */
	double rea; /* mean of the others, 0 where there are none: Rea-S */
};
/* false: there are no marks; *out is all 0. */
bool judge_scores(struct str marks, struct judge_scores *out);

/* A text "<step>Step 1: … Step 2: …</step>" as its steps: *rest is what is left of it, at first
 * judge_steps() of the whole. *step: without "Step N:", trimmed. false at the end. */
struct str judge_steps(struct str text);
bool judge_step_next(struct str *rest, struct str *step);

#endif
