/* A judge's marks, steps, and the labels in what a model said: what is found lies in the text. */
#include "core/eval/judge.h"
#include "core/reader/mme.h"
#include "tests/fuzz/fuzz.h"

static void inside(struct str whole, struct str part)
{
	FUZZ_CHECK(!part.n || (part.p >= whole.p && part.p + part.n <= whole.p + whole.n));
}

static void check_said(struct str text, const struct mme_labels *words, const struct mme_said *s)
{
	inside(text, s->text);
	for (size_t i = 0; i < s->labels.n; i++) {
		bool known = !words->n;

		inside(text, s->labels.v[i]);
		for (size_t k = 0; k < words->n; k++)
			known |= str_eq_nocase(s->labels.v[i], words->v[k]);
		FUZZ_CHECK(known);
	}
}

static void check_steps(struct str text)
{
	struct str rest = judge_steps(text), step;
	size_t n = 0;

	inside(text, rest);
	while (judge_step_next(&rest, &step)) {
		inside(text, step);
		FUZZ_CHECK(++n <= text.n + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct mme_labels sets[] = {
	    {.n = 0},
	    {{{"happy", 5}, {"sad", 3}, {"very sad", 8}, {"Doubt/Confusion", 15}}, 4},
	};
	struct str text = fuzz_str(data, size);
	struct judge_mark marks[JUDGE_STEPS_MAX];
	struct judge_scores scores;
	struct mme_said said;
	int n = judge_parse(text, marks);

	FUZZ_CHECK(n >= 0 && n <= JUDGE_STEPS_MAX);
	FUZZ_CHECK(judge_scores(text, &scores) == (n > 0) && scores.n == n);
	FUZZ_CHECK(scores.wrong <= n && scores.rec >= 0 && scores.rea >= 0);
	check_steps(text);
	for (int k = 0; k < 4; k++) {
		mme_said_in(text, &sets[k / 2], k % 2, &said);
		check_said(text, &sets[k / 2], &said);
		mme_said_at_end(text, &sets[k / 2], k % 2, &said);
		check_said(text, &sets[k / 2], &said);
	}
	return 0;
}
