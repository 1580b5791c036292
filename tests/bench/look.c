/*
 * look QUALM PROJECT ROUNDS FILTER: a project on a terminal, in "key value" lines: milliseconds
 * from the start until samples are on the screen of a terminal that never answers, those from a
 * key until its frame is there, and the memory that it holds meanwhile. "_cpu": the time that the
 * thread of the screen itself was at it, which other programs on the machine do not lengthen.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"

#define KEY_ROUNDS 40
#define SAMPLE	   STR("val_0000") /* what every key of the corpus begins with, near its start */

static const struct {
	const char *name;
	struct str key;
} keys[] = {
    {"key_down", {"j", 1}},
    {"key_page", {"\006", 1}},
    {"key_swap", {"~", 1}},
    {"key_filter", {"\024", 1}},
};

static const struct {
	const char *name;
	struct str key;
} views[] = {
    {"classes_", {"4", 1}}, /* two runs by class, all numbers anew with each key */
    {"matrix_", {"3", 1}},
    {"runs_", {"5", 1}},
};

static int first_paint(const char *const *argv, int rounds, double *took)
{
	struct screen s;
	int n = 0;

	while (n < rounds) {
		if (!screen_start(&s, argv, false))
			return 1;
		took[n] = screen_until(&s, SAMPLE);
		screen_settle(&s, 50);
		screen_end(&s);
		if (took[n++] < 0)
			return 1;
	}
	printf("first_paint %.3f\n", bench_median(took, n));
	return 0;
}

/* In the view of a name; nothing is printed for a key that does nothing here. */
static void press(struct screen *s, const char *view, size_t k, double *took)
{
	double cpu[KEY_ROUNDS], before = screen_cpu(s);
	int n = 0;

	/* What a key leaves to be done in the background may not be taken for the next one's frame. */
	while (n < KEY_ROUNDS && (took[n] = screen_key(s, keys[k].key)) >= 0) {
		screen_settle(s, 40);
		cpu[n++] = screen_cpu(s) - before;
		before = screen_cpu(s);
	}
	if (n < KEY_ROUNDS)
		return;
	printf("%s%s_cpu %.3f\n", view, keys[k].name, bench_median(cpu, n));
	printf("%s%s %.3f\n", view, keys[k].name, bench_median(took, n));
	printf("%s%s_worst %.3f\n", view, keys[k].name, took[n - 1]);
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) : 0;
	double *took = xcalloc((size_t)(rounds > KEY_ROUNDS ? rounds : KEY_ROUNDS), sizeof *took);
	struct screen s;

	if (argc != 5 || rounds < 1) {
		fprintf(stderr, "usage: look QUALM PROJECT ROUNDS FILTER\n");
		free(took);
		return 2;
	}
	const char *const open[] = {argv[1], argv[2], "--view", "browse", NULL};
	const char *const filtered[] = {argv[1], argv[2], "--view",   "browse",
					"--filter", argv[4], NULL};

	if (first_paint(open, rounds, took) != 0 || !screen_start(&s, filtered, true)) {
		free(took);
		return 1;
	}
	screen_settle(&s, 1500);
	printf("memory_kb %ld\n", screen_memory(&s));
	for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
		press(&s, "", k, took);
	for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
		screen_key(&s, views[v].key);
		screen_settle(&s, 3000);
		for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
			press(&s, views[v].name, k, took);
	}
	printf("memory_after_keys_kb %ld\n", screen_memory(&s));
	screen_end(&s);
	free(took);
	return 0;
}
