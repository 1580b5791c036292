/*
 * A small decoder of sixels for tests: raster attributes, palette (RGB percent), bands, repeats.
 * Strict: anything that a terminal would have to guess about is an error.
 */
#ifndef QUALM_TESTS_UNIT_LIB_SIXEL_H
#define QUALM_TESTS_UNIT_LIB_SIXEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes from ESC P to ESC \ inclusive → w × h × 3 bytes, owned by the caller. Pixels that no band
 * sets make it fail, as do pixels outside the raster. */
bool sixel_decode(const char *bytes, size_t n, uint32_t *w, uint32_t *h, uint8_t **rgb);

/* The colours that were defined, by register, in the order of the definitions: register numbers
 * and RGB. Returns how many (at most max). */
size_t sixel_palette(const char *bytes, size_t n, size_t max, int *number, uint8_t (*rgb)[3]);

#endif
