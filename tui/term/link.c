#include "tui/term/link.h"

#include <stdio.h>

#define LEAST_US     500   /* answers to what is sent at once come in one piece: no faster */
#define SMALL        1024  /* bytes that say more about the latency than about the rate */
#define TRUST_WORSE  0.75  /* of a sample that is slower than the estimate */
#define TRUST_BETTER 0.3
#define BUDGET_LEAST ((size_t)2 << 10)

void link_latency(struct link *l, int64_t us)
{
	if (us > 0 && (l->latency_us == 0 || us < l->latency_us))
		l->latency_us = (double)us;
}

void link_gap(struct link *l, size_t bytes, int64_t us)
{
	double t = us < LEAST_US ? LEAST_US : (double)us;
	double rate = (double)bytes * 1e6 / t;
	double trust = rate < l->rate ? TRUST_WORSE : TRUST_BETTER;

	if (!bytes)
		return;
	l->rate = l->rate == 0 ? rate : l->rate * (1 - trust) + rate * trust;
}

void link_sample(struct link *l, size_t bytes, int64_t us)
{
	if (us < 0)
		return;
	if (bytes < SMALL) {
		link_latency(l, us);
		return;
	}
	/* The latency that is known may be that of a busy moment. */
	if ((double)us < l->latency_us)
		l->latency_us = (double)us;
	link_gap(l, bytes, us - (int64_t)l->latency_us);
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
