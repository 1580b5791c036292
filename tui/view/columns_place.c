/* Where the columns stand: fixed ones take what they need, the others share the rest. */
#include "tui/term/text.h"
#include "tui/view/columns.h"

#define LEFT         2 /* the cursor, the mark */
#define FACET_W_MAX  16
#define TITLE_W_MAX  10
#define RUN_W        6 /* of a glyph below the handle of a run */
#define FACET_LOOKED 2000 /* values whose widths are looked at */

static const struct {
	int width, least, priority;
} table[N_COLUMNS] = {
#define X(id, name, title, w, least, right, priority, of, sort, help) {w, least, priority},
    COLUMNS(X)
#undef X
};

/* Parts of the rest that a column takes; 0: it takes what it needs. */
static int share_of(const struct list_column *c)
{
	if (c->width)
		return 0;
	switch (c->id) {
	case COLUMN_TEXT:
		return 3;
	case COLUMN_PAIR:
	case COLUMN_TRUTH:
	case COLUMN_ANSWER:
	case COLUMN_PATH:
		return 2;
	default:
		return 0;
	}
}

static int least_of(const struct list_column *c)
{
	return c->width ? c->width : c->least ? c->least : table[c->id].least;
}

static int digits(uint64_t n)
{
	int d = 1;

	while (n >= 10) {
		n /= 10;
		d++;
	}
	return d;
}

static int title_width(const struct scene *s, const struct list_column *c)
{
	struct buf title = BUF_INIT;
	int w;

	column_title(s, c, &title);
	w = text_width(buf_view(&title));
	buf_release(&title);
	return w < TITLE_W_MAX ? w : TITLE_W_MAX;
}

static int wider(int a, int b)
{
	return a > b ? a : b;
}

static int facet_width(const struct facet *f)
{
	int w = 2;

	if (f->numeric)
		return 6;
	for (uint32_t v = 0; v < f->n_values && v < FACET_LOOKED && w < FACET_W_MAX; v++)
		w = wider(w, text_width(str_z(f->values[v])));
	return w < FACET_W_MAX ? w : FACET_W_MAX;
}

/* Of a column that shares nothing. */
static int need_of(const struct scene *s, const struct columns *columns, int i,
		   const struct column_widths *widths)
{
	const struct list_column *c = &columns->v[i];

	if (c->width)
		return c->width;
	if (table[c->id].width)
		return table[c->id].width;
	switch (c->id) {
	case COLUMN_KEY:
		return widths->key;
	case COLUMN_NO:
		return wider(digits(s->snap->n), 2);
	case COLUMN_VERDICT:
		return c->of == COLUMN_OF_AB && s->b >= 0 ? 2 : c->of >= 0 ? RUN_W : 1;
	case COLUMN_RUNS:
		return wider(s->n_panel, 4);
	case COLUMN_FACET:
		return wider(facet_width(&s->snap->facets[c->of]), title_width(s, c));
	default:
		return wider(widths->form[i].width, title_width(s, c));
	}
}

/* Columns after whose text a blank more is needed: the next one begins at the left, too. */
static int gap_after(const struct list_column *c, const struct list_column *next)
{
	return c->id == COLUMN_KEY || (share_of(c) && share_of(next)) ? 2 : 1;
}

struct layout {
	const struct scene *s;
	const struct columns *columns;
	const struct column_widths *widths;
	bool in[COLUMNS_MAX];
	int w[COLUMNS_MAX];
};

static int next_in(const struct layout *l, int i)
{
	for (i++; i < l->columns->n && !l->in[i]; i++)
		;
	return i;
}

static int gap(const struct layout *l, int i)
{
	int next = next_in(l, i);

	return next < l->columns->n ? gap_after(&l->columns->v[i], &l->columns->v[next]) : 0;
}

/* The last that shares; -1: none does. */
static int last_sharing(const struct layout *l)
{
	int last = -1;

	for (int i = next_in(l, -1); i < l->columns->n; i = next_in(l, i))
		if (share_of(&l->columns->v[i]))
			last = i;
	return last;
}

/* The room that is left to those that share; `shares`: of how many parts. */
static int fixed(struct layout *l, int w, int *shares)
{
	int room = w - LEFT - 1, key = -1, last = last_sharing(l);

	*shares = 0;
	for (int i = next_in(l, -1); i < l->columns->n; i = next_in(l, i)) {
		const struct list_column *c = &l->columns->v[i];
		int share = share_of(c);

		*shares += share;
		room -= share && i != last ? 0 : gap(l, i);
		if (c->id == COLUMN_KEY && !c->width)
			key = i;
		else if (!share)
			room -= l->w[i] = need_of(l->s, l->columns, i, l->widths);
	}
	if (key >= 0) { /* the key takes two fifths of what others want to share */
		int all = room + gap(l, key), most = *shares ? all * 2 / 5 : room;

		l->w[key] = l->widths->key < most ? l->widths->key : wider(most, 3);
		room -= l->w[key];
	}
	return room;
}

/* What is left is shared; false when one of them would get less than it needs. */
static bool share_out(struct layout *l, int room, int shares)
{
	int left = room, last = last_sharing(l);
	bool good = true;

	for (int i = next_in(l, -1); i <= last; i = next_in(l, i)) {
		const struct list_column *c = &l->columns->v[i];

		if (!share_of(c))
			continue;
		l->w[i] = i == last ? left : room * share_of(c) / shares;
		left -= l->w[i] + gap(l, i);
		good &= l->w[i] >= least_of(c);
	}
	return good && (last >= 0 || room >= 0);
}

/* Of what is shown, what can be missed first; -1: only one is left. */
static int least_wanted(const struct layout *l)
{
	int found = -1, n = 0;

	for (int i = next_in(l, -1); i < l->columns->n; i = next_in(l, i)) {
		n++;
		if (found < 0 || table[l->columns->v[i].id].priority <
				     table[l->columns->v[found].id].priority)
			found = i;
	}
	return n > 1 ? found : -1;
}

/* The usual list leaves out what says nothing here. */
static bool makes_sense(const struct layout *l, const struct list_column *c, int w)
{
	if (!column_there(l->s, c) || w < c->from)
		return false;
	if (l->columns->chosen)
		return true;
	return (c->id != COLUMN_PANEL || l->s->n_panel > 2) && (c->id != COLUMN_TEXT || l->widths->texts);
}

void columns_place(int w, const struct scene *s, const struct columns *columns,
		   const struct column_widths *widths, struct column_place place[COLUMNS_MAX])
{
	struct layout l = {.s = s, .columns = columns, .widths = widths};
	int shares, room, drop, x = LEFT;

	for (int i = 0; i < columns->n; i++)
		l.in[i] = makes_sense(&l, &columns->v[i], w);
	for (;;) {
		room = fixed(&l, w, &shares);
		if (share_out(&l, room, shares) || (drop = least_wanted(&l)) < 0)
			break;
		l.in[drop] = false;
	}
	for (int i = 0; i < columns->n; i++) {
		int wide = l.in[i] ? l.w[i] : 0, rest = w - 1 - x;

		wide = wide > rest ? rest : wide;
		place[i] = (struct column_place){x, wide > 0 ? wide : 0};
		x += l.in[i] ? l.w[i] + gap(&l, i) : 0;
	}
}
