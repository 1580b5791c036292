#include "core/base/nearest.h"

#define WORD_MAX 32

static char lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* Edits between the words: insert, delete, replace, swap of neighbours. */
static int distance(const char *a, int n_a, const char *b, int n_b)
{
	int row[3][WORD_MAX + 1];

	for (int k = 0; k <= n_b; k++)
		row[0][k] = k;
	for (int i = 1; i <= n_a; i++) {
		int *now = row[i % 3], *before = row[(i + 2) % 3], *first = row[(i + 1) % 3];

		now[0] = i;
		for (int k = 1; k <= n_b; k++) {
			int best = before[k - 1] + (lower(a[i - 1]) != lower(b[k - 1]));

			if (before[k] + 1 < best)
				best = before[k] + 1;
			if (now[k - 1] + 1 < best)
				best = now[k - 1] + 1;
			if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1] &&
			    first[k - 2] + 1 < best)
				best = first[k - 2] + 1;
			now[k] = best;
		}
	}
	return row[n_a % 3][n_b];
}

void nearest_offer(struct nearest *n, const char *candidate)
{
	struct str c = str_z(candidate);
	int d, most;

	if (n->word.n > WORD_MAX || c.n > WORD_MAX || !n->word.n)
		return;
	d = distance(n->word.p, (int)n->word.n, c.p, (int)c.n);
	most = 1 + (int)(n->word.n > c.n ? n->word.n : c.n) / 4;
	if (str_starts(c, n->word) && n->word.n >= 2)
		d = 1;
	if (d > most || (n->best && d >= n->distance))
		return;
	n->best = candidate;
	n->distance = d;
}
