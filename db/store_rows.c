/*
 * Rows of new samples into SQLite, hundreds by one statement: they are a table that it reads. Row
 * by row the statement's beginning and end cost more than the row. What is the same in all of them
 * stands in the statement: to ask the table for a value costs more than the value.
 */
#include <inttypes.h>

#include "db/conn_impl.h"
#include "db/store_internal.h"

#define MODULE "incoming_sample"

enum { COL_ID, COL_DATASET, COL_ORD, COL_KEY, COL_MEDIA, COL_PATH, COL_TEXT_KIND, COL_TEXT,
       COL_OPTION_SET, COL_EXTRA, N_COLS };

static const char *const columns[N_COLS] = {
    [COL_ID] = "id",	     [COL_DATASET] = "dataset",	    [COL_ORD] = "ord",
    [COL_KEY] = "key",	     [COL_MEDIA] = "media",	    [COL_PATH] = "path",
    [COL_TEXT_KIND] = "text_kind", [COL_TEXT] = "text",	    [COL_OPTION_SET] = "option_set",
    [COL_EXTRA] = "extra",
};

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
	int rc = sqlite3_declare_vtab(db, "CREATE TABLE x (id, dataset, ord, key, media, path, "
					  "text_kind, text, option_set, extra)");

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

/* --- the statement --- */

#define BIT(column) (1u << (column))

static unsigned table_asked(const struct row_out *rows, size_t n)
{
	unsigned asked = BIT(COL_ORD) | BIT(COL_KEY);

	for (size_t i = 0; i < n; i++) {
		const struct row_out *row = &rows[i];

		asked |= (row->media != rows->media ? BIT(COL_MEDIA) : 0) |
			 (row->text_kind != rows->text_kind ? BIT(COL_TEXT_KIND) : 0) |
			 (row->path.n ? BIT(COL_PATH) : 0) | (row->text.n ? BIT(COL_TEXT) : 0) |
			 (row->extra.n ? BIT(COL_EXTRA) : 0) |
			 (row->options ? BIT(COL_OPTION_SET) : 0);
	}
	return asked;
}

static struct rows_shape shape_of(const struct row_out *rows, size_t n, bool append)
{
	struct rows_shape shape = {.asked = table_asked(rows, n), .append = append};

	if (!append)
		shape.asked |= BIT(COL_ID);
	if (!(shape.asked & BIT(COL_MEDIA)))
		shape.media = rows->media;
	if (!(shape.asked & BIT(COL_TEXT_KIND)))
		shape.text_kind = rows->text_kind;
	return shape;
}

static bool same_shape(const struct rows_shape *a, const struct rows_shape *b)
{
	return a->asked == b->asked && a->append == b->append && a->media == b->media &&
	       a->text_kind == b->text_kind;
}

static void put_value(struct buf *sql, const struct store *s, const struct rows_shape *shape, int column)
{
	if (shape->asked & BIT(column))
		buf_z(sql, columns[column]);
	else if (column == COL_DATASET)
		buf_printf(sql, "%" PRId64, s->dataset);
	else if (column == COL_MEDIA)
		buf_printf(sql, "%d", shape->media);
	else if (column == COL_TEXT_KIND)
		buf_printf(sql, "%d", shape->text_kind);
	else
		buf_z(sql, column == COL_OPTION_SET ? "NULL" : "''");
}

static void put_sql(struct buf *sql, const struct store *s, const struct rows_shape *shape)
{
	int first = shape->append ? COL_DATASET : COL_ID;

	buf_printf(sql, "INSERT INTO %s (", s->direct ? "main.sample" : "stage.stage_sample");
	for (int i = first; i < N_COLS; i++)
		buf_printf(sql, "%s%s", i > first ? ", " : "", columns[i]);
	buf_z(sql, ") SELECT ");
	for (int i = first; i < N_COLS; i++) {
		buf_z(sql, i > first ? ", " : "");
		put_value(sql, s, shape, i);
	}
	buf_z(sql, " FROM " MODULE);
}

static enum status prepare_sql(struct store *s, const struct buf *sql, struct err *err)
{
	struct rows_in *in = &s->rows_in;
	int rc = SQLITE_OK;

	if (sql->failed)
		return err_set(err, E_MEMORY, "there is no memory for new samples");
	if (!in->has_module)
		rc = sqlite3_create_module(s->c->db, MODULE, &module, s);
	in->has_module = true;
	if (rc == SQLITE_OK)
		rc = sqlite3_prepare_v3(s->c->db, buf_cstr(sql), -1, SQLITE_PREPARE_PERSISTENT,
					&in->put, NULL);
	return rc == SQLITE_OK ? OK : stmt_error(s->c, err, "new samples");
}

static enum status prepare(struct store *s, const struct rows_shape *shape, struct err *err)
{
	struct rows_in *in = &s->rows_in;
	struct buf sql = BUF_INIT;
	enum status st;

	if (in->put && same_shape(&in->shape, shape))
		return OK;
	sqlite3_finalize(in->put);
	in->put = NULL;
	in->shape = *shape;
	put_sql(&sql, s, shape);
	st = prepare_sql(s, &sql, err);
	buf_release(&sql);
	return st;
}

/* --- rows --- */

/* Keys of a new project that come in ascending order go to the end of their index as they come, and
 * cost little. From the first that does not, they are sorted when all are there: that is cheaper
 * than to look for the place of each. */
static enum status keep_index(struct store *s, const struct row_out *rows, size_t n, struct err *err)
{
	struct str last = buf_view(&s->rows_in.last_key);
	bool ordered = true;

	if (!s->direct || s->samples.n_stored || s->samples.unindexed)
		return OK;
	for (size_t i = 0; i < n && ordered; i++) {
		ordered = str_cmp(last, rows[i].key) < 0;
		last = rows[i].key;
	}
	if (ordered) {
		buf_clear(&s->rows_in.last_key);
		buf_str(&s->rows_in.last_key, last);
		return s->rows_in.last_key.failed ? err_set(err, E_MEMORY, "there is no memory for a key") : OK;
	}
	s->samples.unindexed = true;
	return stmt_exec(s->c, "DROP INDEX sample_key", err);
}

/* Rows whose ids follow the greatest in the table get them from SQLite, which then looks for no place
 * and for no row that has the id already. */
static enum status find_last(struct store *s, int64_t id, struct err *err)
{
	sqlite3_stmt *st;
	bool row;

	s->rows_in.last = id;
	if (!s->direct) /* the stage has rows of this store alone, and they come in the order of their ids */
		return OK;
	st = stmt_get(s->c, STMT_STORE_SAMPLE_LAST, err);
	if (!st || stmt_step(s->c, st, &row, err) != OK)
		return err->code;
	if (!row || sqlite3_column_int64(st, 0) != id)
		s->rows_in.last = 0;
	sqlite3_reset(st);
	return OK;
}

static enum status put_rows(struct store *s, const struct row_out *rows, size_t n, struct err *err)
{
	struct rows_in *in = &s->rows_in;
	int64_t first = s->dataset << 32 | rows[0].ord, last = s->dataset << 32 | rows[n - 1].ord;
	struct rows_shape shape = shape_of(rows, n, in->last == first - 1);
	enum status st = prepare(s, &shape, err);

	if (st != OK)
		return st;
	in->v = rows;
	in->n = n;
	st = stmt_run(s->c, in->put, err);
	in->v = NULL;
	in->n = 0;
	if (st != OK)
		return st;
	if (!shape.append)
		return find_last(s, last, err);
	in->last = last;
	if (sqlite3_last_insert_rowid(s->c->db) != last)
		return err_set(err, E_FORMAT, "the project's list of samples has gaps");
	return OK;
}

enum status store_rows_write(struct store *s, const struct row_out *rows, size_t n, struct err *err)
{
	if (!n)
		return OK;
	return keep_index(s, rows, n, err) == OK ? put_rows(s, rows, n, err) : err->code;
}

void store_rows_end(struct store *s)
{
	struct rows_in *in = &s->rows_in;

	buf_release(&in->last_key);
	sqlite3_finalize(in->put);
	in->put = NULL;
	if (in->has_module)
		sqlite3_create_module(s->c->db, MODULE, NULL, NULL);
	in->has_module = false;
}
