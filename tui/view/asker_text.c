#include "tui/view/asker.h"

#include <math.h>

#include "tui/app.h"
#include "tui/view/pen.h"
#include "tui/view/preview_text.h"
#include "tui/view/sign.h"

#define LABEL_W	     10
#define PROMPT_LINES 200
#define FEW_LINES    6 /* of the prompt, where answers follow */
#define RAW_LINES    3 /* of an answer that was given before */

struct writer {
	const struct asker_text *t;
	struct pen pen;
};

static void label(struct writer *w, const char *name)
{
	pen_putz(&w->pen, STYLE_DIM, name);
	w->pen.x = LABEL_W;
}

/* The key that changes it stands at the right. */
static void value(struct writer *w, const char *name, const char *text, const char *more, int row)
{
	const char *key = row < N_ASKER_ROWS ? w->t->keys[row] : "";
	int room = w->pen.area.w - LABEL_W - (*key ? text_width(str_z(key)) + 1 : 0);
	int wide = text_width(str_z(text));

	label(w, name);
	pen_cut(&w->pen, room, STYLE_NORMAL, CUT_END, str_z(text));
	if (*more && room - wide > 4) {
		pen_putz(&w->pen, STYLE_NORMAL, "  ");
		pen_cut(&w->pen, room - wide - 2, STYLE_DIM, CUT_END, str_z(more));
	}
	pen_right(&w->pen, STYLE_KEYS, str_z(key));
	pen_line(&w->pen);
}

static void wrap(struct writer *w, int indent, int max, enum style style, struct span span, struct str s)
{
	int y = w->pen.y;

	pen_wrap(&w->pen, indent, max, style, span, s);
	if (w->pen.y == y)
		pen_line(&w->pen);
}

/* Is the answer that came last about this sample? */
static bool is_live(const struct asker_text *t)
{
	const struct asking_live *l = &t->asking->live;

	return l->state != ASKING_NOTHING && l->ord == t->scene->current && l->dataset == t->scene->snap->dataset_id;
}

/* --- what would be sent --- */

static void put_model(struct writer *w)
{
	const struct endpoint *e = w->t->asking->endpoint;

	if (!e) {
		value(w, "model", "no endpoint is configured", "", ASKER_MODEL);
		return;
	}
	value(w, "model", e->model ? e->model : "none is named", e->name, ASKER_MODEL);
}

static void put_offer(struct writer *w)
{
	const struct asking *a = w->t->asking;
	const struct asking_look *l = &a->look;
	struct buf text = BUF_INIT, more = BUF_INIT;
	char n[28];

	asking_offer_text(a, &text);
	if (l->valid && !l->error && strstr(a->protocol->needs, "classes"))
		buf_printf(&more, "%s classes", count_text(l->n_classes, n));
	else if (l->valid && !l->error && strstr(a->protocol->needs, "options"))
		buf_printf(&more, "%s options", count_text(l->n_classes, n));
	value(w, "offered", buf_cstr(&text), buf_cstr(&more), ASKER_OFFER);
	buf_release(&text);
	buf_release(&more);
}

static void put_size(struct writer *w)
{
	const struct asking_look *l = &w->t->asking->look;
	struct buf text = BUF_INIT, bytes = BUF_INIT;
	char n[28];
	bool fits;

	buf_printf(&text, "about %s of text", count_text((uint64_t)l->text_tokens, n));
	if (l->picture_tokens > 0)
		buf_printf(&text, " + %s of picture", count_text((uint64_t)l->picture_tokens, n));
	else if (l->picture)
		buf_z(&text, " and the picture's");
	buf_printf(&bytes, "%s of text", bytes_text(l->text_bytes, n));
	fits = LABEL_W + text_width(buf_view(&text)) + text_width(buf_view(&bytes)) + 2 <= w->pen.area.w;
	value(w, "tokens", buf_cstr(&text), fits ? buf_cstr(&bytes) : "", N_ASKER_ROWS);
	buf_release(&text);
	buf_release(&bytes);
}

static void put_where(struct writer *w)
{
	const struct endpoint *e = w->t->asking->endpoint;
	struct str host = endpoint_host(e);
	struct buf text = BUF_INIT, key = BUF_INIT;

	buf_str(&text, host);
	endpoint_key_source(e, &key);
	value(w, "goes to", buf_cstr(&text), buf_cstr(&key), N_ASKER_ROWS);
	buf_release(&text);
	buf_release(&key);
}

static void put_run(struct writer *w)
{
	const struct asking_look *l = &w->t->asking->look;

	value(w, "kept as", l->handle, l->known ? "the same was asked before: once more" : "a scratch run",
	      N_ASKER_ROWS);
	if (!l->unlike)
		return;
	label(w, "stored");
	wrap(w, LABEL_W, 5, STYLE_DIM, (struct span){0}, str_z(l->unlike));
}

static void put_choice(struct writer *w)
{
	const struct asking *a = w->t->asking;
	char text[64];

	put_model(w);
	value(w, "protocol", a->protocol->name, a->protocol->help, ASKER_PROTOCOL);
	put_offer(w);
	value(w, "prompt", a->prompt ? "your own" : "the protocol's own", "", ASKER_PROMPT);
	if (a->repeats > 1) {
		snprintf(text, sizeof text, "%u times", a->repeats);
		value(w, "ask", text, "each in a run of its own", ASKER_REPEATS);
	}
}

/* What was done to the file is never cut off. */
static void put_picture(struct writer *w)
{
	const struct asking_look *l = &w->t->asking->look;
	const char *change = l->change ? l->change : "", *picture = l->picture ? l->picture : "none";
	int wide = text_width(str_z(picture)) + text_width(str_z(change));
	bool fits = LABEL_W + wide + 4 <= w->pen.area.w;

	value(w, "picture", picture, fits ? change : "", ASKER_CROP);
	if (fits || !*change)
		return;
	w->pen.x = LABEL_W;
	wrap(w, LABEL_W, 3, STYLE_DIM, (struct span){0}, str_z(change));
}

static void put_plan(struct writer *w)
{
	const struct asking *a = w->t->asking;
	const struct asking_look *l = &a->look;

	put_choice(w);
	if (l->error) {
		label(w, "picture");
		pen_right(&w->pen, STYLE_KEYS, str_z(w->t->keys[ASKER_CROP]));
		pen_line(&w->pen);
		wrap(w, 0, 8, STYLE_WARNING, (struct span){0}, str_z(l->error));
		return;
	}
	if (!l->valid) {
		value(w, "picture", sign(SIGN_WAIT), "", ASKER_CROP);
		return;
	}
	put_picture(w);
	put_size(w);
	put_where(w);
	put_run(w);
	pen_line(&w->pen);
	wrap(w, 0, !is_live(w->t) && w->t->n_asked ? FEW_LINES : PROMPT_LINES, STYLE_DIM, (struct span){0}, str_trim(str_z(l->prompt)));
}

/* --- the answer --- */

static void put_numbers(double latency, int64_t tokens, struct buf *out)
{
	if (latency >= 0)
		buf_printf(out, latency < 1000 ? "%.0f ms" : "%.1f s", latency < 1000 ? latency : latency / 1000);
	if (tokens >= 0)
		buf_printf(out, "%s%lld token%s", out->n ? ", " : "", (long long)tokens, tokens == 1 ? "" : "s");
}

static int run_of(const struct asker_text *t, const char *handle)
{
	const struct snapshot *snap = t->scene->snap;

	for (uint32_t r = 0; r < snap->n_runs; r++)
		if (strcmp(snap->runs[r].handle, handle) == 0 && !snap->runs[r].later &&
		    column_u(&snap->runs[r].outcome, t->scene->current) != OUTCOME_MISSING)
			return (int)r;
	return -1;
}

/* Of an answer without a class the outcome stands there already. */
static bool says_more(enum mark m)
{
	return m == MARK_RIGHT || m == MARK_WRONG || m == MARK_N || m == MARK_UNCOUNTED;
}

static void put_verdict(struct writer *w, int run, const char *handle)
{
	const struct scene *s = w->t->scene;
	enum mark m = scene_mark(s, run, s->current);
	struct buf text = BUF_INIT;

	scene_answer(s, run, s->current, &text);
	pen_putz(&w->pen, mark_style(m), mark_glyph(m));
	pen_putz(&w->pen, STYLE_NORMAL, " ");
	pen_cut(&w->pen, w->pen.area.w / 2, m == MARK_RIGHT ? STYLE_RIGHT : STYLE_BOLD, CUT_END, buf_view(&text));
	pen_printf(&w->pen, STYLE_DIM, "  %s%s", says_more(m) ? mark_word(m) : "", says_more(m) ? "  " : "");
	pen_cut(&w->pen, w->pen.area.w, STYLE_DIM, CUT_START, str_z(handle));
	buf_release(&text);
}

#define FAILED       " did not answer"
#define FAILED_WIDTH ((int)sizeof FAILED - 1)

static void put_state(struct writer *w)
{
	const struct asker_text *t = w->t;
	const struct asking_live *l = &t->asking->live;
	struct buf numbers = BUF_INIT;
	int run = run_of(t, l->handle);

	switch (l->state) {
	case ASKING_NOW:
		pen_printf(&w->pen, STYLE_BOLD, "%s %s ", sign(SIGN_WAIT), l->model);
		pen_putz(&w->pen, STYLE_NORMAL, l->wait_s > 0 ? "asks to wait" : l->text.n ? "is answering" : "is asked");
		if (l->repeats > 1)
			pen_printf(&w->pen, STYLE_DIM, " (%u of %u)", l->repeat + 1, l->repeats);
		break;
	case ASKING_STOPPED:
		pen_putz(&w->pen, STYLE_WARNING, "stopped; nothing is kept");
		break;
	case ASKING_FAILED:
		pen_cut(&w->pen, w->pen.area.w - FAILED_WIDTH, STYLE_BOLD, CUT_END, str_z(l->model));
		pen_putz(&w->pen, STYLE_BOLD, FAILED);
		break;
	default:
		if (run >= 0)
			put_verdict(w, run, l->handle);
		else
			pen_printf(&w->pen, STYLE_BOLD, "%s %s", sign(SIGN_WAIT), outcome_word(l->outcome));
		put_numbers(l->latency_ms, l->tokens, &numbers);
	}
	pen_line(&w->pen);
	if (numbers.n) {
		pen_put(&w->pen, STYLE_DIM, buf_view(&numbers));
		if (l->first_ms >= 0 && l->first_ms < l->latency_ms * 0.9)
			pen_printf(&w->pen, STYLE_DIM, ", first words after %.0f ms", l->first_ms);
		pen_line(&w->pen);
	}
	buf_release(&numbers);
}

/* By which rule the marked part was taken, and what is doubtful about it. */
static void put_rule(struct writer *w)
{
	const struct asking_live *l = &w->t->asking->live;

	if (l->state != ASKING_ANSWERED)
		return;
	pen_printf(&w->pen, STYLE_DIM, "%s%s", l->rule && *l->rule ? "taken as " : "no rule fits",
		   l->rule ? l->rule : "");
	if (l->flag)
		pen_printf(&w->pen, STYLE_WARNING, "  %s", l->flag);
	pen_line(&w->pen);
}

static void put_live(struct writer *w)
{
	const struct asking_live *l = &w->t->asking->live;
	char n[28];

	put_state(w);
	if (l->state == ASKING_ANSWERED && w->t->live_how.n)
		wrap(w, 2, 2, STYLE_DIM, (struct span){0}, w->t->live_how);
	if (l->waits.n && l->state == ASKING_NOW)
		wrap(w, 2, 4, STYLE_WARNING, (struct span){0}, buf_view(&l->waits));
	if (l->thought.n) {
		pen_printf(&w->pen, STYLE_DIM, "  thought %s characters", count_text(l->thought.n, n));
		pen_line(&w->pen);
	}
	if (l->text.n)
		wrap(w, 2, 100000, STYLE_NORMAL, (struct span){l->span_at, l->span_n, STYLE_MATCH},
		     buf_view(&l->text));
	if (l->error.n)
		wrap(w, 2, 10, STYLE_WARNING, (struct span){0}, buf_view(&l->error));
	put_rule(w);
	pen_line(&w->pen);
}

/* --- answers that are there --- */

static struct span taken(const struct asked *a)
{
	size_t at = a->extracted.n ? str_find(a->raw, a->extracted) : SIZE_MAX;

	return at == SIZE_MAX ? (struct span){0} : (struct span){at, a->extracted.n, STYLE_MATCH};
}

/* Nothing more was said than the class's name. */
static bool is_bare(const struct scene *s, const struct asked *a)
{
	struct buf name = BUF_INIT;
	bool bare;

	scene_answer(s, a->run, s->current, &name);
	bare = str_eq_nocase(str_trim(a->raw), buf_view(&name));
	buf_release(&name);
	return bare;
}

static void put_asked(struct writer *w)
{
	const struct asker_text *t = w->t;

	for (size_t i = 0; i < t->n_asked; i++) {
		const struct asked *a = &t->asked[i];

		put_verdict(w, a->run, t->scene->snap->runs[a->run].handle);
		pen_line(&w->pen);
		if (a->how.n)
			wrap(w, 2, 2, STYLE_DIM, (struct span){0}, a->how);
		if (a->error.n)
			wrap(w, 2, RAW_LINES, STYLE_WARNING, (struct span){0}, a->error);
		else if (a->raw.n && !is_bare(t->scene, a))
			wrap(w, 2, RAW_LINES, STYLE_NORMAL, taken(a), a->raw);
	}
	if (t->n_more) {
		pen_printf(&w->pen, STYLE_DIM, "and %zu older ones", t->n_more);
		pen_line(&w->pen);
	}
	if (t->n_asked)
		pen_line(&w->pen);
}

static void put_stored(struct writer *w)
{
	const struct scene *s = w->t->scene;
	struct group *g;
	int n;

	if (!w->t->stored || !s->n_panel)
		return;
	g = xcalloc((size_t)s->n_panel, sizeof *g);
	n = preview_groups(s, s->current, g);
	for (int i = 0; i < n && i < 4; i++) {
		put_verdict(w, g[i].run[0], s->snap->runs[g[i].run[0]].handle);
		if (g[i].n > 1)
			pen_printf(&w->pen, STYLE_DIM, " and %d more", g[i].n - 1);
		pen_line(&w->pen);
	}
	free(g);
	pen_line(&w->pen);
}

int asker_text_coming(const struct asker_text *t, struct rect area)
{
	struct writer w = {t, {NULL, area, 0, 0}};

	if (!is_live(t) || t->asking->live.state != ASKING_NOW)
		return 0;
	pen_line(&w.pen);
	put_live(&w);
	return w.pen.y - 1; /* without the blank line behind it */
}

int asker_text_draw(const struct asker_text *t, struct cells *grid, struct rect area)
{
	struct writer w = {t, {grid, area, -t->skip, 0}};

	pen_cut(&w.pen, area.w, STYLE_BOLD, CUT_START, t->key);
	pen_line(&w.pen);
	if (is_live(t))
		put_live(&w);
	if (!is_live(t)) {
		put_plan(&w);
		pen_line(&w.pen);
	}
	put_asked(&w);
	put_stored(&w);
	if (is_live(t))
		put_plan(&w);
	return w.pen.y + t->skip;
}
