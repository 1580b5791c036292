/* colors: from 24-bit colours and the 256 of a theme to those a terminal has. Pure. */
#ifndef QUALM_TUI_TERM_COLORS_H
#define QUALM_TUI_TERM_COLORS_H

#include "core/media/media.h"

struct media_rgb color_of_palette(int index); /* xterm's palette; index 0..255 */
int color_nearest_256(struct media_rgb c);    /* 16..255: the sixteen differ everywhere */
int color_nearest_of(struct media_rgb c, int n); /* of the first n: 8 or 16 */
/* A palette index of a theme for a terminal of n colours (8, 16, 256 or 1<<24). */
int color_for(int index, int n);
int color_for_rgb(struct media_rgb c, int n);

#endif
