#include "tests/unit/lib_memo.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "tests/unit/lib_store.h"

#define N_FILES 4

struct making {
	const char *folder;
	char *paths[N_FILES];
	uint32_t seed;
};

static uint32_t below(struct making *m, uint32_t n)
{
	m->seed = m->seed * 1664525u + 1013904223u;
	return (m->seed >> 10) % n;
}

static const char *const words[] = {"happy", "sad", "worry", "neutral", "surprise", "angry", "boredom", ""};

/* Truths and prompts: sometimes nothing; answers: sometimes none of the six, or blank. */
static void write_files(struct making *m)
{
	static const char *const names[N_FILES] = {"annotation_emo.csv", "annotation_quality.csv", "a.csv",
						   "b.jsonl"};
	FILE *out[N_FILES];

	for (int i = 0; i < N_FILES; i++) {
		m->paths[i] = project_file(m->folder, names[i]);
		out[i] = fopen(m->paths[i], "w");
		assert_non_null(out[i]);
	}
	fputs("Image,Score,Distortions,Generator,Prompt\n", out[0]);
	fputs("Image,Quality\n", out[1]);
	fputs("id,prediction,degree\n", out[2]);
	for (int i = 0; i < 240; i++) {
		uint32_t truth = below(m, 9) ? below(m, 6) : 7, prompt = below(m, 9) ? below(m, 6) : 7;

		fprintf(out[0], "p%d.png,%s,%s,g%u,%s\n", i, below(m, 8) ? "2.5" : "", words[truth], below(m, 4),
			words[prompt]);
		fprintf(out[1], "p%d.png,%u.5\n", i, below(m, 5));
		if (below(m, 10))
			fprintf(out[2], "p%d,%s,%u\n", i, words[below(m, 3) ? truth : below(m, 8)], below(m, 6));
		fprintf(out[3], "{\"id\":\"p%d\",\"model\":\"b/x y\",\"prediction\":\"%s\",\"degree\":%s}\n", i,
			words[below(m, 2) ? truth : below(m, 8)], below(m, 9) ? "1.5" : "null");
	}
	for (int i = 0; i < N_FILES; i++)
		assert_int_equal(fclose(out[i]), 0);
}

char *memo_project(const char *folder, uint32_t seed)
{
	struct making m = {.folder = folder, .seed = seed};
	char *project = project_file(folder, "p.qualm");
	struct import_job job = {.project = project, .n_paths = N_FILES, .dataset = STR("memo")};
	struct err err = ERR_INIT;
	uint64_t problems;

	write_files(&m);
	job.paths = (const char *const *)m.paths;
	if (import_run(&job, &problems, &err) != OK)
		fail_msg("%s", err.msg);
	for (int i = 0; i < N_FILES; i++)
		free(m.paths[i]);
	return project;
}
