/* Truths whose class was made up from a text that means another class now. */
#include "db/relabel.h"

#define NONE UINT32_MAX

struct truths {
	struct relabel *r;
	int64_t id;
	const uint32_t *target; /* [classes]: itself, or what the map says of its name */
	struct csr sets;
	struct column was_ord;
	struct csr was; /* sets as the files had them, where the map has made others of them */
	struct lists now, kept;
	uint64_t changed;
};

/* Whatever has a number, a wnid or a line in a class list is more than its name. */
static bool is_made_up(const struct cls *c)
{
	return !c->declared && c->index < 0 && !c->wnid.n;
}

/* false: every class stays itself. */
static bool find_targets(struct relabel *r, uint32_t *target)
{
	bool any = false;

	for (uint32_t i = 0; i < store_n_classes(&r->names); i++) {
		const struct cls *c = &r->names.classes.v.v[i];
		uint32_t cls = is_made_up(c) ? store_class_mapped(&r->names, c->name) : NONE;

		target[i] = cls == NONE ? i : cls;
		any |= target[i] != i;
	}
	return any;
}

/* --- what is stored --- */

static enum status load(const struct truths *t, const char *name, struct column *out, struct err *err)
{
	struct err why = ERR_INIT;
	enum status st = column_load(t->r->c, OWNER_LAYER, t->id, name, out, &why);

	if (st != OK && st != E_NOT_FOUND)
		*err = why;
	return st == E_NOT_FOUND ? OK : st;
}

static enum status damaged(const struct truths *t, struct err *err)
{
	return err_set(err, E_FORMAT, "%s is damaged: the sets of a layer", conn_path(t->r->c));
}

static enum status load_all(struct truths *t, struct err *err)
{
	uint32_t n = store_n_classes(&t->r->names);

	if (load(t, "offset", &t->sets.off, err) != OK || load(t, "value", &t->sets.val, err) != OK ||
	    load(t, "was_ord", &t->was_ord, err) != OK ||
	    load(t, "was_offset", &t->was.off, err) != OK ||
	    load(t, "was_value", &t->was.val, err) != OK)
		return err->code;
	if (!csr_valid(&t->sets, n) || !csr_valid(&t->was, n) || csr_n(&t->was) != t->was_ord.n)
		return damaged(t, err);
	for (size_t i = 0; i < t->was_ord.n; i++)
		if (column_u(&t->was_ord, i) >= csr_n(&t->sets) ||
		    (i && column_u(&t->was_ord, i) <= column_u(&t->was_ord, i - 1)))
			return damaged(t, err);
	return OK;
}

/* --- what it becomes --- */

static void row_of(const struct csr *sets, size_t row, ordinals *out)
{
	size_t from, n = csr_row(sets, row, &from);

	vec_clear(out);
	for (size_t k = 0; k < n; k++)
		vec_push(out, (uint32_t)column_u(&sets->val, from + k));
}

static void translate(const struct truths *t, const ordinals *own, ordinals *out)
{
	vec_clear(out);
	for (size_t k = 0; k < own->n; k++)
		vec_push(out, t->target[own->v[k]]);
	store_tidy(out, 0);
}

static bool same(const ordinals *a, const ordinals *b)
{
	return a->n == b->n && (!a->n || memcmp(a->v, b->v, a->n * sizeof *a->v) == 0);
}

static void add(struct lists *l, uint32_t ord, const ordinals *row)
{
	const struct view v = {.classes = row->v, .n = row->n};

	store_lists_add(l, ord, &v);
}

static void translate_all(struct truths *t)
{
	ordinals now = {0}, own = {0}, next = {0};
	size_t was = 0;

	for (uint32_t i = 0; i < csr_n(&t->sets); i++) {
		row_of(&t->sets, i, &now);
		if (was < t->was_ord.n && column_u(&t->was_ord, was) == i)
			row_of(&t->was, was++, &own);
		else
			row_of(&t->sets, i, &own);
		translate(t, &own, &next);
		t->changed += !same(&now, &next);
		add(&t->now, i, &next);
		if (!same(&own, &next))
			add(&t->kept, i, &own);
	}
	vec_release(&now);
	vec_release(&own);
	vec_release(&next);
}

/* --- writing --- */

static enum status put(const struct truths *t, const char *name, enum dtype dtype,
		       const ordinals *v, struct err *err)
{
	struct column col;
	enum status st = store_column(&col, dtype, v->n, err);

	if (st != OK)
		return st;
	for (size_t i = 0; i < v->n; i++)
		column_set_u(&col, i, v->v[i]);
	st = column_store(t->r->c, OWNER_LAYER, t->id, name, &col, err);
	column_release(&col);
	return st;
}

static enum status drop(const struct truths *t, const char *name, struct err *err)
{
	sqlite3_stmt *s = stmt_get(t->r->c, STMT_LAYER_COLUMN_DROP, err);

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, t->id);
	stmt_bind_str(s, 2, str_z(name));
	return stmt_run(t->r->c, s, err);
}

static enum status write_kept(const struct truths *t, enum dtype dtype, struct err *err)
{
	static const char *const names[] = {"was_ord", "was_offset", "was_value"};
	const ordinals *parts[] = {&t->kept.ords, &t->kept.offs, &t->kept.vals};
	enum status st = OK;

	for (int i = 0; i < 3 && st == OK; i++)
		st = t->kept.ords.n ? put(t, names[i], i < 2 ? DT_U32 : dtype, parts[i], err)
				    : drop(t, names[i], err);
	return st;
}

static enum status write_all(const struct truths *t, struct err *err)
{
	enum dtype dtype = dtype_for(store_n_classes(&t->r->names));

	if (put(t, "offset", DT_U32, &t->now.offs, err) != OK ||
	    put(t, "value", dtype, &t->now.vals, err) != OK)
		return err->code;
	return write_kept(t, dtype, err);
}

static enum status relabel_layer(struct truths *t, bool any, struct err *err)
{
	enum status st = load_all(t, err);

	if (st != OK || (!any && !t->was_ord.n))
		return st;
	translate_all(t);
	t->r->moves.truths += t->changed;
	return t->changed ? write_all(t, err) : OK;
}

static void truths_release(struct truths *t)
{
	csr_release(&t->sets);
	csr_release(&t->was);
	column_release(&t->was_ord);
	store_lists_release(&t->now);
	store_lists_release(&t->kept);
}

enum status relabel_layers(struct relabel *r, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->c, STMT_LABEL_LAYERS, err);
	uint32_t *target = xcalloc((size_t)store_n_classes(&r->names) + 1, sizeof *target);
	VEC(int64_t) ids = {0};
	enum status st = s ? OK : err->code;
	bool row, any = find_targets(r, target);

	if (s)
		sqlite3_bind_int64(s, 1, r->u->dataset);
	while (st == OK && (st = stmt_step(r->c, s, &row, err)) == OK && row)
		vec_push(&ids, sqlite3_column_int64(s, 0));
	for (size_t i = 0; i < ids.n && st == OK; i++) {
		struct truths t = {.r = r, .id = ids.v[i], .target = target};

		st = relabel_layer(&t, any, err);
		truths_release(&t);
		if (st == OK)
			st = relabel_passed(r, 0, err);
	}
	vec_release(&ids);
	free(target);
	return st;
}
