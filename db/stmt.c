#include "db/stmt.h"

#include <stdio.h>

#include "db/conn_impl.h"

sqlite3 *stmt_db(struct conn *c)
{
	return c->db;
}

sqlite3_stmt *stmt_get(struct conn *c, enum stmt_id id, struct err *err)
{
	sqlite3_stmt **s = &c->stmts[id];
	char what[64];

	if (*s) {
		sqlite3_reset(*s);
		sqlite3_clear_bindings(*s);
		return *s;
	}
	if (sqlite3_prepare_v3(c->db, stmt_sql[id], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) ==
	    SQLITE_OK)
		return *s;
	snprintf(what, sizeof what, "the statement %s", stmt_name[id]);
	/* The statements fit the schema (a test says so): if this one does not, the file is wrong. */
	if (stmt_error(c, err, what) == E_DB)
		err->code = E_FORMAT;
	return NULL;
}

void stmt_bind_str(sqlite3_stmt *s, int at, struct str v)
{
	if (v.p)
		sqlite3_bind_text64(s, at, v.p, v.n, SQLITE_STATIC, SQLITE_UTF8);
	else
		sqlite3_bind_null(s, at);
}

struct str stmt_str(sqlite3_stmt *s, int col)
{
	const char *p = (const char *)sqlite3_column_text(s, col);

	return p ? (struct str){p, (size_t)sqlite3_column_bytes(s, col)} : STR_NONE;
}

struct str stmt_blob(sqlite3_stmt *s, int col)
{
	const char *p = sqlite3_column_blob(s, col);

	return p ? (struct str){p, (size_t)sqlite3_column_bytes(s, col)} : STR_NONE;
}

enum status stmt_step(struct conn *c, sqlite3_stmt *s, bool *row, struct err *err)
{
	int rc = sqlite3_step(s);
	enum status st = OK;

	*row = rc == SQLITE_ROW;
	if (rc == SQLITE_ROW)
		return OK;
	if (rc != SQLITE_DONE)
		st = stmt_error(c, err, c->path);
	sqlite3_reset(s);
	return st;
}

enum status stmt_run(struct conn *c, sqlite3_stmt *s, struct err *err)
{
	enum status st;
	bool row;

	do
		st = stmt_step(c, s, &row, err);
	while (st == OK && row);
	return st;
}

enum status stmt_exec(struct conn *c, const char *sql, struct err *err)
{
	if (sqlite3_exec(c->db, sql, NULL, NULL, NULL) != SQLITE_OK)
		return stmt_error(c, err, c->path);
	return OK;
}

static const struct {
	int code;
	enum status status;
	const char *words;
} meanings[] = {
    /* extended codes first: they say more */
    {SQLITE_READONLY_ROLLBACK, E_IO,
     "a program was interrupted while writing to the project; open it once where it can be "
     "written, so that it can be repaired from its journal"},
    {SQLITE_READONLY_DBMOVED, E_IO,
     "the project's file was moved or deleted meanwhile; nothing more can be written to it"},
    {SQLITE_IOERR_LOCK, E_IO, "the file system has no locks: here a project can only be read"},
    {SQLITE_IOERR_RDLOCK, E_IO, "the file system has no locks: here a project can only be read"},
    {SQLITE_BUSY, E_BUSY, "another program is using the project; try again when it has finished"},
    {SQLITE_LOCKED, E_BUSY, "another part of the program is using the project"},
    {SQLITE_INTERRUPT, E_CANCELLED, "cancelled"},
    {SQLITE_NOMEM, E_MEMORY, "there is not enough memory"},
    {SQLITE_FULL, E_IO, "the disk is full"},
    {SQLITE_READONLY, E_IO, "the project is read-only"},
    {SQLITE_CORRUPT, E_FORMAT, "the project file is damaged"},
    {SQLITE_NOTADB, E_FORMAT, "this is not a qualm project (nor any SQLite database)"},
    {SQLITE_TOOBIG, E_LIMIT, "one value is larger than a project can hold (1 GB)"},
    {SQLITE_IOERR, E_IO, "reading or writing failed"},
    {SQLITE_CANTOPEN, E_IO, "the file cannot be opened"},
    {SQLITE_PERM, E_IO, "the system does not permit it"},
};

enum status stmt_error(struct conn *c, struct err *err, const char *what)
{
	int code = sqlite3_extended_errcode(c->db), os = sqlite3_system_errno(c->db);

	if ((code & 0xff) == SQLITE_BUSY && cancel_is(c->cancel)) /* it would have waited */
		return err_set(err, E_CANCELLED, "%s: cancelled", what);
	for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
		if (meanings[i].code != code && meanings[i].code != (code & 0xff))
			continue;
		if (meanings[i].status == E_IO && os && (code & 0xff) != SQLITE_READONLY)
			return err_errno(err, os, "%s: %s", what, meanings[i].words);
		return err_set(err, meanings[i].status, "%s: %s", what, meanings[i].words);
	}
	return err_set(err, E_DB, "%s: %s", what, sqlite3_errmsg(c->db));
}
