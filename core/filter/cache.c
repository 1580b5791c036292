#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/filter/filter_impl.h"

struct filter_cache {
	const struct snapshot *snap;
	struct lens lens;
	uint64_t **verdict[3]; /* [enum verdict][answerers], NULL until asked for */
	uint8_t *scratch;      /* [n] verdicts of one run */
	uint8_t *category;     /* [n] */
	struct truth *truth;   /* [n_layers + 1]: of layer k - 1; the first of a layer that is not there */
	bool *has_truth;
	struct votes votes;
	bool has_votes;
	struct difficulty difficulty;
	bool has_difficulty;
};

struct filter_cache *filter_cache_new(const struct snapshot *snap, const struct lens *lens)
{
	struct filter_cache *c = xcalloc(1, sizeof *c);

	c->snap = snap;
	c->lens = *lens;
	for (int v = 0; v < 3; v++)
		c->verdict[v] = xcalloc((size_t)snapshot_answerers(snap) + 1, sizeof **c->verdict);
	c->truth = xcalloc((size_t)snap->n_layers + 1, sizeof *c->truth);
	c->has_truth = xcalloc((size_t)snap->n_layers + 1, sizeof *c->has_truth);
	return c;
}

void filter_cache_free(struct filter_cache *c)
{
	if (!c)
		return;
	for (int v = 0; v < 3; v++) {
		for (uint32_t r = 0; r < snapshot_answerers(c->snap); r++)
			free(c->verdict[v][r]);
		free(c->verdict[v]);
	}
	for (uint32_t l = 0; l <= c->snap->n_layers; l++)
		if (c->has_truth[l])
			truth_release(&c->truth[l]);
	free(c->truth);
	free(c->has_truth);
	free(c->scratch);
	free(c->category);
	votes_release(&c->votes);
	difficulty_release(&c->difficulty);
	free(c);
}

static void forget(struct filter_cache *c, int run)
{
	for (int v = 0; v < 3; v++) {
		free(c->verdict[v][run]);
		c->verdict[v][run] = NULL;
	}
}

/* The three sets of a run's verdicts; false: there is no memory. */
static bool take(struct filter_cache *c, int run, const uint8_t *verdict)
{
	uint32_t n = c->snap->n;

	for (int v = 0; v < 3; v++) {
		c->verdict[v][run] = bits_new(n);
		if (!c->verdict[v][run]) {
			forget(c, run);
			return false;
		}
		bits_of_bytes(c->verdict[v][run], verdict, n, (uint8_t)v);
	}
	return true;
}

static enum status judge(struct filter_cache *c, int run, struct err *err)
{
	uint32_t n = c->snap->n;

	if (!c->scratch)
		c->scratch = mem_try((size_t)n + 1);
	if (!c->scratch)
		return eval_no_memory(err, n);
	eval_verdicts(c->snap, &c->lens, run, c->scratch);
	return take(c, run, c->scratch) ? OK : eval_no_memory(err, n);
}

void filter_cache_know(struct filter_cache *c, int run, const uint8_t *verdict)
{
	if (run >= 0 && (uint32_t)run < snapshot_answerers(c->snap) && !c->verdict[0][run])
		take(c, run, verdict);
}

void filter_cache_know_categories(struct filter_cache *c, const uint8_t *category)
{
	if (!c->category && (c->category = mem_try((size_t)c->snap->n + 1)))
		memcpy(c->category, category, c->snap->n);
}

const uint64_t *cache_verdict(struct filter_cache *c, int run, enum verdict which, struct err *err)
{
	if (!c->verdict[which][run] && judge(c, run, err) != OK)
		return NULL;
	return c->verdict[which][run];
}

const uint8_t *cache_categories(struct filter_cache *c, struct err *err)
{
	if (c->category)
		return c->category;
	c->category = mem_try((size_t)c->snap->n + 1);
	if (c->category)
		eval_categories(c->snap, &c->lens, c->category);
	else
		eval_no_memory(err, c->snap->n);
	return c->category;
}

const struct truth *cache_truth(struct filter_cache *c, int layer)
{
	size_t k = layer >= 0 && (uint32_t)layer < c->snap->n_layers ? (size_t)layer + 1 : 0;

	if (!c->has_truth[k])
		truth_init(&c->truth[k], c->snap, layer);
	c->has_truth[k] = true;
	return &c->truth[k];
}

const struct votes *cache_votes(struct filter_cache *c, const int *panel, int n, struct err *err)
{
	struct votes *v = &c->votes;

	if (c->has_votes && v->n_panel == n && memcmp(v->panel, panel, (size_t)n * sizeof *panel) == 0)
		return v;
	votes_release(v);
	c->has_votes = false;
	v->panel = xcalloc((size_t)n + 1, sizeof *v->panel);
	memcpy(v->panel, panel, (size_t)n * sizeof *panel);
	v->n_panel = n;
	if (votes_count(v, c, c->snap, err) != OK)
		return NULL;
	c->has_votes = true;
	return v;
}

const struct difficulty *cache_difficulty(struct filter_cache *c, const int *panel, int n, struct err *err)
{
	struct difficulty *d = &c->difficulty;

	if (c->has_difficulty && d->n_panel == n && memcmp(d->panel, panel, (size_t)n * sizeof *panel) == 0)
		return d;
	difficulty_release(d);
	c->has_difficulty = false;
	d->panel = xcalloc((size_t)n + 1, sizeof *d->panel);
	memcpy(d->panel, panel, (size_t)n * sizeof *panel);
	d->n_panel = n;
	if (difficulty_make(d, c, c->snap, err) != OK)
		return NULL;
	c->has_difficulty = true;
	return d;
}
