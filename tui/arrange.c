#include "tui/arrange.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"

static enum status fetch_ranks(struct conn *c, const struct scene *s, enum sort_by by, uint32_t *rank,
			       struct err *err)
{
	if (by == SORT_KEY)
		return fetch_key_ranks(c, s->snap->dataset_id, s->snap->n, rank, err);
	return fetch_text_ranks(c, s->snap->dataset_id, s->snap->n, rank, err);
}

/* Judged, where it is by what is judged. */
static void make_ready(struct scene *s, const struct sort *sort)
{
	if (!sort_is_judged(sort))
		return;
	scene_ready(s);
	scene_need(s, sort_run(s, sort));
	if (sort_is_of_panel(sort->by))
		scene_need_panel(s);
}

enum status arrange(struct conn *c, struct scene *s, const struct sort *sort, uint32_t **order,
		    struct err *err)
{
	size_t n = (size_t)s->snap->n + 1;
	int run = sort_run(s, sort);
	uint32_t *rank = NULL;
	double *number = NULL;
	enum status st = OK;

	*order = NULL;
	if (sort->by == SORT_IMPORT && !sort->down)
		return OK;
	make_ready(s, sort);
	if (sort->by == SORT_KEY || sort->by == SORT_TEXT) {
		rank = xcalloc(n, sizeof *rank);
		st = fetch_ranks(c, s, sort->by, rank, err);
	} else if (sort_is_number(sort->by) && run >= 0) {
		number = xcalloc(n, sizeof *number);
		st = fetch_numbers(c, s->snap->runs[run].id, sort_name(sort->by), s->snap->n, number, err);
	}
	if (st == OK) {
		*order = xcalloc(n, sizeof **order);
		order_make(s, sort, rank, number, *order);
	}
	free(rank);
	free(number);
	return st;
}
