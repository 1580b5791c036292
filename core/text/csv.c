#include "core/text/csv.h"

#include <stdlib.h>

#include "core/base/vec.h"

/* How often the rows inside a quote that is never closed are looked for again: each time may
 * read to the end of the file, and a file can be made of nothing else. */
#define RESYNCS 16

enum place { FIELD_BEGINS, IN_PLAIN, IN_QUOTES, BEHIND_QUOTE, BEHIND_CR, ROW_ENDS };

struct span {
	size_t from, n; /* from the row's first byte */
	bool doubled;   /* holds doubled quotes */
};

struct csv {
	struct input *in;
	char delimiter, line_end;
	struct buf window; /* from `start`: the row being read and what comes after it */
	size_t start, at;  /* at: how far it has been looked at */
	size_t max, resyncs;
	enum place place;
	bool doubled, eof;
	uint64_t line, byte; /* of start */
	VEC(struct span) spans;
	VEC(struct str) fields;
};

/* '\r' when outside quotes there are carriage returns and no line feed: unlike a line of JSON, a
 * quoted field of a CR-only file may hold line feeds. */
static char guess_line_end(struct str head)
{
	bool quoted = false, cr = false;

	for (size_t i = 0; i < head.n; i++) {
		char c = head.p[i];

		if (c == '"')
			quoted = !quoted;
		else if (c == '\n' && !quoted)
			return '\n';
		else if (c == '\r' && !quoted)
			cr = true;
	}
	return cr ? '\r' : '\n';
}

struct csv *csv_new(struct input *in, char delimiter)
{
	struct csv *c = xcalloc(1, sizeof *c);

	c->in = in;
	c->delimiter = delimiter;
	c->line_end = guess_line_end(buf_view(&in->head));
	c->max = CSV_MAX_RECORD;
	c->resyncs = RESYNCS;
	c->line = 1;
	c->byte = in->skip;
	return c;
}

void csv_set_max(struct csv *c, size_t max_record)
{
	c->max = max_record;
}

void csv_free(struct csv *c)
{
	if (!c)
		return;
	buf_release(&c->window);
	vec_release(&c->spans);
	vec_release(&c->fields);
	free(c);
}

void csv_place(const struct csv *c, uint64_t *line, uint64_t *byte)
{
	*line = c->line;
	*byte = c->byte;
}

void csv_over(struct csv *c, struct input *in, uint64_t line, uint64_t byte)
{
	buf_clear(&c->window);
	c->start = c->at = 0;
	c->eof = false;
	c->in = in;
	c->line = line;
	c->byte = byte;
}

enum status csv_stop(struct csv *c, struct err *err)
{
	struct str rest = {c->window.p + c->start, c->window.n - c->start};
	enum status st = rest.n ? input_unread(c->in, rest, err) : OK;

	buf_clear(&c->window);
	c->start = c->at = 0;
	return st;
}

char csv_line_end(const struct csv *c)
{
	return c->line_end;
}

char csv_delimiter(const struct csv *c)
{
	return c->delimiter;
}

static enum status fill(struct csv *c, struct err *err)
{
	struct str block;
	enum status st;

	if (c->start) {
		c->window.n -= c->start;
		c->at -= c->start;
		memmove(c->window.p, c->window.p + c->start, c->window.n);
		c->start = 0;
	}
	st = input_block(c->in, &block, err);
	if (st != OK)
		return st;
	c->eof = block.n == 0;
	buf_str(&c->window, block);
	if (c->window.failed)
		return err_set(err, E_MEMORY, "line %llu: no memory for the row",
			       (unsigned long long)c->line);
	return OK;
}

/* The row from start up to `to` is done with. */
static void advance(struct csv *c, size_t to)
{
	const char *p = c->window.p + c->start, *end = c->window.p + to;

	c->byte += to - c->start;
	while (p < end && (p = memchr(p, c->line_end, (size_t)(end - p)))) {
		c->line++;
		p++;
	}
	c->start = c->at = to;
}

static void end_field(struct csv *c, size_t end, enum place next)
{
	size_t from = c->spans.n ? c->spans.v[c->spans.n - 1].from : 0;

	c->spans.v[c->spans.n - 1].n = end - c->start - from;
	c->spans.v[c->spans.n - 1].doubled = c->doubled;
	c->place = next;
}

static void begin_field(struct csv *c)
{
	bool quoted = c->window.p[c->at] == '"';

	c->at += quoted;
	c->doubled = false;
	c->place = quoted ? IN_QUOTES : IN_PLAIN;
	vec_push(&c->spans, ((struct span){.from = c->at - c->start}));
}

static bool ends_row(const struct csv *c, char ch)
{
	return ch == '\n' || (ch == '\r' && c->line_end == '\r');
}

static void in_plain(struct csv *c)
{
	const char *p = c->window.p + c->at, *end = c->window.p + c->window.n;
	size_t here;

	while (p < end && *p != c->delimiter && *p != '\n' && *p != '\r')
		p++;
	here = c->at = (size_t)(p - c->window.p);
	if (p == end)
		return;
	c->at++;
	if (*p == c->delimiter) {
		end_field(c, here, FIELD_BEGINS);
	} else if (ends_row(c, *p)) {
		bool cr = *p == '\n' && here > c->start + c->spans.v[c->spans.n - 1].from &&
			  p[-1] == '\r';

		end_field(c, here - cr, ROW_ENDS);
	}
}

static void in_quotes(struct csv *c)
{
	const char *p = c->window.p + c->at;
	const char *quote = memchr(p, '"', c->window.n - c->at);

	c->at = quote ? (size_t)(quote + 1 - c->window.p) : c->window.n;
	if (quote)
		c->place = BEHIND_QUOTE;
}

/* false: something stands between the closing quote and the next delimiter. */
static bool behind_quote(struct csv *c)
{
	char ch = c->window.p[c->at];

	if (ch == '"' && c->place == BEHIND_QUOTE) {
		c->doubled = true;
		c->place = IN_QUOTES;
	} else if (ch == c->delimiter && c->place == BEHIND_QUOTE) {
		end_field(c, c->at - 1, FIELD_BEGINS);
	} else if (ends_row(c, ch)) {
		end_field(c, c->at - (c->place == BEHIND_CR ? 2 : 1), ROW_ENDS);
	} else if (ch == '\r' && c->place == BEHIND_QUOTE) {
		c->place = BEHIND_CR;
	} else {
		return false;
	}
	c->at++;
	return true;
}

static enum status bad_row(struct csv *c, const char *why, struct err *err)
{
	return err_set(err, E_FORMAT, "line %llu, byte %llu: %s", (unsigned long long)c->line,
		       (unsigned long long)c->byte, why);
}

static const char *find_line_end(const struct csv *c, size_t from)
{
	return memchr(c->window.p + from, c->line_end, c->window.n - from);
}

/* Leaves out the rest of the line that the scan stands in. */
static enum status skip_line(struct csv *c, struct err *err)
{
	const char *p;
	enum status st = OK;

	while (!(p = find_line_end(c, c->at)) && !c->eof && st == OK) {
		advance(c, c->window.n);
		st = fill(c, err);
	}
	advance(c, p ? (size_t)(p + 1 - c->window.p) : c->window.n);
	return st;
}

/* A quote that nothing closes swallowed the rows after it: take them up again, if they are few. */
static enum status open_quote(struct csv *c, const char *why, struct err *err)
{
	enum status bad = bad_row(c, why, err), st = OK;
	const char *p = find_line_end(c, c->start);

	if (p && c->resyncs > 0) {
		c->resyncs--;
		advance(c, (size_t)(p + 1 - c->window.p));
	} else {
		struct err other = ERR_INIT;

		st = skip_line(c, &other);
		if (st != OK)
			*err = other;
	}
	return st == OK ? bad : st;
}

static enum status too_much(struct csv *c, const char *why, struct err *err)
{
	struct err other = ERR_INIT;
	enum status bad = bad_row(c, why, err), st = skip_line(c, &other);

	if (st != OK)
		*err = other;
	return st == OK ? bad : st;
}

static enum status step(struct csv *c, struct err *err)
{
	switch (c->place) {
	case FIELD_BEGINS:
		if (c->spans.n == CSV_MAX_FIELDS)
			return too_much(c, "the row has too many fields", err);
		begin_field(c);
		return OK;
	case IN_PLAIN:
		in_plain(c);
		return OK;
	case IN_QUOTES:
		in_quotes(c);
		return OK;
	case BEHIND_QUOTE:
	case BEHIND_CR:
		return behind_quote(c) ? OK : too_much(c, "text behind a closing quote", err);
	case ROW_ENDS:
		break;
	}
	return OK;
}

/* The file ended in the middle of a row: its last line has no end. */
static enum status last_row(struct csv *c, struct err *err)
{
	switch (c->place) {
	case IN_QUOTES:
		return open_quote(c, "a quote that is never closed", err);
	case FIELD_BEGINS:
		vec_push(&c->spans, ((struct span){.from = c->at - c->start}));
		c->doubled = false;
		end_field(c, c->at, ROW_ENDS);
		return OK;
	case IN_PLAIN: {
		bool cr = c->at > c->start + c->spans.v[c->spans.n - 1].from &&
			  c->window.p[c->at - 1] == '\r';

		end_field(c, c->at - cr, ROW_ENDS);
		return OK;
	}
	default:
		end_field(c, c->at - (c->place == BEHIND_CR ? 2 : 1), ROW_ENDS);
		return OK;
	}
}

static enum status scan_row(struct csv *c, struct err *err)
{
	enum status st = OK;

	vec_clear(&c->spans);
	c->place = FIELD_BEGINS;
	while (c->place != ROW_ENDS && st == OK) {
		if (c->at - c->start > c->max)
			st = c->place == IN_QUOTES
				 ? open_quote(c, "the row is too long, or a quote is never closed",
					      err)
				 : too_much(c, "the row is too long", err);
		else if (c->at < c->window.n)
			st = step(c, err);
		else if (c->eof)
			st = last_row(c, err);
		else
			st = fill(c, err);
	}
	return st;
}

/* Passes blank lines; *more = false at the end. */
static enum status go_to_row(struct csv *c, bool *more, struct err *err)
{
	enum status st = OK;

	for (;;) {
		size_t blank = c->start;

		if (c->window.n == 0 && !c->eof && (st = fill(c, err)) != OK)
			break;
		while (blank < c->window.n &&
		       (c->window.p[blank] == '\n' || c->window.p[blank] == '\r'))
			blank++;
		if (blank > c->start)
			advance(c, blank);
		if (blank < c->window.n || c->eof)
			break;
		st = fill(c, err);
		if (st != OK)
			break;
	}
	*more = st == OK && c->start < c->window.n;
	return st;
}

static struct str without_doubles(char *p, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		p[to++] = p[i];
		if (p[i] == '"')
			i++;
	}
	return (struct str){p, to};
}

enum status csv_next(struct csv *c, struct csv_row *out, bool *more, struct err *err)
{
	enum status st = go_to_row(c, more, err);

	*out = (struct csv_row){.line = c->line, .byte = c->byte};
	if (st != OK || !*more)
		return st;
	st = scan_row(c, err);
	if (st != OK)
		return st;
	vec_clear(&c->fields);
	for (size_t i = 0; i < c->spans.n; i++) {
		struct span s = c->spans.v[i];
		char *p = c->window.p + c->start + s.from;

		vec_push(&c->fields, s.doubled ? without_doubles(p, s.n) : ((struct str){p, s.n}));
	}
	out->field = c->fields.v;
	out->n = c->fields.n;
	advance(c, c->at);
	return OK;
}

void csv_quote(struct buf *out, struct str s, char delimiter)
{
	bool plain = true;

	for (size_t i = 0; i < s.n && plain; i++)
		plain = s.p[i] != delimiter && s.p[i] != '"' && s.p[i] != '\n' && s.p[i] != '\r';
	if (plain) {
		buf_str(out, s);
		return;
	}
	buf_ch(out, '"');
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			buf_ch(out, '"');
		buf_ch(out, s.p[i]);
	}
	buf_ch(out, '"');
}

/* --- which delimiter? --- */

#define ROWS_LOOKED_AT 64
#define EVEN_SHARE     0.9

/* How many rows in the head have as many fields as the first one, of how many rows. */
struct shape {
	size_t fields, rows, even;
};

static void count_row(struct shape *s, size_t fields)
{
	if (s->rows == 0)
		s->fields = fields;
	s->rows++;
	s->even += fields == s->fields;
}

static struct shape shape_of(struct str head, char delimiter)
{
	struct shape s = {0, 0, 0};
	bool quoted = false, begins = true; /* may a quote open here? */
	size_t fields = 1, row = 0;

	for (size_t i = 0; i < head.n && s.rows < ROWS_LOOKED_AT; i++) {
		char ch = head.p[i];

		if (ch == '"' && (quoted || begins)) {
			quoted = !quoted;
			begins = !quoted; /* a doubled one opens again */
		} else if (!quoted && ch == delimiter) {
			fields++;
			begins = true;
		} else if (!quoted && (ch == '\n' || ch == '\r')) {
			if (i > row)
				count_row(&s, fields);
			fields = 1;
			row = i + 1;
			begins = true;
		} else {
			begins = false;
		}
	}
	if (s.rows == 0 && head.n > row)
		count_row(&s, fields); /* the last row of a long head may be cut: only if alone */
	return s;
}

char csv_guess_delimiter(struct str head)
{
	static const char candidates[] = ",\t;|";
	struct shape best = {0, 0, 0};
	char found = '\0';

	for (const char *d = candidates; *d; d++) {
		struct shape s = shape_of(head, *d);

		if (s.fields < 2 || (double)s.even < EVEN_SHARE * (double)s.rows)
			continue;
		if (!found || s.even * best.rows > best.even * s.rows ||
		    (s.even * best.rows == best.even * s.rows && s.fields > best.fields)) {
			found = *d;
			best = s;
		}
	}
	return found;
}
