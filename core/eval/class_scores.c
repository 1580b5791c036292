/* Precision, recall and F1 by class (confusion.h). */
#include <math.h>
#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/eval/crosstab.h"

/* The counted samples of the mask. */
static uint64_t *counted(const uint8_t *verdict, const uint64_t *mask, uint32_t n)
{
	uint64_t *bits = xcalloc(bits_words(n) + 1, sizeof *bits);

	bits_of_bytes(bits, verdict, n, VERDICT_UNCOUNTED);
	bits_not(bits, n);
	if (mask)
		bits_and(bits, mask, n);
	return bits;
}

static double ratio(double a, double b)
{
	return b > 0 ? a / b : NAN;
}

static void score_class(struct class_score *s)
{
	s->precision = ratio(s->hit, (double)s->hit + s->false_hit);
	s->recall = ratio(s->hit, (double)s->hit + s->missed);
	s->f1 = ratio(2.0 * s->hit, 2.0 * s->hit + s->false_hit + s->missed);
}

static void average(struct class_scores *out)
{
	double hit = 0, missed = 0, false_hit = 0;

	for (uint32_t c = 0; c < out->n; c++) {
		const struct class_score *s = &out->class[c];

		hit += s->hit;
		missed += s->missed;
		false_hit += s->false_hit;
		if (!s->support)
			continue;
		out->present++;
		out->macro_precision += isnan(s->precision) ? 0 : s->precision;
		out->macro_recall += isnan(s->recall) ? 0 : s->recall;
		out->macro_f1 += isnan(s->f1) ? 0 : s->f1;
	}
	out->macro_precision = ratio(out->macro_precision, out->present);
	out->macro_recall = ratio(out->macro_recall, out->present);
	out->macro_f1 = ratio(out->macro_f1, out->present);
	out->micro_precision = ratio(hit, hit + false_hit);
	out->micro_recall = ratio(hit, hit + missed);
	out->micro_f1 = ratio(2 * hit, 2 * hit + false_hit + missed);
	out->balanced = out->macro_recall;
}

void class_scores_make(const struct snapshot *snap, const struct lens *lens, int run,
		       const uint8_t *verdict, const uint64_t *mask, struct class_scores *out)
{
	uint64_t *bits = counted(verdict, mask, snap->n);
	struct crosstab t;
	const struct confusion *m = &t.m;

	crosstab_make(snap, lens, run, verdict, bits, &t);
	*out = (struct class_scores){.n = snap->n_classes};
	out->class = xcalloc((size_t)snap->n_classes + 1, sizeof *out->class);
	for (uint32_t c = 0; c < snap->n_classes; c++) {
		struct class_score *s = &out->class[c];
		uint32_t none = lens->n == N_WRONG ? 0 : confusion_at(m, m->n_classes, c);

		s->support = m->support[c];
		s->hit = confusion_at(m, c, c);
		s->missed = m->row[c] - s->hit;
		s->false_hit = t.in_column[c] - s->hit - none;
		score_class(s);
	}
	average(out);
	crosstab_release(&t);
	free(bits);
}

void class_scores_release(struct class_scores *s)
{
	free(s->class);
	*s = (struct class_scores){0};
}
