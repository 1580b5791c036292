/*
 * paint: filled and outlined shapes on a small picture, anti-aliased by signed distance. The
 * picture shows x and y from -1.25 to 1.25, y downwards; lengths are in these units.
 */
#ifndef QUALM_CORE_DEMO_PAINT_H
#define QUALM_CORE_DEMO_PAINT_H

#include <stdint.h>

struct point {
	double x, y;
};

struct paint {
	uint8_t *rgb; /* size * size * 3, borrowed */
	int size;
};

/* A shape borrows its points, and what it is clipped by and cut out of. */
struct shape {
	double (*at)(const struct shape *s, double x, double y); /* distance, negative inside */
	double v[8];
	const struct point *p;
	int n;
	const struct shape *within, *without; /* only inside of; not inside of */
	double box[4];                        /* left, top, right, bottom */
};

typedef uint32_t rgb; /* 0xRRGGBB */

struct shape shape_ellipse(double x, double y, double rx, double ry);
struct shape shape_polygon(const struct point *p, int n);
/* A line along the points, `w` wide in the middle and `ends` times as wide at its ends. */
struct shape shape_stroke(const struct point *p, int n, double w, double ends);
/* A drop hanging from (x, y), with its round part of radius r below. */
struct shape shape_drop(double x, double y, double r);
/* An ellipse between two lids: an upper one along y = top + tilt (x - centre), a lower one along
 * y = bottom. */
struct shape shape_eye(struct point c, double rx, double ry, double top, double tilt,
		       double bottom);

/* n points of the quadratic curve a, control, b. */
void curve(struct point *out, int n, struct point a, struct point control, struct point b);

void paint_fill(struct paint *p, const struct shape *s, rgb colour, double alpha);
/* The outline, `w` wide, along the shape's edge. */
void paint_line(struct paint *p, const struct shape *s, double w, rgb colour, double alpha);
/* Full in the depth of the shape, nothing at its edge; `depth` = how deep that is. */
void paint_glow(struct paint *p, const struct shape *s, double depth, rgb colour, double alpha);
/* From top to bottom. */
void paint_sky(struct paint *p, rgb top, rgb bottom);
rgb rgb_mix(rgb a, rgb b, double t);

#endif
