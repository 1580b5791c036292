#include "tui/view/bar.h"

#include <stdio.h>

#include "core/base/xmalloc.h"
#include "tui/view/pen.h"
#include "tui/view/sign.h"

/* --- above --- */

static const char *n_word(enum n_policy n)
{
	return n == N_RIGHT ? " n=right" : n == N_EXCLUDE ? " n=exclude" : " n=wrong";
}

/* Only what the dataset can use and what is not the plain default is said. */
static void lens_text(const struct scene *s, struct buf *out)
{
	const struct lens *l = &s->lens;
	const struct lens plain = lens_default(s->snap);

	if (l->layer < 0) {
		buf_z(out, "no labels");
		return;
	}
	buf_z(out, s->snap->layers[l->layer].name);
	if (l->equiv)
		buf_z(out, " +equiv");
	if (l->n != plain.n)
		buf_z(out, n_word(l->n));
	if (l->abstain != plain.abstain)
		buf_z(out, l->abstain == ABSTAIN_EXCLUDE ? " abstain=exclude" : " abstain=wrong");
	if (s->snap->preset && s->snap->preset[0])
		buf_printf(out, " [%s]", s->snap->preset);
}

static void put_run(struct pen *p, const char *letter, const struct scene *s, int run, int w)
{
	if (run < 0)
		return;
	pen_printf(p, STYLE_STATUS, "  %s ", letter);
	pen_cut(p, w, STYLE_STATUS, CUT_START, str_z(s->snap->runs[run].handle));
}

static int handle_width(const struct scene *s, int run)
{
	return run < 0 ? 0 : text_width(str_z(s->snap->runs[run].handle));
}

/* --- what goes where --- */

#define RUN_MIN   6  /* columns of a run's name that still tell something */
#define RUN_LEAST 3  /* and without which it is left out */
#define TRAIL_MIN 14 /* of the filter */

struct top {
	const struct scene *s;
	struct buf counts, lens, trail;
	int dataset, trail_w, a, b; /* columns; 0: left out */
	int left;                   /* and those that nothing needs */
};

static int min_of(int a, int b)
{
	return a < b ? a : b;
}

/* A run's name with the gap and the letter before it. */
static int run_room(int w)
{
	return w ? w + 4 : 0;
}

/* Two names share the columns: the shorter one leaves its rest to the other. */
static void share_runs(struct top *t, int room)
{
	int half;

	if (t->a + t->b <= room)
		return;
	if (t->b && room < 2 * RUN_LEAST) { /* b goes, and its letter */
		t->b = 0;
		room += 4;
	}
	half = t->b ? room / 2 : room;
	if (t->a < half)
		t->b = room - t->a;
	else if (t->b < half)
		t->a = room - t->b;
	else
		t->a = half, t->b = t->b ? room - half : 0;
	t->a = min_of(t->a, room) < 2 ? 0 : min_of(t->a, room);
}

/* What counts and lens leave: first the dataset's name goes, then the filter is cut to what tells
 * something, then the runs' names are cut, and at last the filter again. */
static void share_out(struct top *t, int room)
{
	const struct scene *s = t->s;
	int name = text_width(str_z(s->snap->dataset)) + 2, trail, runs, least;

	trail = t->trail.n ? text_width(buf_view(&t->trail)) + 2 : 0;
	t->a = handle_width(s, s->a);
	t->b = handle_width(s, s->b);
	runs = run_room(t->a) + run_room(t->b);
	least = run_room(min_of(t->a, RUN_MIN)) + run_room(min_of(t->b, RUN_MIN));
	if (!trail)
		least = least + 12 > runs ? runs : least + 12;
	if (name + trail + least <= room) {
		t->dataset = name - 2;
		room -= name;
	}
	if (trail + runs > room)
		trail = min_of(trail, room - least > TRAIL_MIN + 2 ? room - least : TRAIL_MIN + 2);
	if (trail > room)
		trail = room > 6 ? room : 0;
	share_runs(t, room - trail - (t->a ? 4 : 0) - (t->b ? 4 : 0));
	t->trail_w = trail ? trail - 2 : 0;
	t->left = room - trail - run_room(t->a) - run_room(t->b);
}

/* "145/1,000", the second: the population that shares are of. */
static void counts_text(const struct scene *s, struct buf *out)
{
	char n[28];

	if (scene_shown(s) != s->n_base || s->partial)
		buf_printf(out, "%s%s/", count_text(scene_shown(s), n), s->partial ? "+" : "");
	buf_z(out, count_text(s->n_base, n));
	if (s->mine && s->mine->n_marked)
		buf_printf(out, "  %s%s marked", sign(SIGN_MARKED), count_text(s->mine->n_marked, n));
	if (s->read_only)
		buf_z(out, "  read-only");
}

static void trail_text(const struct scene *s, struct buf *out)
{
	buf_z(out, s->trail ? s->trail : "");
	if (s->filter && s->filter_off)
		buf_z(out, " (off)");
	if (s->narrowing || s->sorting)
		buf_printf(out, "%s%s", out->n ? " " : "", sign(SIGN_WAIT));
}

/* A filter that is set aside says so in its last letters, which no cut takes. */
static void put_trail(struct pen *p, const struct top *t)
{
	struct str text = buf_view(&t->trail);
	bool off = t->s->filter && t->s->filter_off;

	pen_cut(p, t->trail_w, off ? STYLE_STATUS_DIM : STYLE_STATUS, CUT_MIDDLE, text);
	pen_putz(p, STYLE_STATUS, "  ");
}

static void put_top(struct pen *p, const struct top *t)
{
	const struct scene *s = t->s;

	if (t->dataset > 0) {
		pen_cut(p, t->dataset, STYLE_STATUS, CUT_MIDDLE, str_z(s->snap->dataset));
		pen_putz(p, STYLE_STATUS, "  ");
	}
	pen_put(p, STYLE_STATUS, buf_view(&t->counts));
	pen_putz(p, STYLE_STATUS, "  ");
	if (t->trail_w)
		put_trail(p, t);
	p->x += t->left > 0 ? t->left : 0;
	pen_put(p, lens_eq(&s->lens, &s->preset) ? STYLE_STATUS : STYLE_LENS, buf_view(&t->lens));
	if (t->a)
		put_run(p, "a", s, s->a, t->a);
	if (t->b)
		put_run(p, "b", s, s->b, t->b);
}

void bar_top(struct cells *grid, struct rect line, const struct scene *scene, char digit)
{
	struct pen p = {grid, line, 0, 1};
	struct top t = {.s = scene};
	int fixed;

	cells_fill(grid, line, STYLE_STATUS);
	if (!scene->snap) {
		pen_putz(&p, STYLE_STATUS, "no dataset yet");
		return;
	}
	counts_text(scene, &t.counts);
	lens_text(scene, &t.lens);
	trail_text(scene, &t.trail);
	fixed = text_width(buf_view(&t.counts)) + 2 + text_width(buf_view(&t.lens));
	share_out(&t, line.w - 1 - fixed - (digit ? 5 : 3));
	put_top(&p, &t);
	if (digit)
		pen_right(&p, STYLE_STATUS, (struct str){(char[]){digit, ' '}, 2});
	buf_release(&t.counts);
	buf_release(&t.lens);
	buf_release(&t.trail);
}

/* --- below --- */

static int hint_width(struct str keys, const char *label)
{
	return text_width(keys) + 1 + text_width(str_z(label)) + 2;
}

static void put_hints(struct pen *p, const struct bar_bottom *bar, int limit)
{
	for (const struct hint *h = bar->hints; h && h->command; h++) {
		struct buf keys = BUF_INIT;

		if (keymap_keys(bar->keys, bar->mode, h->command, 1, &keys) &&
		    p->x + hint_width(buf_view(&keys), h->label) <= limit) {
			pen_put(p, STYLE_KEYS, buf_view(&keys));
			pen_printf(p, STYLE_DIM, " %s  ", h->label);
		}
		buf_release(&keys);
	}
}

void bar_bottom(struct cells *grid, struct rect line, const struct bar_bottom *bar)
{
	struct pen p = {grid, line, 0, 1};
	int place = text_width(bar->place);
	int limit = line.w - (place ? place + 2 : 1);

	cells_fill(grid, line, STYLE_NORMAL);
	if (bar->message.n) {
		pen_cut(&p, line.w - 2, bar->message_style, CUT_END, bar->message);
		limit = p.x + 1 < limit ? limit : 0;
	} else {
		put_hints(&p, bar, limit);
	}
	if (place && limit > 0) {
		p.x = line.w - place - 1;
		pen_put(&p, STYLE_DIM, bar->place);
	}
}

void bar_pending(struct cells *grid, struct rect line, const struct keymap *keys, enum mode mode,
		 const uint32_t *key, int n)
{
	struct pen p = {grid, line, 0, 1};
	struct buf name = BUF_INIT;

	cells_fill(grid, line, STYLE_NORMAL);
	keymap_name(key, n, &name);
	pen_put(&p, STYLE_KEYS, buf_view(&name));
	pen_printf(&p, STYLE_DIM, " %s  ", sign(SIGN_WAIT));
	for (size_t i = 0; i < keys->bindings.n; i++) {
		const struct binding *b = &keys->bindings.v[i];

		if (b->n <= n || memcmp(b->key, key, (size_t)n * sizeof *key) != 0 ||
		    !keymap_valid(keys, mode, b))
			continue;
		buf_clear(&name);
		keymap_name(b->key + n, b->n - n, &name);
		pen_put(&p, STYLE_KEYS, buf_view(&name));
		pen_printf(&p, STYLE_DIM, " %s  ", b->command);
	}
	buf_release(&name);
}
