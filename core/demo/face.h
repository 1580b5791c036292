/*
 * face: a cartoon face from numbers. An expression is a point in a space of muscles, so that
 * between two emotions lies a face that may be read as either. Plain IEEE arithmetic and square
 * roots only: the same pixels everywhere.
 */
#ifndef QUALM_CORE_DEMO_FACE_H
#define QUALM_CORE_DEMO_FACE_H

#include <stdbool.h>
#include <stdint.h>

enum face_emotion {
	FACE_HAPPINESS,
	FACE_SADNESS,
	FACE_WORRY,
	FACE_NEUTRALITY,
	FACE_SURPRISE,
	FACE_ANGER,
	N_FACE_EMOTIONS
};

/* 0 = at rest unless said otherwise; about -1 … 1. */
struct face_expression {
	double smile; /* corners of the mouth: -1 down, 1 up */
	double open;  /* lower lip drops */
	double round; /* the mouth as an O */
	double width; /* wider, narrower */
	double teeth; /* clenched and bared */
	double wave;  /* a wavering lip line */
	double brow;  /* both brows up */
	double slant; /* inner ends up (1, grief), down (-1, rage) */
	double eye;   /* wide open (1), narrow (-1) */
	double cheek; /* lower lids pushed up: smiling eyes */
	double pupil; /* smaller (-1) or larger pupils */
	double gaze_x, gaze_y;
	double tears, sweat, blush, flush, vein, furrow; /* 0 … 1 */
};

#define FACE_EXPRESSION_VALUES (sizeof(struct face_expression) / sizeof(double))

enum face_hair { HAIR_SHORT, HAIR_FRINGE, HAIR_BOB, HAIR_CURLS, HAIR_BUN, HAIR_NONE, N_FACE_HAIRS };
enum face_scene { SCENE_PLAIN, SCENE_DOTS, SCENE_HILLS, SCENE_RAIN, SCENE_NIGHT, N_FACE_SCENES };
enum face_style { STYLE_FLAT, STYLE_INK, STYLE_SOFT, N_FACE_STYLES };

struct face_look {
	enum face_hair hair;
	enum face_scene scene;
	enum face_style style;
	unsigned skin, hair_colour, shirt,
	    paper;                  /* indexes into palettes, taken modulo their length */
	double head_width, eye_gap; /* 0 … 1, 0.5 = middle */
	bool glasses, freckles;
	bool turned_away; /* the back of a head: no face to be read */
};

/* The expression of an emotion, strength 0 … 1. */
struct face_expression face_of(enum face_emotion e, double strength);
/* Between two: t = 0 is a, t = 1 is b. */
struct face_expression face_between(const struct face_expression *a,
				    const struct face_expression *b, double t);
/* rgb[size * size * 3] */
void face_draw(const struct face_expression *x, const struct face_look *look, int size,
	       uint8_t *rgb);

#endif
