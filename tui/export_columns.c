/* csv and md with chosen columns: a cell a column. */
#include <math.h>
#include <string.h>

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

/* Where in the cell's text each of several names ends, ", " behind it; 0: it is a single one. */
static size_t several_ends(const struct export *x, const struct list_column *c, size_t *ends, size_t max)
{
	const struct scene *s = &x->scene;
	const struct facet *f = c->id == COLUMN_FACET ? &x->snap->facets[c->of] : NULL;
	int run = column_run(s, c);
	size_t from, n = 0, of;

	if (c->id == COLUMN_TRUTH)
		return scene_truth_ends(s, c->of >= 0 ? c->of : s->lens.layer, x->ord, ends, max);
	if (c->id == COLUMN_ANSWER && run >= 0)
		return scene_answer_ends(s, run, x->ord, ends, max);
	if (!f || f->numeric || !f->multi)
		return 0;
	of = csr_row(&f->sets, x->ord, &from);
	for (size_t k = 0; k < of && n < max; k++) {
		uint64_t v = column_u(&f->sets.val, from + k);

		if (v < f->n_values) {
			ends[n] = (n ? ends[n - 1] + 2 : 0) + strlen(f->values[v]);
			n++;
		}
	}
	return n;
}

/* As everywhere in csv " | " stands between several: a comma might as well be in one of them. */
static void put_csv(const struct export *x, const struct list_column *c, const struct buf *value,
		    struct buf *out)
{
	size_t ends[256], n = several_ends(x, c, ends, 256), at = 0;
	struct buf text = BUF_INIT;

	if (n < 2) {
		field_csv(out, buf_view(value));
		return;
	}
	for (size_t k = 0; k + 1 < n && ends[k] + 2 <= value->n; k++) {
		buf_str(&text, (struct str){value->p + at, ends[k] - at});
		buf_z(&text, " | ");
		at = ends[k] + 2;
	}
	buf_str(&text, (struct str){value->p + at, value->n - at});
	field_csv(out, buf_view(&text));
	buf_release(&text);
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
			put_csv(x, &x->columns.v[k], &value, out);
		}
	}
	buf_z(out, md ? "\n" : "\r\n");
	buf_release(&value);
}
