#include "core/demo/paint.h"

#include <math.h>

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF /* the same pixels with and without fused multiply-add */
#endif

#define VIEW 2.5

static double min2(double a, double b)
{
	return a < b ? a : b;
}

static double max2(double a, double b)
{
	return a > b ? a : b;
}

static double clamp01(double v)
{
	return v < 0 ? 0 : v > 1 ? 1 : v;
}

static double length(double x, double y)
{
	return sqrt(x * x + y * y);
}

rgb rgb_mix(rgb a, rgb b, double t)
{
	rgb out = 0;

	for (int shift = 0; shift <= 16; shift += 8) {
		double x = a >> shift & 255, y = b >> shift & 255;

		out |= (rgb)(x + (y - x) * clamp01(t) + 0.5) << shift;
	}
	return out;
}

/* --- distances --- */

static double ellipse_distance(double x, double y, double rx, double ry)
{
	double k0 = length(x / rx, y / ry), k1 = length(x / (rx * rx), y / (ry * ry));

	return k1 > 0 ? k0 * (k0 - 1) / k1 : -min2(rx, ry);
}

static double ellipse_at(const struct shape *s, double x, double y)
{
	return ellipse_distance(x - s->v[0], y - s->v[1], s->v[2], s->v[3]);
}

struct shape shape_ellipse(double x, double y, double rx, double ry)
{
	return (struct shape){
	    .at = ellipse_at, .v = {x, y, rx, ry}, .box = {x - rx, y - ry, x + rx, y + ry}};
}

static void box_of_points(struct shape *s, double more)
{
	s->box[0] = s->box[1] = VIEW;
	s->box[2] = s->box[3] = -VIEW;
	for (int i = 0; i < s->n; i++) {
		s->box[0] = min2(s->box[0], s->p[i].x - more);
		s->box[1] = min2(s->box[1], s->p[i].y - more);
		s->box[2] = max2(s->box[2], s->p[i].x + more);
		s->box[3] = max2(s->box[3], s->p[i].y + more);
	}
}

/* Distance to the segment a b; *along = 0 … 1 from a to b. */
static double segment_distance(struct point a, struct point b, double x, double y, double *along)
{
	double dx = b.x - a.x, dy = b.y - a.y, d2 = dx * dx + dy * dy;
	double t = d2 > 0 ? clamp01(((x - a.x) * dx + (y - a.y) * dy) / d2) : 0;

	*along = t;
	return length(x - a.x - t * dx, y - a.y - t * dy);
}

static double polygon_at(const struct shape *s, double x, double y)
{
	double best = VIEW, along;
	int inside = 0;

	for (int i = 0, j = s->n - 1; i < s->n; j = i++) {
		struct point a = s->p[i], b = s->p[j];

		best = min2(best, segment_distance(a, b, x, y, &along));
		if ((a.y > y) != (b.y > y) && x < (b.x - a.x) * (y - a.y) / (b.y - a.y) + a.x)
			inside = !inside;
	}
	return inside ? -best : best;
}

struct shape shape_polygon(const struct point *p, int n)
{
	struct shape s = {.at = polygon_at, .p = p, .n = n};

	box_of_points(&s, 0);
	return s;
}

static double stroke_at(const struct shape *s, double x, double y)
{
	double best = VIEW, along;

	for (int i = 0; i + 1 < s->n; i++) {
		double d = segment_distance(s->p[i], s->p[i + 1], x, y, &along);
		double t = 2 * (i + along) / (s->n - 1) - 1; /* -1 … 1 along the whole line */
		double w = s->v[0] * (1 - (1 - s->v[1]) * t * t) / 2;

		best = min2(best, d - w);
	}
	return best;
}

struct shape shape_stroke(const struct point *p, int n, double w, double ends)
{
	struct shape s = {.at = stroke_at, .v = {w, ends}, .p = p, .n = n};

	box_of_points(&s, w);
	return s;
}

static double drop_at(const struct shape *s, double x, double y)
{
	double r = s->v[2], along, d;
	struct point tip = {s->v[0], s->v[1]}, round = {s->v[0], s->v[1] + 2.2 * r};

	d = segment_distance(tip, round, x, y, &along);
	return d - r * (0.05 + 0.95 * along * along);
}

struct shape shape_drop(double x, double y, double r)
{
	return (struct shape){
	    .at = drop_at, .v = {x, y, r}, .box = {x - r, y - r, x + r, y + 3.3 * r}};
}

static double eye_at(const struct shape *s, double x, double y)
{
	double d = ellipse_distance(x - s->v[0], y - s->v[1], s->v[2], s->v[3]);

	d = max2(d, s->v[4] + s->v[5] * (x - s->v[0]) - y);
	return max2(d, y - s->v[6] - 0.6 * (x - s->v[0]) * (x - s->v[0]));
}

struct shape shape_eye(struct point c, double rx, double ry, double top, double tilt, double bottom)
{
	return (struct shape){.at = eye_at,
			      .v = {c.x, c.y, rx, ry, top, tilt, bottom},
			      .box = {c.x - rx, c.y - ry, c.x + rx, c.y + ry}};
}

void curve(struct point *out, int n, struct point a, struct point control, struct point b)
{
	for (int i = 0; i < n; i++) {
		double t = (double)i / (n - 1), u = 1 - t;

		out[i].x = u * u * a.x + 2 * u * t * control.x + t * t * b.x;
		out[i].y = u * u * a.y + 2 * u * t * control.y + t * t * b.y;
	}
}

/* --- pixels --- */

static double distance(const struct shape *s, double x, double y)
{
	double d = s->at(s, x, y);

	if (s->within)
		d = max2(d, distance(s->within, x, y));
	if (s->without)
		d = max2(d, -distance(s->without, x, y));
	return d;
}

static void blend(uint8_t *px, rgb colour, double alpha)
{
	for (int i = 0; i < 3; i++) {
		double to = colour >> (16 - 8 * i) & 255;

		px[i] = (uint8_t)(px[i] + (to - px[i]) * alpha + 0.5);
	}
}

static int pixel(const struct paint *p, double at)
{
	double v = (at + VIEW / 2) * p->size / VIEW;

	return v < 0 ? 0 : v > p->size ? p->size : (int)v;
}

enum how { FILL, LINE, GLOW };

static void paint(struct paint *p, const struct shape *s, enum how how, double w, rgb colour,
		  double alpha)
{
	double unit = VIEW / p->size, more = how == LINE ? w : unit;
	int left = pixel(p, s->box[0] - more), right = pixel(p, s->box[2] + more + unit);
	int top = pixel(p, s->box[1] - more), bottom = pixel(p, s->box[3] + more + unit);

	for (int j = top; j < bottom; j++)
		for (int i = left; i < right; i++) {
			double x = (i + 0.5) * unit - VIEW / 2, y = (j + 0.5) * unit - VIEW / 2;
			double d = distance(s, x, y), a;

			if (how == LINE)
				d = (d < 0 ? -d : d) - w / 2;
			a = how == GLOW ? clamp01(-d / w) : clamp01(0.5 - d / unit);
			if (how == GLOW)
				a = a * a * (3 - 2 * a);
			if (a > 0)
				blend(p->rgb + ((long)j * p->size + i) * 3, colour, a * alpha);
		}
}

void paint_fill(struct paint *p, const struct shape *s, rgb colour, double alpha)
{
	paint(p, s, FILL, 0, colour, alpha);
}

void paint_line(struct paint *p, const struct shape *s, double w, rgb colour, double alpha)
{
	paint(p, s, LINE, w, colour, alpha);
}

void paint_glow(struct paint *p, const struct shape *s, double depth, rgb colour, double alpha)
{
	paint(p, s, GLOW, depth, colour, alpha);
}

void paint_sky(struct paint *p, rgb top, rgb bottom)
{
	for (int j = 0; j < p->size; j++) {
		rgb c = rgb_mix(top, bottom, (j + 0.5) / p->size);

		for (int i = 0; i < p->size; i++)
			blend(p->rgb + ((long)j * p->size + i) * 3, c, 1);
	}
}
