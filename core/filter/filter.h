/*
 * core/filter: the filter language (qualm-filter(7)): a text becomes a tree of conditions, is
 * checked against a dataset, and gives the set of samples that it is true for.
 *
 * words.c has one row for each word of the language; everything (checking, evaluation,
 * completion, the manual) follows from the rows. A new word is a new row.
 *
 * A filter keeps its text's meaning, not its letters: filter_format(filter_parse(text)) parses to
 * an equal filter, whatever was typed. Names are resolved by filter_check(), which must be called
 * again when anything in its context but a, b and the lens has changed (a new snapshot, another
 * panel, other tags); a, b and the lens are looked up when the filter is evaluated.
 */
#ifndef QUALM_CORE_FILTER_FILTER_H
#define QUALM_CORE_FILTER_FILTER_H

#include "core/base/bits.h"
#include "core/base/cancel.h"
#include "core/base/vec.h"
#include "core/model/snapshot.h"
#include "core/text/needle.h"

#define FILTER_TEXT_MAX  65536 /* bytes of a filter's text */
#define FILTER_DEPTH_MAX 100   /* parentheses and negations inside each other */
#define FILTER_TERMS_MAX 4096

/* --- what a filter is about --- */

enum filter_scope { SCOPE_TEXT, SCOPE_QUESTION, SCOPE_STATEMENT, SCOPE_ANSWER, SCOPE_NOTE, SCOPE_KEY,
		    SCOPE_PATH };

/* Who waits for a search through texts. */
struct text_watch {
	const struct cancel *cancel; /* may be NULL */
	/* Now and then, on the thread that searches: done of filter_source.work(), and the bits as
	 * they are so far. May be NULL. */
	void (*tell)(void *ctx, uint64_t done, const uint64_t *bits);
	void *ctx;
};

/* What the snapshot does not hold, fetched when a word asks for it (db/search.h). A function may
 * be NULL: then the words that need it are E_UNSUPPORTED. */
struct filter_source {
	void *ctx;
	/* *col: numbers of a run by sample, borrowed until the next call; n = 0 when the run has
	 * none of that name. */
	enum status (*number)(void *ctx, int run, const char *name, const struct column **col,
			      struct err *err);
	/* Sets the bits of the samples one of whose texts has the needle. run: for SCOPE_ANSWER.
	 * within: only these need to be looked at; NULL = all. watch: NULL = nobody waits. */
	enum status (*text)(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			    const uint64_t *within, uint64_t *bits, const struct text_watch *watch,
			    struct err *err);
	/* Tells the text of the judge's marks, or of people's, of each sample within (NULL = all) that
	 * has one, by ascending ordinal; it is good for the call. */
	enum status (*marks)(void *ctx, int run, bool people, const uint64_t *within,
			     void (*take)(void *to, uint32_t ord, struct str text), void *to,
			     struct err *err);
	/* How much work such a search is: bytes to look at, about. */
	uint64_t (*work)(void *ctx, enum filter_scope scope, int run);
	/* Sets the bits of the samples that have one of these keys. */
	enum status (*keys)(void *ctx, const struct str *keys, size_t n, uint64_t *bits,
			    const struct cancel *cancel, struct err *err);
	/* Classes that bear `name` beside their own: at most max of them into out; how many. */
	size_t (*aliases)(void *ctx, struct str name, uint32_t *out, size_t max);
	/* kind[samples of the snapshot]: enum oop_kind of the run's answers that are oop, OOP_NONE of
	 * all others; borrowed until the source goes. */
	enum status (*oop_kinds)(void *ctx, int run, const uint8_t **kind, const struct cancel *cancel,
				 struct err *err);
	/* The names of the numbers that runs have. */
	const char *const *numbers;
	size_t n_numbers;
};

/* The user's own things; all borrowed. */
struct filter_tag {
	const char *name;
	const uint32_t *ords; /* n sample ordinals */
	uint32_t n;
};
struct filter_things {
	const uint8_t *marked, *seen; /* [samples] 0/1 */
	const uint16_t *notes;        /* [samples] how many */
	const struct filter_tag *tags;
	uint32_t n_tags;
};

/* cache: what is computed once from a snapshot under a lens: categories, verdicts, truths, votes.
 * Belongs to one thread. Borrows the snapshot. */
struct filter_cache;
struct filter_cache *filter_cache_new(const struct snapshot *snap, const struct lens *lens);
void filter_cache_free(struct filter_cache *cache); /* NULL is fine */
/* What the caller has computed already under the cache's lens, copied; the cache computes no part of
 * it again: the verdicts [n] of a run, the categories [n]. Without memory it forgets them. */
void filter_cache_know(struct filter_cache *cache, int run, const uint8_t *verdict);
void filter_cache_know_categories(struct filter_cache *cache, const uint8_t *category);

/* Who watches the evaluation of a filter that searches texts. */
struct filter_watch {
	/* On the thread that evaluates: done of all work, never more. partial[bits_words(n)]: the
	 * samples that the filter is true for whatever is still found; NULL where nothing is certain
	 * before the end (under "not", with @all and @3+). Good until it returns. */
	void (*tell)(void *ctx, uint64_t done, uint64_t all, const uint64_t *partial);
	void *ctx;
};

/* All borrowed. */
struct filter_ctx {
	const struct snapshot *snap;
	const struct lens *lens;
	int a, b;         /* runs; -1 = none */
	const int *panel; /* n_panel runs: what all, any, 3+ and vote are about */
	int n_panel;
	const struct filter_source *source; /* NULL: there is nothing but the snapshot */
	const struct filter_things *things; /* NULL: there is none */
	struct filter_cache *cache;         /* of this snapshot and lens; NULL: for one call */
	const struct filter_watch *watch;   /* NULL: nobody does */
};

/* --- filters --- */

struct filter;

/* What is wrong and where: bytes [at, at + n) of the text are to be underlined. */
struct filter_fault {
	size_t at, n;
};

/* Parses and, unless ctx is NULL, checks. E_USAGE (or E_LIMIT) with a message that says what is
 * wrong at which character, what was expected and the nearest name there is; *fault (may be NULL)
 * is then set. The empty text is true for all samples. The filter borrows nothing of the text. */
enum status filter_parse(struct str text, const struct filter_ctx *ctx, struct filter **out,
			 struct filter_fault *fault, struct err *err);
/* Looks the names up (again). On failure the filter cannot be evaluated. */
enum status filter_check(struct filter *f, const struct filter_ctx *ctx, struct filter_fault *fault,
			 struct err *err);
void filter_free(struct filter *f); /* NULL is fine */
bool filter_eq(const struct filter *a, const struct filter *b);
bool filter_is_empty(const struct filter *f);

/* bits[bits_words(snap->n)]: 1 for every sample that the filter, checked in a ctx of the same
 * snapshot, is true for. E_CANCELLED. */
enum status filter_eval(const struct filter *f, const struct filter_ctx *ctx, uint64_t *bits,
			const struct cancel *cancel, struct err *err);

/* What the result depends on besides the snapshot: when must it be computed again, and is it
 * work for a thread? */
enum filter_use {
	FILTER_USES_A = 1,
	FILTER_USES_B = 2,
	FILTER_USES_LENS = 4,
	FILTER_USES_PANEL = 8,
	FILTER_USES_THINGS = 16, /* tags, marks, notes, seen */
	FILTER_USES_TEXT = 32,   /* texts are searched: it takes time */
	FILTER_USES_CATEGORY = 64 /* label categories */
};
unsigned filter_uses(const struct filter *f); /* of a checked filter */
/* A sentence about what it asks for and cannot be there, such as label categories where the lens
 * compares no two layers; NULL: none. Of a checked filter. */
const char *filter_hint(const struct filter *f, const struct filter_ctx *ctx);
/* The same of the k-th of filter_n_conditions(). */
enum status filter_eval_condition(const struct filter *f, size_t k, const struct filter_ctx *ctx,
				  uint64_t *bits, const struct cancel *cancel, struct err *err);
unsigned filter_condition_uses(const struct filter *f, size_t k);

/* What the filter, checked, looks for in texts, to be marked where it is found. */
struct filter_needle {
	const struct needle *needle; /* borrowed of the filter, until it is checked again */
	enum filter_scope scope;
	int run; /* SCOPE_ANSWER: whose answers; -1 = of several runs */
};
/* The k-th; those under "not" are left out. a, b: runs, as of a filter_ctx. False beyond the
 * last. */
bool filter_needle(const struct filter *f, size_t k, int a, int b, struct filter_needle *out);

/* --- filters as text --- */

/* Appends the filter. With a ctx: as it is shown, saved and exported, a and b (also where they
 * are only meant, as in `wrong`) written out as handles. */
void filter_format(const struct filter *f, const struct filter_ctx *ctx, struct buf *out);
/* The conditions that are joined by "and" at the top; each formats to a filter of its own. */
size_t filter_n_conditions(const struct filter *f);
void filter_format_condition(const struct filter *f, size_t k, const struct filter_ctx *ctx,
			     struct buf *out);
/* Appends the filter without its k-th condition. */
void filter_format_without(const struct filter *f, size_t k, struct buf *out);
/* Appends a value as it must stand after ":" or "~", quoted where needed. */
void filter_put_value(struct buf *out, struct str value);
/* Appends "@HANDLE", quoted where needed. */
void filter_put_who(struct buf *out, const char *handle);
/* Appends the word for a number of runs, "batch" for "batch_size"; "@" and a comparison may follow.
 * False: the language cannot name it. */
bool filter_put_number(struct buf *out, const char *number);
/* Appends the handle as it must stand behind "=" or "!=". */
void filter_put_run(struct buf *out, const char *handle);
/* Appends "FACET:" (".FACET:" where a word has that name), to be followed by values. */
void filter_put_facet(struct buf *out, const char *facet);

/* --- completion --- */

#define FILTER_NO_COUNT UINT32_MAX

struct filter_item {
	struct str insert; /* replaces bytes [from, to) of the text */
	struct str label;  /* how it is shown */
	const char *help;  /* "" = none */
	uint32_t count;    /* samples; FILTER_NO_COUNT = not counted */
};

struct filter_completion {
	struct arena arena;
	size_t from, to;
	VEC(struct filter_item) items; /* the best first */
};

/* What may stand at byte `cursor` of the text: words, facets, runs, layers, values, by what
 * stands before the cursor. within: count values among these samples; NULL = all. */
void filter_complete(struct str text, size_t cursor, const struct filter_ctx *ctx,
		     const uint64_t *within, struct filter_completion *out);
void filter_completion_release(struct filter_completion *c);

/* --- the words, for help and the manual --- */

struct filter_word_info {
	const char *name;     /* "gt" */
	const char *synopsis; /* "gt[@LAYER]:CLASS,..." */
	const char *help, *example;
};
/* The k-th word; false beyond the last. */
bool filter_word_info(size_t k, struct filter_word_info *out);

#endif
