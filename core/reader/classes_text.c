/* Class lists in lines and in JSON. */
#include "core/base/utf8.h"
#include "core/reader/classes.h"
#include "core/reader/inorder.h"
#include "core/reader/peek.h"
#include "core/text/json.h"

#define MAX_NAME       CLASSES_MAX_NAME
#define MAX_PLAIN_LINE 120

/* --- lines --- */

static bool starts_with_wnid(struct str line)
{
	return line.n > 10 && looks_like_wnid((struct str){line.p, 9}) &&
	       memchr(" \t,", line.p[9], 3) != NULL;
}

static struct str unquoted(struct str s)
{
	s = str_trim(s);
	if (s.n >= 2 && s.p[0] == '"' && s.p[s.n - 1] == '"')
		return str_trim((struct str){s.p + 1, s.n - 2});
	return s;
}

/* "0 tench", "0: tench", "0,tench": the number, and what follows it, which is no number. */
static bool numbered(struct str line, int64_t *number, struct str *rest)
{
	size_t n = 0;

	while (n < line.n && line.p[n] >= '0' && line.p[n] <= '9')
		n++;
	if (!n || n + 1 >= line.n || !memchr(" \t:,", line.p[n], 4) ||
	    !str_int((struct str){line.p, n}, number))
		return false;
	*rest = unquoted((struct str){line.p + n + 1, line.n - n - 1});
	for (size_t i = 0; i < rest->n; i++)
		if ((rest->p[i] | 32) >= 'a' && (rest->p[i] | 32) <= 'z')
			return true;
	return rest->n && (unsigned char)rest->p[0] >= 0x80;
}

struct look { /* at the lines of a head */
	size_t lines, numbers, wnids, counted;
	int64_t first, last;
};

static void look_at(struct look *k, struct str line)
{
	int64_t number;
	struct str rest;

	k->lines++;
	k->numbers += str_int(line, &number);
	k->wnids += line.n > 10 && looks_like_wnid((struct str){line.p, 9});
	if (!numbered(line, &number, &rest) || (k->lines > 1 && number != k->last + 1))
		return;
	if (k->lines == 1)
		k->first = number;
	k->last = number;
	k->counted++;
}

static bool are_counted(const struct look *k)
{
	return k->lines > 1 && k->counted == k->lines && k->first <= 1;
}

/* Prose has long lines, blank ones and full stops; templates have braces. */
static bool is_plain_name(struct str line)
{
	return line.n <= MAX_PLAIN_LINE && !memchr(".;:{", line.p[line.n - 1], 4) &&
	       !memchr(line.p, '{', line.n) && utf8_valid_prefix(line) == line.n;
}

/* plain: every line could be a name. */
static struct look look_at_lines(struct str head, bool *plain)
{
	struct look k = {0};
	struct str line, rest = head;
	char end = memchr(head.p ? head.p : "", '\n', head.n) ? '\n' : '\r';

	*plain = true;
	while (rest.p) {
		rest = str_cut(rest, end, &line);
		if (!rest.p && k.lines)
			break; /* may be cut off */
		line = str_trim(line);
		if (line.n) {
			look_at(&k, line);
			*plain &= is_plain_name(line);
		} else if (rest.n) {
			*plain = false;
		}
	}
	return k;
}

int classes_lines_score(struct str head)
{
	bool plain;
	struct look k = look_at_lines(head, &plain);
	struct inorder column;

	if (!k.lines || k.numbers == k.lines || inorder_look(head, &column))
		return 0;
	if (k.wnids == k.lines)
		return 95;
	if (are_counted(&k))
		return 88;
	return plain && k.lines > 1 ? 20 : 0;
}

/* "n02119789 1 kit_fox" and "n01440764 tench, Tinca tinca". */
static void wnid_line(struct class_list *l, struct str line, struct class_entry *e)
{
	struct str rest = str_trim((struct str){line.p + 10, line.n - 10});
	char part = line.p[9] == ',' ? ',' : ' ';
	struct str first, after = str_cut(rest, part, &first);
	int64_t code;

	e->wnid = (struct str){line.p, 9};
	e->index = -1;
	if (str_int(str_trim(first), &code)) {
		e->code = str_trim(first);
		e->name = unquoted(after);
	} else {
		class_list_synonyms(l, unquoted(rest), e);
	}
}

static void numbered_line(struct class_list *l, struct str rest, int64_t number, struct class_entry *e)
{
	if (starts_with_wnid(rest)) {
		wnid_line(l, rest, e);
		if (e->code.n) /* "7 n01440764 1 …": two numbers; the first one is the list's own */
			e->code = STR_NONE;
	} else if (classes_bare_name(rest).n < rest.n) {
		e->name = classes_bare_name(rest);
		e->aliases = arena_alloc(&l->arena, sizeof *e->aliases);
		e->aliases[e->n_aliases++] = arena_str(&l->arena, rest);
	} else {
		class_list_synonyms(l, rest, e);
	}
	e->index = number;
}

/* false: not a class; reported. */
static bool take_line(struct class_list *l, struct str line, bool counted, struct class_entry *e)
{
	struct str rest;
	int64_t number;
	size_t at;
	const char *fault = utf8_fault(line, &at);

	if (fault) {
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "name", "%s", fault);
		return false;
	}
	if (counted && numbered(line, &number, &rest)) {
		numbered_line(l, rest, number, e);
	} else if (starts_with_wnid(line)) {
		wnid_line(l, line, e);
	} else {
		e->name = line;
		e->index = counted ? -1 : e->index;
	}
	if (e->name.n <= MAX_NAME)
		return true;
	report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "name",
		   "expected a name, got %zu bytes", e->name.n);
	return false;
}

/* Numbers behind wnids are the devkit's, which count from 1; with a 0 they are indices. */
static void codes_from_zero(struct class_list *l)
{
	bool zero = false;

	for (size_t i = 0; i < l->v.n; i++)
		zero |= str_eqz(l->v.v[i].code, "0");
	for (size_t i = 0; i < l->v.n && zero; i++) {
		struct class_entry *e = &l->v.v[i];

		if (str_int(e->code, &e->index))
			e->code = STR_NONE;
	}
	l->numbered |= zero;
}

enum status classes_read_lines(struct class_list *l, struct err *err)
{
	bool more = true, plain;
	struct look look = look_at_lines(buf_view(&l->ctx->in->head), &plain);
	struct lines lines;
	struct line line;
	int64_t index = 0;
	enum status st;

	l->numbered = are_counted(&look);
	lines_init(&lines, l->ctx->in);
	while ((st = lines_next(&lines, &line, &more, err)) == OK && more) {
		struct class_entry e = {.src = {line.number, line.byte}, .index = index};
		struct str text = str_trim(line.text);

		if (!text.n)
			continue;
		l->ctx->report->rows++;
		if (!take_line(l, text, are_counted(&look), &e))
			continue;
		index++;
		if ((st = class_list_add(l, &e, err)) != OK)
			break;
	}
	lines_release(&lines);
	codes_from_zero(l);
	if (!l->numbered)
		class_list_rank(l);
	class_list_underscores(l);
	return st;
}

/* --- JSON --- */

static bool is_text(struct str value)
{
	return value.n && value.p[0] == '"';
}

/* {"tench": 0, "goldfish": 1}: names or wnids by numbers that count from 0 or 1. */
static bool is_index_of(struct str object)
{
	int64_t number, first = 0;
	struct member m;
	size_t n = 0;

	while (peek_member(&object, &m) && m.value.n) {
		if (!str_int(m.value, &number) || looks_like_image(m.key) || str_int(m.key, &number))
			return false;
		str_int(m.value, &number);
		if (n++ == 0)
			first = number;
		else if (number != first + (int64_t)n - 1)
			return false;
	}
	return n > 1 && (first == 0 || first == 1);
}

static bool has_id2label(struct str object)
{
	struct member m, inner;

	while (peek_member(&object, &m))
		if (str_eqz(m.key, "id2label") && m.value.n) {
			struct str value = m.value;
			int64_t number;

			return peek_member(&value, &inner) && str_int(inner.key, &number) &&
			       is_text(inner.value);
		}
	return false;
}

/* ["n01440764", "tench"]: a wnid and a name, not two wnids, as of classes that are confused. */
static bool is_wnid_with_name(struct str list)
{
	struct str first, second;
	size_t n;

	if (list.n < 2 || list.p[0] != '[')
		return false;
	first = peek_skip_blanks((struct str){list.p + 1, list.n - 1});
	n = is_text(first) ? peek_json_span(first) : 0;
	if (n != 11 || !looks_like_wnid((struct str){first.p + 1, 9}))
		return false;
	second = peek_skip_blanks((struct str){first.p + n, first.n - n});
	if (!second.n || second.p[0] != ',')
		return false;
	second = peek_skip_blanks((struct str){second.p + 1, second.n - 1});
	n = is_text(second) ? peek_json_span(second) : 0;
	return n > 2 && !looks_like_wnid((struct str){second.p + 1, n - 2});
}

int classes_json_score(const struct peek *p, struct str head)
{
	struct str object = peek_skip_blanks(head), rest = object, value;
	struct member m;
	struct inorder column;
	int64_t number;

	if (p->shape == SHAPE_ARRAY) {
		if (p->first.n && p->first.p[0] == '"')
			return inorder_look(head, &column) ? 0 : 85;
		return is_wnid_with_name(p->first) ? 85 : 0;
	}
	if (!peek_member(&rest, &m) || m.value.p >= head.p + head.n)
		return 0;
	value = (struct str){m.value.p, 1};
	if ((is_text(value) || value.p[0] == '[') && str_int(m.key, &number))
		return 95;
	if (is_text(value) && looks_like_wnid(m.key) && !looks_like_image(unquoted(m.value)))
		return 92;
	if (is_index_of(object))
		return 85;
	return has_id2label(object) ? 90 : 0;
}

/* ["tench", "Tinca tinca"] or ["n01440764", "tench"]. */
static void take_names(struct class_list *l, const cJSON *list, struct class_entry *e)
{
	struct buf all = BUF_INIT;
	const cJSON *first = list->child;

	if (looks_like_wnid(str_trim(json_text(first))) && !e->wnid.n) {
		e->wnid = str_trim(json_text(first));
		e->name = str_trim(json_text(first->next));
		return;
	}
	for (const cJSON *c = first; c; c = c->next) {
		if (all.n)
			buf_z(&all, ", ");
		buf_str(&all, str_trim(json_text(c)));
	}
	class_list_synonyms(l, arena_str(&l->arena, buf_view(&all)), e);
	buf_release(&all);
}

/* By key: an index, a wnid, a name; by value: a name, a list, an index. false: neither. */
static bool take_value(struct class_list *l, struct str key, const cJSON *value, struct class_entry *e)
{
	struct str text = json_text(value);
	double number;
	bool wnid = looks_like_wnid(key);

	if (key.p && e->index < 0) {
		if (wnid)
			e->wnid = arena_str(&l->arena, key);
		else
			e->name = arena_str(&l->arena, str_trim(key));
		if (json_number(value, &number) && number >= 0 && number < 1e9 && key.n <= MAX_NAME) {
			e->index = (int64_t)number;
			l->numbered = true;
			return key.n > 0;
		}
		if (!wnid)
			return false;
	}
	if (text.n && text.n <= MAX_NAME) {
		class_list_synonyms(l, text, e);
		return e->name.n > 0;
	}
	if (!cJSON_IsArray(value) || !value->child)
		return false;
	take_names(l, value, e);
	return (e->wnid.n > 0 || e->name.n > 0) && e->wnid.n <= MAX_NAME && e->name.n <= MAX_NAME;
}

static enum status take_element(struct class_list *l, struct str key, struct str text,
				struct class_entry *e, struct err *err)
{
	struct err why = ERR_INIT;
	cJSON *value = NULL;
	enum status st = OK;

	l->ctx->report->rows++;
	if (json_parse(text, &value, &why))
		report_add(l->ctx->report, PROBLEM_SKIPPED, e->src, "", "%s", why.msg);
	else if (!take_value(l, key, value, e))
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
		if (l->v.v[i].index <= 0 || !l->v.v[i].wnid.n)
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
	bool nested = has_id2label(peek_skip_blanks(buf_view(&l->ctx->in->head)));
	struct json_slice slice;
	struct str text;
	int64_t n = 0;
	enum status st;

	json_slice_init(&slice, l->ctx->in);
	slice.enter[0] = nested ? "id2label" : NULL;
	for (;;) {
		struct class_entry e = {.index = n};
		bool more = true;

		st = json_slice_next(&slice, &text, &more, err);
		if (st || !more)
			break;
		if (nested && !slice.inside)
			continue;
		e.src = (struct src){slice.line, slice.byte};
		if (slice.object && !str_int(buf_view(&slice.key), &e.index))
			e.index = -1;
		l->numbered |= slice.object && e.index >= 0;
		n++;
		if ((st = take_element(l, slice.object ? buf_view(&slice.key) : STR_NONE, text, &e, err)) != OK)
			break;
	}
	if (slice.object || nested)
		one_based_codes(l);
	if (!l->numbered)
		class_list_rank(l);
	json_slice_release(&slice);
	class_list_underscores(l);
	return st;
}
