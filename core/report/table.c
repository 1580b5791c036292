#include "core/report/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void table_init(struct table *t, const char *title)
{
	*t = (struct table){.arena = ARENA_INIT};
	t->title = arena_strdup(&t->arena, title);
}

void table_release(struct table *t)
{
	vec_release(&t->columns);
	vec_release(&t->cells);
	vec_release(&t->warnings);
	vec_release(&t->notes);
	arena_release(&t->arena);
	*t = (struct table){.arena = ARENA_INIT};
}

size_t table_rows(const struct table *t)
{
	return t->columns.n ? t->cells.n / t->columns.n : 0;
}

size_t table_column(struct table *t, const char *name, const char *title, enum table_kind kind,
		    enum column_best best, const char *help)
{
	struct table_column c = {arena_strdup(&t->arena, name), arena_strdup(&t->arena, title), kind,
				 best, arena_strdup(&t->arena, help), false};

	vec_push(&t->columns, c);
	return t->columns.n - 1;
}

size_t table_detail(struct table *t, size_t column)
{
	t->columns.v[column].detail = true;
	return column;
}

int table_find(const struct table *t, struct str name)
{
	for (size_t c = 0; c < t->columns.n; c++)
		if (str_eqz(name, t->columns.v[c].name))
			return (int)c;
	return -1;
}

void table_expect(struct table *t, size_t rows)
{
	vec_reserve(&t->cells, rows * t->columns.n);
}

size_t table_row(struct table *t)
{
	vec_reserve(&t->cells, t->columns.n);
	for (size_t c = 0; c < t->columns.n; c++)
		vec_push(&t->cells, ((struct table_cell){.number = NAN}));
	return table_rows(t) - 1;
}

struct table_cell *table_at(struct table *t, size_t row, size_t column)
{
	return &t->cells.v[row * t->columns.n + column];
}

const struct table_cell *table_look(const struct table *t, size_t row, size_t column)
{
	return &t->cells.v[row * t->columns.n + column];
}

static struct table_cell *last(struct table *t, size_t column)
{
	return table_at(t, table_rows(t) - 1, column);
}

void table_text(struct table *t, size_t column, const char *text)
{
	last(t, column)->text = arena_strdup(&t->arena, text);
}

void table_number(struct table *t, size_t column, double number)
{
	last(t, column)->number = number;
}

void table_door(struct table *t, size_t column, const char *condition)
{
	last(t, column)->door = arena_strdup(&t->arena, condition);
}

static const struct table_share *copy_share(struct arena *arena, const struct table_share *share)
{
	struct table_share *out = arena_zalloc(arena, 1, sizeof *out);

	*out = *share;
	out->part_door = arena_strdup(arena, share->part_door);
	out->whole_door = arena_strdup(arena, share->whole_door);
	out->rest_door = arena_strdup(arena, share->rest_door);
	out->formula = share->formula ? arena_strdup(arena, share->formula) : NULL;
	out->why = share->why ? arena_strdup(arena, share->why) : NULL;
	return out;
}

void table_share(struct table *t, const size_t *columns, size_t n, const struct table_share *share)
{
	const struct table_share *own = copy_share(&t->arena, share);

	for (size_t k = 0; k < n; k++)
		last(t, columns[k])->share = own;
}

static const struct table_part *copy_parts(struct arena *arena, const struct table_part *parts, size_t n)
{
	struct table_part *out = arena_zalloc(arena, n + 1, sizeof *out);

	for (size_t k = 0; k < n; k++)
		out[k] = (struct table_part){arena_strdup(arena, parts[k].label), parts[k].n,
					     arena_strdup(arena, parts[k].door)};
	return out;
}

void table_parts(struct table *t, const size_t *columns, size_t n, const struct table_part *parts,
		 size_t n_parts)
{
	const struct table_part *own = copy_parts(&t->arena, parts, n_parts);

	for (size_t k = 0; k < n; k++) {
		last(t, columns[k])->parts = own;
		last(t, columns[k])->n_parts = n_parts;
	}
}

void table_why(struct table *t, size_t column, const char *why)
{
	last(t, column)->why = arena_strdup(&t->arena, why);
}

void table_same(struct table *t, size_t from, size_t to)
{
	const struct table_cell *a = last(t, from);
	struct table_cell *b = last(t, to);

	b->door = a->door;
	b->share = a->share;
	b->parts = a->parts;
	b->n_parts = a->n_parts;
	b->why = a->why;
}

void table_give_up(struct table *t)
{
	for (size_t i = 0; i < t->cells.n; i++)
		t->cells.v[i].later = false;
}

__attribute__((format(printf, 2, 0)))
static const char *sentence(struct table *t, const char *fmt, va_list ap)
{
	char text[1024];

	vsnprintf(text, sizeof text, fmt, ap);
	return arena_strdup(&t->arena, text);
}

void table_note(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vec_push(&t->notes, sentence(t, fmt, ap));
	va_end(ap);
}

void table_warn(struct table *t, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vec_push(&t->warnings, sentence(t, fmt, ap));
	va_end(ap);
}

/* --- pivoting --- */

struct pivot {
	const struct table *in;
	struct table *out;
	VEC(size_t) keys;        /* text columns of in that tell rows apart */
	VEC(const char *) groups;
	VEC(size_t) rows;        /* of in: the first of each row of out */
	size_t n_fixed;          /* columns of out before the groups */
};

static const char *text_at(const struct table *t, size_t row, size_t column)
{
	const char *text = table_look(t, row, column)->text;

	return text ? text : "";
}

static bool same_keys(const struct pivot *p, size_t a, size_t b)
{
	for (size_t k = 0; k < p->keys.n; k++)
		if (strcmp(text_at(p->in, a, p->keys.v[k]), text_at(p->in, b, p->keys.v[k])) != 0)
			return false;
	return true;
}

static size_t place_of_group(struct pivot *p, const char *group)
{
	for (size_t g = 0; g < p->groups.n; g++)
		if (strcmp(p->groups.v[g], group) == 0)
			return g;
	vec_push(&p->groups, group);
	return p->groups.n - 1;
}

static size_t place_of_row(struct pivot *p, size_t row)
{
	for (size_t r = p->rows.n; r-- > 0;)
		if (same_keys(p, p->rows.v[r], row))
			return r;
	vec_push(&p->rows, row);
	return p->rows.n - 1;
}

static void survey(struct pivot *p)
{
	const struct table *in = p->in;

	for (size_t c = 0; c < in->columns.n; c++)
		if (in->columns.v[c].kind == TABLE_TEXT && c != in->pivot_group)
			vec_push(&p->keys, c);
	for (size_t r = 0; r < table_rows(in); r++) {
		place_of_group(p, text_at(in, r, in->pivot_group));
		place_of_row(p, r);
	}
}

static void copy_columns(struct pivot *p)
{
	const struct table *in = p->in;

	for (size_t c = 0; c < in->columns.n; c++) {
		const struct table_column *k = &in->columns.v[c];
		size_t to;

		if (c == in->pivot_group || c == in->pivot_value)
			continue;
		to = table_column(p->out, k->name, k->title, k->kind, k->best, k->help);
		p->out->columns.v[to].detail = k->detail;
	}
	p->n_fixed = p->out->columns.n;
	for (size_t g = 0; g < p->groups.n; g++) {
		const struct table_column *v = &in->columns.v[in->pivot_value];
		bool other = strcmp(v->name, "accuracy") != 0 && strcmp(p->groups.v[g], "all") == 0;
		const char *title = other ? v->title : p->groups.v[g]; /* groups of what? */

		table_column(p->out, p->groups.v[g], title, v->kind, v->best, v->help);
	}
}

static void copy_cell(struct table *out, size_t row, size_t column, const struct table_cell *from)
{
	struct table_cell *to = table_at(out, row, column);

	*to = *from;
	to->text = from->text ? arena_strdup(&out->arena, from->text) : NULL;
	to->door = from->door ? arena_strdup(&out->arena, from->door) : NULL;
	to->share = from->share ? copy_share(&out->arena, from->share) : NULL;
	to->parts = from->parts ? copy_parts(&out->arena, from->parts, from->n_parts) : NULL;
	to->why = from->why ? arena_strdup(&out->arena, from->why) : NULL;
}

static void copy_rows(struct pivot *p)
{
	const struct table *in = p->in;

	for (size_t r = 0; r < p->rows.n; r++) {
		size_t to = 0;

		table_row(p->out);
		for (size_t c = 0; c < in->columns.n; c++)
			if (c != in->pivot_group && c != in->pivot_value)
				copy_cell(p->out, r, to++, table_look(in, p->rows.v[r], c));
	}
	for (size_t r = 0; r < table_rows(in); r++)
		copy_cell(p->out, place_of_row(p, r),
			  p->n_fixed + place_of_group(p, text_at(in, r, in->pivot_group)),
			  table_look(in, r, in->pivot_value));
}

void table_pivot(const struct table *t, struct table *out)
{
	struct pivot p = {.in = t, .out = out};

	table_init(out, t->title);
	out->pivot_name = arena_strdup(&out->arena, t->columns.v[t->pivot_value].name);
	out->pivot_title = arena_strdup(&out->arena, t->columns.v[t->pivot_value].title);
	survey(&p);
	copy_columns(&p);
	copy_rows(&p);
	for (size_t i = 0; i < t->warnings.n; i++)
		table_warn(out, "%s", t->warnings.v[i]);
	for (size_t i = 0; i < t->notes.n; i++)
		table_note(out, "%s", t->notes.v[i]);
	vec_release(&p.keys);
	vec_release(&p.groups);
	vec_release(&p.rows);
}
