#include "tui/meter.h"

#include <stdio.h>

#include "tui/app.h"
#include "tui/print.h"
#include "tui/term/text.h"
#include "tui/view/sign.h"

/* --- the app's --- */

static struct meter *find(struct meters *m, uint64_t key)
{
	for (int i = 0; i < m->n; i++)
		if (m->v[i].key == key)
			return &m->v[i];
	return NULL;
}

/* Where there are too many the oldest goes untold. */
void meter_open(struct app *app, struct meter meter)
{
	struct meters *m = &app->meters;

	meter_close(app, meter.key);
	if (m->n == METERS_MAX)
		memmove(m->v, m->v + 1, (size_t)--m->n * sizeof *m->v);
	meter.began = app_clock();
	m->v[m->n++] = meter;
	app->dirty = true;
}

void meter_move(struct app *app, uint64_t key, uint64_t done, uint64_t all)
{
	struct meter *m = find(&app->meters, key);

	if (!m)
		return;
	m->done = done;
	m->all = all;
	app->dirty = true;
}

void meter_found(struct app *app, uint64_t key, uint64_t found)
{
	struct meter *m = find(&app->meters, key);

	if (!m)
		return;
	m->found = found;
	m->finds = true;
	app->dirty = true;
}

void meter_close(struct app *app, uint64_t key)
{
	struct meters *m = &app->meters;
	struct meter *gone = find(m, key);

	if (!gone)
		return;
	m->n--;
	memmove(gone, gone + 1, (size_t)(m->v + m->n - gone) * sizeof *gone);
	app->dirty = true;
}

#define TELL_MS 100

static void taken(void *ctx)
{
	struct meter_steps *m = ctx;
	int64_t now = app_clock();

	if (now - m->told < TELL_MS)
		return;
	m->told = now;
	job_tell(m->job);
}

void meter_steps_begin(struct meter_steps *m, struct job *job)
{
	*m = (struct meter_steps){.steps = {.taken = taken, .ctx = m}, .job = job, .told = app_clock()};
}

void meter_steps_move(struct app *app, uint64_t key, const struct meter_steps *m)
{
	meter_move(app, key, atomic_load_explicit(&m->steps.done, memory_order_relaxed),
		   atomic_load_explicit(&m->steps.all, memory_order_relaxed));
}

bool meter_stop(struct app *app)
{
	struct meters *m = &app->meters;
	struct meter last;

	if (!m->n)
		return false;
	last = m->v[m->n - 1];
	meter_close(app, last.key);
	last.stop(app);
	return true;
}

/* --- as text --- */

const struct meter *meter_shown(const struct meters *meters, int64_t now)
{
	const struct meter *m = meters->n ? &meters->v[meters->n - 1] : NULL;

	return m && now - m->began >= METER_AFTER_MS ? m : NULL;
}

enum part { PART_WHAT, PART_FOUND, PART_RATE, PART_LEFT, PART_STOP, N_PARTS };

static void put_what(const struct meter *m, struct buf *out)
{
	char n[32];

	buf_z(out, m->what);
	if (m->all)
		buf_printf(out, " %d %%", (int)(100.0 * (double)m->done / (double)m->all));
	else if (m->done)
		buf_printf(out, " %s", m->unit ? print_count(n, m->done) : print_bytes(n, (double)m->done));
}

static void put_rate(const struct meter *m, double rate, struct buf *out)
{
	char n[32];

	if (rate <= 0)
		return;
	if (m->unit)
		buf_printf(out, "%s %s/s", print_count(n, (uint64_t)rate), m->unit);
	else
		buf_printf(out, "%s/s", print_bytes(n, rate));
}

static void put_left(const struct meter *m, double rate, struct buf *out)
{
	double left = rate > 0 && m->all > m->done ? (double)(m->all - m->done) / rate : 0;

	if (left <= 0)
		return;
	if (left < 90)
		buf_printf(out, "%.0f s left", left < 1 ? 1 : left);
	else
		buf_printf(out, "%.0f min left", left / 60);
}

static void put_part(const struct meter *m, enum part part, double rate, struct buf *out)
{
	char n[32];

	switch (part) {
	case PART_WHAT:
		put_what(m, out);
		break;
	case PART_FOUND:
		if (m->finds)
			buf_printf(out, "%s so far", print_count(n, m->found));
		break;
	case PART_RATE:
		put_rate(m, rate, out);
		break;
	case PART_LEFT:
		put_left(m, rate, out);
		break;
	default:
		if (m->stop)
			buf_z(out, "Ctrl-c stops");
	}
}

void meter_text(const struct meter *m, int64_t now, int w, struct buf *out)
{
	/* What goes first where there is no room for all. */
	static const enum part less[] = {PART_RATE, PART_STOP, PART_FOUND, PART_LEFT};
	double spent = (double)(now - m->began) / 1000, rate = spent > 0 ? (double)m->done / spent : 0;
	unsigned without = 0;
	size_t at = out->n;

	for (size_t k = 0; k <= sizeof less / sizeof *less; k++) {
		out->n = at;
		for (int part = 0; part < N_PARTS; part++) {
			struct buf text = BUF_INIT;

			if (!(without >> part & 1))
				put_part(m, (enum part)part, rate, &text);
			if (text.n && part)
				buf_printf(out, " %s ", sign(SIGN_DOT));
			buf_str(out, buf_view(&text));
			buf_release(&text);
		}
		if (text_width((struct str){out->p + at, out->n - at}) <= w)
			return;
		without |= k < sizeof less / sizeof *less ? 1u << less[k] : 0u;
	}
}
