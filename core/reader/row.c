#include "core/reader/rows.h"

#define MAX_EXACT 9e15 /* below 2^53 */
#define LONGEST_BLANK 4

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

struct str cell_key(struct arena *arena, const struct cell *c)
{
	struct str text = cell_text(c);
	double value;

	if (!c || c->type != CELL_NUMBER || !cell_number(c, &value))
		return text;
	if (memchr(text.p, '.', text.n) || memchr(text.p, 'e', text.n) ||
	    memchr(text.p, 'E', text.n)) {
		if (fabs(value) < MAX_EXACT && value == (double)(int64_t)value)
			return str_z(arena_printf(arena, "%lld", (long long)value));
	}
	return text;
}

/* The integer and the power of ten are exact doubles, so that one division rounds correctly. */
bool cell_decimal(uint64_t digits, size_t places, double *out)
{
	static const double powers[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
					1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

	if (digits >= (uint64_t)MAX_EXACT || places >= sizeof powers / sizeof *powers)
		return false;
	*out = (double)digits / powers[places];
	return true;
}

/* Digits with a point at most. */
static bool plain_decimal(struct str s, double *out)
{
	size_t point = s.n;
	uint64_t value = 0;

	if (!s.n || s.n > 16)
		return false;
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '.' && point == s.n && i && i + 1 < s.n)
			point = i;
		else if (s.p[i] >= '0' && s.p[i] <= '9')
			value = value * 10 + (uint64_t)(s.p[i] - '0');
		else
			return false;
	}
	return cell_decimal(value, point == s.n ? 0 : s.n - 1 - point, out);
}

bool cell_number(const struct cell *c, double *out)
{
	struct str text;

	if (!c || (c->type != CELL_NUMBER && c->type != CELL_TEXT))
		return false;
	text = c->type == CELL_NUMBER ? c->text : str_trim(c->text);
	return plain_decimal(text, out) || str_num(text, out);
}

bool cell_blank(const struct cell *c)
{
	static const char *const words[] = {"none", "null", "nan", "n/a", "na", "<na>"};
	struct str text = cell_text(c);

	if (!c || c->type == CELL_NULL)
		return true;
	if (c->type == CELL_LIST || c->type == CELL_OBJECT)
		return !cell_next(&(struct cell_item){.of = c});
	if (!text.n)
		return true;
	if (text.n > LONGEST_BLANK || c->type == CELL_NUMBER)
		return false;
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

static void texts_json(struct buf *out, const struct str *texts, size_t n)
{
	buf_ch(out, '[');
	for (size_t i = 0; i < n; i++) {
		buf_z(out, i ? "," : "");
		json_quote(out, texts[i]);
	}
	buf_ch(out, ']');
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
		if (c->json)
			tree_json(out, c->json);
		else
			texts_json(out, c->texts, c->n_texts);
		break;
	}
}
