/*
 * naming: who answered, by the paths of files that do not say it themselves. Of one file: its
 * stem, else its folder (reader_model_from_path()). Of several: the first part of the path that
 * differs and names something is the model; a part that is a protocol's name, or ends in one
 * ("gpt-4o_cw"), is the protocol, and so is "ow-siglip2" in "gpt-4o-ow-siglip2"; else what differs
 * between the files of one model is. Dates, numbers, shards ("part-3") and words like "results" name nothing.
 */
#ifndef QUALM_CORE_READER_NAMING_H
#define QUALM_CORE_READER_NAMING_H

#include "core/base/arena.h"
#include "core/reader/reader.h"

struct naming {
	struct str path;	    /* borrowed */
	struct str model, protocol; /* borrow the path or the arena; the protocol may be empty */
};

/* Fills model and protocol of files[n], which are seen together. */
void naming_by_paths(struct naming *files, size_t n, struct arena *arena);

#endif
