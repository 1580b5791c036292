/*
 * report: what an import has to say about one file. Readers and sinks both write to it. Counts
 * are of rows of the file; examples keep the first few of each kind; the errors file, when
 * there is one, has them all as "file:line:byte: field: message".
 */
#ifndef QUALM_CORE_READER_REPORT_H
#define QUALM_CORE_READER_REPORT_H

#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/vec.h"
#include "core/reader/match.h"
#include "core/reader/sink.h"

enum problem {
	PROBLEM_SKIPPED,   /* the row could not be read or used */
	PROBLEM_UNMATCHED, /* the row names a sample that does not exist */
	PROBLEM_WARNING,   /* the row was used, but look at this */
	N_PROBLEMS
};

#define REPORT_EXAMPLES 5

struct report_example {
	enum problem kind;
	struct src src;
	const char *text; /* "field: message" */
};

/* How pictures were found (locate.h); in order of trust. */
enum located { LOCATED_PATH, LOCATED_KEY, LOCATED_BASE, LOCATED_FOLDED, LOCATED_STEM,
	       LOCATED_AMBIGUOUS, LOCATED_NOT, N_LOCATED };
const char *located_word(enum located l);

struct report {
	const char *file;   /* borrowed */
	const char *reader; /* name of the reader */
	struct str dataset; /* that the file goes into; borrowed, may be empty */
	struct str task;    /* of the file, see sink_task(); likewise */
	bool apart;	    /* keys have the task in front (apart.h) */
	bool by_position;   /* set by the reader: keys are made of the rows' positions */
	bool by_place;	    /* likewise: key n, from 1, means the dataset's n-th sample, whatever it is
			       called; there must be a row for each */
	uint64_t rows;      /* read */
	uint64_t problems[N_PROBLEMS];
	VEC(struct report_example) examples;
	/* filled by the sink when the file is committed */
	uint64_t classes, pairs, samples_new, samples_known, truths, predictions, duplicates;
	uint64_t predictions_known; /* stored before with the same answer */
	uint64_t predictions_filled; /* known ones of which something blank was filled in */
	uint64_t classes_filled;    /* known ones that got a further name, a number, a code or a parent */
	uint64_t samples_filled;    /* known ones of which something blank was filled in */
	uint64_t values;            /* of facets, new in a tree or newly placed there */
	uint64_t references;        /* figures of people or of papers, new or with another value */
	VEC(const char *) runs_new, runs_known, notes; /* handles; sentences worth printing */
	VEC(const char *) checks, doubts; /* what the file looks like; what of it looks off */
	uint64_t located[N_LOCATED];
	uint64_t joined[N_MATCHED]; /* rows by how they found a sample that was there before them */
	FILE *errors; /* borrowed, may be NULL */
	struct arena arena;
};

void report_init(struct report *r, const char *file, FILE *errors);
void report_release(struct report *r);
/* field may be "". The text is cleaned of control characters before it goes anywhere. */
void report_add(struct report *r, enum problem kind, struct src src, const char *field,
		const char *fmt, ...) __attribute__((format(printf, 5, 6)));
void report_note(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void report_check(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Counts as a warning, and is never one too many for the examples. */
void report_doubt(struct report *r, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Did the file change anything in the project? */
bool report_changed(const struct report *r);

#endif
