/*
 * runs ROUNDS: what is counted over pairs of runs, in "key value" lines of milliseconds (medians):
 * 30 runs over 50,000 samples that are made here. phi of all pairs; who is right together; the paired
 * bootstrap of each run against the first, 1,000 draws each; and, to compare with, one run's bootstrap
 * as one writes it down: 1,000 times n samples drawn with replacement, the right ones counted.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/similar.h"
#include "tests/bench/bench.h"

#define RUNS    30
#define SAMPLES 50000u
#define DRAWS   1000u

static uint64_t next(uint64_t *s)
{
	*s = *s * 6364136223846793005u + 1442695040888963407u;
	return *s >> 33;
}

/* Hard samples are hard for all of them. */
static struct marks make_marks(void)
{
	struct marks m = {.n_runs = RUNS, .n = SAMPLES};
	uint64_t seed = 2024;

	m.right = xcalloc(RUNS, sizeof *m.right);
	m.counted = xcalloc(RUNS, sizeof *m.counted);
	for (int r = 0; r < RUNS; r++) {
		m.right[r] = bits_new(SAMPLES);
		m.counted[r] = bits_new(SAMPLES);
		for (uint32_t i = 0; i < SAMPLES; i++) {
			if (next(&seed) % 200 == 0)
				continue;
			bits_set(m.counted[r], i);
			if (next(&seed) % 1000 > i % 7 * 120 + (unsigned)r * 8)
				bits_set(m.right[r], i);
		}
	}
	return m;
}

static double time_phi(const struct marks *m, struct fourfold *f, double *sum)
{
	double began = bench_ms();

	similar_fourfolds(m, NULL, f);
	for (int i = 0; i < RUNS; i++)
		for (int k = i + 1; k < RUNS; k++)
			*sum += paired_phi(&f[i * RUNS + k]);
	return bench_ms() - began;
}

static double time_together(const struct marks *m, double *sum)
{
	struct together t;
	struct err err = ERR_INIT;
	double began = bench_ms(), took;

	if (together_make(m, NULL, &t, &err) != OK)
		return -1;
	took = bench_ms() - began;
	*sum += t.n_rows;
	together_release(&t);
	return took;
}

static double time_paired(const struct fourfold *f, double *sum)
{
	double began = bench_ms(), lo, hi;

	for (int k = 0; k < RUNS; k++) {
		paired_bootstrap(&f[k], DRAWS, PAIRED_SEED, &lo, &hi);
		*sum += lo + hi;
	}
	return bench_ms() - began;
}

static int ascending(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double time_naive(const struct marks *m, double *sum)
{
	uint8_t *right = xcalloc(SAMPLES + 1, 1);
	double *accuracy = xcalloc(DRAWS, sizeof *accuracy), began, took;
	uint64_t seed = 7;

	bits_to_bytes(m->right[0], SAMPLES, right);
	began = bench_ms();
	for (uint32_t d = 0; d < DRAWS; d++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < SAMPLES; i++)
			n += right[next(&seed) % SAMPLES];
		accuracy[d] = (double)n / SAMPLES;
	}
	qsort(accuracy, DRAWS, sizeof *accuracy, ascending);
	took = bench_ms() - began;
	*sum += accuracy[DRAWS / 40] + accuracy[DRAWS - DRAWS / 40];
	free(accuracy);
	free(right);
	return took;
}

int main(int argc, char **argv)
{
	int rounds = argc == 2 ? (int)strtol(argv[1], NULL, 10) : 0;
	struct fourfold *f = xcalloc(RUNS * RUNS, sizeof *f);
	struct marks m;
	double *took[4], sum = 0;

	if (rounds < 1) {
		fprintf(stderr, "usage: runs ROUNDS\n");
		return 2;
	}
	for (int k = 0; k < 4; k++)
		took[k] = xcalloc((size_t)rounds, sizeof **took);
	m = make_marks();
	for (int i = 0; i < rounds; i++) {
		took[0][i] = time_phi(&m, f, &sum);
		took[1][i] = time_together(&m, &sum);
		took[2][i] = time_paired(f, &sum);
		took[3][i] = time_naive(&m, &sum);
	}
	printf("phi_all_pairs %.3f\ntogether %.3f\n", bench_median(took[0], rounds), bench_median(took[1], rounds));
	printf("paired_bootstrap %.3f\nnaive_bootstrap %.3f\n", bench_median(took[2], rounds),
	       bench_median(took[3], rounds));
	printf("checksum %.6f\n", sum);
	for (int k = 0; k < 4; k++)
		free(took[k]);
	marks_release(&m);
	free(f);
	return 0;
}
