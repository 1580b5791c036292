#include "core/eval/truth.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/clones.h"
#include "core/base/vec.h"
#include "core/base/xmalloc.h"

static const uint32_t no_val[1]; /* so that val is never NULL */

#define WIDE 64 /* elements: a loop of a fixed length is made of wide vectors */

#define WIDENS(NAME, T, MAX)                                                                       \
	static CLONES void NAME(const T *restrict src, size_t n, uint32_t *restrict out)                             \
	{                                                                                          \
		size_t i = 0;                                                                      \
                                                                                                   \
		for (; i + WIDE <= n; i += WIDE)                                                   \
			for (size_t k = i; k < i + WIDE; k++)                                      \
				out[k] = src[k] >= (MAX) ? UINT32_MAX : (uint32_t)src[k];          \
		for (; i < n; i++)                                                                 \
			out[i] = src[i] >= (MAX) ? UINT32_MAX : (uint32_t)src[i];                  \
	}

WIDENS(widen_8, uint8_t, UINT8_MAX)
WIDENS(widen_16, uint16_t, UINT16_MAX)
WIDENS(widen_64, uint64_t, UINT32_MAX)

void column_widen(const struct column *c, size_t from, size_t n, uint32_t *out)
{
	size_t have = from >= c->n ? 0 : c->n - from;

	if (have > n)
		have = n;
	if (have) {
		switch (c->dtype) {
		case DT_U8:
			widen_8((const uint8_t *)c->data + from, have, out);
			break;
		case DT_U16:
			widen_16((const uint16_t *)c->data + from, have, out);
			break;
		case DT_U32:
			memcpy(out, (const uint32_t *)c->data + from, have * sizeof *out);
			break;
		case DT_U64:
			widen_64((const uint64_t *)c->data + from, have, out);
			break;
		default:
			have = 0;
		}
	}
	memset(out + have, 0xff, (n - have) * sizeof *out);
}

static inline uint8_t known_outcome(uint8_t o)
{
	return o < N_OUTCOMES ? o : OUTCOME_MISSING;
}

static CLONES void copy_outcomes(const uint8_t *restrict src, size_t n, uint8_t *restrict out)
{
	size_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (size_t k = i; k < i + WIDE; k++)
			out[k] = known_outcome(src[k]);
	for (; i < n; i++)
		out[i] = known_outcome(src[i]);
}

void column_outcomes(const struct column *c, size_t from, size_t n, uint8_t *out)
{
	size_t have = from >= c->n || c->dtype != DT_U8 ? 0 : c->n - from < n ? c->n - from : n;

	if (have)
		copy_outcomes((const uint8_t *)c->data + from, have, out);
	memset(out + have, OUTCOME_MISSING, n - have);
}

static CLONES bool are_single(const uint32_t *off, size_t n)
{
	uint32_t other = 0;
	size_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (size_t k = i; k < i + WIDE; k++)
			other |= off[k + 1] - off[k] - 1;
	for (; i < n; i++)
		other |= off[i + 1] - off[i] - 1;
	return !other;
}

bool sets_are_single(const uint32_t *off, size_t n)
{
	return are_single(off, n);
}

static const struct layer *layer_at(const struct snapshot *snap, int layer)
{
	return layer >= 0 && (uint32_t)layer < snap->n_layers ? &snap->layers[layer] : NULL;
}

static void set_covered(struct truth *t, const struct layer *l, uint32_t n)
{
	if (l && l->covered.dtype == DT_U8 && l->covered.n >= n) {
		t->covered = l->covered.data;
		return;
	}
	t->own_covered = xcalloc(n ? n : 1, 1);
	for (size_t i = 0; l && i < n && i < l->covered.n; i++)
		t->own_covered[i] = column_u(&l->covered, i) == 1;
	t->covered = t->own_covered;
}

float truth_top_vote(const struct layer *l, uint32_t i)
{
	const float *row = (const float *)l->votes.data + (size_t)i * l->vote_width;
	float top = 0;

	for (uint32_t k = 0; k < l->vote_width; k++)
		if (row[k] > top)
			top = row[k];
	return top;
}

static bool has_votes(const struct layer *l, size_t i)
{
	return l->vote_class && l->votes.dtype == DT_F32 && (i + 1) * l->vote_width <= l->votes.n;
}

/* Is column k of row i a dominant class? */
static bool dominates(const struct layer *l, uint32_t i, uint32_t k, float top)
{
	const float *row = (const float *)l->votes.data + (size_t)i * l->vote_width;

	return top > 0 && row[k] >= top && l->vote_class[k] != UINT32_MAX;
}

static void set_dominant(struct truth *t, const struct layer *l, uint32_t n)
{
	VEC(uint32_t) val = {0};

	t->own_off = xcalloc((size_t)n + 1, sizeof *t->own_off);
	for (uint32_t i = 0; i < n; i++) {
		if (has_votes(l, i)) {
			float top = truth_top_vote(l, i);

			for (uint32_t k = 0; k < l->vote_width; k++)
				if (dominates(l, i, k, top))
					vec_push(&val, l->vote_class[k]);
		}
		t->own_off[i + 1] = (uint32_t)val.n;
	}
	t->off = t->own_off;
	t->own_val = val.v;
	t->val = val.v ? val.v : no_val;
}

static void set_sets(struct truth *t, const struct layer *l, uint32_t n)
{
	size_t rows = l ? csr_n(&l->sets) : 0;

	if (rows >= n && rows > 0) {
		t->off = l->sets.off.data;
	} else {
		const uint32_t *off = rows ? l->sets.off.data : NULL;

		t->own_off = xcalloc((size_t)n + 1, sizeof *t->own_off);
		for (size_t i = 0; rows && i <= n; i++)
			t->own_off[i] = off[i < rows ? i : rows];
		t->off = t->own_off;
	}
	if (rows && l->sets.val.dtype == DT_U32)
		t->val = l->sets.val.data;
	else if (rows)
		t->narrow = &l->sets.val;
}

void truth_begin(struct truth *t, const struct snapshot *snap, int layer)
{
	const struct layer *l = layer_at(snap, layer);

	*t = (struct truth){.val = no_val};
	set_covered(t, l, snap->n);
	if (l && l->vote_width)
		set_dominant(t, l, snap->n);
	else
		set_sets(t, l, snap->n);
}

void truth_widen(struct truth *t)
{
	if (!t->narrow)
		return;
	t->own_val = xmalloc((t->narrow->n + 1) * sizeof *t->own_val);
	column_widen(t->narrow, 0, t->narrow->n, t->own_val);
	t->val = t->own_val;
	t->narrow = NULL;
}

void truth_init(struct truth *t, const struct snapshot *snap, int layer)
{
	truth_begin(t, snap, layer);
	truth_widen(t);
}

const uint32_t *truth_some(const struct truth *t, uint32_t from, uint32_t to, uint32_t *room)
{
	if (!t->narrow)
		return t->val + from;
	column_widen(t->narrow, from, to - from, room);
	return room;
}

void truth_release(struct truth *t)
{
	free(t->own_covered);
	free(t->own_off);
	free(t->own_val);
	*t = (struct truth){0};
}

bool truth_covers(const struct snapshot *snap, int layer, uint32_t i)
{
	const struct layer *l = layer_at(snap, layer);

	return l && column_u(&l->covered, i) == 1;
}

bool truth_is_empty(const struct snapshot *snap, int layer, uint32_t i)
{
	const struct layer *l = layer_at(snap, layer);
	size_t from;
	float top;

	if (!l)
		return true;
	if (!l->vote_width)
		return csr_row(&l->sets, i, &from) == 0;
	if (!has_votes(l, i))
		return true;
	top = truth_top_vote(l, i);
	for (uint32_t k = 0; k < l->vote_width; k++)
		if (dominates(l, i, k, top))
			return false;
	return true;
}

void partners_init(struct partners *p, const struct snapshot *snap, bool equiv)
{
	uint32_t n = snap->n_classes;

	*p = (struct partners){.n_classes = n};
	if (!equiv || !snap->n_pairs)
		return;
	p->off = xcalloc((size_t)n + 2, sizeof *p->off);
	p->val = xcalloc((size_t)snap->n_pairs * 2, sizeof *p->val);
	for (uint32_t k = 0; k < snap->n_pairs; k++)
		for (int side = 0; side < 2; side++)
			p->off[snap->pairs[k][side] + 2]++;
	for (uint32_t c = 2; c <= n + 1; c++)
		p->off[c] += p->off[c - 1];
	/* off[c + 1] is the place of c's next partner until all are in; then it is c's end. */
	for (uint32_t k = 0; k < snap->n_pairs; k++)
		for (int side = 0; side < 2; side++)
			p->val[p->off[snap->pairs[k][side] + 1]++] = snap->pairs[k][!side];
}

void partners_release(struct partners *p)
{
	free(p->off);
	free(p->val);
	*p = (struct partners){0};
}
