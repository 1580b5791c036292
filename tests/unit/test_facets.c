/* The pane of facets on the tiny project: counts, what is chosen and how it is written, folding,
 * searching, texts that take time, and random keys: a count is the length of the list that it
 * leads to, always. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_project.h"
#include "tui/app.h"
#include "tui/script.h"
#include "tui/view/facets.h"

struct fixture {
	char *folder, *file;
	struct cli cli;
	struct app app;
	struct facets pane; /* beside Browse's own, on the same app */
};

static void set_up(struct fixture *f, const char *size)
{
	struct err err = ERR_INIT;

	*f = (struct fixture){.folder = project_folder()};
	f->file = project_file(f->folder, "t.qualm");
	project_make_tiny(f->file, 0);
	f->cli = (struct cli){.headless = size, .script = "-", .view = "browse"};
	if (app_open(&f->app, &f->cli, f->file, &err) != OK || app_open_term(&f->app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->app, app_clock());
	assert_true(facets_update(&f->pane, &f->app, 0, 40));
}

static void tear_down(struct fixture *f)
{
	facets_release(&f->pane);
	app_close(&f->app);
	project_remove(f->folder);
	free(f->file);
}

static void step(struct fixture *f, const char *line)
{
	struct err err = ERR_INIT;

	if (script_step(&f->app, str_z(line), &err) != OK)
		fail_msg("%s: %s", line, err.msg);
	app_draw(&f->app, app_clock());
}

static void update(struct fixture *f)
{
	assert_true(facets_update(&f->pane, &f->app, f->app.reactions, 40));
	app_draw(&f->app, app_clock());
}

static void filter(struct fixture *f, const char *text)
{
	struct err err = ERR_INIT;

	if (narrow_set(&f->app, str_z(text), NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	update(f);
}

static void command(struct fixture *f, const char *name, const char *args)
{
	assert_false(facets_command(&f->pane, &f->app, name, str_z(args)) & REACT_UNHANDLED);
	update(f);
}

static int find(struct fixture *f, const char *name, enum facet_line_kind kind)
{
	int found = -1;

	for (size_t i = 0; i < f->pane.lines.n && found < 0; i++) {
		struct buf text = BUF_INIT;

		facets_name(&f->pane, &f->pane.lines.v[i], &text);
		if (f->pane.lines.v[i].kind == kind && strcmp(buf_cstr(&text), name) == 0)
			found = (int)i;
		buf_release(&text);
	}
	return found;
}

/* The cursor onto "emotion fear", or the head "emotion". */
static void go(struct fixture *f, const char *name, enum facet_line_kind kind)
{
	int at = find(f, name, kind);

	if (at < 0)
		fail_msg("there is no line %s", name);
	list_go(&f->pane.list, (uint32_t)at);
}

static uint32_t count_of(struct fixture *f, const char *name)
{
	int at = find(f, name, FACET_VALUE);
	const struct facet_line *line;

	if (at < 0)
		fail_msg("there is no line %s", name);
	line = &f->pane.lines.v[at];
	assert_true(f->pane.groups->v[line->group].counted);
	return f->pane.groups->v[line->group].count[line->value];
}

static enum group_state state_of(struct fixture *f, const char *name)
{
	const struct facet_line *line = &f->pane.lines.v[find(f, name, FACET_VALUE)];

	return (enum group_state)f->pane.groups->v[line->group].state[line->value];
}

static void assert_filter(const struct fixture *f, const char *text)
{
	if (!f->app.scene.filter)
		assert_string_equal(text, "");
	else
		assert_string_equal(f->app.scene.filter, text);
}

/* --- counts --- */

static void test_counts(void **state)
{
	static const struct {
		const char *name;
		uint32_t count;
	} cases[] = {{"emotion joy", 4},           {"emotion fear", 1},      {"emotion (none)", 1},
		     {"tags x", 2},                {"tags y", 2},            {"tags (none)", 3},
		     {"outcome of a answered", 3}, {"outcome of a oop", 1},  {"outcome of a refused", 1},
		     {"outcome of a missing", 1},  {"truth cat", 2},         {"truth dog", 3},
		     {"truth (none)", 1},          {"answer of a cat", 2},   {"answer of a (none)", 3},
		     {"size 1 to 1.5", 1},         {"size 6 to 6.5", 1},     {"size (none)", 1}};
	struct fixture f;
	uint32_t sum;

	(void)state;
	set_up(&f, "100x60");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		if (find(&f, cases[i].name, FACET_VALUE) >= 0 && count_of(&f, cases[i].name) != cases[i].count)
			fail_msg("%s: %u", cases[i].name, count_of(&f, cases[i].name));
	assert_int_equal(count_of(&f, "emotion joy"), 4);
	sum = count_of(&f, "verdict of a right") + count_of(&f, "verdict of a wrong") +
	      count_of(&f, "verdict of a uncounted");
	assert_int_equal(sum, 6);
	filter(&f, "emotion:joy tags:x");
	assert_int_equal(f.app.scene.n_shown, 1);
	assert_int_equal(count_of(&f, "emotion joy"), 1); /* of tags:x */
	assert_int_equal(count_of(&f, "emotion fear"), 1);
	assert_int_equal(count_of(&f, "tags x"), 1); /* of emotion:joy alone */
	assert_int_equal(count_of(&f, "tags y"), 1);
	tear_down(&f);
}

/* --- choosing --- */

static void test_choose(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	go(&f, "emotion fear", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "emotion:fear");
	assert_int_equal(f.app.scene.n_shown, 1);
	assert_int_equal(state_of(&f, "emotion fear"), GROUP_IN);
	go(&f, "emotion joy", FACET_VALUE);
	command(&f, "toggle", "");
	assert_filter(&f, "emotion:joy/*,fear");
	assert_int_equal(f.app.scene.n_shown, 5);
	command(&f, "enter", "");
	assert_filter(&f, "emotion:fear");
	go(&f, "emotion (none)", FACET_VALUE);
	command(&f, "facet-exclude", "");
	assert_filter(&f, "emotion:fear -emotion:(none)");
	command(&f, "facet-only", "");
	assert_filter(&f, "emotion:(none)");
	go(&f, "verdict of a wrong", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "emotion:(none) wrong@m1/cw");
	go(&f, "verdict of a right", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "emotion:(none) (right@m1/cw or wrong@m1/cw)");
	go(&f, "emotion", FACET_HEAD);
	command(&f, "facet-only", "");
	assert_filter(&f, "right@m1/cw or wrong@m1/cw");
	go(&f, "emotion joy", FACET_VALUE);
	command(&f, "facet-exclude", "");
	assert_filter(&f, "(right@m1/cw or wrong@m1/cw) -emotion:joy/*");
	assert_int_equal(state_of(&f, "emotion joy"), GROUP_OUT);
	tear_down(&f);
}

static void test_ranges(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x80");
	go(&f, "size 2.5 to 3", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "size>=2.5 size<3");
	assert_int_equal(f.app.scene.n_shown, 1);
	go(&f, "size 3 to 3.5", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "size>=2.5 size<3.5"); /* neighbours are one range */
	go(&f, "size 1 to 1.5", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "size<1.5 or size>=2.5 size<3.5");
	assert_int_equal(f.app.scene.n_shown, 2);
	filter(&f, "size>=4");
	assert_int_equal(state_of(&f, "size 4 to 4.5"), GROUP_IN);
	assert_int_equal(state_of(&f, "size 3 to 3.5"), GROUP_FREE);
	assert_true(find(&f, "size", FACET_REMARK) < 0);
	filter(&f, "size>4.2"); /* meets no bound */
	assert_true(find(&f, "size", FACET_REMARK) >= 0);
	assert_int_equal(count_of(&f, "size 4 to 4.5"), 0);
	assert_int_equal(count_of(&f, "size 5 to 5.5"), 1);
	filter(&f, "");
	go(&f, "size 5 to 5.5", FACET_VALUE);
	command(&f, "facet-exclude", "");
	assert_filter(&f, "-(size>=5 size<5.5)");
	assert_int_equal(f.app.scene.n_shown, 5);
	command(&f, "enter", "");
	assert_filter(&f, "");
	tear_down(&f);
}

/* Columns of the longest bar, in a pane of w columns. */
static int longest_bar(const struct fixture *f, int w)
{
	struct cells grid = {0};
	int most = 0;

	cells_resize(&grid, 40, w);
	facets_draw(&f->pane, false, &grid, (struct rect){0, 0, 40, w});
	for (int y = 0; y < 40; y++) {
		int n = 0;

		for (int x = 0; x < w; x++)
			n += cells_at(&grid, y, x)->style == STYLE_BAR;
		most = n > most ? n : most;
	}
	cells_release(&grid);
	return most;
}

/* A bar gives some of its columns to names that would be cut, and all where there is no room. */
static void test_widths(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	filter(&f, "emotion:joy/*");
	f.pane.count_w = 5;
	f.pane.name_w = 9;
	assert_int_equal(longest_bar(&f, 31), 5);
	f.pane.name_w = 11;
	assert_int_equal(longest_bar(&f, 33), 5);
	assert_int_equal(longest_bar(&f, 32), 4);
	assert_int_equal(longest_bar(&f, 31), 3);
	f.pane.name_w = 22; /* not for the longest of all names */
	assert_int_equal(longest_bar(&f, 36), 5);
	assert_int_equal(longest_bar(&f, 31), 2);
	assert_int_equal(longest_bar(&f, 25), 0);
	tear_down(&f);
}

/* A filter that was typed is shown as chosen where its shape allows. */
static void test_typed(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	filter(&f, "Emotion:Delight wrong@\"m1/cw\" cat:S");
	command(&f, "last", "");
	assert_int_equal(state_of(&f, "verdict of a wrong"), GROUP_IN);
	assert_int_equal(state_of(&f, "emotion joy"), GROUP_PART);
	go(&f, "emotion joy", FACET_VALUE);
	command(&f, "right", "");
	assert_int_equal(state_of(&f, "emotion delight"), GROUP_IN);
	filter(&f, "tags:x tags:y"); /* both: a choice of two would be either */
	assert_int_equal(state_of(&f, "tags x"), GROUP_IN);
	assert_int_equal(state_of(&f, "tags y"), GROUP_FREE);
	assert_true(find(&f, "tags", FACET_REMARK) >= 0);
	go(&f, "tags y", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "tags:x,y tags:y");
	filter(&f, "emotion:fear or tags:x"); /* of no group alone */
	assert_int_equal(state_of(&f, "emotion fear"), GROUP_FREE);
	go(&f, "emotion fear", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "(emotion:fear or tags:x) emotion:fear");
	step(&f, ":run-a m2"); /* a is another run now: the filter names the first */
	filter(&f, "wrong@m1/cw");
	assert_int_equal(state_of(&f, "verdict of a wrong"), GROUP_FREE);
	tear_down(&f);
}

/* --- moving --- */

static void test_fold(void **state)
{
	struct fixture f;
	size_t n;

	(void)state;
	set_up(&f, "100x60");
	n = f.pane.lines.n;
	go(&f, "emotion", FACET_HEAD);
	command(&f, "enter", "");
	assert_true(f.pane.lines.n < n);
	assert_true(find(&f, "emotion joy", FACET_VALUE) < 0);
	command(&f, "right", "");
	assert_int_equal(f.pane.lines.n, n);
	go(&f, "emotion joy", FACET_VALUE);
	command(&f, "right", "");
	assert_int_equal(f.pane.lines.n, n + 1);
	assert_int_equal(count_of(&f, "emotion delight"), 2);
	go(&f, "emotion delight", FACET_VALUE);
	command(&f, "left", "");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "emotion joy", FACET_VALUE));
	command(&f, "left", "");
	assert_int_equal(f.pane.lines.n, n);
	command(&f, "left", "");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "emotion", FACET_HEAD));
	command(&f, "next-class", "");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "tags", FACET_HEAD));
	command(&f, "previous-class", "");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "emotion", FACET_HEAD));
	/* on its own value, whatever comes and goes above */
	go(&f, "tags y", FACET_VALUE);
	filter(&f, "wrong");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "tags y", FACET_VALUE));
	tear_down(&f);
}

static void test_search(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	go(&f, "emotion", FACET_HEAD);
	command(&f, "search-typing", "LI");
	assert_true(find(&f, "emotion delight", FACET_VALUE) >= 0);
	assert_true(find(&f, "emotion joy", FACET_VALUE) < 0);
	assert_true(find(&f, "tags x", FACET_VALUE) >= 0); /* other groups stay */
	command(&f, "search", "LI");
	assert_int_equal(f.pane.list.cursor, (uint32_t)find(&f, "emotion delight", FACET_VALUE));
	command(&f, "search-next", "");
	command(&f, "enter", "");
	assert_filter(&f, "emotion:delight");
	command(&f, "escape", "");
	assert_true(find(&f, "emotion joy", FACET_VALUE) >= 0);
	command(&f, "search", "zzz");
	assert_string_equal(buf_cstr(&f.app.message), "no value of emotion has \"zzz\" in it");
	tear_down(&f);
}

static void test_scores(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	go(&f, "score of a", FACET_HEAD);
	assert_true(find(&f, "score of a 0 to 0.5", FACET_VALUE) < 0);
	command(&f, "enter", "");
	assert_true(f.pane.lines.n > f.pane.list.cursor + 1);
	command(&f, "down", "");
	command(&f, "enter", "");
	assert_non_null(f.app.scene.filter);
	assert_true(strncmp(f.app.scene.filter, "score@m1/cw<", 12) == 0);
	tear_down(&f);
}

static void test_tags(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	assert_true(find(&f, "tags", FACET_HEAD) == find(&f, "tags x", FACET_VALUE) - 1); /* the facet */
	step(&f, "t o d d Enter");
	update(&f);
	assert_int_equal(count_of(&f, "tags odd"), 1);
	go(&f, "tags odd", FACET_VALUE);
	command(&f, "enter", "");
	assert_filter(&f, "tag:odd");
	assert_int_equal(f.app.scene.n_shown, 1);
	step(&f, ":untag odd");
	command(&f, "down", ""); /* before anything is drawn */
	assert_int_equal(count_of(&f, "tags odd"), 0); /* it is chosen still */
	filter(&f, "");
	assert_true(find(&f, "tags odd", FACET_VALUE) < 0);
	tear_down(&f);
}

/* What was looked at is no edit, and counts all the same. */
static void test_seen(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	user_see(f.app.edit.user, 2);
	update(&f);
	assert_int_equal(count_of(&f, "yours seen"), 1);
	filter(&f, "-seen");
	assert_int_equal(f.app.scene.n_shown, 5);
	assert_int_equal(state_of(&f, "yours seen"), GROUP_OUT);
	user_see(f.app.edit.user, 3);
	update(&f);
	assert_int_equal(count_of(&f, "yours seen"), 2);
	assert_int_equal(count_of(&f, "emotion fear"), 0); /* sample 2 */
	assert_int_equal(count_of(&f, "emotion (none)"), 1);
	assert_int_equal(count_of(&f, "emotion joy"), 3); /* but for 3, which the list keeps */
	tear_down(&f);
}

/* --- what takes time --- */

static bool any_counted(const struct facets *f)
{
	for (size_t k = 0; k < f->groups->n; k++)
		if (f->groups->v[k].counted)
			return true;
	return false;
}

static void test_texts(void **state)
{
	struct err err = ERR_INIT;
	struct fixture f;

	(void)state;
	set_up(&f, "100x60");
	filter(&f, "emotion:joy/*");
	assert_int_equal(narrow_set(&f.app, STR("emotion:joy/* answer~answer"), NULL, &err), OK);
	assert_true(facets_update(&f.pane, &f.app, 0, 40));
	assert_non_null(f.app.narrow.waiting);
	assert_false(any_counted(&f.pane)); /* no number rather than an old one */
	assert_int_equal(state_of(&f, "emotion joy"), GROUP_IN);
	pool_settle(f.app.pool); /* the list's filter */
	update(&f);
	pool_settle(f.app.pool); /* the text alone, for the group that has a choice */
	update(&f);
	assert_int_equal(f.app.scene.n_shown, 3);
	assert_int_equal(count_of(&f, "emotion joy"), 3);
	assert_int_equal(count_of(&f, "emotion fear"), 1);
	go(&f, "emotion fear", FACET_VALUE);
	command(&f, "enter", ""); /* all that it needs is known */
	assert_null(f.app.narrow.waiting);
	assert_int_equal(f.app.scene.n_shown, 4);
	tear_down(&f);
}

/* A project that opens in the middle of a search: all values are there, without numbers, and the
 * pane stays at its first line when they come. */
static void test_begins_waiting(void **state)
{
	struct facets fresh = {0};
	struct err err = ERR_INIT;
	struct fixture f;
	size_t n;

	(void)state;
	set_up(&f, "100x60");
	assert_int_equal(narrow_set(&f.app, STR("answer~answer"), NULL, &err), OK);
	assert_true(facets_update(&fresh, &f.app, 0, 4));
	assert_non_null(f.app.narrow.waiting);
	assert_false(any_counted(&fresh));
	n = fresh.lines.n;
	pool_settle(f.app.pool);
	assert_true(facets_update(&fresh, &f.app, f.app.reactions, 4));
	assert_null(f.app.narrow.waiting);
	assert_true(any_counted(&fresh));
	assert_int_equal(fresh.lines.n, n);
	assert_int_equal(fresh.list.cursor, 0);
	assert_int_equal(fresh.list.top, 0);
	facets_release(&fresh);
	tear_down(&f);
}

/* --- in Browse --- */

static void test_keys(void **state)
{
	struct fixture f;

	(void)state;
	set_up(&f, "100x30");
	step(&f, "Tab j Enter");
	assert_filter(&f, "cat:S+");
	step(&f, "j -");
	assert_filter(&f, "cat:S+ -cat:S-");
	step(&f, ",");
	assert_filter(&f, "cat:S-");
	step(&f, "Tab j Enter"); /* the list again: a sample opens */
	assert_string_equal(f.app.top->class->name, "sample");
	step(&f, "q");
	step(&f, "Tab Space q");
	assert_filter(&f, "");
	assert_string_equal(f.app.top->class->name, "browse");
	tear_down(&f);
	set_up(&f, "40x10");
	step(&f, "Tab j j Enter Esc");
	assert_filter(&f, "cat:S-");
	step(&f, "j k");
	assert_int_equal(f.app.scene.n_shown, 1);
	tear_down(&f);
}

/* --- at random --- */

static uint32_t dice(uint32_t *seed, uint32_t n)
{
	*seed = *seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)*seed * n) >> 32);
}

static uint32_t length_of(struct fixture *f, const char *text)
{
	struct err err = ERR_INIT;
	const struct filter_ctx *ctx = narrow_ctx(&f->app, &err);
	struct filter *list = NULL;
	uint64_t bits[2] = {0};

	if (filter_parse(str_z(text), ctx, &list, NULL, &err) != OK ||
	    filter_eval(list, ctx, bits, NULL, &err) != OK)
		fail_msg("%s: %s", text, err.msg);
	if (f->app.scene.base)
		bits_and(bits, f->app.scene.base, f->app.scene.snap->n);
	filter_free(list);
	return (uint32_t)bits_count(bits, f->app.scene.snap->n);
}

static void check_numbers(struct fixture *f)
{
	const struct filter *list = f->app.scene.filter_off ? NULL : f->pane.filter;

	for (size_t i = 0; i < f->pane.lines.n; i++) {
		const struct facet_line *line = &f->pane.lines.v[i];
		const struct group *g = &f->pane.groups->v[line->group];
		struct buf text = BUF_INIT;

		if (line->kind != FACET_VALUE)
			continue;
		assert_true(g->counted);
		groups_select(f->pane.groups, f->pane.ctx, list);
		groups_write(f->pane.groups, f->pane.ctx, line->group, line->value, GROUP_ONLY, list, &text);
		if (length_of(f, buf_cstr(&text)) != g->count[line->value])
			fail_msg("%s says %u, %s has %u", f->app.scene.filter ? f->app.scene.filter : "all",
				 g->count[line->value], buf_cstr(&text), length_of(f, buf_cstr(&text)));
		buf_release(&text);
	}
}

static void test_random(void **state)
{
	static const char *const names[] = {"down", "down", "up", "page-down", "page-up", "first", "last", "enter", "enter",
					    "toggle", "facet-only", "facet-exclude", "left", "right", "next-class",
					    "previous-class", "search-next", "facet-order", "escape"};
	static const char *const lines[] = {":run-a m2", ":run-a m1/cw", "t o d d Enter", ":untag odd", "Space", "u", "Ctrl-r", "p Space Esc",
					    "Tab j", "j", "n"};
	static const char *const filters[] = {"answer~answer", "text~answer emotion:joy", "wrong@any", "", "size>2",
					      "tags:x tags:y", "mark or tag:odd"};
	const char *given = getenv("QUALM_SEED");
	uint32_t seed = given ? (uint32_t)strtoul(given, NULL, 10) : 3;
	struct fixture f;

	(void)state;
	set_up(&f, "120x36");
	step(&f, "t o d d Enter");
	for (int i = 0; i < 3000; i++) {
		uint32_t what = dice(&seed, 40);
		struct err err = ERR_INIT;

		if (what == 0)
			narrow_base(&f.app);
		else if (what == 1)
			narrow_toggle(&f.app);
		else if (what == 2)
			(void)narrow_set(&f.app, str_z(filters[dice(&seed, 7)]), NULL, &err);
		else if (what == 3)
			(void)facets_command(&f.pane, &f.app, "search-typing", dice(&seed, 2) ? STR("o") : STR_NONE);
		else if (what < 7)
			step(&f, lines[dice(&seed, 11)]);
		else
			(void)facets_command(&f.pane, &f.app, names[dice(&seed, 19)], STR_NONE);
		for (int k = 0; k < 4 && dice(&seed, 3) == 0; k++)
			pool_settle(f.app.pool);
		if (dice(&seed, 4))
			continue;
		pool_settle(f.app.pool);
		update(&f);
		pool_settle(f.app.pool);
		update(&f);
		if (!f.app.narrow.waiting && !f.pane.broken)
			check_numbers(&f);
	}
	tear_down(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts), cmocka_unit_test(test_choose), cmocka_unit_test(test_ranges),
	    cmocka_unit_test(test_typed),  cmocka_unit_test(test_fold),   cmocka_unit_test(test_search),
	    cmocka_unit_test(test_scores), cmocka_unit_test(test_tags),   cmocka_unit_test(test_texts), cmocka_unit_test(test_seen),
	    cmocka_unit_test(test_begins_waiting), cmocka_unit_test(test_widths),
	    cmocka_unit_test(test_keys),   cmocka_unit_test(test_random)};

	setlocale(LC_CTYPE, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
