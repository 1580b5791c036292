/* ESJ, MEMO-Bench and MME-Emotion: words and numbers in running text. */
#include <ctype.h>

#include "core/protocol/extract.h"
#include "core/reader/answer.h"
#include "core/reader/literal.h"
#include "core/text/json.h"

/* "not correct", "isn't correct": counts as the benchmark's script counts it, and is flagged. */
static bool negated(struct str raw, struct str span)
{
	size_t at = (size_t)(span.p - raw.p);
	struct str before = {raw.p, at};

	before = str_trim(before);
	return str_ends_nocase(before, STR("not")) || str_ends_nocase(before, STR("n't")) ||
	       str_ends_nocase(before, STR("never")) || str_ends_nocase(before, STR("n\u2019t"));
}

bool words_judgement(struct arena *arena, struct str text, struct extraction *out)
{
	int64_t index;
	struct class_ref *ref;

	out->outcome = answer_esj(text, &out->span, &index);
	if (out->outcome != OUTCOME_ANSWERED)
		return false;
	ref = arena_zalloc(arena, 1, sizeof *ref);
	*ref = (struct class_ref){.kind = CLASS_BY_INDEX, .index = index};
	out->refs = ref;
	out->n_refs = 1;
	out->rule = index ? "correct" : "incorrect";
	out->flag = negated(text, out->span) ? "negated" : NULL;
	return true;
}

void extract_esj(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	(void)ask;
	words_judgement(arena, answer_body(raw).text, out);
}

/* The one name of the label set, or of the classes, that stands in text as a word of its own;
 * n: how many different ones do. A name within a longer one that stands there is not counted. */
struct named {
	struct str name, span;
	size_t n;
};

static size_t candidates(const struct ask *ask, struct arena *arena, struct str **name)
{
	const struct ask_sample *s = &ask->samples[0];
	size_t n = s->n_options ? s->n_options : ask->n_classes;

	*name = arena_alloc(arena, (n + 1) * sizeof **name);
	for (size_t i = 0; i < n; i++)
		(*name)[i] = s->n_options ? str_trim(s->options[i].text) : str_z(ask->classes[i].name);
	return n;
}

static bool covers(struct str outer, struct str inner)
{
	return inner.p >= outer.p && inner.p + inner.n <= outer.p + outer.n;
}

static struct named named_in(const struct ask *ask, struct arena *arena, struct str text)
{
	struct named found = {0};
	struct str *name;
	size_t n = candidates(ask, arena, &name), *at = arena_alloc(arena, (n + 1) * sizeof *at);

	words_find(name, n, text, at);
	for (size_t i = 0; i < n; i++) {
		struct str span = at[i] == SIZE_MAX ? STR_NONE : (struct str){text.p + at[i], name[i].n};

		if (!span.p || (found.n && covers(found.span, span)))
			continue;
		found.n = found.n && covers(span, found.span) ? found.n : found.n + 1;
		found.name = name[i];
		found.span = span;
	}
	return found;
}

bool words_label(struct arena *arena, const struct ask *ask, struct str text, const char *rule,
		 struct extraction *out)
{
	struct named found = named_in(ask, arena, text);

	if (found.n == 1)
		extraction_class(arena, ask, out, rule, found.span, found.name);
	else if (found.n > 1)
		out->rule = "several labels";
	return found.n == 1;
}

void extract_label(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	struct body body = answer_body(raw);
	struct str marked = answer_bare(answer_marked(body.text)), bare = answer_bare(body.text), line;

	for (struct str rest = bare; rest.n;)
		rest = str_cut(rest, '\n', &line);
	if (marked.n) {
		if (!words_label(arena, ask, marked, "marker", out) && !out->rule[0])
			extraction_class(arena, ask, out, "marker", marked, marked);
	} else if (!words_label(arena, ask, bare, body.rule[0] ? body.rule : "only label", out) &&
		   bare.n && bare.n <= 64 && line.n == bare.n && !out->rule[0]) {
		extraction_class(arena, ask, out, "whole", bare, bare);
	}
}

/* --- degree --- */

/* The first number of a text, "4", "4.5", "4/5"; NaN without one, or outside of 0 … 5. */
static double degree_in(struct str text, struct str *span)
{
	double value;

	for (size_t i = 0; i < text.n; i++) {
		size_t n = 0;

		if (!isdigit((unsigned char)text.p[i]) || (i && (isalnum((unsigned char)text.p[i - 1]) ||
								  strchr("-.", text.p[i - 1]))))
			continue;
		while (i + n < text.n && (isdigit((unsigned char)text.p[i + n]) || text.p[i + n] == '.'))
			n++;
		while (n && text.p[i + n - 1] == '.')
			n--;
		*span = (struct str){text.p + i, n};
		return str_num(*span, &value) && value >= 0 && value <= 5 ? value : NAN;
	}
	return NAN;
}

static struct str line_of_degree(struct str text)
{
	static const struct str words[] = {STR("degree"), STR("intensity"), STR("score"), STR("strength")};
	struct str line;

	while (text.n) {
		text = str_cut(text, '\n', &line);
		for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
			size_t at = str_find_nocase(line, words[w]);

			if (at != SIZE_MAX)
				return (struct str){line.p + at + words[w].n, line.n - at - words[w].n};
		}
	}
	return STR_NONE;
}

void extract_memo(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	struct str text = answer_body(raw).text, span = STR_NONE, degree = line_of_degree(text);

	extract_label(arena, ask, raw, out);
	out->degree = degree_in(degree.p ? degree : text, &span);
}

/* --- several labels --- */

static void take_item(struct arena *arena, const struct ask *ask, struct str item, struct extraction *out)
{
	struct extraction one;

	extraction_init(&one);
	extraction_class(arena, ask, &one, "", item, answer_bare(item));
	if (one.n_refs)
		out->refs[out->n_refs++] = *one.refs;
}

static void take_list(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		      struct extraction *out)
{
	size_t n = 1;
	struct str rest = text, item;

	for (size_t i = 0; i < text.n; i++)
		n += text.p[i] == ',' || text.p[i] == '\n';
	out->refs = arena_zalloc(arena, n, sizeof *out->refs);
	while (rest.n) {
		struct str line;

		rest = str_cut(rest, '\n', &line);
		while (line.n) {
			line = str_cut(line, ',', &item);
			item = str_trim(item);
			while (item.n && strchr("-*", item.p[0]))
				item = str_trim((struct str){item.p + 1, item.n - 1});
			take_item(arena, ask, item, out);
		}
	}
	out->rule = rule;
	out->span = text;
	out->outcome = out->n_refs ? OUTCOME_ANSWERED : OUTCOME_EMPTY;
}

bool words_list(struct arena *arena, const struct ask *ask, const char *rule, struct str text,
		struct extraction *out)
{
	struct literal list = {0};

	if (!literal_parse(text, arena, &list)) {
		if (text.n && strchr("[{", text.p[0]))
			out->rule = "broken json";
		else
			take_list(arena, ask, rule, answer_bare(text), out);
		literal_release(&list);
		return out->outcome == OUTCOME_ANSWERED;
	}
	out->refs = arena_zalloc(arena, list.items.n + 1, sizeof *out->refs);
	for (size_t i = 0; i < list.items.n; i++)
		take_item(arena, ask, list.items.v[i], out);
	out->rule = "list";
	out->span = text;
	out->outcome = out->n_refs ? OUTCOME_ANSWERED : OUTCOME_EMPTY;
	literal_release(&list);
	return out->n_refs > 0;
}

/* The labels of a JSON object under a usual name, as a list or as one text. */
static void take_members(struct arena *arena, const struct ask *ask, struct str body, const cJSON *item,
			 struct extraction *out)
{
	const cJSON *member = cJSON_IsArray(item) ? item->child : item;
	size_t n = cJSON_IsArray(item) ? (size_t)cJSON_GetArraySize(item) : 1;

	out->refs = arena_zalloc(arena, n + 1, sizeof *out->refs);
	for (; member; member = member == item ? NULL : member->next) {
		struct buf scratch = BUF_INIT;
		struct str text = json_scalar(member, &scratch);

		if (text.p)
			take_item(arena, ask, arena_str(arena, text), out);
		buf_release(&scratch);
	}
	out->span = body;
	out->outcome = out->n_refs ? OUTCOME_ANSWERED : OUTCOME_EMPTY;
}

static void labels_of_object(struct arena *arena, const struct ask *ask, struct str body, struct extraction *out)
{
	static const char *const usual[] = {"labels", "classes", "answers", "answer", "label",
					    "class",  "prediction", "predictions", "1"};
	struct err ignored = ERR_INIT;
	const cJSON *item = NULL;
	cJSON *root = NULL;

	out->rule = "broken json";
	if (json_parse(body, &root, &ignored) == OK) {
		out->rule = "json key";
		for (size_t u = 0; !item && u < sizeof usual / sizeof *usual; u++)
			item = json_get(root, usual[u]);
	}
	if (item && !cJSON_IsObject(item))
		take_members(arena, ask, body, item, out);
	cJSON_Delete(root);
}

void extract_labels(struct arena *arena, const struct ask *ask, struct str raw, struct extraction *out)
{
	struct str body = answer_body(raw).text, marked = answer_marked(body);

	if (body.n && body.p[0] == '{') {
		labels_of_object(arena, ask, body, out);
		return;
	}
	if (body.n && body.p[0] == '[')
		marked = STR_NONE;
	words_list(arena, ask, marked.p ? "marker" : "list", marked.p ? marked : body, out);
}
