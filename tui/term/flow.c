#include "tui/term/flow.h"

#define QUEUED_US   150000 /* as long may text stand in a queue */
#define PATIENCE_US 5000000
#define MISSES      2

void flow_init(struct flow *f)
{
	*f = (struct flow){.window = FLOW_WINDOW_FIRST};
}

void flow_pace(struct flow *f, double rate)
{
	f->pace = rate;
}

static void owe(struct flow *f, size_t n, int64_t now_us)
{
	double paid = f->pace * (double)(now_us - f->owed_us) / 1e6;

	f->owed = f->owed > paid ? f->owed - paid : 0;
	f->owed += (double)n;
	f->owed_us = now_us;
}

int64_t flow_open_us(const struct flow *f)
{
	if (f->pace <= 0 || f->owed <= (double)FLOW_BURST)
		return 0;
	return f->owed_us + (int64_t)((f->owed - (double)FLOW_BURST) * 1e6 / f->pace);
}

void flow_sent(struct flow *f, size_t n, int64_t now_us)
{
	if (f->sent == f->taken)
		f->from_us = now_us;
	if (f->open && f->sent == f->asked)
		f->next_us = now_us;
	f->sent += n;
	if (f->pace > 0)
		owe(f, n, now_us);
}

bool flow_full(const struct flow *f)
{
	return f->open && f->sent - f->taken >= f->window;
}

bool flow_ask(struct flow *f, bool clean, int64_t now_us)
{
	if (f->open || f->sent == f->taken || f->missed >= MISSES)
		return false;
	f->open = true;
	f->clean = clean;
	f->asked = f->sent;
	f->asked_us = now_us;
	return true;
}

void flow_latency(struct flow *f, int64_t us)
{
	if (us > 0 && (f->least_us == 0 || us < f->least_us))
		f->least_us = us;
}

static size_t within(double window)
{
	if (window > (double)FLOW_WINDOW_MOST)
		return FLOW_WINDOW_MOST;
	return window < (double)FLOW_WINDOW_LEAST ? FLOW_WINDOW_LEAST : (size_t)window;
}

/* What is under way for the latency is in no queue: it may be there as well. */
static void adapt(struct flow *f, double bytes, int64_t us)
{
	double queued = (double)(us - f->least_us);

	if (queued > QUEUED_US)
		f->window = within(bytes * (double)(QUEUED_US + f->least_us) / queued);
	else if (queued < QUEUED_US / 2 && bytes * 2 >= (double)f->window)
		f->window = within((double)f->window * 2);
}

static void taken(struct flow *f, uint64_t upto)
{
	f->taken = upto;
	f->from_us = f->next_us;
	f->open = false;
}

void flow_answered(struct flow *f, int64_t now_us)
{
	int64_t us = now_us - f->from_us;

	if (!f->open)
		return;
	f->missed = 0;
	if (f->clean && us >= 0) {
		flow_latency(f, us);
		adapt(f, (double)(f->asked - f->taken), us);
	}
	taken(f, f->asked);
}

void flow_forget(struct flow *f)
{
	taken(f, f->sent);
}

int64_t flow_due_us(const struct flow *f)
{
	return f->open ? f->asked_us + PATIENCE_US : 0;
}

bool flow_tick(struct flow *f, int64_t now_us)
{
	if (!f->open || now_us < flow_due_us(f))
		return false;
	f->missed++;
	taken(f, f->sent);
	return true;
}
