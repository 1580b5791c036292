#include <stdio.h>

#include "tui/term/text.h"
#include "tui/view/facets.h"
#include "tui/view/sign.h"

#define BAR_W     5
#define BAR_MIN   2  /* columns of the bar that it gives to no name */
#define NAME_ROOM 8  /* columns that a name keeps before bar and base go */
#define NAME_WANT 14 /* and those it gets before the bar has all of its own */

struct columns { /* of a line; w = 0: not shown */
	int name_w, count, base, bar;
	int count_w, base_w, bar_w;
};

struct brush {
	const struct facets *f;
	const struct filter_ctx *ctx;
	struct columns at;
	struct cells *grid;
	struct rect line;
	bool cursor;
};

static enum style tone(const struct brush *b, enum style style)
{
	if (!b->cursor)
		return style;
	return style == STYLE_DIM || style == STYLE_BAR ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

static void put(const struct brush *b, int x, int w, enum style style, struct str text)
{
	struct buf cut = BUF_INIT;

	if (w > 0)
		text_cut(text, w, CUT_END, &cut);
	if (cut.n)
		cells_put(b->grid, b->line.y, b->line.x + x, w, tone(b, style), buf_view(&cut));
	buf_release(&cut);
}

static void put_right(const struct brush *b, int x, int w, enum style style, const char *text)
{
	int own = text_width(str_z(text));

	put(b, x + (own < w ? w - own : 0), w, style, str_z(text));
}

/* Count, base and bar keep to the right edge; the name has the rest, some of the bar where names
 * are longer, and all of theirs when there is little. */
static struct columns lay_out(const struct facets *f, int w)
{
	struct columns c = {
	    .count_w = f->count_w, .base_w = f->narrowed ? f->count_w + 1 : 0, .bar_w = BAR_W};
	int fixed = 3 + 1 + c.count_w + 1;
	int want = f->name_w < NAME_WANT ? f->name_w : NAME_WANT;
	int missing = want - (w - fixed - c.base_w - c.bar_w - 1);

	if (missing > 0)
		c.bar_w -= missing < BAR_W - BAR_MIN ? missing : BAR_W - BAR_MIN;
	if (w - fixed - c.base_w - c.bar_w - 1 < NAME_ROOM)
		c.bar_w = 0;
	if (w - fixed - c.base_w - c.bar_w < NAME_ROOM)
		c.base_w = 0;
	c.bar = w - 1 - c.bar_w;
	c.base = c.bar - c.base_w - (c.bar_w ? 1 : 0);
	c.count = c.base - c.count_w;
	c.name_w = c.count - 1 - 3;
	return c;
}

/* --- heads --- */

/* "truth: mink" while values are searched. */
static void draw_head(const struct brush *b, const struct facet_line *line)
{
	const struct group *g = &b->f->groups->v[line->group];
	bool closed = b->f->looks.v[line->group].closed;
	struct buf text = BUF_INIT;

	put(b, 1, 1, STYLE_DIM, str_z(sign(closed ? SIGN_FOLDED : SIGN_OPEN)));
	group_title(g, b->ctx, &text);
	if (b->f->needle.n && b->f->search_group == line->group)
		buf_printf(&text, " /%s", buf_cstr(&b->f->needle));
	put(b, 3, b->line.w - 4, g->chosen ? STYLE_BOLD : STYLE_DIM, buf_view(&text));
	buf_release(&text);
}

/* --- values --- */

static const char *state_sign(const struct group *g, uint32_t v, enum style *style)
{
	*style = STYLE_BOLD;
	switch (g->state[v]) {
	case GROUP_IN:
		return sign(SIGN_CHOSEN);
	case GROUP_OUT:
		*style = STYLE_WARNING;
		return sign(SIGN_EXCLUDED);
	case GROUP_PART:
		*style = STYLE_DIM;
		return sign(SIGN_DOT);
	default:
		return " ";
	}
}

static void draw_numbers(const struct brush *b, const struct group *g, uint32_t v)
{
	const struct columns *c = &b->at;
	enum style style = g->count[v] ? STYLE_NORMAL : STYLE_DIM;
	struct buf bar = BUF_INIT;
	char n[28], of[32];

	if (!g->counted) {
		put_right(b, c->count, c->count_w, STYLE_DIM, sign(SIGN_WAIT));
		return;
	}
	put_right(b, c->count, c->count_w, style, count_text(g->count[v], n));
	if (c->base_w) {
		snprintf(of, sizeof of, "/%s", count_text(g->base[v], n));
		put(b, c->base, c->base_w, STYLE_DIM, str_z(of));
	}
	if (c->bar_w) {
		bar_text(b->f->most ? (double)g->count[v] / b->f->most : 0, c->bar_w, &bar);
		put(b, c->bar, c->bar_w, STYLE_BAR, buf_view(&bar));
	}
	buf_release(&bar);
}

static void draw_value(const struct brush *b, const struct facet_line *line)
{
	const struct group *g = &b->f->groups->v[line->group];
	const struct facet_look *look = &b->f->looks.v[line->group];
	uint32_t v = line->value;
	int indent = 2 * (int)(line->depth < 6 ? line->depth : 6), x = 3 + indent;
	bool tree = g->parent && v < g->n && group_below(g, v) != UINT32_MAX;
	struct buf name = BUF_INIT;
	enum style style;
	const char *state = state_sign(g, v, &style);

	put(b, 1, 1, style, str_z(state));
	if (tree) {
		put(b, x, 1, STYLE_DIM, str_z(sign(look->open[v] ? SIGN_OPEN : SIGN_FOLDED)));
		x += 2;
		indent += 2;
	}
	style = line->here || g->state[v] == GROUP_IN ? STYLE_BOLD : STYLE_NORMAL;
	if (!line->here && g->counted && !g->count[v])
		style = STYLE_DIM;
	facets_value(g, b->ctx, v, &name);
	put(b, x, b->at.name_w - indent, style, buf_view(&name));
	draw_numbers(b, g, v);
	buf_release(&name);
}

/* --- the pane --- */

static void draw_line(const struct brush *b, const struct facet_line *line)
{
	char n[28], more[64];

	switch (line->kind) {
	case FACET_HEAD:
		draw_head(b, line);
		break;
	case FACET_VALUE:
		draw_value(b, line);
		break;
	case FACET_MORE:
		snprintf(more, sizeof more, "%s %s more", sign(SIGN_WAIT),
			 count_text(line->hidden, n));
		put(b, 3, b->line.w - 4, STYLE_DIM, str_z(more));
		break;
	case FACET_WAIT:
		put(b, 3, b->line.w - 4, STYLE_DIM, str_z(sign(SIGN_WAIT)));
		break;
	case FACET_REMARK:
		put(b, 3, b->line.w - 4, STYLE_DIM, STR("by a condition of its own"));
		break;
	}
}

void facets_draw(const struct facets *f, bool focused, struct cells *grid, struct rect area)
{
	struct brush b = {f, f->ctx, lay_out(f, area.w), grid, area, false};

	if (!f->groups)
		cells_putz(grid, area.y, area.x + 1, area.w - 1, STYLE_DIM, sign(SIGN_WAIT));
	else if (!f->lines.n)
		cells_putz(grid, area.y, area.x + 1, area.w - 1, STYLE_DIM,
			   "nothing to tell samples apart by");
	for (int i = 0; i < area.h && f->list.top + (uint32_t)i < f->lines.n; i++) {
		uint32_t at = f->list.top + (uint32_t)i;

		b.line = (struct rect){area.y + i, area.x, 1, area.w};
		b.cursor = focused && at == f->list.cursor;
		if (b.cursor) {
			cells_fill(grid, b.line, STYLE_CURSOR);
			put(&b, 0, 1, STYLE_CURSOR, str_z(sign(SIGN_CURSOR)));
		}
		draw_line(&b, &f->lines.v[at]);
	}
}
