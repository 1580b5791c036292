#include "core/demo/face.h"

#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif

static const struct face_expression full[N_FACE_EMOTIONS] = {
    [FACE_HAPPINESS] = {.smile = 1,
			.open = 0.62,
			.width = 0.6,
			.brow = 0.35,
			.eye = -0.1,
			.cheek = 1,
			.pupil = 0.3,
			.blush = 0.9},
    [FACE_SADNESS] = {.smile = -1,
		      .width = -0.25,
		      .brow = 0.1,
		      .slant = 1,
		      .eye = -0.55,
		      .pupil = 0.3,
		      .gaze_y = 0.55,
		      .tears = 1,
		      .blush = 0.15},
    [FACE_WORRY] = {.smile = -0.35,
		    .width = -0.1,
		    .wave = 1,
		    .brow = 0.55,
		    .slant = 0.85,
		    .eye = 0.45,
		    .pupil = -0.6,
		    .gaze_x = 0.55,
		    .sweat = 1,
		    .furrow = 1},
    [FACE_NEUTRALITY] = {.eye = -0.12},
    [FACE_SURPRISE] =
	{.open = 1, .round = 1, .width = -0.3, .brow = 1, .eye = 1, .pupil = -0.7, .furrow = 0.25},
    [FACE_ANGER] = {.smile = -0.7,
		    .open = 0.3,
		    .width = 0.35,
		    .teeth = 1,
		    .brow = -0.55,
		    .slant = -1,
		    .eye = -0.25,
		    .pupil = -0.35,
		    .flush = 0.85,
		    .vein = 1},
};

struct face_expression face_between(const struct face_expression *a,
				    const struct face_expression *b, double t)
{
	struct face_expression out;
	const double *from = &a->smile, *to = &b->smile;
	double *at = &out.smile;

	_Static_assert(sizeof out == FACE_EXPRESSION_VALUES * sizeof(double), "only doubles");
	for (unsigned i = 0; i < FACE_EXPRESSION_VALUES; i++)
		at[i] = from[i] + (to[i] - from[i]) * t;
	return out;
}

struct face_expression face_of(enum face_emotion e, double strength)
{
	return face_between(&full[FACE_NEUTRALITY], &full[e], strength);
}
