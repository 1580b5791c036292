/*
 * preview_extra: what a file had about the sample and no part of the preview is for: members of its
 * `extra` (a clue, triggers, a box …), as names with texts.
 */
#ifndef QUALM_TUI_VIEW_PREVIEW_EXTRA_H
#define QUALM_TUI_VIEW_PREVIEW_EXTRA_H

#include "core/base/arena.h"

#define PREVIEW_EXTRA_MAX 32

struct preview_extra {
	struct str name, text;
};

/* From a JSON object; what is none gives nothing. All in the arena. At most PREVIEW_EXTRA_MAX. */
size_t preview_extra_read(struct str json, struct arena *arena, struct preview_extra **out);

#endif
