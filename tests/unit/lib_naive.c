#include "tests/unit/lib_naive.h"

#include <regex.h>
#include <stdlib.h>
#include <string.h>

bool naive_is_panel(int who)
{
	return who == W_ALL || who == W_ANY || who == W_LEAST;
}

static uint16_t widened(const struct world *w, uint16_t set)
{
	uint16_t out = set;

	for (int c = 0; c < WORLD_CLASSES; c++)
		if (set >> c & 1)
			out |= w->equiv[c];
	return out;
}

static uint16_t mapped(const struct world *w, int run, int i)
{
	uint8_t o = w->outcome[run][i];

	return o == OUTCOME_ANSWERED || o == OUTCOME_OOP ? w->label[run][i] : 0;
}

static enum verdict verdict_of(const struct world *w, int run, int i)
{
	static const enum verdict by_n[] = {VERDICT_RIGHT, VERDICT_UNCOUNTED, VERDICT_WRONG};
	const struct run *r = &w->snap->runs[run]; /* its rules alone */
	uint16_t truth = w->truth[w->lens.layer][i], label = mapped(w, run, i);
	uint8_t o = w->outcome[run][i];

	if (o == OUTCOME_ERROR || o == OUTCOME_MISSING || !w->covered[w->lens.layer][i])
		return VERDICT_UNCOUNTED;
	if (o == OUTCOME_OOP && r->open_world && !label)
		return VERDICT_UNCOUNTED;
	if (!truth)
		return by_n[w->lens.n];
	if (o == OUTCOME_REFUSED || o == OUTCOME_EMPTY)
		return w->lens.abstain == ABSTAIN_WRONG ? VERDICT_WRONG : VERDICT_UNCOUNTED;
	if (!label)
		return VERDICT_WRONG;
	if (r->list_rule == LIST_ANY_HIT)
		return (w->lens.equiv ? widened(w, truth) : truth) & label ? VERDICT_RIGHT : VERDICT_WRONG;
	return truth & ~(w->lens.equiv ? widened(w, label) : label) ? VERDICT_WRONG : VERDICT_RIGHT;
}

static int first_of(uint16_t set)
{
	return __builtin_ctz(set);
}

/* The first class of an answer that is not right: under all-hit the first that is no truth. */
static int wrong_class(const struct world *w, int run, uint16_t truth, uint16_t label)
{
	uint16_t more = w->lens.equiv ? widened(w, truth) : truth;

	if (w->snap->runs[run].list_rule == LIST_ALL_HIT && (label & ~more))
		return first_of(label & (uint16_t)~more);
	return first_of(label);
}

/* The truth that a right answer counts at. */
static int met_class(const struct world *w, int run, uint16_t truth, uint16_t label)
{
	if (w->snap->runs[run].list_rule == LIST_ALL_HIT)
		return first_of(truth);
	if (label & truth)
		return first_of(label & truth);
	return first_of(truth & widened(w, label));
}

/* Rows of the matrix, bit WORLD_CLASSES is (none); the column, N_OUTCOMES kinds of no class after
 * the classes. 0: in no row. */
static uint16_t rows_of(const struct world *w, int run, int i, int *column)
{
	static const int extra[N_OUTCOMES] = {[OUTCOME_ANSWERED] = 0, [OUTCOME_OOP] = 0,
					      [OUTCOME_REFUSED] = 1,  [OUTCOME_EMPTY] = 2,
					      [OUTCOME_UNPARSED] = 3, [OUTCOME_ERROR] = 4,
					      [OUTCOME_MISSING] = 5};
	uint16_t truth = w->truth[w->lens.layer][i], label = mapped(w, run, i), hit;

	if (!w->covered[w->lens.layer][i])
		return 0;
	*column = WORLD_CLASSES + extra[w->outcome[run][i]];
	if (!truth) {
		*column = label ? first_of(label) : *column;
		return 1u << WORLD_CLASSES;
	}
	if (!label)
		return truth;
	if (verdict_of(w, run, i) == VERDICT_RIGHT) {
		*column = met_class(w, run, truth, label);
		return (uint16_t)(1u << *column);
	}
	*column = wrong_class(w, run, truth, label);
	hit = w->lens.equiv ? widened(w, label) : label;
	return w->snap->runs[run].list_rule == LIST_ALL_HIT ? truth & (uint16_t)~hit : truth;
}

static int category_of(const struct world *w, int i)
{
	uint16_t g = w->truth[0][i], l = w->truth[1][i]; /* whatever layer the lens judges by */

	if (!w->covered[0][i] || !w->covered[1][i])
		return -1;
	if (!l)
		return 4;
	return (__builtin_popcount(l) > 1 ? 2 : 0) + !(g & l);
}

static bool compares(double v, int op, double x)
{
	if (isnan(v))
		return false;
	switch (op) {
	case 0:
		return v < x;
	case 1:
		return v <= x;
	case 2:
		return v > x;
	case 3:
		return v >= x;
	case 4:
		return v == x;
	default:
		return v != x;
	}
}

/* All values that are in `set`, or below one of it. */
static uint16_t below(const int *parent, int n, uint16_t set)
{
	for (int round = 0; round < n; round++)
		for (int k = 0; k < n; k++)
			if (parent[k] >= 0 && set >> parent[k] & 1)
				set |= (uint16_t)(1u << k);
	return set;
}

static uint16_t meant(const struct world *w, const struct expr *e)
{
	const struct world_facet *f = &w->facet[e->kind == K_FACET ? e->what : 0];

	if (!e->tree)
		return e->set;
	return e->kind == K_FACET ? below(f->parent, f->n, e->set)
				  : below(w->class_parent, WORLD_CLASSES, e->set);
}

static bool cell_says(const struct world *w, const struct expr *e, int run, int i)
{
	int column = 0;
	uint16_t rows = rows_of(w, run, i, &column);

	if (e->what == 1) /* the word alone */
		return rows;
	if (e->kind == K_ROW)
		return rows & (meant(w, e) | (e->what == 2 ? 1u << WORLD_CLASSES : 0));
	if (column >= WORLD_CLASSES)
		return rows && e->what >= 2 && column - WORLD_CLASSES == e->what - 2;
	return rows && meant(w, e) >> column & 1;
}

/* The panel's largest group: its classes, its size, its first run; 0 = nobody. */
static int vote_of(const struct world *w, int i, uint16_t *label, int *first)
{
	int best = 0;
	bool best_right = false;

	for (int p = 0; p < w->n_panel; p++) {
		uint16_t l = mapped(w, w->panel[p], i);
		int n = 0;
		bool right, seen = false;

		for (int q = 0; q < w->n_panel; q++)
			if (mapped(w, w->panel[q], i) == l) {
				seen |= q < p;
				n++;
			}
		right = verdict_of(w, w->panel[p], i) == VERDICT_RIGHT;
		if (!l || seen || n < best)
			continue;
		if (n == best && (best_right > right ||
				  (best_right == right && __builtin_ctz(l) >= __builtin_ctz(*label))))
			continue;
		best = n;
		best_right = right;
		*label = l;
		*first = w->panel[p];
	}
	return best;
}

static void fold(const char *s, char *out)
{
	size_t n = strlen(s);

	for (size_t i = 0; i <= n; i++) {
		out[i] = s[i] >= 'A' && s[i] <= 'Z' ? (char)(s[i] + 32) : s[i];
		if (i && (unsigned char)s[i - 1] == 0xc3 && (unsigned char)s[i] == 0x89)
			out[i] = (char)0xa9;
	}
}

static bool contains(const struct expr *e, const char *hay)
{
	char a[200], b[200];
	regex_t re;
	bool hit;

	if (!e->regex) {
		fold(hay, a);
		fold(e->text, b);
		return strstr(a, b) != NULL;
	}
	if (regcomp(&re, e->text, REG_EXTENDED | REG_ICASE | REG_NOSUB) != 0)
		abort();
	hit = regexec(&re, hay, 0, NULL, 0) == 0;
	regfree(&re);
	return hit;
}

static bool agree_says(const struct world *w, const struct expr *e, int run, int i)
{
	int other = e->what < WORLD_RUNS ? e->what : e->what == WORLD_RUNS ? w->a : w->b;
	uint16_t x = mapped(w, run, i), y = mapped(w, other, i);

	return x && y && (x == y) == (e->op == 4);
}

static bool difficulty_says(const struct world *w, const struct expr *e, int i)
{
	int right = 0, counted = 0;

	for (int p = 0; p < w->n_panel; p++) {
		enum verdict v = verdict_of(w, w->panel[p], i);

		right += v == VERDICT_RIGHT;
		counted += v != VERDICT_UNCOUNTED;
	}
	return counted && compares((float)((double)right / counted), e->op, (float)e->x);
}

static bool says_of_run(const struct world *w, const struct expr *e, int run, int i)
{
	switch (e->kind) {
	case K_PRED:
		return mapped(w, run, i) & meant(w, e);
	case K_PRED_NONE:
		return !mapped(w, run, i);
	case K_ROW:
	case K_COLUMN:
		return cell_says(w, e, run, i);
	case K_VERDICT:
		return verdict_of(w, run, i) == (enum verdict)e->what;
	case K_OUTCOME:
		return w->outcome[run][i] == e->what;
	case K_OOP:
		return w->oop[run][i] != OOP_NONE && e->set >> w->oop[run][i] & 1;
	case K_AGREE:
		return agree_says(w, e, run, i);
	case K_NUMBER:
		return w->has_number[run][e->what] && compares(w->number[run][e->what][i], e->op, e->x);
	default:
		return contains(e, w->answer[run][i]);
	}
}

static bool whose(const struct world *w, const struct expr *e, int i)
{
	int n = 0;

	if (!naive_is_panel(e->who))
		return says_of_run(w, e, e->who == W_RUN ? e->run : e->who == W_B ? w->b : w->a, i);
	for (int p = 0; p < w->n_panel; p++)
		n += says_of_run(w, e, w->panel[p], i);
	return n >= (e->who == W_ALL ? w->n_panel : e->who == W_ANY ? 1 : e->least);
}

static bool in_texts(const struct world *w, const struct expr *e, int i)
{
	switch (e->what) {
	case 0:
		return contains(e, w->text[i]) || contains(e, w->note[i]) || whose(w, e, i);
	case 1:
		return w->text_kind[i] == TEXT_QUESTION && contains(e, w->text[i]);
	case 2:
		return w->text_kind[i] == TEXT_STATEMENT && contains(e, w->text[i]);
	case 3:
		return whose(w, e, i);
	default:
		return contains(e, w->note[i]);
	}
}

static bool vote_says(const struct world *w, const struct expr *e, int i)
{
	uint16_t label = 0;
	int first = -1, n = vote_of(w, i, &label, &first);
	int run = e->who == W_RUN ? e->run : e->who == W_B ? w->b : w->a;

	switch (e->kind) {
	case K_VOTE_SIZE:
		return compares(n, e->op, e->x);
	case K_VOTE_CLASS:
		return label & meant(w, e);
	case K_VOTE_VERDICT:
		return n && verdict_of(w, first, i) == (enum verdict)e->what;
	default:
		return n && (mapped(w, run, i) == label) == (e->op == 4);
	}
}

static bool flip_says(const struct world *w, const struct expr *e, int i)
{
	enum verdict a = verdict_of(w, w->a, i), b = verdict_of(w, w->b, i);
	bool regressed = a == VERDICT_WRONG && b == VERDICT_RIGHT;
	bool improved = a == VERDICT_RIGHT && b == VERDICT_WRONG;

	return e->what == 0 ? regressed : e->what == 1 ? improved : regressed || improved;
}

bool naive_says(const struct world *w, const struct expr *e, int i)
{
	int layer = e->what < 0 ? w->lens.layer : e->what, c;

	switch (e->kind) {
	case K_AND:
		return naive_says(w, e->left, i) && naive_says(w, e->right, i);
	case K_OR:
		return naive_says(w, e->left, i) || naive_says(w, e->right, i);
	case K_NOT:
		return !naive_says(w, e->left, i);
	case K_CATEGORY:
		c = category_of(w, i);
		return c >= 0 && e->set >> c & 1;
	case K_TRUTH:
		return w->covered[layer][i] && w->truth[layer][i] & meant(w, e);
	case K_TRUTH_NONE:
		return w->covered[layer][i] && !w->truth[layer][i];
	case K_FLIP:
		return flip_says(w, e, i);
	case K_VOTE_SIZE:
	case K_VOTE_CLASS:
	case K_VOTE_VERDICT:
	case K_VOTE_RUN:
		return vote_says(w, e, i);
	case K_FACET:
		return w->facet[e->what].of[i] & meant(w, e);
	case K_FACET_NONE:
		return !w->facet[e->what].of[i];
	case K_UNPLACED:
		return w->facet[0].of[i] >> 5 & 1;
	case K_SIZE:
		return compares(w->size[i], e->op, e->x);
	case K_SIZE_NONE:
		return isnan(w->size[i]);
	case K_TEXT:
		return in_texts(w, e, i);
	case K_DIFFICULTY:
		return difficulty_says(w, e, i);
	case K_TAG:
		return w->tagged[e->what][i];
	case K_MARK:
		return w->marked[i];
	case K_SEEN:
		return w->seen[i];
	case K_NOTE:
		return w->notes[i];
	case K_ID:
		return strcmp(w->key[i], e->text) == 0;
	case K_ID_PART:
		return contains(e, w->key[i]);
	default:
		return whose(w, e, i);
	}
}
