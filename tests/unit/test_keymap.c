/* Keys and the commands that they run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tui/cmd.h"
#include "tui/keymap.h"
#include "tui/term/term.h"

static void keymap_of(struct keymap *km, const char *text, bool user, struct buf *problems)
{
	keymap_load(km, text, "keys", user, problems);
	keymap_check(km, problems);
}

static void test_default_keys(void **state)
{
	struct keymap km = {0};
	struct buf problems = BUF_INIT;

	(void)state;
	keymap_of(&km, default_keys, false, &problems);
	assert_string_equal(buf_cstr(&problems), "");
	assert_true(km.bindings.n > 40);
	for (size_t i = 0; i < km.bindings.n; i++) {
		struct str name;
		const struct command *c;

		str_cut(str_z(km.bindings.v[i].command), ' ', &name);
		c = command_find(name);
		if (!c || !c->screen)
			fail_msg("%s is bound and is no screen command", km.bindings.v[i].command);
	}
	keymap_release(&km);
	buf_release(&problems);
}

static void test_keymap_problems(void **state)
{
	static const struct {
		const char *text, *problem;
	} cases[] = {
	    {"j down\nj up\n", "keys:2: the key has two commands\n"},
	    {"g first\ng g last\n", "the key g is the beginning of gg\n"},
	    {"[common]\ng g last\n[browse]\ng up\n", "the key g is the beginning of gg\n"},
	    {"[browse]\ng g last\n[prompt]\ng up\n", ""},
	    {"[common]\nj down\n[browse]\nj up\n", ""},
	    {"down\n", "keys:1: expected key names and a command\n"},
	    {"j\n", "keys:1: expected key names and a command\n"},
	    {"a b c d e down\n", "keys:1: expected key names and a command\n"},
	    {"[nowhere]\nj down\nj up\n", "keys:1: there is no mode [nowhere]\n"},
	    {"# j down\n\n  j   down  \n", ""},
	    {"[ up\n] down\n", ""},
	    {"1 view browse\n", ""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct keymap km = {0};
		struct buf problems = BUF_INIT;

		keymap_of(&km, cases[i].text, false, &problems);
		assert_string_equal(buf_cstr(&problems), cases[i].problem);
		keymap_release(&km);
		buf_release(&problems);
	}
}

static const char *lookup(const struct keymap *km, enum mode mode, const char *keys)
{
	uint32_t key[KEYMAP_MAX_KEYS];
	struct str bad;
	const char *command = "?";
	int n;

	assert_true(keymap_parse_keys(str_z(keys), key, KEYMAP_MAX_KEYS, &n, &bad));
	switch (keymap_find(km, mode, key, n, &command)) {
	case KEYMAP_FOUND:
		return command;
	case KEYMAP_PREFIX:
		return "(more)";
	default:
		return "(none)";
	}
}

static void test_keymap_lookup(void **state)
{
	struct keymap km = {0};
	struct buf problems = BUF_INIT, keys = BUF_INIT;

	(void)state;
	keymap_of(&km,
		  "[common]\nj down\ng g first\nq back\nDown down\n1 view browse\n[browse]\nq quit\n",
		  false, &problems);
	keymap_of(&km, "[common]\nj up\n[sample]\nq none\n", true, &problems);
	assert_string_equal(buf_cstr(&problems), "");
	assert_string_equal(lookup(&km, MODE_COMMON, "q"), "back");
	assert_string_equal(lookup(&km, MODE_BROWSE, "q"), "quit");
	assert_string_equal(lookup(&km, MODE_SAMPLE, "q"), "(none)");
	assert_string_equal(lookup(&km, MODE_BROWSE, "j"), "up");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g"), "(more)");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g g"), "first");
	assert_string_equal(lookup(&km, MODE_BROWSE, "g x"), "(none)");
	assert_string_equal(lookup(&km, MODE_PROMPT, "j"), "(none)");
	assert_string_equal(lookup(&km, MODE_HELP, "1"), "view browse");
	assert_true(keymap_keys(&km, MODE_BROWSE, "first", 3, &keys));
	assert_string_equal(buf_cstr(&keys), "gg");
	buf_clear(&keys);
	assert_false(keymap_keys(&km, MODE_BROWSE, "back", 3, &keys)); /* hidden by the nearer q */
	keymap_release(&km);
	buf_release(&problems);
	buf_release(&keys);
}

static void test_screen_commands(void **state)
{
	(void)state;
	for (size_t i = 0; commands[i]; i++) {
		if (!commands[i]->screen)
			continue;
		assert_non_null(commands[i]->help);
		assert_true(commands[i]->help[0] != '\0');
		assert_non_null(commands[i]->args);
		assert_true(commands[i]->group && commands[i]->group[0]);
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(commands[i]->name, commands[k]->name);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_default_keys), cmocka_unit_test(test_keymap_problems),
	    cmocka_unit_test(test_keymap_lookup), cmocka_unit_test(test_screen_commands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
