/* What the files of core/report share. Not for other rooms. */
#ifndef QUALM_CORE_REPORT_REPORT_IMPL_H
#define QUALM_CORE_REPORT_REPORT_IMPL_H

#include "core/eval/oop.h"
#include "core/report/report.h"

/* [n] verdicts of a run under the ctx's lens, or under another layer of it; owned. */
uint8_t *report_verdicts(const struct report_ctx *ctx, int run, const struct lens *lens);
/* The same under the ctx's lens, to be looked at: borrowed where they are at hand, else *own is theirs. */
const uint8_t *report_verdicts_of(const struct report_ctx *ctx, int run, uint8_t **own);
/* [g->n + 1] of a run in each group under the lens, the last one of all samples; owned. */
struct tally *report_tallies(const struct report_ctx *ctx, struct grouping *g, int run, const struct lens *lens);
uint32_t report_population(const struct report_ctx *ctx);
/* Appends the words that stand below a table: what the accuracy is of, and what is left out. */
void report_note_left_out(const struct report_ctx *ctx, struct table *t);
/* Doors and explanations for n, right, left out and accuracy (told[4], in this order) of the last
 * row: the run's answers to the samples of a condition ("": all). The share's doors are set here. */
void report_put_share(const struct report_ctx *ctx, struct table *t, int run, const char *condition,
		      const size_t told[4], const struct table_share *share);
/* The doors of the last row (report_doors.c). Of precision, recall and F1 (column[3]) of the class
 * whose value in the filter language this is: the errors that lower them. */
struct class_score;
struct class_scores;
void report_door_scores(const struct report_ctx *ctx, struct table *t, int run, const char *value,
			const size_t column[3], const struct class_score *s);
/* Macro precision, recall and F1, and why a mean has no door. */
void report_put_macro(struct table *t, const size_t column[3], const struct class_scores *s);
/* Of what is told of a and b together, in `columns` [n]: the samples that one alone has right. */
struct fourfold;
void report_door_paired(const struct report_ctx *ctx, struct table *t, int a, int b, const char *condition,
			const size_t *columns, size_t n, const struct fourfold *f);
/* Of yes-or-no tasks; columns as named, yes and no: values of the two classes. */
struct binary;
struct binary_columns {
	size_t positive, signal, give_up, tpr, tnr, d_prime, criterion;
};
void report_door_binary(const struct report_ctx *ctx, struct table *t, int run, const char *condition,
			const struct binary_columns *c, uint32_t yes, const struct binary *b,
			uint64_t gave_up);
/* A grouping of the ctx's, by ctx->by or part of it: also by a number of the answers, of its runs. */
enum status report_grouping(const struct report_ctx *ctx, struct str by, struct grouping *out,
			    struct err *err);

/* --- report_oop.c: answers outside of the class list --- */

struct oop_count {
	uint32_t n, silent; /* predictions but errors; errors and what is missing */
	uint32_t oop, unmapped, right;
	uint32_t kind[N_OOP_KINDS];
};
struct oop_columns { /* shares: oop of n; each kind of oop */
	size_t rate, kind[N_OOP_KINDS];
};
/* kind[n] of a run's answers; *kind = NULL where nobody can tell. */
enum status report_oop_kinds(const struct report_ctx *ctx, int run, const uint8_t **kind, struct err *err);
/* kind: NULL: unknown. */
void report_oop_add(const struct run *run, const uint8_t *kind, const uint8_t *verdict, uint32_t i,
		    struct oop_count *c);
struct oop_columns report_oop_columns(struct table *t);
/* In the last row; kinds: they are known. */
void report_put_oop(const struct report_ctx *ctx, struct table *t, const struct oop_columns *columns,
		    const struct oop_count *c, int run, const char *condition, bool kinds);

/* --- report_reference.c: rows of figures, behind those of the runs --- */

/* A detail, where there are figures: the file that a row of them is from. */
void report_reference_column(const struct report_ctx *ctx, struct table *t);
/* When the runs have their rows and ranks: by the table's columns run, name, group, layer, accuracy,
 * whichever it has, and the column of each further measure. Figures for which the rows of the runs
 * have no group or layer are left out, and a note tells how many. */
void report_put_references(const struct report_ctx *ctx, struct table *t);

/* What the ctx's two runs do not have in common (compare_warn.c): samples, protocols; what is
 * counted: of samples, of both runs or of one of them alone. */
struct compare_coverage {
	uint32_t both, only_a, only_b;
};
void report_warn_runs(const struct report_ctx *ctx, struct table *t);
void report_warn_coverage(const struct compare_coverage *c, struct table *t);
const char *report_layer_name(const struct report_ctx *ctx, int layer);

/* The benchmark's own table (benchmark.c), else the plain one: report_accuracy. */
enum status report_benchmark(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_accuracy(const struct report_ctx *ctx, struct table *out, struct err *err);
/* The same table with a benchmark's further columns, of the lens's layer. For each run: begin, add
 * for every sample of the population in each of its groups (places, which are numbered from 0),
 * put for every row. */
struct report_more {
	const char *title;
	void (*columns)(void *own, struct table *t); /* behind the table's own; may set the pivot */
	enum status (*begin)(void *own, int run, size_t places, struct err *err);
	void (*add)(void *own, size_t place, uint32_t i, uint8_t verdict);
	/* condition: of the row's group; "": all. */
	void (*put)(void *own, size_t place, const char *condition, struct table *t);
	void (*notes)(void *own, struct table *t);
};
enum status report_accuracy_more(const struct report_ctx *ctx, const struct report_more *more, void *own,
				 struct table *out, struct err *err);
/* A copy of the run's numbers of that name; empty (n = 0) where it has none, or there is no source. */
enum status report_number(const struct report_ctx *ctx, int run, const char *name, struct column *out,
			  struct err *err);
/* Appends "WORD@RUN", values ("", or ":right,wrong") and the condition, which may be "". */
void report_put_door(const struct report_ctx *ctx, struct buf *out, const char *word, int run,
		     const char *values, const char *condition);
/* MME-Emotion, of runs that a judge marked (report_mme.c). */
bool report_fits_mme(const struct report_ctx *ctx);
enum status report_mme(const struct report_ctx *ctx, struct table *out, struct err *err);
/* A lens's layer that is votes (report_votes.c). */
bool report_fits_votes(const struct report_ctx *ctx);
enum status report_votes(const struct report_ctx *ctx, struct table *out, struct err *err);
/* Questions that are asked again with their options turned round (report_circular.c). */
bool report_fits_circular(const struct report_ctx *ctx);
enum status report_circular(const struct report_ctx *ctx, struct table *out, struct err *err);
/* The judge against people (report_judge.c). */
enum status report_judge(const struct report_ctx *ctx, struct table *out, struct err *err);
/* MEMO-Bench: of a dataset with few classes whose runs answer degrees beside them. */
#define REPORT_MEMO_CLASSES 60
bool report_fits_memo(const struct report_ctx *ctx);
enum status report_memo(const struct report_ctx *ctx, struct table *out, struct err *err);
/* The head of a column of groups: the grouping's name, "samples" of the one that makes no groups. */
const char *report_group_head(const struct grouping *g);

enum status report_classes(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_groups(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_compare(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_confusion(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_pairs(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_oop(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_protocols(const struct report_ctx *ctx, struct table *out, struct err *err);
/* MC by kind of distractor (report_mc.c). */
enum status report_mc(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_agreement(const struct report_ctx *ctx, struct table *out, struct err *err);
enum status report_facets(const struct report_ctx *ctx, struct table *out, struct err *err);

#endif
