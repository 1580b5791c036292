/*
 * locate: a sink in front of another one that finds each sample's picture below a folder:
 * by the path as written, by the key, by base name, case-folded, then without extension; what
 * matches several files is never guessed. Paths are handed on relative to the folder.
 * derive: a sink that adds facets from key or path by POSIX extended regular expressions
 * (first group, or the whole match when there is none); "layer:NAME" derives a class, the truth
 * of that layer, as "prompt" does in MEMO-Bench beside the facet.
 */
#ifndef QUALM_CORE_READER_LOCATE_H
#define QUALM_CORE_READER_LOCATE_H

#include "core/reader/reader.h"

struct locate;

/* Walks the folder once (links are not followed out of it; at most 5 million files).
 * NULL with err set when it cannot be read. */
struct locate *locate_new(const char *folder, const struct cancel *cancel, struct err *err);
/* The sink to hand to readers; `next` and `report` are borrowed until the next call. */
struct sink *locate_sink(struct locate *l, struct sink *next, struct report *report);
/* One look-up: how, and the path relative to the folder (borrowed from l). */
enum located locate_find(const struct locate *l, struct str path, struct str key, struct str *found);
void locate_free(struct locate *l);

struct derive;
struct derive *derive_new(const struct mapping *facets, size_t n, struct err *err); /* E_USAGE: bad regex */
struct sink *derive_sink(struct derive *d, struct sink *next);
void derive_free(struct derive *d);

#endif
