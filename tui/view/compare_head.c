#include "tui/view/compare_head.h"

#include <math.h>
#include <string.h>

#include "tui/report_print.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define LOW 12 /* lines of a pane in which the table needs all there are */

static const struct {
	const char *column, *word;
} doors[COMPARE_DOORS] = {{"both", "both right"},
			  {"only_against", "regressed"},
			  {"only_run", "improved"},
			  {"neither", "neither"},
			  {"n", "of"}};

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
	return (size_t)table_find(h->table, str_z(doors[h->at].column));
}

bool compare_head_marks(const struct table *t, size_t row)
{
	return table_look(t, row, (size_t)table_find(t, STR("q")))->number < COMPARE_Q;
}

bool compare_head_command(struct compare_head *h, const char *name)
{
	if (strcmp(name, "left") == 0)
		h->at -= h->at > 0;
	else if (strcmp(name, "right") == 0)
		h->at += h->at + 1 < COMPARE_DOORS;
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

/* Each whole on its line. */
static void write_doors(const struct compare_head *h, struct pen *p)
{
	for (size_t k = 0; k < COMPARE_DOORS; k++) {
		struct buf text = BUF_INIT;
		bool here = h->in && h->at == k;
		enum style style = here ? STYLE_BOLD : k == 1 ? STYLE_WRONG : k == 2 ? STYLE_RIGHT : STYLE_NORMAL;
		int w;

		buf_printf(&text, "%s ", doors[k].word);
		put_number(h, doors[k].column, &text);
		w = text_width(buf_view(&text)) + 2;
		if (p->x > 0 && p->x + 1 + w > p->area.w)
			pen_line(p);
		pen_putz(p, STYLE_NORMAL, p->x > 0 ? " " : "");
		pen_putz(p, here ? STYLE_CURSOR : STYLE_NORMAL, here ? sign(SIGN_CURSOR) : " ");
		pen_put(p, style, buf_view(&text));
		pen_putz(p, STYLE_NORMAL, " ");
		buf_release(&text);
	}
	pen_line(p);
}

static void put_groups(const struct compare_head *h, struct buf *out)
{
	int q = table_find(h->table, STR("q"));
	unsigned n = 0, marked = 0;

	for (size_t r = 1; r < table_rows(h->table); r++) {
		n += !isnan(table_look(h->table, r, (size_t)q)->number);
		marked += compare_head_marks(h->table, r);
	}
	if (n && !h->waits)
		buf_printf(out, "   * q < %.2f: %u of %u", COMPARE_Q, marked, n);
}

/* Left out where there is little room. */
static void put_more(const struct compare_head *h, struct buf *out)
{
	put_groups(h, out);
	buf_z(out, "   kappa ");
	put_number(h, "kappa", out);
	buf_z(out, " phi ");
	put_number(h, "phi", out);
	buf_printf(out, "   interval 95 %%, seed %.0f", cell(h, "seed")->number);
	if (h->cluster)
		buf_printf(out, ", %s drawn whole", h->cluster);
}

static void write_measures(const struct compare_head *h, struct pen *p)
{
	struct buf text = BUF_INIT;

	buf_z(&text, "a - b ");
	put_number(h, "delta", &text);
	buf_z(&text, " [");
	put_number(h, "lo", &text);
	buf_z(&text, ", ");
	put_number(h, "hi", &text);
	buf_z(&text, "]  p ");
	put_number(h, "p_mcnemar", &text);
	if (!h->low)
		put_more(h, &text);
	pen_wrap(p, 1, h->low ? 1 : 3, STYLE_NORMAL, (struct span){0}, buf_view(&text));
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
	write_doors(h, p);
	write_measures(h, p);
}

int compare_head_fit(struct compare_head *h, struct rect area)
{
	struct pen p = {NULL, area, 0, 0};

	if (!h->table)
		return 0;
	h->low = area.h < LOW;
	write_all(h, &p);
	return p.y < area.h / 2 ? p.y : area.h / 2;
}

void compare_head_draw(const struct compare_head *h, struct cells *grid, struct rect area)
{
	struct pen p = {grid, area, 0, 0};

	if (h->table)
		write_all(h, &p);
}
