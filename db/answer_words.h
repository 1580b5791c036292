/*
 * answer_words: the words by which an import finds the classes of a run's answers: what was
 * extracted, else the whole answer; where a letter was answered and the sample has options, the
 * option's text (store_choice.c). Not for other rooms.
 */
#ifndef QUALM_DB_ANSWER_WORDS_H
#define QUALM_DB_ANSWER_WORDS_H

#include "db/fetch.h"

struct words_job {
	struct conn *c;
	int64_t dataset, run;
	const struct cancel *cancel; /* may be NULL */
	void *ctx;
	/* words: borrowed until it returns, not empty. */
	enum status (*heard)(void *ctx, uint32_t ord, struct str words, struct err *err);
	/* So many answers were looked at since the last call. E_CANCELLED to stop. May be NULL. */
	enum status (*passed)(void *ctx, size_t n, struct err *err);
};

/* Of n answers that are there, in the order in which their texts lie in the file: every chunk of
 * them is read once. Answers without a text are passed over. */
enum status answer_words(const struct words_job *job, const uint32_t *ords, size_t n, struct err *err);

#endif
