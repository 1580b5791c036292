#include "core/text/json.h"
#include "core/text/json_scan.h"

/* A cheap "surely new": a bit for every key, of 256. */
struct keys_seen {
	uint64_t bits[4];
	bool kept; /* up to date; until then all keys were usual ones, which differ */
};

/* Has the key's bit been set before? Sets it. */
static bool maybe_seen(struct keys_seen *seen, struct str key)
{
	size_t h = key.n * 37;
	uint64_t bit, *word;
	bool before;

	if (key.n)
		h += (unsigned char)key.p[0] * 11u + (unsigned char)key.p[key.n - 1] * 5u +
		     (unsigned char)key.p[key.n / 2];
	word = &seen->bits[h >> 6 & 3];
	bit = (uint64_t)1 << (h & 63);
	before = *word & bit;
	*word |= bit;
	return before;
}

/* The field has been filled; a key that was there before is dropped. */
static void keep_first(struct flat *f, struct keys_seen *seen)
{
	for (size_t i = 0; !seen->kept && i < f->n; i++)
		maybe_seen(seen, f->field[i].key);
	seen->kept = true;
	if (!maybe_seen(seen, f->field[f->n].key) || !flat_get(f, f->field[f->n].key))
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

/* One of the next two usual keys, from its first byte on; most lines have all or leave one out. */
static bool is_usual(struct json_scan *s, struct flat_field *f, const struct str *usual, size_t n,
		     size_t *next)
{
	for (size_t i = *next; i < n && i < *next + 2; i++) {
		struct str key = usual[i];

		if ((size_t)(s->end - s->p) <= key.n || s->p[key.n] != '"' ||
		    memcmp(s->p, key.p, key.n) != 0)
			continue;
		f->key = key;
		f->usual = (uint32_t)i;
		s->p += key.n + 1;
		*next = i + 1;
		return true;
	}
	return false;
}

static bool scan_key(struct json_scan *s, struct flat_field *f, const struct str *usual, size_t n,
		     size_t *next)
{
	const char *from;

	json_skip_blanks(s);
	if (s->p == s->end || *s->p != '"')
		return false;
	from = ++s->p;
	if (!is_usual(s, f, usual, n, next)) {
		s->seen = 0;
		if (!scan_string(s) || s->seen)
			return false;
		f->key = (struct str){from, (size_t)(s->p - 1 - from)};
		f->usual = FLAT_UNUSUAL;
	}
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

bool flat_scan_usual(struct str line, struct flat *out, const struct str *usual, size_t n)
{
	struct json_scan s = {.p = line.p, .end = line.n ? line.p + line.n : line.p};
	struct keys_seen seen = {.kept = false};
	size_t next = 0;

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

		if (out->n == FLAT_MAX_FIELDS || !scan_key(&s, f, usual, n, &next) ||
		    !scan_field(&s, f))
			return false;
		s.nodes++;
		if (f->usual != FLAT_UNUSUAL && !seen.kept)
			out->n++;
		else
			keep_first(out, &seen);
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

bool flat_scan(struct str line, struct flat *out)
{
	return flat_scan_usual(line, out, NULL, 0);
}

bool json_is_plain(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20 || s.p[i] == '"' || s.p[i] == '\\')
			return false;
	return true;
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
