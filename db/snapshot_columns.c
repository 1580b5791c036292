/* Layers, facets and runs: the packed part of a snapshot. */
#include <stdlib.h>

#include "core/base/vec.h"
#include "db/conn_impl.h"
#include "db/snapshot_impl.h"

struct name_vec {
	const char **v;
	size_t n, cap;
};
struct u32_vec {
	uint32_t *v;
	size_t n, cap;
};

static enum status bad_column(struct loader *ld, const char *name, const char *why)
{
	return load_damaged(ld, "column", name, why);
}

enum status load_column(struct loader *ld, enum owner_kind kind, int64_t owner, const char *name,
			size_t max, struct column *out)
{
	enum status st = column_load(ld->c, kind, owner, name, out, ld->err);

	if (st == E_NOT_FOUND) {
		err_clear(ld->err);
		return OK;
	}
	if (st == OK && out->n > max)
		return bad_column(ld, name, "is longer than it may be");
	return st;
}

enum status load_csr(struct loader *ld, enum owner_kind kind, int64_t owner, size_t max_rows,
		     uint64_t limit, struct csr *out)
{
	enum status st = load_column(ld, kind, owner, "offset", max_rows + 1, &out->off);

	if (st == OK)
		st = load_column(ld, kind, owner, "value", SIZE_MAX, &out->val);
	if (st == OK && !csr_valid(out, limit))
		st = bad_column(ld, "offset or value", "does not fit its list");
	return st;
}

#define ANY_BEYOND(T, MAX)                                                                         \
	do {                                                                                       \
		const T *v = col->data;                                                            \
		for (size_t i = 0; i < col->n; i++)                                                \
			bad |= (v[i] >= limit) & (v[i] != (MAX));                                  \
	} while (0)

/* Is every element below limit, or none? */
static bool below(const struct column *col, uint64_t limit)
{
	bool bad = false;

	switch (col->dtype) {
	case DT_U8:
		ANY_BEYOND(uint8_t, UINT8_MAX);
		return !bad;
	case DT_U16:
		ANY_BEYOND(uint16_t, UINT16_MAX);
		return !bad;
	case DT_U32:
		ANY_BEYOND(uint32_t, UINT32_MAX);
		return !bad;
	case DT_U64:
		ANY_BEYOND(uint64_t, UINT64_MAX);
		return !bad;
	default:
		return false;
	}
}

static int64_t row_id(sqlite3_stmt *s)
{
	return sqlite3_column_int64(s, 0);
}

/* --- layers --- */

struct layer_vec {
	struct layer *v;
	size_t n, cap;
};

static enum status layer_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct layer_vec *v = ctx;
	struct layer layer = {.id = row_id(s), .name = load_text(ld, s, 1)};

	vec_push(v, layer);
	return OK;
}

static enum status field_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct u32_vec *v = ctx;
	uint32_t class = load_ordinal(s, 1);

	if (load_ordinal(s, 0) != v->n)
		return load_damaged(ld, "a layer's field", "", "is out of order");
	if (class != UINT32_MAX && class >= ld->s->n_classes)
		return load_damaged(ld, "a layer's field", "", "names no class");
	vec_push(v, class);
	return OK;
}

static enum status load_votes(struct loader *ld, struct layer *layer)
{
	struct snapshot *sn = ld->s;
	struct u32_vec fields = {0};
	uint32_t *copy;
	enum status st = load_rows(ld, STMT_LAYER_FIELD_LIST, layer->id, field_row, &fields);

	if (st == OK && fields.n)
		st = load_column(ld, OWNER_LAYER, layer->id, "votes", sn->n * fields.n, &layer->votes);
	if (st == OK && layer->votes.n) {
		if (layer->votes.dtype != DT_F32 || layer->votes.n % fields.n != 0)
			st = bad_column(ld, "votes", "does not fit the layer's fields");
		layer->vote_width = (uint32_t)fields.n;
		copy = arena_alloc(&sn->arena, fields.n * sizeof *copy);
		memcpy(copy, fields.v, fields.n * sizeof *copy);
		layer->vote_class = copy;
	}
	vec_release(&fields);
	return st;
}

enum status load_layer(struct loader *ld, struct layer *layer)
{
	uint32_t n = ld->s->n;
	uint8_t *covered;
	enum status st = load_column(ld, OWNER_LAYER, layer->id, "covered", n, &layer->covered);

	if (st == OK && layer->covered.n && layer->covered.dtype != DT_U8)
		st = bad_column(ld, "covered", "is of the wrong type");
	if (st == OK)
		st = load_csr(ld, OWNER_LAYER, layer->id, n, ld->s->n_classes, &layer->sets);
	if (st == OK)
		st = load_votes(ld, layer);
	covered = layer->covered.data;
	for (size_t i = 0; st == OK && i < layer->covered.n; i++) {
		covered[i] = covered[i] == 1;
		layer->n_labelled += covered[i];
	}
	return st;
}

enum status load_layer_rows(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct layer_vec v = {0};
	enum status st = load_rows(ld, STMT_LAYER_LIST, sn->dataset_id, layer_row, &v);

	if (st == OK && v.n) {
		sn->layers = arena_alloc(&sn->arena, v.n * sizeof *v.v);
		memcpy(sn->layers, v.v, v.n * sizeof *v.v);
		sn->n_layers = (uint32_t)v.n;
	}
	vec_release(&v);
	return st;
}

enum status load_layers(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	enum status st = load_layer_rows(ld);

	for (uint32_t i = 0; st == OK && i < sn->n_layers; i++) {
		st = load_layer(ld, &sn->layers[i]);
		if (st != OK)
			err_prefix(ld->err, "layer %.200s", sn->layers[i].name);
	}
	return st;
}

/* --- facets --- */

struct facet_vec {
	struct facet *v;
	size_t n, cap;
};

static enum status facet_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct facet_vec *v = ctx;
	struct facet facet = {.id = row_id(s),
			      .name = load_text(ld, s, 1),
			      .numeric = sqlite3_column_int64(s, 2) != 0,
			      .multi = sqlite3_column_int64(s, 3) != 0};

	vec_push(v, facet);
	return OK;
}

struct value_list {
	struct name_vec names;
	struct u32_vec parents;
};

static enum status value_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct value_list *v = ctx;

	if (load_ordinal(s, 0) != v->names.n)
		return load_damaged(ld, "a facet's", "value", "is out of order");
	vec_push(&v->names, load_text(ld, s, 1));
	vec_push(&v->parents, load_ordinal(s, 2));
	return OK;
}

static enum status load_values(struct loader *ld, struct facet *f)
{
	struct value_list v = {0};
	uint32_t *parents;
	enum status st = load_rows(ld, STMT_FACET_VALUE_LIST, f->id, value_row, &v);

	if (st == OK && v.names.n) {
		f->n_values = (uint32_t)v.names.n;
		f->values = arena_alloc(&ld->s->arena, v.names.n * sizeof *v.names.v);
		memcpy(f->values, v.names.v, v.names.n * sizeof *v.names.v);
		parents = arena_alloc(&ld->s->arena, v.parents.n * sizeof *parents);
		memcpy(parents, v.parents.v, v.parents.n * sizeof *parents);
		f->parents = parents;
		if (!load_is_forest(parents, sizeof *parents, f->n_values))
			st = load_damaged(ld, "the tree of", "values", "has no root");
	}
	vec_release(&v.names);
	vec_release(&v.parents);
	return st;
}

static enum status load_facet(struct loader *ld, struct facet *f)
{
	uint32_t n = ld->s->n;
	enum status st;

	if (f->numeric) {
		st = load_column(ld, OWNER_FACET, f->id, "number", n, &f->number);
		if (st == OK && f->number.n && f->number.dtype != DT_F64)
			st = bad_column(ld, "number", "is of the wrong type");
		return st;
	}
	st = load_values(ld, f);
	if (st == OK && f->multi)
		return load_csr(ld, OWNER_FACET, f->id, n, f->n_values, &f->sets);
	if (st == OK)
		st = load_column(ld, OWNER_FACET, f->id, "value", n, &f->value);
	if (st == OK && !below(&f->value, f->n_values))
		st = bad_column(ld, "value", "holds what is no value");
	return st;
}

enum status load_facets(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct facet_vec v = {0};
	enum status st = load_rows(ld, STMT_FACET_LIST, sn->dataset_id, facet_row, &v);

	if (st == OK && v.n) {
		sn->facets = arena_alloc(&sn->arena, v.n * sizeof *v.v);
		memcpy(sn->facets, v.v, v.n * sizeof *v.v);
		sn->n_facets = (uint32_t)v.n;
	}
	vec_release(&v);
	for (uint32_t i = 0; st == OK && i < sn->n_facets; i++) {
		st = load_facet(ld, &sn->facets[i]);
		if (st != OK)
			err_prefix(ld->err, "facet %.200s", sn->facets[i].name);
	}
	return st;
}

/* --- runs --- */

struct run_vec {
	struct run *v;
	size_t n, cap;
};

/* What the repeats of a run share (struct run); `first`: the id of the first one. */
static uint32_t repeats_of(const struct run_vec *v, int64_t id, int64_t first)
{
	if (first == id)
		return (uint32_t)v->n + 1;
	for (size_t r = 0; r < v->n; r++)
		if (v->v[r].id == first)
			return v->v[r].repeats;
	return 0;
}

static enum status run_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct run_vec *v = ctx;
	int64_t rule = sqlite3_column_int64(s, 5);
	struct run run = {.id = row_id(s),
			  .handle = load_text(ld, s, 1),
			  .title = load_text(ld, s, 2),
			  .model = load_text(ld, s, 3),
			  .protocol = load_text(ld, s, 4),
			  .open_world = sqlite3_column_int64(s, 6) != 0,
			  .scratch = sqlite3_column_int64(s, 7) != 0,
			  .prompt = load_text(ld, s, 8),
			  .response_format = load_text(ld, s, 9),
			  .encoder = load_text(ld, s, 10),
			  .settings = load_text(ld, s, 12),
			  .repeats = repeats_of(v, row_id(s), sqlite3_column_int64(s, 11))};

	if (rule < 0 || rule >= N_LIST_RULES)
		return load_damaged(ld, "run", run.handle, "has an unknown rule for lists");
	run.list_rule = (enum list_rule)rule;
	vec_push(v, run);
	return OK;
}

static enum status load_outcomes(struct loader *ld, struct run *run)
{
	enum status st = load_column(ld, OWNER_RUN, run->id, "outcome", ld->s->n, &run->outcome);
	uint8_t *v = run->outcome.data;
	bool bad = false;

	if (st != OK || run->outcome.n == 0)
		return st;
	if (run->outcome.dtype != DT_U8)
		return bad_column(ld, "outcome", "is of the wrong type");
	for (size_t i = 0; i < run->outcome.n; i++) {
		v[i] = v[i] == UINT8_MAX ? OUTCOME_MISSING : v[i];
		bad |= v[i] >= N_OUTCOMES;
		run->n_predictions += v[i] != OUTCOME_MISSING;
	}
	return bad ? bad_column(ld, "outcome", "holds an unknown outcome") : OK;
}

/* Turns the list of rows with several classes into one row per sample; rows after the last are
 * empty by not being there. */
static enum status spread(struct loader *ld, struct run *run, const struct column *ord,
			  const struct csr *list)
{
	const uint32_t *from = list->off.data, *at = ord->data;
	size_t rows, k = 0;
	uint32_t *off;

	if (ord->dtype != DT_U32 || ord->n != csr_n(list))
		return bad_column(ld, "list_ord", "does not fit its list");
	for (size_t i = 0; i < ord->n; i++)
		if (at[i] >= run->outcome.n || (i && at[i] <= at[i - 1]))
			return bad_column(ld, "list_ord", "is out of order");
	rows = (size_t)at[ord->n - 1] + 1;
	run->labels.off = column_new(DT_U32, rows + 1);
	if (!run->labels.off.data)
		return err_set(ld->err, E_MEMORY, "%s: there is not enough memory", ld->c->path);
	off = run->labels.off.data;
	for (size_t i = 0; i <= rows; i++) {
		off[i] = from[k];
		if (k < ord->n && at[k] == i)
			k++;
	}
	return OK;
}

static enum status load_lists(struct loader *ld, struct run *run)
{
	struct column ord = {DT_U8, 0, NULL};
	struct csr list = {{DT_U8, 0, NULL}, {DT_U8, 0, NULL}};
	size_t n = ld->s->n;
	enum status st = load_column(ld, OWNER_RUN, run->id, "list_ord", n, &ord);

	if (st == OK && ord.n)
		st = load_column(ld, OWNER_RUN, run->id, "list_offset", n + 1, &list.off);
	if (st == OK && ord.n)
		st = load_column(ld, OWNER_RUN, run->id, "list_value", SIZE_MAX, &list.val);
	if (st == OK && !csr_valid(&list, ld->s->n_classes))
		st = bad_column(ld, "list_value", "does not fit its list");
	if (st == OK && ord.n)
		st = spread(ld, run, &ord, &list);
	if (st == OK && ord.n) {
		run->labels.val = list.val;
		list.val = (struct column){DT_U8, 0, NULL};
	}
	column_release(&ord);
	csr_release(&list);
	return st;
}

enum status load_run(struct loader *ld, struct run *run)
{
	enum status st = load_outcomes(ld, run);

	if (st == OK)
		st = load_column(ld, OWNER_RUN, run->id, "label", run->outcome.n, &run->label);
	if (st == OK && !below(&run->label, ld->s->n_classes))
		st = bad_column(ld, "label", "holds what is no class");
	return st == OK ? load_lists(ld, run) : st;
}

/* Marks the runs that the part leaves for later. */
static void leave_runs(struct loader *ld)
{
	const struct snapshot_part *part = ld->part;
	struct snapshot *sn = ld->s;
	bool *want;

	if (!part || (uint64_t)sn->n * snapshot_answerers(sn) <= part->at_once)
		return;
	want = xcalloc((size_t)snapshot_answerers(sn) + 1, sizeof *want);
	part->pick(part->ctx, sn, want);
	for (uint32_t r = 0; r < snapshot_answerers(sn); r++) {
		sn->runs[r].later = !want[r];
		sn->partial |= !want[r];
	}
	free(want);
}

/* *out: the largest batch of a run's requests, 0 where it is not told. The last ones may be smaller. */
static enum status batch_of(struct loader *ld, const struct run *run, uint64_t *out)
{
	struct column c = {DT_U8, 0, NULL};
	enum status st = load_column(ld, OWNER_RUN, run->id, "batch_size", ld->s->n, &c);

	*out = 0;
	for (size_t i = 0; i < c.n && st == OK; i++) {
		uint64_t v = column_u(&c, i);

		*out = v != COLUMN_NONE && v > *out ? v : *out;
	}
	column_release(&c);
	return st;
}

/* Runs that differ in nothing but the size of their batches do not repeat each other. */
static enum status part_by_batch(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	uint64_t *batch = xcalloc((size_t)sn->n_runs + 1, sizeof *batch);
	uint32_t *first = xcalloc((size_t)sn->n_runs + 1, sizeof *first);
	enum status st = OK;

	for (uint32_t r = 0; r < sn->n_runs && st == OK; r++)
		if (snapshot_n_repeats(sn, (int)r) > 1)
			st = batch_of(ld, &sn->runs[r], &batch[r]);
	for (uint32_t r = 0; r < sn->n_runs; r++)
		for (first[r] = 0; first[r] < r; first[r]++)
			if (snapshot_is_repeat(sn, (int)r, (int)first[r]) && batch[r] == batch[first[r]])
				break;
	for (uint32_t r = 0; r < sn->n_runs; r++)
		sn->runs[r].repeats = sn->runs[r].repeats ? first[r] + 1 : 0;
	free(batch);
	free(first);
	return st;
}

enum status load_run_rows(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct run_vec v = {0};
	enum status st = load_rows(ld, STMT_RUN_LIST, sn->dataset_id, run_row, &v);

	if (st == OK) {
		sn->runs = arena_zalloc(&sn->arena, v.n + sn->n_layers + 1, sizeof *v.v);
		if (v.n)
			memcpy(sn->runs, v.v, v.n * sizeof *v.v);
		sn->n_runs = (uint32_t)v.n;
		st = part_by_batch(ld);
	}
	vec_release(&v);
	return st;
}

/* Ids below 0: the project has no such rows. */
static void add_layer_runs(struct snapshot *sn)
{
	for (uint32_t l = 0; l < sn->n_layers; l++)
		sn->runs[sn->n_runs + l] = (struct run){
		    .id = -1 - (int64_t)l,
		    .handle = arena_printf(&sn->arena, "layer:%s", sn->layers[l].name),
		    .title = sn->layers[l].name,
		    .model = "layer",
		    .protocol = "",
		    .prompt = "",
		    .response_format = "",
		    .encoder = "",
		    .list_rule = LIST_ANY_HIT,
		};
	sn->n_layer_runs = sn->n_layers;
}

enum status load_runs(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	enum status st = load_run_rows(ld);

	if (st != OK)
		return st;
	add_layer_runs(sn);
	leave_runs(ld);
	return load_run_columns(ld);
}

enum status load_run_columns(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	enum status st = OK;

	for (uint32_t i = 0; st == OK && i < sn->n_runs; i++) {
		if (sn->runs[i].later || sn->runs[i].outcome.data)
			continue;
		st = load_run(ld, &sn->runs[i]);
		if (st != OK)
			err_prefix(ld->err, "run %.200s", sn->runs[i].handle);
		else
			st = cancel_check(ld->c->cancel, ld->err);
	}
	if (st == OK)
		snapshot_fill_layer_runs(sn);
	return st;
}
