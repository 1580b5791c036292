/*
 * What the files of core/media share: one format into pixels, and the process that does it.
 * A decoder gives at least want_w × want_h pixels when the picture has them, and less than twice
 * as many a side where it can reduce cheaply, in the orientation that is stored.
 */
#ifndef QUALM_CORE_MEDIA_DECODE_H
#define QUALM_CORE_MEDIA_DECODE_H

#include "core/media/media.h"

struct decode_want {
	uint32_t w, h; /* at least 1 */
	struct media_rgb background;
};

/* What a decoder gives: each pixel stands for step × step stored ones, the last column and row
 * perhaps for fewer. */
struct decoded {
	struct pixels px;
	uint32_t step;
	bool partial; /* the file is cut off or damaged */
};

/* Interleaved samples of n channels: 1 grey, 2 grey + alpha, 3 RGB, 4 RGB + alpha. Borrows. */
struct samples {
	const uint8_t *p;
	uint32_t w, h;
	int n;
};

/* E_MEMORY when there is none, E_LIMIT beyond the ceilings. The pixels are not cleared. */
enum status pixels_alloc(struct pixels *p, uint32_t w, uint32_t h, struct err *err);
/* The largest k such that blocks of k × k leave at least what is wanted. */
uint32_t reduce_factor(uint32_t w, uint32_t h, const struct decode_want *want);
/* Means of blocks of kx × ky (the last column and row may be narrower), alpha on the background.
 * Factors above REDUCE_MAX are taken as that. */
#define REDUCE_MAX 4096
enum status reduce_samples(const struct samples *in, uint32_t kx, uint32_t ky,
			   struct media_rgb background, struct pixels *out, struct err *err);
/* The same as far as `want` allows, for a decoder that has the whole picture. */
enum status reduce_to_want(const struct samples *in, const struct decode_want *want,
			   struct decoded *out, struct err *err);
/* media_scale of the part of the picture that its first extent_w × extent_h places cover. */
enum status scale_extent(const struct pixels *in, double extent_w, double extent_h, uint32_t w,
			 uint32_t h, struct pixels *out, struct err *err);
/* Replace the pixels by themselves turned as EXIF's 1..8 asks. */
enum status pixels_orient(struct pixels *p, int orientation, struct err *err);

/* EXIF or TIFF bytes from the byte order mark on. Tags that are not there leave *facts alone. */
void exif_orientation(struct str tiff, struct media_facts *facts);
void tiff_facts(struct str tiff, struct media_facts *facts);
/* An Adobe marker says that CMYK is stored inverted. */
bool jpeg_has_adobe_marker(struct str bytes);

/* Sides and pixels against the ceilings; E_FORMAT when there are none at all. */
enum status decode_check_size(const struct media_facts *facts, struct err *err);
/* OK when this build can decode the format; else E_UNSUPPORTED or E_FORMAT with the reason. */
enum status decode_check_format(const struct media_facts *facts, struct str head, struct err *err);

/* The whole file in memory → pixels, in this process. */
enum status decode_bytes(struct str bytes, const struct decode_want *want, struct decoded *out,
			 struct err *err);
enum status jpeg_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
			struct err *err);
enum status stb_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
		       struct err *err);
enum status webp_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
			struct err *err);
enum status gif_decode(struct str bytes, const struct decode_want *want, struct decoded *out,
		       struct err *err);

/* All bytes of an open file, from its start; E_LIMIT beyond MEDIA_MAX_BYTES. */
enum status read_file(int fd, uint64_t size, const struct cancel *cancel, struct buf *out,
		      struct err *err);

/* The same as decode_bytes, in the decode process; `file` is an open descriptor. */
enum status decoder_decode(struct decoder *d, int file, const struct decode_want *want,
			   const struct cancel *cancel, struct decoded *out, struct err *err);

#endif
