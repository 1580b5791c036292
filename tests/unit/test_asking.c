/* A model asked from the screen: the view Query, many samples, what goes wrong. */
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/xmalloc.h"
#include "core/net/net.h"
#include "tests/unit/lib_asked.h"
#include "tests/unit/lib_screen.h"

struct fixture {
	struct asked_world w;
	struct screen screen;
};

static struct asking *asking(struct fixture *f)
{
	return &f->screen.app.asking;
}

static int setup_sized(void **state, const char *size)
{
	struct fixture *f = xcalloc(1, sizeof *f);
	struct cli *cli = &f->screen.cli;
	struct err err = ERR_INIT;

	asked_begin(&f->w);
	*cli = (struct cli){.headless = size, .script = "-", .view = "browse", .endpoints = &f->w.endpoints};
	if (app_open(&f->screen.app, cli, f->w.p.path, &err) != OK || app_open_term(&f->screen.app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(&f->screen.app, app_clock());
	*state = f;
	return 0;
}

static int setup(void **state)
{
	return setup_sized(state, "100x40");
}

static int setup_narrow(void **state)
{
	return setup_sized(state, "60x40");
}

/* Beside the project, where it is searched for when all is over. */
static void save_last_screen(struct fixture *f)
{
	char line[600];

	snprintf(line, sizeof line, ":save-screen %s/last-screen", f->w.p.folder);
	screen_step(&f->screen, line);
	assert_false(screen_has(&f->screen, ASKED_KEY));
}

static int teardown(void **state)
{
	struct fixture *f = *state;

	save_last_screen(f);
	app_close(&f->screen.app);
	asked_end(&f->w);
	free(f);
	return 0;
}

static void step(struct fixture *f, const char *line)
{
	screen_step(&f->screen, line);
}

/* The loop's turns, without the settling of scripts, until `is`, or fails. */
static void turn_until(struct fixture *f, bool (*is)(struct fixture *f), const char *what)
{
	int64_t since = app_clock();

	while (!is(f)) {
		if (app_clock() - since > 20000)
			fail_msg("%s: it does not come", what);
		screen_turn(&f->screen, 10);
	}
}

static void expect(struct fixture *f, const char *text)
{
	screen_must_have(&f->screen, text);
}

static const struct run *run_named(struct fixture *f, const char *handle)
{
	const struct snapshot *snap = f->screen.app.scene.snap;
	int r = snapshot_run(snap, str_z(handle));

	assert_true(r >= 0);
	return &snap->runs[r];
}

/* --- before anything is sent --- */

static void the_first_look_sends_nothing(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	expect(f, "m 1  e");
	expect(f, "cw  closed world"); /* as a was asked */
	expect(f, "names  4 classes");
	expect(f, "JPEG 32 × 16");
	expect(f, "as it is");
	expect(f, "$QUERY_TEST_KEY");
	expect(f, "m_1/cw/q1");
	expect(f, "Classes: cock, hen, owl, cat");
	step(f, "j j");
	step(f, "o");
	step(f, "P");
	step(f, "Esc");
	assert_int_equal(server_requests(f->w.server), 0);
}

static void what_differs_from_the_stored_run(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	assert_null(asking(f)->look.unlike); /* m0 is another model */
	free(f->w.endpoints.v[0].model);
	f->w.endpoints.v[0].model = xstrdup("M-0 turbo");
	step(f, ":endpoint e");
	expect(f, "m0/cw: its prompt is not stored");
	step(f, "j"); /* it did not answer about this one */
	assert_null(asking(f)->look.unlike);
}

static void what_cannot_be_sent_is_said(void **state)
{
	struct fixture *f = *state;

	step(f, "7 G");
	expect(f, "picture"); /* s5: gone.jpg */
	assert_non_null(asking(f)->look.error);
	step(f, "g g");
	assert_null(asking(f)->look.error);
	assert_false(asking_use_protocol(&f->screen.app, STR("cv")));
	assert_true(strstr(buf_cstr(&f->screen.app.message), "cw") != NULL);
	assert_int_equal(server_requests(f->w.server), 0);
}

/* --- one answer --- */

static bool half_is_there(struct fixture *f)
{
	return str_eqz(buf_view(&asking(f)->live.text), "it is the ");
}

static bool is_over(struct fixture *f)
{
	return !asking(f)->one;
}

static bool is_judged(struct fixture *f)
{
	return is_over(f) && screen_has(&f->screen, "✓ hen  right");
}

static void an_answer_streams_in(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->screen.app;
	const struct run *run;

	f->w.answer = "it is the answer: hen";
	atomic_store(&f->w.how, ASKED_HOLD);
	step(f, "7");
	app_key(app, KEYC_ENTER);
	turn_until(f, half_is_there, "the first half");
	expect(f, "is answering");
	assert_true(app->meters.n == 1);
	/* One browses on meanwhile. */
	app_key(app, 'j');
	app_draw(app, app_clock());
	assert_int_equal(app->scene.current, 1);
	app_key(app, KEYC_ENTER);
	assert_int_equal(server_requests(f->w.server), 1);
	app_key(app, 'k');
	atomic_store(&f->w.go, true);
	turn_until(f, is_judged, "the verdict");
	expect(f, "3 tokens");
	expect(f, "taken as ");
	assert_int_equal(app->meters.n, 0);
	run = run_named(f, "m_1/cw/q1");
	assert_true(run->scratch && run->n_predictions == 1);
	assert_int_equal(app->scene.n_panel, 1);
	assert_true(asking(f)->live.span_n == 3);
}

static void esc_stops_at_once(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->screen.app;
	int64_t since;

	f->w.answer = "it is the answer: hen";
	atomic_store(&f->w.how, ASKED_HOLD);
	step(f, "7");
	app_key(app, KEYC_ENTER);
	turn_until(f, half_is_there, "the first half");
	since = app_clock();
	app_key(app, KEYC_ESC);
	turn_until(f, is_over, "its end");
	assert_in_range(app_clock() - since, 0, 2000); /* the server would hold it for ever */
	assert_int_equal(asking(f)->live.state, ASKING_STOPPED);
	expect(f, "stopped; nothing is kept");
	assert_int_equal(project_int(f->w.p.c, "SELECT count(*) FROM run"), 1);
	step(f, "Esc"); /* nothing is under way: it falls through */
}

static bool words_come(struct fixture *f)
{
	return asking(f)->live.text.n > 20;
}

static bool is_stopped_everywhere(struct fixture *f)
{
	return atomic_load(&f->w.gone) && screen_has(&f->screen, "stopped; nothing is kept");
}

/* From the key to a connection that is closed and a view that says so, in ticks of the server, which
 * goes on sending: a hundred milliseconds of its own clock. The best of three, for busy machines. */
static void esc_stops_within_ticks(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->screen.app;
	int best = INT_MAX;

	atomic_store(&f->w.how, ASKED_TRICKLE);
	step(f, "7");
	for (int i = 0; i < 3 && best > 100 / ASKED_TICK_MS; i++) {
		int at_esc, took;

		atomic_store(&f->w.gone, false);
		app_key(app, KEYC_ENTER);
		turn_until(f, words_come, "the first words");
		assert_false(atomic_load(&f->w.gone));
		at_esc = atomic_load(&f->w.ticks);
		app_key(app, KEYC_ESC);
		turn_until(f, is_stopped_everywhere, "its end");
		took = atomic_load(&f->w.ticks) - at_esc;
		best = took < best ? took : best;
		assert_int_equal(asking(f)->live.state, ASKING_STOPPED);
	}
	assert_in_range(best, 0, 100 / ASKED_TICK_MS);
	assert_int_equal(project_int(f->w.p.c, "SELECT count(*) FROM run"), 1);
}

static void the_same_once_more_is_a_run_of_its_own(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	step(f, "Enter");
	expect(f, "✓ hen  right");
	step(f, "K / 3 Enter");
	step(f, "Enter"); /* chooses 3 */
	expect(f, "3 times");
	step(f, ":repeats 1");
	f->w.answer = "a dodo";
	step(f, "Enter");
	expect(f, "m_1/cw/q2");
	expect(f, "m_1/cw/q1");
	expect(f, "a dodo");
	assert_int_equal(server_requests(f->w.server), 2);
}

static void repeats_follow_each_other(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	step(f, ":repeats 3");
	step(f, "Enter");
	assert_int_equal(server_requests(f->w.server), 3);
	assert_int_equal(f->screen.app.scene.snap->n_runs, 4);
	step(f, ":repeats 0");
	expect(f, "1 to 20 times");
	assert_int_equal(asking(f)->repeats, 3);
}

static void errors_are_told_in_words(void **state)
{
	static const struct {
		int status;
		const char *words;
	} cases[] = {{401, "$QUERY_TEST_KEY (401)"}, {404, "(404)"},
		     {413, "(413)"}, {429, "(429)"}, {500, "(500)"}};
	struct fixture *f = *state;

	step(f, "7");
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		atomic_store(&f->w.status, cases[i].status);
		atomic_store(&f->w.broken, 1);
		step(f, "Enter");
		expect(f, "m 1 did not answer");
		expect(f, cases[i].words);
		expect(f, "today");
	}
	/* A failure is asked again in the same run. */
	step(f, "Enter");
	expect(f, "✓ hen  right");
	assert_int_equal(f->screen.app.scene.snap->n_runs, 2);
}

static void a_cut_stream_is_no_answer(void **state)
{
	struct fixture *f = *state;

	f->w.answer = "hens and ";
	atomic_store(&f->w.how, ASKED_CUT);
	step(f, "7");
	step(f, "Enter");
	expect(f, "did not answer");
	expect(f, "ended before");
	expect(f, "hens");
	assert_int_equal(column_u(&run_named(f, "m_1/cw/q1")->outcome, 0), OUTCOME_ERROR);
}

static void without_an_endpoint(void **state)
{
	static const struct endpoint_list none;
	struct fixture *f = *state;

	f->screen.cli.endpoints = &none;
	step(f, "7");
	expect(f, "no endpoint is configured");
	step(f, "Enter");
	step(f, "m");
	expect(f, "man 5 qualm");
	f->screen.cli.endpoints = &f->w.endpoints;
}

static void the_stored_answers_stand_below_when_it_is_narrow(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	expect(f, "✗ owl  wrong  m0/cw");
	step(f, "Enter");
	expect(f, "✓ hen  right");
	expect(f, "✗ owl  wrong  m0/cw");
}

/* --- how it is asked --- */

static void write_editor(struct fixture *f, const char *script)
{
	char path[512];
	FILE *out;

	snprintf(path, sizeof path, "%s/an editor", f->w.p.folder);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "#!/bin/sh\n%s\n", script);
	fclose(out);
	chmod(path, 0700);
	snprintf(path, sizeof path, "'%s/an editor' -x", f->w.p.folder);
	unsetenv("VISUAL");
	setenv("EDITOR", path, 1);
}

static bool was_sent(struct fixture *f, const char *text)
{
	struct buf seen = BUF_INIT;
	bool found;

	server_received(f->w.server, &seen);
	found = str_find(buf_view(&seen), str_z(text)) != SIZE_MAX;
	buf_release(&seen);
	return found;
}

static void the_prompt_is_edited(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	write_editor(f, "[ \"$1\" = -x ] && [ \"$(stat -c %a \"$2\")\" = 600 ] &&\n"
			"grep -q '{classes}' \"$2\" && echo 'Which of {classes} is it, quickly?' > \"$2\"");
	step(f, "w");
	expect(f, "your own");
	expect(f, "Which of cock, hen, owl, cat is it, quickly?");
	step(f, "Enter");
	assert_true(was_sent(f, "Which of cock, hen, owl, cat is it, quickly?"));
	step(f, "k"); /* the answer tells by which prompt it came, once another is the last */
	write_editor(f, "exit 3");
	step(f, "w");
	expect(f, "ended with status 3");
	write_editor(f, "printf '  \\n' > \"$2\"");
	step(f, "w");
	expect(f, "the text is empty");
	write_editor(f, "true");
	step(f, "w");
	expect(f, "the prompt is as it was");
	write_editor(f, "echo 'Is it {classes} or {clases}?' > \"$2\"");
	step(f, "w");
	expect(f, "{clases}");
	assert_non_null(asking(f)->look.error);
	step(f, "W");
	expect(f, "the protocol's own");
	step(f, "Enter");
	expect(f, "prompt: Which of {classes} is it, quickly?");
	assert_int_equal(server_requests(f->w.server), 2);
	unsetenv("EDITOR");
}

static void a_crop_is_sent(void **state)
{
	struct fixture *f = *state;
	struct send_crop c;

	step(f, "7");
	step(f, "z");
	expect(f, "the whole picture is sent");
	step(f, "H H H H H H H H H H");
	step(f, "l l");
	expect(f, "50 % × 100 % of it, from 10 %, 0 %: 16 × 16 pixels");
	step(f, "Backspace");
	expect(f, "JPEG 16 × 16");
	expect(f, "cropped");
	c = asking_crop(&f->screen.app.asking, 0);
	assert_float_equal(c.w, 0.5, 1e-9);
	assert_float_equal(c.x, 0.1, 1e-9);
	step(f, "Enter");
	expect(f, "✓ hen  right");
	step(f, "z J L Esc"); /* as before */
	assert_float_equal(asking_crop(&f->screen.app.asking, 0).w, 0.5, 1e-9);
	step(f, "z o Enter");
	assert_true(asking_crop(&f->screen.app.asking, 0).w == 0);
	step(f, "Enter");
	expect(f, "50 % × 100 % of the picture, from 10 %, 0 %");
	assert_int_equal(f->screen.app.scene.snap->n_runs, 3);
	step(f, "z K K K");
	step(f, "q j"); /* a crop is of one picture */
	expect(f, "as it is");
	step(f, "Z");
	expect(f, "all of 32 × 16");
	step(f, "+ + + + + + + + l l l l l l j j j j"); /* what one sees is what is cropped */
	step(f, ":crop");
	c = asking_crop(&f->screen.app.asking, 1);
	assert_true(c.w > 0 && c.w < 1);
	assert_float_equal(c.x + c.w, 1, 1e-9);
	step(f, "q");
	expect(f, "cropped");
}

static void the_offer_is_chosen(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	step(f, "o / i d s Enter");
	step(f, "Enter");
	expect(f, "offered   ids");
	expect(f, "n07");
	step(f, "Enter");
	assert_true(was_sent(f, "n07, n08, n09, n10") || was_sent(f, "n07: cock"));
	step(f, ":protocol mc");
	expect(f, "options: random  4 options");
	f->w.answer = "no letter at all";
	step(f, "Enter");
	expect(f, "no rule fits");
}

/* --- many --- */

static void many_are_asked_after_a_question(void **state)
{
	struct fixture *f = *state;

	step(f, "7");
	step(f, ":query 4");
	expect(f, "ask about 4 samples (of 6), about 1,200 tokens: m 1/cw at 127.0.0.1:");
	step(f, "n");
	assert_int_equal(server_requests(f->w.server), 0);
	atomic_store(&f->w.broken, 2);
	step(f, ":query 4");
	step(f, "y");
	assert_int_equal(server_requests(f->w.server), 4);
	expect(f, "2 of 4 answered, 2 failed");
	step(f, ":failures");
	expect(f, "not today");
	step(f, "Esc");
	step(f, ":query again"); /* the failures alone */
	assert_int_equal(server_requests(f->w.server), 6);
	expect(f, "m 1 has answered for 2 samples");
	step(f, ":query again");
	expect(f, "all 4 are answered");
	assert_int_equal(server_requests(f->w.server), 6);
	assert_int_equal(run_named(f, "m_1/cw/q1")->n_predictions, 4);
}

static void marked_ones_are_asked(void **state)
{
	struct fixture *f = *state;

	step(f, "j Space j Space");
	step(f, "; :");
	screen_type(&f->screen, "query");
	step(f, "Enter");
	expect(f, "about 2 samples");
	step(f, "y");
	assert_int_equal(server_requests(f->w.server), 2);
	assert_int_equal(column_u(&run_named(f, "m_1/cw/q1")->label, 1), 1);
	assert_int_equal(column_u(&run_named(f, "m_1/cw/q1")->outcome, 0), OUTCOME_MISSING);
}

static bool two_hang(struct fixture *f)
{
	return server_requests(f->w.server) >= 2;
}

static bool many_are_over(struct fixture *f)
{
	return !asking(f)->busy;
}

static void many_are_stopped(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->screen.app;

	atomic_store(&f->w.how, ASKED_HOLD);
	step(f, ":query 5");
	app_key(app, 'y');
	turn_until(f, two_hang, "two requests");
	assert_int_equal(app->meters.n, 1);
	app_key(app, '7');
	app_key(app, KEYC_ENTER); /* one at a time */
	assert_true(strstr(buf_cstr(&app->message), "asking m 1") != NULL);
	app_key(app, KEYC_CTRL | 'c');
	turn_until(f, many_are_over, "its end");
	expect(f, "0 of 5 answered");
	assert_int_equal(server_requests(f->w.server), 2);
	atomic_store(&f->w.how, ASKED_STREAM);
	step(f, ":query again");
	assert_int_equal(run_named(f, "m_1/cw/q1")->n_predictions, 5);
}

/* What came before the end is in the project: the app waits for its commit. */
static void leaving_keeps_what_came(void **state)
{
	struct fixture *f = *state;
	struct app *app = &f->screen.app;
	struct err err = ERR_INIT;

	step(f, "7");
	app_key(app, KEYC_ENTER);
	while (asking(f)->live.state == ASKING_NOW) {
		struct pollfd fd = {pool_fd(app->pool), POLLIN, 0};

		poll(&fd, 1, 1000);
		pool_reap(app->pool);
	}
	app_close(app);
	assert_int_equal(project_int(f->w.p.c, "SELECT n FROM run WHERE scratch"), 1);
	if (app_open(app, &f->screen.cli, f->w.p.path, &err) != OK || app_open_term(app, &err) != OK)
		fail_msg("%s", err.msg);
	app_draw(app, app_clock());
}

/* --- derived runs --- */

static void answers_are_taken_apart_anew(void **state)
{
	struct fixture *f = *state;
	const struct run *run;
	size_t from;

	step(f, "7");
	f->w.answer = "hen, owl";
	step(f, "Enter");
	expect(f, "m_1/cw/q1");
	step(f, ":run-a m_1/cw/q1");
	step(f, ":reparse all-labels");
	expect(f, "1 of 1 answers are read otherwise in m_1/cw/q1/all-labels/r1");
	run = run_named(f, "m_1/cw/q1/all-labels/r1");
	assert_int_equal(column_u(&run->label, 0), 1);
	assert_int_equal(csr_row(&run->labels, 0, &from), 2);
	step(f, ":reparse cw");
	expect(f, "0 of 1 answers are read otherwise in m_1/cw/q1/cw/r1");
	assert_int_equal(project_int(f->w.p.c, "SELECT count(*) FROM run WHERE parent IS NOT NULL"), 2);
	assert_int_equal(column_u(&run_named(f, "m_1/cw/q1")->outcome, 0), OUTCOME_OOP);
	step(f, ":reparse cw jason");
	expect(f, "no rule and no protocol jason");
	step(f, ":reparse marker");
	expect(f, "1 of 1 answers are read otherwise in m_1/cw/q1/marker/r1");
	assert_int_equal(column_u(&run_named(f, "m_1/cw/q1/marker/r1")->outcome, 0), OUTCOME_UNPARSED);
	step(f, ":map nobody");
	expect(f, "neither an endpoint");
}

/* --- options by words, and near ones --- */

static void options_are_chosen_by_words(void **state)
{
	struct fixture *f = *state;
	char *path = project_file(f->w.p.folder, "names.jsonl"), *line;
	FILE *out = fopen(path, "wb");

	assert_non_null(out);
	fputs(ASKED_NAMES, out);
	fclose(out);
	step(f, "7");
	step(f, ":protocol mc");
	step(f, ":offer random seed 5");
	assert_true(asking(f)->options == QUERY_OPTIONS_RANDOM && asking(f)->seed == 5);
	expect(f, "options: random, seed 5");
	step(f, ":offer raindom");
	expect(f, "is meant: random");
	step(f, ":offer seed x");
	expect(f, "seed takes a number");
	step(f, ":offer json");
	expect(f, "mc offers nothing like json");
	line = xasprintf(":offer near %s", path);
	step(f, line);
	step(f, "j");
	expect(f, "options: near by names.jsonl");
	assert_int_equal(asking(f)->options, QUERY_OPTIONS_NEAR);
	assert_non_null(strstr(asking(f)->look.prompt, "cock"));
	step(f, ":offer near"); /* by which one? */
	expect(f, "names are near by the vectors of");
	expect(f, "kept");
	step(f, "Esc");
	step(f, ":offer near nowhere");
	expect(f, "nowhere is neither an endpoint");
	free(line);
	free(path);
}

static void rules_are_completed(void **state)
{
	struct fixture *f = *state;

	step(f, ":");
	for (const char *c = "reparse letter-w"; *c; c++) {
		char key[8];

		snprintf(key, sizeof key, "%s", *c == ' ' ? "Space" : (char[]){*c, 0});
		step(f, key);
	}
	step(f, "Tab");
	assert_string_equal(buf_cstr(&f->screen.app.prompt.text), "reparse letter-within");
	step(f, "Enter");
	expect(f, "m0/cw/letter-within/r1");
}

#define test(t)	       cmocka_unit_test_setup_teardown(t, setup, teardown)
#define test_narrow(t) cmocka_unit_test_setup_teardown(t, setup_narrow, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
	    test(the_first_look_sends_nothing),
	    test(what_differs_from_the_stored_run),
	    test(what_cannot_be_sent_is_said),
	    test(an_answer_streams_in),
	    test(esc_stops_at_once), test(esc_stops_within_ticks),
	    test(the_same_once_more_is_a_run_of_its_own),
	    test(repeats_follow_each_other),
	    test(errors_are_told_in_words),
	    test(a_cut_stream_is_no_answer),
	    test(without_an_endpoint),
	    test_narrow(the_stored_answers_stand_below_when_it_is_narrow),
	    test(the_prompt_is_edited),
	    test(a_crop_is_sent),
	    test(the_offer_is_chosen),
	    test(many_are_asked_after_a_question),
	    test(marked_ones_are_asked),
	    test(many_are_stopped),
	    test(leaving_keeps_what_came),
	    test(answers_are_taken_apart_anew),
	    test(options_are_chosen_by_words),
	    test(rules_are_completed),
	};

	setlocale(LC_CTYPE, "C.UTF-8");
	if (!net_available()) {
		puts("skip asking: there is no libcurl");
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
