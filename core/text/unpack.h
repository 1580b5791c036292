/*
 * unpack: a stream of gzip (zlib) or Zstandard (libzstd) back into its bytes. The libraries are
 * optional: what this build lacks is refused with a message.
 */
#ifndef QUALM_CORE_TEXT_UNPACK_H
#define QUALM_CORE_TEXT_UNPACK_H

#include <stdint.h>

#include "core/base/err.h"
#include "core/base/str.h"

#define UNPACK_BYTES_MAX ((uint64_t)64 << 30) /* of one file, unpacked */
#define UNPACK_RATIO_MAX 400 /* times its packed size, beyond UNPACK_RATIO_FROM bytes */
#define UNPACK_RATIO_FROM ((uint64_t)256 << 20)

enum packing { PACKING_NONE, PACKING_GZIP, PACKING_ZSTD };

/* By the first bytes. */
enum packing unpack_recognise(struct str head);
bool unpack_can(enum packing how); /* in this build */
/* "gzip, Zstandard": what this build reads; "" = nothing. */
const char *unpack_formats(void);

struct unpack;

/* Where packed bytes come from: n at most; *got = 0 at the end. */
typedef enum status unpack_source(void *ctx, char *p, size_t n, size_t *got, struct err *err);

/* E_UNSUPPORTED: not in this build. head: the packed bytes that were read already, copied. */
enum status unpack_open(struct unpack **out, enum packing how, struct str head, unpack_source *source,
			void *ctx, struct err *err);
/* *got = 0 at the end. E_FORMAT: damaged or cut off; E_LIMIT: it unpacks to too much; what the
 * source says. */
enum status unpack_read(struct unpack *u, char *p, size_t n, size_t *got, struct err *err);
/* Lowers the ceilings; tests. */
void unpack_limit(struct unpack *u, uint64_t bytes, uint64_t ratio_from);
void unpack_close(struct unpack *u); /* NULL is fine */

#endif
