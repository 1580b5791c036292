/* What the two files of search share. Not for other rooms. */
#ifndef QUALM_DB_SEARCH_IMPL_H
#define QUALM_DB_SEARCH_IMPL_H

#include "db/search.h"

struct alias {
	struct str name;
	uint32_t class;
};

struct search {
	struct conn *c;
	const struct snapshot *snap;
	struct filter_source source;
	struct arena arena;
	VEC(struct alias) aliases;
};

/* struct filter_source.text */
enum status search_texts(void *ctx, enum filter_scope scope, int run, const struct needle *needle,
			 const uint64_t *within, uint64_t *bits, const struct cancel *cancel,
			 struct err *err);

#endif
