/*
 * search: what a filter needs of the project beside the snapshot: numbers of runs, texts, keys,
 * other names of classes; and the user's things in the shape that it takes. Texts are read and
 * scanned chunk by chunk, nothing is indexed.
 *
 * A search belongs to one thread, like its conn; work in the background opens its own.
 */
#ifndef QUALM_DB_SEARCH_H
#define QUALM_DB_SEARCH_H

#include "core/eval/oop.h"
#include "core/filter/filter.h"
#include "db/conn.h"
#include "db/user.h"

struct search;

/* Borrows c and snap. */
enum status search_new(struct search **out, struct conn *c, const struct snapshot *snap,
		       struct err *err);
void search_free(struct search *s); /* NULL is fine */
const struct filter_source *search_source(const struct search *s);

/* Of one answer that is outside of the class list, by its text (core/eval/oop.h); OOP_NONE when the
 * project cannot be read. */
enum oop_kind search_oop_kind(struct search *s, struct str answer);

/* out borrows of the things until they change (user_things.version); out->tags is owned. */
void search_things(const struct user_things *things, struct filter_things *out);
void search_things_release(struct filter_things *out);

#endif
