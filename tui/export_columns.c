/* csv and md with chosen columns: a cell a column. */
#include <math.h>

#include "tui/export.h"
#include "tui/fields.h"

static void add(const struct scene *s, struct columns *out, struct list_column c)
{
	c.width = 0;
	if (out->n < COLUMNS_MAX && column_there(s, &c))
		out->v[out->n++] = c;
}

static void add_verdict(const struct scene *s, struct columns *out, int run)
{
	if (run >= 0)
		add(s, out, (struct list_column){.id = COLUMN_VERDICT, .of = run});
}

void export_columns_plain(const struct scene *s, const struct columns *in, struct columns *out)
{
	*out = (struct columns){.chosen = true};
	for (int i = 0; i < in->n; i++) {
		const struct list_column *c = &in->v[i];

		if (c->id == COLUMN_PAIR) {
			add(s, out, (struct list_column){.id = COLUMN_TRUTH, .of = -1});
			add(s, out, (struct list_column){.id = COLUMN_ANSWER, .of = COLUMN_OF_A});
		} else if (c->id == COLUMN_VERDICT && c->of == COLUMN_OF_AB) {
			add_verdict(s, out, s->a);
			add_verdict(s, out, s->b);
		} else if (c->id == COLUMN_RUNS) {
			for (int p = 0; p < s->n_panel; p++)
				add_verdict(s, out, s->panel[p]);
		} else if (c->id == COLUMN_SIGNS) {
			add(s, out, (struct list_column){.id = COLUMN_NOTES, .of = -1});
			add(s, out, (struct list_column){.id = COLUMN_TAGS, .of = -1});
		} else {
			add(s, out, *c);
		}
	}
}

void export_columns_begin(const struct export *x, bool md, struct buf *out)
{
	struct buf name = BUF_INIT;

	buf_z(out, md ? "|" : "");
	for (int k = 0; k < x->columns.n; k++) {
		buf_clear(&name);
		column_format(&x->scene, &x->columns.v[k], true, &name);
		if (md)
			field_md(out, buf_view(&name));
		else {
			buf_z(out, k ? "," : "");
			field_csv(out, buf_view(&name));
		}
	}
	buf_z(out, md ? "\n|" : "\r\n");
	for (int k = 0; md && k < x->columns.n; k++)
		buf_z(out, column_right(&x->columns.v[k], x->snap) ? "---:|" : "---|");
	buf_z(out, md ? "\n" : "");
	buf_release(&name);
}

void export_columns_sample(const struct export *x, bool md, struct buf *out)
{
	struct buf value = BUF_INIT;

	buf_z(out, md ? "|" : "");
	for (int k = 0; k < x->columns.n; k++) {
		double number = x->number[k] ? x->number[k][x->ord] : NAN;

		buf_clear(&value);
		column_value(&x->scene, &x->columns.v[k], x->ord, x->row, number, &value);
		if (md)
			field_md(out, buf_view(&value));
		else {
			buf_z(out, k ? "," : "");
			field_csv(out, buf_view(&value));
		}
	}
	buf_z(out, md ? "\n" : "\r\n");
	buf_release(&value);
}
