/*
 * narrow: which samples the list shows. The filter's text is parsed and evaluated here, its
 * samples become the scene's (scene_show()), the current sample stays or gives way to the next
 * one that is shown; what a filter depends on is watched (narrow_settle(), narrow_watch()).
 *
 * A filter that is quick is evaluated at once. One that searches texts or asks the panel goes to
 * the sieve; until its answer comes (scene.narrowing is set) the list shows what is certain
 * already (partial.h).
 */
#ifndef QUALM_TUI_NARROW_H
#define QUALM_TUI_NARROW_H

#include "core/filter/filter.h"
#include "db/search.h"

struct app;
struct scene;

/* Base and filter as text, to come back to. */
struct narrow_place {
	char *filter, *base; /* owned; NULL: none */
	bool off;            /* the filter is set aside */
};

struct narrow {
	struct filter *filter;       /* owned: the list's; NULL: none */
	struct filter *waiting;      /* owned: the one that the sieve works on */
	struct filter *base;         /* owned: the base's, a and b as they were; NULL: all samples */
	struct filter *waiting_base; /* owned: as waiting */
	struct narrow_place later;   /* what applies as soon as the whole snapshot is there */
	uint64_t watched;            /* stamp of the things that scene.stale is about */
	struct lens lens;            /* of the cache */
	struct filter_cache *cache;  /* of the scene's snapshot and lens; NULL until needed */
	struct search *search;       /* of the app's conn */
	struct filter_things things; /* and tags that are no more, but in the filter or the base */
	VEC(char *) tags;            /* owned: all names of tags that were there */
	uint64_t things_version;
	struct filter_ctx ctx;
};

/* The snapshot was replaced, or goes: forgets all that was made of it. The filter's text stays
 * in the scene for narrow_settle(). */
void narrow_drop(struct app *app);
/* To parse, check, complete with; good until snapshot, lens, runs or things change. The scene
 * must have a snapshot. NULL when the project cannot be read. */
const struct filter_ctx *narrow_ctx(struct app *app, struct err *err);
/* The same where names alone matter: a partial snapshot stays as it is, and nothing may be
 * evaluated over it. */
const struct filter_ctx *narrow_names(struct app *app, struct err *err);
/* Is the checked filter work for the sieve? */
bool narrow_takes_time(const struct app *app, const struct filter *f);

/* The list shows what the text is true for; the empty text: all. On failure nothing has changed
 * (E_USAGE: *fault says where; it may be NULL). Quick filters only wait for nothing. */
enum status narrow_set(struct app *app, struct str text, struct filter_fault *fault, struct err *err);
/* The same where the samples are known already. Takes bits (of the scene's snapshot, all that the
 * text is true for, in or out of the base), also on failure. */
enum status narrow_take(struct app *app, struct str text, uint64_t *bits, struct err *err);
/* One more condition, by "and": as it stands in the language. exclude: its opposite. A filter that
 * is set aside counts for nothing: what is shown is narrowed. */
enum status narrow_and(struct app *app, struct str condition, bool exclude, struct err *err);
/* Without the k-th of filter_n_conditions(). */
enum status narrow_without(struct app *app, size_t k, struct err *err);
/* The filter is set aside, or applies again; false when there is none. One that is still being
 * worked out is set aside, too. */
bool narrow_toggle(struct app *app);
/* *bits: what the checked filter is true for; owned by the caller. */
enum status narrow_eval(struct app *app, const struct filter *f, uint64_t **bits, struct err *err);
/* Does the list show a sample? A message says why not. */
bool narrow_any(struct app *app);
/* Gives up what the sieve works on; false when it does not work. */
bool narrow_cancel(struct app *app);
/* Appends the filter as it was typed (a and b not written out); of one that is being worked out,
 * that one. */
void narrow_text(const struct app *app, struct buf *out);

/* The samples shown now become the base: what is shown is part of it, and shares are of it. Its
 * conditions leave the filter for scene.base_filter. Without a filter: all samples again. */
void narrow_base(struct app *app);
/* All samples are the base again; the filter stays. */
void narrow_base_all(struct app *app);

/* --- coming back --- */

void narrow_mark(const struct app *app, struct narrow_place *out);
/* What does not apply any more is left out (E_USAGE, the reason); the rest applies. On a partial
 * snapshot: as soon as the whole one takes its place. */
enum status narrow_return(struct app *app, const struct narrow_place *place, struct err *err);
bool narrow_place_eq(const struct narrow_place *a, const struct narrow_place *b);
void narrow_place_release(struct narrow_place *place);

/* What changed, of enum filter_use: evaluates again where the filter or the base depends on it. */
void narrow_settle(struct app *app, unsigned changed);
/* Goes up with every change of the user's things, what was seen among them. */
uint64_t narrow_stamp(const struct scene *s);
/* Before a frame: rows that an edit has made match no more are found, and stay (scene.stale). */
void narrow_watch(struct app *app);

#endif
