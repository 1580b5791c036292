#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tui/view/tables.h"

struct table_numbers {
	struct filter_source source;
	const char *const *names; /* report_numbers(): NULL at the end */
	size_t n_names;
	const char **found; /* those that some run has */
	int *runs, n_runs;
	struct column *columns; /* [n_runs * n_names] */
};

static enum status number(void *ctx, int run, const char *name, const struct column **col, struct err *err)
{
	static const struct column none;
	const struct table_numbers *t = ctx;

	(void)err;
	*col = &none;
	for (int r = 0; r < t->n_runs; r++)
		for (size_t k = 0; k < t->n_names; k++)
			if (t->runs[r] == run && strcmp(t->names[k], name) == 0)
				*col = &t->columns[(size_t)r * t->n_names + k];
	return OK;
}

static enum status copy_one(struct table_numbers *t, int r, size_t k, const struct filter_source *source,
			    struct err *err)
{
	struct column *to = &t->columns[(size_t)r * t->n_names + k];
	const struct column *from = NULL;
	enum status st = source->number(source->ctx, t->runs[r], t->names[k], &from, err);
	bool known = false;

	if (st != OK || !from || !from->n)
		return st;
	*to = column_new(from->dtype, from->n);
	if (!to->data)
		return err_set(err, E_MEMORY, "no memory for the numbers of %d runs", t->n_runs);
	memcpy(to->data, from->data, from->n * dtype_size(from->dtype));
	for (size_t i = 0; i < t->source.n_numbers; i++)
		known |= t->found[i] == t->names[k];
	if (!known)
		t->found[t->source.n_numbers++] = t->names[k];
	return OK;
}

enum status table_numbers_copy(struct table_numbers **out, const struct table_wish *w,
			       const struct filter_source *source, struct err *err)
{
	struct table_numbers *t;
	enum status st = OK;

	*out = NULL;
	if (!source || !source->number)
		return OK;
	t = xcalloc(1, sizeof *t);
	t->names = report_numbers(w->snap);
	while (t->names[t->n_names])
		t->n_names++;
	t->n_runs = w->n_runs;
	t->runs = xcalloc((size_t)w->n_runs + 1, sizeof *t->runs);
	t->found = xcalloc(t->n_names + 1, sizeof *t->found);
	t->columns = xcalloc((size_t)w->n_runs * t->n_names + 1, sizeof *t->columns);
	t->source = (struct filter_source){.ctx = t, .number = number, .numbers = t->found};
	for (int r = 0; r < w->n_runs; r++)
		t->runs[r] = w->runs[r];
	for (int r = 0; r < w->n_runs && st == OK; r++)
		for (size_t k = 0; k < t->n_names && st == OK; k++)
			st = copy_one(t, r, k, source, err);
	if (st == OK)
		*out = t;
	else
		table_numbers_free(t);
	return st;
}

const struct filter_source *table_numbers_source(const struct table_numbers *t)
{
	return t ? &t->source : NULL;
}

void table_numbers_free(struct table_numbers *t)
{
	for (size_t k = 0; t && k < (size_t)t->n_runs * t->n_names; k++)
		column_release(&t->columns[k]);
	if (t) {
		free(t->runs);
		free(t->found);
		free(t->columns);
	}
	free(t);
}
