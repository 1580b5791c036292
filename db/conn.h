/*
 * db: the only room that knows SQLite. One file per project; the schema is in db/sql/schema.sql,
 * every statement in db/sql/queries.sql (embedded as a table, see stmt.h).
 *
 * conn: an open project. Journal DELETE, synchronous NORMAL, busy timeout 5 s; no WAL and no
 * memory map, so that network file systems work. A file without write permission, or in a
 * folder without it, opens read-only. One writer: imports hold the write lock only while they
 * commit (store.h). A conn belongs to one thread at a time; a job opens its own.
 */
#ifndef QUALM_DB_CONN_H
#define QUALM_DB_CONN_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/cancel.h"
#include "core/base/err.h"
#include "core/base/str.h"

struct conn;

enum conn_mode { CONN_READ, CONN_WRITE, CONN_CREATE };

#define PROJECT_APPLICATION_ID 0x51616c6d /* "Qalm" */

/* CONN_CREATE makes the file when it is not there (conn_is_new tells). CONN_WRITE falls back to
 * read-only where it must (conn_read_only). Older versions are migrated under CONN_WRITE/CREATE
 * and refused with words under CONN_READ when they are too old to read. E_NEWER: written by a
 * newer qualm. E_FORMAT: not a project. E_NOT_FOUND: no such file. */
enum status conn_open(struct conn **out, const char *path, enum conn_mode mode, struct err *err);
void conn_close(struct conn *c); /* NULL is fine */
bool conn_read_only(const struct conn *c);
/* The file system has no locks: read-only, and another program's writing may disturb us. */
bool conn_no_locks(const struct conn *c);
bool conn_is_new(const struct conn *c);
const char *conn_path(const struct conn *c);
const char *conn_library(void); /* SQLite's version */
const char *conn_uuid(const struct conn *c); /* of the project */
/* Counts the imports of the project's life: has a snapshot grown old? */
enum status conn_generation(struct conn *c, int64_t *out, struct err *err);

/* Transactions; the cancel is polled by SQLite while statements run. */
enum status conn_begin(struct conn *c, struct err *err); /* IMMEDIATE */
enum status conn_commit(struct conn *c, struct err *err);
void conn_rollback(struct conn *c);
void conn_set_cancel(struct conn *c, const struct cancel *cancel);
/* Called while another program holds the project, some 20 times a second until the timeout, with
 * the milliseconds waited so far. It must not use the conn. False gives up: E_BUSY. */
typedef bool conn_wait_fn(void *ctx, int64_t waited);
void conn_set_wait(struct conn *c, conn_wait_fn *wait, void *ctx);
/* The timeout, instead of 5 s: for who has much to lose by giving up. */
void conn_set_patience(struct conn *c, int64_t ms);
/* Which other program of this machine holds a project: "qualm sql (process 1234)", appended; false
 * when that cannot be told. */
bool project_holder(const char *path, struct buf *out);
/* While set nothing is waited for: E_BUSY at once. */
void conn_hurry(struct conn *c, bool yes);
/* Has anything failed with E_BUSY since the last call? */
bool conn_was_busy(struct conn *c);

#endif
