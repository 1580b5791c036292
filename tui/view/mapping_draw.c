/* What mapping shows: a head, the columns, what the table does not say, the rows as they are read. */
#include "core/base/path.h"
#include "tui/term/text.h"
#include "tui/view/mapping_impl.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define ROOMY_H	 12 /* from here on the list has titles */
#define WIDE_W	 76 /* from here on examples and problems have columns */
#define GAP	 2
#define FIELD_W	 13
#define VALUE_MAX 60 /* columns of all examples */

struct places {
	int name, examples, field, problem; /* widths; 0: not there */
	int x_examples, x_field, x_problem;
};

/* --- where things are --- */

static int n_titles(struct rect area)
{
	return area.h >= ROOMY_H ? 1 : 0;
}

static int n_details(struct rect area)
{
	return area.w < WIDE_W && area.h > 6 ? 1 : 0;
}

static int n_rows_shown(struct rect area)
{
	int rest = area.h - 2 - 2 * n_titles(area) - n_details(area);
	int rows = rest / 3;

	return rows > DRAFT_SHOWN ? DRAFT_SHOWN : rows < 1 ? 1 : rows;
}

int mapping_list_height(struct rect area)
{
	int h = area.h - 2 - 2 * n_titles(area) - n_details(area) - n_rows_shown(area);

	return h > 1 ? h : 1;
}

static int widest_name(const struct mapper *m)
{
	int widest = 9; /* of what is below the columns */

	for (size_t i = 0; i < m->draft->columns.n; i++) {
		int w = text_width(m->draft->columns.v[i].name);

		widest = w > widest ? w : widest;
	}
	return widest;
}

static struct places places_of(const struct mapper *m, int w)
{
	struct places p = {.name = widest_name(m), .field = FIELD_W};
	int room = w - 3, most = w >= WIDE_W ? room / 4 : room - FIELD_W - GAP;

	if (p.name > most)
		p.name = most;
	room -= p.name + GAP + p.field + GAP;
	if (w >= WIDE_W) {
		p.examples = room * 2 / 5 > VALUE_MAX ? VALUE_MAX : room * 2 / 5;
		p.x_examples = 2 + p.name + GAP;
		p.x_field = p.x_examples + p.examples + GAP;
		p.x_problem = p.x_field + p.field + GAP;
		p.problem = w - 1 - p.x_problem;
	} else {
		p.x_field = 2 + p.name + GAP;
		p.x_problem = p.x_field + p.field + GAP;
		p.problem = w - 1 - p.x_problem > 6 ? w - 1 - p.x_problem : 0;
	}
	return p;
}

/* --- pieces --- */

static void put_cut(struct cells *grid, int y, int x, int w, enum style style, enum text_cut how,
		    struct str s)
{
	struct buf cut = BUF_INIT;

	if (w > 0) {
		text_cut(s, w, how, &cut);
		cells_put(grid, y, x, w, style, buf_view(&cut));
	}
	buf_release(&cut);
}

static void put_examples(const struct draft_column *c, struct buf *out)
{
	for (size_t i = 0; i < c->n_examples; i++) {
		buf_z(out, i ? " " : "");
		if (i)
			buf_printf(out, "%s ", sign(SIGN_DOT));
		buf_str(out, c->example[i]);
	}
	if (!c->n_examples)
		buf_z(out, "(empty)");
}

/* Chosen by hand, or what the values make of it. */
static enum style field_style(const struct draft_column *c, bool cursor)
{
	if (cursor)
		return c->by_hand ? STYLE_CURSOR : STYLE_CURSOR_DIM;
	return c->by_hand && !str_eqz(c->word, "ignore") ? STYLE_BOLD : STYLE_DIM;
}

static void put_word(const struct mapper *m, const struct draft_column *c, struct buf *out)
{
	struct str sep = c->by_hand ? recipe_separator(&m->recipe, c->word) : STR_NONE;

	buf_str(out, c->word.n ? c->word : STR("(not read)"));
	if (sep.n)
		buf_printf(out, " by %.*s", STR_ARG(sep));
}

static void draw_column(const struct mapper *m, const struct draft_column *c, struct cells *grid,
			struct rect line, bool cursor)
{
	struct places p = places_of(m, line.w);
	struct buf text = BUF_INIT;
	enum style plain = cursor ? STYLE_CURSOR : STYLE_NORMAL;
	enum style dim = cursor ? STYLE_CURSOR_DIM : STYLE_DIM;

	put_cut(grid, line.y, line.x + 2, p.name, plain, CUT_MIDDLE, c->name);
	put_examples(c, &text);
	put_cut(grid, line.y, line.x + p.x_examples, p.examples, dim, CUT_END, buf_view(&text));
	buf_clear(&text);
	put_word(m, c, &text);
	put_cut(grid, line.y, line.x + p.x_field, p.field, field_style(c, cursor), CUT_END,
		buf_view(&text));
	if (c->problem)
		put_cut(grid, line.y, line.x + p.x_problem, p.problem,
			cursor ? STYLE_CURSOR : STYLE_WARNING, CUT_END, str_z(c->problem));
	buf_release(&text);
}

/* --- what the table does not say --- */

static void model_text(const struct mapper *m, struct buf *out, bool *chosen)
{
	struct str value = recipe_constant(&m->recipe, "model");

	*chosen = value.n > 0;
	if (value.n)
		buf_str(out, value);
	else if (draft_with(m->draft, "model"))
		buf_z(out, "by its column");
	else if (m->draft->predictions)
		buf_printf(out, "%s, from the file's name", m->model);
	else
		buf_z(out, "none: there are no answers");
}

static void protocol_text(const struct mapper *m, struct buf *out, bool *chosen)
{
	struct str value = recipe_constant(&m->recipe, "protocol");

	*chosen = value.n > 0;
	if (value.n)
		buf_str(out, value);
	else
		buf_z(out, draft_with(m->draft, "protocol") ? "by its column" : "none");
}

static const char *header_text(const struct mapper *m)
{
	switch (m->recipe.header) {
	case HEADER_YES:
		return "the first row";
	case HEADER_NO:
		return "none: the first row is data";
	default:
		return "as it looks";
	}
}

static const char *join_text(const struct mapper *m)
{
	static const char *const words[] = {[JOIN_LOOSE] = "loosely: base name, case, extension",
					    [JOIN_EXACT] = "to the letter",
					    [JOIN_POSITION] = "by place: the n-th row is the n-th sample"};

	return words[m->recipe.join];
}

static struct str setting_name(const struct mapper *m, enum mapping_line line, size_t at)
{
	static const char *const names[] = {[LINE_MODEL] = "model",	[LINE_PROTOCOL] = "protocol",
					    [LINE_HOLDS] = "rows are",	[LINE_HEADER] = "header",
					    [LINE_ROWS] = "rows in",	[LINE_JOIN] = "keys meet"};

	return line == LINE_CONSTANT ? m->recipe.constants.v[at].name : str_z(names[line]);
}

static void setting_text(const struct mapper *m, enum mapping_line line, size_t at,
			 struct buf *out, bool *chosen)
{
	switch (line) {
	case LINE_MODEL:
		model_text(m, out, chosen);
		break;
	case LINE_PROTOCOL:
		protocol_text(m, out, chosen);
		break;
	case LINE_CONSTANT:
		*chosen = true;
		buf_str(out, m->recipe.constants.v[at].value);
		break;
	case LINE_HOLDS:
		*chosen = m->recipe.holds != HOLDS_AS_SEEN;
		buf_z(out, m->draft->predictions ? "answers of models" : "samples");
		break;
	case LINE_HEADER:
		*chosen = m->recipe.header != HEADER_AS_SEEN;
		buf_z(out, header_text(m));
		break;
	case LINE_ROWS:
		*chosen = m->recipe.rows[0] != NULL;
		recipe_put_rows(&m->recipe, out);
		buf_z(out, *chosen ? "" : "the file itself");
		break;
	default:
		*chosen = m->recipe.join != JOIN_LOOSE;
		buf_z(out, join_text(m));
	}
}

static void draw_setting(const struct mapper *m, enum mapping_line line, size_t at,
			 struct cells *grid, struct rect r, bool cursor)
{
	struct places p = places_of(m, r.w);
	struct buf text = BUF_INIT;
	bool chosen = false;
	int x = p.examples ? p.x_examples : 2 + p.name + GAP;

	setting_text(m, line, at, &text, &chosen);
	put_cut(grid, r.y, r.x + 2, p.name, cursor ? STYLE_CURSOR : STYLE_DIM, CUT_END,
		setting_name(m, line, at));
	put_cut(grid, r.y, r.x + x, r.w - x - 1,
		cursor ? STYLE_CURSOR : chosen ? STYLE_BOLD : STYLE_DIM, CUT_END, buf_view(&text));
	buf_release(&text);
}

static void draw_line(const struct mapper *m, struct cells *grid, struct rect r, uint32_t i)
{
	bool cursor = i == m->list.cursor;
	size_t at;
	enum mapping_line line = mapping_line(m, i, &at);

	cells_fill(grid, r, cursor ? STYLE_CURSOR : STYLE_NORMAL);
	if (cursor)
		cells_putz(grid, r.y, r.x, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
	if (line == LINE_COLUMN)
		draw_column(m, &m->draft->columns.v[at], grid, r, cursor);
	else
		draw_setting(m, line, at, grid, r, cursor);
}

/* --- head and titles --- */

static void draw_head(const struct mapper *m, struct cells *grid, struct rect line)
{
	struct pen p = {grid, line, 0, 1};
	struct buf right = BUF_INIT;
	const struct draft *d = m->draft;
	char n[32];
	int room;

	buf_printf(&right, "%s %s%s", count_text(d->rows, n), d->whole ? "rows" : "first rows",
		   line.w < 60 ? "" : " looked at");
	if (d->skipped)
		buf_printf(&right, ", %s cannot be read", count_text(d->skipped, n));
	if (line.w >= 60 && *m->dataset)
		buf_printf(&right, " %s into %s", sign(SIGN_DOT), m->dataset);
	if (m->saved)
		buf_printf(&right, " %s recipe %s", sign(SIGN_DOT), m->saved);
	room = line.w - 4 - text_width(buf_view(&right));
	if (room < 10)
		room = line.w - 2;
	pen_cut(&p, room, STYLE_BOLD, CUT_MIDDLE, path_base(str_z(m->path)));
	pen_right(&p, STYLE_DIM, buf_view(&right));
	buf_release(&right);
}

static void draw_titles(const struct mapper *m, struct cells *grid, struct rect line)
{
	struct places p = places_of(m, line.w);

	cells_putz(grid, line.y, line.x + 2, p.name, STYLE_DIM, "column");
	cells_putz(grid, line.y, line.x + p.x_examples, p.examples, STYLE_DIM, "values");
	cells_putz(grid, line.y, line.x + p.x_field, p.field, STYLE_DIM, "field");
}

/* On narrow screens what is in the column under the cursor, or wrong with it. */
static void draw_detail(const struct mapper *m, struct cells *grid, struct rect line)
{
	const struct draft_column *c = mapping_column(m);
	struct buf text = BUF_INIT;

	if (c && c->problem)
		buf_z(&text, c->problem);
	else if (c)
		put_examples(c, &text);
	put_cut(grid, line.y, line.x + 2, line.w - 3, c && c->problem ? STYLE_WARNING : STYLE_DIM,
		CUT_END, buf_view(&text));
	buf_release(&text);
}

/* --- the rows --- */

static void outcome_of(const struct draft_row *r, struct buf *out, enum style *style)
{
	enum mark mark = r->right == 1 ? MARK_RIGHT : MARK_WRONG;

	*style = STYLE_DIM;
	if (!r->is_answer)
		return;
	if (r->outcome != OUTCOME_ANSWERED || r->right < 0) {
		buf_z(out, outcome_word(r->outcome));
		*style = r->outcome == OUTCOME_ANSWERED ? STYLE_NORMAL : STYLE_UNCOUNTED;
		return;
	}
	buf_printf(out, "%s %s", mark_glyph(mark), mark_word(mark));
	*style = mark_style(mark);
}

static void draw_answer(struct pen *p, const struct draft_row *r, int w)
{
	bool same = !r->class_name.n || str_eq_nocase(str_trim(r->answer), r->class_name);
	int answer = same ? w : (w - 3) * 3 / 5;

	pen_cut(p, answer, STYLE_NORMAL, CUT_END, r->answer.n ? r->answer : STR("(nothing)"));
	if (same)
		return;
	pen_printf(p, STYLE_DIM, " %s ", sign(SIGN_ARROW));
	pen_cut(p, w - answer - 3, STYLE_BOLD, CUT_END, r->class_name);
}

static void draw_row(const struct mapper *m, const struct draft_row *r, struct cells *grid,
		     struct rect line)
{
	struct pen p = {grid, line, 0, 2};
	int outcome = m->draft->predictions ? 10 : 0, key = (line.w - outcome) / 4;
	int truth = (line.w - outcome) / 4;
	struct buf text = BUF_INIT;
	enum style style;

	pen_cut(&p, key, STYLE_NORMAL, CUT_START, r->key);
	p.x = 2 + key + GAP;
	if (!r->is_answer)
		truth = line.w - p.x - 1;
	pen_cut(&p, truth, r->truth.n ? STYLE_TRUTH : STYLE_DIM, CUT_END,
		r->truth.n ? r->truth : STR("no truth"));
	if (r->is_answer) {
		p.x = 2 + key + GAP + truth + GAP;
		draw_answer(&p, r, line.w - outcome - 1 - p.x);
		outcome_of(r, &text, &style);
		p.x = line.w - outcome;
		pen_put(&p, style, buf_view(&text));
	}
	buf_release(&text);
}

static void draw_rule(const struct mapper *m, struct cells *grid, struct rect line)
{
	const struct draft *d = m->draft;

	for (int x = line.x; x < line.x + line.w; x++)
		cells_putz(grid, line.y, x, 1, STYLE_RULE, sign(SIGN_LINE));
	if (d->trouble)
		cells_printf(grid, line.y, line.x + 2, line.w - 4, STYLE_WARNING, " %s ", d->trouble);
	else
		cells_printf(grid, line.y, line.x + 2, line.w - 4, STYLE_DIM, " as they will be read ");
}

static void draw_row_titles(const struct mapper *m, struct cells *grid, struct rect line)
{
	int outcome = m->draft->predictions ? 10 : 0, key = (line.w - outcome) / 4, x = 2;

	cells_putz(grid, line.y, line.x + x, key, STYLE_DIM, "sample");
	x += key + GAP;
	cells_putz(grid, line.y, line.x + x, key, STYLE_DIM, "truth");
	x += key + GAP;
	if (!outcome)
		return;
	cells_printf(grid, line.y, line.x + x, line.w - outcome - x, STYLE_DIM, "answer %s class",
		     sign(SIGN_ARROW));
	cells_putz(grid, line.y, line.x + line.w - outcome, outcome, STYLE_DIM, "outcome");
}

static void draw_rows(const struct mapper *m, struct cells *grid, struct rect r)
{
	const struct draft *d = m->draft;

	for (int i = 0; i < r.h && (size_t)i < d->n_rows; i++)
		draw_row(m, &d->row[i], grid, (struct rect){r.y + i, r.x, 1, r.w});
	if (!d->n_rows && r.h > 0)
		put_cut(grid, r.y, r.x + 2, r.w - 3, STYLE_DIM, CUT_END,
			STR("no row can be read yet: a column has to be the key, or the image"));
}

void mapping_draw(const struct view *self, const struct scene *scene, struct cells *grid,
		  struct rect area)
{
	const struct mapper *m = (const struct mapper *)self;
	int y = area.y, titles = n_titles(area), h = mapping_list_height(area);

	(void)scene;
	draw_head(m, grid, (struct rect){y++, area.x, 1, area.w});
	if (titles)
		draw_titles(m, grid, (struct rect){y++, area.x, 1, area.w});
	for (int i = 0; i < h && m->list.top + (uint32_t)i < m->list.n; i++)
		draw_line(m, grid, (struct rect){y + i, area.x, 1, area.w}, m->list.top + (uint32_t)i);
	y += h;
	if (n_details(area))
		draw_detail(m, grid, (struct rect){y++, area.x, 1, area.w});
	draw_rule(m, grid, (struct rect){y++, area.x, 1, area.w});
	if (titles)
		draw_row_titles(m, grid, (struct rect){y++, area.x, 1, area.w});
	draw_rows(m, grid, (struct rect){y, area.x, area.y + area.h - y, area.w});
}
