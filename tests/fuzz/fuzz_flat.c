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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct str line = fuzz_str(data, size);
	struct err err = ERR_INIT;
	struct flat flat;
	const cJSON *item;
	cJSON *tree;

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
