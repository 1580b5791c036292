#include "core/text/json.h"
#include "core/text/decimal.h"
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

/*
 * A line on its way. What is plain is passed with p in a register; the rest goes through the
 * full scan, which leaves its bits in s.seen. NULL: refused.
 */
struct scan {
	struct json_scan s; /* s.end */
	struct flat *out;
	const struct flat_usual *usual;
	size_t n_usual, next; /* next: the usual key that most likely comes */
};

static inline const char *pass_blanks(const char *p, const char *end)
{
	if (p < end && *p == ' ') /* most often there is one or none */
		p++;
	if (p < end && *p > ' ')
		return p;
	while (p < end && (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r'))
		p++;
	return p;
}

/* From behind a value or a key past this sign up to what comes next, which is there; NULL: the sign
 * is not there, or nothing behind it. Nearly all lines have no blank before and one behind it. */
static inline const char *pass_sign(const char *p, const char *end, char sign)
{
	const char usual[2] = {sign, ' '};

	if (end - p >= 3 && memcmp(p, usual, 2) == 0 && p[2] > ' ')
		return p + 2;
	p = pass_blanks(p, end);
	if (p == end || *p != sign)
		return NULL;
	p = pass_blanks(p + 1, end);
	return p < end ? p : NULL;
}

static const char *full_scan(struct scan *c, const char *p, bool (*scan)(struct json_scan *))
{
	c->s.p = p;
	return scan(&c->s) ? c->s.p : NULL;
}

static bool scan_nested(struct json_scan *s)
{
	return json_scan_value(s, 1);
}

/* From behind the opening quote to behind the closing one. */
static inline const char *pass_string(struct scan *c, const char *p)
{
	const char *q = json_pass_plain(p, c->s.end);

	return q < c->s.end && *q == '"' ? q + 1 : full_scan(c, p, json_scan_string);
}

/* Does the key stand at p, with its quote? */
static inline bool is_usual(const struct flat_usual *u, const char *p, const char *end)
{
	size_t n = u->key.n;

#ifdef __SSE2__
	if (end - p >= 16) {
		__m128i head = _mm_loadu_si128((const __m128i *)(const void *)u->head);
		__m128i text = _mm_loadu_si128((const __m128i *)(const void *)p);
		unsigned same = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(head, text));

		if (n < 16 || (same & u->mask) != u->mask)
			return u->mask && (same & u->mask) == u->mask;
	}
#endif
	return u->mask && (size_t)(end - p) > n && p[n] == '"' && memcmp(p, u->key.p, n) == 0;
}

/* One of the next two usual keys, from its first byte on; most lines have all or leave one out. */
static inline const char *pass_usual(struct scan *c, const char *p, struct flat_field *f)
{
	size_t i = c->next;

	if (i >= c->n_usual)
		return NULL;
	if (!is_usual(&c->usual[i], p, c->s.end) &&
	    (++i >= c->n_usual || !is_usual(&c->usual[i], p, c->s.end)))
		return NULL;
	f->key = c->usual[i].key;
	f->usual = (uint32_t)i;
	c->next = i + 1;
	return p + f->key.n + 1;
}

/* A key and its colon, up to the value. */
static inline const char *pass_key(struct scan *c, const char *p, struct flat_field *f)
{
	const char *from;

	if (*p != '"')
		return NULL;
	from = ++p;
	p = pass_usual(c, from, f);
	if (!p) {
		c->s.seen = 0;
		p = pass_string(c, from);
		if (!p || c->s.seen)
			return NULL;
		f->key = (struct str){from, (size_t)(p - 1 - from)};
		f->usual = FLAT_UNUSUAL;
	}
	return pass_sign(p, c->s.end, ':');
}

static enum flat_type type_of(char first)
{
	switch (first) {
	case '[':
		return FLAT_ARRAY;
	case '{':
		return FLAT_OBJECT;
	case 't':
	case 'f':
		return FLAT_BOOL;
	case 'n':
	case 'N':
	case 'I':
		return FLAT_NULL;
	default:
		return FLAT_NUMBER;
	}
}

static const char *pass_other(struct scan *c, const char *p, struct flat_field *f)
{
	const char *from = p;

	f->escaped = false;
	if (*p >= '0' && *p <= '9' && (p = decimal_pass(p, c->s.end, &f->digits, &f->places))) {
		f->type = FLAT_NUMBER;
		f->decimal = true;
		f->raw = (struct str){from, (size_t)(p - from)};
		return p;
	}
	p = from;
	f->decimal = false;
	c->s.seen = 0;
	f->type = type_of(*p);
	if (f->type == FLAT_NUMBER)
		p = full_scan(c, p, json_scan_number);
	else if (f->type == FLAT_ARRAY || f->type == FLAT_OBJECT)
		p = full_scan(c, p, scan_nested);
	else
		p = full_scan(c, p, json_scan_word);
	if (!p)
		return NULL;
	if (c->s.seen & JSON_SAW_NAN && f->type == FLAT_NUMBER)
		f->type = FLAT_NULL;
	f->raw = (struct str){from, (size_t)(p - from)};
	return p;
}

static inline const char *pass_value(struct scan *c, const char *p, struct flat_field *f)
{
	const char *from = p + 1;

	if (*p != '"')
		return pass_other(c, p, f);
	c->s.seen = 0;
	p = pass_string(c, from);
	if (!p)
		return NULL;
	f->type = FLAT_STRING;
	f->escaped = c->s.seen != 0;
	f->raw = (struct str){from, (size_t)(p - 1 - from)};
	return p;
}

/* The members from the first byte on, up to behind the closing brace. */
static const char *pass_members(struct scan *c, const char *p)
{
	struct keys_seen seen = {.kept = false};
	struct flat *out = c->out;

	for (;;) {
		struct flat_field *f = &out->field[out->n];
		const char *from;

		if (out->n == FLAT_MAX_FIELDS || !(p = pass_key(c, p, f)) || !(p = pass_value(c, p, f)))
			return NULL;
		c->s.nodes++;
		if (f->usual != FLAT_UNUSUAL && !seen.kept)
			out->n++;
		else
			keep_first(out, &seen);
		from = p;
		p = pass_sign(from, c->s.end, ',');
		if (p)
			continue;
		p = pass_blanks(from, c->s.end);
		return p < c->s.end && *p == '}' ? p + 1 : NULL;
	}
}

bool flat_scan_usual(struct str line, struct flat *out, const struct flat_usual *usual, size_t n)
{
	const char *p = line.p, *end = line.n ? p + line.n : p;
	struct scan c = {.s = {.end = end}, .out = out, .usual = usual, .n_usual = n};

	out->n = 0;
	if (line.n > JSON_MAX_VALUE)
		return false;
	p = pass_blanks(p, end);
	if (p == end || *p++ != '{')
		return false;
	p = pass_blanks(p, end);
	if (p == end)
		return false;
	p = *p == '}' ? p + 1 : pass_members(&c, p);
	return p && pass_blanks(p, end) == end && c.s.nodes < JSON_MAX_NODES;
}

bool flat_scan(struct str line, struct flat *out)
{
	return flat_scan_usual(line, out, NULL, 0);
}

struct flat_usual flat_usual(struct str key)
{
	struct flat_usual u = {.key = key};
	size_t n = key.n < 15 ? key.n : 15;

	for (size_t i = 0; i < key.n; i++)
		if ((unsigned char)key.p[i] < 0x20 || key.p[i] == '"' || key.p[i] == '\\')
			return u;
	if (n)
		memcpy(u.head, key.p, n);
	u.head[n] = key.n < 16 ? '"' : (unsigned char)key.p[n];
	u.mask = (uint16_t)(((uint32_t)1 << (n + 1)) - 1);
	return u;
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
