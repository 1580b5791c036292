/*
 * columns: what the list can show of a sample, a row of one table each: name, title, width,
 * alignment, priority, what it is sorted by, help. A list of columns is chosen from it; without a
 * choice it is the usual list. Exports write the same columns. Pure.
 */
#ifndef QUALM_TUI_VIEW_COLUMNS_H
#define QUALM_TUI_VIEW_COLUMNS_H

#include "core/base/err.h"
#include "db/fetch.h"
#include "tui/view/order.h"
#include "tui/view/scene.h"

enum column_of { OF_NOTHING, OF_A_RUN, OF_BOTH_RUNS, OF_A_LAYER, OF_A_FACET }; /* what "@" names */

/* X(CONSTANT, name, title, columns wide (0: as is needed), least, right-aligned, priority (the
 * lowest goes first where there is no room), what "@" names, sort, help). */
#define COLUMNS(X)                                                                                 \
	X(KEY, "key", "sample", 0, 3, false, 100, OF_NOTHING, KEY, "the sample's key")             \
	X(NO, "no", "no", 0, 2, true, 20, OF_NOTHING, IMPORT, "its number in order of import")     \
	X(PAIR, "pair", "truth → answer", 0, 5, false, 90, OF_NOTHING, TRUTH,                      \
	  "truth in the lens's layer, and the answer of a where it differs")                       \
	X(TRUTH, "truth", "truth", 0, 6, false, 70, OF_A_LAYER, TRUTH,                             \
	  "truth in the lens's layer, or in another")                                              \
	X(ANSWER, "answer", "answer", 0, 6, false, 80, OF_A_RUN, ANSWER,                           \
	  "mapped answer of a, or of another run")                                                 \
	X(VERDICT, "verdict", "ab", 0, 1, false, 85, OF_BOTH_RUNS, VERDICT,                        \
	  "glyphs of a and b, or of one run")                                                      \
	X(RUNS, "runs", "runs", 0, 1, false, 40, OF_NOTHING, PANEL, "one glyph for each panel run") \
	X(PANEL, "panel", "panel", 5, 5, true, 75, OF_NOTHING, PANEL,                              \
	  "how many runs of the panel are right")                                                  \
	X(DIFFICULTY, "difficulty", "diff.", 5, 5, true, 74, OF_NOTHING, DIFFICULTY,                \
	  "share of the panel's counted answers that are right; the lower, the harder")            \
	X(REPEATS, "repeats", "repeats", 7, 3, true, 73, OF_A_RUN, VERDICT,                         \
	  "how many of the runs that repeat a, or another run, are right")                         \
	X(CATEGORY, "category", "", 2, 2, false, 60, OF_NOTHING, CATEGORY, "label category")       \
	X(SCORE, "score", "score", 0, 4, true, 50, OF_A_RUN, SCORE, "score of a, or of another run") \
	X(LATENCY, "latency", "latency", 0, 4, true, 45, OF_A_RUN, LATENCY,                        \
	  "milliseconds that the answer took")                                                     \
	X(TOKENS, "tokens", "tokens", 0, 4, true, 44, OF_A_RUN, TOKENS, "tokens of the answer")    \
	X(DEGREE, "degree", "degree", 0, 3, true, 43, OF_A_RUN, DEGREE, "degree that was answered") \
	X(REC, "rec", "rec", 0, 3, true, 42, OF_A_RUN, REC, "recognition score")                   \
	X(REA, "rea", "rea", 0, 3, true, 42, OF_A_RUN, REA, "reasoning score")                     \
	X(STEPS, "steps", "steps", 0, 3, true, 41, OF_A_RUN, STEPS, "reasoning steps")             \
	X(TEXT, "text", "text", 0, 8, false, 30, OF_NOTHING, TEXT, "question or statement")        \
	X(PATH, "path", "path", 0, 8, false, 15, OF_NOTHING, IMPORT, "path of the picture")        \
	X(TAGS, "tags", "tags", 12, 4, false, 35, OF_NOTHING, IMPORT, "your tags")                 \
	X(NOTES, "notes", "notes", 5, 1, true, 34, OF_NOTHING, NOTES, "how many notes of yours")   \
	X(SIGNS, "signs", "", 3, 3, false, 33, OF_NOTHING, NOTES, "marked, noted, tagged, as signs") \
	X(FACET, "facet", "", 0, 2, false, 55, OF_A_FACET, FACET, "a facet's value")

enum column_id {
#define X(id, name, title, w, least, right, priority, of, sort, help) COLUMN_##id,
	COLUMNS(X)
#undef X
	    N_COLUMNS
};

/* struct list_column.of beside an index. */
enum { COLUMN_OF_A = -1, COLUMN_OF_B = -2, COLUMN_OF_AB = -3 };

struct list_column {
	enum column_id id;
	int of;    /* run, layer or facet; -1: a, the lens's layer */
	int width; /* 0: as is needed */
	int least, from; /* of the usual list alone: not narrower; only in lists of so many columns */
};

#define COLUMNS_MAX 32

struct columns {
	bool chosen; /* by the user */
	int n;
	struct list_column v[COLUMNS_MAX];
};

const char *column_name(enum column_id id);
const char *column_help(enum column_id id);
bool column_right(const struct list_column *c, const struct snapshot *snap);
enum column_of column_of(enum column_id id);
bool column_is_number(enum column_id id);
/* The run that the column is about now; -1: none. */
int column_run(const struct scene *s, const struct list_column *c);
/* By what the list is sorted when it is sorted by this column. */
struct sort column_sort(const struct scene *s, const struct list_column *c);

void columns_usual(struct columns *out);
/* Appends "answer@b=12", as columns_parse() reads it; FACET: the facet's name. written_out: a, b
 * and the lens's layer by their names. */
void column_format(const struct scene *s, const struct list_column *c, bool written_out,
		   struct buf *out);
/* The whole list, `sep` between. */
void columns_format(const struct scene *s, const struct columns *columns, const char *sep,
		    struct buf *out);
/* "key,answer@b=12,emotion": commas (or line ends) between; names in double quotes where they have
 * other characters; ".score" is the facet of that name. E_USAGE with words; with err NULL what is
 * not there any more is passed over. */
enum status columns_parse(struct str text, const struct scene *s, struct columns *out,
			  struct err *err);

/* Is there anything to show in it now? */
bool column_there(const struct scene *s, const struct list_column *c);
void column_title(const struct scene *s, const struct list_column *c, struct buf *out);
/* Appends the sample's value as text. row: NULL when it could not be read; number: the value where
 * column_is_number(). */
void column_value(const struct scene *s, const struct list_column *c, uint32_t ord,
		  const struct sample_row *row, double number, struct buf *out);

/* How the numbers of a column are written: all with as many decimals. */
struct number_form {
	int decimals, width;
};
/* Of n numbers, NaN where there is none. */
struct number_form number_form(const double *v, uint32_t n);
void number_text(const struct number_form *f, double v, struct buf *out); /* nothing for NaN */

struct column_place {
	int x, w; /* w = 0: not shown */
};

/* What placing needs to know beside the list: widths as measured. */
struct column_widths {
	int key;                             /* of the widest key */
	bool texts;                          /* samples have questions or statements */
	struct number_form form[COLUMNS_MAX]; /* of columns of numbers */
};

/* Where each column stands in a list of w columns. The usual list shows what makes sense now, a
 * chosen one all that there is; the lowest priority goes first where there is no room. */
void columns_place(int w, const struct scene *s, const struct columns *columns,
		   const struct column_widths *widths, struct column_place place[COLUMNS_MAX]);

#endif
