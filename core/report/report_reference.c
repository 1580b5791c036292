/* Rows of figures of people and papers, behind those of the runs: marked, without doors or ranks. */
#include <math.h>
#include <string.h>

#include "core/base/map.h"
#include "core/report/report_impl.h"

#define SHORT_NAME 3 /* letters from which the beginning of a group's name will do: HAP */

struct putting {
	const struct report_ctx *ctx;
	struct table *t;
	int run, name, group, layer, accuracy, source; /* columns; -1: the table has none */
	struct intern groups;
	VEC(const char *) layers; /* of the table, in its order; borrowed */
	size_t runs;              /* rows before the first one of these */
	uint32_t unplaced;        /* figures for which there is no place */
};

void report_reference_column(const struct report_ctx *ctx, struct table *t)
{
	if (ctx->snap->n_references)
		table_detail(t, table_column(t, "reference", "reference", TABLE_TEXT, BEST_NONE,
					     "the file of a row that is no run; else empty"));
}

/* --- what the table has --- */

static const char *text_at(const struct table *t, size_t row, int column)
{
	const char *text = column >= 0 ? table_look(t, row, (size_t)column)->text : NULL;

	return text ? text : "";
}

static void know_layer(struct putting *p, const char *layer)
{
	for (size_t k = 0; k < p->layers.n; k++)
		if (strcmp(p->layers.v[k], layer) == 0)
			return;
	vec_push(&p->layers, layer);
}

static void look_at(struct putting *p)
{
	const struct table *t = p->t;

	p->run = table_find(t, STR("run"));
	p->name = table_find(t, STR("name"));
	p->group = table_find(t, STR("group"));
	p->layer = table_find(t, STR("layer"));
	p->accuracy = table_find(t, STR("accuracy"));
	p->source = table_find(t, STR("reference"));
	p->runs = table_rows(t);
	know_layer(p, report_layer_name(p->ctx, p->ctx->lens->layer));
	for (size_t r = 0; r < p->runs; r++) {
		intern_add(&p->groups, str_z(text_at(t, r, p->group)));
		if (p->layer >= 0)
			know_layer(p, text_at(t, r, p->layer));
	}
}

/* --- names of groups --- */

static char letter(char c)
{
	return c == '_' || c == ' ' ? '-' : c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool begins(struct str name, struct str with)
{
	for (size_t i = 0; i < with.n; i++)
		if (i >= name.n || letter(name.p[i]) != letter(with.p[i]))
			return false;
	return true;
}

/* The table's name of the group: the same, else the only one that begins so; NULL: none. */
static const char *group_of(const struct putting *p, struct str name)
{
	const char *found = NULL;

	for (uint32_t k = 0; k < p->groups.keys.n; k++)
		if (p->groups.keys.v[k].n == name.n && begins(p->groups.keys.v[k], name))
			return p->groups.keys.v[k].p;
	for (uint32_t k = 0; k < p->groups.keys.n && name.n >= SHORT_NAME; k++)
		if (begins(p->groups.keys.v[k], name)) {
			if (found)
				return NULL;
			found = p->groups.keys.v[k].p;
		}
	return found;
}

/* --- rows --- */

static void set_text(struct putting *p, int column, const char *text)
{
	if (column >= 0)
		table_text(p->t, (size_t)column, text);
}

/* From `first` on all rows are of the same name. */
static size_t row_of(struct putting *p, size_t first, const struct reference *r, const char *layer,
		     const char *group)
{
	struct table *t = p->t;
	size_t row = first;

	for (; row < table_rows(t); row++)
		if (strcmp(text_at(t, row, p->layer), layer) == 0 && strcmp(text_at(t, row, p->group), group) == 0)
			return row;
	row = table_row(t);
	set_text(p, p->run, r->name);
	set_text(p, p->name, r->name);
	set_text(p, p->source, r->source);
	set_text(p, p->layer, layer);
	set_text(p, p->group, group);
	for (size_t c = 0; c < t->columns.n; c++)
		table_at(t, row, c)->reference = (int)c == p->run || (int)c == p->name ||
						 t->columns.v[c].kind != TABLE_TEXT;
	return row;
}

/* Of which of the table's layers the figure is; -1: none. "both" is "original+LAYER". */
static int layer_of(const struct putting *p, const struct reference *r)
{
	const char *at = strchr(r->metric, '@');
	struct buf both = BUF_INIT;
	int found = -1;

	if (!at)
		return 0;
	buf_printf(&both, "%s+%s", report_layer_name(p->ctx, p->ctx->lens->original),
		   report_layer_name(p->ctx, p->ctx->lens->layer));
	for (size_t k = 0; k < p->layers.n && found < 0; k++)
		if (strcmp(p->layers.v[k], strcmp(at + 1, "both") == 0 ? buf_cstr(&both) : at + 1) == 0)
			found = (int)k;
	buf_release(&both);
	return found;
}

static int column_of(const struct putting *p, const struct reference *r)
{
	bool accuracy = strncmp(r->metric, "accuracy", 8) == 0 && (!r->metric[8] || r->metric[8] == '@');
	int column = accuracy ? p->accuracy : table_find(p->t, str_z(r->metric));

	return column >= 0 && p->t->columns.v[column].kind == TABLE_TEXT ? -1 : column;
}

static void put_figure(struct putting *p, size_t first, const struct reference *r, int layer)
{
	int column = column_of(p, r);
	const char *group = strcmp(r->group, "all") == 0 ? "all" : group_of(p, str_z(r->group));
	size_t row;

	if (layer < 0 || column < 0 || !group) {
		p->unplaced++;
		return;
	}
	row = row_of(p, first, r, p->layer >= 0 ? p->layers.v[layer] : "", group);
	table_at(p->t, row, (size_t)column)->number = r->value;
}

/* The figures [from, to) are of one name: layers in the order of the runs' rows. */
static void put_name(struct putting *p, uint32_t from, uint32_t to)
{
	const struct reference *r = p->ctx->snap->references;
	size_t first = table_rows(p->t);

	for (int layer = 0; layer <= (int)p->layers.n; layer++)
		for (uint32_t i = from; i < to; i++) {
			int of = layer_of(p, &r[i]);

			if (of == layer || (of < 0 && layer == (int)p->layers.n))
				put_figure(p, first, &r[i], of);
		}
}

static void note_sources(const struct putting *p)
{
	const struct snapshot *snap = p->ctx->snap;

	for (uint32_t k = 0; k < snap->n_references && table_rows(p->t) > p->runs; k++)
		if (!k || strcmp(snap->references[k].source, snap->references[k - 1].source) != 0)
			table_note(p->t, "reference: figures of %s, not counted here: no filter, no lens, no "
					 "rank applies to them", snap->references[k].source);
	if (p->unplaced)
		table_note(p->t, "reference figures of groups, layers or measures that are not in this table: %u",
			   p->unplaced);
}

void report_put_references(const struct report_ctx *ctx, struct table *t)
{
	struct putting p = {.ctx = ctx, .t = t, .groups = INTERN_INIT};
	const struct reference *r = ctx->snap->references;
	uint32_t from = 0;

	if (!ctx->snap->n_references)
		return;
	look_at(&p);
	for (uint32_t k = 1; k <= ctx->snap->n_references; k++)
		if (k == ctx->snap->n_references || strcmp(r[k].name, r[from].name) != 0) {
			put_name(&p, from, k);
			from = k;
		}
	note_sources(&p);
	intern_release(&p.groups);
	vec_release(&p.layers);
}
