/* MME-Emotion's label sets, and the labels in what a model said. */
#include "core/reader/mme.h"

#include "core/base/path.h"

/* By the questions' label_set; where a task has several, all their labels. */
static const char *const er_lab[] = {"Anger", "Sadness", "Surprise", "Happiness", "Excited", "Fear",
				     "Frustration", "Neutral", "Other", NULL};
static const char *const er_wild[] = {
    "anger",    "angry",   "disgust",  "disgusted",   "fear",          "scared",  "happy",
    "happiness", "joy",    "sad",      "sadness",     "surprise",      "surprised", "neutral",
    "sarcastic", "shy",    "contempt", "anxiety",     "disappointment", "helplessness", NULL};
static const char *const noise_er[] = {"happy", "neutral", "angry", "surprise", "sad", "worried", NULL};
static const char *const fg_er[] = {
    "Excitement", "Engagement", "Fatigue",   "Disquietment", "Anticipation", "Fear",
    "Affection",  "Confidence", "Happiness", "Disconnection", "Annoyance",   "Pain",
    "Sympathy",   "Embarrassment", "Suffering", "Pleasure",  "Sadness",      "Sensitivity",
    "Peace",      "Anger",      "Esteem",    "Doubt/Confusion", "Disapproval", "Surprise",
    "Aversion",   "Yearning",   NULL};
static const char *const fg_sa[] = {"very strong negative", "strong negative", "negative",
				    "weak negative", "neutral", "weak positive", "positive",
				    "strong positive", "very strong positive", NULL};
static const char *const ml_er[] = {"disappointment", "fear", "contempt", "disgust", "sadness", "sad",
				    "anger", "anxiety", "happiness", "happy", "surprise",
				    "helplessness", NULL};
static const char *const ir[] = {"neutral", "questioning", "consoling", "suggesting", "encouraging",
				 "agreeing", "wishing", "acknowledging", NULL};
static const char *const sa[] = {"negative", "neutral", "positive", NULL};

static const struct {
	const char *file, *task;
	const char *const *labels;
	bool many;
} tasks[] = {
    {"ER_SL_Wild", "ER-Wild", er_wild, false}, {"ER_Wild", "ER-Wild", er_wild, false},
    {"ER_Lab", "ER-Lab", er_lab, false},       {"Noise_ER", "Noise-ER", noise_er, false},
    {"FG_ER", "FG-ER", fg_er, true},           {"FG_SA", "FG-SA", fg_sa, false},
    {"ML_ER", "ML-ER", ml_er, true},           {"IR", "IR", ir, false},
    {"SA", "SA", sa, false},
};

#define N_TASKS (sizeof tasks / sizeof *tasks)

struct str mme_task(struct arena *arena, struct str stem, struct str *rest)
{
	char *name = arena_strndup(arena, stem.p, stem.n);

	*rest = STR_NONE;
	for (size_t i = 0; i < stem.n; i++)
		if (name[i] == '-')
			name[i] = '_';
	for (size_t i = 0; i < N_TASKS; i++) {
		struct str known = str_z(tasks[i].file);

		if (stem.n < known.n || !str_eq_nocase((struct str){name, known.n}, known) ||
		    (stem.n > known.n && name[known.n] != '_'))
			continue;
		if (stem.n > known.n + 1)
			*rest = arena_str(arena, (struct str){stem.p + known.n + 1, stem.n - known.n - 1});
		return str_z(tasks[i].task);
	}
	for (size_t i = 0; i < stem.n; i++)
		if (name[i] == '_')
			name[i] = '-';
	return (struct str){name, stem.n};
}

const char *const *mme_task_labels(struct str task)
{
	for (size_t i = 0; i < N_TASKS; i++)
		if (str_eqz(task, tasks[i].task))
			return tasks[i].labels;
	return NULL;
}

bool mme_task_is_many(struct str task)
{
	for (size_t i = 0; i < N_TASKS; i++)
		if (str_eqz(task, tasks[i].task))
			return tasks[i].many;
	return false;
}

struct str mme_merged(struct str s, struct str *other)
{
	static const char *const list[][2] = {{"angry", "anger"},
					      {"disgusted", "disgust"},
					      {"happy", "happiness"},
					      {"sad", "sadness"},
					      {"surprised", "surprise"}};

	*other = STR_NONE;
	for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
		bool spelled = str_eq_nocase(s, str_z(list[i][0]));

		if (!spelled && !str_eq_nocase(s, str_z(list[i][1])))
			continue;
		*other = str_z(list[i][0]);
		return spelled ? str_z(list[i][1]) : s;
	}
	return s;
}

/* --- the model --- */

/* Of files and folders: what says which stage it is, and nothing about a model. */
static bool is_stage_word(struct str s)
{
	static const char *const list[] = {
	    "eval",   "evals",     "step",  "steps",  "cot",     "answer",  "answers", "response",
	    "responses", "result", "results", "output", "outputs", "pred",  "preds",   "prediction",
	    "predictions", "mark", "marks", "score",  "scores",  "judge",   "judged",  "human",
	    "people", "experts",   "metrics", "code", "stage1",  "stage2",  "stage3",  "json",
	    "data",   ".",         "..",    "/",      "",        NULL};

	for (const char *const *w = list; *w; w++)
		if (str_eq_nocase(s, str_z(*w)))
			return true;
	return false;
}

static struct str without_stages(struct str s)
{
	for (;;) {
		size_t at = s.n;

		while (at && s.p[at - 1] != '_' && s.p[at - 1] != '-')
			at--;
		if (!s.n || !is_stage_word((struct str){s.p + at, s.n - at}))
			return s;
		s.n = at ? at - 1 : 0;
	}
}

struct str mme_model(struct str rest, struct str path)
{
	struct str name = without_stages(rest);
	struct arena arena = ARENA_INIT;

	while (!name.n) {
		struct str dir = path_dir(path), more;

		if (dir.n >= path.n || str_eqz(dir, ".") || str_eqz(dir, "/"))
			break;
		path = dir;
		name = without_stages(path_base(path));
		if (mme_task_labels(mme_task(&arena, name, &more)))
			name = STR_NONE;
	}
	arena_release(&arena);
	return name.n ? name : STR("model");
}

/* --- what was said --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
	       (unsigned char)c >= 0x80;
}

/* Without blanks, quotes, full stops and the marks of Markdown at its ends. */
static struct str bare(struct str s)
{
	static const char marks[] = " \t\r\n.,;:!?*_\"'`()[]{}<>";

	while (s.n && memchr(marks, s.p[0], sizeof marks - 1))
		s.p++, s.n--;
	while (s.n && memchr(marks, s.p[s.n - 1], sizeof marks - 1))
		s.n--;
	return s;
}

static bool is_label(const struct mme_labels *words, struct str s)
{
	for (size_t i = 0; i < words->n; i++)
		if (str_eq_nocase(words->v[i], s))
			return true;
	return false;
}

static void add_label(struct mme_labels *out, struct str label)
{
	for (size_t i = 0; i < out->n; i++)
		if (str_eq_nocase(out->v[i], label))
			return;
	if (label.n && out->n < MME_LABELS_MAX)
		out->v[out->n++] = label;
}

/* The longest label that stands at s.p[at] as whole words; its length. */
static size_t label_at(const struct mme_labels *words, struct str s, size_t at)
{
	size_t best = 0;

	if (!is_letter(s.p[at]) || (at && is_letter(s.p[at - 1])))
		return 0;
	for (size_t i = 0; i < words->n; i++) {
		size_t n = words->v[i].n;

		if (n > best && at + n <= s.n && (at + n == s.n || !is_letter(s.p[at + n])) &&
		    str_eq_nocase((struct str){s.p + at, n}, words->v[i]))
			best = n;
	}
	return best;
}

/* All labels in s, or only the last. out->text reaches from the first to the last. */
static void find_labels(struct str s, const struct mme_labels *words, bool many, struct mme_said *out)
{
	out->labels.n = 0;
	out->text = STR_NONE;
	for (size_t at = 0; at < s.n;) {
		size_t n = label_at(words, s, at);

		if (!n) {
			at++;
			continue;
		}
		if (!many || !out->text.p) {
			out->labels.n = 0;
			out->text = (struct str){s.p + at, n};
		}
		add_label(&out->labels, (struct str){s.p + at, n});
		out->text.n = (size_t)(s.p + at + n - out->text.p);
		at += n;
	}
}

static size_t behind_last(struct str s, struct str word, size_t least)
{
	for (size_t from = least; from < s.n;) {
		size_t at = str_find_nocase((struct str){s.p + from, s.n - from}, word);

		if (at == SIZE_MAX)
			break;
		from += at + word.n;
		least = from;
	}
	return least;
}

/* "The predicted emotion is happy." → "happy" */
static struct str predicate(struct str s)
{
	size_t at = behind_last(s, STR(": "), 0);

	at = behind_last(s, STR(" is "), at);
	at = behind_last(s, STR(" are "), at);
	s = (struct str){s.p + at, s.n - at};
	return bare(s);
}

/* At the next ',', ';' or "and"; *part without "and" in front. */
static struct str next_part(struct str s, struct str *part)
{
	size_t i = 0;

	while (i < s.n && s.p[i] != ',' && s.p[i] != ';' &&
	       !(i + 5 <= s.n && str_eq_nocase((struct str){s.p + i, 5}, STR(" and "))))
		i++;
	*part = bare((struct str){s.p, i});
	if (part->n > 4 && str_eq_nocase((struct str){part->p, 4}, STR("and ")))
		*part = bare((struct str){part->p + 4, part->n - 4});
	if (i >= s.n)
		return STR_NONE;
	i += s.p[i] == ' ' ? 5 : 1;
	return (struct str){s.p + i, s.n - i};
}

/* false: some part is no label; with no words: any short part is. */
static bool all_labels(struct str s, const struct mme_labels *words, struct mme_said *out)
{
	struct str part, rest = s;

	out->labels.n = 0;
	if (is_label(words, s)) {
		add_label(&out->labels, s);
		return true;
	}
	while (rest.p) {
		rest = next_part(rest, &part);
		if (!part.n)
			continue;
		if (words->n && !is_label(words, part))
			return false;
		add_label(&out->labels, part);
	}
	return out->labels.n > 0;
}

static size_t blanks_in(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += s.p[i] == ' ';
	return n;
}

void mme_said_in(struct str sentence, const struct mme_labels *words, bool many, struct mme_said *out)
{
	struct str s = bare(sentence), tail = predicate(s);

	*out = (struct mme_said){.text = tail};
	if (all_labels(s, words, out) && words->n) {
		out->text = s;
		return;
	}
	if (str_eq_nocase(tail, STR("none"))) {
		out->labels.n = 0;
		out->none = true;
		return;
	}
	if (all_labels(tail, words, out))
		return;
	find_labels(tail, words, many, out);
	if (out->text.p)
		return;
	out->text = tail;
	if (tail.n && tail.n <= 48 && blanks_in(tail) < 3)
		return; /* an answer, but none of the set */
	find_labels(s, words, many, out);
	if (!out->text.p)
		out->text = tail;
}

/* Inside the last <answer>, else behind </think>. */
static struct str answer_part(struct str s, bool *marked)
{
	size_t at = behind_last(s, STR("<answer>"), 0), end;

	*marked = at > 0;
	if (!at)
		at = behind_last(s, STR("</think>"), 0);
	s = (struct str){s.p + at, s.n - at};
	end = *marked ? str_find_nocase(s, STR("</answer>")) : SIZE_MAX;
	return str_trim(end == SIZE_MAX ? s : (struct str){s.p, end});
}

/* Up to a full stop or a line's end. */
static struct str next_sentence(struct str s, struct str *sentence)
{
	size_t i = 0;

	while (i < s.n && s.p[i] != '\n' &&
	       !(memchr(".!?", s.p[i], 3) && (i + 1 == s.n || memchr(" \r\n\t", s.p[i + 1], 4))))
		i++;
	*sentence = (struct str){s.p, i};
	return i + 1 < s.n ? (struct str){s.p + i + 1, s.n - i - 1} : STR_NONE;
}

void mme_said_at_end(struct str response, const struct mme_labels *words, bool many,
		     struct mme_said *out)
{
	bool marked;
	struct str s = answer_part(response, &marked), rest = s, sentence;
	struct mme_said in;

	*out = (struct mme_said){.text = STR_NONE};
	if (marked || (s.n <= 48 && blanks_in(s) < 3)) {
		mme_said_in(s, words, many, out);
		return;
	}
	while (rest.p) {
		rest = next_sentence(rest, &sentence);
		find_labels(sentence, words, true, &in);
		if (in.labels.n)
			mme_said_in(sentence, words, many, out);
	}
}
