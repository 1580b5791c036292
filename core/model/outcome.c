#include "core/model/outcome.h"

const char *outcome_word(enum outcome o)
{
	static const char *const words[N_OUTCOMES] = {
#define X(id, word, glyph) [OUTCOME_##id] = word,
	    OUTCOMES(X)
#undef X
	};

	return (unsigned)o < N_OUTCOMES ? words[o] : "?";
}

const char *verdict_word(enum verdict v)
{
	static const char *const words[] = {
	    [VERDICT_UNCOUNTED] = "uncounted",
	    [VERDICT_WRONG] = "wrong",
	    [VERDICT_RIGHT] = "right",
	};

	return (unsigned)v < sizeof words / sizeof *words ? words[v] : "?";
}

const char *list_rule_word(enum list_rule r)
{
	static const char *const words[N_LIST_RULES] = {
	    [LIST_ANY_HIT] = "any-hit",
	    [LIST_ALL_HIT] = "all-hit",
	};

	return (unsigned)r < N_LIST_RULES ? words[r] : "?";
}
