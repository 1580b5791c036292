#include "core/demo/simulate.h"

#include "core/base/dice.h"
#include "core/text/json.h"

enum { DICE_ANSWER = 10, DICE_JUDGEMENT };

#define N_OF(a) (sizeof(a) / sizeof *(a))

const char *const simulate_names[DEMO_MODELS] = {"sim-cheerful", "sim-gloomy", "sim-careful"};

/* Shares in percent, or in thousandths where the name says so. */
struct model {
	unsigned seen[3];                                /* low, medium, high: sees what is drawn */
	unsigned mistakes[N_FACE_EMOTIONS];              /* weights of what it says otherwise */
	unsigned errors, empties, refusals, oops;        /* in thousandths */
	unsigned latency, latency_spread, tokens, words; /* ms; tokens; 1 = answers in sentences */
	unsigned judges[4];                              /* by dimension: sees the truth */
	unsigned says_correct;                           /* when it does not */
	unsigned gives_up;                               /* in thousandths */
};

static const struct model models[DEMO_MODELS] = {
    {{56, 72, 88}, {60, 4, 4, 14, 16, 2}, 8, 8, 0, 16, 310, 160, 6, 0, {62, 52, 48, 40}, 84, 8},
    {{52, 74, 90}, {2, 46, 30, 8, 4, 10}, 12, 16, 8, 32, 640, 300, 14, 1, {70, 50, 54, 46}, 24, 24},
    {{72, 88, 96},
     {12, 18, 18, 32, 10, 10},
     4,
     4,
     44,
     60,
     1450,
     900,
     38,
     2,
     {86, 80, 76, 64},
     50,
     60},
};

static const char *const finer[N_FACE_EMOTIONS][2] = {
    {"contentment", "glee"}, {"ennui", "melancholy"}, {"unease", "stress"},
    {"bored", "calm"},       {"startled", "awe"},     {"grumpy", "contempt"},
};

static const char *const reasons[N_FACE_EMOTIONS] = {
    "The corners of the mouth are lifted",      "The mouth turns down and the lids hang",
    "The inner ends of the brows are raised",   "Brows and mouth are level",
    "The eyes are wide and the brows are high", "The brows are drawn down and together",
};

static enum face_emotion mistake(const struct model *m, struct dice *d)
{
	unsigned sum = 0, at;

	for (unsigned e = 0; e < N_FACE_EMOTIONS; e++)
		sum += m->mistakes[e];
	at = dice_below(d, sum);
	for (unsigned e = 0; e < N_FACE_EMOTIONS; e++) {
		if (at < m->mistakes[e])
			return e;
		at -= m->mistakes[e];
	}
	return FACE_NEUTRALITY;
}

static enum face_emotion sees(const struct model *m, const struct plan_face *f, struct dice *d)
{
	bool sharp = dice_percent(d, m->seen[f->intensity]);

	if (f->kind == PLAN_TURNED_AWAY || !sharp)
		return mistake(m, d);
	return dice_percent(d, 58) ? f->drawn : f->second;
}

static void put_text(struct buf *out, const char *key, const char *text)
{
	buf_printf(out, ",\"%s\":", key);
	json_quote(out, str_z(text));
}

static void capital(struct buf *out, const char *word)
{
	buf_ch(out, (char)(word[0] - 'a' + 'A'));
	buf_z(out, word + 1);
}

static void phrase(struct buf *raw, unsigned words, enum face_emotion e, const char *word,
		   struct dice *d)
{
	static const char *const plain[] = {"The face shows ", "I would call this ",
					    "This looks like ", "The emotion is "};

	if (words == 0) {
		capital(raw, word);
		if (dice_percent(d, 40))
			buf_ch(raw, '.');
		return;
	}
	if (words == 2 && dice_percent(d, 70)) {
		buf_printf(raw, "%s, so my answer is %s.", reasons[e], word);
		return;
	}
	buf_printf(raw, "%s%s.", plain[dice_below(d, N_OF(plain))], word);
}

static void put_measures(struct buf *out, const struct model *m, const struct plan_face *f,
			 bool confident, struct dice *d)
{
	unsigned score = (confident ? 62 : 38) + f->strength / 5 + dice_below(d, 16);
	unsigned degree = (f->strength * 5 + 50) / 100;

	if (dice_percent(d, 35))
		degree += degree < 5 && dice_percent(d, 50) ? 1u : degree > 0 ? -1u : 0u;
	buf_printf(out, ",\"score\":0.%02u,\"degree\":%u", score, degree);
	buf_printf(out, ",\"latency_ms\":%u,\"tokens\":%u}\n",
		   m->latency + dice_below(d, m->latency_spread),
		   m->tokens + dice_below(d, m->tokens));
}

/* The ways to fail; true when one was taken. */
static bool fails(struct buf *out, const struct model *m, struct dice *d)
{
	static const char *const errors[] = {"HTTP 500", "HTTP 429", "timed out after 60 s"};
	unsigned at = dice_below(d, 1000);

	if (at < m->errors) {
		put_text(out, "error", errors[dice_below(d, N_OF(errors))]);
	} else if (at < m->errors + m->empties) {
		put_text(out, "raw", "");
		put_text(out, "prediction", "");
	} else if (at < m->errors + m->empties + m->refusals) {
		put_text(out, "raw", "I can't help with that.");
		buf_z(out, ",\"refusal\":true");
	} else {
		return false;
	}
	buf_printf(out, ",\"latency_ms\":%u}\n", m->latency + dice_below(d, m->latency_spread));
	return true;
}

void simulate_answer(struct buf *out, unsigned number, unsigned i, const struct plan_face *f)
{
	const struct model *m = &models[number];
	struct dice d = dice_for(DICE_ANSWER, number, i);
	struct buf raw = BUF_INIT;
	enum face_emotion e;
	const char *word;

	buf_printf(out, "{\"id\":\"face_%03u\",\"model\":\"%s\",\"protocol\":\"CW\"", i + 1,
		   simulate_names[number]);
	if (fails(out, m, &d))
		return;
	e = sees(m, f, &d);
	word = plan_emotions[e];
	if (dice_below(&d, 1000) < m->oops)
		word = finer[e][dice_below(&d, 2)];
	if (f->kind == PLAN_TURNED_AWAY && dice_percent(&d, 40))
		word = "unknown";
	phrase(&raw, m->words, e, word, &d);
	put_text(out, "raw", buf_cstr(&raw));
	put_text(out, "prediction", word);
	put_measures(out, m, f, e == f->drawn, &d);
	buf_release(&raw);
}

const char *simulate_judgement(unsigned number, unsigned i, unsigned k, unsigned dimension,
			       bool truth)
{
	static const char *const yes[] = {"Correct", "Correct.", "correct",
					  "The statement is correct."},
				 *const no[] = {"Incorrect", "Incorrect.", "incorrect",
						"The statement is incorrect."},
				 *const neither[] = {"", "It depends on who looks at it.",
						     "A drawing does not tell that.", ""};
	const struct model *m = &models[number];
	struct dice d = dice_for(DICE_JUDGEMENT + number, i, k);

	if (dice_below(&d, 1000) < m->gives_up)
		return neither[dice_below(&d, N_OF(neither))];
	if (!dice_percent(&d, m->judges[dimension]))
		truth = dice_percent(&d, m->says_correct);
	return (truth ? yes : no)[dice_below(&d, m->words == 0 ? 2 : 4)];
}
