#include "core/group/cluster.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"

static enum status no_such(const struct snapshot *snap, struct str name, struct err *err)
{
	struct nearest near = {.word = name};
	struct buf list = BUF_INIT;
	int n = (int)(name.n < 100 ? name.n : 100);

	for (uint32_t f = 0; f < snap->n_facets; f++) {
		nearest_offer(&near, snap->facets[f].name);
		buf_printf(&list, "%s%.60s", f ? ", " : "", snap->facets[f].name);
	}
	if (near.best)
		err_set(err, E_USAGE, "there is no facet \"%.*s\" to cluster by; did you mean %.100s?", n, name.p,
			near.best);
	else
		err_set(err, E_USAGE, "there is no facet \"%.*s\" to cluster by; there is %.600s", n, name.p,
			list.n ? buf_cstr(&list) : "none");
	buf_release(&list);
	return err->code;
}

struct numbered {
	double x;
	uint32_t i;
};

static int by_number(const void *a, const void *b)
{
	const struct numbered *p = a, *q = b;

	return (p->x > q->x) - (p->x < q->x);
}

static void cluster_numbers(const struct snapshot *snap, const struct facet *f, struct clustering_of *out)
{
	struct numbered *v = xcalloc((size_t)snap->n + 1, sizeof *v);
	size_t m = 0;

	for (uint32_t i = 0; i < snap->n; i++) {
		double x = column_f(&f->number, i);

		if (isfinite(x))
			v[m++] = (struct numbered){x, i};
		else
			out->of[i] = out->n++;
	}
	qsort(v, m, sizeof *v, by_number);
	for (size_t k = 0; k < m; k++) {
		if (k == 0 || v[k].x != v[k - 1].x)
			out->n++;
		out->of[v[k].i] = out->n - 1;
	}
	free(v);
}

/* The value of a sample; n_values where it has none; UINT32_MAX where it has several. */
static uint32_t value_of(const struct facet *f, uint32_t i)
{
	size_t from, n = f->multi ? csr_row(&f->sets, i, &from) : 1;
	uint64_t v = n == 0 ? COLUMN_NONE : f->multi ? column_u(&f->sets.val, from) : column_u(&f->value, i);

	return n > 1 ? UINT32_MAX : v < f->n_values ? (uint32_t)v : f->n_values;
}

static enum status cluster_values(const struct snapshot *snap, const struct facet *f,
				  struct clustering_of *out, struct err *err)
{
	uint32_t several = 0;

	out->n = f->n_values;
	for (uint32_t i = 0; i < snap->n; i++) {
		uint32_t v = value_of(f, i);

		several += v == UINT32_MAX;
		out->of[i] = v < f->n_values ? v : out->n++;
	}
	if (several)
		return err_set(err, E_USAGE, "%u samples have several values of %.100s, so that none of them says "
			       "which cluster they are in", several, f->name);
	return OK;
}

enum status cluster_make(const struct snapshot *snap, struct str facet, struct clustering_of *out,
			 struct err *err)
{
	int f = snapshot_facet(snap, facet);
	enum status st = OK;

	*out = (struct clustering_of){0};
	if (f < 0)
		return no_such(snap, facet, err);
	out->of = xcalloc((size_t)snap->n + 1, sizeof *out->of);
	if (snap->facets[f].numeric)
		cluster_numbers(snap, &snap->facets[f], out);
	else
		st = cluster_values(snap, &snap->facets[f], out, err);
	if (st != OK)
		cluster_release(out);
	return st;
}

void cluster_release(struct clustering_of *c)
{
	free(c->of);
	*c = (struct clustering_of){0};
}
