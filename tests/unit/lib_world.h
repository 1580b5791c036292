/*
 * world: a random dataset twice: as a snapshot with its source, and as plain sets and strings by
 * sample, which a naive evaluator reads. Nothing of the second is made from the first.
 */
#ifndef QUALM_TESTS_UNIT_LIB_WORLD_H
#define QUALM_TESTS_UNIT_LIB_WORLD_H

#include <math.h>

#include "core/eval/eval.h"
#include "core/eval/oop.h"
#include "core/filter/filter.h"

#define WORLD_MAX     400 /* samples */
#define WORLD_CLASSES 12
#define WORLD_RUNS    5
#define WORLD_LAYERS  3 /* original, reannotated, votes */
#define WORLD_TAGS    2
#define WORLD_NUMBERS 3 /* score f32, tokens u16, batch_pos u32 */

/* A facet whose values have names and, by index, parents (-1 = root). */
struct world_facet {
	const char *name;
	int n;
	const char *values[8];
	int parent[8];
	uint16_t of[WORLD_MAX]; /* values of each sample */
};
#define WORLD_FACETS 3 /* "face type" (a tree), "tags" (several a sample), "text" */

struct world {
	uint32_t seed;
	int n;
	/* naive */
	uint16_t truth[WORLD_LAYERS][WORLD_MAX];
	uint8_t covered[WORLD_LAYERS][WORLD_MAX];
	uint16_t equiv[WORLD_CLASSES];
	int class_parent[WORLD_CLASSES];
	uint16_t label[WORLD_RUNS][WORLD_MAX];
	uint8_t outcome[WORLD_RUNS][WORLD_MAX];
	uint8_t oop[WORLD_RUNS][WORLD_MAX]; /* enum oop_kind; OOP_NONE where the outcome is another */
	double number[WORLD_RUNS][WORLD_NUMBERS][WORLD_MAX];
	bool has_number[WORLD_RUNS][WORLD_NUMBERS];
	struct world_facet facet[WORLD_FACETS];
	double size[WORLD_MAX]; /* the numeric facet */
	const char *text[WORLD_MAX], *note[WORLD_MAX], *answer[WORLD_RUNS][WORLD_MAX];
	uint8_t text_kind[WORLD_MAX]; /* enum text_kind */
	char key[WORLD_MAX][16];
	uint8_t tagged[WORLD_TAGS][WORLD_MAX], marked[WORLD_MAX], seen[WORLD_MAX];
	uint16_t notes[WORLD_MAX];
	int panel[WORLD_RUNS], n_panel, a, b;
	struct lens lens;
	/* the same as qualm holds it */
	struct snapshot *snap;
	struct filter_source source;
	struct filter_things things;
	struct filter_ctx ctx; /* without a cache */
	struct column columns[WORLD_RUNS][WORLD_NUMBERS];
	uint32_t tag_ords[WORLD_TAGS][WORLD_MAX];
	struct filter_tag tags[WORLD_TAGS];
};

extern const char *const world_class[WORLD_CLASSES]; /* two bear the same name */
extern const char *const world_handle[WORLD_RUNS], *const world_title[WORLD_RUNS];
extern const char *const world_tag[WORLD_TAGS], *const world_number[WORLD_NUMBERS];
extern const char *const world_layer[WORLD_LAYERS];

uint32_t world_rnd(struct world *w, uint32_t below);
void world_make(struct world *w, uint32_t seed, int n);
void world_free(struct world *w);

#endif
