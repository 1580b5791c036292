/*
 * plan: what an import would do, before it does anything: which files, read as what, into which
 * datasets and runs, and what is left out and why. Files are named one by one, or a folder stands
 * for those below it (core/reader/folder.h): of a folder only what a reader knows by its content
 * is taken, and plain lines of text only when the file's name speaks of classes. Where nothing that
 * was named tells of samples, pictures in several folders are samples, and the folders classes.
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
	bool folder;   /* stands for all of its kind beside it */
	const struct reader *reader; /* NULL: could not be recognised, see err */
	enum rank rank;
	struct err err;
	struct taste taste;	    /* of its beginning */
	struct str model, protocol; /* by its path; empty: the file says it, or the command */
	size_t set;  /* of plan->sets, after plan_datasets(); PLAN_NO_SET: none, see err */
	bool apart;  /* its keys get its task in front: other tasks of the dataset number theirs alike */
	const struct recipe *recipe; /* it is read by; NULL: none. The job's */
	bool unknown; /* a table, but none of its columns says what it is: err tells what to do */
	bool closed; /* it could not be opened, see err */
	bool open; /* standard input and pipes cannot be opened twice */
	struct input in;
};

#define PLAN_NO_SET SIZE_MAX

struct plan_set { /* a dataset that files go to */
	struct str name;
	int64_t id; /* in the project; 0: it is new */
	size_t n_files;
};

struct plan_left { /* a file of a folder that is not read */
	const char *path, *why;
	bool unreadable; /* a problem: it might have been wanted */
};

struct plan_tree { /* a folder with pictures in it */
	const char *path;
	struct buf pictures; /* their paths (folder.h), until they are a file of the plan */
};

struct import_plan {
	struct arena arena;
	VEC(struct plan_file) files; /* in the order in which they are read */
	VEC(struct plan_left) left;
	uint64_t hidden, media; /* of folders: not even looked at */
	VEC(struct plan_tree) trees;
	struct str tree_root; /* where their pictures lie, when they are samples; else empty */
	uint64_t bytes;		/* of files that can be read and have a size */
	uint64_t unreadable;
	bool has_folders;
	VEC(struct plan_set) sets; /* after plan_datasets(), in the order in which they are read */
};

/* Walks, opens and tastes. E_USAGE: the command's words are wrong; E_IO for a folder that cannot
 * be read; E_LIMIT, E_CANCELLED, E_MEMORY. A file that cannot be read is in the plan, with why. */
enum status plan_make(struct import_plan **out, const struct import_job *job, struct err *err);
/* Is this a table that nobody knows, and that the job has no words for? Looks at its beginning. */
bool plan_is_unknown(const struct import_job *job, const char *path);
/* Which dataset each file is of, and their order: dataset by dataset, each by rank. The command's
 * word goes before all; then files go with their task (sink_task()), with the samples beside them
 * (core/reader/sets.h), by the keys they have, by what their paths mention, and by what lies nearest.
 * Nothing is guessed: where none of this tells one dataset from the others a file is left out, or,
 * if it was named, fails. c: the project, or NULL when it does not exist yet. E_USAGE: of no file
 * can it be told. */
enum status plan_datasets(struct import_plan *plan, const struct import_job *job, struct conn *c,
			  struct err *err);
/* "gpt-4o/cw, llava/cw and 3 more": the runs that the file's beginning speaks of; none: nothing. */
void plan_runs(const struct plan_file *f, struct buf *out);
bool plan_any_readable(const struct import_plan *plan);
void plan_free(struct import_plan *plan); /* NULL is fine */

#endif
