#include "core/base/str.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

#define BUF_DEFAULT_MAX ((size_t)1 << 30)

static unsigned char lower(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c | 0x20 : c);
}

/* Not strncasecmp(): that stops at NUL and follows the locale. */
bool str_eq_nocase(struct str a, struct str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (lower(a.p[i]) != lower(b.p[i]))
			return false;
	return true;
}

bool str_eqz(struct str a, const char *z)
{
	return str_eq(a, str_z(z));
}

bool str_starts(struct str s, struct str prefix)
{
	return s.n >= prefix.n && (prefix.n == 0 || memcmp(s.p, prefix.p, prefix.n) == 0);
}

bool str_ends(struct str s, struct str suffix)
{
	return s.n >= suffix.n && str_eq((struct str){s.p + (s.n - suffix.n), suffix.n}, suffix);
}

bool str_ends_nocase(struct str s, struct str suffix)
{
	return s.n >= suffix.n &&
	       str_eq_nocase((struct str){s.p + (s.n - suffix.n), suffix.n}, suffix);
}

size_t str_find(struct str s, struct str needle)
{
	const char *hit;

	if (needle.n == 0)
		return 0;
	if (s.n < needle.n)
		return SIZE_MAX;
	hit = memmem(s.p, s.n, needle.p, needle.n);
	return hit ? (size_t)(hit - s.p) : SIZE_MAX;
}

size_t str_find_nocase(struct str s, struct str needle)
{
	unsigned char first = needle.n ? lower(needle.p[0]) : 0;

	for (size_t i = 0; i + needle.n <= s.n; i++)
		if (!needle.n ||
		    (lower(s.p[i]) == first && str_eq_nocase((struct str){s.p + i, needle.n}, needle)))
			return i;
	return SIZE_MAX;
}

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trimmed(struct str s)
{
	while (s.n && is_blank(s.p[0]))
		s.p++, s.n--;
	while (s.n && is_blank(s.p[s.n - 1]))
		s.n--;
	return s;
}

struct str str_cut(struct str s, char sep, struct str *head)
{
	const char *hit = s.n ? memchr(s.p, sep, s.n) : NULL;
	size_t k = hit ? (size_t)(hit - s.p) : s.n;

	*head = (struct str){s.p, k};
	return hit ? (struct str){hit + 1, s.n - k - 1} : STR_NONE;
}

bool str_int(struct str s, int64_t *out)
{
	uint64_t v = 0, limit = INT64_MAX;
	bool neg = false;
	size_t i = 0;

	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		neg = s.p[i++] == '-';
	if (neg)
		limit = (uint64_t)INT64_MAX + 1;
	if (i == s.n)
		return false;
	for (; i < s.n; i++) {
		unsigned d = (unsigned)(s.p[i] - '0');

		if (d > 9 || v > (limit - d) / 10)
			return false;
		v = v * 10 + d;
	}
	*out = neg ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}

/* The grammar of a decimal number, checked before strtod sees it: no hex, no inf, no nan. */
static bool looks_decimal(struct str s)
{
	size_t i = 0, digits = 0;

	if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
		i++;
	for (; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
		digits++;
	if (i < s.n && s.p[i] == '.')
		for (i++; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
			digits++;
	if (digits == 0)
		return false;
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		size_t from;

		i++;
		if (i < s.n && (s.p[i] == '-' || s.p[i] == '+'))
			i++;
		for (from = i; i < s.n && s.p[i] >= '0' && s.p[i] <= '9'; i++)
			;
		if (i == from)
			return false;
	}
	return i == s.n;
}

bool str_num(struct str s, double *out)
{
	char tmp[64];
	double v;

	if (s.n >= sizeof tmp || !looks_decimal(s))
		return false;
	memcpy(tmp, s.p, s.n);
	tmp[s.n] = '\0';
	v = strtod(tmp, NULL); /* LC_NUMERIC stays "C": only LC_CTYPE is ever set */
	if (!isfinite(v))
		return false;
	*out = v;
	return true;
}

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	return c ? c : (a.n > b.n) - (a.n < b.n);
}

static bool buf_grow(struct buf *b, size_t extra)
{
	size_t max = b->max ? b->max : BUF_DEFAULT_MAX, cap;
	char *p;

	if (b->failed || b->n > max || extra > max - b->n) {
		b->failed = true;
		return false;
	}
	if (b->n + extra + 1 <= b->cap)
		return true;
	cap = b->cap + b->cap / 2;
	if (cap < b->n + extra + 1)
		cap = b->n + extra + 1;
	if (cap < 64)
		cap = 64;
	p = mem_retry(b->p, cap);
	if (!p) {
		b->failed = true;
		return false;
	}
	b->p = p;
	b->cap = cap;
	return true;
}

void buf_put(struct buf *b, const void *p, size_t n)
{
	if (!buf_grow(b, n))
		return;
	if (n)
		memcpy(b->p + b->n, p, n);
	b->n += n;
	b->p[b->n] = '\0';
}

void buf_str(struct buf *b, struct str s)
{
	buf_put(b, s.p, s.n);
}

void buf_z(struct buf *b, const char *z)
{
	buf_put(b, z, strlen(z));
}

void buf_ch(struct buf *b, char c)
{
	buf_put(b, &c, 1);
}

void buf_printf(struct buf *b, const char *fmt, ...)
{
	size_t max = b->max ? b->max : BUF_DEFAULT_MAX;
	size_t room = b->failed || b->n > max ? 0 : b->cap - b->n; /* its NUL among it */
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room ? b->p + b->n : NULL, room, fmt, ap);
	va_end(ap);
	if (n >= 0 && (size_t)n < room && (size_t)n <= max - b->n) {
		b->n += (size_t)n;
		return;
	}
	if (room)
		b->p[b->n] = '\0';
	if (n < 0 || !buf_grow(b, (size_t)n))
		return;
	va_start(ap, fmt);
	vsnprintf(b->p + b->n, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->n += (size_t)n;
}

char *buf_reserve(struct buf *b, size_t n)
{
	return buf_grow(b, n) ? b->p + b->n : NULL;
}

struct str buf_view(const struct buf *b)
{
	return (struct str){b->p ? b->p : "", b->n};
}

const char *buf_cstr(const struct buf *b)
{
	if (!b->p)
		return "";
	b->p[b->n] = '\0';
	return b->p;
}

void buf_clear(struct buf *b)
{
	b->n = 0;
	b->failed = false;
}

void buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf)BUF_INIT;
}

char *buf_take(struct buf *b)
{
	char *p = b->p ? b->p : xstrdup("");

	p[b->n] = '\0';
	*b = (struct buf)BUF_INIT;
	return p;
}
