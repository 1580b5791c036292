#include "tui/sql_print.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/text/json.h"
#include "tui/fields.h"
#include "tui/print.h"
#include "tui/term/text.h"

#define FLUSH_BYTES 65536
#define HELD_ROWS   200  /* that the widths of a table are made from */
#define CELL_BYTES  4096 /* of a cell for people; nobody's terminal is wider */
#define LEAST_WIDTH 6    /* of a column that must give way */

struct sql_format {
	const char *name;
	void (*begin)(struct sql_print *p);
	enum status (*row)(struct sql_print *p, const struct sql_value *v, struct err *err);
	enum status (*end)(struct sql_print *p, struct err *err);
};

/* --- values --- */

/* As a text; NULL is empty, bytes are told by their number. Borrows v or scratch. */
static struct str value_text(const struct sql_value *v, struct buf *scratch)
{
	char n[32];

	buf_clear(scratch);
	switch (v->type) {
	case SQL_INTEGER:
		buf_printf(scratch, "%lld", (long long)v->i);
		break;
	case SQL_REAL:
		if (isfinite(v->f))
			json_put_number(scratch, v->f);
		else
			buf_z(scratch, v->f > 0 ? "Inf" : "-Inf");
		break;
	case SQL_TEXT:
		return v->s;
	case SQL_BLOB:
		buf_printf(scratch, "(%s bytes)", print_count(n, v->s.n));
		break;
	case SQL_NULL:
		return STR("");
	}
	return buf_view(scratch);
}

static void json_value(const struct sql_value *v, struct buf *out, struct buf *scratch)
{
	if (v->type == SQL_NULL)
		buf_z(out, "null");
	else if (v->type == SQL_REAL)
		json_put_number(out, v->f);
	else if (v->type == SQL_INTEGER)
		buf_str(out, value_text(v, scratch));
	else
		json_quote(out, value_text(v, scratch));
}

static enum status flush(struct sql_print *p, bool json, struct err *err)
{
	if (!json || !p->tty)
		return fields_put(&p->b, p->out, p->tty, err);
	if (p->b.failed)
		return err_set(err, E_MEMORY, "there is no memory for a row");
	print_json_clean(p->out, buf_view(&p->b));
	buf_clear(&p->b);
	return ferror(p->out) ? err_set(err, E_IO, "the rows cannot be written") : OK;
}

static enum status flush_full(struct sql_print *p, bool json, struct err *err)
{
	return p->b.n >= FLUSH_BYTES || p->b.failed ? flush(p, json, err) : OK;
}

/* --- csv, md, and text that is no table --- */

static void csv_begin(struct sql_print *p)
{
	for (int i = 0; i < p->n; i++) {
		buf_z(&p->b, i ? "," : "");
		field_csv(&p->b, str_z(p->names[i]));
	}
	buf_z(&p->b, "\r\n");
}

static enum status csv_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	for (int i = 0; i < p->n; i++) {
		buf_z(&p->b, i ? "," : "");
		field_csv(&p->b, value_text(&v[i], &p->cell));
	}
	buf_z(&p->b, "\r\n");
	return flush_full(p, false, err);
}

static enum status plain_end(struct sql_print *p, struct err *err)
{
	return flush(p, false, err);
}

static void md_begin(struct sql_print *p)
{
	buf_ch(&p->b, '|');
	for (int i = 0; i < p->n; i++)
		field_md(&p->b, str_z(p->names[i]));
	buf_z(&p->b, "\n|");
	for (int i = 0; i < p->n; i++)
		buf_z(&p->b, "---|");
	buf_ch(&p->b, '\n');
}

static enum status md_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	buf_ch(&p->b, '|');
	for (int i = 0; i < p->n; i++)
		field_md(&p->b, value_text(&v[i], &p->cell));
	buf_ch(&p->b, '\n');
	return flush_full(p, false, err);
}

static void tsv_begin(struct sql_print *p)
{
	for (int i = 0; i < p->n; i++) {
		buf_z(&p->b, i ? "\t" : "");
		field_tsv(&p->b, str_z(p->names[i]));
	}
	buf_ch(&p->b, '\n');
}

static enum status tsv_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	for (int i = 0; i < p->n; i++) {
		buf_z(&p->b, i ? "\t" : "");
		field_tsv(&p->b, value_text(&v[i], &p->cell));
	}
	buf_ch(&p->b, '\n');
	return flush_full(p, false, err);
}

/* --- json --- */

static void put_object(struct sql_print *p, const struct sql_value *v)
{
	buf_ch(&p->b, '{');
	for (int i = 0; i < p->n; i++) {
		buf_z(&p->b, i ? "," : "");
		json_quote(&p->b, str_z(p->names[i]));
		buf_ch(&p->b, ':');
		json_value(&v[i], &p->b, &p->cell);
	}
	buf_ch(&p->b, '}');
}

static enum status jsonl_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	put_object(p, v);
	buf_ch(&p->b, '\n');
	return flush_full(p, true, err);
}

static enum status jsonl_end(struct sql_print *p, struct err *err)
{
	return flush(p, true, err);
}

static enum status json_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	buf_z(&p->b, p->rows == 1 ? "[\n" : ",\n");
	put_object(p, v);
	return flush_full(p, true, err);
}

static enum status json_end(struct sql_print *p, struct err *err)
{
	buf_z(&p->b, p->rows ? "\n]\n" : "[]\n");
	return flush(p, true, err);
}

/* Columns of one name, as joins make them, get numbers, as an object has each name once. */
static void name_apart(struct sql_print *p)
{
	for (int i = 1; i < p->n; i++) {
		char *plain = p->names[i];
		int again = 1;

		for (int k = 0; k < i;) {
			if (strcmp(p->names[k], p->names[i]) != 0) {
				k++;
				continue;
			}
			if (p->names[i] != plain)
				free(p->names[i]);
			p->names[i] = xasprintf("%s:%d", plain, again++);
			k = 0;
		}
		if (p->names[i] != plain)
			free(plain);
	}
}

/* --- text: aligned on a terminal --- */

static int total_width(const struct sql_print *p)
{
	int sum = 2 * (p->n - 1);

	for (int i = 0; i < p->n; i++)
		sum += p->widths[i];
	return sum;
}

/* The widest columns give way until the table fits, down to a width that says something. */
static void fit_widths(struct sql_print *p)
{
	while (p->width > 0 && total_width(p) > p->width) {
		int widest = 0;

		for (int i = 1; i < p->n; i++)
			if (p->widths[i] > p->widths[widest])
				widest = i;
		if (p->widths[widest] <= LEAST_WIDTH)
			return;
		p->widths[widest]--;
	}
}

static void put_cell(struct sql_print *p, int i, struct str s)
{
	int pad;

	buf_clear(&p->cell);
	text_cut(s, p->widths[i], CUT_END, &p->cell);
	pad = p->widths[i] - text_width(buf_view(&p->cell));
	fprintf(p->out, "%s%*s", i ? "  " : "", p->right[i] ? pad : 0, "");
	print_clean(p->out, buf_view(&p->cell));
	if (!p->right[i] && i < p->n - 1)
		fprintf(p->out, "%*s", pad, "");
	if (i == p->n - 1)
		fputc('\n', p->out);
}

static void lay_out(struct sql_print *p)
{
	p->laid_out = true;
	if (!p->n)
		return;
	for (int i = 0; i < p->n; i++)
		p->widths[i] = text_width(str_z(p->names[i]));
	for (size_t c = 0; c < p->held.n; c++) {
		int i = (int)(c % (size_t)p->n), w = text_width(str_z(p->held.v[c]));

		p->widths[i] = w > p->widths[i] ? w : p->widths[i];
	}
	fit_widths(p);
	for (int i = 0; i < p->n; i++)
		put_cell(p, i, str_z(p->names[i]));
	for (int i = 0; i < p->n; i++)
		for (int k = -2 * (i > 0); k < p->widths[i]; k++)
			fputs(k < 0 ? " " : text_unicode() ? "─" : "-", p->out);
	fputc('\n', p->out);
	for (size_t c = 0; c < p->held.n; c++)
		put_cell(p, (int)(c % (size_t)p->n), str_z(p->held.v[c]));
}

static struct str cell_text(struct sql_print *p, const struct sql_value *v, struct buf *scratch)
{
	struct str s = value_text(v, scratch);

	(void)p;
	s.n = s.n < CELL_BYTES ? s.n : CELL_BYTES;
	return s;
}

static enum status table_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	struct buf scratch = BUF_INIT;

	for (int i = 0; i < p->n; i++) {
		struct str s = cell_text(p, &v[i], &scratch);

		if (!p->laid_out) {
			p->right[i] &= v[i].type == SQL_INTEGER || v[i].type == SQL_REAL ||
				       v[i].type == SQL_NULL;
			vec_push(&p->held, xstrndup(s.n ? s.p : "", s.n));
		} else {
			put_cell(p, i, s);
		}
	}
	buf_release(&scratch);
	if (!p->laid_out && p->rows == HELD_ROWS)
		lay_out(p);
	return ferror(p->out) ? err_set(err, E_IO, "the rows cannot be written") : OK;
}

static enum status table_end(struct sql_print *p, struct err *err)
{
	if (!p->laid_out)
		lay_out(p);
	return ferror(p->out) ? err_set(err, E_IO, "the rows cannot be written") : OK;
}

static void text_begin(struct sql_print *p)
{
	if (!p->tty)
		tsv_begin(p);
}

static enum status text_row(struct sql_print *p, const struct sql_value *v, struct err *err)
{
	return p->tty ? table_row(p, v, err) : tsv_row(p, v, err);
}

static enum status text_end(struct sql_print *p, struct err *err)
{
	return p->tty ? table_end(p, err) : plain_end(p, err);
}

/* --- all --- */

static const struct sql_format formats[] = {
    {"text", text_begin, text_row, text_end}, {"csv", csv_begin, csv_row, plain_end},
    {"json", name_apart, json_row, json_end}, {"jsonl", name_apart, jsonl_row, jsonl_end},
    {"md", md_begin, md_row, plain_end},
};

const struct sql_format *sql_format_find(struct str name)
{
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (str_eqz(name, formats[i].name))
			return &formats[i];
	return NULL;
}

static enum status on_begin(void *ctx, const char *const *names, int n, struct err *err)
{
	struct sql_print *p = ctx;

	(void)err;
	p->n = n;
	p->names = xcalloc((size_t)n + 1, sizeof *p->names);
	p->widths = xcalloc((size_t)n + 1, sizeof *p->widths);
	p->right = xcalloc((size_t)n + 1, sizeof *p->right);
	for (int i = 0; i < n; i++) {
		p->names[i] = xstrdup(names[i]);
		p->right[i] = true;
	}
	p->format->begin(p);
	return OK;
}

static enum status on_row(void *ctx, const struct sql_value *values, int n, struct err *err)
{
	struct sql_print *p = ctx;

	(void)n;
	p->rows++;
	return p->format->row(p, values, err);
}

struct sql_sink sql_print_sink(struct sql_print *p)
{
	return (struct sql_sink){p, on_begin, on_row};
}

enum status sql_print_end(struct sql_print *p, struct err *err)
{
	return p->n ? p->format->end(p, err) : OK;
}

void sql_print_release(struct sql_print *p)
{
	for (int i = 0; i < p->n; i++)
		free(p->names[i]);
	for (size_t i = 0; i < p->held.n; i++)
		free(p->held.v[i]);
	vec_release(&p->held);
	free(p->names);
	free(p->widths);
	free(p->right);
	buf_release(&p->b);
	buf_release(&p->cell);
}
