/*
 * core/text: bytes of files into lines, rows and JSON values. Nothing here knows a benchmark.
 *
 * input: a file (or "-", standard input) read in big blocks, with what every reader needs on the
 * way: the first bytes for probing, progress, cancel, a changed-while-read check. What is packed
 * (unpack.h) is unpacked on the way: then head, blocks and offsets are of the unpacked bytes,
 * `size` and what progress is told are of the file.
 */
#ifndef QUALM_CORE_TEXT_INPUT_H
#define QUALM_CORE_TEXT_INPUT_H

#include <stdint.h>
#include <sys/types.h>

#include "core/base/cancel.h"
#include "core/base/str.h"
#include "core/text/unpack.h"

#define INPUT_HEAD ((size_t)64 * 1024)

/*
 * Opening zeroes the struct: set cancel, progress and block_size afterwards, before the first
 * block. Offsets count bytes of the file, the byte order mark included.
 */
struct input {
	const char *path; /* as given; borrowed */
	int fd;
	uint64_t size;                                              /* 0 when unknown (a pipe) */
	uint64_t consumed;                                          /* bytes handed out so far */
	const struct cancel *cancel;                                /* borrowed, may be NULL */
	void (*progress)(void *ctx, uint64_t done, uint64_t total); /* may be NULL; rate-limited */
	void *progress_ctx;
	struct buf head;   /* up to INPUT_HEAD first bytes, UTF-8 BOM removed */
	size_t block_size; /* bytes a block at most; 0 = a good size. Tests set small ones */
	size_t skip;       /* length of the byte order mark: 0 or 3 */
	bool regular;      /* false: a pipe, a terminal, a device: what was read is gone */
	/* private */
	struct buf block;
	struct str ahead; /* handed out before more is read: the rest of the head, what was given back */
	struct buf back;  /* what was given back */
	struct buf table; /* of a workbook */
	int64_t mtime[2]; /* of the opened file: seconds, nanoseconds */
	off_t base;	  /* where in the file it began: a shell may have read some already */
	int64_t told_at;  /* monotonic ms of the last progress call */
	struct unpack *unpack; /* NULL: the bytes are as they are in the file */
	uint64_t raw;	       /* bytes read of the file */
	bool eof;
};

/* Opens and reads the head. A workbook (xlsx.h) is handed out as CSV; offsets and size are of that
 * then. E_IO with path and reason; a folder is refused; UTF-16 is refused
 * with E_FORMAT. On failure `in` is as after input_close(). */
enum status input_open(struct input *in, const char *path, struct err *err);
/* The same, for a pipe whose first bytes may be long in coming. */
enum status input_open_cancel(struct input *in, const char *path, const struct cancel *cancel,
			      struct err *err);
void input_close(struct input *in);
/* The next block of bytes, valid until the next call; n = 0 at the end. E_IO (also when a file
 * has changed since it was opened), E_CANCELLED. The byte order mark is not part of the bytes. */
enum status input_block(struct input *in, struct str *out, struct err *err);
/* The same into the caller's memory: n > 0 bytes, fewer at the end only. */
enum status input_fill(struct input *in, char *p, size_t n, size_t *got, struct err *err);
/* Gives back the bytes that were handed out last: they come again. E_MEMORY. */
enum status input_unread(struct input *in, struct str bytes, struct err *err);
/* Can its bytes be read in any order, by several threads? */
bool input_is_random(const struct input *in);
/* The n bytes from offset `byte` on, whatever has been handed out; from any thread. E_IO, also
 * when they are not there any more. */
enum status input_read_at(const struct input *in, uint64_t byte, char *p, size_t n,
			  struct err *err);
/* Goes on at offset `byte`, with progress, as if everything before had been handed out; at the
 * end of the file it is looked at as input_block() would. */
enum status input_go_to(struct input *in, uint64_t byte, struct err *err);
/* An input of these bytes, which it takes over; *bytes is empty then. As of a file that is called
 * path, borrowed. E_MEMORY. */
enum status input_own(struct input *in, const char *path, struct buf *bytes, struct err *err);
/* An input of bytes in memory, borrowed, which has no head. */
void input_memory(struct input *in, struct str bytes);
/* What ends a line, to judge by the head: '\r' when it has carriage returns and no line feed. */
char input_line_end(const struct input *in);

/* --- lines: LF, CRLF and CR-only ends, last line without an end, ceilings --- */

#define LINE_MAX_BYTES ((size_t)64 << 20)

struct line {
	struct str text; /* without its end; valid until the next call */
	uint64_t number; /* 1-based */
	uint64_t byte;   /* offset of its first byte in the file */
	bool too_long; /* over LINE_MAX_BYTES: text is its first 1024 bytes; go on with the next */
};

struct lines {
	struct input *in;
	struct str block; /* rest of the current block */
	struct buf carry; /* a line that spans blocks */
	uint64_t number, byte;
	size_t max; /* LINE_MAX_BYTES; tests lower it */
	bool cr_only, eof, skip_lf;
};

void lines_init(struct lines *l, struct input *in);
/* Gives back to the input what comes behind the last line. E_MEMORY. */
enum status lines_stop(struct lines *l, struct err *err);
/* *more = false at the end. */
enum status lines_next(struct lines *l, struct line *out, bool *more, struct err *err);
/* What comes next of the block at hand, for who finds lines in it himself, and that he did: so many
 * bytes, which are so many whole lines. */
struct str lines_ahead(const struct lines *l);
void lines_pass(struct lines *l, size_t bytes, size_t lines);
void lines_release(struct lines *l);

/* The whole file as one buffer, with a ceiling (E_LIMIT names it). */
enum status input_all(struct input *in, size_t max, struct buf *out, struct err *err);

#endif
