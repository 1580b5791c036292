#include "db/answer_words.h"

#include <stdlib.h>

#include "core/base/vec.h"
#include "core/base/xmalloc.h"
#include "core/reader/choice.h"
#include "db/cache.h"
#include "db/conn_impl.h"
#include "db/store_internal.h"

#define TELL_EVERY  4096 /* answers */
#define OPTIONS_MAX 26

struct spot { /* of a text in its stream */
	uint64_t place;
	uint32_t ord;
};

struct listening {
	const struct words_job *job;
	struct arena arena;
	VEC(struct spot) spots;
	VEC(uint32_t) rest; /* answers whose text is in the next field */
	size_t passed;
	bool options; /* some sample has any */
};

/* --- letters --- */

/* *words become the option's text when they are its letter. */
static enum status choose(struct listening *l, uint32_t ord, struct str *words, struct err *err)
{
	const struct words_job *job = l->job;
	struct str texts[OPTIONS_MAX];
	struct option_row *options;
	struct sample_row row;
	size_t n = 0, option;

	if (!choice_is_lettered(*words))
		return OK;
	arena_clear(&l->arena);
	if (fetch_sample(job->c, job->dataset, ord, &row, &l->arena, err) != OK ||
	    fetch_options(job->c, row.option_set, &options, &n, &l->arena, err) != OK)
		return err->code;
	n = n < OPTIONS_MAX ? n : OPTIONS_MAX;
	for (size_t i = 0; i < n; i++)
		texts[i] = options[i].text;
	option = choice_option(*words, texts, n);
	if (option != SIZE_MAX)
		*words = str_trim(texts[option]);
	return OK;
}

static enum status hear(struct listening *l, uint32_t ord, struct str words, struct err *err)
{
	const struct words_job *job = l->job;

	if (++l->passed % TELL_EVERY == 0 &&
	    (cancel_check(job->cancel, err) != OK ||
	     (job->passed && job->passed(job->ctx, TELL_EVERY, err) != OK)))
		return err->code;
	if (l->options && choose(l, ord, &words, err) != OK)
		return err->code;
	return words.n ? job->heard(job->ctx, ord, words, err) : OK;
}

/* --- a field --- */

static int by_place(const void *a, const void *b)
{
	const struct spot *x = a, *y = b;

	return (x->place > y->place) - (x->place < y->place);
}

/* Files that are in the samples' order, as most are, need no sorting. */
static void sort_spots(struct listening *l)
{
	bool sorted = true;

	for (size_t i = 1; i < l->spots.n && sorted; i++)
		sorted = l->spots.v[i - 1].place <= l->spots.v[i].place;
	if (!sorted)
		qsort(l->spots.v, l->spots.n, sizeof *l->spots.v, by_place);
}

static enum status find_spots(struct listening *l, enum text_field field, const uint32_t *ords,
			      size_t n, struct err *err)
{
	const struct column *places = NULL;
	enum status st = cache_column(l->job->c, l->job->run, store_field_column[field], &places, err);

	vec_clear(&l->spots);
	vec_clear(&l->rest);
	for (size_t i = 0; i < n && st == OK; i++) {
		uint64_t place = column_u(places, ords[i]);

		if (place == COLUMN_NONE)
			vec_push(&l->rest, ords[i]);
		else
			vec_push(&l->spots, ((struct spot){place, ords[i]}));
	}
	sort_spots(l);
	return st;
}

/* Those spots from `i` on whose texts are in the chunk; *next: the first that is not. Several answers
 * may share one text. */
static enum status hear_chunk(struct listening *l, const struct chunk *ch, size_t i, size_t *next,
			      struct err *err)
{
	uint64_t at = 0;

	for (uint32_t k = 0; k < ch->n; k++) {
		struct str text = {ch->data.p + at, ch->lens[k]};

		for (; i < l->spots.n && l->spots.v[i].place - ch->start == at; i++)
			if (hear(l, l->spots.v[i].ord, text, err) != OK)
				return err->code;
		at += ch->lens[k];
	}
	if (i < l->spots.n && l->spots.v[i].place - ch->start < at)
		return err_set(err, E_FORMAT, "%s is damaged: a text is not where it should be",
			       conn_path(l->job->c));
	*next = i;
	return OK;
}

static enum status hear_field(struct listening *l, enum text_field field, struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < l->spots.n && st == OK;) {
		const struct chunk *chunk = NULL;

		st = cache_chunk(l->job->c, l->job->run, field, l->spots.v[i].place, &chunk, err);
		if (st == OK)
			st = hear_chunk(l, chunk, i, &i, err);
	}
	return st;
}

/* --- a run --- */

static enum status any_options(struct listening *l, struct err *err)
{
	sqlite3_stmt *s = stmt_get(l->job->c, STMT_OPTION_SET_ANY, err);
	enum status st;

	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, l->job->dataset);
	st = stmt_step(l->job->c, s, &l->options, err);
	sqlite3_reset(s);
	return st;
}

static enum status listen(struct listening *l, const uint32_t *ords, size_t n, struct err *err)
{
	static const enum text_field fields[] = {FIELD_EXTRACTED, FIELD_RAW};
	uint32_t *left = NULL;
	enum status st = cache_check(l->job->c, err);

	if (st == OK)
		st = any_options(l, err);
	for (size_t f = 0; f < 2 && st == OK && n; f++) {
		st = find_spots(l, fields[f], ords, n, err);
		if (st == OK)
			st = hear_field(l, fields[f], err);
		free(left);
		ords = left = l->rest.v;
		n = l->rest.n;
		l->rest.v = NULL;
		l->rest.n = l->rest.cap = 0;
	}
	free(left);
	return st;
}

enum status answer_words(const struct words_job *job, const uint32_t *ords, size_t n, struct err *err)
{
	struct listening l = {.job = job};
	bool began;
	enum status st = read_begin(job->c, &began, err);

	if (st != OK)
		return st;
	st = listen(&l, ords, n, err);
	read_end(job->c, began);
	if (st == OK && job->passed)
		st = job->passed(job->ctx, l.passed % TELL_EVERY, err);
	arena_release(&l.arena);
	vec_release(&l.spots);
	vec_release(&l.rest);
	return st;
}
