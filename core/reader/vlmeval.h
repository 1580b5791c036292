/*
 * vlmeval: what the rows of VLMEvalKit's benchmarks and of its predictions have in common: options in
 * the columns A, B, …, a question with its hint, and the groups of circular evaluation, in which a
 * question is asked with its options turned round: rows whose index is the same modulo 1,000,000, or
 * that the column g_index puts together. The facet g_index names the group.
 */
#ifndef QUALM_CORE_READER_VLMEVAL_H
#define QUALM_CORE_READER_VLMEVAL_H

#include "core/reader/stored.h"

#define VLMEVAL_OPTIONS 26

struct vlmeval_row {
	struct str options[VLMEVAL_OPTIONS]; /* up to the last one that is not blank */
	size_t n_options;
	struct str key; /* empty: the row has none */
};

/* The row at hand of s->rows; slices as long as the row. */
void vlmeval_row(struct stored *s, struct vlmeval_row *out);
/* Question and options of the sample. */
void vlmeval_question(struct stored *s, const struct vlmeval_row *row, struct rec_sample *out);
/* category and further short columns, and the group, as facets of s. `answers`: columns that describe
 * the answer, which are numbers and details instead; ends with NULL. */
void vlmeval_facets(struct stored *s, const struct vlmeval_row *row, const char *const *answers);
/* The group of a question that was turned round, in s->row.arena: 1000012 is of group 12. Empty: it
 * is none, or the first of its group. */
struct str vlmeval_group(struct stored *s, struct str key);
/* The first of a group has no number that tells: it is told its group when another one comes, at the
 * end of the file. */
struct vlmeval_groups {
	struct intern seen, grouped; /* keys; groups */
};
void vlmeval_note_group(struct vlmeval_groups *g, struct stored *s, struct str key);
enum status vlmeval_send_groups(const struct vlmeval_groups *g, struct stored *s, struct err *err);
void vlmeval_release_groups(struct vlmeval_groups *g);
/* The truth, of layer "original", in s->row.arena. */
struct refs vlmeval_truth(struct stored *s, const struct vlmeval_row *row);

#endif
