/*
 * core/model: the nouns of benchmarks.md as plain structs, without behaviour that needs a file,
 * a database or a screen. Everything here is owned by whoever holds the struct.
 *
 * outcome: what became of one request to a model; independent of any ground truth.
 * verdict: what an outcome is worth under a lens.
 */
#ifndef QUALM_CORE_MODEL_OUTCOME_H
#define QUALM_CORE_MODEL_OUTCOME_H

/* X(CONSTANT, word, glyph when the outcome itself is shown). Values are stored in projects:
 * append only. */
#define OUTCOMES(X)                                                                                \
	X(MISSING, "missing", ".")   /* nothing stored for this sample */                          \
	X(ANSWERED, "answered", "a") /* mapped to at least one class */                            \
	X(OOP, "oop", "o")           /* an answer outside the class list */                        \
	X(REFUSED, "refused", "r")   /* the API's refusal, or a judgement with no verdict in it */ \
	X(EMPTY, "empty", "e")                                                                     \
	X(UNPARSED, "unparsed", "u")                                                               \
	X(ERROR, "error", "!") /* the request failed */

enum outcome {
#define X(id, word, glyph) OUTCOME_##id,
	OUTCOMES(X)
#undef X
	    N_OUTCOMES
};

enum verdict { VERDICT_UNCOUNTED, VERDICT_WRONG, VERDICT_RIGHT };

const char *outcome_word(enum outcome o);
const char *verdict_word(enum verdict v);

/* How list answers and ambiguous names score; belongs to the run. Stored: append only. */
enum list_rule { LIST_ANY_HIT, LIST_ALL_HIT, N_LIST_RULES };
const char *list_rule_word(enum list_rule r);

/* What kind of protocol, as far as scoring needs it. OW: an unmapped oop is not counted yet. */
#endif
