/*
 * Kinds of answers outside of the class list: of a whole run at once, from its texts, chunk by
 * chunk, and then kept. The answer is what was extracted, else the whole response.
 */
#include <stdlib.h>
#include <string.h>

#include "core/base/log.h"
#include "core/base/xmalloc.h"
#include "core/eval/oop.h"
#include "db/conn_impl.h"
#include "db/search_impl.h"

#define NOT_YET 254 /* it is oop, and its text was not met yet */

static enum status load_names(struct search *s, struct err *err)
{
	struct oop_names *names;
	sqlite3_stmt *st;
	enum status rc;
	bool row;

	if (s->oop_names)
		return OK;
	st = stmt_get(s->c, STMT_SEARCH_SECOND_NAMES, err);
	if (!st)
		return err->code;
	names = oop_names_new();
	for (uint32_t c = 0; c < s->snap->n_classes; c++)
		oop_names_class(names, str_z(s->snap->classes[c].name));
	sqlite3_bind_int64(st, 1, s->snap->dataset_id);
	while ((rc = stmt_step(s->c, st, &row, err)) == OK && row)
		oop_names_alias(names, stmt_str(st, 0));
	if (rc == OK)
		s->oop_names = names;
	else
		oop_names_free(names);
	return rc;
}

/* --- one run --- */

struct sorting {
	const struct hunt *h;
	const struct cancel *cancel;
	uint8_t *kind; /* [n] */
	uint32_t left; /* that are NOT_YET */
};

static void sort_text(struct sorting *w, struct str text, const uint32_t *ords, size_t n)
{
	uint8_t kind = NOT_YET;

	for (size_t k = 0; k < n; k++) {
		if (ords[k] >= w->h->s->snap->n || w->kind[ords[k]] != NOT_YET)
			continue;
		if (kind == NOT_YET)
			kind = (uint8_t)oop_kind_of(w->h->s->oop_names, text);
		w->kind[ords[k]] = kind;
		w->left--;
	}
}

static void sort_entries(struct sorting *w, struct entries *e)
{
	size_t at = 0;

	for (uint32_t i = 0; i < e->n; i++) {
		uint32_t len = entries_u32(e->lens, i);
		const uint32_t *ords;
		size_t n = entries_owners(e, i, at, &ords);

		sort_text(w, (struct str){e->data.p + at, len}, ords, n);
		at += len;
	}
}

static enum status sort_chunk(struct sorting *w, const struct answer_chunk *chunk)
{
	struct search *s = w->h->s;
	sqlite3_stmt *stmt = NULL;
	struct entries e = {0};
	bool began;
	enum status st = cancel_check(w->cancel, w->h->err);

	if (st == OK)
		st = read_begin(s->c, &began, w->h->err);
	if (st != OK)
		return st;
	st = answer_entries(w->h, chunk, &stmt, &e);
	if (st == OK)
		sort_entries(w, &e);
	sqlite3_reset(stmt);
	read_end(s->c, began);
	return st;
}

/* The chunks of a field in which one of the answers lies; all, when the project does not say. */
static uint8_t *wanted_chunks(struct sorting *w, const struct answer_chunks *all)
{
	uint32_t n = w->h->s->snap->n;
	uint8_t *wanted = xcalloc(all->list.n + 1, 1);
	uint64_t *ords = xcalloc(bits_words(n) + 1, sizeof *ords);
	struct err none = ERR_INIT;

	for (uint32_t i = 0; i < n; i++)
		if (w->kind[i] == NOT_YET)
			bits_set(ords, i);
	if (!answer_chunks_of(w->h, all->list.v, all->list.n, ords, 0, n, wanted, &none))
		memset(wanted, 1, all->list.n);
	free(ords);
	return wanted;
}

static enum status sort_field(struct sorting *w, int run, enum text_field field)
{
	struct search *s = w->h->s;
	struct answer_chunks all = {.list = {0}};
	uint8_t *wanted = NULL;
	bool began;
	enum status st = read_begin(s->c, &began, w->h->err);

	if (st != OK)
		return st;
	st = answer_chunks_add(w->h, s->snap->runs[run].id, field, &all);
	read_end(s->c, began);
	if (st == OK && all.list.n)
		wanted = wanted_chunks(w, &all);
	for (size_t k = 0; st == OK && k < all.list.n && w->left; k++)
		if (wanted[k])
			st = sort_chunk(w, &all.list.v[k]);
	free(wanted);
	answer_chunks_release(&all);
	return st;
}

static uint32_t find_oop(const struct run *run, uint32_t n, uint8_t *kind)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < n; i++) {
		bool is = column_u(&run->outcome, i) == OUTCOME_OOP;

		kind[i] = is ? NOT_YET : OOP_NONE;
		found += is;
	}
	return found;
}

static enum status sort_run(struct search *s, int run, uint8_t *kind, const struct cancel *cancel,
			    struct err *err)
{
	const struct hunt h = {.s = s, .err = err};
	struct sorting w = {.h = &h, .cancel = cancel, .kind = kind};
	uint32_t n = s->snap->n;
	enum status st = OK;
	bool began;

	w.left = find_oop(&s->snap->runs[run], n, kind);
	if (!w.left)
		return OK;
	st = read_begin(s->c, &began, err);
	if (st != OK)
		return st;
	st = load_names(s, err);
	read_end(s->c, began);
	if (st == OK)
		st = sort_field(&w, run, FIELD_EXTRACTED);
	if (st == OK && w.left)
		st = sort_field(&w, run, FIELD_RAW);
	for (uint32_t i = 0; i < n && w.left; i++) /* nothing is stored but that it was one */
		if (kind[i] == NOT_YET)
			kind[i] = OOP_WRONG;
	return st;
}

enum status search_oop_kinds(void *ctx, int run, const uint8_t **kind, const struct cancel *cancel,
			     struct err *err)
{
	struct search *s = ctx;
	uint32_t n_runs = snapshot_answerers(s->snap);
	uint8_t *made;
	enum status st;

	if (!s->oop_kind)
		s->oop_kind = xcalloc((size_t)n_runs + 1, sizeof *s->oop_kind);
	if (!s->oop_kind[run]) {
		made = mem_try((size_t)s->snap->n + 1);
		if (!made)
			return err_set(err, E_LIMIT, "there is no memory for the kinds of %u answers", s->snap->n);
		st = sort_run(s, run, made, cancel, err);
		if (st != OK) {
			free(made);
			return st;
		}
		s->oop_kind[run] = made;
	}
	*kind = s->oop_kind[run];
	return OK;
}

enum oop_kind search_oop_kind(struct search *s, struct str answer)
{
	struct err err = ERR_INIT;
	bool began;

	if (!s->oop_names && read_begin(s->c, &began, &err) == OK) {
		if (load_names(s, &err) != OK)
			log_line("db", "search_oop_kind: %s", err.msg);
		read_end(s->c, began);
	}
	return s->oop_names ? oop_kind_of(s->oop_names, answer) : OOP_NONE;
}

void search_oop_free(struct search *s)
{
	for (uint32_t r = 0; s->oop_kind && r < snapshot_answerers(s->snap); r++)
		free(s->oop_kind[r]);
	free(s->oop_kind);
	oop_names_free(s->oop_names);
}
