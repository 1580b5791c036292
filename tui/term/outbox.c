#include "tui/term/outbox.h"

void outbox_fill(struct outbox *o, struct buf *bytes, size_t before, size_t sixel, bool wrapped)
{
	size_t terminator = wrapped ? 5 : 2; /* ESC ESC \ ESC \ */
	const char *q;

	outbox_release(o);
	o->bytes = *bytes;
	*bytes = (struct buf)BUF_INIT;
	o->end = before + sixel - terminator;
	q = memchr(o->bytes.p + before, 'q', o->end - before);
	o->body = q ? (size_t)(q - o->bytes.p) + 1 : o->end;
}

bool outbox_busy(const struct outbox *o)
{
	return o->at < o->bytes.n;
}

struct str outbox_rest(const struct outbox *o)
{
	return outbox_busy(o) ? (struct str){o->bytes.p + o->at, o->bytes.n - o->at} : STR_NONE;
}

void outbox_release(struct outbox *o)
{
	buf_release(&o->bytes);
	*o = (struct outbox){.at = 0};
}

void outbox_wrote(struct outbox *o, size_t n)
{
	o->at += n;
	if (o->at >= o->bytes.n)
		outbox_release(o);
}

/* Between two bands, two colours or two columns; never inside of a number. */
static bool is_whole(char c)
{
	return (c >= '?' && c <= '~') || c == '-' || c == '$';
}

static size_t clean_end(const struct outbox *o)
{
	size_t i = o->at;

	if (i <= o->body)
		return o->body;
	while (i < o->end && !is_whole(o->bytes.p[i - 1]))
		i++;
	return i;
}

bool outbox_cut(struct outbox *o, struct buf *rest)
{
	const char *p = o->bytes.p;
	bool whole = o->at >= o->end;

	if (whole) {
		buf_put(rest, p + o->at, o->bytes.n - o->at);
	} else if (o->at > 0) {
		buf_put(rest, p + o->at, clean_end(o) - o->at);
		buf_put(rest, p + o->end, o->bytes.n - o->end);
	}
	outbox_release(o);
	return !whole;
}
