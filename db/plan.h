/*
 * plan: what an import would do, before it does anything: which files, read as what, into which
 * dataset and run, and what is left out and why. Files are named one by one, or a folder stands
 * for those below it (core/reader/folder.h): of a folder only what a reader knows by its content
 * is taken, and plain lines of text only when the file's name speaks of classes.
 */
#ifndef QUALM_DB_PLAN_H
#define QUALM_DB_PLAN_H

#include "core/base/vec.h"
#include "core/reader/taste.h"
#include "db/conn.h"

struct import_job;

struct plan_file {
	const char *path;
	uint64_t size; /* 0: unknown */
	bool named;    /* by the command, not found in a folder */
	const struct reader *reader; /* NULL: could not be recognised, see err */
	enum rank rank;
	struct err err;
	struct taste taste;	    /* of its beginning */
	struct str model, protocol; /* by its path; empty: the file says it, or the command */
	const struct recipe *recipe; /* it is read by; NULL: none. The job's */
	bool unknown; /* a table, but none of its columns says what it is: err tells what to do */
	bool closed; /* it could not be opened, see err */
	bool open; /* standard input and pipes cannot be opened twice */
	struct input in;
};

struct plan_left { /* a file of a folder that is not read */
	const char *path, *why;
	bool unreadable; /* a problem: it might have been wanted */
};

struct import_plan {
	struct arena arena;
	VEC(struct plan_file) files; /* in the order in which they are read */
	VEC(struct plan_left) left;
	uint64_t hidden, media; /* of folders: not even looked at */
	uint64_t bytes;		/* of files that can be read and have a size */
	uint64_t unreadable;
	bool has_folders;
	struct buf dataset; /* its name, after plan_dataset() */
	bool dataset_is_new;
};

/* Walks, opens and tastes. E_USAGE: the command's words are wrong; E_IO for a folder that cannot
 * be read; E_LIMIT, E_CANCELLED, E_MEMORY. A file that cannot be read is in the plan, with why. */
enum status plan_make(struct import_plan **out, const struct import_job *job, struct err *err);
/* Is this a table that nobody knows, and that the job has no words for? Looks at its beginning. */
bool plan_is_unknown(const struct import_job *job, const char *path);
/* c: the project, or NULL when it does not exist yet. E_USAGE: it holds several datasets. */
enum status plan_dataset(struct import_plan *plan, const struct import_job *job, struct conn *c,
			 struct err *err);
/* "gpt-4o/cw, llava/cw and 3 more": the runs that the file's beginning speaks of; none: nothing. */
void plan_runs(const struct plan_file *f, struct buf *out);
bool plan_any_readable(const struct import_plan *plan);
void plan_free(struct import_plan *plan); /* NULL is fine */

#endif
