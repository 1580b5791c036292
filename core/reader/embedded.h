/*
 * embedded: pictures that are inside a file, as base64, into files of their own in the folder
 * read_options.pictures. The name is made from the bytes, so that the same picture is one file,
 * whichever file it comes from and however often it is imported.
 */
#ifndef QUALM_CORE_READER_EMBEDDED_H
#define QUALM_CORE_READER_EMBEDDED_H

#include "core/reader/reader.h"

/* "data:image/png;base64,…", or the base64 of a PNG, JPEG, GIF, WebP or BMP alone: its path below the
 * folder that holds opt->pictures, in the arena. Empty: it is none of these, there is no such folder,
 * or it cannot be written; the last is reported as a warning at src. */
struct str embedded_picture(const struct read_ctx *ctx, struct arena *arena, struct str text,
			    struct src src);
/* The same for the bytes themselves of such a picture. */
struct str embedded_bytes(const struct read_ctx *ctx, struct arena *arena, struct str bytes,
			  struct src src);

#endif
