#include "tui/view/preview_extra.h"

#include "core/text/json.h"

/* A list of {"awe": "It is vast."} is a line each. */
static bool put_list(const cJSON *list, struct buf *out)
{
	for (const cJSON *v = list->child; v; v = v->next)
		if (!cJSON_IsObject(v) || !v->child || v->child->next || !cJSON_IsString(v->child))
			return false;
	for (const cJSON *v = list->child; v; v = v->next)
		buf_printf(out, "%s%s: %s", out->n ? "\n" : "", v->child->string, v->child->valuestring);
	return list->child != NULL;
}

static struct str text_of(const cJSON *value, struct arena *arena)
{
	struct buf b = BUF_INIT;
	struct str out = json_scalar(value, &b);
	char *printed = NULL;

	if (!out.p && cJSON_IsArray(value) && put_list(value, &b))
		out = buf_view(&b);
	if (!out.p && !cJSON_IsNull(value))
		out = str_z(printed = cJSON_PrintUnformatted(value));
	out = out.n ? arena_str(arena, out) : STR_NONE;
	cJSON_free(printed);
	buf_release(&b);
	return out;
}

size_t preview_extra_read(struct str json, struct arena *arena, struct preview_extra **out)
{
	struct err ignored = ERR_INIT;
	cJSON *tree = NULL;
	size_t n = 0;

	*out = NULL;
	if (!json.n || json_parse(json, &tree, &ignored) != OK)
		return 0;
	*out = arena_zalloc(arena, PREVIEW_EXTRA_MAX, sizeof **out);
	for (const cJSON *m = cJSON_IsObject(tree) ? tree->child : NULL; m && n < PREVIEW_EXTRA_MAX; m = m->next) {
		(*out)[n].name = arena_str(arena, str_z(m->string));
		(*out)[n].text = text_of(m, arena);
		n += (*out)[n].text.n > 0;
	}
	cJSON_Delete(tree);
	return n;
}
