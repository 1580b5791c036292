#include "core/eval/compare.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/eval/truth.h"
#include "core/model/outcome.h"

#define WIDE 64 /* samples: loops of a fixed length are made of wide vectors */

_Static_assert(COMPARED_ONLY_A == COMPARED_BOTH + 1 && COMPARED_ONLY_B == COMPARED_BOTH + 2 &&
		       COMPARED_NEITHER == COMPARED_BOTH + 3,
	       "what compare_one() counts by");

static inline uint8_t compare_one(uint8_t a, uint8_t b)
{
	uint8_t code = (uint8_t)(COMPARED_BOTH + (a == VERDICT_WRONG ? 2 : 0) + (b == VERDICT_WRONG ? 1 : 0));

	return a == VERDICT_UNCOUNTED || b == VERDICT_UNCOUNTED ? COMPARED_NONE : code;
}

static CLONES void compare_wide(const uint8_t *restrict a, const uint8_t *restrict b, uint32_t n,
				uint8_t *restrict out)
{
	uint32_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (uint32_t k = i; k < i + WIDE; k++)
			out[k] = compare_one(a[k], b[k]);
	for (; i < n; i++)
		out[i] = compare_one(a[i], b[i]);
}

static void leave_out(uint64_t in, uint32_t n, uint8_t *out)
{
	for (uint32_t k = 0; k < n && in != UINT64_MAX; k++)
		if (!(in >> k & 1))
			out[k] = COMPARED_OUTSIDE;
}

void compare_samples(const uint8_t *a, const uint8_t *b, uint32_t n, const uint64_t *mask, uint8_t *out)
{
	if (!mask) {
		compare_wide(a, b, n, out);
		return;
	}
	for (uint32_t i = 0; i < n; i += WIDE) {
		uint32_t many = n - i < WIDE ? n - i : WIDE;

		if (!mask[i / WIDE]) {
			memset(out + i, COMPARED_OUTSIDE, many);
			continue;
		}
		compare_wide(a + i, b + i, many, out + i);
		leave_out(mask[i / WIDE], many, out + i);
	}
}

static struct compare_count count_of(const uint32_t by[N_COMPARED])
{
	return (struct compare_count){
	    {by[COMPARED_BOTH], by[COMPARED_ONLY_A], by[COMPARED_ONLY_B], by[COMPARED_NEITHER]},
	    by[COMPARED_NONE]};
}

/* --- all samples --- */

#define BLOCK 512 /* samples; so many times WIDE that a byte can count */

static CLONES uint32_t count_code(const uint8_t *restrict compared, uint32_t n, uint8_t code)
{
	uint8_t lane[WIDE] = {0};
	uint32_t count = 0, i = 0;

	for (; i + WIDE <= n; i += WIDE) {
		const uint8_t *v = compared + i;

		for (int k = 0; k < WIDE; k++)
			lane[k] = (uint8_t)(lane[k] + (v[k] == code));
	}
	for (; i < n; i++)
		count += compared[i] == code;
	for (int k = 0; k < WIDE; k++)
		count += lane[k];
	return count;
}

static CLONES uint32_t count_counted(const uint8_t *restrict compared, const uint8_t *restrict verdict, uint32_t n)
{
	uint32_t count = 0, i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (uint32_t k = i; k < i + WIDE; k++)
			count += (compared[k] == COMPARED_NONE) & (verdict[k] != VERDICT_UNCOUNTED);
	for (; i < n; i++)
		count += (compared[i] == COMPARED_NONE) & (verdict[i] != VERDICT_UNCOUNTED);
	return count;
}

uint32_t compare_alone(const uint8_t *compared, const uint8_t *verdict, uint32_t n)
{
	return count_counted(compared, verdict, n);
}

/* --- by group --- */

#define FEW  8 /* groups of a sample that are taken in one go */
#define ROOM (BLOCK * FEW)

/* What each of a block's samples is, beside each group that it is in. How many those are cannot be
 * guessed: FEW are written whatever there are, the next sample writes over what is too much. */
static void spread(const uint8_t *compared, const uint32_t *off, uint32_t n, uint8_t *beside)
{
	for (uint32_t i = 0; i < n; i++) {
		uint32_t first = off[i] - off[0], many = off[i + 1] - off[i];

		memset(beside + first, compared[i], FEW);
		for (uint32_t k = FEW; k < many; k++)
			beside[first + k] = compared[i];
	}
}

static void count_flat(const uint8_t *beside, const uint32_t *val, uint32_t n, uint32_t (*by)[N_COMPARED])
{
	for (uint32_t k = 0; k < n; k++)
		by[val[k]][beside[k]]++;
}

static void count_block(const uint8_t *compared, const uint32_t *off, const uint32_t *val, uint32_t n,
			uint32_t (*by)[N_COMPARED])
{
	uint8_t beside[ROOM + FEW];
	uint32_t all = off[n] - off[0];

	if (all == n && sets_are_single(off, n)) {
		count_flat(compared, val + off[0], n, by);
		return;
	}
	if (all <= ROOM) {
		spread(compared, off, n, beside);
		count_flat(beside, val + off[0], all, by);
		return;
	}
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = off[i]; k < off[i + 1]; k++)
			by[val[k]][compared[i]]++;
}

static CLONES uint64_t inside_word(const uint8_t *restrict compared)
{
	uint8_t in[WIDE];

	for (int k = 0; k < WIDE; k++)
		in[k] = compared[k] != COMPARED_OUTSIDE;
	return bits_pack(in);
}

static void count_one(uint8_t compared, const uint32_t *off, const uint32_t *val, uint32_t (*by)[N_COMPARED])
{
	for (uint32_t k = off[0]; k < off[1]; k++)
		by[val[k]][compared]++;
}

/* Of a block of which little is inside of what is compared. */
static void count_few(const uint8_t *compared, const uint32_t *off, const uint32_t *val, uint32_t n,
		      uint32_t (*by)[N_COMPARED])
{
	uint32_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (uint64_t left = inside_word(compared + i); left; left &= left - 1) {
			uint32_t k = i + (uint32_t)__builtin_ctzll(left);

			count_one(compared[k], off + k, val, by);
		}
	for (; i < n; i++)
		if (compared[i] != COMPARED_OUTSIDE)
			count_one(compared[i], off + i, val, by);
}

void compare_groups(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		    uint32_t n_groups, struct compare_count *out)
{
	uint32_t (*by)[N_COMPARED] = xcalloc((size_t)n_groups + 1, sizeof *by), *all = by[n_groups];

	for (uint32_t from = 0; from < n; from += BLOCK) {
		uint32_t many = n - from < BLOCK ? n - from : BLOCK;
		uint32_t outside = count_code(compared + from, many, COMPARED_OUTSIDE);

		for (uint8_t code = 0; code < COMPARED_OUTSIDE && outside < many; code++)
			all[code] += count_code(compared + from, many, code);
		if (outside > many / 4 * 3)
			count_few(compared + from, off + from, val, many, by);
		else
			count_block(compared + from, off + from, val, many, by);
	}
	for (uint32_t g = 0; g <= n_groups; g++)
		out[g] = count_of(by[g]);
	free(by);
}

/* --- clusters --- */

/* The counted samples in the order of their clusters; *m: how many. */
static uint32_t *by_cluster(const uint8_t *compared, uint32_t n, const uint32_t *cluster,
			    uint32_t n_clusters, uint32_t *m)
{
	uint32_t *at = xcalloc((size_t)n_clusters + 2, sizeof *at);
	uint32_t *order = xcalloc((size_t)n + 1, sizeof *order);

	for (uint32_t i = 0; i < n; i++)
		at[cluster[i] + 1] += compared[i] != COMPARED_NONE && compared[i] != COMPARED_OUTSIDE;
	for (uint32_t c = 0; c < n_clusters; c++)
		at[c + 1] += at[c];
	*m = at[n_clusters];
	for (uint32_t i = 0; i < n; i++)
		if (compared[i] != COMPARED_NONE && compared[i] != COMPARED_OUTSIDE)
			order[at[cluster[i]]++] = i;
	free(at);
	return order;
}

struct clustering { /* clusters come one after the other, so that a group's last one is the only one to look at */
	const uint8_t *compared;
	const uint32_t *cluster;
	uint32_t *last; /* [n_groups + 1] the cluster that the group met last, plus 1 */
	size_t *at;     /* [n_groups + 1] one past that cluster's table */
	struct fourfold *table; /* NULL: they are counted only */
};

static void meet(struct clustering *c, uint32_t group, uint32_t i)
{
	struct fourfold *f;

	if (c->last[group] != c->cluster[i] + 1) {
		c->last[group] = c->cluster[i] + 1;
		c->at[group]++;
	}
	if (!c->table)
		return;
	f = &c->table[c->at[group] - 1];
	f->both += c->compared[i] == COMPARED_BOTH;
	f->only_a += c->compared[i] == COMPARED_ONLY_A;
	f->only_b += c->compared[i] == COMPARED_ONLY_B;
	f->neither += c->compared[i] == COMPARED_NEITHER;
}

static void meet_all(struct clustering *c, const uint32_t *order, uint32_t m, const uint32_t *off,
		     const uint32_t *val, uint32_t n_groups)
{
	memset(c->last, 0, ((size_t)n_groups + 1) * sizeof *c->last);
	for (uint32_t k = 0; k < m; k++) {
		uint32_t i = order[k];

		meet(c, n_groups, i);
		for (uint32_t g = off[i]; g < off[i + 1]; g++)
			meet(c, val[g], i);
	}
}

void compare_clusters(const uint8_t *compared, uint32_t n, const uint32_t *off, const uint32_t *val,
		      uint32_t n_groups, const uint32_t *cluster, uint32_t n_clusters,
		      struct compare_clusters *out)
{
	uint32_t m, *order = by_cluster(compared, n, cluster, n_clusters, &m);
	struct clustering c = {.compared = compared, .cluster = cluster};

	c.last = xcalloc((size_t)n_groups + 1, sizeof *c.last);
	c.at = xcalloc((size_t)n_groups + 1, sizeof *c.at);
	out->from = xcalloc((size_t)n_groups + 2, sizeof *out->from);
	meet_all(&c, order, m, off, val, n_groups);
	for (uint32_t g = 0; g <= n_groups; g++) {
		out->from[g + 1] = out->from[g] + c.at[g];
		c.at[g] = out->from[g];
	}
	out->table = c.table = xcalloc(out->from[n_groups + 1] + 1, sizeof *out->table);
	meet_all(&c, order, m, off, val, n_groups);
	free(order);
	free(c.last);
	free(c.at);
}

void compare_clusters_release(struct compare_clusters *c)
{
	free(c->from);
	free(c->table);
	*c = (struct compare_clusters){0};
}
