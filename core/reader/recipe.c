#include "core/reader/recipe.h"

#include "core/reader/columns.h"
#include "core/text/ini.h"

const struct recipe_field recipe_fields[] = {
    {"key", "names the sample"},
    {"image", "path of the picture or video"},
    {"label", "the truth: a class, or a list of them"},
    {"prediction", "the answer, as a class"},
    {"raw", "the whole response of the model"},
    {"question", "what was asked"},
    {"statement", "what is to be judged"},
    {"options", "the answers to choose from"},
    {"model", "who answered"},
    {"run", "handle of the run"},
    {"protocol", "how it was asked: OW, CW, MC ..."},
    {"score", "how sure the answer is"},
    {"latency_ms", "milliseconds that it took"},
    {"tokens", "how many were used"},
    {"error", "why there is no answer"},
    {"refusal", "whether the model refused"},
    {"facet", "a property of the sample to filter by"},
    {"number", "a figure"},
    {"details", "kept as it is"},
    {"ignore", "not read"},
    {"label_index", "the truth as the number of its class, from 0"},
    {"label_wnid", "the truth as a WordNet id"},
    {"label_full", "all names of the true class"},
    {"prediction_index", "the answer as the number of its class, from 0"},
    {"degree", "how strong the answer calls it"},
    {"batch_size", "how many were asked at once"},
    {"batch_pos", "its place among them"},
    {NULL, NULL},
};

struct str recipe_layer(struct str word)
{
	return str_starts(word, STR("label@")) ? (struct str){word.p + 6, word.n - 6} : STR_NONE;
}

bool recipe_is_field(struct str word)
{
	for (const struct recipe_field *f = recipe_fields; f->word; f++)
		if (str_eqz(word, f->word))
			return true;
	return recipe_layer(word).n > 0;
}

bool recipe_is_option(struct str word)
{
	return str_eqz(word, "model") || str_eqz(word, "run") || str_eqz(word, "protocol") ||
	       str_eqz(word, "layer");
}

/* --- reading --- */

struct reading {
	struct recipe *r;
	struct buf scratch;
};

/* A JSON string stands for what an ini file would cut off. */
static enum status value_of(struct reading *in, const char *text, struct str *out, struct err *err)
{
	struct err why = ERR_INIT;
	cJSON *tree = NULL;

	if (text[0] != '"') {
		*out = arena_str(&in->r->arena, str_z(text));
	} else {
		if (json_parse(str_z(text), &tree, &why) != OK)
			return err_set(err, E_FORMAT, "expected a string in quotes: %s", why.msg);
		*out = arena_str(&in->r->arena, json_text(tree));
		cJSON_Delete(tree);
	}
	if (out->n > RECIPE_MAX_VALUE)
		return err_set(err, E_LIMIT, "a value of more than %d bytes", RECIPE_MAX_VALUE);
	return out->n ? OK : err_set(err, E_FORMAT, "there is no value");
}

static int word_at(struct str value, const char *const *words)
{
	for (int i = 0; words[i]; i++)
		if (str_eq_nocase(value, str_z(words[i])))
			return i;
	return -1;
}

static enum status set_word(struct str value, const char *const *words, int *out, struct err *err)
{
	int at = word_at(value, words);

	if (at < 0)
		return err_set(err, E_FORMAT, "expected %s, %s%s%s, got \"%.60s\"", words[0], words[1],
			       words[2] ? " or " : "", words[2] ? words[2] : "", value.p);
	*out = at;
	return OK;
}

static const char *const holds_words[] = {"any", "samples", "predictions", NULL};
static const char *const header_words[] = {"any", "yes", "no", NULL};
static const char *const join_words[] = {"loose", "exact", "position", NULL};

static enum status table_entry(struct recipe *r, const char *name, struct str value,
			       struct err *err)
{
	int at = 0;
	enum status st = OK;

	if (strcmp(name, "holds") == 0) {
		st = set_word(value, holds_words, &at, err);
		r->holds = (enum recipe_holds)at;
	} else if (strcmp(name, "header") == 0) {
		st = set_word(value, header_words, &at, err);
		r->header = (enum recipe_header)at;
	} else if (strcmp(name, "join") == 0) {
		st = set_word(value, join_words, &at, err);
		r->join = (enum recipe_join)at;
	} else if (strcmp(name, "rows") == 0) {
		if (!recipe_set_rows(r, value))
			st = err_set(err, E_FORMAT, "rows: expected up to %d names, as in data.items",
				     RECIPE_ROWS);
	} else if (strcmp(name, "column") == 0) {
		if (r->columns.n >= ROWS_MAX_COLUMNS)
			st = err_set(err, E_LIMIT, "more than %d columns", ROWS_MAX_COLUMNS);
		else
			vec_push(&r->columns, value);
	} else {
		st = err_set(err, E_FORMAT,
			     "[table] has holds, header, rows, join and column, not \"%s\"", name);
	}
	return st;
}

static enum status field_name(const char *name, struct err *err)
{
	if (recipe_is_field(str_z(name)))
		return OK;
	return err_set(err, E_FORMAT, "there is no field \"%s\": key, image, label, prediction and so on",
		       name);
}

static enum status entry(void *ctx, const char *section, const char *name, const char *text,
			 unsigned line, struct err *err)
{
	struct reading *in = ctx;
	struct recipe *r = in->r;
	struct mapping m;
	size_t max = RECIPE_MAX_LIST;
	enum status st = value_of(in, text, &m.value, err);

	(void)line;
	if (st != OK)
		return st;
	if (strcmp(section, "table") == 0)
		return table_entry(r, name, m.value, err);
	m.name = arena_str(&r->arena, str_z(name));
	if (strcmp(section, "fields") == 0 || strcmp(section, "separators") == 0)
		st = field_name(name, err);
	if (strcmp(section, "spelling") == 0)
		max = RECIPE_MAX_SPELT;
	if (st != OK)
		return st;
	if (r->fields.n >= max || r->constants.n >= max || r->separators.n >= max ||
	    r->spelling.n >= max)
		return err_set(err, E_LIMIT, "more than %zu entries in [%s]", max, section);
	if (strcmp(section, "fields") == 0)
		vec_push(&r->fields, m);
	else if (strcmp(section, "constants") == 0)
		vec_push(&r->constants, m);
	else if (strcmp(section, "separators") == 0)
		vec_push(&r->separators, m);
	else if (strcmp(section, "spelling") == 0)
		vec_push(&r->spelling, m);
	else
		return err_set(err, E_FORMAT,
			       "a recipe has the sections table, fields, constants, separators and "
			       "spelling, not \"%s\"",
			       section);
	return OK;
}

/* Many columns may be each of these. */
static bool is_of_many(struct str word)
{
	return str_eqz(word, "facet") || str_eqz(word, "number") || str_eqz(word, "details") ||
	       str_eqz(word, "ignore");
}

/* Of a name that stands twice the second one would not be looked at. */
static enum status check_twice(const struct mapping *v, size_t n, const char *section, struct err *err)
{
	struct intern names = INTERN_INIT;
	enum status st = OK;

	for (size_t i = 0; i < n && st == OK; i++) {
		size_t known = names.keys.n;

		if (!is_of_many(v[i].name) && intern_add(&names, v[i].name) < known)
			st = err_set(err, E_FORMAT, "[%s] has %s twice", section, v[i].name.p);
	}
	intern_release(&names);
	return st;
}

/* What would be read past in silence. */
static enum status check(const struct recipe *r, struct err *err)
{
	for (size_t i = 0; i < r->separators.n; i++) {
		bool there = false;

		for (size_t k = 0; k < r->fields.n; k++)
			there |= str_eq(r->fields.v[k].name, r->separators.v[i].name);
		if (!there)
			return err_set(err, E_FORMAT, "[separators] has %s, which [fields] has not",
				       r->separators.v[i].name.p);
	}
	for (size_t i = 0; i < r->fields.n && r->join == JOIN_POSITION; i++)
		if (str_eqz(r->fields.v[i].name, "key"))
			return err_set(err, E_FORMAT, "join = position: then no field is the key");
	if (!r->fields.n && r->join != JOIN_POSITION)
		return err_set(err, E_FORMAT, "[fields] is empty: this is no recipe");
	if (check_twice(r->fields.v, r->fields.n, "fields", err) != OK)
		return err->code;
	if (check_twice(r->constants.v, r->constants.n, "constants", err) != OK)
		return err->code;
	return check_twice(r->separators.v, r->separators.n, "separators", err);
}

enum status recipe_read(struct str text, struct recipe *out, struct err *err)
{
	struct reading in = {.r = out};
	enum status st;

	*out = (struct recipe){.name = NULL};
	st = ini_read(text, entry, &in, err);
	if (st == OK)
		st = check(out, err);
	if (st != OK)
		recipe_release(out);
	return st;
}

void recipe_release(struct recipe *r)
{
	vec_release(&r->columns);
	vec_release(&r->fields);
	vec_release(&r->constants);
	vec_release(&r->separators);
	vec_release(&r->spelling);
	arena_release(&r->arena);
	*r = (struct recipe){.name = NULL};
}

#define COPY_LIST(from, out, list)                                                                 \
	for (size_t i_ = 0; i_ < (from)->list.n; i_++)                                             \
	vec_push(&(out)->list,                                                                     \
		 ((struct mapping){arena_str(&(out)->arena, (from)->list.v[i_].name),              \
				   arena_str(&(out)->arena, (from)->list.v[i_].value)}))

void recipe_copy(const struct recipe *from, struct recipe *out)
{
	*out = (struct recipe){.header = from->header, .holds = from->holds, .join = from->join};
	if (from->name)
		out->name = arena_strdup(&out->arena, from->name);
	for (size_t i = 0; from->rows[i]; i++)
		out->rows[i] = arena_strdup(&out->arena, from->rows[i]);
	for (size_t i = 0; i < from->columns.n; i++)
		vec_push(&out->columns, arena_str(&out->arena, from->columns.v[i]));
	COPY_LIST(from, out, fields);
	COPY_LIST(from, out, constants);
	COPY_LIST(from, out, separators);
	COPY_LIST(from, out, spelling);
}

/* --- writing --- */

static bool is_plain(struct str s)
{
	if (!s.n || s.p[0] == '"' || s.p[0] == ';' || str_trim(s).n != s.n ||
	    str_find(s, STR(" ;")) != SIZE_MAX || str_find(s, STR("\t;")) != SIZE_MAX)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == 0x7f)
			return false;
	return true;
}

static bool is_ini_name(struct str s)
{
	if (!s.n || s.n > INI_MAX_NAME_BYTES || str_trim(s).n != s.n || memchr("#;[", s.p[0], 3))
		return false;
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || memchr("=:;\"", s.p[i], 4))
			return false;
	return true;
}

static enum status put(struct buf *out, struct str name, struct str value, struct err *err)
{
	struct buf quoted = BUF_INIT;
	size_t from = out->n;

	if (!is_ini_name(name))
		return err_set(err, E_LIMIT, "\"%.*s\" cannot stand in a recipe: at most %d bytes, no = : ;",
			       (int)(name.n < 60 ? name.n : 60), name.p, INI_MAX_NAME_BYTES);
	if (value.n && memchr(value.p, '\0', value.n))
		return err_set(err, E_LIMIT, "\"%.*s\" cannot stand in a recipe: it has a zero byte",
			       (int)(value.n < 60 ? value.n : 60), value.p);
	buf_str(out, name);
	buf_z(out, " = ");
	if (is_plain(value)) {
		buf_str(out, value);
	} else {
		json_quote(&quoted, value);
		for (size_t i = 0; i < quoted.n; i++)
			if (quoted.p[i] == ';')
				buf_z(out, "\\u003b");
			else
				buf_ch(out, quoted.p[i]);
	}
	buf_release(&quoted);
	if (out->n - from > INI_MAX_LINE_BYTES)
		return err_set(err, E_LIMIT, "\"%.*s\" is too long for a recipe",
			       (int)(value.n < 60 ? value.n : 60), value.p);
	buf_ch(out, '\n');
	return OK;
}

static enum status put_list(struct buf *out, const char *section, const struct mapping *v, size_t n,
			    struct err *err)
{
	enum status st = OK;

	if (n)
		buf_printf(out, "\n[%s]\n", section);
	for (size_t i = 0; i < n && st == OK; i++)
		st = put(out, v[i].name, v[i].value, err);
	return st;
}

static enum status put_table(const struct recipe *r, struct buf *out, struct err *err)
{
	struct buf rows = BUF_INIT;
	enum status st = OK;

	buf_z(out, "[table]\n");
	if (r->holds)
		buf_printf(out, "holds = %s\n", holds_words[r->holds]);
	if (r->header)
		buf_printf(out, "header = %s\n", header_words[r->header]);
	if (r->join)
		buf_printf(out, "join = %s\n", join_words[r->join]);
	recipe_put_rows(r, &rows);
	if (rows.n)
		st = put(out, STR("rows"), buf_view(&rows), err);
	for (size_t i = 0; i < r->columns.n && st == OK; i++)
		st = put(out, STR("column"), r->columns.v[i], err);
	buf_release(&rows);
	return st;
}

enum status recipe_write(const struct recipe *r, struct buf *out, struct err *err)
{
	enum status st = check(r, err);

	if (st == OK)
		st = put_table(r, out, err);
	if (st == OK)
		st = put_list(out, "fields", r->fields.v, r->fields.n, err);
	if (st == OK)
		st = put_list(out, "constants", r->constants.v, r->constants.n, err);
	if (st == OK)
		st = put_list(out, "separators", r->separators.v, r->separators.n, err);
	if (st == OK)
		st = put_list(out, "spelling", r->spelling.v, r->spelling.n, err);
	if (st == OK && out->failed)
		st = err_set(err, E_MEMORY, "there is no memory for a recipe");
	return st;
}

/* --- changing --- */

bool recipe_set_rows(struct recipe *r, struct str path)
{
	struct reach_path p = {0};
	bool good = !path.n || (reach_parse(path, &p) && p.n <= RECIPE_ROWS);

	for (size_t i = 0; good && i < p.n; i++)
		good = p.step[i].name.p != NULL;
	for (size_t i = 0; good && i <= RECIPE_ROWS; i++)
		r->rows[i] = i < p.n ? arena_str(&r->arena, p.step[i].name).p : NULL;
	return good;
}

void recipe_put_rows(const struct recipe *r, struct buf *out)
{
	for (size_t i = 0; r->rows[i]; i++)
		reach_put_member(out, str_z(r->rows[i]));
}

struct str recipe_field_of(const struct recipe *r, struct str column)
{
	for (size_t i = 0; i < r->fields.n; i++)
		if (str_eq_nocase(r->fields.v[i].value, column))
			return r->fields.v[i].name;
	return STR_NONE;
}

void recipe_set_field(struct recipe *r, struct str column, struct str word)
{
	size_t kept = 0;

	for (size_t i = 0; i < r->fields.n; i++)
		if (!str_eq_nocase(r->fields.v[i].value, column))
			r->fields.v[kept++] = r->fields.v[i];
	r->fields.n = kept;
	if (word.n)
		vec_push(&r->fields, ((struct mapping){arena_str(&r->arena, word),
						       arena_str(&r->arena, column)}));
	kept = 0;
	for (size_t i = 0; i < r->separators.n; i++)
		for (size_t k = 0; k < r->fields.n; k++)
			if (str_eq(r->separators.v[i].name, r->fields.v[k].name)) {
				r->separators.v[kept++] = r->separators.v[i];
				break;
			}
	r->separators.n = kept;
}

static struct str look_up(const struct mapping *v, size_t n, struct str name)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq(v[i].name, name))
			return v[i].value;
	return STR_NONE;
}

#define SET_PAIR(r, list, key, text)                                                               \
	do {                                                                                       \
		size_t kept_ = 0;                                                                  \
		for (size_t i_ = 0; i_ < (r)->list.n; i_++)                                        \
			if (!str_eq((r)->list.v[i_].name, key))                                    \
				(r)->list.v[kept_++] = (r)->list.v[i_];                            \
		(r)->list.n = kept_;                                                               \
		if ((text).n)                                                                      \
			vec_push(&(r)->list, ((struct mapping){arena_str(&(r)->arena, key),        \
							       arena_str(&(r)->arena, text)}));    \
	} while (0)

void recipe_set_constant(struct recipe *r, struct str name, struct str value)
{
	SET_PAIR(r, constants, name, value);
}

void recipe_set_separator(struct recipe *r, struct str field, struct str value)
{
	SET_PAIR(r, separators, field, value);
}

void recipe_add_spelling(struct recipe *r, struct str name, struct str written)
{
	vec_push(&r->spelling,
		 ((struct mapping){arena_str(&r->arena, name), arena_str(&r->arena, written)}));
}

struct str recipe_constant(const struct recipe *r, const char *name)
{
	return look_up(r->constants.v, r->constants.n, str_z(name));
}

struct str recipe_separator(const struct recipe *r, struct str field)
{
	return look_up(r->separators.v, r->separators.n, field);
}

/* --- using --- */

static void complete(struct str *option, const struct recipe *r, const char *name)
{
	if (!option->n)
		*option = recipe_constant(r, name);
}

void recipe_apply(const struct recipe *r, struct arena *arena, struct read_options *opt)
{
	size_t n = opt->n_map + r->fields.n;
	struct mapping *map = arena_alloc(arena, (n + 1) * sizeof *map);

	if (opt->n_map)
		memcpy(map, opt->map, opt->n_map * sizeof *map);
	if (r->fields.n)
		memcpy(map + opt->n_map, r->fields.v, r->fields.n * sizeof *map);
	opt->map = map;
	opt->n_map = n;
	opt->recipe = r;
	complete(&opt->model, r, "model");
	complete(&opt->run, r, "run");
	complete(&opt->protocol, r, "protocol");
	complete(&opt->layer, r, "layer");
}

enum rank recipe_rank(const struct recipe *r)
{
	bool predictions = r->holds == HOLDS_PREDICTIONS;

	for (size_t i = 0; i < r->fields.n && r->holds == HOLDS_AS_SEEN; i++)
		predictions |= str_eqz(r->fields.v[i].name, "raw") ||
			       str_starts(r->fields.v[i].name, STR("prediction"));
	return predictions ? RANK_PREDICTIONS : RANK_SAMPLES;
}

static bool is_among(struct str name, const struct str *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (str_eq_nocase(str_trim(names[i]), str_trim(name)))
			return true;
	return false;
}

struct str recipe_missing(const struct recipe *r, const struct str *names, size_t n)
{
	for (size_t i = 0; i < r->fields.n; i++) {
		struct str column = r->fields.v[i].value;
		struct reach_path path;

		if (is_among(column, names, n) ||
		    (reach_parse(column, &path) && is_among(path.step[0].name, names, n)))
			continue;
		if (!str_eqz(r->fields.v[i].name, "ignore"))
			return column;
	}
	return STR_NONE;
}

int recipe_likeness(const struct recipe *r, const struct str *names, size_t n)
{
	size_t shared = 0, all = 0;

	for (size_t i = 0; i < n; i++)
		all += names[i].n > 0;
	if (recipe_missing(r, names, n).p || !all)
		return 0;
	if (!r->columns.n)
		return RECIPE_LIKE;
	for (size_t i = 0; i < r->columns.n; i++) {
		bool there = is_among(r->columns.v[i], names, n);

		shared += there;
		all += !there;
	}
	return (int)(100 * (shared < all ? shared : all) / all);
}
