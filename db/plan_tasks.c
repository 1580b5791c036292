/* VLMEvalKit's files that were taken out of their folders are called MODEL_TASK still, and number the
 * questions of each task alike: what they ask tells them apart. */
#include <stdlib.h>

#include "core/base/path.h"
#include "core/reader/naming.h"
#include "core/reader/table.h"
#include "db/fetch.h"
#include "db/plan_impl.h"

static bool lacks_task(const struct plan_file *f)
{
	return f->reader == &reader_vlmeval && !f->taste.task.n;
}

/* The number of the first file that asks the same. */
static uint32_t asks_as(struct plan_file *const *files, const uint32_t *asks, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (asks[i] == i && !taste_differs(&files[i]->taste, &files[n]->taste))
			return (uint32_t)i;
	return (uint32_t)n;
}

void plan_find_tasks(struct import_plan *plan)
{
	struct plan_file **files = xcalloc(plan->files.n + 1, sizeof *files);
	struct str *stems = xcalloc(plan->files.n + 1, sizeof *stems);
	struct str *tasks = xcalloc(plan->files.n + 1, sizeof *tasks);
	uint32_t *asks = xcalloc(plan->files.n + 1, sizeof *asks);
	size_t n = 0;

	for (size_t i = 0; i < plan->files.n; i++) {
		if (!lacks_task(&plan->files.v[i]))
			continue;
		files[n] = &plan->files.v[i];
		stems[n] = naming_without_judge(path_stem(path_base(str_z(files[n]->path))));
		asks[n] = asks_as(files, asks, n);
		n++;
	}
	naming_tasks_asked(stems, asks, n, tasks);
	for (size_t k = 0; k < n; k++)
		files[k]->taste.task = tasks[k];
	free(files);
	free(stems);
	free(tasks);
	free(asks);
}

/* As taste.asked; 0: there is no such sample, or no question. */
static uint32_t stored_asked(struct conn *c, int64_t dataset, struct str key, struct arena *arena)
{
	struct err ignored = ERR_INIT;
	struct option_row *options = NULL;
	struct sample_row row;
	struct str *texts;
	size_t n = 0;
	uint32_t ord;

	if (fetch_ordinal(c, dataset, key, &ord, &ignored) != OK ||
	    fetch_sample(c, dataset, ord, &row, arena, &ignored) != OK ||
	    (row.option_set && fetch_options(c, row.option_set, &options, &n, arena, &ignored) != OK))
		return 0;
	texts = arena_alloc(arena, (n + 1) * sizeof *texts);
	for (size_t i = 0; i < n; i++)
		texts[i] = options[i].text;
	return taste_asked(row.text, texts, n);
}

struct str plan_benchmark(struct str path)
{
	return path_stem(path_base(path));
}

bool plan_knows_questions(const struct plan_file *f)
{
	return f->reader == &reader_vlmeval || f->reader == &reader_vlmbench;
}

bool plan_asks_other(struct conn *c, int64_t dataset, const struct plan_file *f)
{
	const struct taste *t = &f->taste;
	struct arena arena = ARENA_INIT;
	size_t both = 0, same = 0;

	for (size_t i = 0; plan_knows_questions(f) && i < t->n_keys; i++) {
		uint32_t asked = t->asked[i] ? stored_asked(c, dataset, t->key[i], &arena) : 0;

		both += asked != 0;
		same += asked && asked == t->asked[i];
	}
	arena_release(&arena);
	return taste_too_few(same, both);
}
