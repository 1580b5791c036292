/*
 * narrow: which samples the list shows. The filter's text is parsed and evaluated here, its
 * samples become the scene's (scene_show()), the current sample stays or gives way to the next
 * one that is shown; what a filter depends on is watched (narrow_settle()).
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

struct narrow {
	struct filter *filter;      /* owned: the list's; NULL: none */
	struct filter *waiting;     /* owned: the one that the sieve works on */
	struct lens lens;           /* of the cache */
	struct filter_cache *cache; /* of the scene's snapshot and lens; NULL until needed */
	struct search *search;      /* of the app's conn */
	struct filter_things things;
	uint64_t things_version;
	struct filter_ctx ctx;
};

/* The snapshot was replaced, or goes: forgets all that was made of it. The filter's text stays
 * in the scene for narrow_settle(). */
void narrow_drop(struct app *app);
/* To parse, check, complete with; good until snapshot, lens, runs or things change. The scene
 * must have a snapshot. NULL when the project cannot be read. */
const struct filter_ctx *narrow_ctx(struct app *app, struct err *err);

/* The list shows what the text is true for; the empty text: all. On failure nothing has changed
 * (E_USAGE: *fault says where; it may be NULL). Quick filters only wait for nothing. */
enum status narrow_set(struct app *app, struct str text, struct filter_fault *fault, struct err *err);
/* What is being worked out is given up, and the list is as it was before that. */
void narrow_stop(struct app *app);
/* The current sample, or else the next one in the list's order, or else the one before. */
void narrow_stay_near(struct app *app);
/* One more condition, by "and": as it stands in the language. exclude: its opposite. */
enum status narrow_and(struct app *app, struct str condition, bool exclude, struct err *err);
/* Without the k-th of filter_n_conditions(). */
enum status narrow_without(struct app *app, size_t k, struct err *err);
/* The filter is set aside, or applies again; false when there is none. */
bool narrow_toggle(struct app *app);
/* The samples shown now become the base: what is shown is part of it, and shares are of it. Its
 * conditions leave the filter for scene.base_filter. Without a filter: all samples again. */
void narrow_base(struct app *app);
/* What changed, of enum filter_use: evaluates again where the filter or the base depends on it. */
void narrow_settle(struct app *app, unsigned changed);

#endif
