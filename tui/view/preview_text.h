/* preview_text: the words of the preview, from the file's facts to the raw answer. */
#ifndef QUALM_TUI_VIEW_PREVIEW_TEXT_H
#define QUALM_TUI_VIEW_PREVIEW_TEXT_H

#include "tui/view/preview.h"

/* Draws into area, skipping p->skip lines; grid NULL only counts. Returns the lines there are. */
int preview_text_draw(const struct preview *p, struct cells *grid, struct rect area);

/* Did a and b both say something of more than a few words? Then what each says alone is put word by word. */
struct pen;
bool preview_diff_is(const struct preview *p);
void preview_diff_put(const struct preview *p, struct pen *pen);

#define GROUP_MAX_RUNS 256

/* Runs that gave the same answer. */
struct group {
	int n, run[GROUP_MAX_RUNS];
};
/* The panel's answers to sample `ord` in groups: right ones first, then by size, then by the
 * first run. out has room for n_panel groups; returns how many. Runs beyond GROUP_MAX_RUNS are
 * left out. */
int preview_groups(const struct scene *s, uint32_t ord, struct group *out);

#endif
