#include "core/text/json.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/map.h"
#include "core/base/utf8.h"
#include "core/text/json_scan.h"

#define CJSON_NUMBER_MAX 63 /* cJSON reads no longer number */
#define FEW_KEYS         24 /* up to here comparing all keys beats hashing them */

/* --- a copy that cJSON understands --- */

/* A number token of scanned text that begins at p. */
static struct str number_at(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && memchr("+-.eE0123456789", *q, 15))
		q++;
	return (struct str){p, (size_t)(q - p)};
}

static const char *copy_string(const char *p, const char *end, struct buf *out)
{
	const char *from = p++;

	while (*p != '"') {
		bool replaced = false;
		uint32_t cp;
		size_t n = *p == '\\' ? json_escape(p, end, &cp, &replaced) : 1;

		if (replaced) {
			buf_put(out, from, (size_t)(p - from));
			buf_z(out, "\\ufffd");
			from = p + n;
		}
		p += n;
	}
	p++;
	buf_put(out, from, (size_t)(p - from));
	return p;
}

/* Scanned text with what cJSON cannot read replaced. */
static void copy_readable(struct str text, struct buf *out)
{
	const char *p = text.p, *end = text.p + text.n;

	while (p < end) {
		struct str rest = {p, (size_t)(end - p)}, number;

		if (*p == '"') {
			p = copy_string(p, end, out);
		} else if (*p == 'N' || *p == 'I' || str_starts(rest, STR("-I"))) {
			buf_z(out, "null");
			p += *p == 'N' ? 3 : *p == 'I' ? 8 : 9;
		} else if (*p == '-' || (*p >= '0' && *p <= '9')) {
			number = number_at(p, end);
			buf_str(out, number.n > CJSON_NUMBER_MAX ? STR("0") : number);
			p += number.n;
		} else {
			buf_ch(out, *p++);
		}
	}
}

/* --- what cJSON leaves out --- */

static const char *pass_string(const char *p)
{
	for (p++; *p != '"'; p++)
		if (*p == '\\')
			p++;
	return p + 1;
}

static struct str next_number(struct str *rest)
{
	const char *p = rest->p, *end = p + rest->n;
	struct str number = STR_NONE;

	while (p < end && !number.n) {
		if (*p == '"') {
			p = pass_string(p);
		} else if ((*p == '-' && p[1] != 'I') || (*p >= '0' && *p <= '9')) {
			number = number_at(p, end);
			p += number.n;
		} else {
			p++;
		}
	}
	*rest = (struct str){p, (size_t)(end - p)};
	return number;
}

/* Gives the numbers of the tree their texts, both in the order of the file. */
static bool keep_numbers(cJSON *item, struct str *rest)
{
	for (; item; item = item->next) {
		struct str token;

		if (item->child && !keep_numbers(item->child, rest))
			return false;
		if (!cJSON_IsNumber(item))
			continue;
		token = next_number(rest);
		if (json_number_is_simple(token))
			continue;
		item->valuestring = cJSON_malloc(token.n + 1);
		if (!item->valuestring)
			return false;
		memcpy(item->valuestring, token.p, token.n);
		item->valuestring[token.n] = '\0';
		if (token.n > CJSON_NUMBER_MAX)
			item->valuedouble = strtod(item->valuestring, NULL);
	}
	return true;
}

static bool seen_before(const cJSON *object, const cJSON *item)
{
	const cJSON *other = object->child;

	while (other != item && strcmp(other->string, item->string) != 0)
		other = other->next;
	return other != item;
}

static void keep_first_keys(cJSON *item);

static void keep_first_of(cJSON *object)
{
	bool many = cJSON_GetArraySize(object) > FEW_KEYS;
	struct intern keys = INTERN_INIT;
	cJSON *next;

	for (cJSON *item = object->child; item; item = next) {
		size_t n = keys.keys.n;

		next = item->next;
		if (many ? intern_add(&keys, str_z(item->string)) < n : seen_before(object, item))
			cJSON_Delete(cJSON_DetachItemViaPointer(object, item));
	}
	intern_release(&keys);
}

static void keep_first_keys(cJSON *item)
{
	for (; item; item = item->next) {
		if (cJSON_IsObject(item))
			keep_first_of(item);
		keep_first_keys(item->child);
	}
}

/* --- parse --- */

static enum status check(struct str text, struct json_scan *s, struct err *err)
{
	if (text.n == 0)
		return err_set(err, E_FORMAT, "byte 0: expected a value");
	if (text.n > JSON_MAX_VALUE)
		return err_set(err, E_LIMIT, "a JSON value of %zu bytes, over the ceiling of %zu",
			       text.n, JSON_MAX_VALUE);
	if (json_scan_value(s, 0)) {
		json_skip_blanks(s);
		if (s->p == s->end)
			return OK;
		s->why = "text after the end of the value";
		s->code = E_FORMAT;
	}
	return err_set(err, s->code, "byte %zu: %s", (size_t)(s->p - text.p), s->why);
}

enum status json_parse(struct str text, cJSON **out, struct err *err)
{
	struct json_scan s = {
	    .p = text.p, .end = text.n ? text.p + text.n : text.p, .look_at_numbers = true};
	struct str numbers = text;
	struct buf copy = BUF_INIT;
	enum status st = check(text, &s, err);
	cJSON *tree = NULL;

	*out = NULL;
	if (st != OK)
		return st;
	if (s.seen & (JSON_SAW_REPLACED | JSON_SAW_NAN | JSON_SAW_NUMBER))
		copy_readable(text, &copy);
	else
		buf_str(&copy, text);
	if (!copy.failed)
		tree = cJSON_ParseWithLength(copy.p, copy.n + 1);
	if (!tree || (s.seen & JSON_SAW_NUMBER && !keep_numbers(tree, &numbers))) {
		st = err_set(err, E_MEMORY, "no memory for a JSON value of %zu bytes", text.n);
		cJSON_Delete(tree);
	} else {
		keep_first_keys(tree);
		*out = tree;
	}
	buf_release(&copy);
	return st;
}

/* --- reading a tree --- */

static size_t pass_blanks(struct str s, size_t at)
{
	while (at < s.n && (unsigned char)s.p[at] <= ' ')
		at++;
	return at;
}

static void append_text(struct arena *arena, cJSON *list, struct str text)
{
	cJSON *item = arena_zalloc(arena, 1, sizeof *item), *last = list->child;

	item->type = cJSON_String;
	item->valuestring = arena_strndup(arena, text.p, text.n);
	if (!last) {
		list->child = item->prev = item;
		return;
	}
	item->prev = last->prev;
	last->prev->next = item;
	last->prev = item;
}

bool json_list_of_texts(struct arena *arena, struct str raw, cJSON **out)
{
	cJSON *list = arena_zalloc(arena, 1, sizeof *list);
	size_t at = pass_blanks(raw, 1);

	list->type = cJSON_Array;
	while (at < raw.n && raw.p[at] == '"') {
		const char *from = raw.p + at + 1, *end = memchr(from, '"', raw.n - at - 1);

		if (!end || memchr(from, '\\', (size_t)(end - from)))
			return false;
		append_text(arena, list, (struct str){from, (size_t)(end - from)});
		at = pass_blanks(raw, (size_t)(end + 1 - raw.p));
		if (at < raw.n && raw.p[at] == ',')
			at = pass_blanks(raw, at + 1);
	}
	*out = list;
	return at + 1 == raw.n;
}

const cJSON *json_get(const cJSON *object, const char *key)
{
	return cJSON_IsObject(object) ? cJSON_GetObjectItemCaseSensitive(object, key) : NULL;
}

struct str json_text(const cJSON *item)
{
	return cJSON_IsString(item) ? str_z(item->valuestring) : STR_NONE;
}

bool json_number(const cJSON *item, double *out)
{
	if (!cJSON_IsNumber(item))
		return false;
	if (item->valuestring)
		return str_num(str_z(item->valuestring), out);
	if (!isfinite(item->valuedouble))
		return false;
	*out = item->valuedouble;
	return true;
}

struct str json_scalar(const cJSON *item, struct buf *scratch)
{
	if (cJSON_IsString(item))
		return str_z(item->valuestring);
	if (cJSON_IsBool(item))
		return cJSON_IsTrue(item) ? STR("true") : STR("false");
	if (!cJSON_IsNumber(item))
		return STR_NONE;
	if (item->valuestring)
		return json_number_text(str_z(item->valuestring), scratch);
	buf_clear(scratch);
	json_put_number(scratch, item->valuedouble);
	return buf_view(scratch);
}

/* --- writing --- */

static void put_escaped(struct buf *out, unsigned char c)
{
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *hit = memchr(from, c, sizeof from - 1);

	if (hit)
		buf_printf(out, "\\%c", to[hit - from]);
	else
		buf_printf(out, "\\u%04x", c);
}

void json_quote(struct buf *out, struct str s)
{
	size_t from = 0, i = 0;

	buf_ch(out, '"');
	while (i < s.n) {
		unsigned char c = (unsigned char)s.p[i];
		size_t len = 1;

		if (c >= 0x80)
			utf8_decode(s.p + i, s.n - i, &len);
		if ((c >= 0x20 && c < 0x7f && c != '"' && c != '\\') || len > 1) {
			i += len;
			continue;
		}
		buf_put(out, s.p + from, i - from);
		if (c >= 0x80)
			buf_z(out, "\xef\xbf\xbd");
		else
			put_escaped(out, c);
		from = ++i;
	}
	buf_put(out, s.p ? s.p + from : "", i - from);
	buf_ch(out, '"');
}

void json_put_number(struct buf *out, double v)
{
	char tmp[40];

	if (!isfinite(v)) {
		buf_z(out, "null");
		return;
	}
	if (v == floor(v) && fabs(v) < 1e15) {
		buf_printf(out, "%.0f", v);
		return;
	}
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(tmp, sizeof tmp, "%.*g", digits, v);
		if (strtod(tmp, NULL) == v)
			break;
	}
	buf_z(out, tmp);
}
