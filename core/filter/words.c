/* The words of the language, a row each, and the rows for what a dataset adds. */
#include "core/filter/filter_impl.h"
#include "core/reader/parrott.h"

/* X(code, name): rows that differ in nothing but a verdict or an outcome. */
#define VERDICT_ROW(id, word, text)                                                                \
	{.name = word, .synopsis = word "[@WHO]", .help = text, .example = word "@any",            \
	 .forms = FORM_BARE, .of = OF_RUN, .uses = FILTER_USES_LENS, .code = id,                   \
	 .eval_run = eval_verdict}
#define OUTCOME_ROW(id, word, text)                                                                \
	{.name = word, .synopsis = word "[@WHO]", .help = text, .example = word "@any",            \
	 .forms = FORM_BARE, .of = OF_RUN, .code = id, .eval_run = eval_outcome}
#define FLIP_ROW(id, word, text)                                                                   \
	{.name = word, .synopsis = word, .help = text, .example = word, .forms = FORM_BARE,        \
	 .uses = FILTER_USES_LENS | FILTER_USES_A | FILTER_USES_B, .code = id, .eval = eval_flip}
#define KEPT_NUMBER_ROW(word, where, text, ex)                                                     \
	{.name = word, .synopsis = word "[@WHO]<NUMBER", .help = text, .example = ex,              \
	 .forms = FORM_COMPARE, .of = OF_RUN, .arg = ARG_NUMBER, .column = where,                  \
	 .check = check_number, .eval_run = eval_number}
#define NUMBER_ROW(word, text, ex) KEPT_NUMBER_ROW(word, NULL, text, ex)
#define TEXT_ROW(id, word, text, ex)                                                               \
	{.name = word, .synopsis = word "~TEXT,...", .help = text, .example = ex,                  \
	 .forms = FORM_LIKE, .arg = ARG_TEXT, .uses = FILTER_USES_TEXT, .code = id,                \
	 .check = check_text, .eval = eval_text}

const struct word filter_words[] = {
    {.name = "cat",
     .synopsis = "cat:CATEGORY,...",
     .help = "the label category: S+, S-, M+, M- or N; S is S+ and S-, M is M+ and M-",
     .example = "cat:S-,M-",
     .forms = FORM_LIST,
     .arg = ARG_CATEGORY,
     .uses = FILTER_USES_LENS | FILTER_USES_CATEGORY,
     .check = check_categories,
     .eval = eval_category},
    {.name = "gt",
     .synopsis = "gt[@LAYER]:CLASS,...",
     .help = "a class is true in the lens's layer, or in the one named; (none): the truth is empty",
     .example = "gt@original:mink",
     .forms = FORM_LIST,
     .of = OF_LAYER,
     .arg = ARG_CLASS,
     .uses = FILTER_USES_LENS,
     .check = check_classes,
     .eval = eval_truth},
    {.name = "pred",
     .synopsis = "pred[@WHO]:CLASS,...",
     .help = "the answer was mapped to a class; (none): to no class",
     .example = "pred@any:mink",
     .forms = FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_CLASS,
     .check = check_classes,
     .eval_run = eval_answer_class},
    {.name = "row",
     .synopsis = "row[@WHO] row[@WHO]:CLASS,...",
     .help = "the row of the confusion matrix that counts the sample, which has several where it "
	     "has several truths and none is met; (none): the truth is empty; alone: it has a row",
     .example = "row:mink column:weasel",
     .forms = FORM_BARE | FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_CLASS,
     .uses = FILTER_USES_LENS,
     .code = CELL_ROW,
     .check = check_classes,
     .eval_run = eval_cell},
    {.name = "column",
     .synopsis = "column[@WHO] column[@WHO]:CLASS,...",
     .help = "its column in the confusion matrix: the class that the answer counts as, or (oop), "
	     "(refused), (empty), (unparsed), (error), (missing)",
     .example = "column:weasel,(oop)",
     .forms = FORM_BARE | FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_CLASS,
     .uses = FILTER_USES_LENS,
     .code = CELL_COLUMN,
     .check = check_classes,
     .eval_run = eval_cell},
    VERDICT_ROW(VERDICT_RIGHT, "right", "the answer is right under the lens"),
    VERDICT_ROW(VERDICT_WRONG, "wrong", "the answer is wrong under the lens"),
    VERDICT_ROW(VERDICT_UNCOUNTED, "uncounted", "the answer is not counted under the lens"),
    OUTCOME_ROW(OUTCOME_ANSWERED, "answered", "the answer is in the class list"),
    {.name = "oop",
     .synopsis = "oop[@WHO] oop[@WHO]:KIND,...",
     .help = "the answer is out of the class list; of a kind: partial (words of a class's name), alias "
	     "(a name of a second list), abstain (says that it does not know), wrong (the rest)",
     .example = "oop@any:partial,alias",
     .forms = FORM_BARE | FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_OOP,
     .code = OUTCOME_OOP,
     .check = check_oop,
     .eval_run = eval_outcome},
    OUTCOME_ROW(OUTCOME_REFUSED, "refused", "the model refused, or gave no verdict"),
    OUTCOME_ROW(OUTCOME_EMPTY, "empty", "the answer is empty"),
    OUTCOME_ROW(OUTCOME_UNPARSED, "unparsed", "the answer was not understood"),
    OUTCOME_ROW(OUTCOME_ERROR, "error", "the request failed"),
    OUTCOME_ROW(OUTCOME_MISSING, "missing", "there is no answer"),
    FLIP_ROW(FLIP_REGRESSED, "regressed", "b is right and a is wrong"),
    FLIP_ROW(FLIP_IMPROVED, "improved", "a is right and b is wrong"),
    FLIP_ROW(FLIP_BOTH, "flip", "of a and b one is right and the other wrong"),
    {.name = "vote",
     .synopsis = "vote:CLASS,... vote>=N vote!=RUN vote:wrong",
     .help = "the largest group of panel runs with the same mapped answer: its class, its size, "
	     "whether a run gives that answer, whether it is wrong or right",
     .example = "vote>=3 vote:wrong",
     .forms = FORM_LIST | FORM_COMPARE | FORM_RUN,
     .arg = ARG_VOTE,
     .uses = FILTER_USES_PANEL | FILTER_USES_LENS,
     .check = check_vote,
     .eval = eval_vote},
    {.name = "agree",
     .synopsis = "agree[@WHO]=RUN agree[@WHO]!=RUN",
     .help = "both runs have a mapped answer: the same one; with != another one",
     .example = "agree!=b",
     .forms = FORM_RUN,
     .of = OF_RUN,
     .arg = ARG_RUN,
     .check = check_agree,
     .eval_run = eval_agree},
    {.name = "difficulty",
     .synopsis = "difficulty<NUMBER",
     .help = "the share of the panel's counted answers that are right: 0 nobody's, 1 everybody's; the "
	     "lower, the harder",
     .example = "difficulty<0.5",
     .forms = FORM_COMPARE,
     .arg = ARG_NUMBER,
     .uses = FILTER_USES_PANEL | FILTER_USES_LENS,
     .check = check_difficulty,
     .eval = eval_difficulty},
    {.name = "unstable",
     .synopsis = "unstable[@WHO]",
     .help = "of the runs that repeat this one (same model, asked in the same way) some are right and "
	     "some wrong",
     .example = "unstable",
     .forms = FORM_BARE,
     .of = OF_RUN,
     .uses = FILTER_USES_LENS,
     .eval_run = eval_unstable},
    NUMBER_ROW("score", "the score that came with the answer", "score<0.5"),
    NUMBER_ROW("latency", "the time the answer took, in milliseconds", "latency@any>2000"),
    NUMBER_ROW("tokens", "the tokens of the answer", "tokens>200"),
    NUMBER_ROW("degree", "the degree that was answered", "degree>=4"),
    NUMBER_ROW("rec", "the recognition score", "rec<1"),
    NUMBER_ROW("rea", "the reasoning score", "rea<0.5"),
    NUMBER_ROW("steps", "the number of reasoning steps", "steps>5"),
    {.name = "judge",
     .synopsis = "judge[@WHO] judge[@WHO]:VERDICT,...",
     .help = "the judge's last mark, of the answer itself: right (full marks), wrong, or unparsed, "
	     "where the marks cannot be read; alone: the marks can be read",
     .example = "judge:right wrong",
     .forms = FORM_BARE | FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_JUDGED,
     .code = JUDGED_ANSWER,
     .check = check_judged,
     .eval_run = eval_judged},
    {.name = "step",
     .synopsis = "step[@WHO] step[@WHO]:VERDICT,...",
     .help = "the judge's marks of the reasoning before the answer: wrong, a step did not get full "
	     "marks; right, all did; alone: there is a reasoning with marks",
     .example = "step:wrong judge:right",
     .forms = FORM_BARE | FORM_LIST,
     .of = OF_RUN,
     .arg = ARG_JUDGED,
     .code = JUDGED_STEPS,
     .check = check_judged,
     .eval_run = eval_judged},
    KEPT_NUMBER_ROW("batch", "batch_size", "how many samples were asked about in one request", "batch>=5"),
    KEPT_NUMBER_ROW("position", "batch_pos", "the sample's place in that request", "position=1"),
    {.name = "text",
     .synopsis = "text[@WHO]~TEXT,...",
     .help = "a text or /regular expression/ in question, statement, answer or notes",
     .example = "text~blurry",
     .forms = FORM_LIKE,
     .of = OF_RUN,
     .arg = ARG_TEXT,
     .uses = FILTER_USES_TEXT | FILTER_USES_THINGS,
     .code = SCOPE_TEXT,
     .check = check_text,
     .eval_run = eval_answer_text,
     .eval = eval_text},
    {.name = "answer",
     .synopsis = "answer[@WHO]~TEXT,...",
     .help = "in the answer's text",
     .example = "answer@all~\"not sure\"",
     .forms = FORM_LIKE,
     .of = OF_RUN,
     .arg = ARG_TEXT,
     .uses = FILTER_USES_TEXT,
     .code = SCOPE_ANSWER,
     .check = check_text,
     .eval_run = eval_answer_text},
    TEXT_ROW(SCOPE_QUESTION, "question", "in the question", "question~\"how many\""),
    TEXT_ROW(SCOPE_STATEMENT, "statement", "in the statement", "statement~/fear|dread/"),
    {.name = "note",
     .synopsis = "note note~TEXT,...",
     .help = "the sample has a note of yours; with ~: in the notes",
     .example = "note~unsure",
     .forms = FORM_BARE | FORM_LIKE,
     .arg = ARG_TEXT,
     .uses = FILTER_USES_THINGS,
     .code = SCOPE_NOTE,
     .check = check_text,
     .eval = eval_text},
    {.name = "tag",
     .synopsis = "tag:NAME,...",
     .help = "the sample has a tag of yours",
     .example = "tag:ambiguous",
     .forms = FORM_LIST,
     .arg = ARG_TAG,
     .uses = FILTER_USES_THINGS,
     .check = check_tags,
     .eval = eval_tag},
    {.name = "mark",
     .synopsis = "mark",
     .help = "the sample is marked",
     .example = "mark",
     .forms = FORM_BARE,
     .uses = FILTER_USES_THINGS,
     .code = THING_MARK,
     .eval = eval_thing},
    {.name = "seen",
     .synopsis = "seen",
     .help = "the sample stood under the cursor for a second",
     .example = "-seen",
     .forms = FORM_BARE,
     .uses = FILTER_USES_THINGS,
     .code = THING_SEEN,
     .eval = eval_thing},
    {.name = "id",
     .synopsis = "id:KEY,... id:<FILE id~TEXT,...",
     .help = "the sample's key; one of a list in a file, a key a line; a part of it",
     .example = "id:<hard.txt",
     .forms = FORM_LIST | FORM_LIKE,
     .arg = ARG_KEY,
     .uses = FILTER_USES_TEXT,
     .code = SCOPE_KEY,
     .check = check_keys,
     .eval = eval_keys},
    TEXT_ROW(SCOPE_PATH, "path", "in the picture's path", "path~weasel"),
    {.name = NULL},
};

const struct word facet_word = {.synopsis = "FACET:VALUE,...",
				.help = "a facet has a value; VALUE/*: or one below it in its tree",
				.example = "emotion:fear/*",
				.forms = FORM_LIST,
				.arg = ARG_FACET,
				.check = check_facet,
				.eval = eval_facet};

const struct word number_facet_word = {.synopsis = "FACET<NUMBER",
				       .help = "a facet that holds numbers",
				       .example = "width>=640",
				       .forms = FORM_COMPARE | FORM_LIST,
				       .arg = ARG_NUMBER,
				       .check = check_number,
				       .eval = eval_number_facet};

const struct word emotion_word = {.synopsis = "emotion:EMOTION,...",
				  .help = "the truth in the lens's layer, where classes are emotions",
				  .example = "emotion:anger",
				  .forms = FORM_LIST,
				  .arg = ARG_CLASS,
				  .uses = FILTER_USES_LENS,
				  .check = check_classes,
				  .eval = eval_truth};

const struct word number_word = {.synopsis = "NUMBER[@WHO]<NUMBER",
				 .help = "a number that came with the answer",
				 .example = "batch_pos>3",
				 .forms = FORM_COMPARE,
				 .of = OF_RUN,
				 .arg = ARG_NUMBER,
				 .check = check_number,
				 .eval_run = eval_number};

const struct word *word_find(struct str name)
{
	for (const struct word *w = filter_words; w->name; w++)
		if (str_eq_nocase(name, str_z(w->name)))
			return w;
	return NULL;
}

bool filter_word_info(size_t k, struct filter_word_info *out)
{
	const struct word *w = filter_words;

	while (k && w->name)
		k--, w++;
	if (!w->name)
		return false;
	*out = (struct filter_word_info){w->name, w->synopsis, w->help, w->example};
	return true;
}

bool truth_is_emotion(const struct snapshot *snap)
{
	struct str primary, secondary;
	uint32_t n = 0;

	if (snapshot_facet(snap, STR("emotion")) >= 0)
		return false;
	for (uint32_t i = 0; i < snap->n_classes; i++)
		n += parrott_find(str_z(snap->classes[i].name), &primary, &secondary) != PARROTT_NONE;
	return n > 0 && n >= snap->n_classes - n;
}
