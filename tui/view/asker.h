/*
 * asker: the view Query: how a model is asked about the current sample, what would be sent, the
 * answer as it comes, and what models that were asked from here have answered before. What is
 * asked and the work itself are tui/asking.h.
 */
#ifndef QUALM_TUI_VIEW_ASKER_H
#define QUALM_TUI_VIEW_ASKER_H

#include "core/base/arena.h"
#include "tui/asking.h"
#include "tui/view/scene.h"
#include "tui/view/view.h"

/* What can be changed, and by which key. */
enum asker_row { ASKER_MODEL, ASKER_PROTOCOL, ASKER_OFFER, ASKER_PROMPT, ASKER_CROP, ASKER_REPEATS, N_ASKER_ROWS };

/* An answer that is in the project. */
struct asked {
	int run;
	struct str raw, extracted, error;
	struct str how; /* what was particular about the asking; may be empty */
	double latency;
};
#define ASKED_MAX 24

struct asker_text { /* all borrowed; as of the last update */
	const struct scene *scene;
	const struct asking *asking;
	struct str key; /* of the sample */
	char keys[N_ASKER_ROWS][16];
	struct asked asked[ASKED_MAX];
	size_t n_asked, n_more; /* n_more: older ones that are not shown */
	struct str live_how; /* what was particular about asking for the answer that came last */
	bool stored; /* the stored answers too: there is no preview beside it */
	int64_t now; /* app_clock() */
	int skip;
};

/* Draws into area, skipping t->skip lines; grid NULL only counts. Returns the lines there are. */
int asker_text_draw(const struct asker_text *t, struct cells *grid, struct rect area);
/* The lines to the end of the answer that is coming; 0: none is. */
int asker_text_coming(const struct asker_text *t, struct rect area);

#endif
