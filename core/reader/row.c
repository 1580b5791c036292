#include "core/reader/rows.h"

void row_init(struct row *r)
{
	*r = (struct row){.src = {0, 0}};
}

void row_release(struct row *r)
{
	for (size_t i = 0; i < r->trees.n; i++)
		cJSON_Delete(r->trees.v[i]);
	vec_release(&r->trees);
	vec_release(&r->cells);
	arena_release(&r->arena);
}

void row_keep(struct row *r)
{
	for (size_t i = 0; i < r->cells.n; i++)
		if (r->cells.v[i].text.n)
			r->cells.v[i].text = arena_str(&r->arena, r->cells.v[i].text);
	if (r->key.p)
		r->key = arena_str(&r->arena, r->key);
}

const struct cell *row_find(const struct rows *rows, const struct row *r, const char *name)
{
	for (size_t i = 0; i < r->cells.n; i++)
		if (str_eq_nocase(rows_name(rows, r->cells.v[i].column), str_z(name)))
			return &r->cells.v[i];
	return NULL;
}

struct str cell_text(const struct cell *c)
{
	if (!c || c->type == CELL_NULL || c->type == CELL_LIST || c->type == CELL_OBJECT)
		return STR_NONE;
	return str_trim(c->text);
}

bool cell_number(const struct cell *c, double *out)
{
	if (!c || (c->type != CELL_NUMBER && c->type != CELL_TEXT))
		return false;
	return str_num(str_trim(c->text), out);
}

bool cell_blank(const struct cell *c)
{
	static const char *const words[] = {"none", "null", "nan", "n/a", "na", "<na>"};
	struct str text = cell_text(c);

	if (!c || c->type == CELL_NULL)
		return true;
	if (c->type == CELL_LIST || c->type == CELL_OBJECT)
		return !c->json || !c->json->child;
	if (!text.n)
		return true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq_nocase(text, str_z(words[i])))
			return true;
	return false;
}

bool cell_true(const struct cell *c)
{
	static const char *const words[] = {"true", "yes", "y", "t", "1"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (str_eq_nocase(cell_text(c), str_z(words[i])))
			return true;
	return false;
}

static void tree_json(struct buf *out, const cJSON *tree)
{
	char *text = cJSON_PrintUnformatted(tree);

	buf_z(out, text ? text : "null");
	cJSON_free(text);
}

void cell_json(struct buf *out, const struct cell *c)
{
	switch (c->type) {
	case CELL_NULL:
		buf_z(out, "null");
		break;
	case CELL_BOOL:
	case CELL_NUMBER:
		buf_str(out, c->text);
		break;
	case CELL_TEXT:
		json_quote(out, c->text);
		break;
	case CELL_LIST:
	case CELL_OBJECT:
		tree_json(out, c->json);
		break;
	}
}
