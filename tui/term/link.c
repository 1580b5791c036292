#include "tui/term/link.h"

#include <stdio.h>

#define LEAST_US     500  /* clocks and schedulers say nothing below */
#define JITTER       0.1  /* of the latency: nor is less than this to be told from it */
#define SMALL        1024 /* bytes that say more about the latency than about the rate */
#define BUDGET_LEAST ((size_t)2 << 10)

void link_latency(struct link *l, int64_t us)
{
	if (us > 0 && (l->latency_us == 0 || us < l->latency_us))
		l->latency_us = (double)us;
}

static double rate_of(const struct link *l, size_t bytes, int64_t us)
{
	double t = (double)us - l->latency_us, least = l->latency_us * JITTER;

	least = least < LEAST_US ? LEAST_US : least;
	return (double)bytes * 1e6 / (t < least ? least : t);
}

void link_probe(struct link *l, size_t bytes, int64_t us)
{
	if (bytes && us >= 0)
		l->rate = rate_of(l, bytes, us);
}

void link_sample(struct link *l, size_t bytes, int64_t us)
{
	double rate;

	if (us < 0)
		return;
	if (bytes < SMALL) {
		link_latency(l, us);
		return;
	}
	/* The latency that is known may be that of a busy moment. */
	if ((double)us < l->latency_us)
		l->latency_us = (double)us;
	rate = rate_of(l, bytes, us);
	if (l->rate == 0 || rate < l->rate / 2)
		l->rate = rate;
	else if (rate > l->rate * 2)
		l->rate *= 1.5;
	else
		l->rate = (l->rate + rate) / 2;
}

size_t link_budget(const struct link *l)
{
	double bytes = l->rate * LINK_PICTURE_MS / 1000;

	if (l->rate == 0)
		return l->afar ? LINK_UNKNOWN_MAX : LINK_PICTURE_MAX;
	if (bytes > (double)LINK_PICTURE_MAX)
		return LINK_PICTURE_MAX;
	return bytes < (double)BUDGET_LEAST ? BUDGET_LEAST : (size_t)bytes;
}

double link_ms(const struct link *l, size_t bytes)
{
	return l->rate > 0 ? (double)bytes * 1000 / l->rate : 0;
}

void link_text(double rate, char out[24])
{
	out[0] = '\0';
	if (rate >= 1e6)
		snprintf(out, 24, "%.*f MB/s", rate < 1e7 ? 1 : 0, rate < 1e12 ? rate / 1e6 : 1e6);
	else if (rate > 0)
		snprintf(out, 24, "%.0f KB/s", rate < 1e3 ? 1.0 : rate / 1e3);
}
