/* What a sample looks like in each format. */
#include <math.h>

#include "core/text/json.h"
#include "tui/export.h"
#include "tui/fields.h"

static const char *class_name(const struct export *x, uint64_t c)
{
	return c < x->snap->n_classes ? x->snap->classes[c].name : "";
}

/* The classes of the run's answer to the sample; at most max of them. */
static size_t answer_classes(const struct export *x, const struct run *r, size_t k)
{
	size_t from, n = csr_row(&r->labels, x->ord, &from);
	uint64_t o = column_u(&r->outcome, x->ord);

	if (o != OUTCOME_ANSWERED && o != OUTCOME_OOP)
		return SIZE_MAX;
	if (k < n)
		return (size_t)column_u(&r->labels.val, from + k);
	return k == 0 && column_u(&r->label, x->ord) != COLUMN_NONE ? (size_t)column_u(&r->label, x->ord)
								     : SIZE_MAX;
}

static const char *outcome_of(const struct export *x, const struct run *r)
{
	uint64_t o = column_u(&r->outcome, x->ord);

	return outcome_word(o < N_OUTCOMES ? (enum outcome)o : OUTCOME_MISSING);
}

/* The k-th value of a facet; NULL beyond the last. */
static const char *facet_value(const struct export *x, const struct facet *f, size_t k)
{
	size_t from = 0, n = f->multi ? csr_row(&f->sets, x->ord, &from) : 1;
	uint64_t v;

	if (k >= n)
		return NULL;
	v = f->multi ? column_u(&f->sets.val, from + k) : column_u(&f->value, x->ord);
	return v < f->n_values ? f->values[v] : NULL;
}

static void put_number(struct buf *out, double v)
{
	int64_t whole = fabs(v) < 1e15 ? (int64_t)v : 0;

	if ((double)whole == v)
		buf_printf(out, "%lld", (long long)whole);
	else
		buf_printf(out, "%.15g", v);
}

/* --- ids --- */

static void ids_sample(const struct export *x, struct buf *out)
{
	buf_str(out, x->row->key);
	buf_ch(out, '\n');
}

/* --- jsonl --- */

static void json_pair(struct buf *out, const char *key, struct str value)
{
	if (!value.n)
		return;
	buf_printf(out, ",\"%s\":", key);
	json_quote(out, value);
}

static void json_labels(const struct export *x, struct buf *out)
{
	const char *sep = "";

	buf_z(out, ",\"labels\":{");
	for (uint32_t l = 0; l < x->snap->n_layers; l++) {
		const struct truth *t = &x->truth[l];

		if (!t->covered[x->ord])
			continue;
		buf_z(out, sep);
		sep = ",";
		json_quote(out, str_z(x->snap->layers[l].name));
		buf_z(out, ":[");
		for (uint32_t k = t->off[x->ord]; k < t->off[x->ord + 1]; k++) {
			buf_z(out, k > t->off[x->ord] ? "," : "");
			json_quote(out, str_z(class_name(x, t->val[k])));
		}
		buf_ch(out, ']');
	}
	buf_ch(out, '}');
}

static void json_facet(const struct export *x, const struct facet *f, struct buf *out)
{
	const char *v;

	json_quote(out, str_z(f->name));
	buf_ch(out, ':');
	if (f->numeric) {
		put_number(out, column_f(&f->number, x->ord));
		return;
	}
	buf_z(out, f->multi ? "[" : "");
	for (size_t k = 0; (v = facet_value(x, f, k)); k++) {
		buf_z(out, k ? "," : "");
		json_quote(out, str_z(v));
	}
	buf_z(out, f->multi ? "]" : "");
}

static void json_facets(const struct export *x, struct buf *out)
{
	const char *sep = ",\"facets\":{";

	for (uint32_t i = 0; i < x->snap->n_facets; i++) {
		const struct facet *f = &x->snap->facets[i];
		bool there = f->numeric ? isfinite(column_f(&f->number, x->ord))
					: facet_value(x, f, 0) != NULL;

		if (!there)
			continue;
		buf_z(out, sep);
		json_facet(x, f, out);
		sep = ",";
	}
	buf_z(out, sep[1] ? "" : "}");
}

static void json_answer(const struct export *x, const struct export_run *r, struct buf *out)
{
	const struct run *run = &x->snap->runs[r->run];
	size_t c;

	buf_z(out, "{\"run\":");
	json_quote(out, str_z(run->handle));
	buf_printf(out, ",\"outcome\":\"%s\",\"verdict\":\"%s\",\"classes\":[", outcome_of(x, run),
		   verdict_word((enum verdict)r->verdict[x->ord]));
	for (size_t k = 0; (c = answer_classes(x, run, k)) != SIZE_MAX; k++) {
		buf_z(out, k ? "," : "");
		json_quote(out, str_z(class_name(x, c)));
	}
	buf_ch(out, ']');
	json_pair(out, "text", r->texts[x->k]);
	buf_ch(out, '}');
}

static void jsonl_sample(const struct export *x, struct buf *out)
{
	const struct sample_row *row = x->row;

	buf_z(out, "{\"id\":");
	json_quote(out, row->key);
	json_pair(out, "dataset", str_z(x->snap->dataset));
	json_pair(out, "path", row->path);
	json_pair(out, row->text_kind == TEXT_STATEMENT ? "statement" : "question", row->text);
	json_pair(out, "category", str_z(category_word((enum category)x->category[x->ord])));
	json_labels(x, out);
	json_facets(x, out);
	buf_z(out, ",\"answers\":[");
	for (int i = 0; i < x->n_runs; i++) {
		buf_z(out, i ? "," : "");
		json_answer(x, &x->runs[i], out);
	}
	buf_z(out, "]}\n");
}

/* --- csv (RFC 4180); several values of a field stand with " | " between them --- */

static void csv_next(struct buf *out, struct buf *field)
{
	buf_ch(out, ',');
	field_csv(out, buf_view(field));
	buf_clear(field);
}

static void csv_begin(const struct export *x, struct buf *out)
{
	struct buf name = BUF_INIT;

	if (x->what->columns) {
		export_columns_begin(x, false, out);
		return;
	}
	buf_z(out, "id,path,text,category");
	for (uint32_t l = 0; l < x->snap->n_layers; l++) {
		buf_printf(&name, "label %s", x->snap->layers[l].name);
		csv_next(out, &name);
	}
	for (uint32_t i = 0; i < x->snap->n_facets; i++) {
		buf_z(&name, x->snap->facets[i].name);
		csv_next(out, &name);
	}
	for (int i = 0; i < x->n_runs; i++) {
		static const char *const columns[] = {"answer", "outcome", "verdict"};

		for (int k = 0; k < 3; k++) {
			buf_printf(&name, "%s %s", x->snap->runs[x->runs[i].run].handle, columns[k]);
			csv_next(out, &name);
		}
	}
	buf_z(out, "\r\n");
	buf_release(&name);
}

static void put_truth(const struct export *x, uint32_t l, const char *sep, struct buf *out)
{
	const struct truth *t = &x->truth[l];

	if (!t->covered[x->ord])
		return;
	if (t->off[x->ord] == t->off[x->ord + 1])
		buf_z(out, "(none)");
	for (uint32_t k = t->off[x->ord]; k < t->off[x->ord + 1]; k++)
		buf_printf(out, "%s%s", k > t->off[x->ord] ? sep : "", class_name(x, t->val[k]));
}

static void put_answer(const struct export *x, const struct run *r, const char *sep, struct buf *out)
{
	size_t c;

	for (size_t k = 0; (c = answer_classes(x, r, k)) != SIZE_MAX; k++)
		buf_printf(out, "%s%s", k ? sep : "", class_name(x, c));
}

static void put_facet(const struct export *x, const struct facet *f, struct buf *out)
{
	const char *v;

	if (f->numeric && isfinite(column_f(&f->number, x->ord)))
		put_number(out, column_f(&f->number, x->ord));
	for (size_t k = 0; !f->numeric && (v = facet_value(x, f, k)); k++)
		buf_printf(out, "%s%s", k ? " | " : "", v);
}

static void csv_sample(const struct export *x, struct buf *out)
{
	struct buf field = BUF_INIT;

	if (x->what->columns) {
		export_columns_sample(x, false, out);
		return;
	}
	field_csv(out, x->row->key);
	buf_ch(out, ',');
	field_csv(out, x->row->path);
	buf_ch(out, ',');
	field_csv(out, x->row->text);
	buf_printf(out, ",%s", category_word((enum category)x->category[x->ord]));
	for (uint32_t l = 0; l < x->snap->n_layers; l++) {
		put_truth(x, l, " | ", &field);
		csv_next(out, &field);
	}
	for (uint32_t i = 0; i < x->snap->n_facets; i++) {
		put_facet(x, &x->snap->facets[i], &field);
		csv_next(out, &field);
	}
	for (int i = 0; i < x->n_runs; i++) {
		const struct run *r = &x->snap->runs[x->runs[i].run];

		put_answer(x, r, " | ", &field);
		csv_next(out, &field);
		buf_printf(out, ",%s,%s", outcome_of(x, r),
			   verdict_word((enum verdict)x->runs[i].verdict[x->ord]));
	}
	buf_z(out, "\r\n");
	buf_release(&field);
}

/* --- md: a table for people --- */

static void md_begin(const struct export *x, struct buf *out)
{
	int layer = x->what->lens.layer;

	if (x->what->columns) {
		export_columns_begin(x, true, out);
		return;
	}
	buf_z(out, "| id | text | category | ");
	buf_z(out, layer >= 0 ? "truth |" : "(no truth) |");
	for (int i = 0; i < x->n_runs; i++)
		field_md(out, str_z(x->snap->runs[x->runs[i].run].handle));
	buf_z(out, "\n|---|---|---|---|");
	for (int i = 0; i < x->n_runs; i++)
		buf_z(out, "---|");
	buf_ch(out, '\n');
}

static void md_sample(const struct export *x, struct buf *out)
{
	static const char *const signs[] = {"–", "✗", "✓"};
	struct buf cell = BUF_INIT;

	if (x->what->columns) {
		export_columns_sample(x, true, out);
		return;
	}
	buf_ch(out, '|');
	field_md(out, x->row->key);
	field_md(out, x->row->text);
	field_md(out, str_z(category_word((enum category)x->category[x->ord])));
	if (x->what->lens.layer >= 0)
		put_truth(x, (uint32_t)x->what->lens.layer, ", ", &cell);
	field_md(out, buf_view(&cell));
	for (int i = 0; i < x->n_runs; i++) {
		const struct run *r = &x->snap->runs[x->runs[i].run];

		buf_clear(&cell);
		put_answer(x, r, ", ", &cell);
		if (!cell.n)
			buf_printf(&cell, "(%s)", outcome_of(x, r));
		buf_printf(&cell, " %s", signs[x->runs[i].verdict[x->ord] % 3]);
		field_md(out, buf_view(&cell));
	}
	buf_ch(out, '\n');
	buf_release(&cell);
}

const struct export_format export_formats[] = {
    {"jsonl", "all that is known of each sample, with the answers' texts", true, false, NULL,
     jsonl_sample},
    {"csv", "a table for programs", false, true, csv_begin, csv_sample},
    {"md", "a table for people, in Markdown", false, true, md_begin, md_sample},
    {"ids", "a key a line, as 'id:<FILE' takes them", false, false, NULL, ids_sample},
    {NULL, NULL, false, false, NULL, NULL},
};

const struct export_format *export_format_find(struct str name)
{
	for (const struct export_format *f = export_formats; f->name; f++)
		if (str_eqz(name, f->name))
			return f;
	return NULL;
}
