/*
 * db/store: imports. A store is a sink for one file: it collects the file's records in memory
 * and its texts in chunks, resolves names at the end, compares with what the project has, and
 * commits everything in one transaction, or nothing.
 *
 * A project that this import created is written directly. An existing one is left alone while
 * the file is read: chunks go to a temporary database (attached, deleted by the system when the
 * process ends) and are merged in one short transaction; if another process changed the project
 * meanwhile, the commit is refused with E_BUSY and nothing has changed.
 *
 * Nothing stored is overwritten. An equal record is known and counted as such; a blank is
 * filled in; a different truth goes to a new layer NAME#2, different answers to a new run
 * HANDLE#2, and the report says so.
 */
#ifndef QUALM_DB_STORE_H
#define QUALM_DB_STORE_H

#include "core/base/map.h"
#include "core/reader/reader.h"
#include "db/conn.h"

struct store;

/* dataset: made when it does not exist. report: borrowed until commit or abort; without a file in
 * it nothing is noted among the imports. */
enum status store_begin(struct store **out, struct conn *c, struct str dataset,
			const struct read_options *opt, struct report *report,
			const struct cancel *cancel, struct err *err);
/* What one file's store leaves to the next: the keys of the samples, which are believed while the
 * project's generation is the one that they were left with. */
struct store_memory;
struct store_memory *store_memory_new(void);
void store_memory_free(struct store_memory *m); /* NULL is fine */
/* Borrows m until commit or abort. To be called before the first record. */
void store_remember(struct store *s, struct store_memory *m);
/* Keys of the file that are a sample's only by the way they look, and that cannot be believed: another
 * key of the same run means that sample, too. */
struct store_doubts {
	struct intern keys; /* owned by the caller */
	bool grown;	    /* since store_doubt() */
};
/* For a file that can be read again. Rows with such keys are unmatched; when new ones have been found
 * by the last record, what the store holds may rest on them: to be aborted, and the file read again.
 * Without this the first of two such keys stays, and the other is unmatched. Borrows d until commit or
 * abort. To be called before the first record. */
void store_doubt(struct store *s, struct store_doubts *d);
struct sink *store_sink(struct store *s);
/* Resolves, compares, writes. s is gone afterwards, whatever the status; on failure the project
 * is as before. With dry_run everything but the writing is done. */
enum status store_commit(struct store *s, struct err *err);
void store_abort(struct store *s); /* NULL is fine */

/* The handle that a run gets when no other has it: into out, which is empty. */
void store_handle(const struct rec_run *rec, struct buf *out);

struct import_plan;

struct import_progress {
	size_t file, n_files;	    /* the one that is being read, from 0 */
	uint64_t done, all;	    /* bytes, over all files whose size is known */
	const char *path;	    /* of the file; borrowed */
	uint64_t file_done, file_size; /* bytes; size 0: unknown */
};

/* The whole of `qualm import` without its words: make the plan (plan.h), which stands for folders
 * too, order by rank, read and commit one
 * by one. A cancelled or failed file leaves the project as it was before that file; the others
 * stay. Calls back for progress and after each file. */
struct import_job {
	const char *project; /* file; created when missing (and removed again if nothing came in) */
	struct str dataset;  /* empty: as plan_datasets() has it */
	struct str here;     /* where nothing tells which of several: this one; may be empty */
	const char *const *paths;
	size_t n_paths;
	struct read_options options;
	/* A file is read by the first of these that has all its columns, else as ever; borrowed. */
	const struct recipe *const *recipes;
	size_t n_recipes;
	FILE *errors; /* may be NULL */
	const struct cancel *cancel;
	void *ctx;
	void (*progress)(void *ctx, const char *file, uint64_t done, uint64_t total);
	void (*overall)(void *ctx, const struct import_progress *p); /* the same, of all files */
	void (*looked)(void *ctx, size_t n, size_t all); /* files of a folder, while the plan is made */
	/* Before the first file is read. False: nothing is imported, and all is well. */
	bool (*planned)(void *ctx, const struct import_plan *plan);
	/* While another program uses the project, which the import waits for: milliseconds so far.
	 * May be NULL. */
	void (*waiting)(void *ctx, int64_t waited);
	void (*file_done)(void *ctx, const struct report *report, enum status st, const struct err *err);
};
/* OK even when rows had problems (*n_problems > 0 → exit status 1). */
enum status import_run(const struct import_job *job, uint64_t *n_problems, struct err *err);
/* The plan alone; the project, which may not exist, is only read. *out: plan_free(). */
enum status import_plan(const struct import_job *job, struct import_plan **out, struct err *err);

#endif
