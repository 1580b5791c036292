/* What the virtual tables stand on: datasets, and columns that come and go. */
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "core/eval/eval.h"
#include "db/fetch.h"
#include "db/snapshot_impl.h"
#include "db/sql_impl.h"

#define MEMORY ((size_t)512 << 20)

/* --- datasets --- */

static enum status read_counts(struct sql *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_SQL_COUNTS, err);
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	rc = stmt_step(s->c, st, &row, err);
	if (rc == OK && row) {
		s->n_runs = sqlite3_column_int64(st, 0);
		s->n_layers = sqlite3_column_int64(st, 1);
	}
	sqlite3_reset(st);
	return rc;
}

static enum status no_dataset(const struct sql *s, const struct dataset_name *names, size_t n,
			      struct err *err)
{
	struct buf list = BUF_INIT;

	for (size_t i = 0; i < n && list.n < 400; i++)
		buf_printf(&list, "%s%.100s", i ? ", " : "", names[i].name);
	err_set(err, E_USAGE, "%s has no dataset \"%.100s\"; it has %s", s->c->path,
		s->options.dataset, n ? buf_cstr(&list) : "none");
	buf_release(&list);
	return err->code;
}

enum status sql_world_open(struct sql *s, struct err *err)
{
	struct dataset_name *names = NULL;
	size_t n = 0;
	enum status st = fetch_datasets(s->c, &names, &n, &s->arena, err);

	if (st == OK)
		st = read_counts(s, err);
	if (st != OK)
		return st;
	s->datasets = arena_zalloc(&s->arena, n ? n : 1, sizeof *s->datasets);
	s->n_datasets = 0;
	for (size_t i = 0; i < n; i++) {
		if (s->options.dataset && strcmp(names[i].name, s->options.dataset) != 0)
			continue;
		if (names[i].id < 0 || names[i].id > INT32_MAX)
			return err_set(err, E_FORMAT,
				       "%s is damaged: dataset %.200s has an impossible number",
				       s->c->path, names[i].name);
		s->datasets[s->n_datasets++] = (struct sql_dataset){
		    .id = names[i].id, .name = names[i].name, .n = names[i].n_samples};
	}
	return s->options.dataset && !s->n_datasets ? no_dataset(s, names, n, err) : OK;
}

enum status sql_frame(struct sql *s, struct sql_dataset *d, struct err *err)
{
	struct loader ld = {s->c, xcalloc(1, sizeof(struct snapshot)), err, NULL};
	enum status st;

	if (d->snap) {
		free(ld.s);
		return OK;
	}
	st = load_frame(&ld, d->id);
	if (st != OK) {
		snapshot_free(ld.s);
		return err_prefix(err, "dataset %.200s", d->name);
	}
	d->snap = ld.s;
	d->n = d->snap->n;
	d->runs = xcalloc((size_t)d->snap->n_runs + 1, sizeof *d->runs);
	d->layers = xcalloc((size_t)d->snap->n_layers + 1, sizeof *d->layers);
	return OK;
}

/* --- pieces --- */

static size_t column_bytes(const struct column *c)
{
	return c->n * dtype_size(c->dtype);
}

static size_t csr_bytes(const struct csr *c)
{
	return column_bytes(&c->off) + column_bytes(&c->val);
}

static void grow(struct sql *s, struct sql_piece *p, size_t bytes)
{
	p->bytes += bytes;
	s->bytes += bytes;
}

static void empty_piece(struct sql *s, struct sql_piece *p)
{
	free(p->verdict);
	for (size_t i = 0; i < p->numbers.n; i++) {
		free(p->numbers.v[i].name);
		column_release(&p->numbers.v[i].col);
	}
	vec_release(&p->numbers);
	for (size_t i = 0; i < p->further.n; i++)
		free(p->further.v[i]);
	vec_release(&p->further);
	truth_release(&p->truth);
	s->bytes -= p->bytes;
	*p = (struct sql_piece){0};
}

static void empty_run(struct sql *s, struct sql_dataset *d, uint32_t r)
{
	struct run *run = &d->snap->runs[r];

	column_release(&run->outcome);
	column_release(&run->label);
	csr_release(&run->labels);
	run->n_predictions = 0;
	empty_piece(s, &d->runs[r]);
}

static void empty_layer(struct sql *s, struct sql_dataset *d, uint32_t l)
{
	struct layer *layer = &d->snap->layers[l];

	empty_piece(s, &d->layers[l]);
	column_release(&layer->covered);
	csr_release(&layer->sets);
	column_release(&layer->votes);
	layer->n_labelled = layer->vote_width = 0;
	layer->vote_class = NULL;
}

struct oldest {
	struct sql_dataset *d;
	uint32_t index;
	bool is_run;
	const struct sql_piece *piece;
};

static void consider(struct oldest *best, struct sql_dataset *d, const struct sql_piece *pieces,
		     uint32_t n, bool is_run)
{
	for (uint32_t i = 0; i < n; i++) {
		const struct sql_piece *p = &pieces[i];

		if (p->loaded && !p->held && (!best->piece || p->used < best->piece->used))
			*best = (struct oldest){d, i, is_run, p};
	}
}

/* Makes room by letting go of what nobody stands in, the longest unused first. */
static void make_room(struct sql *s)
{
	size_t most = s->options.memory ? s->options.memory : MEMORY;

	while (s->bytes > most) {
		struct oldest best = {0};

		for (size_t i = 0; i < s->n_datasets; i++) {
			struct sql_dataset *d = &s->datasets[i];

			if (!d->snap)
				continue;
			consider(&best, d, d->runs, d->snap->n_runs, true);
			consider(&best, d, d->layers, d->snap->n_layers, false);
		}
		if (!best.piece)
			return;
		if (best.is_run)
			empty_run(s, best.d, best.index);
		else
			empty_layer(s, best.d, best.index);
	}
}

static void hold(struct sql *s, struct sql_piece *p)
{
	p->held++;
	p->used = ++s->clock;
	make_room(s);
}

void sql_let_go(struct sql_piece *p)
{
	p->held--;
}

enum status sql_hold_run(struct sql *s, struct sql_dataset *d, uint32_t r, struct err *err)
{
	struct loader ld = {s->c, d->snap, err, NULL};
	struct run *run = &d->snap->runs[r];
	struct sql_piece *p = &d->runs[r];

	if (!p->loaded) {
		if (load_run(&ld, run) != OK) {
			empty_run(s, d, r);
			return err_prefix(err, "run %.200s", run->handle);
		}
		p->loaded = true;
		grow(s, p,
		     column_bytes(&run->outcome) + column_bytes(&run->label) +
			 csr_bytes(&run->labels));
	}
	hold(s, p);
	return OK;
}

enum status sql_hold_layer(struct sql *s, struct sql_dataset *d, uint32_t l, struct err *err)
{
	struct loader ld = {s->c, d->snap, err, NULL};
	struct layer *layer = &d->snap->layers[l];
	struct sql_piece *p = &d->layers[l];

	if (!p->loaded) {
		if (load_layer(&ld, layer) != OK) {
			empty_layer(s, d, l);
			return err_prefix(err, "layer %.200s", layer->name);
		}
		truth_init(&p->truth, d->snap, (int)l);
		p->loaded = true;
		grow(s, p,
		     column_bytes(&layer->covered) + csr_bytes(&layer->sets) +
			 column_bytes(&layer->votes) + (p->truth.own_covered ? d->n : 0) +
			 (p->truth.own_off ? ((size_t)d->n + 1) * 4 : 0) +
			 (p->truth.own_val ? (size_t)p->truth.off[d->n] * 4 : 0));
	}
	hold(s, p);
	return OK;
}

/* --- numbers --- */

enum status sql_number(struct sql *s, struct sql_dataset *d, uint32_t r, const char *name,
		       const struct column **out, struct err *err)
{
	struct sql_piece *p = &d->runs[r];
	struct sql_number fresh = {NULL, {DT_U8, 0, NULL}};
	enum status st;

	for (size_t i = 0; i < p->numbers.n; i++) {
		if (strcmp(p->numbers.v[i].name, name) == 0) {
			*out = &p->numbers.v[i].col;
			return OK;
		}
	}
	st = column_load(s->c, OWNER_RUN, d->snap->runs[r].id, name, &fresh.col, err);
	if (st == E_NOT_FOUND)
		err_clear(err);
	else if (st != OK)
		return st;
	grow(s, p, column_bytes(&fresh.col));
	fresh.name = xstrdup(name);
	vec_push(&p->numbers, fresh);
	*out = &p->numbers.v[p->numbers.n - 1].col;
	make_room(s);
	return OK;
}

/* Columns of runs that are no further numbers. */
static bool has_place(struct str name)
{
	static const char *const own[] = {"outcome", "label",      "score",    "latency",
					  "tokens",  "batch_size", "batch_pos"};

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (str_eqz(name, own[i]))
			return true;
	return str_starts(name, STR("list_")) || str_starts(name, STR("text_"));
}

enum status sql_further(struct sql *s, struct sql_dataset *d, uint32_t r, struct err *err)
{
	struct sql_piece *p = &d->runs[r];
	sqlite3_stmt *st;
	enum status rc;
	bool row;

	if (p->further_known)
		return OK;
	st = stmt_get(s->c, STMT_STORE_RUN_COLUMNS, err);
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, d->snap->runs[r].id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row) {
		struct str name = stmt_str(st, 0);

		if (name.n && !has_place(name))
			vec_push(&p->further, xstrndup(name.p, name.n));
	}
	p->further_known = rc == OK;
	return rc;
}

/* --- judging --- */

enum status sql_lens(struct sql *s, struct sql_dataset *d, struct err *err)
{
	struct buf text = BUF_INIT;

	if (d->has_lens)
		return OK;
	d->lens = lens_preset(d->snap, d->snap->preset);
	if (s->options.lens && lens_parse(&d->lens, d->snap, str_z(s->options.lens), err) != OK)
		return err_prefix(err, "dataset %.200s", d->name);
	lens_format(&d->lens, d->snap, &text);
	d->lens_text = buf_take(&text);
	d->has_lens = true;
	return OK;
}

/* Holds the layers that judging looks at; *held says how many of held[] are to be let go. */
static enum status hold_layers(struct sql *s, struct sql_dataset *d, const int layers[3],
			       struct sql_piece *held[3], int *n_held, struct err *err)
{
	enum status st = OK;

	*n_held = 0;
	for (int i = 0; i < 3 && st == OK; i++) {
		if (layers[i] < 0)
			continue;
		st = sql_hold_layer(s, d, (uint32_t)layers[i], err);
		if (st == OK)
			held[(*n_held)++] = &d->layers[layers[i]];
	}
	return st;
}

enum status sql_verdicts(struct sql *s, struct sql_dataset *d, uint32_t r, const uint8_t **out,
			 struct err *err)
{
	struct sql_piece *p = &d->runs[r], *held[3];
	int n_held = 0;
	enum status st = OK;

	d->judged = true;
	if (!p->verdict) {
		st = sql_lens(s, d, err);
		if (st == OK)
			st = hold_layers(s, d, (int[]){d->lens.layer, d->lens.original, -1}, held,
					 &n_held, err);
		if (st == OK && !(p->verdict = mem_try((size_t)d->n + 1)))
			st = err_set(err, E_MEMORY,
				     "there is no memory for the verdicts of %u samples", d->n);
		if (st == OK) {
			eval_verdicts(d->snap, &d->lens, (int)r, p->verdict);
			grow(s, p, d->n);
		}
		for (int i = 0; i < n_held; i++)
			sql_let_go(held[i]);
	}
	*out = p->verdict;
	return st;
}

enum status sql_categories(struct sql *s, struct sql_dataset *d, const uint8_t **out,
			   struct err *err)
{
	struct sql_piece *held[3];
	int n_held = 0;
	enum status st = OK;

	d->judged = true;
	if (!d->category) {
		st = sql_lens(s, d, err);
		if (st == OK)
			st = hold_layers(s, d,
					 (int[]){d->lens.layer, d->lens.original,
						 eval_category_layer(d->snap, &d->lens)},
					 held, &n_held, err);
		if (st == OK && !(d->category = mem_try((size_t)d->n + 1)))
			st = err_set(err, E_MEMORY,
				     "there is no memory for the categories of %u samples", d->n);
		if (st == OK)
			eval_categories(d->snap, &d->lens, d->category);
		for (int i = 0; i < n_held; i++)
			sql_let_go(held[i]);
	}
	*out = d->category;
	return st;
}

void sql_world_close(struct sql *s)
{
	for (size_t i = 0; i < s->n_datasets; i++) {
		struct sql_dataset *d = &s->datasets[i];

		for (uint32_t r = 0; d->snap && r < d->snap->n_runs; r++)
			empty_run(s, d, r);
		for (uint32_t l = 0; d->snap && l < d->snap->n_layers; l++)
			empty_layer(s, d, l);
		free(d->runs);
		free(d->layers);
		free(d->lens_text);
		free(d->category);
		snapshot_free(d->snap);
	}
	s->datasets = NULL;
	s->n_datasets = 0;
	arena_release(&s->arena);
}
