/* What a filter looks for in texts. */
#include "core/filter/filter_impl.h"

static int run_of(const struct who *whose, int a, int b)
{
	return whose->kind == WHO_RUN ? whose->index
	       : whose->kind == WHO_A ? a
	       : whose->kind == WHO_B ? b
				      : -1;
}

/* A word that looks into several kinds of text gives a needle for each kind, value after value. */
static bool term_needle(const struct term *t, size_t *k, int a, int b, struct filter_needle *out)
{
	static const enum filter_scope all[] = {SCOPE_TEXT, SCOPE_ANSWER, SCOPE_NOTE};
	enum filter_scope one = t->word->eval_run ? SCOPE_ANSWER
				: t->word->arg == ARG_KEY ? SCOPE_KEY
							  : (enum filter_scope)t->word->code;
	bool several = t->word->eval_run && t->word->eval;
	size_t kinds = several ? 3 : 1, n = t->n_values * kinds;

	if (t->op != OP_LIKE || !t->needles)
		return false;
	if (*k >= n) {
		*k -= n;
		return false;
	}
	out->needle = t->needles[*k / kinds];
	out->scope = several ? all[*k % kinds] : one;
	out->run = out->scope == SCOPE_ANSWER ? run_of(&t->whose, a, b) : -1;
	return true;
}

static bool node_needle(const struct node *n, size_t *k, int a, int b, struct filter_needle *out)
{
	if (n->kind == NODE_TERM)
		return term_needle(n->term, k, a, b, out);
	if (n->kind == NODE_NOT)
		return false;
	for (const struct node *kid = n->kids; kid; kid = kid->next)
		if (node_needle(kid, k, a, b, out))
			return true;
	return false;
}

bool filter_needle(const struct filter *f, size_t k, int a, int b, struct filter_needle *out)
{
	return f->root && f->checked && node_needle(f->root, &k, a, b, out);
}
