#include "core/eval/together.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clones.h"
#include "core/base/xmalloc.h"

#define CHECK_WORDS 4096 /* words of a set between two looks at the cancel */

static enum status no_memory(struct err *err, uint32_t n)
{
	return err_set(err, E_MEMORY, "there is no memory to compare answers to %u samples", n);
}

/* --- marks --- */

void marks_release(struct marks *m)
{
	for (int k = 0; k < m->n_runs; k++) {
		free(m->right ? m->right[k] : NULL);
		free(m->counted ? m->counted[k] : NULL);
	}
	free(m->right);
	free(m->counted);
	free(m->within);
	*m = (struct marks){0};
}

static enum status mark_run(const struct judging *j, int run, int k, uint8_t *verdict, struct marks *m,
			    struct err *err)
{
	m->right[k] = bits_new(m->n);
	m->counted[k] = bits_new(m->n);
	if (!m->right[k] || !m->counted[k])
		return no_memory(err, m->n);
	judging_all(j, run, verdict);
	bits_of_bytes(m->right[k], verdict, m->n, VERDICT_RIGHT);
	bits_of_bytes(m->counted[k], verdict, m->n, VERDICT_WRONG);
	bits_or(m->counted[k], m->right[k], m->n);
	if (m->within) {
		bits_and(m->right[k], m->within, m->n);
		bits_and(m->counted[k], m->within, m->n);
	}
	return OK;
}

enum status marks_make(const struct snapshot *snap, const struct lens *lens, const int *runs, int n_runs,
		       const uint64_t *mask, const struct cancel *cancel, struct steps *steps,
		       struct marks *out, struct err *err)
{
	struct judging *j = judging_new(snap, lens);
	uint8_t *verdict = mem_try((size_t)snap->n + 1);
	enum status st = verdict ? OK : no_memory(err, snap->n);

	*out = (struct marks){.n_runs = n_runs, .n = snap->n};
	out->right = xcalloc((size_t)n_runs + 1, sizeof *out->right);
	out->counted = xcalloc((size_t)n_runs + 1, sizeof *out->counted);
	if (mask && st == OK) {
		out->within = bits_new(snap->n);
		st = out->within ? OK : no_memory(err, snap->n);
	}
	if (out->within)
		memcpy(out->within, mask, bits_words(snap->n) * sizeof *mask);
	for (int k = 0; k < n_runs && st == OK; k++) {
		st = mark_run(j, runs[k], k, verdict, out, err);
		steps_take(steps);
		st = st == OK ? cancel_check(cancel, err) : st;
	}
	judging_free(j);
	free(verdict);
	if (st != OK)
		marks_release(out);
	return st;
}

/* --- rows --- */

/* One bit of each of 64 words against one word for each of 64 bits: w[i] bit k <-> w[k] bit i.
 * Halves change places, then quarters, … (Warren, Hacker's Delight, 7-3). */
CLONES static void transpose(uint64_t w[64])
{
	uint64_t mask = 0x00000000ffffffffu;

	for (int half = 32; half; half >>= 1, mask ^= mask << half)
		for (int k = 0; k < 64; k = (k + half + 1) & ~half) {
			uint64_t swap = ((w[k] >> half) ^ w[k + half]) & mask;

			w[k] ^= swap << half;
			w[k + half] ^= swap;
		}
}

struct counter { /* rows by hash, open addressing */
	struct together_row *slot; /* n = 0: free */
	size_t n_slots, used;
};

static size_t place_of(const struct counter *c, uint64_t who)
{
	uint64_t h = (who ^ (who >> 32)) * 0x9e3779b97f4a7c15u;
	size_t at = (size_t)(h >> 32) & (c->n_slots - 1);

	while (c->slot[at].n && c->slot[at].who != who)
		at = (at + 1) & (c->n_slots - 1);
	return at;
}

static bool grow(struct counter *c)
{
	struct counter more = {NULL, c->n_slots ? c->n_slots * 2 : 1024, c->used};
	size_t size;

	if (!mem_mul(more.n_slots, sizeof *more.slot, &size) || !(more.slot = mem_try(size)))
		return false;
	memset(more.slot, 0, size);
	for (size_t i = 0; i < c->n_slots; i++)
		if (c->slot[i].n)
			more.slot[place_of(&more, c->slot[i].who)] = c->slot[i];
	free(c->slot);
	*c = more;
	return true;
}

static bool count_row(struct counter *c, uint64_t who)
{
	size_t at;

	if (c->used * 2 >= c->n_slots && !grow(c))
		return false;
	at = place_of(c, who);
	c->used += c->slot[at].n == 0;
	c->slot[at].who = who;
	c->slot[at].n++;
	return true;
}

static uint64_t counted_by_all(const struct marks *m, int n_runs, size_t word)
{
	uint64_t all = UINT64_MAX;

	for (int k = 0; k < n_runs; k++)
		all &= m->counted[k][word];
	return n_runs ? all : 0;
}

static enum status count_rows(const struct marks *m, int n_runs, struct counter *c, struct together *out,
			      const struct cancel *cancel, struct err *err)
{
	size_t words = bits_words(m->n);
	uint64_t w[64];

	for (size_t at = 0; at < words; at++) {
		uint64_t all = counted_by_all(m, n_runs, at);

		memset(w, 0, sizeof w);
		for (int k = 0; k < n_runs; k++) {
			w[k] = m->right[k][at];
			out->right[k] += (uint32_t)__builtin_popcountll(w[k] & all);
		}
		transpose(w);
		for (uint64_t rest = all; rest; rest &= rest - 1, out->n++)
			if (!count_row(c, w[__builtin_ctzll(rest)]))
				return no_memory(err, m->n);
		if (at % CHECK_WORDS == 0 && cancel_is(cancel))
			return cancel_check(cancel, err);
	}
	return OK;
}

static int most_first(const void *a, const void *b)
{
	const struct together_row *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return (x->who > y->who) - (x->who < y->who);
}

/* The free slots go to the end and are left there. */
static void take_rows(struct counter *c, struct together *out)
{
	size_t n = 0;

	for (size_t i = 0; i < c->n_slots; i++)
		if (c->slot[i].n)
			c->slot[n++] = c->slot[i];
	if (n)
		qsort(c->slot, n, sizeof *c->slot, most_first);
	out->row = c->slot;
	out->n_rows = (uint32_t)n;
}

uint32_t together_count(const struct together *t, uint64_t who)
{
	for (uint32_t i = 0; i < t->n_rows; i++)
		if (t->row[i].who == who)
			return t->row[i].n;
	return 0;
}

enum status together_make(const struct marks *m, const struct cancel *cancel, struct together *out,
			  struct err *err)
{
	struct counter c = {0};
	int n_runs = m->n_runs < TOGETHER_RUNS_MAX ? m->n_runs : TOGETHER_RUNS_MAX;
	enum status st;

	*out = (struct together){.n_runs = n_runs};
	st = count_rows(m, n_runs, &c, out, cancel, err);
	if (st != OK) {
		free(c.slot);
		*out = (struct together){0};
		return st;
	}
	out->left_out = (uint32_t)(m->within ? bits_count(m->within, m->n) : m->n) - out->n;
	take_rows(&c, out);
	for (int k = 0; k < n_runs; k++) {
		out->only[k] = together_count(out, (uint64_t)1 << k);
		out->all_but[k] = together_count(out, together_everybody(out) ^ ((uint64_t)1 << k));
	}
	return OK;
}

void together_release(struct together *t)
{
	free(t->row);
	*t = (struct together){0};
}
