#include "core/base/vec.h"
#include "core/text/json.h"
#include "db/conn_impl.h"
#include "db/fetch.h"

static enum status fetch_ranks(struct conn *c, enum stmt_id id, int64_t dataset, uint32_t n_samples,
			       uint32_t *rank, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, id, err);
	uint32_t at = 0;
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		int64_t sample = sqlite3_column_int64(s, 0);
		uint32_t ord = (uint32_t)sample;

		if (sample >> 32 == dataset && ord < n_samples)
			rank[ord] = at++;
	}
	return st;
}

enum status fetch_key_ranks(struct conn *c, int64_t dataset, uint32_t n_samples, uint32_t *rank,
			    struct err *err)
{
	for (uint32_t i = 0; i < n_samples; i++)
		rank[i] = i;
	return fetch_ranks(c, STMT_SAMPLE_BY_KEYS, dataset, n_samples, rank, err);
}

enum status fetch_text_ranks(struct conn *c, int64_t dataset, uint32_t n_samples, uint32_t *rank,
			     struct err *err)
{
	memset(rank, 0xff, (size_t)n_samples * sizeof *rank);
	return fetch_ranks(c, STMT_SAMPLE_BY_TEXTS, dataset, n_samples, rank, err);
}

enum status fetch_layers(struct conn *c, int64_t dataset, struct layer_count **out, size_t *n,
			 struct arena *arena, struct err *err)
{
	VEC(struct layer_count) v = {0};
	sqlite3_stmt *s = stmt_get(c, STMT_LAYER_COUNTS, err);
	enum status st;
	bool row;

	*out = NULL;
	*n = 0;
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		int64_t labelled = sqlite3_column_int64(s, 1);
		struct str name = stmt_str(s, 0);
		struct layer_count l = {arena_strndup(arena, name.n ? name.p : "", name.n),
					labelled > 0 && labelled <= UINT32_MAX ? (uint32_t)labelled : 0};

		vec_push(&v, l);
	}
	if (st == OK && v.n) {
		*out = arena_zalloc(arena, v.n, sizeof **out);
		memcpy(*out, v.v, v.n * sizeof **out);
		*n = v.n;
	}
	vec_release(&v);
	return st;
}

/* --- imports --- */

static uint64_t number(const cJSON *object, const char *name)
{
	const cJSON *v = cJSON_GetObjectItemCaseSensitive(object, name);

	return cJSON_IsNumber(v) && v->valuedouble > 0 && v->valuedouble < 1e15
		       ? (uint64_t)v->valuedouble
		       : 0;
}

/* A report that cannot be read says nothing; the counts have columns of their own. */
static void read_report(struct str text, struct import_row *out, struct arena *arena)
{
	struct err ignored = ERR_INIT;
	cJSON *json = NULL;
	const cJSON *first, *said, *doubt;
	uint64_t line;

	if (!text.n || json_parse(text, &json, &ignored) != OK)
		return;
	out->warnings = number(json, "warnings");
	first = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "examples"), 0);
	said = cJSON_GetObjectItemCaseSensitive(first, "text");
	line = number(first, "line");
	doubt = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(json, "doubts"), 0);
	if (cJSON_IsString(doubt))
		out->example = arena_str(arena, str_z(doubt->valuestring));
	else if (cJSON_IsString(said) && line)
		out->example = str_z(arena_printf(arena, "line %llu: %s", (unsigned long long)line,
						  said->valuestring));
	else if (cJSON_IsString(said))
		out->example = arena_str(arena, str_z(said->valuestring));
	cJSON_Delete(json);
}

static uint64_t count_of(sqlite3_stmt *s, int col)
{
	int64_t v = sqlite3_column_int64(s, col);

	return v > 0 ? (uint64_t)v : 0;
}

static struct str copy(sqlite3_stmt *s, int col, struct arena *arena)
{
	struct str v = stmt_str(s, col);

	return v.n ? arena_str(arena, v) : STR("");
}

enum status fetch_imports(struct conn *c, size_t max, struct import_row **out, size_t *n,
			  struct arena *arena, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_IMPORT_LIST, err);
	enum status st;
	bool row;

	*out = arena_zalloc(arena, max + 1, sizeof **out);
	*n = 0;
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, (int64_t)max);
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		struct import_row *r = &(*out)[*n];

		*r = (struct import_row){.at = copy(s, 0, arena),
					 .path = copy(s, 1, arena),
					 .reader = copy(s, 2, arena),
					 .dataset = sqlite3_column_int64(s, 3),
					 .rows = count_of(s, 4),
					 .skipped = count_of(s, 5),
					 .unmatched = count_of(s, 6),
					 .example = STR("")};
		read_report(stmt_str(s, 7), r, arena);
		++*n;
	}
	return st;
}

enum status fetch_joins(struct conn *c, int64_t dataset, uint64_t joined[N_MATCHED], struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_IMPORT_JOINS, err);
	enum status st;
	bool row;

	memset(joined, 0, N_MATCHED * sizeof *joined);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	while ((st = stmt_step(c, s, &row, err)) == OK && row)
		for (int i = 0; i < N_MATCHED; i++)
			if (str_eqz(stmt_str(s, 0), matched_word((enum matched)i)))
				joined[i] = count_of(s, 1);
	return st;
}

enum status fetch_run_asking(struct conn *c, int64_t run, struct run_asking *out, struct arena *arena,
			     struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_RUN_ASKING, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, run);
	st = stmt_step(c, s, &row, err);
	if (st != OK)
		return st;
	if (!row)
		return err_set(err, E_NOT_FOUND, "there is no such run any more");
	out->prompt = arena_str(arena, stmt_str(s, 0));
	out->settings = arena_str(arena, stmt_str(s, 1));
	sqlite3_reset(s);
	return OK;
}

/* The columns that the two statements have at these places. */
static enum status class_texts(struct conn *c, int64_t dataset, enum stmt_id id, int text, int ord,
			       fetch_class_text *fn, void *ctx, struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, id, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	while ((st = stmt_step(c, s, &row, err)) == OK && row) {
		int64_t v = sqlite3_column_int64(s, ord);

		fn(ctx, stmt_str(s, text), v >= 0 && v < UINT32_MAX ? (uint32_t)v : UINT32_MAX);
	}
	return st;
}

enum status fetch_class_texts(struct conn *c, int64_t dataset, fetch_class_text *fn, void *ctx,
			      struct err *err)
{
	enum status st = class_texts(c, dataset, STMT_SEARCH_ALIASES, 1, 0, fn, ctx, err);

	return st == OK ? class_texts(c, dataset, STMT_LABEL_LIST, 0, 2, fn, ctx, err) : st;
}
