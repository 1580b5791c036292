#include "tests/unit/lib_results.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "db/store.h"

void results_put(const char *root, const char *name, struct str bytes)
{
	char *path = xasprintf("%s/%s", root, name);
	struct str dir = path_dir(str_z(path));
	char *folder = xstrndup(dir.p, dir.n);
	struct err err = ERR_INIT;
	FILE *f;

	assert_int_equal(path_mkdirs(folder, &err), OK);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_int_equal(fwrite(bytes.p, 1, bytes.n, f), bytes.n);
	assert_int_equal(fclose(f), 0);
	free(folder);
	free(path);
}

/* Truth of a row, and what a model says: right in about half of them, the same every time. */
static char truth_at(int task, int row)
{
	return "ABCD"[(row * 7 + task * 3 + row / 4) % 4];
}

static char answer_at(int task, int model, int row)
{
	int roll = (row * 5 + model * 3 + task) % 7;

	return roll < 3 + model % 2 ? truth_at(task, row) : "ABCD"[(roll + row) % 4];
}

static uint32_t count_right(int task, int model)
{
	uint32_t n = 0;

	for (int i = 0; i < RESULTS_ROWS; i++)
		n += answer_at(task, model, i) == truth_at(task, i);
	return n;
}

static void vlmeval(const char *root, int task, const char *name, int m, const char *model)
{
	struct buf b = BUF_INIT;
	char *path = xasprintf("%s/vlm/%s/T20250101_Gab12/%s_%s.tsv", root, model, model, name);

	buf_z(&b, "index\tquestion\tA\tB\tC\tD\tanswer\tcategory\tsplit\tprediction\n");
	for (int i = 0; i < RESULTS_ROWS; i++)
		buf_printf(&b, "%d\t%s %d?\tjoy\tanger\tfear\tawe\t%c\temotion\tdev\tThe answer is %c.\n",
			   1 + 3 * i, name, i, truth_at(task, i), answer_at(task, m, i));
	results_put("/", path, buf_view(&b));
	free(path);
	path = xasprintf("%s/vlm/%s/T20250101_Gab12/%s_%s_acc.csv", root, model, model, name);
	results_put("/", path, STR("\"split\",\"Overall\"\n\"dev\",\"0.5\"\n"));
	free(path);
	buf_release(&b);
}

static void samples(const char *root, int task, const char *name, int m, const char *model, bool lmms)
{
	struct buf b = BUF_INIT;
	char *path = lmms ? xasprintf("%s/lmms/%s/20250101_120000_samples_%s.jsonl", root, model, name)
			  : xasprintf("%s/lmeval/%s/samples_%s_2025-01-01T12-00-00.5.jsonl", root, model,
				      name);

	for (int i = 0; i < RESULTS_ROWS; i++)
		buf_printf(&b,
			   "{\"doc_id\":%d,\"doc\":{\"question\":\"%s %d?\"},\"target\":\"%c\","
			   "\"resps\":[[\"I say %c\"]],\"filtered_resps\":[\"%c\"]%s,\"acc\":1.0}\n",
			   i, name, i, truth_at(task, i), answer_at(task, m, i), answer_at(task, m, i),
			   lmms ? "" : ",\"filter\":\"none\"");
	results_put("/", path, buf_view(&b));
	free(path);
	path = xasprintf("%s/%s/%s/20250101_120000_results.json", root, lmms ? "lmms" : "lmeval", model);
	results_put("/", path,
		    STR("{\"results\":{\"x\":{\"acc,none\":0.5}},\"configs\":{},\"config\":{\"model\":\"m\"}}"));
	free(path);
	buf_release(&b);
}

/* The second task in two shards, each of which counts from 0. */
static void opencompass(const char *root, int task, const char *name, int m, const char *model)
{
	int shards = task % 2 ? 2 : 1, each = RESULTS_ROWS / shards;

	for (int s = 0; s < shards; s++) {
		struct buf b = BUF_INIT;
		char number[8] = "";
		char *path;

		if (shards > 1)
			snprintf(number, sizeof number, "_%d", s);
		for (int i = 0; i < each; i++)
			buf_printf(&b,
				   "%s\"%d\":{\"origin_prompt\":[{\"role\":\"HUMAN\",\"prompt\":\"%s %d?\"}],"
				   "\"prediction\":\"%c\",\"gold\":\"%c\"}",
				   i ? "," : "{", i, name, s * each + i, answer_at(task, m, s * each + i),
				   truth_at(task, s * each + i));
		buf_ch(&b, '}');
		path = xasprintf("%s/oc/20250101_120000/predictions/%s/%s%s.json", root, model, name, number);
		results_put("/", path, buf_view(&b));
		free(path);
		buf_release(&b);
	}
}

void results_make(const char *root, struct result *out)
{
	static const char *const tasks[RESULTS_TASKS] = {
	    "MMBench_DEV_EN", "EmoBench",      "emotion6", "ferplus",
	    "mmlu_anatomy",   "gsm8k_emotion", "siqa",	   "emoqa",
	};
	static const char *const models[4][RESULTS_MODELS][2] = {
	    {{"GPT4o", "GPT4o/mc"}, {"Qwen2-VL-7B", "Qwen2-VL-7B/mc"}, {"InternVL2-8B", "InternVL2-8B/mc"}},
	    {{"llava-hf__llava", "llava-hf/llava"}, {"Qwen__Qwen2-VL", "Qwen/Qwen2-VL"}, {"o__I", "o/I"}},
	    {{"meta__L3-8B", "meta/L3-8B"}, {"mistral__7B", "mistral/7B"}, {"google__g-2", "google/g-2"}},
	    {{"internlm2-7b", "internlm2-7b"}, {"qwen2.5-7b", "qwen2.5-7b"}, {"llama3-8b", "llama3-8b"}},
	};

	for (int t = 0; t < RESULTS_TASKS; t++)
		for (int m = 0; m < RESULTS_MODELS; m++) {
			const char *model = models[t / 2][m][0];

			*out++ = (struct result){tasks[t], models[t / 2][m][1], count_right(t, m),
						 RESULTS_ROWS};
			if (t < 2)
				vlmeval(root, t, tasks[t], m, model);
			else if (t < 6)
				samples(root, t, tasks[t], m, model, t < 4);
			else
				opencompass(root, t, tasks[t], m, model);
		}
}

void results_import(const char *root, const char *project, const char *dataset)
{
	char *results = xasprintf("%s/results", root);
	struct import_job job = {.project = project, .dataset = str_z(dataset),
				 .paths = (const char *const[]){results}, .n_paths = 1};
	struct err err = ERR_INIT;
	uint64_t problems;

	if (import_run(&job, &problems, &err) != OK)
		fail_msg("%s", err.msg);
	free(results);
}
