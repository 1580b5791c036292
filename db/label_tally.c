/* Which texts mean no class, and how many answers say each; what each row of the label map placed. */
#include <stdlib.h>

#include "db/answer_words.h"
#include "db/conn_impl.h"
#include "db/labels.h"
#include "db/store_merge.h"

struct tally {
	struct conn *c;
	const struct label_watch *watch;
	struct label_tally *out;
	struct arena *arena;
	struct intern texts, map;  /* folded */
	VEC(uint32_t) row;	   /* by number in map */
	VEC(struct label_text) met; /* by number in texts */
	size_t bytes;
	struct buf folded;
	struct store frame; /* reads answers; nothing but its conn */
	struct stored run;
	uint64_t done, all;
};

static void hear_unplaced(struct tally *t, struct str words)
{
	struct str folded;
	uint32_t id;

	t->out->answers++;
	words = str_trim(words);
	if (words.n > STORE_NAME_MAX || !words.n) {
		t->out->others++;
		return;
	}
	folded = store_fold(words, &t->folded);
	id = intern_find(&t->texts, folded);
	if (id == INTERN_NONE) {
		if (t->met.n >= LABELS_TEXTS_MAX || t->bytes + folded.n > LABELS_BYTES_MAX) {
			t->out->others++;
			return;
		}
		t->bytes += folded.n;
		id = intern_add(&t->texts, folded);
		vec_push(&t->met, ((struct label_text){arena_str(t->arena, words), 0}));
	}
	t->met.v[id].n++;
}

static enum status hear(void *ctx, uint32_t ord, struct str words, struct err *err)
{
	struct tally *t = ctx;
	uint32_t row;

	(void)err;
	if (column_u(&t->run.label, ord) == COLUMN_NONE) {
		hear_unplaced(t, words);
		return OK;
	}
	row = words.n <= STORE_NAME_MAX ? intern_find(&t->map, store_fold(words, &t->folded))
					: INTERN_NONE;
	if (row != INTERN_NONE)
		t->out->placed[t->row.v[row]]++;
	return OK;
}

static enum status passed(void *ctx, size_t n, struct err *err)
{
	struct tally *t = ctx;
	const struct label_watch *w = t->watch;

	t->done += n;
	if (w && w->passed && !w->passed(w->ctx, t->done, t->all))
		return err_set(err, E_CANCELLED, "given up");
	return cancel_check(w ? w->cancel : NULL, err);
}

/* --- a run --- */

static bool is_asked(const struct tally *t, uint32_t i)
{
	uint64_t o = column_u(&t->run.outcome, i);

	if (column_u(&t->run.label, i) != COLUMN_NONE)
		return column_u(&t->run.mapped, i) != COLUMN_NONE;
	return o == OUTCOME_OOP || o == OUTCOME_UNPARSED;
}

static enum status tally_run(struct tally *t, int64_t dataset, int64_t run, ordinals *asked,
			     struct err *err)
{
	struct words_job job = {.c = t->c, .dataset = dataset, .run = run, .ctx = t,
				.heard = hear, .passed = passed};
	struct err none = ERR_INIT;
	enum status st;

	store_stored_release(&t->run);
	t->run = (struct stored){.id = run, .hash = DENSE(uint64_t, 0)};
	st = store_stored_columns(&t->frame, &t->run, &none);
	if (st != OK && st != E_NOT_FOUND)
		*err = none;
	vec_clear(asked);
	for (uint32_t i = 0; st == OK && i < t->run.outcome.n; i++)
		if (is_asked(t, i))
			vec_push(asked, i);
	if (st == OK && asked->n)
		st = answer_words(&job, asked->v, asked->n, err);
	return st == E_NOT_FOUND ? OK : st;
}

static enum status tally_runs(struct tally *t, int64_t dataset, struct err *err)
{
	sqlite3_stmt *s = stmt_get(t->c, STMT_LABEL_RUNS, err);
	struct { VEC(int64_t) id; VEC(uint64_t) n; } runs = {{0}, {0}};
	ordinals asked = {0};
	uint64_t before = 0;
	enum status st = s ? OK : err->code;
	bool row;

	if (s)
		sqlite3_bind_int64(s, 1, dataset);
	while (st == OK && (st = stmt_step(t->c, s, &row, err)) == OK && row) {
		vec_push(&runs.id, sqlite3_column_int64(s, 0));
		vec_push(&runs.n, (uint64_t)sqlite3_column_int64(s, 1));
		t->all += runs.n.v[runs.n.n - 1];
	}
	for (size_t i = 0; i < runs.id.n && st == OK; i++) {
		st = tally_run(t, dataset, runs.id.v[i], &asked, err);
		t->done = before += runs.n.v[i];
		if (st == OK)
			st = passed(t, 0, err);
	}
	vec_release(&runs.id);
	vec_release(&runs.n);
	vec_release(&asked);
	return st;
}

/* --- the whole --- */

static int by_count(const void *a, const void *b)
{
	const struct label_text *x = a, *y = b;

	if (x->n != y->n)
		return x->n < y->n ? 1 : -1;
	return str_cmp(x->text, y->text);
}

static enum status load_map(struct tally *t, int64_t dataset, struct err *err)
{
	struct label_row *rows;
	enum status st = labels_list(t->c, dataset, &rows, &t->out->n_rows, t->arena, err);

	t->out->placed = arena_zalloc(t->arena, t->out->n_rows + 1, sizeof *t->out->placed);
	for (size_t i = 0; i < t->out->n_rows && st == OK; i++)
		if (intern_add(&t->map, store_fold(rows[i].text, &t->folded)) == t->row.n)
			vec_push(&t->row, (uint32_t)i);
	return st;
}

static enum status tally_all(struct tally *t, int64_t dataset, struct err *err)
{
	enum status st = conn_generation(t->c, &t->out->generation, err);

	if (st == OK)
		st = load_map(t, dataset, err);
	if (st == OK)
		st = tally_runs(t, dataset, err);
	if (t->met.n)
		qsort(t->met.v, t->met.n, sizeof *t->met.v, by_count);
	t->out->unplaced = arena_zalloc(t->arena, t->met.n + 1, sizeof *t->out->unplaced);
	if (t->met.n)
		memcpy(t->out->unplaced, t->met.v, t->met.n * sizeof *t->met.v);
	t->out->n = t->met.n;
	return st;
}

enum status labels_tally(struct conn *c, int64_t dataset, const struct label_watch *watch,
			 struct label_tally *out, struct arena *arena, struct err *err)
{
	struct tally t = {.c = c, .watch = watch, .out = out, .arena = arena, .frame.c = c};
	bool began;
	enum status st = read_begin(c, &began, err);

	*out = (struct label_tally){0};
	if (st != OK)
		return st;
	st = tally_all(&t, dataset, err);
	read_end(c, began);
	store_stored_release(&t.run);
	intern_release(&t.texts);
	intern_release(&t.map);
	vec_release(&t.row);
	vec_release(&t.met);
	buf_release(&t.folded);
	return st;
}

enum status labels_left_out(struct conn *c, int64_t dataset, struct str *file, struct arena *arena,
			    struct err *err)
{
	sqlite3_stmt *s = stmt_get(c, STMT_LABEL_LEFT_OUT, err);
	enum status st;
	bool row;

	*file = STR("");
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, dataset);
	st = stmt_step(c, s, &row, err);
	if (st != OK || !row)
		return st;
	*file = arena_str(arena, stmt_str(s, 0));
	sqlite3_reset(s);
	return OK;
}
