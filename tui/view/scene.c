#include "tui/view/scene.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/view/sign.h"

static void first_panel(struct scene *s)
{
	s->panel = xcalloc((size_t)s->snap->n_runs + 1, sizeof *s->panel);
	s->n_panel = snapshot_first_panel(s->snap, s->panel);
}

void scene_first_runs(const struct snapshot *snap, int *a, int *b)
{
	*a = *b = -1;
	for (int r = (int)snap->n_runs - 1; r >= 0 && *b < 0; r--) {
		if (snap->runs[r].scratch)
			continue;
		if (*a < 0)
			*a = r;
		else
			*b = r;
	}
}

static void drop_computed(struct scene *s)
{
	if (s->verdict)
		for (uint32_t r = 0; r < snapshot_answerers(s->snap); r++)
			free(s->verdict[r]);
	free(s->verdict);
	free(s->category);
	judging_free(s->judging);
	s->judging = NULL;
	s->verdict = NULL;
	s->category = NULL;
}

static void drop_list(struct scene *s)
{
	free(s->order);
	free(s->place);
	s->order = s->place = NULL;
}

static void drop_snapshot(struct scene *s)
{
	drop_computed(s);
	drop_list(s);
	free(s->sorted);
	free(s->shown);
	free(s->stale);
	free(s->base);
	free(s->filter);
	free(s->trail);
	free(s->base_filter);
	s->sorted = NULL;
	s->shown = s->stale = s->base = NULL;
	s->filter = s->trail = s->base_filter = NULL;
	s->filter_off = s->narrowing = s->sort_due = s->sorting = false;
	s->n_shown = s->n_base = 0;
	s->sort = (struct sort){.by = SORT_IMPORT, .facet = -1};
	s->partial = false;
	free(s->panel);
	snapshot_free(s->snap);
	s->panel = NULL;
	s->n_panel = 0;
	s->snap = NULL;
}

static void find_media(struct scene *s)
{
	s->has_media = false;
	for (uint32_t i = 0; i < s->snap->n && !s->has_media; i++) {
		uint64_t m = column_u(&s->snap->media, i);

		s->has_media = m != MEDIA_NONE && m != COLUMN_NONE;
	}
}

void scene_take(struct scene *s, struct snapshot *snap)
{
	drop_snapshot(s);
	s->snap = snap;
	s->a = s->b = s->run = -1;
	s->current = 0;
	s->has_media = false;
	if (!snap)
		return;
	s->n_shown = s->n_base = snap->n;
	s->preset = s->lens = lens_preset(snap, snap->preset);
	first_panel(s);
	scene_first_runs(snap, &s->a, &s->b);
	s->run = s->a;
	find_media(s);
}

/* --- another snapshot of the same dataset --- */

static int run_in(const struct snapshot *snap, const struct snapshot *old, int r)
{
	for (uint32_t q = 0; r >= 0 && q < snapshot_answerers(snap); q++)
		if (strcmp(snap->runs[q].handle, old->runs[r].handle) == 0)
			return (int)q;
	return -1;
}

bool scene_panel_is_first(const struct scene *s)
{
	int *first = xcalloc((size_t)s->snap->n_runs + 1, sizeof *first);
	bool is = snapshot_first_panel(s->snap, first) == s->n_panel;

	for (int p = 0; is && p < s->n_panel; p++)
		is = first[p] == s->panel[p];
	free(first);
	return is;
}

static void move_runs(struct scene *s, const struct snapshot *snap)
{
	int *panel = xcalloc((size_t)snap->n_runs + 1, sizeof *panel), n = 0;
	bool first = scene_panel_is_first(s);

	for (int p = 0; p < s->n_panel && !first; p++) {
		int r = run_in(snap, s->snap, s->panel[p]);

		if (r >= 0)
			panel[n++] = r;
	}
	s->a = run_in(snap, s->snap, s->a);
	s->b = run_in(snap, s->snap, s->b);
	s->run = run_in(snap, s->snap, s->run);
	free(s->panel);
	s->panel = panel;
	s->n_panel = n ? n : snapshot_first_panel(snap, panel);
}

static void move_lens(struct scene *s, const struct snapshot *snap)
{
	struct lens lens = lens_preset(snap, snap->preset);
	struct err err = ERR_INIT;
	struct buf text = BUF_INIT;

	s->preset = lens;
	lens_format(&s->lens, s->snap, &text);
	if (lens_parse(&lens, snap, buf_view(&text), &err) != OK)
		lens = s->preset;
	s->lens = lens;
	buf_release(&text);
}

static void move_sort(struct scene *s, const struct snapshot *snap)
{
	struct buf text = BUF_INIT;

	sort_format(&s->sort, s->snap, &text);
	if (!sort_parse(buf_view(&text), snap, &s->sort))
		s->sort = (struct sort){.by = SORT_IMPORT, .facet = -1};
	buf_release(&text);
}

/* What was none, or is gone, is chosen as at first. */
static void fill_runs(struct scene *s)
{
	int a, b;

	scene_first_runs(s->snap, &a, &b);
	if (s->a < 0)
		s->a = s->b != a ? a : b;
	if (s->b < 0)
		s->b = s->a != a ? a : b;
	s->run = s->run < 0 ? s->a : s->run;
}

/* Owned by the caller; NULL for NULL. */
static uint64_t *longer(const uint64_t *bits, uint32_t old_n, uint32_t n)
{
	uint64_t *out = bits ? bits_new(n) : NULL;

	for (uint32_t i = 0; out && i < old_n && i < n; i++)
		if (bits_get(bits, i))
			bits_set(out, i);
	return out;
}

/* Takes order; new samples come last until it is sorted again. */
static uint32_t *longer_order(uint32_t *order, uint32_t old_n, uint32_t n)
{
	if (!order || n < old_n) {
		free(order);
		return NULL;
	}
	order = xrealloc(order, ((size_t)n + 1) * sizeof *order);
	for (uint32_t i = old_n; i < n; i++)
		order[i] = i;
	return order;
}

void scene_replace(struct scene *s, struct snapshot *snap)
{
	struct snapshot *old = s->snap;
	uint64_t *shown = longer(s->shown, old->n, snap->n), *base = longer(s->base, old->n, snap->n);

	if (old->generation != snap->generation)
		drop_computed(s);
	move_lens(s, snap);
	s->judged = s->lens;
	move_sort(s, snap);
	move_runs(s, snap);
	free(s->base);
	s->base = base;
	s->n_base = base ? (uint32_t)bits_count(base, snap->n) : snap->n;
	s->snap = snap;
	s->current = s->current < snap->n ? s->current : 0;
	s->anchor = s->anchor < snap->n ? s->anchor : -1;
	fill_runs(s);
	if (s->verdict) { /* it is of the old snapshot, whatever was computed by it */
		judging_free(s->judging);
		s->judging = judging_new(snap, &s->lens);
	}
	find_media(s);
	s->sorted = longer_order(s->sorted, old->n, snap->n);
	s->sort_due = true;
	scene_show(s, shown);
	snapshot_free(old);
}

void scene_release(struct scene *s)
{
	drop_snapshot(s);
}

void scene_relens(struct scene *s)
{
	drop_computed(s);
}

/* Categories compare two layers, whatever answers are judged by. */
static bool same_categories(const struct scene *s)
{
	return s->snap && s->judged.original == s->lens.original && s->judged.rule == s->lens.rule &&
	       eval_category_layer(s->snap, &s->judged) == eval_category_layer(s->snap, &s->lens);
}

void scene_follow_lens(struct scene *s)
{
	uint8_t *category = s->category;

	if (lens_eq(&s->judged, &s->lens))
		return;
	if (same_categories(s))
		s->category = NULL;
	else
		category = NULL;
	drop_computed(s);
	s->category = category;
	s->judged = s->lens;
}

uint8_t *scene_take_verdicts(struct scene *s, int run)
{
	uint8_t *out = run >= 0 && s->verdict ? s->verdict[run] : NULL;

	if (out)
		s->verdict[run] = NULL;
	return out;
}

void scene_need(struct scene *s, int r)
{
	if (!s->verdict && !s->judging) /* categories that were kept are those of this lens, too */
		s->judged = s->lens;
	if (!s->verdict)
		s->verdict = xcalloc((size_t)snapshot_answerers(s->snap) + 1, sizeof *s->verdict);
	if (!s->judging)
		s->judging = judging_new(s->snap, &s->lens);
	if (r < 0 || s->verdict[r] || scene_waits(s, r))
		return;
	s->verdict[r] = xmalloc((size_t)s->snap->n + 1);
	judging_all(s->judging, r, s->verdict[r]);
}

void scene_need_panel(struct scene *s)
{
	for (int p = 0; p < s->n_panel; p++)
		scene_need(s, s->panel[p]);
}

bool scene_waits(const struct scene *s, int run)
{
	return run >= 0 && s->snap->runs[run].later;
}

void scene_ready(struct scene *s)
{
	if (!s->snap)
		return;
	scene_need(s, s->a);
	scene_need(s, s->b);
	if (!s->category) {
		s->category = xcalloc((size_t)s->snap->n + 1, 1);
		eval_categories(s->snap, &s->lens, s->category);
	}
}

uint32_t scene_shown(const struct scene *s)
{
	return s->n_shown;
}

uint32_t scene_at(const struct scene *s, uint32_t i)
{
	return s->order && i < s->n_shown ? s->order[i] : i;
}

uint32_t scene_place(const struct scene *s, uint32_t ord)
{
	return s->place && ord < s->snap->n ? s->place[ord] : ord;
}

uint32_t scene_nearest(const struct scene *s, uint32_t ord)
{
	uint32_t n = s->snap->n, at = ord;

	if (!scene_shown(s) || scene_place(s, ord) != SCENE_NOWHERE)
		return ord;
	for (uint32_t i = 0; s->sorted && i < n; i++)
		if (s->sorted[i] == ord)
			at = i;
	for (uint32_t i = at; i < n; i++)
		if (scene_place(s, s->sorted ? s->sorted[i] : i) != SCENE_NOWHERE)
			return s->sorted ? s->sorted[i] : i;
	return scene_at(s, scene_shown(s) - 1);
}

bool scene_is_stale(const struct scene *s, uint32_t ord)
{
	return s->stale && bits_get(s->stale, ord);
}

static void put_sorted(struct scene *s)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < s->snap->n; i++) {
		uint32_t ord = s->sorted[i];

		if (s->shown && !bits_get(s->shown, ord))
			continue;
		s->place[ord] = at;
		s->order[at++] = ord;
	}
}

static void put_as_imported(struct scene *s)
{
	uint32_t at = 0;

	for (size_t w = 0; w < bits_words(s->snap->n); w++)
		for (uint64_t left = s->shown[w]; left; left &= left - 1) {
			uint32_t ord = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(left);

			s->place[ord] = at;
			s->order[at++] = ord;
		}
}

/* Order and place from what is shown and how it is sorted. */
static void make_list(struct scene *s)
{
	size_t n = s->snap->n;

	drop_list(s);
	s->n_shown = s->shown ? (uint32_t)bits_count(s->shown, n) : s->snap->n;
	if (!s->sorted && !s->shown)
		return;
	s->order = xmalloc(((size_t)s->n_shown + 1) * sizeof *s->order);
	s->place = xmalloc((n + 1) * sizeof *s->place);
	memset(s->place, 0xff, (n + 1) * sizeof *s->place); /* SCENE_NOWHERE */
	if (s->sorted)
		put_sorted(s);
	else
		put_as_imported(s);
}

void scene_reorder(struct scene *s, uint32_t *sorted)
{
	if (!sorted && !s->sorted) /* the list is as imported, and stays so */
		return;
	free(s->sorted);
	s->sorted = sorted;
	make_list(s);
}

void scene_show(struct scene *s, uint64_t *shown)
{
	free(s->shown);
	free(s->stale);
	s->shown = shown;
	s->stale = NULL;
	make_list(s);
}

void scene_range(const struct scene *s, uint32_t *from, uint32_t *to)
{
	uint32_t a = scene_place(s, (uint32_t)s->anchor), b = scene_place(s, s->current);

	*from = a < b ? a : b;
	*to = a < b ? b : a;
}

enum verdict scene_verdict(const struct scene *s, int run, uint32_t ord)
{
	if (run < 0 || !s->verdict || ord >= s->snap->n)
		return VERDICT_UNCOUNTED;
	if (s->verdict[run])
		return (enum verdict)s->verdict[run][ord];
	return judging_one(s->judging, run, ord);
}

enum mark scene_mark(const struct scene *s, int run, uint32_t ord)
{
	return eval_mark(s->snap, &s->lens, run, ord, scene_verdict(s, run, ord));
}

int scene_panel_right(const struct scene *s, uint32_t ord)
{
	int right = 0;

	for (int p = 0; p < s->n_panel; p++) {
		if (scene_waits(s, s->panel[p]))
			return -1;
		right += scene_verdict(s, s->panel[p], ord) == VERDICT_RIGHT;
	}
	return right;
}

double scene_difficulty(const struct scene *s, uint32_t ord)
{
	int right = 0, counted = 0;

	for (int p = 0; p < s->n_panel; p++) {
		enum verdict v = scene_waits(s, s->panel[p]) ? VERDICT_UNCOUNTED : scene_verdict(s, s->panel[p], ord);

		if (scene_waits(s, s->panel[p]))
			return NAN;
		right += v == VERDICT_RIGHT;
		counted += v != VERDICT_UNCOUNTED;
	}
	return counted ? (double)right / counted : NAN;
}

int scene_repeats_right(const struct scene *s, int run, uint32_t ord, int *of)
{
	int right = 0;

	*of = 0;
	for (uint32_t r = 0; r < s->snap->n_runs; r++) {
		if (!snapshot_is_repeat(s->snap, (int)r, run))
			continue;
		if (scene_waits(s, (int)r))
			return -1;
		right += scene_verdict(s, (int)r, ord) == VERDICT_RIGHT;
		++*of;
	}
	return right;
}

static void put_class(const struct snapshot *snap, uint64_t c, bool first, struct buf *out)
{
	if (c >= snap->n_classes)
		return;
	if (!first)
		buf_z(out, ", ");
	buf_z(out, snap->classes[c].name);
}

bool scene_truth(const struct scene *s, int layer, uint32_t ord, struct buf *out)
{
	const struct layer *l;
	size_t from, n;

	if (layer < 0 || (uint32_t)layer >= s->snap->n_layers)
		return false;
	l = &s->snap->layers[layer];
	if (column_u(&l->covered, ord) != 1)
		return false;
	n = csr_row(&l->sets, ord, &from);
	if (!n)
		buf_z(out, "(none)");
	for (size_t k = 0; k < n; k++)
		put_class(s->snap, column_u(&l->sets.val, from + k), k == 0, out);
	return true;
}

uint32_t scene_class(const struct scene *s, uint32_t ord)
{
	return scene_class_in(s, s->lens.layer, ord);
}

uint32_t scene_class_in(const struct scene *s, int layer, uint32_t ord)
{
	const struct layer *l;
	size_t from;

	if (layer < 0 || (uint32_t)layer >= s->snap->n_layers)
		return SCENE_UNLABELLED;
	l = &s->snap->layers[layer];
	if (column_u(&l->covered, ord) != 1)
		return SCENE_UNLABELLED;
	if (!csr_row(&l->sets, ord, &from))
		return SCENE_NO_CLASS;
	return (uint32_t)column_u(&l->sets.val, from);
}

void scene_answer(const struct scene *s, int run, uint32_t ord, struct buf *out)
{
	const struct run *r = &s->snap->runs[run];
	uint64_t outcome = column_u(&r->outcome, ord), label = column_u(&r->label, ord);
	size_t from, n = csr_row(&r->labels, ord, &from);

	if (r->later) {
		buf_z(out, sign(SIGN_WAIT));
	} else if (n > 1) {
		for (size_t k = 0; k < n; k++)
			put_class(s->snap, column_u(&r->labels.val, from + k), k == 0, out);
	} else if (label != COLUMN_NONE) {
		put_class(s->snap, label, true, out);
	} else {
		buf_printf(out, "(%s)", outcome_word(outcome < N_OUTCOMES ? (enum outcome)outcome
									  : OUTCOME_MISSING));
	}
}

static size_t put_end(const struct scene *s, uint64_t class, size_t *ends, size_t n)
{
	if (class >= s->snap->n_classes)
		return n;
	ends[n] = (n ? ends[n - 1] + 2 : 0) + strlen(s->snap->classes[class].name);
	return n + 1;
}

static size_t set_ends(const struct scene *s, const struct csr *sets, uint32_t ord, size_t *ends,
		       size_t max)
{
	size_t from, rows = csr_row(sets, ord, &from), n = 0;

	for (size_t k = 0; k < rows && n < max; k++)
		n = put_end(s, column_u(&sets->val, from + k), ends, n);
	return n;
}

size_t scene_truth_ends(const struct scene *s, int layer, uint32_t ord, size_t *ends, size_t max)
{
	const struct layer *l;

	if (layer < 0 || (uint32_t)layer >= s->snap->n_layers)
		return 0;
	l = &s->snap->layers[layer];
	return column_u(&l->covered, ord) == 1 ? set_ends(s, &l->sets, ord, ends, max) : 0;
}

size_t scene_answer_ends(const struct scene *s, int run, uint32_t ord, size_t *ends, size_t max)
{
	const struct run *r = &s->snap->runs[run];
	size_t n = set_ends(s, &r->labels, ord, ends, max);

	return n > 1 || !max ? n : put_end(s, column_u(&r->label, ord), ends, 0);
}
