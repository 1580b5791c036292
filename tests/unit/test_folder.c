/* Whole folders: the walk, who answered by the paths, the plan, and the import of one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"
#include "core/reader/folder.h"
#include "core/reader/naming.h"
#include "db/plan.h"
#include "tests/unit/lib_store.h"

/* --- a folder of files --- */

static void put(const char *root, const char *name, const char *text)
{
	char *path = project_file(root, name);
	struct str dir = path_dir(str_z(path));
	char *folder = xstrndup(dir.p, dir.n);
	struct err err = ERR_INIT;
	FILE *f;

	assert_int_equal(path_mkdirs(folder, &err), OK);
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
	free(folder);
	free(path);
}

static void link_to(const char *root, const char *name, const char *target)
{
	char *path = project_file(root, name);

	assert_int_equal(symlink(target, path), 0);
	free(path);
}

/* "path" or "path: why" a line, paths below root. */
static char *walked(const char *root, struct folder *f)
{
	struct err err = ERR_INIT;
	struct buf out = BUF_INIT;

	*f = (struct folder){0};
	if (folder_walk(f, root, NULL, &err) != OK)
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < f->files.n; i++) {
		const struct folder_file *file = &f->files.v[i];

		assert_int_equal(strncmp(file->path, root, strlen(root)), 0);
		buf_printf(&out, "%s%s%s\n", file->path + strlen(root) + 1, file->why ? ": " : "",
			   file->why ? file->why : "");
	}
	return out.p ? out.p : xstrdup("");
}

/* Loops, links to nothing and to folders, second names, hidden files, pictures. */
static void walks(void **state)
{
	char *root = project_folder(), *text;
	struct folder f;

	(void)state;
	put(root, "b.jsonl", "x");
	put(root, "a/z.jsonl", "x");
	put(root, "a-b.jsonl", "x");
	put(root, "a/c/d.JPG", "x");
	put(root, "a/c/e.wav", "x");
	put(root, ".git/config", "x");
	put(root, ".hidden", "x");
	put(root, "empty.json", "");
	link_to(root, "a/loop", "..");
	link_to(root, "a/self", "self");
	link_to(root, "gone", "nowhere");
	link_to(root, "A-link.jsonl", "b.jsonl");
	text = walked(root, &f);
	assert_string_equal(text, "A-link.jsonl: another name of a file that is read already\n"
				  "a/loop: a link to a folder\n"
				  "a/self: a link to nothing\n"
				  "a/z.jsonl\n"
				  "a-b.jsonl\n"
				  "b.jsonl\n"
				  "empty.json: it is empty\n"
				  "gone: a link to nothing\n");
	assert_int_equal(f.media, 2);
	assert_int_equal(f.hidden, 2);
	assert_string_equal(buf_cstr(&f.pictures), "a/c/d.JPG\n");
	free(text);
	folder_release(&f);
	project_remove(root);
}

/* As somebody who owns nothing of it, when the test runs as root. */
static void unreadable(void **state)
{
	char *root = project_folder(), *text, *path = project_file(root, "secret.jsonl");
	char *closed = project_file(root, "closed");
	bool is_root = geteuid() == 0;
	struct folder f;

	(void)state;
	put(root, "open.jsonl", "x");
	put(root, "secret.jsonl", "x");
	put(root, "closed/x.jsonl", "x");
	assert_int_equal(chmod(path, 0), 0);
	assert_int_equal(chmod(closed, 0), 0);
	assert_int_equal(chmod(root, 0755), 0);
	if (is_root)
		assert_int_equal(seteuid(65534), 0);
	text = walked(root, &f);
	if (is_root)
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(closed, 0700), 0);
	assert_string_equal(text, "closed: Permission denied\n"
				  "open.jsonl\n"
				  "secret.jsonl: Permission denied\n");
	assert_true(f.files.v[0].unreadable && f.files.v[2].unreadable);
	free(text);
	folder_release(&f);
	free(path);
	free(closed);
	project_remove(root);
}

static void deep(void **state)
{
	char *root = project_folder();
	struct buf name = BUF_INIT;
	struct folder f;
	char *text;

	(void)state;
	for (int i = 0; i < FOLDER_DEPTH_MAX + 2; i++)
		buf_z(&name, "d/");
	buf_z(&name, "x.jsonl");
	put(root, buf_cstr(&name), "x");
	text = walked(root, &f);
	assert_int_equal(f.files.n, 1);
	assert_non_null(strstr(text, "too many folders in folders"));
	free(text);
	folder_release(&f);
	buf_release(&name);
	project_remove(root);
}

/* --- who answered --- */

struct naming_case {
	const char *paths[4], *names[4]; /* "model" or "model/protocol" */
};

static const struct naming_case naming_cases[] = {
    {{"gpt-4o.jsonl"}, {"gpt-4o"}},
    {{"results/predictions_gpt-4o_cw.jsonl"}, {"gpt-4o/cw"}},
    {{"gpt-4o/cw/preds.jsonl"}, {"gpt-4o/cw"}},
    {{"r/gpt-4o/preds.jsonl", "r/llava/preds.jsonl"}, {"gpt-4o", "llava"}},
    {{"r/gpt-4o/cw/preds.jsonl", "r/gpt-4o/ow/preds.jsonl", "r/llava/cw/preds.jsonl"},
     {"gpt-4o/cw", "gpt-4o/ow", "llava/cw"}},
    {{"gpt-4o/cw/p.jsonl", "gpt-4o/ow/p.jsonl"}, {"gpt-4o/cw", "gpt-4o/ow"}},
    {{"cw/gpt-4o.jsonl", "ow/gpt-4o.jsonl", "ow/llava.jsonl"},
     {"gpt-4o/cw", "gpt-4o/ow", "llava/ow"}},
    {{"r/gpt-4o/hot.json", "r/gpt-4o/cold.json", "r/llava/hot.json"},
     {"gpt-4o/hot", "gpt-4o/cold", "llava/hot"}},
    {{"r/gpt-4o/part-0.jsonl", "r/gpt-4o/part-1.jsonl"}, {"gpt-4o", "gpt-4o"}},
    {{"r/m1/bench_0.json", "r/m1/bench_1.json", "r/m2/bench_0.json"}, {"m1", "m1", "m2"}},
    {{"gpt-4o/2026-11-30/p.json", "gpt-4o/2026-12-01T10:00/p.json"}, {"gpt-4o", "gpt-4o"}},
    {{"gpt-4o/2026-11-30/preds.json", "gpt-4o/2026-12-01/preds.json"}, {"gpt-4o", "gpt-4o"}},
    {{"/data/gpt-4o.csv", "/data/llava-1.5.csv"}, {"gpt-4o", "llava-1.5"}},
    {{"results.json"}, {"model"}},
};

static void names_by_paths(void **state)
{
	(void)state;
	for (size_t k = 0; k < sizeof naming_cases / sizeof *naming_cases; k++) {
		const struct naming_case *c = &naming_cases[k];
		struct naming names[4] = {0};
		struct arena arena = ARENA_INIT;
		size_t n = 0;

		for (; n < 4 && c->paths[n]; n++)
			names[n].path = str_z(c->paths[n]);
		naming_by_paths(names, n, &arena);
		for (size_t i = 0; i < n; i++) {
			char got[200];

			snprintf(got, sizeof got, "%.*s%s%.*s", STR_ARG(names[i].model),
				 names[i].protocol.n ? "/" : "", STR_ARG(names[i].protocol));
			if (strcmp(got, c->names[i]) != 0)
				fail_msg("%s: %s, not %s", c->paths[i], got, c->names[i]);
		}
		arena_release(&arena);
	}
}

/* --- the plan --- */

static const char items[] = "{\"id\":\"a\",\"image\":\"a.png\",\"label\":\"joy\"}\n"
			    "{\"id\":\"b\",\"image\":\"b.png\",\"label\":\"fear\"}\n";
static const char preds[] = "{\"id\":\"a\",\"prediction\":\"joy\"}\n{\"id\":\"b\",\"prediction\":\"joy\"}\n";

static void put_results(const char *root)
{
	put(root, "results/gpt-4o/cw/preds.jsonl", preds);
	put(root, "results/gpt-4o/ow/preds.jsonl", preds);
	put(root, "results/llava/preds_cw.jsonl", preds);
	put(root, "results/items.jsonl", items);
	put(root, "results/classes.txt", "joy\nfear\nanger\n");
	put(root, "results/notes.txt", "try again\nlater\n");
	put(root, "results/config.json", "{\"lr\":0.1}");
	put(root, "results/run.py", "import os\nprint({})\n");
	put(root, "results/log.csv", "epoch,loss\n1,0.5\n");
	put(root, "results/weights.bin", "\x01\x02\x03");
	put(root, "results/broken.jsonl", "{\"id\":\"a\",\"prediction\":\n{{{\n");
	put(root, "results/hollow.csv", "id,prediction\n");
	put(root, "results/a.png", "x");
}

struct told {
	struct buf text;
	size_t files, left;
	bool yes;
	const struct cancel *cancel;
	size_t cancel_at; /* a file's number; SIZE_MAX = never */
};

static bool planned(void *ctx, const struct import_plan *plan)
{
	struct told *t = ctx;

	for (size_t i = 0; i < plan->files.n; i++) {
		const struct plan_file *f = &plan->files.v[i];

		buf_str(&t->text, path_base(str_z(f->path)));
		buf_printf(&t->text, " %s ", f->reader ? f->reader->name : "?");
		plan_runs(f, &t->text);
		buf_ch(&t->text, '\n');
	}
	for (size_t i = 0; i < plan->left.n; i++) {
		buf_str(&t->text, path_base(str_z(plan->left.v[i].path)));
		buf_printf(&t->text, ": %.30s\n", plan->left.v[i].why);
	}
	for (size_t i = 0; i < plan->sets.n; i++)
		buf_printf(&t->text, "%.*s %d\n", STR_ARG(plan->sets.v[i].name), plan->sets.v[i].id == 0);
	return t->yes;
}

static void overall(void *ctx, const struct import_progress *p)
{
	struct told *t = ctx;

	assert_true(p->done <= p->all && p->file < p->n_files);
	if (p->file == t->cancel_at)
		cancel_now((struct cancel *)t->cancel);
}

struct bench {
	char *root, *project, *folder;
	const char *paths[1];
	struct told told;
	struct cancel cancel;
	struct import_job job;
};

static void bench_init(struct bench *b)
{
	*b = (struct bench){.root = project_folder()};
	put_results(b->root);
	b->project = project_file(b->root, "p.qualm");
	b->folder = project_file(b->root, "results/");
	b->paths[0] = b->folder;
	cancel_init(&b->cancel);
	b->told = (struct told){.yes = true, .cancel = &b->cancel, .cancel_at = SIZE_MAX};
	b->job = (struct import_job){.project = b->project, .paths = b->paths, .n_paths = 1,
				     .cancel = &b->cancel, .ctx = &b->told, .planned = planned,
				     .overall = overall};
}

static void bench_release(struct bench *b)
{
	buf_release(&b->told.text);
	cancel_release(&b->cancel);
	free(b->project);
	free(b->folder);
	project_remove(b->root);
}

static enum status run(struct bench *b, uint64_t *problems)
{
	struct err err = ERR_INIT;

	buf_clear(&b->told.text);
	return import_run(&b->job, problems, &err);
}

static const char the_plan[] = "classes.txt classes \n"
			       "items.jsonl generic \n"
			       "preds.jsonl generic gpt-4o/cw\n"
			       "preds.jsonl generic gpt-4o/ow\n"
			       "preds_cw.jsonl generic llava/cw\n"
			       "broken.jsonl: none of the known formats\n"
			       "config.json: no field in it that names samp\n"
			       "hollow.csv: nothing in it that can be used\n"
			       "log.csv: no field in it that names samp\n"
			       "notes.txt: lines of text; if these are cl\n"
			       "run.py: none of the known formats\n"
			       "weights.bin: none of the known formats\n"
			       "results 1\n";

static void plans(void **state)
{
	struct bench b;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	b.told.yes = false;
	assert_int_equal(run(&b, &problems), OK);
	assert_string_equal(buf_cstr(&b.told.text), the_plan);
	assert_int_not_equal(access(b.project, F_OK), 0); /* it was only a plan */
	bench_release(&b);
}

static void imports(void **state)
{
	struct bench b;
	struct conn *c;
	char *first, *second;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	assert_int_equal(run(&b, &problems), OK);
	assert_int_equal(problems, 0);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE handle IN "
					"('gpt-4o/cw','gpt-4o/ow','llava/cw') AND n = 2"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM model"), 2);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE name = 'results'"), 1);
	first = dump_project(c);
	conn_close(c);
	assert_int_equal(run(&b, &problems), OK); /* again: nothing new */
	c = project_open(b.project, CONN_READ);
	second = dump_project(c);
	assert_string_equal(first, second);
	conn_close(c);
	free(first);
	free(second);
	bench_release(&b);
}

/* What was read before the interrupt is in, the rest is not, and going on later fills it up. */
static void interrupted(void **state)
{
	(void)state;
	for (size_t at = 0; at < 5; at++) {
		struct bench b;
		struct conn *c;
		uint64_t problems;

		bench_init(&b);
		b.told.cancel_at = at;
		assert_int_equal(run(&b, &problems), E_CANCELLED);
		cancel_release(&b.cancel);
		cancel_init(&b.cancel);
		b.told.cancel_at = SIZE_MAX;
		if (access(b.project, F_OK) == 0) {
			c = project_open(b.project, CONN_READ);
			assert_int_equal(project_int(c, "SELECT count(*) FROM run"),
					 at > 2 ? (int64_t)at - 2 : 0);
			assert_int_equal(project_int(c, "SELECT count(*) FROM import"), at);
			conn_close(c);
		} else {
			assert_int_equal(at, 0);
		}
		assert_int_equal(run(&b, &problems), OK);
		c = project_open(b.project, CONN_READ);
		assert_int_equal(project_int(c, "SELECT sum(n) FROM run"), 6);
		conn_close(c);
		bench_release(&b);
	}
}

/* A named model is the command's word; nothing readable at all is an error with the first reason. */
static void words(void **state)
{
	struct bench b;
	struct err err = ERR_INIT;
	uint64_t problems;
	char *empty;

	(void)state;
	bench_init(&b);
	b.told.yes = false;
	b.job.options.model = STR("qwen");
	assert_int_equal(run(&b, &problems), OK);
	assert_non_null(strstr(buf_cstr(&b.told.text), "preds_cw.jsonl generic qwen\n"));
	put(b.root, "other/notes.txt", "a\nb\n");
	empty = project_file(b.root, "other");
	b.paths[0] = empty;
	assert_int_equal(import_run(&b.job, &problems, &err), E_FORMAT);
	assert_non_null(strstr(err.msg, "notes.txt"));
	free(empty);
	bench_release(&b);
}

/* --- a folder a class --- */

static void put_tree(const char *root)
{
	put(root, "pics/train/n01440764/a.JPEG", "x");
	put(root, "pics/train/Kit_Fox/b.jpg", "x");
	put(root, "pics/val/kit_fox/b.jpg", "x");
	put(root, "pics/val/kit_fox/odd\nname.jpg", "x");
	put(root, "pics/readme.txt", "a\nb\n");
	put(root, "pics/loose.png", "x");
	put(root, "pics/train/bird/.keep", "x");
	link_to(root, "pics/train/Kit_Fox/loop", "..");
	link_to(root, "pics/train/Kit_Fox/again.jpg", "../n01440764/a.JPEG");
}

/* The folders are classes; a class list beside them gives names and numbers. */
static void pictures_are_samples(void **state)
{
	struct bench b;
	struct conn *c;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	put_tree(b.root);
	put(b.root, "pics/classes.json",
	    "{\"0\": [\"n01440764\", \"tench\"], \"1\": [\"n02119789\", \"kit_fox\"]}");
	put(b.root, "pics/superclasses.json", "{\"fish\": [\"n01440764\"]}");
	free(b.folder);
	b.folder = project_file(b.root, "pics/");
	b.paths[0] = b.folder;
	assert_int_equal(run(&b, &problems), OK);
	if (!str_starts(buf_view(&b.told.text), STR("classes.json classes \nsuperclasses.json clusters \npics folder \n")))
		fail_msg("%s", buf_cstr(&b.told.text));
	assert_non_null(strstr(buf_cstr(&b.told.text), "there is a line end in its nam"));
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 5);
	assert_int_equal(project_int(c, "SELECT count(*) FROM class"), 4);
	assert_int_equal(project_int(c, "SELECT g.idx IS NULL FROM class c JOIN class g ON g.ord = c.parent "
					"WHERE c.name = 'tench' AND g.name = 'fish (group)'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM class WHERE idx = 0 AND name = 'tench'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM class WHERE idx = 2 AND name = 'bird'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE image_root = 'pics'"), 1);
	assert_int_equal(problems, 0);
	conn_close(c);
	bench_release(&b);
}

/* Beside samples, and beside answers, pictures are pictures; --as folder says otherwise. */
static void pictures_beside_samples(void **state)
{
	struct bench b;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	b.told.yes = false;
	put_tree(b.root);
	put(b.root, "pics/items.jsonl", "{\"id\":\"a\",\"label\":\"joy\"}\n");
	free(b.folder);
	b.folder = project_file(b.root, "pics");
	b.paths[0] = b.folder;
	assert_int_equal(run(&b, &problems), OK);
	assert_true(str_starts(buf_view(&b.told.text), STR("items.jsonl generic \n")));
	assert_null(strstr(buf_cstr(&b.told.text), "folder \n"));
	b.job.options.as = STR("folder");
	assert_int_equal(run(&b, &problems), OK);
	assert_true(str_starts(buf_view(&b.told.text), STR("pics folder \n")));
	bench_release(&b);
}

/* Two folders keep their names; the walk tells how far it is, and stops when it is told to. */
static void several_trees(void **state)
{
	const char *paths[2];
	struct bench b;
	struct conn *c;
	uint64_t problems;
	char *train, *val;

	(void)state;
	bench_init(&b);
	put_tree(b.root);
	train = project_file(b.root, "pics/train");
	val = project_file(b.root, "pics/val");
	paths[0] = train;
	paths[1] = val;
	b.job.paths = paths;
	b.job.n_paths = 2;
	assert_int_equal(run(&b, &problems), OK);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample WHERE key = 'val/kit_fox/b.jpg'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 4);
	assert_int_equal(project_int(c, "SELECT count(*) FROM class"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE image_root = 'pics'"), 1);
	conn_close(c);
	cancel_now(&b.cancel);
	assert_int_equal(run(&b, &problems), E_CANCELLED);
	free(train);
	free(val);
	bench_release(&b);
}

/* EIBench: two folders of questions and one of people's scores are one dataset; of EmoSet each emotion
 * has a folder. */
static void parts_of_a_publication(void **state)
{
	struct bench b;
	struct conn *c;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	put(b.root, "eib/EI_Basic/user.jsonl", "{\"a/1.jpg\":\"Why?\"}\n{\"a/2.jpg\":\"Why so?\"}\n");
	put(b.root, "eib/EI_Complex/ec_complex.jsonl",
	    "{\"a/1.jpg\":{\"Why?\":\"1. x\"}}\n{\"a/1.jpg\":{\"How?\":\"1. y\"}}");
	put(b.root, "eib/human_eval/score_1.jsonl", "{\"a/2.jpg\":\"5\"}\n");
	free(b.folder);
	b.folder = project_file(b.root, "eib");
	b.paths[0] = b.folder;
	assert_int_equal(run(&b, &problems), OK);
	assert_int_equal(problems, 0);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE name = 'eib'"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 4);
	assert_int_equal(project_int(c, "SELECT count(*) FROM facet WHERE name = 'score_1'"), 1);
	conn_close(c);
	assert_int_equal(unlink(b.project), 0);
	put(b.root, "emo/annotation/awe/awe_1.json",
	    "{\"image_id\":\"awe_1\",\"emotion\":\"awe\",\"brightness\":0.5}");
	put(b.root, "emo/annotation/fear/fear_1.json",
	    "{\"image_id\":\"fear_1\",\"emotion\":\"fear\",\"brightness\":0.5}");
	free(b.folder);
	b.folder = project_file(b.root, "emo/annotation");
	b.paths[0] = b.folder;
	assert_int_equal(run(&b, &problems), OK);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset"), 1);
	assert_int_equal(project_int(c, "SELECT count(*) FROM sample"), 2);
	conn_close(c);
	bench_release(&b);
}

#define RECORD(truth, info) "{\"1\":{\"image_path\":\"../benchmarks/1.jpg\",\"prompt\":\"p\",\"ground_truth\":\"" truth \
	"\",\"other_info\":{" info "},\"generations\":[\"" truth "\"]}}"

/* MVEI_PLUS: a model's folder has results of several benchmarks, with the same keys. */
static void benchmarks_by_their_names(void **state)
{
	struct bench b;
	struct conn *c;
	uint64_t problems;

	(void)state;
	bench_init(&b);
	put(b.root, "base/m/Std_MVEI_results.json",
	    RECORD("correct", "\"statement_meta\":{\"class\":\"scene context\"}"));
	put(b.root, "base/m/Std_VECBench_results.json",
	    RECORD("awe", "\"candidates\":[\"fear\",\"awe\"],\"task\":\"EmoSet-8\""));
	put(b.root, "base/m/Std_EEmo_Bench_Pair_Perception_results.json",
	    RECORD("B", "\"question_type\":\"What/How\""));
	free(b.folder);
	b.folder = project_file(b.root, "base");
	b.paths[0] = b.folder;
	assert_int_equal(run(&b, &problems), OK);
	assert_int_equal(problems, 0);
	c = project_open(b.project, CONN_READ);
	assert_int_equal(project_int(c, "SELECT count(*) FROM dataset WHERE n_samples = 1 AND name IN "
					"('MVEI', 'VECBench', 'EEmo-Bench-Pair-Perception')"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM run WHERE n = 1"), 3);
	assert_int_equal(project_int(c, "SELECT count(*) FROM layer WHERE n_labelled = 1"), 3);
	conn_close(c);
	bench_release(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(pictures_are_samples), cmocka_unit_test(pictures_beside_samples),
	    cmocka_unit_test(several_trees), cmocka_unit_test(parts_of_a_publication),
	    cmocka_unit_test(benchmarks_by_their_names),
	    cmocka_unit_test(walks),	      cmocka_unit_test(unreadable), cmocka_unit_test(deep),
	    cmocka_unit_test(names_by_paths), cmocka_unit_test(plans),	    cmocka_unit_test(imports),
	    cmocka_unit_test(interrupted),    cmocka_unit_test(words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
