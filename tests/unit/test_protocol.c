#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "core/protocol/prompt.h"
#include "core/protocol/protocol.h"

static const struct class_info classes[] = {
    {7, "n01514668", "cock", UINT32_MAX},   {8, "n01514859", "hen", UINT32_MAX},
    {207, "n02099601", "golden retriever", UINT32_MAX}, {1, "", "happiness", UINT32_MAX},
    {2, "", "happy surprise", UINT32_MAX},  {3, "", "surprise", UINT32_MAX},
};
static const struct ask_option options[] = {
    {STR("a cat"), UINT32_MAX}, {STR("hen"), 1}, {STR("Answer"), UINT32_MAX}, {STR("cock"), 0}};
static const struct ask_option label_set[] = {
    {STR("happy"), UINT32_MAX}, {STR("sad"), UINT32_MAX}, {STR("not happy"), UINT32_MAX}};

/* What an answer becomes under a protocol: "outcome rule [span] ref,ref degree flag". */
static void check_by(const struct extract_rule *rule, const char *name, const struct ask *ask, const char *raw,
		     const char *expected)
{
	struct arena arena = ARENA_INIT;
	struct extraction f[ASK_MAX_BATCH];
	struct buf got = BUF_INIT;

	if (rule)
		extract_by_rule(rule, protocol_find(str_z(name)), &arena, ask, str_z(raw), f);
	else
		protocol_extract(protocol_find(str_z(name)), &arena, ask, str_z(raw), f);
	for (size_t i = 0; i < ask->n_samples; i++) {
		buf_printf(&got, "%s%s %s [%.*s]", i ? "; " : "", outcome_word(f[i].outcome), f[i].rule,
			   STR_ARG(f[i].span));
		for (size_t r = 0; r < f[i].n_refs; r++)
			if (f[i].refs[r].kind == CLASS_BY_INDEX)
				buf_printf(&got, " #%lld", (long long)f[i].refs[r].index);
			else
				buf_printf(&got, " %.*s", STR_ARG(f[i].refs[r].text));
		if (!isnan(f[i].degree))
			buf_printf(&got, " %g", f[i].degree);
		buf_printf(&got, "%s%s", f[i].flag ? " " : "", f[i].flag ? f[i].flag : "");
		assert_true(!f[i].span.p || (f[i].span.p >= raw && f[i].span.p + f[i].span.n <= raw + strlen(raw)));
	}
	if (strcmp(buf_cstr(&got), expected) != 0)
		print_error("%s of %s\n", name, raw);
	assert_string_equal(buf_cstr(&got), expected);
	buf_release(&got);
	arena_release(&arena);
}

static void check(const char *name, const struct ask *ask, const char *raw, const char *expected)
{
	check_by(NULL, name, ask, raw, expected);
}

static struct ask ask_about(const struct ask_sample *samples, size_t n)
{
	return (struct ask){.classes = classes, .n_classes = 6, .samples = samples, .n_samples = n};
}

static void bare_classes(void **state)
{
	static const struct ask_sample sample = {STR("q"), NULL, 0};
	static const struct {
		const char *raw, *expected;
	} cases[] = {
	    {"hen", "answered whole [hen] hen"},
	    {"  Hen.\n", "answered whole [Hen] Hen"},
	    {"\"golden retriever\"", "answered whole [golden retriever] golden retriever"},
	    {"**hen**", "answered whole [hen] hen"},
	    {"", "empty  []"},
	    {" \n\t", "empty  []"},
	    {"\"\"", "empty whole []"},
	    {"<think>a hen? no.</think> cock", "answered after thought [cock] cock"},
	    {"<think>a hen? I should", "unparsed  []"},
	    {"<answer>hen</answer>", "answered answer tag [hen] hen"},
	    {"first <answer>cock</answer> then <answer> hen </answer>.", "answered answer tag [hen] hen"},
	    {"```json\n{\"answer\": \"hen\"}\n```", "answered json key [hen] hen"},
	    {"{\"1\": \"hen\"}", "answered json key [hen] hen"},
	    {"{\"class\": NaN}", "empty json key []"},
	    {"{\"weight\": 3}", "unparsed json key []"},
	    {"[\"hen\"]", "answered json list [hen] hen"},
	    {"['hen']", "answered literal [hen] hen"},
	    {"[\"hen\", \"cock\"]", "unparsed json list []"},
	    {"{\"1\": \"he", "unparsed broken json []"},
	    {"Two birds.\nAnswer: hen", "answered marker [hen] hen"},
	    {"The label is **cock**.", "answered marker [cock] cock"},
	    {"Two birds.\n  label: cock, answer: hen \t \nthat is all", "answered marker [hen] hen"},
	    {"reanswer: hen", "answered whole [reanswer: hen] reanswer: hen"},
	    {"Here it is: {\"answer\": \"hen\"}", "answered json key [hen] hen"},
	    {"Answer: [\"hen\"]", "answered json list [hen] hen"},
	    {"tench [1]", "answered whole [tench [1]] tench [1]"},
	    {"I see a hen near a fence", "answered whole [I see a hen near a fence] I see a hen near a fence"},
	};
	struct ask ask = ask_about(&sample, 1);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check("cw", &ask, cases[i].raw, cases[i].expected);
}

/* A newline of a prompt is sent as it is: none may stand within a sentence. */
static void prompts_have_whole_paragraphs(void **state)
{
	(void)state;
	for (const struct prompt_source *p = prompt_sources; p->name; p++)
		for (const char *at = p->text; (at = strchr(at, '\n')); at++)
			if (at[1] && !(at[1] >= 'A' && at[1] <= 'Z') && !strchr("{\n", at[1]))
				fail_msg("%s: a line begins with \"%.20s\"", p->name, at + 1);
}

static void ids(void **state)
{
	static const struct ask_sample sample = {STR("q"), NULL, 0};
	struct ask ask = ask_about(&sample, 1);

	(void)state;
	ask.ids = true;
	check("cw", &ask, "207", "answered whole [207] #207");
	check("cw", &ask, "207: golden retriever", "answered whole [207: golden retriever] #207");
	check("cw", &ask, "n01514859", "answered whole [n01514859] n01514859");
	check("all-labels", &ask, "[7, 8]", "answered list [[7, 8]] #7 #8");
	check("all-labels", &ask, "7, 207", "answered list [7, 207] #7 #207");
	check("all-labels", &ask, "[]", "empty list [[]]");
	check("all-labels", &ask, "[7, ", "unparsed broken json []");
	check("all-labels", &ask, "```json\n{\"labels\": [7, 8]}\n```", "answered json key [{\"labels\": [7, 8]}] #7 #8");
	check("all-labels", &ask, "{\"answer\": \"7\", \"sure\": NaN}",
	      "answered json key [{\"answer\": \"7\", \"sure\": NaN}] #7");
	check("all-labels", &ask, "{\"classes\": []}", "empty json key [{\"classes\": []}]");
	check("all-labels", &ask, "{\"sure\": 1}", "unparsed json key []");
	check("all-labels", &ask, "{\"answer\": \"7", "unparsed broken json []");
}

static void batches(void **state)
{
	static const struct ask_sample three[3] = {{STR("q"), NULL, 0}};
	struct ask ask = ask_about(three, 3);

	(void)state;
	ask.form = ASK_JSON;
	check("cw", &ask, "{\"1\": \"hen\", \"3\": \"cock\", \"2\": \"hen\"}",
	      "answered json key [hen] hen; answered json key [hen] hen; answered json key [cock] cock");
	check("cw", &ask, "{\"1\": \"hen\", \"3\": null}",
	      "answered json key [hen] hen; unparsed json key []; empty json key []");
	check("cw", &ask, "[\"hen\", \"cock\"]",
	      "unparsed json list []; unparsed json list []; unparsed json list []");
	check("cw", &ask, "hen", "unparsed  []; unparsed  []; unparsed  []");
	check("cw", &ask, "", "empty  []; empty  []; empty  []");
}

static void letters(void **state)
{
	static const struct ask_sample sample = {STR("q"), options, 4};
	static const struct {
		const char *raw, *expected;
	} cases[] = {
	    {"B", "answered letter [B] n01514859"},
	    {"(b)", "answered letter [b] n01514859"},
	    {"D.", "answered letter [D] n01514668"},
	    {"B: hen", "answered letter [B] n01514859"},
	    {"Answer", "answered option text [Answer] Answer"},
	    {"Answer: B", "answered marker [B] n01514859"},
	    {"The answer is (D) cock.", "answered marker [D] n01514668"},
	    {"Hen", "answered option text [Hen] n01514859"},
	    {"A bird, so B", "answered letter within [B] n01514859"},
	    {"A bird", "unparsed  []"},
	    {"I would go with A", "answered letter within [A] a cat"},
	    {"It has to be A.", "answered letter within [A] a cat"},
	    {"An A-frame is a house", "unparsed  []"},
	    {"A or B", "unparsed several letters []"},
	    {"B or D", "unparsed several letters []"},
	    {"E", "unparsed  []"},
	    {"<think>A. no</think>\nB", "answered after thought [B] n01514859"},
	    {"<answer>B</answer>", "answered answer tag [B] n01514859"},
	    {"", "empty  []"},
	};
	struct ask ask = ask_about(&sample, 1);

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		check("mc", &ask, cases[i].raw, cases[i].expected);
}

static void statements(void **state)
{
	static const struct ask_sample sample = {STR("She is glad."), NULL, 0};
	struct ask ask = ask_about(&sample, 1);

	(void)state;
	check("esj", &ask, "Correct.", "answered correct [Correct] #1");
	check("esj", &ask, "That is incorrect, not correct", "answered incorrect [incorrect] #0");
	check("esj", &ask, "It is not correct", "answered correct [correct] #1 negated");
	check("esj", &ask, "It isn't Correct", "answered correct [Correct] #1 negated");
	check("esj", &ask, "I cannot say", "refused  []");
	check("esj", &ask, "", "empty  []");
}

static void emotions(void **state)
{
	static const struct ask_sample portrait = {STR(""), NULL, 0}, clip = {STR("How?"), label_set, 3};
	struct ask memo = ask_about(&portrait, 1), mme = ask_about(&clip, 1);

	(void)state;
	check("memo", &memo, "Emotion: happiness\nDegree: 4", "answered marker [happiness] happiness 4");
	check("memo", &memo, "happy surprise, 3.5/5", "answered only label [happy surprise] happy surprise 3.5");
	check("memo", &memo, "Emotion: joy\nDegree: 9", "answered marker [joy] joy");
	check("mme", &mme, "Step 1: she smiles.\nAnswer: happy", "answered marker [happy] happy");
	check("mme", &mme, "She is not happy", "answered only label [not happy] not happy");
	check("mme", &mme, "happy and sad", "unparsed several labels []");
	check("mme", &mme, "I cannot tell\nfrom this", "unparsed  []");
	check("mme", &mme, "bored", "answered whole [bored] bored");
	check("mme-multi", &mme, "Steps.\nAnswer: happy, sad", "answered marker [happy, sad] happy sad");
	check("mme-multi", &mme, "- happy\n- sad", "answered list [- happy\n- sad] happy sad");
	check("mme-multi", &mme, "['happy', 'sad']", "answered list [['happy', 'sad']] happy sad");
}

/* --- prompts --- */

static enum status build(const char *name, const char *prompt, const struct ask *ask, struct buf *out,
			 struct err *err)
{
	const struct protocol *p = protocol_find(str_z(name));

	buf_clear(out);
	*err = (struct err)ERR_INIT;
	return protocol_build(p, str_z(prompt ? prompt : protocol_prompt(p, ask->form)), ask, out, err);
}

static void every_prompt_is_filled(void **state)
{
	static const struct ask_sample sample = {STR("a statement"), options, 4};
	struct ask ask = ask_about(&sample, 1);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	for (const struct protocol *p = protocols; p->name; p++) {
		for (int form = ASK_LIST; form <= ASK_JSON; form++) {
			ask.form = (enum ask_form)form;
			assert_int_equal(build(p->name, NULL, &ask, &out, &err), OK);
			assert_true(out.n > 40);
			assert_int_equal(str_find(buf_view(&out), STR("_set}")), SIZE_MAX);
		}
		assert_true(p->help[0]);
		for (const struct protocol *q = p + 1; q->name; q++)
			assert_string_not_equal(p->name, q->name);
	}
	buf_release(&out);
}

static void placeholders_are_filled(void **state)
{
	static const struct ask_sample sample = {STR("2 {n}"), options, 4}, bare = {STR(""), NULL, 0};
	struct ask ask = ask_about(&sample, 1), none = ask_about(&bare, 1);
	struct buf out = BUF_INIT;
	struct err err = ERR_INIT;

	(void)state;
	assert_int_equal(build("mc", "{{n} {n}: {options}", &ask, &out, &err), OK);
	assert_string_equal(buf_cstr(&out), "{n} 1: A. a cat\nB. hen\nC. Answer\nD. cock");
	assert_int_equal(build("esj", "{statement}", &ask, &out, &err), OK);
	assert_string_equal(buf_cstr(&out), "2 {n}");
	ask.n_classes = 2;
	assert_int_equal(build("cw", "{classes}", &ask, &out, &err), OK);
	assert_string_equal(buf_cstr(&out), "cock, hen");
	ask.ids = true;
	ask.form = ASK_JSON;
	assert_int_equal(build("cw", "{classes}", &ask, &out, &err), OK);
	assert_string_equal(buf_cstr(&out), "[\"n01514668: cock\",\n\"n01514859: hen\"]");
	assert_int_equal(build("cw", "no list", &ask, &out, &err), E_USAGE);
	assert_string_equal(err.msg, "the prompt has no {classes}, which cw needs");
	assert_int_equal(build("ow", "one\n{clases}", &ask, &out, &err), E_USAGE);
	assert_true(strncmp(err.msg, "line 2 of the prompt: {clases} is not known", 43) == 0);
	assert_int_equal(build("mc", "{options}", &none, &out, &err), E_USAGE);
	assert_int_equal(build("esj", "{statement}", &none, &out, &err), E_USAGE);
	assert_string_equal(err.msg, "line 1 of the prompt: {statement}, but the sample has no statement");
	buf_release(&out);
}

/* One rule alone: what it does not fit is unparsed, though another would. */
static void rules_alone(void **state)
{
	static const struct ask_sample sample = {STR("q"), options, 4}, plain = {STR("q"), NULL, 0};
	static const struct {
		const char *rule, *protocol, *raw, *expected;
	} cases[] = {
	    {"whole", "cw", " Hen. ", "answered whole [Hen] Hen"},
	    {"whole", "mc", "B", "answered whole [B] n01514859"},
	    {"whole", "mc", "I think B", "unparsed  []"},
	    {"after-thought", "cw", "<think>cock</think>hen", "answered after-thought [hen] hen"},
	    {"after-thought", "cw", "hen", "unparsed  []"},
	    {"answer_tag", "cw", "<answer>hen</answer>", "answered answer-tag [hen] hen"},
	    {"answer-tag", "cw", "Answer: hen", "unparsed  []"},
	    {"fence", "cw", "so\n```\nhen\n```", "answered fence [hen] hen"},
	    {"fence", "cw", "hen", "unparsed  []"},
	    {"MARKER", "cw", "cock?\nAnswer: hen", "answered marker [hen] hen"},
	    {"marker", "mc", "the answer is (b)", "answered marker [b] n01514859"},
	    {"marker", "esj", "Answer: incorrect", "answered marker [incorrect] #0"},
	    {"marker", "cw", "hen", "unparsed  []"},
	    {"json-key", "cw", "{\"label\": \"hen\"}", "answered json-key [hen] hen"},
	    {"json-key", "mc", "{\"answer\": \"B\"}", "answered json-key [B] n01514859"},
	    {"json-key", "cw", "hen", "unparsed  []"},
	    {"json-list", "cw", "[\"hen\"]", "answered json-list [hen] hen"},
	    {"json-list", "cw", "['hen']", "answered json-list [hen] hen"},
	    {"json-list", "cw", "{\"1\": \"hen\"}", "unparsed  []"},
	    {"letter", "mc", "B. hen", "answered letter [B] n01514859"},
	    {"letter", "mc", "hen", "unparsed  []"},
	    {"option-text", "mc", "hen", "answered option-text [hen] n01514859"},
	    {"option-text", "mc", "B", "unparsed  []"},
	    {"letter-within", "mc", "it is B, surely", "answered letter-within [B] n01514859"},
	    {"letter-within", "mc", "B or C", "unparsed several letters []"},
	    {"judgement", "esj", "It is not correct", "answered judgement [correct] #1 negated"},
	    {"judgement", "esj", "who knows", "refused  []"},
	    {"only-label", "memo", "I see a hen there", "answered only-label [hen] hen"},
	    {"only-label", "memo", "a hen or a cock", "unparsed several labels []"},
	    {"list", "all-labels", "hen, cock", "answered list [hen, cock] hen cock"},
	    {"whole", "cw", " ", "empty  []"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		bool choice = strcmp(cases[i].protocol, "mc") == 0;
		struct ask ask = ask_about(choice ? &sample : &plain, 1);

		check_by(extract_rule_find(str_z(cases[i].rule)), cases[i].protocol, &ask, cases[i].raw,
			 cases[i].expected);
	}
	assert_null(extract_rule_find(STR("letters")));
	assert_null(extract_rule_find(STR("lette")));
	assert_null(extract_rule_find(STR("")));
}

/* Images of one request: a rule for the whole text says nothing about any one of them. */
static void rules_of_batches(void **state)
{
	static const struct ask_sample samples[2] = {{STR("q"), NULL, 0}, {STR("q"), NULL, 0}};
	struct ask ask = ask_about(samples, 2);

	(void)state;
	check_by(extract_rule_find(STR("json-key")), "cw", &ask, "{\"2\": \"hen\", \"1\": \"cock\"}",
		 "answered json-key [cock] cock; answered json-key [hen] hen");
	check_by(extract_rule_find(STR("whole")), "cw", &ask, "hen", "unparsed  []; unparsed  []");
}

/* The names are words that protocols do not have. */
static void names_of_rules(void **state)
{
	(void)state;
	for (const struct extract_rule *r = extract_rules; r->name; r++) {
		assert_true(*r->help && !strpbrk(r->name, " _"));
		assert_null(protocol_find(str_z(r->name)));
		assert_ptr_equal(extract_rule_find(str_z(r->name)), r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bare_classes),	      cmocka_unit_test(prompts_have_whole_paragraphs),
	    cmocka_unit_test(ids),
	    cmocka_unit_test(batches),		      cmocka_unit_test(letters),
	    cmocka_unit_test(statements),	      cmocka_unit_test(emotions),
	    cmocka_unit_test(every_prompt_is_filled), cmocka_unit_test(placeholders_are_filled),
	    cmocka_unit_test(rules_alone),	      cmocka_unit_test(rules_of_batches),
	    cmocka_unit_test(names_of_rules),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
