/* SQLite's pages, and tables and indexes against those that a new project has. */
#include <stdio.h>
#include <stdlib.h>

#include "db/verify_impl.h"

#define MESSAGES_MAX 1000

/* --- pages --- */

struct messages {
	struct finding index, page;
};

/* What an index says can be made again from its table; all else is lost. */
static void take_message(struct messages *m, struct str text)
{
	bool index = str_find(text, STR(" index ")) != SIZE_MAX &&
		     str_find(text, STR("Tree ")) == SIZE_MAX &&
		     str_find(text, STR("tree ")) == SIZE_MAX;

	if (!text.n || str_eqz(text, "ok"))
		return;
	finding_see(index ? &m->index : &m->page, "%.*s", (int)(text.n < 100 ? text.n : 100),
		    text.p);
}

static enum status ask_pages(struct verify *k, struct messages *m, struct err *err)
{
	sqlite3_stmt *s = NULL;
	enum status st = OK;
	bool row;
	char sql[64];

	snprintf(sql, sizeof sql, "PRAGMA main.integrity_check(%d)", MESSAGES_MAX);
	if (sqlite3_prepare_v2(k->c->db, sql, -1, &s, NULL) != SQLITE_OK)
		st = stmt_error(k->c, err, k->c->path);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str text = stmt_str(s, 0), line;

		while (text.n) {
			text = str_cut(text, '\n', &line);
			take_message(m, line);
		}
	}
	sqlite3_finalize(s);
	return st;
}

static enum status verify_keys(struct verify *k, struct err *err)
{
	struct finding f;
	sqlite3_stmt *s = NULL;
	enum status st = OK;
	bool row;

	finding_init(&f, "rows refer to rows that do not exist");
	if (sqlite3_prepare_v2(k->c->db, "PRAGMA main.foreign_key_check", -1, &s, NULL) !=
	    SQLITE_OK)
		st = stmt_error(k->c, err, k->c->path);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row)
		finding_see(&f, "%s %lld to %s", (const char *)sqlite3_column_text(s, 0),
			    (long long)sqlite3_column_int64(s, 1),
			    (const char *)sqlite3_column_text(s, 2));
	sqlite3_finalize(s);
	if (finding_end(k, &f, "file", "a lost model is called (lost NUMBER)") && st == OK &&
	    k->repair) {
		s = stmt_get(k->c, STMT_FIX_RUN_MODELS, err);
		st = s ? stmt_run(k->c, s, err) : err->code;
	}
	return st;
}

enum status verify_pages(struct verify *k, bool *fit, struct err *err)
{
	struct messages m;
	enum status st;
	bool indexes;

	verify_progress(k, "pages", 0);
	finding_init(&m.page, "pages are damaged");
	finding_init(&m.index, "indexes do not fit their tables");
	st = ask_pages(k, &m, err);
	if (st == E_FORMAT || st == E_DB) {
		finding_see(&m.page, "%.100s", err->msg);
		err_clear(err);
		st = OK;
	}
	*fit = !finding_end(k, &m.page, "file", NULL);
	indexes = finding_end(k, &m.index, "file", "they are made again");
	if (st == OK && *fit && indexes && k->repair)
		st = verify_absorb(k, stmt_exec(k->c, "REINDEX", err), "file", err);
	if (st == OK && *fit)
		st = verify_absorb(k, verify_keys(k, err), "file", err);
	verify_progress(k, "pages", k->total / 2);
	return st;
}

/* --- tables and indexes --- */

/* Columns of a table, in one line; the same for tables that hold the same. */
static const char columns_sql[] = "SELECT coalesce((SELECT group_concat(lower(name) || ' ' || pk, "
				  "',') FROM pragma_table_info(?1)), '')";

static enum status columns_of(sqlite3 *db, const char *table, struct buf *out, struct err *err)
{
	sqlite3_stmt *s = NULL;

	buf_clear(out);
	if (sqlite3_prepare_v2(db, columns_sql, -1, &s, NULL) == SQLITE_OK) {
		sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
		if (sqlite3_step(s) == SQLITE_ROW)
			buf_str(out, stmt_str(s, 0));
	}
	if (sqlite3_finalize(s) != SQLITE_OK)
		return err_set(err, E_FORMAT, "table %s cannot be looked at: %s", table,
			       sqlite3_errmsg(db));
	return OK;
}

static enum status has_index(struct verify *k, const char *name, bool *has, struct err *err)
{
	sqlite3_stmt *s = NULL;
	enum status st = OK;

	*has = false;
	if (sqlite3_prepare_v2(k->c->db,
			       "SELECT 1 FROM sqlite_schema WHERE type = 'index' AND name = ?1", -1,
			       &s, NULL) != SQLITE_OK)
		return stmt_error(k->c, err, k->c->path);
	sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
	st = stmt_step(k->c, s, has, err);
	sqlite3_finalize(s);
	return st;
}

/* Keys that are there twice would not let the index be made. */
static enum status part_keys(struct verify *k, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_VERIFY_TWINS, err);
	struct finding f;
	enum status st = s ? OK : err->code;
	bool row;

	finding_init(&f, "keys that several samples bear");
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str key = stmt_str(s, 0);

		finding_see(&f, "%.*s", (int)(key.n < 60 ? key.n : 60), key.n ? key.p : "");
	}
	if (finding_end(k, &f, "table sample", "all but the first become KEY#ORDINAL") &&
	    st == OK && k->repair)
		st = verify_exec2(k, STMT_FIX_TWINS, 0, 0, err);
	return st;
}

static enum status verify_object(struct verify *k, sqlite3 *model, sqlite3_stmt *s, struct err *err)
{
	const char *type = (const char *)sqlite3_column_text(s, 0),
		   *name = (const char *)sqlite3_column_text(s, 1),
		   *sql = (const char *)sqlite3_column_text(s, 2);
	struct buf want = BUF_INIT, have = BUF_INIT;
	bool index = strcmp(type, "index") == 0, there = true;
	enum status st = OK;

	if (index) {
		st = has_index(k, name, &there, err);
	} else {
		st = columns_of(model, name, &want, err);
		if (st == OK)
			st = columns_of(k->c->db, name, &have, err);
		there = have.n > 0;
	}
	if (st == OK && !there) {
		finding_one(k, name, index ? "it is made again" : "it is made, empty",
			    "this %s is missing", type);
		if (strcmp(name, "sample_key") == 0)
			st = part_keys(k, err);
		if (st == OK && k->repair)
			st = stmt_exec(k->c, sql, err);
	} else if (st == OK && !index && !str_eq(buf_view(&want), buf_view(&have))) {
		finding_one(k, name, NULL, "the table has other columns than it should");
	}
	buf_release(&want);
	buf_release(&have);
	return st;
}

static enum status make_model(sqlite3 **out, struct err *err)
{
	if (sqlite3_open(":memory:", out) == SQLITE_OK &&
	    sqlite3_exec(*out, project_ladder.schema, NULL, NULL, NULL) == SQLITE_OK)
		return OK;
	return err_set(err, E_MEMORY, "there is no memory for a project to compare with");
}

enum status verify_schema(struct verify *k, struct err *err)
{
	sqlite3 *model = NULL;
	sqlite3_stmt *s = NULL;
	enum status st = make_model(&model, err);

	if (st == OK &&
	    sqlite3_prepare_v2(
		model,
		"SELECT type, name, sql FROM sqlite_schema WHERE type IN ('table', 'index') "
		"AND sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
		"ORDER BY type DESC, name",
		-1, &s, NULL) != SQLITE_OK)
		st = err_set(err, E_MEMORY, "there is no memory for a project to compare with");
	while (st == OK && sqlite3_step(s) == SQLITE_ROW)
		st = verify_absorb(k, verify_object(k, model, s, err), "file", err);
	sqlite3_finalize(s);
	sqlite3_close(model);
	return st;
}
