/*
 * Plain samples of the matrix, a block at a time (confusion.h). Which of them are right and how many
 * truths they have follows no pattern that a processor could guess, so each step is a loop without
 * branches: which samples; then, one after the other, their truths, each beside the column that its
 * sample counts in; then the counts.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/bits.h"
#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion_impl.h"

#define BLOCK 512
#define FEW   8 /* truths of a sample that are taken in one go; samples with more are counted apart */
#define ROOM  (BLOCK * FEW)
#define WIDE  64 /* samples: loops of a fixed length are made of wide vectors */
#define SPREAD 8

struct block {
	uint32_t from, n;       /* samples [from, from + n) */
	uint32_t column[BLOCK]; /* of each of them */
	uint32_t counts[BLOCK]; /* the column in which each truth of it counts */
	uint32_t met[BLOCK];    /* the row of a right answer; n_classes or more: it is not right */
	uint64_t none[BLOCK / WIDE]; /* bits of those without a truth */
	uint64_t which[BLOCK / WIDE]; /* and of those that count: their places in the block follow */
	uint16_t in[BLOCK];
	uint32_t n_in;
	const uint32_t *val;       /* all truths of the block */
	uint32_t n_val, n_readable;
	uint32_t room[ROOM + FEW]; /* for truths that are stored narrow */
	const uint32_t *row;       /* truths of those that count */
	uint32_t beside[ROOM + FEW]; /* and the column of each */
	uint32_t own_row[ROOM + FEW];
	uint32_t n_truths;
};

/* --- which samples --- */

static CLONES uint64_t covered_word(const uint8_t *covered)
{
	uint8_t is[WIDE];

	for (int k = 0; k < WIDE; k++)
		is[k] = covered[k] != 0;
	return bits_pack(is);
}

/* Of WIDE samples, or of fewer at the end. */
static uint64_t which_of(const struct placing *p, const uint64_t *mask, uint32_t from, uint32_t n)
{
	const uint8_t *covered = p->truth.covered + from;
	uint64_t in = 0;

	if (n == WIDE)
		in = covered_word(covered);
	for (uint32_t k = 0; k < n && n < WIDE; k++)
		in |= (uint64_t)(covered[k] != 0) << k;
	return mask ? in & mask[from / WIDE] : in;
}

static void take_whole(struct block *b, uint32_t at)
{
	for (uint32_t k = 0; k < WIDE; k++)
		b->in[b->n_in + k] = (uint16_t)(at + k);
	b->n_in += WIDE;
}

static void select_samples(struct block *b, const struct placing *p, const uint64_t *mask)
{
	b->n_in = 0;
	for (uint32_t at = 0; at < b->n; at += WIDE) {
		uint32_t n = b->n - at < WIDE ? b->n - at : WIDE;
		uint64_t left = which_of(p, mask, b->from + at, n);

		b->which[at / WIDE] = left;
		if (left == UINT64_MAX) {
			take_whole(b, at);
			continue;
		}
		for (; left; left &= left - 1)
			b->in[b->n_in++] = (uint16_t)(at + (uint32_t)__builtin_ctzll(left));
	}
}

/* --- their truths --- */

static void find_truths(struct block *b, struct placing *p, uint32_t end)
{
	uint32_t first = p->truth.off[b->from], last = p->truth.off[b->from + b->n];

	b->n_val = last - first;
	if (b->n_val > ROOM)
		truth_widen(&p->truth);
	b->n_readable = p->truth.narrow ? ROOM + FEW : end - first;
	b->val = truth_some(&p->truth, first, last, b->room);
}

struct where { /* a sample counts; of the whole matrix */
	uint32_t n_classes, outside;
};

/* Truths of a right answer are supported, though no cell but the one that it met counts it: they are
 * beside the cells. The met one is on the diagonal. Those that are not right are spread, as adding to
 * one place again and again has to wait for itself. */
static inline void judge_one(struct where w, const uint32_t *off, uint8_t verdict, size_t i,
			     struct block *restrict b)
{
	uint32_t column = b->column[i];
	bool right = (verdict == VERDICT_RIGHT) & (off[i + 1] != off[i]) & (column < w.n_classes);

	b->counts[i] = right ? w.outside : column;
	b->met[i] = right ? column : w.n_classes + (uint32_t)i % SPREAD;
}

static CLONES void judge_samples(struct where w, const uint32_t *restrict off, const uint8_t *restrict verdict,
				 struct block *restrict b)
{
	size_t i = 0;

	for (; i + WIDE <= b->n; i += WIDE) {
		uint8_t empty[WIDE];

		for (size_t k = i; k < i + WIDE; k++)
			judge_one(w, off, verdict[k], k, b);
		for (size_t k = 0; k < WIDE; k++)
			empty[k] = off[i + k + 1] == off[i + k];
		b->none[i / WIDE] = bits_pack(empty);
	}
	if (i < b->n)
		b->none[i / WIDE] = 0;
	for (; i < b->n; i++) {
		judge_one(w, off, verdict[i], i, b);
		b->none[i / WIDE] |= (uint64_t)(off[i + 1] == off[i]) << i % WIDE;
	}
}

/* FEW of them, whatever n is: what is too much is written over by the next sample's. */
static inline void put_few(uint32_t counts, uint32_t *beside)
{
	for (int k = 0; k < FEW; k++)
		beside[k] = counts;
}

/* Every sample counts: their truths stand one after the other as they are. */
static void gather_whole(struct block *b, const uint32_t *off)
{
	for (uint32_t i = 0; i < b->n; i++) {
		uint32_t first = off[i] - off[0], n = off[i + 1] - off[i], counts = b->counts[i];

		put_few(counts, b->beside + first);
		for (uint32_t k = FEW; k < n; k++)
			b->beside[first + k] = counts;
	}
	b->row = b->val;
	b->n_truths = b->n_val;
}

static void add_each(struct cell_counts *c, const uint32_t *val, uint32_t n, uint32_t counts)
{
	for (uint32_t k = 0; k < n; k++)
		cell_counts_add(c, val[k], counts);
}

static void gather_some(struct cell_counts *c, struct block *b, const uint32_t *off)
{
	uint32_t at = 0;

	for (uint32_t k = 0; k < b->n_in; k++) {
		uint32_t i = b->in[k], first = off[i] - off[0], n = off[i + 1] - off[i];

		if (n > FEW || first + FEW > b->n_readable) {
			add_each(c, b->val + first, n, b->counts[i]);
			continue;
		}
		memcpy(b->own_row + at, b->val + first, FEW * sizeof *b->val);
		put_few(b->counts[i], b->beside + at);
		at += n;
	}
	b->row = b->own_row;
	b->n_truths = at;
}

/* --- the counts --- */

static void count_truths(struct cell_counts *c, const struct block *b)
{
	uint8_t *table = c->table;
	size_t stride = c->stride;

	for (uint32_t k = 0; k < b->n_truths; k++) {
		uint32_t row = b->row[k], column = b->beside[k];

		if (!table)
			cell_counts_add(c, row, column);
		else if (!++table[row * stride + column])
			vec_push(&c->list, ((struct hit){row, column}));
	}
}

/* The rows that right answers met are counted apart for now, as they all are on the diagonal. */
static void count_met(const struct block *b, const struct placing *p, const uint32_t *off, uint32_t *met)
{
	for (uint32_t k = 0; k < b->n_in && !p->partners.off; k++)
		met[b->met[b->in[k]]]++;
	for (uint32_t k = 0; k < b->n_in && p->partners.off; k++) {
		uint32_t i = b->in[k], at = b->met[i];

		if (at < p->n_classes)
			at = placing_met(p, b->val + (off[i] - off[0]), off[i + 1] - off[i], at);
		met[at]++;
	}
}

static void count_none(struct counting *c, const struct block *b)
{
	for (uint32_t at = 0; at < b->n; at += WIDE)
		for (uint64_t left = b->none[at / WIDE] & b->which[at / WIDE]; left; left &= left - 1) {
			uint32_t i = at + (uint32_t)__builtin_ctzll(left);

			cell_counts_add(&c->counts, c->out->n_classes, b->column[i]);
		}
}

/* Of samples of one truth each. Returns how many are right. */
static CLONES uint32_t place_single(struct where w, const uint8_t *restrict verdict, const uint32_t *restrict val,
				    struct block *restrict b)
{
	uint32_t right = 0;

	for (int i = 0; i < BLOCK; i++) {
		bool is = (verdict[i] == VERDICT_RIGHT) & (b->column[i] < w.n_classes);

		b->beside[i] = is ? val[i] : b->column[i];
		right += is;
	}
	return right;
}

/* A whole block of those, if it is one: each counts once, in the row of its truth. */
static bool count_single(struct counting *c, struct where w, struct block *b, const struct placing *p)
{
	if (b->n_in < BLOCK || b->n_val != BLOCK || !sets_are_single(p->truth.off + b->from, BLOCK))
		return false;
	c->out->diagonal += place_single(w, p->verdict + b->from, b->val, b);
	b->row = b->val;
	b->n_truths = BLOCK;
	count_truths(&c->counts, b);
	c->out->samples += BLOCK;
	return true;
}

static void tell_several(const struct confusion_way *way, const struct block *b, const uint32_t *off,
			 uint32_t n_classes)
{
	for (uint32_t k = 0; k < b->n_in; k++) {
		uint32_t i = b->in[k], n = off[i + 1] - off[i];

		if (n > 1 && b->met[i] >= n_classes)
			way->several(way->several_ctx, b->val + (off[i] - off[0]), n, b->column[i]);
	}
}

static void count_block(struct counting *c, struct where w, struct block *b, const struct placing *p, uint32_t *met)
{
	const uint32_t *off = p->truth.off + b->from;

	judge_samples(w, off, p->verdict + b->from, b);
	if (b->n_in == b->n && b->n_val <= ROOM)
		gather_whole(b, off);
	else
		gather_some(&c->counts, b, off);
	count_truths(&c->counts, b);
	count_met(b, p, off, met);
	count_none(c, b);
	if (c->way->several)
		tell_several(c->way, b, off, w.n_classes);
	c->out->samples += b->n_in;
}

/* [n_classes + SPREAD]; the last ones are of those that are not right. */
static void take_met(struct counting *c, const uint32_t *met)
{
	for (uint32_t r = 0; r < c->out->n_classes; r++) {
		cell_counts_add_many(&c->counts, r, r, met[r]);
		c->out->support[r] -= met[r];
		c->out->diagonal += met[r];
	}
}

void confusion_count_blocks(struct counting *c, struct placing *p, uint32_t n, const uint64_t *mask)
{
	uint32_t end = p->truth.off[n], *met = xcalloc((size_t)c->out->n_classes + SPREAD, sizeof *met);
	struct where w = {c->out->n_classes, c->out->n_columns};
	struct block b;
	size_t next = 0;

	for (uint32_t from = 0; from < n && !confusion_stopped(c->way, from, &next); from += b.n) {
		b.from = from;
		b.n = n - from < BLOCK ? n - from : BLOCK;
		select_samples(&b, p, mask);
		if (!b.n_in)
			continue;
		placing_columns(p, from, b.n, b.column);
		find_truths(&b, p, end);
		if (!count_single(c, w, &b, p))
			count_block(c, w, &b, p, met);
	}
	take_met(c, met);
	free(met);
}

/* What is beside the cells and in them is the support, but for what right answers are in both. */
void confusion_add_support(struct counting *c)
{
	for (uint32_t r = 0; r < c->out->n_rows; r++)
		c->out->support[r] += c->out->row[r] + c->counts.beside[r];
}
