/*
 * emotions: the classes of published emotion sets, each in the set's own order and with its own
 * numbers. FER2013, RAF-DB and AffectNet number the same emotions differently, so that a number means
 * something only beside its set: labels become names here, and go by these from then on. Where sets
 * write one emotion in two ways (angry, anger) the class has one name and the other one is an alias.
 */
#ifndef QUALM_CORE_READER_EMOTIONS_H
#define QUALM_CORE_READER_EMOTIONS_H

#include "core/reader/rows.h"

struct emotion {
	const char *name, *as; /* as: how the set writes it; NULL: the same */
	int code;	       /* the set's number */
};

struct emotion_set {
	const char *scheme; /* of the codes that the classes get */
	const struct emotion *v;
	size_t n;
};

extern const struct emotion_set emotions_fer2013, emotions_rafdb, emotions_affectnet, emotions_emoset,
    emotions_emotion6, emotions_artemis, emotions_emotic;

/* The set's classes, in its order; without indices, so that sets in one dataset share names. */
enum status emotions_send(const struct emotion_set *set, struct sink *sink, struct src src,
			  struct err *err);
/* By its name in either spelling, without regard to case; SIZE_MAX: the set has none such. */
size_t emotions_by_name(const struct emotion_set *set, struct str name);
/* By the set's number, of a cell or a text; SIZE_MAX likewise. */
size_t emotions_by_code(const struct emotion_set *set, struct str code);
struct class_ref emotions_ref(const struct emotion_set *set, size_t i);

#endif
