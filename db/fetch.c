#include "db/fetch.h"

#include <limits.h>
#include <stdlib.h>

#include "core/base/path.h"
#include "core/base/vec.h"
#include "core/text/json.h"
#include "db/conn_impl.h"

static int64_t sample_id(int64_t dataset, uint32_t ord)
{
	return (int64_t)((uint64_t)dataset << 32 | ord);
}

static struct str text_of(sqlite3_stmt *s, int col, struct arena *arena)
{
	struct str v = stmt_str(s, col);

	return v.n ? arena_str(arena, v) : STR("");
}

static void read_row(sqlite3_stmt *s, struct sample_row *row, struct arena *arena)
{
	int64_t media = sqlite3_column_int64(s, 2), kind = sqlite3_column_int64(s, 4);

	row->key = text_of(s, 1, arena);
	row->media = media > 0 && media <= MEDIA_VIDEO ? (enum media_kind)media : MEDIA_NONE;
	row->path = text_of(s, 3, arena);
	row->text_kind = kind > 0 && kind <= TEXT_STATEMENT ? (enum text_kind)kind : TEXT_NONE;
	row->text = text_of(s, 5, arena);
	row->extra = text_of(s, 6, arena);
	row->option_set = sqlite3_column_int64(s, 7);
}

enum status fetch_samples(struct conn *c, int64_t dataset, uint32_t from, uint32_t n,
			  struct sample_row *rows, struct arena *arena, struct err *err)
{
	sqlite3_stmt *s;
	enum status st;
	bool row;

	for (uint32_t i = 0; i < n; i++)
		rows[i] = (struct sample_row){.ord = from + i,
					      .key = STR(""),
					      .path = STR(""),
					      .text = STR(""),
					      .extra = STR("")};
	if (n == 0)
		return OK;
	s = stmt_get(c, STMT_SAMPLE_RANGE, err);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, sample_id(dataset, from));
	sqlite3_bind_int64(s, 2, sample_id(dataset, n - 1 > UINT32_MAX - from ? UINT32_MAX
									      : from + (n - 1)));
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		uint32_t at = (uint32_t)sqlite3_column_int64(s, 0) - from;

		if (at < n) /* a damaged table may give others */
			read_row(s, &rows[at], arena);
	}
	return st;
}

enum status fetch_sample_list(struct conn *c, int64_t dataset, const uint32_t *ords, uint32_t n,
			      struct sample_row *rows, struct arena *arena, struct err *err)
{
	bool began;
	enum status st = read_begin(c, &began, err);

	if (st != OK)
		return st;
	for (uint32_t i = 0, end; st == OK && i < n; i = end) {
		for (end = i + 1; end < n && ords[end] == ords[i] + (end - i); end++)
			;
		st = fetch_samples(c, dataset, ords[i], end - i, rows + i, arena, err);
	}
	read_end(c, began);
	return st;
}

enum status fetch_sample(struct conn *c, int64_t dataset, uint32_t ord, struct sample_row *row,
			 struct arena *arena, struct err *err)
{
	return fetch_samples(c, dataset, ord, 1, row, arena, err);
}

enum status fetch_ordinal(struct conn *c, int64_t dataset, struct str key, uint32_t *ord,
			  struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_SAMPLE_BY_KEY, err);
	enum status st;
	int64_t id;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	stmt_bind_str(s, 2, key.p ? key : STR(""));
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	if (!row)
		return err_set(err, E_NOT_FOUND, "there is no sample %.*s",
			       (int)(key.n < 200 ? key.n : 200), key.p ? key.p : "");
	id = sqlite3_column_int64(s, 0);
	sqlite3_reset(s);
	if (id >> 32 != dataset)
		return err_set(err, E_FORMAT, "%s is damaged: a sample is in two datasets", c->path);
	*ord = (uint32_t)id;
	return OK;
}

/* [text, class ordinal or null], or a bare text. */
static struct option_row option_from(const cJSON *item, const cJSON *text, struct arena *arena)
{
	const cJSON *cls = cJSON_IsArray(item) && item->child ? item->child->next : NULL;
	double ord;

	return (struct option_row){
	    arena_str(arena, cJSON_IsString(text) ? str_z(text->valuestring) : STR("")),
	    json_number(cls, &ord) && ord >= 0 && ord < UINT32_MAX ? (uint32_t)ord : UINT32_MAX};
}

static enum status parse_options(struct conn *c, struct str items, struct option_row **out, size_t *n,
				 struct arena *arena, struct err *err)
{
	cJSON *json = NULL;
	const cJSON *item;
	size_t k = 0;
	enum status st = json_parse(items, &json, err);

	if (st != OK) {
		err_prefix(err, "%s is damaged: a set of options", c->path);
		return st;
	}
	*n = cJSON_IsArray(json) ? (size_t)cJSON_GetArraySize(json) : 0;
	*out = arena_zalloc(arena, *n ? *n : 1, sizeof **out);
	cJSON_ArrayForEach(item, json)
	{
		const cJSON *text = cJSON_IsArray(item) ? item->child : item;

		if (k < *n)
			(*out)[k++] = option_from(item, text, arena);
	}
	cJSON_Delete(json);
	return OK;
}

enum status fetch_options(struct conn *c, int64_t option_set, struct option_row **out, size_t *n,
			  struct arena *arena, struct err *err)
{
	sqlite3_stmt *s;
	enum status st;
	bool row;

	*out = NULL;
	*n = 0;
	if (option_set == 0)
		return OK;
	s = stmt_get(c, STMT_OPTION_SET_GET, err);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, option_set);
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	if (!row)
		return err_set(err, E_FORMAT, "%s is damaged: a set of options is missing", c->path);
	st = parse_options(c, stmt_str(s, 0), out, n, arena, err);
	sqlite3_reset(s);
	return st;
}

enum status fetch_datasets(struct conn *c, struct dataset_name **out, size_t *n,
			   struct arena *arena, struct err *err)
{
	VEC(struct dataset_name) v = {0};
	sqlite3_stmt *s = stmt_get(c, STMT_DATASET_LIST, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		struct str name = text_of(s, 1, arena);
		int64_t count = sqlite3_column_int64(s, 2);
		struct dataset_name d = {name.p, count > 0 && count < UINT32_MAX ? (uint32_t)count : 0,
					 sqlite3_column_int64(s, 0)};

		vec_push(&v, d);
	}
	if (st == OK) {
		*out = arena_zalloc(arena, v.n ? v.n : 1, sizeof **out);
		if (v.n)
			memcpy(*out, v.v, v.n * sizeof *v.v);
		*n = v.n;
	}
	vec_release(&v);
	return st;
}

/* The dataset's folder of pictures; relative to the project's folder. */
static char *image_root(struct conn *c, const struct snapshot *snap)
{
	struct str dir = path_dir(str_z(c->path));
	char *project = xstrndup(dir.p, dir.n), *root;

	root = path_join(project, str_z(snap->image_root));
	free(project);
	return root;
}

static char *below_root(const char *root, struct str path)
{
	size_t n = strlen(root);
	struct str rest;

	while (n > 1 && root[n - 1] == '/')
		n--;
	if (!str_starts(path, (struct str){root, n}))
		return NULL;
	rest = (struct str){path.p + n, path.n - n};
	if (rest.n == 0 || (root[n - 1] != '/' && rest.p[0] != '/'))
		return NULL;
	while (rest.n && rest.p[0] == '/')
		rest.p++, rest.n--;
	return path_is_inside(rest) ? xstrndup(path.p, path.n) : NULL;
}

/* A link in the folder that leads out of it would show what the folder does not hold. What does
 * not exist is no matter: opening it will say so. */
static bool leads_out(const char *root, const char *path)
{
	char *real = realpath(path, NULL), *folder = realpath(root, NULL), *below = NULL;
	bool out;

	if (real && folder)
		below = below_root(folder, str_z(real));
	out = real && !below;
	free(below);
	free(folder);
	free(real);
	return out;
}

char *fetch_picture_path(struct conn *c, const struct snapshot *snap, struct str path)
{
	char *root, *real = NULL, *out = NULL;

	if (path.n == 0 || path.n >= PATH_MAX || memchr(path.p, '\0', path.n))
		return NULL;
	root = image_root(c, snap);
	if (path_is_inside(path)) {
		out = path_join(root, path);
	} else if (path.p[0] == '/') {
		real = realpath(root, NULL);
		out = below_root(root, path);
		if (!out && real)
			out = below_root(real, path);
	}
	if (out && leads_out(root, out)) {
		free(out);
		out = NULL;
	}
	free(real);
	free(root);
	return out;
}

enum status fetch_media(struct conn *c, int64_t dataset, const struct sample_row *row, struct str **paths,
			size_t *n, struct arena *arena, struct err *err)
{
	VEC(struct str) v = {0};
	enum status st = OK;
	bool more = row->media == MEDIA_IMAGES;

	if (row->path.n)
		vec_push(&v, row->path);
	if (more) {
		sqlite3_stmt *s = stmt_get(c, STMT_SAMPLE_MEDIA_PATHS, err);

		st = s ? OK : err->code;
		if (s)
			sqlite3_bind_int64(s, 1, sample_id(dataset, row->ord));
		while (!st && (st = stmt_step(c, s, &more, err)) == OK && more)
			if (stmt_str(s, 0).n)
				vec_push(&v, text_of(s, 0, arena));
	}
	*n = st ? 0 : v.n;
	*paths = arena_alloc(arena, (v.n + 1) * sizeof **paths);
	if (v.n)
		memcpy(*paths, v.v, v.n * sizeof *v.v);
	vec_release(&v);
	return st;
}

char *fetch_picture_paths(struct conn *c, const struct snapshot *snap, const struct sample_row *row)
{
	struct arena arena = {0};
	struct buf all = BUF_INIT;
	struct err ignored = ERR_INIT;
	struct str *paths;
	size_t n = 0;

	if (row->media != MEDIA_IMAGES ||
	    fetch_media(c, snap->dataset_id, row, &paths, &n, &arena, &ignored) != OK || n < 2) {
		arena_release(&arena);
		return fetch_picture_path(c, snap, row->path);
	}
	for (size_t i = 0; i < n; i++) {
		char *path = fetch_picture_path(c, snap, paths[i]);

		if (path && !strchr(path, '\n')) {
			if (all.n)
				buf_ch(&all, '\n');
			buf_z(&all, path);
		}
		free(path);
	}
	arena_release(&arena);
	return all.n ? buf_take(&all) : NULL;
}
