/* plan: which faces there are, what they show, and what their labels say (inside core/demo). */
#ifndef QUALM_CORE_DEMO_PLAN_H
#define QUALM_CORE_DEMO_PLAN_H

#include "core/demo/demo.h"
#include "core/demo/face.h"

/* What the original label and the reannotated set make of a face. */
enum plan_kind {
	PLAN_CLEAR,         /* S+ */
	PLAN_MISLABELLED,   /* S- */
	PLAN_BETWEEN,       /* M+: two emotions at once */
	PLAN_BETWEEN_WRONG, /* M-: two, and the label is a third */
	PLAN_TURNED_AWAY,   /* N: nothing to be read */
	PLAN_UNCHECKED,     /* clear, but nobody annotated it again */
	N_PLAN_KINDS
};

struct plan_face {
	enum plan_kind kind;
	enum face_emotion drawn, second; /* the same but for a face between two */
	enum face_emotion label;         /* the original one */
	unsigned intensity;              /* 0 low, 1 medium, 2 high */
	unsigned strength;               /* percent */
	struct face_look look;
	struct face_expression expression;
};

extern const unsigned plan_counts[N_PLAN_KINDS]; /* they sum to DEMO_FACES */
extern const char *const plan_emotions[N_FACE_EMOTIONS];
extern const char *const plan_intensities[3];

void plan_faces(struct plan_face face[DEMO_FACES]);
bool plan_is_between(const struct plan_face *f);
/* An emotion that people take e for. */
enum face_emotion plan_neighbour(enum face_emotion e, unsigned which);

#endif
