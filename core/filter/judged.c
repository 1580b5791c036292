/* `judge:` and `step:`: what a judge's marks say (core/eval/judge.h), by the numbers that are
 * stored with the answers. */
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/filter/filter_impl.h"

/* Bits of a term's extras; 0, without values: the marks, or steps, are there. */
static const struct judged_value {
	const char *word, *help;
	enum judged_word of;
	bool both; /* also of the other word */
} values[] = {
    {"right", "full marks", JUDGED_ANSWER, true},
    {"wrong", "not full marks", JUDGED_ANSWER, true},
    {"unparsed", "marks that cannot be read", JUDGED_ANSWER, false},
};
#define N_VALUES (sizeof values / sizeof *values)

static bool is_of(const struct judged_value *v, const struct word *w)
{
	return v->both || (int)v->of == w->code;
}

bool judged_value_of(const struct word *w, size_t k, const char **word, const char **help)
{
	for (size_t i = 0; i < N_VALUES; i++) {
		if (!is_of(&values[i], w) || k--)
			continue;
		*word = values[i].word;
		*help = values[i].help;
		return true;
	}
	return false;
}

enum status check_judged(struct check *c, struct term *t, const struct word *w)
{
	char shown[CLIP];

	for (uint32_t i = 0; i < t->n_values; i++) {
		const struct value *v = &t->values[i];
		unsigned bit = 0;

		for (size_t k = 0; k < N_VALUES; k++)
			if (is_of(&values[k], w) && v->kind == VALUE_NAME && !v->tree &&
			    str_eq_nocase(v->text, str_z(values[k].word)))
				bit = 1u << k;
		if (!bit)
			return fault_at(c->faults, v->at, v->n,
					w->code == JUDGED_ANSWER ? "; there are right, wrong and unparsed"
								 : "; there are right and wrong",
					"'%s:' does not know '%s'", w->name, clip(v->text, shown));
		t->extras |= bit;
	}
	return check_has_number(c, t, "judged", "marks of a judge");
}

/* or-s the samples for which the run's number compares so. */
static enum status add(struct eval *e, int run, const char *name, enum op op, double x, uint64_t *out)
{
	const struct filter_source *s = e->ctx->source;
	const struct column *col = NULL;
	uint64_t *bits;
	enum status st;

	if (!s || !s->number)
		return err_set(e->err, E_UNSUPPORTED, "there is nothing to read '%s' from", name);
	st = s->number(s->ctx, run, name, &col, e->err);
	if (st != OK || !col || !col->n)
		return st;
	bits = bits_new(e->n);
	if (!bits)
		return eval_no_memory(e->err, e->n);
	scan_compare(col, e->n, op, x, bits);
	bits_or(out, bits, e->n);
	free(bits);
	return OK;
}

static enum status eval_steps(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	uint64_t *wrong = bits_new(e->n);
	enum status st = wrong ? add(e, run, "wrong_steps", OP_GT, 0, wrong) : eval_no_memory(e->err, e->n);
	unsigned want = t->extras ? t->extras : 3;

	if (st == OK && want & 1)
		st = add(e, run, "marks", OP_GT, 1, out);
	if (st == OK && want == 1)
		bits_and_not(out, wrong, e->n);
	if (st == OK && want & 2)
		bits_or(out, wrong, e->n);
	free(wrong);
	return st;
}

enum status eval_judged(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	enum status st = OK;

	if (t->word->code == JUDGED_STEPS)
		return eval_steps(e, t, run, out);
	if (!t->extras)
		return add(e, run, "judged", OP_EQ, 1, out);
	if (t->extras & 1)
		st = add(e, run, "rec", OP_GE, 1, out);
	if (st == OK && t->extras & 2)
		st = add(e, run, "rec", OP_LT, 1, out);
	if (st == OK && t->extras & 4)
		st = add(e, run, "judged", OP_EQ, 0, out);
	return st;
}
