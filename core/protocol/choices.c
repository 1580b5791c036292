#include "core/protocol/choices.h"

#include <math.h>
#include <string.h>

#include "core/base/dice.h"

static struct dice dice_of(const struct choices *c, struct str key)
{
	uint64_t h = 14695981039346656037u ^ c->seed; /* FNV-1a */
	struct dice d;

	for (size_t i = 0; i < key.n; i++)
		h = (h ^ (unsigned char)key.p[i]) * 1099511628211u;
	d.state = h ^ (uint64_t)c->repeat << 32;
	dice_next(&d);
	return d;
}

static bool among(uint32_t x, const uint32_t *set, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (set[i] == x)
			return true;
	return false;
}

static size_t put_new(uint32_t x, uint32_t *out, size_t n)
{
	if (!among(x, out, n))
		out[n++] = x;
	return n;
}

static void shuffle(struct dice *d, uint32_t *v, size_t n)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = dice_below(d, (unsigned)i);
		uint32_t t = v[i - 1];

		v[i - 1] = v[k];
		v[k] = t;
	}
}

static double weight_of(const struct choices *c, uint32_t x)
{
	return !c->weight || isnan(c->weight[x]) || c->weight[x] < 0 ? 0 : c->weight[x];
}

/* The labels that must be among the options: at most two. 0: the sample lacks one. */
static size_t put_truths(const struct choices *c, struct dice *d, const uint32_t *original, size_t n_original,
			 const uint32_t *reannotated, size_t n_reannotated, uint32_t *out)
{
	size_t n = 0;

	if ((c->truth != CHOICES_REANNOTATED && !n_original) || (c->truth != CHOICES_ORIGINAL && !n_reannotated))
		return 0;
	if (c->truth != CHOICES_REANNOTATED)
		n = put_new(original[dice_below(d, (unsigned)n_original)], out, n);
	if (c->truth != CHOICES_ORIGINAL)
		n = put_new(reannotated[dice_below(d, (unsigned)n_reannotated)], out, n);
	return n;
}

size_t choices_truths(const struct choices *c, struct str key, const uint32_t *original, size_t n_original,
		      const uint32_t *reannotated, size_t n_reannotated, uint32_t out[2])
{
	struct dice d = dice_of(c, key);

	return put_truths(c, &d, original, n_original, reannotated, n_reannotated, out);
}

static bool same_name(const struct choices *c, uint32_t x, const uint32_t *set, size_t n)
{
	for (size_t i = 0; i < n && c->name; i++)
		if (c->name[set[i]] == c->name[x])
			return true;
	return false;
}

/* All that may be a distractor: returns how many. */
static size_t put_candidates(const struct choices *c, const uint32_t *original, size_t n_original,
			     const uint32_t *reannotated, size_t n_reannotated, uint32_t *out)
{
	size_t n = 0;

	for (uint32_t x = 0; x < c->n_classes; x++)
		if (!among(x, original, n_original) && !among(x, reannotated, n_reannotated) &&
		    !among(x, c->barred, c->n_barred) && !same_name(c, x, original, n_original) &&
		    !same_name(c, x, reannotated, n_reannotated))
			out[n++] = x;
	return n;
}

/* The heaviest of v[n], of equals the first, to its front; the order of the others stays. */
static void heaviest_first(const struct choices *c, uint32_t *v, size_t n)
{
	size_t best = 0;
	uint32_t t;

	for (size_t k = 1; k < n; k++)
		if (weight_of(c, v[k]) > weight_of(c, v[best]))
			best = k;
	t = v[best];
	memmove(v + 1, v, best * sizeof *v);
	v[0] = t;
}

/* The first of v[n], or the heaviest, at most `wanted` of them, to its front; of one name a single
 * one: two options would read the same. Returns how many. */
static size_t take_distractors(const struct choices *c, uint32_t *v, size_t n, size_t wanted)
{
	size_t kept = 0;

	for (size_t i = 0; i < n && kept < wanted; i++) {
		if (c->weight)
			heaviest_first(c, v + i, n - i);
		if (!same_name(c, v[i], v, kept))
			v[kept++] = v[i];
	}
	return kept;
}

size_t choices_draw(const struct choices *c, struct str key, const uint32_t *original, size_t n_original,
		    const uint32_t *reannotated, size_t n_reannotated, uint32_t *scratch, uint32_t *out)
{
	struct dice d = dice_of(c, key);
	size_t n = put_truths(c, &d, original, n_original, reannotated, n_reannotated, out), rest;

	if (!n || c->n < 2 || c->n > CHOICES_MAX)
		return 0;
	rest = put_candidates(c, original, n_original, reannotated, n_reannotated, scratch);
	shuffle(&d, scratch, rest);
	rest = take_distractors(c, scratch, rest, c->n - n);
	for (size_t i = 0; i < rest; i++)
		out[n++] = scratch[i];
	shuffle(&d, out, n);
	return n;
}
