/* copy: what of the samples goes to the terminal's clipboard. */
#ifndef QUALM_TUI_COPY_H
#define QUALM_TUI_COPY_H

#include "tui/app.h"

#define COPY_MAX 75000 /* bytes; terminals take no more (term_copy) */

enum copy_what { COPY_ID, COPY_PATH, COPY_ANSWER, COPY_JSON };

/* Appends a line for each sample: its key, the path of its picture, the answer of the run under
 * the cursor (its text, or the class where no text is kept), or a JSON object with all that the
 * preview shows. E_NOT_FOUND when there is nothing of the kind, E_LIMIT beyond COPY_MAX. */
enum status copy_compose(struct app *app, enum copy_what what, const struct targets *t,
			 struct buf *out, struct err *err);

#endif
