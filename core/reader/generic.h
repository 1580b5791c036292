/*
 * generic: one row of a generic file into a sample or a prediction. reader_generic.c finds the
 * rows, columns.c what each column is for.
 */
#ifndef QUALM_CORE_READER_GENERIC_H
#define QUALM_CORE_READER_GENERIC_H

#include "core/reader/columns.h"

#define RUNS_KNOWN 32

/* What rows said that meant a run, so that the next one finds it at once. */
struct run_known {
	struct buf words; /* one behind the other */
	size_t n_model, n_protocol;
	uint32_t run;
	bool valid;
};

/* What nearly all values of a plain prediction's line are; texts first. */
enum line_value {
	LINE_KEY,
	LINE_NAME,
	LINE_RAW,
	LINE_MODEL,
	LINE_PROTOCOL,
	LINE_LAST_TEXT = LINE_PROTOCOL,
	LINE_SCORE,
	LINE_LATENCY,
	LINE_TOKENS,
	N_LINE_VALUES
};

struct generic {
	struct read_ctx *ctx;
	bool first; /* nothing had declared the dataset's samples before this file */
	struct rows rows;
	struct columns columns;
	const struct cell *by[N_ROLES]; /* of the row at hand, */
	uint64_t by_laid;		/* which is laid out so, */
	uint32_t by_columns;		/* by this version of the columns */
	VEC(struct rec_facet) facets;
	VEC(struct rec_truth) truths;
	VEC(struct rec_number) numbers;
	VEC(struct str) texts;
	struct buf extra;   /* JSON object of the rest, without its braces */
	struct intern sent; /* classes that the sink has */
	struct intern runs;
	VEC(uint32_t) run_ids; /* by runs */
	struct run_known known[RUNS_KNOWN];
	struct plain { /* generic_plain.c */
		struct rec_plain *rec; /* where the sink wants it, or own */
		struct rec_plain own[PLAINS_AT_ONCE];
		struct class_ref *name; /* the one at hand */
		struct class_ref names[PLAINS_AT_ONCE];
		uint32_t memos[PLAINS_AT_ONCE];
		int64_t batch_size, batch_pos;
		struct str raw, prediction, model, protocol, run;
	} plain;
	struct plain_lines { /* likewise: what the values of the lines' shape are for */
		unsigned shape;	  /* its version; and the columns' */
		uint32_t columns;
		bool fit;	  /* lines of it can be plain */
		int misses;	  /* times that the next one was none; too many, and they are left alone */
		uint8_t at[N_LINE_VALUES]; /* which value is the one; FLAT_SHAPE_FIELDS: none */
		uint8_t other[FLAT_SHAPE_FIELDS]; /* those that mean something else */
		size_t n_others;
		struct flat_repeat names; /* of the model and the protocol */
		uint32_t run;		  /* of the line before; INTERN_NONE: not known */
	} lines;
};

/* Hands over what the row holds. */
enum status generic_row(struct generic *g, struct row *row, struct err *err);
/* Does the row's number name the sample? */
bool generic_by_place(const struct generic *g);
/* Fills out from the row; false: reported, not usable. Slices live as long as the row and the
 * next call. */
bool generic_sample(struct generic *g, struct row *row, struct rec_sample *out);
/* The class list as far as the row tells it: label with an index or wnid beside it. */
enum status generic_classes(struct generic *g, struct row *row, struct err *err);
/* The row's prediction; the sample that it describes is handed over with it. */
enum status generic_prediction(struct generic *g, struct row *row, struct err *err);
/* The same for a row of the most usual kind, which may be uncut. false: it is none, nothing was
 * done. */
bool generic_plain(struct generic *g, struct row *row, enum status *st, struct err *err);
/* Hands over the lines that come next, as far as they are of the usual kind and of the shape of the
 * ones before: how many. The row is for what is made of them on the way. */
size_t generic_plain_lines(struct generic *g, struct row *row);
/* As one row names the run; all may be empty. */
struct run_words {
	struct str model, protocol, run;
};
enum status generic_run_of(struct generic *g, const struct run_words *words, uint32_t *run,
			   struct err *err);
/* To the sink, but each class and run once. */
enum status generic_class(struct generic *g, const struct rec_class *rec, struct err *err);
enum status generic_run(struct generic *g, const struct rec_run *rec, uint32_t *run,
			struct err *err);
void generic_release(struct generic *g);

/* All rows that are left, scanned by several threads, handed over by this one in their order
 * (generic_scan.c). *done = false: the rest is to be read as usual. */
enum status generic_scan(struct generic *g, bool *done, struct err *err);

#endif
