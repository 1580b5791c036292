/*
 * MME-Emotion (benchmarks.md §5; the paper's §3.3): what a judge thinks of answers and of the
 * reasoning that leads to them, by task, or by whatever grouping is asked for.
 *
 * Rec-S: mean of the last marks; Rea-S: mean over answers of the mean of the other marks, 0 where
 * there are none; CoT-S = alpha Rec-S + (1 - alpha) Rea-S. Means are over questions: that of all
 * is not a mean of tasks. Answers whose marks cannot be read are left out, or are 0.
 */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/report/report_impl.h"

enum { JUDGED, REC, REA, MARKS, STEPS, TOKENS, JUDGE_TOKENS, N_NUMBERS };

static const char *const numbers[N_NUMBERS] = {"judged", "rec",    "rea",		 "marks",
					       "steps",	 "tokens", "judge_output_tokens"};

struct sums {
	uint64_t all, judged, unread;
	uint64_t n[N_NUMBERS];
	double sum[N_NUMBERS];
};

struct mme_table {
	const struct report_ctx *ctx;
	struct report_judging judging;
	int run;
	struct column column[N_NUMBERS]; /* of the run; n 0: it has none */
	struct sums *sums;		 /* by place; owned */
	size_t judged, unparsed, rec, rea, cot, steps, tokens, judge_tokens;
	uint64_t all_unread, all_judged;
};

bool report_fits_mme(const struct report_ctx *ctx)
{
	const struct filter_source *s = ctx->source;

	if (snapshot_facet(ctx->snap, STR("mme_task")) < 0 || !s || !s->number)
		return false;
	for (int r = 0; r < ctx->n_runs; r++) {
		const struct column *col = NULL;
		struct err ignored = ERR_INIT;

		if (s->number(s->ctx, ctx->runs[r], "judged", &col, &ignored) == OK && col && col->n)
			return true;
	}
	return false;
}

static void columns(void *own, struct table *t)
{
	struct mme_table *m = own;

	m->cot = table_column(t, "cot", "CoT-S", TABLE_SHARE, BEST_HIGH,
			      "alpha Rec-S + (1 - alpha) Rea-S (MME-Emotion §3.3)");
	m->rec = table_column(t, "rec", "Rec-S", TABLE_SHARE, BEST_HIGH,
			      "mean of the judge's last marks, of the answers (MME-Emotion §3.3)");
	m->rea = table_column(t, "rea", "Rea-S", TABLE_SHARE, BEST_HIGH,
			      "mean over answers of the mean mark of the reasoning's steps, 0 without any "
			      "(MME-Emotion §3.3)");
	m->judged = table_column(t, "judged", "judged", TABLE_COUNT, BEST_NONE,
				 "answers whose marks can be read: the scores are over these");
	m->unparsed = table_column(t, "unparsed", "unparsed", TABLE_COUNT, BEST_LOW,
				   m->judging.unparsed_zero ? "answers whose marks cannot be read: their scores are 0"
							 : "answers whose marks cannot be read: they have no score");
	m->steps = table_column(t, "steps", "steps", TABLE_NUMBER, BEST_NONE,
				"mean number of steps with their answer, of judged answers; before there are marks, of all");
	m->tokens = table_column(t, "tokens", "tokens", TABLE_NUMBER, BEST_NONE,
				 "mean number of tokens of the answers that have one stored");
	m->judge_tokens = table_detail(t, table_column(t, "judge_tokens", "judge's tokens", TABLE_NUMBER, BEST_NONE,
						       "mean number of tokens that the judge wrote for an answer"));
	t->pivot_value = m->cot;
}

static void drop_columns(struct mme_table *m)
{
	for (int k = 0; k < N_NUMBERS; k++)
		column_release(&m->column[k]);
	free(m->sums);
	m->sums = NULL;
}

static enum status begin(void *own, int run, size_t places, struct err *err)
{
	struct mme_table *m = own;

	m->run = run;
	drop_columns(m);
	m->sums = xcalloc(places, sizeof *m->sums);
	for (int k = 0; k < N_NUMBERS; k++)
		if (report_number(m->ctx, run, numbers[k], &m->column[k], err) != OK)
			return err->code;
	return OK;
}

static void add(void *own, size_t place, uint32_t i, uint8_t verdict)
{
	struct mme_table *m = own;
	struct sums *s = &m->sums[place];
	double judged = m->column[JUDGED].n ? column_f(&m->column[JUDGED], i) : NAN;

	(void)verdict;
	s->all++;
	s->judged += judged > 0;
	s->unread += judged <= 0;
	for (int k = REC; k < N_NUMBERS; k++) {
		double v = m->column[k].n ? column_f(&m->column[k], i) : NAN;

		if (isnan(v))
			continue;
		s->n[k]++;
		s->sum[k] += v;
	}
}

static double mean(const struct sums *s, int k, uint64_t more)
{
	uint64_t n = s->n[k] + more;

	return n ? s->sum[k] / (double)n : NAN;
}

/* Scores are made of marks, not of samples: what they open is what they are over. */
static void put_share(const struct mme_table *m, const struct sums *s, const char *condition, size_t column,
		      const char *formula, struct table *t)
{
	bool zero = m->judging.unparsed_zero;
	double over = (double)(s->judged + (zero ? s->unread : 0));
	struct buf whole = BUF_INIT, rest = BUF_INIT;
	struct table_share share = {.part = over, .whole = over, .rest = (double)s->all - over, .run = m->run,
				    .formula = formula,
				    .why = zero ? "there are no marks" : "marks that cannot be read, or none"};

	report_put_door(m->ctx, &whole, "judge", m->run, zero ? ":right,wrong,unparsed" : "", condition);
	report_put_door(m->ctx, &rest, "-judge", m->run, zero ? ":right,wrong,unparsed" : "", condition);
	share.part_door = share.whole_door = buf_cstr(&whole);
	share.rest_door = buf_cstr(&rest);
	table_share(t, &column, 1, &share);
	table_door(t, column, share.whole_door);
	buf_release(&whole);
	buf_release(&rest);
}

static void put_doors(const struct mme_table *m, const struct sums *s, const char *condition, struct table *t)
{
	struct buf judged = BUF_INIT, unread = BUF_INIT, cot = BUF_INIT;

	buf_printf(&cot, "CoT-S = %g Rec-S + %g Rea-S (MME-Emotion §3.3)", m->judging.alpha,
		   1 - m->judging.alpha);
	report_put_door(m->ctx, &judged, "judge", m->run, "", condition);
	report_put_door(m->ctx, &unread, "judge", m->run, ":unparsed", condition);
	table_door(t, m->judged, buf_cstr(&judged));
	table_door(t, m->unparsed, buf_cstr(&unread));
	put_share(m, s, condition, m->cot, buf_cstr(&cot), t);
	put_share(m, s, condition, m->rec, "Rec-S = mean of the last marks (MME-Emotion §3.3)", t);
	put_share(m, s, condition, m->rea,
		  "Rea-S = mean over answers of the mean of the marks before the last one, 0 without any "
		  "(MME-Emotion §3.3)", t);
	buf_release(&judged);
	buf_release(&unread);
	buf_release(&cot);
}

static void put(void *own, size_t place, const char *condition, struct table *t)
{
	struct mme_table *m = own;
	const struct sums *s = &m->sums[place];
	uint64_t zeros = m->judging.unparsed_zero ? s->unread : 0;
	double rec = mean(s, REC, zeros), rea = mean(s, REA, zeros);

	m->all_unread += place == 0 ? s->unread : 0;
	m->all_judged += place == 0 ? s->judged : 0;
	if (m->column[JUDGED].n) {
		table_number(t, m->judged, (double)s->judged);
		table_number(t, m->unparsed, (double)s->unread);
		table_number(t, m->rec, rec);
		table_number(t, m->rea, rea);
		table_number(t, m->cot, m->judging.alpha * rec + (1 - m->judging.alpha) * rea);
		put_doors(m, s, condition, t);
	}
	table_number(t, m->steps, m->column[MARKS].n ? mean(s, MARKS, 0) : mean(s, STEPS, 0));
	table_number(t, m->tokens, mean(s, TOKENS, 0));
	table_number(t, m->judge_tokens, mean(s, JUDGE_TOKENS, 0));
}

static void notes(void *own, struct table *t)
{
	struct mme_table *m = own;

	table_note(t, "CoT-S = %g Rec-S + %g Rea-S; means over questions", m->judging.alpha, 1 - m->judging.alpha);
	if (m->all_unread)
		table_note(t, "the marks of %llu of %llu judged answers cannot be read: %s",
			   (unsigned long long)m->all_unread,
			   (unsigned long long)(m->all_unread + m->all_judged),
			   m->judging.unparsed_zero ? "they count as 0"
						 : "they are left out of the scores, as the published script does");
	table_note(t, "accuracy is qualm's own comparison of the answer with the truth, rec the judge's");
}

enum status report_mme(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	static const struct report_more more = {.title = "MME-Emotion", .columns = columns, .begin = begin,
						.add = add, .put = put, .notes = notes};
	struct mme_table m = {.ctx = ctx, .judging = {.alpha = 0.5}};
	enum status st;

	if (ctx->judging)
		m.judging = *ctx->judging;
	st = report_accuracy_more(ctx, &more, &m, out, err);
	drop_columns(&m);
	return st;
}
