/* parrott: the tree of emotion words by Parrott (2001), which MVEI hangs its words on. */
#ifndef QUALM_CORE_READER_PARROTT_H
#define QUALM_CORE_READER_PARROTT_H

#include "core/reader/sink.h"

#define PARROTT_SECONDARY 25
#define PARROTT_MAX_TERTIARY 16

struct parrott_branch {
	const char *primary, *secondary;
	const char *tertiary[PARROTT_MAX_TERTIARY + 1]; /* ends with NULL */
};

/* Branches of one primary word stand together. */
extern const struct parrott_branch parrott_branches[PARROTT_SECONDARY];

enum parrott_level { PARROTT_NONE, PARROTT_PRIMARY, PARROTT_IN_SECONDARY, PARROTT_TERTIARY };

/* Where a word stands: as tertiary, else secondary, else primary word. The strings are static. */
enum parrott_level parrott_find(struct str word, struct str *primary, struct str *secondary);
/* The tree for a sink, where a value has one place: a word of two levels stays on the higher. */
enum status parrott_send(struct sink *sink, struct str facet, struct err *err);

#endif
