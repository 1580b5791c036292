#include "core/text/input.h"

#define KEPT_OF_TOO_LONG ((size_t)1024)

void lines_init(struct lines *l, struct input *in)
{
	*l = (struct lines){.in = in, .byte = in->skip, .max = LINE_MAX_BYTES};
	l->cr_only = input_line_end(in) == '\r';
}

enum status lines_stop(struct lines *l, struct err *err)
{
	enum status st = input_unread(l->in, l->block, err);

	l->block = STR_NONE;
	return st;
}

void lines_release(struct lines *l)
{
	buf_release(&l->carry);
}

static enum status refill(struct lines *l, struct err *err)
{
	enum status st = OK;

	while (l->block.n == 0 && !l->eof && st == OK) {
		st = input_block(l->in, &l->block, err);
		l->eof = st == OK && l->block.n == 0;
		if (l->skip_lf && l->block.n) {
			if (l->block.p[0] == '\n') {
				l->block.p++;
				l->block.n--;
				l->byte++;
			}
			l->skip_lf = false;
		}
	}
	return st;
}

/* Length of what comes before the next end in the block, or SIZE_MAX when there is none. In a
 * CR-only file a later LF or CRLF ends a line too. */
static size_t find_end(const struct lines *l)
{
	const char *p = memchr(l->block.p, l->cr_only ? '\r' : '\n', l->block.n), *lf;

	if (l->cr_only) {
		lf = memchr(l->block.p, '\n', p ? (size_t)(p - l->block.p) : l->block.n);
		p = lf ? lf : p;
	}
	return p ? (size_t)(p - l->block.p) : SIZE_MAX;
}

/* Drops n bytes and the end after them. */
static void pass(struct lines *l, size_t n, bool with_end)
{
	char end = with_end ? l->block.p[n] : '\0';

	n += with_end;
	l->block.p += n;
	l->block.n -= n;
	l->byte += n;
	if (end != '\r')
		return;
	if (l->block.n == 0) {
		l->skip_lf = true;
	} else if (l->block.p[0] == '\n') {
		l->block.p++;
		l->block.n--;
		l->byte++;
	}
}

static void keep(struct lines *l, struct line *out, size_t n)
{
	size_t most;

	if (!out->too_long && n > l->max - l->carry.n) {
		out->too_long = true;
		if (l->carry.n > KEPT_OF_TOO_LONG)
			l->carry.n = KEPT_OF_TOO_LONG;
	}
	most = l->carry.n < KEPT_OF_TOO_LONG ? KEPT_OF_TOO_LONG - l->carry.n : 0;
	if (out->too_long && n > most)
		n = most;
	buf_put(&l->carry, l->block.p, n);
}

static struct str without_cr(struct str s)
{
	if (s.n && s.p[s.n - 1] == '\r')
		s.n--;
	return s;
}

enum status lines_next(struct lines *l, struct line *out, bool *more, struct err *err)
{
	enum status st = refill(l, err);
	size_t n = SIZE_MAX;

	*more = false;
	if (st != OK || l->eof)
		return st;
	*out = (struct line){.number = ++l->number, .byte = l->byte};
	buf_clear(&l->carry);
	while (!l->eof && (n = find_end(l)) == SIZE_MAX) {
		keep(l, out, l->block.n);
		pass(l, l->block.n, false);
		st = refill(l, err);
		if (st != OK)
			return st;
	}
	if (!l->eof && l->carry.n == 0 && !out->too_long && n <= l->max) {
		out->text = (struct str){l->block.p, n};
	} else {
		if (!l->eof)
			keep(l, out, n);
		out->text = buf_view(&l->carry);
	}
	if (!l->eof)
		pass(l, n, true);
	if (l->carry.failed)
		return err_set(err, E_MEMORY, "line %llu: no memory for it",
			       (unsigned long long)l->number);
	if (!l->cr_only && !out->too_long)
		out->text = without_cr(out->text);
	*more = true;
	return OK;
}

struct str lines_ahead(const struct lines *l)
{
	return l->cr_only ? STR_NONE : l->block;
}

void lines_pass(struct lines *l, size_t bytes, size_t lines)
{
	l->block.p += bytes;
	l->block.n -= bytes;
	l->byte += bytes;
	l->number += lines;
}
