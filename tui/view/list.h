/* list: a cursor in n rows of which `height` are seen; the arithmetic of moving, no drawing. */
#ifndef QUALM_TUI_VIEW_LIST_H
#define QUALM_TUI_VIEW_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "core/base/str.h"

struct list {
	uint32_t n, cursor, top, height;
};

/* New sizes; the cursor stays inside and in sight. */
void list_fit(struct list *l, uint32_t n, uint32_t height);
void list_go(struct list *l, uint32_t to); /* clamped */
/* down, up, page-down … goto N. False: not a command of lists (or a bad number). */
bool list_command(struct list *l, const char *name, struct str args);

#endif
