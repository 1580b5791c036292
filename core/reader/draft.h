/*
 * draft: a recipe in the making, for a table that nobody knows. The first part of the file is kept
 * in memory and read again after every change, so that it is quick however big the file is: which
 * columns there are and what is in them, what each would become, the first rows as they will be
 * read, and what is wrong with each column.
 */
#ifndef QUALM_CORE_READER_DRAFT_H
#define QUALM_CORE_READER_DRAFT_H

#include "core/base/map.h"
#include "core/reader/peek.h"
#include "core/reader/recipe.h"

#define DRAFT_BYTES    ((size_t)512 << 10) /* of the file that are looked at */
#define DRAFT_ROWS     2000
#define DRAFT_COLUMNS  400
#define DRAFT_EXAMPLES 3
#define DRAFT_SHOWN    5 /* rows */

struct draft_column {
	struct str name;    /* or the path into what is nested */
	struct str example[DRAFT_EXAMPLES]; /* different ones, cut to some hundred bytes */
	size_t n_examples;
	bool nested; /* it is inside another one */
	bool deep;   /* others are inside it */
	struct str word;    /* its field, "facet", "number", "details", "ignore"; empty: not read */
	bool by_hand;	    /* the recipe says so, not its name or its values */
	const char *problem; /* NULL: none is known */
	uint32_t n, blank, numbers; /* rows that have it; of these: with nothing in it; with a number */
	uint32_t distinct, shared; /* different values; of these: also in the column of the truth */
	uint32_t pictures;	   /* that are called as a picture or video is */
	uint64_t bytes;		   /* of all values */
	double least, most;	   /* of the numbers */
};

struct draft_row {
	struct str key, truth, answer, class_name; /* shown as texts; class_name: what was mapped to */
	bool is_answer;
	enum outcome outcome;
	int right; /* -1: cannot be told */
};

/* What the project knows already; all may be NULL and 0. */
struct draft_world {
	void *ctx;
	uint32_t n_samples, n_classes;
	bool (*has_sample)(void *ctx, struct str key);
	bool (*has_class)(void *ctx, const struct class_ref *ref);
	/* Is one of these the sample's true class? 1, 0, -1: cannot be told. *truth: its name. */
	int (*judge)(void *ctx, struct str key, const struct class_ref *refs, size_t n,
		     struct str *truth);
};

struct draft {
	const char *path; /* borrowed */
	uint64_t size;	  /* of the file; 0: unknown */
	bool whole;	  /* all of it is looked at */
	enum shape shape;
	struct buf bytes, scratch;
	struct arena arena; /* of all below: until the next draft_read() */
	VEC(struct draft_column) columns;
	struct intern names; /* of the columns, in their order */
	uint64_t rows, skipped; /* looked at */
	struct draft_row row[DRAFT_SHOWN];
	size_t n_rows;
	bool predictions;
	const char *trouble; /* why nothing can be read, or the first row that could not; NULL: none */
};

/* E_IO and what else opening says; E_FORMAT: it has no rows of fields. */
enum status draft_open(struct draft **out, const char *path, const struct cancel *cancel,
		       struct err *err);
void draft_free(struct draft *d); /* NULL is fine */
/* A JSON object that holds its rows in one list, deeper inside: says so in r. Before the first
 * draft_read(). */
void draft_find_rows(const struct draft *d, struct recipe *r);
/* A saved recipe for a table like this one, beside it or among the user's. False: there is none; out
 * is empty. Reads all anew. */
bool draft_propose(struct draft *d, struct recipe *out);
/* Reads all anew as r has it. What cannot be read is said in trouble and in problems. */
void draft_read(struct draft *d, const struct recipe *r, const struct draft_world *world);
/* After a draft_read() with r: adds fields for columns that are called or look like something, as
 * far as no column has the field yet. world may be NULL. */
void draft_guess(const struct draft *d, struct recipe *r, const struct draft_world *world);
/* The table's columns, for the recipe to be known again by. */
void draft_sign(const struct draft *d, struct recipe *r);
/* "--map key=a,label=b" for the fields of r; empty when they cannot be written so. */
void draft_put_map(const struct recipe *r, struct buf *out);
/* NULL: no column has it. */
struct draft_column *draft_with(const struct draft *d, const char *word);

#endif
