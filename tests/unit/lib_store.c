#include "tests/unit/lib_store.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"

static void must(bool ok, const char *what)
{
	if (ok)
		return;
	fprintf(stderr, "lib_store: %s\n", what);
	abort();
}

void feed_begin(struct feed *f, struct conn *c, const char *dataset)
{
	struct read_options opt = f->opt;

	memset(f, 0, sizeof *f);
	f->opt = opt;
	report_init(&f->r, "test", NULL);
	f->r.reader = "test";
	f->st = store_begin(&f->s, c, str_z(dataset), &f->opt, &f->r, NULL, &f->err);
}

enum status feed_end(struct feed *f)
{
	if (f->st == OK)
		f->st = store_commit(f->s, &f->err);
	else
		store_abort(f->s);
	f->s = NULL;
	return f->st;
}

void feed_done(struct feed *f)
{
	report_release(&f->r);
}

void feed_class(struct feed *f, int64_t index, const char *wnid, const char *name,
		const char *alias)
{
	struct str aliases[1] = {str_z(alias)};
	struct rec_class rec = {.index = index, .wnid = str_z(wnid), .name = str_z(name)};

	rec.aliases = aliases;
	rec.n_aliases = alias != NULL;
	f->r.rows++;
	if (f->st == OK)
		f->st = sink_class(store_sink(f->s), &rec, &f->err);
}

size_t feed_refs(const char *text, struct class_ref *refs)
{
	struct str rest = str_z(text), one, scheme;
	size_t n = 0;

	while (rest.n && n < 8) {
		struct class_ref ref = {.kind = CLASS_BY_NAME};

		rest = str_cut(rest, '|', &one);
		ref.text = one;
		if (one.n && one.p[0] == '#' &&
		    str_int((struct str){one.p + 1, one.n - 1}, &ref.index)) {
			ref.kind = CLASS_BY_INDEX;
			ref.text = STR_NONE;
		} else if (memchr(one.p, '=', one.n)) {
			ref.kind = CLASS_BY_CODE;
			ref.text = str_cut(one, '=', &scheme);
			ref.scheme = scheme;
		}
		refs[n++] = ref;
	}
	return n;
}

void feed_record(struct feed *f, const struct rec_sample *rec)
{
	f->r.rows++;
	if (f->st == OK)
		f->st = sink_sample(store_sink(f->s), rec, &f->err);
}

static void feed_truth(struct feed *f, struct rec_sample *rec, const char *layer, const char *truth)
{
	struct class_ref refs[8];
	struct rec_truth t = {.layer = str_z(layer), .refs = refs};

	if (truth) {
		t.n_refs = feed_refs(truth, refs);
		rec->truths = &t;
		rec->n_truths = 1;
	}
	rec->src.line = f->r.rows + 1;
	feed_record(f, rec);
}

void feed_sample(struct feed *f, const char *key, const char *text, const char *path,
		 const char *truth)
{
	struct str paths[1] = {str_z(path)};
	struct rec_sample rec = {.key = str_z(key), .creates = true, .declares = true};

	rec.text = str_z(text);
	rec.text_kind = text ? TEXT_QUESTION : TEXT_NONE;
	rec.paths = paths;
	rec.n_paths = path != NULL;
	rec.media = path ? MEDIA_IMAGE : MEDIA_NONE;
	feed_truth(f, &rec, "original", truth);
}

void feed_layer(struct feed *f, const char *key, const char *layer, const char *truth)
{
	struct rec_sample rec = {.key = str_z(key)};

	feed_truth(f, &rec, layer, truth);
}

uint32_t feed_run(struct feed *f, const char *model, const char *protocol)
{
	struct rec_run rec = {.model = str_z(model), .protocol = str_z(protocol)};
	uint32_t run = 0;

	if (f->st == OK)
		f->st = sink_run(store_sink(f->s), &rec, &run, &f->err);
	return run;
}

void feed_prediction(struct feed *f, const struct rec_prediction *p)
{
	f->r.rows++;
	if (f->st == OK)
		f->st = sink_prediction(store_sink(f->s), p, &f->err);
}

void feed_answer(struct feed *f, uint32_t run, const char *key, const char *answer,
		 const char *raw)
{
	struct class_ref refs[8];
	struct rec_prediction p;

	rec_prediction_init(&p);
	p.run = run;
	p.key = str_z(key);
	p.raw = str_z(raw ? raw : answer);
	p.outcome = OUTCOME_ANSWERED;
	p.refs = refs;
	p.n_refs = feed_refs(answer, refs);
	p.src.line = f->r.rows + 1;
	feed_prediction(f, &p);
}

struct place place_new(bool staged)
{
	struct place p = {project_folder(), NULL, NULL};

	p.path = project_file(p.folder, "p.qualm");
	p.c = project_open(p.path, CONN_CREATE);
	if (staged) {
		conn_close(p.c);
		p.c = project_open(p.path, CONN_WRITE);
	}
	return p;
}

void place_end(struct place *p)
{
	conn_close(p->c);
	free(p->path);
	project_remove(p->folder);
}

static bool is_time(const char *column)
{
	return strcmp(column, "created") == 0 || strcmp(column, "imported") == 0;
}

/* The numbers of columns and chunks tell only in which order they were written. */
static char *dump_sql(const char *table)
{
	if (strcmp(table, "col") == 0)
		return sqlite3_mprintf("SELECT owner_kind, owner, name, dtype, n, data FROM col ORDER BY 1, 2, 3");
	if (strcmp(table, "chunk") == 0)
		return sqlite3_mprintf("SELECT run, field, start, n, codec, ords, lens, data FROM chunk "
				       "ORDER BY 1, 2, 3");
	return sqlite3_mprintf("SELECT * FROM \"%w\" %s ORDER BY 1, 2", table,
			       strcmp(table, "meta") == 0 ? "WHERE key = 'generation'" : "");
}

/* Short ones in full, long ones by length and FNV-1a. */
static void dump_blob(const unsigned char *p, size_t n, struct buf *out)
{
	uint64_t h = 0xcbf29ce484222325u;

	buf_printf(out, "|%zu:", n);
	for (size_t i = 0; i < n; i++) {
		if (n <= 64)
			buf_printf(out, "%02x", p[i]);
		h = (h ^ p[i]) * 0x100000001b3u;
	}
	if (n > 64)
		buf_printf(out, "%016llx", (unsigned long long)h);
}

static void dump_table(sqlite3 *db, const char *table, struct buf *out)
{
	char *sql = dump_sql(table);
	sqlite3_stmt *st = NULL;

	must(sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK, sql);
	while (sqlite3_step(st) == SQLITE_ROW) {
		buf_z(out, table);
		for (int i = 0; i < sqlite3_column_count(st); i++) {
			const unsigned char *p;

			if (is_time(sqlite3_column_name(st, i)))
				continue;
			if (sqlite3_column_type(st, i) != SQLITE_BLOB) {
				p = sqlite3_column_text(st, i);
				buf_printf(out, "|%s", p ? (const char *)p : "NULL");
				continue;
			}
			dump_blob(sqlite3_column_blob(st, i), (size_t)sqlite3_column_bytes(st, i), out);
		}
		buf_ch(out, '\n');
	}
	must(sqlite3_finalize(st) == SQLITE_OK, sql);
	sqlite3_free(sql);
}

char *dump_project(struct conn *c)
{
	sqlite3 *db = stmt_db(c);
	struct buf out = BUF_INIT;
	sqlite3_stmt *st = NULL;

	must(sqlite3_prepare_v2(db,
				"SELECT name FROM main.sqlite_schema WHERE type = 'table' AND name <> 'import' "
				"ORDER BY name",
				-1, &st, NULL) == SQLITE_OK,
	     "schema");
	while (sqlite3_step(st) == SQLITE_ROW)
		dump_table(db, (const char *)sqlite3_column_text(st, 0), &out);
	must(sqlite3_finalize(st) == SQLITE_OK, "schema");
	return buf_take(&out);
}

struct snapshot *must_load(struct conn *c, const char *dataset)
{
	struct snapshot *s = NULL;
	struct err err = ERR_INIT;

	if (snapshot_load(c, dataset, &s, &err) != OK)
		must(false, err.msg);
	return s;
}

static uint32_t ordinal(struct conn *c, const struct snapshot *s, const char *key)
{
	struct err err = ERR_INIT;
	uint32_t ord = 0;

	if (fetch_ordinal(c, s->dataset_id, str_z(key), &ord, &err) != OK)
		must(false, err.msg);
	return ord;
}

static const struct run *run_of(const struct snapshot *s, const char *handle)
{
	for (uint32_t i = 0; i < s->n_runs; i++)
		if (strcmp(s->runs[i].handle, handle) == 0)
			return &s->runs[i];
	must(false, handle);
	return NULL;
}

const char *answered(struct conn *c, const struct snapshot *s, const char *handle, const char *key)
{
	uint64_t label = column_u(&run_of(s, handle)->label, ordinal(c, s, key));

	return label == COLUMN_NONE ? "" : s->classes[label].name;
}

char *raw_text(struct conn *c, const struct snapshot *s, const char *handle, const char *key)
{
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	struct str text = STR_NONE;
	char *copy;

	if (fetch_text(c, run_of(s, handle)->id, FIELD_RAW, ordinal(c, s, key), &text, &arena,
		       &err) != OK)
		must(false, err.msg);
	copy = xstrndup(text.n ? text.p : "", text.n);
	arena_release(&arena);
	return copy;
}
