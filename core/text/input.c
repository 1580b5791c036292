#include "core/text/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/text/xlsx.h"

#define BLOCK_DEFAULT  ((size_t)256 * 1024)
#define PROGRESS_EVERY 100 /* ms */

static int64_t now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static const char *shown(const struct input *in)
{
	return strcmp(in->path, "-") == 0 ? "standard input" : in->path;
}

/* A pipe may be silent for long: wait for it and for the wish to stop at once. */
static enum status wait_readable(const struct input *in, struct err *err)
{
	struct pollfd p[2] = {{in->fd, POLLIN, 0}, {-1, POLLIN, 0}};

	if (in->regular)
		return OK;
	if (in->cancel)
		p[1].fd = in->cancel->fd[0];
	while (poll(p, 2, -1) < 0 && errno == EINTR)
		if (cancel_is(in->cancel))
			break;
	return cancel_check(in->cancel, err);
}

static enum status read_raw(struct input *in, char *p, size_t n, size_t *got, struct err *err)
{
	ssize_t r;

	for (;;) {
		enum status st = cancel_check(in->cancel, err);

		if (st == OK)
			st = wait_readable(in, err);
		if (st != OK)
			return st;
		r = read(in->fd, p, n);
		if (r >= 0)
			break;
		if (errno != EINTR && errno != EAGAIN)
			return err_errno(err, errno, "%s", shown(in));
	}
	*got = (size_t)r;
	in->raw += *got;
	return OK;
}

static enum status raw_source(void *ctx, char *p, size_t n, size_t *got, struct err *err)
{
	return read_raw(ctx, p, n, got, err);
}

static enum status read_some(struct input *in, char *p, size_t n, size_t *got, struct err *err)
{
	enum status st;

	if (!in->unpack)
		return read_raw(in, p, n, got, err);
	st = unpack_read(in->unpack, p, n, got, err);
	if (st == E_FORMAT || st == E_LIMIT)
		err_prefix(err, "%s", shown(in));
	return st;
}

static enum status fill_head(struct input *in, struct err *err)
{
	while (in->head.n < INPUT_HEAD) {
		size_t got = 0;
		enum status st =
		    read_some(in, in->head.p + in->head.n, INPUT_HEAD - in->head.n, &got, err);

		if (st != OK)
			return st;
		if (got == 0) {
			in->eof = true;
			break;
		}
		in->head.n += got;
	}
	in->head.p[in->head.n] = '\0';
	return OK;
}

/* The head is packed: it is what is unpacked first. */
static enum status unpack_head(struct input *in, enum packing how, struct err *err)
{
	enum status st = unpack_open(&in->unpack, how, buf_view(&in->head), raw_source, in, err);

	if (st != OK)
		return err_prefix(err, "%s", shown(in));
	buf_clear(&in->head);
	in->eof = false;
	return fill_head(in, err);
}

static enum status read_head(struct input *in, struct err *err)
{
	enum packing how;
	enum status st;

	in->head.max = INPUT_HEAD;
	if (!buf_reserve(&in->head, INPUT_HEAD))
		return err_set(err, E_MEMORY, "%s: no memory to read it", shown(in));
	st = fill_head(in, err);
	how = unpack_recognise(buf_view(&in->head));
	return st == OK && how != PACKING_NONE ? unpack_head(in, how, err) : st;
}

/* By its mark, or by every second of the first four bytes being NUL. */
static bool is_utf16(struct str s)
{
	const unsigned char *p = (const unsigned char *)s.p;

	if (s.n >= 2 && ((p[0] == 0xff && p[1] == 0xfe) || (p[0] == 0xfe && p[1] == 0xff)))
		return true;
	return s.n >= 4 && ((p[0] && !p[1] && p[2] && !p[3]) || (!p[0] && p[1] && !p[2] && p[3]));
}

static void hand_out_table(struct input *in)
{
	buf_clear(&in->head);
	buf_put(&in->head, in->table.p ? in->table.p : "",
		in->table.n < INPUT_HEAD ? in->table.n : INPUT_HEAD);
	in->size = in->table.n;
	in->ahead = buf_view(&in->table);
	in->eof = true;
}

/* A workbook is read as the table that its first sheet is, from here on. */
static enum status unpack_workbook(struct input *in, struct err *err)
{
	struct err why = ERR_INIT;

	if (!in->regular)
		return err_set(err, E_UNSUPPORTED, "%s: a workbook has to be a file", shown(in));
	if (xlsx_table(in->fd, &in->table, &why) != OK)
		return err_set(err, why.code, "%s: %s", shown(in), why.msg);
	hand_out_table(in);
	return OK;
}

static enum status look_at_head(struct input *in, struct err *err)
{
	if (xlsx_is(buf_view(&in->head)))
		return unpack_workbook(in, err);
	if (is_utf16(buf_view(&in->head)))
		return err_set(err, E_FORMAT, "%s: this is UTF-16; save it as UTF-8 first",
			       shown(in));
	if (str_starts(buf_view(&in->head), STR("\xef\xbb\xbf"))) {
		in->skip = 3;
		in->head.n -= 3;
		memmove(in->head.p, in->head.p + 3, in->head.n + 1);
	}
	in->consumed = in->skip;
	in->ahead = buf_view(&in->head);
	return OK;
}

static enum status open_fd(struct input *in, struct err *err)
{
	struct stat s;
	off_t at;

	/* A named pipe that nobody writes to is waited for in poll(), where a cancel is heard. */
	if (strcmp(in->path, "-") == 0)
		in->fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
	else
		in->fd = open(in->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (in->fd < 0 || fstat(in->fd, &s) != 0)
		return err_errno(err, errno, "%s", shown(in));
	if (S_ISDIR(s.st_mode))
		return err_set(err, E_IO, "%s: this is a folder, not a file", shown(in));
	in->regular = S_ISREG(s.st_mode);
	if (in->regular) {
		at = lseek(in->fd, 0, SEEK_CUR);
		in->size = s.st_size > at && at >= 0 ? (uint64_t)(s.st_size - at) : 0;
		in->base = at > 0 ? at : 0;
		in->mtime[0] = s.st_mtim.tv_sec;
		in->mtime[1] = s.st_mtim.tv_nsec;
	}
	return OK;
}

enum status input_open_cancel(struct input *in, const char *path, const struct cancel *cancel,
			      struct err *err)
{
	enum status st;

	*in = (struct input){.path = path, .fd = -1, .cancel = cancel};
	st = open_fd(in, err);
	if (st == OK)
		st = read_head(in, err);
	if (st == OK)
		st = look_at_head(in, err);
	if (st != OK)
		input_close(in);
	return st;
}

enum status input_open(struct input *in, const char *path, struct err *err)
{
	return input_open_cancel(in, path, NULL, err);
}

enum status input_own(struct input *in, const char *path, struct buf *bytes, struct err *err)
{
	*in = (struct input){.path = path, .fd = -1};
	in->table = *bytes;
	*bytes = (struct buf)BUF_INIT;
	in->head.max = INPUT_HEAD;
	if (!buf_reserve(&in->head, INPUT_HEAD)) {
		input_close(in);
		return err_set(err, E_MEMORY, "%s: no memory to read it", path);
	}
	hand_out_table(in);
	return OK;
}

void input_close(struct input *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
	unpack_close(in->unpack);
	in->unpack = NULL;
	buf_release(&in->head);
	buf_release(&in->block);
	buf_release(&in->back);
	buf_release(&in->table);
	in->ahead = STR_NONE;
}

static void tell(struct input *in, bool last)
{
	int64_t now;

	if (!in->progress)
		return;
	now = now_ms();
	if (!last && now - in->told_at < PROGRESS_EVERY)
		return;
	in->told_at = now;
	in->progress(in->progress_ctx, in->unpack ? in->raw : in->consumed, in->size);
}

/* A file that somebody still writes to would be stored half. */
static enum status check_unchanged(const struct input *in, struct err *err)
{
	uint64_t read_bytes = in->unpack ? in->raw : in->consumed;
	struct stat s;

	if (!in->regular || in->size == 0)
		return OK;
	if (fstat(in->fd, &s) != 0)
		return err_errno(err, errno, "%s", shown(in));
	if (read_bytes != in->size || s.st_mtim.tv_sec != in->mtime[0] ||
	    s.st_mtim.tv_nsec != in->mtime[1])
		return err_set(err, E_IO,
			       "%s: the file changed while it was read (%llu bytes at first, %llu "
			       "now); try again when it is complete",
			       shown(in), (unsigned long long)in->size, (unsigned long long)s.st_size);
	return OK;
}

static enum status at_end(struct input *in, struct err *err)
{
	enum status st = check_unchanged(in, err);

	in->eof = true;
	if (st == OK)
		tell(in, true);
	return st;
}

/* n bytes at most of what is ahead. */
static struct str take_ahead(struct input *in, size_t n)
{
	struct str out = {in->ahead.p, in->ahead.n < n ? in->ahead.n : n};

	in->ahead.p += out.n;
	in->ahead.n -= out.n;
	return out;
}

static enum status handed_out(struct input *in, size_t n, struct err *err)
{
	if (n == 0)
		return at_end(in, err);
	in->consumed += n;
	tell(in, false);
	return OK;
}

enum status input_block(struct input *in, struct str *out, struct err *err)
{
	size_t size = in->block_size ? in->block_size : BLOCK_DEFAULT, got = 0;
	enum status st = cancel_check(in->cancel, err);

	*out = (struct str){"", 0};
	if (st != OK)
		return st;
	if (in->ahead.n) {
		*out = take_ahead(in, size);
	} else if (!in->eof) {
		buf_clear(&in->block);
		if (!buf_reserve(&in->block, size))
			return err_set(err, E_MEMORY, "%s: no memory to read it", shown(in));
		st = read_some(in, in->block.p, size, &got, err);
		if (st != OK)
			return st;
		*out = (struct str){in->block.p, got};
	}
	return handed_out(in, out->n, err);
}

enum status input_fill(struct input *in, char *p, size_t n, size_t *got, struct err *err)
{
	enum status st = cancel_check(in->cancel, err);

	*got = 0;
	while (st == OK && *got < n) {
		struct str ahead = take_ahead(in, n - *got);
		size_t more = ahead.n;

		if (ahead.n)
			memcpy(p + *got, ahead.p, ahead.n);
		else if (!in->eof)
			st = read_some(in, p + *got, n - *got, &more, err);
		if (st == OK && more == 0)
			break;
		*got += more;
	}
	if (st == OK && *got)
		st = handed_out(in, *got, err);
	return st == OK && *got < n ? at_end(in, err) : st;
}

enum status input_unread(struct input *in, struct str bytes, struct err *err)
{
	struct buf joined = BUF_INIT;

	buf_str(&joined, bytes);
	buf_str(&joined, in->ahead);
	if (joined.failed) {
		buf_release(&joined);
		return err_set(err, E_MEMORY, "%s: no memory to read it", shown(in));
	}
	buf_release(&in->back);
	in->back = joined;
	in->ahead = buf_view(&in->back);
	in->consumed -= bytes.n;
	return OK;
}

bool input_is_random(const struct input *in)
{
	return in->regular && in->size > 0;
}

enum status input_read_at(const struct input *in, uint64_t byte, char *p, size_t n,
			  struct err *err)
{
	while (n > 0) {
		ssize_t r = pread(in->fd, p, n, in->base + (off_t)byte);

		if (r < 0 && errno != EINTR && errno != EAGAIN)
			return err_errno(err, errno, "%s", shown(in));
		if (r == 0)
			return err_set(err, E_IO,
				       "%s: the file was cut short while it was read; try again when "
				       "it is complete",
				       shown(in));
		if (r > 0) {
			p += r;
			n -= (size_t)r;
			byte += (uint64_t)r;
		}
	}
	return OK;
}

enum status input_go_to(struct input *in, uint64_t byte, struct err *err)
{
	if (lseek(in->fd, in->base + (off_t)byte, SEEK_SET) < 0)
		return err_errno(err, errno, "%s", shown(in));
	in->ahead = STR_NONE;
	in->consumed = byte;
	in->eof = false;
	if (byte >= in->size)
		return at_end(in, err);
	tell(in, false);
	return cancel_check(in->cancel, err);
}

void input_memory(struct input *in, struct str bytes)
{
	*in = (struct input){.path = "", .fd = -1, .ahead = bytes, .eof = true};
}

char input_line_end(const struct input *in)
{
	struct str head = buf_view(&in->head);

	if (head.n && !memchr(head.p, '\n', head.n) && memchr(head.p, '\r', head.n))
		return '\r';
	return '\n';
}

enum status input_all(struct input *in, size_t max, struct buf *out, struct err *err)
{
	struct str block;
	enum status st;

	out->max = max;
	if (in->size > max && !in->unpack)
		return err_set(err, E_LIMIT, "%s: %llu bytes, over the ceiling of %zu", shown(in),
			       (unsigned long long)in->size, max);
	do {
		st = input_block(in, &block, err);
		if (st != OK)
			return st;
		buf_str(out, block);
	} while (block.n && !out->failed);
	if (!out->failed)
		return OK;
	if (out->n + block.n > max)
		return err_set(err, E_LIMIT, "%s: over the ceiling of %zu bytes", shown(in), max);
	return err_set(err, E_MEMORY, "%s: no memory for its bytes", shown(in));
}
