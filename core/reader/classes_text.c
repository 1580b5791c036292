/* Class lists in lines and in JSON. */
#include "core/base/utf8.h"
#include "core/reader/classes.h"
#include "core/reader/literal.h"
#include "core/reader/peek.h"
#include "core/text/json.h"

#define MAX_NAME 1024

/* The text between the quotes that the line begins with; what follows is a comma, a comment. */
static bool python_string(struct arena *arena, struct str line, struct str *out)
{
	struct buf list = BUF_INIT;
	struct literal items;
	size_t end = 1;
	bool ok;

	while (end < line.n && line.p[end] != line.p[0])
		end += line.p[end] == '\\' ? 2 : 1;
	if (end >= line.n)
		return false;
	buf_ch(&list, '[');
	buf_str(&list, (struct str){line.p, end + 1});
	buf_ch(&list, ']');
	ok = literal_parse(buf_view(&list), arena, &items) && items.items.n == 1;
	if (ok)
		*out = items.items.v[0];
	literal_release(&items);
	buf_release(&list);
	return ok;
}

static bool is_quote(struct str line)
{
	return line.n && (line.p[0] == '\'' || line.p[0] == '"');
}

/* "n02119789 1 kit_fox" and "n01440764 tench, Tinca tinca". */
static void wnid_line(struct class_list *l, struct str line, struct class_entry *e)
{
	struct str rest = str_trim((struct str){line.p + 9, line.n - 9});
	struct str first, after = str_cut(rest, ' ', &first);
	int64_t code;

	e->wnid = (struct str){line.p, 9};
	e->index = -1;
	if (str_int(first, &code)) {
		e->code = first;
		e->name = str_trim(after);
	} else {
		class_list_synonyms(l, rest, e);
	}
}

static bool starts_with_wnid(struct str line)
{
	return line.n > 10 && looks_like_wnid((struct str){line.p, 9}) &&
	       (line.p[9] == ' ' || line.p[9] == '\t');
}

/* false: not a class: a bracket, a comment, or reported. */
static bool take_line(struct class_list *l, struct str line, bool python, struct class_entry *e)
{
	if (utf8_valid_prefix(line) < line.n) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "name", "is not UTF-8");
		return false;
	}
	if (python && !is_quote(line))
		return false;
	if (is_quote(line) && python) {
		bool closed = python_string(&l->arena, line, &e->name);

		if (closed && str_trim(e->name).n)
			return true;
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "name",
			   closed ? "expected a name" : "expected a closing quote");
		return false;
	}
	if (starts_with_wnid(line))
		wnid_line(l, line, e);
	else
		e->name = line;
	if (e->name.n <= MAX_NAME)
		return true;
	report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "name",
		   "expected a name, got %zu bytes", e->name.n);
	return false;
}

static bool head_is_python(struct str head)
{
	struct str line;

	head = peek_skip_blanks(head);
	str_cut(head, '\n', &line);
	line = str_trim(line);
	if (is_quote(line))
		return true;
	return line.n && line.p[line.n - 1] == '[';
}

enum status classes_read_lines(struct class_list *l, struct err *err)
{
	bool python = head_is_python(buf_view(&l->ctx->in->head)), more = true;
	struct lines lines;
	struct line line;
	int64_t index = 0;
	enum status st;

	lines_init(&lines, l->ctx->in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct class_entry e = {.src = {line.number, line.byte}, .index = index};
		struct str text = str_trim(line.text);

		if (!text.n)
			continue;
		l->ctx->report->rows++;
		if (!take_line(l, text, python, &e))
			continue;
		index++;
		if ((st = class_list_add(l, &e, err)) != OK)
			break;
	}
	lines_release(&lines);
	class_list_rank(l);
	class_list_underscores(l);
	return st;
}

/* "tench, Tinca tinca" or ["n01440764", "tench"]; false: neither. */
static bool take_value(struct class_list *l, const cJSON *value, struct class_entry *e)
{
	struct str text = json_text(value);

	if (text.n && text.n <= MAX_NAME) {
		class_list_synonyms(l, text, e);
		return e->name.n > 0;
	}
	if (!cJSON_IsArray(value) || !value->child)
		return false;
	e->wnid = str_trim(json_text(value->child));
	e->name = str_trim(json_text(value->child->next));
	return e->wnid.n > 0 && e->wnid.n <= MAX_NAME && e->name.n <= MAX_NAME;
}

static enum status take_element(struct class_list *l, struct str text, struct class_entry *e,
				struct err *err)
{
	struct err why = ERR_INIT;
	cJSON *value = NULL;
	enum status st = OK;

	l->ctx->report->rows++;
	if (json_parse(text, &value, &why))
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "", "%s", why.msg);
	else if (e->index < 0 || !take_value(l, value, e))
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "",
			   "expected a class: a number with a name or [wnid, name]");
	else
		st = class_list_add(l, e, err);
	cJSON_Delete(value);
	return st;
}

/* Two files are called imagenet_class_index.json: Keras's counts wnids from 0; the other one
 * has the devkit's numbers from 1. */
static void one_based_codes(struct class_list *l)
{
	for (size_t i = 0; i < l->v.n; i++)
		if (l->v.v[i].index == 0 || !l->v.v[i].wnid.n)
			return;
	for (size_t i = 0; i < l->v.n; i++) {
		struct class_entry *e = &l->v.v[i];

		e->code = str_z(arena_printf(&l->arena, "%lld", (long long)e->index));
		e->index = -1;
	}
	class_list_rank(l);
}

enum status classes_read_json(struct class_list *l, struct err *err)
{
	struct json_slice slice;
	struct str text;
	int64_t n = 0;
	enum status st;

	json_slice_init(&slice, l->ctx->in);
	for (;;) {
		struct class_entry e = {.index = n};
		bool more = true;

		st = json_slice_next(&slice, &text, &more, err);
		if (st || !more)
			break;
		e.src = (struct src){slice.line, slice.byte};
		if (slice.object && !str_int(buf_view(&slice.key), &e.index))
			e.index = -1;
		n++;
		if ((st = take_element(l, text, &e, err)) != OK)
			break;
	}
	if (slice.object)
		one_based_codes(l);
	json_slice_release(&slice);
	class_list_underscores(l);
	return st;
}
