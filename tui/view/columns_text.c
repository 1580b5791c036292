/* What stands in a column: its title and the samples' values. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tui/view/columns.h"
#include "tui/view/sign.h"

static const char *const titles[N_COLUMNS] = {
#define X(id, name, title, w, least, right, priority, of, sort, help) title,
    COLUMNS(X)
#undef X
};

bool column_there(const struct scene *s, const struct list_column *c)
{
	switch (c->id) {
	case COLUMN_VERDICT:
		return s->a >= 0 || c->of >= 0;
	case COLUMN_RUNS:
	case COLUMN_PANEL:
	case COLUMN_DIFFICULTY:
		return s->n_panel > 0;
	case COLUMN_REPEATS:
		return column_run(s, c) >= 0 && snapshot_n_repeats(s->snap, column_run(s, c)) > 1;
	case COLUMN_CATEGORY:
		return eval_category_layer(s->snap, &s->lens) >= 0;
	default:
		return column_of(c->id) != OF_A_RUN || column_run(s, c) >= 0;
	}
}

/* --- titles --- */

/* "score", "score b"; of another run: its handle, which tells more than the word. */
static void title_of_run(const struct scene *s, const struct list_column *c, struct buf *out)
{
	if (c->of >= 0)
		buf_z(out, s->snap->runs[c->of].handle);
	else
		buf_printf(out, "%s%s", titles[c->id], c->of == COLUMN_OF_B ? " b" : "");
}

void column_title(const struct scene *s, const struct list_column *c, struct buf *out)
{
	if (c->id == COLUMN_PAIR)
		buf_printf(out, s->a >= 0 ? "truth %s answer" : "truth", sign(SIGN_ARROW));
	else if (c->id == COLUMN_VERDICT && c->of < 0)
		buf_z(out, c->of == COLUMN_OF_B ? "b" : c->of == COLUMN_OF_A || s->b < 0 ? "a" : "ab");
	else if (c->id == COLUMN_TRUTH && c->of >= 0)
		buf_z(out, s->snap->layers[c->of].name);
	else if (c->id == COLUMN_FACET)
		buf_z(out, s->snap->facets[c->of].name);
	else if (column_of(c->id) == OF_A_RUN || (c->id == COLUMN_VERDICT && c->of >= 0))
		title_of_run(s, c, out);
	else
		buf_z(out, titles[c->id]);
}

/* --- numbers --- */

struct number_form number_form(const double *v, uint32_t n)
{
	struct number_form f = {0, 1};
	double largest = 0;
	bool whole = true, negative = false;
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < n; i++) {
		if (!isfinite(v[i]))
			continue;
		largest = fabs(v[i]) > largest ? fabs(v[i]) : largest;
		negative |= v[i] < 0;
		whole &= floor(v[i]) == v[i];
	}
	f.decimals = whole ? 0 : largest < 10 ? 3 : largest < 1000 ? 1 : 0;
	number_text(&f, largest < 1e15 ? largest : 0, &text);
	f.width = (int)text.n + negative;
	f.width = f.width < 3 ? 3 : f.width;
	buf_release(&text);
	return f;
}

void number_text(const struct number_form *f, double v, struct buf *out)
{
	char n[28];

	if (!isfinite(v))
		return;
	if (fabs(v) >= 1e15)
		buf_printf(out, "%.3g", v);
	else if (f->decimals)
		buf_printf(out, "%.*f", f->decimals, v);
	else
		buf_printf(out, "%s%s", v <= -0.5 ? "-" : "", count_text((uint64_t)(fabs(v) + 0.5), n));
}

/* As short as it can be and read back the same; many numbers were kept as floats. */
static void exact_number(double v, struct buf *out)
{
	char text[40] = "";
	bool is_float = isfinite(v) && fabs(v) < FLT_MAX && (double)(float)v == v, same = !isfinite(v);

	for (int digits = 6; digits <= 17 && !same; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, v);
		same = is_float ? strtof(text, NULL) == (float)v : strtod(text, NULL) == v;
	}
	buf_z(out, text);
}

/* --- values --- */

static void put_facet(const struct snapshot *snap, const struct facet *f, uint32_t ord, struct buf *out)
{
	size_t from = 0, n = f->multi ? csr_row(&f->sets, ord, &from) : 1;

	(void)snap;
	if (f->numeric) {
		exact_number(column_f(&f->number, ord), out);
		return;
	}
	for (size_t k = 0; k < n; k++) {
		uint64_t v = f->multi ? column_u(&f->sets.val, from + k) : column_u(&f->value, ord);

		if (v < f->n_values)
			buf_printf(out, "%s%s", k ? ", " : "", f->values[v]);
	}
}

static void put_tags(const struct user_things *mine, uint32_t ord, struct buf *out)
{
	const char *sep = "";

	for (uint32_t i = 0; mine && i < mine->n_tags; i++)
		if (user_has_tag(&mine->tags[i], ord)) {
			buf_printf(out, "%s#%s", sep, mine->tags[i].name);
			sep = " ";
		}
}

static void put_signs(const struct user_things *mine, uint32_t ord, struct buf *out)
{
	struct buf tags = BUF_INIT;

	if (!mine || ord >= mine->n)
		return;
	put_tags(mine, ord, &tags);
	buf_z(out, mine->marked[ord] ? sign(SIGN_MARKED) : "");
	buf_z(out, mine->notes[ord] ? sign(SIGN_NOTED) : "");
	buf_z(out, tags.n ? "#" : "");
	buf_release(&tags);
}

static void put_pair(const struct scene *s, uint32_t ord, struct buf *out)
{
	scene_truth(s, s->lens.layer, ord, out);
	if (s->a >= 0) {
		buf_printf(out, " %s ", sign(SIGN_ARROW));
		scene_answer(s, s->a, ord, out);
	}
}

static void put_row_text(enum column_id id, const struct sample_row *row, struct buf *out)
{
	if (row)
		buf_str(out, id == COLUMN_KEY ? row->key : id == COLUMN_TEXT ? row->text : row->path);
}

static void put_verdicts(const struct scene *s, const struct list_column *c, uint32_t ord,
			 struct buf *out)
{
	int run = column_run(s, c);

	if (run >= 0)
		buf_z(out, verdict_word(scene_verdict(s, run, ord)));
	if (c->of == COLUMN_OF_AB && s->b >= 0)
		buf_printf(out, " %s", verdict_word(scene_verdict(s, s->b, ord)));
}

static void put_panel(const struct scene *s, uint32_t ord, struct buf *out)
{
	int right = scene_panel_right(s, ord);

	if (right < 0)
		buf_printf(out, "%s/%d", sign(SIGN_WAIT), s->n_panel);
	else
		buf_printf(out, "%d/%d", right, s->n_panel);
}

static void put_difficulty(const struct scene *s, uint32_t ord, struct buf *out)
{
	double v = scene_difficulty(s, ord);

	if (!isnan(v))
		buf_printf(out, "%.3f", v);
}

static void put_repeats(const struct scene *s, int run, uint32_t ord, struct buf *out)
{
	int of, right = run >= 0 ? scene_repeats_right(s, run, ord, &of) : -1;

	if (right >= 0)
		buf_printf(out, "%d/%d", right, of);
}

static void put_notes(const struct user_things *mine, uint32_t ord, struct buf *out)
{
	if (mine && ord < mine->n && mine->notes[ord])
		buf_printf(out, "%d", mine->notes[ord]);
}

void column_value(const struct scene *s, const struct list_column *c, uint32_t ord,
		  const struct sample_row *row, double number, struct buf *out)
{
	int run = column_run(s, c);

	switch (c->id) {
	case COLUMN_NO:
		buf_printf(out, "%u", ord + 1);
		break;
	case COLUMN_PAIR:
		put_pair(s, ord, out);
		break;
	case COLUMN_TRUTH:
		scene_truth(s, c->of >= 0 ? c->of : s->lens.layer, ord, out);
		break;
	case COLUMN_ANSWER:
		if (run >= 0)
			scene_answer(s, run, ord, out);
		break;
	case COLUMN_VERDICT:
		put_verdicts(s, c, ord, out);
		break;
	case COLUMN_RUNS:
		for (int p = 0; p < s->n_panel; p++)
			buf_z(out, mark_glyph(scene_mark(s, s->panel[p], ord)));
		break;
	case COLUMN_PANEL:
		put_panel(s, ord, out);
		break;
	case COLUMN_DIFFICULTY:
		put_difficulty(s, ord, out);
		break;
	case COLUMN_REPEATS:
		put_repeats(s, run, ord, out);
		break;
	case COLUMN_CATEGORY:
		buf_z(out, category_word(s->category ? (enum category)s->category[ord] : CAT_NONE));
		break;
	case COLUMN_TAGS:
		put_tags(s->mine, ord, out);
		break;
	case COLUMN_NOTES:
		put_notes(s->mine, ord, out);
		break;
	case COLUMN_SIGNS:
		put_signs(s->mine, ord, out);
		break;
	case COLUMN_FACET:
		put_facet(s->snap, &s->snap->facets[c->of], ord, out);
		break;
	case COLUMN_KEY:
	case COLUMN_TEXT:
	case COLUMN_PATH:
		put_row_text(c->id, row, out);
		break;
	default:
		exact_number(number, out);
	}
}
