/* Rows of figures of people and papers, behind those of the runs: marked, without doors or ranks. */
#include <math.h>
#include <string.h>

#include "core/base/map.h"
#include "core/report/report_impl.h"

#define SHORT_NAME 3 /* letters from which the beginning of a group's name will do: HAP */

struct putting {
	const struct report_ctx *ctx;
	struct table *t;
	const struct reference_columns *c;
	const struct grouping *g;
	uint32_t unplaced; /* figures of groups that are not in the table */
};

/* --- names of groups --- */

static bool same_letter(char a, char b)
{
	a = a == '_' ? ' ' : a;
	b = b == '_' ? ' ' : b;
	return a == b || ((a | 0x20) == (b | 0x20) && (a | 0x20) >= 'a' && (a | 0x20) <= 'z');
}

static bool begins(const char *name, const char *with)
{
	for (; *with; name++, with++)
		if (!*name || !same_letter(*name, *with))
			return false;
	return true;
}

/* The group of this name, else the only one that begins so; -1 none. */
static int group_of(const struct grouping *g, const char *name)
{
	size_t n = strlen(name);
	int found = -1;

	for (uint32_t k = 0; k < g->n; k++)
		if (strlen(g->name[k]) == n && begins(g->name[k], name))
			return (int)k;
	for (uint32_t k = 0; k < g->n && n >= SHORT_NAME; k++)
		if (begins(g->name[k], name)) {
			if (found >= 0)
				return -1;
			found = (int)k;
		}
	return found;
}

/* --- rows --- */

/* From `first` on all rows are of the same name. */
static size_t row_of(const struct putting *p, size_t first, const struct reference *r, const char *layer,
		     const char *group)
{
	struct table *t = p->t;
	size_t row = first;

	for (; row < table_rows(t); row++)
		if (strcmp(table_look(t, row, p->c->layer)->text, layer) == 0 &&
		    strcmp(table_look(t, row, p->c->group)->text, group) == 0)
			return row;
	row = table_row(t);
	table_text(t, p->c->run, r->name);
	table_text(t, p->c->source, r->source);
	table_text(t, p->c->layer, layer);
	table_text(t, p->c->group, group);
	if (p->c->outer >= 0)
		table_text(t, (size_t)p->c->outer, "all");
	for (size_t c = 0; c < t->columns.n; c++)
		table_at(t, row, c)->reference = c == p->c->run || t->columns.v[c].kind != TABLE_TEXT;
	return row;
}

enum place { UNDER_LENS, UNDER_ORIGINAL, UNDER_BOTH, NO_PLACE };

/* Of which layer's rows the figure is one. */
static enum place place_of(const struct putting *p, const struct reference *r)
{
	const char *at = strchr(r->metric, '@');

	if (!at || strcmp(at + 1, report_layer_name(p->ctx, p->ctx->lens->layer)) == 0)
		return UNDER_LENS;
	if (p->c->layers && strcmp(at + 1, report_layer_name(p->ctx, p->ctx->lens->original)) == 0)
		return UNDER_ORIGINAL;
	return p->c->layers && strcmp(at + 1, "both") == 0 ? UNDER_BOTH : NO_PLACE;
}

static void put_layer(const struct putting *p, enum place place, struct buf *out)
{
	if (place != UNDER_LENS)
		buf_z(out, report_layer_name(p->ctx, p->ctx->lens->original));
	if (place == UNDER_BOTH)
		buf_ch(out, '+');
	if (place != UNDER_ORIGINAL)
		buf_z(out, report_layer_name(p->ctx, p->ctx->lens->layer));
}

static int column_of(const struct putting *p, const struct reference *r)
{
	bool accuracy = strncmp(r->metric, "accuracy", 8) == 0 && (!r->metric[8] || r->metric[8] == '@');
	int column = accuracy ? (int)p->c->accuracy : table_find(p->t, str_z(r->metric));

	return column >= 0 && p->t->columns.v[column].kind == TABLE_TEXT ? -1 : column;
}

static void put_figure(struct putting *p, size_t first, const struct reference *r, enum place place)
{
	int column = column_of(p, r);
	bool all = strcmp(r->group, "all") == 0;
	int group = all ? -1 : group_of(p->g, r->group);
	struct buf layer = BUF_INIT;
	size_t row;

	if (place == NO_PLACE || column < 0 || (!all && group < 0)) {
		p->unplaced++;
		return;
	}
	put_layer(p, place, &layer);
	row = row_of(p, first, r, buf_cstr(&layer), all ? "all" : p->g->name[group]);
	table_at(p->t, row, (size_t)column)->number = r->value;
	buf_release(&layer);
}

/* The figures [from, to) are of one name: layers in the order of the runs' rows. */
static void put_name(struct putting *p, uint32_t from, uint32_t to)
{
	const struct reference *r = p->ctx->snap->references;
	static const enum place order[] = {UNDER_LENS, UNDER_ORIGINAL, UNDER_BOTH, NO_PLACE};
	size_t first = table_rows(p->t);

	for (size_t k = 0; k < sizeof order / sizeof *order; k++)
		for (uint32_t i = from; i < to; i++)
			if (place_of(p, &r[i]) == order[k])
				put_figure(p, first, &r[i], order[k]);
}

static void note_sources(const struct putting *p)
{
	const struct snapshot *snap = p->ctx->snap;

	for (uint32_t k = 0; k < snap->n_references; k++)
		if (!k || strcmp(snap->references[k].source, snap->references[k - 1].source) != 0)
			table_note(p->t, "reference: figures of %s, not counted here: no filter, no lens, no "
					 "rank applies to them", snap->references[k].source);
	if (p->unplaced)
		table_note(p->t, "%u reference figures are of groups, layers or measures that are not in this table",
			   p->unplaced);
}

void report_put_references(const struct report_ctx *ctx, struct table *t,
			   const struct reference_columns *columns, const struct grouping *g)
{
	struct putting p = {.ctx = ctx, .t = t, .c = columns, .g = g};
	const struct reference *r = ctx->snap->references;
	uint32_t from = 0;

	for (uint32_t k = 1; k <= ctx->snap->n_references; k++)
		if (k == ctx->snap->n_references || strcmp(r[k].name, r[from].name) != 0) {
			put_name(&p, from, k);
			from = k;
		}
	if (ctx->snap->n_references)
		note_sources(&p);
}
