/* `row:` and `column:`: where the confusion matrix counts a sample (core/eval/confusion.h). */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/filter/filter_impl.h"

struct cells_wanted {
	uint8_t *in; /* [classes + N_EXTRAS]: rows, (none) the last of them; or columns */
	uint32_t *row, max;
	bool by_column;
};

/* Where only right answers matter, which is all that a placing asks. NULL: no memory, or no
 * verdicts. Owned by the caller. */
static uint8_t *verdicts_of(struct eval *e, int run)
{
	const uint64_t *right = cache_verdict(e->cache, run, VERDICT_RIGHT, e->err);
	uint8_t *verdict = right ? mem_try(e->n + 64) : NULL;

	if (!right)
		return NULL;
	if (!verdict) {
		eval_no_memory(e->err, e->n);
		return NULL;
	}
	bits_to_bytes(right, e->n, verdict);
	for (size_t i = 0; i < e->n; i++)
		verdict[i] = verdict[i] ? VERDICT_RIGHT : VERDICT_WRONG;
	return verdict;
}

static void want(struct cells_wanted *w, const struct eval *e, const struct term *t)
{
	uint32_t n = e->snap->n_classes;

	w->by_column = t->word->code == CELL_COLUMN;
	w->in = xcalloc((size_t)n + N_EXTRAS, 1);
	for (uint32_t k = 0; k < n + N_EXTRAS && t->op == OP_NONE; k++)
		w->in[k] = 1;
	for (uint32_t k = 0; k < t->n_set; k++)
		w->in[t->set[k]] = 1;
	for (uint32_t k = 0; k < N_EXTRAS && w->by_column; k++)
		w->in[n + k] |= t->extras >> k & 1;
	if (t->none && !w->by_column)
		w->in[n] = 1;
}

static bool is_wanted(const struct cells_wanted *w, const struct placing *p, uint32_t i)
{
	uint32_t column, rows = placing_of(p, i, w->row, w->max, &column);

	if (w->by_column)
		return rows && w->in[column];
	for (uint32_t k = 0; k < rows; k++)
		if (w->in[w->row[k]])
			return true;
	return false;
}

enum status eval_cell(struct eval *e, const struct term *t, int run, uint64_t *out)
{
	uint8_t *verdict = verdicts_of(e, run);
	struct cells_wanted w = {.max = 1};
	struct placing p;

	if (!verdict)
		return e->err->code;
	placing_init(&p, e->snap, e->ctx->lens, run, verdict);
	for (size_t i = 0; i < e->n; i++)
		if (p.truth.off[i + 1] - p.truth.off[i] > w.max)
			w.max = p.truth.off[i + 1] - p.truth.off[i];
	w.row = xcalloc(w.max, sizeof *w.row);
	want(&w, e, t);
	for (size_t i = e->within ? bits_next(e->within, e->n, 0) : 0; i < e->n;
	     i = e->within ? bits_next(e->within, e->n, i + 1) : i + 1)
		if (is_wanted(&w, &p, (uint32_t)i))
			bits_set(out, i);
	free(w.in);
	free(w.row);
	placing_release(&p);
	free(verdict);
	return OK;
}
