#include "core/demo/plan.h"

#include "core/base/dice.h"

enum { DICE_ORDER = 1, DICE_FACE };

const unsigned plan_counts[N_PLAN_KINDS] = {
    [PLAN_CLEAR] = 150,        [PLAN_MISLABELLED] = 32, [PLAN_BETWEEN] = 38,
    [PLAN_BETWEEN_WRONG] = 14, [PLAN_TURNED_AWAY] = 6,  [PLAN_UNCHECKED] = 12,
};

const char *const plan_emotions[N_FACE_EMOTIONS] = {"happiness",  "sadness",  "worry",
						    "neutrality", "surprise", "anger"};
const char *const plan_intensities[3] = {"low", "medium", "high"};

enum face_emotion plan_neighbour(enum face_emotion e, unsigned which)
{
	static const enum face_emotion near[N_FACE_EMOTIONS][2] = {
	    [FACE_HAPPINESS] = {FACE_SURPRISE, FACE_NEUTRALITY},
	    [FACE_SADNESS] = {FACE_WORRY, FACE_NEUTRALITY},
	    [FACE_WORRY] = {FACE_SADNESS, FACE_SURPRISE},
	    [FACE_NEUTRALITY] = {FACE_SADNESS, FACE_HAPPINESS},
	    [FACE_SURPRISE] = {FACE_WORRY, FACE_HAPPINESS},
	    [FACE_ANGER] = {FACE_WORRY, FACE_SADNESS},
	};

	return near[e][which % 2];
}

bool plan_is_between(const struct plan_face *f)
{
	return f->kind == PLAN_BETWEEN || f->kind == PLAN_BETWEEN_WRONG;
}

static enum face_emotion wrong_label(const struct plan_face *f, struct dice *d)
{
	enum face_emotion e = plan_neighbour(f->drawn, dice_below(d, 2));

	while (e == f->drawn || e == f->second)
		e = (e + 1) % N_FACE_EMOTIONS;
	return e;
}

static void choose_labels(struct plan_face *f, struct dice *d)
{
	f->second = f->drawn;
	if (plan_is_between(f))
		f->second = plan_neighbour(f->drawn, dice_below(d, 2));
	f->label = f->drawn;
	if (f->kind == PLAN_MISLABELLED || f->kind == PLAN_BETWEEN_WRONG)
		f->label = wrong_label(f, d);
}

static void choose_look(struct plan_face *f, struct dice *d)
{
	f->look = (struct face_look){
	    .hair = dice_below(d, N_FACE_HAIRS),
	    .scene = dice_below(d, N_FACE_SCENES),
	    .style = dice_below(d, N_FACE_STYLES),
	    .skin = dice_below(d, 6),
	    .hair_colour = dice_below(d, 6),
	    .shirt = dice_below(d, 6),
	    .paper = dice_below(d, 6),
	    .head_width = dice_below(d, 101) / 100.0,
	    .eye_gap = dice_below(d, 101) / 100.0,
	    .glasses = dice_percent(d, 18),
	    .freckles = dice_percent(d, 20),
	    .turned_away = f->kind == PLAN_TURNED_AWAY,
	};
}

/* A little of everybody's own. */
static void vary(struct face_expression *x, struct dice *d)
{
	x->smile += ((int)dice_below(d, 17) - 8) / 100.0;
	x->width += ((int)dice_below(d, 41) - 20) / 100.0;
	x->brow += ((int)dice_below(d, 25) - 12) / 100.0;
	x->slant += ((int)dice_below(d, 13) - 6) / 100.0;
	x->gaze_x += ((int)dice_below(d, 31) - 15) / 100.0;
}

static void choose_expression(struct plan_face *f, struct dice *d)
{
	static const unsigned from[3] = {40, 64, 90};
	struct face_expression a, b;

	f->strength = from[f->intensity] + dice_below(d, 10);
	a = face_of(f->drawn, f->strength / 100.0);
	b = face_of(f->second, f->strength / 100.0);
	f->expression = face_between(&a, &b, (44 + dice_below(d, 13)) / 100.0);
	vary(&f->expression, d);
}

void plan_faces(struct plan_face face[DEMO_FACES])
{
	struct dice order = dice_for(DICE_ORDER, 0, 0);
	unsigned n = 0;

	for (unsigned kind = 0; kind < N_PLAN_KINDS; kind++)
		for (unsigned i = 0; i < plan_counts[kind]; i++, n++)
			face[n] = (struct plan_face){.kind = kind,
						     .drawn = n % N_FACE_EMOTIONS,
						     .intensity = n / N_FACE_EMOTIONS % 3};
	for (unsigned i = DEMO_FACES - 1; i > 0; i--) {
		unsigned j = dice_below(&order, i + 1);
		struct plan_face other = face[i];

		face[i] = face[j];
		face[j] = other;
	}
	for (unsigned i = 0; i < DEMO_FACES; i++) {
		struct dice d = dice_for(DICE_FACE, i, 0);

		choose_labels(&face[i], &d);
		choose_look(&face[i], &d);
		choose_expression(&face[i], &d);
	}
}
