#include "tests/unit/lib_world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"
#include "tests/unit/lib_snap.h"

const char *const world_class[WORLD_CLASSES] = {"cat",	       "dog",	  "fox",     "Mink",
						"crane",       "crane",	  "sea lion", "a+b (x)",
						"w\xc3\xa9sel", "wrong", "joy",	     "none"};
const char *const world_handle[WORLD_RUNS] = {"m1/cw", "m1/ow", "alpha", "a", "12"};
const char *const world_title[WORLD_RUNS] = {"Model One", "Model One (open)", "Alpha", "A \"quoted\"",
					     "Twelve"};
const char *const world_tag[WORLD_TAGS] = {"ambiguous", "two\xe2\x80\xafwords"};
const char *const world_number[WORLD_NUMBERS] = {"score", "tokens", "batch_pos"};
const char *const world_layer[WORLD_LAYERS] = {"original", "reannotated", "votes"};

static const char *const texts[] = {"Is this a weasel?",
				    "",
				    "A WEASEL, not a mink.",
				    "\xe6\x82\xb2\xe3\x81\x97\xe3\x81\x84 face",
				    "she is happy / sad",
				    "\xc3\x89t\xc3\xa9 is hot; the picture is blurry",
				    "two words here",
				    "no"};
#define N_TEXTS (sizeof texts / sizeof *texts)

uint32_t world_rnd(struct world *w, uint32_t below)
{
	w->seed = w->seed * 1664525u + 1013904223u;
	return (uint32_t)(((uint64_t)w->seed * below) >> 32);
}

static uint16_t random_set(struct world *w, uint32_t max, uint32_t of)
{
	uint16_t set = 0;

	for (uint32_t k = world_rnd(w, max + 1); k; k--)
		set |= (uint16_t)(1u << world_rnd(w, of));
	return set;
}

/* --- the plain side --- */

static void make_truth(struct world *w)
{
	static const int pairs[3][2] = {{0, 5}, {1, 2}, {7, 11}};

	for (int k = 0; k < 3; k++) {
		w->equiv[pairs[k][0]] |= (uint16_t)(1u << pairs[k][1]);
		w->equiv[pairs[k][1]] |= (uint16_t)(1u << pairs[k][0]);
	}
	for (int c = 0; c < WORLD_CLASSES; c++)
		w->class_parent[c] = c && world_rnd(w, 3) ? (int)world_rnd(w, (uint32_t)c) : -1;
	for (int i = 0; i < w->n; i++)
		for (int l = 0; l < WORLD_LAYERS; l++) {
			w->covered[l][i] = world_rnd(w, 8) != 0;
			/* what is not covered may have classes in the file all the same */
			w->truth[l][i] = l == 0 ? (uint16_t)(1u << world_rnd(w, WORLD_CLASSES))
						: random_set(w, 3, l == 1 ? WORLD_CLASSES : 4);
		}
}

static void make_answers(struct world *w)
{
	static const uint32_t top[WORLD_NUMBERS] = {4, 5, 300};

	for (int r = 0; r < WORLD_RUNS; r++) {
		uint32_t many = world_rnd(w, 3);

		for (int k = 0; k < WORLD_NUMBERS; k++)
			w->has_number[r][k] = world_rnd(w, 3) != 0;
		for (int i = 0; i < w->n; i++) {
			w->outcome[r][i] = (uint8_t)(world_rnd(w, 2) ? OUTCOME_ANSWERED
								     : world_rnd(w, N_OUTCOMES));
			w->oop[r][i] = w->outcome[r][i] == OUTCOME_OOP ? (uint8_t)((i * 7 + r) % N_OOP_KINDS)
								       : OOP_NONE;
			w->label[r][i] = world_rnd(w, 3) && w->truth[1][i]
					     ? w->truth[1][i]
					     : random_set(w, 1 + many, WORLD_CLASSES);
			if (!many)
				w->label[r][i] &= (uint16_t)-w->label[r][i];
			w->answer[r][i] = texts[world_rnd(w, N_TEXTS)];
			for (int k = 0; k < WORLD_NUMBERS; k++)
				w->number[r][k][i] = !w->has_number[r][k] || !world_rnd(w, 5)
							 ? NAN
							 : world_rnd(w, top[k]) / (k ? 1.0 : 4.0);
		}
	}
}

static void make_facets(struct world *w)
{
	static const struct world_facet kinds[WORLD_FACETS] = {
	    {.name = "face type",
	     .n = 6,
	     .values = {"joy", "Delight", "bliss", "fear", "dread", "odd one"},
	     .parent = {-1, 0, 1, -1, 3, -1}},
	    {.name = "tags", .n = 4, .values = {"x", "y", "(none)", "a/*"}, .parent = {-1, -1, -1, -1}},
	    {.name = "text", .n = 2, .values = {"long", "short"}, .parent = {-1, -1}},
	};

	for (int f = 0; f < WORLD_FACETS; f++) {
		w->facet[f] = kinds[f];
		for (int i = 0; i < w->n; i++) {
			uint16_t set = random_set(w, f == 1 ? 3 : 1, (uint32_t)kinds[f].n);

			w->facet[f].of[i] = set;
		}
	}
	for (int i = 0; i < w->n; i++)
		w->size[i] = world_rnd(w, 6) ? world_rnd(w, 8) - 2.0 : NAN;
}

static void make_rest(struct world *w)
{
	for (int i = 0; i < w->n; i++) {
		snprintf(w->key[i], sizeof w->key[i], "k%s%03d", i % 3 ? "" : "/", i);
		w->text[i] = texts[world_rnd(w, N_TEXTS)];
		w->text_kind[i] = (uint8_t)(1 + world_rnd(w, 2));
		w->note[i] = world_rnd(w, 4) ? "" : texts[world_rnd(w, N_TEXTS)];
		w->notes[i] = w->note[i][0] != 0;
		w->marked[i] = !world_rnd(w, 4);
		w->seen[i] = !world_rnd(w, 2);
		for (int t = 0; t < WORLD_TAGS; t++)
			w->tagged[t][i] = !world_rnd(w, 3);
	}
	for (int r = 0; r < WORLD_RUNS; r++)
		if (world_rnd(w, 4))
			w->panel[w->n_panel++] = r;
	if (!w->n_panel)
		w->panel[w->n_panel++] = 0;
	w->a = (int)world_rnd(w, WORLD_RUNS);
	w->b = (int)world_rnd(w, WORLD_RUNS);
	w->lens = (struct lens){.layer = (int)world_rnd(w, WORLD_LAYERS),
				.original = 0,
				.equiv = world_rnd(w, 2),
				.n = (enum n_policy)world_rnd(w, 3),
				.abstain = (enum abstain_policy)world_rnd(w, 2),
				.rule = RULE_REGT};
}

/* --- the snapshot --- */

static struct csr csr_of(const uint16_t *set, int n, enum dtype d, int bits_at_least)
{
	static uint32_t off[WORLD_MAX + 1], val[WORLD_MAX * 16];
	size_t k = 0;

	for (int i = 0; i < n; i++) {
		for (uint32_t c = 0; c < 16; c++)
			if (set[i] >> c & 1 && __builtin_popcount(set[i]) >= bits_at_least)
				val[k++] = c;
		off[i + 1] = (uint32_t)k;
	}
	return (struct csr){snap_uints(DT_U32, off, (size_t)n + 1), snap_uints(d, val, k)};
}

/* The lowest of each set; UINT32_MAX where it is empty. */
static struct column lowest(const uint16_t *set, int n, enum dtype d)
{
	static uint32_t v[WORLD_MAX];

	for (int i = 0; i < n; i++)
		v[i] = set[i] ? (uint32_t)__builtin_ctz(set[i]) : UINT32_MAX;
	return snap_uints(d, v, (size_t)n);
}

static enum dtype any_width(struct world *w)
{
	static const enum dtype widths[] = {DT_U8, DT_U16, DT_U32, DT_U64};

	return widths[world_rnd(w, 4)];
}

static void snap_classes(struct world *w)
{
	static const uint32_t pairs[3][2] = {{0, 5}, {1, 2}, {7, 11}};
	struct snapshot *s = w->snap;

	s->n_classes = WORLD_CLASSES;
	s->classes = arena_zalloc(&s->arena, WORLD_CLASSES, sizeof *s->classes);
	for (int c = 0; c < WORLD_CLASSES; c++)
		s->classes[c] = (struct class_info){100 + c, arena_printf(&s->arena, "n%04d", c),
						    world_class[c],
						    w->class_parent[c] < 0 ? UINT32_MAX
									   : (uint32_t)w->class_parent[c]};
	s->n_pairs = 3;
	s->pairs = pairs;
}

/* Fields of the layer of votes are the first four classes: the dominant ones have the most. */
static void snap_votes(struct world *w, struct layer *l)
{
	static const uint32_t fields[4] = {0, 1, 2, 3};

	l->vote_width = 4;
	l->vote_class = fields;
	l->votes = column_new(DT_F32, (size_t)w->n * 4);
	for (int i = 0; i < w->n; i++)
		for (int k = 0; k < 4; k++)
			column_set_f(&l->votes, (size_t)i * 4 + (size_t)k,
				     w->truth[2][i] >> k & 1 ? 3 : w->truth[2][i] ? world_rnd(w, 3) : 0);
}

static void snap_layers(struct world *w)
{
	struct snapshot *s = w->snap;

	s->n_layers = WORLD_LAYERS;
	s->layers = arena_zalloc(&s->arena, WORLD_LAYERS, sizeof *s->layers);
	for (int l = 0; l < WORLD_LAYERS; l++) {
		s->layers[l].name = world_layer[l];
		s->layers[l].covered = snap_u8(w->covered[l], (size_t)w->n);
		if (l < 2)
			s->layers[l].sets = csr_of(w->truth[l], w->n, any_width(w), 0);
	}
	snap_votes(w, &s->layers[2]);
}

static void snap_facets(struct world *w)
{
	struct snapshot *s = w->snap;

	s->n_facets = WORLD_FACETS + 1;
	s->facets = arena_zalloc(&s->arena, WORLD_FACETS + 1, sizeof *s->facets);
	for (int f = 0; f < WORLD_FACETS; f++) {
		struct facet *out = &s->facets[f];
		uint32_t *parents = arena_alloc(&s->arena, 8 * sizeof *parents);

		for (int k = 0; k < 8; k++)
			parents[k] = k < w->facet[f].n && w->facet[f].parent[k] >= 0
					 ? (uint32_t)w->facet[f].parent[k]
					 : UINT32_MAX;
		*out = (struct facet){.name = w->facet[f].name,
				      .multi = f == 1,
				      .n_values = (uint32_t)w->facet[f].n,
				      .values = w->facet[f].values,
				      .parents = parents};
		if (f == 1)
			out->sets = csr_of(w->facet[f].of, w->n, any_width(w), 0);
		else
			out->value = lowest(w->facet[f].of, w->n, any_width(w));
	}
	s->facets[WORLD_FACETS] = (struct facet){.name = "size", .numeric = true};
	s->facets[WORLD_FACETS].number = column_new(DT_F64, (size_t)w->n);
	for (int i = 0; i < w->n; i++)
		column_set_f(&s->facets[WORLD_FACETS].number, (size_t)i, w->size[i]);
}

static void snap_runs(struct world *w)
{
	struct snapshot *s = w->snap;

	s->n_runs = WORLD_RUNS;
	s->runs = arena_zalloc(&s->arena, WORLD_RUNS, sizeof *s->runs);
	for (int r = 0; r < WORLD_RUNS; r++) {
		enum dtype d = any_width(w);
		bool many = false;

		for (int i = 0; i < w->n; i++)
			many |= __builtin_popcount(w->label[r][i]) > 1;
		s->runs[r] = (struct run){.id = r + 1,
					  .handle = world_handle[r],
					  .title = world_title[r],
					  .model = "",
					  .protocol = "",
					  .list_rule = (enum list_rule)world_rnd(w, N_LIST_RULES),
					  .open_world = world_rnd(w, 2),
					  .outcome = snap_u8(w->outcome[r], (size_t)w->n),
					  .label = lowest(w->label[r], w->n, d)};
		if (many)
			s->runs[r].labels = csr_of(w->label[r], w->n, d, 2);
	}
}

/* --- the source --- */

static enum status number(void *ctx, int run, const char *name, const struct column **col,
			  struct err *err)
{
	static const struct column nothing = {DT_U8, 0, NULL};
	struct world *w = ctx;

	(void)err;
	*col = &nothing;
	for (int k = 0; k < WORLD_NUMBERS; k++)
		if (strcmp(name, world_number[k]) == 0 && w->has_number[run][k])
			*col = &w->columns[run][k];
	return OK;
}

static enum status oop_kinds(void *ctx, int run, const uint8_t **kind, const struct cancel *cancel,
			     struct err *err)
{
	struct world *w = ctx;

	*kind = w->oop[run];
	return cancel_check(cancel, err);
}

static const char *text_of(const struct world *w, enum filter_scope scope, int run, int i)
{
	switch (scope) {
	case SCOPE_TEXT:
		return w->text[i];
	case SCOPE_QUESTION:
		return w->text_kind[i] == TEXT_QUESTION ? w->text[i] : "";
	case SCOPE_STATEMENT:
		return w->text_kind[i] == TEXT_STATEMENT ? w->text[i] : "";
	case SCOPE_ANSWER:
		return w->answer[run][i];
	case SCOPE_NOTE:
		return w->note[i];
	default:
		return w->key[i];
	}
}

static enum status text(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			const uint64_t *within, uint64_t *bits, const struct text_watch *watch,
			struct err *err)
{
	const struct world *w = ctx;

	for (int i = 0; i < w->n; i++) {
		if ((!within || bits_get(within, (size_t)i)) &&
		    needle_is_in(needle, str_z(text_of(w, scope, run, i))))
			bits_set(bits, (size_t)i);
		if (watch && watch->tell)
			watch->tell(watch->ctx, (uint64_t)i + 1, bits);
	}
	return cancel_check(watch ? watch->cancel : NULL, err);
}

static uint64_t work(void *ctx, enum filter_scope scope, int run)
{
	(void)scope, (void)run;
	return (uint64_t)((const struct world *)ctx)->n;
}

static enum status keys(void *ctx, const struct str *key, size_t n, uint64_t *bits,
			const struct cancel *cancel, struct err *err)
{
	const struct world *w = ctx;

	(void)cancel, (void)err;
	for (size_t k = 0; k < n; k++)
		for (int i = 0; i < w->n; i++)
			if (str_eqz(key[k], w->key[i]))
				bits_set(bits, (size_t)i);
	return OK;
}

static void make_source(struct world *w)
{
	static const enum dtype widths[WORLD_NUMBERS] = {DT_F32, DT_U16, DT_U32};

	for (int r = 0; r < WORLD_RUNS; r++)
		for (int k = 0; k < WORLD_NUMBERS; k++) {
			w->columns[r][k] = column_new(widths[k], (size_t)w->n + 1);
			for (int i = 0; i < w->n; i++)
				column_set_f(&w->columns[r][k], (size_t)i, w->number[r][k][i]);
		}
	w->source = (struct filter_source){
	    .ctx = w, .number = number, .text = text, .work = work, .oop_kinds = oop_kinds, .keys = keys, .numbers = world_number,
	    .n_numbers = WORLD_NUMBERS};
	for (int t = 0; t < WORLD_TAGS; t++) {
		uint32_t n = 0;

		for (int i = 0; i < w->n; i++)
			if (w->tagged[t][i])
				w->tag_ords[t][n++] = (uint32_t)i;
		w->tags[t] = (struct filter_tag){world_tag[t], w->tag_ords[t], n};
	}
	w->things = (struct filter_things){w->marked, w->seen, w->notes, w->tags, WORLD_TAGS};
}

void world_make(struct world *w, uint32_t seed, int n)
{
	*w = (struct world){.seed = seed, .n = n};
	make_truth(w);
	make_answers(w);
	make_facets(w);
	make_rest(w);
	w->snap = xcalloc(1, sizeof *w->snap);
	w->snap->dataset = "world";
	w->snap->preset = "";
	w->snap->n = (uint32_t)n;
	snap_classes(w);
	snap_layers(w);
	snap_facets(w);
	snap_runs(w);
	make_source(w);
	w->ctx = (struct filter_ctx){.snap = w->snap,
				     .lens = &w->lens,
				     .a = w->a,
				     .b = w->b,
				     .panel = w->panel,
				     .n_panel = w->n_panel,
				     .source = &w->source,
				     .things = &w->things};
}

void world_free(struct world *w)
{
	for (int r = 0; r < WORLD_RUNS; r++)
		for (int k = 0; k < WORLD_NUMBERS; k++)
			column_release(&w->columns[r][k]);
	snapshot_free(w->snap);
}
