/*
 * jump: the places where one was, for going back and forth among them, as long as the program
 * runs. A place is a sample in a view under a filter. Steps to the next row or page are no jumps.
 */
#ifndef QUALM_TUI_JUMP_H
#define QUALM_TUI_JUMP_H

#include "core/base/vec.h"
#include "tui/narrow.h"
#include "tui/view/view.h"

struct jump {
	int64_t dataset; /* 0: nowhere */
	uint32_t ord;
	const struct view_class *base, *top; /* the view at the bottom of the stack; the topmost */
	struct narrow_place filter; /* owned */
};

struct jumps {
	VEC(struct jump) list; /* oldest first */
	size_t at;             /* which of them is here; list.n: here is none of them */
	int depth;             /* commands may run commands: only the outermost is a jump */
	bool walked;           /* it was a walk through the list itself */
};

/* Around every command: what was before (owned, jump_end() takes it), and which command it was. */
struct jump jump_begin(struct app *app);
void jump_end(struct app *app, struct jump before, const char *command);
/* To the place before (-1) or after (+1); false when there is none. */
bool jump_walk(struct app *app, int by);
void jumps_release(struct jumps *j);

#endif
