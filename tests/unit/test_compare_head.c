/* What stands above the table of Classes: is the difference noise, in words. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tui/view/compare_head.h"

static bool grid_has(const struct cells *grid, const char *text)
{
	bool found = false;

	for (int y = 0; y < grid->h && !found; y++) {
		struct buf line = BUF_INIT;

		for (int x = 0; x < grid->w; x++) {
			const struct cell *c = cells_at(grid, y, x);

			buf_z(&line, c->text[0] ? c->text : " ");
		}
		found = strstr(buf_cstr(&line), text) != NULL;
		buf_release(&line);
	}
	return found;
}

/* What the head says of p, and of an interval from lo to hi. */
static void expect_head(double p, double lo, double hi, const char *cluster, const char *want)
{
	static const char *const names[] = {"both", "only_against", "only_run", "neither", "n", "q", "delta",
					    "kappa", "phi", "seed", "p_mcnemar", "lo", "hi"};
	struct compare_head h = {.cluster = cluster};
	struct rect area = {0, 0, 20, 98};
	struct cells grid = {0};
	struct table t;

	table_init(&t, "compare");
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		table_column(&t, names[k], names[k], TABLE_NUMBER, BEST_NONE, "");
	table_row(&t);
	for (size_t k = 0; k < 10; k++)
		table_number(&t, k, 1);
	table_number(&t, 10, p);
	table_number(&t, 11, lo);
	table_number(&t, 12, hi);
	h.table = &t;
	cells_resize(&grid, area.h, area.w);
	compare_head_fit(&h, area);
	compare_head_draw(&h, &grid, area);
	if (!grid_has(&grid, want))
		fail_msg("p %g, [%g, %g]: not \"%s\"", p, lo, hi, want);
	cells_release(&grid);
	table_release(&t);
}

/* McNemar's test says whether it is noise; of clusters, which it does not know, the interval does. */
static void noise_is_told_in_words(void **state)
{
	(void)state;
	expect_head(0.04, -1, 1, NULL, "p 0.040: more than noise");
	expect_head(0.06, 0.5, 1, NULL, "p 0.060: could be noise");
	expect_head(NAN, NAN, NAN, NULL, "p -   ");
	expect_head(0.04, -1, 1, "image", "[-1.000, 1.000]: could be noise");
	expect_head(0.06, 0.5, 1, "image", "[0.500, 1.000]: more than noise");
	expect_head(0.06, -1, -0.5, "image", "[-1.000, -0.500]: more than noise");
	expect_head(0.04, -1, 1, "image", "image drawn whole");
	expect_head(0.04, -1, 1, "image", "p and * take samples as independent");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(noise_is_told_in_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
