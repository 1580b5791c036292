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

/* The pictures' bytes, once they are sent; what extraction needs stays. */
void query_request_drop_pictures(struct query_request *r);

#endif
