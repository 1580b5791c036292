#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "core/eval/truth.h"

/* Beside the verdicts: compare the answer with the truth. */
#define JUDGE 3
#define BLOCK 1024

/* What each case is worth, in the order of benchmarks.md §1: [truth is empty][there is a class]
 * [outcome]. Made once, so that the loop over the samples looks it up without asking. */
struct rules {
	uint8_t act[2][2][8];
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
	for (int empty = 0; empty < 2; empty++)
		for (int mapped = 0; mapped < 2; mapped++)
			for (int o = 0; o < N_OUTCOMES; o++)
				r->act[empty][mapped][o] =
				    rule_of(lens, open_world, empty, mapped, (enum outcome)o);
}

struct pass { /* one run under one lens */
	struct rules rules;
	struct truth truth;
	struct partners partners;
	const struct run *run;
	const uint32_t *many; /* offsets of run->labels, NULL when no row has several classes */
	size_t n_many;
	uint32_t *many_val;
};

static void outcome_block(const struct column *c, size_t from, size_t n, uint8_t *out)
{
	size_t have = from >= c->n ? 0 : c->n - from < n ? c->n - from : n;

	memset(out, OUTCOME_MISSING, n);
	if (c->dtype == DT_U8 && have)
		memcpy(out, (const uint8_t *)c->data + from, have);
	for (size_t i = 0; i < n; i++)
		out[i] = out[i] < N_OUTCOMES ? out[i] : OUTCOME_MISSING;
}

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
		label = p->many_val + p->many[i];
		n_labels = p->many[i + 1] - p->many[i];
	}
	return p->run->list_rule == LIST_ALL_HIT ? all_hit(p, truth, n, label, n_labels)
						 : any_hit(p, truth, n, label, n_labels);
}

static void judge_block(const struct pass *p, size_t from, size_t n, uint8_t *out)
{
	const uint32_t *off = p->truth.off + from;
	const uint8_t *covered = p->truth.covered + from;
	bool general = p->n_many || p->run->list_rule == LIST_ALL_HIT;
	uint8_t outcome[BLOCK];
	uint32_t label[BLOCK];

	outcome_block(&p->run->outcome, from, n, outcome);
	column_widen(&p->run->label, from, n, label);
	for (size_t i = 0; i < n; i++) {
		uint32_t n_truths = off[i + 1] - off[i];
		uint8_t v = p->rules.act[n_truths == 0][label[i] != UINT32_MAX][outcome[i]];

		if (!covered[i])
			v = VERDICT_UNCOUNTED;
		else if (v == JUDGE && general)
			v = hit_row(p, from + i, &label[i]) ? VERDICT_RIGHT : VERDICT_WRONG;
		else if (v == JUDGE)
			v = set_admits(p->truth.val + off[i], n_truths, label[i], &p->partners)
				? VERDICT_RIGHT
				: VERDICT_WRONG;
		out[i] = v;
	}
}

static void pass_init(struct pass *p, const struct snapshot *snap, const struct lens *lens,
		      const struct run *run)
{
	*p = (struct pass){.run = run};
	rules_init(&p->rules, lens, run->open_world);
	truth_init(&p->truth, snap, lens->layer);
	partners_init(&p->partners, snap, lens->equiv);
	p->n_many = csr_n(&run->labels);
	if (p->n_many) {
		p->many = run->labels.off.data;
		p->many_val = xcalloc(run->labels.val.n + 1, sizeof *p->many_val);
		column_widen(&run->labels.val, 0, run->labels.val.n, p->many_val);
	}
}

static void pass_release(struct pass *p)
{
	truth_release(&p->truth);
	partners_release(&p->partners);
	free(p->many_val);
}

void eval_verdicts(const struct snapshot *snap, const struct lens *lens, int r, uint8_t *out)
{
	struct pass p;

	if (r < 0 || (uint32_t)r >= snap->n_runs) {
		memset(out, VERDICT_UNCOUNTED, snap->n);
		return;
	}
	pass_init(&p, snap, lens, &snap->runs[r]);
	for (size_t from = 0; from < snap->n; from += BLOCK)
		judge_block(&p, from, snap->n - from < BLOCK ? snap->n - from : BLOCK, out + from);
	pass_release(&p);
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
