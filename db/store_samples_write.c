#include "core/text/json.h"
#include "db/store_internal.h"

static const enum stmt_id fill_stmt[] = {
    [FILL_TEXT] = STMT_STORE_FILL_TEXT,
    [FILL_PATH] = STMT_STORE_FILL_PATH,
    [FILL_OPTIONS] = STMT_STORE_FILL_OPTIONS,
    [FILL_EXTRA] = STMT_STORE_FILL_EXTRA,
};

static enum status write_fill(struct store *s, const struct fill *f, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, fill_stmt[f->kind], err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset << 32 | f->ord);
	if (f->kind == FILL_OPTIONS)
		sqlite3_bind_int64(st, 2, f->number);
	else
		stmt_bind_str(st, 2, f->value);
	if (f->kind == FILL_TEXT || f->kind == FILL_PATH)
		sqlite3_bind_int(st, 3, f->word);
	return stmt_run(s->c, st, err);
}

static enum status write_media_path(struct store *s, const struct media_path *m, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_MEDIA_PUT, err);

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->dataset << 32 | m->ord);
	sqlite3_bind_int64(st, 2, m->pos);
	stmt_bind_str(st, 3, m->path);
	return stmt_run(s->c, st, err);
}

static void option_item(struct store *s, struct str text, struct buf *json)
{
	ordinals found = {0};

	store_classes_by_name(s, text, &found);
	buf_z(json, json->n > 1 ? ",[" : "[");
	json_quote(json, text);
	if (found.n == 1)
		buf_printf(json, ",%u]", found.v[0]);
	else
		buf_z(json, ",null]");
	vec_release(&found);
}

static enum status write_option_set(struct store *s, uint32_t i, struct err *err)
{
	struct str texts = intern_key(&s->samples.options, i);
	struct buf json = BUF_INIT;
	sqlite3_stmt *st = stmt_get(s->c, STMT_STORE_OPTION_PUT, err);
	enum status rc = st ? OK : err->code;

	buf_ch(&json, '[');
	for (uint32_t len; texts.n >= sizeof len; texts.p += len, texts.n -= len) {
		memcpy(&len, texts.p, sizeof len);
		texts.p += sizeof len;
		texts.n -= sizeof len;
		option_item(s, (struct str){texts.p, len}, &json);
	}
	buf_ch(&json, ']');
	if (json.failed)
		rc = err_set(err, E_MEMORY, "there is no memory for a set of options");
	if (rc == OK) {
		sqlite3_bind_int64(st, 1, s->samples.option_id.v[i]);
		sqlite3_bind_int64(st, 2, s->dataset);
		stmt_bind_str(st, 3, buf_view(&json));
		rc = stmt_run(s->c, st, err);
	}
	buf_release(&json);
	return rc;
}

static enum status write_media_column(struct store *s, struct err *err)
{
	uint32_t n = store_n_samples(s);
	struct column col;
	enum status rc = store_column(&col, DT_U8, n, err);

	if (rc != OK)
		return rc;
	for (uint32_t i = 0; i < n; i++)
		column_set_u(&col, i, dense_at(&s->samples.meta, struct sample_meta, i).media);
	rc = column_store(s->c, OWNER_DATASET, s->dataset, "media", &col, err);
	column_release(&col);
	return rc;
}

static enum status merge_staged(struct store *s, struct err *err)
{
	sqlite3_stmt *st;

	if (s->direct || !s->staging)
		return OK;
	st = stmt_get(s->c, STMT_STAGE_SAMPLES_MERGE, err);
	return st ? stmt_run(s->c, st, err) : err->code;
}

/* As in schema.sql, to the letter. */
enum status store_samples_index(struct store *s, struct err *err)
{
	if (!s->samples.unindexed)
		return OK;
	s->samples.unindexed = false;
	return stmt_exec(s->c, "CREATE UNIQUE INDEX sample_key ON sample (dataset, key)", err);
}

enum status store_samples_write(struct store *s, struct err *err)
{
	struct samples *sm = &s->samples;
	bool grown = store_n_samples(s) > sm->n_stored;

	if (grown && (merge_staged(s, err) != OK || store_samples_index(s, err) != OK))
		return err->code;
	for (size_t i = 0; i < sm->fills.n; i++)
		if (write_fill(s, &sm->fills.v[i], err) != OK)
			return err->code;
	for (size_t i = 0; i < sm->media.n; i++)
		if (write_media_path(s, &sm->media.v[i], err) != OK)
			return err->code;
	for (size_t i = sm->options_stored; i < sm->option_id.n; i++)
		if (write_option_set(s, (uint32_t)i, err) != OK)
			return err->code;
	if (!grown && !sm->fills.n)
		return OK;
	s->changed = s->dataset_changed = true;
	return write_media_column(s, err);
}
