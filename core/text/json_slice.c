#include "core/text/json.h"
#include "core/text/json_scan.h"

#define AT_END (-1)

void json_slice_init(struct json_slice *s, struct input *in)
{
	*s = (struct json_slice){
	    .in = in, .block = {"", 0}, .at_line = 1, .at_byte = in->skip, .max = JSON_MAX_VALUE};
	s->line_end = input_line_end(in);
}

void json_slice_release(struct json_slice *s)
{
	buf_release(&s->element);
	buf_release(&s->key);
}

static enum status fail(struct json_slice *s, enum status code, const char *why, struct err *err)
{
	s->ended = true;
	return err_set(err, code, "line %llu, byte %llu: %s", (unsigned long long)s->at_line,
		       (unsigned long long)s->at_byte, why);
}

static void pass(struct json_slice *s, size_t n)
{
	const char *p = s->block.p, *end = p + n;

	while (p < end && (p = memchr(p, s->line_end, (size_t)(end - p)))) {
		s->at_line++;
		p++;
	}
	s->block.p += n;
	s->block.n -= n;
	s->at_byte += n;
}

/* *c: the next byte that is not blank, or AT_END. */
static enum status peek(struct json_slice *s, int *c, struct err *err)
{
	for (;;) {
		struct json_scan scan = {.p = s->block.p, .end = s->block.p + s->block.n};
		enum status st;

		if (s->block.n)
			json_skip_blanks(&scan);
		pass(s, (size_t)(scan.p - s->block.p));
		if (s->block.n) {
			*c = (unsigned char)s->block.p[0];
			return OK;
		}
		st = input_block(s->in, &s->block, err);
		*c = AT_END;
		if (st != OK || s->block.n == 0)
			return st;
	}
}

struct cut {
	size_t depth;
	bool in_string, after_backslash, done;
};

/* How many of these bytes belong to the element. Brackets are counted, not matched: what is
 * wrong inside an element is for the parser to say. */
static size_t cut_element(struct cut *c, struct str b)
{
	const char *p = b.p, *end = p + b.n;

	for (; p < end; p++) {
		if (c->in_string) {
			if (!c->after_backslash && (p = json_pass_plain(p, end)) == end)
				break;
			c->in_string = c->after_backslash || *p != '"';
			c->after_backslash = !c->after_backslash && *p == '\\';
		} else if (*p == '"') {
			c->in_string = true;
		} else if (*p == '{' || *p == '[') {
			c->depth++;
		} else if (*p == '}' || *p == ']') {
			c->done = c->depth == 0;
			if (c->done)
				break;
			c->depth--;
		} else if (*p == ',' && c->depth == 0) {
			c->done = true;
			break;
		}
	}
	return (size_t)(p - b.p);
}

/* Behind the opening quote: what comes up to the closing one. */
static size_t cut_string(struct cut *c, struct str b)
{
	size_t i;

	for (i = 0; i < b.n; i++) {
		c->done = !c->after_backslash && b.p[i] == '"';
		if (c->done)
			break;
		c->after_backslash = !c->after_backslash && b.p[i] == '\\';
	}
	return i;
}

static enum status gather(struct json_slice *s, size_t (*cut)(struct cut *, struct str),
			  const char *early, struct err *err)
{
	struct cut c = {0};

	buf_clear(&s->element);
	s->element.max = s->max;
	for (;;) {
		size_t n = cut(&c, s->block);
		enum status st;

		if (n > s->max - s->element.n)
			return fail(s, E_LIMIT, "a JSON value over the ceiling", err);
		buf_put(&s->element, s->block.p, n);
		if (s->element.failed)
			return fail(s, E_MEMORY, "no memory for a JSON value", err);
		pass(s, n);
		if (c.done)
			return OK;
		st = input_block(s->in, &s->block, err);
		if (st != OK)
			return st;
		if (s->block.n == 0)
			return fail(s, E_FORMAT, early, err);
	}
}

static enum status expect(struct json_slice *s, char wanted, const char *why, struct err *err)
{
	int c = AT_END;
	enum status st = peek(s, &c, err);

	if (st != OK)
		return st;
	if (c != wanted)
		return fail(s, E_FORMAT, why, err);
	pass(s, 1);
	return OK;
}

static enum status take_key(struct json_slice *s, struct err *err)
{
	struct json_scan scan;
	enum status st = expect(s, '"', "expected a key in quotes", err);

	if (st == OK)
		st = gather(s, cut_string, "the file ends inside a key", err);
	if (st != OK)
		return st;
	buf_ch(&s->element, '"'); /* the closing quote, for the scanner */
	scan = (struct json_scan){.p = s->element.p, .end = s->element.p + s->element.n};
	if (s->element.failed || !json_scan_string(&scan))
		return fail(s, E_FORMAT, scan.why ? scan.why : "a key over the ceiling", err);
	pass(s, 1);
	buf_clear(&s->key);
	json_unescape((struct str){s->element.p, s->element.n - 1}, &s->key);
	return expect(s, ':', "expected a colon after the key", err);
}

/* Nothing but blanks may follow. */
static enum status finish(struct json_slice *s, struct err *err)
{
	int c = AT_END;
	enum status st;

	pass(s, 1);
	st = peek(s, &c, err);
	if (st == OK && c != AT_END)
		return fail(s, E_FORMAT, "text after the end of the JSON value", err);
	s->ended = true;
	return st;
}

/* Past the bracket that is next; what comes is an element of what it opens. */
static void open_container(struct json_slice *s, int bracket)
{
	s->object = bracket == '{';
	s->fresh = true;
	pass(s, 1);
}

/* Past the closing bracket of a container that was entered. */
static void leave(struct json_slice *s)
{
	pass(s, 1);
	s->object = true;
	s->fresh = false;
	s->inside--;
}

static enum status begin(struct json_slice *s, struct err *err)
{
	int c = AT_END;
	enum status st = peek(s, &c, err);

	if (st != OK)
		return st;
	if (c != '[' && c != '{')
		return fail(s, E_FORMAT, "this is no JSON array or object", err);
	s->started = true;
	open_container(s, c);
	return OK;
}

/* Up to where the next element begins; ended is set when there is none. */
static enum status go_to_element(struct json_slice *s, struct err *err)
{
	int c = AT_END;
	enum status st = s->started ? OK : begin(s, err);

	if (st == OK)
		st = peek(s, &c, err);
	while (st == OK && s->inside && c == (s->object ? '}' : ']')) {
		leave(s);
		st = peek(s, &c, err);
	}
	if (st != OK)
		return st;
	if (c == (s->object ? '}' : ']'))
		return finish(s, err);
	if (c == AT_END)
		return fail(s, E_FORMAT, "the file ends before its JSON value does", err);
	if (s->fresh) {
		s->fresh = false;
		return OK;
	}
	if (c != ',')
		return fail(s, E_FORMAT,
			    s->object ? "expected a comma or }" : "expected a comma or ]", err);
	pass(s, 1);
	return peek(s, &c, err);
}

static bool is_entered(const struct json_slice *s, int c)
{
	return s->object && s->inside < JSON_SLICE_ENTER && s->enter[s->inside] &&
	       (c == '[' || c == '{') && str_eqz(buf_view(&s->key), s->enter[s->inside]);
}

/* To the first byte of the next element. */
static enum status find_element(struct json_slice *s, struct err *err)
{
	for (;;) {
		int c = AT_END;
		enum status st = s->ended ? OK : go_to_element(s, err);

		if (st != OK || s->ended)
			return st;
		s->line = s->at_line;
		s->byte = s->at_byte;
		if (s->object)
			st = take_key(s, err);
		if (st == OK)
			st = peek(s, &c, err);
		if (st != OK || !is_entered(s, c))
			return st;
		open_container(s, c);
		s->inside++;
	}
}

enum status json_slice_next(struct json_slice *s, struct str *element, bool *more, struct err *err)
{
	enum status st = find_element(s, err);

	*more = false;
	*element = STR_NONE;
	if (st != OK || s->ended)
		return st;
	st = gather(s, cut_element, "the file ends before its JSON value does", err);
	if (st != OK)
		return st;
	*element = str_trim(buf_view(&s->element));
	*more = true;
	return OK;
}
