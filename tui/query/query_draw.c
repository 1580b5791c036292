#include "tui/query/query_draw.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/xmalloc.h"
#include "db/vectors.h"

#define LABELS_MAX 64 /* of one sample in one layer */
#define BARRED_MAX 1024

struct query_draw {
	const struct snapshot *snap;
	int original, reannotated; /* layers; -1: there is none */
	uint32_t *name;		   /* [n_classes]: equal where names are */
	/* HARD: what the reference run answered where the label is c is answer[from[c] … from[c + 1]). */
	uint32_t *from, *answer;
	/* NEAR */
	float *vector; /* [n_classes × dim], unit or zero */
	uint32_t dim;
};

void query_draw_free(struct query_draw *d)
{
	if (!d)
		return;
	free(d->name);
	free(d->from);
	free(d->answer);
	free(d->vector);
	free(d);
}

/* --- once for a plan --- */

static void number_names(struct query_draw *d)
{
	const struct snapshot *snap = d->snap;
	struct intern names = INTERN_INIT;

	d->name = xcalloc((size_t)snap->n_classes + 1, sizeof *d->name);
	for (uint32_t c = 0; c < snap->n_classes; c++)
		d->name[c] = intern_add(&names, str_z(snap->classes[c].name));
	intern_release(&names);
}

/* The classes that a layer gives a sample; out has room for LABELS_MAX. */
static size_t labels_of(const struct snapshot *snap, int layer, uint32_t ord, uint32_t *out)
{
	size_t from, n = layer >= 0 ? csr_row(&snap->layers[layer].sets, ord, &from) : 0;

	n = n > LABELS_MAX ? LABELS_MAX : n;
	for (size_t i = 0; i < n; i++)
		out[i] = (uint32_t)column_u(&snap->layers[layer].sets.val, from + i);
	return n;
}

/* Rows are by the original labels, as benchmarks count confusions; by others where there are none. */
static void gather_confusions(struct query_draw *d, const struct run *run)
{
	const struct snapshot *snap = d->snap;
	int layer = d->original >= 0 ? d->original : d->reannotated;
	uint32_t own[LABELS_MAX], *at = xcalloc((size_t)snap->n_classes + 2, sizeof *at);

	for (int pass = 0; pass < 2; pass++) { /* counting, then placing */
		for (uint32_t i = 0; i < snap->n; i++) {
			uint64_t answer = column_u(&run->label, i);
			size_t n = answer < snap->n_classes ? labels_of(snap, layer, i, own) : 0;

			for (size_t k = 0; k < n; k++)
				if (pass)
					d->answer[at[own[k]]++] = (uint32_t)answer;
				else
					at[own[k] + 1]++;
		}
		if (pass)
			break;
		for (uint32_t c = 0; c < snap->n_classes; c++)
			at[c + 1] += at[c];
		d->from = xcalloc((size_t)snap->n_classes + 1, sizeof *d->from);
		memcpy(d->from, at, ((size_t)snap->n_classes + 1) * sizeof *d->from);
		d->answer = xcalloc((size_t)at[snap->n_classes] + 1, sizeof *d->answer);
	}
	free(at);
}

static enum status fetch_vectors(struct query_draw *d, struct conn *c, const char *encoder, struct err *err)
{
	const struct snapshot *snap = d->snap;
	struct str *names = xcalloc((size_t)snap->n_classes + 1, sizeof *names);
	bool *known = xcalloc((size_t)snap->n_classes + 1, sizeof *known);
	size_t missing = 0;
	enum status st;

	for (uint32_t i = 0; i < snap->n_classes; i++)
		names[i] = str_z(snap->classes[i].name);
	st = vectors_get(c, str_z(encoder), names, snap->n_classes, &d->dim, &d->vector, known, err);
	for (uint32_t i = 0; i < snap->n_classes && st == OK; i++)
		missing += !known[i];
	if (missing)
		st = err_set(err, E_USAGE, "the project keeps no vectors of %zu of the %u class names by %s: near "
					   "options need them all", missing, snap->n_classes, encoder);
	free(names);
	free(known);
	return st;
}

enum status query_draw_new(const struct query_spec *s, const struct snapshot *snap, struct conn *c,
			   struct query_draw **out, struct err *err)
{
	struct query_draw *d;
	enum status st = OK;

	*out = NULL;
	if (strcmp(s->protocol->name, "mc") != 0 || s->options == QUERY_OPTIONS_STORED)
		return OK;
	if (s->options == QUERY_OPTIONS_NEAR && !s->encoder)
		return err_set(err, E_USAGE, "near options need an encoder of the class names: an endpoint that "
					     "embeds texts, or a file of vectors");
	if (s->options == QUERY_OPTIONS_HARD && (!s->reference || snapshot_run(snap, str_z(s->reference)) < 0))
		return err_set(err, E_USAGE, "hard options need a run whose confusions they are");
	d = xcalloc(1, sizeof *d);
	d->snap = snap;
	d->original = snapshot_layer(snap, STR("original"));
	d->reannotated = snapshot_layer(snap, STR("reannotated"));
	number_names(d);
	if (s->options == QUERY_OPTIONS_HARD)
		gather_confusions(d, &snap->runs[snapshot_run(snap, str_z(s->reference))]);
	if (s->options == QUERY_OPTIONS_NEAR)
		st = fetch_vectors(d, c, s->encoder, err);
	if (st == OK)
		*out = d;
	else
		query_draw_free(d);
	return st;
}

/* --- for a sample --- */

struct labels {
	uint32_t original[LABELS_MAX], reannotated[LABELS_MAX], barred[BARRED_MAX];
	size_t n_original, n_reannotated, n_barred;
};

static void bar(struct labels *l, uint32_t c)
{
	if (l->n_barred < BARRED_MAX)
		l->barred[l->n_barred++] = c;
}

/* What any layer gives the sample, and what is equivalent to that, is as good as a label. */
static void gather_labels(const struct query_draw *d, uint32_t ord, struct labels *l)
{
	const struct snapshot *snap = d->snap;
	uint32_t own[LABELS_MAX];

	l->n_original = labels_of(snap, d->original, ord, l->original);
	l->n_reannotated = labels_of(snap, d->reannotated, ord, l->reannotated);
	l->n_barred = 0;
	for (uint32_t layer = 0; layer < snap->n_layers; layer++) {
		size_t n = labels_of(snap, (int)layer, ord, own);

		for (size_t i = 0; i < n; i++) {
			bar(l, own[i]);
			for (uint32_t p = 0; p < snap->n_pairs; p++)
				if (snap->pairs[p][0] == own[i] || snap->pairs[p][1] == own[i])
					bar(l, snap->pairs[p][snap->pairs[p][0] == own[i]]);
		}
	}
}

static void weigh_confusions(const struct query_draw *d, uint32_t truth, double *weight)
{
	for (uint32_t k = d->from[truth]; k < d->from[truth + 1]; k++)
		weight[d->answer[k]]++;
}

static bool is_zero(const float *v, uint32_t dim)
{
	for (uint32_t k = 0; k < dim; k++)
		if (v[k] != 0)
			return false;
	return true;
}

/* 1 + cosine, so that also what points the other way weighs more than what has no vector; of several
 * truths the nearer one. */
static enum status weigh_nearness(const struct query_draw *d, const char *encoder, uint32_t truth, double *weight,
				  struct err *err)
{
	const float *mine = d->vector + (size_t)truth * d->dim;

	if (is_zero(mine, d->dim))
		return err_set(err, E_USAGE, "%s has no vector for the class %.100s: nothing is near it", encoder,
			       d->snap->classes[truth].name);
	for (uint32_t x = 0; x < d->snap->n_classes; x++) {
		const float *other = d->vector + (size_t)x * d->dim;
		double w = 0;

		for (uint32_t k = 0; k < d->dim; k++)
			w += (double)mine[k] * other[k];
		w = is_zero(other, d->dim) ? 0 : 1 + w;
		weight[x] = w > weight[x] ? w : weight[x];
	}
	return OK;
}

static enum status weigh(const struct query_draw *d, const struct query_spec *s, const uint32_t *truths, size_t n,
			 double *weight, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < n && st == OK; i++)
		if (s->options == QUERY_OPTIONS_HARD)
			weigh_confusions(d, truths[i], weight);
		else
			st = weigh_nearness(d, s->encoder, truths[i], weight, err);
	return st;
}

enum status query_draw_options(const struct query_draw *d, const struct query_spec *s, struct str key,
			       uint32_t ord, uint32_t out[CHOICES_MAX], size_t *n, struct err *err)
{
	size_t n_classes = (size_t)d->snap->n_classes + 1, n_truths;
	uint32_t *scratch = xcalloc(n_classes, sizeof *scratch), truths[2];
	double *weight = s->options == QUERY_OPTIONS_RANDOM ? NULL : xcalloc(n_classes, sizeof *weight);
	struct labels *l = xcalloc(1, sizeof *l);
	struct choices c = {.truth = s->truth, .n = s->n_options, .seed = s->seed, .repeat = s->repeat,
			    .n_classes = d->snap->n_classes, .weight = weight, .name = d->name};
	enum status st = OK;

	gather_labels(d, ord, l);
	c.barred = l->barred;
	c.n_barred = l->n_barred;
	n_truths = choices_truths(&c, key, l->original, l->n_original, l->reannotated, l->n_reannotated, truths);
	if (weight)
		st = weigh(d, s, truths, n_truths, weight, err);
	*n = choices_draw(&c, key, l->original, l->n_original, l->reannotated, l->n_reannotated, scratch, out);
	if (st == OK && *n < 2)
		st = err_set(err, E_USAGE, "there are no options to offer: the sample lacks the label that must be "
					   "among them, or there are too few classes");
	free(scratch);
	free(weight);
	free(l);
	return st;
}
