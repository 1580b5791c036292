/* What the files of draft share. */
#ifndef QUALM_CORE_READER_DRAFT_IMPL_H
#define QUALM_CORE_READER_DRAFT_IMPL_H

#include "core/reader/draft.h"

/* The part of the file as an input of its own; to be closed. */
void draft_input(const struct draft *d, struct input *in);
/* Reads it as an import would, for rows and problems. The columns are known. */
void draft_try(struct draft *d, const struct recipe *r, const struct draft_world *world);

#endif
