/* What the files of narrow share. */
#ifndef QUALM_TUI_NARROW_IMPL_H
#define QUALM_TUI_NARROW_IMPL_H

#include "tui/app.h"

#define NARROW_KEY ((uint64_t)0x6e6172726f770000) /* of the sieve's questions: the list's filter */
#define BASE_KEY   (NARROW_KEY + 1)
#define STALE_KEY  (NARROW_KEY + 2)

/* Takes bits: what the filter is true for; NULL: for all. The base holds them in. */
void narrow_show(struct app *app, uint64_t *bits);
/* The same filter once more; of one that is being worked out, that one. */
void narrow_again(struct app *app);
/* scene.filter and scene.trail from base and filter, a and b as they are in the ctx. */
void narrow_name(struct app *app);
void narrow_name_of(struct app *app, const struct filter *f); /* as if it were the filter */
/* progress: NULL: it is not watched. */
void narrow_ask(struct app *app, uint64_t key, const struct filter *f,
		void (*progress)(struct app *app, struct sieve_progress *progress),
		void (*done)(struct app *app, struct sieve_answer *answer));

#endif
