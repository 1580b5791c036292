#include "db/sql.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "db/sql_impl.h"

enum status sql_open(struct sql **out, struct conn *c, const struct sql_options *options,
		     struct err *err)
{
	struct sql *s = xcalloc(1, sizeof *s);
	bool began = false;
	enum status st;

	s->c = c;
	s->options = *options;
	st = stmt_exec(c, "PRAGMA query_only = ON", err);
	if (st == OK)
		st = read_begin(c, &began, err);
	if (st == OK)
		st = sql_world_open(s, err);
	read_end(c, began);
	if (st == OK && sql_register(s) != SQLITE_OK)
		st = stmt_error(c, err, c->path);
	if (st == OK)
		*out = s;
	else
		sql_close(s);
	return st;
}

void sql_close(struct sql *s)
{
	struct err ignored = ERR_INIT;

	if (!s)
		return;
	for (int i = 0; i < N_SQL_TABLES; i++)
		sqlite3_create_module_v2(s->c->db, sql_table_list[i].name, NULL, NULL, NULL);
	stmt_exec(s->c, "PRAGMA query_only = OFF", &ignored);
	sql_world_close(s);
	free(s);
}

/* --- what SQLite does not understand --- */

static size_t characters(const char *p, size_t n)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += ((unsigned char)p[i] & 0xc0) != 0x80;
	return count;
}

/* " at 12", or " at line 2, 5"; nothing when SQLite does not know. */
static void place_of(struct conn *c, struct str text, char *out, size_t size)
{
	int at = -1;
	size_t line = 1, begins = 0;

	out[0] = '\0';
#if SQLITE_VERSION_NUMBER >= 3038000
	at = sqlite3_error_offset(c->db);
#else
	(void)c;
#endif
	if (at < 0 || (size_t)at > text.n)
		return;
	for (size_t i = 0; i < (size_t)at; i++) {
		if (text.p[i] != '\n')
			continue;
		line++;
		begins = i + 1;
	}
	if (memchr(text.p, '\n', text.n))
		snprintf(out, size, " at line %zu, %zu", line,
			 characters(text.p + begins, (size_t)at - begins) + 1);
	else
		snprintf(out, size, " at %zu", characters(text.p, (size_t)at) + 1);
}

static enum status not_understood(struct sql *s, struct str text, struct err *err)
{
	int code = sqlite3_errcode(s->c->db) & 0xff;
	char place[64];

	if (s->err.code != OK) {
		*err = s->err;
		return err->code;
	}
	if (code == SQLITE_AUTH && s->refused[0])
		return err_set(err, E_USAGE, "a statement can only read here: %s is refused",
			       s->refused);
	if (code != SQLITE_ERROR && code != SQLITE_AUTH)
		return stmt_error(s->c, err, s->c->path);
	place_of(s->c, text, place, sizeof place);
	return err_set(err, E_USAGE, "%s%s", sqlite3_errmsg(s->c->db), place);
}

/* While it ran: what a virtual table says, else SQLite. */
static enum status ran_into(struct sql *s, struct err *err)
{
	if (s->err.code != OK) {
		*err = s->err;
		return err->code;
	}
	if ((sqlite3_errcode(s->c->db) & 0xff) == SQLITE_ERROR)
		return err_set(err, E_DB, "%s", sqlite3_errmsg(s->c->db));
	return stmt_error(s->c, err, s->c->path);
}

static enum status prepare(struct sql *s, struct str text, sqlite3_stmt **out, struct err *err)
{
	sqlite3_stmt *more = NULL;
	const char *rest = NULL;
	int rc;

	if (memchr(text.p, '\0', text.n))
		return err_set(err, E_USAGE, "the statement holds a NUL byte");
	if (text.n > (size_t)sqlite3_limit(s->c->db, SQLITE_LIMIT_SQL_LENGTH, -1))
		return err_set(err, E_USAGE, "the statement is longer than 1 MB");
	if (sqlite3_prepare_v2(s->c->db, text.p, (int)text.n, out, &rest) != SQLITE_OK)
		return not_understood(s, text, err);
	if (!*out)
		return err_set(err, E_USAGE, "there is no statement in the text");
	while (rest < text.p + text.n && !more) {
		const char *from = rest;

		rc =
		    sqlite3_prepare_v2(s->c->db, from, (int)(text.p + text.n - from), &more, &rest);
		if (rc != SQLITE_OK || more) {
			sqlite3_finalize(more);
			return err_set(err, E_USAGE,
				       "one statement at a time: another begins at %zu",
				       characters(text.p, (size_t)(from - text.p)) + 1);
		}
		if (rest == from)
			break;
	}
	if (!sqlite3_stmt_readonly(*out))
		return err_set(err, E_USAGE, "a statement can only read here");
	return OK;
}

/* --- rows --- */

static void read_values(sqlite3_stmt *st, struct sql_value *v, int n)
{
	for (int i = 0; i < n; i++) {
		v[i] = (struct sql_value){.type = SQL_NULL, .s = STR("")};
		switch (sqlite3_column_type(st, i)) {
		case SQLITE_INTEGER:
			v[i].type = SQL_INTEGER;
			v[i].i = sqlite3_column_int64(st, i);
			break;
		case SQLITE_FLOAT:
			v[i].type = SQL_REAL;
			v[i].f = sqlite3_column_double(st, i);
			break;
		case SQLITE_TEXT:
			v[i].type = SQL_TEXT;
			v[i].s = stmt_str(st, i);
			break;
		case SQLITE_BLOB:
			v[i].type = SQL_BLOB;
			v[i].s = stmt_blob(st, i);
			v[i].s.n = (size_t)sqlite3_column_bytes(st, i);
			break;
		default:
			break;
		}
	}
}

static enum status each_row(struct sql *s, sqlite3_stmt *st, const struct sql_sink *sink,
			    struct err *err)
{
	int n = sqlite3_column_count(st), rc;
	struct sql_value *values = xcalloc((size_t)n + 1, sizeof *values);
	const char **names = xcalloc((size_t)n + 1, sizeof *names);
	enum status status;

	for (int i = 0; i < n; i++) {
		names[i] = sqlite3_column_name(st, i);
		names[i] = names[i] ? names[i] : "";
	}
	status = sink->begin(sink->ctx, names, n, err);
	while (status == OK && (rc = sqlite3_step(st)) != SQLITE_DONE) {
		if (rc != SQLITE_ROW) {
			status = ran_into(s, err);
			break;
		}
		read_values(st, values, n);
		status = sink->row(sink->ctx, values, n, err);
	}
	free(names);
	free(values);
	return status;
}

enum status sql_run(struct sql *s, struct str text, const struct sql_sink *sink, struct err *err)
{
	sqlite3_stmt *st = NULL;
	bool began;
	enum status status;

	err_clear(&s->err);
	s->refused[0] = '\0';
	sql_world_close(s); /* of another state of the file, perhaps */
	status = read_begin(s->c, &began, err);
	if (status != OK)
		return status;
	status = sql_world_open(s, err); /* from this first look on the file stays as it is */
	if (status == OK) {
		sqlite3_set_authorizer(s->c->db, sql_guard, s);
		status = prepare(s, text, &st, err);
	}
	if (status == OK)
		status = each_row(s, st, sink, err);
	sqlite3_finalize(st);
	sqlite3_set_authorizer(s->c->db, NULL, NULL);
	read_end(s->c, began);
	return status;
}

void sql_lenses(const struct sql *s, struct buf *out)
{
	for (size_t i = 0; i < s->n_datasets; i++) {
		const struct sql_dataset *d = &s->datasets[i];

		if (d->judged && d->lens_text)
			buf_printf(out, "%s: %s\n", d->name, d->lens_text);
	}
}

enum status sql_tables(struct sql *s, const struct sql_sink *sink, struct err *err)
{
	return sql_run(s, str_z(stmt_sql[STMT_SQL_TABLES]), sink, err);
}
