#include "tui/export.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/fields.h"

#define BLOCK_MIN   256   /* samples */
#define BLOCK_MAX   8192
#define BLOCK_TEXTS 65536 /* texts in one block, about */

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
	r->texts = xcalloc(x->block, sizeof *r->texts);
	x->n_runs++;
	if (!r->verdict)
		return err_set(err, E_MEMORY, "there is no memory for the verdicts of %u samples",
			       x->snap->n);
	eval_verdicts(x->snap, &x->what->lens, run, r->verdict);
	return OK;
}

static enum status fetch_column(struct export *x, int k, struct err *err)
{
	const struct list_column *c = &x->columns.v[k];
	int run = column_run(&x->scene, c);

	scene_need(&x->scene, run);
	if (!column_is_number(c->id) || run < 0)
		return OK;
	x->number[k] = mem_try(((size_t)x->snap->n + 1) * sizeof **x->number);
	if (!x->number[k])
		return err_set(err, E_MEMORY, "there is no memory for the numbers of %u samples",
			       x->snap->n);
	return fetch_numbers(x->what->conn, x->snap->runs[run].id, column_name(c->id), x->snap->n,
			     x->number[k], err);
}

static enum status prepare_columns(struct export *x, struct err *err)
{
	const struct export_what *w = x->what;
	struct scene *s = &x->scene;
	enum status st = OK;

	*s = (struct scene){.snap = snapshot_share(w->snap),
			    .lens = w->lens,
			    .a = w->a,
			    .b = w->b,
			    .run = -1,
			    .n_panel = w->n_panel,
			    .mine = w->mine};
	s->panel = xcalloc((size_t)w->n_panel + 1, sizeof *s->panel);
	if (w->n_panel)
		memcpy(s->panel, w->panel, (size_t)w->n_panel * sizeof *s->panel);
	export_columns_plain(s, w->columns, &x->columns);
	scene_ready(s);
	scene_need_panel(s);
	for (int k = 0; st == OK && k < x->columns.n; k++)
		st = fetch_column(x, k, err);
	return st;
}

/* Rows that are not in order of import lie far apart: the more of them are fetched together, the
 * fewer parts of the file are read again and again. */
static uint32_t block_size(const struct export_what *w)
{
	uint32_t most = BLOCK_TEXTS / (uint32_t)(w->n_panel + 2);

	for (uint32_t i = 1; i < w->n; i++)
		if (w->order[i] < w->order[i - 1])
			return most < BLOCK_MIN ? BLOCK_MIN : most > BLOCK_MAX ? BLOCK_MAX : most;
	return BLOCK_MIN;
}

static enum status prepare(struct export *x, const struct export_what *w,
			   const struct export_format *format, struct err *err)
{
	enum status st = OK;

	*x = (struct export){.what = w, .snap = w->snap, .arena = ARENA_INIT, .block = block_size(w)};
	x->rows = xcalloc(x->block, sizeof *x->rows);
	x->keys = xcalloc(x->block, sizeof *x->keys);
	x->by_ord = xcalloc(x->block, sizeof *x->by_ord);
	x->at = xcalloc(x->block, sizeof *x->at);
	if (w->columns && format->columns)
		return prepare_columns(x, err);
	x->runs = xcalloc((size_t)w->snap->n_runs + 3, sizeof *x->runs);
	x->truth = xcalloc((size_t)w->snap->n_layers + 1, sizeof *x->truth);
	for (uint32_t l = 0; l < w->snap->n_layers; l++)
		truth_init(&x->truth[l], w->snap, (int)l);
	for (int p = 0; st == OK && p < w->n_panel; p++)
		st = add_run(x, w->panel[p], err);
	if (st == OK)
		st = add_run(x, w->a, err);
	if (st == OK)
		st = add_run(x, w->b, err);
	x->category = mem_try((size_t)w->snap->n + 1);
	if (x->category)
		eval_categories(w->snap, &w->lens, x->category);
	else if (st == OK)
		st = err_set(err, E_MEMORY, "there is no memory for the categories of %u samples",
			     w->snap->n);
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
	for (int k = 0; k < COLUMNS_MAX; k++)
		free(x->number[k]);
	scene_release(&x->scene);
	free(x->truth);
	free(x->runs);
	free(x->rows);
	free(x->keys);
	free(x->by_ord);
	free(x->at);
	free(x->category);
	arena_release(&x->arena);
}

/* --- blocks --- */

/* A run's texts of a block lie close together: run by run, each chunk is read once. */
static enum status fetch_answers(struct export *x, struct export_run *r, uint32_t n, struct err *err)
{
	int64_t id = x->snap->runs[r->run].id;
	struct conn *c = x->what->conn;
	uint32_t *ords = arena_alloc(&x->arena, n * sizeof *ords), *at = arena_alloc(&x->arena, n * sizeof *at);
	struct str *texts = arena_alloc(&x->arena, n * sizeof *texts);
	uint32_t left = 0;
	enum status st;

	for (uint32_t j = 0; j < n; j++)
		ords[j] = x->rows[j].ord;
	st = fetch_texts(c, id, FIELD_RAW, ords, n, r->texts, &x->arena, err);
	for (uint32_t j = 0; st == OK && j < n; j++)
		if (!r->texts[j].n) {
			at[left] = j;
			ords[left++] = x->rows[j].ord;
		}
	if (st == OK && left)
		st = fetch_texts(c, id, FIELD_EXTRACTED, ords, left, texts, &x->arena, err);
	for (uint32_t k = 0; st == OK && k < left; k++)
		r->texts[at[k]] = texts[k];
	return st;
}

/* The rows of the block by ordinal, neighbours together. */
static enum status fetch_rows(struct export *x, const uint32_t *ords, uint32_t n, struct err *err)
{
	uint32_t *sorted = arena_alloc(&x->arena, n * sizeof *sorted);

	for (uint32_t k = 0; k < n; k++)
		x->keys[k] = ords[k];
	order_by_keys(x->keys, n, x->by_ord);
	for (uint32_t j = 0; j < n; j++) {
		x->at[x->by_ord[j]] = j;
		sorted[j] = ords[x->by_ord[j]];
	}
	return fetch_sample_list(x->what->conn, x->snap->dataset_id, sorted, n, x->rows, &x->arena, err);
}

static enum status fetch_block(struct export *x, const uint32_t *ords, uint32_t n, bool texts,
			       struct err *err)
{
	enum status st;

	arena_clear(&x->arena);
	st = fetch_rows(x, ords, n, err);
	for (int i = 0; st == OK && texts && i < x->n_runs; i++)
		st = fetch_answers(x, &x->runs[i], n, err);
	return st;
}

static void write_block(struct export *x, const struct export_format *format, const uint32_t *ords,
			uint32_t n, struct buf *b)
{
	for (uint32_t k = 0; k < n; k++) {
		x->k = x->at[k];
		x->ord = ords[k];
		x->row = &x->rows[x->k];
		format->sample(x, b);
	}
}

enum status export_write(const struct export_what *what, const struct export_format *format,
			 const struct cancel *cancel, FILE *out, bool tty, uint32_t *n,
			 struct err *err)
{
	struct buf b = BUF_INIT;
	struct export x;
	enum status st = prepare(&x, what, format, err);

	*n = 0;
	if (st == OK && format->begin) {
		format->begin(&x, &b);
		st = fields_put(&b, out, tty, err);
	}
	while (st == OK && *n < what->n) {
		uint32_t have = what->n - *n < x.block ? what->n - *n : x.block;

		st = cancel_check(cancel, err);
		if (st == OK)
			st = fetch_block(&x, what->order + *n, have, format->texts, err);
		if (st != OK)
			break;
		write_block(&x, format, what->order + *n, have, &b);
		st = fields_put(&b, out, tty, err);
		*n += have;
		if (what->progress)
			what->progress(what->progress_ctx, *n);
	}
	release(&x);
	buf_release(&b);
	return st;
}
