#include "tui/view/facets.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/term/text.h"
#include "tui/view/sign.h"

/* --- counting --- */

static void add(struct facets *f, struct facet_line line)
{
	vec_push(&f->lines, line);
	if (!line.head && line.count > f->most)
		f->most = line.count;
}

static void add_head(struct facets *f, enum facet_kind kind, int facet)
{
	add(f, (struct facet_line){.kind = kind, .head = true, .facet = facet});
}

static void gather_categories(const struct scene *s, struct facets *f)
{
	uint32_t count[N_CATEGORIES], sum = 0;

	if (!s->category)
		return;
	eval_category_counts(s->category, s->snap->n, count);
	for (int c = 0; c < N_CATEGORIES; c++)
		sum += count[c];
	if (!sum)
		return;
	add_head(f, FACET_CATEGORY, -1);
	for (int c = 0; c < N_CATEGORIES; c++)
		add(f, (struct facet_line){FACET_CATEGORY, false, -1, (uint32_t)c, count[c]});
}

static void gather_answers(const struct scene *s, struct facets *f)
{
	static const enum verdict order[] = {VERDICT_RIGHT, VERDICT_WRONG, VERDICT_UNCOUNTED};
	uint32_t verdicts[3] = {0}, outcomes[N_OUTCOMES] = {0};

	if (s->a < 0 || !s->verdict || !s->verdict[s->a])
		return;
	for (uint32_t i = 0; i < s->snap->n; i++) {
		uint64_t o = column_u(&s->snap->runs[s->a].outcome, i);

		verdicts[s->verdict[s->a][i]]++;
		outcomes[o < N_OUTCOMES ? o : OUTCOME_MISSING]++;
	}
	add_head(f, FACET_VERDICT, -1);
	for (int k = 0; k < 3; k++)
		add(f, (struct facet_line){FACET_VERDICT, false, -1, order[k], verdicts[order[k]]});
	add_head(f, FACET_OUTCOME, -1);
	for (uint32_t o = 0; o < N_OUTCOMES; o++) {
		/* what is missing comes last */
		uint32_t at = (o + 1) % N_OUTCOMES;

		if (outcomes[at])
			add(f, (struct facet_line){FACET_OUTCOME, false, -1, at, outcomes[at]});
	}
}

static int by_count(const void *a, const void *b)
{
	const struct facet_line *x = a, *y = b;

	return x->count != y->count ? (x->count < y->count ? 1 : -1) : x->value < y->value ? -1 : 1;
}

static void count_values(const struct snapshot *snap, const struct facet *f, uint32_t *count,
			 uint32_t *without)
{
	for (uint32_t i = 0; i < snap->n; i++) {
		size_t from, n = f->multi ? csr_row(&f->sets, i, &from) : 1;
		bool any = false;

		for (size_t k = 0; k < n; k++) {
			uint64_t v = f->multi ? column_u(&f->sets.val, from + k) : column_u(&f->value, i);

			if (v < f->n_values) {
				count[v]++;
				any = true;
			}
		}
		*without += !any;
	}
}

/* Values that no sample has are left out: trees bring many of them. */
static void gather_values(const struct scene *s, int facet, struct facets *f)
{
	const struct facet *fc = &s->snap->facets[facet];
	uint32_t *count = xcalloc((size_t)fc->n_values + 1, sizeof *count), without = 0;
	size_t from;

	count_values(s->snap, fc, count, &without);
	add_head(f, FACET_VALUES, facet);
	from = f->lines.n;
	for (uint32_t v = 0; v < fc->n_values; v++)
		if (count[v])
			add(f, (struct facet_line){FACET_VALUES, false, facet, v, count[v]});
	if (f->lines.n > from)
		qsort(f->lines.v + from, f->lines.n - from, sizeof *f->lines.v, by_count);
	if (without)
		add(f, (struct facet_line){FACET_VALUES, false, facet, FACET_NO_VALUE, without});
	free(count);
}

static int bin_of(const struct facet_range *r, double v)
{
	int b = r->hi > r->lo ? (int)((v - r->lo) / (r->hi - r->lo) * FACET_BINS) : 0;

	return b < 0 ? 0 : b >= FACET_BINS ? FACET_BINS - 1 : b;
}

static void gather_numbers(const struct scene *s, int facet, struct facets *f)
{
	const struct column *c = &s->snap->facets[facet].number;
	struct facet_range *r = &f->ranges.v[facet];

	r->lo = INFINITY;
	r->hi = -INFINITY;
	for (uint32_t i = 0; i < s->snap->n; i++) {
		double v = column_f(c, i);

		if (!isfinite(v))
			continue;
		r->n++;
		r->lo = v < r->lo ? v : r->lo;
		r->hi = v > r->hi ? v : r->hi;
	}
	for (uint32_t i = 0; i < s->snap->n; i++)
		if (isfinite(column_f(c, i)))
			r->bin[bin_of(r, column_f(c, i))]++;
	add_head(f, FACET_NUMBERS, facet);
	if (r->n)
		vec_push(&f->lines, ((struct facet_line){FACET_NUMBERS, false, facet, 0, r->n}));
}

void facets_gather(const struct scene *s, struct facets *out)
{
	vec_clear(&out->lines);
	vec_clear(&out->ranges);
	out->most = 0;
	for (uint32_t i = 0; i < s->snap->n_facets; i++)
		vec_push(&out->ranges, (struct facet_range){0});
	gather_categories(s, out);
	gather_answers(s, out);
	for (int i = 0; i < (int)s->snap->n_facets; i++)
		if (s->snap->facets[i].numeric)
			gather_numbers(s, i, out);
		else
			gather_values(s, i, out);
}

void facets_release(struct facets *f)
{
	vec_release(&f->lines);
	vec_release(&f->ranges);
}

/* --- asking --- */

static bool has_value(const struct facet *f, uint32_t value, uint32_t ord)
{
	size_t from, n = f->multi ? csr_row(&f->sets, ord, &from) : 1;
	bool any = false;

	for (size_t k = 0; k < n; k++) {
		uint64_t v = f->multi ? column_u(&f->sets.val, from + k) : column_u(&f->value, ord);

		if (v == value)
			return true;
		any |= v < f->n_values;
	}
	return value == FACET_NO_VALUE && !any;
}

bool facets_has(const struct scene *s, const struct facet_line *line, uint32_t ord)
{
	uint64_t outcome;

	if (line->head)
		return false;
	switch (line->kind) {
	case FACET_CATEGORY:
		return s->category && s->category[ord] == line->value;
	case FACET_VERDICT:
		return s->a >= 0 && scene_verdict(s, s->a, ord) == (enum verdict)line->value;
	case FACET_OUTCOME:
		if (s->a < 0)
			return false;
		outcome = column_u(&s->snap->runs[s->a].outcome, ord);
		return (outcome < N_OUTCOMES ? outcome : OUTCOME_MISSING) == line->value;
	case FACET_VALUES:
		return has_value(&s->snap->facets[line->facet], line->value, ord);
	case FACET_NUMBERS:
		return !isnan(column_f(&s->snap->facets[line->facet].number, ord));
	}
	return false;
}

static const char *head_text(const struct scene *s, const struct facet_line *line)
{
	switch (line->kind) {
	case FACET_CATEGORY:
		return "category";
	case FACET_VERDICT:
		return "verdict of a";
	case FACET_OUTCOME:
		return "outcome of a";
	default:
		return s->snap->facets[line->facet].name;
	}
}

static const char *value_text(const struct scene *s, const struct facet_line *line)
{
	switch (line->kind) {
	case FACET_CATEGORY:
		return category_sign((enum category)line->value);
	case FACET_VERDICT:
		return verdict_word((enum verdict)line->value);
	case FACET_OUTCOME:
		return outcome_word((enum outcome)line->value);
	default:
		return line->value == FACET_NO_VALUE ? "(none)"
						     : s->snap->facets[line->facet].values[line->value];
	}
}

void facets_name(const struct scene *s, const struct facet_line *line, struct buf *out)
{
	buf_z(out, head_text(s, line));
	if (!line->head && line->kind != FACET_NUMBERS)
		buf_printf(out, " %s", value_text(s, line));
}

uint32_t facets_stop(const struct facets *f, uint32_t at, bool forward)
{
	uint32_t n = (uint32_t)f->lines.n;

	for (uint32_t i = at; i < n; i = forward ? i + 1 : i - 1) /* below 0 is beyond n */
		if (!f->lines.v[i].head)
			return i;
	for (uint32_t i = at; i < n; i = forward ? i - 1 : i + 1)
		if (!f->lines.v[i].head)
			return i;
	return at;
}

/* --- drawing --- */

struct brush {
	const struct facets *f;
	const struct scene *s;
	struct cells *grid;
	struct rect at;
	bool cursor;
};

static enum style tone(const struct brush *b, enum style style)
{
	if (!b->cursor)
		return style;
	return style == STYLE_DIM || style == STYLE_BAR ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

static void put(const struct brush *b, int x, int w, enum style style, const char *text)
{
	struct buf cut = BUF_INIT;

	if (w > 0)
		text_cut(str_z(text), w, CUT_END, &cut);
	if (cut.n)
		cells_put(b->grid, b->at.y, b->at.x + x, w, tone(b, style), buf_view(&cut));
	buf_release(&cut);
}

static void number_text(double v, char *out, size_t size)
{
	char n[28];

	if (v >= 0 && v < 1e9 && v == floor(v))
		snprintf(out, size, "%s", count_text((uint64_t)v, n));
	else
		snprintf(out, size, fabs(v) < 1e5 && fabs(v) >= 1e-3 ? "%.4g" : "%.3g", v);
}

/* Least value, eight bars, largest value. */
static void draw_numbers(const struct brush *b, const struct facet_line *line)
{
	const struct facet_range *r = &b->f->ranges.v[line->facet];
	char lo[24], hi[24];
	uint32_t most = 1;
	struct buf bars = BUF_INIT;
	int x = 2;

	for (int k = 0; k < FACET_BINS; k++)
		most = r->bin[k] > most ? r->bin[k] : most;
	for (int k = 0; k < FACET_BINS; k++)
		column_bar_text((double)r->bin[k] / most, &bars);
	number_text(r->lo, lo, sizeof lo);
	number_text(r->hi, hi, sizeof hi);
	put(b, x, b->at.w - x, STYLE_NORMAL, lo);
	x += text_width(str_z(lo)) + 1;
	put(b, x, b->at.w - x, STYLE_BAR, buf_cstr(&bars));
	x += FACET_BINS + 1;
	put(b, x, b->at.w - x, STYLE_NORMAL, hi);
	buf_release(&bars);
}

/* Name, count, bar: the counts end in one column, the bars begin in one. */
static void draw_value(const struct brush *b, const struct facet_line *line)
{
	char n[28];
	int bar_w = b->at.w >= 30 ? 8 : 5, count_w = text_width(str_z(count_text(b->f->most, n)));
	int bar = b->at.w - bar_w - 1, count = bar - 1 - count_w, w;
	bool here = facets_has(b->s, line, b->s->current);
	struct buf text = BUF_INIT;

	count_text(line->count, n);
	w = text_width(str_z(n));
	put(b, 2, count - 3, here ? STYLE_BOLD : STYLE_NORMAL, value_text(b->s, line));
	put(b, count + (w < count_w ? count_w - w : 0), w, line->count ? STYLE_NORMAL : STYLE_DIM, n);
	bar_text(b->f->most ? (double)line->count / b->f->most : 0, bar_w, &text);
	if (text.n)
		put(b, bar, bar_w, STYLE_BAR, buf_cstr(&text));
	buf_release(&text);
}

void facets_draw(const struct facets *f, const struct scene *s, const struct list *list,
		 bool focused, struct cells *grid, struct rect area)
{
	for (int i = 0; i < area.h && list->top + (uint32_t)i < f->lines.n; i++) {
		uint32_t at = list->top + (uint32_t)i;
		const struct facet_line *line = &f->lines.v[at];
		struct brush b = {f, s, grid, {area.y + i, area.x, 1, area.w},
				  focused && at == list->cursor};

		if (b.cursor) {
			cells_fill(grid, b.at, STYLE_CURSOR);
			put(&b, 0, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
		}
		if (line->head)
			put(&b, 1, area.w - 1, STYLE_DIM, head_text(s, line));
		else if (line->kind == FACET_NUMBERS)
			draw_numbers(&b, line);
		else
			draw_value(&b, line);
	}
}
