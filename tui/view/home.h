/* home: what a project holds, a line each. Pure parts. */
#ifndef QUALM_TUI_VIEW_HOME_H
#define QUALM_TUI_VIEW_HOME_H

#include "db/fetch.h"
#include "tui/shelf.h"
#include "tui/survey.h"
#include "tui/term/cells.h"
#include "tui/view/scene.h"

struct home_dataset {
	struct dataset_name name;
	struct layer_count *layers;
	size_t n_layers;
	struct survey *survey; /* owned; NULL until counted */
};

enum home_kind { HOME_BLANK, HOME_HEAD, HOME_DATASET, HOME_LAYERS, HOME_CATEGORIES, HOME_RUN,
		 HOME_SAVED, HOME_SUGGESTED, HOME_MINE, HOME_JOINED, HOME_WARNING, HOME_PICTURES, HOME_SAID };

struct home_line {
	enum home_kind kind;
	int at;           /* DATASET, LAYERS, CATEGORIES: of the dataset; RUN: of the run; WARNING: of the
			   * import, -1: there is none, -2: there are more; SAVED, SUGGESTED: of the filter; PICTURES: which line of what is
			   * said */
	const char *text; /* HEAD, SAID */
};

struct home_pages {
	const struct scene *scene;
	const struct home_dataset *datasets;
	size_t n_datasets;
	int current; /* the dataset that is loaded; -1 = none */
	/* Those with something to say: of the current dataset, then others; the last first. */
	const struct import_row *imports;
	size_t n_imports, more_imports, n_files; /* more: that are not shown; n_files: all there are */
	const char *joined; /* how rows of the current dataset's files found their samples; may be empty */
	const struct shelf *shelf;        /* the filters */
	const char *pictures;             /* how they are drawn and why; wrapped */
	const struct home_line *lines;
	size_t n_lines;
	size_t adoptable; /* notes, tags and marks from when the project was read-only */
	int cursor; /* index into lines; -1 = none */
	int below;  /* how much of a dataset stands in lines below it: 1 categories, 2 layers too */
};

/* Columns for what is said behind a label at the bottom. */
int home_said_width(int w);
/* The lines for a screen of this width; *out: room for home_max_lines(). Returns how many. */
size_t home_max_lines(const struct home_pages *p);
size_t home_lay_lines(struct home_pages *p, int w, struct home_line *out);
bool home_can_stand(const struct home_line *line); /* the cursor */
void home_draw_line(const struct home_pages *p, size_t at, struct cells *grid, struct rect line);

#endif
