/* What the files of core/filter share. Not for other rooms. */
#ifndef QUALM_CORE_FILTER_FILTER_IMPL_H
#define QUALM_CORE_FILTER_FILTER_IMPL_H

#include "core/eval/eval.h"
#include "core/eval/truth.h"
#include "core/filter/filter.h"

/* --- the tree: what the text says, nothing looked up --- */

enum op { OP_NONE, OP_IS, OP_LIKE, OP_LT, OP_LE, OP_GT, OP_GE, OP_EQ, OP_NE, N_OPS };
extern const char *const op_text[N_OPS]; /* "", ":", "~", "<" … */

enum value_kind {
	VALUE_NAME,     /* weasel, and "weasel" when quoted is set */
	VALUE_INDEX,    /* #657; text without the # */
	VALUE_NONE,     /* (none) */
	VALUE_UNPLACED, /* (unplaced) */
	VALUE_FILE,     /* <FILE */
	VALUE_REGEX,    /* /regex/; "\/" is "/" here */
	VALUE_OUTCOME   /* (oop), (missing) …: a column without a class; text with parentheses */
};

struct value {
	enum value_kind kind;
	struct str text;
	bool quoted;
	bool tree; /* with all below it: slash and star follow */
	size_t at, n;
};

enum who_kind { WHO_RUN, WHO_A, WHO_B, WHO_ALL, WHO_ANY, WHO_LEAST, WHO_LAYER };

struct who { /* resolved */
	enum who_kind kind;
	int index;      /* of the run or layer */
	unsigned least; /* WHO_LEAST */
};

struct word;

struct term {
	bool dotted; /* .NAME: never a word of the language */
	struct str name;
	struct str who; /* p NULL: not given */
	bool who_quoted;
	enum op op;
	struct value *values;
	uint32_t n_values;
	size_t at, n; /* the name */
	size_t who_at, op_at;

	/* filter_check */
	const struct word *word;
	int facet;           /* of a facet word */
	const char *number;  /* of a number word: the column's name */
	struct who whose;
	uint32_t *set;       /* what the values stand for: classes, facet values, categories, tags */
	uint32_t n_set;
	bool none;           /* (none) is among them */
	unsigned extras;     /* of `column:`: bits of enum confusion_extra; of `judge:`: see judged.c */
	double value;        /* of a comparison */
	struct needle **needles; /* n_values */
	int vote;            /* enum vote_question */
	struct who other;    /* of `agree`: the run behind = or != */
};

enum node_kind { NODE_TERM, NODE_NOT, NODE_AND, NODE_OR };

/* An "and" or "or" has at least two kids, none of its own kind. */
struct node {
	enum node_kind kind;
	struct node *kids, *next;
	struct term *term;
};

struct filter {
	struct arena arena;    /* the tree */
	struct arena resolved; /* what filter_check found */
	VEC(struct needle *) needles;
	struct str text;       /* as parsed */
	struct node *root;     /* NULL: true for all */
	bool checked;
};

/* --- messages --- */

struct faults {
	struct str text;
	struct filter_fault *fault; /* may be NULL */
	struct err *err;
};

/* "MESSAGE at N HINT": N is the 1-based character of byte `at`; hint is "" or begins with its
 * own punctuation. E_USAGE. */
enum status fault_at(const struct faults *f, size_t at, size_t n, const char *hint, const char *fmt,
		     ...) __attribute__((format(printf, 5, 6)));
#define CLIP 64
/* A piece of the text, shortened for a message. */
const char *clip(struct str s, char out[CLIP]);

/* --- lexer.c --- */

enum part { PART_NAME, PART_WHO, PART_OP, PART_VALUE };

struct lexer {
	struct str text;
	size_t at;
	struct arena *arena;
	const struct faults *faults;
	/* where reading of a term stands, for completion */
	enum part part;
	size_t part_at;
};

void lex_blanks(struct lexer *lx);
bool lex_end(const struct lexer *lx);
/* One term at lx->at, which is neither a blank nor one of ( ) | -. */
enum status lex_term(struct lexer *lx, struct term *out);
/* Is it a word "or"/"not" that ends here? */
bool lex_keyword(struct lexer *lx, const char *word);
/* Nothing but characters that need no quotes? who: after "@". */
bool lex_is_bare(struct str s, bool who);
/* Is `who`, as it stands after "@" without quotes, one of a, b, all, any, 3+? */
bool who_is_special(struct str who, struct who *out);

/* --- format.c --- */

/* The k-th condition at the top; NULL: there are fewer. */
const struct node *condition_at(const struct filter *f, size_t k);
void filter_put_quoted(struct buf *out, struct str s);

/* --- words.c --- */

enum form { /* what may follow the name */
	FORM_BARE = 1,    /* nothing */
	FORM_LIST = 2,    /* ":" values */
	FORM_LIKE = 4,    /* "~" texts and /regular expressions/ */
	FORM_COMPARE = 8, /* < <= > >= = != and a number */
	FORM_RUN = 16     /* = != and a run */
};
enum of { OF_NOBODY, OF_RUN, OF_LAYER }; /* what "@" names */
enum arg { ARG_NOTHING, ARG_CATEGORY, ARG_CLASS, ARG_FACET, ARG_NUMBER, ARG_VOTE, ARG_TEXT, ARG_TAG,
	   ARG_KEY, ARG_JUDGED, ARG_RUN, ARG_OOP };

struct check { /* one filter_check */
	const struct filter_ctx *ctx;
	struct filter *f;
	const struct faults *faults;
};

/* What is or-ed to, then and-ed with the bits that are being found, from the inside out. */
struct level {
	const uint64_t *found, *within; /* NULL: nothing */
	const struct level *up;
	bool was_sure;
};

struct eval { /* one filter_eval */
	const struct filter_ctx *ctx;
	const struct snapshot *snap;
	size_t n;
	struct filter_cache *cache;
	const uint64_t *within; /* only these matter; NULL = all */
	const struct cancel *cancel;
	struct err *err;
	/* eval_watch.c */
	uint64_t done, all; /* work */
	bool sure;          /* what is found now stays, level by level */
	const struct level *level;
	uint64_t *partial;
};

/* code: what rows that share functions differ in. */
struct word {
	const char *name, *synopsis, *help, *example;
	unsigned forms;
	enum of of;
	enum arg arg;
	const char *column; /* of a number: where it is kept under another name; NULL: under its own */
	unsigned uses; /* enum filter_use */
	int code;
	/* Resolves the values; NULL: there are none. */
	enum status (*check)(struct check *c, struct term *t, const struct word *w);
	/* out is zeroed. eval_run: for one run, then put together as "@" says; eval: the rest, which
	 * no run matters to. A word has one of them, or both, which are then joined by "or". */
	enum status (*eval_run)(struct eval *e, const struct term *t, int run, uint64_t *out);
	enum status (*eval)(struct eval *e, const struct term *t, uint64_t *out);
};

extern const struct word filter_words[]; /* ends with a NULL name */
/* Facets, the truth by name of emotions, numbers of runs: words without a name of their own. */
extern const struct word facet_word, number_facet_word, emotion_word, number_word;
const struct word *word_find(struct str name); /* NULL if none */

/* Are the classes of this dataset emotions, so that `emotion:` is the truth? Only where no facet
 * has that name. */
bool truth_is_emotion(const struct snapshot *snap);

/* --- check_values.c: the words' check functions --- */

enum vote_question { VOTE_CLASS, VOTE_WRONG, VOTE_RIGHT, VOTE_SIZE, VOTE_RUN };

/* Equal when letters are taken without case and "_" as a blank. */
bool name_eq(struct str a, struct str b);
/* Which word the term's name is: built-in words win, a dot in front reaches a facet of that name.
 * Sets word, facet and number. */
bool word_resolve(const struct filter_ctx *ctx, struct term *t);
enum status who_resolve(struct check *c, struct term *t, struct str who, bool quoted, size_t at);

enum status check_categories(struct check *c, struct term *t, const struct word *w);
enum status check_classes(struct check *c, struct term *t, const struct word *w);
enum cell_question { CELL_ROW = 1, CELL_COLUMN }; /* code of words whose classes are of a matrix */
enum status check_facet(struct check *c, struct term *t, const struct word *w);
enum status check_number(struct check *c, struct term *t, const struct word *w);
/* Does any run that the term is about have this number? */
enum status check_has_number(struct check *c, const struct term *t, const char *name, const char *what);
enum status check_vote(struct check *c, struct term *t, const struct word *w);
enum status check_difficulty(struct check *c, struct term *t, const struct word *w);
enum status check_agree(struct check *c, struct term *t, const struct word *w);
enum status check_text(struct check *c, struct term *t, const struct word *w);
enum status check_tags(struct check *c, struct term *t, const struct word *w);
enum status check_keys(struct check *c, struct term *t, const struct word *w);
enum status check_oop(struct check *c, struct term *t, const struct word *w);

/* --- terms.c, vote.c: the words' eval functions --- */

enum status eval_category(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_truth(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_facet(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_number_facet(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_answer_class(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_verdict(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_outcome(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_number(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_flip(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_vote(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_answer_text(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_text(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_thing(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_tag(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_keys(struct eval *e, const struct term *t, uint64_t *out);

enum thing { THING_MARK, THING_SEEN, THING_NOTE };
enum flip { FLIP_REGRESSED, FLIP_IMPROVED, FLIP_BOTH };

enum status eval_no_memory(struct err *err, size_t n);
/* The outcomes under which an answer's classes count: bits of the rows of `run` that have one. */
void answered_bits(const struct snapshot *snap, int run, uint64_t *out);
/* Rows of `run` whose answer has a class of the set. */
enum status answer_in(struct eval *e, int run, const uint32_t *set, uint32_t n_set, uint64_t *out);

/* --- judged.c --- */

enum judged_word { JUDGED_ANSWER, JUDGED_STEPS }; /* code */
enum status check_judged(struct check *c, struct term *t, const struct word *w);
enum status eval_judged(struct eval *e, const struct term *t, int run, uint64_t *out);
/* The k-th value of the word; false beyond the last. */
bool judged_value_of(const struct word *w, size_t k, const char **word, const char **help);

/* --- panel.c --- */

enum status eval_difficulty(struct eval *e, const struct term *t, uint64_t *out);
enum status eval_unstable(struct eval *e, const struct term *t, int run, uint64_t *out);
enum status eval_agree(struct eval *e, const struct term *t, int run, uint64_t *out);

/* --- cell.c --- */

enum status eval_cell(struct eval *e, const struct term *t, int run, uint64_t *out);

/* --- eval_watch.c --- */

enum status watch_begin(struct eval *e, const struct node *root);
void watch_end(struct eval *e);
/* What is evaluated until watch_leave() is joined with found and held within `within`; not sure:
 * its bits say nothing before the end. Set e->level to the level that is returned. */
struct level watch_enter(struct eval *e, const uint64_t *found, const uint64_t *within, bool sure);
void watch_leave(struct eval *e, const struct level *level);
/* A search through texts; the watch is told. */
enum status watch_search(struct eval *e, enum filter_scope scope, int run, const struct needle *needle,
			 uint64_t *out);

/* --- cache.c --- */

const uint64_t *cache_verdict(struct filter_cache *c, int run, enum verdict which, struct err *err);
const uint8_t *cache_categories(struct filter_cache *c, struct err *err);
const struct truth *cache_truth(struct filter_cache *c, int layer);

struct votes { /* by sample: of the panel's largest group with one answer */
	int *panel;
	int n_panel;
	uint8_t *size; /* 0: nobody answered */
	uint8_t *who;  /* the place in the panel of its first run; VOTES_NOBODY */
};
struct difficulty { /* of a panel; share: [n] right of its counted answers; NaN: none is */
	int *panel;
	int n_panel;
	struct column share; /* DT_F32 */
};
const struct difficulty *cache_difficulty(struct filter_cache *c, const int *panel, int n,
					  struct err *err);
/* panel.c */
enum status difficulty_make(struct difficulty *d, struct filter_cache *c, const struct snapshot *snap,
			    struct err *err);
void difficulty_release(struct difficulty *d);
/* vote.c: have two rows, both with a mapped answer, the same set of classes? */
bool same_answer(const struct run *a, const struct run *b, uint32_t i);

#define VOTES_NOBODY 255
#define VOTES_MAX    254 /* runs in a panel */
const struct votes *cache_votes(struct filter_cache *c, const int *panel, int n, struct err *err);
/* vote.c */
enum status votes_count(struct votes *v, struct filter_cache *c, const struct snapshot *snap,
			struct err *err);
void votes_release(struct votes *v);

/* --- scan.c: columns to bits. out[bits_words(n)] is overwritten. Rows beyond a column's end are
 * "none". --- */

void scan_in(const struct column *c, size_t n, const uint32_t *set, uint32_t n_set, uint64_t *out);
void scan_none(const struct column *c, size_t n, uint64_t *out);
/* No number is equal, unequal, above or below "none". Floats are compared in their own width. */
void scan_compare(const struct column *c, size_t n, enum op op, double x, uint64_t *out);
/* off[rows + 1] ascending, within val. Rows with a value of the set; rows without any. */
void scan_csr_in(const uint32_t *off, size_t rows, size_t n, const struct column *val,
		 const uint32_t *set, uint32_t n_set, uint64_t *out);
void scan_csr_empty(const uint32_t *off, size_t rows, size_t n, uint64_t *out);

#endif
