#include "tui/view/home.h"

#include <stdio.h>

#include "tui/view/pen.h"
#include "tui/view/sign.h"

#define BARS_FROM     110 /* columns of the screen from which there is room for bars */
#define BAR_W         20
#define PROTOCOL_FROM 96
#define CATEGORIES_W  48
#define LEFT_MIN_W    10
#define LABEL_W       12
#define PICTURES_LINES 8

/* --- which lines there are --- */

size_t home_max_lines(const struct home_pages *p)
{
	return 19 + PICTURES_LINES + 3 * p->n_datasets + p->n_imports +
	       (p->scene->snap ? p->scene->snap->n_runs : 0) + p->shelf->n_saved + SHELF_SUGGESTIONS;
}

bool home_can_stand(const struct home_line *line)
{
	return line->kind == HOME_DATASET || line->kind == HOME_RUN || line->kind == HOME_SAVED ||
	       line->kind == HOME_SUGGESTED;
}

static void layers_text(const struct home_dataset *d, struct buf *out)
{
	char n[28];

	for (size_t i = 0; i < d->n_layers; i++)
		buf_printf(out, "%s%s %s", i ? " · " : "", d->layers[i].name,
			   count_text(d->layers[i].n_labelled, n));
	if (!d->n_layers)
		buf_z(out, "no labels");
}

static void categories_text(const struct home_dataset *d, struct buf *out)
{
	char n[28];

	for (int c = 0; d->survey && c < N_CATEGORIES; c++)
		if (d->survey->categories[c])
			buf_printf(out, "%s%s %s", out->n ? "  " : "", category_sign((enum category)c),
				   count_text(d->survey->categories[c], n));
	if (d->survey && d->survey->error)
		buf_z(out, d->survey->error);
}

struct dataset_columns {
	int name, samples, layers, categories; /* where each begins */
	int name_w, layers_w, categories_w;
};

static int wider(int w, int n)
{
	return n > w ? n : w;
}

/* Only layers that are compared make categories. Known before they are counted, so that no line
 * moves then. */
static bool has_categories(const struct home_dataset *d)
{
	return d->n_layers > 1;
}

static struct dataset_columns dataset_columns(const struct home_pages *p, int w)
{
	struct dataset_columns c = {.name = 2, .name_w = 8, .layers_w = 18};
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < p->n_datasets; i++) {
		c.name_w = wider(c.name_w, text_width(str_z(p->datasets[i].name.name)));
		buf_clear(&b);
		layers_text(&p->datasets[i], &b);
		c.layers_w = wider(c.layers_w, text_width(buf_view(&b)));
		if (has_categories(&p->datasets[i]))
			c.categories_w = CATEGORIES_W;
	}
	buf_release(&b);
	if (c.name_w > w * 3 / 10)
		c.name_w = wider(8, w * 3 / 10);
	c.samples = c.name + c.name_w + 2;
	c.layers = c.samples + 9 + 3;
	c.categories = c.layers + c.layers_w + 3;
	return c;
}

static size_t lay_datasets(const struct home_pages *p, struct home_line *out)
{
	size_t n = 0;

	out[n++] = (struct home_line){HOME_HEAD, 0, "datasets"};
	for (size_t i = 0; i < p->n_datasets; i++) {
		out[n++] = (struct home_line){HOME_DATASET, (int)i, NULL};
		if (p->below > 1)
			out[n++] = (struct home_line){HOME_LAYERS, (int)i, NULL};
		if (p->below && has_categories(&p->datasets[i]))
			out[n++] = (struct home_line){HOME_CATEGORIES, (int)i, NULL};
	}
	return n;
}

static size_t lay_runs(const struct home_pages *p, struct home_line *out)
{
	size_t n = 0;

	out[n++] = (struct home_line){HOME_BLANK, 0, NULL};
	out[n++] = (struct home_line){HOME_HEAD, 1, "runs"};
	for (uint32_t r = 0; r < p->scene->snap->n_runs; r++)
		out[n++] = (struct home_line){HOME_RUN, (int)r, NULL};
	if (!p->scene->snap->n_runs)
		out[n++] = (struct home_line){HOME_SAID, 0,
					      "no answers yet: qualm import FILE.qualm PREDICTIONS"};
	return n;
}

int home_said_width(int w)
{
	return w > LABEL_W + 3 ? w - LABEL_W - 3 : 1;
}

/* The k-th line of what is said about pictures; n = 0 behind the last. */
static struct str pictures_line(const char *said, int w, int k)
{
	struct str rest = str_z(said), line = STR_NONE;
	size_t skip;

	for (int i = 0; i <= k; i++) {
		line = (struct str){rest.p, text_wrap(rest, home_said_width(w), &skip)};
		rest = (struct str){rest.p + line.n + skip, rest.n - line.n - skip};
	}
	return line;
}

static size_t lay_pictures(const struct home_pages *p, int w, struct home_line *out)
{
	size_t n = 0;

	do
		out[n] = (struct home_line){HOME_PICTURES, (int)n, NULL};
	while (++n < PICTURES_LINES && pictures_line(p->pictures, w, (int)n).n);
	return n;
}

static size_t lay_filters(const struct home_pages *p, struct home_line *out)
{
	size_t n = 0, suggested = shelf_n_suggested(p->shelf);

	out[n++] = (struct home_line){HOME_BLANK, 0, NULL};
	out[n++] = (struct home_line){HOME_HEAD, 2, "saved filters"};
	for (size_t i = 0; i < p->shelf->n_saved; i++)
		out[n++] = (struct home_line){HOME_SAVED, (int)i, NULL};
	if (!p->shelf->n_saved)
		out[n++] = (struct home_line){HOME_SAID, 0, "none yet: @ lists them, s there saves what is shown"};
	if (suggested)
		out[n++] = (struct home_line){HOME_HEAD, 3, "suggested"};
	for (size_t k = 0; k < suggested; k++)
		out[n++] = (struct home_line){HOME_SUGGESTED, (int)k, NULL};
	return n;
}

size_t home_lay_lines(struct home_pages *p, int w, struct home_line *out)
{
	struct dataset_columns c = dataset_columns(p, w);
	size_t n;

	p->below = c.layers + c.layers_w > w - 1 ? 2 : c.categories + c.categories_w > w - 1;
	n = lay_datasets(p, out);
	if (p->scene->snap)
		n += lay_runs(p, out + n);
	if (p->scene->snap)
		n += lay_filters(p, out + n);
	out[n++] = (struct home_line){HOME_BLANK, 0, NULL};
	if (p->scene->mine)
		out[n++] = (struct home_line){HOME_MINE, 0, NULL};
	if (p->joined && *p->joined)
		out[n++] = (struct home_line){HOME_JOINED, 0, NULL};
	for (size_t i = 0; i < p->n_imports; i++)
		out[n++] = (struct home_line){HOME_WARNING, (int)i, NULL};
	if (!p->n_imports || p->more_imports)
		out[n++] = (struct home_line){HOME_WARNING, p->n_imports ? -2 : -1, NULL};
	return n + lay_pictures(p, w, out + n);
}

/* --- drawing --- */

struct brush {
	const struct home_pages *p;
	struct cells *grid;
	struct rect at;
	bool cursor;
};

static enum style tone(const struct brush *b, enum style style)
{
	if (!b->cursor)
		return style;
	return style == STYLE_DIM ? STYLE_CURSOR_DIM : STYLE_CURSOR;
}

static void put(const struct brush *b, int x, int w, enum style style, enum text_cut how,
		struct str s)
{
	struct buf cut = BUF_INIT;

	if (w <= 0 || x >= b->at.w)
		return;
	w = w > b->at.w - x ? b->at.w - x : w;
	text_cut(s, w, how, &cut);
	cells_put(b->grid, b->at.y, b->at.x + x, w, tone(b, style), buf_view(&cut));
	buf_release(&cut);
}

/* Ends before column x + w. */
static void put_right(const struct brush *b, int x, int w, enum style style, const char *text)
{
	int n = text_width(str_z(text));

	put(b, x + (n < w ? w - n : 0), w, style, CUT_END, str_z(text));
}

static void draw_categories(const struct brush *b, int at, int x)
{
	const struct home_dataset *d = &b->p->datasets[at];
	struct buf text = BUF_INIT;

	categories_text(d, &text);
	if (!d->survey)
		buf_z(&text, sign(SIGN_WAIT));
	put(b, x, b->at.w - x - 1, d->survey && !b->p->below ? STYLE_NORMAL : STYLE_DIM, CUT_END,
	    buf_view(&text));
	buf_release(&text);
}

static void draw_layers(const struct brush *b, int at, int x, enum style style)
{
	struct buf text = BUF_INIT;

	layers_text(&b->p->datasets[at], &text);
	put(b, x, b->at.w - x - 1, style, CUT_END, buf_view(&text));
	buf_release(&text);
}

static void draw_dataset(const struct brush *b, int at)
{
	const struct home_dataset *d = &b->p->datasets[at];
	struct dataset_columns c = dataset_columns(b->p, b->at.w);
	char n[28];

	put(b, c.name, c.name_w, at == b->p->current ? STYLE_BOLD : STYLE_NORMAL, CUT_MIDDLE,
	    str_z(d->name.name));
	put_right(b, c.samples, 9, STYLE_NORMAL, count_text(d->name.n_samples, n));
	if (b->p->below < 2)
		draw_layers(b, at, c.layers, STYLE_NORMAL);
	if (!b->p->below && has_categories(d))
		draw_categories(b, at, c.categories);
}

static void draw_below(const struct brush *b, enum home_kind kind, int at)
{
	int x = b->p->below == 1 ? dataset_columns(b->p, b->at.w).layers : 4;

	if (kind == HOME_LAYERS)
		draw_layers(b, at, x, STYLE_DIM);
	else
		draw_categories(b, at, x);
}

struct run_columns {
	int handle_w, protocol, accuracy, interval, n, bar, left; /* -1: not shown */
};

static struct run_columns run_columns(const struct home_pages *p, int w)
{
	const struct snapshot *snap = p->scene->snap;
	struct run_columns c = {.handle_w = 8};
	int protocol_w = 0, x, most = w < 60 ? w - 24 : w * 35 / 100;

	for (uint32_t r = 0; r < snap->n_runs; r++) {
		c.handle_w = wider(c.handle_w, text_width(str_z(snap->runs[r].handle)));
		protocol_w = wider(protocol_w, text_width(str_z(snap->runs[r].protocol)));
	}
	c.handle_w = c.handle_w > most ? wider(8, most) : c.handle_w;
	x = 4 + c.handle_w + 2;
	c.protocol = w >= PROTOCOL_FROM && protocol_w ? x : -1;
	if (c.protocol >= 0)
		x += (protocol_w > 14 ? 14 : wider(protocol_w, 8)) + 2; /* 8: its heading */
	c.accuracy = x + 1;
	x += 9;
	c.interval = w >= 60 ? x : -1;
	x += w >= 60 ? 15 : 0;
	c.n = x;
	x += 10;
	c.bar = w >= BARS_FROM ? x + 1 : -1;
	x += w >= BARS_FROM ? BAR_W + 3 : 2;
	c.left = x;
	return c;
}

static void left_text(const struct survey_run *run, struct buf *out)
{
	char n[28];

	for (int k = 0; k < N_LEFT_OUT; k++)
		if (run->left[k])
			buf_printf(out, "%s%s %s", out->n ? ", " : "", count_text(run->left[k], n),
				   left_out_word((enum left_out)k));
}

static void draw_bar(const struct brush *b, int x, double share)
{
	struct buf bar = BUF_INIT;

	bar_text(share, BAR_W, &bar);
	put(b, x, BAR_W, STYLE_BAR, CUT_END, buf_view(&bar));
	buf_release(&bar);
}

static void draw_counts(const struct brush *b, const struct run_columns *c,
			const struct survey_run *run)
{
	const struct tally *t = &run->tally;
	char text[64], n[28];
	struct buf left = BUF_INIT;
	double lo, hi;

	if (t->n) {
		tally_wilson(t, &lo, &hi);
		snprintf(text, sizeof text, "%.1f %%", 100 * tally_accuracy(t));
		put_right(b, c->accuracy, 7, STYLE_NORMAL, text);
		snprintf(text, sizeof text, "[%.1f, %.1f]", 100 * lo, 100 * hi);
		if (c->interval >= 0)
			put(b, c->interval, 15, STYLE_DIM, CUT_END, str_z(text));
		if (c->bar >= 0)
			draw_bar(b, c->bar, tally_accuracy(t));
	} else {
		put_right(b, c->accuracy, 7, STYLE_DIM, "none");
	}
	put_right(b, c->n, 9, STYLE_NORMAL, count_text(t->n, n));
	left_text(run, &left);
	if (b->at.w - c->left >= LEFT_MIN_W)
		put(b, c->left, b->at.w - c->left - 1, STYLE_DIM, CUT_END, buf_view(&left));
	buf_release(&left);
}

static void draw_run(const struct brush *b, int r)
{
	const struct scene *s = b->p->scene;
	const struct home_dataset *d = b->p->current >= 0 ? &b->p->datasets[b->p->current] : NULL;
	const struct survey *counted = d ? d->survey : NULL;
	struct run_columns c = run_columns(b->p, b->at.w);

	put(b, 2, 1, STYLE_BOLD, CUT_END, str_z(r == s->a ? "a" : r == s->b ? "b" : ""));
	put(b, 4, c.handle_w, r == s->a || r == s->b ? STYLE_BOLD : STYLE_NORMAL, CUT_START,
	    str_z(s->snap->runs[r].handle));
	if (c.protocol >= 0)
		put(b, c.protocol, c.accuracy - c.protocol - 2, STYLE_DIM, CUT_END,
		    str_z(s->snap->runs[r].protocol));
	if (!counted)
		put_right(b, c.accuracy, 7, STYLE_DIM, sign(SIGN_WAIT));
	else if (counted->error)
		put(b, c.accuracy, b->at.w - c.accuracy, STYLE_WARNING, CUT_END, str_z(counted->error));
	else if ((uint32_t)r < counted->n_runs)
		draw_counts(b, &c, &counted->runs[r]);
}

struct filter_columns {
	int name_w, count, filter;
};

static struct filter_columns filter_columns(const struct home_pages *p, int w)
{
	struct filter_columns c = {.name_w = 13}; /* of the heading */
	const struct shelf_item *item;
	int most = w * 45 / 100;

	for (size_t i = 0; i < p->shelf->n_saved; i++)
		c.name_w = wider(c.name_w, text_width(str_z(p->shelf->saved[i].name)));
	for (size_t k = 0; (item = shelf_suggestion(p->shelf, k)); k++)
		c.name_w = wider(c.name_w, text_width(str_z(item->name)));
	c.name_w = c.name_w > most ? wider(8, most) : c.name_w;
	c.count = 2 + c.name_w + 2;
	c.filter = c.count + 9 + 3;
	return c;
}

static void draw_filter(const struct brush *b, enum home_kind kind, int at)
{
	const struct shelf *shelf = b->p->shelf;
	const struct shelf_item *item = kind == HOME_SAVED ? &shelf->saved[at]
							   : shelf_suggestion(shelf, (size_t)at);
	struct filter_columns c = filter_columns(b->p, b->at.w);
	bool known = item->state_of_count == SHELF_COUNTED;
	const char *text = item->problem ? item->problem : *item->filter ? item->filter : "all samples";
	char n[28];

	put(b, 2, c.name_w, STYLE_NORMAL, CUT_END, str_z(item->name));
	put_right(b, c.count, 9, known ? STYLE_NORMAL : STYLE_DIM, shelf_count_text(item, n));
	if (b->at.w - c.filter >= LEFT_MIN_W)
		put(b, c.filter, b->at.w - c.filter - 1, STYLE_DIM, CUT_END, str_z(text));
}

static bool any_left_out(const struct home_pages *p)
{
	const struct survey *s = p->current >= 0 ? p->datasets[p->current].survey : NULL;

	for (uint32_t r = 0; s && r < s->n_runs; r++)
		if (s->runs[r].tally.excluded)
			return true;
	return false;
}

static void draw_head(const struct brush *b, const struct home_line *line)
{
	int w = b->at.w;

	put(b, 2, 20, STYLE_DIM, CUT_END, str_z(line->text));
	if (line->at == 0) {
		struct dataset_columns c = dataset_columns(b->p, w);

		put_right(b, c.samples, 9, STYLE_DIM, "samples");
		if (b->p->below > 1)
			return;
		put(b, c.layers, 18, STYLE_DIM, CUT_END, STR("layers (labelled)"));
		if (!b->p->below && c.categories_w)
			put(b, c.categories, w, STYLE_DIM, CUT_END, STR("categories"));
	} else if (line->at == 2) {
		put_right(b, filter_columns(b->p, w).count, 9, STYLE_DIM, "samples");
	} else if (line->at == 1 && b->p->scene->snap->n_runs) {
		struct run_columns c = run_columns(b->p, w);

		if (c.protocol >= 0)
			put(b, c.protocol, 9, STYLE_DIM, CUT_END, STR("protocol"));
		put(b, c.accuracy - 1, 9, STYLE_DIM, CUT_END, STR("accuracy"));
		if (c.interval >= 0)
			put(b, c.interval, 14, STYLE_DIM, CUT_END, STR("95 %"));
		put_right(b, c.n, 9, STYLE_DIM, "n");
		if (w - c.left >= LEFT_MIN_W && any_left_out(b->p))
			put(b, c.left, w - c.left, STYLE_DIM, CUT_END, STR("left out"));
	}
}

static struct str base_of(struct str path)
{
	for (size_t i = path.n; i > 0; i--)
		if (path.p[i - 1] == '/')
			return (struct str){path.p + i, path.n - i};
	return path;
}

static void counts_text(const struct import_row *r, struct buf *out)
{
	const char *const words[] = {"skipped", "unmatched", r->warnings == 1 ? "warning" : "warnings"};
	const uint64_t counts[] = {r->skipped, r->unmatched, r->warnings};
	char n[28];

	buf_printf(out, "%s %s", count_text(r->rows, n), r->rows == 1 ? "row" : "rows");
	for (int k = 0; k < 3; k++)
		if (counts[k])
			buf_printf(out, ", %s %s", count_text(counts[k], n), words[k]);
}

/* What looks off as a whole is said before counts and single rows, as lines are cut at their end. */
static void import_text(const struct import_row *r, int w, struct buf *out)
{
	text_cut(base_of(r->path), r->doubts.n ? w / 3 : w, CUT_MIDDLE, out);
	buf_z(out, ": ");
	if (r->doubts.n) {
		buf_str(out, r->doubts);
		buf_printf(out, " %s ", sign(SIGN_DOT));
	}
	counts_text(r, out);
	if (r->example.n) {
		buf_printf(out, " %s ", sign(SIGN_DOT));
		buf_str(out, r->example);
	}
}

static void draw_warning(const struct brush *b, int at)
{
	struct buf text = BUF_INIT;
	char n[28];

	if (at == 0 || at == -1)
		put(b, 2, LABEL_W, STYLE_DIM, CUT_END, STR("imports"));
	if (at == -2)
		buf_printf(&text, "and %s more %s with something to say", count_text(b->p->more_imports, n),
			   b->p->more_imports == 1 ? "file" : "files");
	else if (at < 0)
		buf_printf(&text, "%s %s, every row was used", count_text(b->p->n_files, n),
			   b->p->n_files == 1 ? "file" : "files");
	else
		import_text(&b->p->imports[at], b->at.w - LABEL_W - 3, &text);
	put(b, 2 + LABEL_W, b->at.w - LABEL_W - 3, at < 0 ? STYLE_NORMAL : STYLE_WARNING, CUT_END,
	    buf_view(&text));
	buf_release(&text);
}

static void draw_mine(const struct brush *b)
{
	const struct user_things *t = b->p->scene->mine;
	uint32_t tagged = 0;
	char n[3][28];
	struct buf text = BUF_INIT;

	for (uint32_t i = 0; i < t->n_tags; i++)
		tagged += t->tags[i].n;
	if (t->n_noted || tagged || t->n_marked)
		buf_printf(&text, "notes on %s sample%s %s %s tag%s %s %s marked",
			   count_text(t->n_noted, n[0]), t->n_noted == 1 ? "" : "s", sign(SIGN_DOT),
			   count_text(tagged, n[1]), tagged == 1 ? "" : "s", sign(SIGN_DOT),
			   count_text(t->n_marked, n[2]));
	else
		buf_z(&text, "no notes yet: c on a sample writes one, t tags it");
	if (b->p->adoptable) {
		buf_clear(&text);
		buf_printf(&text, "%s from when the project was read-only: :adopt takes them over",
			   count_text(b->p->adoptable, n[0]));
	}
	put(b, 2, LABEL_W, STYLE_DIM, CUT_END, STR("yours"));
	put(b, 2 + LABEL_W, b->at.w - LABEL_W - 3, STYLE_NORMAL, CUT_END, buf_view(&text));
	buf_release(&text);
}

void home_draw_line(const struct home_pages *p, size_t at, struct cells *grid, struct rect line)
{
	const struct home_line *l = &p->lines[at];
	struct brush b = {p, grid, line, (int)at == p->cursor};

	if (b.cursor) {
		cells_fill(grid, line, STYLE_CURSOR);
		cells_putz(grid, line.y, line.x, 1, STYLE_CURSOR, sign(SIGN_CURSOR));
	}
	switch (l->kind) {
	case HOME_BLANK:
		break;
	case HOME_HEAD:
		draw_head(&b, l);
		break;
	case HOME_DATASET:
		draw_dataset(&b, l->at);
		break;
	case HOME_LAYERS:
	case HOME_CATEGORIES:
		draw_below(&b, l->kind, l->at);
		break;
	case HOME_RUN:
		draw_run(&b, l->at);
		break;
	case HOME_SAVED:
	case HOME_SUGGESTED:
		draw_filter(&b, l->kind, l->at);
		break;
	case HOME_MINE:
		draw_mine(&b);
		break;
	case HOME_JOINED:
		put(&b, 2, LABEL_W, STYLE_DIM, CUT_END, STR("joined"));
		put(&b, 2 + LABEL_W, line.w - LABEL_W - 3, STYLE_NORMAL, CUT_END, str_z(p->joined));
		break;
	case HOME_WARNING:
		draw_warning(&b, l->at);
		break;
	case HOME_PICTURES:
		if (l->at == 0)
			put(&b, 2, LABEL_W, STYLE_DIM, CUT_END, STR("pictures"));
		put(&b, 2 + LABEL_W, line.w - LABEL_W - 3, STYLE_NORMAL, CUT_END,
		    pictures_line(p->pictures, line.w, l->at));
		break;
	case HOME_SAID:
		put(&b, 4, line.w - 5, STYLE_DIM, CUT_END, str_z(l->text));
		break;
	}
}
