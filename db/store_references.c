#include <math.h>

#include "core/base/path.h"
#include "db/store_internal.h"

#define REFERENCES_MAX 100000 /* of one file */

enum status store_reference_add(struct store *s, const struct rec_reference *rec, struct err *err)
{
	struct rec_reference copy = *rec;

	if (s->references.n >= REFERENCES_MAX)
		return err_set(err, E_LIMIT, "more than %d figures in one file", REFERENCES_MAX);
	if (!rec->name.n || !rec->metric.n || !isfinite(rec->value) || rec->name.n > STORE_NAME_MAX ||
	    rec->group.n > STORE_NAME_MAX || rec->metric.n > STORE_NAME_MAX) {
		report_add(s->report, PROBLEM_SKIPPED, rec->src, "name",
			   "a figure needs a name of at most %zu bytes, and a number", STORE_NAME_MAX);
		return OK;
	}
	copy.name = arena_str(&s->arena, rec->name);
	copy.group = arena_str(&s->arena, rec->group.n ? rec->group : STR("all"));
	copy.metric = arena_str(&s->arena, rec->metric);
	vec_push(&s->references, copy);
	return OK;
}

static enum status write_one(struct store *s, const struct rec_reference *r, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_REFERENCE_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset);
	stmt_bind_str(st, 2, r->name);
	stmt_bind_str(st, 3, r->group);
	stmt_bind_str(st, 4, r->metric);
	sqlite3_bind_double(st, 5, r->value);
	stmt_bind_str(st, 6, path_base(str_z(s->report->file ? s->report->file : "")));
	if (stmt_run(s->c, st, err) != OK)
		return err->code;
	if (sqlite3_changes(stmt_db(s->c)) > 0) {
		s->report->references++;
		s->changed = true;
	}
	return OK;
}

enum status store_references_write(struct store *s, struct err *err)
{
	for (size_t i = 0; i < s->references.n; i++)
		if (write_one(s, &s->references.v[i], err) != OK)
			return err->code;
	return OK;
}
