/*
 * ratings: what raters said of samples, collected from a table and handed on as mean opinion
 * scores (core/eval/mos.h), one numeric facet for each thing that was rated, and as what most of
 * them voted for: layer `original` holds the class with the most votes (all that tie), layer
 * `votes` the whole distribution.
 *
 * A rater counts once for each sample and thing: what comes later is reported and left out.
 */
#ifndef QUALM_CORE_READER_RATINGS_H
#define QUALM_CORE_READER_RATINGS_H

#include "core/eval/mos.h"
#include "core/reader/memo.h"

#define RATINGS_MAX   20000000u /* of one thing */
#define RATED_MAX     16        /* things */

struct rated { /* one thing, such as "degree" */
	struct str facet;
	VEC(struct rating) v;
	VEC(struct src) src;
};

struct ratings_vote {
	uint32_t item, rater, word;
	struct src src;
};

struct ratings {
	struct read_ctx *ctx;
	bool memo; /* the votes are for MEMO-Bench's six emotions */
	struct arena arena;
	struct intern items, raters, words; /* keys; names; votes' words, caseless */
	VEC(struct str) paths;		    /* by item; empty: none */
	VEC(struct src) srcs;		    /* by item: its first row */
	VEC(struct str) spelled;	    /* by word: as it is written first */
	struct rated rated[RATED_MAX];
	size_t n_rated;
	VEC(struct ratings_vote) votes;
};

/* The item that the text names, a picture's name or a key; its number. */
uint32_t ratings_item(struct ratings *r, struct str text, struct src src);
uint32_t ratings_rater(struct ratings *r, struct str name);
/* The place of a thing, new or known; RATED_MAX when there are too many. facet is copied. */
size_t ratings_thing(struct ratings *r, struct str facet);
/* E_LIMIT. */
enum status ratings_add(struct ratings *r, size_t thing, struct rating rating, struct src src,
			struct err *err);
enum status ratings_vote(struct ratings *r, uint32_t item, uint32_t rater, struct str word,
			 struct src src, struct err *err);
/* Hands all over, after the last row. */
enum status ratings_send(struct ratings *r, struct err *err);
void ratings_release(struct ratings *r);

#endif
