/* The virtual tables as SQLite sees them: one module, a cursor over units (runs or layers) and
 * the ordinals in each. */
#include <math.h>
#include <stdlib.h>

#include "core/base/xmalloc.h"
#include "db/fetch.h"
#include "db/sql_impl.h"

struct vtab {
	sqlite3_vtab base; /* first */
	struct sql *s;
	const struct sql_table *table;
};

static int failed(sqlite3_vtab *base, struct err *err)
{
	struct sql *s = ((struct vtab *)base)->s;

	s->err = *err;
	sqlite3_free(base->zErrMsg);
	base->zErrMsg = sqlite3_mprintf("%s", err->msg);
	return err->code == E_CANCELLED ? SQLITE_INTERRUPT
	       : err->code == E_MEMORY  ? SQLITE_NOMEM
					: SQLITE_ERROR;
}

/* --- connecting --- */

static int x_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out,
		     char **error)
{
	struct sql *s = aux;
	struct buf sql = BUF_INIT;
	struct vtab *v = xcalloc(1, sizeof *v);
	int rc;

	(void)error;
	v->s = s;
	v->table = sql_table_list;
	for (int i = 0; i < N_SQL_TABLES; i++)
		if (argc > 0 && strcmp(argv[0], sql_table_list[i].name) == 0)
			v->table = &sql_table_list[i];
	buf_printf(&sql, "CREATE TABLE \"%s\" (", v->table->name);
	for (const struct sql_column *c = v->table->columns; c->name; c++)
		buf_printf(&sql, "%s\"%s\" %s", c == v->table->columns ? "" : ", ", c->name,
			   c->type);
	buf_ch(&sql, ')');
	rc = sqlite3_declare_vtab(db, buf_cstr(&sql));
	buf_release(&sql);
	if (rc != SQLITE_OK) {
		free(v);
		return rc;
	}
	*out = &v->base;
	return SQLITE_OK;
}

static int x_disconnect(sqlite3_vtab *base)
{
	free(base);
	return SQLITE_OK;
}

/* --- planning --- */

/* The bits of idxNum: which roles are given by "=", in the order of the arguments; then bounds of
 * the ordinal; then how rows are to come. */
#define BIT(role)   (1 << (role))
#define BIT_FROM    (1 << N_ROLES)
#define BIT_TO      (1 << (N_ROLES + 1))
#define BIT_BY_NAME (1 << (N_ROLES + 2)) /* units in the order of their names, not ids */
#define BIT_BY_CODE (1 << (N_ROLES + 3)) /* then by code */
#define BIT_OUTER   (1 << (N_ROLES + 4)) /* by code before units */
#define BIT_DOWN    (1 << (N_ROLES + 5)) /* codes from the last */

struct plan {
	int eq[N_ROLES]; /* the constraint; -1 = none */
	int from, to;
};

static enum sql_role role_of(const struct sql_table *t, int column)
{
	return column < 0 ? ROLE_NONE : t->columns[column].role;
}

static bool is_name(enum sql_role role)
{
	return role == ROLE_DATASET || role == ROLE_UNIT || role == ROLE_SAMPLE ||
	       role == ROLE_CODE;
}

static void take_constraint(struct plan *p, const struct sql_table *t, sqlite3_index_info *info,
			    int i)
{
	enum sql_role role = role_of(t, info->aConstraint[i].iColumn);

	if (!info->aConstraint[i].usable || role == ROLE_NONE)
		return;
	/* Under another collation than ours, other rows than the ones we would find are equal. */
	if (is_name(role) && sqlite3_stricmp(sqlite3_vtab_collation(info, i), "BINARY") != 0)
		return;
	switch (info->aConstraint[i].op) {
	case SQLITE_INDEX_CONSTRAINT_EQ:
		if (p->eq[role] < 0)
			p->eq[role] = i;
		break;
	case SQLITE_INDEX_CONSTRAINT_GE:
	case SQLITE_INDEX_CONSTRAINT_GT:
		if (role == ROLE_ORD && p->from < 0)
			p->from = i;
		break;
	case SQLITE_INDEX_CONSTRAINT_LE:
	case SQLITE_INDEX_CONSTRAINT_LT:
		if (role == ROLE_ORD && p->to < 0)
			p->to = i;
		break;
	default:
		break;
	}
}

static void use(sqlite3_index_info *info, int constraint, int bit, bool omit, int *args)
{
	if (constraint < 0)
		return;
	info->aConstraintUsage[constraint].argvIndex = ++*args;
	info->aConstraintUsage[constraint].omit = omit;
	info->idxNum |= bit;
}

static void estimate(const struct sql *s, const struct plan *p, enum sql_kind kind,
		     sqlite3_index_info *info)
{
	double units = (double)(kind == SQL_LABEL ? s->n_layers : s->n_runs), samples = 0;

	for (size_t i = 0; i < s->n_datasets; i++)
		samples += s->datasets[i].n;
	if (s->n_datasets) { /* per dataset */
		units /= (double)s->n_datasets;
		samples /= (double)s->n_datasets;
	}
	if (p->eq[ROLE_UNIT] >= 0 || p->eq[ROLE_UNIT_ID] >= 0)
		units = 1;
	else if (p->eq[ROLE_DATASET] < 0 && p->eq[ROLE_DATASET_ID] < 0 && p->eq[ROLE_SAMPLE_ID] < 0)
		units *= (double)s->n_datasets;
	if (p->eq[ROLE_SAMPLE] >= 0 || p->eq[ROLE_SAMPLE_ID] >= 0 || p->eq[ROLE_ORD] >= 0)
		samples = 1;
	else if (p->from >= 0 || p->to >= 0)
		samples /= p->from >= 0 && p->to >= 0 ? 16 : 4;
	info->estimatedRows = (sqlite3_int64)fmax(1, ceil(units * samples));
	/* A key has to be looked up; a cell costs less than a row of an ordinary table. */
	info->estimatedCost =
	    20 + units * 2 + units * samples * .5 + (p->eq[ROLE_SAMPLE] >= 0 ? 10 : 0);
}

/* Can the rows come in the order that is asked for? By code, by unit, or by both: codes are few,
 * and a pass over a unit for each is cheaper than sorting rows by the million. */
static void plan_order(const struct sql *s, const struct plan *p, const struct sql_table *t,
		       sqlite3_index_info *info)
{
	int bits = 0, units = 0, codes = 0;

	for (int i = 0; i < info->nOrderBy; i++) {
		enum sql_role role = role_of(t, info->aOrderBy[i].iColumn);
		bool down = info->aOrderBy[i].desc != 0;

		if (role == ROLE_CODE && !codes++)
			bits |= BIT_BY_CODE | (down ? BIT_DOWN : 0) | (units ? 0 : BIT_OUTER);
		else if ((role == ROLE_UNIT || role == ROLE_UNIT_ID) && !down && !units++)
			bits |= role == ROLE_UNIT ? BIT_BY_NAME : 0;
		else
			return;
	}
	/* Two datasets may have runs of one name: then its rows are not sorted by code. */
	if ((bits & BIT_BY_NAME) && codes && !(bits & BIT_OUTER) && s->n_datasets > 1 &&
	    p->eq[ROLE_DATASET] < 0 && p->eq[ROLE_DATASET_ID] < 0)
		return;
	info->idxNum |= bits;
	info->orderByConsumed = units + codes > 0;
}

static int x_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
	struct vtab *v = (struct vtab *)base;
	struct plan p = {.from = -1, .to = -1};
	int args = 0;

	for (int r = 0; r < N_ROLES; r++)
		p.eq[r] = -1;
	for (int i = 0; i < info->nConstraint; i++)
		take_constraint(&p, v->table, info, i);
	for (int r = ROLE_NONE + 1; r < N_ROLES; r++)
		use(info, p.eq[r], BIT(r), true, &args);
	use(info, p.from, BIT_FROM, false, &args);
	use(info, p.to, BIT_TO, false, &args);
	estimate(v->s, &p, v->table->kind, info);
	plan_order(v->s, &p, v->table, info);
	return SQLITE_OK;
}

/* --- what a plan leads to --- */

struct wish { /* the arguments of xFilter; an absent one lets everything through */
	sqlite3_value *eq[N_ROLES], *from, *to;
	bool nothing; /* an argument that equals no value there can be */
	int64_t dataset_id, unit_id, ord;
	uint32_t lo, hi;
};

/* As SQLite compares a value with an INTEGER column. */
static bool as_integer(sqlite3_value *v, int64_t *out)
{
	double f;

	switch (sqlite3_value_numeric_type(v)) {
	case SQLITE_INTEGER:
		*out = sqlite3_value_int64(v);
		return true;
	case SQLITE_FLOAT:
		f = sqlite3_value_double(v);
		if (!(f >= -0x1p62 && f <= 0x1p62) || floor(f) != f)
			return false;
		*out = (int64_t)f;
		return true;
	default:
		return false;
	}
}

static struct str as_text(sqlite3_value *v)
{
	const char *p = (const char *)sqlite3_value_text(v);

	return (struct str){p ? p : "", p ? (size_t)sqlite3_value_bytes(v) : 0};
}

static void bound(sqlite3_value *v, bool from, struct wish *w)
{
	int type = v ? sqlite3_value_numeric_type(v) : SQLITE_TEXT;
	double f;

	if (v && type == SQLITE_NULL)
		w->nothing = true;
	if (type != SQLITE_INTEGER && type != SQLITE_FLOAT)
		return; /* SQLite looks at each row */
	f = sqlite3_value_double(v);
	if (from && f > 0)
		w->lo = f < UINT32_MAX ? (uint32_t)f : UINT32_MAX;
	else if (!from && f < 0)
		w->nothing = true;
	else if (!from && f < UINT32_MAX - 1)
		w->hi = (uint32_t)f + 1;
}

static void read_wish(int bits, sqlite3_value **argv, struct wish *w)
{
	int64_t id;

	*w = (struct wish){.hi = UINT32_MAX};
	for (int r = ROLE_NONE + 1; r < N_ROLES; r++) {
		if (!(bits & BIT(r)))
			continue;
		w->eq[r] = *argv++;
		w->nothing |=
		    sqlite3_value_type(w->eq[r]) == SQLITE_NULL ||
		    (is_name((enum sql_role)r) && sqlite3_value_type(w->eq[r]) == SQLITE_BLOB);
	}
	w->from = bits & BIT_FROM ? *argv++ : NULL;
	w->to = bits & BIT_TO ? *argv++ : NULL;
	bound(w->from, true, w);
	bound(w->to, false, w);
	if (w->eq[ROLE_DATASET_ID])
		w->nothing |= !as_integer(w->eq[ROLE_DATASET_ID], &w->dataset_id);
	if (w->eq[ROLE_UNIT_ID])
		w->nothing |= !as_integer(w->eq[ROLE_UNIT_ID], &w->unit_id);
	if (w->eq[ROLE_ORD])
		w->nothing |=
		    !as_integer(w->eq[ROLE_ORD], &w->ord) || w->ord < 0 || w->ord >= UINT32_MAX;
	if (w->eq[ROLE_SAMPLE_ID]) { /* says the dataset too */
		w->nothing |= !as_integer(w->eq[ROLE_SAMPLE_ID], &id) || id < 0 ||
			      (w->eq[ROLE_DATASET_ID] && w->dataset_id != id >> 32) ||
			      (w->eq[ROLE_ORD] && w->ord != (int64_t)(uint32_t)id);
		w->dataset_id = id >> 32;
		w->ord = (uint32_t)id;
	}
	if (w->eq[ROLE_ORD] || w->eq[ROLE_SAMPLE_ID]) {
		w->nothing |= w->ord < w->lo || w->ord >= w->hi;
		w->lo = (uint32_t)w->ord;
		w->hi = (uint32_t)w->ord + 1;
	}
}

static bool wants_dataset(const struct wish *w, const struct sql_dataset *d)
{
	if (w->eq[ROLE_DATASET] && !str_eqz(as_text(w->eq[ROLE_DATASET]), d->name))
		return false;
	return !(w->eq[ROLE_DATASET_ID] || w->eq[ROLE_SAMPLE_ID]) || w->dataset_id == d->id;
}

static bool wants_unit(const struct wish *w, const char *name, int64_t id)
{
	if (w->eq[ROLE_UNIT] && !str_eqz(as_text(w->eq[ROLE_UNIT]), name))
		return false;
	return !w->eq[ROLE_UNIT_ID] || w->unit_id == id;
}

/* Which ordinals of the dataset; false: none. */
static bool choose_samples(struct sql *s, const struct wish *w, const struct sql_dataset *d,
			   uint32_t *lo, uint32_t *hi, struct err *err)
{
	uint32_t ord;

	*lo = w->lo;
	*hi = w->hi < d->n ? w->hi : d->n;
	if (w->eq[ROLE_SAMPLE]) {
		if (fetch_ordinal(s->c, d->id, as_text(w->eq[ROLE_SAMPLE]), &ord, err) != OK) {
			if (err->code == E_NOT_FOUND)
				err_clear(err);
			return false;
		}
		if (ord < *lo || ord >= *hi)
			return false;
		*lo = ord;
		*hi = ord + 1;
	}
	return *lo < *hi;
}

static const char *unit_name(const struct sql_dataset *d, enum sql_kind kind, uint32_t i)
{
	return kind == SQL_LABEL ? d->snap->layers[i].name : d->snap->runs[i].handle;
}

static int64_t unit_id(const struct sql_dataset *d, enum sql_kind kind, uint32_t i)
{
	return kind == SQL_LABEL ? d->snap->layers[i].id : d->snap->runs[i].id;
}

static enum status add_units(struct sql_cursor *cur, const struct wish *w, struct sql_dataset *d,
			     struct err *err)
{
	enum sql_kind kind = cur->table->kind;
	uint32_t lo, hi, n;

	if (sql_frame(cur->s, d, err) != OK)
		return err->code;
	if (!choose_samples(cur->s, w, d, &lo, &hi, err))
		return err->code;
	n = kind == SQL_LABEL ? d->snap->n_layers : d->snap->n_runs;
	for (uint32_t i = 0; i < n; i++)
		if (wants_unit(w, unit_name(d, kind, i), unit_id(d, kind, i)))
			vec_push(&cur->units, ((struct sql_unit){d, i, lo, hi, unit_id(d, kind, i),
								 unit_name(d, kind, i)}));
	return OK;
}

static int by_id(const void *a, const void *b)
{
	const struct sql_unit *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int by_name(const void *a, const void *b)
{
	const struct sql_unit *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	return order ? order : by_id(a, b);
}

/* Codes in the order of their words, or the one that is asked for. */
static void choose_passes(struct sql_cursor *cur, const struct wish *w, int bits)
{
	static const uint8_t outcomes[] = {OUTCOME_ANSWERED, OUTCOME_EMPTY,   OUTCOME_ERROR,
					   OUTCOME_OOP,      OUTCOME_REFUSED, OUTCOME_UNPARSED};
	static const uint8_t verdicts[] = {VERDICT_RIGHT, VERDICT_UNCOUNTED, VERDICT_WRONG};
	bool predictions = cur->table->kind == SQL_PREDICTION;
	const uint8_t *codes = predictions ? outcomes : verdicts;
	int n = predictions ? (int)sizeof outcomes : (int)sizeof verdicts;

	_Static_assert(sizeof outcomes == N_OUTCOMES - 1, "every outcome but missing");
	cur->n_passes = 0;
	if (!w->eq[ROLE_CODE] && !(bits & BIT_BY_CODE))
		return;
	for (int i = 0; i < n; i++) {
		uint8_t code = codes[bits & BIT_DOWN ? n - 1 - i : i];
		const char *word = predictions ? outcome_word((enum outcome)code)
					       : verdict_word((enum verdict)code);

		if (!w->eq[ROLE_CODE] || str_eqz(as_text(w->eq[ROLE_CODE]), word))
			cur->passes[cur->n_passes++] = code;
	}
}

/* --- moving --- */

static void leave_unit(struct sql_cursor *cur)
{
	if (cur->piece)
		sql_let_go(cur->piece);
	cur->piece = NULL;
	cur->unit = NULL;
	cur->codes = NULL;
	cur->n_codes = 0;
}

static enum status enter_layer(struct sql_cursor *cur, struct err *err)
{
	const struct sql_unit *u = cur->unit;

	if (sql_hold_layer(cur->s, u->d, u->index, err) != OK)
		return err->code;
	cur->piece = &u->d->layers[u->index];
	cur->codes = cur->piece->truth.covered;
	cur->n_codes = u->d->n;
	return OK;
}

static enum status enter_run(struct sql_cursor *cur, struct err *err)
{
	const struct sql_unit *u = cur->unit;
	const struct run *run = &u->d->snap->runs[u->index];

	if (sql_hold_run(cur->s, u->d, u->index, err) != OK)
		return err->code;
	cur->piece = &u->d->runs[u->index];
	cur->n_codes = u->d->n;
	if (cur->table->kind == SQL_VERDICT)
		return sql_verdicts(cur->s, u->d, u->index, &cur->codes, err);
	cur->codes = run->outcome.data;
	cur->n_codes = (uint32_t)run->outcome.n;
	return OK;
}

static enum status enter_unit(struct sql_cursor *cur, const struct sql_unit *u, struct err *err)
{
	if (cur->unit != u) {
		if (cur->d != u->d)
			cur->keys_n = 0;
		leave_unit(cur);
		cur->unit = u;
		cur->d = u->d;
		if ((cur->table->kind == SQL_LABEL ? enter_layer : enter_run)(cur, err) != OK)
			return err->code;
	}
	cur->ord = u->lo;
	return OK;
}

/* The first sample from cur->ord on that has a row in this pass; false: none. */
static bool find_row(struct sql_cursor *cur, int pass)
{
	uint32_t end = cur->unit->hi < cur->n_codes ? cur->unit->hi : cur->n_codes;
	const uint8_t *hit;

	if (cur->ord >= end)
		return false;
	if (pass >= 0) {
		hit = memchr(cur->codes + cur->ord, cur->passes[pass], end - cur->ord);
		cur->ord = hit ? (uint32_t)(hit - cur->codes) : end;
	} else if (cur->table->kind != SQL_VERDICT) {
		while (cur->ord < end && !cur->codes[cur->ord]) /* missing; not covered */
			cur->ord++;
	}
	return cur->ord < end;
}

/* From cur->ord of the step on, to the next row or the end. */
static enum status settle(struct sql_cursor *cur, bool inside, struct err *err)
{
	size_t passes = cur->n_passes ? (size_t)cur->n_passes : 1;

	for (; cur->step < cur->n_steps; cur->step++, inside = false) {
		size_t unit = cur->outer ? cur->step % cur->units.n : cur->step / passes;
		size_t pass = cur->outer ? cur->step / cur->units.n : cur->step % passes;

		if (!inside && enter_unit(cur, &cur->units.v[unit], err) != OK)
			return err->code;
		if (find_row(cur, cur->n_passes ? (int)pass : -1)) {
			cur->k = 0;
			cur->n_rows = cur->table->kind == SQL_LABEL ? sql_label_rows(cur) : 1;
			return OK;
		}
		if (cancel_check(cur->s->c->cancel, err) != OK)
			return err->code;
	}
	leave_unit(cur);
	cur->eof = true;
	return OK;
}

static enum status start(struct sql_cursor *cur, int bits, const struct wish *w, struct err *err)
{
	vec_clear(&cur->units);
	for (size_t i = 0; i < cur->s->n_datasets && !w->nothing; i++)
		if (wants_dataset(w, &cur->s->datasets[i]) &&
		    add_units(cur, w, &cur->s->datasets[i], err) != OK)
			return err->code;
	if (cur->units.n)
		qsort(cur->units.v, cur->units.n, sizeof *cur->units.v,
		      bits & BIT_BY_NAME ? by_name : by_id);
	choose_passes(cur, w, bits);
	cur->outer = (bits & BIT_OUTER) && cur->n_passes;
	cur->n_steps = cur->units.n * (cur->n_passes ? (size_t)cur->n_passes : 1);
	if (w->eq[ROLE_CODE] && !cur->n_passes)
		cur->n_steps = 0;
	return settle(cur, false, err);
}

static int x_filter(sqlite3_vtab_cursor *base, int bits, const char *text, int argc,
		    sqlite3_value **argv)
{
	struct sql_cursor *cur = (struct sql_cursor *)base;
	struct err err = ERR_INIT;
	struct wish w;

	(void)text, (void)argc;
	leave_unit(cur);
	cur->step = 0;
	cur->eof = false;
	read_wish(bits, argv, &w);
	return start(cur, bits, &w, &err) == OK ? SQLITE_OK : failed(base->pVtab, &err);
}

static int x_next(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cur = (struct sql_cursor *)base;
	struct err err = ERR_INIT;

	if (++cur->k < cur->n_rows)
		return SQLITE_OK;
	cur->ord++;
	return settle(cur, true, &err) == OK ? SQLITE_OK : failed(base->pVtab, &err);
}

static int x_eof(sqlite3_vtab_cursor *base)
{
	return ((struct sql_cursor *)base)->eof;
}

/* --- rows --- */

static int x_column(sqlite3_vtab_cursor *base, sqlite3_context *out, int column)
{
	struct sql_cursor *cur = (struct sql_cursor *)base;
	struct err err = ERR_INIT;

	if (cur->table->columns[column].put(cur, out, &err) == OK)
		return SQLITE_OK;
	return failed(base->pVtab, &err);
}

/* Unique in its table: of runs, id and ordinal; of labels also which of the sample's. */
static int x_rowid(sqlite3_vtab_cursor *base, sqlite3_int64 *out)
{
	struct sql_cursor *cur = (struct sql_cursor *)base;
	uint64_t id = (uint64_t)cur->unit->id;

	if (cur->table->kind == SQL_LABEL)
		*out = (sqlite3_int64)(id << 47 | (uint64_t)cur->ord << 20 | (cur->k & 0xfffff));
	else
		*out = (sqlite3_int64)(id << 32 | cur->ord);
	return SQLITE_OK;
}

static int x_open(sqlite3_vtab *base, sqlite3_vtab_cursor **out)
{
	struct vtab *v = (struct vtab *)base;
	struct sql_cursor *cur = xcalloc(1, sizeof *cur);

	cur->s = v->s;
	cur->table = v->table;
	cur->eof = true;
	*out = &cur->base;
	return SQLITE_OK;
}

static int x_close(sqlite3_vtab_cursor *base)
{
	struct sql_cursor *cur = (struct sql_cursor *)base;

	leave_unit(cur);
	vec_release(&cur->units);
	arena_release(&cur->arena);
	arena_release(&cur->key_arena);
	free(cur);
	return SQLITE_OK;
}

/* No xCreate: the tables are there without being made, and cannot be made under other names. */
static const sqlite3_module module = {
    .xConnect = x_connect,
    .xBestIndex = x_best_index,
    .xDisconnect = x_disconnect,
    .xDestroy = x_disconnect,
    .xOpen = x_open,
    .xClose = x_close,
    .xFilter = x_filter,
    .xNext = x_next,
    .xEof = x_eof,
    .xColumn = x_column,
    .xRowid = x_rowid,
};

int sql_register(struct sql *s)
{
	int rc = SQLITE_OK;

	for (int i = 0; i < N_SQL_TABLES && rc == SQLITE_OK; i++)
		rc = sqlite3_create_module_v2(s->c->db, sql_table_list[i].name, &module, s, NULL);
	return rc;
}
