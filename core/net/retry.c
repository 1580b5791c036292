#include "core/net/retry.h"

#include <string.h>

#define BACKOFF_MAX 60.0
#define WAIT_UNREAL (366.0 * 86400)

/* --- dates of HTTP --- */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The number at the front of *s, which it is taken from. */
static bool take_number(struct str *s, int *out)
{
	size_t n = 0;

	for (*out = 0; n < s->n && n < 4 && is_digit(s->p[n]); n++)
		*out = *out * 10 + (s->p[n] - '0');
	s->p += n;
	s->n -= n;
	return n > 0;
}

static void skip(struct str *s, const char *bytes)
{
	while (s->n && memchr(bytes, *s->p, strlen(bytes))) {
		s->p++;
		s->n--;
	}
}

static void skip_word(struct str *s)
{
	while (s->n && ((*s->p >= 'A' && *s->p <= 'Z') || (*s->p >= 'a' && *s->p <= 'z'))) {
		s->p++;
		s->n--;
	}
}

static bool take_month(struct str *s, int *out)
{
	static const char names[] = "JanFebMarAprMayJunJulAugSepOctNovDec";

	for (int i = 0; s->n >= 3 && i < 12; i++)
		if (memcmp(s->p, names + 3 * i, 3) == 0) {
			*out = i + 1;
			s->p += 3;
			s->n -= 3;
			return true;
		}
	return false;
}

static bool take_clock(struct str *s, int *seconds)
{
	int h, m, sec;

	if (!take_number(s, &h) || !s->n || *s->p != ':')
		return false;
	skip(s, ":");
	if (!take_number(s, &m) || !s->n || *s->p != ':')
		return false;
	skip(s, ":");
	if (!take_number(s, &sec) || h > 23 || m > 59 || sec > 60)
		return false;
	*seconds = (h * 60 + m) * 60 + sec;
	return true;
}

/* Days since 1970-01-01 of the proleptic Gregorian calendar. */
static int64_t days(int y, int m, int d)
{
	static const int before[] = {0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334};
	int64_t leap = m > 2 && ((y % 4 == 0 && y % 100) || y % 400 == 0), p = y - 1;

	return 365 * p + p / 4 - p / 100 + p / 400 - 719162 + before[m - 1] + leap + d - 1;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" · "Sunday, 06-Nov-94 08:49:37 GMT" · "Sun Nov  6 08:49:37 1994"
 */
static bool http_date(struct str s, int64_t *out)
{
	int d, m, y, clock;
	bool c_form;

	skip_word(&s);
	skip(&s, ", ");
	c_form = take_month(&s, &m);
	skip(&s, " ");
	if (!take_number(&s, &d))
		return false;
	skip(&s, " -");
	if (!c_form && !take_month(&s, &m))
		return false;
	skip(&s, " -");
	if (c_form ? !take_clock(&s, &clock) : !take_number(&s, &y))
		return false;
	skip(&s, " ");
	if (c_form ? !take_number(&s, &y) : !take_clock(&s, &clock))
		return false;
	if (y < 100)
		y += y < 70 ? 2000 : 1900;
	if (d < 1 || d > 31 || y < 1970)
		return false;
	*out = days(y, m, d) * 86400 + clock;
	return true;
}

bool retry_after(struct str value, int64_t now, double *seconds)
{
	int64_t at;
	double n;

	value = str_trim(value);
	if (str_num(value, &n)) {
		if (!(n >= 0))
			return false;
	} else if (http_date(value, &at)) {
		n = at > now ? (double)(at - now) : 0;
	} else {
		return false;
	}
	*seconds = n < WAIT_UNREAL ? n : WAIT_UNREAL;
	return true;
}

bool retry_is_safe(enum net_fail fail)
{
	return fail == NET_CONNECT || fail == NET_CUT || fail == NET_RATE || fail == NET_SERVER;
}

double retry_delay(double backoff, int tried, double asked, double chance)
{
	double wait = backoff;

	for (int i = 1; i < tried && wait < BACKOFF_MAX; i++)
		wait *= 2;
	wait = (wait < BACKOFF_MAX ? wait : BACKOFF_MAX) * (1 - chance / 2);
	if (asked >= 0 && asked * (1 + chance / 4) > wait)
		wait = asked * (1 + chance / 4);
	return wait;
}
