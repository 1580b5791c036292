/* OW, CW, CW+: one class per image, bare, in a JSON object by the image's number, or in a list. */
#include <stdio.h>
#include <string.h>

#include "core/protocol/extract.h"
#include "core/reader/answer.h"
#include "core/reader/literal.h"
#include "core/text/json.h"

void extraction_class(struct arena *arena, const struct ask *ask, struct extraction *f, const char *rule,
		   struct str span, struct str text)
{
	struct class_ref *ref = arena_zalloc(arena, 1, sizeof *ref);
	struct str head;

	f->rule = rule;
	f->span = span;
	text = str_trim(text);
	if (!text.n) {
		f->outcome = OUTCOME_EMPTY;
		return;
	}
	*ref = (struct class_ref){.kind = CLASS_BY_NAME, .index = -1, .text = text};
	if (ask->ids) {
		str_cut(text, ':', &head); /* "207: golden retriever", as the list writes it */
		ref_from_text(str_trim(head), ref);
	}
	f->outcome = OUTCOME_ANSWERED;
	f->refs = ref;
	f->n_refs = 1;
}

/* Where the value of a key stands in a JSON text, as it is written there; else all of it. */
static struct str written(struct str body, const char *key, struct str value)
{
	char quoted[32];
	size_t at = 0, in;

	if (key) {
		snprintf(quoted, sizeof quoted, "\"%.24s\"", key);
		at = str_find(body, str_z(quoted));
		at = at == SIZE_MAX ? 0 : at + strlen(quoted);
	}
	in = value.n ? str_find((struct str){body.p + at, body.n - at}, value) : SIZE_MAX;
	return in == SIZE_MAX ? body : (struct str){body.p + at + in, value.n};
}

static struct str value_text(struct arena *arena, const cJSON *item)
{
	struct buf scratch = BUF_INIT;
	struct str text = json_scalar(item, &scratch);

	text = text.p ? arena_str(arena, text) : STR_NONE;
	buf_release(&scratch);
	return text;
}

/* The item for image i of an answer: by number, the i-th of a list, or, for a single image, under
 * a usual name. */
static const cJSON *item_of(const struct ask *ask, const cJSON *root, size_t i, char key[24])
{
	static const char *const usual[] = {"answer", "label", "class", "prediction", "name", "id"};
	const cJSON *item;

	snprintf(key, 24, "%zu", i + 1);
	if (cJSON_IsArray(root))
		return (size_t)cJSON_GetArraySize(root) == ask->n_samples
			   ? cJSON_GetArrayItem(root, (int)i)
			   : NULL;
	item = json_get(root, key);
	for (size_t u = 0; !item && ask->n_samples == 1 && u < sizeof usual / sizeof *usual; u++)
		if ((item = json_get(root, usual[u])))
			snprintf(key, 24, "%s", usual[u]);
	return item;
}

static void from_json(struct arena *arena, const struct ask *ask, struct str body, const cJSON *root,
		      struct extraction *out)
{
	for (size_t i = 0; i < ask->n_samples; i++) {
		char key[24];
		const cJSON *item = item_of(ask, root, i, key);
		struct str text = item ? value_text(arena, item) : STR_NONE;

		out[i].rule = cJSON_IsArray(root) ? "json list" : "json key";
		if (text.p)
			extraction_class(arena, ask, &out[i], out[i].rule,
				      written(body, cJSON_IsArray(root) ? NULL : key, text), text);
		else if (item && cJSON_IsNull(item))
			out[i].outcome = OUTCOME_EMPTY;
	}
}

struct str json_part(struct arena *arena, const struct ask *ask, struct str body, size_t i, bool list,
		     struct str *span)
{
	struct err ignored = ERR_INIT;
	cJSON *root = NULL;
	struct str text = STR_NONE;
	char key[24];

	if (body.n && json_parse(body, &root, &ignored) == OK && (list ? cJSON_IsArray(root) : cJSON_IsObject(root)))
		text = value_text(arena, item_of(ask, root, i, key));
	if (text.p)
		*span = written(body, list ? NULL : key, text);
	cJSON_Delete(root);
	return text;
}

/* ['a', 'b'] as Python prints it, one item per image. */
static bool from_literal(struct arena *arena, const struct ask *ask, struct str body, struct extraction *out)
{
	struct literal list = {0};
	bool fits = literal_parse(body, arena, &list) && list.items.n == ask->n_samples;

	for (size_t i = 0; fits && i < ask->n_samples; i++)
		extraction_class(arena, ask, &out[i], "literal", written(body, NULL, list.items.v[i]),
			      list.items.v[i]);
	literal_release(&list);
	return fits;
}

struct str literal_part(struct arena *arena, const struct ask *ask, struct str body, size_t i, struct str *span)
{
	struct literal list = {0};
	struct str text = STR_NONE;

	if (literal_parse(body, arena, &list) && list.items.n == ask->n_samples)
		text = list.items.v[i];
	if (text.p)
		*span = written(body, NULL, text);
	literal_release(&list);
	return text;
}

/* true: the body is meant as JSON, well made or not. */
static bool structured(struct arena *arena, const struct ask *ask, struct str body, struct extraction *out)
{
	struct err ignored = ERR_INIT;
	cJSON *root = NULL;

	if (!body.n || !strchr("[{\"", body.p[0]))
		return false;
	if (json_parse(body, &root, &ignored) == OK && (cJSON_IsArray(root) || cJSON_IsObject(root)))
		from_json(arena, ask, body, root, out);
	else if (root)
		body.n = 0; /* a quoted text: bare */
	else if (!from_literal(arena, ask, body, out))
		for (size_t i = 0; i < ask->n_samples; i++)
			out[i].rule = "broken json";
	cJSON_Delete(root);
	return body.n > 0;
}

/* The JSON that an answer in prose brings along: from its first brace to its last, or a list behind
 * a marker; p NULL: none that can be read. */
static struct str brought_along(struct str body, struct str marked)
{
	struct err ignored = ERR_INIT;
	const char *first = body.n ? memchr(body.p, '{', body.n) : NULL;
	struct str text = marked.n && marked.p[0] == '[' ? marked : STR_NONE;
	cJSON *root = NULL;
	bool fits;

	for (size_t n = body.n; first && n; n--)
		if (body.p[n - 1] == '}') {
			if (body.p + n > first)
				text = (struct str){first, (size_t)(body.p + n - first)};
			break;
		}
	fits = text.p && json_parse(text, &root, &ignored) == OK;
	cJSON_Delete(root);
	return fits ? text : STR_NONE;
}

void extract_class(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	struct body body = answer_body(raw);
	struct str bare = answer_bare(body.text), marked, along;

	if (structured(arena, ask, body.text, out))
		return;
	marked = answer_marked(body.text);
	along = brought_along(body.text, marked);
	if ((along.p && structured(arena, ask, along, out)) || ask->n_samples > 1)
		return;
	marked = answer_bare(marked);
	if (marked.n)
		extraction_class(arena, ask, out, "marker", marked, marked);
	else
		extraction_class(arena, ask, out, body.rule[0] ? body.rule : "whole", bare, bare);
}
