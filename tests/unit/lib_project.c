#include "tests/unit/lib_project.h"

#include <errno.h>
#include <ftw.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/base/xmalloc.h"

static void give_up(const char *what, const struct err *err)
{
	fprintf(stderr, "lib_project: %s: %s\n", what, err->msg);
	abort();
}

char *project_folder(void)
{
	const char *tmp = getenv("TMPDIR");
	char *folder = xasprintf("%s/qualm-test-XXXXXX", tmp && *tmp ? tmp : "/tmp");

	if (!mkdtemp(folder)) {
		perror(folder);
		abort();
	}
	return folder;
}

static int remove_one(const char *path, const struct stat *sb, int type, struct FTW *where)
{
	(void)sb, (void)type, (void)where;
	return remove(path);
}

void project_remove(char *folder)
{
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
	free(folder);
}

char *project_file(const char *folder, const char *name)
{
	return xasprintf("%s/%s", folder, name);
}

struct conn *project_open(const char *path, enum conn_mode mode)
{
	struct err err = ERR_INIT;
	struct conn *c = NULL;

	if (conn_open(&c, path, mode, &err) != OK)
		give_up(path, &err);
	return c;
}

void project_exec(struct conn *c, const char *sql)
{
	struct err err = ERR_INIT;

	if (stmt_exec(c, sql, &err) != OK)
		give_up(sql, &err);
}

int64_t project_int(struct conn *c, const char *sql)
{
	sqlite3_stmt *s = NULL;
	int64_t v;

	if (sqlite3_prepare_v2(stmt_db(c), sql, -1, &s, NULL) != SQLITE_OK ||
	    sqlite3_step(s) != SQLITE_ROW) {
		fprintf(stderr, "lib_project: %s: %s\n", sql, sqlite3_errmsg(stmt_db(c)));
		abort();
	}
	v = sqlite3_column_int64(s, 0);
	sqlite3_finalize(s);
	return v;
}

void project_column(struct conn *c, enum owner_kind kind, int64_t owner, const char *name,
		    enum dtype d, const double *v, size_t n)
{
	struct err err = ERR_INIT;
	struct column col = column_new(d, n);

	for (size_t i = 0; i < n; i++)
		column_set_f(&col, i, v[i]);
	if (column_store(c, kind, owner, name, &col, &err) != OK)
		give_up(name, &err);
	column_release(&col);
}

/* ords NULL: the texts are shared. */
static void put_chunk(struct conn *c, int64_t run, enum text_field field, uint64_t start,
		      const uint32_t *ords, const uint32_t *lens, size_t n, const struct buf *data)
{
	sqlite3_stmt *s = NULL;

	if (sqlite3_prepare_v2(stmt_db(c),
			       "INSERT INTO chunk (run, field, start, n, ords, lens, data, codec) "
			       "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
			       -1, &s, NULL) != SQLITE_OK)
		abort();
	sqlite3_bind_int64(s, 1, run);
	sqlite3_bind_int64(s, 2, (int64_t)field);
	sqlite3_bind_int64(s, 3, (int64_t)start);
	sqlite3_bind_int64(s, 4, (int64_t)n);
	sqlite3_bind_blob64(s, 5, ords ? (const void *)ords : "", ords ? n * sizeof *ords : 0, SQLITE_STATIC);
	sqlite3_bind_blob64(s, 6, lens, n * sizeof *lens, SQLITE_STATIC);
	sqlite3_bind_blob64(s, 7, data->p, data->n, SQLITE_STATIC);
	sqlite3_bind_int(s, 8, !ords);
	if (sqlite3_step(s) != SQLITE_DONE)
		abort();
	sqlite3_finalize(s);
}

static const char *const names[N_FIELDS] = {"text_raw",   "text_extracted", "text_steps", "text_marks",
					    "text_error", "text_details",   "text_people"};

void project_texts(struct conn *c, int64_t run, enum text_field field, const char *const *texts,
		   size_t n, size_t per_chunk)
{
	uint32_t *ords = xcalloc(n + 1, sizeof *ords), *lens = xcalloc(n + 1, sizeof *lens);
	double *place = xcalloc(n + 1, sizeof *place);
	struct buf data = BUF_INIT;
	uint64_t start = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		place[i] = texts[i] && *texts[i] ? (double)(start + data.n) : NAN;
		if (texts[i] && *texts[i]) {
			ords[k] = (uint32_t)i;
			lens[k++] = (uint32_t)strlen(texts[i]);
			buf_z(&data, texts[i]);
		}
		if (data.n && (k == per_chunk || i + 1 == n)) {
			put_chunk(c, run, field, start, ords, lens, k, &data);
			start += data.n;
			buf_clear(&data);
			k = 0;
		}
	}
	project_column(c, OWNER_RUN, run, names[field], DT_U32, place, n);
	buf_release(&data);
	free(place);
	free(ords);
	free(lens);
}

static size_t place_of(const char *const *texts, size_t i)
{
	size_t k = 0;

	while (strcmp(texts[k] ? texts[k] : "", texts[i]) != 0)
		k++;
	return k;
}

void project_shared_texts(struct conn *c, int64_t run, enum text_field field,
			  const char *const *texts, size_t n, size_t per_chunk)
{
	uint32_t *lens = xcalloc(n + 1, sizeof *lens);
	double *place = xcalloc(n + 1, sizeof *place);
	struct buf data = BUF_INIT;
	uint64_t start = 0;
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		bool said = texts[i] && *texts[i];
		size_t first = said ? place_of(texts, i) : i;

		place[i] = !said ? NAN : first < i ? place[first] : (double)(start + data.n);
		if (said && first == i) {
			lens[k++] = (uint32_t)strlen(texts[i]);
			buf_z(&data, texts[i]);
		}
		if (data.n && (k == per_chunk || i + 1 == n)) {
			put_chunk(c, run, field, start, NULL, lens, k, &data);
			start += data.n;
			buf_clear(&data);
			k = 0;
		}
	}
	project_column(c, OWNER_RUN, run, names[field], DT_U32, place, n);
	buf_release(&data);
	free(place);
	free(lens);
}

/* Those of the first n samples, in the arena; caller frees the array. */
static const char **read_extracted(struct conn *c, int64_t run, size_t n, struct arena *arena)
{
	const char **texts = xcalloc(n + 1, sizeof *texts);
	struct err err = ERR_INIT;

	for (uint32_t i = 0; i < n; i++) {
		struct str text = STR_NONE;

		if (fetch_text(c, run, FIELD_EXTRACTED, i, &text, arena, &err) != OK)
			give_up("fetch_text", &err);
		texts[i] = arena_str(arena, text).p;
	}
	return texts;
}

static void run_as_version_1(struct conn *c, int64_t run)
{
	char *sql = xasprintf("DELETE FROM chunk WHERE run = %lld AND field = 1", (long long)run);
	struct column place = {DT_U8, 0, NULL};
	struct arena arena = ARENA_INIT;
	struct err err = ERR_INIT;
	const char **texts;

	if (column_load(c, OWNER_RUN, run, names[FIELD_EXTRACTED], &place, &err) == OK) {
		texts = read_extracted(c, run, place.n, &arena);
		project_exec(c, sql);
		project_texts(c, run, FIELD_EXTRACTED, texts, place.n, 1000);
		free(texts);
	}
	free(sql);
	arena_release(&arena);
	column_release(&place);
}

void project_as_version_1(const char *path)
{
	struct conn *c = project_open(path, CONN_WRITE);

	for (int64_t run = project_int(c, "SELECT coalesce(max(id), 0) FROM run"); run > 0; run--)
		run_as_version_1(c, run);
	project_exec(c, "PRAGMA user_version = 1");
	conn_close(c);
}

#define COLUMN(kind, owner, name, d, ...)                                                          \
	project_column(c, kind, owner, name, d, (const double[]){__VA_ARGS__},                     \
		       sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static void add_dataset(struct conn *c)
{
	project_exec(c, "INSERT INTO dataset (id, name, preset, image_root, declared, n_samples, "
			"created) VALUES (1, 'tiny', 'regt', 'pics', 1, 6, '2024-01-01T00:00:00Z')");
	project_exec(c, "INSERT INTO class (dataset, ord, idx, wnid, name, parent) VALUES "
			"(1, 0, 0, 'n001', 'cat', NULL), (1, 1, 1, 'n002', 'dog', NULL), "
			"(1, 2, 2, 'n003', 'fox', 1)");
	project_exec(c, "INSERT INTO equivalence VALUES (1, 1, 2)");
	project_exec(c, "INSERT INTO option_set (id, dataset, items) VALUES "
			"(7, 1, '[[\"A cat\",0],[\"Ein Hund \u00fc\",1],[\"neither\",null]]')");
	project_exec(c, "WITH RECURSIVE k(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM k WHERE i < 5) "
			"INSERT INTO sample (id, dataset, ord, key, media, path, text_kind, text, "
			"option_set, extra) SELECT (1 << 32) + i, 1, i, 's' || i, i < 5, "
			"iif(i < 5, 's' || i || '.png', ''), 1 + (i = 5), 'Is this Number ' || i || '?', "
			"iif(i = 0, 7, NULL), iif(i = 1, '{\"k\":1}', '') FROM k");
	COLUMN(OWNER_DATASET, 1, "media", DT_U8, 1, 1, 1, 1, 1, 0);
}

static void add_facets(struct conn *c)
{
	project_exec(c, "INSERT INTO facet (id, dataset, name, numeric, multi) VALUES "
			"(1, 1, 'emotion', 0, 0), (2, 1, 'tags', 0, 1), (3, 1, 'size', 1, 0)");
	project_exec(c, "INSERT INTO facet_value VALUES (1, 0, 'joy', NULL), (1, 1, 'delight', 0), "
			"(1, 2, 'fear', NULL), (2, 0, 'x', NULL), (2, 1, 'y', NULL)");
	COLUMN(OWNER_FACET, 1, "value", DT_U8, 0, 1, 2, 0, 1);
	COLUMN(OWNER_FACET, 2, "offset", DT_U32, 0, 1, 1, 3, 4);
	COLUMN(OWNER_FACET, 2, "value", DT_U8, 0, 0, 1, 1);
	COLUMN(OWNER_FACET, 3, "number", DT_F64, 1, 2.5, NAN, 4, 5, 6);
}

static void add_layers(struct conn *c)
{
	project_exec(c, "INSERT INTO layer (id, dataset, name, kind, n_labelled) VALUES "
			"(1, 1, 'original', 0, 6), (2, 1, 'reannotated', 0, 5), (3, 1, 'votes', 1, 5)");
	COLUMN(OWNER_LAYER, 1, "covered", DT_U8, 1, 1, 1, 1, 1, 1);
	COLUMN(OWNER_LAYER, 1, "offset", DT_U32, 0, 1, 2, 3, 4, 5, 6);
	COLUMN(OWNER_LAYER, 1, "value", DT_U8, 0, 1, 2, 0, 1, 2);
	COLUMN(OWNER_LAYER, 2, "covered", DT_U8, 1, 1, 1, 1, 1);
	COLUMN(OWNER_LAYER, 2, "offset", DT_U32, 0, 1, 1, 3, 4, 5);
	COLUMN(OWNER_LAYER, 2, "value", DT_U16, 0, 0, 2, 2, 1);
	project_exec(c, "INSERT INTO layer_field VALUES (3, 0, 0, 'cat'), (3, 1, 1, 'dog')");
	COLUMN(OWNER_LAYER, 3, "covered", DT_U8, 1, 1, 1, 1, 1);
	COLUMN(OWNER_LAYER, 3, "votes", DT_F32, 3, 1, 0, 4, 2, 2, 1, 0, 0, 0);
}

static void add_runs(struct conn *c)
{
	static const char *const texts[] = {"answer 0", "answer 1", "answer 2", NULL, "answer 4"};

	project_exec(c, "INSERT INTO model VALUES (1, 'm1'), (2, 'm2')");
	project_exec(c, "INSERT INTO run (id, dataset, model, handle, title, protocol, list_rule, "
			"open_world, scratch, n, imported) VALUES "
			"(1, 1, 1, 'm1/cw', 'Model One', 'CW', 1, 0, 0, 5, '2024-01-01T00:00:00Z'), "
			"(2, 1, 2, 'm2', 'Model Two', '', 0, 1, 1, 2, '2024-01-02T00:00:00Z')");
	COLUMN(OWNER_RUN, 1, "outcome", DT_U8, 1, 1, 1, 2, 3);
	COLUMN(OWNER_RUN, 1, "label", DT_U8, 0, 1, 0, NAN, NAN);
	COLUMN(OWNER_RUN, 1, "list_ord", DT_U32, 2);
	COLUMN(OWNER_RUN, 1, "list_offset", DT_U32, 0, 2);
	COLUMN(OWNER_RUN, 1, "list_value", DT_U8, 0, 2);
	COLUMN(OWNER_RUN, 1, "score", DT_F32, 0, 0.5, 1, 1.5, 2);
	COLUMN(OWNER_RUN, 1, "tokens", DT_U16, 0, 10, 20, 30, 40);
	COLUMN(OWNER_RUN, 2, "outcome", DT_U8, 0, 1, 6);
	COLUMN(OWNER_RUN, 2, "label", DT_U8, NAN, 2, NAN);
	project_texts(c, 1, FIELD_RAW, texts, 5, 2);
}

void project_make_tiny(const char *path, int page_size)
{
	struct conn *c = project_open(path, CONN_CREATE);
	char sql[64];

	project_exec(c, "BEGIN");
	add_dataset(c);
	add_facets(c);
	add_layers(c);
	add_runs(c);
	project_exec(c, "COMMIT");
	if (page_size) {
		snprintf(sql, sizeof sql, "PRAGMA page_size = %d; VACUUM", page_size);
		project_exec(c, sql);
	}
	conn_close(c);
}

void project_put(const char *folder, const char *name, struct str bytes)
{
	char *path = project_file(folder, name), *slash = strrchr(path, '/');
	struct err err = ERR_INIT;
	FILE *f;

	*slash = '\0';
	if (path_mkdirs(path, &err) != OK)
		give_up(path, &err);
	*slash = '/';
	f = fopen(path, "wb");
	if (!f || fwrite(bytes.p, 1, bytes.n, f) != bytes.n || fclose(f) != 0) {
		err_errno(&err, errno, "it cannot be written");
		give_up(path, &err);
	}
	free(path);
}
