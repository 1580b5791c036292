#include "core/demo/face.h"

#include "core/demo/paint.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

#define N_OF(a) (sizeof(a) / sizeof *(a))
#define INK     0x2b2330
#define CURVE   14 /* points of a line */

struct palette {
	rgb skin, shade, hair, shirt, paper, paper2, ink;
	double line; /* width of outlines, 0 = none */
};

/* Where the parts of one face lie. */
struct head {
	struct paint p;
	struct palette c;
	const struct face_look *look;
	const struct face_expression *x;
	double rx, ry, eye_x, eye_y, mouth_y;
};

static struct palette palette_of(const struct face_look *look)
{
	static const rgb skins[] = {0xffd9b8, 0xf1c09a, 0xd99a6c, 0xb57346, 0x8a5433, 0xf6cdb4};
	static const rgb hairs[] = {0x3a2a22, 0x6b3f23, 0xd9a441, 0x1f2430, 0xa8452c, 0x8f8a86};
	static const rgb shirts[] = {0x3f7fbf, 0xe07a5f, 0x5a9e6f, 0x8566a8, 0xd9b23c, 0x49646e};
	static const rgb papers[] = {0xcfe6ee, 0xf7e3c8, 0xdcebd0, 0xe9dcf0, 0xf6d5d0, 0xd9dde6};
	struct palette c = {
	    .skin = skins[look->skin % N_OF(skins)],
	    .hair = hairs[look->hair_colour % N_OF(hairs)],
	    .shirt = shirts[look->shirt % N_OF(shirts)],
	    .paper = papers[look->paper % N_OF(papers)],
	    .ink = INK,
	};

	if (look->style == STYLE_SOFT) {
		c.skin = rgb_mix(c.skin, 0xfff2e8, 0.18);
		c.hair = rgb_mix(c.hair, 0xcbb8c9, 0.25);
		c.shirt = rgb_mix(c.shirt, 0xffffff, 0.35);
		c.ink = 0x4a3b4f;
	}
	c.line = look->style == STYLE_INK ? 0.035 : 0;
	c.shade = rgb_mix(c.skin, 0x7a2f2a, 0.28);
	c.paper2 = rgb_mix(c.paper, 0x6f7f9f, 0.3);
	return c;
}

static void part(struct head *h, const struct shape *s, rgb colour)
{
	paint_fill(&h->p, s, colour, 1);
	if (h->c.line > 0)
		paint_line(&h->p, s, h->c.line, h->c.ink, 1);
}

static void stroke(struct head *h, struct point a, struct point control, struct point b, double w,
		   rgb colour)
{
	struct point p[CURVE];
	struct shape s;

	curve(p, CURVE, a, control, b);
	s = shape_stroke(p, CURVE, w, 0.55);
	paint_fill(&h->p, &s, colour, 1);
}

/* --- behind the face --- */

static void dots(struct head *h)
{
	for (int j = 0; j < 6; j++)
		for (int i = 0; i < 6; i++) {
			struct shape s = shape_ellipse(-1.15 + 0.5 * i + (j % 2) * 0.25,
						       -1.1 + 0.44 * j, 0.085, 0.085);

			paint_fill(&h->p, &s, rgb_mix(h->c.paper, 0xffffff, 0.55), 1);
		}
}

static void hills(struct head *h)
{
	struct shape sun = shape_ellipse(0.88, -0.86, 0.22, 0.22),
		     far = shape_ellipse(-0.7, 1.25, 1.2, 0.95),
		     near = shape_ellipse(0.9, 1.4, 1.3, 0.95);

	paint_sky(&h->p, 0x9fd3f0, 0xe9f6fb);
	paint_fill(&h->p, &sun, 0xffd75e, 1);
	paint_line(&h->p, &sun, 0.05, 0xffefb0, 0.8);
	paint_fill(&h->p, &far, 0x8fc48a, 1);
	paint_fill(&h->p, &near, 0x74b074, 1);
}

static void rain(struct head *h)
{
	static const struct point clouds[] = {
	    {-0.95, -1.02}, {-0.6, -1.1}, {0.62, -1.08}, {1.0, -1.0}};

	paint_sky(&h->p, 0x7d8ea6, 0xb4c2d0);
	for (int j = 0; j < 7; j++)
		for (int i = 0; i < 9; i++) {
			double x = -1.2 + 0.3 * i + (j % 3) * 0.1, y = -0.9 + 0.34 * j;
			struct point p[2] = {{x, y}, {x - 0.05, y + 0.15}};
			struct shape s = shape_stroke(p, 2, 0.022, 1);

			paint_fill(&h->p, &s, 0xdfe9f3, 0.8);
		}
	for (unsigned i = 0; i < N_OF(clouds); i++) {
		struct shape s = shape_ellipse(clouds[i].x, clouds[i].y, 0.38, 0.2);

		paint_fill(&h->p, &s, 0x66748a, 1);
	}
}

static void night(struct head *h)
{
	static const struct point stars[] = {{-1.0, -0.95}, {-0.6, -1.1}, {-1.1, -0.3},
					     {1.1, -0.2},   {0.5, -1.12}, {-0.95, 0.35},
					     {1.05, 0.5},   {-1.15, 0.8}};
	struct shape moon = shape_ellipse(0.88, -0.84, 0.2, 0.2),
		     bite = shape_ellipse(0.8, -0.9, 0.17, 0.17);

	paint_sky(&h->p, 0x1c2347, 0x47467a);
	for (unsigned i = 0; i < N_OF(stars); i++) {
		struct shape s = shape_ellipse(stars[i].x, stars[i].y, 0.025, 0.025);

		paint_fill(&h->p, &s, 0xfff4c4, 1);
	}
	moon.without = &bite;
	paint_fill(&h->p, &moon, 0xffeeb0, 1);
}

static void background(struct head *h)
{
	paint_sky(&h->p, rgb_mix(h->c.paper, 0xffffff, 0.35), h->c.paper);
	switch (h->look->scene) {
	case SCENE_DOTS:
		dots(h);
		break;
	case SCENE_HILLS:
		hills(h);
		break;
	case SCENE_RAIN:
		rain(h);
		break;
	case SCENE_NIGHT:
		night(h);
		break;
	default:
		break;
	}
}

static void shoulders(struct head *h)
{
	struct shape body = shape_ellipse(0, 1.6, 1.02, 0.68),
		     neck = shape_ellipse(0, 0.92, 0.25, 0.34),
		     collar = shape_ellipse(0, 1.0, 0.34, 0.2);

	part(h, &body, h->c.shirt);
	collar.within = &body;
	paint_fill(&h->p, &collar, rgb_mix(h->c.shirt, 0x000000, 0.2), 1);
	paint_fill(&h->p, &neck, rgb_mix(h->c.skin, h->c.shade, 0.55), 1);
}

/* --- hair --- */

static void curls(struct head *h)
{
	static const struct point at[] = {{-0.86, -0.12}, {-0.84, -0.42}, {-0.68, -0.7},
					  {-0.4, -0.9},   {-0.06, -0.97}, {0.28, -0.94},
					  {0.58, -0.8},   {0.8, -0.54},   {0.88, -0.24},
					  {-0.34, -0.7},  {0.05, -0.76},  {0.42, -0.68}};

	for (unsigned i = 0; i < N_OF(at); i++) {
		struct shape s = shape_ellipse(at[i].x * h->rx / 0.78, at[i].y, 0.21, 0.21);

		part(h, &s, i % 2 ? h->c.hair : rgb_mix(h->c.hair, 0xffffff, 0.07));
	}
}

static void hair_behind(struct head *h)
{
	struct shape bob = shape_ellipse(0, 0.12, h->rx + 0.24, 1.02),
		     bun = shape_ellipse(0.05, -1.0, 0.24, 0.2);

	if (h->look->hair == HAIR_BOB)
		part(h, &bob, h->c.hair);
	if (h->look->hair == HAIR_BUN)
		part(h, &bun, h->c.hair);
	if (h->look->hair == HAIR_CURLS)
		curls(h);
}

/* A cap over the head, open where the face is. */
static void hair_before(struct head *h)
{
	struct shape cap = shape_ellipse(0, -0.05, h->rx + 0.07, h->ry + 0.06), face, gap;

	switch (h->look->hair) {
	case HAIR_SHORT:
		face = shape_ellipse(0.16, 0.4, h->rx + 0.12, 0.98);
		break;
	case HAIR_FRINGE:
		face = shape_ellipse(0, 0.6, h->rx + 0.06, 1.14);
		break;
	case HAIR_BOB:
		face = shape_ellipse(-0.1, 0.42, h->rx + 0.07, 1.04);
		break;
	case HAIR_BUN:
		face = shape_ellipse(0, 0.33, h->rx + 0.07, 1.02);
		break;
	default:
		return;
	}
	cap.without = &face;
	part(h, &cap, h->c.hair);
	if (h->look->style == STYLE_FLAT)
		return;
	gap = shape_ellipse(-0.25, -0.72, 0.24, 0.07);
	gap.within = &cap;
	paint_glow(&h->p, &gap, 0.06, 0xffffff, 0.3);
}

/* --- the head --- */

static void skull(struct head *h)
{
	struct shape head = shape_ellipse(0, 0, h->rx, h->ry), left, right, light;

	left = shape_ellipse(-h->rx - 0.02, 0.06, 0.13, 0.17);
	right = shape_ellipse(h->rx + 0.02, 0.06, 0.13, 0.17);
	part(h, &left, rgb_mix(h->c.skin, h->c.shade, 0.3));
	part(h, &right, rgb_mix(h->c.skin, h->c.shade, 0.3));
	part(h, &head, h->c.skin);
	if (h->look->style == STYLE_FLAT)
		return;
	light = shape_ellipse(0.12, 0.06, h->rx * 1.05, h->ry * 1.02);
	light.within = &head;
	paint_glow(&h->p, &light, 0.5, rgb_mix(h->c.skin, 0xffffff, 0.35),
		   h->look->style == STYLE_SOFT ? 0.5 : 0.25);
}

static void colour_of_mood(struct head *h)
{
	struct shape head = shape_ellipse(0, 0, h->rx, h->ry),
		     top = shape_ellipse(0, -0.25, h->rx * 1.1, 0.75);

	top.within = &head;
	if (h->x->flush > 0.02)
		paint_glow(&h->p, &top, 0.55, 0xe03a26, 0.6 * h->x->flush);
	for (int side = -1; side <= 1; side += 2) {
		struct shape cheek = shape_ellipse(side * 0.47, 0.3, 0.19, 0.14);

		if (h->x->blush > 0.02)
			paint_glow(&h->p, &cheek, 0.12, 0xf2617a, 0.75 * h->x->blush);
		for (int i = 0; h->look->freckles && i < 3; i++) {
			struct shape dot = shape_ellipse(side * (0.36 + 0.09 * i),
							 0.22 + 0.05 * (i % 2), 0.016, 0.016);

			paint_fill(&h->p, &dot, h->c.shade, 0.8);
		}
	}
}

/* --- eyes --- */

static void smiling_eye(struct head *h, double ex)
{
	double up = 0.16, y = h->eye_y + 0.05;

	stroke(h, (struct point){ex - 0.17, y}, (struct point){ex, y - 2 * up},
	       (struct point){ex + 0.17, y}, 0.06, h->c.ink);
}

static void iris(struct head *h, const struct shape *eye, double ex)
{
	static const rgb colours[] = {0x4a6fa5, 0x5b7f3f, 0x6b4423, 0x3f5560};
	double x = ex + 0.055 * h->x->gaze_x, y = h->eye_y + 0.02 + 0.07 * h->x->gaze_y;
	double r = 0.105 + 0.02 * h->x->pupil;
	struct shape s = shape_ellipse(x, y, r, r), pupil = shape_ellipse(x, y, r * 0.58, r * 0.58),
		     light = shape_ellipse(x + 0.035, y - 0.04, 0.032, 0.032);

	s.within = pupil.within = light.within = eye;
	paint_fill(&h->p, &s, colours[(h->look->skin + h->look->paper) % N_OF(colours)], 1);
	paint_fill(&h->p, &pupil, 0x17131a, 1);
	paint_fill(&h->p, &light, 0xffffff, 1);
}

static void open_eye(struct head *h, double ex, int side)
{
	double wide = h->x->eye, ry = 0.17 * (1 + (wide > 0 ? 0.38 : 0.1) * wide);
	double top = h->eye_y - ry * (wide < 0 ? 1 + 1.0 * wide : 1.2);
	double tilt = side * h->x->slant * (h->x->slant > 0 ? 0.35 : 0.75);
	double bottom = h->eye_y + ry * (1.25 - 0.95 * h->x->cheek);
	double lid = h->x->slant < 0 ? -0.06 * h->x->slant : 0.0;
	struct shape eye =
	    shape_eye((struct point){ex, h->eye_y}, 0.165, ry, top + lid, tilt, bottom);

	paint_fill(&h->p, &eye, 0xfffdf8, 1);
	iris(h, &eye, ex);
	paint_line(&h->p, &eye, 0.03, h->c.ink, 1);
}

static void glasses(struct head *h)
{
	struct point bridge[] = {{-h->eye_x + 0.22, h->eye_y}, {h->eye_x - 0.22, h->eye_y}};
	struct shape s = shape_stroke(bridge, 2, 0.03, 1);

	paint_fill(&h->p, &s, 0x3a3f4f, 1);
	for (int side = -1; side <= 1; side += 2) {
		struct shape rim = shape_ellipse(side * h->eye_x, h->eye_y + 0.02, 0.25, 0.25);

		paint_fill(&h->p, &rim, 0xd8efff, 0.16);
		paint_line(&h->p, &rim, 0.034, 0x3a3f4f, 1);
	}
}

static void eyes(struct head *h)
{
	for (int side = -1; side <= 1; side += 2) {
		if (h->x->cheek > 0.72)
			smiling_eye(h, side * h->eye_x);
		else
			open_eye(h, side * h->eye_x, side);
	}
	if (h->look->glasses)
		glasses(h);
}

static void brows(struct head *h)
{
	rgb colour = h->look->hair == HAIR_NONE ? h->c.ink : rgb_mix(h->c.hair, h->c.ink, 0.6);
	double y = h->eye_y - 0.29 - 0.15 * h->x->brow, slant = h->x->slant;

	for (int side = -1; side <= 1; side += 2) {
		struct point inner = {side * (h->eye_x - 0.17 + 0.03 * slant), y - 0.12 * slant},
			     outer = {side * (h->eye_x + 0.19), y + 0.07 * slant},
			     middle = {side * h->eye_x, y - 0.1 - (slant < 0 ? 0.05 * slant : 0)};

		stroke(h, inner, middle, outer, 0.075, colour);
	}
}

/* --- mouth --- */

#define LIP (2 * CURVE)

/* Half of sin(3 pi t), in parabolas. */
static double waver(double t)
{
	double s = 3 * t;
	int part_of = (int)s;

	s -= part_of;
	return (part_of % 2 ? -4 : 4) * s * (1 - s);
}

/* One lip from left to right; down = how far its middle hangs below the corners, as a curve, or
 * as half an ellipse by `round`. */
static void lip(const struct head *h, struct point *out, double half, double corner, double down)
{
	for (int i = 0; i < CURVE; i++) {
		double s = 2.0 * i / (CURVE - 1) - 1, t, y;

		s = s * (1.5 - 0.5 * s * s); /* denser at the corners */
		t = (s + 1) / 2;
		y = 1 - s * s;
		if (h->x->round > 0)
			y += h->x->round * 0.35 * (y > 0 ? y * (1 - y) : 0);
		out[i].x = half * s;
		out[i].y = corner + down * y + 0.035 * h->x->wave * waver(t);
	}
}

static void teeth(struct head *h, const struct shape *mouth, double half, double y)
{
	rgb gum = rgb_mix(0xfffdf5, h->c.ink, 0.55);

	paint_fill(&h->p, mouth, 0xfffdf5, h->x->teeth);
	for (int i = -3; i <= 3; i++) {
		struct point p[2] = {{half * i / 3.5, y - 0.3}, {half * i / 3.5, y + 0.3}};
		struct shape s = shape_stroke(p, 2, 0.014, 1);

		s.within = mouth;
		paint_fill(&h->p, &s, gum, h->x->teeth);
	}
}

static void inside_mouth(struct head *h, const struct shape *mouth, double half, double top,
			 double bottom)
{
	struct shape tongue = shape_ellipse(0, bottom + 0.02, half * 0.62, 0.11),
		     upper = shape_ellipse(0, top - 0.02, half * 0.8, 0.075);
	struct point middle[2] = {{-half, (top + bottom) / 2}, {half, (top + bottom) / 2}};
	struct shape line = shape_stroke(middle, 2, 0.016, 1);

	tongue.within = upper.within = line.within = mouth;
	paint_fill(&h->p, mouth, 0x6d1f2c, 1);
	paint_fill(&h->p, &tongue, 0xe5707a, 1);
	if (h->x->smile > 0.2)
		paint_fill(&h->p, &upper, 0xfffdf5, 1);
	if (h->x->teeth > 0.15) {
		teeth(h, mouth, half, (top + bottom) / 2);
		paint_fill(&h->p, &line, rgb_mix(0xfffdf5, h->c.ink, 0.55), h->x->teeth);
	}
}

static void mouth(struct head *h)
{
	struct point lips[LIP], lower[CURVE];
	const struct face_expression *x = h->x;
	double half = 0.27 + 0.1 * x->width - 0.07 * x->round, gape = x->open > 0 ? x->open : 0;
	double corner = h->mouth_y - 0.09 * x->smile + 0.07 * gape * x->round;
	double up = 0.2 * x->smile * (1 - 0.75 * gape) - gape * (0.2 * x->round + 0.16 * x->teeth);
	double down = up + gape * (0.42 + 0.05 * x->round + 0.25 * x->teeth);
	struct shape s;

	lip(h, lips, half, corner, up);
	if (gape < 0.08) {
		s = shape_stroke(lips, CURVE, 0.062, 0.6);
		paint_fill(&h->p, &s, rgb_mix(0x7c2a33, h->c.ink, 0.35), 1);
		return;
	}
	lip(h, lower, half, corner, down);
	for (int i = 0; i < CURVE; i++)
		lips[CURVE + i] = lower[CURVE - 1 - i];
	s = shape_polygon(lips, LIP);
	inside_mouth(h, &s, half, corner + up, corner + down);
	paint_line(&h->p, &s, 0.036, h->c.ink, 1);
}

static void nose(struct head *h)
{
	stroke(h, (struct point){-0.06, 0.2}, (struct point){0.01, 0.3}, (struct point){0.08, 0.2},
	       0.035, rgb_mix(h->c.shade, h->c.ink, 0.2));
}

/* --- signs --- */

static void tears(struct head *h)
{
	double much = h->x->tears;

	for (int side = -1; side <= 1; side += 2) {
		double x = side * (h->eye_x + 0.03), y = h->eye_y + 0.17;
		struct point p[2] = {{x, y}, {x + side * 0.05, y + 0.55 * much}};
		struct shape stream = shape_stroke(p, 2, 0.075, 0.8),
			     drop = shape_drop(x + side * 0.03, y + 0.12 + 0.4 * much, 0.075);

		if (much < 0.4 && side < 0)
			continue;
		if (much > 0.8)
			paint_fill(&h->p, &stream, 0xaedcf7, 0.8);
		paint_fill(&h->p, &drop, 0x6fbdf0, 0.95);
		paint_line(&h->p, &drop, 0.016, 0x2f7fc0, 1);
	}
}

static void sweat(struct head *h)
{
	int n = h->x->sweat > 0.8 ? 2 : 1;

	for (int i = 0; i < n; i++) {
		struct shape drop =
		    shape_drop(h->rx * 0.8 - 0.17 * i, -0.52 - 0.14 * i, 0.075 - 0.02 * i);

		paint_fill(&h->p, &drop, 0x8fd0f5, 1);
		paint_line(&h->p, &drop, 0.018, 0x2f7fc0, 1);
	}
}

/* The cross of swollen veins that drawn people have when angry. */
static void vein(struct head *h)
{
	double x = h->rx * 0.62, y = -0.56, r = 0.1 * h->x->vein + 0.02;

	for (int sx = -1; sx <= 1; sx += 2)
		for (int sy = -1; sy <= 1; sy += 2)
			stroke(h, (struct point){x + sx * 0.03, y + sy * (0.03 + r)},
			       (struct point){x + sx * 0.035, y + sy * 0.035},
			       (struct point){x + sx * (0.03 + r), y + sy * 0.03}, 0.042, 0xb3161b);
}

static void furrows(struct head *h)
{
	double y = h->eye_y - 0.46 - 0.08 * h->x->brow;

	for (int i = 0; i < 2; i++, y -= 0.08)
		stroke(h, (struct point){-0.2 + 0.03 * i, y}, (struct point){0, y - 0.05},
		       (struct point){0.2 - 0.03 * i, y}, 0.03 * h->x->furrow,
		       rgb_mix(h->c.shade, h->c.ink, 0.25));
}

static void signs(struct head *h)
{
	if (h->x->tears > 0.25)
		tears(h);
	if (h->x->sweat > 0.35)
		sweat(h);
	if (h->x->vein > 0.5)
		vein(h);
}

static void back_of_head(struct head *h)
{
	struct shape head = shape_ellipse(0, -0.03, h->rx + 0.05, h->ry + 0.03);
	bool bald = h->look->hair == HAIR_NONE;

	skull(h);
	part(h, &head, bald ? h->c.skin : h->c.hair);
	for (int i = -2; i <= 2 && !bald; i++)
		stroke(h, (struct point){0.1 * i, -0.72}, (struct point){0.3 * i, -0.3},
		       (struct point){0.22 * i, 0.55}, 0.03, rgb_mix(h->c.hair, 0x000000, 0.25));
}

void face_draw(const struct face_expression *x, const struct face_look *look, int size,
	       uint8_t *pixels)
{
	struct head h = {
	    .p = {pixels, size},
	    .c = palette_of(look),
	    .look = look,
	    .x = x,
	    .rx = 0.7 + 0.12 * look->head_width,
	    .ry = 0.86,
	    .eye_x = 0.28 + 0.07 * look->eye_gap,
	    .eye_y = -0.08,
	    .mouth_y = 0.5,
	};

	background(&h);
	hair_behind(&h);
	shoulders(&h);
	if (look->turned_away) {
		back_of_head(&h);
		return;
	}
	skull(&h);
	colour_of_mood(&h);
	nose(&h);
	mouth(&h);
	eyes(&h);
	if (x->furrow > 0.3)
		furrows(&h);
	hair_before(&h);
	brows(&h);
	signs(&h);
}
