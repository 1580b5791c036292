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

static void put_with_span(struct pen *p, enum style style, struct span span, struct str whole,
			  size_t from, size_t n)
{
	size_t end = from + n, a = span.from, b = span.from + span.n;

	a = a < from ? from : a > end ? end : a;
	b = b < a ? a : b > end ? end : b;
	if (!span.n)
		a = b = end;
	pen_put(p, style, (struct str){whole.p + from, a - from});
	pen_put(p, span.style, (struct str){whole.p + a, b - a});
	pen_put(p, style, (struct str){whole.p + b, end - b});
}

void pen_wrap(struct pen *p, int indent, int max, enum style style, struct span span, struct str s)
{
	size_t at = 0;

	for (int lines = 0; at < s.n && lines < max && p->area.w > indent; lines++) {
		size_t passed = 0;
		struct str rest = {s.p + at, s.n - at};
		size_t n = text_wrap(rest, p->area.w - indent, &passed);

		p->x = indent;
		put_with_span(p, style, span, s, at, n);
		pen_line(p);
		if (n + passed == 0)
			return;
		at += n + passed;
	}
}
