/* query_cost: about how many tokens go out, told before they do. */
#ifndef QUALM_TUI_QUERY_QUERY_COST_H
#define QUALM_TUI_QUERY_QUERY_COST_H

#include "tui/query/query.h"

struct query_cost { /* tokens; about */
	double text, pictures;
};

/* Of one request that is made: four bytes of text a token, pictures by core/net/picture_tokens.h. */
struct query_cost query_request_cost(const struct query_request *r, const char *model);
/* Of all requests of a plan, by the first, the middle and the last one; pictures are looked at, not
 * loaded. 0 where nothing can be told. */
struct query_cost query_plan_cost(const struct query_plan *p, struct conn *c);

#endif
