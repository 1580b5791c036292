/* An answer that is longer than the screen. */
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "core/net/net.h"
#include "tests/unit/lib_asked.h"
#include "tests/unit/lib_screen.h"

static bool comes(struct screen *s, const char *text, bool there)
{
	int64_t since = app_clock();

	while (screen_has(s, text) != there && app_clock() - since < 20000)
		screen_turn(s, 10);
	return screen_has(s, text) == there;
}

/* What came last is seen, unless one looks back; in the end what the answer is worth. */
static void its_end_is_followed(struct asked_world *w, struct screen *s)
{
	struct buf said = BUF_INIT;

	for (int i = 0; i < 60; i++)
		buf_z(&said, "a line\n");
	buf_z(&said, "half way");
	for (int i = 0; i < 59; i++)
		buf_z(&said, "\na line");
	buf_z(&said, "\n   Answer: hen");
	w->answer = buf_cstr(&said);
	atomic_store(&w->how, ASKED_HOLD);
	screen_step(s, "7");
	app_key(&s->app, KEYC_ENTER);
	assert_true(comes(s, "half way", true));
	app_key(&s->app, KEYC_CTRL | 'u');
	assert_true(comes(s, "half way", false));
	app_key(&s->app, KEYC_CTRL | 'd');
	assert_true(comes(s, "half way", true));
	assert_false(screen_has(s, "is answering"));
	atomic_store(&w->go, true);
	assert_true(comes(s, "hen  right", true));
	buf_release(&said);
}

static void a_long_answer(void **state)
{
	struct asked_world w;
	struct screen s = {0};
	struct err err = ERR_INIT;

	(void)state;
	asked_begin(&w);
	s.cli = (struct cli){.headless = "100x40", .script = "-", .view = "browse", .endpoints = &w.endpoints};
	if (app_open(&s.app, &s.cli, w.p.path, &err) != OK || app_open_term(&s.app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&s.app, app_clock());
	its_end_is_followed(&w, &s);
	app_close(&s.app);
	asked_end(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_long_answer)};

	setlocale(LC_CTYPE, "C.UTF-8");
	if (!net_available()) {
		puts("skip asking_long: there is no libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
