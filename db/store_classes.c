#include <inttypes.h>
#include <stdio.h>

#include "db/store_internal.h"

#define NONE UINT32_MAX

static struct str id_key(struct buf *b, char kind, const void *p, size_t n)
{
	buf_clear(b);
	store_room(b, n + 1);
	buf_ch(b, kind);
	buf_put(b, p, n);
	return buf_view(b);
}

static uint32_t by_id(const struct classes *cl, char kind, const void *p, size_t n)
{
	struct buf key = BUF_INIT;
	uint32_t id = intern_find(&cl->by_id, id_key(&key, kind, p, n));

	buf_release(&key);
	return id == INTERN_NONE ? NONE : cl->id_class.v[id];
}

/* The first class that takes an identity keeps it. */
static void give_id(struct classes *cl, char kind, const void *p, size_t n, uint32_t cls)
{
	struct buf key = BUF_INIT;

	if (intern_add(&cl->by_id, id_key(&key, kind, p, n)) == cl->id_class.n)
		vec_push(&cl->id_class, cls);
	buf_release(&key);
}

uint32_t store_class_by_index(const struct classes *cl, int64_t index)
{
	return by_id(cl, 'i', &index, sizeof index);
}

uint32_t store_class_by_wnid(const struct classes *cl, struct str wnid)
{
	return by_id(cl, 'w', wnid.p, wnid.n);
}

static struct str code_key(struct buf *b, struct str scheme, struct str code)
{
	store_room(b, scheme.n + code.n + 1);
	buf_str(b, scheme);
	buf_ch(b, '\0');
	buf_str(b, code);
	return buf_view(b);
}

uint32_t store_class_by_code(const struct classes *cl, struct str scheme, struct str code)
{
	struct buf b = BUF_INIT;
	struct str key = code_key(&b, scheme, code);
	uint32_t cls = by_id(cl, 'c', key.p, key.n);

	buf_release(&b);
	return cls;
}

/* false: the class bears that name already. */
static bool give_name(struct store *s, uint32_t cls, struct str name)
{
	struct classes *cl = &s->classes;
	uint32_t id = intern_add(&cl->names, store_fold(name, &s->refs.scratch)), *at;

	if (id == cl->name_head.n)
		vec_push(&cl->name_head, NONE);
	at = &cl->name_head.v[id];
	for (; *at != NONE; at = &cl->nodes.v[*at].next)
		if (cl->nodes.v[*at].cls == cls)
			return false;
	*at = (uint32_t)cl->nodes.n;
	vec_push(&cl->nodes, ((struct name_node){cls, NONE}));
	return true;
}

static void give_code(struct classes *cl, uint32_t cls, struct str scheme, struct str code)
{
	struct buf b = BUF_INIT;
	struct str key = code_key(&b, scheme, code);

	intern_add(&cl->schemes, scheme);
	give_id(cl, 'c', key.p, key.n, cls);
	buf_release(&b);
}

static void index_class(struct store *s, uint32_t ord)
{
	struct classes *cl = &s->classes;
	struct cls *c = &cl->v.v[ord];

	if (c->index >= 0)
		give_id(cl, 'i', &c->index, sizeof c->index, ord);
	if (c->index >= cl->next_index)
		cl->next_index = c->index + 1;
	if (c->wnid.n)
		give_id(cl, 'w', c->wnid.p, c->wnid.n, ord);
	give_name(s, ord, c->name);
}

static enum status load_list(struct store *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_CLASS_LIST, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	for (;;) {
		struct cls c = {.parent = NONE, .index = -1};

		if (stmt_step(s->c, st, &row, err) != OK)
			return err->code;
		if (!row)
			return OK;
		if (sqlite3_column_int64(st, 0) != (int64_t)s->classes.v.n)
			return err_set(err, E_FORMAT, "the project's class list has gaps");
		if (sqlite3_column_type(st, 1) != SQLITE_NULL)
			c.index = sqlite3_column_int64(st, 1);
		c.wnid = arena_str(&s->arena, stmt_str(st, 2));
		c.name = arena_str(&s->arena, stmt_str(st, 3));
		if (sqlite3_column_type(st, 4) != SQLITE_NULL)
			c.parent = (uint32_t)sqlite3_column_int64(st, 4);
		c.declared = sqlite3_column_int(st, 5) != 0;
		s->classes.declared |= c.declared;
		vec_push(&s->classes.v, c);
		index_class(s, (uint32_t)(s->classes.v.n - 1));
	}
}

static enum status load_aliases(struct store *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_ALIAS_LIST, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	while (stmt_step(s->c, st, &row, err) == OK) {
		uint32_t cls;

		if (!row)
			return OK;
		cls = (uint32_t)sqlite3_column_int64(st, 0);
		if (cls >= s->classes.v.n)
			continue;
		if (stmt_str(st, 1).n)
			give_code(&s->classes, cls, stmt_str(st, 1), stmt_str(st, 2));
		else
			give_name(s, cls, stmt_str(st, 2));
	}
	return err->code;
}

static enum status load_map(struct store *s, struct err *err)
{
	struct classes *cl = &s->classes;
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_MAP_LIST, err);
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	while (stmt_step(s->c, st, &row, err) == OK) {
		uint32_t cls, id;

		if (!row)
			return OK;
		cls = (uint32_t)sqlite3_column_int64(st, 1);
		if (cls >= cl->v.n)
			continue;
		id = intern_add(&cl->map, store_fold(stmt_str(st, 0), &s->refs.scratch));
		if (id == cl->map_class.n)
			vec_push(&cl->map_class, cls);
	}
	return err->code;
}

enum status store_classes_load(struct store *s, struct err *err)
{
	if (s->classes.loaded)
		return OK;
	s->classes.loaded = true;
	if (store_quiet(s, err) != OK || load_list(s, err) != OK || load_aliases(s, err) != OK)
		return err->code;
	return load_map(s, err);
}

uint32_t store_class_make(struct store *s, int64_t index, struct str wnid, struct str name)
{
	struct cls c = {.index = index, .parent = NONE, .fresh = true};
	uint32_t ord = (uint32_t)s->classes.v.n;

	c.wnid = arena_str(&s->arena, wnid);
	name = str_trim(name);
	if (name.n)
		c.name = arena_str(&s->arena, name);
	else if (wnid.n)
		c.name = c.wnid;
	else
		c.name = str_z(arena_printf(&s->arena, "#%" PRId64, index));
	vec_push(&s->classes.v, c);
	index_class(s, ord);
	s->report->classes++;
	return ord;
}

/* Was the name made up from the index or the wnid because the data had none? */
static bool name_is_blank(const struct cls *c)
{
	char made[32];

	snprintf(made, sizeof made, "#%" PRId64, c->index);
	return (c->index >= 0 && str_eqz(c->name, made)) || (c->wnid.n && str_eq(c->name, c->wnid));
}

static void touch(struct store *s, struct cls *c)
{
	if (!c->fresh && !c->changed)
		s->report->classes_filled++;
	c->changed = true;
}

void store_class_name_blank(struct store *s, uint32_t cls, struct str name)
{
	struct cls *c = &s->classes.v.v[cls];

	name = str_trim(name);
	if (!name.n || !name_is_blank(c) || str_eq(c->name, name))
		return;
	c->name = arena_str(&s->arena, name);
	give_name(s, cls, name);
	touch(s, c);
}

uint32_t store_class_mapped(struct store *s, struct str name)
{
	struct classes *cl = &s->classes;
	uint32_t id = cl->map_class.n ? intern_find(&cl->map, store_fold(name, &s->refs.scratch))
				      : INTERN_NONE;

	return id == INTERN_NONE ? NONE : cl->map_class.v[id];
}

void store_classes_named(struct store *s, struct str name, ordinals *out)
{
	struct classes *cl = &s->classes;
	uint32_t id = intern_find(&cl->names, store_fold(name, &s->refs.scratch));

	if (id == INTERN_NONE)
		return;
	for (uint32_t at = cl->name_head.v[id]; at != NONE; at = cl->nodes.v[at].next)
		vec_push(out, cl->nodes.v[at].cls);
}

void store_classes_by_name(struct store *s, struct str name, ordinals *out)
{
	uint32_t mapped = store_class_mapped(s, name);

	if (mapped != NONE)
		vec_push(out, mapped);
	else
		store_classes_named(s, name, out);
}

enum outcome store_unmapped(struct store *s, struct str name)
{
	uint32_t id;

	if (store_class_mapped(s, name) == NONE)
		return OUTCOME_MISSING;
	id = intern_find(&s->classes.names, store_fold(name, &s->refs.scratch));
	return id == INTERN_NONE ? OUTCOME_OOP : OUTCOME_ANSWERED;
}

/* A list without numbers may hold a name twice, and then holds two classes: the k-th line of a
 * name is the k-th class with that name that no line of this file has taken yet. */
static uint32_t unclaimed_by_name(struct store *s, struct str name)
{
	struct classes *cl = &s->classes;
	struct str folded = store_fold(name, &s->refs.scratch);
	uint32_t id = intern_find(&cl->names, folded), best = NONE;
	struct buf own = BUF_INIT;

	if (id == INTERN_NONE)
		return NONE;
	for (uint32_t at = cl->name_head.v[id]; at != NONE; at = cl->nodes.v[at].next) {
		uint32_t cls = cl->nodes.v[at].cls;

		if (!cl->v.v[cls].claimed && cls < best &&
		    str_eq(store_fold(cl->v.v[cls].name, &own), intern_key(&cl->names, id)))
			best = cls;
	}
	buf_release(&own);
	return best;
}

static uint32_t find_listed(struct store *s, const struct rec_class *rec, bool *clash)
{
	struct classes *cl = &s->classes;
	uint32_t i = rec->index >= 0 ? store_class_by_index(cl, rec->index) : NONE;
	uint32_t w = rec->wnid.n ? store_class_by_wnid(cl, rec->wnid) : NONE;

	*clash = i != NONE && w != NONE && i != w;
	if (i != NONE || w != NONE)
		return i != NONE ? i : w;
	w = unclaimed_by_name(s, rec->name);
	/* A class with a number of its own is another one. */
	if (w != NONE && rec->index >= 0 && cl->v.v[w].index >= 0)
		return NONE;
	if (w != NONE && rec->wnid.n && cl->v.v[w].wnid.n)
		return NONE;
	return w;
}

static void add_alias(struct store *s, uint32_t cls, struct str scheme, struct str text)
{
	text = str_trim(text);
	if (!text.n || text.n > STORE_NAME_MAX)
		return;
	if (!scheme.n) {
		if (!give_name(s, cls, text))
			return;
	} else {
		if (store_class_by_code(&s->classes, scheme, text) != NONE)
			return;
		give_code(&s->classes, cls, scheme, text);
	}
	touch(s, &s->classes.v.v[cls]);
	vec_push(&s->classes.aliases, ((struct alias){cls, arena_str(&s->arena, scheme),
						      arena_str(&s->arena, text)}));
}

static void fill_class(struct store *s, uint32_t ord, const struct rec_class *rec)
{
	struct cls *c = &s->classes.v.v[ord];

	if (rec->wnid.n && !c->wnid.n) {
		c->wnid = arena_str(&s->arena, rec->wnid);
		touch(s, c);
	} else if (rec->wnid.n && !str_eq(c->wnid, rec->wnid)) {
		report_add(s->report, PROBLEM_WARNING, rec->src, "wnid",
			   "class %" PRId64 " has another one already, which is kept", c->index);
	}
	if (c->index < 0 && !rec->group) {
		c->index = rec->index >= 0 ? rec->index : s->classes.next_index;
		touch(s, c);
	}
	if (rec->index >= 0 && c->index != rec->index)
		report_add(s->report, PROBLEM_WARNING, rec->src, "index",
			   "class %.*s has the index %" PRId64 " already, which is kept",
			   STR_ARG(c->wnid), c->index);
	store_class_name_blank(s, ord, rec->name);
	index_class(s, ord);
	if (!c->declared)
		touch(s, c);
	c->declared = true;
	c->claimed = true;
	c->src = rec->src;
	if (rec->parent.n)
		c->parent_text = arena_str(&s->arena, rec->parent);
}

enum status store_class_add(struct store *s, const struct rec_class *rec, struct err *err)
{
	bool clash;
	uint32_t ord;
	struct str name = str_trim(rec->name);

	if (store_classes_load(s, err) != OK)
		return err->code;
	if ((!name.n && !rec->wnid.n && !(rec->index >= 0 && rec->parent.n)) || name.n > STORE_NAME_MAX || rec->wnid.n > STORE_NAME_MAX) {
		report_add(s->report, PROBLEM_SKIPPED, rec->src, "name",
			   "a class needs a name of at most %zu bytes", STORE_NAME_MAX);
		return OK;
	}
	ord = find_listed(s, rec, &clash);
	if (clash) {
		report_add(s->report, PROBLEM_SKIPPED, rec->src, "wnid",
			   "the index and the wnid belong to two different classes");
		return OK;
	}
	if (ord == NONE)
		ord = store_class_make(s, rec->group || rec->index >= 0 ? rec->index
									: s->classes.next_index,
				       rec->wnid, name);
	s->classes.declared = true;
	fill_class(s, ord, rec);
	add_alias(s, ord, STR_NONE, name);
	for (size_t i = 0; i < rec->n_aliases; i++)
		add_alias(s, ord, STR_NONE, rec->aliases[i]);
	for (size_t i = 0; i < rec->n_codes; i++)
		add_alias(s, ord, rec->codes[i][0], rec->codes[i][1]);
	return OK;
}

static bool makes_cycle(const struct classes *cl, uint32_t cls, uint32_t parent)
{
	for (size_t steps = 0; parent != NONE && parent < cl->v.n && steps <= cl->v.n; steps++) {
		if (parent == cls)
			return true;
		parent = cl->v.v[parent].parent;
	}
	return false;
}

static uint32_t find_parent(struct store *s, const struct cls *c)
{
	ordinals found = {0};
	uint32_t parent = store_class_by_wnid(&s->classes, c->parent_text);

	if (parent == NONE) {
		store_classes_by_name(s, c->parent_text, &found);
		if (found.n == 1)
			parent = found.v[0];
	}
	vec_release(&found);
	return parent;
}

void store_classes_parents(struct store *s)
{
	struct classes *cl = &s->classes;

	for (uint32_t i = 0; i < cl->v.n; i++) {
		struct cls *c = &cl->v.v[i];
		uint32_t parent;

		if (!c->parent_text.n)
			continue;
		parent = find_parent(s, c);
		if (parent == NONE || makes_cycle(cl, i, parent)) {
			report_add(s->report, PROBLEM_WARNING, c->src, "parent",
				   "\"%.*s\" is not one class that can stand above this one",
				   (int)c->parent_text.n, c->parent_text.p);
		} else if (c->parent == NONE) {
			c->parent = parent;
			touch(s, c);
		} else if (c->parent != parent) {
			report_add(s->report, PROBLEM_WARNING, c->src, "parent",
				   "the class has another parent already, which is kept");
		}
	}
}

static enum status write_class(struct store *s, uint32_t ord, struct err *err)
{
	const struct cls *c = &s->classes.v.v[ord];
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_CLASS_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	sqlite3_bind_int64(st, 2, ord);
	if (c->index >= 0)
		sqlite3_bind_int64(st, 3, c->index);
	stmt_bind_str(st, 4, c->wnid);
	stmt_bind_str(st, 5, c->name);
	if (c->parent != NONE)
		sqlite3_bind_int64(st, 6, c->parent);
	sqlite3_bind_int(st, 7, c->declared);
	return stmt_run(s->c, st, err);
}

static enum status write_alias(struct store *s, const struct alias *a, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_ALIAS_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	sqlite3_bind_int64(st, 2, a->cls);
	stmt_bind_str(st, 3, a->scheme.n ? a->scheme : STR(""));
	stmt_bind_str(st, 4, a->text);
	return stmt_run(s->c, st, err);
}

enum status store_classes_write(struct store *s, struct err *err)
{
	const struct classes *cl = &s->classes;

	for (uint32_t i = 0; i < cl->v.n; i++) {
		if (!cl->v.v[i].fresh && !cl->v.v[i].changed)
			continue;
		s->changed = true;
		if (write_class(s, i, err) != OK)
			return err->code;
	}
	for (size_t i = 0; i < cl->aliases.n; i++)
		if (write_alias(s, &cl->aliases.v[i], err) != OK)
			return err->code;
	return OK;
}

void store_classes_release(struct classes *cl)
{
	vec_release(&cl->v);
	intern_release(&cl->by_id);
	vec_release(&cl->id_class);
	intern_release(&cl->names);
	vec_release(&cl->name_head);
	vec_release(&cl->nodes);
	intern_release(&cl->schemes);
	vec_release(&cl->aliases);
	intern_release(&cl->map);
	vec_release(&cl->map_class);
}
