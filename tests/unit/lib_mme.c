#include "tests/unit/lib_mme.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_store.h"

#define QUESTIONS 40 /* a task */

static const char *const tasks[] = {"ER_Lab", "ML_ER", "IR"};
static const char *const labels[][4] = {{"Anger", "Fear", "Sadness", "Neutral"},
					{"happy", "sad", "fear", "anger"},
					{"wishing", "agreeing", "neutral", "questioning"}};

static uint32_t rnd(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (*seed >> 8) % n;
}

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "lib_mme: %s\n", what);
	abort();
}

static void write_file(const struct mme_project *p, const char *name, const struct buf *text)
{
	char *path = project_file(p->folder, name);
	FILE *f = fopen(path, "w");

	must(f && fwrite(text->p, 1, text->n, f) == text->n && fclose(f) == 0, path);
	free(path);
}

static void import(const struct mme_project *p, const char *dataset, const char *name, const char *model)
{
	char *path = project_file(p->folder, name);
	const char *const paths[] = {path};
	struct import_job job = {.project = p->file, .dataset = str_z(dataset), .paths = paths, .n_paths = 1,
				 .options = {.model = str_z(model)}};
	struct err err = ERR_INIT;
	uint64_t problems;

	must(import_run(&job, &problems, &err) == OK, err.msg);
	free(path);
}

static void put_marks(struct buf *out, int n, bool many, uint32_t *seed)
{
	if (rnd(seed, 8) == 0) {
		buf_z(out, rnd(seed, 2) ? "null" : "\"no marks\"");
		return;
	}
	buf_z(out, "\"<score>");
	for (int k = 1; k <= n; k++)
		buf_printf(out, "%sStep %d: %u/%d", k > 1 ? ", " : "", k, rnd(seed, k == n && many ? 3 : 2),
			   k == n && many ? 2 : 1);
	buf_z(out, "</score>\"");
}

static void put_answer(struct buf *out, int task, int i, uint32_t *seed)
{
	int n = 1 + (int)rnd(seed, 4);
	const char *const *set = labels[task];
	bool many = task == 1;

	buf_printf(out, "%s{\"video_id\":\"S/%d.mp4\",\"ground_truth\":\"%s%s%s\",\"model_response\":\"r%u\",",
		   i ? "," : "[", i, set[i % 4], many ? "," : "", many ? set[(i + 1) % 4] : "", rnd(seed, 9));
	buf_z(out, "\"step\":\"<step>");
	for (int k = 1; k < n; k++)
		buf_printf(out, "Step %d: thought. ", k);
	buf_printf(out, "Step %d: The predicted emotion is %s.</step>\",\"score\":", n,
		   rnd(seed, 12) ? set[rnd(seed, 4)] : "None");
	put_marks(out, n, many, seed);
	buf_z(out, "}");
}

static void make_answers(const struct mme_project *p, const char *model, uint32_t *seed)
{
	for (int t = 0; t < 3; t++) {
		struct buf text = BUF_INIT;
		char name[64];

		for (int i = 0; i < QUESTIONS; i++)
			put_answer(&text, t, i, seed);
		buf_z(&text, "]");
		snprintf(name, sizeof name, "%s_%s_eval.json", tasks[t], model);
		write_file(p, name, &text);
		import(p, "mme", name, "");
		buf_release(&text);
	}
}

static void make_people(const struct mme_project *p, uint32_t *seed)
{
	struct buf text = BUF_INIT;

	buf_z(&text, "task,video_id,human_score\n");
	for (int i = 0; i < MME_PEOPLE; i++)
		buf_printf(&text, "IR,S/%d.mp4,\"[1,%u]\"\n", i, rnd(seed, 2));
	write_file(p, "people.csv", &text);
	import(p, "mme", "people.csv", "two");
	buf_release(&text);
}

static void make_votes(const struct mme_project *p, uint32_t *seed)
{
	static const char head[] = "image,joy,anger,fear,awe\n";
	static const char *const names[] = {"joy", "anger", "fear", "awe", "owl"};
	struct buf votes = BUF_INIT, one = BUF_INIT;

	buf_z(&votes, head);
	for (int i = 0; i < QUESTIONS; i++) {
		buf_printf(&votes, "%d.png,%u,%u,%u,%u\n", i, rnd(seed, 5), rnd(seed, 5), rnd(seed, 5), 1 + rnd(seed, 5));
		buf_printf(&one, "{\"id\":\"%d.png\",\"prediction\":\"%s\",\"model\":\"one\"}\n", i, names[rnd(seed, 5)]);
	}
	write_file(p, "votes.csv", &votes);
	write_file(p, "one.jsonl", &one);
	import(p, "votes", "votes.csv", "");
	import(p, "votes", "one.jsonl", "");
	import(p, "votes", "votes.csv", "crowd");
	buf_release(&votes);
	buf_release(&one);
}

void mme_project_make(struct mme_project *p, uint32_t seed)
{
	p->folder = project_folder();
	p->file = project_file(p->folder, "m.qualm");
	make_answers(p, "one", &seed);
	make_answers(p, "two", &seed);
	make_people(p, &seed);
	make_votes(p, &seed);
	p->c = project_open(p->file, CONN_READ);
}

struct snapshot *mme_project_load(struct mme_project *p, const char *dataset)
{
	return must_load(p->c, dataset);
}

void mme_project_end(struct mme_project *p)
{
	conn_close(p->c);
	free(p->file);
	project_remove(p->folder);
}
