/*
 * media_cache: encoded pictures, and thumbnails, on disk, so that what was looked at yesterday shows
 * at once today.
 *
 * A folder of one file an entry, safe to delete at any moment. An entry is found by all that its
 * bytes depend on (struct cache_key). Nothing in the folder is trusted: an entry must repeat its
 * whole key, have its length and checksum, and be one sixel of printable characters between its
 * introducer and its terminator, so that a foreign file can neither pass for a picture nor make
 * the terminal do anything; a thumbnail must have as many points as it says, in its box. Entries appear by rename, whole or not at all; several programs may
 * share the folder. When it grows beyond its ceiling the oldest go. A folder that cannot be
 * written, or a full disk, stops the writing and nothing else. All calls from any thread.
 */
#ifndef QUALM_CORE_MEDIA_MEDIA_CACHE_H
#define QUALM_CORE_MEDIA_MEDIA_CACHE_H

#include <sys/stat.h>

#include "core/media/media.h"

#define CACHE_MAX_BYTES ((uint64_t)256 << 20) /* the usual ceiling of the folder */
#define CACHE_ENTRY_MAX ((size_t)4 << 20)     /* of one sixel; larger ones are not kept */

struct cache_key {
	/* the file: another or changed one has others */
	uint64_t dev, ino, mtime_ns, size;
	/* what was made of it */
	uint32_t box_w, box_h, cell_w, cell_h; /* pixels */
	uint32_t colors;
	bool dither, first_is_background;
	struct media_rgb background;
	bool pixels; /* points are kept, of the whole picture in the box: colors, dither, … are 0 */
};

/* What is kept; the sixel is separate. */
struct cache_entry {
	struct media_facts facts;
	uint32_t cols, rows; /* cells that the sixel covers */
};

struct media_cache;

/* dir: made when first written to. Never NULL. max_bytes: ceiling of all entries together. */
struct media_cache *media_cache_open(const char *dir, uint64_t max_bytes);
void media_cache_free(struct media_cache *c); /* NULL is fine */
/* The four members that tell the file. */
void media_cache_key_file(struct cache_key *key, const struct stat *st);
/* True when there is a sound entry; then *e and sixel (appended) are filled. c may be NULL. */
bool media_cache_get(struct media_cache *c, const struct cache_key *key, struct cache_entry *e,
	       struct buf *sixel);
/* Keep it, if that is possible; not when the sixel is not one that media_cache_get() would give. */
void media_cache_put(struct media_cache *c, const struct cache_key *key, const struct cache_entry *e,
	       struct str sixel);
/* The same of an entry whose key says `pixels`; px is owned by the caller. */
bool media_cache_get_pixels(struct media_cache *c, const struct cache_key *key, struct cache_entry *e,
			    struct pixels *px);
void media_cache_put_pixels(struct media_cache *c, const struct cache_key *key, const struct cache_entry *e,
			    const struct pixels *px);
/* Why nothing is written any more, "" while it is. Borrowed; for doctor. */
const char *media_cache_trouble(struct media_cache *c);
/* Is this exactly one sixel, without anything else a terminal would obey? */
bool media_cache_is_sixel(struct str s);

#endif
