/* Budget 12: `j` held in a pty, with previews: a key goes down as soon as the last one's frame is
 * there, and, in a second run, every 30 ms as keyboards repeat. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/bench/bench.h"

#define REPEAT_MS 30.0

static void report(const char *what, const char *key, double *t, int n, FILE *json)
{
	double median = bench_median(t, n);

	printf("12  %-32s %7.2f ms median, %.2f worst of 99 %%, %.2f worst   (budget 16)\n", what,
	       median, t[n - 1 - n / 100], t[n - 1]);
	fprintf(json, "  \"%s_median_ms\": %.3f,\n  \"%s_worst_ms\": %.3f,\n", key, median, key,
		t[n - 1]);
}

static int measure(struct screen *h, int keys, double every, double *t)
{
	int n = 0;

	for (int i = 0; i < keys; i++) {
		double begin = bench_ms();
		double ms = screen_key(h, STR("j")), left;

		if (ms < 0)
			break;
		t[n++] = ms;
		while ((left = every - (bench_ms() - begin)) > 0)
			screen_take(h, left);
	}
	return n;
}

int bench_hold(const char *qualm, const char *project, int keys, FILE *json)
{
	const char *const argv[] = {qualm, project, "--view", "browse", NULL};
	struct screen h;
	double *t = xcalloc((size_t)keys, sizeof *t);
	int n, before;

	if (!screen_start(&h, argv, true)) {
		free(t);
		return 1;
	}
	screen_settle(&h, 1500);
	before = h.vt.n_pictures;
	n = measure(&h, keys, 0, t);
	if (n)
		report("j as fast as frames come", "hold_fast", t, n, json);
	n = measure(&h, keys / 5, REPEAT_MS, t);
	if (n)
		report("j every 30 ms", "hold_repeat", t, n, json);
	screen_settle(&h, 1500);
	printf("12  pictures: %d at the start, %d after the holding\n", before, h.vt.n_pictures);
	fprintf(json, "  \"hold_keys\": %d,\n", n);
	screen_end(&h);
	free(t);
	return n ? 0 : 1;
}
