/*
 * turn QUALM PROJECT ROUNDS: the lens turned from one layer to the next and back, in the views whose
 * numbers hang on it, in "key value" lines: milliseconds from the key to its frame, and until every
 * number is there again. The project keeps the lens it had: rounds are made even.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"

#define WAITING STR("\xe2\x8b\xaf") /* what stands for a number that is being counted */
#define SETTLED 1500.0

static const char *const views[] = {"browse", "matrix", "classes", "runs"};

static bool whole(struct screen *s, double *took)
{
	double begin = bench_ms();

	while (screen_shows(s, WAITING))
		if (!screen_take(s, 5000))
			return false;
	*took += bench_ms() - begin;
	return true;
}

static bool turn(struct screen *s, int rounds, double *frame, double *all)
{
	for (int n = 0; n < rounds; n++) {
		frame[n] = screen_key(s, STR("Ll"));
		if (frame[n] < 0)
			return false;
		all[n] = frame[n];
		if (!whole(s, &all[n]))
			return false;
		screen_settle(s, 100);
	}
	return true;
}

static int measure(const char *const *argv, const char *view, int rounds)
{
	double *frame = xcalloc((size_t)rounds, sizeof *frame), *all = xcalloc((size_t)rounds, sizeof *all);
	struct screen s;
	bool good = screen_start(&s, argv, true);

	if (good) {
		screen_settle(&s, SETTLED);
		good = turn(&s, rounds, frame, all);
		screen_end(&s);
	}
	if (good) {
		printf("lens_%s %.3f\n", view, bench_median(frame, rounds));
		printf("lens_%s_worst %.3f\n", view, frame[rounds - 1]);
		printf("lens_%s_whole %.3f\n", view, bench_median(all, rounds));
	}
	free(frame);
	free(all);
	return good ? 0 : 1;
}

int main(int argc, char **argv)
{
	int rounds = argc > 3 ? (int)strtol(argv[3], NULL, 10) / 2 * 2 : 0, bad = 0;

	if (argc != 4 || rounds < 2) {
		fprintf(stderr, "usage: turn QUALM PROJECT ROUNDS\n");
		return 2;
	}
	for (size_t k = 0; k < sizeof views / sizeof *views; k++) {
		const char *const open[] = {argv[1], argv[2], "--view", views[k], NULL};

		bad |= measure(open, views[k], rounds);
	}
	return bad;
}
