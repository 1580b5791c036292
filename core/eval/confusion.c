#include "core/eval/confusion.h"

#include <stdlib.h>

#include "core/base/bits.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion_impl.h"

#define SPARSE 16 /* of that many samples less than one: a block would be made for nothing */

static size_t next_of(const uint64_t *mask, uint32_t n, size_t i)
{
	return mask ? bits_next(mask, n, i) : i;
}

/* Of a sample's truths, the k-th; of a group that was among those before: n_rows, which is none. */
static uint32_t supported(const struct counting *c, const uint32_t *truth, uint32_t k)
{
	const uint32_t *group = c->way->group;

	if (!group)
		return truth[k];
	for (uint32_t before = 0; before < k; before++)
		if (group[truth[before]] == group[truth[k]])
			return c->out->n_rows;
	return group[truth[k]];
}

static void count_support(struct counting *c, const uint32_t *truth, uint32_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		uint32_t class = supported(c, truth, k);

		if (class < c->out->n_rows)
			c->out->support[class]++;
	}
	c->out->support[c->out->n_classes] += n == 0;
}

static void count_sample(struct counting *c, const struct placing *p, uint32_t i, uint32_t *row,
			 uint32_t max)
{
	struct confusion *out = c->out;
	uint32_t column, n, from = p->truth.off[i], to = p->truth.off[i + 1];

	if (!p->truth.covered[i])
		return;
	out->samples++;
	count_support(c, p->truth.val + from, to - from);
	n = placing_grouped(p, c->way->group, i, row, max, &column);
	for (uint32_t k = 0; k < n; k++)
		cell_counts_add(&c->counts, row[k], column);
	if (n > 1 && c->way->several)
		c->way->several(c->way->several_ctx, row, n, column);
	out->diagonal += to > from && p->verdict[i] == VERDICT_RIGHT && column < out->n_classes;
}

/* --- any samples --- */

static uint32_t most_truths(const struct truth *t, uint32_t n, const uint64_t *mask)
{
	uint32_t most = 1;

	for (size_t i = next_of(mask, n, 0); i < n; i = next_of(mask, n, i + 1))
		if (t->off[i + 1] - t->off[i] > most)
			most = t->off[i + 1] - t->off[i];
	return most;
}

static void count_all(struct counting *c, struct placing *p, uint32_t n, const uint64_t *mask)
{
	uint32_t max = most_truths(&p->truth, n, mask), *row = xcalloc(max, sizeof *row);
	size_t next = 0;

	truth_widen(&p->truth);
	for (size_t i = next_of(mask, n, 0); i < n && !confusion_stopped(c->way, i, &next); i = next_of(mask, n, i + 1))
		count_sample(c, p, (uint32_t)i, row, max);
	free(row);
}

/* Is it time to look up, and is there no more to be done? */
bool confusion_stopped(const struct confusion_way *way, size_t i, size_t *next)
{
	if (i < *next)
		return false;
	*next = i + LOOK_UP;
	if (way->tell)
		way->tell(way->ctx, (uint32_t)i);
	return cancel_is(way->cancel);
}

/* The classes alone, as stored: nothing is taken together. */
static bool is_plain(const struct counting *c, const struct placing *p)
{
	return placing_is_plain(p) && !c->way->group;
}

void confusion_make_by(const struct snapshot *snap, const struct lens *lens, int run,
		       const uint8_t *verdict, const uint64_t *mask, const struct confusion_way *way,
		       struct confusion *out)
{
	struct counting c = {.out = out, .way = way};
	struct placing p;
	size_t many = mask ? bits_count(mask, snap->n) : snap->n;
	size_t rows = (size_t)snap->n_classes + 1, columns = (size_t)snap->n_classes + N_EXTRAS;
	bool blocks;

	*out = (struct confusion){.n_classes = snap->n_classes,
				  .n_rows = (uint32_t)rows,
				  .n_columns = (uint32_t)columns};
	out->off = xcalloc(rows + 1, sizeof *out->off);
	out->row = xcalloc(rows, sizeof *out->row);
	out->support = xcalloc(rows, sizeof *out->support);
	out->column = xcalloc(columns, sizeof *out->column);
	cell_counts_init(&c.counts, out->n_rows, out->n_columns, many);
	placing_begin(&p, snap, lens, run, verdict);
	blocks = is_plain(&c, &p) && many > snap->n / SPARSE;
	if (blocks)
		confusion_count_blocks(&c, &p, snap->n, mask);
	else
		count_all(&c, &p, snap->n, mask);
	placing_release(&p);
	cell_counts_gather(&c.counts, out);
	if (blocks)
		confusion_add_support(&c);
	cell_counts_release(&c.counts);
}

void confusion_make(const struct snapshot *snap, const struct lens *lens, int run,
		    const uint8_t *verdict, const uint64_t *mask, struct confusion *out)
{
	confusion_make_by(snap, lens, run, verdict, mask, &(struct confusion_way){.group = NULL}, out);
}

void confusion_release(struct confusion *c)
{
	free(c->off);
	free(c->cell);
	free(c->row);
	free(c->column);
	free(c->support);
	*c = (struct confusion){0};
}

uint32_t confusion_at(const struct confusion *c, uint32_t row, uint32_t column)
{
	uint32_t lo = c->off[row], hi = c->off[row + 1];

	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;

		if (c->cell[mid].column == column)
			return c->cell[mid].count;
		if (c->cell[mid].column < column)
			lo = mid + 1;
		else
			hi = mid;
	}
	return 0;
}

/* --- pairs --- */

static int most_first(const void *a, const void *b)
{
	const struct confused_pair *p = a, *q = b;

	if (p->count != q->count)
		return p->count > q->count ? -1 : 1;
	if (p->truth != q->truth)
		return p->truth < q->truth ? -1 : 1;
	return (p->answer > q->answer) - (p->answer < q->answer);
}

/* The first ones so far, as a heap with the last of them on top. */
struct best {
	struct confused_pair *v;
	size_t n, max;
};

static void sink_top(struct best *b)
{
	struct confused_pair top = b->v[0];
	size_t at = 0, below;

	while ((below = 2 * at + 1) < b->n) {
		if (below + 1 < b->n && most_first(&b->v[below + 1], &b->v[below]) > 0)
			below++;
		if (most_first(&b->v[below], &top) <= 0)
			break;
		b->v[at] = b->v[below];
		at = below;
	}
	b->v[at] = top;
}

static void offer(struct best *b, const struct confused_pair *p)
{
	size_t at = b->n;

	if (b->n == b->max) {
		if (b->max && most_first(p, &b->v[0]) < 0) {
			b->v[0] = *p;
			sink_top(b);
		}
		return;
	}
	b->n++;
	for (; at && most_first(p, &b->v[(at - 1) / 2]) > 0; at = (at - 1) / 2)
		b->v[at] = b->v[(at - 1) / 2];
	b->v[at] = *p;
}

/* Those of a row. Most are far from the first ones: those are seen at once. Returns how many there are. */
static size_t offer_row(struct best *b, const struct confusion *c, uint32_t row, uint32_t columns)
{
	size_t n = 0;

	for (uint32_t k = c->off[row]; k < c->off[row + 1]; k++) {
		uint32_t column = c->cell[k].column, count = c->cell[k].count;

		if (column == row || column >= columns)
			continue;
		n++;
		if (b->n < b->max || (b->max && count >= b->v[0].count))
			offer(b, &(struct confused_pair){row, column, count, 0, 0});
	}
	return n;
}

size_t confusion_pairs(const struct confusion *c, bool extras, size_t max, struct confused_pair *out)
{
	struct best best = {out, 0, max};
	uint64_t off_diagonal = 0;
	size_t n = 0;

	for (uint32_t r = 0; r < c->n_classes; r++) {
		off_diagonal += c->row[r] - confusion_at(c, r, r);
		n += offer_row(&best, c, r, extras ? c->n_columns : c->n_classes);
	}
	if (best.n)
		qsort(out, best.n, sizeof *out, most_first);
	for (size_t i = 0; i < best.n; i++) {
		out[i].share = out[i].count / (double)off_diagonal;
		if (out[i].answer < c->n_classes)
			out[i].back = confusion_at(c, out[i].answer, out[i].truth);
	}
	return n;
}
