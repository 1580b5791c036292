/* What a number of the matrix is, and how many samples are behind it. */
#include <stdlib.h>

#include "tui/app.h"
#include "tui/view/explain.h"
#include "tui/view/matrix_impl.h"
#include "tui/view/sign.h"

struct saying {
	struct explain *e;
	struct app *app;
	const struct matrix_page *p;
	uint32_t row, column;
	struct matrix_number n;
};

/* --- doors --- */

static void say_opens(const struct saying *s, const char *label, const char *door, const char *more)
{
	uint32_t n;

	if (explain_opens(s->app, door, &n))
		explain_door(s->e, label, n, door, n ? more : "");
}

static void door_of(const struct saying *s, uint32_t row, uint32_t column, const char *handle, struct buf *out)
{
	buf_clear(out);
	matrix_door(s->p->names, s->p->grid, row, column, handle, out);
}

static void say_only(const struct saying *s, const char *label, const char *here, const char *there)
{
	struct buf in = BUF_INIT, not_in = BUF_INIT, door = BUF_INIT;

	door_of(s, s->row, s->column, here, &in);
	door_of(s, s->row, s->column, there, &not_in);
	buf_printf(&door, "%s -(%s)", buf_cstr(&in), buf_cstr(&not_in));
	say_opens(s, label, buf_cstr(&door), "");
	buf_release(&in);
	buf_release(&not_in);
	buf_release(&door);
}

static void say_doors(const struct saying *s)
{
	const struct matrix_page *p = s->p;
	struct buf door = BUF_INIT;

	door_of(s, s->row, s->column, p->a, &door);
	explain_door(s->e, p->look->difference ? "in a" : "samples", s->n.a, buf_cstr(&door), "");
	if (p->look->difference) {
		door_of(s, s->row, s->column, p->b, &door);
		explain_door(s->e, "in b", s->n.b, buf_cstr(&door), "");
		say_only(s, "only in a", p->a, p->b);
		say_only(s, "only in b", p->b, p->a);
	}
	if (p->look->share == MATRIX_OF_ROW && s->column != MATRIX_ALL) {
		door_of(s, s->row, MATRIX_ALL, p->a, &door);
		explain_door(s->e, "of the row", s->n.row_a, buf_cstr(&door), "");
	} else if (p->look->share == MATRIX_OF_COLUMN && s->row != MATRIX_ALL) {
		door_of(s, MATRIX_ALL, s->column, p->a, &door);
		explain_door(s->e, "of the column", s->n.column_a, buf_cstr(&door), "");
	}
	buf_release(&door);
}

static void say_left_out(const struct saying *s)
{
	struct buf door = BUF_INIT;

	buf_z(&door, "-row");
	filter_put_who(&door, s->p->a);
	say_opens(s, "left out", buf_cstr(&door), "unlabelled in the lens's layer: in no row");
	buf_release(&door);
}

/* --- words --- */

static const char *formula_of(const struct matrix_page *p, bool margin)
{
	static const char *const formula[N_MATRIX_SHARES][2] = {
	    {"samples", "samples of a - samples of b"},
	    {"samples / samples of the row", "samples / samples of the row, of a less that of b"},
	    {"samples / samples of the column", "samples / samples of the column, of a less that of b"}};

	return formula[margin ? MATRIX_COUNT : p->look->share][p->look->difference];
}

static bool is_margin(const struct saying *s)
{
	return s->row == MATRIX_ALL || s->column == MATRIX_ALL;
}

static void say_number(const struct saying *s)
{
	const struct matrix_look *look = s->p->look;
	struct matrix_look plain = {.share = is_margin(s) ? MATRIX_COUNT : look->share,
				    .difference = look->difference};
	double v = matrix_value(&plain, &s->n);
	struct buf text = BUF_INIT;

	if (plain.share == MATRIX_COUNT)
		buf_printf(&text, look->difference && v != 0 ? "%+.0f" : "%.0f", v);
	else
		buf_printf(&text, look->difference ? "%+.1f %% (%.6f)" : "%.1f %% (%.6f)", v * 100, v);
	explain_say(s->e, "number", buf_cstr(&text));
	buf_release(&text);
}

static void say_what(const struct saying *s)
{
	struct buf text = BUF_INIT;

	buf_printf(&text, "truth %s, answer %s: a right answer counts once, at the truth that it met; any "
			  "other one in the row of each of its truths",
		   matrix_row_name(s->p->names, s->row), matrix_column_name(s->p->names, s->column));
	explain_say(s->e, "is", buf_cstr(&text));
	if (s->column >= s->p->names->n && s->column < MATRIX_OTHER)
		explain_say(s->e, "", confusion_extra_help((enum confusion_extra)(s->column - s->p->names->n)));
	explain_say(s->e, "formula", formula_of(s->p, is_margin(s)));
	explain_say(s->e, "source", "confusion matrix over the lens's truths, ReGT 2.2 (equivalence: that of the lens)");
	buf_release(&text);
}

/* It prints a key a line, and counts them: for a margin, a group and (other) as for a cell. */
void matrix_explain_command(struct app *app, const struct matrix_page *p, uint32_t row, uint32_t column,
			    const char *handle, struct buf *out)
{
	const struct scene *s = &app->scene;
	struct buf door = BUF_INIT;

	matrix_door(p->names, p->grid, row, column, handle, &door);
	buf_z(out, "qualm export ");
	explain_put_quoted(out, conn_path(app->conn));
	explain_put_option(out, "dataset", s->snap->dataset);
	explain_put_lens(out, s);
	explain_put_filter(out, s, buf_cstr(&door));
	buf_z(out, " --format ids | wc -l");
	buf_release(&door);
}

static void say_command(const struct saying *s, const char *label, uint32_t row, uint32_t column,
			const char *handle)
{
	struct buf line = BUF_INIT;

	matrix_explain_command(s->app, s->p, row, column, handle, &line);
	explain_tell_command(s->e, label, buf_cstr(&line));
	buf_release(&line);
}

/* A share is of two counts, a difference too; each has its line. */
static void say_commands(const struct saying *s)
{
	const struct matrix_look *look = s->p->look;
	uint32_t row = look->share == MATRIX_OF_COLUMN ? MATRIX_ALL : s->row;
	uint32_t column = look->share == MATRIX_OF_ROW ? MATRIX_ALL : s->column;
	bool share = look->share != MATRIX_COUNT && !is_margin(s);

	say_command(s, look->difference ? "command, a" : "command", s->row, s->column, s->p->a);
	if (share)
		say_command(s, "divided by", row, column, s->p->a);
	if (look->difference)
		say_command(s, "less, of b", s->row, s->column, s->p->b);
	if (look->difference && share)
		say_command(s, "divided by", row, column, s->p->b);
}

unsigned matrix_explain(struct app *app, const struct matrix_page *p, uint32_t row, uint32_t column)
{
	struct saying s = {.app = app, .p = p, .row = row, .column = column,
			   .n = matrix_number_of(p, row, column)};
	struct buf title = BUF_INIT;

	buf_printf(&title, "%s %s %s", matrix_row_name(p->names, row), sign(SIGN_ARROW),
		   matrix_column_name(p->names, column));
	s.e = explain_new(buf_cstr(&title));
	buf_release(&title);
	say_number(&s);
	say_what(&s);
	say_doors(&s);
	say_left_out(&s);
	explain_population(s.e, &app->scene);
	say_commands(&s);
	return explain_show(s.e, app);
}
