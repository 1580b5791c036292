/*
 * stmt: prepared statements by name. db/sql/queries.sql holds blocks that begin with
 * `-- name: sample_by_ord`; embed.awk turns them into enum stmt_id (STMT_SAMPLE_BY_ORD) and a
 * table of texts. A test prepares every one of them.
 */
#ifndef QUALM_DB_STMT_H
#define QUALM_DB_STMT_H

#include <sqlite3.h>

#include "core/base/str.h"
#include "db/conn.h"
#include "queries.gen.h" /* enum stmt_id, N_STMTS */

/* The cached statement, reset and with bindings cleared. NULL with err set on failure. */
sqlite3_stmt *stmt_get(struct conn *c, enum stmt_id id, struct err *err);
void stmt_bind_str(sqlite3_stmt *s, int at, struct str v); /* NULL p binds NULL; not copied */
struct str stmt_str(sqlite3_stmt *s, int col);  /* borrowed until the next step; NULL → STR_NONE */
struct str stmt_blob(sqlite3_stmt *s, int col);
/* Step once: *row tells whether there is a row. At the end, or on error, the statement is reset. */
enum status stmt_step(struct conn *c, sqlite3_stmt *s, bool *row, struct err *err);
/* Step a statement that returns nothing, to its end. */
enum status stmt_run(struct conn *c, sqlite3_stmt *s, struct err *err);
enum status stmt_exec(struct conn *c, const char *sql, struct err *err);
/* err from SQLite's last message, as a sentence. */
enum status stmt_error(struct conn *c, struct err *err, const char *what);
sqlite3 *stmt_db(struct conn *c);
extern const char *const stmt_sql[]; /* by enum stmt_id */
extern const char *const stmt_name[];

#endif
