/*
 * conditions: the samples that single conditions of a filter are true for, kept while nothing
 * that they depend on changes, so that a filter of which one condition is new costs that one.
 * What takes no time is evaluated when it is asked for; the rest comes from the sieve.
 */
#ifndef QUALM_TUI_CONDITIONS_H
#define QUALM_TUI_CONDITIONS_H

#include "core/base/vec.h"
#include "core/filter/filter.h"

struct app;

struct known_condition {
	char *text;     /* owned: with a and b written out */
	unsigned uses;  /* enum filter_use */
	uint64_t *bits; /* owned; NULL: it could not be evaluated */
	uint64_t asked; /* when it was last */
};

struct conditions {
	VEC(struct known_condition) known;
	char *waiting; /* owned: the text that the sieve has; NULL: none */
	uint64_t clock;
	uint64_t version; /* goes up when the sieve has answered */
	struct lens lens; /* what is known is of these */
	int *panel, n_panel;
	uint64_t things;
};

/* The snapshot was replaced, or goes: all is forgotten. */
void conditions_drop(struct app *app);
/* Bits of the k-th condition of f, which was checked in narrow_ctx(): borrowed until the next
 * call. NULL: not known yet; the sieve has been asked. */
const uint64_t *conditions_get(struct app *app, const struct filter *f, size_t k);
/* All of them joined, where none has to be waited for: owned by the caller. Else NULL. */
uint64_t *conditions_all(struct app *app, const struct filter *f);
/* A filter was evaluated elsewhere: when it is one condition, that is known now. */
void conditions_learn(struct app *app, const struct filter *f, const uint64_t *bits);

#endif
