/*
 * mme: what MME-Emotion's readers share (benchmarks.md §5): tasks, label sets, and the labels in
 * what a model said.
 */
#ifndef QUALM_CORE_READER_MME_H
#define QUALM_CORE_READER_MME_H

#include "core/base/map.h"
#include "core/reader/rows.h"

#define MME_LABELS_MAX 256

struct mme_labels {
	struct str v[MME_LABELS_MAX];
	size_t n;
};

/* One file being read. */
struct mme {
	struct read_ctx *ctx;
	struct rows rows;
	struct arena names;    /* as long as the file */
	struct str task;       /* of the file's name */
	struct str model;      /* likewise */
	struct arena arena;    /* scratch */
	struct intern classes; /* folded names that the sink has */
	struct mme_labels options; /* the row's label_set */
	struct class_ref truth[MME_LABELS_MAX];
	size_t n_truth;
	/* answers alone */
	bool has_run;
	uint32_t run;
	uint64_t marked, unread; /* answers with marks; those that cannot be read */
};

/* "ER_SL_Wild_gpt4o_eval" is of the task ER-Wild; what follows it is *rest, "gpt4o_eval". Both
 * live in the arena. */
struct str mme_task(struct arena *arena, struct str stem, struct str *rest);
/* The labels of a published task; NULL: it is none. Ends with NULL. */
const char *const *mme_task_labels(struct str task);
/* Can a question of the task have several labels? */
bool mme_task_is_many(struct str task);
/* The name under which the published script counts a label, anger for angry, else s itself; and the
 * other name of that class, angry, else NULL p. */
struct str mme_merged(struct str s, struct str *other);
/* The model in what a file's name has behind the task; else a folder's name. */
struct str mme_model(struct str rest, struct str path);

/* What a model's answer comes to. */
struct mme_said {
	struct str text; /* the part of the text that says it; NULL p: nothing was found */
	struct mme_labels labels; /* none: it is not in the label set */
	bool none; /* "None": the model gave no answer */
};
/* Of one sentence that states the answer, as a last step does. words: the label set; may be
 * empty. */
void mme_said_in(struct str sentence, const struct mme_labels *words, bool many, struct mme_said *out);
/* Of a whole response: inside <answer>, else the last sentence that has a label. */
void mme_said_at_end(struct str response, const struct mme_labels *words, bool many,
		     struct mme_said *out);

/* The row's truths, from a label with ',' or ';' between several: m->truth. */
void mme_read_truth(struct mme *m, const struct row *row, const char *field);
void mme_read_options(struct mme *m, const struct row *row);
/* The classes that options and truths name. */
enum status mme_send_classes(struct mme *m, const struct row *row, struct err *err);
enum status mme_send_class(struct mme *m, const struct row *row, struct str name, struct err *err);
/* The sample of a row: with_truth has room for its parts, which `out` borrows. */
struct mme_sample {
	struct rec_sample rec;
	struct rec_truth truth;
	struct rec_facet facets[2];
	struct str video;
};
void mme_sample_of(struct mme *m, struct row *row, struct str video, struct str task,
		   struct mme_sample *out);

/* --- mme_answers.c --- */

/* Is it a row of answers, of any stage, or of people's marks? */
bool mme_is_answer(const struct mme *m, const struct row *row);
enum status mme_take_answer(struct mme *m, struct row *row, struct str video, struct str task,
			    struct err *err);
void mme_tell_answers(const struct mme *m);

#endif
