/* A reply to what became of each sample of its request. */
#include <math.h>

#include "tui/query/query_make.h"

/* The API's own refusal, or what it withheld, is no answer to take apart. */
static bool refuse(const struct chat_reply *reply, struct query_answer *a)
{
	if (!reply->refusal.n && !(strcmp(reply->finish, "content_filter") == 0 && !reply->text.n))
		return false;
	a->raw = reply->refusal.n ? buf_view(&reply->refusal) : buf_view(&reply->text);
	a->x = (struct extraction){.outcome = OUTCOME_REFUSED, .degree = NAN,
				   .rule = reply->refusal.n ? "refusal" : "content filter"};
	return true;
}

void query_take_apart(const struct protocol *protocol, const struct query_request *r,
		      const struct chat_reply *reply, const struct err *why,
		      void (*take)(void *ctx, const struct query_request *r, size_t i,
				   const struct query_answer *a),
		      void *ctx)
{
	struct arena arena = ARENA_INIT;
	struct extraction *x = arena_zalloc(&arena, r->ask.n_samples, sizeof *x);
	struct str raw = buf_view(&reply->text);

	if (!why)
		protocol_extract(protocol, &arena, &r->ask, raw, x);
	for (size_t i = 0; i < r->ask.n_samples; i++) {
		struct query_answer a = {r->ords[i], raw, x[i], reply, why};

		if (why)
			a.x = (struct extraction){.outcome = OUTCOME_ERROR, .rule = "", .degree = NAN};
		else if (!refuse(reply, &a) && strcmp(reply->finish, "length") == 0)
			a.x.flag = "cut off";
		take(ctx, r, i, &a);
	}
	arena_release(&arena);
}
