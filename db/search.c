#include "db/search.h"

#include <stdlib.h>

#include "core/base/map.h"
#include "db/cache.h"
#include "db/conn_impl.h"
#include "db/fetch.h"
#include "db/search_impl.h"

#define SPLIT_FROM ((uint64_t)2 << 20)
#define BATCH      ((uint64_t)16 << 20) /* some milliseconds */

/* --- numbers --- */

static bool is_number(struct str name)
{
	return !str_eqz(name, "outcome") && !str_eqz(name, "label") &&
	       !str_starts(name, STR("list_")) && !str_starts(name, STR("text_"));
}

static enum status load_numbers(struct search *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_SEARCH_NUMBERS, err);
	VEC(const char *) names = {0};
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->snap->dataset_id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
		if (is_number(stmt_str(st, 0)))
			vec_push(&names, arena_str(&s->arena, stmt_str(st, 0)).p);
	s->source.numbers = names.v;
	s->source.n_numbers = names.n;
	return rc;
}

static enum status number(void *ctx, int run, const char *name, const struct column **col,
			  struct err *err)
{
	struct search *s = ctx;
	bool began;
	enum status st = read_begin(s->c, &began, err);

	if (st != OK)
		return st;
	st = cache_check(s->c, err);
	if (st == OK)
		st = cache_column(s->c, s->snap->runs[run].id, name, col, err);
	read_end(s->c, began);
	return st;
}

/* --- marks --- */

#define MARKS_AT_ONCE 1024

static enum status marks(void *ctx, int run, bool people, const uint64_t *within,
			 void (*take)(void *to, uint32_t ord, struct str text), void *to, struct err *err)
{
	struct search *s = ctx;
	size_t n = s->snap->n, i = within ? bits_next(within, n, 0) : 0;
	struct arena arena = ARENA_INIT;
	uint32_t ords[MARKS_AT_ONCE];
	struct str *texts = xcalloc(MARKS_AT_ONCE, sizeof *texts);
	enum status st = OK;

	while (i < n && st == OK) {
		size_t have = 0;

		for (; i < n && have < MARKS_AT_ONCE; i = within ? bits_next(within, n, i + 1) : i + 1)
			ords[have++] = (uint32_t)i;
		memset(texts, 0, MARKS_AT_ONCE * sizeof *texts);
		st = fetch_texts(s->c, s->snap->runs[run].id, people ? FIELD_PEOPLE : FIELD_MARKS, ords,
				 have, texts, &arena, err);
		for (size_t k = 0; k < have && st == OK; k++)
			if (texts[k].n)
				take(to, ords[k], texts[k]);
		arena_clear(&arena);
	}
	free(texts);
	arena_release(&arena);
	return st;
}

/* --- names of classes --- */

static enum status load_aliases(struct search *s, struct err *err)
{
	sqlite3_stmt *st = stmt_get(s->c, STMT_SEARCH_ALIASES, err);
	enum status rc;
	bool row;

	if (!st)
		return err->code;
	sqlite3_bind_int64(st, 1, s->snap->dataset_id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row) {
		struct alias a = {arena_str(&s->arena, stmt_str(st, 1)),
				  (uint32_t)sqlite3_column_int64(st, 0)};

		vec_push(&s->aliases, a);
	}
	return rc;
}

/* Looked for by eye: a dataset has some thousands, and a filter names a few. */
static size_t aliases(void *ctx, struct str name, uint32_t *out, size_t max)
{
	struct search *s = ctx;
	size_t n = 0;

	for (size_t i = 0; i < s->aliases.n && n < max; i++)
		if (str_eq_nocase(s->aliases.v[i].name, name))
			out[n++] = s->aliases.v[i].class;
	return n;
}

/* --- keys --- */

static enum status keys(void *ctx, const struct str *key, size_t n, uint64_t *bits,
			const struct cancel *cancel, struct err *err)
{
	struct search *s = ctx;
	bool began;
	enum status st = read_begin(s->c, &began, err);

	if (st != OK)
		return st;
	for (size_t i = 0; i < n && st == OK; i++) {
		struct err none = ERR_INIT;
		uint32_t ord;

		st = fetch_ordinal(s->c, s->snap->dataset_id, key[i], &ord, &none);
		if (st == OK && ord < s->snap->n)
			bits_set(bits, ord);
		if (st == E_NOT_FOUND)
			st = OK;
		else if (st != OK)
			*err = none;
		if (st == OK)
			st = cancel_check(cancel, err);
	}
	read_end(s->c, began);
	return st;
}

/* --- open, close --- */

enum status search_new(struct search **out, struct conn *c, const struct snapshot *snap,
		       struct err *err)
{
	struct search *s = xcalloc(1, sizeof *s);
	bool began;
	enum status st;

	s->c = c;
	s->snap = snap;
	s->source = (struct filter_source){
	    .ctx = s, .number = number, .marks = marks, .text = search_texts, .work = search_work, 
	    .keys = keys, .aliases = aliases, .oop_kinds = search_oop_kinds};
	s->split = SPLIT_FROM;
	s->batch = BATCH;
	st = read_begin(c, &began, err);
	if (st == OK) {
		st = load_numbers(s, err);
		if (st == OK)
			st = load_aliases(s, err);
		read_end(c, began);
	}
	if (st == OK)
		*out = s;
	else
		search_free(s);
	return st;
}

void search_free(struct search *s)
{
	if (!s)
		return;
	free((void *)(uintptr_t)s->source.numbers);
	search_oop_free(s);
	vec_release(&s->aliases);
	arena_release(&s->arena);
	conn_close(s->second);
	free(s);
}

const struct filter_source *search_source(const struct search *s)
{
	return &s->source;
}

/* --- the user's things --- */

void search_things(const struct user_things *things, struct filter_things *out)
{
	struct filter_tag *tags = xcalloc((size_t)things->n_tags + 1, sizeof *tags);

	for (uint32_t i = 0; i < things->n_tags; i++)
		tags[i] = (struct filter_tag){things->tags[i].name, things->tags[i].ords,
					      things->tags[i].n};
	*out = (struct filter_things){things->marked, things->seen, things->notes, tags,
				      things->n_tags};
}

void search_things_release(struct filter_things *out)
{
	free((void *)(uintptr_t)out->tags);
	*out = (struct filter_things){0};
}
