/* How much text may be under way, on lines that are played through in numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tui/term/flow.h"

#define FRAME    1500
#define FRAME_US 33000 /* a key held down */
#define STEP_US  1000
#define N_DUE    4096

/* A line of some bytes a second behind a latency; it answers questions in their order. */
struct wire {
	double rate;
	int64_t latency_us;
	double queued;                 /* bytes that wait for it */
	double crossed, sent;
	double ask_at[N_DUE];          /* the question crosses when so many bytes have */
	int64_t answer_us[N_DUE];      /* 0: not yet across */
	int first, n;
	double most_queued;            /* since the last look */
	int frames, wanted;
};

static void put(struct wire *w, struct flow *f, double bytes, int64_t now)
{
	flow_sent(f, (size_t)bytes, now);
	w->queued += bytes;
	w->sent += bytes;
	w->frames++;
}

static void ask(struct wire *w, struct flow *f, int64_t now)
{
	if (!flow_ask(f, true, now))
		return;
	assert_true(w->n < N_DUE);
	w->ask_at[w->n] = w->sent;
	w->answer_us[w->n++] = 0;
}

static void cross(struct wire *w, int64_t now)
{
	double k = w->rate * STEP_US / 1e6;

	k = k > w->queued ? w->queued : k;
	w->queued -= k;
	w->crossed += k;
	for (int i = w->first; i < w->n; i++)
		if (!w->answer_us[i] && w->crossed >= w->ask_at[i] - 1e-6)
			w->answer_us[i] = now + w->latency_us;
}

static void hear(struct wire *w, struct flow *f, int64_t now)
{
	while (w->first < w->n && w->answer_us[w->first] && now >= w->answer_us[w->first]) {
		w->first++;
		flow_answered(f, now);
		ask(w, f, now);
	}
}

/* From `now` for so long a frame is wanted every FRAME_US. Returns the time after. */
static int64_t hold_key(struct wire *w, struct flow *f, int64_t now, int64_t us)
{
	int64_t end = now + us, next = now;
	bool wanted = false;

	for (; now < end; now += STEP_US) {
		cross(w, now);
		hear(w, f, now);
		if (now >= next) {
			wanted = true;
			w->wanted++;
			next += FRAME_US;
		}
		if (wanted && !flow_full(f)) {
			put(w, f, FRAME, now);
			ask(w, f, now);
			wanted = false;
		}
		if (w->queued > w->most_queued)
			w->most_queued = w->queued;
	}
	return now;
}

/* What is typed shows soon, and the line is not left idle. */
static void holds_little(void **state)
{
	static const struct {
		double rate;
		int64_t latency_us;
	} lines[] = {{10e3, 20000}, {20e3, 5000}, {20e3, 200000}, {125e3, 200000}, {1e6, 50000}};
	(void)state;

	for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
		struct wire w = {.rate = lines[i].rate, .latency_us = lines[i].latency_us};
		struct flow f;
		double before, wanted;
		int64_t now;

		flow_init(&f);
		flow_latency(&f, w.latency_us);
		now = hold_key(&w, &f, 1000000, 3000000);
		w.most_queued = 0;
		before = w.crossed;
		hold_key(&w, &f, now, 7000000);
		if (w.most_queued / w.rate > 0.5)
			fail_msg("line %zu: %.0f bytes wait for %.2f s", i, w.most_queued,
				 w.most_queued / w.rate);
		wanted = FRAME * 7e6 / FRAME_US;
		wanted = wanted < w.rate * 7 ? wanted : w.rate * 7;
		if (w.crossed - before < wanted * 0.5)
			fail_msg("line %zu: %.0f bytes of %.0f", i, w.crossed - before, wanted);
	}
}

/* It turns slow under way, and fast again. */
static void follows(void **state)
{
	struct wire w = {.rate = 5e6, .latency_us = 2000};
	struct flow f;
	int64_t now;

	(void)state;
	flow_init(&f);
	now = hold_key(&w, &f, 1000000, 3000000);
	assert_int_equal(w.frames, w.wanted);
	w.rate = 10e3;
	now = hold_key(&w, &f, now, 3000000);
	w.most_queued = 0;
	now = hold_key(&w, &f, now, 3000000);
	assert_true(w.most_queued / w.rate < 0.6);
	w.rate = 5e6;
	now = hold_key(&w, &f, now, 2000000);
	w.frames = w.wanted = 0;
	hold_key(&w, &f, now, 3000000);
	assert_int_equal(w.frames, w.wanted);
}

/* A terminal that does not answer holds nothing up, and is not asked for ever. */
static void no_answer(void **state)
{
	struct flow f;
	int64_t now = 1000000;
	int asked = 0;

	(void)state;
	flow_init(&f);
	for (int i = 0; i < 100; i++) {
		flow_sent(&f, 5000, now);
		asked += flow_ask(&f, true, now);
		if (flow_full(&f)) {
			assert_true(flow_due_us(&f) > now);
			assert_false(flow_tick(&f, now));
			now = flow_due_us(&f);
			assert_true(flow_tick(&f, now));
		}
		assert_false(flow_full(&f));
	}
	assert_int_equal(asked, 2);
}

/* Nothing under way: a frame of any size may go. An answer nobody waits for changes nothing. */
static void idle(void **state)
{
	struct flow f;

	(void)state;
	flow_init(&f);
	assert_false(flow_full(&f));
	assert_false(flow_ask(&f, true, 5));
	flow_answered(&f, 6);
	flow_sent(&f, (size_t)1 << 20, 10);
	assert_false(flow_full(&f)); /* unless asked, nobody could tell when to go on */
	assert_true(flow_ask(&f, true, 10));
	assert_false(flow_ask(&f, true, 10));
	assert_true(flow_full(&f));
	flow_answered(&f, 20);
	assert_false(flow_full(&f));
	assert_int_equal(flow_due_us(&f), 0);
	flow_answered(&f, 30);
	assert_int_equal(f.taken, (uint64_t)1 << 20);
}

/* Nobody answers: what waits on a line of the pace stays small, and the line is kept busy. */
static void keeps_pace(void **state)
{
	struct wire w = {.rate = 20e3};
	struct flow f;
	int64_t now = 1000000;

	(void)state;
	flow_init(&f);
	assert_int_equal(flow_open_us(&f), 0);
	flow_pace(&f, w.rate);
	for (int64_t end = now + 8000000; now < end; now += STEP_US) {
		cross(&w, now);
		if (now < flow_open_us(&f))
			continue;
		put(&w, &f, FRAME, now);
		if (w.queued > w.most_queued)
			w.most_queued = w.queued;
	}
	assert_true(w.most_queued <= FLOW_BURST + FRAME);
	assert_true(w.crossed >= w.rate * 7.9);
	now += 3000000; /* the debt of long ago is paid */
	flow_sent(&f, FLOW_BURST, now);
	assert_int_equal(flow_open_us(&f), 0);
	flow_sent(&f, 2000, now);
	assert_int_equal(flow_open_us(&f), now + 100000);
	flow_pace(&f, 200e3);
	assert_int_equal(flow_open_us(&f), now + 10000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(holds_little),
	    cmocka_unit_test(follows),
	    cmocka_unit_test(no_answer),
	    cmocka_unit_test(idle),
	    cmocka_unit_test(keeps_pace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
