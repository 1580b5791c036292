/* Readers on the shapes that tools have been seen to write: what a file of the tool's own had that its
 * documentation does not say, or says otherwise. */
#include <stdlib.h>

#include "tests/unit/lib_readers.h"

#include "tests/unit/lib_project.h"

#define BYTES(lit) {(lit), sizeof(lit) - 1}

static const struct reader_case helm[] = {
    {.name = "helm: a scenario is a task, judges' scores are numbers",
     .file = "runs/v3/harm_bench:model=org_m/scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"generation\",\"model\":\"org/m\"},\"request_"
		    "states\":[{\"instance\":{\"input\":{\"text\":\"Is it safe?\"},\"references\""
		    ":[{\"output\":{\"text\":\"harmful\"},\"tags\":[]}],\"split\":\"test\",\"id\""
		    ":\"id1\"},\"train_trial_index\":0,\"request\":{\"model\":\"org/m\",\"prompt"
		    "\":\"Is it safe?\"},\"result\":{\"success\":true,\"embedding\":[],\"completi"
		    "ons\":[{\"text\":\"No.\",\"logprob\":0,\"tokens\":[{\"text\":\"No.\",\"logpr"
		    "ob\":0}],\"finish_reason\":{\"reason\":\"length\"}}],\"cached\":true,\"reque"
		    "st_time\":0.5},\"annotations\":{\"judge\":{\"prompt_text\":\"long\",\"gpt_re"
		    "asoning\":\"It is.\",\"gpt_score\":0.5}}}]}"),
     .reader = "helm",
     .task = "harm_bench",
     .want = "run 0 model=org/m\n"
	     "prediction 0 key=id1 raw=No. answered(=No.) latency=500 tokens=1 number=judge "
	     "gpt_score:0.5 details={\"finish_reason\":\"length\",\"judge gpt_reasoning\":\""
	     "It is.\"} of key=id1 media=none question=Is it safe? facet:split=test creates"
	     "\n",
     .problems = ""},
    {.name = "helm: a task has the arguments that say what was asked",
     .file = "bbq:subject=all,method=multiple_choice_joint,lang=en,model=m/scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{\"method\":\"multiple_choice_joint\",\"model\":\"org/m\"}"
		    ",\"request_states\":[{\"instance\":{\"input\":{\"text\":\"Who?\"},\"referenc"
		    "es\":[{\"output\":{\"text\":\"She\"},\"tags\":[\"negative\",\"B\"]},{\"outpu"
		    "t\":{\"text\":\"Not known\"},\"tags\":[\"correct\",\"negative\",\"B\"]}],\"s"
		    "plit\":\"test\",\"id\":\"id58485\"},\"train_trial_index\":0,\"output_mapping"
		    "\":{\"A\":\"She\",\"B\":\"Not known\"},\"request\":{\"model\":\"org/m\",\"pr"
		    "ompt\":\"Who?\"},\"result\":{\"success\":true,\"embedding\":[],\"completions"
		    "\":[{\"text\":\"B\",\"logprob\":0,\"tokens\":[{\"text\":\"B\",\"logprob\":0}"
		    "],\"finish_reason\":{\"reason\":\"length\"}}],\"cached\":true,\"request_time"
		    "\":0.5}}]}"),
     .reader = "helm",
     .task = "bbq:subject=all,lang=en",
     .want = "run 0 model=org/m protocol=MC\n"
	     "prediction 0 key=id58485 raw=B answered(=Not known) latency=500 tokens=1 detai"
	     "ls={\"finish_reason\":\"length\"} of key=id58485 media=none question=Who? opti"
	     "on=She option=Not known facet:split=test truth=original(=Not known) creates\n",
     .problems = ""},
    {.name = "helm: instances alone are samples of the same task",
     .file = "bbq:subject=all,model=m/instances.json",
     .bytes = BYTES("[{\"input\":{\"text\":\"Who?\"},\"references\":[{\"output\":{\"text\":\"She"
		    "\"},\"tags\":[\"negative\"]},{\"output\":{\"text\":\"Not known\"},\"tags\":["
		    "\"correct\"]}],\"split\":\"test\",\"id\":\"id5\"},{\"input\":{\"text\":\"Is "
		    "it safe?\"},\"references\":[{\"output\":{\"text\":\"harmful\"},\"tags\":[]}]"
		    ",\"split\":\"test\",\"id\":\"p1\",\"perturbation\":{\"name\":\"typos\"}},{\""
		    "input\":{\"text\":\"x\"},\"references\":[]}]"),
     .reader = "helm",
     .task = "bbq:subject=all",
     .want = "sample key=id5 media=none question=Who? option=She option=Not known facet:spli"
	     "t=test truth=original(=Not known) creates\n"
	     "sample key=p1/typos media=none question=Is it safe? facet:split=test facet:per"
	     "turbation=typos creates\n",
     .problems = "skipped 1:310 id: expected an instance with an id\n"},
    {.name = "helm: a folder that is called otherwise is no task",
     .file = "runs/a:b/scenario_state.json",
     .bytes = BYTES("{\"adapter_spec\":{},\"request_states\":[]}"),
     .reader = "helm",
     .task = "",
     .want = "",
     .problems = ""},
};

#define SAMPLE BYTES("{\"doc_id\":0,\"target\":\"a\",\"filtered_resps\":[\"a\"]}\n")

static const struct reader_case lmeval[] = {
    {.name = "lmeval: a task whose name ends in a number",
     .file = "m/samples_ner_prompt_1_2026-01-16T16-02-26.648276.jsonl", .bytes = SAMPLE,
     .reader = "lmeval", .task = "ner_prompt_1", .problems = ""},
    {.name = "lmeval: a task that is called as a year",
     .file = "m/samples_aime_2025_2026-01-16T16-02-26.jsonl", .bytes = SAMPLE,
     .reader = "lmeval", .task = "aime_2025", .problems = ""},
    {.name = "lmeval: a date of digits",
     .file = "m/samples_emo_20250101_120000.jsonl", .bytes = SAMPLE,
     .reader = "lmeval", .task = "emo", .problems = ""},
    {.name = "lmeval: no date",
     .file = "m/samples_emo_1.jsonl", .bytes = SAMPLE, .reader = "lmeval", .task = "emo_1", .problems = ""},
    {.name = "lmeval: the date in front",
     .file = "m/20250101_120000_samples_voxpop_20250101.jsonl", .bytes = SAMPLE,
     .reader = "lmeval", .task = "voxpop_20250101", .problems = ""},
    {.name = "lmeval: another name",
     .file = "m/my_samples_emo.jsonl", .bytes = SAMPLE, .reader = "lmeval", .task = "", .problems = ""},
};

static const struct reader_case opencompass[] = {
    {.name = "opencompass: gold that is no answer",
     .file = "predictions/m/COREV2_6A_.json",
     .bytes = BYTES("{\n    \"0\": {\n        \"origin_prompt\": \"Q\",\n        \"prediction\": "
		    "\"Up.\",\n        \"gold\": {\n            \"capability\": \"knowledge\",\n "
		    "           \"lang\": \"en\"\n        }\n    },\n    \"1\": {\n        \"orig"
		    "in_prompt\": \"R\",\n        \"prediction\": \"B\",\n        \"gold\": {\n  "
		    "          \"capability\": \"safety\",\n            \"ref\": \"B\"\n        }"
		    "\n    }\n}"),
     .reader = "opencompass",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=Up. answered(=Up.) of key=0 media=none question=Q facet"
	     ":capability=knowledge facet:lang=en creates\n"
	     "prediction 0 key=1 raw=B answered(=B) of key=1 media=none question=R facet:cap"
	     "ability=safety truth=original(=B) creates\n",
     .problems = ""},
};

static const struct reader_case promptfoo[] = {
    {.name = "promptfoo: lines come in any order, the lowest prompt is the first one",
     .file = "out.jsonl",
     .bytes = BYTES("{\"gradingResult\":{\"pass\":true},\"latencyMs\":6,\"prompt\":{\"raw\":\"Nam"
		    "e i/0.jpg.\",\"label\":\"terse\"},\"promptIdx\":1,\"provider\":{\"id\":\"fil"
		    "e://p.js\",\"label\":\"alpha\"},\"response\":{\"output\":\"Joy\"},\"success"
		    "\":true,\"testIdx\":0,\"vars\":{\"image\":\"i/0.jpg\",\"label\":\"joy\"},\"f"
		    "ailureReason\":0}\n{\"gradingResult\":{\"pass\":true},\"latencyMs\":6,\"prom"
		    "pt\":{\"raw\":\"What i/1.jpg\",\"label\":\"What {{image}}\"},\"promptIdx\":0"
		    ",\"provider\":{\"id\":\"file://p.js\",\"label\":\"alpha\"},\"response\":{\"o"
		    "utput\":{\"emotion\":\"joy\",\"why\":\"x\"}},\"success\":true,\"testIdx\":1,"
		    "\"vars\":{\"image\":\"i/1.jpg\",\"label\":\"joy\"},\"failureReason\":0}\n{\""
		    "gradingResult\":{\"pass\":true},\"latencyMs\":6,\"prompt\":{\"raw\":\"What i"
		    "/0.jpg\",\"label\":\"What {{image}}\"},\"promptIdx\":0,\"provider\":{\"id\":"
		    "\"file://p.js\",\"label\":\"alpha\"},\"response\":{\"output\":{\"why\":\"x\""
		    "}},\"success\":true,\"testIdx\":0,\"vars\":{\"image\":\"i/0.jpg\",\"label\":"
		    "\"joy\"},\"failureReason\":0}\n{\"gradingResult\":{\"pass\":true},\"latencyM"
		    "s\":6,\"prompt\":{\"raw\":\"Name i/0.jpg.\",\"label\":\"terse\"},\"promptIdx"
		    "\":3,\"provider\":{\"id\":\"file://p.js\",\"label\":\"beta\"},\"response\":{"
		    "\"output\":\"joy\"},\"success\":true,\"testIdx\":0,\"vars\":{\"image\":\"i/0"
		    ".jpg\",\"label\":\"joy\"},\"failureReason\":0}\n{\"gradingResult\":{\"pass\""
		    ":true},\"latencyMs\":6,\"prompt\":{\"raw\":\"What i/0.jpg\",\"label\":\"What"
		    " {{image}}\"},\"promptIdx\":2,\"provider\":{\"id\":\"file://p.js\",\"label\""
		    ":\"beta\"},\"response\":{\"output\":\"fear\"},\"success\":true,\"testIdx\":0"
		    ",\"vars\":{\"image\":\"i/0.jpg\",\"label\":\"joy\"},\"failureReason\":0}\n"),
     .reader = "promptfoo",
     .want = "run 0 model=alpha handle=alpha/terse\n"
	     "prediction 0 key=0 raw=Joy answered(=Joy) latency=6 number=success:1 of key=0 "
	     "media=image path=i/0.jpg truth=original(=joy) creates\n"
	     "run 1 model=alpha\n"
	     "prediction 1 key=1 raw={\"emotion\":\"joy\",\"why\":\"x\"} extracted=joy answe"
	     "red(=joy) latency=6 number=success:1 of key=1 media=image path=i/1.jpg questio"
	     "n=What i/1.jpg truth=original(=joy) creates\n"
	     "prediction 1 key=0 raw={\"why\":\"x\"} answered(={\"why\":\"x\"}) latency=6 nu"
	     "mber=success:1 of key=0 media=image path=i/0.jpg question=What i/0.jpg truth=o"
	     "riginal(=joy) creates\n"
	     "run 2 model=beta handle=beta/terse\n"
	     "prediction 2 key=0 raw=joy answered(=joy) latency=6 number=success:1 of key=0 "
	     "media=image path=i/0.jpg truth=original(=joy) creates\n"
	     "run 3 model=beta\n"
	     "prediction 3 key=0 raw=fear answered(=fear) latency=6 number=success:1 of key="
	     "0 media=image path=i/0.jpg question=What i/0.jpg truth=original(=joy) creates"
	     "\n",
     .problems = ""},
    {.name = "promptfoo: version 2 tells tests apart by their variables",
     .file = "out.json",
     .bytes = BYTES("{\"evalId\":\"eval-2\",\"results\":{\"version\":2,\"timestamp\":\"2024\",\"r"
		    "esults\":[{\"provider\":{\"id\":\"file://p.js\",\"label\":\"alpha\"},\"promp"
		    "t\":{\"raw\":\"What i/0.jpg\",\"label\":\"What\"},\"vars\":{\"image\":\"i/0."
		    "jpg\",\"want\":\"joy\"},\"response\":{\"output\":\"Joy\"},\"success\":true,"
		    "\"score\":1,\"gradingResult\":{\"pass\":true,\"componentResults\":[{\"pass\""
		    ":true,\"assertion\":{\"type\":\"latency\",\"threshold\":9}},{\"pass\":true,"
		    "\"assertion\":{\"type\":\"icontains\",\"value\":\"{{want}}\"}}]}},{\"provide"
		    "r\":{\"id\":\"file://p.js\",\"label\":\"alpha\"},\"prompt\":{\"raw\":\"Name "
		    "it\",\"label\":\"terse\"},\"vars\":{\"image\":\"i/0.jpg\",\"want\":\"joy\"},"
		    "\"response\":{\"output\":\"joy\"},\"success\":true,\"score\":1,\"gradingResu"
		    "lt\":{\"pass\":true,\"componentResults\":[{\"pass\":true,\"assertion\":{\"ty"
		    "pe\":\"latency\",\"threshold\":9}},{\"pass\":true,\"assertion\":{\"type\":\""
		    "icontains\",\"value\":\"{{want}}\"}}]}},{\"provider\":{\"id\":\"file://p.js"
		    "\",\"label\":\"alpha\"},\"prompt\":{\"raw\":\"What else\",\"label\":\"What\""
		    "},\"vars\":{\"image\":\"i/0.jpg\",\"want\":\"fear\"},\"response\":{\"output"
		    "\":\"fear\"},\"success\":true,\"score\":1,\"gradingResult\":{\"pass\":true,"
		    "\"componentResults\":[{\"pass\":true,\"assertion\":{\"type\":\"latency\",\"t"
		    "hreshold\":9}},{\"pass\":true,\"assertion\":{\"type\":\"icontains\",\"value"
		    "\":\"{{want}}\"}}]}},{\"provider\":{\"id\":\"file://p.js\",\"label\":\"beta"
		    "\"},\"prompt\":{\"raw\":\"Name it\",\"label\":\"terse\"},\"vars\":{\"image\""
		    ":\"i/0.jpg\",\"want\":\"joy\"},\"response\":{\"output\":\"joy\"},\"success\""
		    ":true,\"score\":1,\"gradingResult\":{\"pass\":true,\"componentResults\":[{\""
		    "pass\":true,\"assertion\":{\"type\":\"latency\",\"threshold\":9}},{\"pass\":"
		    "true,\"assertion\":{\"type\":\"icontains\",\"value\":\"{{want}}\"}}]}},{\"pr"
		    "ovider\":{\"id\":\"file://p.js\",\"label\":\"beta\"},\"prompt\":{\"raw\":\"W"
		    "hat t\",\"label\":\"What\"},\"vars\":{\"topic\":\"t\",\"want\":\"fear\"},\"r"
		    "esponse\":{\"output\":\"fear\"},\"success\":true,\"score\":1,\"gradingResult"
		    "\":{\"pass\":true,\"componentResults\":[{\"pass\":true,\"assertion\":{\"type"
		    "\":\"latency\",\"threshold\":9}},{\"pass\":true,\"assertion\":{\"type\":\"ic"
		    "ontains\",\"value\":\"{{want}}\"}}]}},{\"provider\":{\"id\":\"p\"},\"prompt"
		    "\":{\"raw\":\"r\"},\"error\":\"API error: 500\"}],\"stats\":{},\"table\":{\""
		    "head\":{},\"body\":[]}},\"config\":{},\"shareableUrl\":null}"),
     .reader = "promptfoo",
     .want = "run 0 model=alpha\n"
	     "prediction 0 key=i/0.jpg raw=Joy answered(=Joy) number=success:1 number=graded"
	     ":1 of key=i/0.jpg media=image path=i/0.jpg question=What i/0.jpg facet:want=jo"
	     "y truth=original(=joy) creates\n"
	     "run 1 model=alpha handle=alpha/terse\n"
	     "prediction 1 key=i/0.jpg raw=joy answered(=joy) number=success:1 number=graded"
	     ":1 of key=i/0.jpg media=image path=i/0.jpg facet:want=joy truth=original(=joy)"
	     " creates\n"
	     "prediction 0 key=i/0.jpg#1 raw=fear answered(=fear) number=success:1 number=gr"
	     "aded:1 of key=i/0.jpg#1 media=image path=i/0.jpg question=What else facet:want"
	     "=fear truth=original(=fear) creates\n"
	     "run 2 model=beta handle=beta/terse\n"
	     "prediction 2 key=i/0.jpg raw=joy answered(=joy) number=success:1 number=graded"
	     ":1 of key=i/0.jpg media=image path=i/0.jpg facet:want=joy truth=original(=joy)"
	     " creates\n"
	     "run 3 model=beta\n"
	     "prediction 3 key=2 raw=fear answered(=fear) number=success:1 number=graded:1 o"
	     "f key=2 media=none question=What t facet:topic=t facet:want=fear truth=origina"
	     "l(=fear) creates\n",
     .problems = "skipped 1:1881 testIdx: expected the test's number, got nothing\n"},
};

static const struct reader_case eemo[] = {
    {.name = "eemo: what people said of the pictures; an answer that ends in a token",
     .file = "leaderboards/m/EEmo-Bench(m-pair).json",
     .bytes = BYTES("[{\"id\":0,\"image1\":\"images\\\\579.jpg\",\"image1_label\":\"[Image1] Rank"
		    "ing:{'Anger': 33, 'Joy': 22}     category:Abstract/Cartoon image     Valence"
		    ":5.33  Arousal:6.0  Dominance:5.44\",\"image2\":\"images\\\\100.jpg\",\"imag"
		    "e2_label\":\"odd\",\"question\":\"Is anger one?\",\"options\":\"{'A': 'No.',"
		    " 'B': 'Yes.'}\",\"correct_answer\":\"B\",\"question_type\":\"Yes-or-No\",\"r"
		    "esponse(m)\":\"B: Yes</s>\",\"eval_result(m)\":1,\"if_invalid(m)\":0}]"),
     .reader = "eemo",
     .want = "run 0 model=m\n"
	     "prediction 0 key=0 raw=B: Yes</s> extracted=B answered(=Yes.) number=eval_resu"
	     "lt:1 number=if_invalid:0 of key=0 media=images path=images/579.jpg path=images"
	     "/100.jpg question=Is anger one? option=No. option=Yes. facet:image1_emotion=An"
	     "ger facet:image1_category=Abstract/Cartoon image number:image1_valence=5.33 nu"
	     "mber:image1_arousal=6 number:image1_dominance=5.44 facet:question_type=Yes-or-"
	     "No truth=original(=Yes.) creates\n",
     .problems = ""},
};

static void reads(void **state)
{
	run_reader_case(*state);
}

/* Reads folder/name; what the sink and the notes were told. */
static void read_it(const char *folder, const char *name, struct buf *out)
{
	char *path = project_file(folder, name);
	struct read_options opt = {.folder = false};
	const struct reader *used = NULL;
	struct err err = ERR_INIT;
	struct report report;
	struct sink_log log;

	sink_log_init(&log);
	report_init(&report, "f", NULL);
	if (read_path(path, &opt, &log.sink, &report, &used, &err) != OK)
		fail_msg("%s", err.msg);
	buf_clear(out);
	buf_str(out, buf_view(&log.text));
	for (size_t i = 0; i < report.notes.n; i++)
		buf_printf(out, "note %s\n", report.notes.v[i]);
	report_release(&report);
	sink_log_release(&log);
	free(path);
}

/* Where the folder says nothing, the summary beside the samples says the model. */
static void the_summary_names_the_model(void **state)
{
	static const struct { const char *summary, *samples, *said, *want; } list[] = {
	    {"snapshots__1a2b/20260101_000000_results.json", "snapshots__1a2b/20260101_000000_samples_t.jsonl",
	     "{\"results\":{},\"model_name\":\"/c/models--Org--VL-3B/snapshots/1a2b\"}", "run 0 model=Org/VL-3B\n"},
	    {"lmms_eval/20260101_000000_results.json", "lmms_eval/20260101_000000_samples_t.jsonl",
	     "{\"model_name\":\"./ckpt/run7\"}", "run 0 model=run7\n"},
	    {"results/results_2026-01-16T16-02-26.6.json", "results/samples_a_b_2026-01-16T16-02-26.6.jsonl",
	     "{\"config\":{\"model_name\":\"x\"},\"model_name\":\"google/gemma-2b\"}",
	     "run 0 model=google/gemma-2b\n"},
	    {"mine/results_2026-01-16T16-02-26.6.json", "mine/samples_a_2026-01-16T16-02-26.6.jsonl",
	     "{\"model_name\":\"google/gemma-2b\"}", "run 0 model=mine\n"},
	    {"logs/results_2026-01-16T16-02-26.6.json", "logs/samples_a_2026-01-16T16-02-26.6.jsonl",
	     "{\"model_name\":7, broken", "run 0 model=logs\n"},
	    {"output/other.json", "output/samples_a_2026-01-16T16-02-26.6.jsonl", "{}", "run 0 model=output\n"},
	};
	char *folder = project_folder();
	struct buf out = BUF_INIT;

	(void)state;
	for (size_t i = 0; i < COUNT(list); i++) {
		project_put(folder, list[i].summary, str_z(list[i].said));
		project_put(folder, list[i].samples,
			    STR("{\"doc_id\":0,\"target\":\"a\",\"filtered_resps\":[\"a\"]}\n"));
		read_it(folder, list[i].samples, &out);
		if (!str_starts(buf_view(&out), str_z(list[i].want)))
			fail_msg("%s: %s", list[i].samples, buf_cstr(&out));
	}
	buf_release(&out);
	project_remove(folder);
}

static void an_evaluation_that_broke_off_is_told(void **state)
{
	static const char log[] = "{\"version\":2,\"status\":\"%s\",\"eval\":{\"task\":\"t\",\"model\":\"m\"},"
				  "\"samples\":[{\"id\":1,\"epoch\":1,\"input\":\"Q\",\"target\":\" Yes\","
				  "\"output\":{\"choices\":[{\"message\":{\"content\":\"Yes\\n\"}}]},\"scores\":"
				  "{\"match\":{\"value\":\"C\",\"answer\":\"Yes\"}}}]}";
	char *folder = project_folder();
	struct buf out = BUF_INIT, bytes = BUF_INIT;

	(void)state;
	buf_printf(&bytes, log, "cancelled");
	project_put(folder, "a.json", buf_view(&bytes));
	read_it(folder, "a.json", &out);
	assert_non_null(strstr(buf_cstr(&out), "answered(=Yes)"));
	assert_non_null(strstr(buf_cstr(&out), "truth=original(=Yes)"));
	assert_non_null(strstr(buf_cstr(&out), "note the evaluation did not end: its log says cancelled\n"));
	buf_clear(&bytes);
	buf_printf(&bytes, log, "success");
	project_put(folder, "b.json", buf_view(&bytes));
	read_it(folder, "b.json", &out);
	assert_null(strstr(buf_cstr(&out), "note "));
	buf_release(&bytes);
	buf_release(&out);
	project_remove(folder);
}

int main(void)
{
	struct CMUnitTest tests[32] = {{0}};
	size_t n = 0;

	n = add_reader_cases(tests, n, reads, helm, COUNT(helm));
	n = add_reader_cases(tests, n, reads, lmeval, COUNT(lmeval));
	n = add_reader_cases(tests, n, reads, opencompass, COUNT(opencompass));
	n = add_reader_cases(tests, n, reads, promptfoo, COUNT(promptfoo));
	n = add_reader_cases(tests, n, reads, eemo, COUNT(eemo));
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_summary_names_the_model);
	tests[n++] = (struct CMUnitTest)cmocka_unit_test(an_evaluation_that_broke_off_is_told);
	return _cmocka_run_group_tests("files as tools write them", tests, n, NULL, NULL);
}
