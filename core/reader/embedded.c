#include "core/reader/embedded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/net/base64.h"

/* The extension for these bytes, or NULL: no picture that could be shown. */
static const char *kind_of(struct str bytes)
{
	static const struct {
		struct str magic;
		const char *ext;
	} kinds[] = {
	    {{"\x89PNG\r\n\x1a\n", 8}, "png"},
	    {{"\xff\xd8\xff", 3}, "jpg"},
	    {{"GIF8", 4}, "gif"},
	    {{"BM", 2}, "bmp"},
	};

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (str_starts(bytes, kinds[i].magic))
			return kinds[i].ext;
	if (bytes.n > 12 && memcmp(bytes.p, "RIFF", 4) == 0 && memcmp(bytes.p + 8, "WEBP", 4) == 0)
		return "webp";
	return NULL;
}

/* FNV-1a. */
static uint64_t hash(struct str bytes)
{
	uint64_t h = 14695981039346656037u;

	for (size_t i = 0; i < bytes.n; i++)
		h = (h ^ (unsigned char)bytes.p[i]) * 1099511628211u;
	return h;
}

static bool write_all(int fd, struct str bytes)
{
	while (bytes.n) {
		ssize_t n = write(fd, bytes.p, bytes.n);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0)
			bytes = (struct str){bytes.p + n, bytes.n - (size_t)n};
	}
	return true;
}

/* Under another name first: what stands there under its own is whole. */
static bool write_file(const char *path, struct str bytes)
{
	char *part = xasprintf("%s.%ld", path, (long)getpid());
	int fd = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	bool ok = fd >= 0 && write_all(fd, bytes);
	int why = errno;

	if (fd >= 0 && close(fd) != 0 && ok) {
		ok = false;
		why = errno;
	}
	if (ok && rename(part, path) != 0) {
		ok = false;
		why = errno;
	}
	if (!ok && fd >= 0)
		unlink(part);
	free(part);
	errno = why;
	return ok;
}

static struct str keep(const struct read_ctx *ctx, struct arena *arena, struct str bytes,
		       const char *ext, struct src src)
{
	struct str folder = ctx->opt->pictures, base = path_base(folder);
	char *dir = xstrndup(folder.p, folder.n);
	char *name = xasprintf("%016llx-%zx.%s", (unsigned long long)hash(bytes), bytes.n, ext);
	char *path = path_join(dir, str_z(name));
	struct str out = STR_NONE;
	struct err why = ERR_INIT;

	if (path_mkdirs(dir, &why) != OK)
		report_add(ctx->report, PROBLEM_WARNING, src, "", "the picture inside: %s", why.msg);
	else if (access(path, F_OK) != 0 && !write_file(path, bytes))
		report_add(ctx->report, PROBLEM_WARNING, src, "", "the picture inside: %s: %s", path,
			   strerror(errno));
	else
		out = str_z(arena_printf(arena, "%.*s/%s", STR_ARG(base), name));
	free(path);
	free(name);
	free(dir);
	return out;
}

struct str embedded_bytes(const struct read_ctx *ctx, struct arena *arena, struct str bytes,
			  struct src src)
{
	const char *ext = ctx->opt->pictures.n ? kind_of(bytes) : NULL;

	return ext ? keep(ctx, arena, bytes, ext, src) : STR_NONE;
}

struct str embedded_picture(const struct read_ctx *ctx, struct arena *arena, struct str text,
			    struct src src)
{
	struct buf bytes = BUF_INIT;
	struct str out = STR_NONE;
	size_t comma;

	if (!ctx->opt->pictures.n)
		return out;
	if (str_starts(text, STR("data:"))) {
		comma = str_find((struct str){text.p, text.n < 200 ? text.n : 200}, STR(";base64,"));
		if (comma == SIZE_MAX)
			return out;
		comma += strlen(";base64,");
		text = (struct str){text.p + comma, text.n - comma};
	}
	if (base64_take(str_trim(text), &bytes))
		out = embedded_bytes(ctx, arena, buf_view(&bytes), src);
	buf_release(&bytes);
	return out;
}
