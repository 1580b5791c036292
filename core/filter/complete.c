/* What may stand at the cursor. The text before it is read as far as it goes; which part of a
 * term it ends in says what is offered. */
#include <stdlib.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "core/eval/confusion.h"
#include "core/eval/oop.h"
#include "core/filter/filter_impl.h"

struct spot {
	enum part part;
	size_t from;      /* of the part */
	struct term term; /* as far as it was read */
};

/* True when the cursor stands in, or right after, a part of the term that begins at lx->at. */
static bool ends_in_term(struct lexer *lx, struct spot *s)
{
	size_t before = lx->at;
	bool keyword = lex_keyword(lx, "or") || lex_keyword(lx, "not");

	if (keyword && !lex_end(lx))
		return false;
	lx->at = before;
	if (lex_term(lx, &s->term) == OK && !lex_end(lx))
		return false;
	s->part = lx->part;
	s->from = lx->part_at;
	return true;
}

static struct spot find_spot(struct str before, struct arena *arena)
{
	struct err err = ERR_INIT;
	struct faults faults = {before, NULL, &err};
	struct lexer lx = {.text = before, .arena = arena, .faults = &faults};
	struct spot s = {PART_NAME, before.n, {.name = STR("")}};

	for (;;) {
		lex_blanks(&lx);
		if (lex_end(&lx))
			return (struct spot){PART_NAME, before.n, {.name = STR("")}};
		if (strchr("()|-", before.p[lx.at]))
			lx.at++;
		else if (ends_in_term(&lx, &s))
			return s;
	}
}

/* --- offers --- */

struct offers {
	const struct filter_ctx *ctx;
	const uint64_t *within;
	struct filter_completion *out;
	struct buf typed, name; /* without case */
	struct buf insert;
	VEC(int) rank;          /* by item: 0 begins with what was typed, 1 has it inside */
};

static void put_folded(struct buf *out, struct str s)
{
	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		buf_ch(out, c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c);
	}
}

/* o->insert has what to insert; it is cleared. */
static void offer(struct offers *o, struct str label, const char *help, uint32_t count)
{
	struct arena *arena = &o->out->arena;
	struct filter_item item = {.help = help, .count = count};
	size_t at;

	buf_clear(&o->name);
	put_folded(&o->name, label);
	at = str_find(buf_view(&o->name), buf_view(&o->typed));
	if (at != SIZE_MAX) {
		item.insert = arena_str(arena, buf_view(&o->insert));
		item.label = arena_str(arena, label);
		vec_push(&o->out->items, item);
		vec_push(&o->rank, at > 0);
	}
	buf_clear(&o->insert);
}

static void offer_value(struct offers *o, const char *value, uint32_t count)
{
	filter_put_value(&o->insert, str_z(value));
	offer(o, str_z(value), "", count);
}

static void offer_plain(struct offers *o, const char *text, const char *help)
{
	buf_z(&o->insert, text);
	offer(o, str_z(text), help, FILTER_NO_COUNT);
}

/* --- names --- */

/* Does a word of the language stand for the number? */
static bool has_word(const char *number)
{
	struct buf word = BUF_INIT;
	bool has = filter_put_number(&word, number) && word_find(buf_view(&word));

	buf_release(&word);
	return has;
}

static void offer_names(struct offers *o, bool dotted)
{
	const struct snapshot *snap = o->ctx->snap;
	const struct filter_source *s = o->ctx->source;

	for (const struct word *w = filter_words; !dotted && w->name; w++) {
		buf_z(&o->insert, w->name);
		if (!(w->forms & (FORM_BARE | FORM_COMPARE)))
			buf_z(&o->insert, w->forms & FORM_LIST ? ":" : w->forms & FORM_LIKE ? "~" : "=");
		offer(o, str_z(w->name), w->help, FILTER_NO_COUNT);
	}
	for (uint32_t i = 0; i < snap->n_facets; i++) {
		filter_put_facet(&o->insert, snap->facets[i].name);
		if (snap->facets[i].numeric)
			o->insert.p[--o->insert.n] = '\0';
		offer(o, str_z(snap->facets[i].name), "", FILTER_NO_COUNT);
	}
	for (size_t i = 0; s && i < s->n_numbers; i++)
		if (!has_word(s->numbers[i]) && snapshot_facet(snap, str_z(s->numbers[i])) < 0 &&
		    lex_is_bare(str_z(s->numbers[i]), false))
			offer_plain(o, s->numbers[i], number_word.help);
	if (truth_is_emotion(snap)) {
		buf_z(&o->insert, "emotion:");
		offer(o, STR("emotion"), emotion_word.help, FILTER_NO_COUNT);
	}
}

/* --- runs and layers --- */

static void offer_runs(struct offers *o, bool after_at)
{
	const struct snapshot *snap = o->ctx->snap;
	struct who who;

	for (uint32_t r = 0; r < snap->n_runs; r++) {
		struct str handle = str_z(snap->runs[r].handle);

		if (lex_is_bare(handle, after_at) && !who_is_special(handle, &who))
			buf_str(&o->insert, handle);
		else
			filter_put_quoted(&o->insert, handle);
		offer(o, handle, snap->runs[r].title, FILTER_NO_COUNT);
	}
	offer_plain(o, "a", "the run under study");
	offer_plain(o, "b", "the baseline");
	if (!after_at)
		return;
	offer_plain(o, "any", "at least one run of the panel");
	offer_plain(o, "all", "all runs of the panel");
}

static void offer_who(struct offers *o, struct term *t)
{
	const struct snapshot *snap = o->ctx->snap;

	if (!word_resolve(o->ctx, t))
		return;
	if (t->word->of == OF_RUN)
		offer_runs(o, true);
	for (uint32_t i = 0; t->word->of == OF_LAYER && i < snap->n_layers; i++) {
		if (lex_is_bare(str_z(snap->layers[i].name), true))
			buf_z(&o->insert, snap->layers[i].name);
		else
			filter_put_quoted(&o->insert, str_z(snap->layers[i].name));
		offer(o, str_z(snap->layers[i].name), "", snap->layers[i].n_labelled);
	}
}

/* --- values with counts --- */

static bool is_in(const struct offers *o, size_t i)
{
	return !o->within || bits_get(o->within, i);
}

static void count_csr(const struct offers *o, const struct csr *sets, uint32_t n_values, uint32_t *count)
{
	for (size_t i = 0; i < o->ctx->snap->n; i++) {
		size_t from, n = is_in(o, i) ? csr_row(sets, i, &from) : 0;

		for (size_t k = 0; k < n; k++) {
			uint64_t v = column_u(&sets->val, from + k);

			if (v < n_values)
				count[v]++;
		}
	}
}

static void count_column(const struct offers *o, const struct column *col, uint32_t n_values,
			 uint32_t *count)
{
	for (size_t i = 0; i < o->ctx->snap->n; i++) {
		uint64_t v = is_in(o, i) ? column_u(col, i) : COLUMN_NONE;

		if (v < n_values)
			count[v]++;
	}
}

static void offer_facet(struct offers *o, const struct facet *f)
{
	uint32_t *count = xcalloc((size_t)f->n_values + 1, sizeof *count);

	if (f->multi)
		count_csr(o, &f->sets, f->n_values, count);
	else
		count_column(o, &f->value, f->n_values, count);
	for (uint32_t i = 0; i < f->n_values; i++)
		offer_value(o, f->values[i], count[i]);
	offer_plain(o, "(none)", "without a value");
	free(count);
}

static void count_truth(const struct offers *o, int layer, uint32_t n_classes, uint32_t *count)
{
	struct truth truth;

	truth_init(&truth, o->ctx->snap, layer);
	for (uint32_t i = 0; i < o->ctx->snap->n; i++)
		for (uint32_t k = truth.off[i]; is_in(o, i) && truth.covered[i] && k < truth.off[i + 1]; k++)
			if (truth.val[k] < n_classes)
				count[truth.val[k]]++;
	truth_release(&truth);
}

/* Of one run; what several runs answer is not counted. */
static bool count_answers(const struct offers *o, const struct term *t, uint32_t n_classes,
			  uint32_t *count)
{
	const struct snapshot *snap = o->ctx->snap;
	struct who who = {WHO_A, -1, 0};
	const struct run *run;
	int r;

	if (t->who.p && (t->who_quoted || !who_is_special(t->who, &who)))
		who = (struct who){WHO_RUN, snapshot_run(snap, t->who), 0};
	r = who.kind == WHO_A ? o->ctx->a : who.kind == WHO_B ? o->ctx->b : who.index;
	if (r < 0 || (uint32_t)r >= snapshot_answerers(snap))
		return false;
	run = &snap->runs[r];
	for (uint32_t i = 0; i < snap->n; i++) {
		uint64_t outcome = column_u(&run->outcome, i), v = column_u(&run->label, i);
		size_t from, n = csr_row(&run->labels, i, &from);

		if (!is_in(o, i) || (outcome != OUTCOME_ANSWERED && outcome != OUTCOME_OOP))
			continue;
		for (size_t k = 0; k < (n ? n : 1); k++) {
			v = n ? column_u(&run->labels.val, from + k) : v;
			if (v < n_classes)
				count[v]++;
		}
	}
	return true;
}

static void offer_classes(struct offers *o, const struct term *t)
{
	const struct snapshot *snap = o->ctx->snap;
	uint32_t *count = xcalloc((size_t)snap->n_classes + 1, sizeof *count);
	bool counted = t->word->of == OF_LAYER || t->word == &emotion_word;
	int layer = t->who.p ? snapshot_layer(snap, t->who) : o->ctx->lens->layer;

	if (counted)
		count_truth(o, layer, snap->n_classes, count);
	else if (t->word->of == OF_RUN && t->word->code != CELL_ROW && t->word->code != CELL_COLUMN)
		counted = count_answers(o, t, snap->n_classes, count);
	for (uint32_t i = 0; i < snap->n_classes; i++)
		offer_value(o, snap->classes[i].name, counted ? count[i] : FILTER_NO_COUNT);
	for (int k = 0; k < N_EXTRAS && t->word->code == CELL_COLUMN; k++)
		offer_plain(o, confusion_extra_word((enum confusion_extra)k), "no class");
	if (t->word->code != CELL_COLUMN)
		offer_plain(o, "(none)", t->word->of == OF_RUN && t->word->code != CELL_ROW ? "mapped to no class" : "the truth is empty");
	free(count);
}

static void offer_categories(struct offers *o)
{
	const struct snapshot *snap = o->ctx->snap;
	struct column col = {DT_U8, snap->n, xcalloc((size_t)snap->n + 1, 1)};
	uint32_t count[N_CATEGORIES] = {0};

	eval_categories(snap, o->ctx->lens, col.data);
	count_column(o, &col, N_CATEGORIES, count);
	for (int k = 0; k < N_CATEGORIES; k++)
		offer_value(o, category_word((enum category)k), count[k]);
	offer_value(o, "S", count[CAT_S_PLUS] + count[CAT_S_MINUS]);
	offer_value(o, "M", count[CAT_M_PLUS] + count[CAT_M_MINUS]);
	free(col.data);
}

static void offer_tags(struct offers *o)
{
	const struct filter_things *things = o->ctx->things;

	for (uint32_t i = 0; things && i < things->n_tags; i++) {
		const struct filter_tag *tag = &things->tags[i];
		uint32_t n = 0;

		for (uint32_t k = 0; k < tag->n; k++)
			n += is_in(o, tag->ords[k]);
		offer_value(o, tag->name, n);
	}
}

static void offer_values(struct offers *o, struct term *t)
{
	const char *word, *help;

	if (!word_resolve(o->ctx, t))
		return;
	switch (t->word->arg) {
	case ARG_CATEGORY:
		offer_categories(o);
		break;
	case ARG_CLASS:
		offer_classes(o, t);
		break;
	case ARG_OOP:
		for (int k = 0; k < N_OOP_KINDS; k++)
			offer_plain(o, oop_kind_word((enum oop_kind)k), "");
		break;
	case ARG_FACET:
		offer_facet(o, &o->ctx->snap->facets[t->facet]);
		break;
	case ARG_TAG:
		offer_tags(o);
		break;
	case ARG_RUN:
		offer_runs(o, false);
		break;
	case ARG_VOTE:
		if (t->op == OP_EQ || t->op == OP_NE)
			offer_runs(o, false);
		if (t->op != OP_IS)
			break;
		offer_plain(o, "wrong", "the largest group is wrong");
		offer_plain(o, "right", "the largest group is right");
		offer_classes(o, t);
		break;
	case ARG_JUDGED:
		for (size_t k = 0; judged_value_of(t->word, k, &word, &help); k++)
			offer_plain(o, word, help);
		break;
	default:
		break;
	}
}

/* --- the whole --- */

struct order {
	int rank;
	uint32_t count;
	size_t at;
};

static int by_rank(const void *a, const void *b)
{
	const struct order *x = a, *y = b;

	if (x->rank != y->rank)
		return x->rank - y->rank;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

static void sort(struct offers *o)
{
	size_t n = o->out->items.n;
	struct order *order = xcalloc(n + 1, sizeof *order);
	struct filter_item *sorted = xcalloc(n + 1, sizeof *sorted);

	for (size_t i = 0; i < n; i++) {
		uint32_t count = o->out->items.v[i].count;

		order[i] = (struct order){o->rank.v[i], count == FILTER_NO_COUNT ? 0 : count, i};
	}
	qsort(order, n, sizeof *order, by_rank);
	for (size_t i = 0; i < n; i++)
		sorted[i] = o->out->items.v[order[i].at];
	free(o->out->items.v);
	o->out->items.v = sorted;
	o->out->items.cap = n + 1;
	free(order);
}

/* What is replaced reaches to the end of the word, or of the quoted text, that the cursor is in. */
static size_t end_of_part(struct str text, size_t from, size_t cursor, bool who)
{
	size_t to = cursor;
	bool quote = from < cursor && text.p[from] == '"';

	if (quote && to > from + 1 && text.p[to - 1] == '"')
		return to;
	while (to < text.n && (quote ? text.p[to] != '"' : lex_is_bare((struct str){text.p + to, 1}, who)))
		to++;
	return quote ? to + (to < text.n) : to;
}

void filter_complete(struct str text, size_t cursor, const struct filter_ctx *ctx,
		     const uint64_t *within, struct filter_completion *out)
{
	struct offers o = {.ctx = ctx, .within = within, .out = out};
	struct str typed;
	struct spot s;

	*out = (struct filter_completion){.from = cursor, .to = cursor};
	cursor = cursor < text.n ? cursor : text.n;
	if (!text.p || text.n > FILTER_TEXT_MAX || utf8_valid_prefix(text) < text.n)
		text = STR("");
	cursor = cursor < text.n ? cursor : text.n;
	s = find_spot((struct str){text.p, cursor}, &out->arena);
	out->from = s.from < cursor ? s.from : cursor;
	out->to = end_of_part(text, out->from, cursor, s.part == PART_WHO);
	typed = (struct str){text.p + out->from, cursor - out->from};
	while (typed.n && (typed.p[0] == '"' || (s.part == PART_NAME && typed.p[0] == '.')))
		typed = (struct str){typed.p + 1, typed.n - 1};
	if (typed.n && typed.p[typed.n - 1] == '"')
		typed.n--;
	put_folded(&o.typed, typed);
	if (s.part == PART_NAME)
		offer_names(&o, out->from < cursor && text.p[out->from] == '.');
	else if (s.part == PART_WHO)
		offer_who(&o, &s.term);
	else
		offer_values(&o, &s.term);
	sort(&o);
	vec_release(&o.rank);
	buf_release(&o.typed);
	buf_release(&o.name);
	buf_release(&o.insert);
}

void filter_completion_release(struct filter_completion *c)
{
	arena_release(&c->arena);
	vec_release(&c->items);
}
