/* What the label map has made of answers and truths (relabel.h): what it would take back must be
 * something that can be. */
#include "db/store_internal.h"
#include "db/verify_impl.h"

static const char forgotten[] = "it is forgotten: what the label map placed stays placed";

/* --- answers --- */

static bool can_be(uint64_t outcome)
{
	return outcome == OUTCOME_ANSWERED || outcome == OUTCOME_OOP || outcome == OUTCOME_UNPARSED;
}

/* Clears what cannot be, and tells it. */
static bool clean(struct verify *k, const struct verify_run *r, const struct column *label,
		  struct column *mapped)
{
	struct finding strange, none;
	bool bad;

	finding_init(&strange, "column " STORE_MAPPED " holds what does not exist");
	finding_init(&none, "placed by the label map, and no class");
	for (size_t i = 0; i < mapped->n; i++) {
		uint64_t v = column_u(mapped, i);

		if (v == COLUMN_NONE)
			continue;
		if (!can_be(v))
			finding_see(&strange, "sample %zu", i);
		else if (column_u(label, i) == COLUMN_NONE)
			finding_see(&none, "sample %zu", i);
		else
			continue;
		column_set_u(mapped, i, COLUMN_NONE);
	}
	bad = finding_end(k, &strange, r->where, forgotten);
	return finding_end(k, &none, r->where, forgotten) || bad;
}

/* After the answers themselves, which may have been made anew. */
enum status verify_mapped(struct verify *k, const struct verify_run *r, struct err *err)
{
	struct column mapped = {DT_U8, 0, NULL}, label = {DT_U8, 0, NULL};
	struct err why = ERR_INIT;
	bool there, damaged = false, bad = false;
	enum status st = verify_column(k, OWNER_RUN, r->id, r->where, STORE_MAPPED, forgotten, &mapped,
				       &there, &damaged, err);

	if (st == OK && there && (mapped.dtype != DT_U8 || mapped.n > r->d->n)) {
		finding_one(k, r->where, forgotten, "column %s is of the wrong type or length", STORE_MAPPED);
		damaged = true;
	}
	if (st == OK && there && !damaged &&
	    (column_load(k->c, OWNER_RUN, r->id, "label", &label, &why) == OK || why.code == E_NOT_FOUND))
		bad = clean(k, r, &label, &mapped);
	if (st == OK && k->repair && damaged)
		st = verify_drop_column(k, OWNER_RUN, r->id, STORE_MAPPED, err);
	if (st == OK && k->repair && bad)
		st = column_store(k->c, OWNER_RUN, r->id, STORE_MAPPED, &mapped, err);
	column_release(&mapped);
	column_release(&label);
	return st;
}

/* --- truths --- */

static const char *const kept[] = {"was_ord", "was_offset", "was_value"};

static bool fits(const struct column *ord, const struct csr *was, const struct verify_dataset *d)
{
	if (!csr_valid(was, d->n_classes) || csr_n(was) != ord->n)
		return false;
	for (size_t i = 0; i < ord->n; i++)
		if (column_u(ord, i) >= d->n || (i && column_u(ord, i) <= column_u(ord, i - 1)))
			return false;
	return true;
}

enum status verify_kept_truths(struct verify *k, int64_t layer, const char *where,
			       const struct verify_dataset *d, struct err *err)
{
	struct column ord = {DT_U8, 0, NULL};
	struct csr was = {{DT_U8, 0, NULL}, {DT_U8, 0, NULL}};
	struct column *parts[] = {&ord, &was.off, &was.val};
	bool there, bad = false;
	enum status st = OK;

	for (int i = 0; i < 3 && st == OK; i++)
		st = verify_column(k, OWNER_LAYER, layer, where, kept[i], forgotten, parts[i], &there, &bad,
				   err);
	if (st == OK && !bad && !fits(&ord, &was, d)) {
		finding_one(k, where, forgotten, "sets as the files have them do not fit their samples");
		bad = true;
	}
	for (int i = 0; i < 3 && st == OK && bad && k->repair; i++)
		st = verify_drop_column(k, OWNER_LAYER, layer, kept[i], err);
	column_release(&ord);
	csr_release(&was);
	return st;
}
