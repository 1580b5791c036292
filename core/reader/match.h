/*
 * match: names that mean the same thing though they are not written the same: keys of samples in
 * two files, pictures and the names they go by. By base name, then without regard to (ASCII) case,
 * then without extension, then as numbers ("007" and "7.0" are 7). A name that several things bear is never
 * guessed. What is equal to the byte is the caller's business.
 */
#ifndef QUALM_CORE_READER_MATCH_H
#define QUALM_CORE_READER_MATCH_H

#include "core/base/map.h"

#define MATCH_NAME_MAX 4096 /* bytes; longer ones match nothing */

/* The first four are the ways of match_find(), in its order. The next two are what a caller finds by
 * itself: the key as it is, written in the file or made of the row's position. */
enum matched { MATCHED_BASE, MATCHED_FOLDED, MATCHED_STEM, MATCHED_NUMBER, MATCHED_EXACT,
	       MATCHED_POSITION, MATCHED_AMBIGUOUS, MATCHED_NOT, N_MATCHED };
const char *matched_word(enum matched m); /* "by base name" */
enum matched matched_told(int i); /* 0 … N_MATCHED - 1: in the order of trust, as people are told */

struct match_names {
	struct intern keys;
	VEC(uint32_t) first; /* by key: a thing */
	VEC(bool) several;
};

struct match {
	struct match_names by[MATCHED_NUMBER + 1];
	uint32_t n; /* things added */
};

/* '/' and '\' part folders. */
void match_add(struct match *m, struct str name, uint32_t thing);
/* *thing only where one was found. */
enum matched match_find(const struct match *m, struct str name, uint32_t *thing);
/* By one of the ways alone: MATCHED_NOT, MATCHED_AMBIGUOUS or `how`. */
enum matched match_find_by(const struct match *m, enum matched how, struct str name,
			   uint32_t *thing);
void match_release(struct match *m);

#endif
