/*
 * preview: one sample with everything known about it: picture, question or statement, truth in
 * each layer, category, the answers grouped, the raw text of the run under the cursor. A part of
 * the views browse and sample, not a view itself.
 */
#ifndef QUALM_TUI_VIEW_PREVIEW_H
#define QUALM_TUI_VIEW_PREVIEW_H

#include "core/base/arena.h"
#include "core/eval/oop.h"
#include "db/fetch.h"
#include "db/user.h"
#include "tui/view/pictures.h"
#include "tui/view/preview_extra.h"
#include "tui/view/scene.h"
#include "tui/view/view.h"

struct preview {
	struct arena arena; /* of what was fetched */
	bool valid;
	uint32_t ord;
	int run;
	const struct scene *scene;
	struct sample_row row;
	struct option_row *options;
	size_t n_options;
	struct str *paths; /* of several pictures, as stored */
	size_t n_paths;
	struct preview_extra *extra; /* what else is known of the sample */
	size_t n_extra;
	struct str raw, extracted, error, steps, marks; /* of the run */
	int pair[2];                             /* a, b */
	struct str said[2];                      /* their raw texts */
	double score, latency, tokens;    /* of the run, latency in ms; NaN = none */
	double batch, position;           /* samples in its request, its place there */
	enum oop_kind oop;                /* of an answer outside of the class list */
	bool mapped;                      /* the label map says what it means */
	struct arena own;                 /* of the notes, which change while one looks */
	struct user_note *notes;
	size_t n_notes;
	uint64_t version;                 /* of the user's things when the notes were fetched; 0 = not */
	const char *author;               /* who looks; borrowed */
	char *problem;                    /* what could not be fetched; in the arena, NULL = nothing */
	int skip;                         /* lines of the text scrolled away */
	int lines, room;                  /* of the text at the last update; for scrolling */
	struct rect box;                  /* of the picture; h = 0: none */
	struct rect text;
	char *path, *next, *previous;     /* of the pictures, owned */
	struct picture picture;
	struct send_crop crop;            /* to be shown in the picture; w 0: none */
	struct picture_zoom zoom;         /* what of the picture is shown; w 0: all of it */
};

void preview_release(struct preview *p);
/* Fetch what has changed since the last time and lay out in `area`. full: the whole screen is
 * ours, the picture may take more of it. */
void preview_update(struct preview *p, struct app *app, struct rect area, bool full);
/* The picture of the current sample alone, in this box. */
void preview_picture(struct preview *p, struct app *app, struct rect box);
void preview_draw(const struct preview *p, struct cells *grid);
/* The text by so many lines; false when it does not move. */
bool preview_scroll(struct preview *p, int by);
/* Where picture and text go (pure). text_lines: what the text would like to have. */
void preview_layout(struct rect area, bool media, bool full, int text_lines, struct rect *box,
		    struct rect *text);

#endif
