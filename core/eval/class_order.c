/* In which order the classes of a matrix stand (crosstab.h). */
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/eval/crosstab.h"

const char *class_order_word(enum class_order o)
{
	static const char *const word[N_CLASS_ORDERS] = {
#define X(id, word, help) word,
	    CLASS_ORDERS(X)
#undef X
	};

	return o < N_CLASS_ORDERS ? word[o] : "";
}

struct ranked {
	uint32_t class;
	int64_t rank; /* the lowest first */
	const char *name;
};

static int by_rank(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;

	if (p->rank != q->rank)
		return p->rank < q->rank ? -1 : 1;
	return (p->class > q->class) - (p->class < q->class);
}

static int by_name(const void *a, const void *b)
{
	const struct ranked *p = a, *q = b;
	int order = strcmp(p->name, q->name);

	return order ? order : by_rank(a, b);
}

/* Errors in the class's row, and answers of the class that are errors: [n_classes]. Owned by the
 * caller. */
static int64_t *errors_of(const struct confusion *m)
{
	int64_t *errors = xcalloc((size_t)m->n_classes + 1, sizeof *errors);

	for (uint32_t r = 0; r < m->n_classes; r++)
		for (uint32_t k = m->off[r]; k < m->off[r + 1]; k++) {
			uint32_t c = m->cell[k].column;

			if (c == r)
				continue;
			errors[r] += m->cell[k].count;
			if (c < m->n_classes)
				errors[c] += m->cell[k].count;
		}
	return errors;
}

static void by_number(const struct snapshot *snap, const struct confusion *m, enum class_order o,
		      uint32_t *out)
{
	struct ranked *v = xcalloc((size_t)m->n_classes + 1, sizeof *v);
	int64_t *errors = o == ORDER_CONFUSED ? errors_of(m) : NULL;

	for (uint32_t c = 0; c < m->n_classes; c++) {
		v[c] = (struct ranked){c, 0, snap->classes[c].name};
		if (o == ORDER_INDEX)
			v[c].rank = snap->classes[c].index;
		else if (o == ORDER_SUPPORT)
			v[c].rank = -(int64_t)m->support[c];
		else if (errors)
			v[c].rank = -errors[c];
	}
	if (m->n_classes)
		qsort(v, m->n_classes, sizeof *v, o == ORDER_NAME ? by_name : by_rank);
	for (uint32_t c = 0; c < m->n_classes; c++)
		out[c] = v[c].class;
	free(errors);
	free(v);
}

/* --- cluster --- */

#define NOBODY UINT32_MAX

struct edge {
	uint32_t a, b, weight; /* a < b */
};

/* Paths that grow together: each class has up to two neighbours, each path two ends. */
struct paths {
	uint32_t (*next)[2];
	uint32_t *root; /* union-find */
	uint32_t (*end)[2]; /* of the path of a root */
};

static int by_ends(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;

	if (p->a != q->a)
		return p->a < q->a ? -1 : 1;
	return (p->b > q->b) - (p->b < q->b);
}

static int heaviest(const void *a, const void *b)
{
	const struct edge *p = a, *q = b;

	if (p->weight != q->weight)
		return p->weight > q->weight ? -1 : 1;
	return by_ends(a, b);
}

/* Both ways of a pair are one edge. */
static size_t join_ways(struct edge *e, size_t n)
{
	size_t out = 0;

	if (n)
		qsort(e, n, sizeof *e, by_ends);
	for (size_t i = 0; i < n; i++) {
		if (out && e[out - 1].a == e[i].a && e[out - 1].b == e[i].b)
			e[out - 1].weight += e[i].weight;
		else
			e[out++] = e[i];
	}
	if (out)
		qsort(e, out, sizeof *e, heaviest);
	return out;
}

static uint32_t find(struct paths *p, uint32_t c)
{
	while (p->root[c] != c) {
		p->root[c] = p->root[p->root[c]];
		c = p->root[c];
	}
	return c;
}

/* Which end of the path is c, or else the first. */
static int end_at(const struct paths *p, uint32_t root, uint32_t c)
{
	return p->end[root][1] == c;
}

static void link(struct paths *p, uint32_t at, uint32_t to)
{
	p->next[at][p->next[at][0] != NOBODY] = to;
}

static void join(struct paths *p, const struct edge *e)
{
	uint32_t a = find(p, e->a), b = find(p, e->b), left, right;
	int i, k;

	if (a == b)
		return;
	i = end_at(p, a, e->a);
	k = end_at(p, b, e->b);
	left = p->end[a][!i];
	right = p->end[b][!k];
	link(p, p->end[a][i], p->end[b][k]);
	link(p, p->end[b][k], p->end[a][i]);
	p->root[b] = a;
	p->end[a][0] = left;
	p->end[a][1] = right;
}

/* Appends the path that has this class at an end. */
static uint32_t walk(const struct paths *p, uint32_t from, uint32_t *out)
{
	uint32_t n = 0, before = NOBODY, at = from;

	while (at != NOBODY) {
		uint32_t next = p->next[at][0] == before ? p->next[at][1] : p->next[at][0];

		out[n++] = at;
		before = at;
		at = next;
	}
	return n;
}

static void put_paths(struct paths *p, const struct confusion *m, uint32_t *out)
{
	struct ranked *v = xcalloc((size_t)m->n_classes + 1, sizeof *v);
	int64_t *errors = errors_of(m);
	uint32_t n = 0, at = 0;

	for (uint32_t c = 0; c < m->n_classes; c++)
		v[find(p, c)].rank -= errors[c];
	for (uint32_t c = 0; c < m->n_classes; c++) {
		const uint32_t *end = p->end[c];

		if (p->root[c] == c)
			v[n++] = (struct ranked){end[0] < end[1] ? end[0] : end[1], v[c].rank, NULL};
	}
	if (n)
		qsort(v, n, sizeof *v, by_rank);
	for (uint32_t k = 0; k < n; k++)
		at += walk(p, v[k].class, out + at);
	free(errors);
	free(v);
}

static void by_cluster(const struct confusion *m, uint32_t *out)
{
	size_t room = (size_t)m->n_classes + 1, n;
	struct paths p = {xcalloc(room, sizeof *p.next), xcalloc(room, sizeof *p.root),
			  xcalloc(room, sizeof *p.end)};
	VEC(struct edge) e = {0};

	for (uint32_t c = 0; c < m->n_classes; c++) {
		p.next[c][0] = p.next[c][1] = NOBODY;
		p.root[c] = p.end[c][0] = p.end[c][1] = c;
		for (uint32_t k = m->off[c]; k < m->off[c + 1]; k++) {
			uint32_t to = m->cell[k].column;

			if (to != c && to < m->n_classes)
				vec_push(&e, ((struct edge){c < to ? c : to, c < to ? to : c,
							    m->cell[k].count}));
		}
	}
	n = join_ways(e.v, e.n);
	for (size_t i = 0; i < n; i++)
		join(&p, &e.v[i]);
	put_paths(&p, m, out);
	vec_release(&e);
	free(p.next);
	free(p.root);
	free(p.end);
}

void class_order_make(const struct snapshot *snap, const struct confusion *m, enum class_order o,
		      uint32_t *out)
{
	if (o == ORDER_CLUSTER)
		by_cluster(m, out);
	else
		by_number(snap, m, o, out);
}
