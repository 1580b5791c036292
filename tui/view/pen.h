/*
 * pen: writes down a pane line by line. Lines above (y < 0) and below the area are passed over
 * unseen, so that a scrolled text is drawn by beginning above; without a grid nothing is drawn
 * and the lines are only counted.
 */
#ifndef QUALM_TUI_VIEW_PEN_H
#define QUALM_TUI_VIEW_PEN_H

#include "tui/term/cells.h"
#include "tui/term/text.h"

struct pen {
	struct cells *grid; /* NULL: only count */
	struct rect area;
	int y, x; /* within the area */
};

static inline bool pen_seen(const struct pen *p)
{
	return p->grid && p->y >= 0 && p->y < p->area.h;
}
static inline void pen_line(struct pen *p)
{
	p->y++;
	p->x = 0;
}
/* At the pen, to the end of the line at most; moves right. */
void pen_put(struct pen *p, enum style style, struct str s);
void pen_putz(struct pen *p, enum style style, const char *z);
void pen_printf(struct pen *p, enum style style, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Cut to w columns. */
void pen_cut(struct pen *p, int w, enum style style, enum text_cut how, struct str s);
struct span;
/* The same with the spans of s that remain in their style. */
void pen_cut_spans(struct pen *p, int w, enum style style, enum text_cut how, struct str s,
		   const struct span *span, size_t n_spans);
/* Text that ends at the line's right edge; dropped where it would meet what is there. */
void pen_right(struct pen *p, enum style style, struct str s);

/* A span of a text that is shown in another style; n = 0: none. */
struct span {
	size_t from, n;
	enum style style;
};
/* Wrapped from column `indent` on, at most max lines; leaves the pen on the line below. */
void pen_wrap(struct pen *p, int indent, int max, enum style style, struct span span,
	      struct str s);
/* The same with n_spans of them, in order and apart from each other. */
void pen_wrap_spans(struct pen *p, int indent, int max, enum style style, const struct span *span,
		    size_t n_spans, struct str s);
/* Over what was put from (y, x) of the grid on, the text s cut by text_cut() to w columns: the
 * style of the spans. Of one that was cut away the dots have it. */
void pen_mark_cut(struct cells *grid, int y, int x, int w, enum text_cut how, struct str s,
		  const struct span *span, size_t n_spans);

#endif
