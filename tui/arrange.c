#include "tui/arrange.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"

enum status arrange(struct conn *c, struct scene *s, const struct sort *sort, uint32_t **order,
		    struct err *err)
{
	size_t n = (size_t)s->snap->n + 1;
	uint32_t *rank = NULL;
	double *score = NULL;
	enum status st = OK;

	*order = NULL;
	if (sort->by == SORT_IMPORT && !sort->down)
		return OK;
	if (sort_is_judged(sort))
		scene_ready(s);
	if (sort->by == SORT_PANEL)
		scene_need_panel(s);
	if (sort->by == SORT_KEY) {
		rank = xcalloc(n, sizeof *rank);
		st = fetch_key_ranks(c, s->snap->dataset_id, s->snap->n, rank, err);
	} else if (sort->by == SORT_SCORE && s->a >= 0) {
		score = xcalloc(n, sizeof *score);
		st = fetch_numbers(c, s->snap->runs[s->a].id, "score", s->snap->n, score, err);
	}
	if (st == OK) {
		*order = xcalloc(n, sizeof **order);
		order_make(s, sort, rank, score, *order);
	}
	free(rank);
	free(score);
	return st;
}
