/* Ground truths: sets, votes, and whom they cover. */
#include <stdlib.h>

#include "db/verify_impl.h"

#define NONE UINT32_MAX

struct layer_pass {
	struct sets sets;
	const struct verify_dataset *d;
	int64_t n_labelled, kind;
	struct column covered, votes;
	ordinal_vec fields; /* class of each column of votes; NONE = none */
	bool bad_fields;
};

static enum status load_fields(struct verify *k, struct layer_pass *p, struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_VERIFY_FIELDS, err);
	struct finding order, classes;
	ordinal_vec fix = {0};
	enum status st = s ? OK : err->code;
	bool row;

	finding_init(&order, "its fields are out of order");
	finding_init(&classes, "fields whose class does not exist");
	if (s)
		sqlite3_bind_int64(s, 1, p->sets.owner);
	while (st == OK && (st = stmt_step(k->c, s, &row, err)) == OK && row) {
		bool none = sqlite3_column_type(s, 1) == SQLITE_NULL;
		int64_t class = sqlite3_column_int64(s, 1);

		if (sqlite3_column_int64(s, 0) != (int64_t)p->fields.n)
			finding_see(&order, "%lld", (long long)sqlite3_column_int64(s, 0));
		if (!none && (class < 0 || class >= p->d->n_classes)) {
			finding_see(&classes, "%zu", p->fields.n);
			vec_push(&fix, (uint32_t)p->fields.n);
			none = true;
		}
		vec_push(&p->fields, none ? NONE : (uint32_t) class);
	}
	p->bad_fields = finding_end(k, &order, p->sets.where, "fields and votes are dropped");
	finding_end(k, &classes, p->sets.where, "they have none");
	for (size_t i = 0; i < fix.n && st == OK && k->repair && !p->bad_fields; i++)
		st = verify_exec2(k, STMT_FIX_FIELD, p->sets.owner, fix.v[i], err);
	vec_release(&fix);
	return st;
}

static enum status load_votes(struct verify *k, struct layer_pass *p, struct err *err)
{
	static const char fix[] = "fields and votes are dropped";
	bool there, bad = false;
	size_t width = p->fields.n;
	enum status st = verify_column(k, OWNER_LAYER, p->sets.owner, p->sets.where, "votes", fix,
				       &p->votes, &there, &bad, err);

	if (st == OK && there &&
	    (p->votes.dtype != DT_F32 || !width || p->votes.n % width ||
	     p->votes.n / width > p->d->n)) {
		finding_one(k, p->sets.where, fix, "column votes does not fit the fields");
		bad = true;
	}
	if (bad || p->bad_fields) {
		column_release(&p->votes);
		p->bad_fields = p->sets.bad = true;
	}
	return st;
}

static bool has_votes(const struct layer_pass *p, uint32_t i)
{
	return p->votes.n && ((size_t)i + 1) * p->fields.n <= p->votes.n;
}

/* The classes with the most votes, ascending. */
static void dominant(const struct layer_pass *p, uint32_t i, ordinal_vec *out)
{
	const float *row = (const float *)p->votes.data + (size_t)i * p->fields.n;
	size_t start = out->n;
	float top = 0;

	for (size_t f = 0; f < p->fields.n; f++)
		top = row[f] > top ? row[f] : top;
	for (size_t f = 0; f < p->fields.n && top > 0; f++)
		if (row[f] >= top && p->fields.v[f] != NONE)
			vec_push(out, p->fields.v[f]);
	ordinals_sort(out->v + start, out->n - start);
}

/* Sets that lie beside votes are made from them. */
static void compare_votes(struct verify *k, struct layer_pass *p)
{
	struct finding f;
	ordinal_vec want = {0};

	finding_init(&f, "sets that are not those of the most votes");
	for (uint32_t i = 0; p->sets.whole && !p->sets.bad && i < csr_n(&p->sets.csr); i++) {
		size_t from, n = csr_row(&p->sets.csr, i, &from);
		bool same;

		if (!has_votes(p, i))
			continue;
		vec_clear(&want);
		dominant(p, i, &want);
		same = want.n == n;
		for (size_t j = 0; same && j < n; j++)
			same = column_u(&p->sets.csr.val, from + j) == want.v[j];
		if (!same)
			finding_see(&f, "sample %u", i);
	}
	p->sets.bad |= finding_end(k, &f, p->sets.where, "they are made again from the votes");
	vec_release(&want);
}

static enum status load_covered(struct verify *k, struct layer_pass *p, struct err *err)
{
	static const char fix[] = "it is made again from the sets";
	const uint8_t *v;
	struct finding f, empty;
	bool there;
	enum status st = verify_column(k, OWNER_LAYER, p->sets.owner, p->sets.where, "covered", fix,
				       &p->covered, &there, &p->sets.bad, err);

	if (st != OK || !there)
		return st;
	if (p->covered.dtype != DT_U8 || p->covered.n > p->d->n) {
		finding_one(k, p->sets.where, fix, "column covered is of the wrong type or length");
		p->sets.bad = true;
		column_release(&p->covered);
		return OK;
	}
	finding_init(&f, "column covered is neither yes nor no");
	finding_init(&empty, "samples with labels that are said to have none");
	v = p->covered.data;
	for (uint32_t i = 0; i < p->covered.n; i++) {
		size_t from;

		if (v[i] > 1 && v[i] != UINT8_MAX)
			finding_see(&f, "sample %u", i);
		if (v[i] != 1 && p->sets.whole && csr_row(&p->sets.csr, i, &from) > 0)
			finding_see(&empty, "sample %u", i);
	}
	p->sets.bad |= finding_end(k, &f, p->sets.where, fix);
	p->sets.bad |= finding_end(k, &empty, p->sets.where, fix);
	return OK;
}

/* Is sample i covered, after its set was made again? A set that has lost all it held is not the
 * empty set that a layer means. */
static bool covers(const struct layer_pass *p, uint32_t i, size_t before, size_t after)
{
	uint64_t said = column_u(&p->covered, i);

	if (after)
		return true;
	return said == 1 && !before && (p->sets.whole || has_votes(p, i));
}

static enum status rebuild_layer(struct verify *k, struct layer_pass *p, struct err *err)
{
	ordinal_vec off = {0}, val = {0};
	struct column covered;
	int64_t labelled = 0, lost = 0;
	uint8_t *in = xcalloc((size_t)p->d->n_classes + 1, 1);
	enum status st = verify_new_column(&covered, DT_U8, p->d->n, err);

	vec_push(&off, 0);
	for (uint32_t i = 0; st == OK && i < p->d->n; i++) {
		size_t start = val.n, before = 0;
		bool now;

		if (has_votes(p, i))
			dominant(p, i, &val);
		else
			before = sets_clean_row(&p->sets, i, in, &val);
		now = covers(p, i, before, val.n - start);
		lost += !now && column_u(&p->covered, i) == 1;
		labelled += now;
		column_set_u(&covered, i, now);
		vec_push(&off, (uint32_t)val.n);
	}
	if (st == OK)
		st = sets_write(&p->sets, &off, &val, err);
	if (st == OK)
		st = verify_store(k, OWNER_LAYER, p->sets.owner, "covered", &covered, err);
	else
		column_release(&covered);
	if (st == OK)
		st = verify_exec2(k, STMT_FIX_LABELLED, p->sets.owner, labelled, err);
	if (st == OK && p->bad_fields)
		st = verify_drop_column(k, OWNER_LAYER, p->sets.owner, "votes", err);
	if (st == OK && p->bad_fields)
		st = verify_exec2(k, STMT_FIX_FIELDS, p->sets.owner, 0, err);
	if (st == OK && lost)
		verify_told(k, p->sets.where, "the labels of %lld samples are lost",
			    (long long)lost);
	free(in);
	vec_release(&off);
	vec_release(&val);
	return st;
}

static enum status verify_layer(struct verify *k, struct layer_pass *p, struct err *err)
{
	int64_t labelled = 0;
	enum status st = load_fields(k, p, err);

	if (st == OK)
		st = load_votes(k, p, err);
	if (st == OK)
		st = sets_load(&p->sets, "what holds together is kept", err);
	if (st == OK)
		compare_votes(k, p);
	if (st == OK)
		st = load_covered(k, p, err);
	for (size_t i = 0; st == OK && i < p->covered.n; i++)
		labelled += column_u(&p->covered, i) == 1;
	if (st == OK && !p->sets.bad && labelled != p->n_labelled) {
		finding_one(k, p->sets.where, "they are counted again",
			    "%lld samples are said to have labels, %lld have",
			    (long long)p->n_labelled, (long long)labelled);
		if (k->repair)
			st = verify_exec2(k, STMT_FIX_LABELLED, p->sets.owner, labelled, err);
	}
	if (st == OK && p->sets.bad && k->repair)
		st = rebuild_layer(k, p, err);
	k->counts->layers++;
	column_release(&p->covered);
	column_release(&p->votes);
	csr_release(&p->sets.csr);
	vec_release(&p->fields);
	return st;
}

enum status verify_layers(struct verify *k, const struct verify_dataset *d, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct owner_vec list = {0};
	enum status st = verify_owners(k, STMT_VERIFY_LAYERS, d->id, "layer", &arena, &list, err);

	for (size_t i = 0; i < list.n && st == OK; i++) {
		struct layer_pass p = {.sets = {k,
						OWNER_LAYER,
						list.v[i].id,
						list.v[i].where,
						d->n,
						d->n_classes,
						{{DT_U8, 0, NULL}, {DT_U8, 0, NULL}},
						false,
						false},
				       .d = d,
				       .n_labelled = list.v[i].a,
				       .kind = list.v[i].b};

		st = verify_absorb(k, verify_layer(k, &p, err), list.v[i].where, err);
		if (st == OK)
			st = verify_kept_truths(k, list.v[i].id, list.v[i].where, d, err);
	}
	vec_release(&list);
	arena_release(&arena);
	return st;
}
