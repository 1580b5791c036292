/* The classes that options of questions stand for, which are stored beside their texts. */
#include <inttypes.h>

#include "core/text/json.h"
#include "db/relabel.h"

#define NONE UINT32_MAX

struct option_sets {
	struct relabel *r;
	struct buf items;
	bool changed; /* the set at hand */
};

/* As write_option_set() in store_samples_write.c has it: one class, or none. */
static uint32_t class_of(struct relabel *r, uint32_t text)
{
	const struct meaning *m = &r->meaning.v[text];

	if (m->cls != NONE)
		return m->cls;
	return m->n == 1 ? r->classes.v[m->from] : NONE;
}

static void put_item(struct option_sets *o, const cJSON *item)
{
	const cJSON *first = cJSON_IsArray(item) ? item->child : item;
	struct str words = cJSON_IsString(first) ? str_z(first->valuestring) : STR("");
	uint32_t text = words.n <= STORE_NAME_MAX
			    ? intern_find(&o->r->texts, store_fold(words, &o->r->folded))
			    : INTERN_NONE;
	uint32_t cls = NONE, was = NONE;
	double v;

	if (cJSON_IsArray(item) && first && json_number(first->next, &v) && v >= 0 && v < NONE)
		was = (uint32_t)v;
	cls = text == INTERN_NONE ? was : class_of(o->r, text);
	o->changed |= cls != was;
	buf_z(&o->items, o->items.n > 1 ? ",[" : "[");
	json_quote(&o->items, words);
	if (cls == NONE)
		buf_z(&o->items, ",null]");
	else
		buf_printf(&o->items, ",%" PRIu32 "]", cls);
}

/* Of a set that is damaged, or the same, nothing is kept. */
static void make_items(struct option_sets *o, struct str stored)
{
	struct err ignored = ERR_INIT;
	cJSON *json = NULL;
	const cJSON *item;

	o->changed = false;
	buf_clear(&o->items);
	if (json_parse(stored, &json, &ignored) != OK)
		return;
	buf_ch(&o->items, '[');
	cJSON_ArrayForEach(item, json) put_item(o, item);
	buf_ch(&o->items, ']');
	cJSON_Delete(json);
}

static enum status write_set(struct relabel *r, int64_t id, struct str items, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->c, STMT_LABEL_OPTIONS_PUT, err);

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, id);
	stmt_bind_str(s, 2, items);
	return stmt_run(r->c, s, err);
}

struct changed_set {
	int64_t id;
	struct str items;
};

/* Sets are looked at first and written then. A set that becomes another one stays as it is. */
enum status relabel_options(struct relabel *r, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->c, STMT_LABEL_OPTIONS, err);
	struct option_sets o = {.r = r};
	struct arena arena = ARENA_INIT;
	VEC(struct changed_set) sets = {0};
	enum status st = s ? OK : err->code;
	bool row;

	if (s)
		sqlite3_bind_int64(s, 1, r->u->dataset);
	while (st == OK && (st = stmt_step(r->c, s, &row, err)) == OK && row) {
		make_items(&o, stmt_str(s, 1));
		if (o.changed && !o.items.failed)
			vec_push(&sets, ((struct changed_set){sqlite3_column_int64(s, 0),
							      arena_str(&arena, buf_view(&o.items))}));
		st = relabel_passed(r, 0, err);
	}
	if (s)
		sqlite3_reset(s);
	for (size_t i = 0; i < sets.n && st == OK; i++)
		st = write_set(r, sets.v[i].id, sets.v[i].items, err);
	r->moves.options += sets.n;
	vec_release(&sets);
	arena_release(&arena);
	buf_release(&o.items);
	return st;
}
