#include "core/net/sse.h"

void sse_init(struct sse *s, sse_event *on_event, void *ctx)
{
	*s = (struct sse){.on_event = on_event, .ctx = ctx};
	s->line.max = s->data.max = s->event.max = SSE_MAX_EVENT;
}

void sse_release(struct sse *s)
{
	buf_release(&s->line);
	buf_release(&s->data);
	buf_release(&s->event);
}

static enum status dispatch(struct sse *s, struct err *err)
{
	enum status st = OK;

	if (s->has_data)
		st = s->on_event(s->ctx, buf_view(&s->event), buf_view(&s->data), err);
	s->has_data = false;
	buf_clear(&s->data);
	buf_clear(&s->event);
	return st;
}

static void field(struct sse *s, struct str line)
{
	struct str name, value = str_cut(line, ':', &name);

	if (!value.p)
		value = STR("");
	if (value.n && *value.p == ' ') {
		value.p++;
		value.n--;
	}
	if (str_eqz(name, "data")) {
		if (s->has_data)
			buf_ch(&s->data, '\n');
		s->has_data = true;
		buf_str(&s->data, value);
	} else if (str_eqz(name, "event")) {
		buf_clear(&s->event);
		buf_str(&s->event, value);
	}
}

static enum status too_long(struct err *err)
{
	return err_set(err, E_LIMIT, "an event of the stream is over %zu bytes", SSE_MAX_EVENT);
}

/* A line whose end was seen; a comment's name is empty, and so no field. */
static enum status end_line(struct sse *s, struct err *err)
{
	struct str line = buf_view(&s->line);
	enum status st = OK;

	if (!s->begun && str_starts(line, STR("\xef\xbb\xbf"))) {
		line.p += 3;
		line.n -= 3;
	}
	s->begun = true;
	if (line.n == 0)
		st = dispatch(s, err);
	else
		field(s, line);
	buf_clear(&s->line);
	return !st && s->data.failed ? too_long(err) : st;
}

static size_t up_to_end(struct str bytes)
{
	size_t n = 0;

	while (n < bytes.n && bytes.p[n] != '\n' && bytes.p[n] != '\r')
		n++;
	return n;
}

enum status sse_feed(struct sse *s, struct str bytes, struct err *err)
{
	while (bytes.n) {
		size_t n = up_to_end(bytes);
		bool second_half = s->after_cr && *bytes.p == '\n';

		s->after_cr = false;
		if (n)
			buf_put(&s->line, bytes.p, n);
		if (s->line.failed)
			return too_long(err);
		if (n == bytes.n)
			break;
		s->after_cr = bytes.p[n] == '\r';
		if (!second_half && end_line(s, err))
			return err->code;
		bytes.p += n + 1;
		bytes.n -= n + 1;
	}
	return OK;
}

enum status sse_end(struct sse *s, struct err *err)
{
	if (s->line.n && end_line(s, err))
		return err->code;
	return dispatch(s, err);
}
