/* Sorting, choosing runs and Home's figures. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/user.h"
#include "db/user_panel.h"
#include "tests/unit/lib_project.h"
#include "tui/app.h"
#include "tui/choice.h"
#include "tui/script.h"
#include "tui/survey.h"

/* --- keys --- */

static const uint64_t *sorted_by;

static int by_key_then_place(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (sorted_by[x] != sorted_by[y])
		return sorted_by[x] < sorted_by[y] ? -1 : 1;
	return x < y ? -1 : 1;
}

static void test_order_by_keys(void **state)
{
	static const uint64_t masks[] = {0, 1, 0xff, 0xff00, 0xffffffff, UINT64_MAX, (uint64_t)7 << 61};
	uint64_t key[1000];
	uint32_t got[1000], want[1000], seed = 7;

	(void)state;
	for (size_t m = 0; m < sizeof masks / sizeof *masks; m++)
		for (uint32_t n = 0; n <= 1000; n += n < 4 ? 1 : 249) {
			for (uint32_t i = 0; i < n; i++) {
				uint64_t high;

				seed = seed * 1664525u + 1013904223u;
				high = seed;
				seed = seed * 1664525u + 1013904223u;
				key[i] = (high << 32 | seed) & masks[m];
				want[i] = i;
			}
			sorted_by = key;
			qsort(want, n, sizeof *want, by_key_then_place);
			order_by_keys(key, n, got);
			assert_memory_equal(got, want, n * sizeof *got);
		}
}

static void test_number_keys(void **state)
{
	static const double v[] = {-INFINITY, -1e300, -2, -1, -1e-300, 0, 1e-300, 0.5, 1, 3, 1e300, INFINITY};
	size_t n = sizeof v / sizeof *v;

	(void)state;
	for (size_t i = 0; i + 1 < n; i++)
		assert_true(order_key(v[i]) < order_key(v[i + 1]));
	assert_true(order_key(-0.0) == order_key(0.0));
	assert_true(order_key(INFINITY) < order_key(NAN));
	assert_true(order_key(NAN) == UINT64_MAX && order_key(-NAN) == UINT64_MAX);
}

/* --- the tiny project --- */

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
};

static void open_app(struct fixture *f)
{
	struct err err = ERR_INIT;

	f->cli = (struct cli){.headless = "100x30", .script = "-", .view = "browse"};
	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
}

static void set_up(struct fixture *f)
{
	f->folder = project_folder();
	f->file = project_file(f->folder, "t.qualm");
	project_make_tiny(f->file, 0);
	open_app(f);
}

static void tear_down(struct fixture *f)
{
	app_close(&f->app);
	project_remove(f->folder);
	free(f->file);
}

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
}

static void assert_order(const struct scene *s, const char *what, const char *want)
{
	char got[16] = "";

	for (uint32_t i = 0; i < s->snap->n; i++) {
		got[i] = (char)('0' + scene_at(s, i));
		assert_int_equal(scene_place(s, scene_at(s, i)), i);
	}
	if (strcmp(got, want) != 0)
		fail_msg("by %s: %s, not %s", what, got, want);
}

/* a is m1/cw: right, wrong (no label: right by N), …; see lib_project.h. Samples without a value
 * stay at the end both ways. */
static void test_sorts(void **state)
{
	static const struct {
		const char *sort, *order;
	} cases[] = {
	    {"import", "012345"},      {"import down", "543210"}, {"key", "012345"},
	    {"key down", "543210"},    {"emotion", "142035"},     {"emotion down", "032145"},
	    {"size", "013452"},        {"size down", "543102"},   {"score", "012345"},
	    {"score down", "432105"},  {"tags", "023145"},        {"truth", "024315"},
	    {"answer", "021345"},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *command = xasprintf(":sort %s", cases[i].sort);

		step(&f, command);
		assert_order(&f.app.scene, cases[i].sort, cases[i].order);
		free(command);
	}
	step(&f, ":sort verdict");
	for (uint32_t i = 0; i + 1 < 6; i++) { /* wrong, uncounted, right */
		enum verdict a = scene_verdict(&f.app.scene, 0, scene_at(&f.app.scene, i));
		enum verdict b = scene_verdict(&f.app.scene, 0, scene_at(&f.app.scene, i + 1));

		assert_true(!(a == VERDICT_RIGHT && b == VERDICT_WRONG));
	}
	tear_down(&f);
}

static void test_sort_words(void **state)
{
	struct fixture f;
	struct sort sort;
	struct buf text = BUF_INIT;

	(void)state;
	set_up(&f);
	assert_true(sort_parse(STR(" Emotion down "), f.app.scene.snap, &sort));
	assert_int_equal(sort.by, SORT_FACET);
	assert_true(sort.down);
	sort_format(&sort, f.app.scene.snap, &text);
	assert_string_equal(buf_cstr(&text), "emotion down");
	assert_false(sort_parse(STR("nothing"), f.app.scene.snap, &sort));
	assert_false(sort_parse(STR(""), f.app.scene.snap, &sort));
	assert_false(sort_parse(STR("facet"), f.app.scene.snap, &sort));
	step(&f, ":sort nothing");
	assert_order(&f.app.scene, "nothing", "012345");
	buf_release(&text);
	tear_down(&f);
}

/* Moving, searching and stepping go in the order of the list, and the sample under the cursor
 * stays there while the list is sorted. */
static void test_walk_sorted(void **state)
{
	static const struct {
		const char *keys;
		uint32_t at;
	} steps[] = {
	    {"j j", 2},          {":sort key down", 2}, {"j", 1},  {"k k", 3}, {"g g", 5},
	    {"/ s 4 Enter", 4},  {"n", 4},              {":2", 4}, {"G", 0},   {"/ s Enter", 0}, {"n", 5},
	    {"n", 4},            {"N", 5},              {"N", 0},  {":sort import", 0},
	    {"n", 1},
	};
	struct fixture f;

	(void)state;
	set_up(&f);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		step(&f, steps[i].keys);
		if (f.app.scene.current != steps[i].at)
			fail_msg("after %s at %u, not %u", steps[i].keys, f.app.scene.current,
				 steps[i].at);
	}
	tear_down(&f);
}

static void test_classes(void **state)
{
	struct fixture f;
	struct scene *s = &f.app.scene;

	(void)state;
	set_up(&f);
	step(&f, ":sort truth"); /* 0 2 4 3 1 5: cat cat dog fox, no class, unlabelled */
	step(&f, ":1");
	step(&f, "}");
	assert_int_equal(s->current, 4);
	step(&f, "}");
	assert_int_equal(s->current, 3);
	step(&f, "}");
	assert_int_equal(s->current, 1);
	step(&f, "} }");
	assert_int_equal(s->current, 5); /* and no further */
	step(&f, "{ { { {");
	assert_int_equal(s->current, 0);
	step(&f, "j {");
	assert_int_equal(s->current, 0);
	tear_down(&f);
}

/* --- what is chosen, and that it is kept --- */

static void test_choice_is_kept(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	assert_int_equal(f.app.scene.a, 0);
	assert_int_equal(f.app.scene.n_panel, 1);
	step(&f, "b");
	step(&f, "/ m 2 Enter Enter");
	assert_int_equal(f.app.scene.b, 1);
	step(&f, "~");
	assert_int_equal(f.app.scene.a, 1);
	step(&f, "p j Space Esc"); /* m2 comes in */
	assert_int_equal(f.app.scene.n_panel, 2);
	step(&f, ":sort size down");
	app_close(&f.app);
	open_app(&f);
	assert_int_equal(f.app.scene.a, 1);
	assert_int_equal(f.app.scene.b, 0);
	assert_int_equal(f.app.scene.n_panel, 2);
	assert_order(&f.app.scene, "size down", "543102");
	step(&f, "p Space j Space"); /* the last one stays */
	assert_int_equal(f.app.scene.n_panel, 1);
	assert_int_equal(f.app.scene.panel[0], 1);
	step(&f, "Esc");
	step(&f, ":run-a m1");
	assert_int_equal(f.app.scene.a, 0);
	assert_int_equal(f.app.scene.b, 1); /* they change places */
	step(&f, ":run-a m");
	step(&f, ":run-a nobody");
	assert_int_equal(f.app.scene.a, 0);
	tear_down(&f);
}

static bool is_kept(const struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;
	char *text = NULL;
	bool kept = user_setting_get(f->app.conn, "choice/tiny", &text, &err) == OK && text &&
		    strstr(text, line);

	free(text);
	return kept;
}

/* Not at once, while the keys go on, but when they have come to rest; a busy project is asked
 * again. */
static void test_choice_waits(void **state)
{
	struct conn *other = NULL;
	struct err err = ERR_INIT;
	struct fixture f;
	int64_t now;

	(void)state;
	set_up(&f);
	assert_int_equal(choice_tick(&f.app, app_clock()), -1);
	step(&f, ":run-a m2");
	now = app_clock();
	assert_false(is_kept(&f, "a m2"));
	assert_true(choice_tick(&f.app, now) > 0);
	assert_false(is_kept(&f, "a m2"));
	assert_int_equal(conn_open(&other, conn_path(f.app.conn), CONN_WRITE, &err), OK);
	assert_int_equal(conn_begin(other, &err), OK);
	assert_true(choice_tick(&f.app, now + 1000) > 0);
	conn_rollback(other);
	conn_close(other);
	assert_false(is_kept(&f, "a m2"));
	assert_int_equal(choice_tick(&f.app, now + 2000), -1);
	assert_true(is_kept(&f, "a m2"));
	step(&f, "p j Space Esc");
	choice_settle(&f.app);
	assert_int_equal(choice_tick(&f.app, now + 9000), -1);
	tear_down(&f);
}

/* A run that was chosen and is not there any more is passed over. */
static void test_choice_of_old(void **state)
{
	static const char *const handles[] = {"gone", "m2"}, *const none[] = {"gone"};
	struct fixture f;
	struct err err = ERR_INIT;
	struct arena arena = ARENA_INIT;
	const char *const *got;
	size_t n;

	(void)state;
	set_up(&f);
	assert_int_equal(user_setting_set(f.app.conn, "choice/tiny",
					  STR("a gone\nb m1/cw\nsort nowhere\nodd\n\n"), &err), OK);
	assert_int_equal(user_panel_set(f.app.conn, "tiny", handles, 2, &err), OK);
	assert_int_equal(user_panel_get(f.app.conn, "tiny", &got, &n, &arena, &err), OK);
	assert_int_equal(n, 2);
	assert_string_equal(got[1], "m2");
	assert_int_equal(user_panel_get(f.app.conn, "other", &got, &n, &arena, &err), OK);
	assert_int_equal(n, 0);
	app_close(&f.app);
	open_app(&f);
	assert_int_equal(f.app.scene.a, 0);
	assert_int_equal(f.app.scene.b, -1); /* it cannot be both */
	assert_order(&f.app.scene, "nowhere", "012345");
	assert_int_equal(f.app.scene.n_panel, 1);
	assert_int_equal(f.app.scene.panel[0], 1);
	assert_int_equal(user_panel_set(f.app.conn, "tiny", none, 1, &err), OK);
	app_close(&f.app);
	open_app(&f);
	assert_int_equal(f.app.scene.panel[0], 0); /* the first one again */
	arena_release(&arena);
	tear_down(&f);
}

/* --- Home's figures --- */

static void test_survey(void **state)
{
	struct fixture f;
	struct survey s = {.dataset = 0};
	struct err err = ERR_INIT;

	(void)state;
	set_up(&f);
	assert_int_equal(survey_count(f.app.scene.snap, &f.app.scene.lens, true, NULL, &s, &err), OK);
	assert_int_equal(s.n_runs, 2);
	for (uint32_t r = 0; r < s.n_runs; r++) {
		uint32_t left = 0;

		for (int k = 0; k < N_LEFT_OUT; k++)
			left += s.runs[r].left[k];
		assert_int_equal(left, s.runs[r].tally.excluded);
		assert_int_equal(s.runs[r].tally.n + left, 6);
	}
	assert_int_equal(s.runs[0].left[LEFT_OUT_MISSING], 1); /* s5, which has no label either */
	assert_int_equal(s.categories[CAT_S_PLUS] + s.categories[CAT_S_MINUS] +
			     s.categories[CAT_M_PLUS] + s.categories[CAT_M_MINUS] + s.categories[CAT_N],
			 5);
	free(s.runs);
	tear_down(&f);
}

static void test_home(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f);
	step(&f, "0");
	assert_string_equal(f.app.top->class->name, "home");
	step(&f, "j j b"); /* dataset, m1, m2 */
	assert_int_equal(f.app.scene.b, 1);
	step(&f, "Enter");
	assert_int_equal(f.app.scene.a, 1);
	assert_int_equal(f.app.scene.b, 0);
	step(&f, "g g Enter");
	assert_string_equal(f.app.top->class->name, "browse");
	step(&f, "q");
	assert_string_equal(f.app.top->class->name, "home");
	step(&f, "2");
	assert_string_equal(f.app.top->class->name, "gallery");
	tear_down(&f);
}

/* The last first; a report that cannot be read takes nothing but its own words away. */
static void test_imports(void **state)
{
	struct fixture f;
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct import_row *rows;
	size_t n;

	(void)state;
	set_up(&f);
	project_exec(f.app.conn,
		     "DELETE FROM import;"
		     "INSERT INTO import (at, path, reader, dataset, rows, skipped, unmatched, report)"
		     "VALUES ('1', 'd/a.csv', 'generic', 1, 9, 2, 1, '{\"warnings\":3,\"examples\":"
		     "[{\"kind\":\"skipped\",\"line\":7,\"text\":\"id: empty\"}]}'),"
		     "('2', 'b.csv', 'generic', NULL, -4, 5, 0, '{\"warnings\":-1,\"examples\":[4]}'),"
		     "('3', 'c.csv', 'generic', 1, 1, 0, 0, 'no JSON')");
	assert_int_equal(fetch_imports(f.app.conn, 10, &rows, &n, &arena, &err), OK);
	assert_int_equal(n, 3);
	assert_true(str_eqz(rows[0].path, "c.csv") && !rows[0].example.n && !rows[0].warnings);
	assert_true(rows[1].rows == 0 && rows[1].skipped == 5 && !rows[1].warnings);
	assert_true(rows[2].skipped == 2 && rows[2].unmatched == 1 && rows[2].warnings == 3);
	assert_true(str_eqz(rows[2].example, "line 7: id: empty"));
	assert_int_equal(fetch_imports(f.app.conn, 1, &rows, &n, &arena, &err), OK);
	assert_int_equal(n, 1);
	step(&f, "0");
	arena_release(&arena);
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_order_by_keys),   cmocka_unit_test(test_number_keys),
	    cmocka_unit_test(test_sorts),	    cmocka_unit_test(test_sort_words),
	    cmocka_unit_test(test_walk_sorted),	    cmocka_unit_test(test_classes),
	    cmocka_unit_test(test_choice_is_kept),  cmocka_unit_test(test_choice_of_old),
	    cmocka_unit_test(test_choice_waits),    cmocka_unit_test(test_home),
	    cmocka_unit_test(test_survey),
	    cmocka_unit_test(test_imports),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
