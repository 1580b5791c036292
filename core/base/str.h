/*
 * Slices and growing buffers.
 * A `struct str` borrows bytes (not NUL-terminated). A `struct buf` owns bytes, always keeps a
 * NUL after them, and has a ceiling: going beyond it sets `failed` and drops the addition, so
 * that a writer checks once at the end.
 */
#ifndef QUALM_CORE_BASE_STR_H
#define QUALM_CORE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
	const char *p;
	size_t n;
};

#define STR(lit)  ((struct str){(lit), sizeof(lit) - 1})
#define STR_NONE  ((struct str){NULL, 0})
#define STR_ARG(s) (int)(s).n, (s).p /* for "%.*s"; only for slices known to be short */

static inline struct str str_z(const char *z)
{
	return (struct str){z, z ? strlen(z) : 0};
}

/* Most texts that are compared are keys and names: up to 16 bytes in two looks, which may overlap. */
static inline bool str_eq(struct str a, struct str b)
{
	uint64_t head[2] = {0, 0}, tail[2] = {0, 0};

	if (a.n != b.n)
		return false;
	if (a.n < 4)
		return a.n == 0 || (a.p[0] == b.p[0] && a.p[a.n / 2] == b.p[a.n / 2] &&
				    a.p[a.n - 1] == b.p[a.n - 1]);
	if (a.n > 16)
		return memcmp(a.p, b.p, a.n) == 0;
	if (a.n >= 8) {
		memcpy(&head[0], a.p, 8);
		memcpy(&head[1], b.p, 8);
		memcpy(&tail[0], a.p + a.n - 8, 8);
		memcpy(&tail[1], b.p + b.n - 8, 8);
	} else {
		memcpy(&head[0], a.p, 4);
		memcpy(&head[1], b.p, 4);
		memcpy(&tail[0], a.p + a.n - 4, 4);
		memcpy(&tail[1], b.p + b.n - 4, 4);
	}
	return head[0] == head[1] && tail[0] == tail[1];
}

bool str_eq_nocase(struct str a, struct str b); /* ASCII case only */
bool str_eqz(struct str a, const char *z);
bool str_starts(struct str s, struct str prefix);
bool str_ends(struct str s, struct str suffix);
bool str_ends_nocase(struct str s, struct str suffix);
/* Index of the first occurrence, or SIZE_MAX. An empty needle is found at 0. */
size_t str_find(struct str s, struct str needle);
size_t str_find_nocase(struct str s, struct str needle); /* ASCII case only */
struct str str_trimmed(struct str s);
/* Without ASCII blanks at both ends. Most texts have none, which is seen at once. */
static inline struct str str_trim(struct str s)
{
	return s.n && s.p[0] > ' ' && s.p[s.n - 1] > ' ' ? s : str_trimmed(s);
}
/* Split at the first `sep`: *head gets what is before it; returns what is after it (p NULL at
 * the end, when no separator was left). */
struct str str_cut(struct str s, char sep, struct str *head);
/* Whole slice is a decimal integer (optional sign, ASCII blanks around are not allowed). */
bool str_int(struct str s, int64_t *out);
/* Whole slice is a finite decimal number. Locale-independent. */
bool str_num(struct str s, double *out);
int str_cmp(struct str a, struct str b);

struct buf {
	char *p;
	size_t n, cap;
	size_t max; /* ceiling in bytes; 0 means 1 GiB */
	bool failed;
};

#define BUF_INIT {NULL, 0, 0, 0, false}

void buf_put(struct buf *b, const void *p, size_t n);
void buf_str(struct buf *b, struct str s);
void buf_z(struct buf *b, const char *z);
void buf_ch(struct buf *b, char c);
void buf_printf(struct buf *b, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Make room for n more bytes and return where they go (then add to b->n yourself), or NULL. */
char *buf_reserve(struct buf *b, size_t n);
struct str buf_view(const struct buf *b);
const char *buf_cstr(const struct buf *b); /* never NULL */
void buf_clear(struct buf *b);             /* keeps the memory */
void buf_release(struct buf *b);
char *buf_take(struct buf *b); /* the caller owns the NUL-terminated bytes; b is empty after */

#endif
