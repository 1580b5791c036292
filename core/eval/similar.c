#include "core/eval/similar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/clones.h"
#include "core/base/map.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/eval/stats.h"

static enum status no_memory(struct err *err, uint32_t n)
{
	return err_set(err, E_MEMORY, "there is no memory to compare runs over %u samples", n);
}

/* --- right and wrong --- */

/* counts: both right, a right of what both have, b right of it, what both have. */
CLONES static void count_pair(const uint64_t *ra, const uint64_t *ca, const uint64_t *rb, const uint64_t *cb,
			      const uint64_t *within, size_t words, uint64_t count[4])
{
	uint64_t both = 0, a = 0, b = 0, n = 0;

	for (size_t i = 0; i < words; i++) {
		uint64_t in = within ? within[i] : UINT64_MAX;

		both += (uint64_t)__builtin_popcountll(ra[i] & rb[i] & in);
		a += (uint64_t)__builtin_popcountll(ra[i] & cb[i] & in);
		b += (uint64_t)__builtin_popcountll(rb[i] & ca[i] & in);
		n += (uint64_t)__builtin_popcountll(ca[i] & cb[i] & in);
	}
	count[0] = both;
	count[1] = a;
	count[2] = b;
	count[3] = n;
}

void similar_fourfolds(const struct marks *m, const uint64_t *labelled, struct fourfold *out)
{
	int n = m->n_runs;

	for (int a = 0; a < n; a++)
		for (int b = a; b < n; b++) {
			uint64_t c[4];
			struct fourfold f;

			count_pair(m->right[a], m->counted[a], m->right[b], m->counted[b], labelled,
				   bits_words(m->n), c);
			f = (struct fourfold){c[0], c[1] - c[0], c[2] - c[0], c[3] - c[1] - c[2] + c[0]};
			out[a * n + b] = f;
			out[b * n + a] = (struct fourfold){f.both, f.only_b, f.only_a, f.neither};
		}
}

/* --- answers --- */

/* What each run answered, as one number a sample: a class, or from n_classes on a set of them.
 * UINT32_MAX: no mapped answer, or outside of the mask. */
struct answers {
	uint32_t *code;      /* [n] */
	uint32_t *of_kind;   /* [kinds] how many samples have each */
	uint64_t *has;       /* [bits_words(n)] */
};

static uint32_t set_code(const struct run *r, uint32_t i, uint32_t n_classes, struct intern *sets)
{
	size_t from, n = csr_row(&r->labels, i, &from), kept = 0;
	struct buf key = BUF_INIT;
	uint32_t last = 0, code;

	/* ascending, each once, whatever the order in the file */
	for (;;) {
		uint32_t next = UINT32_MAX;

		for (size_t k = 0; k < n; k++) {
			uint64_t c = column_u(&r->labels.val, from + k);

			if ((!kept || c > last) && c < next)
				next = (uint32_t)c;
		}
		if (next == UINT32_MAX)
			break;
		last = next;
		kept++;
		buf_printf(&key, "%u ", next);
	}
	code = kept == 1 ? last : n_classes + intern_add(sets, buf_view(&key));
	buf_release(&key);
	return code;
}

static bool is_answer(uint64_t outcome)
{
	return outcome == OUTCOME_ANSWERED || outcome == OUTCOME_OOP;
}

static enum status read_answers(const struct snapshot *snap, int run, const uint64_t *within,
				struct intern *sets, struct answers *out, struct err *err)
{
	const struct run *r = &snap->runs[run];
	size_t size;

	out->has = bits_new(snap->n);
	out->code = mem_mul((size_t)snap->n + 1, sizeof *out->code, &size) ? mem_try(size) : NULL;
	if (!out->has || !out->code)
		return no_memory(err, snap->n);
	column_widen(&r->label, 0, snap->n, out->code);
	for (uint32_t i = 0; i < snap->n; i++) {
		bool in = (!within || bits_get(within, i)) && is_answer(column_u(&r->outcome, i));

		if (in && csr_row(&r->labels, i, &(size_t){0}))
			out->code[i] = set_code(r, i, snap->n_classes, sets);
		if (!in)
			out->code[i] = UINT32_MAX;
		if (out->code[i] != UINT32_MAX)
			bits_set(out->has, i);
	}
	return OK;
}

static void count_kinds(struct answers *a, uint32_t n, uint32_t kinds)
{
	a->of_kind = xcalloc((size_t)kinds + 1, sizeof *a->of_kind);
	for (uint32_t i = 0; i < n; i++)
		if (a->code[i] < kinds)
			a->of_kind[a->code[i]]++;
}

CLONES static uint32_t count_equal(const uint32_t *a, const uint32_t *b, uint32_t n)
{
	uint32_t same = 0;

	for (uint32_t i = 0; i < n; i++)
		same += a[i] == b[i];
	return same;
}

/* How often each answer of a stands where b has one, too: what is missing there is few. */
static void count_common(const struct answers *a, const struct answers *b, uint32_t n, uint32_t kinds,
			 uint64_t *out)
{
	for (uint32_t k = 0; k < kinds; k++)
		out[k] = a->of_kind[k];
	for (size_t w = 0; w < bits_words(n); w++)
		for (uint64_t rest = a->has[w] & ~b->has[w]; rest; rest &= rest - 1)
			out[a->code[w * 64 + (size_t)__builtin_ctzll(rest)]]--;
}

static double kappa_of(const uint64_t *a, const uint64_t *b, uint32_t kinds, uint32_t same, uint32_t n)
{
	double chance = 0;

	if (!n)
		return NAN;
	for (uint32_t k = 0; k < kinds; k++)
		chance += (double)a[k] / n * ((double)b[k] / n);
	if (chance >= 1)
		return same == n ? 1 : NAN;
	return ((double)same / n - chance) / (1 - chance);
}

static void compare_answers(const struct answers *a, const struct answers *b, uint32_t n, uint32_t kinds,
			    uint64_t *work, uint32_t *answered, uint32_t *same, double *kappa)
{
	uint32_t both = (uint32_t)bits_count_and(a->has, b->has, n);
	uint32_t some = (uint32_t)(bits_count(a->has, n) + bits_count(b->has, n)) - both;

	/* where neither has an answer the codes are equal as well */
	*same = count_equal(a->code, b->code, n) - (n - some);
	*answered = both;
	count_common(a, b, n, kinds, work);
	count_common(b, a, n, kinds, work + kinds);
	*kappa = kappa_of(work, work + kinds, kinds, *same, both);
}

static enum status make_kappa(const struct snapshot *snap, const int *runs, const struct marks *m,
			      const struct cancel *cancel, struct steps *steps, struct similar *s,
			      struct err *err)
{
	int n = m->n_runs;
	struct answers *a = xcalloc((size_t)n + 1, sizeof *a);
	struct intern sets = INTERN_INIT;
	uint64_t *work = NULL;
	uint32_t kinds;
	enum status st = OK;

	for (int k = 0; k < n && st == OK; k++) {
		st = read_answers(snap, runs[k], m->within, &sets, &a[k], err);
		steps_take(steps);
		st = st == OK ? cancel_check(cancel, err) : st;
	}
	kinds = snap->n_classes + (uint32_t)sets.keys.n;
	work = xcalloc(2 * ((size_t)kinds + 1), sizeof *work);
	for (int k = 0; k < n && st == OK; k++)
		count_kinds(&a[k], snap->n, kinds);
	for (int i = 0; i < n && st == OK; i++) {
		for (int k = i; k < n; k++) {
			int at = i * n + k, back = k * n + i;

			compare_answers(&a[i], &a[k], snap->n, kinds, work, &s->answered[at], &s->same[at],
					&s->kappa[at]);
			s->answered[back] = s->answered[at];
			s->same[back] = s->same[at];
			s->kappa[back] = s->kappa[at];
		}
		steps_take(steps);
		st = cancel_check(cancel, err);
	}
	for (int k = 0; k < n; k++) {
		free(a[k].code);
		free(a[k].of_kind);
		free(a[k].has);
	}
	free(a);
	free(work);
	intern_release(&sets);
	return st;
}

/* --- recall per class --- */

static void set_of(const struct snapshot *snap, const struct lens *lens, bool single, uint64_t *out)
{
	struct truth t;

	truth_init(&t, snap, lens->layer);
	memset(out, 0, bits_words(snap->n) * sizeof *out);
	for (uint32_t i = 0; i < snap->n; i++) {
		uint32_t n = t.covered[i] ? t.off[i + 1] - t.off[i] : 0;

		if (single ? n == 1 : n > 0)
			bits_set(out, i);
	}
	truth_release(&t);
}

void similar_labelled(const struct snapshot *snap, const struct lens *lens, uint64_t *out)
{
	set_of(snap, lens, false, out);
}

enum status similar_single(const struct snapshot *snap, const struct lens *lens, uint64_t *out,
			   struct err *err)
{
	uint8_t *category;

	if (eval_category_layer(snap, lens) < 0) {
		set_of(snap, lens, true, out);
		return OK;
	}
	category = mem_try((size_t)snap->n + 1);
	if (!category)
		return no_memory(err, snap->n);
	eval_categories(snap, lens, category);
	memset(out, 0, bits_words(snap->n) * sizeof *out);
	for (uint32_t i = 0; i < snap->n; i++)
		if (category[i] == CAT_S_PLUS || category[i] == CAT_S_MINUS)
			bits_set(out, i);
	free(category);
	return OK;
}

struct recalls { /* of one run */
	double *recall; /* [n_classes]; NaN: no counted sample */
	double *rank;   /* [classes that have one] */
	uint32_t n;
};

static void rank_recalls(struct recalls *r, uint32_t n_classes)
{
	double *v = xcalloc((size_t)n_classes + 1, sizeof *v);

	r->rank = xcalloc((size_t)n_classes + 1, sizeof *r->rank);
	for (uint32_t c = 0; c < n_classes; c++)
		if (!isnan(r->recall[c]))
			v[r->n++] = r->recall[c];
	stats_ranks(v, r->n, r->rank);
	free(v);
}

static void read_recalls(const struct snapshot *snap, const struct lens *lens, int run,
			 const uint64_t *single, uint8_t *verdict, struct recalls *out)
{
	struct class_scores s;

	eval_verdicts(snap, lens, run, verdict);
	class_scores_make(snap, lens, run, verdict, single, &s);
	out->recall = xcalloc((size_t)snap->n_classes + 1, sizeof *out->recall);
	for (uint32_t c = 0; c < snap->n_classes; c++)
		out->recall[c] = s.class[c].support ? s.class[c].recall : NAN;
	class_scores_release(&s);
	rank_recalls(out, snap->n_classes);
}

/* Both have the same classes nearly always: then their ranks are there. */
static double correlate(const struct recalls *a, const struct recalls *b, uint32_t n_classes, double *work,
			uint32_t *n)
{
	double *x = work, *y = work + n_classes;

	*n = 0;
	for (uint32_t c = 0; c < n_classes; c++)
		if (!isnan(a->recall[c]) && !isnan(b->recall[c])) {
			x[*n] = a->recall[c];
			y[(*n)++] = b->recall[c];
		}
	if (*n == a->n && *n == b->n)
		return stats_pearson(a->rank, b->rank, *n);
	return stats_spearman(x, y, *n);
}

static void correlate_all(const struct recalls *r, int n, uint32_t n_classes, struct similar *s)
{
	double *work = xcalloc(2 * ((size_t)n_classes + 1), sizeof *work);

	for (int i = 0; i < n; i++)
		for (int k = i; k < n; k++) {
			int at = i * n + k, back = k * n + i;

			s->spearman[at] = correlate(&r[i], &r[k], n_classes, work, &s->classes[at]);
			s->spearman[back] = s->spearman[at];
			s->classes[back] = s->classes[at];
		}
	free(work);
}

static enum status make_spearman(const struct snapshot *snap, const struct lens *lens, const int *runs,
				 const struct marks *m, const struct cancel *cancel, struct steps *steps,
				 struct similar *s, struct err *err)
{
	int n = m->n_runs;
	struct recalls *r = xcalloc((size_t)n + 1, sizeof *r);
	uint64_t *single = bits_new(snap->n);
	uint8_t *verdict = mem_try((size_t)snap->n + 1);
	enum status st = single && verdict ? similar_single(snap, lens, single, err) : no_memory(err, snap->n);

	if (st == OK && m->within)
		bits_and(single, m->within, snap->n);
	for (int k = 0; k < n && st == OK; k++) {
		read_recalls(snap, lens, runs[k], single, verdict, &r[k]);
		steps_take(steps);
		st = cancel_check(cancel, err);
	}
	if (st == OK)
		correlate_all(r, n, snap->n_classes, s);
	for (int k = 0; k < n; k++) {
		free(r[k].recall);
		free(r[k].rank);
	}
	free(r);
	free(single);
	free(verdict);
	return st;
}

/* --- all together --- */

static enum status make_phi(const struct snapshot *snap, const struct lens *lens, const struct marks *m,
			    struct similar *s, struct err *err)
{
	uint64_t *labelled = bits_new(snap->n);

	if (!labelled)
		return no_memory(err, snap->n);
	similar_labelled(snap, lens, labelled);
	similar_fourfolds(m, labelled, s->fourfold);
	for (int k = 0; k < m->n_runs * m->n_runs; k++)
		s->phi[k] = paired_phi(&s->fourfold[k]);
	free(labelled);
	return OK;
}

enum status similar_make(const struct snapshot *snap, const struct lens *lens, const int *runs,
			 const struct marks *marks, const struct cancel *cancel, struct steps *steps,
			 struct similar *out, struct err *err)
{
	size_t pairs = (size_t)marks->n_runs * (size_t)marks->n_runs + 1;
	enum status st;

	*out = (struct similar){.n_runs = marks->n_runs,
				.fourfold = xcalloc(pairs, sizeof *out->fourfold),
				.phi = xcalloc(pairs, sizeof *out->phi),
				.answered = xcalloc(pairs, sizeof *out->answered),
				.same = xcalloc(pairs, sizeof *out->same),
				.kappa = xcalloc(pairs, sizeof *out->kappa),
				.classes = xcalloc(pairs, sizeof *out->classes),
				.spearman = xcalloc(pairs, sizeof *out->spearman)};
	st = make_phi(snap, lens, marks, out, err);
	if (st == OK)
		st = make_kappa(snap, runs, marks, cancel, steps, out, err);
	if (st == OK)
		st = make_spearman(snap, lens, runs, marks, cancel, steps, out, err);
	if (st != OK)
		similar_release(out);
	return st;
}

void similar_release(struct similar *s)
{
	free(s->fourfold);
	free(s->phi);
	free(s->answered);
	free(s->same);
	free(s->kappa);
	free(s->classes);
	free(s->spearman);
	*s = (struct similar){0};
}
