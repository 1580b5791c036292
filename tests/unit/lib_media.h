/* Helpers of the tests of core/media: bytes through a file into pixels, and what is expected. */
#ifndef QUALM_TESTS_UNIT_LIB_MEDIA_H
#define QUALM_TESTS_UNIT_LIB_MEDIA_H

#include "core/media/media.h"

/* A test program is its own decode process: its main() answers to --decode-process. */
#define SELF_EXE        "/proc/self/exe"
#define DECODER_TEST_FD 3

static const struct media_rgb black = {0, 0, 0};

struct file {
	char path[64]; /* the test unlinks it */
};
struct file write_file(struct str bytes);

struct loaded {
	struct media_facts facts;
	struct pixels px;
	struct err err;
	enum status rc;
};
/* Takes the bytes; never enlarges; on black. */
struct loaded load(struct buf bytes, uint32_t w, uint32_t h, struct decoder *d);
struct loaded load_ok(struct buf bytes, uint32_t w, uint32_t h, struct decoder *d);

const uint8_t *at(const struct pixels *p, uint32_t x, uint32_t y);
void expect_near(const uint8_t *rgb, int r, int g, int b, int off);
/* A png_spec's sample: (10 x, 10 y, 77, 255). */
unsigned gradient8(uint32_t x, uint32_t y, int c);
/* Same size; 99 when they are equal. */
double psnr(const struct pixels *a, const struct pixels *b);

#endif
