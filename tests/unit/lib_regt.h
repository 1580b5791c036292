/*
 * regt: 31,250 samples with the categories of ReGT's Table 2, label sets and pairs of equivalent
 * classes, and five runs that are as right in each category, under both layers and under both at
 * once, as its Table 3 has them; two of them leave the class list as often as Table 5 says. All
 * made by a seeded generator, written as files and imported.
 */
#ifndef QUALM_TESTS_UNIT_LIB_REGT_H
#define QUALM_TESTS_UNIT_LIB_REGT_H

#define REGT_SAMPLES 31250
#define REGT_MODELS  5
#define REGT_KINDS   5 /* S+, S-, M+, M-, N */

extern const int regt_n_of[REGT_KINDS];

struct regt_model {
	const char *name, *protocol;
	double original, a, s, sp, sm, m, mp, mm, both; /* Table 3, percent */
	double oop[REGT_KINDS];                         /* Table 5, percent */
	int kinds[4];                                   /* Table 15, per mille */
};
extern const struct regt_model regt_models[REGT_MODELS]; /* the worst first */

struct regt;
struct regt *regt_new(void); /* the same each time; free() it */
/* One change: other labels, another original label, another answer, none, one outside of the list. */
void regt_edit(struct regt *c);
/* classes.tsv, pairs.tsv, original.jsonl, reannotated.jsonl and a pred-MODEL.jsonl for each. */
void regt_write(const struct regt *c, const char *folder);
/* Into a new project, dataset "regt"; openai_name is the second list of names. What fails here ends
 * the program with a message. */
void regt_import(const char *folder, const char *project);

#endif
