/*
 * zoom: the current sample's picture on the whole screen, as large as one likes, moved under the
 * screen; where one is stands above it, and as bars beside it. The arithmetic is here, apart from
 * the view, for tests.
 */
#ifndef QUALM_TUI_VIEW_ZOOM_H
#define QUALM_TUI_VIEW_ZOOM_H

#include "tui/view/pictures.h"
#include "tui/view/view.h"

struct zoom_place {
	double scale; /* pixels of the screen for one of the picture; 0: so that all of it fits */
	double x, y;  /* what is in the middle of the screen, shares of the picture's sides */
};

/* What there is to see: the upright picture, the screen's room, both in pixels, and how many of
 * the room's pixels the smallest thing that is drawn is wide (a block is half a cell). */
struct zoom_sight {
	uint32_t w, h, room_w, room_h;
	double dot;
};

/* The scale at which all of it fits; enlarged at most PICTURE_ENLARGE times. */
double zoom_fit(const struct zoom_sight *s);
/* One step larger (by > 0) or smaller: powers of the root of two times the dot, and the fit. The
 * middle stays where it is. */
void zoom_step(struct zoom_place *p, const struct zoom_sight *s, int by);
/* One pixel of the picture for each dot, or back to all of it. */
void zoom_original(struct zoom_place *p, const struct zoom_sight *s);
/* By shares of what is seen; stops at the picture's edges. */
void zoom_pan(struct zoom_place *p, const struct zoom_sight *s, double dx, double dy);
/* What is seen; w 0 when that is all of it in the size that fits. */
struct picture_zoom zoom_part(const struct zoom_place *p, const struct zoom_sight *s);

/* The part that the view shows, as shares; false when it is another view, or shows all of it. */
bool zoom_shown(const struct view *v, struct send_crop *out);

#endif
