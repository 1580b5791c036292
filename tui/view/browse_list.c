#include "tui/view/browse.h"

#include <stdio.h>

#include "tui/view/pen.h"
#include "tui/view/sign.h"

/* Columns of the facets beside the list, with the rule; 0: no room for them. */
static int facets_beside(struct rect area, int wanted)
{
	int most = area.w * 3 / 10;

	if (area.w < 100)
		return 0;
	wanted = wanted > 46 ? 46 : wanted;
	return (wanted > most ? most : wanted < 24 ? 24 : wanted) + 1;
}

static void lay_over(struct rect area, struct browse_panes *out)
{
	out->facets = out->rule.w == 1 ? out->list : area;
	out->list.w = 0;
	if (out->rule.w != 1)
		out->rule.w = out->preview.w = 0;
}

void browse_layout(struct rect area, int wanted, bool over, struct browse_panes *out)
{
	int facets = facets_beside(area, wanted);
	int rest = area.w - facets, w = rest * 38 / 80, h = area.h * 2 / 5;

	*out = (struct browse_panes){.list = area};
	if (facets) {
		out->facets = (struct rect){area.y, area.x, area.h, facets - 1};
		out->facets_rule = (struct rect){area.y, area.x + facets - 1, area.h, 1};
		out->list.x += facets;
		out->list.w = rest;
	}
	if (area.w >= 64) {
		w = w > 100 ? 100 : w;
		out->list.w = w;
		out->rule = (struct rect){area.y, out->list.x + w, area.h, 1};
		out->preview = (struct rect){area.y, out->list.x + w + 2, area.h, rest - w - 2};
	} else if (area.h >= 20) {
		out->list.h = h;
		out->rule = (struct rect){area.y + h, area.x, 1, area.w};
		out->preview =
		    (struct rect){area.y + h + 1, area.x + 1, area.h - h - 1, area.w - 2};
	}
	if (over && !facets)
		lay_over(area, out);
}

static bool has_categories(const struct scene *s)
{
	return s->lens.original >= 0 && s->lens.layer >= 0 && s->lens.original != s->lens.layer;
}

void browse_columns(int w, int key_w, const struct scene *scene, bool texts,
		    struct browse_columns *out)
{
	int right = w - 1, left = 2, room;

	*out = (struct browse_columns){0};
	if (scene->n_panel > 2) {
		out->panel = (struct column_place){right - 5, 5};
		right -= 6;
	}
	if (scene->a >= 0) {
		out->ab.w = scene->b >= 0 ? 2 : 1;
		out->ab.x = right - out->ab.w;
		right -= out->ab.w + 1;
	}
	if (has_categories(scene) && w >= 44) {
		out->category = (struct column_place){right - 2, 2};
		right -= 3;
	}
	room = right - left;
	key_w = key_w > room * 2 / 5 ? room * 2 / 5 : key_w;
	out->key = (struct column_place){left, key_w};
	left += key_w + 2;
	if (texts && right - left > 48) {
		int pair = (right - left) * 2 / 5;

		out->text = (struct column_place){left + pair + 2, right - left - pair - 2};
		right = left + pair;
	}
	out->pair = (struct column_place){left, right > left ? right - left : 0};
}

int browse_list_lines(int h)
{
	return h >= 16 ? h - 3 : h >= 6 ? h - 1 : h;
}

/* --- drawing --- */

struct line {
	const struct browse_list *l;
	struct cells *grid;
	struct rect at;
	bool cursor, ranged, stale;
};

static enum style tone(const struct line *t, enum style style)
{
	if (!t->cursor)
		return t->stale && style != STYLE_MATCH ? STYLE_DIM : style;
	if (style == STYLE_MATCH)
		return STYLE_CURSOR_MATCH;
	return style == STYLE_DIM || t->stale ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

/* Text cut to its column. */
static int put(const struct line *t, struct column_place c, enum style style, enum text_cut how,
	       struct str s)
{
	struct buf cut = BUF_INIT;
	int used;

	text_cut(s, c.w, how, &cut);
	used = cells_put(t->grid, t->at.y, t->at.x + c.x, c.w, tone(t, style), buf_view(&cut));
	buf_release(&cut);
	return used;
}

#define SPANS_MAX 16 /* marked in one cell */

/* The same with what was searched marked in it. */
static void put_searched(const struct line *t, struct column_place c, enum style style,
			 enum text_cut how, struct str s, enum hit_in in)
{
	struct span span[SPANS_MAX];
	size_t n = hits_find(&t->l->scene->hits, in, -1, s, tone(t, STYLE_MATCH), span,
			     SPANS_MAX);

	put(t, c, style, how, s);
	pen_mark_cut(t->grid, t->at.y, t->at.x + c.x, c.w, how, s, span, n);
}

/* Names of classes; ends[n]: where each of them does. */
static void put_names(const struct line *t, struct column_place c, enum style style, struct str s,
		      const size_t *ends, size_t n_ends)
{
	struct span span[SPANS_MAX];
	size_t n = hits_find_names(&t->l->scene->hits, s, ends, n_ends, tone(t, STYLE_MATCH),
				   span, SPANS_MAX);

	put(t, c, style, CUT_END, s);
	pen_mark_cut(t->grid, t->at.y, t->at.x + c.x, c.w, CUT_END, s, span, n);
}

/* Truth and answer share the column; the shorter one leaves its room to the other. */
static void put_pair(const struct line *t, uint32_t ord, struct column_place c)
{
	const struct scene *s = t->l->scene;
	struct buf truth = BUF_INIT, answer = BUF_INIT;
	bool known = scene_truth(s, s->lens.layer, ord, &truth);
	bool right = scene_verdict(s, s->a, ord) == VERDICT_RIGHT;
	struct column_place left = c, rest = c;
	int room = c.w - 3, tw, aw;
	size_t ends[SPANS_MAX], n = scene_truth_ends(s, s->lens.layer, ord, ends, SPANS_MAX);

	if (s->a >= 0)
		scene_answer(s, s->a, ord, &answer);
	tw = text_width(buf_view(&truth));
	aw = text_width(buf_view(&answer));
	/* An answer that says what the truth says is not said twice: wrong ones stand out. */
	if (s->a < 0 || room < 4 || (right && str_eq(buf_view(&truth), buf_view(&answer)))) {
		room = c.w;
		aw = 0;
	}
	if (tw + aw > room)
		tw = aw <= room / 2 ? room - aw : tw <= room / 2 ? tw : room - room / 2;
	left.w = tw;
	if (known)
		put_names(t, left, STYLE_NORMAL, buf_view(&truth), ends, n);
	if (aw) {
		rest.x = c.x + tw + (tw > 0);
		cells_putz(t->grid, t->at.y, t->at.x + rest.x, 1, tone(t, STYLE_DIM),
			   sign(SIGN_ARROW));
		rest.x += 2;
		rest.w = c.x + c.w - rest.x;
		n = scene_answer_ends(s, s->a, ord, ends, SPANS_MAX);
		put_names(t, rest, right ? STYLE_DIM : STYLE_NORMAL, buf_view(&answer), ends, n);
	}
	buf_release(&truth);
	buf_release(&answer);
}

static void put_mark(const struct line *t, int x, int run, uint32_t ord)
{
	enum mark m = scene_mark(t->l->scene, run, ord);

	cells_putz(t->grid, t->at.y, t->at.x + x, 1, tone(t, mark_style(m)), mark_glyph(m));
}

static void put_marks(const struct line *t, uint32_t ord)
{
	const struct scene *s = t->l->scene;
	const struct browse_columns *c = &t->l->columns;
	char votes[32];
	int n, right;

	if (c->category.w && s->category)
		cells_putz(t->grid, t->at.y, t->at.x + c->category.x, 2, tone(t, STYLE_DIM),
			   category_sign((enum category)s->category[ord]));
	if (s->a >= 0)
		put_mark(t, c->ab.x, s->a, ord);
	if (s->b >= 0)
		put_mark(t, c->ab.x + 1, s->b, ord);
	if (!c->panel.w)
		return;
	right = scene_panel_right(s, ord);
	if (right < 0)
		n = snprintf(votes, sizeof votes, "%s/%d", sign(SIGN_WAIT), s->n_panel);
	else
		n = snprintf(votes, sizeof votes, "%d/%d", right, s->n_panel);
	n = text_width(str_z(votes));
	cells_putz(t->grid, t->at.y, t->at.x + c->panel.x + (n < c->panel.w ? c->panel.w - n : 0),
		   c->panel.w, tone(t, STYLE_DIM), votes);
}

/* What the user has said, in columns that are blank else: marked before the key, a note or a tag
 * behind it. */
static void put_mine(const struct line *t, uint32_t ord)
{
	const struct user_things *mine = t->l->scene->mine;
	const struct column_place *key = &t->l->columns.key;
	const char *what = NULL;

	if (!mine || ord >= mine->n)
		return;
	if (mine->marked[ord])
		cells_putz(t->grid, t->at.y, t->at.x + 1, 1, tone(t, STYLE_BOLD), sign(SIGN_MARKED));
	if (mine->notes[ord])
		what = sign(SIGN_NOTED);
	for (uint32_t i = 0; i < mine->n_tags && !what; i++)
		if (user_has_tag(&mine->tags[i], ord))
			what = "#";
	if (what)
		cells_putz(t->grid, t->at.y, t->at.x + key->x + key->w, 1, tone(t, STYLE_DIM), what);
}

static void put_row(const struct line *t, const struct sample_row *row, uint32_t ord)
{
	const struct browse_columns *c = &t->l->columns;

	if (t->cursor) {
		cells_fill(t->grid, t->at, STYLE_CURSOR);
		cells_putz(t->grid, t->at.y, t->at.x, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
	} else if (t->ranged) {
		cells_putz(t->grid, t->at.y, t->at.x, 1, STYLE_BAR, sign(SIGN_RANGE));
	}
	put_mine(t, ord);
	put_searched(t, c->key, t->ranged ? STYLE_BOLD : STYLE_NORMAL, CUT_START,
		     row           ? row->key
		     : t->l->busy ? str_z(sign(SIGN_WAIT))
				  : STR("?"),
		     HIT_KEY);
	if (c->pair.w)
		put_pair(t, ord, c->pair);
	if (c->text.w && row)
		put_searched(t, c->text, STYLE_DIM, CUT_END, row->text,
			     row->text_kind == TEXT_STATEMENT ? HIT_STATEMENT : HIT_QUESTION);
	put_marks(t, ord);
}

static void put_heading(const struct browse_list *l, struct cells *grid, struct rect at)
{
	const struct browse_columns *c = &l->columns;
	struct rect line = {at.y, at.x, 1, at.w};

	cells_fill(grid, line, STYLE_DIM);
	cells_putz(grid, at.y, at.x + c->key.x, c->key.w, STYLE_DIM, "sample");
	if (c->pair.w >= 14 && l->scene->a >= 0)
		cells_printf(grid, at.y, at.x + c->pair.x, c->pair.w, STYLE_DIM, "truth %s answer",
			     sign(SIGN_ARROW));
	else
		cells_putz(grid, at.y, at.x + c->pair.x, c->pair.w, STYLE_DIM, "truth");
	if (c->text.w)
		cells_putz(grid, at.y, at.x + c->text.x, c->text.w, STYLE_DIM, "text");
	if (c->ab.w)
		cells_putz(grid, at.y, at.x + c->ab.x, c->ab.w, STYLE_DIM, "ab");
	if (c->panel.w)
		cells_putz(grid, at.y, at.x + c->panel.x, c->panel.w, STYLE_DIM, "panel");
}

void browse_list_draw(const struct browse_list *l, struct cells *grid, struct rect area)
{
	int head = browse_list_lines(area.h) < area.h;
	uint32_t from = 1, to = 0;

	if (head)
		put_heading(l, grid, area);
	if (l->scene->anchor >= 0)
		scene_range(l->scene, &from, &to);
	for (int i = 0; i < l->n_rows; i++) {
		uint32_t at = l->list.top + (uint32_t)i;
		struct line t = {l, grid, {area.y + head + i, area.x, 1, area.w},
				 at == l->list.cursor, at >= from && at <= to,
				 scene_is_stale(l->scene, scene_at(l->scene, at))};

		put_row(&t, l->row[i], scene_at(l->scene, at));
	}
	if (area.h >= 16)
		cells_putz(grid, area.y + area.h - 1, area.x + 2, area.w - 3, STYLE_DIM, l->summary);
}
