/* What a sample has, as conditions. */
#include <math.h>
#include <stdio.h>

#include "core/eval/truth.h"
#include "tui/app.h"
#include "tui/picks.h"

static char folded(char c)
{
	return c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

/* As the language compares names. */
static bool same_name(const char *a, const char *b)
{
	for (; *a && folded(*a) == folded(*b); a++)
		b++;
	return !*a && !*b;
}

/* A name that several classes bear means all of them: then the number or the wnid stands there. */
static void put_class(const struct snapshot *snap, uint64_t c, struct buf *out)
{
	const struct class_info *info = &snap->classes[c];
	bool shared = false;

	for (uint32_t i = 0; i < snap->n_classes && !shared; i++)
		shared = i != c && same_name(snap->classes[i].name, info->name);
	if (shared && info->index >= 0)
		buf_printf(out, "#%lld", (long long)info->index);
	else
		filter_put_value(out, str_z(shared && *info->wnid ? info->wnid : info->name));
}

static void add_class(struct app *app, const char *word, uint64_t c, const char *detail)
{
	const struct snapshot *snap = app->scene.snap;
	struct buf text = BUF_INIT;

	if (c >= snap->n_classes)
		return;
	buf_z(&text, word);
	put_class(snap, c, &text);
	picks_add(app, buf_cstr(&text), detail);
	buf_release(&text);
}

/* The classes of a layer of votes: those that nobody has more of. */
static void add_votes(struct app *app, const struct layer *l, uint32_t ord, struct buf *word,
		      const char *detail)
{
	const float *row = (const float *)l->votes.data + (size_t)ord * l->vote_width;
	float top = truth_top_vote(l, ord);

	for (uint32_t k = 0; k < l->vote_width; k++)
		if (top > 0 && row[k] >= top && l->vote_class[k] != UINT32_MAX)
			add_class(app, buf_cstr(word), l->vote_class[k], detail);
}

static void add_truth(struct app *app, int layer, uint32_t ord)
{
	const struct scene *s = &app->scene;
	const struct layer *l = &s->snap->layers[layer];
	struct buf word = BUF_INIT, detail = BUF_INIT;
	size_t from, n;

	if (column_u(&l->covered, ord) != 1)
		return;
	buf_z(&word, "gt");
	if (layer != s->lens.layer) {
		buf_ch(&word, '@');
		filter_put_value(&word, str_z(l->name));
	}
	buf_ch(&word, ':');
	buf_printf(&detail, "truth, %s", l->name);
	n = l->vote_width ? 0 : csr_row(&l->sets, ord, &from);
	for (size_t k = 0; k < n; k++)
		add_class(app, buf_cstr(&word), column_u(&l->sets.val, from + k), buf_cstr(&detail));
	if (truth_is_empty(s->snap, layer, ord)) {
		buf_z(&word, "(none)");
		picks_add(app, buf_cstr(&word), buf_cstr(&detail));
	} else if (l->vote_width) {
		add_votes(app, l, ord, &word, buf_cstr(&detail));
	}
	buf_release(&word);
	buf_release(&detail);
}

/* who: "" for a, "@b" for b. */
static void add_answer(struct app *app, int run, const char *who, uint32_t ord)
{
	const struct scene *s = &app->scene;
	const struct run *r;
	char word[32], detail[32];
	size_t from, n;
	uint64_t outcome, label;

	if (run < 0)
		return;
	r = &s->snap->runs[run];
	outcome = column_u(&r->outcome, ord);
	label = column_u(&r->label, ord);
	n = csr_row(&r->labels, ord, &from);
	snprintf(word, sizeof word, "pred%s:", who);
	snprintf(detail, sizeof detail, "answer of %s", *who ? "b" : "a");
	for (size_t k = 0; k < n; k++)
		add_class(app, word, column_u(&r->labels.val, from + k), detail);
	if (!n)
		add_class(app, word, label, detail);
	snprintf(word, sizeof word, "%s%s", verdict_word(scene_verdict(s, run, ord)), who);
	snprintf(detail, sizeof detail, "verdict of %s", *who ? "b" : "a");
	picks_add(app, word, detail);
	snprintf(word, sizeof word, "%s%s",
		 outcome_word(outcome < N_OUTCOMES ? (enum outcome)outcome : OUTCOME_MISSING), who);
	snprintf(detail, sizeof detail, "outcome of %s", *who ? "b" : "a");
	picks_add(app, word, detail);
}

static void add_flip(struct app *app, uint32_t ord)
{
	const struct scene *s = &app->scene;
	enum verdict a, b;

	if (s->a < 0 || s->b < 0)
		return;
	a = scene_verdict(s, s->a, ord);
	b = scene_verdict(s, s->b, ord);
	if (a == VERDICT_WRONG && b == VERDICT_RIGHT)
		picks_add(app, "regressed", "a against b");
	if (a == VERDICT_RIGHT && b == VERDICT_WRONG)
		picks_add(app, "improved", "a against b");
}

static void add_category(struct app *app, uint32_t ord)
{
	const struct scene *s = &app->scene;
	struct buf text = BUF_INIT;

	if (!s->category || s->category[ord] >= N_CATEGORIES)
		return;
	buf_printf(&text, "cat:%s", category_word((enum category)s->category[ord]));
	picks_add(app, buf_cstr(&text), "category");
	buf_release(&text);
}

static void add_value(struct app *app, const struct facet *f, uint64_t value)
{
	struct buf text = BUF_INIT;

	filter_put_facet(&text, f->name);
	if (value < f->n_values)
		filter_put_value(&text, str_z(f->values[value]));
	else
		buf_z(&text, "(none)");
	picks_add(app, buf_cstr(&text), f->name);
	buf_release(&text);
}

/* The shortest digits that read back as the same number. */
static void put_number(struct buf *out, double v)
{
	char digits[40];
	double back = NAN;

	for (int p = 6; p <= 17 && back != v; p++) {
		snprintf(digits, sizeof digits, "%.*g", p, v);
		if (!str_num(str_z(digits), &back))
			back = NAN;
	}
	buf_z(out, digits);
}

static void add_number(struct app *app, const struct facet *f, uint32_t ord)
{
	struct buf text = BUF_INIT;
	double v = column_f(&f->number, ord);

	if (!isfinite(v))
		return;
	filter_put_facet(&text, f->name);
	text.p[text.n - 1] = '='; /* instead of the colon */
	put_number(&text, v);
	picks_add(app, buf_cstr(&text), f->name);
	buf_release(&text);
}

static void add_facet(struct app *app, const struct facet *f, uint32_t ord)
{
	size_t from, n;

	if (f->numeric) {
		add_number(app, f, ord);
		return;
	}
	n = f->multi ? csr_row(&f->sets, ord, &from) : 0;
	for (size_t k = 0; k < n; k++)
		add_value(app, f, column_u(&f->sets.val, from + k));
	if (!f->multi)
		add_value(app, f, column_u(&f->value, ord));
	else if (!n)
		add_value(app, f, UINT64_MAX);
}

static void add_mine(struct app *app, uint32_t ord)
{
	const struct user_things *mine = app->scene.mine;
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; mine && i < mine->n_tags; i++) {
		if (!user_has_tag(&mine->tags[i], ord))
			continue;
		buf_clear(&text);
		buf_z(&text, "tag:");
		filter_put_value(&text, str_z(mine->tags[i].name));
		picks_add(app, buf_cstr(&text), "tag");
	}
	if (mine && mine->marked[ord])
		picks_add(app, "mark", "marked");
	if (mine && mine->notes[ord])
		picks_add(app, "note", "has a note");
	buf_release(&text);
}

void picks_of_sample(struct app *app, uint32_t ord)
{
	struct scene *s = &app->scene;
	const struct snapshot *snap = s->snap;

	scene_ready(s);
	if (s->lens.layer >= 0)
		add_truth(app, s->lens.layer, ord);
	for (uint32_t i = 0; i < snap->n_layers; i++)
		if ((int)i != s->lens.layer)
			add_truth(app, (int)i, ord);
	add_answer(app, s->a, "", ord);
	add_category(app, ord);
	add_answer(app, s->b, "@b", ord);
	add_flip(app, ord);
	for (uint32_t i = 0; i < snap->n_facets; i++)
		add_facet(app, &snap->facets[i], ord);
	add_mine(app, ord);
}
