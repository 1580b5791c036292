#include "core/text/json.h"
#include "core/text/json_scan.h"

/* The field has been filled; a key that was there before is dropped. The bits of `seen` are a
 * cheap "surely new". */
static void keep_first(struct flat *f, uint64_t seen[4])
{
	struct str key = f->field[f->n].key;
	size_t h = key.n * 37;
	uint64_t bit;

	if (key.n)
		h += (unsigned char)key.p[0] * 11u + (unsigned char)key.p[key.n - 1] * 5u +
		     (unsigned char)key.p[key.n / 2];
	seen += h >> 6 & 3;
	bit = (uint64_t)1 << (h & 63);
	if (*seen & bit && flat_get(f, key))
		return;
	*seen |= bit;
	f->n++;
}

/* Most strings are plain: only the others need the full scan. */
static bool scan_string(struct json_scan *s)
{
	const char *p = json_pass_plain(s->p, s->end);

	if (p == s->end || *p != '"')
		return json_scan_string(s);
	s->p = p + 1;
	return true;
}

static bool scan_key(struct json_scan *s, struct str *key)
{
	const char *from;

	json_skip_blanks(s);
	if (s->p == s->end || *s->p != '"')
		return false;
	from = ++s->p;
	s->seen = 0;
	if (!scan_string(s) || s->seen)
		return false;
	*key = (struct str){from, (size_t)(s->p - 1 - from)};
	json_skip_blanks(s);
	if (s->p == s->end || *s->p != ':')
		return false;
	s->p++;
	json_skip_blanks(s);
	return s->p < s->end;
}

static bool scan_field(struct json_scan *s, struct flat_field *f)
{
	const char *from = s->p;
	bool ok;

	s->seen = 0;
	switch (*from) {
	case '"':
		f->type = FLAT_STRING;
		from = ++s->p;
		ok = scan_string(s);
		f->escaped = s->seen != 0;
		f->raw = (struct str){from, (size_t)(s->p - 1 - from)};
		return ok;
	case '[':
		f->type = FLAT_ARRAY;
		ok = json_scan_value(s, 1);
		break;
	case '{':
		f->type = FLAT_OBJECT;
		ok = json_scan_value(s, 1);
		break;
	case 't':
	case 'f':
		f->type = FLAT_BOOL;
		ok = json_scan_word(s);
		break;
	case 'n':
	case 'N':
	case 'I':
		f->type = FLAT_NULL;
		ok = json_scan_word(s);
		break;
	default:
		ok = json_scan_number(s);
		f->type = s->seen & JSON_SAW_NAN ? FLAT_NULL : FLAT_NUMBER;
	}
	f->escaped = false;
	f->raw = (struct str){from, (size_t)(s->p - from)};
	return ok;
}

static bool at_end(struct json_scan *s)
{
	json_skip_blanks(s);
	return s->p == s->end;
}

bool flat_scan(struct str line, struct flat *out)
{
	struct json_scan s = {.p = line.p, .end = line.n ? line.p + line.n : line.p};
	uint64_t seen[4] = {0};

	out->n = 0;
	if (line.n == 0 || line.n > JSON_MAX_VALUE || at_end(&s) || *s.p++ != '{')
		return false;
	json_skip_blanks(&s);
	if (s.p < s.end && *s.p == '}') {
		s.p++;
		return at_end(&s);
	}
	for (;;) {
		struct flat_field *f = &out->field[out->n];

		if (out->n == FLAT_MAX_FIELDS || !scan_key(&s, &f->key) || !scan_field(&s, f))
			return false;
		s.nodes++;
		keep_first(out, seen);
		if (at_end(&s))
			return false;
		if (*s.p == '}')
			break;
		if (*s.p++ != ',')
			return false;
	}
	s.p++;
	return at_end(&s) && s.nodes < JSON_MAX_NODES;
}

const struct flat_field *flat_get(const struct flat *f, struct str key)
{
	for (size_t i = 0; i < f->n; i++)
		if (str_eq(f->field[i].key, key))
			return &f->field[i];
	return NULL;
}

struct str flat_text(const struct flat_field *field, struct buf *scratch)
{
	if (field->type == FLAT_NUMBER)
		return json_number_text(field->raw, scratch);
	if (field->type != FLAT_STRING || !field->escaped)
		return field->raw;
	buf_clear(scratch);
	json_unescape(field->raw, scratch);
	return buf_view(scratch);
}
