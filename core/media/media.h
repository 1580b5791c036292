/*
 * core/media: bytes of a picture into pixels into something a terminal can show.
 *
 * Decoding is done under ceilings that are checked before a pixel is touched. Sequential JPEG
 * goes through libjpeg-turbo in the calling worker; PNG and BMP through stb_image, WebP through
 * libwebp, GIF (its first picture) through giflib, and JPEGs that are progressive or very large (a few bytes of them can ask for minutes
 * of work that cannot be interrupted), in a separate, rlimited process (decode.h) that may die on
 * hostile input without harm. Pixels are RGB, 8 bits, row-major, no padding; alpha is composited
 * on `background`; EXIF orientation is applied.
 */
#ifndef QUALM_CORE_MEDIA_MEDIA_H
#define QUALM_CORE_MEDIA_MEDIA_H

#include <stdint.h>

#include "core/base/cancel.h"
#include "core/base/str.h"

#define MEDIA_MAX_BYTES  ((uint64_t)128 << 20)
#define MEDIA_MAX_PIXELS ((uint64_t)100 << 20)
#define MEDIA_MAX_SIDE   16384

struct media_rgb {
	uint8_t r, g, b;
};

enum media_format { MEDIA_FORMAT_UNKNOWN, MEDIA_FORMAT_JPEG, MEDIA_FORMAT_PNG, MEDIA_FORMAT_BMP,
		    MEDIA_FORMAT_GIF, MEDIA_FORMAT_WEBP, MEDIA_FORMAT_TIFF, MEDIA_FORMAT_VIDEO,
		    MEDIA_FORMAT_HEIF /* HEIC, AVIF */ };
const char *media_format_word(enum media_format f); /* "JPEG" … */

/* What can be said of a file without decoding it. */
struct media_facts {
	enum media_format format; /* by content, not by extension */
	uint32_t width, height;   /* as stored (before orientation); 0 = unknown */
	uint64_t bytes;           /* of the file */
	int orientation;          /* EXIF 1..8; 1 = upright */
	bool cmyk, grey, alpha;
	bool progressive; /* JPEG: decoded in several passes over the whole picture */
	bool partial;     /* set by media_load: the file is cut off or damaged, what could be
			     decoded is shown */
};

struct pixels {
	uint32_t w, h;
	uint8_t *rgb; /* owned, w * h * 3 */
};

void pixels_release(struct pixels *p);

/* Facts from the first bytes of a file (64 KiB are plenty). Never fails: unknown stays 0. */
void media_probe(struct str head, uint64_t file_bytes, struct media_facts *out);

/* Reads the file (ceiling, cancel), fills *facts as far as it gets, decodes, orients, composites
 * and scales to fit into max_w × max_h pixels keeping the shape; enlarges at most `enlarge`
 * times (1 = never). E_IO, E_FORMAT, E_LIMIT, E_UNSUPPORTED, E_CANCELLED; the message is a
 * sentence for the card that is shown instead. `decoder` may be NULL: PNG and BMP then decode in
 * this process (tests, one-shot commands under their own rlimits). */
struct decoder;
enum status media_load(const char *path, uint32_t max_w, uint32_t max_h, double enlarge,
		       struct media_rgb background, struct decoder *decoder,
		       const struct cancel *cancel, struct media_facts *facts, struct pixels *out,
		       struct err *err);

/* The same for several pictures, one path a line: side by side, or in rows where there is more room
 * that way; each fits into its part of max_w × max_h. Of more than MEDIA_TOGETHER_MAX the first are
 * taken. One that cannot be shown is an empty frame, and facts->partial; an error only when none can.
 * facts: width and height of all in full size, upright; bytes of all; the format they share. One path
 * is media_load()'s, also when a file is called so. */
#define MEDIA_TOGETHER_MAX 16
enum status media_load_together(const char *paths, uint32_t max_w, uint32_t max_h, double enlarge,
				struct media_rgb background, struct decoder *decoder,
				const struct cancel *cancel, struct media_facts *facts, struct pixels *out,
				struct err *err);

/* The part of w × h pixels from (x, y) on, which lies within `in`; *out is owned by the caller. */
enum status media_cut(const struct pixels *in, uint32_t x, uint32_t y, uint32_t w, uint32_t h,
		      struct pixels *out, struct err *err);

/* All bytes of the file, under the same ceiling, appended to out; its facts. */
enum status media_read(const char *path, const struct cancel *cancel, struct media_facts *facts,
		       struct buf *out, struct err *err);

/* Exact-area or better scaling to w × h. Used by media_load; apart for tests. */
enum status media_scale(const struct pixels *in, uint32_t w, uint32_t h, struct pixels *out,
			struct err *err);

/* The decode process: the same binary run as `qualm --decode-process 3` (decoder_main) over a
 * socket pair. One per pool of workers; calls are serialized inside. Restarted when it dies. */
struct decoder *decoder_new(const char *self_exe);
void decoder_free(struct decoder *d);
int decoder_main(int fd);

/* Sixel. Padded to pad_w × pad_h (0 = the picture's own side; letterbox on background, exact but
 * for sixel's percent; the picture centred, and cropped where it is larger), height cut to a
 * multiple of 6; both sides 6..4096 after that, else E_LIMIT. `colors` 2..256. Serialized inside
 * (libsixel is not thread-safe). Appends to out.
 * first_is_background: palette entry 0 = background (tmux 3.4/3.5); so it is in any case where
 * there is a letterbox. */
struct sixel_options {
	uint32_t pad_w, pad_h;
	int colors;
	bool dither;
	bool first_is_background;
	struct media_rgb background;
};
enum status sixel_encode_pixels(const struct pixels *in, const struct sixel_options *opt,
				struct buf *out, struct err *err);

/* Blocks: a picture as terminal cells. `cells` has cols * rows entries, row-major, owned by the
 * caller; each is a code point with two colours. kind: ASCII ramp (colours unused; dense is bright
 * on a dark background and dark on a light one), halves (U+2580), quadrants (U+2596…). The pixels
 * are scaled to the cells' grid inside, keeping the shape for cells twice as high as wide,
 * centred on background. */
enum blocks_kind { BLOCKS_ASCII, BLOCKS_HALF, BLOCKS_QUADRANT };
struct block_cell {
	uint32_t cp;
	struct media_rgb fg, bg;
};
enum status blocks_render(const struct pixels *in, enum blocks_kind kind, uint32_t cols,
			  uint32_t rows, struct media_rgb background, struct block_cell *cells,
			  struct err *err);

/* "libsixel 1.10.3, …": what this program was built with; and what of the optional it lacks, ""
 * when nothing. */
void media_libraries(struct buf *out);
const char *media_missing(void);

#endif
