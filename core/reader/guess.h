/* guess: what a field is for, by the names that people give such fields. */
#ifndef QUALM_CORE_READER_GUESS_H
#define QUALM_CORE_READER_GUESS_H

#include "core/base/str.h"

/* X(CONSTANT, the word for --map) */
#define ROLES(X)                                                                                   \
	X(OTHER, "")                                                                               \
	X(KEY, "key")                                                                              \
	X(IMAGE, "image")                                                                          \
	X(QUESTION, "question")                                                                    \
	X(STATEMENT, "statement")                                                                  \
	X(OPTIONS, "options")                                                                      \
	X(LABEL, "label")                                                                          \
	X(LABEL_INDEX, "label_index")                                                              \
	X(LABEL_WNID, "label_wnid")                                                                \
	X(LABEL_FULL, "label_full")                                                                \
	X(PREDICTION, "prediction")                                                                \
	X(PREDICTION_INDEX, "prediction_index")                                                    \
	X(RAW, "raw")                                                                              \
	X(SCORE, "score")                                                                          \
	X(LATENCY, "latency_ms")                                                                   \
	X(TOKENS, "tokens")                                                                        \
	X(DEGREE, "degree") /* answered beside the class, as in MEMO-Bench */                      \
	X(BATCH_SIZE, "batch_size")                                                                \
	X(BATCH_POS, "batch_pos")                                                                  \
	X(MODEL, "model")                                                                          \
	X(RUN, "run")                                                                              \
	X(PROTOCOL, "protocol")                                                                    \
	X(ERROR, "error")                                                                          \
	X(REFUSAL, "refusal")                                                                      \
	X(ANSWER, "answer") /* truth or prediction: the other fields decide */                     \
	X(LAYER, "layer")   /* a further truth; its layer's name is in the field's name */         \
	X(JUDGED, "judged") /* said of the answer, not of the sample: correct, finish_reason … */   \
	X(IGNORED, "ignore")

enum role {
#define X(id, word) ROLE_##id,
	ROLES(X)
#undef X
	    N_ROLES
};

const char *role_word(enum role r);

struct guess {
	enum role role;
	int rank;         /* of several fields for one role the lowest rank wins */
	struct str layer; /* LAYER: borrows the name */
};

/* ASCII case, blanks, '-' and '.' against '_' do not matter. */
struct guess guess_role(struct str name);
/* Do these fields mark a file of predictions? `named`: a model or run was given by hand. */
bool guess_is_predictions(const struct str *names, size_t n, bool named);

#endif
