/*
 * facets: what the samples of a dataset are made of, a line each: label categories, verdicts and
 * outcomes of a, and the values of every facet, with counts, and bars on one scale. Pure.
 */
#ifndef QUALM_TUI_VIEW_FACETS_H
#define QUALM_TUI_VIEW_FACETS_H

#include "core/base/vec.h"
#include "tui/term/cells.h"
#include "tui/view/list.h"
#include "tui/view/scene.h"

#define FACET_BINS 8

enum facet_kind { FACET_CATEGORY, FACET_VERDICT, FACET_OUTCOME, FACET_VALUES, FACET_NUMBERS };

struct facet_line {
	enum facet_kind kind;
	bool head;      /* the name of a group */
	int facet;      /* VALUES, NUMBERS: index into snap->facets */
	uint32_t value; /* what the line counts; FACET_NO_VALUE: samples without one */
	uint32_t count;
};
#define FACET_NO_VALUE UINT32_MAX

struct facet_range { /* of a facet of numbers */
	double lo, hi;
	uint32_t bin[FACET_BINS], n;
};

struct facets {
	VEC(struct facet_line) lines;
	VEC(struct facet_range) ranges; /* by snap->facets; n = 0 where there are no numbers */
	uint32_t most; /* the largest count */
};

/* Counts all samples of the dataset. Verdicts and categories must be there (scene_ready()). */
void facets_gather(const struct scene *s, struct facets *out);
void facets_release(struct facets *f);
/* Is the sample one of those the line counts? */
bool facets_has(const struct scene *s, const struct facet_line *line, uint32_t ord);
/* list: the lines in sight; its cursor shows when focused. Lines that count the current sample
 * are bold. */
void facets_draw(const struct facets *f, const struct scene *s, const struct list *list,
		 bool focused, struct cells *grid, struct rect area);
/* "category S−", "emotion fear"; appended to out. */
void facets_name(const struct scene *s, const struct facet_line *line, struct buf *out);
/* From `at` on in this direction the next line that counts something; `at` when there is none. */
uint32_t facets_stop(const struct facets *f, uint32_t at, bool forward);

#endif
