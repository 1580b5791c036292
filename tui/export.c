#include "tui/export.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/fields.h"

/* --- what all samples need --- */

static bool has_run(const struct export *x, int run)
{
	for (int i = 0; i < x->n_runs; i++)
		if (x->runs[i].run == run)
			return true;
	return false;
}

static enum status add_run(struct export *x, int run, struct err *err)
{
	struct export_run *r = &x->runs[x->n_runs];

	if (run < 0 || has_run(x, run))
		return OK;
	r->run = run;
	r->verdict = mem_try((size_t)x->snap->n + 1);
	r->texts = xcalloc(EXPORT_BLOCK, sizeof *r->texts);
	x->n_runs++;
	if (!r->verdict)
		return err_set(err, E_MEMORY, "there is no memory for the verdicts of %u samples",
			       x->snap->n);
	eval_verdicts(x->snap, &x->pop->lens, run, r->verdict);
	return OK;
}

static enum status prepare(struct export *x, const struct population *pop, struct err *err)
{
	enum status st = OK;

	*x = (struct export){.pop = pop, .snap = pop->snap, .arena = ARENA_INIT};
	x->rows = xcalloc(EXPORT_BLOCK, sizeof *x->rows);
	x->runs = xcalloc((size_t)pop->snap->n_runs + 3, sizeof *x->runs);
	x->truth = xcalloc((size_t)pop->snap->n_layers + 1, sizeof *x->truth);
	for (uint32_t l = 0; l < pop->snap->n_layers; l++)
		truth_init(&x->truth[l], pop->snap, (int)l);
	for (int p = 0; st == OK && p < pop->n_panel; p++)
		st = add_run(x, pop->panel[p], err);
	if (st == OK)
		st = add_run(x, pop->a, err);
	if (st == OK)
		st = add_run(x, pop->b, err);
	x->category = mem_try((size_t)pop->snap->n + 1);
	if (x->category)
		eval_categories(pop->snap, &pop->lens, x->category);
	else if (st == OK)
		st = err_set(err, E_MEMORY, "there is no memory for the categories of %u samples",
			     pop->snap->n);
	return st;
}

static void release(struct export *x)
{
	for (int i = 0; i < x->n_runs; i++) {
		free(x->runs[i].verdict);
		free(x->runs[i].texts);
	}
	for (uint32_t l = 0; x->truth && l < x->snap->n_layers; l++)
		truth_release(&x->truth[l]);
	free(x->truth);
	free(x->runs);
	free(x->rows);
	free(x->category);
	arena_release(&x->arena);
}

/* --- blocks --- */

/* A run's texts of a block lie close together: run by run, each chunk is read once. */
static enum status fetch_texts(struct export *x, struct export_run *r, uint32_t n, struct err *err)
{
	int64_t id = x->snap->runs[r->run].id;
	enum status st = OK;

	for (uint32_t k = 0; st == OK && k < n; k++) {
		r->texts[k] = STR("");
		if (!bits_get(x->pop->bits, x->from + k))
			continue;
		st = fetch_text(x->pop->conn, id, FIELD_RAW, x->from + k, &r->texts[k], &x->arena, err);
		if (st == OK && !r->texts[k].n)
			st = fetch_text(x->pop->conn, id, FIELD_EXTRACTED, x->from + k, &r->texts[k],
					&x->arena, err);
	}
	return st;
}

static enum status fetch_block(struct export *x, uint32_t from, uint32_t n, bool texts,
			       struct err *err)
{
	enum status st;

	arena_clear(&x->arena);
	x->from = from;
	st = fetch_samples(x->pop->conn, x->snap->dataset_id, from, n, x->rows, &x->arena, err);
	for (int i = 0; st == OK && texts && i < x->n_runs; i++)
		st = fetch_texts(x, &x->runs[i], n, err);
	return st;
}

static void write_block(struct export *x, const struct export_format *format, uint32_t n,
			       struct buf *b, uint32_t *rows)
{
	for (uint32_t k = 0; k < n; k++) {
		if (!bits_get(x->pop->bits, x->from + k))
			continue;
		x->k = k;
		x->ord = x->from + k;
		x->row = &x->rows[k];
		format->sample(x, b);
		++*rows;
	}
}

enum status export_write(const struct population *pop, const struct export_format *format,
			 const struct cancel *cancel, FILE *out, bool tty, uint32_t *n,
			 struct err *err)
{
	uint32_t all = pop->snap->n;
	struct buf b = BUF_INIT;
	struct export x;
	enum status st = prepare(&x, pop, err);

	*n = 0;
	if (st == OK && format->begin) {
		format->begin(&x, &b);
		st = fields_put(&b, out, tty, err);
	}
	for (uint32_t from = 0; st == OK && from < all; from += EXPORT_BLOCK) {
		uint32_t have = all - from < EXPORT_BLOCK ? all - from : EXPORT_BLOCK;

		if (bits_next(pop->bits, all, from) >= from + have)
			continue;
		st = fetch_block(&x, from, have, format->texts, err);
		if (st != OK)
			break;
		write_block(&x, format, have, &b, n);
		st = fields_put(&b, out, tty, err);
		if (st == OK)
			st = cancel_check(cancel, err);
	}
	release(&x);
	buf_release(&b);
	return st;
}
