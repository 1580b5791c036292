/* The speed of the line, and where a picture that is being written may be broken off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tui/term/link.h"
#include "tui/term/outbox.h"
#include "tui/view/picture_make.h"

/* Pictures sent one after the other over a line of such speed; each as large as the last estimate
 * allows. */
static void send_over(struct link *l, double rate, double latency_us, int n)
{
	for (int i = 0; i < n; i++) {
		size_t bytes = link_budget(l);

		link_sample(l, bytes, (int64_t)(latency_us + (double)bytes * 1e6 / rate));
	}
}

static void assert_about(double got, double want)
{
	if (got < want * 0.75 || got > want * 1.3)
		fail_msg("%.0f is not about %.0f", got, want);
}

static void finds_the_rate(void **state)
{
	static const struct {
		double rate, latency_ms;
	} lines[] = {{20e3, 50}, {125e3, 200}, {1.25e6, 30}, {12e6, 5}, {100e6, 0.2}};
	(void)state;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct link l = {.afar = true};

		link_latency(&l, (int64_t)(lines[i].latency_ms * 1000));
		link_probe(&l, 4096, (int64_t)(lines[i].latency_ms * 1000 + 4096e6 / lines[i].rate));
		assert_true(l.rate <= lines[i].rate * 1.01);
		send_over(&l, lines[i].rate, lines[i].latency_ms * 1000, 20);
		assert_about(l.rate, lines[i].rate);
		if (lines[i].rate * 0.4 < LINK_PICTURE_MAX)
			assert_about((double)link_budget(&l), lines[i].rate * 0.4);
		else
			assert_int_equal(link_budget(&l), LINK_PICTURE_MAX);
	}
}

/* A line that becomes slow is believed at once, one that becomes fast by and by. */
static void follows_changes(void **state)
{
	struct link l = {.afar = true};
	(void)state;

	link_latency(&l, 20000);
	send_over(&l, 5e6, 20000, 5);
	assert_about(l.rate, 5e6);
	send_over(&l, 50e3, 20000, 1);
	assert_true(l.rate < 2e6);
	send_over(&l, 50e3, 20000, 5);
	assert_about(l.rate, 50e3);
	send_over(&l, 5e6, 20000, 1);
	assert_true(l.rate < 2e6);
	send_over(&l, 5e6, 20000, 14);
	assert_about(l.rate, 5e6);
}

static void unknown_and_odd(void **state)
{
	struct link l = {.afar = false};
	(void)state;

	assert_int_equal(link_budget(&l), LINK_PICTURE_MAX);
	assert_true(link_ms(&l, 1 << 20) == 0);
	l.afar = true;
	assert_int_equal(link_budget(&l), LINK_UNKNOWN_MAX);
	link_sample(&l, 500, 30000); /* too little to say more than a latency */
	assert_true(l.rate == 0 && l.latency_us == 30000);
	link_sample(&l, 5000, -1);
	link_probe(&l, 0, 10);
	link_probe(&l, 4096, -1);
	assert_true(l.rate == 0);
	link_sample(&l, 5000, 10000); /* faster than the latency: that was a busy moment */
	assert_true(l.latency_us == 10000 && l.rate > 0);
	l.rate = 1; /* never nothing at all */
	assert_true(link_budget(&l) >= 1024);
	link_probe(&l, 2048, 0); /* no faster than what can be told from the latency */
	assert_true(l.rate > 1 && l.rate < 3e6);
}

static void text(void **state)
{
	static const struct {
		double rate;
		const char *text;
	} rows[] = {{0, ""},          {20e3, "20 KB/s"},   {999e3, "999 KB/s"}, {3.14e6, "3.1 MB/s"},
		    {42e6, "42 MB/s"}, {10, "1 KB/s"}};
	char out[24];
	(void)state;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		link_text(rows[i].rate, out);
		assert_string_equal(out, rows[i].text);
	}
}

/* A smaller ceiling never gives a better picture. */
static void rungs_go_down(void **state)
{
	int last = PICTURE_RUNGS;
	(void)state;

	assert_int_equal(picture_first_rung(640, 480, 0), 0);
	for (size_t budget = 1000; budget < (1 << 20); budget += 1000) {
		int rung = picture_first_rung(640, 480, budget);

		assert_true(rung >= 0 && rung <= last);
		last = rung;
	}
	assert_int_equal(last, 0);
	assert_int_equal(picture_first_rung(640, 480, 2048), PICTURE_RUNGS);
}

/* --- breaking off --- */

#define BEFORE "\033[3;31H"
#define SIXEL  "\033P0;0;0q\"1;1;20;12#0;2;10;20;30#1;2;100;0;0#0!20~$#1!3?@@-#0!20~-\033\\"
#define AFTER  "\033[6n\033[1;1H\033[?2026l"
#define WRAPPED "\033Ptmux;\033\033P0q#0!20~-#1!12?-\033\033\\\033\\"

static struct outbox filled(const char *before, const char *sixel, const char *after, bool wrapped)
{
	struct outbox o = {.at = 0};
	struct buf b = BUF_INIT;

	buf_z(&b, before);
	buf_z(&b, sixel);
	buf_z(&b, after);
	outbox_fill(&o, &b, strlen(before), strlen(sixel), wrapped);
	assert_null(b.p);
	return o;
}

/* After any number of bytes: what was written and what still must be is in order. */
static void cut_anywhere(void **state)
{
	size_t n = strlen(BEFORE SIXEL AFTER);
	(void)state;

	for (size_t at = 0; at < n; at++) {
		struct outbox o = filled(BEFORE, SIXEL, AFTER, false);
		struct buf all = BUF_INIT;
		bool cut;
		size_t st;

		buf_put(&all, outbox_rest(&o).p, at);
		outbox_wrote(&o, at);
		assert_true(outbox_busy(&o));
		cut = outbox_cut(&o, &all);
		assert_false(outbox_busy(&o));
		assert_int_equal(cut, at < strlen(BEFORE SIXEL) - 2);
		if (at == 0) {
			assert_int_equal(all.n, 0);
			buf_release(&all);
			continue;
		}
		assert_true(str_starts(buf_view(&all), STR(BEFORE "\033P0;0;0q")));
		assert_true(str_ends(buf_view(&all), STR("\033\\" AFTER)));
		st = all.n - strlen("\033\\" AFTER);
		assert_true(strchr("q-$~?@", all.p[st - 1]) != NULL); /* no number is cut in two */
		assert_memory_equal(all.p, BEFORE SIXEL, st);
		assert_true(st <= (at > strlen(BEFORE) + 8 ? at + 40 : strlen(BEFORE) + 8));
		buf_release(&all);
	}
}

static void cut_through_tmux(void **state)
{
	(void)state;
	for (size_t at = 1; at < strlen(WRAPPED AFTER); at++) {
		struct outbox o = filled("", WRAPPED, AFTER, true);
		struct buf all = BUF_INIT;

		buf_put(&all, outbox_rest(&o).p, at);
		outbox_wrote(&o, at);
		outbox_cut(&o, &all);
		assert_true(str_starts(buf_view(&all), STR("\033Ptmux;\033\033P0q")));
		assert_true(str_ends(buf_view(&all), STR("\033\033\\\033\\" AFTER)));
		buf_release(&all);
	}
}

static void written_whole(void **state)
{
	struct outbox o = filled(BEFORE, SIXEL, AFTER, false);
	size_t n = 0;
	(void)state;

	while (outbox_busy(&o)) {
		outbox_wrote(&o, 1);
		n++;
	}
	assert_int_equal(n, strlen(BEFORE SIXEL AFTER));
	assert_int_equal(outbox_rest(&o).n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(finds_the_rate), cmocka_unit_test(follows_changes),
	    cmocka_unit_test(unknown_and_odd), cmocka_unit_test(text),
	    cmocka_unit_test(rungs_go_down), cmocka_unit_test(cut_anywhere),
	    cmocka_unit_test(cut_through_tmux), cmocka_unit_test(written_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
