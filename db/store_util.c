#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <utf8proc.h>

#include "db/store_internal.h"

#define LARGE_PAGE ((size_t)2 << 20)

/* Where every access is to another page, to find the page costs more than what is in it. */
static void scatter(void *p, size_t n)
{
#ifdef MADV_HUGEPAGE
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), from = ((uintptr_t)p + page - 1) & ~(page - 1);

	if (n > 4 * LARGE_PAGE)
		madvise((void *)from, n - (from - (uintptr_t)p), MADV_HUGEPAGE);
#else
	(void)p;
	(void)n;
#endif
}

enum status store_dense_reach(struct dense *d, size_t i, size_t hint, struct err *err)
{
	size_t n = i + 1, bytes;
	void *p;

	if (i < d->n)
		return OK;
	if (n < d->n + d->n / 2)
		n = d->n + d->n / 2;
	if (n < hint)
		n = hint;
	if (n < 64)
		n = 64;
	if (!mem_mul(n, d->size, &bytes) || !(p = mem_retry(d->data, bytes)))
		return err_set(err, E_MEMORY, "there is no memory for %zu samples' values", n);
	d->data = p;
	if (d->scattered)
		scatter(p, bytes);
	memset((char *)p + d->n * d->size, d->fill, (n - d->n) * d->size);
	d->n = n;
	return OK;
}

void store_dense_release(struct dense *d)
{
	free(d->data);
	d->data = NULL;
	d->n = 0;
}

void store_room(struct buf *b, size_t n)
{
	size_t cap = b->n + n + 1;

	if (cap <= b->cap)
		return;
	if (cap < 64)
		cap = 64;
	b->p = xrealloc(b->p, cap);
	b->cap = cap;
}

enum status store_column(struct column *out, enum dtype dtype, size_t n, struct err *err)
{
	*out = column_new(dtype, n);
	if (!out->data)
		return err_set(err, E_MEMORY, "there is no memory for a column of %zu values", n);
	return OK;
}

void store_column_fill(struct column *col, const uint32_t *v, size_t n)
{
	uint64_t wide[64];

	for (size_t at = 0; at < n; at += 64) {
		size_t k = n - at < 64 ? n - at : 64;

		for (size_t i = 0; i < k; i++)
			wide[i] = v[at + i];
		column_set_many(col, at, wide, k);
	}
}

static bool is_ascii(struct str s)
{
	unsigned char all = 0;

	for (size_t i = 0; i < s.n; i++)
		all |= (unsigned char)s.p[i];
	return all < 0x80;
}

static void fold_unicode(struct str s, struct buf *out)
{
	utf8proc_uint8_t *folded = NULL;
	utf8proc_ssize_t n = utf8proc_map((const utf8proc_uint8_t *)s.p, (utf8proc_ssize_t)s.n,
					  &folded,
					  UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);

	struct str as = n >= 0 ? (struct str){(const char *)folded, (size_t)n} : s;

	store_room(out, as.n);
	buf_str(out, as); /* what is not UTF-8 is compared as it is */
	free(folded);
}

struct str store_fold(struct str s, struct buf *scratch)
{
	s = str_trim(s);
	buf_clear(scratch);
	if (!is_ascii(s)) {
		fold_unicode(s, scratch);
		return buf_view(scratch);
	}
	store_room(scratch, s.n);
	for (size_t i = 0; i < s.n; i++) {
		char ch = s.p[i];

		buf_ch(scratch, ch >= 'A' && ch <= 'Z' ? (char)(ch + 32) : ch);
	}
	return buf_view(scratch);
}

/* Position of a final "#number", or s.n. */
static size_t suffix_at(struct str s, int64_t *number)
{
	size_t at = s.n;

	while (at > 0 && s.p[at - 1] >= '0' && s.p[at - 1] <= '9')
		at--;
	if (at > 1 && at < s.n && s.p[at - 1] == '#' &&
	    str_int((struct str){s.p + at, s.n - at}, number) && *number > 1)
		return at - 1;
	return s.n;
}

const char *store_suffixed(struct arena *a, struct str name, int k)
{
	int64_t first = 1;
	size_t root = suffix_at(name, &first);

	if (k == 1)
		return arena_strndup(a, name.p, name.n);
	return arena_printf(a, "%.*s#%lld", (int)root, name.p, (long long)(first + k - 1));
}

void store_now(char out[32])
{
	time_t now = time(NULL);
	struct tm tm;

	if (!gmtime_r(&now, &tm) || !strftime(out, 32, "%Y-%m-%dT%H:%M:%SZ", &tm))
		memcpy(out, "", 1);
}

const char *store_count(char out[32], uint64_t v)
{
	char digits[24];
	int n = snprintf(digits, sizeof digits, "%" PRIu64, v), at = 0;

	for (int i = 0; i < n; i++) {
		if (i && (n - i) % 3 == 0)
			out[at++] = ',';
		out[at++] = digits[i];
	}
	out[at] = '\0';
	return out;
}
