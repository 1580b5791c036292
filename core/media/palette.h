/*
 * Pixels into palette indices for sixel. The palette comes from libsixel's median cut, or, when
 * the picture has no more colours than there is room for, is the picture's own; the indices are
 * found here, as the letterbox must keep clear of the dithering.
 */
#ifndef QUALM_CORE_MEDIA_PALETTE_H
#define QUALM_CORE_MEDIA_PALETTE_H

#include "core/media/media.h"

struct palette {
	int n; /* 1..256 */
	uint8_t rgb[256][3];
};

/* The value a terminal shows for a channel: sixel tells colours in percent. */
uint8_t palette_shown(unsigned v);
/* The picture's own colours, each once; false when there are more than `max`. */
bool palette_exact(const struct pixels *in, int max, struct palette *out);
/* index[y * stride + x] = base + the palette's entry for each pixel. dither: Floyd-Steinberg. */
void palette_apply(const struct palette *pal, const struct pixels *in, bool dither, uint8_t base,
		   uint8_t *index, size_t stride);

#endif
