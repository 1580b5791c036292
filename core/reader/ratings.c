#include "core/reader/ratings.h"

#include "core/reader/answer.h"

#define MAX_WORD 256

/* --- collecting --- */

uint32_t ratings_item(struct ratings *r, struct str text, struct src src)
{
	size_t known = r->items.keys.n;
	bool image = looks_like_image(text);
	struct str path = image ? path_with_slashes(&r->arena, text) : STR_NONE;
	uint32_t id = intern_add(&r->items, image ? memo_key(path) : text);

	if (id == known) {
		vec_push(&r->paths, image ? arena_str(&r->arena, path) : STR_NONE);
		vec_push(&r->srcs, src);
	}
	return id;
}

uint32_t ratings_rater(struct ratings *r, struct str name)
{
	return intern_add(&r->raters, name);
}

size_t ratings_thing(struct ratings *r, struct str facet)
{
	size_t i = 0;

	while (i < r->n_rated && !str_eq_nocase(r->rated[i].facet, facet))
		i++;
	if (i == r->n_rated && i < RATED_MAX)
		r->rated[r->n_rated++].facet = arena_str(&r->arena, facet);
	return i;
}

static enum status too_many(struct err *err)
{
	return err_set(err, E_LIMIT, "more than %u ratings in one table", RATINGS_MAX);
}

enum status ratings_add(struct ratings *r, size_t thing, struct rating rating, struct src src,
			struct err *err)
{
	struct rated *t = &r->rated[thing];

	if (t->v.n >= RATINGS_MAX)
		return too_many(err);
	vec_push(&t->v, rating);
	vec_push(&t->src, src);
	return OK;
}

static struct str lower(struct arena *arena, struct str text)
{
	char *out = arena_strndup(arena, text.p, text.n);

	for (size_t i = 0; i < text.n; i++)
		if (out[i] >= 'A' && out[i] <= 'Z')
			out[i] = (char)(out[i] + 'a' - 'A');
	return (struct str){out, text.n};
}

enum status ratings_vote(struct ratings *r, uint32_t item, uint32_t rater, struct str word,
			 struct src src, struct err *err)
{
	struct str emotion = r->memo ? memo_emotion(word) : STR_NONE;
	size_t known = r->words.keys.n;
	uint32_t id;

	if (r->votes.n >= RATINGS_MAX)
		return too_many(err);
	if (word.n > MAX_WORD) {
		report_add(r->ctx->report, PROBLEM_SKIPPED, src, "vote", "expected a word, got %zu bytes", word.n);
		return OK;
	}
	id = intern_add(&r->words, lower(&r->arena, emotion.n ? emotion : word));
	if (id == known)
		vec_push(&r->spelled, arena_str(&r->arena, emotion.n ? emotion : word));
	vec_push(&r->votes, ((struct ratings_vote){item, rater, id, src}));
	return OK;
}

/* --- once for each rater and item --- */

struct once { /* which of several is the first */
	uint64_t pair;
	size_t at;
};

static int cmp_once(const void *pa, const void *pb)
{
	const struct once *a = pa, *b = pb;

	if (a->pair != b->pair)
		return a->pair < b->pair ? -1 : 1;
	return a->at < b->at ? -1 : a->at > b->at;
}

/* Sorts list[n]; repeated[k] = true for each that is not the first of its pair. */
static void find_repeats(struct once *list, size_t n, bool *repeated)
{
	qsort(list, n, sizeof *list, cmp_once);
	for (size_t i = 1; i < n; i++)
		repeated[list[i].at] = list[i].pair == list[i - 1].pair;
}

static uint64_t pair_of(uint32_t item, uint32_t rater)
{
	return (uint64_t)item << 32 | rater;
}

static void report_repeat(struct ratings *r, struct src src, uint32_t item, uint32_t rater)
{
	struct str who = intern_key(&r->raters, rater), what = intern_key(&r->items, item);

	report_add(r->ctx->report, PROBLEM_SKIPPED, src, "rater", "\"%.*s\" rated \"%.*s\" already",
		   (int)(who.n < 80 ? who.n : 80), who.p, (int)(what.n < 80 ? what.n : 80), what.p);
}

static void drop_repeated_ratings(struct ratings *r, struct rated *t)
{
	struct once *list = xcalloc(t->v.n + 1, sizeof *list);
	bool *repeated = xcalloc(t->v.n + 1, sizeof *repeated);
	size_t kept = 0;

	for (size_t i = 0; i < t->v.n; i++)
		list[i] = (struct once){pair_of(t->v.v[i].item, t->v.v[i].rater), i};
	find_repeats(list, t->v.n, repeated);
	for (size_t i = 0; i < t->v.n; i++) {
		if (repeated[i])
			report_repeat(r, t->src.v[i], t->v.v[i].item, t->v.v[i].rater);
		else
			t->v.v[kept++] = t->v.v[i];
	}
	t->v.n = kept;
	free(list);
	free(repeated);
}

static void drop_repeated_votes(struct ratings *r)
{
	struct once *list = xcalloc(r->votes.n + 1, sizeof *list);
	bool *repeated = xcalloc(r->votes.n + 1, sizeof *repeated);
	size_t kept = 0;

	for (size_t i = 0; i < r->votes.n; i++)
		list[i] = (struct once){pair_of(r->votes.v[i].item, r->votes.v[i].rater), i};
	find_repeats(list, r->votes.n, repeated);
	for (size_t i = 0; i < r->votes.n; i++) {
		if (repeated[i])
			report_repeat(r, r->votes.v[i].src, r->votes.v[i].item, r->votes.v[i].rater);
		else
			r->votes.v[kept++] = r->votes.v[i];
	}
	r->votes.n = kept;
	free(list);
	free(repeated);
}

/* --- handing over --- */

/* "rejected 2 (r07, r12)": the first few by name. */
static void name_raters(const struct ratings *r, const bool *which, struct buf *out)
{
	int told = 0;

	for (uint32_t k = 0; k < r->raters.keys.n; k++) {
		struct str name = intern_key(&r->raters, k);

		if (!which[k])
			continue;
		if (told == 5) {
			buf_z(out, ", …");
			break;
		}
		buf_z(out, told++ ? ", " : " (");
		buf_str(out, (struct str){name.p, name.n < 40 ? name.n : 40});
	}
	if (told)
		buf_ch(out, ')');
}

static void note_mos(struct ratings *r, const struct rated *t, const struct mos *m)
{
	struct buf rejected = BUF_INIT;
	uint32_t scored = 0;

	for (uint32_t i = 0; i < m->n_items; i++)
		scored += m->n[i] > 0;
	name_raters(r, m->rejected, &rejected);
	report_note(r->ctx->report,
		    "%.*s: mean opinion scores of %u samples, from %zu ratings by %zu raters; ITU-R BT.500 "
		    "rejected %u%s; z scores by rater, as 5 (z + 3) / 6 clipped to 0 … 5",
		    (int)(t->facet.n < 80 ? t->facet.n : 80), t->facet.p, scored, t->v.n,
		    r->raters.keys.n, m->n_rejected, buf_cstr(&rejected));
	if (m->n_constant)
		report_note(r->ctx->report, "%.*s: raters who gave one value alone, have no z score and are left out: %u",
			    (int)(t->facet.n < 80 ? t->facet.n : 80), t->facet.p, m->n_constant);
	buf_release(&rejected);
}

static int cmp_votes(const void *pa, const void *pb)
{
	const struct ratings_vote *a = pa, *b = pb;

	if (a->item != b->item)
		return a->item < b->item ? -1 : 1;
	return a->word < b->word ? -1 : a->word > b->word;
}

struct sending {
	struct ratings *r;
	struct mos mos[RATED_MAX];
	size_t at; /* of the sorted votes */
	uint64_t ties;
	VEC(struct class_ref) refs, top;
	VEC(double) counts;
};

/* The votes for one item, a ref and a count for each word, and those with the most. */
static void count_votes(struct sending *s, uint32_t item)
{
	const struct ratings *r = s->r;
	double most = 0;

	vec_clear(&s->refs);
	vec_clear(&s->top);
	vec_clear(&s->counts);
	while (s->at < r->votes.n && r->votes.v[s->at].item == item) {
		size_t from = s->at;
		uint32_t word = r->votes.v[from].word;

		while (s->at < r->votes.n && r->votes.v[s->at].item == item && r->votes.v[s->at].word == word)
			s->at++;
		vec_push(&s->refs, ((struct class_ref){.kind = CLASS_BY_NAME, .text = r->spelled.v[word]}));
		vec_push(&s->counts, (double)(s->at - from));
		most = (double)(s->at - from) > most ? (double)(s->at - from) : most;
	}
	for (size_t k = 0; k < s->refs.n; k++)
		if (s->counts.v[k] >= most)
			vec_push(&s->top, s->refs.v[k]);
	s->ties += s->top.n > 1;
}

static enum status send_item(struct sending *s, uint32_t item, struct err *err)
{
	struct ratings *r = s->r;
	struct rec_facet facets[RATED_MAX];
	struct rec_truth truths[2];
	struct rec_sample rec = {.src = r->srcs.v[item], .key = intern_key(&r->items, item),
				 .paths = &r->paths.v[item], .n_paths = r->paths.v[item].n > 0,
				 .facets = facets, .truths = truths};
	struct str layer = r->ctx->opt->layer;

	for (size_t k = 0; k < r->n_rated; k++)
		if (s->mos[k].n && s->mos[k].n[item])
			facets[rec.n_facets++] = (struct rec_facet){r->rated[k].facet, STR_NONE,
								    s->mos[k].score[item], true};
	count_votes(s, item);
	if (s->refs.n) {
		truths[rec.n_truths++] = (struct rec_truth){layer.n ? layer : STR("original"), s->top.v, s->top.n, NULL};
		truths[rec.n_truths++] = (struct rec_truth){STR("votes"), s->refs.v, s->refs.n, s->counts.v};
	}
	rec.media = rec.n_paths || r->ctx->opt->images.n ? MEDIA_IMAGE : MEDIA_NONE;
	rec.creates = sink_wants_samples(r->ctx->sink); /* until a list of samples says which there are */
	return sink_sample(r->ctx->sink, &rec, err);
}

static void make_scores(struct sending *s)
{
	struct ratings *r = s->r;

	for (size_t k = 0; k < r->n_rated; k++) {
		struct rated *t = &r->rated[k];

		if (!t->v.n)
			continue;
		drop_repeated_ratings(r, t);
		mos_make(t->v.v, t->v.n, (uint32_t)r->raters.keys.n, (uint32_t)r->items.keys.n, &s->mos[k]);
		note_mos(r, t, &s->mos[k]);
	}
}

enum status ratings_send(struct ratings *r, struct err *err)
{
	struct sending s = {.r = r};
	enum status st = OK;

	make_scores(&s);
	drop_repeated_votes(r);
	if (r->votes.n)
		qsort(r->votes.v, r->votes.n, sizeof *r->votes.v, cmp_votes);
	for (uint32_t item = 0; item < r->items.keys.n && st == OK; item++)
		st = send_item(&s, item, err);
	if (st == OK && s.ties)
		report_note(r->ctx->report, "samples whose votes tie, which hold every class with the most votes: %llu",
			    (unsigned long long)s.ties);
	for (size_t k = 0; k < r->n_rated; k++)
		if (s.mos[k].n)
			mos_release(&s.mos[k]);
	vec_release(&s.refs);
	vec_release(&s.top);
	vec_release(&s.counts);
	return st;
}

void ratings_release(struct ratings *r)
{
	for (size_t k = 0; k < r->n_rated; k++) {
		vec_release(&r->rated[k].v);
		vec_release(&r->rated[k].src);
	}
	vec_release(&r->votes);
	vec_release(&r->paths);
	vec_release(&r->srcs);
	vec_release(&r->spelled);
	intern_release(&r->items);
	intern_release(&r->raters);
	intern_release(&r->words);
	arena_release(&r->arena);
}
