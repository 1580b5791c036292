/*
 * scan FILE: rows a second of flat_scan, flat_scan_usual, flat_scan_shaped and cJSON over the same
 * lines, as "name ns-a-row" on standard output; medians of alternating rounds.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "core/base/vec.h"
#include "core/text/json.h"

#define ROUNDS	 7
#define MAX_ROWS 200000
#define N_WAYS	 4

struct lines_of {
	VEC(struct str) v;
	size_t taken; /* by the last round: all ways must agree */
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void by_flat(struct lines_of *l, bool usual, bool shaped)
{
	struct flat_shape shape = {.n = 0};
	struct flat_usual keys[FLAT_MAX_FIELDS];
	struct flat f;
	size_t n = 0;

	if (usual && flat_scan(l->v.v[0], &f))
		for (; n < f.n; n++)
			keys[n] = flat_usual(f.field[n].key);
	for (size_t i = 0; i < l->v.n; i++)
		l->taken += (shaped ? flat_scan_shaped(l->v.v[i], &f, &shape, keys, n)
				    : flat_scan_usual(l->v.v[i], &f, keys, n))
				? f.n
				: 0;
}

static void flat_alone(struct lines_of *l)
{
	by_flat(l, false, false);
}

static void flat_by_keys(struct lines_of *l)
{
	by_flat(l, true, false);
}

static void flat_by_shape(struct lines_of *l)
{
	by_flat(l, true, true);
}

static void cjson(struct lines_of *l)
{
	for (size_t i = 0; i < l->v.n; i++) {
		cJSON *tree = cJSON_ParseWithLength(l->v.v[i].p, l->v.v[i].n);

		l->taken += tree ? (size_t)cJSON_GetArraySize(tree) : 0;
		cJSON_Delete(tree);
	}
}

static int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static bool read_lines(const char *path, struct buf *text, struct lines_of *l)
{
	FILE *f = fopen(path, "r");
	char *line = NULL;
	size_t cap = 0, at = 0;
	ssize_t n;

	if (!f)
		return false;
	while (l->v.n < MAX_ROWS && (n = getline(&line, &cap, f)) > 1) {
		buf_put(text, line, (size_t)n - 1);
		vec_push(&l->v, ((struct str){NULL, (size_t)n - 1}));
	}
	for (size_t i = 0; i < l->v.n; at += l->v.v[i++].n)
		l->v.v[i].p = text->p + at;
	free(line);
	fclose(f);
	return l->v.n > 0 && !text->failed;
}

int main(int argc, char **argv)
{
	static const struct {
		const char *name;
		void (*run)(struct lines_of *);
	} ways[N_WAYS] = {{"flat_scan", flat_alone},
		    {"flat_scan_usual", flat_by_keys},
		    {"flat_scan_shaped", flat_by_shape},
		    {"cJSON", cjson}};
	double took[N_WAYS][ROUNDS];
	struct lines_of l = {.taken = 0};
	struct buf text = BUF_INIT;
	size_t want = 0;

	if (argc < 2 || !read_lines(argv[1], &text, &l))
		return 1;
	for (int r = 0; r < ROUNDS; r++)
		for (int w = 0; w < N_WAYS; w++) {
			double began = now();

			l.taken = 0;
			ways[w].run(&l);
			took[w][r] = now() - began;
			want = want ? want : l.taken;
			if (l.taken != want)
				return 1;
		}
	for (int w = 0; w < N_WAYS; w++) {
		qsort(took[w], ROUNDS, sizeof **took, by_size);
		printf("%s %.1f\n", ways[w].name, took[w][ROUNDS / 2] / (double)l.v.n * 1e9);
	}
	vec_release(&l.v);
	buf_release(&text);
	return 0;
}
