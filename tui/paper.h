/* paper: lines of text that are written once and printed, or shown in a popup (view/notice.h). */
#ifndef QUALM_TUI_PAPER_H
#define QUALM_TUI_PAPER_H

#include <stdio.h>

#include "core/base/arena.h"
#include "core/base/vec.h"
#include "tui/term/cells.h"

struct paper_line {
	enum style style; /* of the popup */
	int indent;	  /* columns */
	const char *text; /* as it is: made safe where it is shown */
};

struct paper {
	struct arena arena;
	VEC(struct paper_line) lines;
};

void paper_say(struct paper *p, enum style style, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
void paper_print(const struct paper *p, FILE *out);
void paper_release(struct paper *p);

#endif
