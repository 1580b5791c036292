/*
 * apart: a sink in front of another one that keeps the rows of one task apart from those of others
 * in one dataset: keys become "TASK:KEY", and so do groups of questions (facet "g_index"), and the
 * samples get the task as facet "task".
 */
#ifndef QUALM_CORE_READER_APART_H
#define QUALM_CORE_READER_APART_H

#include "core/base/arena.h"
#include "core/reader/through.h"

struct apart {
	struct through through; /* first */
	struct str task;  /* borrowed */
	struct arena arena;
};

/* The sink to hand to a reader; task and next are borrowed until apart_release(). */
struct sink *apart_init(struct apart *a, struct str task, struct sink *next);
void apart_release(struct apart *a);

#endif
