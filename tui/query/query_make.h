/* A request from the inside, for the files of tui/query. */
#ifndef QUALM_TUI_QUERY_QUERY_MAKE_H
#define QUALM_TUI_QUERY_QUERY_MAKE_H

#include "db/fetch.h"
#include "tui/query/query.h"

struct query_request {
	struct arena arena; /* all texts and arrays */
	const uint32_t *ords; /* [ask.n_samples], borrowed of the plan */
	struct ask ask;
	struct ask_sample *samples; /* = ask.samples */
	struct sample_row *rows;
	struct send_picture *pictures;
	size_t n_pictures;
	struct buf prompt;
	struct chat_part *parts;
	struct chat_message message;
	struct chat_request chat;
};

/* The same as query_request_make() for these samples; pictures: are they loaded? */
enum status query_request_of(const struct query_plan *p, struct conn *c, const uint32_t *ords, size_t n,
			     bool pictures, struct decoder *decoder, const struct cancel *cancel,
			     struct query_request **out, struct err *err);
/* What came of each sample, in their order; why: NULL when there is an answer. */
void query_take_apart(const struct protocol *protocol, const struct query_request *r,
		      const struct chat_reply *reply, const struct err *why,
		      void (*take)(void *ctx, const struct query_request *r, size_t i,
				   const struct query_answer *a),
		      void *ctx);
/* The pictures' bytes, once they are sent; what extraction needs stays. */
void query_request_drop_pictures(struct query_request *r);

#endif
