/* Names of rows and columns, and the filters that numbers of the matrix open. */
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "core/filter/filter.h"
#include "tui/view/matrix_impl.h"

static int by_name(const void *a, const void *b)
{
	const struct class_info *p = *(const struct class_info *const *)a;
	const struct class_info *q = *(const struct class_info *const *)b;
	int order = strcmp(p->name, q->name);

	return order ? order : (p > q) - (p < q);
}

/* A name alone where it is one class's; else with the index or wnid, which then is the value. */
static void name_class(struct matrix_names *out, uint32_t k, const struct class_info *c, bool twin)
{
	struct buf value = BUF_INIT;

	out->name[k] = arena_str(&out->arena, str_z(c->name)).p;
	if (!twin) {
		filter_put_value(&value, str_z(c->name));
	} else if (c->index >= 0) {
		out->name[k] = arena_printf(&out->arena, "%s #%lld", c->name, (long long)c->index);
		buf_printf(&value, "#%lld", (long long)c->index);
	} else {
		out->name[k] = arena_printf(&out->arena, "%s %s", c->name, c->wnid);
		filter_put_value(&value, str_z(c->wnid[0] ? c->wnid : c->name));
	}
	out->value[k] = arena_str(&out->arena, buf_view(&value)).p;
	buf_release(&value);
}

/* It stands for all below it, too. */
static void name_group(struct matrix_names *out, uint32_t k)
{
	out->name[k] = arena_printf(&out->arena, "%s/*", out->name[k]);
	out->value[k] = arena_printf(&out->arena, "%s/*", out->value[k]);
}

void matrix_names_make(const struct snapshot *snap, const uint8_t *folded, struct matrix_names *out)
{
	uint32_t n = snap->n_classes;
	const struct class_info **c = xcalloc((size_t)n + 1, sizeof *c);

	*out = (struct matrix_names){.arena = ARENA_INIT, .n = n};
	out->name = arena_zalloc(&out->arena, (size_t)n + 1, sizeof *out->name);
	out->value = arena_zalloc(&out->arena, (size_t)n + 1, sizeof *out->value);
	for (uint32_t k = 0; k < n; k++)
		c[k] = &snap->classes[k];
	if (n)
		qsort(c, n, sizeof *c, by_name);
	for (uint32_t k = 0; k < n; k++) {
		bool twin = (k > 0 && strcmp(c[k - 1]->name, c[k]->name) == 0) ||
			    (k + 1 < n && strcmp(c[k + 1]->name, c[k]->name) == 0);

		name_class(out, (uint32_t)(c[k] - snap->classes), c[k], twin);
	}
	for (uint32_t k = 0; k < n && folded; k++)
		if (folded[k])
			name_group(out, k);
	free(c);
}

void matrix_names_release(struct matrix_names *names)
{
	arena_release(&names->arena);
	*names = (struct matrix_names){.arena = ARENA_INIT};
}

static const char *margin_name(uint32_t id)
{
	return id == MATRIX_OTHER ? "(other)" : "all";
}

const char *matrix_row_name(const struct matrix_names *n, uint32_t row)
{
	if (row >= MATRIX_OTHER)
		return margin_name(row);
	return row < n->n ? n->name[row] : CONFUSION_NONE_WORD;
}

const char *matrix_column_name(const struct matrix_names *n, uint32_t column)
{
	if (column >= MATRIX_OTHER)
		return margin_name(column);
	return column < n->n ? n->name[column]
			     : confusion_extra_word((enum confusion_extra)(column - n->n));
}

/* --- filters --- */

static void put_word(struct buf *out, const char *word, const char *handle)
{
	buf_z(out, word);
	filter_put_who(out, handle);
}

static const char *value_of(const struct matrix_names *n, bool column, uint32_t id)
{
	if (id < n->n)
		return n->value[id];
	return column ? matrix_column_name(n, id) : CONFUSION_NONE_WORD;
}

/* "row@RUN -row@RUN:…": in some row, and in none of those shown. */
static void put_others(const struct matrix_names *n, bool column, const uint32_t *shown,
		       uint32_t n_shown, const char *handle, struct buf *out)
{
	const char *word = column ? "column" : "row";

	put_word(out, word, handle);
	for (uint32_t k = 0; k < n_shown; k++) {
		if (k == 0) {
			buf_z(out, " -");
			put_word(out, word, handle);
		}
		buf_ch(out, k ? ',' : ':');
		buf_z(out, value_of(n, column, shown[k]));
	}
}

void matrix_door(const struct matrix_names *names, const struct matrix_grid *g, uint32_t row,
		 uint32_t column, const char *handle, struct buf *out)
{
	const struct crosstab_window *w = &g->window;

	if (row == MATRIX_OTHER) {
		put_others(names, false, w->row, w->n_rows, handle, out);
	} else if (row != MATRIX_ALL || column == MATRIX_ALL) {
		put_word(out, "row", handle);
		if (row != MATRIX_ALL)
			buf_printf(out, ":%s", value_of(names, false, row));
	}
	if (column == MATRIX_ALL)
		return;
	if (out->n)
		buf_ch(out, ' ');
	if (column == MATRIX_OTHER) {
		put_others(names, true, w->column, w->n_columns, handle, out);
	} else {
		put_word(out, "column", handle);
		buf_printf(out, ":%s", value_of(names, true, column));
	}
}

void matrix_door_moved(const struct matrix_names *names, const struct matrix_grid *g, uint32_t row,
		       uint32_t column, const char *a, const char *b, struct buf *out)
{
	struct buf in_a = BUF_INIT, in_b = BUF_INIT;

	matrix_door(names, g, row, column, a, &in_a);
	matrix_door(names, g, row, column, b, &in_b);
	buf_printf(out, "(%s -(%s) | %s -(%s))", buf_cstr(&in_a), buf_cstr(&in_b), buf_cstr(&in_b),
		   buf_cstr(&in_a));
	buf_release(&in_a);
	buf_release(&in_b);
}
