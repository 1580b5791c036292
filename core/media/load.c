#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/path.h"
#include "core/media/decode.h"

#define HEAD_BYTES      ((size_t)64 << 10)
#define READ_STEP       ((size_t)1 << 20)
#define JPEG_INLINE_MAX ((uint64_t)32 << 20) /* pixels: some 80 ms, the longest a cancel waits */

struct load {
	int fd;
	struct buf bytes; /* of the file: the head, or all of it */
	struct decode_want want;
	uint32_t out_w, out_h; /* upright */
	struct decoder *decoder;
	const struct cancel *cancel;
	struct media_facts *facts;
};

static enum status read_up_to(int fd, uint64_t end, const struct cancel *cancel, struct buf *out,
			      struct err *err)
{
	while (out->n < end) {
		size_t step = end - out->n < READ_STEP ? (size_t)(end - out->n) : READ_STEP;
		enum status rc = cancel_check(cancel, err);
		char *to;
		ssize_t n;

		if (rc)
			return rc;
		to = buf_reserve(out, step);
		if (!to)
			return err_set(err, E_MEMORY, "no memory for the file");
		n = pread(fd, to, step, (off_t)out->n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, errno, "cannot read the picture");
		if (n == 0)
			break; /* it has become shorter */
		out->n += (size_t)n;
	}
	return OK;
}

enum status read_file(int fd, uint64_t size, const struct cancel *cancel, struct buf *out,
		      struct err *err)
{
	if (size > MEDIA_MAX_BYTES)
		return err_set(err, E_LIMIT, "the file has %llu MiB; pictures may have %d",
			       (unsigned long long)(size >> 20), (int)(MEDIA_MAX_BYTES >> 20));
	return read_up_to(fd, size, cancel, out, err);
}

/* A pipe or device would block or never end; O_NONBLOCK keeps the opening from waiting. */
static enum status open_picture(const char *path, int *fd, uint64_t *size, struct err *err)
{
	struct stat st;
	struct str base = path_base(str_z(path));
	int f = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);

	if (f < 0)
		return err_errno(err, errno, "cannot open %.*s", STR_ARG(base));
	if (fstat(f, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(f);
		return err_set(err, E_IO, "%.*s is not a file", STR_ARG(base));
	}
	*fd = f;
	*size = (uint64_t)st.st_size;
	return OK;
}

static uint32_t side(double v, uint32_t max)
{
	long n = lround(v);

	return n < 1 ? 1 : n > (long)max ? max : (uint32_t)n;
}

/* The upright size that fits, and what the decoder must give for it in stored orientation. */
static void plan(struct load *l, uint32_t max_w, uint32_t max_h, double enlarge)
{
	bool turned = l->facts->orientation >= 5;
	uint32_t w = turned ? l->facts->height : l->facts->width;
	uint32_t h = turned ? l->facts->width : l->facts->height;
	double scale = fmin((double)max_w / w, (double)max_h / h);

	scale = fmin(scale, enlarge);
	l->out_w = side(w * scale, max_w);
	l->out_h = side(h * scale, max_h);
	l->want.w = turned ? l->out_h : l->out_w;
	l->want.h = turned ? l->out_w : l->out_h;
}

/* A JPEG's size may stand beyond the head, behind an embedded preview or a colour profile; a
 * WebP's orientation stands at the end. */
static bool needs_all(const struct media_facts *f, struct str head)
{
	return f->format == MEDIA_FORMAT_JPEG ||
	       (f->format == MEDIA_FORMAT_WEBP && head.n > 20 && (head.p[20] & 0x08));
}

static enum status probe(struct load *l, uint64_t size, struct err *err)
{
	size_t head = size < HEAD_BYTES ? (size_t)size : HEAD_BYTES;
	enum status rc = read_up_to(l->fd, head, l->cancel, &l->bytes, err);

	if (rc)
		return rc;
	media_probe(buf_view(&l->bytes), size, l->facts);
	rc = decode_check_format(l->facts, buf_view(&l->bytes), err);
	if (rc == OK && needs_all(l->facts, buf_view(&l->bytes))) {
		rc = read_file(l->fd, size, l->cancel, &l->bytes, err);
		media_probe(buf_view(&l->bytes), size, l->facts);
	}
	return rc ? rc : decode_check_size(l->facts, err);
}

static bool in_process(const struct load *l)
{
	const struct media_facts *f = l->facts;

	return !l->decoder || (f->format == MEDIA_FORMAT_JPEG && !f->progressive &&
			       (uint64_t)f->width * f->height <= JPEG_INLINE_MAX);
}

static enum status decode(struct load *l, struct decoded *out, struct err *err)
{
	enum status rc;

	if (l->facts->bytes > MEDIA_MAX_BYTES)
		return read_file(l->fd, l->facts->bytes, l->cancel, &l->bytes, err);
	if (!in_process(l))
		return decoder_decode(l->decoder, l->fd, &l->want, l->cancel, out, err);
	rc = read_file(l->fd, l->facts->bytes, l->cancel, &l->bytes, err);
	if (rc)
		return rc;
	return decode_bytes(buf_view(&l->bytes), &l->want, out, err);
}

/* How many of the n decoded places the `stored` ones cover; all, where decoder and header do not
 * agree. */
static double extent(uint32_t n, uint32_t stored, uint32_t step)
{
	double covered = step ? (double)stored / step : 0;

	return covered > n - 1.0 && covered <= n ? covered : n;
}

/* As large as it was decoded: taken as it is. */
static bool take(const struct load *l, struct decoded *stored, struct pixels *out)
{
	if (stored->step != 1 || stored->px.w != l->want.w || stored->px.h != l->want.h)
		return false;
	*out = stored->px;
	stored->px = (struct pixels){0, 0, NULL};
	return true;
}

static enum status finish(struct load *l, struct decoded *stored, struct pixels *out, struct err *err)
{
	enum status rc = cancel_check(l->cancel, err);

	l->facts->partial = stored->partial;
	if (rc == OK && !take(l, stored, out))
		rc = scale_extent(&stored->px, extent(stored->px.w, l->facts->width, stored->step),
				  extent(stored->px.h, l->facts->height, stored->step), l->want.w,
				  l->want.h, out, err);
	if (rc)
		return rc;
	rc = pixels_orient(out, l->facts->orientation, err);
	if (rc == OK)
		rc = cancel_check(l->cancel, err);
	if (rc)
		pixels_release(out);
	return rc;
}

enum status media_load(const char *path, uint32_t max_w, uint32_t max_h, double enlarge,
		       struct media_rgb background, struct decoder *decoder,
		       const struct cancel *cancel, struct media_facts *facts, struct pixels *out,
		       struct err *err)
{
	struct load l = {.fd = -1,
			 .bytes = {.max = MEDIA_MAX_BYTES + 1},
			 .decoder = decoder,
			 .cancel = cancel,
			 .facts = facts,
			 .want = {.background = background}};
	struct decoded stored = {.step = 1};
	uint64_t size = 0;
	enum status rc;

	*out = stored.px;
	*facts = (struct media_facts){.orientation = 1};
	if (max_w == 0 || max_h == 0)
		return err_set(err, E_USAGE, "there is no room for a picture");
	rc = open_picture(path, &l.fd, &size, err);
	if (rc)
		return rc;
	rc = probe(&l, size, err);
	if (rc)
		goto out;
	plan(&l, max_w, max_h, enlarge);
	rc = decode(&l, &stored, err);
	if (rc == OK)
		rc = finish(&l, &stored, out, err);
out:
	pixels_release(&stored.px);
	buf_release(&l.bytes);
	close(l.fd);
	return rc;
}

enum status media_read(const char *path, const struct cancel *cancel, struct media_facts *facts,
		       struct buf *out, struct err *err)
{
	struct load l = {.fd = -1, .bytes = {.max = MEDIA_MAX_BYTES + 1}, .cancel = cancel, .facts = facts};
	uint64_t size = 0;
	enum status rc;

	*facts = (struct media_facts){.orientation = 1};
	rc = open_picture(path, &l.fd, &size, err);
	if (rc)
		return rc;
	rc = probe(&l, size, err);
	if (rc == OK)
		rc = read_file(l.fd, size, cancel, out, err);
	buf_release(&l.bytes);
	close(l.fd);
	return rc;
}
