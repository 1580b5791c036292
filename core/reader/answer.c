#include "core/reader/answer.h"

#include "core/base/path.h"
#include "core/reader/literal.h"

#define MAX_INDEX 1000000000.0

static inline bool begins_number(struct str text)
{
	char first = text.n ? text.p[0] : ' ';

	return (first >= '0' && first <= '9') || first == '+' || first == '-';
}

bool ref_from_text(struct str text, struct class_ref *out)
{
	int64_t index;

	text = str_trim(text);
	*out = (struct class_ref){.kind = CLASS_BY_NAME, .text = text};
	if (!text.n)
		return false;
	if (text.p[0] == 'n' && looks_like_wnid(text)) {
		out->kind = CLASS_BY_WNID;
	} else if (begins_number(text) && str_int(text, &index)) {
		out->kind = CLASS_BY_INDEX;
		out->index = index;
		return index >= 0 && (double)index < MAX_INDEX;
	}
	return true;
}

/* For n of them, as many as there are items in memory: each one is written as a whole. */
static struct class_ref *room_for(struct arena *arena, size_t n)
{
	return arena_alloc(arena, n * sizeof(struct class_ref));
}

static void push(struct refs *r, struct class_ref ref)
{
	r->v[r->n++] = ref;
}

static void push_text(struct refs *r, struct str text)
{
	r->n += ref_from_text(text, &r->v[r->n]); /* filled where it stays */
}

static void push_number(struct refs *r, double value)
{
	if (value >= 0 && value < MAX_INDEX && value == (double)(int64_t)value)
		push(r, (struct class_ref){.kind = CLASS_BY_INDEX, .index = (int64_t)value});
}

/* "639,445": only where all of it is whole numbers, as names may hold commas. */
static bool is_index_list(struct str text)
{
	struct str rest = text, part;
	int64_t index;
	size_t n = 0;

	if (!begins_number(text))
		return false;
	for (; rest.p; n++) {
		rest = str_cut(rest, ',', &part);
		if (!str_int(str_trim(part), &index))
			return false;
	}
	return n > 1;
}

static void from_text(struct arena *arena, struct str text, struct refs *out)
{
	struct literal list;

	if (text.n && (text.p[0] == '[' || text.p[0] == '(') && literal_parse(text, arena, &list)) {
		out->v = room_for(arena, list.items.n + 1);
		for (size_t i = 0; i < list.items.n; i++)
			push_text(out, list.items.v[i]);
		literal_release(&list);
	} else if (is_index_list(text)) {
		struct str part;

		out->v = room_for(arena, text.n);
		while (text.p) {
			text = str_cut(text, ',', &part);
			push_text(out, part);
		}
	} else {
		out->v = room_for(arena, 1);
		push_text(out, text);
	}
}

/* {"label": "tench", "index": 0} as prediction files and top-k lists write it. */
static void push_object(struct refs *out, const cJSON *item)
{
	static const char *const names[] = {"label", "name", "class", "class_name", NULL};
	static const char *const numbers[] = {"index", "label_index", "class_index", "id", NULL};
	struct class_ref ref = {.kind = CLASS_BY_NAME};
	double index = -1;

	for (const char *const *w = names; *w && !ref.text.n; w++) {
		const cJSON *value = json_get(item, *w);
		double label;

		ref.text = str_trim(json_text(value));
		if (!ref.text.n && json_number(value, &label))
			index = label;
	}
	for (const char *const *w = numbers; *w && index < 0; w++)
		if (!json_number(json_get(item, *w), &index))
			index = -1;
	if (index >= 0 && index < MAX_INDEX) {
		ref.kind = CLASS_BY_INDEX;
		ref.index = (int64_t)index;
		push(out, ref);
	} else {
		push_text(out, ref.text);
	}
}

static size_t items_of(const struct cell *c)
{
	size_t n = 0;

	if (!c->json)
		return c->n_texts;
	for (const cJSON *item = c->json->child; item; item = item->next)
		n++;
	return n;
}

static void from_list(const struct cell *list, struct refs *out)
{
	double number;

	for (struct cell_item i = {.of = list}; cell_next(&i);) {
		if (i.text.p)
			push_text(out, i.text);
		else if (json_number(i.json, &number))
			push_number(out, number);
		else if (cJSON_IsObject(i.json))
			push_object(out, i.json);
	}
}

static bool all_numbers(const cJSON *tree)
{
	for (const cJSON *item = tree->child; item; item = item->next)
		if (!cJSON_IsNumber(item))
			return false;
	return tree->child != NULL;
}

static void from_object(struct arena *arena, const struct cell *c, struct refs *out)
{
	const cJSON *tree = c->json;
	bool plain_index = json_get(tree, "index") || json_get(tree, "label_index");

	if (!all_numbers(tree) || plain_index) {
		push_object(out, tree);
		return;
	}
	out->votes = arena_zalloc(arena, items_of(c), sizeof *out->votes);
	for (const cJSON *item = tree->child; item; item = item->next) {
		size_t before = out->n;

		push_text(out, str_z(item->string));
		if (out->n > before)
			out->votes[before] = item->valuedouble;
	}
}

struct refs refs_from_cell(struct arena *arena, const struct cell *c)
{
	struct refs out = {0};
	double number;

	if (!c || c->type == CELL_NULL)
		return out;
	out.known = true;
	if (c->type == CELL_LIST || c->type == CELL_OBJECT) {
		out.v = room_for(arena, items_of(c) + 1);
		if (c->type == CELL_LIST)
			from_list(c, &out);
		else
			from_object(arena, c, &out);
	} else if (c->type == CELL_NUMBER && cell_number(c, &number)) {
		out.v = room_for(arena, 1);
		push_number(&out, number);
	} else {
		struct str text = cell_text(c);

		out.known = text.n > 0;
		from_text(arena, text, &out);
	}
	return out;
}

void refs_set_index(struct arena *arena, struct refs *refs, const struct cell *index)
{
	struct refs by_index;

	if (!index)
		return;
	by_index = refs_from_cell(arena, index);
	if (!by_index.n || by_index.v[0].kind != CLASS_BY_INDEX)
		return;
	for (size_t i = 0; i < by_index.n; i++)
		if (by_index.n == refs->n && refs->v[i].kind == CLASS_BY_NAME)
			by_index.v[i].text = refs->v[i].text;
	by_index.votes = refs->votes && by_index.n == refs->n ? refs->votes : NULL;
	*refs = by_index;
}

static struct str text_of(struct arena *arena, const struct cell *c)
{
	struct buf b = BUF_INIT;
	struct str out = cell_text(c);

	if (c && c->type == CELL_LIST && c->text.n)
		return str_trim(c->text);
	if (c && (c->type == CELL_LIST || c->type == CELL_OBJECT)) {
		cell_json(&b, c);
		out = arena_str(arena, buf_view(&b));
		buf_release(&b);
	}
	return out;
}

/* What tools write where an answer should be, when there was none. */
static bool is_failure(struct str text)
{
	return text.n && text.p[0] == 'F' && str_starts(text, STR("Failed to obtain answer via API"));
}

static bool is_refusal(const struct cell *c)
{
	struct str text = cell_text(c);

	if (cell_blank(c) || str_eq_nocase(text, STR("false")) || str_eqz(text, "0"))
		return false;
	return cell_true(c) || c->type == CELL_TEXT;
}

/* An error is a message, or a flag that is up. */
static bool is_error(struct arena *arena, const struct cell *c, struct str *message)
{
	if (cell_blank(c))
		return false;
	if (c->type == CELL_BOOL || c->type == CELL_NUMBER) {
		*message = STR("the request failed");
		return cell_true(c);
	}
	*message = text_of(arena, c);
	return true;
}

bool answer_read(struct arena *arena, const struct answer *a, struct rec_prediction *out)
{
	struct refs refs = refs_from_cell(arena, a->prediction);
	struct str said = text_of(arena, a->prediction);

	refs_set_index(arena, &refs, a->index);
	if (!a->prediction)
		said = refs.n && a->index ? text_of(arena, a->index) : STR_NONE;
	out->raw = text_of(arena, a->raw);
	if (out->raw.n && (a->prediction || a->index))
		out->extracted = said.p ? said : STR("");
	else if (out->raw.n && a->raw->type != CELL_LIST && a->raw->type != CELL_OBJECT)
		refs = refs_from_cell(arena, a->raw);
	else if (!out->raw.n)
		out->raw = said;
	if (is_error(arena, a->error, &out->error)) {
		out->outcome = OUTCOME_ERROR;
	} else if (is_failure(out->raw) || is_failure(said)) {
		out->outcome = OUTCOME_ERROR;
		out->error = is_failure(said) ? said : out->raw;
	} else if (is_refusal(a->refusal)) {
		out->outcome = OUTCOME_REFUSED;
	} else if (refs.n) {
		out->outcome = OUTCOME_ANSWERED;
		out->refs = refs.v;
		out->n_refs = refs.n;
	} else if (out->raw.n && (!said.n || str_eqz(said, "[invalid]"))) {
		/* No answer was found in what the model said, or nobody looked for one. */
		out->outcome = OUTCOME_UNPARSED;
	} else {
		out->outcome = out->raw.n ? OUTCOME_OOP : OUTCOME_EMPTY;
	}
	return a->prediction || a->index || a->raw || out->outcome == OUTCOME_ERROR ||
	       out->outcome == OUTCOME_REFUSED;
}

enum outcome answer_esj(struct str raw, struct str *extracted, int64_t *index)
{
	size_t at;

	*extracted = STR_NONE;
	*index = -1;
	if (!str_trim(raw).n)
		return OUTCOME_EMPTY;
	if ((at = str_find_nocase(raw, STR("incorrect"))) != SIZE_MAX) {
		*extracted = (struct str){raw.p + at, strlen("incorrect")};
		*index = 0;
		return OUTCOME_ANSWERED;
	}
	if ((at = str_find_nocase(raw, STR("correct"))) != SIZE_MAX) {
		*extracted = (struct str){raw.p + at, strlen("correct")};
		*index = 1;
		return OUTCOME_ANSWERED;
	}
	return OUTCOME_REFUSED;
}

struct str path_with_slashes(struct arena *arena, struct str path)
{
	char *copy;

	if (!path.n || !memchr(path.p, '\\', path.n))
		return path;
	copy = arena_strndup(arena, path.p, path.n);
	for (size_t i = 0; i < path.n; i++)
		if (copy[i] == '\\')
			copy[i] = '/';
	return (struct str){copy, path.n};
}

struct str imagenet_key(struct str key)
{
	static const char prefix[] = "ILSVRC2012_val_";
	size_t n = sizeof prefix - 1;
	struct str stem;
	int64_t number;

	if (key.n < n + 8)
		return key;
	stem = path_stem(path_base(key));
	if (stem.n != n + 8 || !str_starts(stem, str_z(prefix)) ||
	    !str_int((struct str){stem.p + n, 8}, &number))
		return key;
	return stem;
}
