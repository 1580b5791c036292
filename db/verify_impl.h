/*
 * What the files behind verify.h share. Not for other rooms.
 *
 *   verify.c          the order of things, findings
 *   verify_schema.c   SQLite's pages, tables and indexes
 *   verify_rows.c     rows against rows: a table of statements
 *   verify_trees.c    class lists and facet values: ordinals without gaps, trees with roots
 *   verify_columns.c  columns of datasets and facets, sets, and their repair
 *   verify_layers.c   layers
 *   verify_runs.c     answers and numbers of runs
 *   verify_answers.c  rebuilding answers
 *   verify_words.c    classes of answers against their texts
 *   verify_mapped.c   what the label map has made of answers and truths
 *   verify_texts.c    chunks of texts and their places
 *   verify_retext.c   putting them in order
 *   verify_user.c     the user's things, in the project and beside it
 */
#ifndef QUALM_DB_VERIFY_IMPL_H
#define QUALM_DB_VERIFY_IMPL_H

#include "core/base/vec.h"
#include "core/model/column.h"
#include "db/column.h"
#include "db/conn_impl.h"
#include "db/fetch.h"
#include "db/sharers.h"
#include "db/verify.h"

#define SAMPLES_CEILING 100000000 /* of one dataset */

struct verify {
	struct conn *c;
	const struct verify_job *job;
	struct verify_counts *counts;
	bool repair; /* what can be rebuilt is, at once */
	bool quiet;  /* the second look: counts only */
	uint64_t done, total;
	bool slices; /* between its parts other programs may write */
	int64_t version; /* of the file, as it was at first */
};

/* --- findings: verify.c --- */

#define FINDING_EXAMPLES 3

struct finding {
	char what[200];
	uint64_t n;
	int n_examples;
	struct buf examples;
};

void finding_init(struct finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* One more case of it. */
void finding_see(struct finding *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Tells it when there was a case, and empties f. Was there one? */
bool finding_end(struct verify *k, struct finding *f, const char *where, const char *fix);
/* A finding of one case. */
void finding_one(struct verify *k, const char *where, const char *fix, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void verify_told(struct verify *k, const char *where, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void verify_progress(struct verify *k, const char *what, uint64_t more);

/* Lets other programs write, where that is permitted. E_BUSY: one did, so that what was compared so
 * far and what is left do not belong together. No statement may be open. */
enum status verify_breathe(struct verify *k, struct err *err);

/* What is damaged is a finding and no failure: E_FORMAT and E_DB become one of `where`, and OK. */
enum status verify_absorb(struct verify *k, enum status st, const char *where, struct err *err);

/* --- what is checked --- */

struct verify_dataset {
	int64_t id;
	const char *name;
	uint32_t n; /* ordinals of samples: 0 … n - 1 */
	uint32_t n_classes;
	const char *where; /* "dataset NAME" */
};

enum status verify_pages(struct verify *k, bool *fit, struct err *err);
enum status verify_schema(struct verify *k, struct err *err);
enum status verify_rows(struct verify *k, struct err *err);
enum status verify_classes(struct verify *k, struct verify_dataset *d, struct err *err);
/* *n: how many values the facet has. */
enum status verify_values(struct verify *k, int64_t facet, const char *where, uint32_t *n,
			  struct err *err);
enum status verify_samples(struct verify *k, const struct verify_dataset *d, struct err *err);
enum status verify_layers(struct verify *k, const struct verify_dataset *d, struct err *err);
enum status verify_facets(struct verify *k, const struct verify_dataset *d, struct err *err);
enum status verify_runs(struct verify *k, const struct verify_dataset *d, struct err *err);
enum status verify_user(struct verify *k, struct err *err);

/* --- columns --- */

/* *there: it was loaded. A damaged one is told (fix as given) and not there; one that is not
 * stored neither. *bad is set when it was damaged, else left. */
enum status verify_column(struct verify *k, enum owner_kind kind, int64_t owner, const char *where,
			  const char *name, const char *fix, struct column *out, bool *there,
			  bool *bad, struct err *err);
enum status verify_drop_column(struct verify *k, enum owner_kind kind, int64_t owner,
			       const char *name, struct err *err);
/* Runs a statement that takes two numbers. */
enum status verify_exec2(struct verify *k, enum stmt_id id, int64_t a, int64_t b, struct err *err);

enum status verify_store(struct verify *k, enum owner_kind kind, int64_t owner, const char *name,
			 struct column *col, struct err *err); /* releases col */
enum status verify_new_column(struct column *out, enum dtype dtype, size_t n, struct err *err);

static inline bool column_is_unsigned(const struct column *c)
{
	return c->dtype <= DT_U64;
}

typedef VEC(uint32_t) ordinal_vec;

void ordinals_sort(uint32_t *v, size_t n);

/* Sets of a layer or a facet: columns offset and value. */
struct sets {
	struct verify *k;
	enum owner_kind kind;
	int64_t owner;
	const char *where;
	uint32_t n, limit; /* samples; values */
	struct csr csr;
	bool whole, bad; /* whole: the offsets hold */
};

enum status sets_load(struct sets *s, const char *fix, struct err *err);
/* Adds the values of row i that exist, once each, of layers ascending; in[limit]: zeroes. Returns
 * how many there were before. */
size_t sets_clean_row(const struct sets *s, uint32_t i, uint8_t *in, ordinal_vec *out);
enum status sets_write(const struct sets *s, const ordinal_vec *off, const ordinal_vec *val,
		       struct err *err);

struct owner {
	int64_t id, a, b;
	const char *where;
};

struct owner_vec {
	struct owner *v;
	size_t n, cap;
};

/* Rows (id, name, a, b) of a dataset; where: "WHAT NAME". */
enum status verify_owners(struct verify *k, enum stmt_id id, int64_t dataset, const char *what,
			  struct arena *arena, struct owner_vec *out, struct err *err);

/* --- runs --- */

struct verify_run {
	const struct verify_dataset *d;
	int64_t id, n; /* n: as its row says */
	const char *where;
	/* Columns as they lie in the file, whatever is in them; n = 0: not there. */
	struct column outcome, label, list_ord;
	struct csr list;
	struct verify_words *words;
	bool scratch; /* its failures may have been asked again */
	bool bad; /* something in them is wrong */
};

/* What the texts of a dataset's answers say of their classes (verify_words.c): open, then for each run
 * begin, hear every text with the samples that have it, end. *out is to be closed in any case. */
struct verify_words;
enum status verify_words_open(struct verify *k, const struct verify_dataset *d,
			      struct verify_words **out, struct err *err);
void verify_words_close(struct verify_words *w);
enum status verify_words_begin(struct verify_words *w, struct verify *k, const struct verify_run *r,
			       struct err *err);
void verify_words_hear(struct verify_words *w, const struct verify_run *r, enum text_field field,
		       const uint32_t *ords, size_t n, struct str text);
void verify_words_end(struct verify_words *w, struct verify *k, const struct verify_run *r);

/* All text fields. r becomes bad when there are texts of answers that are missing. */
enum status verify_texts(struct verify *k, struct verify_run *r, struct err *err);
enum status verify_mapped(struct verify *k, const struct verify_run *r, struct err *err);
enum status verify_kept_truths(struct verify *k, int64_t layer, const char *where,
			       const struct verify_dataset *d, struct err *err);
const char *verify_text_column(enum text_field field);
/* The text that begins at `at` is one of a failure that was asked again: what came instead stands
 * behind it, or nothing does. Chunks only grow, so that it stays where it was. */
bool verify_superseded(const struct verify_run *r, enum text_field field, const struct column *place,
		       uint32_t ord, uint64_t at);

struct text_chunk {
	int64_t id;
	uint64_t start, expected; /* as stored; where the chunk before it ends */
	bool shared;		  /* its texts are, so that the places alone say whose they are */
};

struct text_field_parts { /* a field, as it was found */
	enum text_field field;
	struct column place;
	VEC(struct text_chunk) chunks; /* that hold together, in order */
	VEC(int64_t) damaged;          /* that do not */
	uint64_t lost;                 /* texts in the damaged ones, as far as they say */
	struct sharers sharers;	       /* of `place`, when a chunk has shared texts */
	bool shared;
};

/* Puts the chunks in order, one behind the other, gives each text to the sample whose place it
 * is, else to the one that the chunk names, and writes the places. A shared text goes to all
 * samples whose place it is; without one it is dropped. */
enum status verify_repair_texts(struct verify *k, const struct verify_run *r,
				const struct text_field_parts *parts, struct err *err);
/* Makes outcome, label and lists new from what is left of them and from texts. */
enum status verify_rebuild_answers(struct verify *k, struct verify_run *r, struct err *err);

#endif
