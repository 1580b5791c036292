#include "core/reader/emotions.h"

#include <stdio.h>

#define SET(name, scheme)                                                                          \
	const struct emotion_set emotions_##name = {scheme, name, sizeof name / sizeof *name}

static const struct emotion fer2013[] = {
    {"anger", "Angry", 0}, {"disgust", "Disgust", 1},	{"fear", "Fear", 2},	   {"happiness", "Happy", 3},
    {"sadness", "Sad", 4}, {"surprise", "Surprise", 5}, {"neutral", "Neutral", 6},
};
SET(fer2013, "fer2013");

static const struct emotion rafdb[] = {
    {"surprise", "Surprise", 1}, {"fear", "Fear", 2},	{"disgust", "Disgust", 3}, {"happiness", "Happiness", 4},
    {"sadness", "Sadness", 5},	 {"anger", "Anger", 6}, {"neutral", "Neutral", 7},
};
SET(rafdb, "rafdb");

/* The last three say that there is no expression to name. */
static const struct emotion affectnet[] = {
    {"neutral", "Neutral", 0}, {"happiness", "Happy", 1},   {"sadness", "Sad", 2},     {"surprise", "Surprise", 3},
    {"fear", "Fear", 4},       {"disgust", "Disgust", 5},   {"anger", "Anger", 6},     {"contempt", "Contempt", 7},
    {"none", "None", 8},       {"uncertain", "Uncertain", 9}, {"no face", "No-Face", 10},
};
SET(affectnet, "affectnet");

static const struct emotion emoset[] = {
    {"amusement", NULL, 0}, {"awe", NULL, 1},	  {"contentment", NULL, 2}, {"excitement", NULL, 3},
    {"anger", NULL, 4},	    {"disgust", NULL, 5}, {"fear", NULL, 6},	    {"sadness", NULL, 7},
};
SET(emoset, "emoset");

static const struct emotion emotion6[] = {
    {"anger", NULL, 0},	  {"disgust", NULL, 1},	 {"fear", NULL, 2},    {"joy", NULL, 3},
    {"sadness", NULL, 4}, {"surprise", NULL, 5}, {"neutral", NULL, 6},
};
SET(emotion6, NULL);

static const struct emotion artemis[] = {
    {"amusement", NULL, 0}, {"awe", NULL, 1},	  {"contentment", NULL, 2}, {"excitement", NULL, 3},
    {"anger", NULL, 4},	    {"disgust", NULL, 5}, {"fear", NULL, 6},	    {"sadness", NULL, 7},
    {"something else", NULL, 8},
};
SET(artemis, NULL);

static const struct emotion emotic[] = {
    {"Affection", NULL, 0},    {"Anger", NULL, 1},	   {"Annoyance", NULL, 2},
    {"Anticipation", NULL, 3}, {"Aversion", NULL, 4},	   {"Confidence", NULL, 5},
    {"Disapproval", NULL, 6},  {"Disconnection", NULL, 7}, {"Disquietment", NULL, 8},
    {"Doubt/Confusion", NULL, 9}, {"Embarrassment", NULL, 10}, {"Engagement", NULL, 11},
    {"Esteem", NULL, 12},      {"Excitement", NULL, 13},   {"Fatigue", NULL, 14},
    {"Fear", NULL, 15},	       {"Happiness", NULL, 16},	   {"Pain", NULL, 17},
    {"Peace", NULL, 18},       {"Pleasure", NULL, 19},	   {"Sadness", NULL, 20},
    {"Sensitivity", NULL, 21}, {"Suffering", NULL, 22},	   {"Surprise", NULL, 23},
    {"Sympathy", NULL, 24},    {"Yearning", NULL, 25},
};
SET(emotic, NULL);

enum status emotions_send(const struct emotion_set *set, struct sink *sink, struct src src,
			  struct err *err)
{
	enum status st = OK;

	for (size_t i = 0; i < set->n && !st; i++) {
		char number[16];
		struct str as = str_z(set->v[i].as);
		struct str code[1][2] = {{str_z(set->scheme), {number, 0}}};
		struct rec_class rec = {.src = src,
					.index = -1,
					.name = str_z(set->v[i].name),
					.aliases = &as,
					.n_aliases = as.p != NULL,
					.codes = (const struct str (*)[2])code,
					.n_codes = set->scheme != NULL};

		code[0][1].n = (size_t)snprintf(number, sizeof number, "%d", set->v[i].code);
		st = sink_class(sink, &rec, err);
	}
	return st;
}

size_t emotions_by_name(const struct emotion_set *set, struct str name)
{
	name = str_trim(name);
	for (size_t i = 0; i < set->n; i++)
		if (str_eq_nocase(name, str_z(set->v[i].name)) ||
		    (set->v[i].as && str_eq_nocase(name, str_z(set->v[i].as))))
			return i;
	return SIZE_MAX;
}

size_t emotions_by_code(const struct emotion_set *set, struct str code)
{
	double number;

	if (!str_num(str_trim(code), &number))
		return SIZE_MAX;
	for (size_t i = 0; i < set->n; i++)
		if (number == set->v[i].code)
			return i;
	return SIZE_MAX;
}

struct class_ref emotions_ref(const struct emotion_set *set, size_t i)
{
	return (struct class_ref){.kind = CLASS_BY_NAME, .text = str_z(set->v[i].name)};
}
