/*
 * Rows of new samples into SQLite, hundreds by one statement: they are a table that it reads. Row
 * by row the statement's beginning and end cost more than the row.
 */
#include "db/conn_impl.h"
#include "db/store_internal.h"

#define MODULE "incoming_sample"
#define COLUMNS "id, dataset, ord, key, media, path, text_kind, text, option_set, extra"

enum { COL_ID, COL_DATASET, COL_ORD, COL_KEY, COL_MEDIA, COL_PATH, COL_TEXT_KIND, COL_TEXT,
       COL_OPTION_SET, COL_EXTRA };

struct table {
	sqlite3_vtab base; /* first */
	struct store *s;
};

struct cursor {
	sqlite3_vtab_cursor base; /* first */
	const struct rows_in *rows;
	int64_t dataset;
	size_t at;
};

static int x_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
		     char **error)
{
	struct table *t;
	int rc = sqlite3_declare_vtab(db, "CREATE TABLE x (" COLUMNS ")");

	(void)argc;
	(void)argv;
	(void)error;
	if (rc != SQLITE_OK)
		return rc;
	t = xcalloc(1, sizeof *t);
	t->s = aux;
	*out = &t->base;
	return SQLITE_OK;
}

static int x_disconnect(sqlite3_vtab *base)
{
	free(base);
	return SQLITE_OK;
}

static int x_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	(void)base;
	info->estimatedCost = 1;
	return SQLITE_OK;
}

static int x_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	const struct store *s = ((struct table *)base)->s;
	struct cursor *cur = xcalloc(1, sizeof *cur);

	cur->rows = &s->rows_in;
	cur->dataset = s->dataset;
	*out = &cur->base;
	return SQLITE_OK;
}

static int x_close(sqlite3_vtab_cursor *base)
{
	free(base);
	return SQLITE_OK;
}

static int x_filter(sqlite3_vtab_cursor *base, int number, const char *text, int argc,
		    sqlite3_value **argv)
{
	(void)number;
	(void)text;
	(void)argc;
	(void)argv;
	((struct cursor *)base)->at = 0;
	return SQLITE_OK;
}

static int x_next(sqlite3_vtab_cursor *base)
{
	((struct cursor *)base)->at++;
	return SQLITE_OK;
}

static int x_eof(sqlite3_vtab_cursor *base)
{
	const struct cursor *cur = (struct cursor *)base;

	return cur->at >= cur->rows->n;
}

static void result_text(sqlite3_context *out, struct str s)
{
	sqlite3_result_text64(out, s.n ? s.p : "", s.n, SQLITE_STATIC, SQLITE_UTF8);
}

static int x_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	const struct cursor *cur = (struct cursor *)base;
	const struct row_out *row = &cur->rows->v[cur->at];

	switch (column) {
	case COL_ID:
		sqlite3_result_int64(out, cur->dataset << 32 | row->ord);
		break;
	case COL_DATASET:
		sqlite3_result_int64(out, cur->dataset);
		break;
	case COL_ORD:
		sqlite3_result_int64(out, row->ord);
		break;
	case COL_KEY:
		result_text(out, row->key);
		break;
	case COL_MEDIA:
		sqlite3_result_int(out, row->media);
		break;
	case COL_PATH:
		result_text(out, row->path);
		break;
	case COL_TEXT_KIND:
		sqlite3_result_int(out, row->text_kind);
		break;
	case COL_TEXT:
		result_text(out, row->text);
		break;
	case COL_OPTION_SET:
		if (row->options)
			sqlite3_result_int64(out, row->options);
		break;
	case COL_EXTRA:
		result_text(out, row->extra);
		break;
	}
	return SQLITE_OK;
}

static int x_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	*out = (sqlite3_int64)((struct cursor *)base)->at;
	return SQLITE_OK;
}

static const sqlite3_module module = {
    .xConnect = x_connect,
    .xBestIndex = x_best_index,
    .xDisconnect = x_disconnect,
    .xOpen = x_open,
    .xClose = x_close,
    .xFilter = x_filter,
    .xNext = x_next,
    .xEof = x_eof,
    .xColumn = x_column,
    .xRowid = x_rowid,
};

static enum status prepare(struct store *s, struct err *err)
{
	const char *sql = s->direct ? "INSERT INTO main.sample (" COLUMNS ") SELECT " COLUMNS
				      " FROM " MODULE
				    : "INSERT INTO stage.stage_sample (" COLUMNS ") SELECT " COLUMNS
				      " FROM " MODULE;

	if (sqlite3_create_module(s->c->db, MODULE, &module, s) == SQLITE_OK &&
	    sqlite3_prepare_v3(s->c->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &s->rows_put, NULL) ==
		SQLITE_OK)
		return OK;
	stmt_error(s->c, err, "new samples");
	sqlite3_create_module(s->c->db, MODULE, NULL, NULL);
	return err->code;
}

/* Keys of a new project that come in ascending order go to the end of their index as they come, and
 * cost little. From the first that does not, they are sorted when all are there: that is cheaper
 * than to look for the place of each. */
static enum status keep_index(struct store *s, const struct row_out *rows, size_t n, struct err *err)
{
	struct str last = buf_view(&s->last_key);
	bool ordered = true;

	if (!s->direct || s->samples.n_stored || s->samples.unindexed)
		return OK;
	for (size_t i = 0; i < n && ordered; i++) {
		ordered = str_cmp(last, rows[i].key) < 0;
		last = rows[i].key;
	}
	if (ordered) {
		buf_clear(&s->last_key);
		buf_str(&s->last_key, last);
		return s->last_key.failed ? err_set(err, E_MEMORY, "there is no memory for a key") : OK;
	}
	s->samples.unindexed = true;
	return stmt_exec(s->c, "DROP INDEX sample_key", err);
}

enum status store_rows_write(struct store *s, const struct row_out *rows, size_t n, struct err *err)
{
	enum status st = OK;

	if (!n)
		return OK;
	st = keep_index(s, rows, n, err);
	if (st == OK && !s->rows_put)
		st = prepare(s, err);
	if (st != OK)
		return st;
	s->rows_in = (struct rows_in){rows, n};
	st = stmt_run(s->c, s->rows_put, err);
	s->rows_in = (struct rows_in){NULL, 0};
	return st;
}

void store_rows_end(struct store *s)
{
	buf_release(&s->last_key);
	if (!s->rows_put)
		return;
	sqlite3_finalize(s->rows_put);
	s->rows_put = NULL;
	sqlite3_create_module(s->c->db, MODULE, NULL, NULL);
}
