#include <stdlib.h>
#include <string.h>

#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "core/eval/truth.h"

/* Beside the verdicts: compare the answer with the truth. */
#define JUDGE 3
#define BLOCK 1024
#define WIDE  64 /* samples: loops of a fixed length are made of wide vectors */

/* What each case is worth, in the order of benchmarks.md §1: [truth is empty][there is a class]
 * [outcome][the answer meets the truth]. Made once, so that the loop over the samples looks it up
 * without a branch: right and wrong follow no pattern that a processor could guess. */
struct rules {
	uint8_t worth[2][2][8][2];
};

_Static_assert(N_OUTCOMES <= 8, "struct rules has room for eight outcomes");

static uint8_t n_verdict(enum n_policy n)
{
	return n == N_RIGHT ? VERDICT_RIGHT : n == N_WRONG ? VERDICT_WRONG : VERDICT_UNCOUNTED;
}

static uint8_t rule_of(const struct lens *lens, bool open_world, bool empty, bool mapped,
		       enum outcome o)
{
	switch (o) {
	case OUTCOME_ERROR:
	case OUTCOME_MISSING:
	case N_OUTCOMES:
		return VERDICT_UNCOUNTED;
	case OUTCOME_OOP:
		if (open_world && !mapped)
			return VERDICT_UNCOUNTED;
		break;
	default:
		break;
	}
	if (empty)
		return n_verdict(lens->n);
	if (o == OUTCOME_REFUSED || o == OUTCOME_EMPTY)
		return lens->abstain == ABSTAIN_EXCLUDE ? VERDICT_UNCOUNTED : VERDICT_WRONG;
	if (o == OUTCOME_UNPARSED || !mapped)
		return VERDICT_WRONG;
	return JUDGE;
}

static void rules_init(struct rules *r, const struct lens *lens, bool open_world)
{
	memset(r, VERDICT_UNCOUNTED, sizeof *r);
	for (int i = 0; i < 2 * 2 * N_OUTCOMES; i++) {
		bool empty = i & 1, mapped = i & 2;
		int o = i >> 2;
		uint8_t v = rule_of(lens, open_world, empty, mapped, (enum outcome)o);

		r->worth[empty][mapped][o][0] = v == JUDGE ? VERDICT_WRONG : v;
		r->worth[empty][mapped][o][1] = v == JUDGE ? VERDICT_RIGHT : v;
	}
}

struct judging {
	const struct snapshot *snap;
	struct lens lens;
	struct truth truth;
	struct partners partners;
};

struct pass { /* one run */
	struct rules rules;
	struct truth truth; /* borrowed from the judging, as the partners are */
	struct partners partners;
	const struct run *run;
	const uint32_t *many; /* offsets of run->labels, NULL when no row has several classes */
	size_t n_many;
	uint32_t *many_val; /* the classes of the rows judged, from offset many_from on */
	uint32_t many_from;
};

/* Rule all-hit: every truth is met by a label, itself or through an equivalence. */
static bool all_hit(const struct pass *p, const uint32_t *truth, size_t n, const uint32_t *label,
		    size_t n_labels)
{
	for (size_t k = 0; k < n; k++)
		if (!set_admits(label, n_labels, truth[k], &p->partners))
			return false;
	return true;
}

static bool any_hit(const struct pass *p, const uint32_t *truth, size_t n, const uint32_t *label,
		    size_t n_labels)
{
	for (size_t k = 0; k < n_labels; k++)
		if (set_admits(truth, n, label[k], &p->partners))
			return true;
	return false;
}

/* The general comparison: rows with several classes, or the rule all-hit. */
static bool hit_row(const struct pass *p, size_t i, const uint32_t *label)
{
	const uint32_t *truth = p->truth.val + p->truth.off[i];
	size_t n = p->truth.off[i + 1] - p->truth.off[i], n_labels = 1;

	if (i < p->n_many && p->many[i + 1] > p->many[i]) {
		label = p->many_val + (p->many[i] - p->many_from);
		n_labels = p->many[i + 1] - p->many[i];
	}
	return p->run->list_rule == LIST_ALL_HIT ? all_hit(p, truth, n, label, n_labels)
						 : any_hit(p, truth, n, label, n_labels);
}

static CLONES void meet_single(const uint32_t *restrict val, const uint32_t *restrict label, size_t n,
			       uint8_t *restrict hit)
{
	size_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (size_t k = i; k < i + WIDE; k++)
			hit[k] = val[k] == label[k];
	for (; i < n; i++)
		hit[i] = val[i] == label[i];
}

static void meet_sets(const uint32_t *off, const uint32_t *val, const uint32_t *label, size_t n, uint8_t *hit)
{
	for (size_t i = 0; i < n; i++) {
		uint8_t met = 0;

		for (uint32_t k = off[i]; k < off[i + 1]; k++)
			met |= val[k] == label[i];
		hit[i] = met;
	}
}

/* hit[n]: is the answer among the truths, where there are both? */
static void meet_block(const struct pass *p, size_t from, size_t n, const uint32_t *label,
		       uint8_t *hit)
{
	const uint32_t *off = p->truth.off + from, *val = p->truth.val;
	bool general = p->n_many || p->run->list_rule == LIST_ALL_HIT;

	if (sets_are_single(off, n))
		meet_single(val + off[0], label, n, hit);
	else
		meet_sets(off, val, label, n, hit);
	if (!general && !p->partners.off)
		return;
	for (size_t i = 0; i < n; i++)
		if (label[i] == UINT32_MAX)
			hit[i] = 0;
		else if (general)
			hit[i] = hit_row(p, from + i, &label[i]);
		else if (!hit[i])
			hit[i] = set_admits(val + off[i], off[i + 1] - off[i], label[i], &p->partners);
}

static void judge_block(const struct pass *p, size_t from, size_t n, uint8_t *out)
{
	const uint32_t *off = p->truth.off + from;
	const uint8_t *covered = p->truth.covered + from;
	uint8_t outcome[BLOCK], hit[BLOCK];
	uint32_t label[BLOCK];

	column_outcomes(&p->run->outcome, from, n, outcome);
	column_widen(&p->run->label, from, n, label);
	meet_block(p, from, n, label, hit);
	for (size_t i = 0; i < n; i++) {
		uint8_t v = p->rules.worth[off[i + 1] == off[i]][label[i] != UINT32_MAX][outcome[i]][hit[i]];

		out[i] = covered[i] ? v : VERDICT_UNCOUNTED;
	}
}

/* For the samples [from, from + n). */
static void pass_init(struct pass *p, const struct judging *j, const struct run *run, size_t from,
		      size_t n)
{
	size_t rows = csr_n(&run->labels), to = from + n < rows ? from + n : rows;
	size_t n_val;

	*p = (struct pass){.truth = j->truth, .partners = j->partners, .run = run, .n_many = rows};
	rules_init(&p->rules, &j->lens, run->open_world);
	if (from >= to)
		return;
	p->many = run->labels.off.data;
	p->many_from = p->many[from];
	n_val = p->many[to] - p->many_from;
	p->many_val = xcalloc(n_val + 1, sizeof *p->many_val);
	column_widen(&run->labels.val, p->many_from, n_val, p->many_val);
}

struct judging *judging_new(const struct snapshot *snap, const struct lens *lens)
{
	struct judging *j = xcalloc(1, sizeof *j);

	j->snap = snap;
	j->lens = *lens;
	truth_init(&j->truth, snap, lens->layer);
	partners_init(&j->partners, snap, lens->equiv);
	return j;
}

void judging_free(struct judging *j)
{
	if (!j)
		return;
	truth_release(&j->truth);
	partners_release(&j->partners);
	free(j);
}

void judging_all(const struct judging *j, int r, uint8_t *out)
{
	const struct snapshot *snap = j->snap;
	struct pass p;

	if (r < 0 || (uint32_t)r >= snapshot_answerers(snap)) {
		memset(out, VERDICT_UNCOUNTED, snap->n);
		return;
	}
	pass_init(&p, j, &snap->runs[r], 0, snap->n);
	for (size_t from = 0; from < snap->n; from += BLOCK)
		judge_block(&p, from, snap->n - from < BLOCK ? snap->n - from : BLOCK, out + from);
	free(p.many_val);
}

enum verdict judging_one(const struct judging *j, int r, uint32_t i)
{
	struct pass p;
	uint8_t out;

	if (r < 0 || (uint32_t)r >= snapshot_answerers(j->snap) || i >= j->snap->n)
		return VERDICT_UNCOUNTED;
	pass_init(&p, j, &j->snap->runs[r], i, 1);
	judge_block(&p, i, 1, &out);
	free(p.many_val);
	return (enum verdict)out;
}

void eval_verdicts(const struct snapshot *snap, const struct lens *lens, int r, uint8_t *out)
{
	struct judging *j = judging_new(snap, lens);

	judging_all(j, r, out);
	judging_free(j);
}

static bool admits_plain(const struct snapshot *snap, int layer, uint32_t i, uint32_t c)
{
	const struct layer *l = &snap->layers[layer];
	size_t from, n;

	if (l->vote_width) {
		float top = truth_is_empty(snap, layer, i) ? 0 : truth_top_vote(l, i);
		const float *row = (const float *)l->votes.data + (size_t)i * l->vote_width;

		for (uint32_t k = 0; top > 0 && k < l->vote_width; k++)
			if (l->vote_class[k] == c && row[k] >= top)
				return true;
		return false;
	}
	n = csr_row(&l->sets, i, &from);
	for (size_t k = 0; k < n; k++)
		if (column_u(&l->sets.val, from + k) == c)
			return true;
	return false;
}

bool eval_admissible(const struct snapshot *snap, int layer, bool equiv, uint32_t i, uint32_t c)
{
	if (!truth_covers(snap, layer, i))
		return false;
	if (admits_plain(snap, layer, i, c))
		return true;
	for (uint32_t k = 0; equiv && k < snap->n_pairs; k++) {
		const uint32_t *pair = snap->pairs[k];

		if ((pair[0] == c && admits_plain(snap, layer, i, pair[1])) ||
		    (pair[1] == c && admits_plain(snap, layer, i, pair[0])))
			return true;
	}
	return false;
}
