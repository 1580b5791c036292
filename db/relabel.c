#include "db/relabel.h"

#define NONE UINT32_MAX

static bool has_steps(const struct steps *done)
{
	for (size_t i = 0; i < done->list.n; i++)
		if (step_is_label(&done->list.v[i]))
			return true;
	return false;
}

static void add_text(struct relabel *r, struct str text)
{
	struct meaning m = {store_class_mapped(&r->names, text), r->classes.n, 0};
	uint32_t id = intern_add(&r->texts, store_fold(text, &r->folded));

	if (id < r->meaning.n)
		return;
	store_classes_named(&r->names, text, &r->classes);
	m.n = store_tidy(&r->classes, m.from);
	r->adds |= m.cls != NONE;
	vec_push(&r->meaning, m);
}

enum status relabel_passed(struct relabel *r, size_t n, struct err *err)
{
	const struct label_watch *w = r->u->watch;

	r->done += n;
	if (w && w->passed && !w->passed(w->ctx, r->done, r->all))
		return err_set(err, E_CANCELLED, "given up: the label map is as it was");
	return cancel_check(w ? w->cancel : NULL, err);
}

/* Snapshots and what is kept of the file grow old. */
static enum status bump(struct relabel *r, struct err *err)
{
	int64_t generation;
	sqlite3_stmt *s;

	if (conn_generation(r->c, &generation, err) != OK)
		return err->code;
	s = stmt_get(r->c, STMT_STORE_GENERATION_PUT, err);
	if (!s)
		return err->code;
	sqlite3_bind_int64(s, 1, generation + 1);
	return stmt_run(r->c, s, err);
}

static enum status move_all(struct relabel *r, const struct steps *done, struct err *err)
{
	enum status st = store_classes_load(&r->names, err);

	for (size_t i = 0; i < done->list.n && st == OK; i++)
		if (step_is_label(&done->list.v[i]))
			add_text(r, done->list.v[i].name);
	if (st == OK)
		st = relabel_runs(r, err);
	if (st == OK)
		st = relabel_layers(r, err);
	if (st == OK)
		st = relabel_options(r, err);
	if (st == OK && r->moves.placed + r->moves.freed + r->moves.truths + r->moves.options)
		st = bump(r, err);
	return st;
}

enum status relabel(struct user *u, struct conn *where, const struct steps *done, struct err *err)
{
	struct relabel r = {.u = u, .c = where};
	enum status st;

	u->moves = r.moves;
	if (!has_steps(done))
		return OK;
	report_init(&r.report, "labels", NULL);
	r.names.c = where;
	r.names.dataset = u->dataset;
	r.names.report = &r.report;
	st = move_all(&r, done, err);
	u->moves = r.moves;
	store_stored_release(&r.run);
	free(r.to);
	store_classes_release(&r.names.classes);
	store_refs_release(&r.names.refs);
	arena_release(&r.names.arena);
	report_release(&r.report);
	intern_release(&r.texts);
	vec_release(&r.meaning);
	vec_release(&r.classes);
	vec_release(&r.scratch);
	buf_release(&r.folded);
	return st;
}
