/* MME-Emotion: marks, steps, what was said, answers in stages, and its tables. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/base/xmalloc.h"
#include "core/eval/judge.h"
#include "core/reader/mme.h"
#include "db/search.h"
#include "tests/unit/lib_store.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define BYTES_LABEL(text) {(text), sizeof(text) - 1}

/* --- the judge's marks --- */

static void marks_are_read_as_published(void **state)
{
	static const struct {
		const char *text, *marks; /* points, '/', most, ' ' */
		double rec, rea;
		int wrong;
	} cases[] = {
	    {"<score>Step 1: 1/1, Step 2: 0/1, Step 3: 2/3</score>", "1/1 0/1 2/3 ", 2.0 / 3, 0.5, 1},
	    {"<score>Step 1: 1/1</score>", "1/1 ", 1, 0, 0},
	    {"said: 9/9 <score>Step 1:1/1,Step 2:  0/1 </score> and: 0/1", "1/1 0/1 ", 0, 1, 0},
	    {"<score>Step 1: 0/0, Step 2: 12/24</score>", "0/0 12/24 ", 0.5, 0, 1},
	    {"<score>a: 3/2</score>", "3/2 ", 1.5, 0, 0},
	    {"[1, 0, 1]", "1/1 0/1 1/1 ", 1, 0.5, 1},
	    /* what the published script leaves out */
	    {"Step 1: 0/1, Step 2: 1/1", "", 0, 0, 0},
	    {"<score>Step 1: 1/1", "", 0, 0, 0},
	    {"<SCORE>Step 1: 1/1</SCORE>", "", 0, 0, 0},
	    {"<score>Step 1: 1/1,\nStep 2: 1/1</score>", "", 0, 0, 0},
	    {"<score></score>", "", 0, 0, 0},
	    {"<score>Step 1: 1/</score>", "", 0, 0, 0},
	    {"[1, x]", "", 0, 0, 0},
	    {"[]", "", 0, 0, 0},
	    {"", "", 0, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct judge_mark mark[JUDGE_STEPS_MAX];
		struct judge_scores scores;
		struct buf got = BUF_INIT;
		int n = judge_parse(str_z(cases[i].text), mark);

		for (int k = 0; k < n; k++)
			buf_printf(&got, "%d/%d ", mark[k].points, mark[k].most);
		assert_string_equal(buf_cstr(&got), cases[i].marks);
		assert_int_equal(judge_scores(str_z(cases[i].text), &scores), n > 0);
		assert_int_equal(scores.n, n);
		assert_int_equal(scores.wrong, cases[i].wrong);
		assert_true(fabs(scores.rec - cases[i].rec) < 1e-12 && fabs(scores.rea - cases[i].rea) < 1e-12);
		buf_release(&got);
	}
}

static void steps_are_cut(void **state)
{
	static const struct {
		const char *text, *steps; /* '|' behind each */
	} cases[] = {
	    {"<step>Step 1: a b. Step 2: c</step>", "a b.|c|"},
	    {"Here: <step>\nStep 1: a\nStep 12: b\n</step> done", "a|b|"},
	    {"Some words first. Step 1: a", "a|"},
	    {"Step 1: this is step 2 of it: x Step 2: y", "this is step 2 of it: x|y|"},
	    {"no heads", "no heads|"},
	    {"Step 1:Step 2:", "||"},
	    {"<step></step>", ""},
	    {"", ""},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct str rest = judge_steps(str_z(cases[i].text)), step;
		struct buf got = BUF_INIT;

		while (judge_step_next(&rest, &step)) {
			buf_str(&got, step);
			buf_ch(&got, '|');
		}
		assert_string_equal(buf_cstr(&got), cases[i].steps);
		buf_release(&got);
	}
}

/* --- what was said --- */

static void said(const struct mme_said *s, struct buf *out)
{
	for (size_t i = 0; i < s->labels.n; i++) {
		buf_str(out, s->labels.v[i]);
		buf_ch(out, '|');
	}
	if (s->none)
		buf_z(out, "none");
	else if (!s->labels.n && s->text.n)
		buf_printf(out, "(%.*s)", STR_ARG(s->text));
}

static void a_sentence_says(void **state)
{
	static const struct {
		bool many;
		const char *text, *labels;
	} cases[] = {
	    {false, "The predicted emotion is happy.", "happy|"},
	    {false, "Happy", "Happy|"},
	    {false, "**Answer: very sad**", "very sad|"},
	    {false, "The predicted emotion is not sad but happy.", "happy|"},
	    {true, "The predicted emotions are sad, happy, and Doubt/Confusion.", "sad|happy|Doubt/Confusion|"},
	    {true, "He seems sad and then happy about it", "sad|happy|"},
	    {true, "The predicted emotions are sad;sad.", "sad|"},
	    {false, "The predicted emotion is joy.", "(joy)"},
	    {false, "Despite the sad tune the emotion is joy.", "(joy)"},
	    {false, "None", "none"},
	    {false, "The predicted emotion is None.", "none"},
	    {false, "unhappy", "(unhappy)"},
	    {false, "", ""},
	};
	static const struct mme_labels words = {
	    {BYTES_LABEL("happy"), BYTES_LABEL("sad"), BYTES_LABEL("very sad"), BYTES_LABEL("Doubt/Confusion")}, 4};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mme_said s;
		struct buf got = BUF_INIT;

		mme_said_in(str_z(cases[i].text), &words, cases[i].many, &s);
		said(&s, &got);
		assert_string_equal(buf_cstr(&got), cases[i].labels);
		buf_release(&got);
	}
}

static void a_response_says(void **state)
{
	static const struct {
		const char *text, *labels;
	} cases[] = {
	    {"<think>sad? happy?</think><answer>sad</answer>", "sad|"},
	    {"He looks sad at first. In the end the emotion is happy. The room is dark.", "happy|"},
	    {"sad", "sad|"},
	    {"joy", "(joy)"},
	    {"There is nothing to be said about what this person feels here, at all.", ""},
	    {"", ""},
	};
	static const struct mme_labels words = {{BYTES_LABEL("happy"), BYTES_LABEL("sad")}, 2};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct mme_said s;
		struct buf got = BUF_INIT;

		mme_said_at_end(str_z(cases[i].text), &words, false, &s);
		said(&s, &got);
		assert_string_equal(buf_cstr(&got), cases[i].labels);
		buf_release(&got);
	}
}

static void files_name_task_and_model(void **state)
{
	static const struct {
		const char *path, *task, *model;
	} cases[] = {
	    {"ER_SL_Wild_gpt4o_eval.json", "ER-Wild", "gpt4o"},
	    {"x/ER_Lab_qwen2.5_omni_7b_step.json", "ER-Lab", "qwen2.5_omni_7b"},
	    {"ml-er-Emotion-LLaMA.json", "ML-ER", "Emotion-LLaMA"},
	    {"runs/gpt4o/ER-Lab/results/ER_Lab.json", "ER-Lab", "gpt4o"},
	    {"SA_eval.json", "SA", "model"},
	    {"My_Task.json", "My-Task", "model"},
	};
	struct arena arena = ARENA_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *base = strrchr(cases[i].path, '/') ? strrchr(cases[i].path, '/') + 1 : cases[i].path;
		struct str rest, task = mme_task(&arena, (struct str){base, strlen(base) - strlen(".json")}, &rest);
		struct str model = mme_model(rest, str_z(cases[i].path));

		assert_true(str_eqz(task, cases[i].task));
		assert_true(str_eqz(model, cases[i].model));
	}
	arena_release(&arena);
}

/* --- answers in stages --- */

enum stage { SAID, CUT, JUDGED, PEOPLE, N_STAGES };

struct told { /* what a file says of one sample */
	const char *raw, *steps, *marks, *people, *answer;
	double rec;
};

/* Whatever a stage does not know is blank; the answer that it finds is its own. */
static struct told stage_of(enum stage stage, int i)
{
	static const char *const said_first[] = {"fox", "cat", "dog", "owl"};
	struct told t = {.raw = i == 3 ? "owl" : "I see it", .answer = said_first[i], .rec = NAN};

	if (stage == CUT || stage == JUDGED) {
		t.steps = i == 3 ? "Step 1: owl" : "Step 1: look Step 2: cat";
		t.answer = i == 3 ? "owl" : "cat";
	}
	if (stage == JUDGED) {
		t.marks = "<score>Step 1: 1/1</score>";
		t.rec = i;
	}
	if (stage == PEOPLE)
		t = (struct told){.people = "[1]", .rec = NAN};
	return t;
}

static void put_told(struct feed *f, uint32_t run, int i, const struct told *t)
{
	struct rec_number rec = {STR("rec"), t->rec};
	struct class_ref ref = {.kind = CLASS_BY_NAME, .text = str_z(t->answer)};
	struct rec_prediction p;
	char key[16];

	snprintf(key, sizeof key, "s%d", i);
	rec_prediction_init(&p);
	p.run = run;
	p.key = str_z(key);
	p.raw = str_z(t->raw);
	p.extracted = str_z(t->answer);
	p.outcome = t->raw ? OUTCOME_ANSWERED : OUTCOME_MISSING;
	p.refs = &ref;
	p.n_refs = t->raw != NULL;
	p.steps = str_z(t->steps);
	p.marks = str_z(t->marks);
	p.people = str_z(t->people);
	p.numbers = &rec;
	p.n_numbers = !isnan(t->rec);
	feed_prediction(f, &p);
}

static void feed_samples(struct conn *c)
{
	static const char *const names[] = {"cat", "dog", "fox"};
	struct feed f = {0};
	char key[8];

	feed_begin(&f, c, "d");
	for (int i = 0; i < 5; i++) {
		snprintf(key, sizeof key, "s%d", i);
		feed_sample(&f, key, NULL, NULL, names[i % 3]);
	}
	feed_end(&f);
	assert_int_equal(f.st, OK);
	feed_done(&f);
}

static void feed_stage(struct conn *c, enum stage stage, struct feed *f)
{
	struct rec_run rec = {.model = STR("m"), .staged = true};
	uint32_t run;

	feed_begin(f, c, "d");
	assert_int_equal(sink_run(store_sink(f->s), &rec, &run, &f->err), OK);
	for (int i = 0; i < 4; i++) {
		struct told t = stage_of(stage, i);

		put_told(f, run, i, &t);
	}
	feed_end(f);
	if (f->st != OK)
		fail_msg("%s", f->err.msg);
}

static void put_text(struct conn *c, int64_t run, enum text_field field, uint32_t ord, struct buf *out)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct str text = STR_NONE;

	assert_int_equal(fetch_text(c, run, field, ord, &text, &arena, &err), OK);
	buf_ch(out, '|');
	buf_str(out, text);
	arena_release(&arena);
}

/* Everything that the project knows of the run m; owned by the caller. */
static char *tell_run(struct conn *c)
{
	struct snapshot *s = must_load(c, "d");
	struct buf out = BUF_INIT;

	buf_printf(&out, "%u runs", s->n_runs);
	for (uint32_t r = 0; r < s->n_runs; r++) {
		buf_printf(&out, "\n%s %u", s->runs[r].handle, s->runs[r].n_predictions);
		for (uint32_t i = 0; i < s->n; i++) {
			uint64_t label = column_u(&s->runs[r].label, i);
			double rec = fetch_number(c, s->runs[r].id, "rec", i);

			buf_printf(&out, "\n%u %s", (unsigned)column_u(&s->runs[r].outcome, i),
				   label == COLUMN_NONE ? "-" : s->classes[label].name);
			for (int f = 0; f < N_FIELDS; f++)
				put_text(c, s->runs[r].id, (enum text_field)f, i, &out);
			buf_printf(&out, "|%g", isnan(rec) ? -1 : rec);
		}
	}
	snapshot_free(s);
	return buf_take(&out);
}

static const char whole[] = "1 runs\nm 4"
			    "\n1 cat|I see it|cat|Step 1: look Step 2: cat|<score>Step 1: 1/1</score>|||[1]|0"
			    "\n1 cat|I see it|cat|Step 1: look Step 2: cat|<score>Step 1: 1/1</score>|||[1]|1"
			    "\n1 cat|I see it|cat|Step 1: look Step 2: cat|<score>Step 1: 1/1</score>|||[1]|2"
			    "\n2 -|owl||Step 1: owl|<score>Step 1: 1/1</score>|||[1]|3"
			    "\n0 -||||||||-1";

/* news: for each stage whether it changes anything, 1 or 0. */
static void check_order(const enum stage *order, const char *news, bool staged)
{
	struct place p = place_new(staged);
	char *got;

	feed_samples(p.c);
	for (size_t k = 0; news[k]; k++) {
		struct feed f = {0};

		feed_stage(p.c, order[k], &f);
		assert_int_equal(report_changed(&f.r), news[k] == '1');
		feed_done(&f);
	}
	got = tell_run(p.c);
	assert_string_equal(got, whole);
	free(got);
	assert_int_equal(project_int(p.c, "SELECT count(DISTINCT run) FROM chunk"), 1);
	place_end(&p);
}

/* People's marks come last, as they only add. What is known adds nothing. */
static void stages_come_in_any_order(void **state)
{
	static const struct {
		enum stage order[5];
		const char *news;
	} cases[] = {{{SAID, CUT, JUDGED, PEOPLE}, "1111"},
		     {{JUDGED, PEOPLE, SAID, CUT, JUDGED}, "11000"},
		     {{CUT, JUDGED, SAID, PEOPLE}, "1101"},
		     {{SAID, SAID, JUDGED, CUT, PEOPLE}, "10101"}};

	(void)state;
	for (size_t k = 0; k < COUNT(cases); k++)
		for (int staged = 0; staged < 2; staged++)
			check_order(cases[k].order, cases[k].news, staged);
}

/* Marks of people for answers that are not there are unmatched; nothing is made of them. */
static void what_only_adds_makes_no_run(void **state)
{
	(void)state;
	for (int staged = 0; staged < 2; staged++) {
		struct place p = place_new(staged);
		struct feed f = {0};

		feed_samples(p.c);
		feed_stage(p.c, PEOPLE, &f);
		assert_int_equal(f.r.problems[PROBLEM_UNMATCHED], 4);
		assert_false(report_changed(&f.r));
		assert_int_equal(f.r.runs_new.n, 0);
		feed_done(&f);
		assert_int_equal(project_int(p.c, "SELECT count(*) FROM run"), 0);
		assert_int_equal(project_int(p.c, "SELECT count(*) FROM chunk"), 0);
		place_end(&p);
	}
}

/* Another answer, other steps or other marks are another run. */
static void contradictions_are_another_run(void **state)
{
	static const struct {
		const char *raw, *steps, *marks;
		double rec;
	} others[] = {{"I see nothing", NULL, NULL, NAN},
		      {"I see it", "Step 1: dog", NULL, NAN},
		      {"I see it", "Step 1: look Step 2: cat", "[0]", NAN},
		      {"I see it", "Step 1: look Step 2: cat", NULL, 7}};

	(void)state;
	for (size_t k = 0; k < COUNT(others); k++) {
		struct place p = place_new(true);
		struct rec_run rec = {.model = STR("m"), .staged = true};
		struct told t = {.raw = others[k].raw, .steps = others[k].steps, .marks = others[k].marks,
				 .answer = "dog", .rec = others[k].rec};
		struct feed f = {0};
		uint32_t run;

		feed_samples(p.c);
		feed_stage(p.c, JUDGED, &f);
		feed_done(&f);
		f = (struct feed){0};
		feed_begin(&f, p.c, "d");
		assert_int_equal(sink_run(store_sink(f.s), &rec, &run, &f.err), OK);
		put_told(&f, run, 0, &t);
		feed_end(&f);
		assert_int_equal(f.st, OK);
		assert_int_equal(f.r.runs_new.n, 1);
		assert_string_equal(f.r.runs_new.v[0], "m#2");
		feed_done(&f);
		place_end(&p);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(marks_are_read_as_published), cmocka_unit_test(steps_are_cut),
	    cmocka_unit_test(a_sentence_says),		   cmocka_unit_test(a_response_says),
	    cmocka_unit_test(files_name_task_and_model),   cmocka_unit_test(stages_come_in_any_order),
	    cmocka_unit_test(what_only_adds_makes_no_run), cmocka_unit_test(contradictions_are_another_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
