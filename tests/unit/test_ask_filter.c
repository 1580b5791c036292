/* The prompt, and the one for the list's filter: what it says as one types, history, completing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <locale.h>

#include "tests/unit/lib_screen.h"

/* --- the line itself --- */

static void put_keys(struct prompt *p, const char *text)
{
	for (; *text; text++)
		prompt_insert(p, (unsigned char)*text);
}

static void test_line(void **state)
{
	struct prompt p = {0};

	(void)state;
	prompt_open(&p, ':');
	put_keys(&p, "save the day");
	prompt_command(&p, "prompt-erase-word");
	assert_string_equal(buf_cstr(&p.text), "save the ");
	prompt_command(&p, "prompt-erase");
	prompt_command(&p, "prompt-home");
	prompt_insert(&p, 0xe9);
	prompt_command(&p, "prompt-right");
	prompt_command(&p, "prompt-delete");
	assert_string_equal(buf_cstr(&p.text), "\xc3\xa9sve the");
	prompt_insert(&p, 0x1b);   /* never into the text */
	prompt_insert(&p, 0x202e);
	assert_string_equal(buf_cstr(&p.text), "\xc3\xa9sve the");
	prompt_command(&p, "prompt-erase-all");
	assert_string_equal(buf_cstr(&p.text), "ve the");
	prompt_close(&p, true);
	prompt_open(&p, ':');
	put_keys(&p, "two");
	prompt_close(&p, true);
	prompt_open(&p, ':');
	prompt_command(&p, "prompt-older");
	assert_string_equal(buf_cstr(&p.text), "two");
	prompt_command(&p, "prompt-older");
	prompt_command(&p, "prompt-older");
	assert_string_equal(buf_cstr(&p.text), "ve the");
	prompt_command(&p, "prompt-newer");
	prompt_command(&p, "prompt-newer");
	assert_string_equal(buf_cstr(&p.text), "");
	assert_false(prompt_command(&p, "down"));
	prompt_release(&p);
}

/* --- the filter --- */

static void test_states(void **state)
{
	struct screen *f = *state;
	static const struct {
		const char *text;
		enum ask_state state;
		uint32_t n;         /* counted */
		size_t at, n_fault; /* wrong */
	} cases[] = {
	    {"", ASK_COUNTED, 6, 0, 0},
	    {"right", ASK_COUNTED, 3, 0, 0},
	    {"emotion:joy ", ASK_COUNTED, 2, 0, 0},
	    {"answer~4", ASK_COUNTED, 1, 0, 0},
	    {"wro", ASK_UNFINISHED, 0, 0, 0},
	    {"right emot", ASK_UNFINISHED, 0, 0, 0},
	    {"emotion:", ASK_UNFINISHED, 0, 0, 0},
	    {"(right", ASK_UNFINISHED, 0, 0, 0},
	    {"text~\"two w", ASK_UNFINISHED, 0, 0, 0},
	    {"right or ", ASK_UNFINISHED, 0, 0, 0},
	    {"wrnog", ASK_WRONG, 0, 0, 5},
	    {"wro right", ASK_WRONG, 0, 0, 3},
	    {"right emotion:rage", ASK_WRONG, 0, 14, 4},
	    {"right@nobody right", ASK_WRONG, 0, 6, 6},
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		screen_ask(f, cases[i].text);
		if (f->app.ask.state != cases[i].state)
			fail_msg("%s: state %d, %s", cases[i].text, f->app.ask.state,
				 buf_cstr(&f->app.ask.problem));
		if (cases[i].state == ASK_COUNTED)
			assert_int_equal(f->app.ask.n, cases[i].n);
		assert_int_equal(f->app.prompt.fault_n, cases[i].n_fault);
		if (cases[i].n_fault)
			assert_int_equal(f->app.prompt.fault_at, cases[i].at);
		screen_step(f, "Esc");
		assert_string_equal(screen_filter(f), "");
	}
}

static void test_enter_and_leave(void **state)
{
	struct screen *f = *state;

	screen_ask(f, "right");
	screen_expect(f, "0 1 2 3 4 5"); /* until Enter */
	screen_step(f, "Enter");
	assert_int_equal(f->app.prompt.sign, 0);
	assert_string_equal(screen_filter(f), "right@m1/cw");
	screen_expect(f, "0 1 2");
	screen_step(f, "i");
	assert_string_equal(screen_typed(f), "right "); /* as it was typed: it goes on to follow a */
	screen_type(f, "emotion:joy");
	screen_step(f, "Enter");
	assert_true(screen_has(f, "right@m1/cw ▸ emotion:joy"));
	screen_expect(f, "0");
	screen_ask(f, "wrnog");
	screen_step(f, "Enter");
	assert_int_equal(f->app.prompt.sign, PROMPT_FILTER); /* nothing typed is lost */
	assert_true(screen_has(f, "did you mean wrong?"));
	assert_true(f->app.prompt.fault_n == 5);
	screen_step(f, "Esc");
	screen_expect(f, "0");
	screen_ask(f, "");
	screen_step(f, "Enter");
	screen_expect(f, "0 1 2 3 4 5");
	screen_ask(f, "emotion:f");
	screen_step(f, "Ctrl-c");
	assert_int_equal(f->app.prompt.sign, 0);
	assert_string_equal(screen_filter(f), "");
}

static void test_history(void **state)
{
	struct screen *f = *state;

	screen_ask(f, "right");
	screen_step(f, "Enter");
	screen_ask(f, "wrong");
	screen_step(f, "Enter");
	screen_ask(f, "half");
	screen_step(f, "Up");
	assert_string_equal(screen_typed(f), "wrong");
	screen_step(f, "Up Up Up");
	assert_string_equal(screen_typed(f), "right");
	screen_step(f, "Down Down Down");
	assert_string_equal(screen_typed(f), "half");
	screen_step(f, "Esc");
}

static void test_completing(void **state)
{
	struct screen *f = *state;

	screen_ask(f, "emoti");
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "emotion:");
	assert_false(f->app.ask.listed);
	screen_step(f, "Tab"); /* several, and nothing they agree in: the first stands there */
	assert_true(f->app.ask.listed);
	assert_string_equal(screen_typed(f), "emotion:joy");
	assert_int_equal(f->app.ask.n, 2); /* counted as one walks */
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "emotion:delight");
	screen_step(f, "Down");
	assert_string_equal(screen_typed(f), "emotion:fear");
	screen_step(f, "BackTab Up");
	assert_string_equal(screen_typed(f), "emotion:joy");
	assert_true(screen_has(f, "delight "));
	screen_step(f, "Esc");
	assert_string_equal(screen_typed(f), "emotion:");
	assert_false(f->app.ask.listed);
	assert_int_equal(f->app.prompt.sign, PROMPT_FILTER);
	screen_step(f, "Tab Tab");
	screen_type(f, " ri"); /* typing on takes what stands there */
	assert_false(f->app.ask.listed);
	screen_step(f, "Tab Enter");
	assert_string_equal(screen_filter(f), "emotion:delight right@m1/cw");
	screen_ask(f, "qqq");
	screen_step(f, "Tab");
	assert_string_equal(screen_typed(f), "qqq");
	screen_step(f, "Esc");
}

/* Counts of offers are those of the filters they stand for. */
static void test_offers_count(void **state)
{
	struct screen *f = *state;
	static const char *const words[] = {"emotion:", "tags:", "gt:", "pred:", "cat:"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		size_t n;

		screen_ask(f, words[i]);
		n = f->app.ask.offers.items.n;
		assert_true(n > 1);
		for (size_t k = 0; k < n; k++) {
			const struct filter_item *it = &f->app.ask.offers.items.v[k];
			uint32_t count = it->count;

			screen_step(f, "Tab");
			if (!f->app.ask.listed || f->app.ask.taken != (int64_t)k)
				fail_msg("%s: offer %zu was not taken", words[i], k);
			if (count != FILTER_NO_COUNT)
				assert_int_equal(f->app.ask.n, count);
			assert_int_equal(f->app.ask.state, ASK_COUNTED);
		}
		screen_step(f, "Ctrl-c");
	}
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, screen_set_up, screen_tear_down)
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_line),
	    TEST(test_states), TEST(test_enter_and_leave), TEST(test_history),
	    TEST(test_completing), TEST(test_offers_count),
	};

	setlocale(LC_ALL, "C.UTF-8");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
