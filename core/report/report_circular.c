/*
 * Circular evaluation (VLMEvalKit, MMBench): a question is asked again with its options turned round, and
 * is right when every turn of it is. The facet g_index puts the turns of a question together; a sample
 * without one is a question by itself. Turns that the lens leaves out do not count against it.
 */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/group/cluster.h"
#include "core/report/report_impl.h"

#define GROUP "g_index"

typedef VEC(uint64_t) turns; /* question << 1 | is wrong, of the counted answers of a place */

struct circular_table {
	const struct report_ctx *ctx;
	struct clustering_of questions;
	int run;
	turns *places;
	size_t n_places;
	size_t circular, asked, right;
};

bool report_fits_circular(const struct report_ctx *ctx)
{
	struct clustering_of questions;
	struct err ignored = ERR_INIT;
	bool turned;

	if (snapshot_facet(ctx->snap, STR(GROUP)) < 0 ||
	    cluster_make(ctx->snap, STR(GROUP), &questions, &ignored) != OK)
		return false;
	turned = questions.n < ctx->snap->n;
	cluster_release(&questions);
	return turned;
}

static void columns(void *own, struct table *t)
{
	struct circular_table *c = own;

	c->circular = table_column(t, "circular", "circular", TABLE_SHARE, BEST_HIGH,
				   "questions of which every turn is right, of those with a counted turn "
				   "(circular evaluation, VLMEvalKit)");
	c->right = table_detail(t, table_column(t, "circular_right", "all turns right", TABLE_COUNT, BEST_NONE,
						"questions of which every counted turn is right"));
	c->asked = table_column(t, "questions", "questions", TABLE_COUNT, BEST_NONE,
				"questions with a counted turn: the turns of one have the same " GROUP);
}

static void drop(struct circular_table *c)
{
	for (size_t i = 0; i < c->n_places; i++)
		vec_release(&c->places[i]);
	free(c->places);
	c->places = NULL;
	c->n_places = 0;
}

static enum status begin(void *own, int run, size_t places, struct err *err)
{
	struct circular_table *c = own;

	(void)err;
	drop(c);
	c->run = run;
	c->places = xcalloc(places, sizeof *c->places);
	c->n_places = places;
	return OK;
}

static void add(void *own, size_t place, uint32_t i, uint8_t verdict)
{
	struct circular_table *c = own;

	if (verdict != VERDICT_UNCOUNTED)
		vec_push(&c->places[place],
			 (uint64_t)c->questions.of[i] << 1 | (verdict != VERDICT_RIGHT));
}

static int by_number(const void *a, const void *b)
{
	const uint64_t *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Of a question's turns the wrong ones come last. */
static void count(turns *t, uint32_t *asked, uint32_t *right)
{
	*asked = *right = 0;
	if (t->n)
		qsort(t->v, t->n, sizeof *t->v, by_number);
	for (size_t i = 0; i < t->n; i++) {
		if (i + 1 < t->n && t->v[i + 1] >> 1 == t->v[i] >> 1)
			continue;
		++*asked;
		*right += !(t->v[i] & 1);
	}
}

static void put(void *own, size_t place, const char *condition, struct table *t)
{
	struct circular_table *c = own;
	struct buf door = BUF_INIT;
	uint32_t asked, right;

	count(&c->places[place], &asked, &right);
	report_put_door(c->ctx, &door, "-uncounted", c->run, "", condition);
	table_number(t, c->asked, asked);
	table_door(t, c->asked, buf_cstr(&door));
	table_number(t, c->right, right);
	table_why(t, c->right, "a question is several samples");
	if (asked)
		table_number(t, c->circular, (double)right / asked);
	table_door(t, c->circular, buf_cstr(&door));
	buf_release(&door);
}

static void notes(void *own, struct table *t)
{
	(void)own;
	table_note(t, "circular: a question is right when every counted turn of it is; accuracy, right and n are "
		      "of single turns, and so is the interval");
}

enum status report_circular(const struct report_ctx *ctx, struct table *out, struct err *err)
{
	static const struct report_more more = {.title = "circular evaluation", .columns = columns,
						.begin = begin, .add = add, .put = put, .notes = notes};
	struct circular_table c = {.ctx = ctx};
	enum status st = cluster_make(ctx->snap, STR(GROUP), &c.questions, err);

	if (st != OK)
		return st;
	st = report_accuracy_more(ctx, &more, &c, out, err);
	drop(&c);
	cluster_release(&c.questions);
	return st;
}
