/*
 * query_draw: what the options of multiple-choice questions are drawn from (core/protocol/choices.h):
 * names, labels, the confusions of a run, vectors of the class names. Worked out once for a plan;
 * immutable then, so that threads may share it.
 */
#ifndef QUALM_TUI_QUERY_QUERY_DRAW_H
#define QUALM_TUI_QUERY_QUERY_DRAW_H

#include "tui/query/query.h"

struct query_draw;

/* *out: NULL where the spec draws no options. Borrows snap. E_USAGE when near options have no
 * encoder, or the project does not keep its vectors of the class names (tui/map/map.h). */
enum status query_draw_new(const struct query_spec *s, const struct snapshot *snap, struct conn *c,
			   struct query_draw **out, struct err *err);
void query_draw_free(struct query_draw *d); /* NULL is fine */

/* The classes of a sample's options, in the order of the letters. E_USAGE when none can be offered. */
enum status query_draw_options(const struct query_draw *d, const struct query_spec *s, struct str key,
			       uint32_t ord, uint32_t out[CHOICES_MAX], size_t *n, struct err *err);

#endif
