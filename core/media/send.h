/*
 * send: the bytes of a picture that a model is given. They are the file's own, unless its format,
 * its EXIF orientation, a crop or a limit ask for others; then it is a JPEG of the upright pixels,
 * and `changed` says why.
 */
#ifndef QUALM_CORE_MEDIA_SEND_H
#define QUALM_CORE_MEDIA_SEND_H

#include "core/media/media.h"

enum send_change {
	SEND_FORMAT = 1,  /* neither JPEG, PNG, GIF nor WebP */
	SEND_TURNED = 2,  /* the orientation is applied */
	SEND_CROPPED = 4,
	SEND_SCALED = 8,  /* a side was over max_side */
	SEND_SQUEEZED = 16 /* over max_bytes: less quality, then smaller */
};

struct send_crop { /* shares of the upright picture, 0 … 1; w or h 0: all of it */
	double x, y, w, h;
};

struct send_want {
	uint32_t max_side;  /* pixels; 0 = as it is */
	uint64_t max_bytes; /* 0 = as many as there are */
	struct send_crop crop;
};

struct send_picture {
	struct buf bytes;
	const char *mime;   /* static */
	uint32_t w, h;      /* as sent, upright; 0 = not known */
	uint32_t file_w, file_h; /* upright, of the file */
	uint64_t file_bytes;
	unsigned changed;   /* enum send_change */
};

/* Errors as media_load(); E_LIMIT when it cannot be made small enough. *out is released by the
 * caller, also after a failure. */
enum status send_picture_load(const char *path, const struct send_want *want, struct decoder *decoder,
			      const struct cancel *cancel, struct send_picture *out, struct err *err);
/* How large it will be, going by the head of the file; false: that does not tell. max_bytes is not
 * thought of. */
bool send_picture_expect(const char *path, const struct send_want *want, uint32_t *w, uint32_t *h);
void send_picture_release(struct send_picture *p);
/* "as it is", or what was changed: "turned, scaled to 1024 × 768". */
void send_picture_say(const struct send_picture *p, struct buf *out);

#endif
