/* How far an evaluation has come: the work that lies in its searches through texts, and the
 * samples that are certain before the end. */
#include <stdlib.h>

#include "core/filter/filter_impl.h"

/* --- work --- */

static uint64_t work_in(const struct eval *e, enum filter_scope scope, int run)
{
	const struct filter_source *s = e->ctx->source;

	if (!s || !s->work || (scope == SCOPE_ANSWER && (run < 0 || (uint32_t)run >= e->snap->n_runs)))
		return 1;
	return s->work(s->ctx, scope, run);
}

static uint64_t work_of_runs(const struct eval *e, const struct term *t)
{
	uint64_t sum = 0;

	switch (t->whose.kind) {
	case WHO_ALL:
	case WHO_ANY:
	case WHO_LEAST:
		for (int i = 0; i < e->ctx->n_panel; i++)
			sum += work_in(e, SCOPE_ANSWER, e->ctx->panel[i]);
		return sum;
	case WHO_A:
		return work_in(e, SCOPE_ANSWER, e->ctx->a);
	case WHO_B:
		return work_in(e, SCOPE_ANSWER, e->ctx->b);
	default:
		return work_in(e, SCOPE_ANSWER, t->whose.index);
	}
}

static uint64_t work_of(const struct eval *e, const struct node *n)
{
	uint64_t sum = 0;

	if (n->kind != NODE_TERM) {
		for (const struct node *k = n->kids; k; k = k->next)
			sum += work_of(e, k);
		return sum;
	}
	if (n->term->op != OP_LIKE)
		return 0;
	if (n->term->word->eval_run)
		sum += work_of_runs(e, n->term);
	if (n->term->word->eval)
		sum += work_in(e, SCOPE_QUESTION, -1);
	return sum * n->term->n_values;
}

enum status watch_begin(struct eval *e, const struct node *root)
{
	if (!e->ctx->watch)
		return OK;
	e->all = work_of(e, root);
	e->sure = true;
	e->partial = bits_new(e->n);
	return e->partial ? OK : eval_no_memory(e->err, e->n);
}

void watch_end(struct eval *e)
{
	free(e->partial);
	e->partial = NULL;
}

/* --- what is certain --- */

struct level watch_enter(struct eval *e, const uint64_t *found, const uint64_t *within, bool sure)
{
	struct level level = {found, within, e->level, e->sure};

	e->sure = e->sure && sure;
	return level;
}

void watch_leave(struct eval *e, const struct level *level)
{
	e->level = level->up;
	e->sure = level->was_sure;
}

static void told(void *ctx, uint64_t done, const uint64_t *bits)
{
	struct eval *e = ctx;
	const struct filter_watch *w = e->ctx->watch;

	done = e->done + done < e->all ? e->done + done : e->all;
	if (e->sure) {
		memcpy(e->partial, bits, bits_words(e->n) * sizeof *bits);
		for (const struct level *l = e->level; l; l = l->up) {
			if (l->found)
				bits_or(e->partial, l->found, e->n);
			if (l->within)
				bits_and(e->partial, l->within, e->n);
		}
	}
	w->tell(w->ctx, done, e->all, e->sure ? e->partial : NULL);
}

enum status watch_search(struct eval *e, enum filter_scope scope, int run, const struct needle *needle,
			 uint64_t *out)
{
	const struct filter_source *s = e->ctx->source;
	const struct text_watch watch = {e->cancel, e->ctx->watch ? told : NULL, e};
	enum status st = s->text(s->ctx, scope, run, needle, e->within, out, &watch, e->err);

	if (e->ctx->watch)
		e->done += work_in(e, scope, run);
	return st;
}
