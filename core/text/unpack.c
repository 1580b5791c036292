#include "core/text/unpack.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/xmalloc.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define BLOCK ((size_t)256 * 1024)

struct unpack {
	enum packing how;
	unpack_source *source;
	void *ctx;
	char *block; /* packed bytes: from … n are still to be used */
	size_t from, n, cap;
	uint64_t in, out; /* bytes so far */
	uint64_t bytes_max, ratio_from;
	bool between; /* at the end of a member: the stream may end here */
	bool end;
#ifdef HAVE_ZLIB
	z_stream z;
#endif
#ifdef HAVE_ZSTD
	ZSTD_DStream *zstd;
#endif
};

enum packing unpack_recognise(struct str head)
{
	if (str_starts(head, STR("\x1f\x8b\x08")))
		return PACKING_GZIP;
	return str_starts(head, STR("\x28\xb5\x2f\xfd")) ? PACKING_ZSTD : PACKING_NONE;
}

bool unpack_can(enum packing how)
{
#ifdef HAVE_ZLIB
	if (how == PACKING_GZIP)
		return true;
#endif
#ifdef HAVE_ZSTD
	if (how == PACKING_ZSTD)
		return true;
#endif
	return how == PACKING_NONE;
}

const char *unpack_formats(void)
{
	bool gzip = unpack_can(PACKING_GZIP), zstd = unpack_can(PACKING_ZSTD);

	return gzip && zstd ? "gzip, Zstandard" : gzip ? "gzip" : zstd ? "Zstandard" : "";
}

/* --- one library or the other --- */

static enum status damaged(struct err *err)
{
	return err_set(err, E_FORMAT, "the packed data is damaged");
}

#ifdef HAVE_ZLIB
static enum status open_gzip(struct unpack *u, struct err *err)
{
	if (inflateInit2(&u->z, 15 + 16) != Z_OK)
		return err_set(err, E_MEMORY, "there is no memory to unpack gzip");
	return OK;
}

static enum status step_gzip(struct unpack *u, char *p, size_t n, size_t *got, struct err *err)
{
	int rc;

	u->z.next_in = (unsigned char *)u->block + u->from;
	u->z.avail_in = (unsigned)(u->n - u->from);
	u->z.next_out = (unsigned char *)p;
	u->z.avail_out = (unsigned)n;
	rc = inflate(&u->z, Z_NO_FLUSH);
	u->from = u->n - u->z.avail_in;
	*got = n - u->z.avail_out;
	u->between = rc == Z_STREAM_END;
	if (rc == Z_STREAM_END) /* another member may follow */
		return inflateReset(&u->z) == Z_OK ? OK : damaged(err);
	return rc == Z_OK || rc == Z_BUF_ERROR ? OK : damaged(err);
}
#endif

#ifdef HAVE_ZSTD
static enum status open_zstd(struct unpack *u, struct err *err)
{
	u->zstd = ZSTD_createDStream();
	if (!u->zstd || ZSTD_isError(ZSTD_initDStream(u->zstd)))
		return err_set(err, E_MEMORY, "there is no memory to unpack Zstandard");
	return OK;
}

static enum status step_zstd(struct unpack *u, char *p, size_t n, size_t *got, struct err *err)
{
	ZSTD_inBuffer in = {u->block, u->n, u->from};
	ZSTD_outBuffer out = {p, n, 0};
	size_t rc = ZSTD_decompressStream(u->zstd, &out, &in);

	if (ZSTD_isError(rc))
		return damaged(err);
	u->from = in.pos;
	*got = out.pos;
	u->between = rc == 0;
	return OK;
}
#endif

static enum status step(struct unpack *u, char *p, size_t n, size_t *got, struct err *err)
{
	*got = 0;
#ifdef HAVE_ZLIB
	if (u->how == PACKING_GZIP)
		return step_gzip(u, p, n, got, err);
#endif
#ifdef HAVE_ZSTD
	if (u->how == PACKING_ZSTD)
		return step_zstd(u, p, n, got, err);
#endif
	(void)p;
	(void)n;
	return damaged(err);
}

static enum status open_library(struct unpack *u, struct err *err)
{
#ifdef HAVE_ZLIB
	if (u->how == PACKING_GZIP)
		return open_gzip(u, err);
#endif
#ifdef HAVE_ZSTD
	if (u->how == PACKING_ZSTD)
		return open_zstd(u, err);
#endif
	return err_set(err, E_UNSUPPORTED, "this build does not unpack %s; unpack the file first",
		       u->how == PACKING_GZIP ? "gzip" : "Zstandard");
}

/* --- the stream --- */

enum status unpack_open(struct unpack **out, enum packing how, struct str head, unpack_source *source,
			void *ctx, struct err *err)
{
	struct unpack *u = xcalloc(1, sizeof *u);
	enum status st;

	u->how = how;
	u->source = source;
	u->ctx = ctx;
	u->cap = head.n > BLOCK ? head.n : BLOCK;
	u->block = xmalloc(u->cap);
	memcpy(u->block, head.p, head.n);
	u->n = u->in = head.n;
	u->bytes_max = UNPACK_BYTES_MAX;
	u->ratio_from = UNPACK_RATIO_FROM;
	st = open_library(u, err);
	if (st != OK) {
		unpack_close(u);
		return st;
	}
	*out = u;
	return OK;
}

void unpack_limit(struct unpack *u, uint64_t bytes, uint64_t ratio_from)
{
	u->bytes_max = bytes;
	u->ratio_from = ratio_from;
}

static enum status refill(struct unpack *u, struct err *err)
{
	enum status st;

	u->from = 0;
	st = u->source(u->ctx, u->block, u->cap, &u->n, err);
	if (st != OK)
		u->n = 0;
	u->in += u->n;
	return st;
}

/* No more is to be had: what the library still holds, or the end. */
static enum status last_step(struct unpack *u, char *p, size_t n, size_t *got, struct err *err)
{
	enum status st;

	u->end = u->between;
	if (u->end)
		return OK;
	st = step(u, p, n, got, err);
	if (st == OK && !*got && !u->between)
		return err_set(err, E_FORMAT, "the packed data ends too early");
	return st;
}

static enum status check_size(const struct unpack *u, struct err *err)
{
	if (u->out > u->bytes_max)
		return err_set(err, E_LIMIT, "unpacked it is more than the ceiling of %llu bytes",
			       (unsigned long long)u->bytes_max);
	if (u->out > u->ratio_from && u->out / UNPACK_RATIO_MAX > u->in)
		return err_set(err, E_LIMIT,
			       "it unpacks to more than %d times its size; unpack it yourself if that is "
			       "as it should be",
			       UNPACK_RATIO_MAX);
	return OK;
}

enum status unpack_read(struct unpack *u, char *p, size_t n, size_t *got, struct err *err)
{
	enum status st = OK;

	*got = 0;
	n = n > BLOCK ? BLOCK : n;
	while (st == OK && !u->end && !*got) {
		while (u->between && u->from < u->n && !u->block[u->from])
			u->from++; /* some files are filled up with zeros */
		if (u->from < u->n)
			st = step(u, p, n, got, err);
		else if ((st = refill(u, err)) == OK && !u->n)
			st = last_step(u, p, n, got, err);
	}
	u->out += *got;
	return st == OK ? check_size(u, err) : st;
}

void unpack_close(struct unpack *u)
{
	if (!u)
		return;
#ifdef HAVE_ZLIB
	if (u->how == PACKING_GZIP)
		inflateEnd(&u->z);
#endif
#ifdef HAVE_ZSTD
	if (u->zstd)
		ZSTD_freeDStream(u->zstd);
#endif
	free(u->block);
	free(u);
}
