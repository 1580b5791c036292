#include "tui/view/order.h"

#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "tui/view/scene.h"

#define LAST UINT64_MAX /* the key of what has no value */

struct sort_column {
	const char *name, *title, *help;
};

static const struct sort_column columns[N_SORTS] = {
#define X(id, name, title, help) {name, title, help},
    SORTS(X)
#undef X
};

const char *sort_name(enum sort_by by)
{
	return columns[by].name;
}

const char *sort_title(enum sort_by by)
{
	return columns[by].title;
}

const char *sort_help(enum sort_by by)
{
	return columns[by].help;
}

bool sort_is_judged(const struct sort *sort)
{
	return sort->by == SORT_TRUTH || sort->by == SORT_ANSWER || sort->by == SORT_VERDICT ||
	       sort_is_of_panel(sort->by) || sort->by == SORT_CATEGORY || sort_is_number(sort->by);
}

bool sort_is_of_panel(enum sort_by by)
{
	return by == SORT_PANEL || by == SORT_DIFFICULTY;
}

bool sort_is_number(enum sort_by by)
{
	return by >= SORT_SCORE && by <= SORT_STEPS;
}

bool sort_takes_run(enum sort_by by)
{
	return by == SORT_ANSWER || by == SORT_VERDICT || sort_is_number(by);
}

int sort_run(const struct scene *s, const struct sort *sort)
{
	if (!sort_takes_run(sort->by))
		return -1;
	return sort->of && sort->of <= snapshot_answerers(s->snap) ? (int)sort->of - 1 : s->a;
}

static bool by_name_of_column(struct str name, struct sort *out)
{
	for (int k = 0; k < SORT_FACET; k++)
		if (str_eqz(name, columns[k].name)) {
			*out = (struct sort){.by = (enum sort_by)k, .facet = -1};
			return true;
		}
	return false;
}

/* "answer@RUN", "truth@LAYER". */
static bool by_name_and_who(struct str text, const struct snapshot *snap, struct sort *out)
{
	struct str name, who = str_cut(text, '@', &name);
	int of = -1;

	if (!who.n || !by_name_of_column(name, out))
		return false;
	if (sort_takes_run(out->by))
		of = snapshot_run(snap, who);
	else if (out->by == SORT_TRUTH)
		of = snapshot_layer(snap, who);
	out->of = of < 0 ? 0 : (uint32_t)of + 1;
	return of >= 0;
}

bool sort_parse(struct str text, const struct snapshot *snap, struct sort *out)
{
	struct str name = str_trim(text);
	bool down = str_ends(name, STR(" down"));

	if (down)
		name = str_trim((struct str){name.p, name.n - 5});
	if (!by_name_of_column(name, out) && !by_name_and_who(name, snap, out)) {
		if (name.n > 1 && name.p[0] == '.')
			name = (struct str){name.p + 1, name.n - 1};
		*out = (struct sort){.by = SORT_FACET,
				     .facet = name.n ? snapshot_facet(snap, name) : -1};
	}
	out->down = down;
	return out->by != SORT_FACET || out->facet >= 0;
}

/* A facet that has the name of a column is told from it by a dot. */
static void put_facet_name(const char *name, struct buf *out)
{
	struct sort other;

	buf_printf(out, "%s%s", by_name_of_column(str_z(name), &other) ? "." : "", name);
}

void sort_format(const struct sort *sort, const struct snapshot *snap, struct buf *out)
{
	if (sort->by == SORT_FACET)
		put_facet_name(snap->facets[sort->facet].name, out);
	else
		buf_z(out, sort_name(sort->by));
	if (sort->of && sort->by == SORT_TRUTH)
		buf_printf(out, "@%s", snap->layers[sort->of - 1].name);
	else if (sort->of)
		buf_printf(out, "@%s", snap->runs[sort->of - 1].handle);
	if (sort->down)
		buf_z(out, " down");
}

/* --- sorting --- */

/* By bytes from the lowest, each pass stable; a byte that is the same in all keys costs a look. */
void order_by_keys(const uint64_t *key, uint32_t n, uint32_t *out)
{
	uint32_t *other = xcalloc((size_t)n + 1, sizeof *other), *from = out, *to = other;
	uint64_t same = 0;

	for (uint32_t i = 0; i < n; i++) {
		out[i] = i;
		same |= key[i] ^ key[0];
	}
	for (int shift = 0; shift < 64; shift += 8) {
		uint32_t start[257] = {0}, *swap = from;

		if (!(same >> shift & 0xff))
			continue;
		for (uint32_t i = 0; i < n; i++)
			start[(key[i] >> shift & 0xff) + 1]++;
		for (int b = 0; b < 256; b++)
			start[b + 1] += start[b];
		for (uint32_t i = 0; i < n; i++)
			to[start[key[from[i]] >> shift & 0xff]++] = from[i];
		from = to;
		to = swap;
	}
	if (from != out)
		memcpy(out, from, (size_t)n * sizeof *out);
	free(other);
}

uint64_t order_key(double v)
{
	uint64_t bits;

	if (isnan(v))
		return LAST;
	v = v == 0 ? 0 : v; /* no -0 */
	memcpy(&bits, &v, sizeof bits);
	return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

/* --- keys --- */

struct named {
	const char *name;
	uint32_t at;
};

static int by_name(const void *a, const void *b)
{
	const struct named *x = a, *y = b;
	int c = strcmp(x->name, y->name);

	return c ? c : x->at < y->at ? -1 : 1;
}

/* rank[i]: the place of names[i] among them; equal names, equal ranks. */
static uint32_t *rank_names(struct named *v, uint32_t n)
{
	uint32_t *rank = xcalloc((size_t)n + 1, sizeof *rank);

	qsort(v, n, sizeof *v, by_name);
	for (uint32_t i = 0; i < n; i++)
		rank[v[i].at] = i && strcmp(v[i].name, v[i - 1].name) == 0 ? rank[v[i - 1].at] : i;
	return rank;
}

static uint32_t *rank_classes(const struct snapshot *snap)
{
	struct named *v = xcalloc((size_t)snap->n_classes + 1, sizeof *v);
	uint32_t *rank;

	for (uint32_t i = 0; i < snap->n_classes; i++)
		v[i] = (struct named){snap->classes[i].name, i};
	rank = rank_names(v, snap->n_classes);
	free(v);
	return rank;
}

static void truth_keys(const struct scene *s, uint32_t layer_no, uint64_t *key)
{
	const struct snapshot *snap = s->snap;
	uint32_t *rank = rank_classes(snap);
	int layer = layer_no && layer_no <= snap->n_layers ? (int)layer_no - 1 : s->lens.layer;

	for (uint32_t i = 0; i < snap->n; i++) {
		uint32_t c = scene_class_in(s, layer, i);

		key[i] = c < snap->n_classes ? rank[c] : c == SCENE_NO_CLASS ? snap->n_classes : LAST;
	}
	free(rank);
}

/* Outcomes without a class follow the classes, each kind together. */
static void answer_keys(const struct scene *s, int run, uint64_t *key)
{
	const struct snapshot *snap = s->snap;
	const struct run *r = &snap->runs[run];
	uint32_t *rank = rank_classes(snap);

	for (uint32_t i = 0; i < snap->n; i++) {
		uint64_t label = column_u(&r->label, i), outcome = column_u(&r->outcome, i);

		if (label < snap->n_classes)
			key[i] = rank[label];
		else if (outcome == COLUMN_NONE || outcome == OUTCOME_MISSING)
			key[i] = LAST;
		else
			key[i] = snap->n_classes + outcome;
	}
	free(rank);
}

static void verdict_keys(const struct scene *s, int run, uint64_t *key)
{
	static const uint8_t place[] = {
	    [MARK_WRONG] = 0,    [MARK_OOP] = 1,   [MARK_REFUSED] = 2,   [MARK_EMPTY] = 3,
	    [MARK_UNPARSED] = 4, [MARK_ERROR] = 5, [MARK_UNCOUNTED] = 6, [MARK_N] = 7,
	    [MARK_RIGHT] = 8,
	};

	for (uint32_t i = 0; i < s->snap->n; i++) {
		enum mark m = scene_mark(s, run, i);

		key[i] = m == MARK_MISSING || m == MARK_LATER ? LAST : place[m];
	}
}

static void facet_keys(const struct snapshot *snap, const struct facet *f, uint64_t *key)
{
	struct named *v;
	uint32_t *rank;

	if (f->numeric) {
		for (uint32_t i = 0; i < snap->n; i++)
			key[i] = order_key(column_f(&f->number, i));
		return;
	}
	v = xcalloc((size_t)f->n_values + 1, sizeof *v);
	for (uint32_t i = 0; i < f->n_values; i++)
		v[i] = (struct named){f->values[i], i};
	rank = rank_names(v, f->n_values);
	for (uint32_t i = 0; i < snap->n; i++) {
		size_t from;
		uint64_t value = f->multi ? csr_row(&f->sets, i, &from) ? column_u(&f->sets.val, from)
									: COLUMN_NONE
					  : column_u(&f->value, i);

		key[i] = value < f->n_values ? rank[value] : LAST;
	}
	free(rank);
	free(v);
}

static void category_keys(const struct scene *s, uint64_t *key)
{
	for (uint32_t i = 0; i < s->snap->n; i++)
		key[i] = s->category && s->category[i] < N_CATEGORIES ? s->category[i] : LAST;
}

static void note_keys(const struct scene *s, uint64_t *key)
{
	for (uint32_t i = 0; i < s->snap->n; i++)
		key[i] = s->mine && i < s->mine->n && s->mine->notes[i] ? UINT16_MAX - s->mine->notes[i]
									: LAST;
}

static void make_keys(const struct scene *s, const struct sort *sort, const uint32_t *rank,
		      const double *score, uint64_t *key)
{
	uint32_t n = s->snap->n;
	int run = sort_run(s, sort);
	bool ranked = (sort->by == SORT_KEY || sort->by == SORT_TEXT) && rank;

	if (sort->by == SORT_TRUTH)
		truth_keys(s, sort->of, key);
	else if (sort->by == SORT_ANSWER && run >= 0)
		answer_keys(s, run, key);
	else if (sort->by == SORT_VERDICT && run >= 0)
		verdict_keys(s, run, key);
	else if (sort->by == SORT_CATEGORY)
		category_keys(s, key);
	else if (sort->by == SORT_NOTES)
		note_keys(s, key);
	else if (sort->by == SORT_FACET)
		facet_keys(s->snap, &s->snap->facets[sort->facet], key);
	else
		for (uint32_t i = 0; i < n; i++)
			key[i] = ranked ? (rank[i] == UINT32_MAX ? LAST : rank[i])
				 : sort_is_number(sort->by) && score ? order_key(score[i])
				 : sort->by == SORT_PANEL ? (uint64_t)scene_panel_right(s, i)
				 : sort->by == SORT_DIFFICULTY ? order_key(scene_difficulty(s, i))
							       : i;
}

void order_make(const struct scene *s, const struct sort *sort, const uint32_t *rank,
		const double *score, uint32_t *out)
{
	uint32_t n = s->snap->n;
	uint64_t *key = xcalloc((size_t)n + 1, sizeof *key);

	make_keys(s, sort, rank, score, key);
	if (sort->down)
		for (uint32_t i = 0; i < n; i++)
			key[i] = key[i] == LAST ? LAST : LAST - 1 - key[i];
	order_by_keys(key, n, out);
	free(key);
}
