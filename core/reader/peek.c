#include "core/reader/peek.h"

#include "core/reader/guess.h"
#include "core/reader/literal.h"
#include "core/text/csv.h"

#define PEEK_RECORDS 20

static struct str from(struct str s, size_t n)
{
	if (n < s.n)
		return (struct str){s.p + n, s.n - n};
	return s.n ? (struct str){s.p + s.n, 0} : s;
}

struct str peek_skip_blanks(struct str s)
{
	size_t i = 0;

	while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\n' || s.p[i] == '\r'))
		i++;
	return from(s, i);
}

static size_t string_span(struct str s)
{
	for (size_t i = 1; i < s.n; i++) {
		if (s.p[i] == '\\')
			i++;
		else if (s.p[i] == '"')
			return i + 1;
	}
	return 0;
}

static size_t nested_span(struct str s)
{
	size_t depth = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		if (c == '"') {
			size_t n = string_span(from(s, i));

			if (!n)
				return 0;
			i += n - 1;
		} else if (c == '{' || c == '[') {
			depth++;
		} else if (c == '}' || c == ']') {
			if (--depth == 0)
				return i + 1;
		}
	}
	return 0;
}

size_t peek_json_span(struct str s)
{
	if (!s.n)
		return 0;
	if (s.p[0] == '"')
		return string_span(s);
	if (s.p[0] == '{' || s.p[0] == '[')
		return nested_span(s);
	for (size_t i = 0; i < s.n; i++)
		if (memchr(",:]} \t\r\n", s.p[i], 8))
			return i;
	return 0;
}

bool peek_member(struct str *rest, struct member *out)
{
	struct str s = peek_skip_blanks(*rest);
	size_t n;

	if (!s.n || (s.p[0] != '{' && s.p[0] != ','))
		return false;
	s = peek_skip_blanks(from(s, 1));
	if (!s.n || s.p[0] != '"' || !(n = string_span(s)))
		return false;
	out->key = (struct str){s.p + 1, n - 2};
	s = peek_skip_blanks(from(s, n));
	if (!s.n || s.p[0] != ':')
		return false;
	s = peek_skip_blanks(from(s, 1));
	n = peek_json_span(s);
	out->value = (struct str){s.p, n};
	*rest = n ? from(s, n) : STR_NONE;
	return true;
}

bool peek_has(const struct peek *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq_nocase(str_trim(p->name[i]), str_z(name)))
			return true;
	return false;
}

static void add_name(struct peek *p, struct str name)
{
	for (size_t i = 0; i < p->n; i++)
		if (str_eq(p->name[i], name))
			return;
	if (p->n < PEEK_NAMES)
		p->name[p->n++] = name;
}

static void names_of_object(struct peek *p, struct str object)
{
	struct member m;

	while (peek_member(&object, &m))
		add_name(p, m.key);
}

/* The records that follow one another in s, parted by commas, blanks or line ends. */
static void names_of_records(struct peek *p, struct str s, bool keyed)
{
	for (int i = 0; i < PEEK_RECORDS; i++) {
		size_t n;

		s = peek_skip_blanks(s);
		if (s.n && s.p[0] == ',')
			s = peek_skip_blanks(from(s, 1));
		if (keyed) {
			n = s.n && s.p[0] == '"' ? string_span(s) : 0;
			if (!n)
				return;
			if (i == 0)
				p->first_key = (struct str){s.p + 1, n - 2};
			s = peek_skip_blanks(from(s, n));
			if (!s.n || s.p[0] != ':')
				return;
			s = peek_skip_blanks(from(s, 1));
		}
		if (i == 0)
			p->first = s;
		if (s.n && s.p[0] == '{')
			names_of_object(p, s);
		n = peek_json_span(s);
		if (!n)
			return;
		s = from(s, n);
	}
}

/* One object may be the first line of many, or a map of records: then every member that can be
 * seen is one, or the object is spread over lines. */
static enum shape object_or_lines(struct str s)
{
	size_t n = peek_json_span(s);
	struct str rest = s;
	struct member m;
	bool containers = false;

	if (n && peek_skip_blanks(from(s, n)).n)
		return SHAPE_JSONL;
	while (peek_member(&rest, &m)) {
		containers = m.value.p < s.p + s.n && (*m.value.p == '{' || *m.value.p == '[');
		if (!containers)
			break;
	}
	return containers || memchr(s.p, '\n', n ? n : s.n) ? SHAPE_OBJECT : SHAPE_JSONL;
}

/* One field of a CSV row, quotes removed; *s is left behind its delimiter. false: cut off. */
static bool csv_field(struct peek *p, struct str *s, struct str *out, bool *last)
{
	size_t i = 0;

	if (s->n && s->p[0] == '"') {
		char *text = arena_alloc(&p->arena, s->n);
		size_t n = 0;

		for (i = 1; i < s->n; i++) {
			if (s->p[i] == '"' && !(i + 1 < s->n && s->p[i + 1] == '"'))
				break;
			i += s->p[i] == '"';
			text[n++] = s->p[i];
		}
		if (i >= s->n)
			return false;
		*out = (struct str){text, n};
		i++;
	} else {
		while (i < s->n && s->p[i] != p->delimiter && s->p[i] != '\n' && s->p[i] != '\r')
			i++;
		*out = (struct str){s->p, i};
	}
	*last = i >= s->n || s->p[i] != p->delimiter;
	*s = from(*s, i + 1);
	return true;
}

static void names_of_header(struct peek *p, struct str head)
{
	struct str field, rest = peek_skip_blanks(head);
	bool last = false;
	int64_t number;

	while (!last && p->n < PEEK_NAMES && csv_field(p, &rest, &field, &last)) {
		p->name[p->n++] = field;
		p->headerless |= looks_like_image(field) || str_int(str_trim(field), &number);
	}
}

/* In a short file a few bad rows hide the delimiter; two usual field names in the first line
 * give it away. */
static char delimiter_of(struct peek *p, struct str head)
{
	char found = csv_guess_delimiter(head);

	for (const char *d = ",\t;|"; *d && !found; d++) {
		size_t known = 0;

		p->delimiter = *d;
		p->n = 0;
		names_of_header(p, head);
		for (size_t i = 0; i < p->n && p->n > 1; i++)
			known += guess_role(p->name[i]).role != ROLE_OTHER;
		if (known > 1)
			found = *d;
	}
	p->n = 0;
	p->headerless = false;
	return found;
}

/* Lines that Python printed, one dict each: the same as JSON, in the arena. NULL p: they are none. */
static struct str printed_lines(struct peek *p, struct str s)
{
	struct buf all = BUF_INIT, one = BUF_INIT;
	struct str line, out = STR_NONE;

	if (!str_starts(peek_skip_blanks(from(s, 1)), STR("'")))
		return STR_NONE;
	for (int i = 0; s.n && i < PEEK_RECORDS; i++) {
		s = peek_skip_blanks(str_cut(s, '\n', &line));
		if (!literal_json(line, &p->arena, &one))
			break;
		buf_str(&all, buf_view(&one));
		buf_ch(&all, '\n');
	}
	if (all.n && object_or_lines(buf_view(&all)) == SHAPE_JSONL)
		out = arena_str(&p->arena, buf_view(&all));
	buf_release(&all);
	buf_release(&one);
	return out;
}

void peek_open(struct peek *p, struct str head)
{
	struct str s = peek_skip_blanks(head), printed;

	*p = (struct peek){.shape = SHAPE_TEXT};
	if (!s.n)
		return;
	printed = s.p[0] == '{' ? printed_lines(p, s) : STR_NONE;
	if (printed.p)
		s = printed;
	if (s.p[0] == '[') {
		p->shape = SHAPE_ARRAY;
		names_of_records(p, from(s, 1), false);
	} else if (s.p[0] == '{') {
		p->shape = object_or_lines(s);
		names_of_records(p, p->shape == SHAPE_OBJECT ? from(s, 1) : s,
				 p->shape == SHAPE_OBJECT);
	} else if ((p->delimiter = delimiter_of(p, head)) != 0) {
		p->shape = SHAPE_CSV;
		names_of_header(p, head);
	}
}

void peek_release(struct peek *p)
{
	arena_release(&p->arena);
}

bool looks_like_wnid(struct str s)
{
	if (s.n != 9 || s.p[0] != 'n')
		return false;
	for (size_t i = 1; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

#define LONGEST_EXTENSION 4
#define EXTENSION(a, b, c, d) \
	((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

/* The extension in small letters, 0: there is none, or a longer one. A dot in front of a name makes
 * no extension. */
static uint32_t extension(struct str s)
{
	uint32_t ext = 0;

	for (size_t n = 1; n <= LONGEST_EXTENSION + 1 && n < s.n; n++) {
		unsigned char c = (unsigned char)s.p[s.n - n];

		if (c == '.')
			return s.p[s.n - n - 1] == '/' ? 0 : ext;
		if (c >= 'A' && c <= 'Z')
			c |= 0x20;
		ext = ext << 8 | c;
	}
	return 0;
}

bool looks_like_image(struct str s)
{
	switch (extension(s)) {
	case EXTENSION('j', 'p', 'g', 0):
	case EXTENSION('j', 'p', 'e', 'g'):
	case EXTENSION('p', 'n', 'g', 0):
	case EXTENSION('b', 'm', 'p', 0):
	case EXTENSION('g', 'i', 'f', 0):
	case EXTENSION('w', 'e', 'b', 'p'):
	case EXTENSION('t', 'i', 'f', 0):
	case EXTENSION('t', 'i', 'f', 'f'):
		return true;
	default:
		return false;
	}
}

bool looks_like_video(struct str s)
{
	switch (extension(s)) {
	case EXTENSION('m', 'p', '4', 0):
	case EXTENSION('a', 'v', 'i', 0):
	case EXTENSION('m', 'k', 'v', 0):
	case EXTENSION('m', 'o', 'v', 0):
	case EXTENSION('w', 'e', 'b', 'm'):
	case EXTENSION('m', '4', 'v', 0):
	case EXTENSION('m', 'p', 'g', 0):
	case EXTENSION('m', 'p', 'e', 'g'):
		return true;
	default:
		return false;
	}
}
