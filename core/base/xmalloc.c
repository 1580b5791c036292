#include "core/base/xmalloc.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <string.h>
#include <unistd.h>

static void (*die_hook)(void);
static atomic_ulong n_allocs, fail_at;

void xmalloc_set_hook(void (*hook)(void))
{
	die_hook = hook;
}

void xmalloc_fail_at(unsigned long n)
{
	atomic_store(&n_allocs, 0);
	atomic_store(&fail_at, n);
}

unsigned long xmalloc_count(void)
{
	return atomic_load(&n_allocs);
}

static bool must_fail(void)
{
	unsigned long n = atomic_fetch_add(&n_allocs, 1) + 1;

	return n == atomic_load(&fail_at);
}

static void die(void)
{
	static const char msg[] = "qualm: out of memory\n";

	if (die_hook)
		die_hook();
	if (write(STDERR_FILENO, msg, sizeof msg - 1) < 0)
		_exit(XMALLOC_EXIT_STATUS);
	_exit(XMALLOC_EXIT_STATUS);
}

void *mem_try(size_t n)
{
	return must_fail() ? NULL : malloc(n ? n : 1);
}

void *mem_retry(void *p, size_t n)
{
	return must_fail() ? NULL : realloc(p, n ? n : 1);
}

bool mem_mul(size_t a, size_t b, size_t *out)
{
	return !__builtin_mul_overflow(a, b, out);
}

void *xmalloc(size_t n)
{
	void *p = mem_try(n);

	if (!p)
		die();
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	size_t n;
	void *p;

	if (!mem_mul(count, size, &n))
		die();
	p = xmalloc(n);
	memset(p, 0, n);
	return p;
}

void *xrealloc(void *p, size_t n)
{
	void *q = mem_retry(p, n);

	if (!q)
		die();
	return q;
}

char *xstrndup(const char *s, size_t n)
{
	char *p = xmalloc(n + 1);

	memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *xstrdup(const char *s)
{
	return xstrndup(s, strlen(s));
}

char *xasprintf(const char *fmt, ...)
{
	va_list ap;
	int n;
	char *p;

	va_start(ap, fmt);
	n = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	if (n < 0)
		die();
	p = xmalloc((size_t)n + 1);
	va_start(ap, fmt);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	va_end(ap);
	return p;
}

void mem_give_back(void)
{
#ifdef __GLIBC__
	mallopt(M_MMAP_THRESHOLD, 256 << 10);
#endif
}
