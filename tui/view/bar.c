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

struct top_widths {
	int dataset, a, b;
};

/* What is left after counts, lens and digit goes to the run names, then to the dataset's. */
static struct top_widths share_out(const struct scene *s, int left)
{
	struct top_widths w = {0, handle_width(s, s->a), handle_width(s, s->b)};
	int name = text_width(str_z(s->snap->dataset)), half;

	left -= (s->a >= 0 ? 4 : 0) + (s->b >= 0 ? 4 : 0);
	if (w.a + w.b + name + 2 <= left) {
		w.dataset = name;
		return w;
	}
	if (name + 2 + 24 <= left) {
		w.dataset = name;
		left -= name + 2;
	}
	half = s->b < 0 ? left : left / 2;
	if (w.a > half && w.b < half)
		w.a = left - w.b;
	else if (w.b > half && w.a < half)
		w.b = left - w.a;
	w.a = w.a > half && w.b >= half ? half : w.a;
	w.b = w.a + w.b > left ? left - w.a : w.b;
	return w;
}

void bar_top(struct cells *grid, struct rect line, const struct scene *scene, char digit)
{
	struct pen p = {grid, line, 0, 1};
	struct buf lens = BUF_INIT;
	char shown[28], all[28], counts[128];
	struct top_widths w;
	int left;

	cells_fill(grid, line, STYLE_STATUS);
	if (!scene->snap) {
		pen_putz(&p, STYLE_STATUS, "no dataset yet");
		return;
	}
	count_text(scene_shown(scene), shown);
	count_text(scene->n_base, all);
	if (scene_shown(scene) == scene->n_base && !scene->partial)
		snprintf(counts, sizeof counts, "%s", all);
	else
		snprintf(counts, sizeof counts, "%s%s/%s", shown, scene->partial ? "+" : "", all);
	if (scene->mine && scene->mine->n_marked)
		snprintf(counts + strlen(counts), 48, "  %s%s marked", sign(SIGN_MARKED),
			 count_text(scene->mine->n_marked, all));
	lens_text(scene, &lens);
	left = line.w - 1 - text_width(str_z(counts)) - 2 - text_width(buf_view(&lens)) - (digit ? 5 : 3);
	w = share_out(scene, left);
	if (w.dataset > 0) {
		pen_cut(&p, w.dataset, STYLE_STATUS, CUT_MIDDLE, str_z(scene->snap->dataset));
		pen_putz(&p, STYLE_STATUS, "  ");
	}
	pen_putz(&p, STYLE_STATUS, counts);
	left -= w.dataset + (w.dataset > 0 ? 2 : 0) + w.a + w.b + (scene->a >= 0 ? 4 : 0) +
		(scene->b >= 0 ? 4 : 0);
	p.x += 2 + (left > 0 ? left : 0);
	pen_put(&p, lens_eq(&scene->lens, &scene->preset) ? STYLE_STATUS : STYLE_LENS,
		buf_view(&lens));
	if (w.a > 1)
		put_run(&p, "a", scene, scene->a, w.a);
	if (w.b > 1)
		put_run(&p, "b", scene, scene->b, w.b);
	if (digit)
		pen_right(&p, STYLE_STATUS, (struct str){(char[]){digit, ' '}, 2});
	buf_release(&lens);
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
