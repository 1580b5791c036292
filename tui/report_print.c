#include "tui/report_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/nearest.h"
#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tui/fields.h"
#include "tui/print.h"
#include "tui/term/text.h"

/* --- cells --- */

/* Without loss, for programs. */
static void exact(const struct table_column *c, const struct table_cell *cell, struct buf *out)
{
	if (c->kind == TABLE_TEXT)
		buf_z(out, cell->text ? cell->text : "");
	else if (isfinite(cell->number))
		json_put_number(out, cell->number);
}

/* A p value as people write it. */
static void put_p(double p, int digits, struct buf *out)
{
	if (p < 0.0001)
		buf_printf(out, "%.1e", p);
	else
		buf_printf(out, "%.*f", digits < 0 ? 4 : digits, p);
}

void report_cell(const struct table_column *c, const struct table_cell *cell, int digits,
		 struct buf *out)
{
	char n[32];

	if (c->kind == TABLE_TEXT)
		buf_printf(out, "%s%s", cell->text ? cell->text : "", cell->reference ? " (reference)" : "");
	else if (isnan(cell->number))
		buf_z(out, cell->text ? cell->text : "-");
	else if (isinf(cell->number))
		buf_z(out, cell->number > 0 ? "inf" : "-inf");
	else if (c->kind == TABLE_COUNT)
		buf_z(out, print_count(n, (uint64_t)cell->number));
	else if (c->kind == TABLE_SHARE)
		buf_printf(out, "%.*f", digits < 0 ? 1 : digits, cell->number * 100);
	else if (c->kind == TABLE_P)
		put_p(cell->number, digits, out);
	else
		buf_printf(out, "%.*f", digits < 0 ? 3 : digits, cell->number);
}

/* --- choosing columns --- */

static bool is_empty(const struct table *t, size_t column)
{
	for (size_t r = 0; r < table_rows(t); r++) {
		const struct table_cell *c = table_look(t, r, column);

		if ((c->text && *c->text) || !isnan(c->number))
			return false;
	}
	return true;
}

static enum status no_column(const struct table *t, struct str name, struct err *err)
{
	struct nearest near = {.word = name};
	struct buf all = BUF_INIT;

	for (size_t c = 0; c < t->columns.n; c++) {
		nearest_offer(&near, t->columns.v[c].name);
		buf_printf(&all, "%s%.60s", c ? ", " : "", t->columns.v[c].name);
	}
	err_set(err, E_USAGE, "--columns: there is no column \"%.*s\"%s%.100s; there is %.600s",
		(int)(name.n < 100 ? name.n : 100), name.p, near.best ? "; did you mean " : "",
		near.best ? near.best : "", buf_cstr(&all));
	buf_release(&all);
	return err->code;
}

/* out: the columns wanted, in the order wanted. */
static enum status choose(const struct table *t, const struct report_style *style, bool people,
			  struct table *out, struct err *err)
{
	VEC(size_t) wanted = {0};
	struct str rest = str_z(style->columns ? style->columns : ""), name;
	enum status st = OK;

	while (rest.n && st == OK) {
		int at;

		rest = str_cut(rest, ',', &name);
		at = table_find(t, str_trim(name));
		if (at < 0)
			st = no_column(t, str_trim(name), err);
		else
			vec_push(&wanted, (size_t)at);
	}
	for (size_t c = 0; c < t->columns.n && !style->columns; c++)
		if (!people || (!t->columns.v[c].detail && !is_empty(t, c)))
			vec_push(&wanted, c);
	table_init(out, t->title);
	for (size_t c = 0; c < wanted.n; c++) {
		const struct table_column *k = &t->columns.v[wanted.v[c]];

		table_column(out, k->name, k->title, k->kind, k->best, k->help);
	}
	for (size_t r = 0; r < table_rows(t); r++) {
		table_row(out);
		for (size_t c = 0; c < wanted.n; c++)
			*table_at(out, r, c) = *table_look(t, r, wanted.v[c]); /* borrows t's texts */
	}
	for (size_t i = 0; i < t->warnings.n; i++)
		table_warn(out, "%s", t->warnings.v[i]);
	for (size_t i = 0; i < t->notes.n; i++)
		table_note(out, "%s", t->notes.v[i]);
	vec_release(&wanted);
	if (st != OK)
		table_release(out);
	return st;
}

/* --- the best of each column --- */

static bool is_best(const struct table *t, size_t row, size_t column)
{
	enum column_best best = t->columns.v[column].best;
	double mine = table_look(t, row, column)->number;
	unsigned char family = table_look(t, row, column)->family;

	if (best == BEST_NONE || isnan(mine) || table_rows(t) < 2 || table_look(t, row, column)->reference)
		return false;
	for (size_t r = 0; r < table_rows(t); r++) {
		double other = table_look(t, r, column)->number;

		if (table_look(t, r, column)->reference || table_look(t, r, column)->family != family)
			continue;
		if (best == BEST_HIGH ? other > mine : other < mine)
			return false;
	}
	return true;
}

/* --- formats --- */

static void write_json(const struct table *t, const struct report_style *style, struct buf *out)
{
	(void)style;
	buf_ch(out, '[');
	for (size_t r = 0; r < table_rows(t); r++) {
		buf_z(out, r ? ",\n {" : "\n {");
		for (size_t c = 0; c < t->columns.n; c++) {
			const struct table_column *k = &t->columns.v[c];
			const struct table_cell *cell = table_look(t, r, c);

			buf_z(out, c ? ", " : "");
			json_quote(out, str_z(k->name));
			buf_z(out, ": ");
			if (k->kind == TABLE_TEXT)
				json_quote(out, str_z(cell->text ? cell->text : ""));
			else if (isfinite(cell->number))
				json_put_number(out, cell->number);
			else
				buf_z(out, "null");
		}
		buf_ch(out, '}');
	}
	buf_z(out, "\n]\n");
}

static void write_csv(const struct table *t, const struct report_style *style, struct buf *out)
{
	struct buf cell = BUF_INIT;

	(void)style;
	for (size_t c = 0; c < t->columns.n; c++) {
		buf_z(out, c ? "," : "");
		field_csv(out, str_z(t->columns.v[c].name));
	}
	buf_z(out, "\r\n");
	for (size_t r = 0; r < table_rows(t); r++) {
		for (size_t c = 0; c < t->columns.n; c++) {
			buf_clear(&cell);
			exact(&t->columns.v[c], table_look(t, r, c), &cell);
			buf_z(out, c ? "," : "");
			field_csv(out, buf_view(&cell));
		}
		buf_z(out, "\r\n");
	}
	buf_release(&cell);
}

/* What must be read before the numbers; `end` stands behind it where there is any. */
static void put_warnings(const struct table *t, const char *before, const char *end, struct buf *out)
{
	for (size_t i = 0; i < t->warnings.n; i++)
		buf_printf(out, "%s%s\n", before, t->warnings.v[i]);
	if (t->warnings.n)
		buf_z(out, end);
}

static void put_notes(const struct table *t, const char *before, const char *after, struct buf *out)
{
	for (size_t i = 0; i < t->notes.n; i++)
		buf_printf(out, "%s%s%s\n", before, t->notes.v[i], after);
}

static void write_md(const struct table *t, const struct report_style *style, struct buf *out)
{
	struct buf cell = BUF_INIT;

	put_warnings(t, "- ", "\n", out);
	buf_ch(out, '|');
	for (size_t c = 0; c < t->columns.n; c++)
		field_md(out, str_z(t->columns.v[c].title));
	buf_z(out, "\n|");
	for (size_t c = 0; c < t->columns.n; c++)
		buf_z(out, t->columns.v[c].kind == TABLE_TEXT ? ":---|" : "---:|");
	buf_ch(out, '\n');
	for (size_t r = 0; r < table_rows(t); r++) {
		buf_ch(out, '|');
		for (size_t c = 0; c < t->columns.n; c++) {
			bool best = style->mark_best && is_best(t, r, c);

			buf_clear(&cell);
			buf_z(&cell, best ? "**" : "");
			report_cell(&t->columns.v[c], table_look(t, r, c), style->digits, &cell);
			buf_z(&cell, best ? "**" : "");
			field_md(out, buf_view(&cell));
		}
		buf_ch(out, '\n');
	}
	if (t->notes.n)
		buf_ch(out, '\n');
	put_notes(t, "- ", "", out);
	buf_release(&cell);
}

/* Signs of ours that LaTeX does not know as letters; n = 0: it is none of them. */
static size_t latex_sign(struct str s, struct buf *out)
{
	static const struct {
		const char *sign, *tex;
	} signs[] = {{"Δ", "$\\Delta$"}, {"α", "$\\alpha$"}, {"κ", "$\\kappa$"}, {"ρ", "$\\rho$"},
		     {"φ", "$\\phi$"},   {"×", "$\\times$"}, {"−", "$-$"},	   {"→", "$\\to$"},
		     {"≥", "$\\ge$"},	{"…", "\\ldots{}"}};

	for (size_t k = 0; k < sizeof signs / sizeof *signs; k++)
		if (str_starts(s, str_z(signs[k].sign))) {
			buf_z(out, signs[k].tex);
			return strlen(signs[k].sign);
		}
	return 0;
}

/* "[" and "*" at the beginning of a row would be taken for an argument of the line break before it. */
static void latex_text(struct buf *out, struct str s)
{
	static const char special[] = "&%$#_{}";
	size_t n;

	for (size_t i = 0; i < s.n; i++)
		if ((n = latex_sign((struct str){s.p + i, s.n - i}, out)) > 0)
			i += n - 1;
		else if (strchr(special, s.p[i]))
			buf_printf(out, "\\%c", s.p[i]);
		else if (s.p[i] == '\\')
			buf_z(out, "\\textbackslash{}");
		else if (s.p[i] == '[' || s.p[i] == '*')
			buf_printf(out, "{%c}", s.p[i]);
		else if (s.p[i] == '|')
			buf_z(out, "\\textbar{}");
		else if (s.p[i] == '<' || s.p[i] == '>')
			buf_z(out, s.p[i] == '<' ? "\\textless{}" : "\\textgreater{}");
		else if (s.p[i] == '~' || s.p[i] == '^')
			buf_printf(out, "\\%c{}", s.p[i]);
		else
			buf_ch(out, (unsigned char)s.p[i] < ' ' ? ' ' : s.p[i]);
}

static void latex_row(const struct table *t, size_t r, const struct report_style *style, struct buf *out)
{
	struct buf cell = BUF_INIT;

	for (size_t c = 0; c < t->columns.n; c++) {
		bool best = style->mark_best && is_best(t, r, c);

		buf_clear(&cell);
		report_cell(&t->columns.v[c], table_look(t, r, c), style->digits, &cell);
		buf_z(out, c ? " & " : "");
		buf_z(out, best ? "\\textbf{" : "");
		latex_text(out, buf_view(&cell));
		buf_z(out, best ? "}" : "");
	}
	buf_z(out, " \\\\\n");
	buf_release(&cell);
}

static void write_latex(const struct table *t, const struct report_style *style, struct buf *out)
{
	put_warnings(t, "% ", "", out);
	buf_z(out, "\\begin{tabular}{");
	for (size_t c = 0; c < t->columns.n; c++)
		buf_ch(out, t->columns.v[c].kind == TABLE_TEXT ? 'l' : 'r');
	buf_z(out, "}\n\\hline\n");
	for (size_t c = 0; c < t->columns.n; c++) {
		buf_z(out, c ? " & " : "");
		latex_text(out, str_z(t->columns.v[c].title));
	}
	buf_z(out, " \\\\\n\\hline\n");
	for (size_t r = 0; r < table_rows(t); r++)
		latex_row(t, r, style, out);
	buf_z(out, "\\hline\n\\end{tabular}\n");
	put_notes(t, "% ", "", out);
}

/* --- text --- */

static void pad(struct buf *out, int n)
{
	while (n-- > 0)
		buf_ch(out, ' ');
}

static void text_cell(struct buf *out, struct str s, int width, bool right, bool last)
{
	int rest = width - text_width(s);

	pad(out, right ? rest : 0);
	buf_str(out, s);
	if (!last)
		pad(out, (right ? 0 : rest) + 2);
}

static void text_of(const struct table *t, const struct report_style *style, size_t r, size_t c,
		    struct buf *out)
{
	buf_clear(out);
	report_cell(&t->columns.v[c], table_look(t, r, c), style->digits, out);
	if (style->mark_best && t->columns.v[c].kind != TABLE_TEXT)
		buf_ch(out, is_best(t, r, c) ? '*' : ' ');
}

static int *text_widths(const struct table *t, const struct report_style *style)
{
	int *width = xcalloc(t->columns.n + 1, sizeof *width);
	struct buf cell = BUF_INIT;

	for (size_t c = 0; c < t->columns.n; c++) {
		width[c] = text_width(str_z(t->columns.v[c].title));
		for (size_t r = 0; r < table_rows(t); r++) {
			int w;

			text_of(t, style, r, c, &cell);
			w = text_width(buf_view(&cell));
			width[c] = w > width[c] ? w : width[c];
		}
	}
	buf_release(&cell);
	return width;
}

static void write_text(const struct table *t, const struct report_style *style, struct buf *out)
{
	int *width = text_widths(t, style);
	struct buf cell = BUF_INIT;

	put_warnings(t, "", "\n", out);
	for (size_t c = 0; c < t->columns.n; c++)
		text_cell(out, str_z(t->columns.v[c].title), width[c],
			  t->columns.v[c].kind != TABLE_TEXT, c + 1 == t->columns.n);
	buf_ch(out, '\n');
	for (size_t r = 0; r < table_rows(t); r++) {
		for (size_t c = 0; c < t->columns.n; c++) {
			text_of(t, style, r, c, &cell);
			text_cell(out, buf_view(&cell), width[c], t->columns.v[c].kind != TABLE_TEXT,
				  c + 1 == t->columns.n);
		}
		buf_ch(out, '\n');
	}
	if (t->notes.n)
		buf_ch(out, '\n');
	put_notes(t, "", "", out);
	buf_release(&cell);
	free(width);
}

const struct report_format report_formats[] = {
    {"text", true, write_text}, {"md", true, write_md},       {"csv", false, write_csv},
    {"json", false, write_json}, {"latex", true, write_latex}, {NULL, false, NULL},
};

const struct report_format *report_format_find(struct str name)
{
	for (const struct report_format *f = report_formats; f->name; f++)
		if (str_eqz(name, f->name))
			return f;
	return NULL;
}

enum status report_print(const struct table *t, const struct report_format *format,
			 const struct report_style *style, FILE *out, struct err *err)
{
	struct table wide, chosen;
	bool pivot = format->people && t->pivot_group != t->pivot_value;
	struct buf text = BUF_INIT;
	enum status st;

	if (pivot)
		table_pivot(t, &wide);
	st = choose(pivot ? &wide : t, style, format->people, &chosen, err);
	if (st == OK) {
		format->write(&chosen, style, &text);
		if (strcmp(format->name, "json") == 0 && style->tty)
			print_json_clean(out, buf_view(&text));
		else
			st = fields_put(&text, out, style->tty, err);
		table_release(&chosen);
	}
	if (st == OK && (fflush(out) != 0 || ferror(out)))
		st = err_set(err, E_IO, "the table cannot be written");
	if (pivot)
		table_release(&wide);
	buf_release(&text);
	return st;
}
