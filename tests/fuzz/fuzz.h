/*
 * Fuzz targets. Each fuzz_NAME.c defines LLVMFuzzerTestOneInput(); run.sh builds it with libFuzzer,
 * replay.c runs it over tests/fuzz/corpus/NAME in `make check`. A new one needs a corpus folder.
 */
#ifndef QUALM_TESTS_FUZZ_FUZZ_H
#define QUALM_TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/text/input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define FUZZ_CHECK(x)                                                                              \
	((x) ? (void)0 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #x), abort()))

static inline struct str fuzz_str(const uint8_t *data, size_t size)
{
	return (struct str){(const char *)data, size};
}

/* An input over bytes in memory, in blocks of block_size. false: refused (UTF-16, a
 * workbook that is none). */
static inline bool fuzz_input(struct input *in, struct str bytes, size_t block_size)
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct err err = ERR_INIT;
	char path[64];
	enum status st;

	FUZZ_CHECK(fd >= 0);
	FUZZ_CHECK(bytes.n == 0 || write(fd, bytes.p, bytes.n) == (ssize_t)bytes.n);
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	st = input_open(in, path, &err);
	close(fd);
	FUZZ_CHECK(st == OK || err.msg[0]);
	in->path = "fuzz";
	in->block_size = block_size;
	return st == OK;
}

/* However the blocks fall, show() must write the same. */
static inline void fuzz_blocks(struct str bytes, void (*show)(struct input *in, struct buf *out))
{
	static const size_t sizes[] = {0, 1, 2, 3, 5, 8};
	struct buf want = BUF_INIT;

	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct buf got = BUF_INIT;
		struct input in;

		if (!fuzz_input(&in, bytes, sizes[i]))
			break;
		show(&in, i ? &got : &want);
		input_close(&in);
		FUZZ_CHECK(i == 0 || str_eq(buf_view(&want), buf_view(&got)));
		buf_release(&got);
	}
	buf_release(&want);
}

#endif
