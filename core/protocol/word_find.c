/*
 * Where many names stand in a long text (extract.h). The names are sorted; from every place where a
 * word can begin those that fit so far are a range of them, which each further character narrows. So
 * it takes the text's length times the characters that a name has in common with it, however many
 * names there are.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/protocol/extract.h"

#define FEW_STEPS 4096 /* bytes times names that are compared one by one sooner than sorted */

struct entry {
	struct str name;
	size_t i; /* among the caller's */
};

struct finder {
	struct entry *entry; /* sorted, caseless; names that are empty are not there */
	size_t n;
	size_t first[257]; /* entries by their first byte: first[c] .. first[c + 1) */
};

static unsigned char fold(char c)
{
	return (unsigned char)(c >= 'A' && c <= 'Z' ? c + 32 : c);
}

static int by_name(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	size_t n = x->name.n < y->name.n ? x->name.n : y->name.n;

	for (size_t k = 0; k < n; k++) {
		int d = fold(x->name.p[k]) - fold(y->name.p[k]);

		if (d)
			return d;
	}
	if (x->name.n != y->name.n)
		return x->name.n < y->name.n ? -1 : 1;
	return (x->i > y->i) - (x->i < y->i);
}

static void finder_init(struct finder *f, const struct str *name, size_t n)
{
	size_t at = 0;

	*f = (struct finder){.entry = xcalloc(n + 1, sizeof *f->entry)};
	for (size_t i = 0; i < n; i++)
		if (name[i].n)
			f->entry[f->n++] = (struct entry){name[i], i};
	if (f->n)
		qsort(f->entry, f->n, sizeof *f->entry, by_name);
	for (int c = 0; c < 256; c++) {
		f->first[c] = at;
		while (at < f->n && fold(f->entry[at].name.p[0]) == c)
			at++;
	}
	f->first[256] = f->n;
}

/* The first of the entries [lo, hi), all longer than depth and alike before it, whose byte there is
 * c or above. */
static size_t lower(const struct finder *f, size_t lo, size_t hi, size_t depth, int c)
{
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (fold(f->entry[mid].name.p[depth]) < c)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

/* Of the entries [*lo, *hi), likewise, those that have c there. */
static void narrow(const struct finder *f, size_t *lo, size_t *hi, size_t depth, int c)
{
	int low = fold(f->entry[*lo].name.p[depth]), high = fold(f->entry[*hi - 1].name.p[depth]);

	if (low == c && high == c)
		return;
	*lo = lower(f, *lo, *hi, depth, c);
	*hi = lower(f, *lo, *hi, depth, c + 1);
}

/* What begins at text's i-th byte. */
static void find_here(const struct finder *f, struct str text, size_t i, size_t *at)
{
	int c = fold(text.p[i]);
	size_t lo = f->first[c], hi = f->first[c + 1];

	for (size_t depth = 1; lo < hi; depth++) {
		for (; lo < hi && f->entry[lo].name.n == depth; lo++)
			if (at[f->entry[lo].i] == SIZE_MAX && answer_is_word(text, i, depth))
				at[f->entry[lo].i] = i;
		if (lo < hi && i + depth < text.n)
			narrow(f, &lo, &hi, depth, fold(text.p[i + depth]));
		else
			break;
	}
}

static size_t find_one(struct str text, struct str name)
{
	size_t at = 0, next;

	while (name.n && (next = str_find_nocase((struct str){text.p + at, text.n - at}, name)) != SIZE_MAX) {
		if (answer_is_word(text, at + next, name.n))
			return at + next;
		at += next + 1;
	}
	return SIZE_MAX;
}

void words_find(const struct str *name, size_t n, struct str text, size_t *at)
{
	struct finder f;

	for (size_t i = 0; i < n; i++)
		at[i] = SIZE_MAX;
	if (text.n <= FEW_STEPS / (n + 1)) {
		for (size_t i = 0; i < n; i++)
			at[i] = find_one(text, name[i]);
		return;
	}
	finder_init(&f, name, n);
	for (size_t i = 0; i < text.n; i++)
		if (i == 0 || !isalnum((unsigned char)text.p[i - 1]))
			find_here(&f, text, i, at);
	free(f.entry);
}
