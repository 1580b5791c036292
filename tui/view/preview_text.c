#include "tui/view/preview_text.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"
#include "core/eval/judge.h"

/* --- groups --- */

static bool same_answer(const struct snapshot *snap, int r, int q, uint32_t ord)
{
	const struct run *x = &snap->runs[r], *y = &snap->runs[q];
	size_t fx, fy, nx = csr_row(&x->labels, ord, &fx), ny = csr_row(&y->labels, ord, &fy);

	if (column_u(&x->outcome, ord) != column_u(&y->outcome, ord) ||
	    column_u(&x->label, ord) != column_u(&y->label, ord) || nx != ny)
		return false;
	for (size_t k = 0; k < nx; k++)
		if (column_u(&x->labels.val, fx + k) != column_u(&y->labels.val, fy + k))
			return false;
	return true;
}

static bool before(const struct scene *s, uint32_t ord, const struct group *x,
		   const struct group *y)
{
	bool rx = scene_verdict(s, x->run[0], ord) == VERDICT_RIGHT;
	bool ry = scene_verdict(s, y->run[0], ord) == VERDICT_RIGHT;

	if (rx != ry)
		return rx;
	return x->n > y->n;
}

/* Insertion keeps groups of equal rank in order of their first run. */
static void sort_groups(const struct scene *s, uint32_t ord, struct group *g, int n)
{
	for (int i = 1; i < n; i++)
		for (int k = i; k > 0 && before(s, ord, &g[k], &g[k - 1]); k--) {
			struct group t = g[k];

			g[k] = g[k - 1];
			g[k - 1] = t;
		}
}

int preview_groups(const struct scene *s, uint32_t ord, struct group *out)
{
	int n = 0;

	for (int i = 0; i < s->n_panel; i++) {
		int r = s->panel[i], g = 0;

		if (scene_waits(s, r))
			continue;
		while (g < n && !same_answer(s->snap, out[g].run[0], r, ord))
			g++;
		if (g == n)
			out[n++].n = 0;
		if (out[g].n < GROUP_MAX_RUNS)
			out[g].run[out[g].n++] = r;
	}
	sort_groups(s, ord, out, n);
	return n;
}

/* --- the parts --- */

struct part {
	const struct preview *p;
	struct pen pen;
	int label_w;
	bool airy; /* a blank line between the parts */
	bool mine; /* the user has said something */
};

static void gap(struct part *t)
{
	if (t->airy)
		pen_line(&t->pen);
}

static void put_label(struct part *t, const char *label)
{
	pen_cut(&t->pen, t->label_w - 2, STYLE_DIM, CUT_END, str_z(label));
	t->pen.x = t->label_w;
}

static void wrap(struct part *t, enum style style, const struct span *span, size_t n, struct str s,
		 int max)
{
	struct pen *pen = &t->pen;
	int y = pen->y;

	if (!s.n) {
		pen_line(pen);
		return;
	}
	pen_wrap_spans(pen, t->label_w, max, style, span, n, s);
	if (pen->y == y)
		pen_line(pen);
}

/* The same with what was searched marked in it. run: whose answer it is, else -1. */
static void wrap_searched(struct part *t, enum style style, struct str s, int max, enum hit_in in, int run)
{
	struct span span[HIT_SPANS_MAX];
	size_t n = hits_find(&t->p->scene->hits, in, run, s, STYLE_MATCH, span, HIT_SPANS_MAX);

	wrap(t, style, span, n, s, max);
}

static void put_path(struct part *t, struct str path)
{
	struct span span[8];
	size_t n = hits_find(&t->p->scene->hits, HIT_PATH, -1, path, STYLE_MATCH, span, 8);

	pen_cut_spans(&t->pen, t->pen.area.w - t->pen.x, STYLE_DIM, CUT_START, path, span, n);
}

/* Of several pictures, in the order in which they are shown and sent. */
static void put_paths(struct part *t)
{
	const struct preview *p = t->p;

	for (size_t i = 0; i < p->n_paths && i < MEDIA_TOGETHER_MAX; i++) {
		struct buf b = BUF_INIT;

		buf_printf(&b, "%zu ", i + 1);
		pen_put(&t->pen, STYLE_DIM, buf_view(&b));
		put_path(t, p->paths[i]);
		pen_line(&t->pen);
		buf_release(&b);
	}
}

static void put_facts(struct part *t)
{
	const struct preview *p = t->p;
	struct buf b = BUF_INIT;

	if (p->row.media == MEDIA_NONE)
		return;
	if (p->n_paths > 1) {
		buf_printf(&b, "%zu pictures ", p->n_paths);
		if (p->n_paths > MEDIA_TOGETHER_MAX)
			buf_printf(&b, "%s the first %d ", sign(SIGN_DOT), MEDIA_TOGETHER_MAX);
	}
	picture_facts(&p->picture.facts, &b);
	if (p->row.media == MEDIA_VIDEO && p->picture.facts.format == MEDIA_FORMAT_UNKNOWN)
		buf_printf(&b, "%svideo", b.n ? " " : "");
	pen_put(&t->pen, STYLE_DIM, buf_view(&b));
	if (p->n_paths < 2 && p->row.path.n) {
		pen_putz(&t->pen, STYLE_DIM, b.n ? "  " : "");
		put_path(t, p->row.path);
	}
	pen_line(&t->pen);
	if (p->n_paths > 1)
		put_paths(t);
	buf_release(&b);
}

static void put_text(struct part *t)
{
	const struct preview *p = t->p;

	if (!p->row.text.n)
		return;
	put_label(t, p->row.text_kind == TEXT_STATEMENT ? "statement" : "question");
	wrap_searched(t, STYLE_NORMAL, p->row.text, 200,
		      p->row.text_kind == TEXT_STATEMENT ? HIT_STATEMENT : HIT_QUESTION, -1);
	for (size_t i = 0; i < p->n_options; i++) {
		if (i == 0)
			put_label(t, "options");
		wrap(t, STYLE_NORMAL, NULL, 0, p->options[i].text, 4);
	}
}

#define NAMES_MAX 64 /* of classes, and hits in them */

static void put_truth(struct part *t)
{
	const struct scene *s = t->p->scene;
	struct span span[NAMES_MAX];
	size_t ends[NAMES_MAX], n;

	for (uint32_t l = 0; l < s->snap->n_layers; l++) {
		struct buf b = BUF_INIT;
		bool judged = (int)l == s->lens.layer;

		put_label(t, s->snap->layers[l].name);
		if (!scene_truth(s, (int)l, t->p->ord, &b)) {
			pen_putz(&t->pen, STYLE_DIM, "unlabelled");
			pen_line(&t->pen);
		} else {
			n = scene_truth_ends(s, (int)l, t->p->ord, ends, NAMES_MAX);
			n = hits_find_names(&s->hits, buf_view(&b), ends, n, STYLE_MATCH, span, NAMES_MAX);
			wrap(t, judged ? STYLE_TRUTH : STYLE_NORMAL, span, n, buf_view(&b), 6);
		}
		buf_release(&b);
	}
}

static void facet_text(const struct facet *facet, uint32_t ord, struct buf *out)
{
	size_t from, n = csr_row(&facet->sets, ord, &from);

	if (facet->numeric && !isnan(column_f(&facet->number, ord))) {
		buf_printf(out, "%.10g", column_f(&facet->number, ord));
	} else if (!facet->numeric && !facet->multi) {
		uint64_t v = column_u(&facet->value, ord);

		if (v < facet->n_values)
			buf_z(out, facet->values[v]);
	}
	for (size_t k = 0; facet->multi && k < n; k++) {
		uint64_t v = column_u(&facet->sets.val, from + k);

		if (v < facet->n_values)
			buf_printf(out, "%s%s", k ? ", " : "", facet->values[v]);
	}
}

/* Side by side as many as a line holds: they are many, and short. */
static void put_facets(struct part *t)
{
	const struct snapshot *snap = t->p->scene->snap;
	struct pen *pen = &t->pen;

	for (uint32_t f = 0; f < snap->n_facets; f++) {
		struct str name = str_z(snap->facets[f].name);
		struct buf value = BUF_INIT;
		int w;

		facet_text(&snap->facets[f], t->p->ord, &value);
		w = text_width(name) + 1 + text_width(buf_view(&value));
		if (value.n && pen->x > 0 && pen->x + 3 + w > pen->area.w)
			pen_line(pen);
		if (value.n) {
			pen_putz(pen, STYLE_NORMAL, pen->x > 0 ? "   " : "");
			pen_put(pen, STYLE_DIM, name);
			pen_putz(pen, STYLE_NORMAL, " ");
			pen_cut(pen, pen->area.w, STYLE_NORMAL, CUT_END, buf_view(&value));
		}
		buf_release(&value);
	}
	if (pen->x > 0)
		pen_line(pen);
}

static void put_extra(struct part *t)
{
	const struct preview *p = t->p;

	for (size_t i = 0; i < p->n_extra; i++) {
		pen_put(&t->pen, STYLE_DIM, p->extra[i].name);
		pen_line(&t->pen);
		t->label_w = 2;
		t->pen.x = t->label_w;
		wrap(t, STYLE_NORMAL, NULL, 0, p->extra[i].text, 1000);
	}
}

static void put_run_name(struct part *t, int r)
{
	const struct scene *s = t->p->scene;
	enum style style = r == s->run ? STYLE_CURSOR : STYLE_DIM;
	const char *name = r == s->a ? "a" : r == s->b ? "b" : s->snap->runs[r].handle;
	int w = text_width(str_z(name)), room = t->pen.area.w - t->label_w;

	if (t->pen.x > t->label_w && t->pen.x + 1 + w > t->pen.area.w) {
		pen_line(&t->pen);
		t->pen.x = t->label_w;
	} else if (t->pen.x > t->label_w) {
		pen_putz(&t->pen, STYLE_NORMAL, " ");
	}
	pen_cut(&t->pen, w < room ? w : room, style, CUT_START, str_z(name));
}

static int run_rank(const struct scene *s, int r)
{
	return r == s->a ? 0 : r == s->b ? 1 : 2;
}

static void group_text(const struct part *t, const struct group *g, struct buf *out)
{
	const struct scene *s = t->p->scene;

	if (g->n == 1 && g->run[0] == t->p->run && t->p->oop < N_OOP_KINDS &&
	    column_u(&s->snap->runs[t->p->run].label, t->p->ord) == COLUMN_NONE)
		buf_printf(out, "(oop: %s)", oop_kind_word(t->p->oop)); /* of others the text is not here */
	else
		scene_answer(s, g->run[0], t->p->ord, out);
}

#define GROUP_AROUND 8 /* the mark before an answer, and how many runs gave it behind */
#define GROUP_RUNS 12  /* what the names of those runs need at the least */

/* Half of the line, or more where an answer is long and the runs keep enough; 34 at most. */
static int group_width(const struct part *t, const struct group *g, int n)
{
	int half = t->pen.area.w / 2, most = t->pen.area.w - GROUP_RUNS, widest = 0;
	struct buf b = BUF_INIT;

	for (int i = 0; i < n; i++) {
		int w;

		buf_clear(&b);
		group_text(t, &g[i], &b);
		w = text_width(buf_view(&b)) + GROUP_AROUND;
		widest = w > widest ? w : widest;
	}
	buf_release(&b);
	widest = widest < most ? widest : most;
	widest = widest > half ? widest : half;
	return widest < 34 ? widest : 34;
}

static void put_group(struct part *t, const struct group *g)
{
	const struct scene *s = t->p->scene;
	enum mark m = scene_mark(s, g->run[0], t->p->ord);
	struct buf b = BUF_INIT;
	int wide = t->label_w - GROUP_AROUND > 6 ? t->label_w - GROUP_AROUND : 6;
	struct span span[NAMES_MAX];
	size_t ends[NAMES_MAX], n = scene_answer_ends(s, g->run[0], t->p->ord, ends, NAMES_MAX);

	group_text(t, g, &b);
	pen_putz(&t->pen, mark_style(m), mark_glyph(m));
	pen_putz(&t->pen, STYLE_NORMAL, " ");
	/* The runs stand in the same column in every group. */
	n = hits_find_names(&s->hits, buf_view(&b), ends, n, STYLE_MATCH, span, NAMES_MAX);
	pen_cut_spans(&t->pen, wide, m == MARK_RIGHT ? STYLE_RIGHT : STYLE_NORMAL, CUT_END, buf_view(&b),
		      span, n);
	t->pen.x = 2 + wide + 1;
	pen_printf(&t->pen, STYLE_DIM, "%s%d", sign(SIGN_TIMES), g->n);
	t->pen.x = t->label_w;
	for (int rank = 0; rank < 3; rank++)
		for (int i = 0; i < g->n; i++)
			if (run_rank(s, g->run[i]) == rank)
				put_run_name(t, g->run[i]);
	pen_line(&t->pen);
	buf_release(&b);
}

static void put_waiting(struct part *t)
{
	const struct scene *s = t->p->scene;
	int n = 0;

	for (int i = 0; i < s->n_panel; i++)
		n += scene_waits(s, s->panel[i]);
	if (!n)
		return;
	pen_printf(&t->pen, STYLE_DIM, "%s %d more run%s", sign(SIGN_WAIT), n, n == 1 ? "" : "s");
	pen_line(&t->pen);
}

static void put_answers(struct part *t)
{
	const struct scene *s = t->p->scene;
	struct group *g;
	int n, narrow = t->label_w;

	if (!s->n_panel) {
		pen_wrap(&t->pen, 0, 2, STYLE_DIM, (struct span){0},
			 STR("no answers yet: qualm import FILE.qualm PREDICTIONS"));
		return;
	}
	g = xcalloc((size_t)s->n_panel, sizeof *g);
	n = preview_groups(s, t->p->ord, g);
	t->label_w = group_width(t, g, n);
	for (int i = 0; i < n; i++)
		put_group(t, &g[i]);
	put_waiting(t);
	t->label_w = narrow;
	free(g);
}

static struct span extracted_span(const struct preview *p)
{
	size_t at = p->extracted.n ? str_find(p->raw, p->extracted) : SIZE_MAX;

	if (at == SIZE_MAX && p->extracted.n)
		at = str_find_nocase(p->raw, p->extracted);
	return at == SIZE_MAX ? (struct span){0}
			      : (struct span){at, p->extracted.n, STYLE_MATCH};
}

/* Of what was searched and what was extracted the first is marked, where there is any. */
static void put_raw_text(struct part *t)
{
	const struct preview *p = t->p;
	struct span span[HIT_SPANS_MAX];
	size_t n = hits_find(&p->scene->hits, HIT_ANSWER, p->run, p->raw, STYLE_MATCH, span,
			     HIT_SPANS_MAX);

	if (!n) {
		span[0] = extracted_span(p);
		n = span[0].n > 0;
	}
	wrap(t, STYLE_NORMAL, span, n, p->raw, 100000);
}

static void put_run_head(struct part *t)
{
	const struct preview *p = t->p;
	const struct scene *s = p->scene;
	enum mark m = scene_mark(s, p->run, p->ord);
	struct buf b = BUF_INIT;
	int w;

	if (p->oop < N_OOP_KINDS)
		buf_printf(&b, " oop: %s", oop_kind_word(p->oop));
	else if (p->mapped)
		buf_z(&b, " by the label map");
	if (!isnan(p->position) && p->batch > 1)
		buf_printf(&b, " %.0f of a batch of %.0f", p->position, p->batch);
	if (!isnan(p->score))
		buf_printf(&b, " %.3f", p->score);
	if (!isnan(p->latency))
		buf_printf(&b, p->latency < 1000 ? " %.0f ms" : " %.1f s",
			   p->latency < 1000 ? p->latency : p->latency / 1000);
	if (!isnan(p->tokens))
		buf_printf(&b, " %.0f tokens", p->tokens);
	w = t->pen.area.w - text_width(buf_view(&b)) - 4;
	pen_putz(&t->pen, mark_style(m), mark_glyph(m));
	pen_putz(&t->pen, STYLE_NORMAL, " ");
	if (p->run == s->a || p->run == s->b) {
		pen_printf(&t->pen, STYLE_BOLD, "%s ", p->run == s->a ? "a" : "b");
		w -= 2;
	}
	pen_cut(&t->pen, w > 6 ? w : 6, STYLE_BOLD, CUT_START, str_z(s->snap->runs[p->run].handle));
	pen_right(&t->pen, STYLE_DIM, buf_view(&b));
	pen_line(&t->pen);
	buf_release(&b);
}

/* What the judge found wrong, step by step. */
static void put_wrong_steps(struct part *t, const struct judge_mark *mark, int n)
{
	struct str rest = judge_steps(t->p->steps), step;

	t->label_w = 4;
	for (int i = 0; i < n && judge_step_next(&rest, &step); i++) {
		if (mark[i].most > 0 && mark[i].points >= mark[i].most)
			continue;
		pen_printf(&t->pen, STYLE_WRONG, "  %s ", mark_glyph(MARK_WRONG));
		wrap(t, STYLE_DIM, NULL, 0, step, 2);
	}
}

/* The steps, a bar, the answer: ✓✗✓|✓. Of several truths some can be met: "2/3". */
static void put_steps(struct part *t)
{
	struct judge_mark mark[JUDGE_STEPS_MAX];
	int n = judge_parse(t->p->marks, mark);

	if (!t->p->marks.n)
		return;
	pen_putz(&t->pen, STYLE_DIM, "  steps ");
	for (int i = 0; i < n; i++) {
		enum mark m = mark[i].most > 0 && mark[i].points >= mark[i].most ? MARK_RIGHT : MARK_WRONG;

		if (i == n - 1)
			pen_putz(&t->pen, STYLE_DIM, "|");
		if (m == MARK_WRONG && mark[i].points > 0)
			pen_printf(&t->pen, STYLE_UNCOUNTED, "%d/%d", mark[i].points, mark[i].most);
		else
			pen_putz(&t->pen, mark_style(m), mark_glyph(m));
	}
	if (!n)
		pen_putz(&t->pen, STYLE_UNCOUNTED, "the marks cannot be read");
	pen_line(&t->pen);
	put_wrong_steps(t, mark, n);
}

static void put_raw(struct part *t)
{
	const struct preview *p = t->p;

	if (p->run < 0)
		return;
	put_run_head(t);
	put_steps(t);
	t->label_w = 2;
	if (p->error.n)
		wrap(t, STYLE_WARNING, NULL, 0, p->error, 1000);
	if (p->raw.n)
		put_raw_text(t);
	else if (p->extracted.n)
		wrap_searched(t, STYLE_NORMAL, p->extracted, 1000, HIT_ANSWER, p->run);
	else if (!p->error.n && !p->problem)
		wrap(t, STYLE_DIM, NULL, 0, STR("no text is stored"), 1);
}

/* Names of layers are whole where the labels keep 20 columns. */
static int label_width(const struct preview *p, int w)
{
	const struct snapshot *snap = p->scene->snap;
	int widest = p->row.text.n ? 9 : 0;

	for (uint32_t l = 0; l < snap->n_layers; l++) {
		int n = text_width(str_z(snap->layers[l].name));

		widest = n > widest ? n : widest;
	}
	return widest + 2 > w / 3 && w - widest - 2 < 20 ? w / 3 : widest + 2;
}

static void put_tags(struct part *t)
{
	const struct user_things *mine = t->p->scene->mine;
	struct buf b = BUF_INIT;

	for (uint32_t i = 0; mine && i < mine->n_tags; i++)
		if (user_has_tag(&mine->tags[i], t->p->ord))
			buf_printf(&b, "%s#%s", b.n ? " " : "", mine->tags[i].name);
	if (b.n) {
		put_label(t, "tags");
		wrap(t, STYLE_NORMAL, NULL, 0, buf_view(&b), 6);
	}
	t->mine |= b.n > 0;
	buf_release(&b);
}

/* Who wrote a note is told where it was somebody else. */
static void put_mine(struct part *t)
{
	const struct preview *p = t->p;
	int narrow = t->label_w;

	t->label_w = narrow < 6 ? 6 : narrow;
	t->mine = p->n_notes > 0;
	put_tags(t);
	for (size_t i = 0; i < p->n_notes; i++) {
		const struct user_note *note = &p->notes[i];

		put_label(t, "note");
		wrap_searched(t, STYLE_NORMAL, note->text, t->pen.area.h > 15 ? 20 : 4, HIT_NOTE, -1);
		if (!note->author.n || str_eqz(note->author, p->author))
			continue;
		t->pen.x = t->label_w;
		pen_put(&t->pen, STYLE_DIM, note->author);
		pen_line(&t->pen);
	}
	if (t->mine)
		gap(t);
	t->label_w = narrow;
}

static int put_parts(const struct preview *p, struct cells *grid, struct rect area, bool airy)
{
	struct part t = {p, {grid, area, -p->skip, 0}, label_width(p, area.w), airy, false};

	put_facts(&t);
	if (p->problem)
		pen_wrap(&t.pen, 0, 3, STYLE_WARNING, (struct span){0}, str_z(p->problem));
	gap(&t);
	put_mine(&t);
	put_text(&t);
	put_truth(&t);
	gap(&t);
	put_answers(&t);
	gap(&t);
	put_raw(&t);
	gap(&t);
	if (preview_diff_is(p)) {
		preview_diff_put(p, &t.pen);
		gap(&t);
	}
	put_facets(&t);
	put_extra(&t);
	return t.pen.y + p->skip;
}

int preview_text_draw(const struct preview *p, struct cells *grid, struct rect area)
{
	bool airy = put_parts(p, NULL, area, true) <= area.h;

	return put_parts(p, grid, area, airy);
}
