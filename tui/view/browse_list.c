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

static void put_number(const struct line *t, int i, int k, struct column_place c)
{
	const struct browse_list *l = t->l;
	struct buf text = BUF_INIT;

	number_text(&l->widths.form[k], l->number[i * l->columns.n + k], &text);
	if ((int)text.n < c.w) {
		c.x += c.w - (int)text.n;
		c.w = (int)text.n;
	}
	put(t, c, STYLE_NORMAL, CUT_END, buf_view(&text));
	buf_release(&text);
}

static void put_verdict(const struct line *t, const struct list_column *column, uint32_t ord,
			struct column_place c)
{
	const struct scene *s = t->l->scene;
	int run = column_run(s, column);

	if (run >= 0)
		put_mark(t, c.x, run, ord);
	if (column->of == COLUMN_OF_AB && s->b >= 0 && c.w > 1)
		put_mark(t, c.x + 1, s->b, ord);
}

static void put_runs(const struct line *t, uint32_t ord, struct column_place c)
{
	const struct scene *s = t->l->scene;

	for (int p = 0; p < s->n_panel && p < c.w; p++)
		put_mark(t, c.x + p, s->panel[p], ord);
}

/* What was searched in the text of a column; span[SPANS_MAX]. */
static size_t find_hits(const struct line *t, const struct list_column *column,
			const struct sample_row *row, uint32_t ord, struct str text, struct span *span)
{
	const struct scene *s = t->l->scene;
	enum style style = tone(t, STYLE_MATCH);
	int run = column_run(s, column);
	size_t ends[SPANS_MAX], n = 0;

	if (column->id == COLUMN_TEXT && row)
		return hits_find(&s->hits, row->text_kind == TEXT_STATEMENT ? HIT_STATEMENT : HIT_QUESTION,
				 -1, text, style, span, SPANS_MAX);
	if (column->id == COLUMN_PATH)
		return hits_find(&s->hits, HIT_PATH, -1, text, style, span, SPANS_MAX);
	if (column->id == COLUMN_TRUTH)
		n = scene_truth_ends(s, column->of >= 0 ? column->of : s->lens.layer, ord, ends, SPANS_MAX);
	else if (column->id == COLUMN_ANSWER && run >= 0)
		n = scene_answer_ends(s, run, ord, ends, SPANS_MAX);
	return hits_find_names(&s->hits, text, ends, n, style, span, SPANS_MAX);
}

/* Text as it is, at the side of the column where it belongs. */
static void put_value(const struct line *t, const struct list_column *column,
		      const struct sample_row *row, uint32_t ord, struct column_place c)
{
	const struct scene *s = t->l->scene;
	bool name = column->id == COLUMN_TRUTH || column->id == COLUMN_ANSWER || column->id == COLUMN_FACET;
	enum text_cut how = column->id == COLUMN_PATH ? CUT_START : CUT_END;
	struct span span[SPANS_MAX];
	struct buf text = BUF_INIT;
	size_t n;
	int w;

	if (column->id == COLUMN_CATEGORY)
		buf_z(&text, s->category ? category_sign((enum category)s->category[ord]) : "");
	else
		column_value(s, column, ord, row, 0, &text);
	w = text_width(buf_view(&text));
	if (column_right(column, s->snap) && w < c.w) {
		c.x += c.w - w;
		c.w = w;
	}
	put(t, c, name ? STYLE_NORMAL : STYLE_DIM, how, buf_view(&text));
	n = find_hits(t, column, row, ord, buf_view(&text), span);
	pen_mark_cut(t->grid, t->at.y, t->at.x + c.x, c.w, how, buf_view(&text), span, n);
	buf_release(&text);
}

/* What the user has said, in columns that are blank else: marked before the key, a note or a tag
 * behind it. */
static void put_mine(const struct line *t, uint32_t ord, const struct column_place *key)
{
	const struct user_things *mine = t->l->scene->mine;
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
	if (what && key && key->w)
		cells_putz(t->grid, t->at.y, t->at.x + key->x + key->w, 1, tone(t, STYLE_DIM), what);
}

static void put_column(const struct line *t, int i, int k, const struct sample_row *row, uint32_t ord)
{
	const struct list_column *column = &t->l->columns.v[k];
	struct column_place c = t->l->place[k];

	if (!c.w)
		return;
	if (column->id == COLUMN_KEY)
		put_searched(t, c, t->ranged ? STYLE_BOLD : STYLE_NORMAL, CUT_START,
			     row ? row->key : t->l->busy ? str_z(sign(SIGN_WAIT)) : STR("?"), HIT_KEY);
	else if (column->id == COLUMN_PAIR)
		put_pair(t, ord, c);
	else if (column->id == COLUMN_VERDICT)
		put_verdict(t, column, ord, c);
	else if (column->id == COLUMN_RUNS)
		put_runs(t, ord, c);
	else if (column_is_number(column->id))
		put_number(t, i, k, c);
	else
		put_value(t, column, row, ord, c);
}

static const struct column_place *place_of_key(const struct browse_list *l)
{
	for (int k = 0; k < l->columns.n; k++)
		if (l->columns.v[k].id == COLUMN_KEY)
			return &l->place[k];
	return NULL;
}

static void put_row(const struct line *t, int i, uint32_t ord)
{
	const struct browse_list *l = t->l;

	if (t->cursor) {
		cells_fill(t->grid, t->at, STYLE_CURSOR);
		cells_putz(t->grid, t->at.y, t->at.x, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
	} else if (t->ranged) {
		cells_putz(t->grid, t->at.y, t->at.x, 1, STYLE_BAR, sign(SIGN_RANGE));
	}
	put_mine(t, ord, place_of_key(l));
	for (int k = 0; k < l->columns.n; k++)
		put_column(t, i, k, l->row[i], ord);
}

static void put_title(const struct browse_list *l, struct cells *grid, struct rect at, int k)
{
	const struct list_column *column = &l->columns.v[k];
	struct column_place c = l->place[k];
	struct buf title = BUF_INIT, cut = BUF_INIT;
	int w;

	column_title(l->scene, column, &title);
	if (column->id == COLUMN_PAIR && c.w < 14) {
		buf_clear(&title);
		buf_z(&title, "truth");
	}
	text_cut(buf_view(&title), c.w, column->of >= 0 ? CUT_START : CUT_END, &cut);
	w = text_width(buf_view(&cut));
	if (column_right(column, l->scene->snap) && w < c.w)
		c.x += c.w - w;
	cells_put(grid, at.y, at.x + c.x, w, STYLE_DIM, buf_view(&cut));
	buf_release(&title);
	buf_release(&cut);
}

static void put_heading(const struct browse_list *l, struct cells *grid, struct rect at)
{
	cells_fill(grid, (struct rect){at.y, at.x, 1, at.w}, STYLE_DIM);
	for (int k = 0; k < l->columns.n; k++)
		if (l->place[k].w)
			put_title(l, grid, at, k);
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

		put_row(&t, i, scene_at(l->scene, at));
	}
	if (area.h >= 16)
		cells_putz(grid, area.y + area.h - 1, area.x + 2, area.w - 3, STYLE_DIM, l->summary);
}
