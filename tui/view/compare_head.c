#include "tui/view/compare_head.h"

#include <math.h>
#include <string.h>

#include "tui/report_print.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define LOW 12 /* lines of a pane in which the table needs all there are */

/* What the cursor can be on, in order: counts, then measures; the last two have no place where there
 * is little room. */
static const struct {
	const char *column, *word;
	enum style style;
} places[] = {{"both", "both right", STYLE_NORMAL},
	      {"only_against", "regressed", STYLE_WRONG},
	      {"only_run", "improved", STYLE_RIGHT},
	      {"neither", "neither", STYLE_NORMAL},
	      {"n", "of", STYLE_NORMAL},
	      {"delta", "a - b", STYLE_NORMAL},
	      {"p_mcnemar", "p", STYLE_NORMAL},
	      {"kappa", "kappa", STYLE_NORMAL},
	      {"phi", "phi", STYLE_NORMAL}};
enum { PLACE_DELTA = 5, PLACE_P, N_PLACES_LOW, N_PLACES = N_PLACES_LOW + 2 };
_Static_assert(sizeof places / sizeof *places == N_PLACES, "a place for each");

bool compare_head_fits(const struct table *t)
{
	return t && table_rows(t) && strcmp(t->title, "compare") == 0;
}

static const struct table_cell *cell(const struct compare_head *h, const char *column)
{
	return table_look(h->table, 0, (size_t)table_find(h->table, str_z(column)));
}

size_t compare_head_column(const struct compare_head *h)
{
	return (size_t)table_find(h->table, str_z(places[h->at].column));
}

size_t compare_head_q(const struct table *t)
{
	return (size_t)table_find(t, STR("q"));
}

bool compare_head_marks(const struct table *t, size_t q, size_t row)
{
	return table_look(t, row, q)->number < COMPARE_Q;
}

bool compare_head_command(struct compare_head *h, const char *name)
{
	if (strcmp(name, "left") == 0)
		h->at -= h->at > 0;
	else if (strcmp(name, "right") == 0)
		h->at += h->at + 1 < (size_t)(h->low ? N_PLACES_LOW : N_PLACES);
	else
		return false;
	return true;
}

/* --- what it says --- */

static void put_number(const struct compare_head *h, const char *column, struct buf *out)
{
	int at = table_find(h->table, str_z(column));

	if (h->waits)
		buf_z(out, sign(SIGN_WAIT));
	else
		report_cell(&h->table->columns.v[at], table_look(h->table, 0, (size_t)at), -1, out);
}

/* Whole on its line. at: its place; N_PLACES: it is none. */
static void write_piece(const struct compare_head *h, struct pen *p, size_t at, struct buf *text)
{
	bool here = h->in && h->at == at;
	enum style style = here ? STYLE_BOLD : at < N_PLACES ? places[at].style : STYLE_NORMAL;
	int w = text_width(buf_view(text)) + 2;

	if (p->x > 0 && p->x + 1 + w > p->area.w)
		pen_line(p);
	pen_putz(p, STYLE_NORMAL, p->x > 0 ? " " : "");
	pen_putz(p, here ? STYLE_CURSOR : STYLE_NORMAL, here ? sign(SIGN_CURSOR) : " ");
	pen_put(p, style, buf_view(text));
	pen_putz(p, STYLE_NORMAL, " ");
	buf_clear(text);
}

/* McNemar's test asks of samples; where they hang together the interval does. */
static const char *is_noise(const struct compare_head *h)
{
	double p = cell(h, "p_mcnemar")->number;
	bool more = h->cluster ? cell(h, "lo")->number > 0 || cell(h, "hi")->number < 0 : p < COMPARE_P;

	return h->low || h->waits || isnan(p) ? "" : more ? ": more than noise" : ": could be noise";
}

static void write_place(const struct compare_head *h, struct pen *p, size_t at, struct buf *text)
{
	buf_printf(text, "%s ", places[at].word);
	put_number(h, places[at].column, text);
	if (at == PLACE_DELTA) {
		buf_z(text, " [");
		put_number(h, "lo", text);
		buf_z(text, ", ");
		put_number(h, "hi", text);
		buf_printf(text, "]%s", h->cluster ? is_noise(h) : "");
	} else if (at == PLACE_P && !h->cluster) {
		buf_z(text, is_noise(h));
	}
	write_piece(h, p, at, text);
}

static void write_groups(const struct compare_head *h, struct pen *p, struct buf *text)
{
	size_t q = compare_head_q(h->table);
	unsigned n = 0, marked = 0;
	char count[2][28];

	for (size_t r = 1; r < table_rows(h->table); r++) {
		n += !isnan(table_look(h->table, r, q)->number);
		marked += compare_head_marks(h->table, q, r);
	}
	if (!n || h->waits)
		return;
	buf_printf(text, "* q < %.2f: %s of %s", COMPARE_Q, count_text(marked, count[0]), count_text(n, count[1]));
	write_piece(h, p, N_PLACES, text);
}

static void write_method(const struct compare_head *h, struct pen *p, struct buf *text)
{
	buf_printf(text, "interval 95 %%, seed %.0f", cell(h, "seed")->number);
	write_piece(h, p, N_PLACES, text);
	if (!h->cluster)
		return;
	buf_printf(text, "%s drawn whole", h->cluster);
	write_piece(h, p, N_PLACES, text);
	buf_z(text, "p and * take samples as independent");
	write_piece(h, p, N_PLACES, text);
}

static void write_numbers(const struct compare_head *h, struct pen *p)
{
	struct buf text = BUF_INIT;

	for (size_t k = 0; k < PLACE_DELTA; k++)
		write_place(h, p, k, &text);
	pen_line(p);
	write_place(h, p, PLACE_DELTA, &text);
	write_place(h, p, PLACE_P, &text);
	if (!h->low) {
		write_groups(h, p, &text);
		for (size_t k = N_PLACES_LOW; k < N_PLACES; k++)
			write_place(h, p, k, &text);
		write_method(h, p, &text);
	}
	pen_line(p);
	buf_release(&text);
}

static void write_warning(const struct compare_head *h, struct pen *p, const char *text)
{
	pen_putz(p, STYLE_WARNING, "! ");
	if (!h->low) {
		pen_wrap(p, 2, 3, STYLE_WARNING, (struct span){0}, str_z(text));
		return;
	}
	pen_cut(p, p->area.w, STYLE_WARNING, CUT_END, str_z(text));
	pen_line(p);
}

/* Without a grid it is only counted. */
static void write_all(const struct compare_head *h, struct pen *p)
{
	size_t warnings = h->low && h->table->warnings.n ? 1 : h->table->warnings.n;

	for (size_t i = 0; i < warnings; i++)
		write_warning(h, p, h->table->warnings.v[i]);
	write_numbers(h, p);
}

int compare_head_fit(struct compare_head *h, struct rect area)
{
	struct pen p = {NULL, area, 0, 0};

	if (!h->table)
		return 0;
	h->low = area.h < LOW;
	if (h->low && h->at >= N_PLACES_LOW)
		h->at = N_PLACES_LOW - 1;
	write_all(h, &p);
	return p.y < area.h / 2 ? p.y : area.h / 2;
}

void compare_head_draw(const struct compare_head *h, struct cells *grid, struct rect area)
{
	struct pen p = {grid, area, 0, 0};

	if (h->table)
		write_all(h, &p);
}
