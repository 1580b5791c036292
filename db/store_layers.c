#include "core/base/path.h"
#include "db/store_internal.h"

#define NONE UINT32_MAX

/* tag as in layer_in. */
static struct layer_in *layer_get(struct store *s, struct str name, uint8_t tag)
{
	struct layer_in l = {.tag = tag, .set = DENSE(uint32_t, 0), .src = DENSE(struct src, 0)};

	name = str_trim(name);
	if (!name.n || name.n > STORE_NAME_MAX)
		name = STR("original");
	for (size_t i = 0; i < s->layers.n; i++) {
		struct layer_in *old = &s->layers.v[i];

		if (!str_eq(old->name, name) || (tag && old->tag && tag != old->tag))
			continue;
		old->tag |= tag;
		return old;
	}
	l.name = arena_str(&s->arena, name);
	vec_push(&s->layers, l);
	return &s->layers.v[s->layers.n - 1];
}

static enum status truth_add(struct store *s, uint32_t ord, struct src src,
			     const struct rec_truth *t, bool *changed, struct err *err)
{
	uint8_t tag = t->votes ? SET_VOTES : SET_TRUTH;
	struct layer_in *l = layer_get(s, t->layer, t->n_refs ? tag : 0);
	uint32_t *stands, set = store_set_add(s, tag, t->refs, t->n_refs, t->votes, true);

	if (store_dense_reach(&l->set, ord, store_n_samples(s), err) != OK ||
	    store_dense_reach(&l->src, ord, store_n_samples(s), err) != OK)
		return err->code;
	stands = &dense_at(&l->set, uint32_t, ord);
	if (*stands && store_sets_same(s, *stands - 1, set))
		return OK;
	*changed = true;
	if (*stands) {
		vec_push(&l->late, ((struct late_truth){ord, set, src}));
		return OK;
	}
	*stands = set + 1;
	dense_at(&l->src, struct src, ord) = src;
	return OK;
}

enum status store_truths_add(struct store *s, uint32_t ord, const struct rec_sample *rec,
			     bool *changed, struct err *err)
{
	for (size_t i = 0; i < rec->n_truths; i++)
		if (truth_add(s, ord, rec->src, &rec->truths[i], changed, err) != OK)
			return err->code;
	return OK;
}

/* Rows whose truth names a class that does not exist lose it, with a word. */
static void drop_unknown(struct store *s, struct layer_in *l)
{
	char text[256];

	for (uint32_t i = 0; i < l->set.n; i++) {
		uint32_t set = dense_u32(&l->set, i), unknown;

		if (!set || (unknown = s->refs.set.v[set - 1].unknown) == NONE)
			continue;
		store_ref_text(s, unknown, text, sizeof text);
		report_add(s->report, PROBLEM_SKIPPED, dense_at(&l->src, struct src, i), "label",
			   "the class list has no %s", text);
		dense_at(&l->set, uint32_t, i) = 0;
	}
}

static void settle_late(struct store *s, struct layer_in *l)
{
	for (size_t i = 0; i < l->late.n; i++) {
		const struct late_truth *t = &l->late.v[i];
		uint32_t first = dense_u32(&l->set, t->ord);

		if (!first || !store_sets_equal(s, first - 1, t->set))
			report_add(s->report, PROBLEM_WARNING, t->src, "label",
				   "\"%.*s\" has another truth in this file, which is kept",
				   STR_ARG(intern_key(&s->samples.keys, t->ord)));
	}
}

/* --- a stored layer, and the file's beside it --- */

struct stored {
	int64_t id;
	bool votes;
	struct column covered;
	struct csr sets;
	struct column vote; /* f32, rows of width */
	VEC(uint32_t) field; /* class of each vote column */
};

static void stored_release(struct stored *o)
{
	column_release(&o->covered);
	csr_release(&o->sets);
	column_release(&o->vote);
	vec_release(&o->field);
}

static bool stored_covers(const struct stored *o, uint32_t ord)
{
	return column_u(&o->covered, ord) == 1;
}

static enum status load_fields(struct store *s, struct stored *o, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_LAYER_FIELDS, err);
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, o->id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
		vec_push(&o->field, (uint32_t)sqlite3_column_int64(st, 0));
	if (rc == OK)
		rc = column_load(s->c, OWNER_LAYER, o->id, "votes", &o->vote, err);
	return rc;
}

/* id 0: there is no layer of that name. */
static enum status stored_load(struct store *s, const char *name, struct stored *o, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_LAYER_GET, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	stmt_bind_str(st, 2, str_z(name));
	if (stmt_step(s->c, st, &row, err) != OK)
		return err->code;
	if (row) {
		o->id = sqlite3_column_int64(st, 0);
		o->votes = sqlite3_column_int(st, 1) == 1;
	}
	sqlite3_reset(st);
	if (!o->id)
		return OK;
	if (column_load(s->c, OWNER_LAYER, o->id, "covered", &o->covered, err) != OK ||
	    column_load(s->c, OWNER_LAYER, o->id, "offset", &o->sets.off, err) != OK ||
	    column_load(s->c, OWNER_LAYER, o->id, "value", &o->sets.val, err) != OK)
		return err->code;
	if (!csr_valid(&o->sets, store_n_classes(s)))
		return err_set(err, E_FORMAT, "layer %s is damaged", name);
	return o->votes ? load_fields(s, o, err) : OK;
}

/* The file's votes of a sample for one class; the classes of an ambiguous name all get them. */
static double votes_for(const struct store *s, uint32_t set, uint32_t cls)
{
	const char *refs, *votes;
	size_t n = store_set_refs(s, set, &refs, &votes);
	double sum = 0;

	for (size_t i = 0; votes && i < n; i++) {
		const struct ref *ref;
		uint32_t id;
		double v;

		memcpy(&id, refs + i * sizeof id, sizeof id);
		memcpy(&v, votes + i * sizeof v, sizeof v);
		ref = &s->refs.ref.v[id];
		for (size_t k = 0; k < ref->n; k++)
			if (s->refs.classes.v[ref->from + k] == cls && isfinite(v))
				sum += v;
	}
	return sum;
}

static double stored_votes(const struct stored *o, uint32_t ord, size_t field)
{
	double v = column_f(&o->vote, (size_t)ord * o->field.n + field);

	return isnan(v) ? 0 : v;
}

static bool same_votes(const struct store *s, const struct stored *o, uint32_t ord, uint32_t set)
{
	const struct set *in = &s->refs.set.v[set];
	size_t found = 0;

	for (size_t k = 0; k < o->field.n; k++)
		if ((float)votes_for(s, set, o->field.v[k]) != (float)stored_votes(o, ord, k))
			return false;
	for (size_t i = 0; i < in->n; i++) {
		uint32_t cls = s->refs.classes.v[in->from + i];

		for (size_t k = 0; k < o->field.n; k++)
			found += o->field.v[k] == cls;
		if (votes_for(s, set, cls) == 0)
			found++; /* a class nobody voted for may be missing */
	}
	return found >= in->n;
}

static bool same_truth(const struct store *s, const struct stored *o, uint32_t ord, uint32_t set)
{
	const struct set *in = &s->refs.set.v[set];
	size_t from, n;

	if (o->votes)
		return same_votes(s, o, ord, set);
	n = csr_row(&o->sets, ord, &from);
	if (n != in->n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (column_u(&o->sets.val, from + i) != s->refs.classes.v[in->from + i])
			return false;
	return true;
}

/* What the layer has that both become. */
static bool has_votes(const struct layer_in *l, const struct stored *o)
{
	return l->tag ? l->tag == SET_VOTES : o->votes;
}

/* Can the file's layer go into the stored one? *fresh: truths of samples not covered before. */
static bool agrees(const struct store *s, const struct layer_in *l, const struct stored *o,
		   uint32_t *fresh)
{
	*fresh = 0;
	if (o->id && o->votes != has_votes(l, o))
		return false;
	for (uint32_t i = 0; i < l->set.n; i++) {
		uint32_t set = dense_u32(&l->set, i);

		if (!set)
			continue;
		if (!stored_covers(o, i))
			++*fresh;
		else if (!same_truth(s, o, i, set - 1))
			return false;
	}
	return true;
}

/* --- writing --- */

static enum status put(struct store *s, int64_t id, const char *name, struct column *col,
		       struct err *err)
{
	enum status rc = column_store(s->c, OWNER_LAYER, id, name, col, err);

	column_release(col);
	return rc;
}

/* The stored fields, then the classes that the file adds, in the order of its samples. */
static enum status vote_fields(struct store *s, const struct layer_in *l, struct stored *o,
			       struct err *err)
{
	struct dense place = DENSE(uint32_t, 0);

	if (store_dense_reach(&place, store_n_classes(s), 0, err) != OK)
		return err->code;
	for (size_t k = 0; k < o->field.n; k++)
		dense_at(&place, uint32_t, o->field.v[k]) = 1;
	for (uint32_t i = 0; i < l->set.n; i++) {
		uint32_t set = dense_u32(&l->set, i);
		const struct set *in = set ? &s->refs.set.v[set - 1] : NULL;

		for (size_t k = 0; in && k < in->n; k++) {
			uint32_t cls = s->refs.classes.v[in->from + k];

			if (dense_at(&place, uint32_t, cls))
				continue;
			dense_at(&place, uint32_t, cls) = 1;
			vec_push(&o->field, cls);
		}
	}
	store_dense_release(&place);
	return OK;
}

static enum status write_fields(struct store *s, const struct stored *o, int64_t id,
				struct err *err)
{
	for (size_t k = 0; k < o->field.n; k++) {
		sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_LAYER_FIELD_PUT, err);

		if (!st)
			return err->code;
		sqlite3_bind_int64(st, 1, id);
		sqlite3_bind_int64(st, 2, (int64_t)k);
		sqlite3_bind_int64(st, 3, o->field.v[k]);
		stmt_bind_str(st, 4, s->classes.v.v[o->field.v[k]].name);
		if (stmt_run(s->c, st, err) != OK)
			return err->code;
	}
	return OK;
}

static enum status write_votes(struct store *s, const struct layer_in *l, struct stored *o,
			       int64_t id, struct err *err)
{
	size_t old_width = o->field.n, width, cells, bytes;
	struct column col;

	if (vote_fields(s, l, o, err) != OK)
		return err->code;
	width = o->field.n;
	if (!mem_mul(store_n_samples(s), width, &cells) || !mem_mul(cells, 4, &bytes) ||
	    bytes > (size_t)1 << 30)
		return err_set(err, E_LIMIT, "layer %.*s has votes for too many classes",
			       STR_ARG(l->name));
	if (store_column(&col, DT_F32, cells, err) != OK)
		return err->code;
	for (uint32_t i = 0; i < store_n_samples(s); i++) {
		uint32_t set = dense_u32(&l->set, i);
		bool old = o->id && stored_covers(o, i);

		for (size_t k = 0; k < width && (old || set); k++) {
			double v = 0;

			if (!old)
				v = votes_for(s, set - 1, o->field.v[k]);
			else if (k < old_width)
				v = column_f(&o->vote, (size_t)i * old_width + k);
			column_set_f(&col, (size_t)i * width + k, v);
		}
	}
	if (write_fields(s, o, id, err) != OK) {
		column_release(&col);
		return err->code;
	}
	return put(s, id, "votes", &col, err);
}

struct row {
	const uint32_t *v;
	size_t n;
};

/* Of votes, the classes with the most. */
static struct row most_voted(const struct store *s, uint32_t set, struct row all, ordinals *scratch)
{
	double best = 0;

	vec_clear(scratch);
	for (size_t i = 0; i < all.n; i++) {
		double v = votes_for(s, set, all.v[i]);

		if (v < best || v <= 0)
			continue;
		if (v > best)
			vec_clear(scratch);
		best = v;
		vec_push(scratch, all.v[i]);
	}
	return (struct row){scratch->v, scratch->n};
}

/* What a sample's set is in the layer to be written. */
static struct row row_of(const struct store *s, const struct layer_in *l, const struct stored *o,
			 uint32_t ord, ordinals *scratch)
{
	uint32_t id = dense_u32(&l->set, ord);
	const struct set *set;
	struct row row;
	size_t from, n;

	if (o->id && stored_covers(o, ord)) {
		vec_clear(scratch);
		n = csr_row(&o->sets, ord, &from);
		for (size_t i = 0; i < n; i++)
			vec_push(scratch, (uint32_t)column_u(&o->sets.val, from + i));
		return (struct row){scratch->v, n};
	}
	if (!id)
		return (struct row){NULL, 0};
	set = &s->refs.set.v[id - 1];
	row = (struct row){s->refs.classes.v + set->from, set->n};
	return set->tag == SET_VOTES ? most_voted(s, id - 1, row, scratch) : row;
}

/* covered: u8[n], off: u32[n + 1]; all: what off points into. */
static void lay_sets(const struct store *s, const struct layer_in *l, const struct stored *o,
		     uint8_t *covered, uint32_t *off, ordinals *all)
{
	uint32_t n = store_n_samples(s);
	ordinals scratch = {0};

	for (uint32_t i = 0; i < n; i++) {
		struct row row = row_of(s, l, o, i, &scratch);

		covered[i] = dense_u32(&l->set, i) || (o->id && stored_covers(o, i));
		off[i] = (uint32_t)all->n;
		vec_reserve(all, row.n);
		for (size_t k = 0; k < row.n; k++)
			all->v[all->n++] = row.v[k];
	}
	off[n] = (uint32_t)all->n;
	vec_release(&scratch);
}

static enum status write_sets(struct store *s, const struct layer_in *l, const struct stored *o,
			      int64_t id, struct err *err)
{
	uint32_t n = store_n_samples(s);
	struct column covered = {0}, off = {0}, val = {0};
	ordinals all = {0};
	enum status rc = store_column(&covered, DT_U8, n, err);

	if (rc == OK)
		rc = store_column(&off, DT_U32, (size_t)n + 1, err);
	if (rc != OK)
		goto out;
	lay_sets(s, l, o, covered.data, off.data, &all);
	rc = store_column(&val, dtype_for(store_n_classes(s)), all.n, err);
	if (rc == OK)
		store_column_fill(&val, all.v, all.n);
	if (rc == OK)
		rc = put(s, id, "covered", &covered, err);
	if (rc == OK)
		rc = put(s, id, "offset", &off, err);
	if (rc == OK)
		rc = put(s, id, "value", &val, err);
out:
	vec_release(&all);
	column_release(&covered);
	column_release(&off);
	column_release(&val);
	return rc;
}

static enum status write_row(struct store *s, const struct layer_in *l, const struct stored *o,
			     const char *name, int64_t id, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_LAYER_PUT, err);
	int64_t n = 0;

	if (!st)
		return err->code;
	for (uint32_t i = 0; i < store_n_samples(s); i++)
		n += dense_u32(&l->set, i) || (o->id && stored_covers(o, i));
	sqlite3_bind_int64(st, 1, id);
	sqlite3_bind_int64(st, 2, s->dataset);
	stmt_bind_str(st, 3, str_z(name));
	sqlite3_bind_int(st, 4, has_votes(l, o));
	stmt_bind_str(st, 5, path_base(str_z(s->report->file ? s->report->file : "")));
	sqlite3_bind_int64(st, 6, n);
	return stmt_run(s->c, st, err);
}

static enum status write_into(struct store *s, const struct layer_in *l, struct stored *o,
			      const char *name, struct err *err)
{
	int64_t id = o->id;

	if (!id && store_int(s, STMT_STORE_LAYER_NEXT, 0, &id, err) != OK)
		return err->code;
	s->changed = true;
	if (write_row(s, l, o, name, id, err) != OK || write_sets(s, l, o, id, err) != OK)
		return err->code;
	return has_votes(l, o) ? write_votes(s, l, o, id, err) : OK;
}

static enum status write_layer(struct store *s, struct layer_in *l, struct err *err)
{
	drop_unknown(s, l);
	settle_late(s, l);
	for (int k = 1; k <= STORE_SUFFIX_MAX; k++) {
		const char *name = store_suffixed(&s->arena, l->name, k);
		struct stored o = {0};
		uint32_t fresh = 0;
		enum status rc = stored_load(s, name, &o, err);
		bool done = rc != OK || agrees(s, l, &o, &fresh);

		if (rc == OK && done && fresh)
			rc = write_into(s, l, &o, name, err);
		if (rc == OK && done && fresh && k > 1)
			report_note(s->report, "the truths differ from those in layer %.*s; they are in layer %s",
				    STR_ARG(l->name), name);
		stored_release(&o);
		s->report->truths += done ? fresh : 0;
		if (done)
			return rc;
	}
	return err_set(err, E_LIMIT, "there are %d layers %.*s with different truths already",
		       STORE_SUFFIX_MAX, STR_ARG(l->name));
}

enum status store_layers_write(struct store *s, struct err *err)
{
	for (size_t i = 0; i < s->layers.n; i++)
		if (write_layer(s, &s->layers.v[i], err) != OK)
			return err->code;
	return OK;
}

void store_layers_release(layers_in *layers)
{
	for (size_t i = 0; i < layers->n; i++) {
		store_dense_release(&layers->v[i].set);
		store_dense_release(&layers->v[i].src);
		vec_release(&layers->v[i].late);
	}
	vec_release(layers);
}

/* --- for the self-check --- */

static enum status first_stored(struct store *s, const char **name, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_LAYER_COUNTS, err);
	bool row;

	*name = NULL;
	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	if (stmt_step(s->c, st, &row, err) != OK)
		return err->code;
	if (row)
		*name = arena_strndup(&s->arena, stmt_str(st, 0).p, stmt_str(st, 0).n);
	sqlite3_reset(st);
	return OK;
}

static void own_singles(const struct store *s, const struct layer_in *l, struct check_truths *out)
{
	for (uint32_t i = 0; i < l->set.n && i < out->n; i++) {
		uint32_t set = dense_u32(&l->set, i);

		if (set && s->refs.set.v[set - 1].n == 1)
			out->single[i] = s->refs.classes.v[s->refs.set.v[set - 1].from];
	}
}

static enum status stored_singles(struct store *s, struct check_truths *out, struct err *err)
{
	struct stored o = {0};
	enum status rc = stored_load(s, out->layer, &o, err);
	size_t from;

	for (uint32_t i = 0; rc == OK && i < out->n; i++)
		if (stored_covers(&o, i) && csr_row(&o.sets, i, &from) == 1)
			out->single[i] = (uint32_t)column_u(&o.sets.val, from);
	stored_release(&o);
	return rc;
}

enum status store_truths_single(struct store *s, struct check_truths *out, struct err *err)
{
	enum status rc = OK;

	out->own = s->layers.n > 0;
	out->n = store_n_samples(s);
	out->single = mem_try(((size_t)out->n + 1) * sizeof *out->single);
	if (!out->single)
		return err_set(err, E_MEMORY, "there is no memory for the self-check");
	memset(out->single, 0xff, ((size_t)out->n + 1) * sizeof *out->single);
	if (out->own) {
		out->layer = arena_strndup(&s->arena, s->layers.v[0].name.p, s->layers.v[0].name.n);
		own_singles(s, &s->layers.v[0], out);
		return OK;
	}
	if (s->runs.n)
		rc = first_stored(s, &out->layer, err);
	return rc == OK && out->layer ? stored_singles(s, out, err) : rc;
}
