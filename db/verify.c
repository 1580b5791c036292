#include "db/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "core/base/utf8.h"
#include "core/base/xmalloc.h"
#include "db/verify_impl.h"

/* --- findings --- */

void finding_init(struct finding *f, const char *fmt, ...)
{
	va_list ap;

	*f = (struct finding){.n = 0};
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof f->what, fmt, ap);
	va_end(ap);
}

void finding_see(struct finding *f, const char *fmt, ...)
{
	char text[128];
	va_list ap;

	if (f->n++ >= FINDING_EXAMPLES)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	if (text[0])
		buf_printf(&f->examples, "%s%s", f->examples.n ? ", " : "", text);
}

bool finding_end(struct verify *k, struct finding *f, const char *where, const char *fix)
{
	struct verify_finding told = {where, f->what, f->n, buf_cstr(&f->examples), fix};
	bool any = f->n > 0;

	if (any) {
		k->counts->findings++;
		k->counts->fixable += fix != NULL;
		if (!k->quiet && k->job->found)
			k->job->found(k->job->ctx, &told);
	}
	buf_release(&f->examples);
	f->n = 0;
	return any;
}

void finding_one(struct verify *k, const char *where, const char *fix, const char *fmt, ...)
{
	struct finding f;
	va_list ap;

	finding_init(&f, "%s", "");
	va_start(ap, fmt);
	vsnprintf(f.what, sizeof f.what, fmt, ap);
	va_end(ap);
	f.n = 1;
	finding_end(k, &f, where, fix);
}

void verify_told(struct verify *k, const char *where, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (k->quiet || !k->job->told)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	k->job->told(k->job->ctx, where, text);
}

void verify_progress(struct verify *k, const char *what, uint64_t more)
{
	k->done += more;
	if (k->job->progress)
		k->job->progress(k->job->ctx, what, k->done < k->total ? k->done : k->total,
				 k->total);
}

enum status verify_absorb(struct verify *k, enum status st, const char *where, struct err *err)
{
	if (st != E_FORMAT && st != E_DB && st != E_UNSUPPORTED)
		return st;
	finding_one(k, where, NULL, "%.190s", err->msg);
	err_clear(err);
	return OK;
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

void ordinals_sort(uint32_t *v, size_t n)
{
	if (n > 1)
		qsort(v, n, sizeof *v, by_number);
}

/* --- datasets --- */

struct dataset_vec {
	struct verify_dataset *v;
	size_t n, cap;
};

static enum status list_datasets(struct verify *k, struct arena *arena, struct dataset_vec *out,
				 struct err *err)
{
	sqlite3_stmt *s = stmt_get(k->c, STMT_VERIFY_DATASETS, err);
	enum status st;
	bool row;

	if (!s)
		return err->code;
	while ((st = stmt_step(k->c, s, &row, err)) == OK && row) {
		struct str name = stmt_str(s, 1);
		int64_t n = sqlite3_column_int64(s, 2);
		struct verify_dataset d = {.id = sqlite3_column_int64(s, 0)};

		d.name = arena_strndup(arena, name.n ? name.p : "", name.n);
		d.where = arena_printf(arena, "dataset %s", d.name);
		if (n < 0 || n > SAMPLES_CEILING || d.id < 1 || d.id > INT32_MAX)
			finding_one(k, d.where, NULL, "it has an impossible size or number");
		else
			d.n = (uint32_t)n;
		if (d.id >= 1 && d.id <= INT32_MAX)
			vec_push(out, d);
	}
	return st;
}

static enum status verify_dataset(struct verify *k, struct verify_dataset *d, struct err *err)
{
	enum status st = verify_absorb(k, verify_classes(k, d, err), d->where, err);

	if (st == OK)
		st = verify_absorb(k, verify_samples(k, d, err), d->where, err);
	if (st == OK)
		st = verify_absorb(k, verify_layers(k, d, err), d->where, err);
	if (st == OK)
		st = verify_absorb(k, verify_facets(k, d, err), d->where, err);
	if (st == OK)
		st = verify_absorb(k, verify_runs(k, d, err), d->where, err);
	k->counts->datasets++;
	k->counts->samples += d->n;
	return st;
}

static enum status verify_datasets(struct verify *k, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct dataset_vec list = {0};
	enum status st =
	    verify_absorb(k, list_datasets(k, &arena, &list, err), "table dataset", err);

	for (size_t i = 0; i < list.n && st == OK; i++)
		st = verify_dataset(k, &list.v[i], err);
	vec_release(&list);
	arena_release(&arena);
	return st;
}

/* --- the whole --- */

/* Whatever this does not know of shows when the program itself loads the project. */
static enum status try_to_open(struct verify *k, struct err *err)
{
	struct arena arena = ARENA_INIT;
	struct dataset_name *names = NULL;
	size_t n = 0;
	enum status st = fetch_datasets(k->c, &names, &n, &arena, err);

	for (size_t i = 0; i < n && st == OK; i++) {
		struct snapshot *snap = NULL;

		st = verify_absorb(k, snapshot_load(k->c, names[i].name, &snap, err), "project",
				   err);
		snapshot_free(snap);
	}
	arena_release(&arena);
	return verify_absorb(k, st, "project", err);
}

/* Changes when another program has written. */
static enum status file_version(struct verify *k, int64_t *out, struct err *err)
{
	int64_t generation; /* a look at the file, by which SQLite learns of it */
	enum status st = conn_generation(k->c, &generation, err);
	sqlite3_stmt *s = st == OK ? stmt_get(k->c, STMT_DATA_VERSION, err) : NULL;
	bool row;

	if (!s)
		return err->code;
	st = stmt_step(k->c, s, &row, err);
	if (st == OK && row)
		*out = sqlite3_column_int64(s, 0);
	sqlite3_reset(s);
	return st;
}

enum status verify_breathe(struct verify *k, struct err *err)
{
	int64_t version = k->version;
	bool began;

	if (!k->slices)
		return OK;
	read_end(k->c, true);
	if (read_begin(k->c, &began, err) != OK || file_version(k, &version, err) != OK)
		return err->code;
	if (version == k->version)
		return OK;
	return err_set(err, E_BUSY, "%s was changed by another program meanwhile; check it again",
		       k->c->path);
}

static enum status look(struct verify *k, bool *fit, struct err *err)
{
	static enum status (*const parts[])(struct verify *, struct err *) = {
	    verify_schema, verify_rows, verify_datasets, verify_user};
	enum status st = verify_pages(k, fit, err);

	if (st == OK && k->repair && !*fit)
		return OK;
	for (size_t i = 0; i < sizeof parts / sizeof *parts && st == OK; i++) {
		st = verify_breathe(k, err);
		if (st == OK)
			st = parts[i](k, err);
	}
	if (st == OK && !k->counts->findings)
		st = try_to_open(k, err);
	return st;
}

static uint64_t file_size(const char *path)
{
	struct stat sb;

	return stat(path, &sb) == 0 && sb.st_size > 0 ? (uint64_t)sb.st_size : 1;
}

static enum status only_look(struct verify *k, struct err *err)
{
	bool began, fit = true;
	enum status st = read_begin(k->c, &began, err);

	if (st == OK)
		st = file_version(k, &k->version, err);
	k->slices = st == OK && began;
	if (st == OK || st == E_FORMAT || st == E_DB) /* damage is what is looked for */
		st = look(k, &fit, err);
	read_end(k->c, began);
	return st;
}

static enum status repair(struct verify *k, struct verify_counts *left, struct err *err)
{
	struct verify again = *k;
	bool fit = true;
	enum status st = conn_begin(k->c, err);

	if (st != OK)
		return st;
	k->repair = true;
	st = look(k, &fit, err);
	if (st == OK && !fit)
		st = err_set(
		    err, E_FORMAT,
		    "%s cannot be repaired: pages of the file are damaged; the sqlite3 shell's "
		    ".recover may save what is left",
		    k->c->path);
	if (st == OK && k->counts->findings) {
		again.quiet = true;
		again.counts = left;
		st = look(&again, &fit, err);
		if (st == OK)
			st = conn_commit(k->c, err);
	}
	conn_rollback(k->c); /* nothing is open after a commit */
	return st;
}

enum status verify_run(struct conn *c, const struct verify_job *job, struct verify_counts *counts,
		       struct verify_counts *left, struct err *err)
{
	struct verify k = {.c = c, .job = job, .counts = counts};
	enum status st;

	*counts = *left = (struct verify_counts){0};
	k.total = 2 * file_size(c->path);
	conn_set_cancel(c, job->cancel);
	st = job->repair ? repair(&k, left, err) : only_look(&k, err);
	conn_set_cancel(c, NULL);
	return st;
}
