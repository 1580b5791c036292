#include "core/text/archive.h"

#include <stdlib.h>

#include "core/base/xmalloc.h"

#define LOCAL_HEADER 30

bool archive_is(struct str head)
{
	return head.n > LOCAL_HEADER && memcmp(head.p, "PK\003\004", 4) == 0;
}

struct str archive_first_name(struct str head)
{
	size_t n;

	if (!archive_is(head))
		return STR("");
	n = (unsigned char)head.p[26] | (size_t)(unsigned char)head.p[27] << 8;
	if (n > head.n - LOCAL_HEADER)
		return STR("");
	return (struct str){head.p + LOCAL_HEADER, n};
}

#ifdef HAVE_LIBZIP
#include <fcntl.h>
#include <unistd.h>

#include "core/text/unpack.h"
#include "core/text/zip_load.h"

#define PIECE	    ((size_t)64 << 10)
#define METHOD_ZSTD 93 /* APPNOTE.TXT 4.4.5 */

struct archive {
	zip_t *zip;
	size_t n;
};

static enum status zip_failed(struct err *err, enum status code, const char *what, zip_error_t *why)
{
	return err_set(err, code, "%s: %s", what, zip.error_strerror(why));
}

enum status archive_check(struct err *err)
{
	return zip_load(err);
}

const char *archive_library(void)
{
	struct err err = ERR_INIT;

	return archive_check(&err) == OK ? zip.libzip_version() : NULL;
}

struct archive *archive_open(int fd, struct err *err)
{
	struct archive *z;
	zip_error_t why;
	zip_int64_t n;
	int code = 0;

	if (archive_check(err))
		return NULL;
	z = xcalloc(1, sizeof *z);
	zip.error_init(&why);
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0); /* libzip closes it */
	z->zip = fd >= 0 ? zip.fdopen(fd, 0, &code) : NULL;
	if (!z->zip) {
		if (fd >= 0)
			close(fd);
		zip.error_init_with_code(&why, code);
		zip_failed(err, code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS ? E_FORMAT : E_IO,
			   "the ZIP archive cannot be read", &why);
		zip.error_fini(&why);
		free(z);
		return NULL;
	}
	n = zip.get_num_entries(z->zip, 0);
	z->n = n > 0 ? (size_t)n : 0;
	if (z->n > ARCHIVE_MAX_MEMBERS) {
		err_set(err, E_LIMIT, "the ZIP archive has %zu members (at most %zu)", z->n,
			ARCHIVE_MAX_MEMBERS);
		archive_close(z);
		return NULL;
	}
	return z;
}

size_t archive_n(const struct archive *z)
{
	return z->n;
}

struct str archive_name(const struct archive *z, size_t i)
{
	const char *name = zip.get_name(z->zip, i, 0);

	return str_z(name ? name : "");
}

size_t archive_find(const struct archive *z, const char *name)
{
	zip_int64_t i = zip.name_locate(z->zip, name, 0);

	return i < 0 ? SIZE_MAX : (size_t)i;
}

/* The size that the archive declares is not to be trusted: the ceiling is on what comes out. */
static enum status unpack(zip_file_t *member, size_t max, struct buf *out, struct err *err)
{
	for (;;) {
		char *room = buf_reserve(out, PIECE);
		zip_int64_t got = room ? zip.fread(member, room, PIECE) : 0;

		if (!room)
			return err_set(err, out->max ? E_LIMIT : E_MEMORY,
				       "unpacked it is larger than %zu MiB", max >> 20);
		if (got < 0)
			return zip_failed(err, E_FORMAT, "it cannot be unpacked",
					  zip.file_get_error(member));
		if (got == 0)
			return OK;
		out->n += (size_t)got;
		if (out->n > max)
			return err_set(err, E_LIMIT, "unpacked it is larger than %zu MiB", max >> 20);
	}
}

static enum status packed_bytes(void *ctx, char *p, size_t n, size_t *got, struct err *err)
{
	zip_int64_t r = zip.fread(ctx, p, n);

	if (r < 0)
		return zip_failed(err, E_FORMAT, "it cannot be read", zip.file_get_error(ctx));
	*got = (size_t)r;
	return OK;
}

/* A method that this libzip does not know, or was built without. */
static enum status unpack_zstd(zip_file_t *member, size_t max, struct buf *out, struct err *err)
{
	struct unpack *u = NULL;
	size_t got = 1;
	enum status st = unpack_open(&u, PACKING_ZSTD, STR(""), packed_bytes, member, err);

	while (st == OK && got) {
		char *room = buf_reserve(out, PIECE);

		st = room ? unpack_read(u, room, PIECE, &got, err)
			  : err_set(err, out->max ? E_LIMIT : E_MEMORY,
				    "unpacked it is larger than %zu MiB", max >> 20);
		if (st == OK)
			out->n += got;
		if (st == OK && out->n > max)
			st = err_set(err, E_LIMIT, "unpacked it is larger than %zu MiB", max >> 20);
	}
	unpack_close(u);
	return st;
}

static bool is_zstd(struct archive *z, size_t i)
{
	zip_stat_t s;

	zip.stat_init(&s);
	return zip.stat_index(z->zip, i, 0, &s) == 0 && (s.valid & ZIP_STAT_COMP_METHOD) &&
	       s.comp_method == METHOD_ZSTD;
}

enum status archive_read(struct archive *z, size_t i, size_t max, struct buf *out, struct err *err)
{
	zip_file_t *member = zip.fopen_index(z->zip, i, 0);
	bool zstd = !member && is_zstd(z, i);
	struct str name = archive_name(z, i);
	enum status st;

	buf_clear(out);
	out->max = max + 2 * PIECE;
	if (zstd)
		member = zip.fopen_index(z->zip, i, ZIP_FL_COMPRESSED);
	if (!member)
		st = zip_failed(err, E_FORMAT, "it cannot be opened", zip.get_error(z->zip));
	else
		st = zstd ? unpack_zstd(member, max, out, err) : unpack(member, max, out, err);
	if (member)
		zip.fclose(member);
	if (st)
		err_prefix(err, "%.*s", (int)(name.n < 200 ? name.n : 200), name.p);
	return st;
}

void archive_close(struct archive *z)
{
	if (!z)
		return;
	zip.discard(z->zip);
	free(z);
}

#else

enum status archive_check(struct err *err)
{
	return err_set(err, E_UNSUPPORTED, "this qualm was built without libzip, which ZIP archives need");
}

const char *archive_library(void)
{
	return NULL;
}

struct archive *archive_open(int fd, struct err *err)
{
	(void)fd;
	archive_check(err);
	return NULL;
}

size_t archive_n(const struct archive *z)
{
	(void)z;
	return 0;
}

struct str archive_name(const struct archive *z, size_t i)
{
	(void)z;
	(void)i;
	return STR("");
}

size_t archive_find(const struct archive *z, const char *name)
{
	(void)z;
	(void)name;
	return SIZE_MAX;
}

enum status archive_read(struct archive *z, size_t i, size_t max, struct buf *out, struct err *err)
{
	(void)z;
	(void)i;
	(void)max;
	(void)out;
	return archive_check(err);
}

void archive_close(struct archive *z)
{
	(void)z;
}
#endif
