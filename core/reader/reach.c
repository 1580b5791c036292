#include "core/reader/reach.h"

#include "core/reader/recipe.h"
#include "core/reader/rows.h"

#define ELEMENT_MAX 1000000

/* --- paths --- */

static bool push(struct reach_path *p, struct reach_step step)
{
	if (p->n == REACH_MAX_STEPS)
		return false;
	p->step[p->n++] = step;
	return true;
}

static struct str from(struct str s, size_t n)
{
	return (struct str){s.p + n, s.n - n};
}

/* ["name"] or [12]; *s is left behind it. */
static bool take_bracket(struct str *s, struct reach_path *out)
{
	bool quoted = s->n > 1 && s->p[1] == '"';
	size_t end = str_find(*s, quoted ? STR("\"]") : STR("]"));
	struct reach_step step = {STR_NONE, 0};
	int64_t at = 0;

	if (end == SIZE_MAX)
		return false;
	if (quoted)
		step.name = (struct str){s->p + 2, end > 2 ? end - 2 : 0};
	else if (!str_int((struct str){s->p + 1, end - 1}, &at) || at < 0 || at > ELEMENT_MAX)
		return false;
	if (quoted && !step.name.n)
		return false;
	step.at = (uint32_t)at;
	*s = from(*s, end + (quoted ? 2 : 1));
	return push(out, step);
}

static bool take_name(struct str *s, struct reach_path *out)
{
	size_t n = 0;

	while (n < s->n && s->p[n] != '.' && s->p[n] != '[')
		n++;
	if (!n || !push(out, (struct reach_step){{s->p, n}, 0}))
		return false;
	*s = from(*s, n);
	return true;
}

bool reach_parse(struct str text, struct reach_path *out)
{
	struct str s = str_trim(text);
	bool good = s.n > 0;

	out->n = 0;
	while (good && s.n) {
		if (s.p[0] == '[') {
			good = take_bracket(&s, out);
			continue;
		}
		if (out->n && s.p[0] != '.')
			return false;
		if (out->n)
			s = from(s, 1);
		good = take_name(&s, out);
	}
	/* What comes first is a column. */
	return good && out->n && out->step[0].name.p;
}

void reach_put_member(struct buf *out, struct str name)
{
	bool plain = name.n && !memchr(name.p, '.', name.n) && !memchr(name.p, '[', name.n);

	if (plain) {
		buf_z(out, out->n ? "." : "");
		buf_str(out, name);
		return;
	}
	buf_z(out, "[\"");
	buf_str(out, name);
	buf_z(out, "\"]");
}

void reach_put_element(struct buf *out, uint32_t at)
{
	buf_printf(out, "[%u]", at);
}

static const cJSON *member(const cJSON *tree, struct str name)
{
	for (const cJSON *item = cJSON_IsObject(tree) ? tree->child : NULL; item; item = item->next)
		if (str_eqz(name, item->string))
			return item;
	return NULL;
}

static const cJSON *element(const cJSON *tree, uint32_t at)
{
	const cJSON *item = cJSON_IsArray(tree) ? tree->child : NULL;

	while (item && at--)
		item = item->next;
	return item;
}

const cJSON *reach_walk(const cJSON *tree, const struct reach_step *step, size_t n)
{
	for (size_t i = 0; i < n && tree; i++)
		tree = step[i].name.p ? member(tree, step[i].name) : element(tree, step[i].at);
	return tree;
}

/* --- what is asked for --- */

static enum status add(struct rows *rows, struct reached r, struct err *err)
{
	if (rows->reach.list.n >= REACH_MAX)
		return err_set(err, E_LIMIT, "more than %d paths, constants and separators", REACH_MAX);
	vec_push(&rows->reach.list, r);
	return OK;
}

static bool has_name(const struct rows *rows, struct str name)
{
	for (size_t i = 0; i < rows->names.keys.n; i++)
		if (str_eq_nocase(rows_name(rows, (uint32_t)i), name))
			return true;
	return false;
}

/* The mapping before this one that takes the same column, for another field. */
static bool is_taken(const struct read_options *opt, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (str_eq_nocase(str_trim(opt->map[i].value), str_trim(opt->map[at].value)) &&
		    !str_eq(opt->map[i].name, opt->map[at].name))
			return true;
	return false;
}

static bool is_listed(const struct read_options *opt, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (str_eq(opt->map[i].name, opt->map[at].name) &&
		    str_eq_nocase(str_trim(opt->map[i].value), str_trim(opt->map[at].value)))
			return true;
	return false;
}

/* A nested value gets a column of the path's name; what two fields share, one for the second. */
static enum status add_path(struct rows *rows, size_t at, struct err *err)
{
	const struct read_options *opt = rows->ctx->opt;
	const struct mapping *m = &opt->map[at];
	struct reached r = {.kind = REACH_PATH, .of = m};
	struct str name = str_trim(m->value);
	bool again = is_taken(opt, at), path = reach_parse(name, &r.path) && r.path.n > 1;
	char *shared;

	if (is_listed(opt, at) || name.n > 300 || m->name.n > 100)
		return OK;
	if (!again && (!path || has_name(rows, name)))
		return OK;
	if (!path || has_name(rows, name)) {
		r.path.n = 1;
		r.path.step[0] = (struct reach_step){name, 0};
	}
	if (rows->names.keys.n >= ROWS_MAX_COLUMNS)
		return OK;
	shared = xasprintf("%.*s (%.*s)", STR_ARG(name), STR_ARG(m->name));
	r.column = rows_add_column(rows, again ? str_z(shared) : name);
	free(shared);
	return add(rows, r, err);
}

static enum status add_constant(struct rows *rows, const struct mapping *m, struct err *err)
{
	struct reached r = {.kind = REACH_CONSTANT, .text = m->value};
	char *name;

	if (recipe_is_option(m->name))
		return OK;
	r.of = recipe_is_field(m->name) ? m : NULL;
	if (!r.of && has_name(rows, m->name))
		return OK; /* the row's own value wins */
	name = xasprintf(r.of ? "(%.*s)" : "%.*s", STR_ARG(m->name));
	r.column = rows_add_column(rows, str_z(name));
	free(name);
	return add(rows, r, err);
}

/* Of the columns that are read into the field. */
static enum status add_split(struct rows *rows, const struct mapping *m, struct err *err)
{
	const struct read_options *opt = rows->ctx->opt;

	for (size_t i = 0; i < opt->n_map; i++) {
		struct reached r = {.kind = REACH_SPLIT, .text = m->value};

		if (!str_eq(opt->map[i].name, m->name))
			continue;
		r.column = INTERN_NONE;
		for (size_t k = 0; k < rows->reach.list.n; k++)
			if (rows->reach.list.v[k].of == &opt->map[i])
				r.column = rows->reach.list.v[k].column;
		if (r.column == INTERN_NONE)
			r.column = rows_add_column(rows, str_trim(opt->map[i].value));
		if (add(rows, r, err) != OK)
			return err->code;
	}
	return OK;
}

static enum status add_number(struct rows *rows, struct err *err)
{
	static const struct mapping key = {{"key", 3}, {NULL, 0}};

	return add(rows,
		   (struct reached){.kind = REACH_NUMBER, .of = &key,
				    .column = rows_add_column(rows, STR("(row)"))},
		   err);
}

enum status reach_open(struct rows *rows, struct err *err)
{
	const struct read_options *opt = rows->ctx->opt;
	const struct recipe *r = opt->recipe;
	enum status st = OK;

	for (size_t i = 0; i < opt->n_map && st == OK; i++)
		st = add_path(rows, i, err);
	for (size_t i = 0; r && i < r->constants.n && st == OK; i++)
		st = add_constant(rows, &r->constants.v[i], err);
	for (size_t i = 0; r && i < r->separators.n && st == OK; i++)
		st = add_split(rows, &r->separators.v[i], err);
	if (st == OK && r && r->join == JOIN_POSITION)
		st = add_number(rows, err);
	return st;
}

const struct mapping *reach_field(const struct rows *rows, uint32_t column)
{
	for (size_t i = 0; i < rows->reach.list.n; i++)
		if (rows->reach.list.v[i].kind != REACH_SPLIT && rows->reach.list.v[i].column == column)
			return rows->reach.list.v[i].of;
	return NULL;
}

bool reach_counts(const struct rows *rows)
{
	for (size_t i = 0; i < rows->reach.list.n; i++)
		if (rows->reach.list.v[i].kind == REACH_NUMBER)
			return true;
	return false;
}

/* --- a row --- */

static struct cell *cell_of(struct row *row, uint32_t column)
{
	for (size_t i = 0; i < row->cells.n; i++)
		if (row->cells.v[i].column == column)
			return &row->cells.v[i];
	return NULL;
}

static struct cell from_json(struct rows *rows, struct row *row, const cJSON *item)
{
	struct cell c = {.type = CELL_NULL};

	if (cJSON_IsArray(item) || cJSON_IsObject(item)) {
		c.type = cJSON_IsArray(item) ? CELL_LIST : CELL_OBJECT;
		c.json = item;
	} else if (!cJSON_IsNull(item)) {
		buf_clear(&rows->scratch);
		c.type = cJSON_IsString(item)   ? CELL_TEXT
			 : cJSON_IsNumber(item) ? CELL_NUMBER
						: CELL_BOOL;
		c.text = arena_str(&row->arena, json_scalar(item, &rows->scratch));
	}
	return c;
}

/* A field of a table may hold JSON as a text. */
static const cJSON *tree_of(struct row *row, const struct cell *c)
{
	struct err ignored = ERR_INIT;
	struct str text = cell_text(c);
	cJSON *tree = NULL;

	if (c->json)
		return c->json;
	if (!text.n || (text.p[0] != '{' && text.p[0] != '[') ||
	    json_parse(text, &tree, &ignored) != OK)
		return NULL;
	vec_push(&row->trees, tree);
	return tree;
}

static bool follow(struct rows *rows, struct row *row, const struct reached *r, struct cell *out)
{
	uint32_t column = intern_find(&rows->names, r->path.step[0].name);
	const struct cell *c = column == INTERN_NONE ? NULL : cell_of(row, column);
	const cJSON *item;

	for (size_t i = 0; !c && r->path.n == 1 && i < row->cells.n; i++)
		if (str_eq_nocase(rows_name(rows, row->cells.v[i].column), r->path.step[0].name))
			c = &row->cells.v[i];
	if (!c)
		return false;
	if (r->path.n == 1) {
		*out = *c;
		return true;
	}
	item = reach_walk(tree_of(row, c), r->path.step + 1, r->path.n - 1);
	if (item)
		*out = from_json(rows, row, item);
	return item != NULL;
}

static void split(struct row *row, struct cell *c, struct str sep)
{
	struct str rest = cell_text(c);
	cJSON *list;

	if (!c || c->type != CELL_TEXT || !sep.n || str_find(rest, sep) == SIZE_MAX)
		return;
	list = cJSON_CreateArray();
	while (list && rest.p) {
		size_t at = str_find(rest, sep);
		struct str item = str_trim((struct str){rest.p, at == SIZE_MAX ? rest.n : at});

		if (item.n)
			cJSON_AddItemToArray(list,
					     cJSON_CreateString(arena_strndup(&row->arena, item.p, item.n)));
		rest = at == SIZE_MAX ? STR_NONE : from(rest, at + sep.n);
	}
	if (!list)
		return;
	vec_push(&row->trees, list);
	*c = (struct cell){.column = c->column, .type = CELL_LIST, .text = c->text, .json = list};
}

static void make(struct rows *rows, struct row *row, const struct reached *r)
{
	struct cell c = {.type = CELL_TEXT, .text = r->text};

	if (cell_of(row, r->column))
		return;
	if (r->kind == REACH_PATH && !follow(rows, row, r, &c))
		return;
	if (r->kind == REACH_NUMBER)
		c.text = str_z(arena_printf(&row->arena, "%llu", (unsigned long long)rows->number));
	c.column = r->column;
	rows->seen.v[r->column] = rows->number;
	vec_push(&row->cells, c);
}

void reach_row(struct rows *rows, struct row *row)
{
	for (size_t i = 0; i < rows->reach.list.n; i++) {
		const struct reached *r = &rows->reach.list.v[i];

		if (r->kind == REACH_SPLIT)
			split(row, cell_of(row, r->column), r->text);
		else
			make(rows, row, r);
	}
}
