/* png: one picture as a PNG file's bytes (inside core/demo). */
#ifndef QUALM_CORE_DEMO_PNG_H
#define QUALM_CORE_DEMO_PNG_H

#include "core/base/str.h"

/* Appends; out->failed when it was too much. */
void png_write(struct buf *out, const uint8_t *rgb, int width, int height);

#endif
