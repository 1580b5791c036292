/* Class lists and facet values: ordinals from 0 without gaps, parents that lead to a root. */
#include <stdlib.h>

#include "core/base/utf8.h"
#include "db/verify_impl.h"

#define NONE     UINT32_MAX
#define GAPS_MAX 100000

struct tree {
	struct verify *k;
	int64_t owner;
	const char *where, *things; /* "classes" */
	enum stmt_id rows, fix_gap, fix_parent;
	VEC(uint32_t) parents; /* by ordinal */
	struct finding gaps, strange, orphans, loops, texts;
};

static enum status fix(struct tree *t, enum stmt_id id, int64_t ord, struct err *err)
{
	return t->k->repair ? verify_exec2(t->k, id, t->owner, ord, err) : OK;
}

static enum status take_node(struct tree *t, sqlite3_stmt *s, struct err *err)
{
	int64_t ord = sqlite3_column_int64(s, 0), parent = sqlite3_column_int64(s, 1);
	struct str name = stmt_str(s, 2);

	if (utf8_valid_prefix(name) != name.n)
		finding_see(&t->texts, "%lld", (long long)ord);
	if (ord < (int64_t)t->parents.n || ord - (int64_t)t->parents.n > GAPS_MAX) {
		finding_see(&t->strange, "%lld", (long long)ord);
		return OK;
	}
	while ((int64_t)t->parents.n < ord) {
		finding_see(&t->gaps, "%zu", t->parents.n);
		vec_push(&t->parents, NONE);
	}
	if (sqlite3_column_type(s, 1) == SQLITE_NULL)
		parent = NONE;
	else if (parent < 0 || parent >= NONE)
		parent = NONE - 1; /* beyond every list */
	vec_push(&t->parents, (uint32_t)parent);
	(void)err;
	return OK;
}

static enum status fill_gaps(struct tree *t, struct err *err)
{
	sqlite3_stmt *s = stmt_get(t->k->c, t->rows, err);
	VEC(int64_t) gaps = {0};
	int64_t at = 0;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, t->owner);
	while ((st = stmt_step(t->k->c, s, &row, err)) == OK && row) {
		int64_t ord = sqlite3_column_int64(s, 0);

		if (ord < at || ord - at > GAPS_MAX)
			continue;
		for (; at < ord; at++)
			vec_push(&gaps, at);
		at++;
	}
	for (size_t i = 0; i < gaps.n && st == OK; i++)
		st = fix(t, t->fix_gap, gaps.v[i], err);
	vec_release(&gaps);
	return st;
}

static enum status cut(struct tree *t, uint32_t ord, struct finding *f, struct err *err)
{
	finding_see(f, "%u", ord);
	t->parents.v[ord] = NONE;
	return fix(t, t->fix_parent, ord, err);
}

/* Cuts each loop at the node where a walk up comes back to itself. */
static enum status cut_loops(struct tree *t, struct err *err)
{
	uint8_t *state =
	    xcalloc(t->parents.n + 1, 1); /* 1: on the way up just now, 2: leads to a root */
	enum status st = OK;

	for (uint32_t i = 0; i < t->parents.n && st == OK; i++) {
		uint32_t at = i, last = NONE;

		while (at != NONE && !state[at]) {
			state[at] = 1;
			last = at;
			at = t->parents.v[at];
		}
		if (at != NONE && state[at] == 1)
			st = cut(t, last, &t->loops, err);
		for (at = i; at != NONE && state[at] == 1; at = t->parents.v[at])
			state[at] = 2;
	}
	free(state);
	return st;
}

static enum status verify_parents(struct tree *t, struct err *err)
{
	enum status st = OK;

	for (uint32_t i = 0; i < t->parents.n && st == OK; i++)
		if (t->parents.v[i] != NONE && t->parents.v[i] >= t->parents.n)
			st = cut(t, i, &t->orphans, err);
	return st == OK ? cut_loops(t, err) : st;
}

static enum status verify_tree(struct tree *t, uint32_t *n, struct err *err)
{
	sqlite3_stmt *s = stmt_get(t->k->c, t->rows, err);
	enum status st = s ? OK : err->code;
	bool row = false;

	finding_init(&t->gaps, "ordinals without one of the %s", t->things);
	finding_init(&t->strange, "%s with impossible ordinals", t->things);
	finding_init(&t->orphans, "%s below ones that do not exist", t->things);
	finding_init(&t->loops, "%s that are below themselves", t->things);
	finding_init(&t->texts, "names of %s that are no valid UTF-8", t->things);
	if (s)
		sqlite3_bind_int64(s, 1, t->owner);
	while (st == OK && (st = stmt_step(t->k->c, s, &row, err)) == OK && row)
		st = take_node(t, s, err);
	if (st == OK && t->gaps.n && t->k->repair)
		st = fill_gaps(t, err);
	if (st == OK)
		st = verify_parents(t, err);
	finding_end(t->k, &t->gaps, t->where, "(lost ORDINAL) stands there");
	finding_end(t->k, &t->strange, t->where, NULL);
	finding_end(t->k, &t->orphans, t->where, "they stand alone");
	finding_end(t->k, &t->loops, t->where, "the loops are cut");
	finding_end(t->k, &t->texts, t->where, NULL);
	*n = (uint32_t)t->parents.n;
	vec_release(&t->parents);
	return st;
}

enum status verify_values(struct verify *k, int64_t facet, const char *where, uint32_t *n,
			  struct err *err)
{
	struct tree t = {.k = k,
			 .owner = facet,
			 .where = where,
			 .things = "values",
			 .rows = STMT_VERIFY_VALUE_PARENTS,
			 .fix_gap = STMT_FIX_VALUE_GAP,
			 .fix_parent = STMT_FIX_VALUE_PARENT};

	return verify_tree(&t, n, err);
}

/* --- what refers to classes --- */

static enum status verify_refs(struct verify *k, const struct verify_dataset *d, enum stmt_id look,
			       const char *what, const char *words, enum stmt_id repair,
			       struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, look, err);
	struct finding f;
	enum status st = s ? OK : err->code;
	bool row;

	finding_init(&f, "%s", what);
	if (s)
		sqlite3_bind_int64(s, 1, d->id);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row)
		finding_see(&f, "%lld", (long long)sqlite3_column_int64(s, 0));
	if (finding_end(k, &f, d->where, words) && st == OK && k->repair && words)
		st = verify_exec2(k, repair, d->id, 0, err);
	return st;
}

enum status verify_classes(struct verify *k, struct verify_dataset *d, struct err *err)
{
	struct tree t = {.k = k,
			 .owner = d->id,
			 .where = d->where,
			 .things = "classes",
			 .rows = STMT_VERIFY_CLASS_PARENTS,
			 .fix_gap = STMT_FIX_CLASS_GAP,
			 .fix_parent = STMT_FIX_CLASS_PARENT};
	enum status st = verify_tree(&t, &d->n_classes, err);

	if (st == OK)
		st = verify_refs(k, d, STMT_VERIFY_ALIASES,
				 "other names of classes that do not exist", "they are dropped",
				 STMT_FIX_ALIASES, err);
	if (st == OK)
		st = verify_refs(k, d, STMT_VERIFY_PAIRS,
				 "equivalent pairs of classes that do not exist",
				 "they are dropped", STMT_FIX_PAIRS, err);
	if (st == OK)
		st =
		    verify_refs(k, d, STMT_VERIFY_MAPS, "texts that mean classes that do not exist",
				NULL, STMT_VERIFY_MAPS, err);
	return st;
}
