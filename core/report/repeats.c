#include "core/report/repeats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/eval/stats.h"

typedef VEC(struct table_cell) cell_list;

struct fold {
	const struct report_ctx *ctx;
	struct table *t;
	struct repeats *r;
	size_t each;     /* rows of a block */
	cell_list cells; /* the new table's */
	int *block;      /* of the runs that repeat the present one: k blocks */
	uint32_t k;
};

static bool is_same(const struct fold *f, int a, int b)
{
	int run_a = f->ctx->runs[a], run_b = f->ctx->runs[b];

	return f->r->same ? f->r->same(f->r->own, run_a, run_b) : snapshot_is_repeat(f->ctx->snap, run_a, run_b);
}

static void find_repeats(struct fold *f, int first)
{
	f->k = 0;
	for (int b = 0; b < f->ctx->n_runs; b++)
		if (is_same(f, b, first))
			f->block[f->k++] = b;
}

static const struct table_cell *cell_of(const struct fold *f, int block, size_t row, size_t column)
{
	return table_look(f->t, (size_t)block * f->each + row, column);
}

struct mean {
	double mean, half; /* of the interval; NaN: fewer than two numbers */
};

static struct mean mean_of(const struct fold *f, size_t row, size_t column)
{
	double sum = 0, squares = 0, mean;
	unsigned n = 0;

	for (uint32_t i = 0; i < f->k; i++) {
		double v = cell_of(f, f->block[i], row, column)->number;

		if (isnan(v))
			continue;
		sum += v;
		n++;
	}
	if (!n)
		return (struct mean){NAN, NAN};
	mean = sum / n;
	for (uint32_t i = 0; i < f->k; i++) {
		double v = cell_of(f, f->block[i], row, column)->number;

		squares += isnan(v) ? 0 : (v - mean) * (v - mean);
	}
	return (struct mean){mean, n > 1 ? stats_t95(n - 1) * sqrt(squares / (n - 1) / n) : NAN};
}

void repeats_name(const struct report_ctx *ctx, int run, uint32_t k, struct buf *out)
{
	const struct run *r = &ctx->snap->runs[run];

	buf_printf(out, "%s%s%s ×%u", r->model, *r->protocol ? "/" : "", r->protocol, k);
}

/* A row of the first of them, its numbers replaced by the means. No mean is one set of samples. */
static void put_mean(struct fold *f, size_t row)
{
	struct repeats *r = f->r;
	struct mean accuracy = mean_of(f, row, r->accuracy);
	struct buf name = BUF_INIT;

	repeats_name(f->ctx, f->ctx->runs[f->block[0]], f->k, &name);
	for (size_t c = 0; c < f->t->columns.n; c++) {
		struct table_cell cell = *cell_of(f, f->block[0], row, c);

		if (c == r->run || c == r->name)
			cell.text = arena_strdup(&f->t->arena, buf_cstr(&name));
		if (f->t->columns.v[c].kind != TABLE_TEXT) {
			cell = (struct table_cell){.number = mean_of(f, row, c).mean,
						   .why = "a mean over runs that repeat each "
							  "other: no one set of samples"};
			cell.number = c == r->repeats ? f->k : c == r->lo ? accuracy.mean - accuracy.half
					     : c == r->hi ? accuracy.mean + accuracy.half : cell.number;
		}
		vec_push(&f->cells, cell);
	}
	buf_release(&name);
}

static void put_block(struct fold *f, int block)
{
	for (size_t i = 0; i < f->each; i++)
		for (size_t c = 0; c < f->t->columns.n; c++)
			vec_push(&f->cells, *cell_of(f, block, i, c));
}

static void end_block(struct fold *f, int block, bool member)
{
	f->r->of[f->r->n_blocks] = block;
	f->r->member[f->r->n_blocks++] = member;
}

static void put_run(struct fold *f, int b, bool unfold)
{
	find_repeats(f, b);
	if (f->k < 2) {
		put_block(f, b);
		end_block(f, b, false);
		return;
	}
	if (f->block[0] != b) /* with the first of them */
		return;
	for (size_t i = 0; i < f->each; i++)
		put_mean(f, i);
	end_block(f, b, false);
	f->r->n_means++;
	for (uint32_t i = 0; i < f->k && unfold; i++) {
		put_block(f, f->block[i]);
		end_block(f, f->block[i], true);
	}
}

void repeats_fold(const struct report_ctx *ctx, struct table *t, bool unfold, struct repeats *r)
{
	struct fold f = {.ctx = ctx, .t = t, .r = r, .each = ctx->n_runs ? table_rows(t) / (size_t)ctx->n_runs : 0};

	r->n_blocks = 0;
	r->n_means = 0;
	r->member = xcalloc(2 * (size_t)ctx->n_runs + 1, sizeof *r->member);
	r->of = xcalloc(2 * (size_t)ctx->n_runs + 1, sizeof *r->of);
	f.block = xcalloc((size_t)ctx->n_runs + 1, sizeof *f.block);
	for (int b = 0; b < ctx->n_runs; b++)
		put_run(&f, b, unfold);
	vec_clear(&t->cells);
	for (size_t i = 0; i < f.cells.n; i++)
		vec_push(&t->cells, f.cells.v[i]);
	if (r->n_means)
		table_note(t, "×k: mean of k runs that repeat each other (same model, asked in the same "
			      "way), with the 95 %% interval of the mean accuracy (Student's t)");
	vec_release(&f.cells);
	free(f.block);
}

void repeats_release(struct repeats *r)
{
	free(r->member);
	free(r->of);
	*r = (struct repeats){0};
}
