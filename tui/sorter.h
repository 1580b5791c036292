/*
 * sorter: brings the list into the order of scene.sort. What takes time is sorted by a worker; the
 * list stays as it is meanwhile, scene.sorting is set and the top line shows that it waits.
 */
#ifndef QUALM_TUI_SORTER_H
#define QUALM_TUI_SORTER_H

struct app;

/* Sorts, or begins to. A sort over runs that are not loaded yet stays due (scene.sort_due), and
 * so does one that takes time before there are workers. */
void sorter_sort(struct app *app);
/* Another dataset: what is being sorted is for nothing. */
void sorter_drop(struct app *app);

#endif
