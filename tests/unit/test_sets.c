/* Several datasets and tasks in one import: which file goes where, and what comes of it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "core/reader/naming.h"
#include "core/reader/sets.h"
#include "db/plan.h"
#include "tests/unit/lib_results.h"
#include "tests/unit/lib_store.h"

/* --- by paths and keys alone --- */

struct sets_case {
	const char *files[4], *others[3]; /* a .tsv is called after its benchmark */
	const char *keys[4]; /* a key of each file */
	const char *preset;  /* of all files; NULL: none */
	const char *want;    /* the set of each file; then their names, of several */
};

static const struct sets_case sets_cases[] = {
    {{"r/a/items.jsonl", "r/b/items.jsonl"}, {NULL}, {"x", "y"}, NULL, "0 1 a b"},
    {{"r/a/train/items.jsonl", "r/a/val/items.jsonl", "r/b/annotations/b.json"}, {NULL}, {"x", "y", "z"}, NULL,
     "0 0 1 a b"},
    {{"r/train/x.jsonl", "r/val/x.jsonl"}, {NULL}, {"x", "y"}, NULL, "0 0"},
    {{"r/items.jsonl", "r/more/items.jsonl"}, {NULL}, {"x", "y"}, NULL, "0 0"},
    {{"r/a/items.jsonl", "r/b/items.jsonl"}, {NULL}, {"same.jpg", "same.jpg"}, NULL, "0 0"},
    {{"r/a/items.jsonl", "r/b/items.jsonl"}, {NULL}, {"12", "12"}, NULL, "0 1 a b"},
    {{"r/emoset.jsonl", "r/fi.jsonl"}, {"r/gpt-4o_emoset.jsonl", "r/gpt-4o_fi.jsonl"}, {"x", "y"}, NULL,
     "0 1 emoset fi"},
    {{"r/emoset.jsonl", "r/fi.jsonl"}, {"r/gpt-4o_emoset.jsonl", "r/llava.jsonl"}, {"x", "y"}, NULL, "0 0"},
    {{"r/one/emo/i.jsonl", "r/two/emo/i.jsonl"}, {NULL}, {"x", "y"}, NULL, "0 1 one-emo two-emo"},
    {{"i.jsonl", "a/i.jsonl"}, {NULL}, {"x", "y"}, NULL, "0 0"},
    {{"r/ER-Lab/q.json", "r/SA/q.json"}, {NULL}, {"x", "y"}, "mme", "0 0"},
    {{"r/a/i.jsonl", "r/m/x/i.jsonl", "r/m/y/i.jsonl"}, {NULL}, {"1", "k.jpg", "k.jpg"}, NULL,
     "0 1 1 a m"},
    {{"r/MMB.tsv", "r/POPE.tsv"}, {NULL}, {"1", "1"}, NULL, "0 1 MMB POPE"},
    {{"r/train.tsv", "r/val.tsv"}, {NULL}, {"1", "2"}, NULL, "0 0"},
};

static void sets(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof sets_cases / sizeof *sets_cases; k++) {
		const struct sets_case *c = &sets_cases[k];
		struct set_file files[4] = {0};
		struct str keys[4], others[3], *names;
		struct arena arena = ARENA_INIT;
		struct buf got = BUF_INIT;
		size_t n = 0, n_others = 0;
		uint32_t n_sets;

		for (; n < 4 && c->files[n]; n++) {
			keys[n] = str_z(c->keys[n]);
			files[n] = (struct set_file){str_z(c->files[n]), &keys[n], 1, str_z(c->preset), 9,
						    str_ends(str_z(c->files[n]), STR(".tsv"))};
		}
		for (; n_others < 3 && c->others[n_others]; n_others++)
			others[n_others] = str_z(c->others[n_others]);
		n_sets = sets_by_paths(files, n, others, n_others, &names, &arena);
		for (size_t i = 0; i < n; i++)
			buf_printf(&got, "%s%u", i ? " " : "", files[i].set);
		for (uint32_t i = 0; n_sets > 1 && i < n_sets; i++)
			buf_printf(&got, " %.*s", STR_ARG(names[i]));
		if (strcmp(buf_cstr(&got), c->want) != 0)
			fail_msg("case %zu: %s, not %s", k, buf_cstr(&got), c->want);
		buf_release(&got);
		arena_release(&arena);
	}
}

static void mentions(void **state)
{
	(void)state;
	assert_int_equal(sets_mention(STR("r/FI/gpt.jsonl"), STR("fi")), 3);
	assert_int_equal(sets_mention(STR("r/fine/gpt_fi.jsonl"), STR("fi")), 12);
	assert_int_equal(sets_mention(STR("r/fine/gpt.jsonl"), STR("fi")), 0);
	assert_int_equal(sets_common(STR("r/a/b"), STR("r/a")), 2);
	assert_int_equal(sets_common(STR("r/ab"), STR("r/a")), 1);
	assert_int_equal(sets_common(STR("x"), STR("r/a")), 0);
}

/* --- names that hold a task --- */

static void judges(void **state)
{
	static const char *const cases[][2] = {
	    {"MMB_DEV_openai_result", "MMB_DEV"}, {"MMB_gpt-4-0125_result", "MMB"},
	    {"MMB_exact_matching_result", "MMB"}, {"POPE_auxmatch", "POPE"},
	    {"MMB_result", "MMB"}, {"MMB_gpt4", "MMB_gpt4"}, {"gpt4_MMB_result", "gpt4_MMB"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct str got = naming_without_judge(str_z(cases[i][0]));

		if (!str_eqz(got, cases[i][1]))
			fail_msg("%s: %.*s", cases[i][0], STR_ARG(got));
	}
}

static void flat_names(void **state)
{
	static const struct { const char *stems[5], *tasks[5]; } cases[] = {
	    {{"GPT4o_MMB_DEV", "GPT4o_POPE", "Qwen_2_MMB_DEV", "Qwen_2_POPE"},
	     {"MMB_DEV", "POPE", "MMB_DEV", "POPE"}},
	    {{"a_T", "b_T", "c_T"}, {"T", "T", "T"}},
	    {{"a_T", "a_U"}, {"", ""}}, /* two models called T and U, or two tasks? */
	    {{"GPT4o_MMB"}, {""}},
	    {{"x", "_y", "z_"}, {"", "", ""}},
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct str stems[5], tasks[5];
		size_t n = 0;

		for (; n < 5 && cases[k].stems[n]; n++)
			stems[n] = str_z(cases[k].stems[n]);
		naming_tasks(stems, n, tasks);
		for (size_t i = 0; i < n; i++)
			if (!str_eqz(tasks[i], cases[k].tasks[i]))
				fail_msg("%s: %.*s", cases[k].stems[i], STR_ARG(tasks[i]));
	}
}

/* The number of a file is that of the questions in it. */
static void flat_names_by_what_is_asked(void **state)
{
	static const struct { const char *stems[4], *tasks[4]; uint32_t asks[4]; } cases[] = {
	    {{"a_T", "a_U"}, {"T", "U"}, {0, 1}},
	    {{"a_T", "a_U"}, {"", ""}, {0, 0}}, /* one task, two models */
	    {{"llava_7b_MMBench_DEV_EN", "llava_7b_MMBench_TEST_EN"}, {"MMBench_DEV_EN", "MMBench_TEST_EN"}, {0, 1}},
	    {{"GPT4o_POPE"}, {"POPE"}, {0}},
	    {{"GPT4o_popes"}, {""}, {0}},
	    {{"GPT4o_faces", "GPT4o_scenes", "Qwen_2_faces"}, {"faces", "scenes", "faces"}, {0, 1, 0}},
	    {{"gpt_faces", "qwen_scenes"}, {"faces", "scenes"}, {0, 1}},
	    {{"gpt", "qwen"}, {"gpt", "qwen"}, {0, 1}},
	    {{"a_x_DEV", "b_y_DEV"}, {"x_DEV", "y_DEV"}, {0, 1}}, /* the same end is not the same task */
	    {{"a_x", "b_x", "c_x", "d_x"}, {"x", "x", "c_x", "c_x"}, {0, 0, 1, 1}},
	    {{"a_T", "b_T", "a_U", "b_U"}, {"T", "T", "U", "U"}, {0, 0, 1, 1}},
	    {{"x_T", "T", "y_V", "z"}, {"T", "T", "V", "z"}, {0, 0, 1, 2}},
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct str stems[4], tasks[4];
		size_t n = 0;

		for (; n < 4 && cases[k].stems[n]; n++)
			stems[n] = str_z(cases[k].stems[n]);
		naming_tasks_asked(stems, cases[k].asks, n, tasks);
		for (size_t i = 0; i < n; i++)
			if (!str_eqz(tasks[i], cases[k].tasks[i]))
				fail_msg("case %zu, %s: %.*s", k, cases[k].stems[i], STR_ARG(tasks[i]));
	}
}

static void names_in_datasets(void **state)
{
	static const struct { const char *paths[3], *names[3]; } cases[] = {
	    {{"p/gpt-4o_emo_cw.jsonl", "p/gpt-4o_emo_ow.jsonl", "p/llava_emo_ow.jsonl"},
	     {"gpt-4o/cw", "gpt-4o/ow", "llava/ow"}},
	    {{"p/gpt-4_vision_.csv", "p/llava_emo.csv"}, {"gpt-4_vision", "llava"}},
	    {{"p/gpt-4o/emo.jsonl"}, {"gpt-4o"}},
	    {{"p/gpt-4o/emo.jsonl", "p/llava/emo.jsonl"}, {"gpt-4o", "llava"}},
	    {{"emo/gpt-4o.jsonl", "emo/llava.jsonl"}, {"gpt-4o", "llava"}},
	    {{"p/EMO-gpt.jsonl"}, {"gpt"}}, {{"p/emotive.jsonl"}, {"emotive"}},
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct naming names[3] = {0};
		struct arena arena = ARENA_INIT;
		size_t n = 0;

		for (; n < 3 && cases[k].paths[n]; n++)
			names[n].path = str_z(cases[k].paths[n]);
		naming_in_dataset(names, n, STR("emo"), &arena);
		for (size_t i = 0; i < n; i++) {
			char got[100];

			snprintf(got, sizeof got, "%.*s%s%.*s", STR_ARG(names[i].model),
				 names[i].protocol.n ? "/" : "", STR_ARG(names[i].protocol));
			assert_string_equal(got, cases[k].names[i]);
		}
		arena_release(&arena);
	}
}

static void protocols_by_paths(void **state)
{
	static const struct { const char *model, *paths[3], *protocols[3]; } cases[] = {
	    {"gpt", {"p/gpt_cot/a.json", "p/gpt_direct/a.json"}, {"cot", "direct"}},
	    {"gpt", {"p/gpt-cw.json", "p/gpt-ow.json"}, {"cw", "ow"}},
	    {"gpt", {"p/emo_cot.json", "p/emo_direct.json"}, {"cot", "direct"}},
	    {"gpt", {"hot/cw/a.json", "cold/ow/a.json"}, {"cw", "ow"}},
	    {"gpt", {"p/run1/a.json", "p/run2/a.json", "p/2026-01-01/a.json"}, {"", "", ""}},
	    {"gpt", {"p/gpt_cot/a.json"}, {""}},
	};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
		struct naming names[3] = {0};
		struct arena arena = ARENA_INIT;
		size_t n = 0;

		for (; n < 3 && cases[k].paths[n]; n++)
			names[n] = (struct naming){.path = str_z(cases[k].paths[n]),
						   .model = str_z(cases[k].model)};
		naming_protocols(names, n, STR("emo"), &arena);
		for (size_t i = 0; i < n; i++)
			if (!str_eqz(names[i].protocol, cases[k].protocols[i]))
				fail_msg("%s: %.*s", cases[k].paths[i], STR_ARG(names[i].protocol));
		arena_release(&arena);
	}
}

/* --- by importing --- */

struct bench {
	char *root, *project, *folder;
	const char *paths[1];
	struct buf left; /* "name: why" of what the plan leaves out */
	struct import_job job;
};

static bool planned(void *ctx, const struct import_plan *plan)
{
	struct buf *left = ctx;

	buf_clear(left);
	for (size_t i = 0; i < plan->left.n; i++) {
		buf_str(left, path_base(str_z(plan->left.v[i].path)));
		buf_printf(left, ": %s\n", plan->left.v[i].why);
	}
	return true;
}

static void bench_init(struct bench *b)
{
	*b = (struct bench){.root = project_folder()};
	b->project = project_file(b->root, "p.qualm");
	b->folder = project_file(b->root, "results");
	b->paths[0] = b->folder;
	b->job = (struct import_job){.project = b->project, .paths = b->paths, .n_paths = 1,
				     .planned = planned, .ctx = &b->left};
}

static void bench_release(struct bench *b)
{
	buf_release(&b->left);
	free(b->project);
	free(b->folder);
	project_remove(b->root);
}

static void put(const char *root, const char *name, const char *text)
{
	results_put(root, name, str_z(text));
}

/* All paths, into a project of this name. */
static void import_results(struct bench *b, const char *project, const char *dataset)
{
	struct err err = ERR_INIT;
	uint64_t problems;

	free(b->project);
	b->project = project_file(b->root, project);
	b->job.project = b->project;
	b->job.dataset = str_z(dataset);
	if (import_run(&b->job, &problems, &err) != OK)
		fail_msg("%s", err.msg);
	assert_int_equal(problems, 0);
}

static struct tally tally_of(const struct snapshot *s, const char *handle, const uint8_t *within)
{
	struct lens lens = lens_preset(s, s->preset);
	uint8_t *verdict = xcalloc((size_t)s->n + 1, 1);
	struct tally t = {0};

	for (uint32_t r = 0; r < s->n_runs; r++)
		if (strcmp(s->runs[r].handle, handle) == 0) {
			eval_verdicts(s, &lens, (int)r, verdict);
			t = eval_tally(s, (int)r, verdict, within);
		}
	free(verdict);
	return t;
}

/* Four tools, three models and two tasks each, all of whose questions begin with number 0. */
static void tasks(void **state)
{
	struct result want[RESULTS_TASKS * RESULTS_MODELS];
	struct bench b;
	struct conn *c;
	char *first, *again;

	(void)state;
	bench_init(&b);
	results_make(b.folder, want);
	import_results(&b, "p.qualm", NULL);
	assert_non_null(strstr(buf_cstr(&b.left), "results.json: an object of names"));
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), RESULTS_TASKS);
	for (size_t i = 0; i < RESULTS_TASKS * RESULTS_MODELS; i++) {
		struct snapshot *s = must_load(c, want[i].task);
		uint8_t *all = xcalloc(s->n + 1, 1);
		struct tally t;

		memset(all, 1, s->n);
		assert_int_equal(s->n, RESULTS_ROWS);
		assert_int_equal(s->n_runs, RESULTS_MODELS);
		t = tally_of(s, want[i].handle, all);
		if (t.right != want[i].right || t.n != want[i].n)
			fail_msg("%s, %s: %u of %u, not %u of %u", want[i].task, want[i].handle, t.right, t.n,
				 want[i].right, want[i].n);
		free(all);
		snapshot_free(s);
	}
	assert_int_equal(project_int(c, "SELECT sum(json_extract(report, '$.joined.exactly')) FROM import"),
			 2 * 2 * RESULTS_ROWS); /* VLMEvalKit's numbers are names */
	assert_int_equal(project_int(c,
		"SELECT sum(json_extract(report, '$.joined.\"by position\"')) FROM import"),
			 6 * 2 * RESULTS_ROWS);
	first = dump_project(c);
	conn_close(c);
	import_results(&b, "p.qualm", NULL);
	c = project_open(b.project, CONN_READ);
	again = dump_project(c);
	assert_string_equal(first, again);
	conn_close(c);
	free(first);
	free(again);
	bench_release(&b);
}

/* The same in one dataset, by the command's word: keys are kept apart, today and tomorrow. */
static void tasks_in_one(void **state)
{
	struct result want[RESULTS_TASKS * RESULTS_MODELS];
	struct bench b;
	struct snapshot *s;
	struct conn *c;
	char *first, *again;

	(void)state;
	bench_init(&b);
	results_make(b.folder, want);
	import_results(&b, "p.qualm", "all");
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), RESULTS_TASKS * RESULTS_ROWS);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE key = 'siqa:0'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM facet WHERE name = 'task'"), 1);
	s = must_load(c, "all");
	for (size_t i = 0; i < RESULTS_TASKS * RESULTS_MODELS; i++) { /* a tool's models: two tasks each */
		uint8_t *of_tool = xcalloc(s->n + 1, 1);
		size_t other = i / RESULTS_MODELS % 2 ? i - RESULTS_MODELS : i + RESULTS_MODELS;
		struct tally t;

		memset(of_tool, 1, s->n);
		t = tally_of(s, want[i].handle, of_tool);
		assert_int_equal(t.right, want[i].right + want[other].right);
		assert_int_equal(t.n, 2 * RESULTS_ROWS);
		free(of_tool);
	}
	snapshot_free(s);
	first = dump_project(c);
	conn_close(c);
	import_results(&b, "p.qualm", "all");
	c = project_open(b.project, CONN_READ);
	again = dump_project(c);
	assert_string_equal(first, again);
	conn_close(c);
	free(first);
	free(again);
	bench_release(&b);
}

/* Tasks whose names make one dataset's name are kept apart in it. */
static void tasks_of_one_name(void **state)
{
	static const char row[] = "{\"doc_id\":0,\"target\":\"B\",\"resps\":[[\"B\"]],\"filtered_resps\":[\"B\"]}\n";
	struct bench b;
	struct conn *c;

	(void)state;
	bench_init(&b);
	put(b.folder, "m/samples_a b_2025-01-01T12-00-00.1.jsonl", row);
	put(b.folder, "m/samples_a,b_2025-01-01T12-00-00.1.jsonl", row);
	import_results(&b, "p.qualm", NULL);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE name = 'a-b'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE key IN ('a b:0', 'a,b:0')"), 2);
	conn_close(c);
	bench_release(&b);
}

static char *file_of(const struct bench *b, const char *name)
{
	return xasprintf("%s/%s", b->folder, name);
}

/* One task today, the next one tomorrow: it makes a dataset of its own; a further model of the first
 * one goes to the first. A single task joins samples that are there already, when it has their keys. */
static void tasks_by_and_by(void **state)
{
	struct result want[RESULTS_TASKS * RESULTS_MODELS];
	static const char *const files[] = {"oc/20250101_120000/predictions/internlm2-7b/siqa.json",
					    "lmms/o__I/20250101_120000_samples_ferplus.jsonl",
					    "oc/20250101_120000/predictions/llama3-8b/siqa.json"};
	struct bench b;
	struct conn *c;

	(void)state;
	bench_init(&b);
	results_make(b.folder, want);
	for (size_t i = 0; i < 3; i++) {
		char *path = file_of(&b, files[i]);

		b.paths[0] = path;
		import_results(&b, "p.qualm", NULL);
		free(path);
	}
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run r JOIN dataset d ON d.id = r.dataset "
					"WHERE d.name = 'siqa'"), 2);
	conn_close(c);
	put(b.root, "mine/items.jsonl", "{\"id\":0,\"label\":\"A\"}\n{\"id\":1,\"label\":\"B\"}\n");
	put(b.root, "mine/samples_t_2025-01-01T12-00-00.1.jsonl",
	    "{\"doc_id\":1,\"target\":\"B\",\"resps\":[[\"B\"]],\"filtered_resps\":[\"B\"]}\n");
	b.paths[0] = project_file(b.root, "mine");
	import_results(&b, "q.qualm", NULL);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c,
		"SELECT count(*) FROM dataset WHERE name = 'mine' AND n_samples = 2"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 1);
	conn_close(c);
	free((char *)b.paths[0]);
	bench_release(&b);
}

/* Datasets with lists of samples side by side, and answers to each of them in one folder. */
static void datasets(void **state)
{
	struct bench b;
	struct err err = ERR_INIT;
	struct conn *c;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	put(b.folder, "fi/train/items.jsonl", "{\"id\":\"f1\",\"label\":\"joy\"}\n");
	put(b.folder, "fi/val/items.jsonl", "{\"id\":\"f2\",\"label\":\"awe\"}\n");
	put(b.folder, "fi/classes.txt", "joy\nawe\n");
	put(b.folder, "emo/items.jsonl",
		"{\"id\":\"1\",\"label\":\"joy\"}\n{\"id\":\"2\",\"label\":\"fear\"}\n");
	put(b.folder, "preds/gpt-4o/fi.jsonl", "{\"id\":\"f2\",\"prediction\":\"joy\"}\n");
	put(b.folder, "preds/gpt-4o/emo.jsonl", "{\"id\":2,\"prediction\":\"joy\"}\n");
	put(b.folder, "preds/llava/a.jsonl", "{\"id\":\"f1\",\"prediction\":\"joy\"}\n");
	put(b.folder, "preds/llava/nobody.jsonl", "{\"id\":\"zzz\",\"prediction\":\"joy\"}\n");
	assert_int_equal(import_run(&b.job, &problems, &err), OK);
	assert_int_equal(problems, 1);
	assert_non_null(strstr(buf_cstr(&b.left), "nobody.jsonl: it cannot be told which dataset it is of; "
						  "--dataset names one of "));
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE name IN ('fi', 'emo') "
					"AND n_samples = 2"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run r JOIN dataset d ON d.id = r.dataset "
					"WHERE r.n = 1 "
					"AND d.name = 'fi'"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run r JOIN dataset d ON d.id = r.dataset "
					"WHERE r.n = 1 "
					"AND d.name = 'emo' AND r.handle LIKE 'gpt-4o%'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM class c JOIN dataset d ON d.id = c.dataset "
					"WHERE c.declared AND d.name = 'fi'"), 2);
	conn_close(c);
	bench_release(&b);
}

/* What a model said and what a judge made of it, in folders or beside each other: one run, in which
 * the judge found what had not been found. */
static void judged(void **state)
{
	static const char said[] = "index\tquestion\tanswer\tcategory\tprediction\n"
				   "1\tA dog?\tNo\tx\tno\n2\tA cat?\tYes\tx\tI see one there.\n";
	static const char found[] =
	    "index\tquestion\tanswer\tcategory\tprediction\textracted\tscore\n"
	    "1\tA dog?\tNo\tx\tno\tNo\t0\n2\tA cat?\tYes\tx\tI see one there.\tYes\t1\n";
	static const char *const files[2][4] = {
	    {"m1/T1/m1_POPE.tsv", "m1/T1/m1_POPE_auxmatch.tsv", "m2/T1/m2_POPE.tsv",
	     "m2/T1/m2_POPE_auxmatch.tsv"},
	    {"m1_POPE.tsv", "m1_POPE_auxmatch.tsv", "m2_POPE.tsv", "m2_POPE_auxmatch.tsv"},
	};

	(void)state;
	for (int flat = 0; flat < 2; flat++) {
		struct bench b;
		struct snapshot *s;
		struct conn *c;

		bench_init(&b);
		for (int i = 0; i < 4; i++)
			put(b.folder, files[flat][i], i % 2 ? found : said);
		import_results(&b, "p.qualm", NULL);
		c = project_open(b.project, CONN_READ);
		s = must_load(c, "POPE");
		assert_int_equal(s->n_runs, 2);
		assert_string_equal(s->runs[0].handle, "m1");
		assert_string_equal(answered(c, s, "m1", "1"), "No");
		assert_string_equal(answered(c, s, "m2", "2"), "Yes");
		snapshot_free(s);
		conn_close(c);
		bench_release(&b);
	}
}

/* The model is a field, the protocol a folder; what shares no samples is one run in parts. */
static void models_by_field(void **state)
{
#define BY(model, id, label) "{\"id\":\"" id "\",\"model\":\"" model "\",\"prediction\":\"" label "\"}\n"
	struct bench b;
	struct conn *c;

	(void)state;
	bench_init(&b);
	put(b.folder, "items.jsonl", "{\"id\":\"a\",\"label\":\"joy\"}\n{\"id\":\"b\",\"label\":\"fear\"}\n");
	put(b.folder, "cot/m1.jsonl", BY("m1", "a", "joy") BY("m1", "b", "joy"));
	put(b.folder, "direct/m1.jsonl", BY("m1", "a", "fear") BY("m1", "b", "fear"));
	put(b.folder, "cot/m2.jsonl", BY("m2", "b", "fear"));
	put(b.folder, "cot/m3-joy.jsonl", BY("m3", "a", "joy"));
	put(b.folder, "cot/m3-fear.jsonl", BY("m3", "b", "fear"));
	for (int twice = 0; twice < 2; twice++) {
		import_results(&b, "p.qualm", NULL);
		c = project_open(b.project, CONN_READ);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run"), 4);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE n = 2 AND handle IN "
						"('m1/cot', 'm1/direct', 'm3')"), 3);
		assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE protocol = 'direct'"), 1);
		conn_close(c);
	}
	bench_release(&b);
#undef BY
}

#define VLM(what, a, b)                                                                            \
	"index\tquestion\tA\tB\tanswer\tcategory\tprediction\n"                                   \
	"1\t" what "\tjoy\tfear\tA\tx\t" a "\n2\t" what "\tjoy\t" b "\tB\tx\t" b "\n"

/* Files of one model, out of their folders, whose tasks all begin with question 1. */
static void tasks_of_one_model(void **state)
{
	static const char *const names[] = {"gpt_4_faces.tsv", "gpt_4_scenes.tsv", "gpt_4_voices.tsv"};
	struct bench b;
	struct conn *c;

	(void)state;
	bench_init(&b);
	put(b.folder, names[0], VLM("Which?", "A", "fear"));
	put(b.folder, names[1], VLM("Which?", "B", "anger")); /* the same question, other options */
	put(b.folder, names[2], VLM("Who?", "A", "fear"));
	import_results(&b, "p.qualm", NULL);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE name IN ('faces', 'scenes', 'voices')"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE handle = 'gpt_4/mc' AND n = 2"), 3);
	conn_close(c);
	import_results(&b, "q.qualm", "all");
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE key IN ('faces:1', 'scenes:2', 'voices:1')"), 3);
	conn_close(c);
	for (size_t i = 0; i < 3; i++) { /* one by one: what a file asks is not what the dataset asks */
		char *path = xasprintf("%s/%s", b.folder, names[i]);

		b.paths[0] = path;
		import_results(&b, "r.qualm", NULL);
		free(path);
	}
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 6);
	conn_close(c);
	bench_release(&b);
}

#define BENCH(what)                                                                                 \
	"index\timage\tquestion\tA\tB\tanswer\tcategory\n1\t\t" what "\tjoy\tfear\tA\tx\n"     \
	"2\t\t" what "\tjoy\tfear\tB\tx\n"

static int64_t answers_in(const struct bench *b, const char *dataset)
{
	struct conn *c = project_open(b->project, CONN_READ);
	char *sql = xasprintf("SELECT count(*) * 100 + (SELECT n_samples FROM dataset WHERE name = '%s') "
			      "FROM run r JOIN dataset d ON d.id = r.dataset WHERE d.name = '%s'",
			      dataset, dataset);
	int64_t n = project_int(c, sql);

	free(sql);
	conn_close(c);
	return n;
}

/* Benchmarks all number their questions from 1: answers go to the one that the task is called after,
 * and neither they nor other benchmarks to one that asks other things. */
static void tasks_and_benchmarks(void **state)
{
	static const char *const files[] = {"lmu/MMB.tsv", "m/T1/m_SEED.tsv", "lmu/SEED.tsv", "m"};
	struct bench b;

	(void)state;
	bench_init(&b);
	put(b.folder, "lmu/MMB.tsv", BENCH("Which?"));
	put(b.folder, "m/T1/m_MMB.tsv", VLM("Which?", "A", "fear"));
	put(b.folder, "m/T1/m_SEED.tsv", VLM("Who?", "A", "fear"));
	import_results(&b, "p.qualm", NULL);
	assert_int_equal(answers_in(&b, "results"), 102);
	assert_int_equal(answers_in(&b, "SEED"), 102);
	put(b.folder, "lmu/SEED.tsv", BENCH("Who?"));
	import_results(&b, "q.qualm", NULL);
	assert_int_equal(answers_in(&b, "MMB"), 102);
	assert_int_equal(answers_in(&b, "SEED"), 102);
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) { /* one by one */
		char *path = file_of(&b, files[i]);

		b.paths[0] = path;
		import_results(&b, "r.qualm", NULL);
		free(path);
	}
	assert_int_equal(answers_in(&b, "lmu"), 102);
	assert_int_equal(answers_in(&b, "SEED"), 102);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(sets),	    cmocka_unit_test(mentions),
	    cmocka_unit_test(tasks),	    cmocka_unit_test(tasks_in_one),
	    cmocka_unit_test(tasks_by_and_by), cmocka_unit_test(datasets),
	    cmocka_unit_test(judges),	    cmocka_unit_test(flat_names),
	    cmocka_unit_test(names_in_datasets), cmocka_unit_test(judged),
	    cmocka_unit_test(tasks_of_one_name), cmocka_unit_test(protocols_by_paths),
	    cmocka_unit_test(models_by_field), cmocka_unit_test(flat_names_by_what_is_asked),
	    cmocka_unit_test(tasks_of_one_model), cmocka_unit_test(tasks_and_benchmarks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
