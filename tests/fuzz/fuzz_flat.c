/* Whatever the fast gear accepts, the slow one reads alike. */
#include "core/text/json.h"
#include "tests/fuzz/fuzz.h"

static bool same_type(enum flat_type type, const cJSON *item)
{
	switch (type) {
	case FLAT_NULL:
		return cJSON_IsNull(item);
	case FLAT_BOOL:
		return cJSON_IsBool(item);
	case FLAT_NUMBER:
		return cJSON_IsNumber(item);
	case FLAT_STRING:
		return cJSON_IsString(item);
	case FLAT_ARRAY:
		return cJSON_IsArray(item);
	case FLAT_OBJECT:
		return cJSON_IsObject(item);
	}
	return false;
}

static void check_nested(const struct flat_field *f, const cJSON *item)
{
	struct err err = ERR_INIT;
	char *a, *b;
	cJSON *again;

	FUZZ_CHECK(json_parse(f->raw, &again, &err) == OK);
	a = cJSON_PrintUnformatted(again);
	b = cJSON_PrintUnformatted(item);
	FUZZ_CHECK(a && b && strcmp(a, b) == 0);
	free(a);
	free(b);
	cJSON_Delete(again);
}

static void check_field(const struct flat_field *f, const cJSON *item)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	double x = 0, y = 0;

	FUZZ_CHECK(item && same_type(f->type, item) && str_eqz(f->key, item->string));
	if (f->type == FLAT_ARRAY || f->type == FLAT_OBJECT)
		check_nested(f, item);
	else if (f->type != FLAT_NULL)
		FUZZ_CHECK(str_eq(flat_text(f, &a), json_scalar(item, &b)));
	if (f->type == FLAT_NUMBER) {
		FUZZ_CHECK(str_num(f->raw, &x) == json_number(item, &y));
		FUZZ_CHECK(x == y);
	}
	buf_release(&a);
	buf_release(&b);
}

/* The lists of a line of the shape: the texts that their trees have. */
static void check_items(const struct flat_shape *shape, const struct flat_value *v,
			const struct str *items)
{
	for (size_t i = 0; i < shape->n; i++) {
		struct err err = ERR_INIT;
		const cJSON *item;
		cJSON *tree;
		size_t n = 0;

		if (!shape->field[i].list)
			continue;
		FUZZ_CHECK(json_parse(v[i].text, &tree, &err) == OK);
		for (item = tree->child; item; item = item->next, n++)
			FUZZ_CHECK(n < v[i].digits && str_eq(json_text(item), items[n]));
		FUZZ_CHECK(n == v[i].digits);
		items += n;
		cJSON_Delete(tree);
	}
}

/* A line in a block of them, by its shape: nothing but what the line alone would be. */
static void check_line(struct str lines, const struct flat_shape *shape, const struct flat_usual *keys,
		       size_t n_keys)
{
	struct flat_value v[FLAT_SHAPE_FIELDS];
	struct str items[FLAT_SHAPE_ITEMS], first;
	struct flat f;
	size_t n;

	for (str_cut(lines, '\n', &first); (n = flat_shaped_line(lines, shape, v, items)) != 0;
	     lines.p += n, lines.n -= n, str_cut(lines, '\n', &first)) {
		FUZZ_CHECK(n == first.n + 1 && flat_scan_usual(first, &f, keys, n_keys));
		FUZZ_CHECK(f.n == shape->n);
		check_items(shape, v, items);
		for (size_t i = 0; i < f.n; i++)
			FUZZ_CHECK(str_eq(v[i].text, f.field[i].raw) &&
				   v[i].escaped == f.field[i].escaped &&
				   (f.field[i].type != FLAT_NUMBER ||
				    (v[i].digits == f.field[i].digits &&
				     v[i].places == f.field[i].places)));
	}
}

/* Strings side by side, whichever come first, that may repeat from line to line: nothing changes. */
static void check_repeat(struct str lines, const struct flat_shape *shape)
{
	struct flat_value v[FLAT_SHAPE_FIELDS], w[FLAT_SHAPE_FIELDS];
	struct flat_repeat repeat = {.from = 0};
	size_t n, again;

	while (repeat.from < shape->n && !shape->field[repeat.from].string)
		repeat.from++;
	while (repeat.n < FLAT_REPEAT_FIELDS && repeat.from + repeat.n < shape->n &&
	       shape->field[repeat.from + repeat.n].string)
		repeat.n++;
	do {
		n = flat_shaped_line(lines, shape, v, NULL);
		again = flat_repeating_line(lines, shape, &repeat, w);
		FUZZ_CHECK(n == again);
		for (size_t i = 0; n && i < shape->n; i++)
			FUZZ_CHECK(v[i].text.p == w[i].text.p && v[i].text.n == w[i].text.n &&
				   v[i].escaped == w[i].escaped &&
				   (shape->field[i].string || (v[i].digits == w[i].digits &&
							       v[i].places == w[i].places)));
		lines.p += n;
		lines.n -= n;
	} while (n);
}

/* The first line teaches the keys and the shape by which the second is read. */
static void check_shaped(struct str lines)
{
	struct str first, second = str_cut(lines, '\n', &first);
	struct flat_usual keys[FLAT_MAX_FIELDS];
	struct flat_shape shape = {.n = 0};
	struct flat a, b;
	size_t n = 0;

	if (!flat_scan(first, &a))
		return;
	for (; n < a.n; n++)
		keys[n] = flat_usual(a.field[n].key);
	flat_scan_shaped(first, &b, &shape, keys, n);
	if (!second.p)
		second = first;
	check_line(lines, &shape, keys, n);
	check_repeat(lines, &shape);
	FUZZ_CHECK(flat_scan_usual(second, &a, keys, n) ==
		   flat_scan_shaped(second, &b, &shape, keys, n));
	if (!flat_scan_usual(second, &a, keys, n))
		return;
	FUZZ_CHECK(a.n == b.n);
	for (size_t i = 0; i < a.n; i++) {
		const struct flat_field *x = &a.field[i], *y = &b.field[i];

		FUZZ_CHECK(str_eq(x->key, y->key) && x->type == y->type && str_eq(x->raw, y->raw) &&
			   x->usual == y->usual && x->escaped == y->escaped);
		FUZZ_CHECK(x->type != FLAT_NUMBER ||
			   (x->decimal == y->decimal &&
			    (!x->decimal || (x->places == y->places && x->digits == y->digits))));
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str line = fuzz_str(data, size);
	struct err err = ERR_INIT;
	struct flat flat;
	const cJSON *item;
	cJSON *tree;

	check_shaped(line);
	if (!flat_scan(line, &flat))
		return 0;
	FUZZ_CHECK(json_parse(line, &tree, &err) == OK);
	item = tree->child;
	for (size_t i = 0; i < flat.n; i++, item = item->next) {
		check_field(&flat.field[i], item);
		FUZZ_CHECK(flat_get(&flat, flat.field[i].key) == &flat.field[i]);
	}
	FUZZ_CHECK(!item);
	cJSON_Delete(tree);
	return 0;
}
