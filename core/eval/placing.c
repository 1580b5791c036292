/* Which cells of the matrix a sample belongs to (confusion.h). */
#include <stdlib.h>

#include "core/base/clones.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"

const char *confusion_extra_word(enum confusion_extra e)
{
	static const char *const word[N_EXTRAS] = {"(oop)",      "(refused)", "(empty)",
						   "(unparsed)", "(error)",   "(missing)"};

	return e < N_EXTRAS ? word[e] : "";
}

const char *confusion_extra_help(enum confusion_extra e)
{
	static const char *const help[N_EXTRAS] = {
	    "oop, out of the class list: a name that no class has and that was mapped to none",
	    "refused: the model, or its service, would not answer",
	    "empty: an answer without a word",
	    "unparsed: an answer in which no class could be found",
	    "error: the request failed; not counted",
	    "missing: the run says nothing of the sample; not counted"};

	return e < N_EXTRAS ? help[e] : "";
}

void placing_begin(struct placing *p, const struct snapshot *snap, const struct lens *lens, int run,
		   const uint8_t *verdict)
{
	*p = (struct placing){.run = &snap->runs[run], .verdict = verdict, .n_classes = snap->n_classes};
	truth_begin(&p->truth, snap, lens->layer);
	partners_init(&p->partners, snap, lens->equiv);
	p->all_hit = p->run->list_rule == LIST_ALL_HIT;
	if (csr_n(&p->run->labels)) {
		p->many_val = xcalloc(p->run->labels.val.n + 1, sizeof *p->many_val);
		column_widen(&p->run->labels.val, 0, p->run->labels.val.n, p->many_val);
	}
}

void placing_init(struct placing *p, const struct snapshot *snap, const struct lens *lens, int run,
		  const uint8_t *verdict)
{
	placing_begin(p, snap, lens, run, verdict);
	truth_widen(&p->truth);
}

void placing_release(struct placing *p)
{
	truth_release(&p->truth);
	partners_release(&p->partners);
	free(p->many_val);
	*p = (struct placing){0};
}

/* The answer's classes; one that is not stored as a list goes through *single. */
static size_t labels_of(const struct placing *p, uint32_t i, uint32_t *single, const uint32_t **label)
{
	uint64_t one = column_u(&p->run->label, i);
	size_t from, n = p->many_val ? csr_row(&p->run->labels, i, &from) : 0;

	if (n) {
		*label = p->many_val + from;
		return n;
	}
	*single = one < p->n_classes ? (uint32_t)one : UINT32_MAX;
	*label = single;
	return one < p->n_classes;
}

static const uint8_t extra[N_OUTCOMES] = {
    [OUTCOME_ANSWERED] = EXTRA_OOP, [OUTCOME_OOP] = EXTRA_OOP,
    [OUTCOME_REFUSED] = EXTRA_REFUSED, [OUTCOME_EMPTY] = EXTRA_EMPTY,
    [OUTCOME_UNPARSED] = EXTRA_UNPARSED, [OUTCOME_ERROR] = EXTRA_ERROR,
    [OUTCOME_MISSING] = EXTRA_MISSING};

static uint32_t extra_column(const struct placing *p, uint32_t i)
{
	uint64_t o = column_u(&p->run->outcome, i);

	return p->n_classes + extra[o < N_OUTCOMES ? o : OUTCOME_MISSING];
}

static bool may_have_class(uint64_t outcome)
{
	return outcome == OUTCOME_ANSWERED || outcome == OUTCOME_OOP;
}

static bool has_class(const struct placing *p, uint32_t i)
{
	return may_have_class(column_u(&p->run->outcome, i));
}

/* The truth that a right answer met. */
static uint32_t met(const struct placing *p, const uint32_t *truth, size_t n, const uint32_t *label,
		    size_t n_labels)
{
	if (p->all_hit)
		return truth[0];
	for (size_t k = 0; k < n_labels; k++)
		if (set_has(truth, n, label[k]))
			return label[k];
	for (size_t k = 0; k < n; k++)
		if (set_admits(label, n_labels, truth[k], &p->partners))
			return truth[k];
	return truth[0];
}

static uint32_t wrong_column(const struct placing *p, const uint32_t *truth, size_t n,
			     const uint32_t *label, size_t n_labels)
{
	for (size_t k = 0; p->all_hit && k < n_labels; k++)
		if (!set_admits(truth, n, label[k], &p->partners))
			return label[k];
	return label[0];
}

static uint32_t rows_of(const struct placing *p, const uint32_t *truth, size_t n,
			const uint32_t *label, size_t n_labels, uint32_t *row, uint32_t max)
{
	uint32_t rows = 0;

	for (size_t k = 0; k < n; k++) {
		if (p->all_hit && n_labels && set_admits(label, n_labels, truth[k], &p->partners))
			continue;
		if (rows < max)
			row[rows] = truth[k];
		rows++;
	}
	return rows;
}

uint32_t placing_of(const struct placing *p, uint32_t i, uint32_t *row, uint32_t max,
		    uint32_t *column)
{
	const uint32_t *truth = p->truth.val + p->truth.off[i], *label;
	size_t n = p->truth.off[i + 1] - p->truth.off[i], n_labels;
	uint32_t single;

	if (!p->truth.covered[i])
		return 0;
	n_labels = has_class(p, i) ? labels_of(p, i, &single, &label) : 0;
	if (!n_labels)
		*column = extra_column(p, i);
	else if (n && p->verdict[i] == VERDICT_RIGHT)
		*column = met(p, truth, n, label, n_labels);
	else
		*column = n ? wrong_column(p, truth, n, label, n_labels) : label[0];
	if (n && n_labels && p->verdict[i] != VERDICT_RIGHT)
		return rows_of(p, truth, n, label, n_labels, row, max);
	if (n && !n_labels)
		return rows_of(p, truth, n, NULL, 0, row, max);
	if (max)
		row[0] = n ? *column : p->n_classes;
	return 1;
}

bool placing_is_plain(const struct placing *p)
{
	return !p->many_val && !p->all_hit;
}

#define WIDE 64 /* samples: a loop of a fixed length is made of wide vectors */
#define AT_ONCE 512

_Static_assert(OUTCOME_MISSING == 0 && OUTCOME_ANSWERED == 1 && OUTCOME_OOP == 2 &&
		       OUTCOME_REFUSED - OUTCOME_OOP == EXTRA_REFUSED &&
		       OUTCOME_ERROR - OUTCOME_OOP == EXTRA_ERROR && EXTRA_OOP == 0,
	       "what column_of() counts by");

/* What extra_column() says, in words that need no table. */
static inline uint32_t column_of(uint32_t outcome, uint32_t label, uint32_t n_classes)
{
	uint32_t o = outcome;
	uint32_t other = o == OUTCOME_MISSING ? EXTRA_MISSING : o < OUTCOME_OOP ? EXTRA_OOP : o - OUTCOME_OOP;
	bool classed = (o == OUTCOME_ANSWERED || o == OUTCOME_OOP) & (label < n_classes);

	return classed ? label : n_classes + other;
}

static CLONES void place_wide(const uint8_t *restrict outcome, uint32_t n_classes, size_t n,
			      uint32_t *restrict column)
{
	size_t i = 0;

	for (; i + WIDE <= n; i += WIDE)
		for (size_t k = i; k < i + WIDE; k++)
			column[k] = column_of(outcome[k], column[k], n_classes);
	for (; i < n; i++)
		column[i] = column_of(outcome[i], column[i], n_classes);
}

void placing_columns(const struct placing *p, uint32_t from, uint32_t n, uint32_t *column)
{
	column_widen(&p->run->label, from, n, column);
	for (uint32_t at = 0; at < n; at += AT_ONCE) {
		uint32_t many = n - at < AT_ONCE ? n - at : AT_ONCE;
		uint8_t outcome[AT_ONCE];

		column_outcomes(&p->run->outcome, (size_t)from + at, many, outcome);
		place_wide(outcome, p->n_classes, many, column + at);
	}
}

uint32_t placing_met(const struct placing *p, const uint32_t *truth, size_t n, uint32_t label)
{
	return p->partners.off ? met(p, truth, n, &label, 1) : label;
}

uint32_t placing_grouped(const struct placing *p, const uint32_t *group, uint32_t i, uint32_t *row,
			 uint32_t max, uint32_t *column)
{
	uint32_t n = placing_of(p, i, row, max, column), kept = 0;

	if (!group || !n)
		return n;
	if (*column < p->n_classes)
		*column = group[*column];
	for (uint32_t k = 0; k < n; k++) {
		uint32_t r = row[k] < p->n_classes ? group[row[k]] : row[k], at = 0;

		while (at < kept && row[at] != r)
			at++;
		row[at] = r;
		kept += at == kept;
	}
	return kept;
}
