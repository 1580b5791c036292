/*
 * verify: is a project what it says it is? Everything that a project holds twice is compared with
 * itself: SQLite's own structure, rows against rows, packed columns against their owners, texts
 * against their places, counts against what they count, the user's things against samples.
 *
 * Nothing is believed on the way: a file from anywhere may be checked. Looking never writes.
 *
 * Repairing rebuilds what can be rebuilt, in one transaction: missing tables and indexes, counts,
 * columns that follow from others, places of texts, the answers of a run from what is left of
 * them and from their texts. What cannot be rebuilt is taken away, so that the rest can be used,
 * and told. The user's notes, tags, marks and reviews are never touched.
 */
#ifndef QUALM_DB_VERIFY_H
#define QUALM_DB_VERIFY_H

#include "db/conn.h"

struct verify_finding {
	const char *where;    /* "run m1/cw" */
	const char *what;     /* "column label holds classes that do not exist" */
	uint64_t n;           /* how many */
	const char *examples; /* the first few; may be "" */
	const char *fix;      /* what repairing does about it; NULL: it cannot */
};

struct verify_counts {
	uint64_t findings, fixable;
	uint64_t datasets, samples, layers, facets, runs, answers, columns, texts;
};

struct verify_job {
	bool repair; /* the conn can write */
	const struct cancel *cancel;
	void *ctx;
	void (*found)(void *ctx, const struct verify_finding *f);
	/* What repairing did beyond a finding's fix: what was lost, what was found again. */
	void (*told)(void *ctx, const char *where, const char *what);
	/* Bytes of about total. */
	void (*progress)(void *ctx, const char *what, uint64_t done, uint64_t total);
};

/* OK: it was looked at, whatever was found. With repair also: what can be rebuilt was, and
 * *left counts what a second look finds, nothing was told of it; on failure the file is as before.
 * E_FORMAT under repair: SQLite's own pages are damaged, nothing was changed. */
enum status verify_run(struct conn *c, const struct verify_job *job, struct verify_counts *counts,
		       struct verify_counts *left, struct err *err);

#endif
