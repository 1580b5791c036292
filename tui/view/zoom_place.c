#include <math.h>

#include "tui/view/zoom.h"

#define LARGEST 16 /* dots for one pixel, or so many times what fits */
#define TIMES	4
#define NEAR	1.02 /* scales that are closer to each other are the same */

static double clamp(double v, double least, double most)
{
	return v < least ? least : v > most ? most : v;
}

double zoom_fit(const struct zoom_sight *s)
{
	double fit = fmin((double)s->room_w / s->w, (double)s->room_h / s->h);

	return fmin(fit, PICTURE_ENLARGE);
}

static double scale_of(const struct zoom_place *p, const struct zoom_sight *s)
{
	return p->scale > 0 ? p->scale : zoom_fit(s);
}

/* Pixels of the picture along a side that are seen. */
static double seen(uint32_t side, uint32_t room, double scale)
{
	return clamp(floor(room / scale + 1e-6), 1, side);
}

static void keep_inside(struct zoom_place *p, const struct zoom_sight *s)
{
	double scale = scale_of(p, s);
	double half_w = seen(s->w, s->room_w, scale) / s->w / 2, half_h = seen(s->h, s->room_h, scale) / s->h / 2;

	p->x = clamp(p->x, half_w, 1 - half_w);
	p->y = clamp(p->y, half_h, 1 - half_h);
}

static void set_scale(struct zoom_place *p, const struct zoom_sight *s, double scale)
{
	double fit = zoom_fit(s);

	p->scale = scale < fit * NEAR && scale > fit / NEAR ? 0 : scale;
	keep_inside(p, s);
}

void zoom_step(struct zoom_place *p, const struct zoom_sight *s, int by)
{
	double now = scale_of(p, s), fit = zoom_fit(s), k = 2 * log2(now / s->dot), next, largest;

	if (by > 0)
		next = s->dot * exp2(floor(k + 0.06 + 1) / 2);
	else
		next = s->dot * exp2(ceil(k - 0.06 - 1) / 2);
	/* The fit is a step of its own, wherever it lies. */
	if ((now < fit / NEAR && next > fit) || (now > fit * NEAR && next < fit))
		next = fit;
	largest = fmax(LARGEST * s->dot, TIMES * fmax((double)s->room_w / s->w, (double)s->room_h / s->h));
	set_scale(p, s, clamp(next, fmin(fit, s->dot), largest));
}

void zoom_original(struct zoom_place *p, const struct zoom_sight *s)
{
	set_scale(p, s, p->scale > 0 ? zoom_fit(s) : s->dot);
}

void zoom_pan(struct zoom_place *p, const struct zoom_sight *s, double dx, double dy)
{
	double scale = scale_of(p, s);

	p->x += dx * seen(s->w, s->room_w, scale) / s->w;
	p->y += dy * seen(s->h, s->room_h, scale) / s->h;
	keep_inside(p, s);
}

static uint32_t along(double centre, uint32_t side, double n)
{
	return (uint32_t)clamp(round(centre * side - n / 2), 0, side - n);
}

static uint32_t on_screen(double n, double scale, uint32_t room)
{
	return (uint32_t)clamp(round(n * scale), 1, room);
}

struct picture_zoom zoom_part(const struct zoom_place *p, const struct zoom_sight *s)
{
	double w, h;

	if (p->scale <= 0 || !s->w || !s->h || !s->room_w || !s->room_h)
		return (struct picture_zoom){0};
	w = seen(s->w, s->room_w, p->scale);
	h = seen(s->h, s->room_h, p->scale);
	return (struct picture_zoom){
	    .x = along(p->x, s->w, w),
	    .y = along(p->y, s->h, h),
	    .w = (uint32_t)w,
	    .h = (uint32_t)h,
	    .out_w = on_screen(w, p->scale, s->room_w),
	    .out_h = on_screen(h, p->scale, s->room_h),
	};
}
