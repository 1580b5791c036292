/* Answers of a dataset's runs: those whose words have another meaning now. */
#include "db/answer_words.h"
#include "db/relabel.h"

#define NONE UINT32_MAX

/* --- which may be other ones --- */

/* [classes]: those that an answer has by its words, perhaps. */
static uint8_t *named_classes(const struct relabel *r)
{
	uint8_t *named = xcalloc((size_t)store_n_classes(&r->names) + 1, 1);

	for (size_t m = 0; m < r->meaning.n; m++)
		if (r->meaning.v[m].cls != NONE && r->meaning.v[m].n)
			named[r->classes.v[r->meaning.v[m].from]] = 1;
	return named;
}

/* To be asked for its words: the map's work, or an answer for it to place. */
static bool may_change(const struct relabel *r, const uint8_t *named, uint32_t i)
{
	uint64_t o = column_u(&r->run.outcome, i), cls = column_u(&r->run.label, i);

	if (column_u(&r->run.mapped, i) != COLUMN_NONE)
		return true;
	if (!r->adds)
		return false;
	if (cls == COLUMN_NONE)
		return o == OUTCOME_OOP || o == OUTCOME_UNPARSED;
	return o == OUTCOME_ANSWERED && cls < store_n_classes(&r->names) && named[cls];
}

/* --- what they become --- */

static bool is_named(const struct relabel *r, const struct meaning *m, const struct view *v)
{
	return m->n && v->n == m->n &&
	       memcmp(v->classes, r->classes.v + m->from, m->n * sizeof *v->classes) == 0;
}

static bool changes(const struct relabel *r, const struct meaning *m, const struct view *v)
{
	if (m->cls == NONE)
		return v->was != OUTCOME_MISSING;
	if (v->n == 1 && v->classes[0] == m->cls)
		return false;
	return v->was != OUTCOME_MISSING || !v->n || is_named(r, m, v);
}

static enum status hear(void *ctx, uint32_t ord, struct str words, struct err *err)
{
	struct relabel *r = ctx;
	uint32_t text = words.n <= STORE_NAME_MAX
			    ? intern_find(&r->texts, store_fold(words, &r->folded))
			    : INTERN_NONE;
	struct view v;

	(void)err;
	if (text == INTERN_NONE)
		return OK;
	v = store_view_stored(&r->run, ord, &r->scratch);
	if (!changes(r, &r->meaning.v[text], &v))
		return OK;
	r->to[ord] = text + 1;
	r->changed++;
	if (r->meaning.v[text].cls != NONE)
		r->moves.placed++;
	else
		r->moves.freed++;
	return OK;
}

static void place(struct view *v, const struct meaning *m)
{
	if (v->was == OUTCOME_MISSING)
		v->was = v->n ? OUTCOME_ANSWERED : v->outcome;
	if (!v->n)
		v->outcome = OUTCOME_ANSWERED;
	v->classes = &m->cls;
	v->n = 1;
}

/* As it would be if the map had never said anything. */
static void take_back(const struct relabel *r, struct view *v, const struct meaning *m)
{
	v->outcome = v->was == OUTCOME_ANSWERED && !m->n ? OUTCOME_OOP : v->was;
	v->n = v->was == OUTCOME_ANSWERED ? m->n : 0;
	v->classes = r->classes.v + m->from;
	v->was = OUTCOME_MISSING;
}

static struct view view_now(void *ctx, uint32_t ord)
{
	struct relabel *r = ctx;
	struct view v = store_view_stored(&r->run, ord, &r->scratch);
	const struct meaning *m = r->to[ord] ? &r->meaning.v[r->to[ord] - 1] : NULL;

	if (m && m->cls != NONE)
		place(&v, m);
	else if (m)
		take_back(r, &v, m);
	return v;
}

/* --- a run --- */

static enum status passed(void *ctx, size_t n, struct err *err)
{
	return relabel_passed(ctx, n, err);
}

static enum status load(struct relabel *r, int64_t run, struct err *err)
{
	struct err none = ERR_INIT;
	enum status st;

	store_stored_release(&r->run);
	r->run = (struct stored){.id = run, .hash = DENSE(uint64_t, 0)};
	st = store_stored_answers(&r->names, &r->run, &none);
	if (st != OK && st != E_NOT_FOUND) /* a run without answers has no columns */
		*err = none;
	return st == E_NOT_FOUND ? OK : st;
}

static enum status listen(struct relabel *r, ordinals *asked, struct err *err)
{
	uint8_t *named = named_classes(r);
	struct words_job job = {.c = r->c, .dataset = r->u->dataset, .run = r->run.id, .ctx = r,
				.heard = hear, .passed = passed};

	vec_clear(asked);
	for (uint32_t i = 0; i < r->run.outcome.n; i++)
		if (may_change(r, named, i))
			vec_push(asked, i);
	free(named);
	if (!asked->n)
		return OK;
	free(r->to);
	r->to = mem_try((r->run.outcome.n + 1) * sizeof *r->to);
	if (!r->to)
		return err_set(err, E_MEMORY, "there is no memory to look at %zu answers", asked->n);
	memset(r->to, 0, (r->run.outcome.n + 1) * sizeof *r->to);
	return answer_words(&job, asked->v, asked->n, err);
}

static enum status relabel_run(struct relabel *r, int64_t run, ordinals *asked, struct err *err)
{
	enum status st = load(r, run, err);

	r->changed = 0;
	if (st == OK)
		st = listen(r, asked, err);
	if (st == OK && r->changed) {
		r->moves.runs++;
		st = store_views_write(&r->names, run, (uint32_t)r->run.outcome.n, view_now, r, err);
	}
	return st;
}

/* Their ids first: what is written must not meet a statement that is half way. */
enum status relabel_runs(struct relabel *r, struct err *err)
{
	sqlite3_stmt *s = stmt_get(r->c, STMT_LABEL_RUNS, err);
	VEC(int64_t) ids = {0};
	VEC(uint64_t) sizes = {0};
	ordinals asked = {0};
	uint64_t before = 0;
	enum status st = s ? OK : err->code;
	bool row;

	if (s)
		sqlite3_bind_int64(s, 1, r->u->dataset);
	while (st == OK && (st = stmt_step(r->c, s, &row, err)) == OK && row) {
		vec_push(&ids, sqlite3_column_int64(s, 0));
		vec_push(&sizes, (uint64_t)sqlite3_column_int64(s, 1));
		r->all += sizes.v[sizes.n - 1];
	}
	for (size_t i = 0; i < ids.n && st == OK; i++) {
		st = relabel_run(r, ids.v[i], &asked, err);
		before += sizes.v[i];
		r->done = before; /* those that needed no look among them */
		if (st == OK)
			st = relabel_passed(r, 0, err);
	}
	vec_release(&ids);
	vec_release(&sizes);
	vec_release(&asked);
	return st;
}
