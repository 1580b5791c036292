#include <math.h>
#include <stdlib.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "db/column.h"
#include "db/conn_impl.h"
#include "db/snapshot_impl.h"

enum status load_damaged(struct loader *ld, const char *what, const char *name, const char *why)
{
	return err_set(ld->err, E_FORMAT, "%s is damaged: %s %.200s %s", ld->c->path, what, name, why);
}

enum status load_rows(struct loader *ld, enum stmt_id id, int64_t key, load_row_fn fn, void *ctx)
{
	sqlite3_stmt *s = stmt_get(ld->c, id, ld->err);
	enum status st;
	bool row;

	if (!s)
		return ld->err->code;
	sqlite3_bind_int64(s, 1, key);
	for (;;) {
		st = stmt_step(ld->c, s, &row, ld->err);
		if (st != OK || !row)
			return st;
		st = fn(ld, s, ctx);
		if (st != OK) {
			sqlite3_reset(s);
			return st;
		}
	}
}

const char *load_text(struct loader *ld, sqlite3_stmt *s, int col)
{
	struct str v = stmt_str(s, col);

	return arena_strndup(&ld->s->arena, v.p ? v.p : "", v.n);
}

uint32_t load_ordinal(sqlite3_stmt *s, int col)
{
	int64_t v = sqlite3_column_int64(s, col);

	if (sqlite3_column_type(s, col) == SQLITE_NULL)
		return UINT32_MAX;
	return v >= 0 && v < UINT32_MAX ? (uint32_t)v : UINT32_MAX - 1; /* beyond every list */
}

bool load_is_forest(const uint32_t *parents, size_t stride, uint32_t n)
{
	uint8_t *state = xcalloc(n ? n : 1, 1); /* 1: on the way up just now, 2: leads to a root */
	bool ok = true;

#define PARENT(i) (*(const uint32_t *)((const char *)parents + (size_t)(i) * stride))
	for (uint32_t i = 0; i < n && ok; i++) {
		uint32_t at = i;

		while (at != UINT32_MAX && at < n && state[at] == 0) {
			state[at] = 1;
			at = PARENT(at);
		}
		ok = at == UINT32_MAX || (at < n && state[at] == 2);
		for (at = i; ok && at != UINT32_MAX && state[at] == 1; at = PARENT(at))
			state[at] = 2;
	}
#undef PARENT
	free(state);
	return ok;
}

/* --- the dataset --- */

struct choice {
	struct str want; /* NULL p: the only one */
	int64_t id;
	size_t n;
	struct buf names;
};

static enum status dataset_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct choice *ch = ctx;
	struct str name = stmt_str(s, 1);

	(void)ld;
	ch->n++;
	if (!ch->want.p || str_eq(ch->want, name))
		ch->id = sqlite3_column_int64(s, 0);
	if (ch->names.n < 400)
		buf_printf(&ch->names, "%s%.100s", ch->names.n ? ", " : "", name.p ? name.p : "");
	return OK;
}

static enum status choose(struct loader *ld, const char *want, int64_t *id)
{
	struct choice ch = {str_z(want), 0, 0, BUF_INIT};
	enum status st = load_rows(ld, STMT_DATASET_LIST, 0, dataset_row, &ch);

	if (st == OK && ch.n == 0)
		st = err_set(ld->err, E_NOT_FOUND, "%s holds no dataset yet; import one", ld->c->path);
	else if (st == OK && !want && ch.n > 1)
		st = err_set(ld->err, E_USAGE, "%s holds several datasets; choose one with --dataset: %s",
			     ld->c->path, buf_cstr(&ch.names));
	else if (st == OK && ch.id == 0)
		st = err_set(ld->err, E_NOT_FOUND, "%s holds no dataset %.200s; there is: %s",
			     ld->c->path, want ? want : "", buf_cstr(&ch.names));
	else if (st == OK && (ch.id < 0 || ch.id > INT32_MAX))
		st = load_damaged(ld, "dataset", buf_cstr(&ch.names), "has an impossible number");
	buf_release(&ch.names);
	*id = ch.id;
	return st;
}

static enum status dataset_fields(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	int64_t n = sqlite3_column_int64(s, 3);

	(void)ctx;
	ld->s->dataset = load_text(ld, s, 0);
	ld->s->preset = load_text(ld, s, 1);
	ld->s->image_root = load_text(ld, s, 2);
	if (n < 0 || n > SAMPLES_MAX)
		return load_damaged(ld, "dataset", ld->s->dataset, "has an impossible size");
	ld->s->n = (uint32_t)n;
	return OK;
}

/* --- classes and pairs --- */

struct class_vec {
	struct class_info *v;
	size_t n, cap;
};
struct u32_vec {
	uint32_t *v;
	size_t n, cap;
};

static enum status class_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct class_vec *v = ctx;
	struct class_info info = {-1, load_text(ld, s, 2), load_text(ld, s, 1), load_ordinal(s, 4)};

	if (load_ordinal(s, 0) != v->n)
		return load_damaged(ld, "class", info.name, "is out of order");
	if (sqlite3_column_type(s, 3) != SQLITE_NULL)
		info.index = sqlite3_column_int64(s, 3);
	vec_push(v, info);
	return OK;
}

static enum status load_classes(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct class_vec v = {0};
	enum status st = load_rows(ld, STMT_CLASS_LIST, sn->dataset_id, class_row, &v);

	if (st == OK && v.n) {
		sn->n_classes = (uint32_t)v.n;
		sn->classes = arena_alloc(&sn->arena, v.n * sizeof *v.v);
		memcpy(sn->classes, v.v, v.n * sizeof *v.v);
		if (!load_is_forest(&sn->classes->parent, sizeof *sn->classes, sn->n_classes))
			st = load_damaged(ld, "the tree of", "classes", "has no root");
	}
	vec_release(&v);
	return st;
}

static enum status pair_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct u32_vec *v = ctx;
	uint32_t a = load_ordinal(s, 0), b = load_ordinal(s, 1);

	if (a >= b || b >= ld->s->n_classes)
		return load_damaged(ld, "a pair of", "equivalent classes", "names no two classes");
	vec_push(v, a);
	vec_push(v, b);
	return OK;
}

static enum status load_pairs(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct u32_vec v = {0};
	enum status st = load_rows(ld, STMT_PAIR_LIST, sn->dataset_id, pair_row, &v);

	if (st == OK && v.n) {
		uint32_t(*pairs)[2] = arena_alloc(&sn->arena, v.n * sizeof *v.v);

		memcpy(pairs, v.v, v.n * sizeof *v.v);
		sn->pairs = (const uint32_t(*)[2])pairs;
		sn->n_pairs = (uint32_t)(v.n / 2);
	}
	vec_release(&v);
	return st;
}

/* --- figures of people and papers --- */

struct reference_vec {
	struct reference *v;
	size_t n, cap;
};

static enum status reference_row(struct loader *ld, sqlite3_stmt *s, void *ctx)
{
	struct reference_vec *v = ctx;
	struct reference r = {load_text(ld, s, 0), load_text(ld, s, 1), load_text(ld, s, 2),
			      sqlite3_column_double(s, 3), load_text(ld, s, 4)};

	if (!isfinite(r.value))
		return load_damaged(ld, "a figure of", r.name, "is no number");
	vec_push(v, r);
	return OK;
}

static enum status load_references(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	struct reference_vec v = {0};
	enum status st = load_rows(ld, STMT_REFERENCE_LIST, sn->dataset_id, reference_row, &v);

	if (st == OK && v.n) {
		struct reference *all = arena_alloc(&sn->arena, v.n * sizeof *v.v);

		memcpy(all, v.v, v.n * sizeof *v.v);
		sn->references = all;
		sn->n_references = (uint32_t)v.n;
	}
	vec_release(&v);
	return st;
}

/* --- the whole --- */

static enum status load_media(struct loader *ld)
{
	struct snapshot *sn = ld->s;
	enum status st = load_column(ld, OWNER_DATASET, sn->dataset_id, "media", sn->n, &sn->media);
	uint8_t *v = sn->media.data;

	if (st == OK && sn->media.n && sn->media.dtype != DT_U8)
		return load_damaged(ld, "column", "media", "is of the wrong type");
	for (size_t i = 0; st == OK && i < sn->media.n; i++)
		if (v[i] > MEDIA_VIDEO)
			v[i] = MEDIA_NONE;
	return st;
}

enum status load_frame(struct loader *ld, int64_t dataset)
{
	static enum status (*const steps[])(struct loader *) = {
	    load_classes, load_pairs, load_layer_rows, load_run_rows,
	};
	enum status st;

	ld->s->dataset_id = dataset;
	ld->s->dataset = ld->s->preset = ld->s->image_root = "";
	st = load_rows(ld, STMT_DATASET_GET, dataset, dataset_fields, NULL);
	for (size_t i = 0; st == OK && i < sizeof steps / sizeof *steps; i++)
		st = steps[i](ld);
	return st;
}

static enum status load_all(struct loader *ld, const char *dataset)
{
	static enum status (*const steps[])(struct loader *) = {
	    load_classes, load_pairs, load_references, load_media, load_layers, load_facets, load_runs,
	};
	struct snapshot *sn = ld->s;
	enum status st = choose(ld, dataset, &sn->dataset_id);

	if (st == OK)
		st = conn_generation(ld->c, &sn->generation, ld->err);
	if (st == OK)
		st = load_rows(ld, STMT_DATASET_GET, sn->dataset_id, dataset_fields, NULL);
	for (size_t i = 0; st == OK && i < sizeof steps / sizeof *steps; i++) {
		st = steps[i](ld);
		if (st == OK)
			st = cancel_check(ld->c->cancel, ld->err);
	}
	return st;
}

enum status snapshot_load_part(struct conn *c, const char *dataset,
			       const struct snapshot_part *part, struct snapshot **out,
			       struct err *err)
{
	struct loader ld = {c, xcalloc(1, sizeof(struct snapshot)), err, part};
	bool began;
	enum status st = read_begin(c, &began, err);

	if (st == OK) {
		ld.s->dataset = ld.s->preset = ld.s->image_root = "";
		st = load_all(&ld, dataset);
		read_end(c, began);
	}
	if (st == OK)
		*out = ld.s;
	else
		snapshot_free(ld.s);
	return st;
}

enum status snapshot_load(struct conn *c, const char *dataset, struct snapshot **out,
			  struct err *err)
{
	return snapshot_load_part(c, dataset, NULL, out, err);
}

/* As the part is, with all its runs to be loaded, and not a column of its own yet. */
static struct snapshot *grown_from(struct snapshot *part)
{
	struct snapshot *s = xcalloc(1, sizeof *s);
	uint32_t n = snapshot_answerers(part);

	s->generation = part->generation;
	s->dataset_id = part->dataset_id;
	s->dataset = part->dataset;
	s->preset = part->preset;
	s->image_root = part->image_root;
	s->n = part->n;
	s->n_classes = part->n_classes;
	s->n_layers = part->n_layers;
	s->n_facets = part->n_facets;
	s->n_runs = part->n_runs;
	s->n_layer_runs = part->n_layer_runs;
	s->n_pairs = part->n_pairs;
	s->classes = part->classes;
	s->pairs = part->pairs;
	s->n_references = part->n_references;
	s->references = part->references;
	s->layers = part->layers;
	s->facets = part->facets;
	s->media = part->media;
	s->runs = arena_zalloc(&s->arena, (size_t)n + 1, sizeof *s->runs);
	memcpy(s->runs, part->runs, n * sizeof *s->runs);
	for (uint32_t r = 0; r < n; r++)
		s->runs[r].later = false;
	s->part = snapshot_share(part);
	return s;
}

enum status snapshot_load_rest(struct conn *c, struct snapshot *part, struct snapshot **out,
			       struct err *err)
{
	struct loader ld = {c, NULL, err, NULL};
	int64_t generation;
	bool began;
	enum status st = read_begin(c, &began, err);

	if (st != OK)
		return st;
	st = conn_generation(c, &generation, err);
	if (st == OK && generation == part->generation) {
		ld.s = grown_from(part);
		st = load_run_columns(&ld);
	} else if (st == OK) {
		st = snapshot_load(c, part->dataset, &ld.s, err);
	}
	read_end(c, began);
	if (st == OK)
		*out = ld.s;
	else
		snapshot_free(ld.s);
	return st;
}
