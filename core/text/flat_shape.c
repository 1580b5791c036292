#include "core/text/decimal.h"
#include "core/text/json.h"
#include "core/text/json_scan.h"

#define MISSES_MAX  4
#define LEFT_ALONE 256 /* lines */

/* --- a line of the shape --- */

_Static_assert(FLAT_SHAPE_BYTES == 32, "two looks of 16 bytes, and a bit for each");

#ifdef __SSE2__
/* A bit for each of 32 bytes that is the same here and there. */
static inline uint32_t same_bytes(const void *here, const void *there)
{
	const __m128i *a = here, *b = there;
	__m128i head = _mm_cmpeq_epi8(_mm_loadu_si128(a), _mm_loadu_si128(b));
	__m128i tail = _mm_cmpeq_epi8(_mm_loadu_si128(a + 1), _mm_loadu_si128(b + 1));

	return (uint32_t)_mm_movemask_epi8(head) | (uint32_t)_mm_movemask_epi8(tail) << 16;
}
#endif

/* Does it stand at p? */
static inline bool stands(const struct flat_between *b, const char *p, const char *end)
{
#ifdef __SSE2__
	if (end - p >= FLAT_SHAPE_BYTES) /* whatever its length, in the same steps */
		return (~same_bytes(b->text, p) & b->bytes) == 0;
#endif
	return (size_t)(end - p) >= b->n && memcmp(p, b->text, b->n) == 0;
}

static const char *pass_odd_string(const char *p, const char *end, bool *escaped)
{
	struct json_scan s = {.p = p, .end = end};

	if (!json_scan_string(&s))
		return NULL;
	*escaped = s.seen != 0;
	return s.p - 1;
}

/* From behind the opening quote to the closing one. */
static inline const char *pass_string(const char *p, const char *end, struct flat_value *v)
{
	const char *from = p;

	v->escaped = false;
	p = json_pass_plain(p, end);
	if (p < end && *p != '"')
		p = pass_odd_string(p, end, &v->escaped);
	v->text = (struct str){from, (size_t)(p - from)};
	return p;
}

static inline __attribute__((always_inline)) const char *
pass_number(const char *p, const char *end, struct flat_value *v)
{
	const char *from = p;

	v->escaped = false;
	p = p < end && *p >= '0' && *p <= '9' ? decimal_pass(p, end, &v->digits, &v->places) : NULL;
	if (p)
		v->text = (struct str){from, (size_t)(p - from)};
	return p;
}

static inline const char *pass_spaces(const char *p, const char *end)
{
	while (p < end && *p == ' ')
		p++;
	return p;
}

/* The items from behind the bracket on, to behind the one that closes; there is room for `room`. What
 * has escapes, or blanks of other kinds, is left to the full scan. */
static const char *pass_items(const char *p, const char *end, struct str *items, size_t room,
			      size_t *n)
{
	struct flat_value item;

	p = pass_spaces(p, end);
	if (p < end && *p == ']')
		return p + 1;
	while (*n < room && p < end && *p == '"') {
		p = pass_string(p + 1, end, &item);
		if (!p || p == end || item.escaped)
			return NULL;
		items[(*n)++] = item.text;
		p = pass_spaces(p + 1, end);
		if (p < end && *p == ']')
			return p + 1;
		if (p == end || *p != ',')
			return NULL;
		p = pass_spaces(p + 1, end);
	}
	return NULL;
}

static inline const char *pass_list(const char *p, const char *end, struct str *items, size_t room,
				    struct flat_value *v)
{
	const char *from = p;
	size_t n = 0;

	p = p < end && *p == '[' ? pass_items(p + 1, end, items, room, &n) : NULL;
	if (p)
		*v = (struct flat_value){{from, (size_t)(p - from)}, n, 0, false};
	return p;
}

/* Do the bytes of the line before stand at p, which may be past what can be looked at? */
static inline bool stand_again(const struct flat_repeat *r, const char *p, const char *end)
{
	if (end - p < FLAT_REPEAT_BYTES)
		return false;
#ifdef __SSE2__
	uint64_t same = same_bytes(r->text, p) | (uint64_t)same_bytes(r->text + 32, p + 32) << 32;

	return r->bytes && (~same & r->bytes) == 0;
#else
	return r->bytes && memcmp(r->text, p, r->length + 1) == 0;
#endif
}

/* To the quote behind the last of them; NULL: they are others. What was scanned once is the same text
 * wherever the same bytes stand. */
static inline const char *pass_repeat(struct flat_repeat *r, const char *p, const char *end,
				      struct flat_value *v)
{
	r->again = stand_again(r, p, end);
	if (!r->again)
		return NULL;
	for (size_t i = 0; i < r->n; i++)
		v[i] = (struct flat_value){.text = {p + r->at[i], r->size[i]}};
	return p + r->length;
}

/* The fields b … last, to behind the last one; NULL: they are of another shape. */
static inline __attribute__((always_inline)) const char *
pass_fields(const char *p, const char *end, const struct flat_between *b,
	    const struct flat_between *last, struct flat_value *v, struct str *items)
{
	size_t n = 0;

	for (; p && b < last; b++, v++) {
		if (!stands(b, p, end))
			return NULL;
		p += b->n;
		if (b->string)
			p = pass_string(p, end, v);
		else if (!items || !b->list)
			p = pass_number(p, end, v);
		else if ((p = pass_list(p, end, items + n, FLAT_SHAPE_ITEMS - n, v)))
			n += v->digits;
	}
	return p;
}

/* To behind what ends a line; NULL: it is of another shape. */
static inline const char *pass_end(const char *p, const char *end, const struct flat_shape *shape)
{
	return p && stands(&shape->end, p, end) ? p + shape->end.n : NULL;
}

static inline const char *pass_line(const char *p, const char *end, const struct flat_shape *shape,
				    struct flat_value *v, struct str *items)
{
	p = pass_fields(p, end, shape->field, shape->field + shape->n, v, items);
	return pass_end(p, end, shape);
}

static inline const char *pass_repeating(const char *p, const char *end,
					 const struct flat_shape *shape, struct flat_repeat *r,
					 struct flat_value *v)
{
	const struct flat_between *b = shape->field;
	const char *behind;
	size_t at = r->from;

	p = pass_fields(p, end, b, b + at, v, NULL);
	if (!p)
		return NULL;
	behind = pass_repeat(r, p, end, v + at);
	if (behind) {
		p = behind;
		at += r->n;
	}
	p = pass_fields(p, end, b + at, b + shape->n, v + at, NULL);
	return pass_end(p, end, shape);
}

/* Lines without lists, which are most, do not ask at every number whether it is one. */
static const char *pass_any(const char *p, const char *end, const struct flat_shape *shape,
			    struct flat_value *v, struct str *items)
{
	return shape->lists ? (items ? pass_line(p, end, shape, v, items) : NULL)
			    : pass_line(p, end, shape, v, NULL);
}

static enum flat_type type_of(const struct flat_between *b)
{
	return b->string ? FLAT_STRING : b->list ? FLAT_ARRAY : FLAT_NUMBER;
}

static bool has_shape(struct str line, struct flat *out, const struct flat_shape *shape)
{
	struct flat_value v[FLAT_SHAPE_FIELDS];
	struct str items[FLAT_SHAPE_ITEMS];

	if (pass_any(line.p, line.p + line.n, shape, v, items) != line.p + line.n ||
	    line.n > JSON_MAX_VALUE)
		return false;
	for (size_t i = 0; i < shape->n; i++) {
		const struct flat_between *b = &shape->field[i];
		struct flat_field *f = &out->field[i];

		f->key = b->key;
		f->usual = b->usual;
		f->raw = v[i].text;
		f->escaped = v[i].escaped;
		f->type = type_of(b);
		f->decimal = f->type == FLAT_NUMBER;
		if (f->decimal) {
			f->digits = v[i].digits;
			f->places = v[i].places;
		}
	}
	out->n = shape->n;
	return true;
}

/* The line's length with its LF, which is to stand there. */
static size_t whole_line(struct str bytes, const char *behind)
{
	if (!behind || behind == bytes.p + bytes.n || *behind != '\n' ||
	    (size_t)(behind - bytes.p) > JSON_MAX_VALUE)
		return 0;
	return (size_t)(behind + 1 - bytes.p);
}

size_t flat_shaped_line(struct str bytes, const struct flat_shape *shape,
			struct flat_value v[FLAT_SHAPE_FIELDS],
			struct str items[FLAT_SHAPE_ITEMS])
{
	return shape->n ? whole_line(bytes, pass_any(bytes.p, bytes.p + bytes.n, shape, v, items))
			: 0;
}

static void keep_repeat(struct flat_repeat *r, const struct flat_shape *shape,
			const struct flat_value *v, const char *end)
{
	const struct flat_value *last = &v[r->n - 1];
	const char *from = v->text.p - shape->field[r->from].n;
	bool plain = end - from >= FLAT_REPEAT_BYTES;

	r->length = (size_t)(last->text.p + last->text.n - from);
	for (size_t i = 0; i < r->n; i++) {
		r->at[i] = (size_t)(v[i].text.p - from);
		r->size[i] = v[i].text.n;
		plain &= !v[i].escaped;
	}
	r->bytes = 0;
	if (!plain || r->length >= FLAT_REPEAT_BYTES)
		return;
	memcpy(r->text, from, FLAT_REPEAT_BYTES);
	r->bytes = ((uint64_t)2 << r->length) - 1;
}

size_t flat_repeating_line(struct str bytes, const struct flat_shape *shape,
			   struct flat_repeat *repeat, struct flat_value v[FLAT_SHAPE_FIELDS])
{
	const char *end = bytes.p + bytes.n;
	size_t n;

	repeat->again = false;
	if (!repeat->n || (repeat->misses > MISSES_MAX && repeat->misses++ < LEFT_ALONE)) {
		repeat->bytes = 0; /* "the line before" is this one, which nobody keeps */
		return flat_shaped_line(bytes, shape, v, NULL);
	}
	n = whole_line(bytes, pass_repeating(bytes.p, end, shape, repeat, v));
	if (repeat->again) {
		repeat->misses = 0;
	} else if (n) {
		keep_repeat(repeat, shape, v + repeat->from, end);
		repeat->misses = repeat->misses < LEFT_ALONE ? repeat->misses + 1 : 0;
	}
	return n;
}

/* --- learning it --- */

/* Up to the value, or to the end of the line; false: there is too much of it. */
static bool keep(struct flat_between *b, const char *from, const char *to)
{
	size_t n = (size_t)(to - from);

	if (n > FLAT_SHAPE_BYTES)
		return false;
	memcpy(b->text, from, n);
	b->n = (uint32_t)n;
	b->bytes = n < FLAT_SHAPE_BYTES ? ((uint32_t)1 << n) - 1 : UINT32_MAX;
	return true;
}

static bool is_list_of_texts(struct str raw)
{
	struct str items[FLAT_SHAPE_ITEMS];
	size_t n = 0;

	return pass_items(raw.p + 1, raw.p + raw.n, items, FLAT_SHAPE_ITEMS, &n) != NULL;
}

static void learn(struct str line, const struct flat *flat, struct flat_shape *shape)
{
	const char *from = line.p;

	shape->n = 0;
	shape->lists = false;
	shape->version++;
	for (size_t i = 0; i < flat->n; i++) {
		const struct flat_field *f = &flat->field[i];
		struct flat_between *b = &shape->field[i];
		bool string = f->type == FLAT_STRING;
		bool list = f->type == FLAT_ARRAY && is_list_of_texts(f->raw);

		if (i == FLAT_SHAPE_FIELDS || f->usual == FLAT_UNUSUAL ||
		    !(string || list || (f->type == FLAT_NUMBER && f->decimal)) ||
		    !keep(b, from, f->raw.p))
			return;
		b->key = f->key;
		b->usual = f->usual;
		b->string = string;
		b->list = list;
		shape->lists |= list;
		from = f->raw.p + f->raw.n;
	}
	if (keep(&shape->end, from, line.p + line.n))
		shape->n = flat->n;
}

bool flat_scan_shaped(struct str line, struct flat *out, struct flat_shape *shape,
		      const struct flat_usual *usual, size_t n)
{
	bool ok;

	if (shape->misses > MISSES_MAX && shape->misses++ < LEFT_ALONE)
		return flat_scan_usual(line, out, usual, n);
	if (shape->n && has_shape(line, out, shape)) {
		shape->misses = 0;
		return true;
	}
	ok = flat_scan_usual(line, out, usual, n);
	shape->misses = shape->misses < LEFT_ALONE ? shape->misses + 1 : 0;
	if (ok)
		learn(line, out, shape);
	return ok;
}
