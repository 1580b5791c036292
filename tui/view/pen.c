#include "tui/view/pen.h"

#include <stdarg.h>
#include <stdio.h>

void pen_put(struct pen *p, enum style style, struct str s)
{
	int used = 0, room = p->area.w - p->x;

	if (room <= 0)
		return;
	if (!pen_seen(p)) {
		text_fit(s, room, &used);
		p->x += used;
		return;
	}
	p->x += cells_put(p->grid, p->area.y + p->y, p->area.x + p->x, room, style, s);
}

void pen_putz(struct pen *p, enum style style, const char *z)
{
	pen_put(p, style, str_z(z));
}

void pen_printf(struct pen *p, enum style style, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	pen_putz(p, style, text);
}

void pen_cut(struct pen *p, int w, enum style style, enum text_cut how, struct str s)
{
	struct buf cut = BUF_INIT;

	if (w > p->area.w - p->x)
		w = p->area.w - p->x;
	if (w > 0) {
		text_cut(s, w, how, &cut);
		pen_put(p, style, buf_view(&cut));
	}
	buf_release(&cut);
}

void pen_right(struct pen *p, enum style style, struct str s)
{
	int w = text_width(s), x = p->area.w - w;

	if (!pen_seen(p) || x < p->x + (p->x > 0))
		return;
	cells_put(p->grid, p->area.y + p->y, p->area.x + x, w, style, s);
	p->x = p->area.w;
}

/* Bytes [from, from + n) of the whole. */
static void put_with_spans(struct pen *p, enum style style, const struct span *span, size_t n_spans,
			   struct str whole, size_t from, size_t n)
{
	size_t end = from + n, at = from;

	for (size_t i = 0; i < n_spans && span[i].from < end; i++) {
		size_t a = span[i].from, b = a + span[i].n;

		a = a < at ? at : a;
		b = b > end ? end : b;
		if (b <= a)
			continue;
		pen_put(p, style, (struct str){whole.p + at, a - at});
		pen_put(p, span[i].style, (struct str){whole.p + a, b - a});
		at = b;
	}
	pen_put(p, style, (struct str){whole.p + at, end - at});
}

void pen_wrap_spans(struct pen *p, int indent, int max, enum style style, const struct span *span,
		    size_t n_spans, struct str s)
{
	size_t at = 0;

	for (int lines = 0; at < s.n && lines < max && p->area.w > indent; lines++) {
		size_t passed = 0;
		struct str rest = {s.p + at, s.n - at};
		size_t n = text_wrap(rest, p->area.w - indent, &passed);

		p->x = indent;
		put_with_spans(p, style, span, n_spans, s, at, n);
		pen_line(p);
		if (n + passed == 0)
			return;
		at += n + passed;
		while (n_spans && span->from + span->n <= at)
			span++, n_spans--;
	}
}

void pen_wrap(struct pen *p, int indent, int max, enum style style, struct span span, struct str s)
{
	pen_wrap_spans(p, indent, max, style, &span, span.n > 0, s);
}

static void mark_part(struct cells *grid, int y, int x, struct str before, struct str part,
		      enum style style)
{
	if (part.n)
		cells_restyle(grid, (struct rect){y, x + text_width(before), 1, text_width(part)}, style);
}

void pen_mark_cut(struct cells *grid, int y, int x, int w, enum text_cut how, struct str s,
		  const struct span *span, size_t n_spans)
{
	size_t head, tail;
	int dots;

	text_cut_places(s, w, how, &head, &tail);
	dots = text_width((struct str){s.p, head});
	for (size_t i = 0; i < n_spans; i++) {
		size_t a = span[i].from, b = a + span[i].n, ah = a < head ? a : head, bh = b < head ? b : head,
		       at = a > tail ? a : tail, bt = b > tail ? b : tail;

		mark_part(grid, y, x, (struct str){s.p, ah}, (struct str){s.p + ah, bh - ah},
			  span[i].style);
		if (head < tail && b > head && a < tail && w > 0)
			cells_restyle(grid, (struct rect){y, x + dots, 1, 1}, span[i].style);
		mark_part(grid, y, x + dots + 1, (struct str){s.p + tail, at - tail},
			  (struct str){s.p + at, bt - at}, span[i].style);
	}
}

void pen_cut_spans(struct pen *p, int w, enum style style, enum text_cut how, struct str s,
		   const struct span *span, size_t n_spans)
{
	int x = p->x, room = p->area.w - x;

	w = w < room ? w : room;
	pen_cut(p, w, style, how, s);
	if (pen_seen(p))
		pen_mark_cut(p->grid, p->area.y + p->y, p->area.x + x, w, how, s, span, n_spans);
}
